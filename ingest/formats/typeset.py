"""Pages for text that has none: a flow is cut into pages and set in a fixed pitch, so that each character has
a place like that of a PDF.

Cells of a table stand below each other, as the readers of statements expect. The page's label says what was
cut: "¶ 12–40" (the 12th to the 40th paragraph), "lines 61–120", "sheet Income, rows 1–80".
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from longleaf.ingest.document import Annotation, Block, Box, Page, Span
from longleaf.ingest.formats.flow import Flow, Item, Remark, Words

PITCH, LEADING, MARGIN = 6.0, 12.0, 36.0  # points: the advance of a character, of a line, and the margins
_COLUMNS = 90  # characters a line of prose has
_CELL = 44  # characters after which a cell breaks
_CELLS = "  "
_TARGET = 3000  # characters a page has, about what a printed page holds
_PLURALS = {"line": "lines", "row": "rows"}


@dataclass(slots=True)
class _Sheet:
    """Items that will be one page."""

    base: str
    items: list[Item]
    size: int = 0


def typeset(flow: Flow) -> tuple[list[Page], list[Annotation]]:
    """The pages of a flow and where its remarks are; a flow without text has one empty page."""
    sheets = list(_sheets(flow))
    labels = _labels(sheets, flow.unit)
    pages, annotations = [], []
    for page_index, (sheet, label) in enumerate(zip(sheets, labels, strict=True)):
        page, found = _Setter(page_index, label).set(sheet.items)
        pages.append(page)
        annotations += found
    return pages, annotations


def line_of(row: Sequence[Words]) -> str:
    """A row as a line: two spaces between cells, so that an empty cell shows as two spaces more."""
    return _CELLS.join(cell.text for cell in row).rstrip()


# Cutting


def _sheets(flow: Flow) -> Iterator[_Sheet]:
    sheet = _Sheet("", [])
    for whole in flow.items:
        if whole.page is not None:
            if sheet.items:
                yield sheet
            sheet = _Sheet(whole.page, [])
        for item in _parts(whole, _TARGET - sheet.size):
            size = _size(item)
            full = sheet.size + size > _TARGET or (item.kind == "heading" and sheet.size > 0.7 * _TARGET)
            if full and not item.note and any(i.kind not in ("header", "footer") for i in sheet.items):
                n = len(sheet.items)
                while n > 1 and sheet.items[n - 1].kind == "heading":  # it belongs to what follows
                    n -= 1
                moved, sheet.items = sheet.items[n:], sheet.items[:n]
                yield sheet
                sheet = _Sheet(sheet.base, moved, sum(map(_size, moved)))
                if (
                    item.kind == "table"
                    and item.rows
                    and item is not whole
                    and whole.heads
                    and not item.heads
                ):
                    for row in whole.rows[: whole.heads]:
                        text = line_of(row)
                        sheet.items.append(Item("header", Words(text), item.number))
            sheet.items.append(item)
            sheet.size += size
    yield sheet


def _size(item: Item) -> int:
    cells = sum(len(cell.text) + len(_CELLS) for row in item.rows for cell in row)
    return len(item.words.text) + cells + 1


def _parts(item: Item, room: int) -> Iterator[Item]:
    """A table in runs of rows, and prose in runs of sentences or words, none longer than a page."""
    if _size(item) <= max(room, _TARGET // 3):
        yield item
    elif item.rows:
        yield from _row_runs(item, room)
    elif _size(item) <= 1.5 * _TARGET:
        yield item
    else:
        yield from _word_runs(item)


def _row_runs(item: Item, room: int) -> Iterator[Item]:
    start = size = 0
    room = max(room, _TARGET // 4)
    for i, row in enumerate(item.rows):
        length = sum(len(cell.text) + len(_CELLS) for cell in row)
        if size and size + length > room and i > item.heads:
            yield _rows_of(item, start, i)
            start, size, room = i, 0, _TARGET
        size += length
    yield _rows_of(item, start, len(item.rows))


def _rows_of(item: Item, start: int, end: int) -> Item:
    number = item.number + start if item.units == len(item.rows) else item.number
    units = end - start if item.units == len(item.rows) else item.units
    words = item.words if start == 0 else Words("")
    heads = item.heads if start == 0 else 0
    page = item.page if start == 0 else None
    return Item("table", words, number, units, item.level, item.indent, page, item.rows[start:end], heads)


def _word_runs(item: Item) -> Iterator[Item]:
    text = item.words.text
    start = 0
    while start < len(text):
        end = min(start + _TARGET, len(text))
        if end < len(text):
            cut = max(text.rfind(". ", start, end) + 1, 0) or text.rfind(" ", start, end)
            end = cut if cut > start + _TARGET // 2 else end
        remarks = [
            Remark(r.kind, max(r.start - start, 0), min(r.end, end) - start, r.text, r.author, r.date)
            for r in item.words.remarks
            if start <= r.start < end or (r.start == end == len(text))
        ]
        words = Words(text[start:end], remarks)
        kind = item.kind if start == 0 or item.kind != "heading" else "paragraph"
        yield Item(kind, words, item.number, item.units, item.level, item.indent, None, note=item.note)
        start = end


def _labels(sheets: Sequence[_Sheet], unit: str) -> list[str]:
    parts = {base: sum(s.base == base for s in sheets) for base in {s.base for s in sheets}}
    labels: list[str] = []
    seen: dict[str, int] = {}
    for sheet in sheets:
        label = sheet.base
        body = [i for i in sheet.items if i.kind not in ("header", "footer") and not i.note]
        if not label or parts[label] > 1:
            body = body or sheet.items
            first = body[0].number if body else 1
            last = max((i.number + max(i.units, 1) - 1 for i in body), default=first)
            name = unit if first == last else _PLURALS.get(unit, unit)
            numbers = str(first) if first == last else f"{first}–{last}"
            label = ", ".join(filter(None, (label, f"{name} {numbers}")))
        seen[label] = seen.get(label, 0) + 1
        labels.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return labels


# Setting


@dataclass(slots=True)
class _Setter:
    page_index: int
    label: str
    text: list[str] = field(default_factory=list)
    places: list[NDArray[np.float32]] = field(default_factory=list)
    length: int = 0
    line: int = 0
    blocks: list[Block] = field(default_factory=list)
    annotations: list[Annotation] = field(default_factory=list)
    widest: int = _COLUMNS

    def set(self, items: Sequence[Item]) -> tuple[Page, list[Annotation]]:
        order = {"header": 0, "footer": 3}
        for item in sorted(items, key=lambda i: order.get(i.kind, 2 if i.note else 1)):
            if item.rows:
                if item.words.text.strip():
                    self._prose(Item("paragraph", item.words, item.number))
                self._table(item)
            elif item.words.text.strip():
                self._prose(item)
            else:
                self._annotate(item.words, max(self.length - 1, 0))
        width = 2 * MARGIN + PITCH * self.widest
        height = 2 * MARGIN + LEADING * max(self.line, 1)
        boxes = np.concatenate(self.places) if self.places else np.zeros((0, 4), np.float32)
        page = Page(self.page_index, self.label, width, height, "".join(self.text), boxes, tuple(self.blocks))
        return page, self.annotations

    def _begin(self) -> int:
        if self.length:
            self._put("\n", _nowhere(1))
            self.line += 1
        return self.length

    def _put(self, text: str, places: NDArray[np.float32]) -> None:
        self.text.append(text)
        self.places.append(places)
        self.length += len(text)

    def _prose(self, item: Item) -> None:
        start, top = self._begin(), self.line
        self._annotate(item.words, start)
        indent = min(2 * item.indent, 30)
        places, self.line = _wrapped(item.words.text, indent, _COLUMNS - indent, self.line)
        self._put(item.words.text, places)
        box = Box(MARGIN + PITCH * indent, _y(top), MARGIN + PITCH * _COLUMNS, _y(self.line))
        self.blocks.append(Block(item.kind, start, self.length, box, item.level))

    def _table(self, item: Item) -> None:
        start, top = self._begin(), self.line
        n = max(map(len, item.rows))
        widths = [
            min(max((len(row[c].text) for row in item.rows if c < len(row)), default=0), _CELL)
            for c in range(n)
        ]
        lefts = [sum(widths[:c]) + 2 * c for c in range(n)]
        lines = 0
        for row in item.rows:
            cells = [(c, cell) for c, cell in enumerate(row) if cell.text.strip()]
            if not cells:
                for cell in row:
                    self._annotate(cell, max(self.length - 1, 0))
                continue
            if lines:
                self._put("\n", _nowhere(1))
            bottom, last = self.line, 0
            for c, cell in cells:
                apart = _CELLS * (c - last)  # an empty cell keeps its place
                self._put(apart, _nowhere(len(apart)))
                last = c
                self._annotate(cell, self.length)
                right = (
                    widths[c] - len(cell.text) if _is_number(cell.text) and len(cell.text) <= widths[c] else 0
                )
                places, end = _wrapped(cell.text, lefts[c] + right, widths[c], self.line)
                self._put(cell.text, places)
                bottom = max(bottom, end)
            self.line = bottom
            lines += 1
        width = lefts[-1] + widths[-1]
        self.widest = max(self.widest, width)
        if lines:
            box = Box(MARGIN, _y(top), MARGIN + PITCH * width, _y(self.line))
            heads = min(item.heads, lines)
            self.blocks.append(Block("table", start, self.length, box, head_rows=heads))

    def _annotate(self, words: Words, start: int) -> None:
        for r in words.remarks:
            span = Span(
                self.page_index, start + min(r.start, len(words.text)), start + min(r.end, len(words.text))
            )
            self.annotations.append(Annotation(r.kind, r.text, r.author, r.date, span))


def _wrapped(text: str, left: int, width: int, line: int) -> tuple[NDArray[np.float32], int]:
    """The place of each character of a text broken into lines of `width`, and the line after the last.

    Spaces at which a line breaks, and line breaks, have no place.
    """
    places = _nowhere(len(text))
    at = 0
    for part in text.split("\n"):
        broken = textwrap.wrap(
            part, max(width, 1), drop_whitespace=False, replace_whitespace=False, expand_tabs=False
        ) or [""]
        for piece in broken:
            columns = np.arange(len(piece), dtype=np.float32)
            end = at + len(piece)
            places[at:end, 0] = MARGIN + PITCH * (left + columns)
            places[at:end, 1] = _y(line) + 1
            places[at:end, 2] = MARGIN + PITCH * (left + columns + 1)
            places[at:end, 3] = _y(line + 1) - 1
            at = end
            line += 1
        at += 1
    return places, line


def _y(line: int) -> float:
    return MARGIN + LEADING * line


def _is_number(text: str) -> bool:
    return sum(map(str.isdigit, text)) > 0.4 * len(text) or text in "–—-"


def _nowhere(count: int) -> NDArray[np.float32]:
    return np.full((count, 4), np.nan, np.float32)
