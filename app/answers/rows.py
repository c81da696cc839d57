"""A table row as an answer: with the periods and the scale that its figures stand under."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longleaf.app.text.pages import page_of
from longleaf.app.text.sentences import Sentence
from longleaf.ingest.document import Block, Document, Page, Span

_SCALE = re.compile(
    r"\(?[^\n()]*(?:\bin\s+|[$€£]\s*)(?:thousand|million|billion)s?\b[^\n()]*\)?", re.IGNORECASE
)
_PERIODS = re.compile(r"[^\n]*\b(?:19|20)\d\d\b[^\n]*")
_FIGURE = re.compile(r"\d")
_NOTE_MARK = re.compile(r"\([a-z\d]\)")
_FIGURES = re.compile(r"(?<![\w.,])[\d,.]*\d")
_YEARS = re.compile(r"\b(?:19|20)\d\d\b")
_LABEL = re.compile(r"[^\W\d_]{3,}")
_SCALE_REACH, _PERIODS_REACH = 600, 120  # characters above a table in which they are looked for
_HEAD_LINES = 5
_BETWEEN_PARTS = 160  # characters of a note between the parts of one statement


@dataclass(frozen=True, slots=True)
class Row:
    """`text` is what is shown and `spans` where it stands."""

    text: str
    spans: tuple[Span, ...]


def row_of(document: Document, row: Sentence) -> Row | None:
    """The row with its scale ("in millions") and periods, if it has a label and a figure."""
    if not (_FIGURE.search(row.text) and _LABEL.search(row.text)):
        return None
    page = page_of(document, row.spans[0].page_index)
    head = [Span(page.page_index, start, end) for start, end in _heads(page, row.spans[0])]
    text = " … ".join([*(" ".join(page.text[s.start : s.end].split()) for s in head), row.text])
    return Row(text, (*head, *row.spans))


def _heads(page: Page, row: Span) -> list[tuple[int, int]]:
    """The periods and the scale above the row, those of its table.

    A statement is often cut into tables by its subtitles, and only the first has them: they are the row's if
    it has a figure for each of those years.
    """
    table = _block_at(page, row.start)
    if table is None:
        return []
    heads, scales = _periods(page, table, row), _scales(page, table, row)
    if not heads:
        above = ((part, _periods(page, part, row)) for part in _parts_above(page, table))
        part, periods = next(((part, found) for part, found in above if found), (table, heads))
        if periods and _has_figure_for_each(page, row, periods):
            heads, scales = periods, scales or _scales(page, part, row)
    if scales and not any(start <= scales[-1][0] and scales[-1][1] <= end for start, end in heads):
        heads = [*heads, scales[-1]]
    return sorted(heads)


def _has_figure_for_each(page: Page, row: Span, periods: Sequence[tuple[int, int]]) -> bool:
    figures = _FIGURES.findall(_NOTE_MARK.sub("", page.text[row.start : row.end]))
    years = _YEARS.findall(page.text, *periods[-1])
    return len(figures) == len(years) > 1


def _periods(page: Page, table: Block, row: Span) -> list[tuple[int, int]]:
    near = _line_start(page.text, max(0, table.start - _PERIODS_REACH))
    found = _PERIODS.finditer(page.text, near, _head_end(page, table, row))
    return [m.span() for m in found if _is_head(m.group(0))][-1:]


def _scales(page: Page, table: Block, row: Span) -> list[tuple[int, int]]:
    above = _line_start(page.text, max(0, table.start - _SCALE_REACH))
    return [m.span() for m in _SCALE.finditer(page.text, above, _head_end(page, table, row))]


def _head_end(page: Page, table: Block, row: Span) -> int:
    first_lines = page.text[table.start : row.start].split("\n")[:_HEAD_LINES]
    return min(table.start + len("\n".join(first_lines)), row.start)


def _parts_above(page: Page, table: Block) -> Iterator[Block]:
    """The tables that only titles and short notes part from this one, the nearest first."""
    for block in sorted(page.blocks, key=lambda block: -block.start):
        if block.start >= table.start:
            continue
        if block.kind == "table":
            yield block
        elif block.kind != "heading" and block.end - block.start > _BETWEEN_PARTS:
            return


def _line_start(text: str, position: int) -> int:
    """The first line start at or after the position."""
    return 0 if position == 0 else text.find("\n", position - 1) + 1 or len(text)


def _is_head(line: str) -> bool:
    """Whether a line names periods rather than giving figures: take the years away and little is left."""
    rest = re.sub(r"\b(?:19|20)\d\d\b|\b\d{1,2}(?:/\d{1,2})?(?:/\d{2,4})?\b", "", line)
    return not re.search(r"\d", rest) and len(line) <= 160


def _block_at(page: Page, position: int) -> Block | None:
    return next((block for block in page.blocks if block.start <= position < block.end), None)
