"""From a question to the chunks that should answer it: words (BM25) and meaning (vectors), fused by rank."""

from __future__ import annotations

import math
import threading
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate, pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from longleaf.app.lexicon import Lexicon, make_lexicon
from longleaf.app.library import Library, StoredDocument
from longleaf.app.words import bm25, query_terms, stem
from longleaf.engine.embedder import Embedder
from longleaf.ingest.document import Chunk

Way = Literal["words", "vectors"]

# Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009, https://doi.org/10.1145/1571941.1572114) with the
# offset and weights that did best in docs/retrieval.md: words with the lexicon rank better than vectors do.
_RANK_OFFSET = 10
_WEIGHTS: dict[Way, float] = {"words": 1.0, "vectors": 0.4}
_NAMED_BONUS = 0.6  # of the best score, for the chunks of the document that the question names
_OPENING_BONUS = (0.25, 0.125)  # of the best score, for the first chunks of a document
_CACHED = 512  # documents whose vectors stay in memory: about 1.5 MB for a long filing
_DEPTH = 100  # chunks of each ranking that are fused, at least


@dataclass(frozen=True, slots=True)
class ScoredChunk:
    chunk: Chunk
    document: StoredDocument
    score: float  # higher is better; comparable within one search only


@dataclass(frozen=True, slots=True)
class _ChunkSet:
    ids: NDArray[np.int64]
    lengths: NDArray[np.float64]


class Retriever:
    """Searches stored documents. Safe to share between threads.

    Without an embedder, or while a searched document has chunks without a vector, words alone decide;
    `uses_vectors` says so.
    """

    def __init__(self, library: Library, embedder: Embedder | None = None) -> None:
        self._library = library
        self._embedder = embedder
        self._sets: dict[int, _ChunkSet] = {}
        self._vectors: dict[int, Any] = {}  # faiss indexes, made from the Library's vectors
        self._lock = threading.Lock()

    def uses_vectors(self, documents: Sequence[StoredDocument]) -> bool:
        """Whether every chunk of these documents can be found by meaning too."""
        return self._embedder is not None and all(self._index(document) is not None for document in documents)

    def search(
        self,
        query: str,
        *,
        documents: Sequence[StoredDocument],
        k: int = 10,
        by: Collection[Way] = ("words", "vectors"),
    ) -> list[ScoredChunk]:
        """The `k` best chunks of these documents, best first, none twice; fewer if fewer match.

        A query without a word, no documents, or k below 1 finds nothing. Raises LibraryError.
        """
        documents = _unique(documents)
        sets = [self._set(document) for document in documents]
        starts = [0, *accumulate(len(s.ids) for s in sets)]
        if k < 1 or not query.strip() or not starts[-1]:
            return []
        depth = max(_DEPTH, k)
        rankings: dict[Way, NDArray[np.int64]] = {}
        if "words" in by:
            rankings["words"] = self._by_words(query, documents, sets, starts, depth)
        if "vectors" in by and self.uses_vectors(documents):
            rankings["vectors"] = self._by_meaning(query, documents, starts, depth)
        places, scores = fuse([(ranking, _WEIGHTS[way]) for way, ranking in rankings.items()], k)
        return self._chunks(documents, starts, places, scores)

    @cached_property
    def _lexicon(self) -> Lexicon:
        with self._library.file.read() as db:
            return make_lexicon(partial(stem, db))

    def _by_words(
        self,
        query: str,
        documents: Sequence[StoredDocument],
        sets: Sequence[_ChunkSet],
        starts: Sequence[int],
        depth: int,
    ) -> NDArray[np.int64]:
        lexicon = self._lexicon
        ids = np.concatenate([s.ids for s in sets])
        order = np.argsort(ids, kind="stable")
        lengths = np.concatenate([s.lengths for s in sets])
        with self._library.file.read() as db:
            asked = query_terms(db, query)
            scores = np.empty(len(ids))
            scores[order] = bm25(db, lexicon.weighted_terms(asked), ids[order], lengths[order])
            names = stem(db, [document.name.replace("_", " ") for document in documents])
        best_score = scores.max()
        for (start, end), share in zip(pairwise(starts), named(asked, names), strict=True):
            scores[start:end] += np.where(scores[start:end] > 0, _NAMED_BONUS * share * best_score, 0)
        if lexicon.asks_opening(asked):
            for start, end in pairwise(starts):
                for place, bonus in zip(range(start, end), _OPENING_BONUS, strict=False):
                    scores[place] += bonus * best_score
        best = _best(scores, depth)
        return best[scores[best] > 0]

    def _by_meaning(
        self, query: str, documents: Sequence[StoredDocument], starts: Sequence[int], depth: int
    ) -> NDArray[np.int64]:
        assert self._embedder is not None
        vector = self._embedder.embed([query])
        places, scores = [], []
        for document, start in zip(documents, starts, strict=False):
            index = self._index(document)
            if index is not None and index.ntotal:
                similarity, found = index.search(vector, min(depth, index.ntotal))
                places.append(found[0] + start)
                scores.append(similarity[0])
        joined = np.concatenate(places)
        return joined[_best(np.concatenate(scores), depth)]

    def _set(self, document: StoredDocument) -> _ChunkSet:
        with self._lock:
            known = self._sets.get(document.id)
        if known is None:
            known = _ChunkSet(*self._library.chunk_ids(document))
            self._keep(self._sets, document, known)
        return known

    def _index(self, document: StoredDocument) -> Any | None:
        """The faiss index over a document's chunks in order; None while a vector is missing."""
        if self._embedder is None:
            return None
        with self._lock:
            known = self._vectors.get(document.id)
        if known is None:
            if self._library.vector_count(document, self._embedder.name) < document.chunk_count:
                return None
            import faiss  # slow to import, and not needed while words alone decide

            dim = self._embedder.dim
            known = faiss.IndexFlatIP(dim)
            known.add(self._library.vectors(document, self._embedder.name, dim))
            self._keep(self._vectors, document, known)
        return known

    def _keep(self, cache: dict[int, Any], document: StoredDocument, value: Any) -> None:
        with self._lock:
            if len(cache) >= _CACHED:
                del cache[next(iter(cache))]
            cache[document.id] = value

    def _chunks(
        self,
        documents: Sequence[StoredDocument],
        starts: Sequence[int],
        places: Iterable[int],
        scores: Iterable[float],
    ) -> list[ScoredChunk]:
        found = []
        for place, score in zip(places, scores, strict=True):
            which = int(np.searchsorted(starts, place, side="right")) - 1
            chunk = self._library.chunk(documents[which], int(place) - starts[which])
            found.append(ScoredChunk(chunk, documents[which], float(score)))
        return found


def named(asked: Sequence[str], names: Sequence[Sequence[str]]) -> list[float]:
    """How well a question names each of several files, 1 for the best: shared terms, rare ones more."""
    weights = [0.0] * len(names)
    for term in dict.fromkeys(asked):
        having = [i for i, name in enumerate(names) if term in name]
        for i in having:
            weights[i] += math.log(len(names) / len(having))
    best = max(weights, default=0.0)
    return [weight / best if best else 0.0 for weight in weights]


def fuse(
    rankings: Sequence[tuple[NDArray[np.int64], float]], k: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The `k` best of all ranked places, and their scores; equal ones in order of place.

    Each ranking has its weight.
    """
    if not any(len(ranking) for ranking, _ in rankings):
        return np.empty(0, np.int64), np.empty(0)
    places, inverse = np.unique(np.concatenate([ranking for ranking, _ in rankings]), return_inverse=True)
    gains = [weight / (_RANK_OFFSET + 1 + np.arange(len(ranking))) for ranking, weight in rankings]
    scores = np.bincount(inverse, np.concatenate(gains)).astype(np.float64)
    best = _best(scores, k)
    return places[best], scores[best]


def _best(scores: NDArray[Any], k: int) -> NDArray[np.int64]:
    """The places of the `k` highest scores, best first; equal ones in order."""
    return np.argsort(-scores, kind="stable")[:k]


def _unique(documents: Iterable[StoredDocument]) -> list[StoredDocument]:
    """One file is searched once, even if it was given under two names or is stored in two cuts."""
    first: dict[str, StoredDocument] = {}
    for document in documents:
        first.setdefault(document.sha256, document)
    return list(first.values())
