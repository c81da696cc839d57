"""The embedding model: unit vectors that mean something and do not depend on their neighbours."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from longleaf.engine.embedder import DEFAULT_EMBEDDER, Embedder, EmbedderError, load_embedder
from longleaf.engine.models import ModelError, ResolvedModel
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
