"""A figure of a part of the company, or of a line that no vocabulary has: "what did the Gears segment sell?".

The words that are left of a question, when names, years and the measure are taken away, name the part. It may
be a row's whole label, the head over some columns, or the title over a table; then the row is the measure's.
Where rows of that name give unlike figures, nothing is answered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from longleaf.app.calculate.formula import name_at
from longleaf.app.calculate.question import Asked, bare_words
from longleaf.app.facts.figures import line_items
from longleaf.app.facts.figures.figure_tables import Row, Table
from longleaf.app.facts.figures.operands import SCALES, Operand
from longleaf.app.facts.figures.periods import Period, columns_for
from longleaf.app.facts.figures.row_labels import bare
from longleaf.app.facts.figures.statements import Found, Report

_NOTHING = frozenset(re.findall(r"\w+", "the of and a an in for to from by our its their on at with or s"))
_GENERAL = frozenset(
    re.findall(
        r"\w+",
        "net total segment segments revenue revenues sale sales product products business division operating"
        " income profit earnings consolidated reportable results expense expenses cost costs and other",
    )
)
_SHARE = re.compile(r"\b(?:share|percentage|per ?cent|proportion|portion|fraction)\b", re.IGNORECASE)
CONTEXT = {
    "revenue": r"\brevenues?\b|\bsales\b|\bturnover\b",
    "net_sales": r"\brevenues?\b|\bsales\b|\bturnover\b",
    "operating_income": r"\boperating (?:income|profit|earnings|results?)\b|\bsegment (?:profit|income"
    r"|results?)\b|\bebit\b"
    r"|\b(?:earnings|income) from operations\b",
    "net_income": r"\bnet (?:income|earnings|profit)\b",
    "rnd": r"\bresearch\b",
    "capex": r"\bcapital (?:expenditures?|spending)\b|\bcapex\b",
    "dna": r"\bdepreciation\b",
    "total_assets": r"\bassets\b",
}
_SELLS = re.compile(r"\b(?:br(?:ing|ought) in|earn\w*|generat\w*|contribut\w*|sell|sold)\b", re.IGNORECASE)
_TITLE_LINES = 3


@dataclass(frozen=True, slots=True)
class PartAsked:
    """The words of the part, and the measure that is asked of it, "" where none is named."""

    words: frozenset[str]
    measure: str


def part_asked(asked: Asked, is_name: Callable[[str], bool]) -> PartAsked | None:
    text = _SHARE.sub(" ", bare_words(asked, is_name))
    measures: list[str] = []
    kept: list[str] = []
    position = 0
    while position < len(text):
        if (position == 0 or not text[position - 1].isalnum()) and (found := name_at(text, position)):
            measures.append(found[0])
            position = found[1]
            kept.append(" ")
            continue
        kept.append(text[position])
        position += 1
    words = _words("".join(kept)) - _GENERAL
    named = list(dict.fromkeys(measures))
    if not words or len(words) > 6 or len(named) > 1 or (named and named[0] not in line_items.BY_NAME):
        return None
    measure = named[0] if named else "revenue" if _SELLS.search(asked.words) else ""
    return PartAsked(words, measure)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z0-9]+", text.lower().replace("&", " and "))) - _NOTHING


def find_part(report: Report, part: PartAsked, periods: Sequence[Period]) -> list[Operand] | None:
    """The figure of each period, all of one row; None where there is none or rows differ."""
    rows: dict[tuple[str, ...], list[Operand]] = {}
    for found, row, columns in list(_places(report, part)) or _longer_names(report, part):
        operands = []
        for period in periods:
            chosen = [i for i in columns_for(report, found.table, period, instant=False) if i in columns]
            operand = _operand(report, found.table, row, chosen)
            if operand is None:
                break
            operands.append(operand)
        if len(operands) == len(periods):
            rows.setdefault(tuple(str(o.value) for o in operands), operands)
    return next(iter(rows.values())) if len(rows) == 1 else None


def _longer_names(report: Report, part: PartAsked) -> list[tuple[Found, Row, frozenset[int]]]:
    """The one row of the statements with the part's words and one or two more: "Member rewards"."""
    rows = []
    for found in report.tables:
        if part.measure or found.kind is None or found.score <= 0:
            continue
        for row in found.table.rows:
            own = _words(bare(row.label))
            longer = part.words <= own and len(own - part.words - _GENERAL) <= 2
            if longer and not re.search(r"\band\b|,|/", row.label):
                rows.append((found, row, frozenset(range(len(found.table.columns)))))
    return rows if len({bare(row.label) for _, row, _ in rows}) == 1 else []


def _places(report: Report, part: PartAsked) -> Iterator[tuple[Found, Row, frozenset[int]]]:
    """Rows that may be meant, with the columns in which they are."""
    context = re.compile(CONTEXT.get(part.measure, r"$^"), re.IGNORECASE)
    for found in report.tables:
        table = found.table
        every = frozenset(range(len(table.columns)))
        title = " ".join(table.title[-_TITLE_LINES:])
        over = [line for line in table.title[-_TITLE_LINES:] if _is_part(_words(line), part)]
        groups = frozenset(
            i for i, c in enumerate(table.columns) if c.group and _is_part(_words(c.group), part)
        )
        for row in table.rows:
            own = _words(bare(row.label))
            if _is_part(own, part) and (
                not part.measure or context.search(f"{title} {' '.join(row.parents[-1:])} {row.label}")
            ):
                yield found, row, every
            elif part.measure and (groups or over) and _is_measure(row, part.measure):
                yield found, row, groups or every


def _is_part(words: frozenset[str], part: PartAsked) -> bool:
    """Whether that is the part's name, and only general words beside it."""
    return part.words <= words and words - part.words <= _GENERAL


def _is_measure(row: Row, measure: str) -> bool:
    label = re.sub(r"^(?:segment|total segment) ", "", bare(row.label))
    patterns = line_items.BY_NAME[measure].rows
    return any(pattern.fullmatch(label) for pattern in patterns) and not row.parents[1:]


def _operand(report: Report, table: Table, row: Row, columns: Sequence[int]) -> Operand | None:
    cells = [(i, row.cells[i]) for i in columns]
    usable = [
        (i, cell) for i, cell in cells if cell is not None and cell.value is not None and not cell.percent
    ]
    if len(usable) != 1:
        return None
    index, cell = usable[0]
    assert cell.value is not None
    per_share = bool(
        re.search(r"\bper\b.{0,20}\bshare\b", f"{' '.join(row.parents)} {row.label}", re.IGNORECASE)
    )
    scale = "" if per_share else table.scale
    if not scale and not per_share and abs(cell.value) < 10**6 and (cell.sign or table.currency):
        return None  # of money it must be known whether it is thousands or millions
    currency = cell.sign or table.currency
    value = cell.value * SCALES[scale]
    column = table.columns[index]
    return Operand(row.label, report.document, table, row, column, cell, cell.value, value, scale, currency)
