"""Functions of a C library called for many indexes at once give what one call each gives."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from longleaf._native import each_address, each_float, each_int, read_characters
from longleaf.ingest.pdf.characters import BREAK_GENERATED, BREAK_LINE, BREAK_NONE, BREAK_SPACE, Frame

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


# Bulk text of a page as pdfium gives it, one unit a character, and what it calls each by itself.
UNITS = [ord("A"), ord(" "), 0xFFFE, 0xFFFE, 0x0D, 0x0A, ord("b"), ord("c"), 0x3000, ord("d"), ord(" ")]
CODES = [*UNITS[:2], 0x02, 0x1F600, *UNITS[4:]]
BOX = (10.0, 700.0, 15.0, 690.0)  # left, top, right, bottom of the first; each next stands 20 to the right
FRAME = (0.0, 0.0, 600.0, 800.0, 0)


class Page:
    """The four functions that `read_characters` calls, over the lists above."""

    def __init__(self, units: list[int], unplaced: set[int], beyond: set[int]) -> None:
        def text(page: int, start: int, count: int, out: Any) -> int:
            for k, unit in enumerate(units):
                out[k] = unit
            return len(units) + 1

        def box(page: int, i: int, sides: Any) -> int:
            left, top, right, bottom = BOX
            shift = 20 * i + 1e4 * (i in beyond)
            if i not in unplaced:
                written = (right + shift, top, left + shift, bottom if i else float("inf"))
                for k, side in enumerate(written):
                    sides[k] = side
            return 1

        self.held = (
            ctypes.CFUNCTYPE(INT, POINTER, INT, INT, ctypes.POINTER(ctypes.c_uint16))(text),
            ctypes.CFUNCTYPE(ctypes.c_uint, POINTER, INT)(lambda page, i: CODES[i]),
            ctypes.CFUNCTYPE(INT, POINTER, INT)(lambda page, i: int(i == 1)),
            ctypes.CFUNCTYPE(INT, POINTER, INT, ctypes.POINTER(FLOAT))(box),
        )

    def read(self, frame: tuple[float, float, float, float, int] = FRAME) -> Any:
        a, b, c, d = map(address, self.held)
        return read_characters((a, b, c, d), 1, len(CODES), frame)


@pytest.mark.parametrize("units", [UNITS, UNITS[1:], [0, *UNITS[1:]], [0xD83D, *UNITS[1:]]])
def test_characters_come_with_their_boxes_and_what_stood_before_them(units: list[int]) -> None:
    codes, boxes, before, indexes, outside = Page(units, {3}, {7}).read()
    assert codes.tolist() == [ord("A"), ord("-"), 0x1F600, ord("b"), ord("d")]  # "c" is beyond the edge
    assert indexes.tolist() == [0, 2, 3, 6, 9]
    assert outside == 1
    none, generated, space, line = BREAK_NONE, BREAK_GENERATED, BREAK_SPACE, BREAK_LINE
    assert before.tolist() == [none, generated, none, line, space]
    infinite, unwritten = [0.0] * 4, [0.0, 800.0, 0.0, 800.0]
    placed = [[10.0 + 20 * i, 100.0, 15.0 + 20 * i, 110.0] for i in (2, 6, 9)]
    assert boxes.tolist() == [infinite, placed[0], unwritten, *placed[1:]]


def test_boxes_turn_with_the_page_as_other_places_do() -> None:
    left, top, right, bottom = BOX
    sides = np.array([[left + 20 * i, top, right + 20 * i, bottom] for i in (2, 3, 6, 7, 9)])
    for turns in range(4):
        frame = Frame(0.5, 2.0, 600.0, 800.0, turns)
        boxes = Page(UNITS, set(), set()).read((0.5, 2.0, 600.0, 800.0, turns))[1]
        assert boxes[1:].tolist() == frame.show(sides).tolist()


def test_a_page_without_characters_has_none() -> None:
    a, b, c, d = map(address, Page(UNITS, set(), set()).held)
    codes, boxes, before, indexes, outside = read_characters((a, b, c, d), 0, 0, FRAME)
    assert (len(codes), boxes.shape, len(before), len(indexes), outside) == (0, (0, 4), 0, 0, 0)
