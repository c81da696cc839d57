"""Many questions over many documents as one table: a row for each answer."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter

from longleaf.app.export.markdown_docx import ExportError, write_whole
from longleaf.app.export.phrases import STATUS_WORDS, page_name
from longleaf.app.export.workbook import Cell, Sheet, inert, workbook
from longleaf.app.schema import Answer

SUFFIXES = (".xlsx", ".csv", ".json")
_HEAD = ("File", "Question", "Answer", "Status", "Working", "Page", "Quote", "May answer", "Gaps")


def check_suffix(path: Path) -> None:
    """Raises ExportError unless the name ends in one of SUFFIXES."""
    if path.suffix.lower() not in SUFFIXES:
        raise ExportError(f"{path}: its ending must be one of {', '.join(SUFFIXES)}")


def write_answers(answers: Sequence[Answer], path: Path) -> None:
    """Writes the format that the name's ending tells. Raises ExportError."""
    check_suffix(path)
    rows = [_row(answer) for answer in answers]
    kind = path.suffix.lower()
    if kind == ".xlsx":
        data = workbook([Sheet("Answers", _HEAD, rows)])
    elif kind == ".csv":
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(_HEAD)
        writer.writerows([inert(cell) for cell in row] for row in rows)
        data = text.getvalue().encode("utf-8-sig")  # as Excel knows UTF-8 by its mark only
    else:
        data = TypeAdapter(list[Answer]).dump_json(list(answers), indent=1)
    try:
        write_whole(path, data)
    except OSError as error:
        raise ExportError(f"{path}: cannot be written ({error.strerror})") from error


def _row(answer: Answer) -> list[Cell]:
    said = answer.answer
    pages = dict.fromkeys(page_name(c.page_label, c.page_index) for c in said.citations)
    return [
        ", ".join(answer.files),
        answer.question,
        said.text,
        STATUS_WORDS[said.status],
        said.working,
        ", ".join(pages),
        " … ".join(c.quote for c in said.citations),
        " … ".join(passage.text for passage in answer.passages),
        "; ".join(gap.detail for gap in answer.gaps),
    ]
