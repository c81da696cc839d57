"""How likely each place of a document answers a question: words, meaning, and the kind of thing asked for.

The features are weighed by a logistic model; bench/fit_answers.py makes its few numbers from questions that
were written for it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from longleaf.app.answers.passages import Piece
from longleaf.app.answers.question import Group, Question, Want, stem_texts
from longleaf.app.text.entities import find_dates, find_numbers

Embed = Callable[[Sequence[str]], NDArray[np.float32]]

FEATURES = (
    "own",
    "said",
    "around",
    "heading",
    "concepts",
    "least concept",
    "plain",
    "rarest",
    "meaning",
    "meaning near",
    "rank",
    "kind",
    "kind near",
    "duty",
    "row",
    "short",
    "binding",
    "core",
    "core near",
    "cores",
    "asked",
    "lost",
    "lost words",
)
_EMBEDDED = 600  # characters of a piece that are embedded
_MOST = 72  # pieces that are embedded
_NAMED_WEIGHT = 0.5
_LOST_WEIGHT = 0.6
_DURATION = re.compile(
    r"\b(?:day|week|month|year|quarter|hour|minute)s?\b|\b\d{1,2}(?:st|nd|rd|th)\b|"
    r"\b(?:annual|month|week|quarter)ly\b|"
    r"\b(?:promptly|immediately|forthwith)\b",
    re.IGNORECASE,
)
_NUMBER_WORD = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|"
    r"forty|sixty|ninety|hundred|half|"
    r"once|twice)\b",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"[$€£¥]|\b(?:dollars?|USD|RMB|EUR|euros?|yuan|won|cents?)\b|%|\bper ?cent\b|\bno (?:charge|fee|cost)\b|"
    r"\bfree of charge\b|\b(?:shares|warrants)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|due to|driven by|result(?:ed|ing)? (?:of|from|in)|reflect(?:s|ed|ing)?|primarily|"
    r"attributable|owing to|"
    r"in order to|purpose|offset|impact|given|since)\b",
    re.IGNORECASE,
)
_DEFINES = re.compile(
    r"[\"”]\s*(?:\([^)]{0,60}\)\s*)?(?:shall )?(?:means?|refers? to|includes?|is defined|"
    r"has the meaning)|\bshall mean\b|\bdefined as\b|"
    r"\bis (?:defined|understood)\b",
    re.IGNORECASE,
)
_MAY = re.compile(
    r"\b(?:may|shall|must|will|can|cannot|not|no|never|neither|nothing|consent|approval|right|entitled|free|"
    r"agrees?|only|"
    r"exclusive(?:ly)?|non-?exclusive)\b",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"\b(?:shall|must|will|agrees?|undertakes?|covenants?|responsible|obligat(?:ed|ion)|required|"
    r"warrants?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Pieces, the places of those looked at closely, and the features of these, shape (places, FEATURES)."""

    pieces: list[Piece]
    places: NDArray[np.int64]
    features: NDArray[np.float64]


def features_of(question: Question, pieces: Sequence[Piece], embed: Embed | None) -> Scored:
    """The features of the pieces that share most with the question; those of the others are left out."""
    if not pieces:
        return Scored([], np.empty(0, np.int64), np.empty((0, len(FEATURES))))
    texts = [_padded(stems) for stems in stem_texts([piece.text for piece in pieces])]
    headings = [_padded(stems) for stems in stem_texts([piece.heading for piece in pieces])]
    groups = question.groups
    in_text = _table(texts, [g.terms for g in groups])
    own = _table(texts, [g.own for g in groups])
    in_heading = _table(headings, [g.terms for g in groups])
    weights = _weights(groups, in_text)
    either = np.maximum(_spread(pieces, in_text), 0.9 * in_heading)
    concept = np.array([g.concept for g in groups], bool)
    cores = [g.core for g in groups if g.concept]
    core = np.maximum(_table(texts, cores), 0.8 * _table(headings, cores))
    core_near = np.maximum(_spread(pieces, core), core)
    kind = np.array([_kind(question.wants, piece.text) for piece in pieces])
    columns = {
        "own": _share(np.maximum(own, 0.5 * in_heading * own.max(axis=0, initial=0)), weights),
        "said": _share(np.maximum(in_text, 0.6 * in_heading), weights),
        "around": _share(either, weights),
        "heading": _share(in_heading, weights),
        "concepts": _share(either[:, concept], weights[concept]),
        "least concept": either[:, concept].min(axis=1, initial=1.0),
        "plain": _share(either[:, ~concept], weights[~concept]),
        "rarest": either[:, int(weights.argmax())] if groups else np.ones(len(texts)),
        "rank": np.array([1 / (1 + piece.rank) ** 0.5 for piece in pieces]),
        "kind": kind,
        "kind near": _near(pieces, kind),
        "duty": np.array([_duty(question, piece.text) for piece in pieces]),
        "row": np.array([float(piece.is_row) for piece in pieces]),
        "short": np.array([float(len(piece.text) < 60) for piece in pieces]),
        "core": core.min(axis=1, initial=1.0),
        "core near": core_near.min(axis=1, initial=1.0),
        "cores": core.mean(axis=1) if cores else np.ones(len(texts)),
        "asked": np.full(len(texts), float(len(cores))),
        "lost": np.full(len(texts), float((core.max(axis=0, initial=0.0) == 0).sum())),
        "lost words": np.full(len(texts), _lost_words(groups, in_text, weights)),
        "binding": np.array(
            [float(bool(_MUST.search(piece.text) or _MAY.search(piece.text))) for piece in pieces]
        ),
    }
    first = columns["own"] + columns["said"] + columns["around"] + 0.5 * columns["rank"] + 0.2 * kind
    kept = np.sort(np.argsort(-first, kind="stable")[:_MOST])
    chosen = [pieces[i] for i in kept]
    if embed is not None:
        shown = [": ".join(filter(None, [p.heading[:80], p.text[:_EMBEDDED]])) for p in chosen]
        rows = embed([question.text, *shown])
        meaning = rows[1:] @ rows[0]
    else:
        meaning = 0.3 + 0.3 * columns["own"][kept]
    columns = {name: values[kept] for name, values in columns.items()}
    columns["meaning"] = np.asarray(meaning, float)
    columns["meaning near"] = _near(chosen, columns["meaning"])
    return Scored(list(pieces), kept, np.stack([columns[name] for name in FEATURES], axis=1))


def _padded(stems: Sequence[str]) -> str:
    return f" {' '.join(stems)} "


def _has(text: str, terms: frozenset[str]) -> bool:
    return any(f" {term} " in text for term in terms)


def _table(texts: Sequence[str], terms: Sequence[frozenset[str]]) -> NDArray[np.float64]:
    """Which of the texts has any of which terms, shape (texts, terms)."""
    return np.array([[_has(text, each) for each in terms] for text in texts], float).reshape(
        len(texts), len(terms)
    )


def _share(found: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of the weights that is found; 1 if there are none."""
    total = float(weights.sum())
    return found @ weights / total if total else np.ones(len(found))


def _weights(groups: Sequence[Group], found: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each group weighs, by how rare it is; what no piece has may be the asker's own word for it."""
    n = len(found)
    return np.array(
        [
            math.log(1 + n / (0.5 + count))
            * (_NAMED_WEIGHT if group.named else 1.0)
            * (1.0 if count or group.concept else _LOST_WEIGHT)
            for group, count in zip(groups, found.sum(axis=0), strict=True)
        ]
    ).reshape(-1)


def _lost_words(groups: Sequence[Group], found: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """The share of the question's own plain words that no piece has, names left out."""
    plain = np.array([not g.concept and not g.named for g in groups], bool)
    total = float(weights[plain].sum())
    return float(weights[plain & (found.sum(axis=0) == 0)].sum()) / total if total else 0.0


def _spread(pieces: Sequence[Piece], found: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is said in a piece or in those beside it in its clause."""
    around = found.copy()
    for i in range(len(pieces) - 1):
        if pieces[i].clause == pieces[i + 1].clause:
            around[i] = np.maximum(around[i], 0.8 * found[i + 1])
            around[i + 1] = np.maximum(around[i + 1], 0.8 * found[i])
    return around


def _near(pieces: Sequence[Piece], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The greatest value among a piece and those beside it in its clause."""
    near = values.copy()
    for i in range(len(pieces) - 1):
        if pieces[i].clause == pieces[i + 1].clause:
            near[i] = max(near[i], values[i + 1])
            near[i + 1] = max(near[i + 1], values[i])
    return near


def _kind(wants: frozenset[Want], text: str) -> float:
    """How much of what is wanted a text has, -1 nothing to 1 all; 0 if nothing special is wanted."""
    tests = [
        holds(text, want)
        for want in ("time", "amount", "count", "reason", "definition", "permission")
        if want in wants
    ]
    return sum(1.0 if test else -1.0 for test in tests) / len(tests) if tests else 0.0


def holds(text: str, want: Want) -> bool:
    """Whether a text has the kind of thing that is wanted."""
    if want == "time":
        return bool(_DURATION.search(text)) or bool(find_dates(text))
    if want == "amount":
        return (
            bool(_MONEY.search(text) and (find_numbers(text) or "no " in text.lower()))
            or "prime rate" in text.lower()
        )
    if want == "count":
        return bool(find_numbers(text)) or bool(_NUMBER_WORD.search(text))
    if want == "reason":
        return bool(_REASON.search(text))
    if want == "definition":
        return bool(_DEFINES.search(text))
    if want in ("duty", "compare"):
        return bool(_MUST.search(text))
    return bool(_MAY.search(text))


def _duty(question: Question, text: str) -> float:
    """Whether somebody named in a question for duties is whom the text binds."""
    if "duty" not in question.wants:
        return 0.0
    stems = f" {' '.join(stem_texts([text])[0])} "
    for verb in (" shall ", " must ", " agre ", " will ", " undertak ", " warrant ", " is respons "):
        at = stems.find(verb)
        if at >= 0 and any(_has(stems[: at + 1], g.own) for g in question.groups if g.own):
            return 1.0
    return 0.3 if _MUST.search(text) else 0.0
