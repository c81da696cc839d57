"""Which is the largest: of the lines of a statement, or of the parts of the company.

The candidates must be all there are: their figures add up to the total that the table gives, else nothing is
answered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from longleaf.app.calculate.companies import of_length, period_of
from longleaf.app.calculate.formula import name_at
from longleaf.app.calculate.parts import CONTEXT
from longleaf.app.calculate.question import Asked, bare_words, read_frame
from longleaf.app.facts.figures.line_items import BY_NAME
from longleaf.app.facts.figures.operands import SCALES, Operand
from longleaf.app.facts.figures.periods import Period, columns_for
from longleaf.app.facts.figures.row_labels import bare
from longleaf.app.facts.figures.statements import Found, Report
from longleaf.app.text.statement_pages import Statement as Kind

_MOST = r"largest|biggest|highest|most|greatest|strongest|fastest|best"
_LEAST = r"lowest|smallest|least|weakest|slowest|worst"
_EXTREME = re.compile(rf"\b(?:(?P<most>{_MOST})|(?P<least>{_LEAST}))\b", re.IGNORECASE)
_GROWTH = re.compile(
    r"\b(?:grew|grow\w*|increas\w*|ris\w+|rose|declin\w*|decreas\w*|fell|drop\w*)\b", re.IGNORECASE
)
_DOWN = re.compile(r"\b(?:declin\w*|decreas\w*|fell|drop\w*)\b", re.IGNORECASE)
_EARNS = re.compile(r"\bearn(?:s|ed|ing)?\b|\bprofit\w*", re.IGNORECASE)
_PARTS = re.compile(
    r"\b(?P<segment>segments?|business(?:es)?|divisions?|units?)\b|\b(?P<region>regions?|geograph\w+"
    r"|countr(?:y|ies))\b",
    re.IGNORECASE,
)
_LINES: tuple[tuple[str, Kind, str], ...] = (
    (r"\bcurrent liabilit(?:y|ies)\b", "balance", r"total current liabilities"),
    (r"\bliabilit(?:y|ies)\b", "balance", r"total liabilities"),
    (r"\bcurrent assets?\b", "balance", r"total current assets"),
    (r"\bassets?\b", "balance", r"total assets"),
    (
        r"\b(?:operating )?(?:expenses?|costs?)\b",
        "income",
        r"total (?:operating )?(?:costs and "
        r")?(?:expenses|costs)(?: and expenses)?",
    ),
)
_TOTAL = re.compile(r"(?:total|net|gross|consolidated|worldwide)\b|$", re.IGNORECASE)
_NO_PART = re.compile(  # the whole of a name
    r"(?:\W|\b(?:total|consolidated|corporate|eliminations?|unallocated|reconciling|items?|all|other|and"
    r"|expenses?"
    r"|inter-?segment)\b)+",
    re.IGNORECASE,
)
_ROUNDING = 2  # in the unit of the table


@dataclass(frozen=True, slots=True)
class ExtremeAsked:
    """`total` is the row that lines of a statement add up to; else `measure` is of parts of the company."""

    asked: Asked
    least: bool
    kind: Kind = "income"
    total: str = ""
    measure: str = ""
    noun: str = ""
    growth: bool = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with what it is ranked by: its figure, or its growth."""

    name: str
    rank: Decimal
    operands: tuple[Operand, ...]


def extreme_asked(question: str, is_name: Callable[[str], bool]) -> ExtremeAsked | None:
    """What "which is the largest" asks for; None where that is not the question."""
    asked = read_frame(question, is_name)
    if asked is None or not re.match(r"(?:in|for|of|among|what|which|name)\b", asked.words, re.IGNORECASE):
        return None
    found = _EXTREME.search(asked.words)
    if not found:
        return None
    if _left_over(asked, is_name):
        return None
    least = bool(found["least"]) != bool(_GROWTH.search(asked.words) and _DOWN.search(asked.words))
    if part := _PARTS.search(asked.words):
        names = [
            name[0]
            for match in re.finditer(r"(?<![\w-])[A-Za-z]", asked.words)
            if (name := name_at(asked.words, match.start())) and name[0] in CONTEXT
        ]
        noun = "segment" if part["segment"] else "region"
        if len(set(names)) > 1:
            return None
        growth = bool(_GROWTH.search(asked.words))
        usual = "net_income" if _EARNS.search(asked.words) else "revenue"
        return ExtremeAsked(asked, least, measure=names[0] if names else usual, noun=noun, growth=growth)
    for words, kind, total in _LINES:
        if re.search(words, asked.words, re.IGNORECASE):
            return ExtremeAsked(asked, least, kind, total)
    return None


_KNOWN = re.compile(
    r"\b(?:report(?:able|ing)|operating|proportionally|percentage|single|sheets?|liabilit(?:y|ies)|assets?"
    r"|expenses?|costs?"
    r"|current|terms|relative|year-over-year|had|see|saw|contribut\w+|item|line)\b",
    re.IGNORECASE,
)


def _left_over(asked: Asked, is_name: Callable[[str], bool]) -> bool:
    """Whether the question has words that are not understood: they may be what is measured."""
    text = bare_words(asked, is_name)
    for pattern in (_EXTREME, _PARTS, _GROWTH):
        text = pattern.sub(" ", text)
    position, kept = 0, ""
    while position < len(text):
        found = name_at(text, position) if not kept[-1:].isalnum() else None
        kept, position = (f"{kept} ", found[1]) if found else (kept + text[position], position + 1)
    return bool(re.search(r"[^\W\d_]{2,}", _KNOWN.sub(" ", kept)))


def rank(extreme: ExtremeAsked, reports: Sequence[Report]) -> list[Ranked]:
    """All candidates, what is asked for first; none where they are not told for sure."""
    reports = of_length(extreme.asked, reports)
    period = period_of(extreme.asked, reports)
    for report in sorted(reports, key=lambda one: one.newest, reverse=True):
        if extreme.total:
            ranked = _lines(report, extreme, period)
        else:
            ranked = _grouped(report, extreme, period) or _listed(report, extreme, period)
        if len(ranked) > 1:
            return sorted(ranked, key=lambda one: one.rank, reverse=not extreme.least)
    return []


def _lines(report: Report, extreme: ExtremeAsked, period: Period) -> list[Ranked]:
    for found in report.statements(extreme.kind)[:2]:
        columns = columns_for(report, found.table, period, instant=extreme.kind == "balance")
        for at, row in enumerate(found.table.rows):
            if len(columns) == 1 and re.fullmatch(extreme.total, bare(row.label)):
                block = _block(found, at, columns[0])
                if block:
                    return [
                        Ranked(o.row.label, abs(o.value) if extreme.kind == "income" else o.value, (o,))
                        for o in _operands(report, found, block, columns[0])
                    ]
    return []


def _block(found: Found, total: int, column: int) -> list[int]:
    """The rows above a total that add up to it."""
    rows = found.table.rows
    cell = rows[total].cells[column]
    if cell is None or cell.value is None:
        return []
    rest, block = cell.value, []
    for at in range(total - 1, -1, -1):
        own = rows[at].cells[column]
        if own is None or own.value is None or own.percent or _TOTAL.match(bare(rows[at].label)):
            continue
        rest -= own.value
        block.append(at)
        if len(block) > 1 and abs(rest) <= _ROUNDING:
            return block[::-1]
    return []


def _operands(report: Report, found: Found, rows: Sequence[int], column: int) -> Iterator[Operand]:
    table = found.table
    for at in rows:
        row = table.rows[at]
        cell = row.cells[column]
        if cell is None or cell.value is None:
            continue
        value = cell.value * SCALES[table.scale]
        currency = cell.sign or table.currency
        yield Operand(
            row.label,
            report.document,
            table,
            row,
            table.columns[column],
            cell,
            cell.value,
            value,
            table.scale,
            currency,
        )


def _listed(report: Report, extreme: ExtremeAsked, period: Period) -> list[Ranked]:
    """Parts that are rows of one table, under a title that says so."""
    noun = (
        r"\bsegments?\b|\bbusiness(?:es)?\b|\bdivisions?\b"
        if extreme.noun == "segment"
        else r"\bgeograph\w+|\bregions?\b|\bcountr"
    )
    context = re.compile(CONTEXT[extreme.measure], re.IGNORECASE)
    for found in report.tables:
        table = found.table
        title = " ".join(table.title[-3:])
        if not re.search(noun, title, re.IGNORECASE):
            continue
        for at, row in enumerate(table.rows):
            if not _TOTAL.match(bare(row.label)) or not context.search(
                f"{title} {' '.join(row.parents[-1:])} {row.label}"
            ):
                continue
            columns = columns_for(report, table, period, instant=False)
            block = _block(found, at, columns[0]) if len(columns) == 1 else []
            if not block:
                continue
            now = list(_operands(report, found, block, columns[0]))
            if not extreme.growth:
                return [
                    Ranked(o.row.label, o.value, (o,)) for o in now if not _NO_PART.fullmatch(o.row.label)
                ]
            earlier = columns_for(report, table, _earlier(extreme.asked, period), instant=False)
            if len(earlier) == 1 and _block(found, at, earlier[0]):
                then = list(_operands(report, found, block, earlier[0]))
                return _grown(zip(now, then, strict=True)) if len(now) == len(then) else []
    return []


def _grown(pairs: Iterator[tuple[Operand, Operand]] | zip[tuple[Operand, Operand]]) -> list[Ranked]:
    return [
        Ranked(now.row.label, (now.value - then.value) / then.value, (now, then))
        for now, then in pairs
        if then.value > 0 and not _NO_PART.fullmatch(now.row.label)
    ]


def _earlier(asked: Asked, period: Period) -> Period:
    years = [year for year in asked.years if year != period.year]
    return Period(min(years), period.months) if years else period.before()


def _grouped(report: Report, extreme: ExtremeAsked, period: Period) -> list[Ranked]:
    """Parts that are heads over columns, in the tables of one page, with the total among them."""
    if extreme.growth:
        return []
    patterns = BY_NAME[extreme.measure].rows
    by_page: dict[int, dict[str, Operand]] = {}
    for found in report.tables:
        columns = [i for i, c in enumerate(found.table.columns) if c.group]
        if not columns or not re.search(r"\bsegment|\bbusiness", found.table.page.text[:400], re.IGNORECASE):
            continue
        chosen = [i for i in columns_for(report, found.table, period, instant=False) if i in columns]
        rows = [
            at for at, r in enumerate(found.table.rows) if any(p.fullmatch(bare(r.label)) for p in patterns)
        ]
        for column in chosen if len(rows) == 1 else ():
            for operand in _operands(report, found, rows, column):
                page = by_page.setdefault(found.table.page.page_index, {})
                page.setdefault(found.table.columns[column].group, operand)
    for groups in by_page.values():
        whole = [
            o for name, o in groups.items() if re.match(r"(?:total|consolidated)\b", name, re.IGNORECASE)
        ]
        others = {name: o for name, o in groups.items() if o not in whole}
        if len(whole) == 1 and abs(sum(o.shown for o in others.values()) - whole[0].shown) <= _ROUNDING:
            return [Ranked(name, o.value, (o,)) for name, o in others.items() if not _NO_PART.fullmatch(name)]
    return []
