"""Text to vectors, on this machine: all-MiniLM-L6-v2 under onnxruntime.

The model file keeps its weights in int8 and computes in float32, so a text's vector does not depend on the
texts beside it; that is tested. Each text is therefore run by itself, without padding, and `threads` texts
run at once on one core each: measured faster than batches on several cores (docs/retrieval.md).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from longleaf import LongleafError
from longleaf.engine.models import ResolvedModel, resolve

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
        self._loaded: tuple[Tokenizer, Any] | None = None

    @property
    def dim(self) -> int:
        _, session = self._load()
        return int(session.get_outputs()[0].shape[-1])

    def embed(
        self, texts: Sequence[str], progress: Callable[[int, int], None] | None = None
    ) -> NDArray[np.float32]:
        """One unit vector a text, shape (len(texts), dim). A longer text than the model's context is cut.

        `progress` is called with the texts done and the texts in all.
        """
        vectors = np.empty((len(texts), self.dim), np.float32)
        with ThreadPoolExecutor(self._threads) as pool:
            for start in range(0, len(texts), _GROUP):
                group = texts[start : start + _GROUP]
                for offset, vector in enumerate(pool.map(self._embed_one, group)):
                    vectors[start + offset] = vector
                if progress:
                    progress(start + len(group), len(texts))
        return vectors

    def _embed_one(self, text: str) -> NDArray[np.float32]:
        tokenizer, session = self._load()
        # Half a surrogate pair has no UTF-8 form, which the tokenizer needs.
        ids = np.array([tokenizer.encode(text.encode("utf-8", "replace").decode()).ids], np.int64)
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        hidden: NDArray[np.float32] = session.run(None, inputs)[0][0]
        # Mean over all tokens, then unit length: the model's own 1_Pooling/config.json says so.
        mean = hidden.mean(axis=0, dtype=np.float64)
        unit: NDArray[np.float32] = (mean / max(float(np.linalg.norm(mean)), 1e-12)).astype(np.float32)
        return unit

    def _load(self) -> tuple[Tokenizer, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self._model)
            return self._loaded


def load_embedder(
    name: str = DEFAULT_EMBEDDER, *, offline: bool = False, threads: int | None = None
) -> Embedder:
    """The embedding model of the catalogue, pulled if needed. Raises ModelError or FetchError."""
    model = resolve(name, offline=offline)
    if not any(file.name == "tokenizer.json" for file in model.files):
        raise EmbedderError(f"{name} is not an embedding model; use {DEFAULT_EMBEDDER}")
    return Embedder(model, threads)


def _load(model: ResolvedModel) -> tuple[Tokenizer, Any]:
    import onnxruntime  # takes longer to import than the rest of this room, and many runs embed nothing
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    vocabulary = next(file for file in model.files if file.name == "tokenizer.json")
    try:
        tokenizer = Tokenizer.from_file(str(vocabulary))
        session = onnxruntime.InferenceSession(str(model.path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # both libraries raise bare or private exception types
        raise EmbedderError(
            f"{model.name} cannot be loaded from {model.path.parent} ({error}): "
            f"run 'longleaf models rm {model.name}' and pull it again"
        ) from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(model.context_length or 256)
    return tokenizer, session
