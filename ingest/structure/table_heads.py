"""What a table's rows mean is said above them: its column heads, and the lines before it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from longleaf.ingest.document import Block, Page, Span

_MOST_HEADS = 5
_CAPTION_LINES = 2
_CAPTION_LENGTH = 160
_CELLS = "  "
# A value: "$ 1,234.5", "(640.2)", "12.1 %", "–", "n/a"; but "2023", "Q3 2022", "2023-24" stand in heads.
_VALUE = re.compile(
    r"[$€£¥+−–—-]?\s*\(?\s*(?:[$€£¥]\s*)?(?:\d{1,3}(?:[,.\u202f ]\d{3})+|\d+)(?:[.,]\d+)?"
    r"\s*\)?\s*(?:%|x|bps|million|billion)?|[–—-]|n/?[am]",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d(?:[-–/]\d{2,4})?")


def head_rows(lines: Sequence[str]) -> int:
    """How many of a table's first lines are column heads: those before the first that holds a value.

    A table without values, of words only, has one.
    """
    for i, line in enumerate(lines):
        cells = [cell.strip() for cell in line.split(_CELLS) if cell.strip()]
        label = not line.startswith(_CELLS)  # else its cell is empty
        values = [c for c in cells[label:] if _VALUE.fullmatch(c) and not _YEAR.fullmatch(c)]
        if values:
            # "Current assets:" is the first group of the rows, not a head of their columns.
            while i and _CELLS not in lines[i - 1] and re.fullmatch(r"[^\d(]+", lines[i - 1]):
                i -= 1
            return i if i <= _MOST_HEADS else 0
    return 1 if len(lines) > 2 else 0


def table_heads(pages: Sequence[Page]) -> dict[tuple[int, int], tuple[Span, ...]]:
    """For each table, by page_index and start: the lines above it and its column heads.

    A table that begins a page without heads of its own goes on with that which ended the page before.
    """
    found: dict[tuple[int, int], tuple[Span, ...]] = {}
    going_on: tuple[int, tuple[Span, ...]] | None = None  # the page that a table ended, and its heads
    for page in pages:
        body = [block for block in page.blocks if block.kind not in ("header", "footer")]
        for i, block in enumerate(body):
            if block.kind != "table":
                continue
            own = _first_lines(page, block)
            if i == 0 and not own and going_on is not None and going_on[0] == page.page_index - 1:
                heads = going_on[1]
            else:
                heads = (*_lines_above(page, body[max(i - _CAPTION_LINES, 0) : i]), *own)
            found[page.page_index, block.start] = heads
            if i == len(body) - 1:
                going_on = (page.page_index, heads)
    return found


def _first_lines(page: Page, block: Block) -> tuple[Span, ...]:
    lines: list[Span] = []
    start = block.start
    for line in page.text[block.start : block.end].split("\n")[: block.head_rows]:
        lines.append(Span(page.page_index, start, start + len(line)))
        start += len(line) + 1
    return tuple(lines)


def _lines_above(page: Page, blocks: Sequence[Block]) -> tuple[Span, ...]:
    """Short blocks that stand directly above and are no sentence: "(in millions)", a title."""
    lines: list[Span] = []
    for block in reversed(blocks):
        text = page.text[block.start : block.end]
        if block.kind == "table" or len(text) > _CAPTION_LENGTH or "\n" in text:
            break
        if block.kind != "heading" and text.rstrip().endswith((".", ";")):
            break
        lines.insert(0, Span(page.page_index, block.start, block.end))
    return tuple(lines)
