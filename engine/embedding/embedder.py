"""Text to vectors, on this machine: all-MiniLM-L6-v2 on the native encoder.

A text is computed by one thread and without padding, so its vector does not depend on the texts beside it;
that is tested. How near the vectors are to those of the model run in f32 is in docs/retrieval.md.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from longleaf import LongleafError, _native
from longleaf.engine.embedding.bert_weights import OnnxError, read_bert
from longleaf.engine.models.store import ResolvedModel, resolve

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DEFAULT_EMBEDDER = "minilm-l6-v2-int8"
_GROUP = 32  # texts between two reports of progress


class EmbedderError(LongleafError):
    """An embedding model that cannot be used."""


class Embedder:
    """Loads its model when the first text comes. Safe to share between threads."""

    def __init__(self, model: ResolvedModel, threads: int | None = None) -> None:
        self.name = model.name
        self._model = model
        self._threads = threads or len(os.sched_getaffinity(0))
        self._lock = threading.Lock()
        self._loaded: tuple[Tokenizer, _native.Encoder] | None = None

    @property
    def dim(self) -> int:
        _, encoder = self._load()
        return encoder.width

    def embed(
        self, texts: Sequence[str], progress: Callable[[int, int], None] | None = None
    ) -> NDArray[np.float32]:
        """One unit vector a text, shape (len(texts), dim). A longer text than the model's context is cut.

        `progress` is called with the texts done and the texts in all.
        """
        tokenizer, encoder = self._load()
        vectors = np.empty((len(texts), encoder.width), np.float32)
        for start in range(0, len(texts), _GROUP):
            # Half a surrogate pair has no UTF-8 form, which the tokenizer needs.
            group = [text.encode("utf-8", "replace").decode() for text in texts[start : start + _GROUP]]
            ids = [encoding.ids for encoding in tokenizer.encode_batch(group)]
            vectors[start : start + len(group)] = encoder.encode(ids)
            if progress:
                progress(start + len(group), len(texts))
        return vectors

    def _load(self) -> tuple[Tokenizer, _native.Encoder]:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self._model, self._threads)
            return self._loaded


def load_embedder(
    name: str = DEFAULT_EMBEDDER, *, offline: bool = False, threads: int | None = None
) -> Embedder:
    """The embedding model of the catalogue, pulled if needed. Raises ModelError or FetchError."""
    model = resolve(name, offline=offline)
    if not any(file.name == "tokenizer.json" for file in model.files):
        raise EmbedderError(f"{name} is not an embedding model; use {DEFAULT_EMBEDDER}")
    return Embedder(model, threads)


def _load(model: ResolvedModel, threads: int) -> tuple[Tokenizer, _native.Encoder]:
    from tokenizers import Tokenizer  # takes longer to import than the rest of this room

    vocabulary = next(file for file in model.files if file.name == "tokenizer.json")
    try:
        tokenizer = Tokenizer.from_file(str(vocabulary))
    except Exception as error:  # the library raises bare Exception
        raise _unusable(model, error) from error
    try:
        weights = read_bert(model.path)
        encoder = _native.Encoder(
            weights.tensors,
            heads=weights.heads,
            layers=weights.layers,
            inner=weights.inner,
            epsilon=weights.epsilon,
            threads=threads,
            isa=os.environ.get("LONGLEAF_ISA", ""),
        )
    except (OnnxError, _native.NativeError, OSError) as error:
        raise _unusable(model, error) from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(min(model.context_length or 256, encoder.n_positions))
    return tokenizer, encoder


def _unusable(model: ResolvedModel, error: Exception) -> EmbedderError:
    return EmbedderError(
        f"{model.name} cannot be loaded from {model.path.parent} ({error}): "
        f"run 'longleaf models rm {model.name}' and pull it again"
    )
