"""One figure of a statement: the row of a line item, in the column of a period, with unit and place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from longleaf.app.facts.figures.column_heads import Column
from longleaf.app.facts.figures.figure_tables import Cell, Row, Table
from longleaf.app.facts.figures.line_items import LineItem
from longleaf.app.facts.figures.periods import Period, columns_for
from longleaf.app.facts.figures.row_labels import bare, says_loss
from longleaf.app.facts.figures.statements import Found, Report
from longleaf.ingest.document import Document, Span

SCALES = {"": Decimal(1), "thousand": Decimal(10**3), "million": Decimal(10**6), "billion": Decimal(10**9)}
_AS_GOOD = 0.55  # of the best statement's score: the pages it runs over
_PER_SHARE = re.compile(
    r"\bper\b.{0,25}\b(?:share|unit)\b|\bearnings per\b|\beps\b|\bbasic\b|\bdiluted\b", re.IGNORECASE
)
_SHARES = re.compile(r"\bshares\b|\bnumber of\b|\baverage\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Operand:
    """`shown` is the figure in its statement's unit with the sign it counts with; `value` in whole units."""

    title: str
    document: Document
    table: Table
    row: Row
    column: Column
    cell: Cell
    shown: Decimal
    value: Decimal
    scale: str
    currency: str

    @property
    def spans(self) -> tuple[Span, Span]:
        return self.table.head, Span(self.table.page.page_index, self.row.start, self.row.end)


@dataclass(frozen=True, slots=True)
class Missing:
    """Why a figure cannot be had."""

    title: str
    period: Period
    reason: str = "not found"

    def __str__(self) -> str:
        return f"{self.title} of {self.period}: {self.reason}"


def find_operand(report: Report, item: LineItem, period: Period) -> list[Operand] | Missing:
    """The figure; several that are to be added where no row gives the whole."""
    reason = "no such row in the statements"
    for kind in item.where:
        statements = report.statements(kind)
        best = statements[0].score if statements else 0.0
        near = [
            found for found in statements if found.score >= _AS_GOOD * best or _follows(statements[0], found)
        ]
        for patterns, whole in ((item.rows, True), (item.parts, False)):
            for found in near:
                rows = _rows(found.table, item, patterns) if whole else _parts(found.table, item, patterns)
                if not rows:
                    continue
                columns = columns_for(report, found.table, period, instant=kind == "balance")
                if not columns:
                    reason = "no column of that period"
                    continue
                operands = [
                    o for row in rows for o in _operands(report, item, found.table, row, columns, kind)
                ]
                if not operands:
                    continue
                if not whole:
                    return operands
                if len({operand.value for operand in operands}) > 1:
                    return Missing(
                        item.title,
                        period,
                        "ambiguous: " + ", ".join(f"{o.row.label} {o.cell.text}" for o in operands),
                    )
                return operands[:1]
    return Missing(item.title, period, reason)


def _follows(first: Found, other: Found) -> bool:
    return 0 <= other.table.page.page_index - first.table.page.page_index <= 1


def _rows(table: Table, item: LineItem, patterns: Sequence[re.Pattern[str]]) -> list[Row]:
    """The rows of the first pattern that any fits."""
    for pattern in patterns:
        fits = [
            row
            for row in table.rows
            if any(pattern.fullmatch(name) for name in _names(item, row)) and _belongs(item, row)
        ]
        if not fits:
            continue
        if (
            item.name == "ppe"
            and pattern is patterns[-1]
            and any("accumulated" in bare(row.label) for row in table.rows)
        ):
            continue  # before depreciation
        if item.kind == "amount" and table.rows and len(fits) > 1:
            # A statement gives its own line before those of which it is made up again.
            fits = [row for row in fits if not row.parents] or fits
            if item.where[0] != "balance":
                fits = fits[:1]
        return fits[:1] if item.kind != "amount" else fits
    return []


def _names(item: LineItem, row: Row) -> Iterator[str]:
    """The label; without what stands in brackets; after the line above, where that may be its first part."""
    name = bare(row.label)
    yield name
    if "(" in name:
        yield " ".join(re.sub(r"\([^()]*\)?", " ", name).split())
    if row.parents and not row.parents[-1].endswith(":") and item.where[0] == "income":
        yield bare(row.full)


def _belongs(item: LineItem, row: Row) -> bool:
    above = " / ".join(row.parents)
    nearest = row.parents[-1] if row.parents else ""
    if item.not_parents and item.not_parents.search(nearest):
        return False
    if item.parents and not item.parents.search(
        f"{nearest} / {row.label}" if item.kind != "amount" else f"{above} / {row.label}"
    ):
        return False
    if item.kind != "amount" and not _same_kind(item, f"{nearest} {row.label}".lower()):
        return False
    if item.kind == "per_share" and re.search(r"continuing|discontinued", row.label, re.IGNORECASE):
        return False
    if item.kind == "amount" and _PER_SHARE.search(nearest) and not _of_amount(row):
        return False
    return not (
        item.kind == "amount"
        and re.search(r"\bper (?:common |diluted |basic )*share\b", row.label, re.IGNORECASE)
    )


def _same_kind(item: LineItem, text: str) -> bool:
    """Not the basic figure for the diluted one, nor the other way round."""
    wanted, other = ("dilut", "basic") if "diluted" in item.name else ("basic", "dilut")
    if item.name == "dividends_per_share" or wanted in text:
        return True
    return other not in text and wanted == "dilut"


def _of_amount(row: Row) -> bool:
    return not any(cell and "." in cell.text for cell in row.cells)


def _parts(table: Table, item: LineItem, patterns: Sequence[re.Pattern[str]]) -> list[Row]:
    """Rows that make up the line: those its parts' patterns fit, or those under a heading with its name."""
    fits = [
        row
        for row in table.rows
        if any(p.fullmatch(name) for p in patterns for name in list(_names(item, row))[:2])
        and _belongs(item, row)
    ]
    if fits:
        return fits
    headed = [
        row
        for row in table.rows
        if row.parents
        and any(p.fullmatch(bare(row.parents[-1])) for p in item.rows)
        and not row.label.lower().startswith("total")
    ]
    if len({row.parents for row in headed}) != 1:
        return []
    unnamed = [row for row in headed if not row.label]  # a total without a label
    return unnamed[:1] or (headed if item.children else [])


def _operands(
    report: Report, item: LineItem, table: Table, row: Row, columns: Sequence[int], kind: str
) -> Iterator[Operand]:
    for index in columns:
        cell = row.cells[index]
        if cell is None or cell.value is None or cell.percent:
            continue
        if item.kind == "per_share" and "." not in cell.text and not cell.dash:
            continue
        value = cell.value
        if item.magnitude and not re.search(r"\(income\)", row.label, re.IGNORECASE):
            value = abs(value)
        elif says_loss(bare(row.label)) and value > 0 and kind == "income":
            value = -value
        scale = table.scale
        if item.kind == "per_share" or (item.kind == "shares" and abs(value) >= 10**7 and scale == "million"):
            scale = ""
        currency = "" if item.kind == "shares" else cell.sign or table.currency
        yield Operand(
            item.title,
            report.document,
            table,
            row,
            table.columns[index],
            cell,
            value,
            value * SCALES[scale],
            scale,
            currency,
        )
