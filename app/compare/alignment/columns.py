"""Pages of two columns whose lines were read across: each column's lines in their own order again.

Only in documents that are set in two columns, as most of their paragraphs show; there a block that spans the
space between the columns, while none of its words does, is two columns read as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from longleaf.ingest.document import Block, BlockKind, Box, Document, Page

_SIDES = 0.25  # share of a document's letters that each column has at least
_PARTS = 1.25  # line steps that part two paragraphs
_SHORT = 0.12  # of the column's width that a full line may leave free


@dataclass(frozen=True, slots=True)
class Unit:
    """A paragraph: characters `ranges` of a page; `block` is what it is, or stands for it.

    `guessed` if only the lengths of lines part it from the one before.
    """

    page: Page
    number: int
    block: Block
    ranges: tuple[tuple[int, int], ...]
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """A line of one column, or one that goes across both."""

    number: int
    start: int
    end: int
    x0: float
    y0: float
    x1: float
    y1: float
    side: int  # 0 left, 1 right, -1 across


def units(document: Document, left_out: frozenset[tuple[int, int]], *, flow: bool) -> list[Unit]:
    """The paragraphs of the body in reading order."""
    gutter = None if flow else _gutter(document)
    made: list[Unit] = []
    for page in document.pages:
        body = [(n, b) for n, b in enumerate(page.blocks) if (page.page_index, n) not in left_out]
        if gutter is not None and any(_is_read_across(page, block, gutter) for _, block in body):
            made += _by_column(page, body, gutter)
        else:
            body = body if gutter is None else _left_first(body, gutter)
            made += (Unit(page, n, b, ((b.start, b.end),)) for n, b in body)
    return made


def _left_first(body: Sequence[tuple[int, Block]], gutter: float) -> list[tuple[int, Block]]:
    """The blocks between two that go across the page: the left column's first."""
    out: list[tuple[int, Block]] = []
    zone: list[tuple[int, Block]] = []
    for item in body:
        if item[1].box.x0 < gutter < item[1].box.x1:
            out += [*sorted(zone, key=lambda i: _place(i[1], gutter)), item]
            zone = []
        else:
            zone.append(item)
    return out + sorted(zone, key=lambda i: _place(i[1], gutter))


def _place(block: Block, gutter: float) -> tuple[bool, float]:
    return block.box.x0 >= gutter, block.box.y0


def _gutter(document: Document) -> float | None:
    """The middle of the space between two columns; None if the document is not set in two."""
    sides = [0, 0]
    across = 0
    ends: list[float] = []
    begins: list[float] = []
    for page in document.pages:
        middle = page.width / 2
        for block in page.blocks:
            if block.kind not in ("paragraph", "list", "heading"):
                continue
            size = block.end - block.start
            if block.box.x1 <= middle:
                sides[0] += size
                ends.append(block.box.x1)
            elif block.box.x0 >= middle:
                sides[1] += size
                begins.append(block.box.x0)
            else:
                across += size
    total = sum(sides) + across
    if not total or min(sides) < _SIDES * total:
        return None
    return (max(ends) + min(begins)) / 2


def _is_read_across(page: Page, block: Block, gutter: float) -> bool:
    if block.kind in ("header", "footer") or not block.box.x0 < gutter < block.box.x1:
        return False
    boxes = page.boxes[block.start : block.end]
    boxes = boxes[np.isfinite(boxes).all(axis=1)]
    crossing = (boxes[:, 0] < gutter - 1) & (boxes[:, 2] > gutter + 1)
    beside = (boxes[:, 0] > gutter - 4) & (boxes[:, 2] < gutter + 4)
    both = bool((boxes[:, 2] <= gutter).any() and (boxes[:, 0] >= gutter).any())
    return both and not crossing.any() and not beside.any()


def _by_column(page: Page, body: Sequence[tuple[int, Block]], gutter: float) -> Iterator[Unit]:
    parts = sorted(
        (part for n, block in body for part in _parts(page, n, block, gutter)), key=lambda p: (p.y0, p.x0)
    )
    kinds = {n: block.kind for n, block in body}
    zone: list[_Part] = []
    for part in [*parts, None]:
        if part is not None and part.side >= 0:
            zone.append(part)
            continue
        for side in (0, 1):
            yield from _paragraphs(page, [p for p in zone if p.side == side], kinds)
        zone = []
        if part is not None:
            yield _unit(page, [part], kinds)


def _parts(page: Page, number: int, block: Block, gutter: float) -> Iterator[_Part]:
    """The lines of a block, each cut at the space between the columns."""
    run: list[int] = []
    last: tuple[float, float, float, float] | None = None
    for i in range(block.start, block.end):
        row = page.boxes[i]
        if not np.isfinite(row).all() or page.text[i].isspace():
            continue
        x0, y0, x1, y1 = (float(v) for v in row)
        if last is not None:
            same_line = min(last[3], y1) - max(last[1], y0) > 0.3 * min(last[3] - last[1], y1 - y0)
            jumps = x0 < last[0] - 1 or (last[2] <= gutter + 1 and x0 >= gutter - 1 and x0 - last[2] > 4)
            if not same_line or jumps:
                yield _part(page, number, run, gutter)
                run = []
        run.append(i)
        last = x0, y0, x1, y1
    if run:
        yield _part(page, number, run, gutter)


def _part(page: Page, number: int, run: Sequence[int], gutter: float) -> _Part:
    boxes = page.boxes[list(run)]
    x0, y0 = (float(v) for v in boxes[:, :2].min(axis=0))
    x1, y1 = (float(v) for v in boxes[:, 2:].max(axis=0))
    side = 0 if x1 <= gutter + 2 else 1 if x0 >= gutter - 2 else -1
    return _Part(number, run[0], run[-1] + 1, x0, y0, x1, y1, side)


def _paragraphs(page: Page, lines: list[_Part], kinds: Mapping[int, BlockKind]) -> Iterator[Unit]:
    if not lines:
        return
    lines = sorted(lines, key=lambda p: (round(p.y0), p.x0))
    steps = sorted(b.y0 - a.y0 for a, b in pairwise(lines) if b.y0 - a.y0 > 2)
    usual = steps[len(steps) // 4] if steps else 12.0
    right = max(line.x1 for line in lines)
    left = min(line.x0 for line in lines)
    group = [lines[0]]
    parted = True  # by a space, or at the column's top
    for before, here in pairwise(lines):
        short = before.x1 < right - _SHORT * (right - left)
        apart = here.y0 - before.y0 > _PARTS * usual
        if apart or (short and page.text[here.start].isupper()):
            yield _unit(page, group, kinds, sure=parted)
            group, parted = [], apart
        group.append(here)
    yield _unit(page, group, kinds, sure=parted)


def _unit(page: Page, parts: Sequence[_Part], kinds: Mapping[int, BlockKind], *, sure: bool = True) -> Unit:
    box = Box(
        min(p.x0 for p in parts), min(p.y0 for p in parts), max(p.x1 for p in parts), max(p.y1 for p in parts)
    )
    kind = kinds[parts[0].number]
    block = Block("heading" if kind == "heading" else "paragraph", parts[0].start, parts[-1].end, box)
    return Unit(page, parts[0].number, block, tuple((p.start, p.end) for p in parts), not sure)
