"""The model's part: it orders candidates that the patterns leave close, and never adds one of its own."""

from __future__ import annotations

from longleaf.app.facts.clauses import Clause, ClauseCandidate
from longleaf.app.facts.dates import DateCandidate
from longleaf.app.facts.law import LawCandidate
from longleaf.app.facts.passages import Passages


class Ranker:
    """Keeps the order of the patterns."""

    def order_dates(
        self, passages: Passages, name: str, candidates: list[DateCandidate]
    ) -> list[DateCandidate]:
        return candidates

    def order_laws(self, passages: Passages, candidates: list[LawCandidate]) -> list[LawCandidate]:
        return candidates

    def order_clauses(self, clause: Clause, candidates: list[ClauseCandidate]) -> list[ClauseCandidate]:
        return candidates
