"""XLSX: each sheet a page or several, its cells as they are shown, formulas by the values the file holds."""

from __future__ import annotations

import re
import zipfile
from typing import Any

from longleaf.ingest.document import Gap
from longleaf.ingest.errors import IngestError
from longleaf.ingest.formats.blocks import counted
from longleaf.ingest.formats.flow import Flow, Remark, Words
from longleaf.ingest.formats.office.package import Package, local, metadata, parse_xml, value
from longleaf.ingest.formats.office.workbook import Row, Sheet, Workbook, drawn
from longleaf.ingest.formats.typeset import line_of
from longleaf.ingest.structure.table_heads import head_rows

_MAX_ROWS = 200_000  # of all sheets
_MAX_CELLS = 2_000_000
_MOST_UNPACKED = 512 << 20
_MOST_TITLES = 4
_COMMENTS = re.compile(r"xl/(?:comments\d*|comments/comment\d*)\.xml", re.IGNORECASE)


def read(file: Any, name: str) -> Flow:
    """The flow of a workbook. Raises IngestError naming what is damaged, if nothing of it can be read."""
    _check(file, name)
    package = Package(file, name)
    workbook = Workbook(package)
    flow = Flow("row", metadata=metadata(package))
    if remarks := _comments(file, name):
        some = "; ".join(remarks[:3]) + ("; …" if len(remarks) > 3 else "")
        words = counted(len(remarks), "comment on a cell is", "comments on cells are")
        flow.gaps.append(Gap("changes", f"{words} not part of the text: {some}"))
    left = _MAX_ROWS, _MAX_CELLS
    for sheet in workbook.sheets:
        if sheet.kind == "chartsheet":
            flow.gaps.append(Gap("truncated", f"chart sheet {sheet.title} not read"))
        elif sheet.part and min(left) > 0:
            left = _add_sheet(flow, workbook, package, sheet, *left)
        elif sheet.part:
            flow.gaps.append(Gap("truncated", f"sheet {sheet.title} not read: the workbook is too large"))
        else:
            flow.gaps.append(Gap("truncated", f"sheet {sheet.title} is missing in the file"))
    flow.gaps += [Gap("truncated", f"left out: {said}") for said in package.damaged]
    return flow


def _add_sheet(
    flow: Flow, workbook: Workbook, package: Package, sheet: Sheet, rows_left: int, cells_left: int
) -> tuple[int, int]:
    """Adds a sheet; how many rows and cells may still be read after it."""
    page = f"sheet {sheet.title}{' (hidden)' if sheet.hidden else ''}"
    rows: list[Row] = []
    unsaved: list[str] = []
    errors = unseen = hidden = 0
    try:
        for row in workbook.rows(sheet.part):
            unsaved += row.unsaved
            errors += row.errors
            unseen += row.unseen
            hidden += row.hidden and bool(row.texts)
            if row.texts:
                rows.append(row)
                rows_left -= 1
                cells_left -= len(row.texts)
            if min(rows_left, cells_left) <= 0:
                flow.gaps.append(Gap("truncated", f"{page}: only the first {row.number:,} rows were read"))
                break
    except IngestError as error:
        if not rows and len(workbook.sheets) == 1:
            raise
        after = f"after row {rows[-1].number:,}" if rows else "from its first row on"
        flow.gaps.append(Gap("truncated", f"{page} was not read {after}: {error}"))
    _add_rows(flow, page, rows)
    texts, charts, pictures = drawn(package, sheet.part)
    for text in texts:
        flow.add("paragraph", text, units=0)
    if unsaved:
        some = ", ".join(unsaved[:3]) + (", …" if len(unsaved) > 3 else "")
        words = counted(len(unsaved), "formula has no saved value", "formulas have no saved value")
        flow.gaps.append(Gap("truncated", f"{page}: {words} ({some}): open and save the workbook"))
    if unseen:
        words = counted(unseen, "character that nobody sees was", "characters that nobody sees were")
        flow.gaps.append(Gap("hidden", f"{page}: {words} left out (white on white)"))
    if hidden:
        words = counted(hidden, "row that the sheet hides is", "rows that the sheet hides are")
        flow.gaps.append(Gap("hidden", f"{page}: {words} part of the text"))
    if errors:
        flow.gaps.append(
            Gap("doubtful_text", f"{page}: {counted(errors, 'cell shows', 'cells show')} an error")
        )
    for count, one in ((charts, "chart"), (pictures, "picture")):
        if count:
            flow.gaps.append(Gap("truncated", f"{page}: {counted(count, one)} not read"))
    return rows_left, cells_left


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


def _add_rows(flow: Flow, page: str, rows: list[Row]) -> None:
    """Runs of rows without an empty row between them are tables; a lone cell above one is its title."""
    runs: list[list[Row]] = []
    for row in rows:
        if runs and runs[-1][-1].number == row.number - 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    first = len(flow.items)
    for run in runs:
        above = next((i for i, row in enumerate(run) if len(row.texts) > 1), len(run))
        # A few lone cells above a table are its titles, the first of a few others is theirs; many are a list.
        titles = 0 if above > _MOST_TITLES else above if above < len(run) else len(run) > 1
        for i, row in enumerate(run[:above]):
            ((column, text),) = row.texts.items()
            words = _words(row, column)
            title = i < titles and len(text) <= 120 and any(map(str.isalpha, text))
            title = title and not text.startswith("(") and not text.endswith(".")
            flow.add("heading" if title else "paragraph", words, at=row.number)
        run = run[above:]
        if not run:
            continue
        used = sorted({column for row in run for column in row.texts})
        cells = [[_words(row, column) for column in used] for row in run]
        heads = head_rows([line_of(row) for row in cells])
        flow.add("table", "", at=run[0].number, units=len(cells), rows=cells, heads=heads)
    if not runs:
        flow.add("paragraph", "", at=1, units=0)
    flow.items[first].page = page


def _words(row: Row, column: int) -> Words:
    """A cell's text; what is struck of it is a deletion."""
    text = row.texts.get(column, "")
    gone = row.struck.get(column, ())
    return Words(
        text, [Remark("deletion", min(at, len(text)), min(at, len(text)), said) for at, said in gone]
    )
