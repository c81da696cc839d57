"""Whose reports they are, and which period of them a question is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from longleaf.app.calculate.question import Asked
from longleaf.app.facts.figures.periods import Period
from longleaf.app.facts.figures.statements import Report, report_of
from longleaf.app.retrieval.document_routing import FIRST_PAGES, naming, without_names
from longleaf.app.text.statement_pages import STATEMENTS
from longleaf.ingest.document import Document


def company_key(document: Document) -> str:
    """What documents of one company have in common: the letters its file's name begins with."""
    stem = re.split(r"[\\/]", document.name)[-1]
    match = re.match(r"[^\W\d_]+(?:[ .&-]+[^\W\d_]+)*", stem)
    return (match.group(0) if match else stem).lower()


def names_of_companies(documents: Sequence[Document]) -> Callable[[str], bool]:
    """Whether a word in capitals is the name of one of the companies, or short for it.

    A file, its cover or the lines over its statements bear it. Any other is one of a part of the company,
    or of another company: it is no word to pass over.
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
        if any(
            re.search(rf"\b{re.escape(word)}\b", _titles(document), re.IGNORECASE) for document in documents
        ):
            return True
        called = ["".join(one.company) for one in namings] + stems
        return 2 <= len(letters) <= _SHORT and any(_in_order(letters, name) for name in called)

    return is_name


_SHORT = 5  # letters of "JnJ" and the like
_TOP_LINES = 12


def _in_order(letters: str, name: str) -> bool:
    """Whether a name has these letters in this order and begins with the first."""
    rest = iter(name)
    return name[:1] == letters[:1] and all(letter in rest for letter in letters)


def _titles(document: Document) -> str:
    """The first lines of the document, and those over its statements."""
    top = document.pages[0].text.split("\n")[:_TOP_LINES] if document.pages else []
    report = report_of(document)
    over = [
        line for kind in STATEMENTS for found in report.statements(kind)[:1] for line in found.table.title
    ]
    return "\n".join([*top, *over])


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
