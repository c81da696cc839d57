"""Whether a document is a contract or a report of a company's results."""

from __future__ import annotations

import re

from longleaf.app.facts.languages import LANGUAGES
from longleaf.app.facts.languages.patterns import compiled
from longleaf.app.schema import Kind
from longleaf.app.text.language import document_languages
from longleaf.ingest.document import Document

_HEAD = 60_000  # characters read; what a document is shows early
_REPORT_WORDS = 4  # of a report in another language than English
_CONTRACT = re.compile(
    r"\b(?:shall|hereto|hereof|herein|hereunder|hereby|hereinafter|whereas|witnesseth|party|"
    r"parties|agreement|licensee|licensor|"
    r"notwithstanding|pursuant|covenants?|indemnify|assigns|undersigned)\b",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"\b(?:fiscal|quarter|revenues?|net\s+sales|net\s+income|earnings|per\s+share|diluted|"
    r"consolidated|balance\s+sheets?|cash\s+flows?|"
    r"operating\s+(?:income|margin)|gaap|segments?|shareholders|stockholders|year[- ]over[- ]year|"
    r"outlook|guidance|10-k|10-q|"
    r"annual\s+report|quarterly\s+report|risk\s+factors|results\s+of\s+operations|net\s+loss|dividends?)\b",
    re.IGNORECASE,
)
_CONTRACT_TITLE = re.compile(
    r"\b(?:agreement|contract|amendment|lease|deed|addendum|license|memorandum\s+of\s+understanding)\b",
    re.IGNORECASE,
)
_REPORT_TITLE = re.compile(
    r"\bform\s+(?:10-?[kq]|20-?f|8-?k|6-?k)\b|\bannual\s+report\b|\bquarterly\s+report\b|"
    r"\bearnings\s+(?:release|results)\b|\breports?\s+(?:\w+\s+){0,4}(?:results|earnings)\b|"
    r"\bfinancial\s+(?:statements|results|report)\b",
    re.IGNORECASE,
)


def classify(document: Document) -> Kind:
    """By the words of its first pages; a title decides where the words do not."""
    text = ""
    for page in document.pages:
        text += page.text + "\n"
        if len(text) > _HEAD:
            break
    foreign = LANGUAGES.get(document_languages(document).main)
    if foreign is not None:
        return "report" if len(compiled(foreign.report).findall(text)) >= _REPORT_WORDS else "contract"
    head = text[:3000]
    contract = float(len(_CONTRACT.findall(text)))
    report = float(len(_REPORT.findall(text)))
    size = max(len(text) / 1000, 1.0)
    contract = contract / size + (4 if _CONTRACT_TITLE.search(head) else 0)
    report = report / size + (4 if _REPORT_TITLE.search(head) else 0)
    return "report" if report > contract else "contract"
