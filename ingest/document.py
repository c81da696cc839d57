"""The plain values that leave ingest: documents, pages, sections, chunks and the gaps between them.

All offsets are characters into `Page.text` of the page named by `page_index` (0-based), end exclusive.
All boxes are in PDF points with the origin at the top left of the page as it is shown (after rotation).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

BlockKind = Literal["heading", "paragraph", "list", "table", "header", "footer"]
GapKind = Literal[
    "no_text", "scanned", "recognized", "doubtful_text", "page_failed", "truncated", "changes", "hidden"
]
AnnotationKind = Literal["insertion", "deletion", "comment", "note"]


@dataclass(frozen=True, slots=True)
class Box:
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start:end` of the text of one page."""

    page_index: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Block:
    """A run of characters of one page that belongs together. Blocks of a page are in reading order.

    `head_rows` is how many of a table's first lines are its column heads; `confidence`, 0 to 1, is there only
    for text that was recognized in a picture (OCR).
    """

    kind: BlockKind
    start: int
    end: int
    box: Box
    level: int = 0  # of a heading, 1 is the highest; else 0
    head_rows: int = 0
    confidence: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """One page: its normalised text in reading order, and where each character stands.

    `boxes` has shape (len(text), 4), float32, x0 y0 x1 y1; a row of NaN is a character that has no place
    on the page (a space or line break we put in). `label` is the printed page label ("iv", "A-3").
    """

    page_index: int
    label: str
    width: float
    height: float
    text: str
    boxes: NDArray[np.float32]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and all that stands under it, up to the next heading of the same or a higher level."""

    title: str
    level: int
    path: tuple[str, ...]  # titles from the top, this one last
    start: Span  # the heading's own characters
    page_index_start: int
    page_index_end: int  # last page, inclusive


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that could not be read or did not fit. Shown first, never dropped in silence."""

    kind: GapKind
    detail: str
    page_index: int | None = None


@dataclass(frozen=True, slots=True)
class Annotation:
    """What somebody wrote about the text, or changed in it with changes tracked.

    `text` is the remark, or the words that were inserted or deleted. `span` is what it is about: the words
    that were inserted, or the place (an empty span) where the deleted ones stood. Author and date are as the
    file says, empty if it does not.
    """

    kind: AnnotationKind
    text: str
    author: str
    date: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    name: str  # as the user named the file
    sha256: str  # of the file's bytes
    pages: tuple[Page, ...]
    sections: tuple[Section, ...]
    metadata: dict[str, str]
    gaps: tuple[Gap, ...]
    annotations: tuple[Annotation, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of whole sentences of one section.

    `text` is the spans' page texts joined by one line break; `locate` maps its characters back. `caption` is
    what a reader of the chunk's table rows must know and its text does not say: the lines above the table and
    its column heads ("(in millions)", "2023  2022"), one a line; empty for other chunks.
    """

    index: int
    text: str
    section_path: tuple[str, ...]
    spans: tuple[Span, ...]
    n_tokens: int
    caption: str = ""

    @property
    def page_index_start(self) -> int:
        return self.spans[0].page_index

    @property
    def page_index_end(self) -> int:
        return self.spans[-1].page_index

    def locate(self, start: int, end: int) -> tuple[Span, ...]:
        """The page spans that characters `start:end` of `text` rest on, in order."""
        found: list[Span] = []
        base = 0
        for span in self.spans:
            length = span.end - span.start
            lo, hi = max(start - base, 0), min(end - base, length)
            if lo < hi:
                found.append(Span(span.page_index, span.start + lo, span.start + hi))
            base += length + 1
        return tuple(found)
