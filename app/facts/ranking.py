"""The model's part: its likelihoods add to the points of the patterns for dates and places, not to the list.

Candidates stand after one shared prefix, the text and the question, one fork each. What counts is the
log-likelihood a token that the text adds to what the question alone gives, so that a place which is likely
anywhere gains nothing. On clauses both default models choose worse than the patterns in every ratio tried
(docs/facts.md), so they are not asked there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from longleaf.app.facts.dates import DateCandidate
from longleaf.app.facts.law import LawCandidate
from longleaf.app.facts.passages import Passages, plain
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
        return self._order(
            name,
            candidates,
            lambda c: c.mention.iso,
            lambda c: c.mention.text,
            lambda c: passages.text[max(0, c.mention.start - _BEFORE) : c.mention.start + _AFTER],
        )

    def order_laws(self, passages: Passages, candidates: list[LawCandidate]) -> list[LawCandidate]:
        named = [c for c in candidates if c.place]
        if len(named) < len(candidates) and candidates[0].place is None:
            return candidates
        ordered = self._order(
            "governing_law",
            named,
            lambda c: c.place.name if c.place else "",
            lambda c: c.place.name if c.place else "",
            lambda c: passages.text[c.sentence.start : c.sentence.start + _AFTER],
        )
        return ordered + [c for c in candidates if not c.place]

    def _order(
        self,
        name: str,
        candidates: list[C],
        value: Callable[[C], str],
        answer: Callable[[C], str],
        context: Callable[[C], str],
    ) -> list[C]:
        """The candidates, the first few of them in the order of points and likelihood together."""
        if self._engine is None or len(candidates) < 2:
            return candidates
        asked = candidates[:_ASKED]
        if len({value(c) for c in asked}) < 2:
            return candidates
        texts = list(dict.fromkeys(context(c) for c in asked))
        gains = likelihood_gains(
            self._engine, plain(" ".join(texts)), QUESTIONS[name], [answer(c) for c in asked]
        )
        order = sorted(range(len(asked)), key=lambda i: -(asked[i].score + WEIGHT * gains[i]))
        return [asked[i] for i in order] + candidates[_ASKED:]


def likelihood_gains(engine: Engine, context: str, question: str, answers: Sequence[str]) -> list[float]:
    """Log-likelihood a token that each answer gains by the context before the question."""
    texts = [f" {' '.join(answer.split())}" for answer in answers]
    read = engine.rank(f"{context}\n\n{question}", texts)
    blind = engine.rank(question, texts)
    return [(r.logprob - b.logprob) / r.n_tokens for r, b in zip(read, blind, strict=True)]
