"""Documents made from plain text, for tests of what comes after ingest."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from longleaf.ingest.document import Block, Box, Document, Page, Section, Span

CHARACTER_WIDTH, LINE_HEIGHT, MARGIN = 6.0, 12.0, 36.0


def plain_page(text: str, index: int, label: str | None = None, blocks: Sequence[Block] = ()) -> Page:
    """A page in a fixed-width font: character c of line l stands at (MARGIN + 6 c, MARGIN + 12 l)."""
    boxes = np.full((len(text), 4), np.nan, dtype=np.float32)
    row = column = 0
    for position, character in enumerate(text):
        if character == "\n":
            row, column = row + 1, 0
            continue
        x, y = MARGIN + column * CHARACTER_WIDTH, MARGIN + row * LINE_HEIGHT
        boxes[position] = (x, y + 2, x + CHARACTER_WIDTH, y + LINE_HEIGHT - 1)
        column += 1
    found = tuple(blocks) or (Block("paragraph", 0, len(text), Box(0, 0, 612, 792)),)
    return Page(index, label or str(index + 1), 612.0, 792.0, text, boxes, found)


def plain_document(
    pages: Sequence[str | Page], name: str = "plain.pdf", sections: Sequence[Section] = ()
) -> Document:
    made = tuple(plain_page(page, i) if isinstance(page, str) else page for i, page in enumerate(pages))
    digest = hashlib.sha256("\f".join(page.text for page in made).encode()).hexdigest()
    whole = Section(name, 1, (name,), Span(0, 0, 0), 0, max(len(made) - 1, 0))  # as ingest does
    return Document(name, digest, made, tuple(sections) or (whole,), {}, ())


def heading(title: str, level: int, page: Page, last_page_index: int, path: Sequence[str] = ()) -> Section:
    """The section whose heading is the first place of `title` on the page."""
    start = page.text.index(title)
    return Section(
        title,
        level,
        (*path, title),
        Span(page.page_index, start, start + len(title)),
        page.page_index,
        last_page_index,
    )
