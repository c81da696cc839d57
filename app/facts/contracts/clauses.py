"""The clauses a contract's key facts stand in."""

from __future__ import annotations

import re

from longleaf.app.facts.contracts.clause import Clause, ClauseCandidate, choose, heading, rank_clause, rules
from longleaf.app.facts.contracts.duty_clauses import ASSIGNMENT, CAP, EXCLUDED, EXCLUSIVITY, MINIMUM, PAYMENT
from longleaf.app.facts.contracts.term_clauses import CONVENIENCE, NOTICE, RENEWAL, TERM, TERMINATION
from longleaf.app.facts.document_text import Passages

__all__ = [
    "ASSIGNMENT",
    "CAP",
    "CLAUSES",
    "CONVENIENCE",
    "EXCLUDED",
    "EXCLUSIVITY",
    "MINIMUM",
    "NOTICE",
    "PAYMENT",
    "RENEWAL",
    "TERM",
    "TERMINATION",
    "Clause",
    "ClauseCandidate",
    "choose",
    "heading",
    "not_exclusive",
    "rank_clause",
    "rules",
]

CLAUSES = (
    TERM,
    RENEWAL,
    NOTICE,
    PAYMENT,
    MINIMUM,
    CAP,
    CONVENIENCE,
    TERMINATION,
    ASSIGNMENT,
    EXCLUSIVITY,
)

_NOT_EXCLUSIVE = re.compile(
    r"\b(?:agreement|relationship|appointment|supply|arrangement|purchase|engagement|services)\b[^.;]{0,60}"
    r"\b(?:is|are|shall\s+be|will\s+be)\s+(?:on\s+a\s+)?non-?\s?exclusive\b",
    re.IGNORECASE,
)


def not_exclusive(passages: Passages) -> list[ClauseCandidate]:
    """Sentences that say the whole relation is not exclusive: an answer too, where nothing is exclusive."""
    return [ClauseCandidate(s, 0.0) for s in passages.sentences if _NOT_EXCLUSIVE.search(s.plain)]
