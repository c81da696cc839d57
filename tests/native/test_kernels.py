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
from tests.support.kernel_sets import (
    AVAILABLE,
    EXACT,
    PRODUCT_ROUNDING,
    ROUNDING,
    SCALE_ROUNDING,
    SETS,
    WEIGHT_ROUNDING,
    brain,
    is_float,
)

COLUMNS = 512  # two blocks of the K types
QUANTIZED = [name for name in WEIGHT_TYPES if not is_float(name)]


def packed(weight_type: str, rows: int, columns: int = COLUMNS) -> tuple[bytes, NDArray[np.float32]]:
    values = np.random.default_rng(rows).normal(0, 0.05, (rows, columns)).astype(np.float32)
    blocks, kind = pack(values, weight_type)
    return blocks.tobytes(), dequantize(np.atleast_2d(blocks), kind).reshape(rows, columns)


def activations(rows: int, columns: int = COLUMNS) -> NDArray[np.float32]:
    return np.random.default_rng(columns + rows).normal(0, 1, (rows, columns)).astype(np.float32)


def test_scalar_is_always_there_and_the_default_comes_first_and_is_exact() -> None:
    assert AVAILABLE[-1] == "scalar"
    assert [
        name for name in ("avx512", "amx", "avx512bw", "avx2", "scalar") if name in AVAILABLE
    ] == AVAILABLE
    assert AVAILABLE[0] in EXACT


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("weight_type", WEIGHT_TYPES)
def test_weights_are_unpacked_exactly(isa: str, weight_type: str) -> None:
    data, expected = packed(weight_type, 70)
    product, rows = _native.matmul_test(weight_type, data, 70, np.eye(COLUMNS, dtype=np.float32), isa)
    np.testing.assert_array_equal(rows, expected)
    if isa in ROUNDING and not is_float(weight_type):
        assert_rounded(product.T, expected)
    else:
        np.testing.assert_array_equal(product.T, expected)
    # Few rows of activations take another path, which decodes in registers.
    for first in range(0, 64, 4):
        few, _ = _native.matmul_test(
            weight_type, data, 70, np.eye(COLUMNS, dtype=np.float32)[first : first + 4], isa
        )
        np.testing.assert_array_equal(few, product[first : first + 4])


def assert_rounded(got: NDArray[np.float32], expected: NDArray[np.float32]) -> None:
    """Weights as bf16 numbers, each near what it was, all of them as near as rounding to nearest is."""
    np.testing.assert_array_equal(brain(got), got)
    groups = np.abs(expected).reshape(len(expected), -1, 16).max(-1).repeat(16, -1)  # no scale is larger
    error = np.abs(got.astype(np.float64) - expected)
    assert (error <= WEIGHT_ROUNDING * np.abs(expected) + SCALE_ROUNDING * groups).all()
    large = np.abs(expected) > groups / 4
    apart = got[large].astype(np.float64) / expected[large] - 1
    assert np.sqrt(np.mean(apart**2)) < 0.0019  # 0.0016 to nearest
    assert abs(apart.mean()) < 1e-3  # 0.0028 by cutting off alone; the rest is what few levels make of a mean


def rounded(x: NDArray[np.float32]) -> NDArray[np.float64]:
    """Activations as quantized weights meet them: 16 bits, one power of two a scale for 32 columns."""
    groups = x.reshape(len(x), -1, 32).astype(np.float64)
    largest = np.abs(groups).max(-1, keepdims=True)
    scale = np.exp2(np.floor(np.log2(largest)) - 14)
    scale[np.rint(largest / scale) == 1 << 15] *= 2
    codes = np.rint(groups / scale)
    assert np.abs(codes).max() < 1 << 15
    return (codes * scale).reshape(x.shape)


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("weight_type", WEIGHT_TYPES)
def test_products_equal_numpy_and_do_not_depend_on_the_batch(isa: str, weight_type: str) -> None:
    data, weights = packed(weight_type, 200)
    x = activations(67)
    product, _ = _native.matmul_test(weight_type, data, 200, x, isa)
    rounds = isa in ROUNDING and not is_float(weight_type)
    met = x if rounds or is_float(weight_type) else rounded(x)
    exact = met.astype(np.float64) @ weights.astype(np.float64).T
    bound = np.abs(x).astype(np.float64) @ np.abs(weights).astype(np.float64).T
    assert np.max(np.abs(product - exact) / bound) < (PRODUCT_ROUNDING if rounds else 2e-6)
    threaded, _ = _native.matmul_test(weight_type, data, 200, x, isa, 3)
    np.testing.assert_array_equal(threaded, product)
    for first, last in ((0, 1), (1, 3), (3, 6), (6, 10), (10, 15), (15, 28), (28, 67)):
        part, _ = _native.matmul_test(weight_type, data, 200, x[first:last], isa)
        np.testing.assert_array_equal(part, product[first:last])


@pytest.mark.parametrize("weight_type", QUANTIZED)
def test_products_of_quantized_weights_are_the_same_bits_on_every_set_of_a_kind(weight_type: str) -> None:
    data, _ = packed(weight_type, 200)
    x = activations(40)
    x *= np.exp2(np.random.default_rng(2).integers(-30, 30, (len(x), COLUMNS // 32))).repeat(32, axis=1)
    for rows in (x, x[:3]):
        for kind in (EXACT, ROUNDING):
            products = [_native.matmul_test(weight_type, data, 200, rows, isa)[0] for isa in kind]
            for product in products[1:]:
                np.testing.assert_array_equal(product, products[0])


@pytest.mark.parametrize("isa", EXACT)
@pytest.mark.parametrize("rows", [1, 20])
def test_whole_numbers_are_multiplied_exactly(isa: str, rows: int) -> None:
    """With scales of 1 every product and sum is a whole number below 2^24, from the largest codes on."""
    rng = np.random.default_rng(rows)
    weights = rng.integers(-127, 128, (64, 64)).astype(np.int8)
    weights[:3] = [[-127], [127], [-128]]
    one = np.frombuffer(np.float16(1).tobytes(), np.int8)
    blocks = np.concatenate([np.broadcast_to(one, (64, 2, 2)), weights.reshape(64, 2, 32)], axis=2)
    x = rng.integers(-2000, 2001, (rows, 64))
    x[0, 32:] = -2000
    product, _ = _native.matmul_test("Q8_0", blocks.tobytes(), 64, x.astype(np.float32), isa)
    np.testing.assert_array_equal(product, x @ weights.astype(np.int64).T)
    # Codes at both ends of 16 bits: int32 sums must not overflow.
    x[:] = 32767
    product, _ = _native.matmul_test("Q8_0", blocks.tobytes(), 64, x.astype(np.float32), isa)
    expected = x.astype(np.float64) @ weights.astype(np.float64).T
    np.testing.assert_allclose(product, expected, rtol=1e-6, atol=32)


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("rows", [1, 9])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("weight_type", QUANTIZED)
def test_what_is_no_finite_number_stays_none(isa: str, rows: int, bad: float, weight_type: str) -> None:
    data, _ = packed(weight_type, 40)
    for column in (0, 17, 39, COLUMNS - 1):
        x = activations(rows)
        x[-1, column] = bad
        product, _ = _native.matmul_test(weight_type, data, 40, x, isa)
        assert not np.isfinite(product[-1]).any()
        assert np.isfinite(product[:-1]).all()


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("size", [0.0, 1e-45, 1e-38, 1e-30, 1e30, 3e37])
def test_activations_of_any_size(isa: str, size: float) -> None:
    data, weights = packed("Q8_0", 40)
    x = np.float32(size) * np.sign(activations(2))
    product, _ = _native.matmul_test("Q8_0", data, 40, x, isa)
    exact = x.astype(np.float64) @ weights.astype(np.float64).T
    bound = np.abs(x).astype(np.float64) @ np.abs(weights).astype(np.float64).T
    # A code has at least 15 bits; scales go down to 2^-126, so that far below 1e-33 there are fewer. Tiles
    # take subnormal numbers for zero.
    share = PRODUCT_ROUNDING if isa in ROUNDING else 2.0**-15
    assert np.abs(product - exact).max() <= share * bound.max() + COLUMNS * 2.0**-126


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
    with pytest.raises(_native.NativeError, match="avx9000.*" + ".*".join(AVAILABLE)):
        _native.matmul_test("F32", b"\0" * 128, 1, activations(1, 32), "avx9000")


@pytest.mark.parametrize("isa", ["amx", "avx2", "avx512", "avx512bw", "scalar"])
def test_a_kernel_unit_defines_nothing_but_its_table(isa: str) -> None:
    """Any other external function could be linked in place of the baseline's, and trap on older CPUs."""
    unit = Path(__file__).parents[2] / f"build/cmake/CMakeFiles/longleaf_core.dir/kernels/kernels_{isa}.cpp.o"
    nm = shutil.which("nm")
    if nm is None or not unit.exists():
        pytest.skip("needs nm and the build tree of .ci/dev")
    listing = subprocess.run(
        [nm, "-C", "--defined-only", "-g", unit], capture_output=True, text=True, check=True
    )
    symbols = [line.split(maxsplit=2)[1:] for line in listing.stdout.splitlines()]
    names = [name for kind, name in symbols if kind in "TWi"]
    offered = (
        ["amx_kernels", "amx_emulated_kernels", "amx_bytes_are_right"] if isa == "amx" else [f"{isa}_kernels"]
    )
    assert sorted(names) == sorted(f"longleaf::{name}()" for name in offered)
