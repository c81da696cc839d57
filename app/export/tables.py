"""Tables as XLSX that can be read as it opens (widths, filters, a frozen head, wrapped text), and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

Cell = str | int | float | None
_ROW_CHARACTERS = 60  # the widest column; longer text is wrapped


@dataclass(frozen=True, slots=True)
class Sheet:
    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    links: Mapping[tuple[int, int], str] = field(default_factory=dict)  # by row and column, from 0


def workbook(sheets: Sequence[Sheet]) -> bytes:
    """The sheets in order. Text is never taken for a formula."""
    from openpyxl import Workbook
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    from openpyxl.styles import Alignment, Font, PatternFill
    from openpyxl.utils import get_column_letter

    book = Workbook()
    book.remove(book.active)
    for sheet in sheets:
        page = book.create_sheet(sheet.title[:31])
        for row, values in enumerate([sheet.head, *sheet.rows], start=1):
            for column, value in enumerate(values, start=1):
                cell = page.cell(row, column)
                if isinstance(value, str):
                    cell.value = ILLEGAL_CHARACTERS_RE.sub("", value)
                    cell.data_type = "s"
                else:
                    cell.value = value
                cell.alignment = Alignment(wrap_text=True, vertical="top")
                if row == 1:
                    cell.font = Font(bold=True)
                    cell.fill = PatternFill("solid", fgColor="E6EAEE")
        for (row, column), address in sheet.links.items():
            linked = page.cell(row + 2, column + 1)
            linked.hyperlink = address
            linked.font = Font(color="1F4E99", underline="single")
        for column, name in enumerate(sheet.head):
            widest = max([len(name), *(len(str(row[column] or "")) for row in sheet.rows)])
            page.column_dimensions[get_column_letter(column + 1)].width = min(widest, _ROW_CHARACTERS) + 2
        page.freeze_panes = "A2"
        page.auto_filter.ref = page.dimensions
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def csv_table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """As spreadsheets read it: UTF-8 is known to Excel by its mark only."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows([_inert(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def _inert(cell: Cell) -> Cell:
    """Spreadsheets run a field of a CSV file that begins so as a formula (CWE-1236)."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
