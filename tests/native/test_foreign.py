"""Functions of a C library called for many indexes at once give what one call each gives."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from longleaf._native import each_address, each_box, each_float, each_int

POINTER, INT, FLOAT = ctypes.c_void_p, ctypes.c_int, ctypes.c_float
INDEXES = np.array([0, 7, 2, 2, -1], np.int32)


def address(function: Any) -> int:
    return ctypes.cast(function, POINTER).value or 0


@pytest.mark.parametrize(
    ("each", "kind", "answer"),
    [
        (each_int, INT, lambda handle, i: handle * 10 - i),
        (each_float, FLOAT, lambda handle, i: handle + i / 4),
        (each_address, POINTER, lambda handle, i: (handle << 40) + i + 1),
    ],
)
def test_each_index_has_its_value(
    each: Callable[[int, int, Any], Any], kind: Any, answer: Callable[[int, int], Any]
) -> None:
    function = ctypes.CFUNCTYPE(kind, POINTER, INT)(answer)
    wanted = [answer(5, int(i)) for i in INDEXES]
    assert each(address(function), 5, INDEXES).tolist() == wanted
    assert each(address(function), 5, INDEXES.astype(np.int64)).tolist() == wanted
    assert len(each(address(function), 5, INDEXES[:0])) == 0


def test_a_box_that_is_not_written_is_zeros() -> None:
    def write(handle: int, i: int, box: Any) -> int:
        if i == 2:
            return 0
        for side in range(4):
            box[side] = handle + i + side / 2
        return 1

    function = ctypes.CFUNCTYPE(INT, POINTER, INT, ctypes.POINTER(FLOAT))(write)
    boxes = each_box(address(function), 3, INDEXES)
    assert boxes.dtype == np.float32
    wanted = [[0.0] * 4 if i == 2 else [3 + i + side / 2 for side in range(4)] for i in INDEXES.tolist()]
    assert boxes.tolist() == wanted
