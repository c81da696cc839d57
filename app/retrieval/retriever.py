"""From a question to the chunks that should answer it: words (BM25) and meaning (vectors), fused by rank."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate, zip_longest
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from longleaf.app.library.documents import Library, StoredDocument
from longleaf.app.library.search_index import SearchIndex
from longleaf.app.retrieval.bm25 import bm25
from longleaf.app.retrieval.concept_similarity import ConceptVectors, load_concept_vectors
from longleaf.app.retrieval.concept_terms import About, Lexicon, make_lexicon
from longleaf.app.retrieval.concepts import CONCEPTS, CONTRACT_PLACES, REPORT_PLACES
from longleaf.app.retrieval.document_routing import FIRST_PAGES, Naming, named, naming, without_names
from longleaf.app.retrieval.neighbours import grow_passages, join
from longleaf.app.retrieval.preamble import preamble_places
from longleaf.app.text.index_terms import query_terms, terms
from longleaf.engine.embedding.embedder import Embedder
from longleaf.ingest.document import Chunk

_Kept = TypeVar("_Kept")
Way = Literal["words", "vectors"]
Ranking = tuple[NDArray[np.int64], float]  # places, best first, and the weight of the ranking

# Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009, https://doi.org/10.1145/1571941.1572114) with the
# offset and weights that did best in docs/retrieval.md: words with the lexicon rank better than vectors do.
_RANK_OFFSET = 10
_WEIGHTS: dict[Way, float] = {"words": 1.0, "vectors": 0.4}
_READS_WEIGHT = 0.8  # of all rankings by how passages on the question's concepts read
_OPENS = 1  # of the question's concepts, which may ask for an opening
_OPENING_WEIGHT = 1.2
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
        self._sizes: dict[int, Sequence[int]] = {}
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
        wide: bool = False,
    ) -> list[ScoredChunk]:
        """The `k` best chunks of these documents, best first, none twice; fewer if fewer match.

        `wide`: each with those of its neighbours that fit into a passage (see neighbours.py). A query without
        a word, no documents, or k below 1 finds nothing. Raises LibraryError.
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
                found += self._search_group(bare, group, k - len(found), by, wide=wide, below=found)
        return found

    def _search_group(
        self,
        query: str,
        documents: list[StoredDocument],
        k: int,
        by: Collection[Way],
        *,
        wide: bool,
        below: Sequence[ScoredChunk],
    ) -> list[ScoredChunk]:
        """The best chunks of some of the documents, scored lower than those that were found `below` which."""
        searched = _Searched(documents, [self._search_index(document) for document in documents])
        if not searched.starts[-1]:
            return []
        depth = max(_DEPTH, k)
        rankings: list[Ranking] = []
        vector = self._embedder.embed([query])[0] if self._embedder is not None else None
        with self._library.file.read() as db:
            asked = query_terms(db, query)
        closeness = self._concept_vectors.closeness(vector) if vector is not None else None
        about = self._lexicon.about(asked, closeness, _kinds_of_concepts(searched))
        if "words" in by:
            rankings += self._by_words(asked, about, searched, depth)
        if vector is not None and "vectors" in by and self.uses_vectors(documents):
            rankings += self._by_meaning(vector, about, searched, depth)
        best, scores = fuse(rankings, depth)
        if below and len(scores):
            scores = scores * min(1.0, below[-1].score / scores[0])
        places: list[int] = best.tolist()
        score_of = dict(zip(places, scores.tolist(), strict=True))
        runs = self._runs(searched, places, k) if wide else [range(place, place + 1) for place in places[:k]]
        leads = self._leads(searched, places, runs, k)
        runs = runs[: k - len(leads)]
        hits = [max(run, key=lambda place: score_of.get(place, 0.0)) for run in runs]
        ranked = [(place, run, score_of[place], "") for place, run in zip(hits, runs, strict=True)]
        ranked += [(place, range(place, place + 1), ranked[-1][2], text) for place, text in leads.items()]
        return [self._scored(searched, *each) for each in ranked]

    def _runs(self, searched: _Searched, places: Sequence[int], k: int) -> list[range]:
        """The places of the chunks of each of the `k` best passages."""
        sizes = [size for document in searched.documents for size in self._sizes_of(document)]
        return grow_passages(places, sizes, searched.starts, k)

    def _leads(
        self, searched: _Searched, places: Sequence[int], runs: Sequence[range], k: int
    ) -> dict[int, str]:
        """The places that the best ones refer to and that are not found already, with the words that do.

        Those that nothing else would fill are theirs too.
        """
        leads: dict[int, str] = {}
        room = max(k // _PER_REFERENCE, k - len(runs))
        there = {place for run in runs[: k - room] for place in run}
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
    def _concept_vectors(self) -> ConceptVectors:
        assert self._embedder is not None
        return load_concept_vectors(self._embedder)

    def _by_words(
        self, asked: Sequence[str], about: Sequence[About], searched: _Searched, depth: int
    ) -> list[Ranking]:
        """The chunks ranked by words, and those that the question needs by what they are."""
        weights = self._lexicon.weighted_terms(asked, about)
        scores = bm25([index.words for index in searched.indexes], weights)
        starts = searched.starts
        best = _best(scores, depth)
        rankings = [(best[scores[best] > 0], _WEIGHTS["words"])]
        if any(CONCEPTS[concept.place].opens for concept in about[:_OPENS]):
            openings = [preamble_places(index.words) for index in searched.indexes]
            places = [
                start + place
                for of_all in zip_longest(*openings)
                for start, place in zip(starts, of_all, strict=False)
                if place is not None
            ]
            rankings.append((np.array(places, np.int64), _OPENING_WEIGHT))
        for statement, weight in self._lexicon.statements(asked).items():
            places = []
            for index, start in zip(searched.indexes, starts, strict=False):
                for page in index.statements.get(statement, ())[:_STATEMENT_PAGES]:
                    of_page = np.array(page) + start
                    places.append(int(of_page[_best(scores[of_page], 1)[0]]))
            rankings.append((np.array(places, np.int64), weight))
        return rankings

    def _by_meaning(
        self, vector: NDArray[np.float32], about: Sequence[About], searched: _Searched, depth: int
    ) -> list[Ranking]:
        """The chunks nearest to the question, and those nearest to how passages on its concepts read."""
        concepts = [concept.place for concept in about if concept.place in self._concept_vectors.reads]
        rankings = [(self._nearest(vector[None], searched, depth), _WEIGHTS["vectors"])]
        for place in concepts:
            nearest = self._nearest(self._concept_vectors.reads[place], searched, depth)
            rankings.append((nearest, _READS_WEIGHT / len(concepts)))
        return rankings

    def _nearest(self, vectors: NDArray[np.float32], searched: _Searched, depth: int) -> NDArray[np.int64]:
        """The places of the chunks nearest to any of these unit vectors, shape (vectors, dim), best first."""
        places, scores = [], []
        for document, start in zip(searched.documents, searched.starts, strict=False):
            index = self._index(document)
            if index is not None and index.ntotal:
                similarity, found = index.search(vectors, min(depth, index.ntotal))
                places.append(found.ravel() + start)
                scores.append(similarity.ravel())
        ranked = np.concatenate(places)[np.argsort(-np.concatenate(scores), kind="stable")]
        return np.array(list(dict.fromkeys(ranked.tolist()))[:depth], np.int64)

    def _search_index(self, document: StoredDocument) -> SearchIndex:
        return self._kept(self._indexes, document, self._library.search_index)

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

    def _sizes_of(self, document: StoredDocument) -> Sequence[int]:
        return self._kept(self._sizes, document, self._library.chunk_sizes)

    def _kept(
        self, cache: dict[int, _Kept], document: StoredDocument, read: Callable[[StoredDocument], _Kept]
    ) -> _Kept:
        with self._lock:
            known = cache.get(document.id)
        if known is None:
            known = read(document)
            self._keep(cache, document, known)
        return known

    def _keep(self, cache: dict[int, Any], document: StoredDocument, value: Any) -> None:
        with self._lock:
            if len(cache) >= _CACHED:
                del cache[next(iter(cache))]
            cache[document.id] = value

    def _scored(
        self, searched: _Searched, place: int, run: range, score: float, reference: str
    ) -> ScoredChunk:
        """The chunks at `run` as one, under the headings of the one at `place`."""
        which = searched.document_of(place)
        document, start = searched.documents[which], searched.starts[which]
        chunks = [self._library.chunk(document, each - start) for each in run]
        return ScoredChunk(join(chunks, chunks[run.index(place)]), document, score, reference)


def _kinds_of_concepts(searched: _Searched) -> Container[int]:
    """Reports have several financial statements, contracts none; what has one may be either."""
    statements = [len(index.statements) for index in searched.indexes]
    if min(statements) > 1:
        return REPORT_PLACES
    return range(len(CONCEPTS)) if any(statements) else CONTRACT_PLACES


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
