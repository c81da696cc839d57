"""The places of a document that answer a question best, and how sure it is that they do."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from longleaf.app.answers import weights
from longleaf.app.answers.passages import Piece, joined_spans, pieces_of
from longleaf.app.answers.question import Question
from longleaf.app.answers.scoring import FEATURES, Embed, Scored, features_of
from longleaf.app.answers.supplements import supplements
from longleaf.app.answers.windows import Window, window
from longleaf.app.proof.citations import cite
from longleaf.app.schema import Statement, Status
from longleaf.ingest.document import Chunk, Document

DEPTH = 60  # chunks that are looked at
MOST = 3  # places that are kept
_RANK_OFFSET = 10  # of the fusion of the two searches
_APART = 2  # pieces between two places, at least
# What the log odds lose where a concept that is asked for is nowhere in the document, and where it is not in
# the place itself: the model, which knows few questions, thinks less of either (docs/answers.md).
_NOWHERE, _ELSEWHERE = 2.0, 1.0
_RECITES = re.compile(r"\W*(?:whereas|now,? therefore)\b", re.IGNORECASE)
_RECITAL = 1.0  # what a recital's score loses: it says why, the clauses say what
_LOST, _CORE, _ASKED = (FEATURES.index(name) for name in ("lost", "core near", "asked"))
_COMPARED, _COVERED = 1.2, 0.8
_STANDING = [FEATURES.index(name) for name in ("meaning", "least concept", "core", "core near", "own")]


class Hashed(Protocol):
    @property
    def sha256(self) -> str: ...


class Found(Protocol):
    """A chunk that retrieval found, and the document it is of."""

    @property
    def chunk(self) -> Chunk: ...
    @property
    def document(self) -> Hashed: ...


Search = Callable[[str, int], Sequence[Found]]


@dataclass(frozen=True, slots=True)
class Place:
    """A run of pieces that may answer; `score` is comparable within one response only."""

    pieces: tuple[Piece, ...]
    score: float

    @property
    def text(self) -> str:
        return " ".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Response:
    """The best places, best first; `sure` is how surely the first answers, comparable between documents, and
    `leans_on` what it cannot be understood without."""

    places: tuple[Place, ...]
    sure: float
    leans_on: tuple[Place, ...] = ()


NOTHING = Response((), float("-inf"))


def respond(
    question: Question, documents: Sequence[Document], search: Search, embed: Embed | None
) -> Response:
    """What `documents`, in which `search` looks, have on the question."""
    own = {document.sha256: document for document in documents}
    hits = fused(search(question.text, DEPTH), search(question.expanded, DEPTH))
    scored = features_of(question, pieces_of((hit.chunk, own[hit.document.sha256]) for hit in hits), embed)
    if not len(scored.places):
        return NOTHING
    scores = ranking(scored.features)
    scores -= [_RECITAL * bool(_RECITES.match(scored.pieces[place].text)) for place in scored.places]
    places = _best_places(scored, scores)
    leans_on = supplements(question, places[0].pieces, scored.pieces)
    sure = sureness(scored, scores) + (_COMPARED if _is_comparison(question, scored, scores) else 0.0)
    return Response(places, sure, tuple(Place((each,), 0.0) for each in leans_on))


def _is_comparison(question: Question, scored: Scored, scores: NDArray[np.float64]) -> bool:
    """Whether what two parties do is compared, under concepts that the best place has all of.

    Such a question says little more than the concept, so that no text is near to it by meaning.
    """
    best = scored.features[int(scores.argmax())]
    return "compare" in question.wants and best[_ASKED] > 0 and best[_CORE] >= _COVERED


def fused(first: Sequence[Found], second: Sequence[Found]) -> list[Found]:
    """Two rankings as one, by reciprocal rank."""
    gains: dict[tuple[str, int], float] = {}
    hits: dict[tuple[str, int], Found] = {}
    for found in (first, second):
        for rank, hit in enumerate(found):
            key = (hit.document.sha256, hit.chunk.index)
            hits[key] = hit
            gains[key] = gains.get(key, 0.0) + 1 / (_RANK_OFFSET + rank)
    return [hits[key] for key in sorted(gains, key=lambda key: -gains[key])]


def ranking(features: NDArray[np.float64]) -> NDArray[np.float64]:
    """A score for each place, higher is better."""
    scores: NDArray[np.float64] = (
        (features - np.array(weights.MEAN)) / np.array(weights.SPREAD) @ np.array(weights.RANK)
    )
    return scores


def evidence(scored: Scored, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """What tells whether the best place answers: its own features, and how it stands out."""
    best = int(scores.argmax())
    apart = scores[np.abs(scored.places - scored.places[best]) > _APART]
    margin = scores[best] - apart.max(initial=float(scores.min()))
    features = scored.features
    return np.array([*features[best], scores[best], margin, *features[:, _STANDING].max(axis=0)])


def sureness(scored: Scored, scores: NDArray[np.float64]) -> float:
    """The log odds that the best place answers."""
    *factors, constant = weights.ANSWERS
    values = (evidence(scored, scores) - np.array(weights.ANSWERS_MEAN)) / np.array(weights.ANSWERS_SPREAD)
    best = scored.features[int(scores.argmax())]
    lacking = _NOWHERE * (best[_LOST] > 0) + _ELSEWHERE * (best[_CORE] == 0)
    return float(values @ np.array(factors) + constant - lacking)


def _best_places(scored: Scored, scores: NDArray[np.float64]) -> tuple[Place, ...]:
    every = np.full(len(scored.pieces), scores.min())
    every[scored.places] = scores
    places: list[Place] = []
    taken: list[Window] = []
    for i in np.argsort(-scores, kind="stable"):
        at = int(scored.places[i])
        if any(each.start <= at < each.end for each in taken):
            continue
        found = window(scored.pieces, at, every.tolist())
        if any(found.start < each.end and each.start < found.end for each in taken):
            found = Window(at, at + 1)
        taken.append(found)
        places.append(Place(tuple(scored.pieces[found.start : found.end]), float(scores[i])))
        if len(places) == MOST:
            break
    return tuple(places)


def statement(places: Sequence[Place], status: Status) -> Statement:
    """The places as one quotation."""
    citations = [
        citation
        for place in places
        for citation in cite(place.pieces[0].document, joined_spans(s for p in place.pieces for s in p.spans))
    ]
    return Statement(text=" … ".join(place.text for place in places), status=status, citations=citations)
