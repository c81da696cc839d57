"""The AMX set, on emulated tiles: the code above the tile instructions, and what rounding to bf16 costs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from longleaf import _native
from tests.support.gguf_maker import WEIGHT_TYPES, pack, tiny_model, write_model
from tests.support.kernel_sets import brain, is_float

ISA = "amx-emulated"
QUANTIZED = [name for name in WEIGHT_TYPES if not is_float(name)]
COLUMNS = 512
pytestmark = pytest.mark.skipif("avx512" not in _native.kernel_sets(), reason="needs AVX-512 with VNNI")


def some_rows(n: int) -> NDArray[np.float32]:
    return np.random.default_rng(n).normal(0, 1, (n, COLUMNS)).astype(np.float32)


@pytest.mark.parametrize("weight_type", QUANTIZED)
def test_products_are_those_of_bf16_whatever_the_batch(weight_type: str) -> None:
    values = np.random.default_rng(0).normal(0, 0.05, (200, COLUMNS)).astype(np.float32)
    data = pack(values, weight_type)[0].tobytes()
    x = some_rows(67)
    product, _ = _native.matmul_test(weight_type, data, 200, x, ISA)
    weights = _native.matmul_test(weight_type, data, 200, np.eye(COLUMNS, dtype=np.float32), ISA)[0].T
    exact = brain(x) @ weights.astype(np.float64).T
    bound = np.abs(x).astype(np.float64) @ np.abs(weights).astype(np.float64).T
    assert np.max(np.abs(product - exact) / bound) < 2e-6
    np.testing.assert_array_equal(_native.matmul_test(weight_type, data, 200, x, ISA, 3)[0], product)
    for first, last in ((0, 1), (1, 3), (3, 6), (6, 10), (10, 42), (42, 43), (0, 33)):
        part, _ = _native.matmul_test(weight_type, data, 200, x[first:last], ISA)
        np.testing.assert_array_equal(part, product[first:last])


@pytest.mark.parametrize("rows", [1, 40])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_no_finite_number_stays_none(rows: int, bad: float) -> None:
    data = pack(some_rows(40), "Q8_0")[0].tobytes()
    x = some_rows(rows)
    x[-1, 77] = bad
    product, _ = _native.matmul_test("Q8_0", data, 40, x, ISA)
    assert not np.isfinite(product[-1]).any()
    assert np.isfinite(product[:-1]).all()


@pytest.mark.parametrize("weight_type", ["Q4_K", "Q8_0"])
def test_chunks_and_threads_change_no_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, weight_type: str
) -> None:
    path = write_model(tmp_path / "m.gguf", tiny_model("gemma3", weight_type, n_layer=2))
    tokens = [int(t) for t in np.random.default_rng(1).integers(5, 280, 150)]

    def logits(chunk: int, threads: int) -> NDArray[np.float32]:
        model = _native.Model(_native.Gguf(path), threads=threads)
        assert model.isa == ISA
        sequence = model.new_sequence()
        parts = [tokens[i : i + chunk] for i in range(0, len(tokens), chunk)]
        return np.concatenate([model.forward([(sequence, part, len(part))]) for part in parts])

    monkeypatch.setenv("LONGLEAF_ISA", ISA)
    whole = logits(150, 2)
    for chunk, threads in ((1, 2), (7, 1), (64, 3)):
        np.testing.assert_array_equal(logits(chunk, threads), whole)


@pytest.mark.parametrize("head_dim", [64, 128, 24])
@pytest.mark.parametrize("kv_type", ["f16", "bf16", "q8", "q4"])
def test_attention_by_tiles_is_near_that_of_vectors(tmp_path: Path, kv_type: str, head_dim: int) -> None:
    """Products with F32 weights are the same functions in both sets; heads of 24 fill no tile."""
    shape = tiny_model("gemma3", "F32", n_layer=2, head_dim=head_dim, sliding_window=50)
    path = write_model(tmp_path / "m.gguf", shape)
    tokens = [int(t) for t in np.random.default_rng(2).integers(5, 280, 210)]

    def logits(isa: str, chunk: int) -> NDArray[np.float32]:
        model = _native.Model(_native.Gguf(path), threads=2, kv_type_k=kv_type, kv_type_v=kv_type, isa=isa)
        sequence = model.new_sequence()
        parts = [tokens[i : i + chunk] for i in range(0, len(tokens), chunk)]
        return np.concatenate([model.forward([(sequence, part, len(part))]) for part in parts])

    vectors, tiles = logits("avx512", 210), logits(ISA, 210)
    # Two layers, each rounding scores, weights and values to 8 bits; for q4 a key may then be nearer to
    # another level.
    near = 0.05 if kv_type == "q4" else 0.005
    assert 0 < np.sqrt(np.mean((tiles - vectors) ** 2)) < near * vectors.std()
    np.testing.assert_array_equal(logits(ISA, 13), tiles)
