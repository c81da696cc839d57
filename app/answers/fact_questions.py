"""Questions that a key fact answers: "which law governs?" needs no search when a finder knows the clause."""

from __future__ import annotations

import re
from dataclasses import dataclass

from longleaf.app.facts import Search, classify, iter_key_facts
from longleaf.app.facts.languages import LANGUAGES
from longleaf.app.facts.languages.patterns import compiled
from longleaf.app.schema import KeyFact, Kind
from longleaf.app.text.language import document_languages
from longleaf.ingest.document import Document

# The first that fits. Only plain questions for the fact itself: "who pays if the parties ..." is not one.
_CONTRACT = {
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
    "expiration_date": (
        r"^when\b.{0,40}\b(?:expire|end)s?\b|\bexpir(?:y|ation) date\b|\bhow long\b.{0,20}"
        r"\b(?:agreement|contract|term|last)\b|\b(?:initial )?term of (?:the|this) (?:agreement|contract)\b"
    ),
    "notice": r"\bnotice\b.{0,40}\b(?:non-?)?renew|\b(?:prevent|stop|avoid)\b.{0,20}\brenew",
    "renewal": r"\brenew(?:s|al|ed)?\b",
    "payment": (
        r"\bpayment terms?\b|"
        r"^(?:when|how (?:soon|quickly|fast))\b.{0,40}\b(?:invoices?\b.{0,20}\b(?:paid|due)|"
        r"pa(?:y|id)\b.{0,20}\binvoices?)\b"
    ),
    "minimum_commitment": r"\bminimum\b.{0,20}\b(?:purchase|order|commitment|quantit|volume|amount)",
    "liability_cap": (
        r"\bcap\b.{0,10}\bliab|\bliab\w+ (?:cap|limit)|\blimit(?:ation|ed)?s?\b.{0,15}\bliab|"
        r"\bmaximum liability\b|\bliability\b.{0,10}\b(?:capped|limited)\b"
    ),
    "termination_for_convenience": (
        r"\bterminat\w+\b.{0,40}\b(?:without (?:any )?(?:cause|reason)|convenience|at will|for any reason)\b"
    ),
    "assignment": r"\b(?:be )?assign(?:ed|ment|able)?\b(?!.{0,20}\b(?:invention|intellectual|patent|right))",
    "exclusivity": r"\bexclusiv",
}
_REPORT = {
    "revenue": r"\b(?:revenues?|(?:net )?sales)\b",
    "net_income": r"\bnet (?:income|earnings|profit|loss)\b",
    "eps": r"\b(?:earnings per (?:diluted |basic )?share|eps)\b",
    "cash": r"\bcash\b",
    "debt": r"\bdebt\b",
    "segments": r"\bsegments\b",
    "risks": r"\brisks?\b",
}
_PATTERNS: dict[Kind, dict[str, re.Pattern[str]]] = {
    "contract": {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _CONTRACT.items()},
    "report": {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _REPORT.items()},
}
# What is a fact of its own only in other languages than English.
_BESIDE = {
    "term": re.compile(r"\bterm\b|\bduration\b", re.IGNORECASE),
    "price": re.compile(r"\b(?:prices?|fees?|rent|remuneration|how much|costs?)\b", re.IGNORECASE),
    "notice": re.compile(r"\bnotice\b", re.IGNORECASE),
    "termination": re.compile(r"\bterminat", re.IGNORECASE),
}
# A report answers much more than its key facts: with any other word the question asks for something else.
_PLAIN = re.compile(
    r"\b(?:what|which|how|much|many|was|were|is|are|did|does|do|has|have|had|the|a|its?|their|total|main|key|"
    r"of|in|for|at|on|and|end|year|fiscal|full|period|company|report(?:s|ed|able|ing)?|amount|earn|make|there|"
    r"business|equivalents|diluted|basic|to|as|last|latest|most|recent)\b|['’]s\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:FY)?((?:19|20)\d\d)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AskedFact:
    """The key fact `name` of a document, which is of this kind."""

    document: Document
    kind: Kind
    name: str


def asked_fact(question: str, document: Document) -> AskedFact | None:
    """The key fact of the document that the question asks for, if it asks for one."""
    kind = classify(document)
    language = document_languages(document).main
    name = fact_asked_for(question, kind) if language == "en" else fact_asked_in(question, language)
    return AskedFact(document, kind, name) if name else None


def fact_asked_for(question: str, kind: Kind) -> str | None:
    for name, pattern in _PATTERNS[kind].items():
        if pattern.search(question.strip()) and (kind == "contract" or _is_plain(question, pattern)):
            return name
    return None


def fact_asked_in(question: str, language: str) -> str | None:
    """The fact of a contract in another language, asked for in that language or in English."""
    if language not in LANGUAGES:
        return None
    for name, pattern in LANGUAGES[language].questions.items():
        if compiled(pattern).search(question):
            return name
    english = fact_asked_for(question, "contract")
    return english or next((name for name, pattern in _BESIDE.items() if pattern.search(question)), None)


def known_fact(question: str, asked: AskedFact, search: Search) -> KeyFact | None:
    """The key fact that the question is for, found or "not found"; None if it is of another year.

    A report's figures are those of its own year: a question for another year is another question.
    """
    facts = iter_key_facts(asked.document, (), search, None, asked.kind)
    fact = next((f for f in facts if f.name == asked.name), None)
    if fact is None:  # a language that is not read
        return None
    years = set(_YEAR.findall(question))
    return fact if years <= set(_YEAR.findall(fact.text)) else None


def _is_plain(question: str, pattern: re.Pattern[str]) -> bool:
    """Whether nothing is asked beside the fact; names (of the company) and years apart."""
    rest = _PLAIN.sub(" ", _YEAR.sub(" ", pattern.sub(" ", question)))
    return not any(word[0].islower() for word in re.findall(r"[^\W\d_]+", rest))
