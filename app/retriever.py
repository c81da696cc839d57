"""From a question to the chunks that should answer it: words (BM25) and meaning (vectors), fused by rank."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate, pairwise, repeat
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from longleaf.app.lexicon import Lexicon, make_lexicon
from longleaf.app.library import Library, StoredDocument
from longleaf.app.meaning import Meanings, load_meanings
from longleaf.app.routing import FIRST_PAGES, Naming, named, naming, without_names
from longleaf.app.search_index import SearchIndex
from longleaf.app.terms import query_terms, terms
from longleaf.app.words import bm25
from longleaf.engine.embedder import Embedder
from longleaf.ingest.document import Chunk

Way = Literal["words", "vectors"]
Ranking = tuple[NDArray[np.int64], float]  # places, best first, and the weight of the ranking

# Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009, https://doi.org/10.1145/1571941.1572114) with the
# offset and weights that did best in docs/retrieval.md: words with the lexicon rank better than vectors do.
_RANK_OFFSET = 10
_WEIGHTS: dict[Way, float] = {"words": 1.0, "vectors": 0.4}
_OPENING_BONUS = (0.25, 0.125)  # of the best score, for the first chunks of a document
_STATEMENT_PAGES = 2  # of each statement that a question needs
_CACHED = 512  # documents whose vectors and postings stay in memory: about 2 MB for a long filing
_DEPTH = 100  # chunks of each ranking that are fused, at least
_PER_REFERENCE = 10  # one in so many places, the last ones, may go to what as many of the best refer to


@dataclass(frozen=True, slots=True)
class ScoredChunk:
    chunk: Chunk
    document: StoredDocument
    score: float  # higher is better; comparable within one search only
    reference: str = ""  # how a better chunk refers to this one, if that is why it is here


@dataclass(frozen=True, slots=True)
class _Searched:
    """Documents that are searched together; places count through the chunks of all of them."""

    documents: list[StoredDocument]
    indexes: list[SearchIndex]

    @property
    def starts(self) -> list[int]:
        return [0, *accumulate(len(index.words.lengths) for index in self.indexes)]

    def document_of(self, place: int) -> int:
        return bisect_right(self.starts, place) - 1


class Retriever:
    """Searches stored documents. Safe to share between threads.

    With an embedder, the question's meaning tells what else to look for. Chunks are found by their own
    meaning only if every chunk of the searched documents has a vector; `uses_vectors` says so.
    """

    def __init__(self, library: Library, embedder: Embedder | None = None) -> None:
        self._library = library
        self._embedder = embedder
        self._indexes: dict[int, SearchIndex] = {}
        self._namings: dict[int, tuple[str, Naming]] = {}
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
        if k < 1 or not query.strip() or not documents:
            return []
        namings = [self._naming(document) for document in documents]
        asked = set(named(query, namings))
        found: list[ScoredChunk] = []
        for of_asked in (True, False):
            group = [d for place, d in enumerate(documents) if (place in asked) is of_asked]
            names = [n for place, n in enumerate(namings) if (place in asked) is of_asked]
            if group and len(found) < k:
                bare = without_names(query, names)
                found += self._search_group(bare, group, k - len(found), by, below=found)
        return found

    def _search_group(
        self,
        query: str,
        documents: list[StoredDocument],
        k: int,
        by: Collection[Way],
        *,
        below: Sequence[ScoredChunk],
    ) -> list[ScoredChunk]:
        """The best chunks of some of the documents, scored lower than those that were found `below` which."""
        searched = _Searched(documents, [self._search_index(document) for document in documents])
        if not searched.starts[-1]:
            return []
        depth = max(_DEPTH, k)
        rankings: list[Ranking] = []
        vector = self._embedder.embed([query]) if self._embedder is not None else None
        if "words" in by:
            meant = self._meanings.nearest(vector[0]) if vector is not None else ()
            rankings += self._by_words(query, meant, searched, depth)
        if vector is not None and "vectors" in by and self.uses_vectors(documents):
            rankings.append((self._by_meaning(vector, searched, depth), _WEIGHTS["vectors"]))
        best, scores = fuse(rankings, k)
        if below and len(scores):
            scores = scores * min(1.0, below[-1].score / scores[0])
        places: list[int] = best.tolist()
        leads = self._leads(searched, places, k)
        found = list(zip(places, scores.tolist(), repeat("")))
        kept = found[: k - len(leads)]
        kept += [(place, kept[-1][1], text) for place, text in leads.items()]
        return self._chunks(searched, kept)

    def _leads(self, searched: _Searched, places: Sequence[int], k: int) -> dict[int, str]:
        """The places that the best ones refer to and that are not found already, with the words that do.

        Those that nothing else would fill are theirs too.
        """
        leads: dict[int, str] = {}
        room = max(k // _PER_REFERENCE, k - len(places))
        there = set(places[: k - room])
        for place in places[:room]:
            which = searched.document_of(place)
            start = searched.starts[which]
            for reference in searched.indexes[which].references.get(place - start, ()):
                if len(leads) < room and start + reference.target not in there:
                    leads.setdefault(start + reference.target, reference.text)
        return leads

    @cached_property
    def _lexicon(self) -> Lexicon:
        with self._library.file.read() as db:
            return make_lexicon(partial(terms, db))

    @cached_property
    def _meanings(self) -> Meanings:
        assert self._embedder is not None
        return load_meanings(self._embedder)

    def _by_words(self, query: str, meant: Sequence[int], searched: _Searched, depth: int) -> list[Ranking]:
        """The chunks ranked by words, and those of the statements that the question needs."""
        lexicon = self._lexicon
        with self._library.file.read() as db:
            asked = query_terms(db, query)
        scores = bm25([index.words for index in searched.indexes], lexicon.weighted_terms(asked, meant))
        best_score = scores.max()
        starts = searched.starts
        if lexicon.asks_opening(asked, meant):
            for start, end in pairwise(starts):
                for place, bonus in zip(range(start, end), _OPENING_BONUS, strict=False):
                    scores[place] += bonus * best_score
        best = _best(scores, depth)
        rankings = [(best[scores[best] > 0], _WEIGHTS["words"])]
        for statement, weight in lexicon.statements(asked).items():
            places = []
            for index, start in zip(searched.indexes, starts, strict=False):
                for page in index.statements.get(statement, ())[:_STATEMENT_PAGES]:
                    of_page = np.array(page) + start
                    places.append(int(of_page[_best(scores[of_page], 1)[0]]))
            rankings.append((np.array(places, np.int64), weight))
        return rankings

    def _by_meaning(self, vector: NDArray[np.float32], searched: _Searched, depth: int) -> NDArray[np.int64]:
        places, scores = [], []
        for document, start in zip(searched.documents, searched.starts, strict=False):
            index = self._index(document)
            if index is not None and index.ntotal:
                similarity, found = index.search(vector, min(depth, index.ntotal))
                places.append(found[0] + start)
                scores.append(similarity[0])
        joined = np.concatenate(places)
        return joined[_best(np.concatenate(scores), depth)]

    def _search_index(self, document: StoredDocument) -> SearchIndex:
        with self._lock:
            known = self._indexes.get(document.id)
        if known is None:
            known = self._library.search_index(document)
            self._keep(self._indexes, document, known)
        return known

    def _naming(self, document: StoredDocument) -> Naming:
        with self._lock:
            known = self._namings.get(document.id)
        if known is None or known[0] != document.name:  # the same bytes under another name
            known = document.name, naming(document.name, "", self._library.opening(document, FIRST_PAGES))
            self._keep(self._namings, document, known)
        return known[1]

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

    def _chunks(self, searched: _Searched, ranked: Iterable[tuple[int, float, str]]) -> list[ScoredChunk]:
        found = []
        for place, score, reference in ranked:
            which = searched.document_of(place)
            document = searched.documents[which]
            chunk = self._library.chunk(document, place - searched.starts[which])
            found.append(ScoredChunk(chunk, document, score, reference))
        return found


def fuse(rankings: Sequence[Ranking], k: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
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
