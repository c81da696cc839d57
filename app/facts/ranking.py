"""The model's part: its likelihoods add to the points of the patterns for dates and places, not to the list.

Candidates stand after one shared prefix, the text and the question, one fork each. What counts is their
log-likelihood a token; of dates only what the text adds to it, of places all of it, as either was measured to
choose better (docs/facts.md). On clauses both default models choose worse than the patterns in every ratio
tried, so they are not asked there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from longleaf.app.facts.contracts.dates import DateCandidate
from longleaf.app.facts.contracts.law import LawCandidate
from longleaf.app.facts.document_text import Passages, plain
from longleaf.engine.engine import Engine

WEIGHT = 0.25  # points for a nat a token
_ASKED = 4  # candidates
_BEFORE, _AFTER = 100, 600  # characters read around the first candidate
QUESTIONS = {
    "agreement_date": "Question: On which date was this agreement made?\nAnswer:",
    "effective_date": "Question: From which date is this agreement effective?\nAnswer:",
    "governing_law": "Question: Which law governs this agreement?\nAnswer: the law of",
}

C = TypeVar("C", DateCandidate, LawCandidate)


class Ranker:
    """Without an engine the order of the patterns stands."""

    def __init__(self, engine: Engine | None = None) -> None:
        self._engine = engine

    def order_dates(
        self, passages: Passages, name: str, candidates: list[DateCandidate]
    ) -> list[DateCandidate]:
        def nats(engine: Engine, asked: Sequence[DateCandidate]) -> list[float]:
            mentions = [c.mention for c in asked if c.mention]
            context = _read(passages, (max(0, m.start - _BEFORE) for m in mentions), _BEFORE + _AFTER)
            return likelihood_gains(engine, context, QUESTIONS[name], [m.text for m in mentions])

        if not all(c.mention for c in candidates[:_ASKED]):
            return candidates
        return self._order(candidates, lambda c: c.mention.iso if c.mention else "", nats)

    def order_laws(self, passages: Passages, candidates: list[LawCandidate]) -> list[LawCandidate]:
        def nats(engine: Engine, asked: Sequence[LawCandidate]) -> list[float]:
            context = _read(passages, (c.sentence.start for c in asked), _AFTER)
            return likelihoods(engine, f"{context}\n\n{QUESTIONS['governing_law']}", [_law(c) for c in asked])

        named = [c for c in candidates if c.place]
        if len(named) < len(candidates) and candidates[0].place is None:
            return candidates
        return self._order(named, _law, nats) + [c for c in candidates if not c.place]

    def _order(
        self,
        candidates: list[C],
        value: Callable[[C], str],
        nats: Callable[[Engine, Sequence[C]], list[float]],
    ) -> list[C]:
        """The candidates, the first few of them in the order of points and likelihood together."""
        asked = candidates[:_ASKED]
        if self._engine is None or len({value(c) for c in asked}) < 2:
            return candidates
        likely = nats(self._engine, asked)
        order = sorted(range(len(asked)), key=lambda i: -(asked[i].score + WEIGHT * likely[i]))
        return [asked[i] for i in order] + candidates[_ASKED:]


def _law(candidate: LawCandidate) -> str:
    return candidate.place.name if candidate.place else ""


def _read(passages: Passages, starts: Iterable[int], characters: int) -> str:
    """What the model is given: so many characters from each start, in their order, none of them twice."""
    pieces, end = [], 0
    for start in sorted(starts):
        pieces.append(passages.text[max(start, end) : start + characters])
        end = start + characters
    return plain(" ".join(pieces))


def likelihood_gains(engine: Engine, context: str, question: str, answers: Sequence[str]) -> list[float]:
    """Log-likelihood a token that each answer gains by the context before the question."""
    read = likelihoods(engine, f"{context}\n\n{question}", answers)
    blind = likelihoods(engine, question, answers)
    return [r - b for r, b in zip(read, blind, strict=True)]


def likelihoods(engine: Engine, prefix: str, answers: Sequence[str]) -> list[float]:
    """Log-likelihood a token of each answer after the prefix."""
    scores = engine.rank(prefix, [f" {' '.join(answer.split())}" for answer in answers])
    return [score.logprob / score.n_tokens for score in scores]
