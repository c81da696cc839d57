"""Many questions over many documents as one table: a row for each answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter

from longleaf.app.export.phrases import STATUS_WORDS, page_name
from longleaf.app.export.tables import Cell, Sheet, csv_table, workbook
from longleaf.app.output_file import check_suffix, write_file
from longleaf.app.schema import Answer

SUFFIXES = (".xlsx", ".csv", ".json")
_HEAD = ("File", "Question", "Answer", "Status", "Working", "Page", "Quote", "May answer", "Gaps")


def write_answers(answers: Sequence[Answer], path: Path) -> None:
    """Writes the format that the name's ending tells. Raises ExportError."""
    check_suffix(path, SUFFIXES)
    rows = [_row(answer) for answer in answers]
    kind = path.suffix.lower()
    if kind == ".xlsx":
        data = workbook([Sheet("Answers", _HEAD, rows)])
    elif kind == ".csv":
        data = csv_table(_HEAD, rows)
    else:
        data = TypeAdapter(list[Answer]).dump_json(list(answers), indent=1)
    write_file(path, data)


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
