"""Questions that a key fact answers: "which law governs?" needs no search when the finder knows the "
"clause."""

from __future__ import annotations

import re
from collections.abc import Sequence

from longleaf.app.facts import Search, classify, iter_key_facts
from longleaf.app.schema import KeyFact
from longleaf.ingest.document import Document

# The first that fits. Only plain questions for the fact itself: "who pays if the parties ..." is not one.
_CONTRACT_FACTS = {
    "parties": (
        r"^who (?:are|were|is) (?:all )?(?:the )?(?:contracting )?part(?:y|ies)\b|"
        r"^(?:name|list) the parties\b|"
        r"^(?:between )?(?:which|what) (?:companies|parties|persons)\b.{0,20}"
        r"\b(?:agree|sign|enter|contract|part)"
    ),
    "governing_law": (
        r"\b(?:which|what|whose)\b.{0,30}\blaws?\b.{0,20}\b(?:govern|appl)|\bgoverning law\b|"
        r"\blaws? (?:that )?govern"
    ),
    "agreement_date": (
        r"^(?:when|on (?:what|which) (?:date|day))\b.{0,40}"
        r"\b(?:signed|dated|made|entered|executed|concluded)\b|"
        r"\bdate of (?:the|this) (?:agreement|contract)\b|\bagreement date\b"
    ),
    "effective_date": (
        r"\beffective date\b|\b(?:take|come|go)s? (?:into )?(?:effect|force)\b|\bbecomes? effective\b"
    ),
    "expiration_date": r"^when\b.{0,40}\b(?:expire|end)s?\b|\bexpir(?:y|ation) date\b",
}
_PATTERNS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _CONTRACT_FACTS.items()}


def fact_asked_for(question: str) -> str | None:
    return next((name for name, pattern in _PATTERNS.items() if pattern.search(question.strip())), None)


def known_fact(question: str, documents: Sequence[Document], search: Search) -> KeyFact | None:
    """The key fact that answers a question about one contract, if it is such a question and was found."""
    name = fact_asked_for(question)
    if name is None or len(documents) != 1 or classify(documents[0]) != "contract":
        return None
    for fact in iter_key_facts(documents[0], (), search, None, "contract"):
        if fact.name == name:
            return fact if fact.status != "not_found" else None
    return None
