"""Which key facts a clause is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from longleaf.app.facts.contracts.clauses import CLAUSES
from longleaf.app.schema import Citation, KeyFact

_OTHERS = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("governing_law", r"\bgovern(?:ed|ing)\b[^.;]{0,60}\blaws?\b|\bgoverning law\b"),
        ("agreement_date", r"\b(?:made|entered|dated|executed)\b[^.;]{0,80}\bas of\b|\bdated\b"),
        (
            "effective_date",
            r"\beffective date\b[^.;]{0,40}\b(?:is|means|shall)\b|\([^()]{0,12}“Effective Date”",
        ),
        ("expiration_date", r"\bexpir(?:e|es|y|ation)\b[^.;]{0,40}\bon\b"),
        ("parties", r"\b(?:by and )?between\b[^.;]{0,200}\b(?:inc|llc|ltd|corp|company|gmbh)\b"),
    )
)
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
