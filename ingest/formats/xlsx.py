"""XLSX: each sheet a page or several, its cells as they are shown, formulas by the values the file holds."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from ..document import Gap
from ..errors import IngestError
from ..flow import Flow, Words
from ..tables import head_rows
from .blocks import counted
from .number_format import shown
from .package import local, parse_xml, value

_MAX_ROWS = 200_000  # of all sheets
_MAX_CELLS = 2_000_000
_MAX_COLUMNS = 500
_MOST_UNPACKED = 512 << 20
_COMMENTS = re.compile(r"xl/(?:comments\d*|comments/comment\d*)\.xml", re.IGNORECASE)
_ERRORS = ("#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!")


def read(file: Any, name: str) -> Flow:
    """The flow of a workbook. Raises IngestError naming what is damaged."""
    import openpyxl

    _check(file, name)
    try:
        values = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
        formulas = openpyxl.load_workbook(file, read_only=True, data_only=False, keep_links=False)
    except Exception as error:  # openpyxl raises many kinds on damaged parts
        raise IngestError(
            f"{name}: the workbook is damaged ({_said(error)}); get or export it again"
        ) from error
    flow = Flow("row", metadata=_metadata(values))
    if remarks := _comments(file, name):
        some = "; ".join(remarks[:3]) + ("; …" if len(remarks) > 3 else "")
        words = counted(len(remarks), "comment on a cell is", "comments on cells are")
        flow.gaps.append(Gap("changes", f"{words} not part of the text: {some}"))
    cells = rows = 0
    for sheet, source in zip(values.worksheets, formulas.worksheets, strict=True):
        hidden = "" if sheet.sheet_state == "visible" else " (hidden)"
        page = f"sheet {sheet.title}{hidden}"
        unsaved: list[str] = []
        wrong = 0
        lines: list[tuple[int, list[str]]] = []
        try:
            for number, line in _rows(sheet, source, unsaved):
                rows += 1
                cells += len(line)
                wrong += sum(cell in _ERRORS for cell in line)
                lines.append((number, line))
                if rows >= _MAX_ROWS or cells >= _MAX_CELLS:
                    break
        except Exception as error:
            raise IngestError(
                f"{name}: {page} is damaged after row {lines[-1][0] if lines else 0} ({_said(error)}); "
                "get or export it again"
            ) from error
        _add_sheet(flow, page, lines)
        if unsaved:
            some = ", ".join(unsaved[:3]) + (", …" if len(unsaved) > 3 else "")
            words = counted(len(unsaved), "formula has no saved value", "formulas have no saved value")
            flow.gaps.append(Gap("truncated", f"{page}: {words} ({some}): open and save the workbook"))
        if wrong:
            flow.gaps.append(
                Gap("doubtful_text", f"{page}: {counted(wrong, 'cell shows', 'cells show')} an error")
            )
        if rows >= _MAX_ROWS or cells >= _MAX_CELLS:
            flow.gaps.append(
                Gap(
                    "truncated", f"{page}: only the first {lines[-1][0]:,} rows were read, and no later sheet"
                )
            )
            break
    charts = [s.title for s in values.chartsheets]
    if charts:
        flow.gaps.append(
            Gap(
                "truncated",
                f"{counted(len(charts), 'chart sheet')} not read: {', '.join(charts[:3])}",
            )
        )
    return flow


def _check(file: Any, name: str) -> None:
    try:
        with zipfile.ZipFile(file) as package:
            infos = package.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise IngestError(f"{name}: the ZIP directory is damaged ({error}); get the file again") from error
    unpacked = sum(info.file_size for info in infos)
    if unpacked > _MOST_UNPACKED:
        raise IngestError(
            f"{name}: holds {unpacked >> 20:,} MiB once unpacked; at most {_MOST_UNPACKED >> 20} are read"
        )
    if any(info.flag_bits & 1 for info in infos):
        raise IngestError(f"{name}: is encrypted; save a copy without a password")


def _comments(file: Any, name: str) -> list[str]:
    """What is remarked on cells, each with the cell's name."""
    found = []
    with zipfile.ZipFile(file) as package:
        for part in filter(_COMMENTS.fullmatch, package.namelist()):
            for comment in parse_xml(package.read(part), f"{name}: {part}").iter():
                if local(comment) == "comment":
                    said = " ".join("".join(comment.itertext()).split())
                    found.append(f"{value(comment, 'ref')}: {said[:100]}")
    return found


def _rows(sheet: Any, source: Any, unsaved: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The rows that show something, with their numbers; `unsaved` gets cells of formulas without a value."""
    sheet.reset_dimensions()  # what a file says of its size may be wrong
    source.reset_dimensions()
    pairs = zip_longest(
        sheet.iter_rows(max_col=_MAX_COLUMNS), source.iter_rows(max_col=_MAX_COLUMNS), fillvalue=()
    )
    for number, (row, code_row) in enumerate(pairs, 1):
        if number > 1_048_576:
            return
        line = []
        for cell in row:
            line.append(
                " ".join(shown(cell.value, cell.number_format or "General").split())
                if cell.value is not None
                else ""
            )
        for cell, code in zip(row, code_row, strict=False):
            if cell.value is None and getattr(code, "data_type", "") == "f":
                unsaved.append(code.coordinate)
        while line and not line[-1]:
            line.pop()
        if line:
            yield number, line


def _add_sheet(flow: Flow, page: str, lines: list[tuple[int, list[str]]]) -> None:
    """Runs of rows without an empty row between them are tables; a lone cell above one is its title."""
    first = True
    runs: list[list[tuple[int, list[str]]]] = []
    for number, line in lines:
        if runs and runs[-1][-1][0] == number - 1:
            runs[-1].append((number, line))
        else:
            runs.append([(number, line)])
    if not runs:
        flow.add("paragraph", "", at=1, units=0, page=page)
    for run in runs:
        while run and sum(bool(cell) for cell in run[0][1]) == 1:
            number, line = run.pop(0)
            text = next(cell for cell in line if cell)
            title = run and len(text) <= 120 and not text.endswith(".") and any(map(str.isalpha, text))
            title = title and not text.startswith("(")
            flow.add("heading" if title else "paragraph", text, at=number, page=page if first else None)
            first = False
        if not run:
            continue
        texts = [line for _, line in run]
        if max(sum(bool(c) for c in line) for line in texts) < 2:
            for number, line in run:
                flow.add("paragraph", next(c for c in line if c), at=number, page=page if first else None)
                first = False
            continue
        width = max(map(len, texts))
        used = [c for c in range(width) if any(c < len(line) and line[c] for line in texts)]
        rows = [[Words(line[c] if c < len(line) else "") for c in used] for line in texts]
        heads = head_rows(["  ".join(cell for cell in line if cell) for line in texts])
        flow.add(
            "table", "", at=run[0][0], units=len(rows), rows=rows, heads=heads, page=page if first else None
        )
        first = False


def _metadata(workbook: Any) -> dict[str, str]:
    properties = workbook.properties
    found = {
        key: getattr(properties, key, None)
        for key in ("title", "creator", "subject", "keywords", "created", "modified")
    }
    return {key: str(value)[:1000] for key, value in found.items() if value}


def _said(error: Exception) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__
