"""The statements among a report's tables: which are the company's own, and which year a column is called."""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from threading import Lock

from longleaf.app.facts.figures.column_heads import Column
from longleaf.app.facts.figures.figure_tables import Table, read_tables
from longleaf.app.facts.figures.row_labels import bare
from longleaf.app.text.entities import find_dates
from longleaf.app.text.statement_pages import LABELS, STATEMENTS, TITLES, Statement
from longleaf.ingest.document import Document

_WHOLE = 10**8
_EARLY = 3  # the month
_ENOUGH, _ENOUGH_TITLED = 5, 2  # rows that make a table a statement, and one with its title
_TITLED, _CONSOLIDATED, _PARTIAL = 3.0, 1.0, 8.0
_NOT_THE_COMPANY = re.compile(
    r"\bparent[\s-]+company\b|\bparent only\b|\bobligor|\bguarantor|\bpro[\s-]forma\b|\bsubsidiar(?:y"
    r"|ies) only\b|\bby segment\b"
    r"|\bsegment (?:results|information|data)\b|\bcondensed financial information\b|\bschedule i\b"
    r"|\bquarterly (?:financial )?(?:data|results)\b"
    r"|\bnon-gaap\b|\bcommon[\s-]size\b|\bpercent(?:age)? of\b|\bunconsolidated\b"
    r"|\bequity (?:method )?investees?\b|\bpurchase price\b"
    r"|\bdiscontinued operations\b|\bvariable interest\b|\baverage balance|\bcaptive finance\b"
    r"|\bsupplemental (?:consolidating|balance sheet|income)\b"
    r"|\bconsolidating\b|\breconcil",
    re.IGNORECASE,
)
_DATE = r"(?:[A-Z][a-z]{2,8}\.?\s+\d{1,2},?\s+(?:19|20)\d\d)"
_NAMED_YEAR = (
    re.compile(
        rf"\b[Ff]iscal\s+(?:[Yy]ear\s+)?((?:19|20)\d\d)\b[^.]{{0,50}}?\b(?:ended|ends"
        rf"|ending)\b[^.]{{0,15}}?({_DATE})"
    ),
    re.compile(
        rf"\b(?:ended|ending)\s+(?:on\s+)?({_DATE})[^.;]{{0,25}}?\(?[\"“”(]+(?:the\s+)?[Ff]iscal\s+(?:[Yy]e"
        rf"ar\s+)?((?:19|20)\d\d)"
    ),
)


@dataclass(frozen=True, slots=True)
class Found:
    """A table with what it is: a statement of the company, the better the higher its score."""

    table: Table
    kind: Statement | None
    score: float


@dataclass(frozen=True, eq=False, slots=True)
class Report:
    """The tables of one document, its statements best first."""

    document: Document
    tables: tuple[Found, ...]
    years: Mapping[str, int]  # what the report calls the year that ends on that day

    def statements(self, kind: Statement) -> list[Found]:
        own = [found for found in self.tables if found.kind == kind and found.score > 0]
        own.sort(key=lambda found: (-found.score, found.table.page.page_index))
        return own

    def year(self, column: Column) -> int:
        """The year a column is called by the company: the fiscal one where the report names it."""
        if column.date in self.years:
            return self.years[column.date]
        if column.date[5:7] == "01" and column.date[8:10] <= "09" and column.months != 3:
            return column.year - 1  # a year of 52 or 53 weeks
        return column.year

    @property
    def newest(self) -> str:
        """The newest day or year of its statements."""
        days = [
            column.date or f"{column.year}"
            for kind in STATEMENTS
            for found in self.statements(kind)[:1]
            for column in found.table.columns
            if column.kind == "amount" and column.year
        ]
        return max(days, default="")

    @property
    def annual(self) -> bool:
        """Whether its statement of income or of cash flows is of a year."""
        lengths = set(self.lengths("income")) or set(self.lengths("cash_flow"))
        return 12 in lengths or not lengths

    def lengths(self, kind: Statement) -> list[int]:
        """How many months its statements of that kind cover, the year first; none where they do not say."""
        own = self.statements(kind)
        found = {
            column.months
            for one in own
            if one.score >= own[0].score - 1
            for column in one.table.columns
            if column.kind == "amount" and column.months
        }
        return sorted(found, key=lambda months: (months != 12, months))


_KEPT = 8  # documents whose tables are kept for the next question
_kept: OrderedDict[tuple[str, str, int], Report] = OrderedDict()
_keeping = Lock()


def report_of(document: Document) -> Report:
    """The tables of a document; those of the last few are kept, also for the same file read anew."""
    key = (document.sha256, document.name, len(document.pages))
    with _keeping:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    report = _read(document)
    with _keeping:
        _kept[key] = report
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)
    return report


def _read(document: Document) -> Report:
    found = [_found(table) for table in read_tables(document)]
    said = Counter(one.table.scale for one in found if one.kind and one.score > 0 and one.table.scale)
    if said:
        # A statement whose page does not say its unit has that of the others.
        usual = said.most_common(1)[0][0]
        found = [
            replace(one, table=replace(one.table, scale=usual))
            if one.kind and not one.table.scale and not _whole(one.table)
            else one
            for one in found
        ]
    return Report(document, tuple(found), _named_years(document))


def _whole(table: Table) -> bool:
    """Whether its figures are too large to be thousands or millions."""
    return any(
        cell and cell.value is not None and abs(cell.value) >= _WHOLE
        for row in table.rows
        for cell in row.cells
    )


def _found(table: Table) -> Found:
    rows = [row for row in table.rows if row.label]
    labels = [bare(row.label) for row in rows]
    counts = {
        kind: sum(any(pattern.match(label) for label in labels) for pattern in LABELS[kind])
        for kind in STATEMENTS
    }
    kind = max(STATEMENTS, key=lambda k: counts[k])
    title = " ".join(table.title)
    head = table.page.text[:250] if not table.title else ""
    titles = [k for k in STATEMENTS if TITLES[k].search(title) or (head and TITLES[k].search(head))]
    if len(titles) == 1 and counts[titles[0]] >= _ENOUGH_TITLED:
        kind = titles[0]
    count = counts[kind]
    if count < (_ENOUGH_TITLED if kind in titles else _ENOUGH):
        return Found(table, None, 0.0)
    score = (
        float(count)
        + _TITLED * (kind in titles)
        + _CONSOLIDATED * bool(re.search("consolidated", title, re.I))
    )
    if _NOT_THE_COMPANY.search(title) or _NOT_THE_COMPANY.search(table.page.text[:160]):
        score -= _PARTIAL
    cells = [cell for row in rows for cell in row.cells if cell and cell.value is not None]
    if not cells or sum(cell.percent for cell in cells) * 2 > len(cells):
        score -= _PARTIAL
    if any(column.group for column in table.columns):
        score -= _PARTIAL / 2
    score -= 2.0 * any(column.kind == "other" for column in table.columns)
    score -= 2.0 * (sum(column.kind == "amount" for column in table.columns) < 2)
    return Found(table, kind, score)


def _named_years(document: Document) -> dict[str, int]:
    votes: dict[str, Counter[int]] = {}
    for page in document.pages:
        for pattern in _NAMED_YEAR:
            for match in pattern.finditer(page.text):
                day, year = sorted(match.groups(), key=len, reverse=True)
                mention = next(iter(find_dates(day)), None)
                if not mention or not mention.complete or not mention.year or not mention.month:
                    continue
                # Only a year that ends in its first months is called by the one before.
                if 0 <= mention.year - int(year) <= (mention.month <= _EARLY):
                    votes.setdefault(mention.iso, Counter())[int(year)] += 1
    return {day: count.most_common(1)[0][0] for day, count in votes.items()}
