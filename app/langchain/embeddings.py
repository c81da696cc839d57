"""`LongleafEmbeddings`: the embedding model of the Library behind LangChain's interface."""

from __future__ import annotations

from langchain_core.embeddings import Embeddings

from longleaf.app.langchain.lazy import Lazy
from longleaf.engine.embedding.embedder import DEFAULT_EMBEDDER, Embedder, load_embedder


class LongleafEmbeddings(Embeddings):
    """Unit vectors of texts; the same text gives the same vector, alone or among others.

    The model is loaded with the first text. Errors as of `load_embedder`.
    """

    def __init__(
        self, model: str = DEFAULT_EMBEDDER, *, offline: bool = False, threads: int | None = None
    ) -> None:
        self.model = model
        self._offline, self._threads = offline, threads
        self._embedder: Lazy[Embedder] = Lazy()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = self._loaded().embed(texts).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]

    def _loaded(self) -> Embedder:
        return self._embedder.get(
            lambda: load_embedder(self.model, offline=self._offline, threads=self._threads)
        )
