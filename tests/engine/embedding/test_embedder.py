"""The embedding model: unit vectors that mean something and do not depend on their neighbours."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from longleaf import _native
from longleaf.engine.embedding.bert_weights import OnnxError, parse_bert, read_bert
from longleaf.engine.embedding.embedder import DEFAULT_EMBEDDER, Embedder, EmbedderError, load_embedder
from longleaf.engine.models.store import ModelError, ResolvedModel
from tests.support.real_models import real_model

TEXTS = [
    "This Agreement shall be governed by the laws of the State of Delaware.",
    "Net sales rose 4% to $12.3 billion.",
    "",
    "Łódź 日本語 \x00 “quotes” ﬁ",
    "Either party may end this contract without cause on ninety days' notice. " * 60,
]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    real_model(DEFAULT_EMBEDDER)
    return load_embedder(offline=True)


def test_vectors_are_unit_float32(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.dtype == np.float32 and vectors.shape == (len(TEXTS), embedder.dim) == (5, 384)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert embedder.name == DEFAULT_EMBEDDER


def test_vectors_are_those_of_the_model_run_in_float32(embedder: Embedder) -> None:
    from onnxruntime import InferenceSession

    model = real_model(DEFAULT_EMBEDDER)
    session = InferenceSession(str(model.path), providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(model.files[1]))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    for text, vector in zip(TEXTS, embedder.embed(TEXTS), strict=True):
        ids = np.array([tokenizer.encode(text).ids], np.int64)
        masks = {"attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        mean = session.run(None, {"input_ids": ids, **masks})[0][0].mean(axis=0)
        assert float(vector @ mean) / float(np.linalg.norm(mean)) > 1 - 1e-2


def test_every_kernel_set_gives_the_same_meaning(embedder: Embedder) -> None:
    weights = read_bert(real_model(DEFAULT_EMBEDDER).path)
    sizes = {"heads": weights.heads, "layers": weights.layers, "inner": weights.inner}
    texts = [[101, 2023, 3820, 2003, 9950, 102], [101, *range(2000, 2029), 102], [101]]
    made = {}
    for isa in ("avx512", "amx-emulated", "avx2", "scalar"):
        try:
            encoder = _native.Encoder(weights.tensors, **sizes, epsilon=weights.epsilon, threads=2, isa=isa)
        except _native.NativeError:
            assert isa != "scalar"  # every machine runs that
            continue
        assert encoder.isa == isa
        made[isa] = encoder.encode(texts)
        np.testing.assert_array_equal(made[isa][1:2], encoder.encode(texts[1:2]))
        assert (made[isa] * next(iter(made.values()))).sum(axis=1).min() > 1 - 2e-3  # cosines
    assert "scalar" in made
    if "avx512" in made:
        np.testing.assert_array_equal(made["amx-emulated"], made["avx512"])


def test_the_encoder_refuses_what_does_not_fit() -> None:
    weights = read_bert(real_model(DEFAULT_EMBEDDER).path)
    sizes = {"heads": weights.heads, "layers": 1, "inner": weights.inner, "epsilon": weights.epsilon}
    encoder = _native.Encoder(weights.tensors, **sizes, threads=1)
    for ids, named in (([], "0 tokens"), ([1] * 513, "513 tokens"), ([30522], "30522"), ([-1], "-1")):
        with pytest.raises(_native.NativeError, match=named):
            encoder.encode([[1], ids])
    for name in ("words", "layers.0.up.weight", "layers.0.out_norm.bias"):
        for tensors in (
            {key: value for key, value in weights.tensors.items() if key != name},
            weights.tensors | {name: weights.tensors[name][:-1]},
            weights.tensors | {name: weights.tensors[name].astype(np.float64)},
        ):
            with pytest.raises(_native.NativeError):
                _native.Encoder(tensors, **sizes, threads=1)
    with pytest.raises(_native.NativeError, match="sizes"):
        _native.Encoder(weights.tensors, **sizes | {"heads": 5}, threads=1)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 22_000_000), st.integers(0, 255))
def test_a_changed_byte_of_the_model_file_is_an_error_or_does_no_harm(at: int, byte: int) -> None:
    path = real_model(DEFAULT_EMBEDDER).path
    data = bytearray(path.read_bytes())
    # The weights are most of the file; the structure is at its ends.
    at = at % 60_000 if at % 2 else len(data) - 1 - at % 60_000
    data[at] = byte
    try:
        weights = parse_bert(memoryview(data), "changed.onnx")
        _native.Encoder(
            weights.tensors,
            heads=weights.heads,
            layers=weights.layers,
            inner=weights.inner,
            epsilon=weights.epsilon,
            threads=1,
        ).encode([[1, 2, 3]])
    except (OnnxError, _native.NativeError):
        pass


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, 384)


def test_a_vector_does_not_depend_on_neighbours_or_threads(embedder: Embedder) -> None:
    together = embedder.embed(TEXTS)
    alone = np.vstack([load_embedder(offline=True, threads=1).embed([text]) for text in TEXTS[::-1]])[::-1]
    np.testing.assert_array_equal(together, alone)


def test_meaning_is_near(embedder: Embedder) -> None:
    passages = embedder.embed(TEXTS)
    asked = embedder.embed(
        ["Which state's law applies?", "How much did revenue grow?", "Can it be terminated for convenience?"]
    )
    assert list(np.argmax(asked @ passages[[0, 1, 4]].T, axis=1)) == [0, 1, 2]


def test_a_long_text_is_cut_at_the_models_context(embedder: Embedder) -> None:
    long = "The supplier delivers goods to the buyer every month. " * 40
    a, b = embedder.embed([long, long + "Dinosaurs died out. " * 500])
    np.testing.assert_array_equal(a, b)


def test_half_a_surrogate_pair_does_no_harm(embedder: Embedder) -> None:
    assert np.isfinite(embedder.embed(["a \ud800 b"])).all()


def test_progress_ends_at_the_total(embedder: Embedder) -> None:
    seen: list[tuple[int, int]] = []
    embedder.embed(["x"] * 40, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(32, 40), (40, 40)]


def test_a_language_model_is_refused() -> None:
    real_model("smollm2-135m-instruct")
    with pytest.raises(EmbedderError, match="smollm2-135m-instruct is not an embedding model"):
        load_embedder("smollm2-135m-instruct", offline=True)


def test_an_unknown_model_is_named() -> None:
    with pytest.raises(ModelError, match="minilm-l6"):
        load_embedder("minilm-l6", offline=True)


@pytest.mark.parametrize("damaged", ["model.onnx", "tokenizer.json"])
def test_damaged_files_are_a_clear_error(tmp_path: Path, damaged: str) -> None:
    model = real_model(DEFAULT_EMBEDDER)
    for file in model.files:
        whole = file.read_bytes()
        (tmp_path / file.name).write_bytes(whole[: len(whole) // 2] if file.name == damaged else whole)
    files = tuple(tmp_path / file.name for file in model.files)
    copy = ResolvedModel(model.name, files[0], files, model.licence, model.context_length, model.template)
    with pytest.raises(EmbedderError, match="pull it again"):
        Embedder(copy).embed(["x"])
