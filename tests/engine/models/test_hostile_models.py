"""Models whose file is a sound GGUF and lies as a model: a clear error, never a crash or a wrong answer."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from longleaf import LongleafError, _native
from longleaf.engine.engine import Engine
from tests.support import gguf_maker
from tests.support.gguf_maker import TinyModel, tiny_model, write_model
from tests.support.kernel_sets import SETS

PROMPT = "the agreement"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.gguf"


def patched(path: Path, key: str, layout: str, value: object) -> None:
    """Overwrites the value of a metadata key in place."""
    data = bytearray(path.read_bytes())
    name = struct.pack("<Q", len(key)) + key.encode()
    struct.pack_into(layout, data, data.index(name) + len(name) + 4, value)
    path.write_bytes(data)


def use(path: Path) -> str:
    with Engine.open(path) as engine:
        engine.rank("the term is", [" 2024", " of party"])
        return engine.generate(PROMPT, max_tokens=3).text


@pytest.mark.parametrize(
    ("key", "layout", "value"),
    [
        ("block_count", "<I", 0),
        ("block_count", "<I", 1),
        ("block_count", "<I", 3),
        ("block_count", "<I", 2**32 - 1),
        ("context_length", "<I", 0),
        ("context_length", "<I", 1),
        ("context_length", "<I", 2**32 - 1),
        ("embedding_length", "<I", 0),
        ("embedding_length", "<I", 2**20),
        ("attention.head_count", "<I", 0),
        ("attention.head_count", "<I", 3),
        ("attention.head_count", "<I", 2**20),
        ("attention.head_count_kv", "<I", 0),
        ("attention.head_count_kv", "<I", 4),
        ("attention.head_count_kv", "<I", 2**32 - 1),
        ("feed_forward_length", "<I", 0),
        ("feed_forward_length", "<I", 2**32 - 1),
        ("attention.layer_norm_rms_epsilon", "<f", float("nan")),
        ("attention.layer_norm_rms_epsilon", "<f", -1.0),
        ("rope.freq_base", "<f", 0.0),
        ("rope.freq_base", "<f", float("inf")),
        ("rope.dimension_count", "<I", 31),
        ("rope.dimension_count", "<I", 64),
    ],
)
def test_hyperparameters(path: Path, key: str, layout: str, value: object) -> None:
    write_model(path, tiny_model("llama"))
    patched(path, f"llama.{key}", layout, value)
    with pytest.raises(LongleafError):
        use(path)


@pytest.mark.parametrize("n_ctx", [64, 1000, 2**24])
def test_the_context_is_what_the_file_says(path: Path, n_ctx: int) -> None:
    write_model(path, tiny_model("llama"))
    patched(path, "llama.context_length", "<I", n_ctx)
    assert use(path)
    with Engine.open(path) as engine:
        assert engine.ctx_size == min(n_ctx, 8192)


@pytest.mark.parametrize("weight", [np.nan, np.inf, -np.inf])
def test_weights_that_are_not_numbers(path: Path, monkeypatch: pytest.MonkeyPatch, weight: float) -> None:
    spoil_tensor(monkeypatch, "blk.1.ffn_down.weight", lambda values: np.full_like(values, weight))
    write_model(path, tiny_model("llama"))
    with pytest.raises(_native.NativeError, match="no finite number; its weights are damaged"):
        use(path)
    with Engine.open(path) as engine, pytest.raises(_native.NativeError, match="damaged"):
        engine.rank("the term is", [" 2024"])


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("weight", [np.nan, np.inf, -np.inf, 3e38])
def test_rounding_activations_hides_none_that_is_no_number(
    path: Path, monkeypatch: pytest.MonkeyPatch, isa: str, weight: float
) -> None:
    def spoil(values: Any) -> Any:
        values[7] = weight  # one activation of every row
        return values

    monkeypatch.setenv("LONGLEAF_ISA", isa)
    spoil_tensor(monkeypatch, "blk.1.ffn_norm.weight", spoil)
    write_model(path, tiny_model("llama", "Q8_0"))
    with pytest.raises(_native.NativeError, match="no finite number; its weights are damaged"):
        use(path)


@pytest.mark.parametrize("n_rows", [100, 300])
def test_a_vocabulary_that_does_not_fit_the_weights(
    path: Path, monkeypatch: pytest.MonkeyPatch, n_rows: int
) -> None:
    for name in ("token_embd.weight", "output.weight"):
        spoil_tensor(monkeypatch, name, lambda values: values[:n_rows])
    write_model(path, tiny_model("llama"))
    with pytest.raises(LongleafError, match=f"its weights are for {n_rows}"):
        use(path)


def spoil_tensor(monkeypatch: pytest.MonkeyPatch, wanted: str, spoil: Any) -> None:
    sound = gguf_maker._tensors

    def spoiled(model: TinyModel, n_vocab: int) -> Any:
        for name, values in sound(model, n_vocab):
            yield name, spoil(values) if name == wanted else values

    monkeypatch.setattr(gguf_maker, "_tensors", spoiled)


@pytest.mark.parametrize("name", ["blk.0.attn_q.weight", "output_norm.weight", "token_embd.weight"])
def test_a_tensor_of_another_name(path: Path, name: str) -> None:
    write_model(path, tiny_model("llama"))
    path.write_bytes(path.read_bytes().replace(name.encode(), name.replace("t", "x").encode()))
    with pytest.raises(_native.NativeError, match="missing"):
        use(path)


def test_an_architecture_of_strange_bytes_is_named(path: Path) -> None:
    write_model(path, replace(tiny_model("llama")))
    data = path.read_bytes()
    field = struct.pack("<Q", 5) + b"llama"
    path.write_bytes(data.replace(field, struct.pack("<Q", 5) + b"\xff\x00\n\xc3(", 1))
    with pytest.raises(_native.NativeError, match=r"unknown architecture \"\\xff\\x00\\x0a\\xc3\(\""):
        use(path)


@pytest.mark.parametrize(
    "ids",
    [[1.5], np.array([1.0]), [2**40], np.array([2**33 + 1]), ["a"], [[1, 2]], None, 7, np.array([1], "u8")],
)
def test_ids_that_are_none(path: Path, ids: Any) -> None:
    model = _native.Model(_native.Gguf(write_model(path, tiny_model("llama"))))
    sequence = model.new_sequence()
    with pytest.raises(_native.NativeError, match="tokens must be"):
        model.forward([(sequence, ids, 1)])
    assert model.length(sequence) == 0


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.int16])
def test_ids_of_any_integer_type(path: Path, dtype: type[np.signedinteger[Any]]) -> None:
    model = _native.Model(_native.Gguf(write_model(path, tiny_model("llama"))))

    def logits(ids: Any) -> NDArray[np.float32]:
        return model.forward([(model.new_sequence(), ids, 1)])

    np.testing.assert_array_equal(logits(np.array([9, 5, 8, 6], dtype)[::2]), logits([9, 8]))


@pytest.mark.parametrize("n_logits", [-1, 2, 2**62])
def test_more_logits_than_tokens(path: Path, n_logits: int) -> None:
    model = _native.Model(_native.Gguf(write_model(path, tiny_model("llama"))))
    with pytest.raises(_native.NativeError, match="rows of logits wanted of 1 tokens"):
        model.forward([(model.new_sequence(), [1], n_logits)])


def test_nothing_in_the_place_of_a_file() -> None:
    for kind in (_native.Tokenizer, _native.Model):
        with pytest.raises(TypeError):
            kind(None)  # type: ignore[arg-type]
