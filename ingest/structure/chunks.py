"""Chunks: runs of whole sentences of one section, no longer than the model's tokens allow.

Every body character belongs to exactly one chunk. A table row is never cut unless it alone is too long; a
sentence that alone is too long is cut at a clause, else at a word.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from longleaf.ingest.document import Chunk, Document, Page, Section, Span
from longleaf.ingest.structure.table_heads import table_heads
from longleaf.ingest.text.sentences import sentence_ends

CountTokens = Callable[[str], int]

_CLAUSE = re.compile(r"[;:,—–]\s+|\s+(?=\((?:[a-z]|[ivx]+|\d+)\)\s)")
_SPACE = re.compile(r"\s+")
_STOPS = re.compile(r"[.!?:;][\"”’')\]]*$")


@dataclass(slots=True)
class _Unit:
    """What should stay together: a sentence (a span on each of its pages), a heading, a row."""

    spans: list[Span]
    heading: bool
    tokens: int = 0
    heads: tuple[Span, ...] = ()  # of a table's row: the lines above the table and its column heads


def make_chunks(document: Document, count_tokens: CountTokens, *, max_tokens: int = 256) -> list[Chunk]:
    """Cuts the document's body into chunks of at most `max_tokens` as `count_tokens` counts them.

    Every character of a body block that is not white space is in exactly one chunk. A single character that
    counts more than `max_tokens` is a chunk by itself. A chunk and its caption together have no more tokens
    than that either.
    """
    if max_tokens < 1:
        raise ValueError(f"max_tokens must be at least 1, not {max_tokens}")
    texts = {page.page_index: page.text for page in document.pages}
    builder = _Builder(texts, count_tokens, max_tokens)
    groups = [(section, units) for section, units in _by_section(document) if units]
    waiting: list[_Unit] = []  # headings of sections that hold nothing else go with their first subsection
    for i, (section, units) in enumerate(groups):
        units = waiting + units
        waiting = []
        following = groups[i + 1][0] if i + 1 < len(groups) else None
        if (
            all(unit.heading for unit in units)
            and following is not None
            and following.path[: len(section.path)] == section.path
        ):
            waiting = units
            continue
        builder.fill(section, units)
    return builder.chunks


class _Builder:
    def __init__(self, texts: dict[int, str], count_tokens: CountTokens, max_tokens: int) -> None:
        self._texts = texts
        self._count = count_tokens
        self._limit = max_tokens
        self.chunks: list[Chunk] = []

    def fill(self, section: Section, units: Sequence[_Unit]) -> None:
        taken: list[_Unit] = []
        used = 0
        for unit in self._fitting(units):
            # Counts of parts add up to about the count of the whole; one more for the break between them.
            if taken and used + unit.tokens > self._limit:
                keep = self._trailing_headings(taken)
                self._emit(section, taken[: len(taken) - keep])
                taken = taken[len(taken) - keep :]
                used = sum(u.tokens + 1 for u in taken)
            if not taken and unit.heads:
                used = self._count(self._caption([unit])) + 1
            taken.append(unit)
            used += unit.tokens + 1
        self._emit(section, taken)

    def _caption(self, units: Sequence[_Unit]) -> str:
        """What the heads of the units' tables say that stands in none of them, a quarter of the limit long;
        the lines that stand nearest to the rows win."""
        own = {(s.page_index, at) for unit in units for s in unit.spans for at in (s.start, s.end - 1)}
        heads = dict.fromkeys(head for unit in units for head in unit.heads)
        missing = [h for h in heads if (h.page_index, h.start) not in own]
        while missing and self._count(text := self._text(missing)) > self._limit // 4:
            missing = missing[1:]
        return text if missing else ""

    def _trailing_headings(self, taken: Sequence[_Unit]) -> int:
        """A heading belongs to what follows it, as long as something else is left for this chunk."""
        n = 0
        while n < len(taken) - 1 and taken[len(taken) - 1 - n].heading:
            n += 1
        return n

    def _emit(self, section: Section, units: Sequence[_Unit]) -> None:
        if not units:
            return
        spans = merge_spans([span for unit in units for span in unit.spans], self._texts)
        text = self._text(spans)
        tokens = self._count(text)
        caption = self._caption(units)
        whole = tokens + self._count(caption) if caption else tokens
        if whole > self._limit and len(units) > 1:
            half = len(units) // 2
            self._emit(section, units[:half])
            self._emit(section, units[half:])
            return
        self.chunks.append(Chunk(len(self.chunks), text, section.path, tuple(spans), tokens, caption))

    def _fitting(self, units: Sequence[_Unit]) -> Iterator[_Unit]:
        for unit in units:
            unit.tokens = self._count(self._text(unit.spans))
            if unit.tokens <= self._limit:
                yield unit
                continue
            for span in unit.spans:
                for part in self._split(span):
                    yield _Unit([part], False, self._count(self._text([part])), unit.heads)

    def _split(self, span: Span) -> Iterator[Span]:
        """Cuts a span that is too long into the longest fitting parts that end at a clause or a word."""
        text = self._texts[span.page_index]
        start = span.start
        while start < span.end:
            if self._count(text[start : span.end]) <= self._limit:
                yield Span(span.page_index, start, span.end)
                return
            end = self._longest(text, start, span.end)
            cut = max((m.end() for m in _CLAUSE.finditer(text, start, end)), default=0)
            if cut - start < 0.5 * (end - start):
                cut = max((m.end() for m in _SPACE.finditer(text, start, end)), default=0)
            if cut <= start:
                cut = end
            stripped = len(text[start:cut].rstrip())
            if stripped:
                yield Span(span.page_index, start, start + stripped)
            start = cut + len(text[cut : span.end]) - len(text[cut : span.end].lstrip())

    def _longest(self, text: str, start: int, end: int) -> int:
        """The largest offset up to which the text fits (at least one character)."""
        low, high = start + 1, end
        while low < high:
            middle = (low + high + 1) // 2
            if self._count(text[start:middle]) <= self._limit:
                low = middle
            else:
                high = middle - 1
        return low

    def _text(self, spans: Sequence[Span]) -> str:
        return "\n".join(self._texts[s.page_index][s.start : s.end] for s in spans)


def merge_spans(spans: Sequence[Span], texts: dict[int, str]) -> list[Span]:
    """Joins neighbours that only white space parts."""
    merged: list[Span] = []
    for span in spans:
        last = merged[-1] if merged else None
        if (
            last is not None
            and last.page_index == span.page_index
            and last.end <= span.start
            and not texts[span.page_index][last.end : span.start].strip()
        ):
            merged[-1] = Span(span.page_index, last.start, span.end)
        else:
            merged.append(span)
    return merged


def _by_section(document: Document) -> Iterator[tuple[Section, list[_Unit]]]:
    sections = document.sections
    starts = [(s.start.page_index, s.start.start) for s in sections]
    units: list[list[_Unit]] = [[] for _ in sections]
    for unit in _units(document.pages, set(starts)):
        first = unit.spans[0]
        units[max(bisect_right(starts, (first.page_index, first.start)) - 1, 0)].append(unit)
    yield from zip(sections, units, strict=True)


def _units(pages: Sequence[Page], section_starts: set[tuple[int, int]]) -> Iterator[_Unit]:
    open_unit: _Unit | None = None  # a sentence that may go on over the page
    heads = table_heads(pages)
    for page in pages:
        for block in page.blocks:
            if block.kind in ("header", "footer"):
                continue
            spans = [
                Span(page.page_index, a, b)
                for a, b in _parts(page.text, block.start, block.end, rows=block.kind == "table")
            ]
            if not spans:
                continue
            first = spans[0]
            goes_on = (
                open_unit is not None
                and block.kind in ("paragraph", "list")
                and page.text[first.start].islower()
                and (first.page_index, first.start) not in section_starts
            )
            if open_unit is not None:
                if goes_on:
                    open_unit.spans.append(spans.pop(0))
                    if spans:
                        yield open_unit
                        open_unit = None
                else:
                    yield open_unit
                    open_unit = None
            if not spans:
                continue
            heading = block.kind == "heading"
            above = heads.get((page.page_index, block.start), ())
            for span in spans[:-1]:
                yield _Unit([span], heading, heads=above)
            last = _Unit([spans[-1]], heading, heads=above)
            ends = _STOPS.search(page.text[spans[-1].start : spans[-1].end])
            if block.kind in ("paragraph", "list") and not ends:
                open_unit = last
            else:
                yield last
    if open_unit is not None:
        yield open_unit


def _parts(text: str, start: int, end: int, *, rows: bool) -> Iterator[tuple[int, int]]:
    """Sentences of a block, or rows of a table, without the white space around them."""
    block = text[start:end]
    cuts = [i for i, c in enumerate(block) if c == "\n"] if rows else sentence_ends(block)
    for a, b in zip([0, *cuts], [*cuts, len(block)], strict=True):
        part = block[a:b]
        left = len(part) - len(part.lstrip())
        if len(part) > left:
            yield start + a + left, start + a + len(part.rstrip())
