"""Whose reports they are, and which period of them a question is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from longleaf.app.calculate.question import Asked
from longleaf.app.facts.periods import Period
from longleaf.app.facts.statements import Report
from longleaf.app.retrieval.document_routing import FIRST_PAGES, naming, without_names
from longleaf.app.text.statement_pages import STATEMENTS
from longleaf.ingest.document import Document


def company_key(document: Document) -> str:
    """What documents of one company have in common: the letters its file's name begins with."""
    stem = re.split(r"[\\/]", document.name)[-1]
    match = re.match(r"[^\W\d_]+(?:[ .&-]+[^\W\d_]+)*", stem)
    return (match.group(0) if match else stem).lower()


def names_of_companies(documents: Sequence[Document]) -> Callable[[str], bool]:
    """Whether a word in capitals is a company's name: a file or its cover bears it, or no text uses it.

    A name that the text uses and the cover does not is of a part of the company: no word to pass over.
    """
    stems = ["".join(ch for ch in document.name.lower() if ch.isalnum()) for document in documents]
    namings = [
        naming(
            document.name,
            document.metadata.get("title", ""),
            "\n".join(page.text for page in document.pages[:FIRST_PAGES]),
        )
        for document in documents
    ]

    def is_name(word: str) -> bool:
        letters = "".join(ch for ch in word.lower() if ch.isalnum())
        if len(letters) >= 2 and any(letters in stem for stem in stems):
            return True
        if without_names(f"it {word}", namings) == "it":
            return True
        pattern = re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE)
        return not any(pattern.search(page.text) for document in documents for page in document.pages)

    return is_name


def period_of(asked: Asked, reports: Sequence[Report]) -> Period:
    newest = max(reports, key=lambda report: report.newest)
    if asked.date:
        return Period(int(asked.date[:4]), asked.months, asked.date)
    months = asked.months
    if not asked.years:
        return Period(0, months)
    year = max(asked.years)
    known = {
        newest.year(column)
        for kind in STATEMENTS
        for found in newest.statements(kind)[:1]
        for column in found.table.columns
        if column.kind == "amount" and column.year
    }
    if year not in known and year - 1 in known and not newest.annual and _of_fiscal(newest, year):
        year -= 1  # a quarter of the fiscal year that ends in the next
    return Period(year, months)


def _of_fiscal(report: Report, year: int) -> bool:
    pattern = re.compile(rf"\bfiscal\s+(?:year\s+)?{year}\b|\bFY\s?{year % 100}\b", re.IGNORECASE)
    return sum(len(pattern.findall(page.text)) for page in report.document.pages[:40]) >= 2


def of_length(asked: Asked, reports: Sequence[Report]) -> Sequence[Report]:
    """Of reports of years and of parts of years those that the question is about."""
    part_year = 0 < asked.months < 12
    return [report for report in reports if report.annual != part_year] or reports
