"""Which key facts a clause is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from longleaf.app.facts.clauses import CLAUSES
from longleaf.app.schema import Citation, KeyFact

_OTHERS = (
    ("governing_law", re.compile(r"\bgovern(?:ed|ing)\b[^.;]{0,60}\blaws?\b|\bgoverning law\b", re.IGNORECASE)),
    (
        "agreement_date",
        re.compile(r"\b(?:made|entered|dated|executed)\b[^.;]{0,80}\bas of\b|\bdated\b", re.IGNORECASE),
    ),
    ("effective_date", re.compile(r"\beffective date\b[^.;]{0,40}\b(?:is|means|shall)\b|“Effective Date”", re.IGNORECASE)),
    ("expiration_date", re.compile(r"\bexpir(?:e|es|y|ation)\b[^.;]{0,40}\bon\b", re.IGNORECASE)),
    ("parties", re.compile(r"\b(?:by and )?between\b[^.;]{0,200}\b(?:inc|llc|ltd|corp|company|gmbh)\b", re.IGNORECASE)),
)  # fmt: skip
_HEAD = 90  # characters in which a caption stands


def topics_of(texts: Sequence[str]) -> list[str]:
    """Names of key facts whose marks a clause carries, in either version."""
    found: dict[str, None] = {}
    for text in texts:
        plain = " ".join(text.split())
        for clause in CLAUSES:
            score = sum(weight for weight, pattern in clause.rules if pattern.search(plain))
            if score > 0 and clause.heading.search(plain[:_HEAD]):
                score += clause.heading_weight
            if score >= clause.threshold:
                found[clause.name] = None
        for name, pattern in _OTHERS:
            if pattern.search(plain):
                found[name] = None
    return list(found)


def facts_in(citations: Sequence[Citation], facts: Sequence[KeyFact]) -> Iterator[str]:
    """Names of the key facts that are quoted from these places."""
    for fact in facts:
        if any(
            quoted.page_index == place.page_index and quoted.start < place.end and place.start < quoted.end
            for quoted in fact.citations
            for place in citations
        ):
            yield fact.name
