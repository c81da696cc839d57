"""Every weight type against the NumPy dequantization of the `gguf` package."""

from __future__ import annotations

import os
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from gguf import GGMLQuantizationType, GGUFWriter, dequantize
from gguf.constants import GGML_QUANT_SIZES
from hypothesis import given, settings
from hypothesis import strategies as st

from longleaf._native import Gguf
from tests.support.gguf_maker import WEIGHT_TYPES, pack
from tests.support.gguf_read import StoredTensor, read_gguf
from tests.support.real_models import real_model


def write_tensor(path: Path, blocks: np.ndarray, kind: GGMLQuantizationType) -> Gguf:
    writer = GGUFWriter(path, "llama")
    writer.add_tensor("w", blocks, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return Gguf(path)


def assert_same(got: np.ndarray, want: np.ndarray) -> None:
    assert got.dtype == np.float32 and got.shape == want.shape
    finite = np.isfinite(want)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
    np.testing.assert_array_equal(got[~finite], want[~finite])
    np.testing.assert_array_max_ulp(got[finite], want[finite].astype(np.float32), maxulp=1)


@pytest.mark.parametrize("weight_type", WEIGHT_TYPES)
def test_values_of_ordinary_blocks(tmp_path: Path, weight_type: str) -> None:
    values = np.random.default_rng(1).normal(0, 0.05, (6, 512)).astype(np.float32)
    blocks, kind = pack(values, weight_type)
    got = write_tensor(tmp_path / "t.gguf", blocks, kind).dequantize("w")
    assert_same(got, dequantize(blocks, kind))
    assert got.std() == pytest.approx(0.05, rel=0.1)


@pytest.mark.parametrize("weight_type", WEIGHT_TYPES)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), special=st.sampled_from([None, 0x0000, 0x00, 0xFF]))
def test_values_of_arbitrary_bytes(
    tmp_path_factory: pytest.TempPathFactory, weight_type: str, seed: int, special: int | None
) -> None:
    """Any bytes, so also scales that are subnormal, infinite, negative or not a number."""
    kind = GGMLQuantizationType[weight_type]
    block_bytes = GGML_QUANT_SIZES[kind][1]
    rng = np.random.default_rng(seed)
    blocks = rng.integers(0, 256, (3, block_bytes * 512 // GGML_QUANT_SIZES[kind][0]), dtype=np.uint8)
    if special is not None:
        blocks[rng.random(blocks.shape) < 0.5] = special
    path = tmp_path_factory.getbasetemp() / f"arbitrary-{os.getpid()}.gguf"
    stored = blocks.view({"F32": np.float32, "F16": np.float16}.get(weight_type, np.uint8))
    with np.errstate(all="ignore"):
        assert_same(
            write_tensor(path, stored, kind).dequantize("w"), dequantize(stored, kind).astype(np.float32)
        )


@pytest.mark.parametrize("name", ["gemma-3-270m", "smollm2-135m-instruct"])
def test_tensors_of_the_default_models(name: str) -> None:
    path = real_model(name).path
    file, stored = Gguf(path), read_gguf(path).tensors.values()
    described = [(tensor.name, tensor.kind.name, tensor.shape, tensor.rows.nbytes) for tensor in stored]
    assert file.tensors() == described
    for _, same_type in groupby(sorted(stored, key=by_type), by_type):
        for tensor in list(same_type)[-3:]:  # the reference takes a minute for all of them
            got = file.dequantize(tensor.name)
            assert got.shape == tensor.shape[::-1]
            np.testing.assert_array_equal(got.reshape(-1, tensor.shape[0])[:2000], tensor.values(2000))


def by_type(tensor: StoredTensor) -> str:
    return tensor.kind.name
