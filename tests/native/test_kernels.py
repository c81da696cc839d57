"""Every kernel set on every weight type against NumPy."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from gguf import dequantize
from numpy.typing import NDArray

from longleaf import _native
from tests.support.gguf_maker import WEIGHT_TYPES, pack

SETS = _native.kernel_sets()
COLUMNS = 512  # two blocks of the K types


def packed(weight_type: str, rows: int, columns: int = COLUMNS) -> tuple[bytes, NDArray[np.float32]]:
    values = np.random.default_rng(rows).normal(0, 0.05, (rows, columns)).astype(np.float32)
    blocks, kind = pack(values, weight_type)
    return blocks.tobytes(), dequantize(np.atleast_2d(blocks), kind).reshape(rows, columns)


def activations(rows: int, columns: int = COLUMNS) -> NDArray[np.float32]:
    return np.random.default_rng(columns + rows).normal(0, 1, (rows, columns)).astype(np.float32)


def test_scalar_is_always_there_and_the_best_comes_first() -> None:
    assert SETS[-1] == "scalar"
    assert [name for name in ("avx512", "avx2", "scalar") if name in SETS] == SETS


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("weight_type", WEIGHT_TYPES)
def test_weights_are_unpacked_exactly(isa: str, weight_type: str) -> None:
    data, expected = packed(weight_type, 70)
    product, rows = _native.matmul_test(weight_type, data, 70, np.eye(COLUMNS, dtype=np.float32), isa)
    np.testing.assert_array_equal(rows, expected)
    np.testing.assert_array_equal(product.T, expected)
    # Few rows of activations take another path, which decodes in registers.
    for first in range(0, 64, 4):
        few, _ = _native.matmul_test(
            weight_type, data, 70, np.eye(COLUMNS, dtype=np.float32)[first : first + 4], isa
        )
        np.testing.assert_array_equal(few.T, expected[:, first : first + 4])


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("weight_type", WEIGHT_TYPES)
def test_products_equal_numpy_and_do_not_depend_on_the_batch(isa: str, weight_type: str) -> None:
    data, weights = packed(weight_type, 200)
    x = activations(67)
    product, _ = _native.matmul_test(weight_type, data, 200, x, isa)
    exact = x.astype(np.float64) @ weights.astype(np.float64).T
    bound = np.abs(x).astype(np.float64) @ np.abs(weights).astype(np.float64).T
    assert np.max(np.abs(product - exact) / bound) < 2e-6
    threaded, _ = _native.matmul_test(weight_type, data, 200, x, isa, 3)
    np.testing.assert_array_equal(threaded, product)
    for first, last in ((0, 1), (1, 3), (3, 6), (6, 10), (10, 15), (15, 28), (28, 67)):
        part, _ = _native.matmul_test(weight_type, data, 200, x[first:last], isa)
        np.testing.assert_array_equal(part, product[first:last])


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("weight_type", ["F32", "F16", "BF16"])
@pytest.mark.parametrize(("n_out", "columns"), [(1, 1), (16, 17), (65, 3), (33, 600)])
def test_shapes_that_fill_no_block(isa: str, weight_type: str, n_out: int, columns: int) -> None:
    data, weights = packed(weight_type, n_out, columns)
    x = activations(9, columns)
    product, _ = _native.matmul_test(weight_type, data, n_out, x, isa)
    np.testing.assert_allclose(product, x @ weights.T, rtol=1e-4, atol=1e-5)
    single, _ = _native.matmul_test(weight_type, data, n_out, x[:1], isa)
    np.testing.assert_array_equal(single, product[:1])


@pytest.mark.parametrize("isa", SETS)
def test_exp_is_within_two_ulp(isa: str) -> None:
    x = np.concatenate(
        [np.linspace(-87.3, 88.7, 200_003), np.random.default_rng(0).normal(0, 2, 100_000), [0.0, -0.0]]
    ).astype(np.float32)
    exact = np.exp(x.astype(np.float64))
    error = np.abs(_native.exp_test(x, isa) - exact) / np.spacing(exact.astype(np.float32))
    assert error.max() < 2
    ends = _native.exp_test(np.array([0, -100, -np.inf, 200], np.float32), isa)
    assert ends[0] == 1 and ends[1] == 0 and ends[2] == 0 and ends[3] > 3e38


def test_bytes_that_do_not_fit_the_shape_are_refused() -> None:
    with pytest.raises(_native.NativeError, match="do not fit"):
        _native.matmul_test("Q8_0", b"\0" * 33, 1, activations(1, 32), "scalar")
    with pytest.raises(_native.NativeError, match="no weight type"):
        _native.matmul_test("Q9_9", b"", 1, activations(1, 32), "scalar")


def test_an_unknown_set_is_an_error_that_names_those_there() -> None:
    with pytest.raises(_native.NativeError, match="avx9000.*" + ".*".join(SETS)):
        _native.matmul_test("F32", b"\0" * 128, 1, activations(1, 32), "avx9000")


@pytest.mark.parametrize("isa", ["avx2", "avx512", "scalar"])
def test_a_kernel_unit_defines_nothing_but_its_table(isa: str) -> None:
    """Any other external function could be linked in place of the baseline's, and trap on older CPUs."""
    unit = Path(__file__).parents[2] / f"build/cmake/CMakeFiles/longleaf_core.dir/kernels/kernels_{isa}.cpp.o"
    nm = shutil.which("nm")
    if nm is None or not unit.exists():
        pytest.skip("needs nm and the build tree of .ci/dev")
    listing = subprocess.run(
        [nm, "-C", "--defined-only", "-g", unit], capture_output=True, text=True, check=True
    )
    names = [line.split(maxsplit=2)[2] for line in listing.stdout.splitlines()]
    assert names == [f"longleaf::{isa}_kernels()"]
