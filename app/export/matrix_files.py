"""A matrix as a workbook, as CSV or as JSON."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from longleaf.app.compare.schema import Matrix, MatrixCell
from longleaf.app.export.tables import Cell, csv_table
from longleaf.app.output_file import write_file

SUFFIXES = (".xlsx", ".csv", ".json")
_FILL = "FFF2CC"
_HEAD = "DDE6EE"
_WIDTHS = (14, 46)  # characters a column has at least and at most
_CELL = 32_000  # characters that Excel takes


def write_matrix(matrix: Matrix, path: Path, files: Mapping[str, Path]) -> None:
    """`files` are the documents' own paths by the names shown, for links. Raises ExportError."""
    suffix = path.suffix.lower()
    if suffix == ".xlsx":
        data = _workbook(matrix, files)
    elif suffix == ".csv":
        data = _csv(matrix)
    else:
        data = matrix.model_dump_json(indent=1).encode()
    write_file(path, data)


def said(cell: MatrixCell) -> str:
    """A value with its page; what was not found is said to be so."""
    if not cell.value:
        return "not found"
    return f"{cell.value} (p. {cell.citations[0].page_label})" if cell.citations else cell.value


def _csv(matrix: Matrix) -> bytes:
    rows: list[list[Cell]] = []
    if any(c.expected for c in matrix.columns):
        rows.append([matrix.standard or "(most)", *(c.expected for c in matrix.columns), ""])
    titles = {c.name: c.title for c in matrix.columns}
    for row in matrix.rows:
        deviating = "; ".join(titles[cell.name] for cell in row.cells if cell.deviates)
        rows.append([row.file, *(said(cell) for cell in row.cells), deviating])
    return csv_table(["file", *(c.title for c in matrix.columns), "deviates"], rows)


def _workbook(matrix: Matrix, files: Mapping[str, Path]) -> bytes:
    import openpyxl
    from openpyxl.styles import Alignment, Font, PatternFill
    from openpyxl.utils import get_column_letter

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Matrix"
    bold, wrapped = Font(bold=True), Alignment(wrap_text=True, vertical="top")
    heads = ["Contract", *(c.title for c in matrix.columns)]
    for n, head in enumerate(heads, start=1):
        cell = _put(sheet, 1, n, head)
        cell.font, cell.fill = bold, PatternFill("solid", fgColor=_HEAD)
    first = 2
    if any(c.expected for c in matrix.columns):
        _put(sheet, 2, 1, f"Standard: {matrix.standard}" if matrix.standard else "Most contracts").font = bold
        for n, column in enumerate(matrix.columns, start=2):
            _put(sheet, 2, n, column.expected).font = Font(italic=True)
        first = 3
    for r, row in enumerate(matrix.rows, start=first):
        _put(sheet, r, 1, row.file).font = bold
        for n, item in enumerate(row.cells, start=2):
            cell = _put(sheet, r, n, said(item))
            if item.deviates:
                cell.fill = PatternFill("solid", fgColor=_FILL)
            if item.citations and (path := files.get(row.file)) is not None:
                cell.hyperlink = f"{path.resolve().as_uri()}#page={item.citations[0].page_index + 1}"
    for n in range(1, len(heads) + 1):
        letter = get_column_letter(n)
        longest = max(len(str(c.value or "")) for c in sheet[letter])
        sheet.column_dimensions[letter].width = min(max(longest / 2, _WIDTHS[0]), _WIDTHS[1])
        for cell in sheet[letter]:
            cell.alignment = wrapped
    sheet.freeze_panes = sheet.cell(first, 2)
    sheet.auto_filter.ref = f"A1:{get_column_letter(len(heads))}{max(first + len(matrix.rows) - 1, 1)}"
    _citations(book, matrix, bold, wrapped)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _citations(book: Any, matrix: Matrix, bold: Any, wrapped: Any) -> None:
    sheet = book.create_sheet("Citations")
    heads = ("Contract", "Key fact", "Value", "Page", "Position in the file", "Quote", "Deviates")
    for n, head in enumerate(heads, start=1):
        _put(sheet, 1, n, head).font = bold
    titles = {c.name: c.title for c in matrix.columns}
    at = 2
    for row in matrix.rows:
        for cell in row.cells:
            for c in cell.citations:
                values = (row.file, titles[cell.name], cell.value, c.page_label, c.page_index + 1)
                for n, value in enumerate((*values, c.quote, "yes" if cell.deviates else ""), start=1):
                    _put(sheet, at, n, value).alignment = wrapped
                at += 1
    for letter, width in zip("ABCDEFG", (40, 22, 30, 8, 10, 90, 9), strict=True):
        sheet.column_dimensions[letter].width = width
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = f"A1:G{max(at - 1, 1)}"


def _put(sheet: Any, row: int, column: int, value: str | int) -> Any:
    """A cell that is text whatever it begins with, without what a workbook cannot hold."""
    cell = sheet.cell(row, column)
    if isinstance(value, str):
        cell.value = "".join(c if c >= " " or c in "\n\t" else " " for c in value)[:_CELL]
        cell.data_type = "s"
    else:
        cell.value = value
    return cell
