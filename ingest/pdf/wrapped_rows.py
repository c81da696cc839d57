"""Rows of a table whose cells have several lines: the lines of a name, and values beside their middle.

Lines of one height are no row there. What tells a row is the space around it, and either that its values
stand in the middle of the name's lines or that the name reads on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol, TypeVar

_CELL = 1.3  # of the height: cells stand farther apart
_WIDER = 1.18  # the space between rows to that between lines of one
_TIGHT = 1.55  # of the height: lines of one cell are not farther apart
_MOST_LINES = 8


class Segment(Protocol):
    words: range
    x0: float
    y0: float
    x1: float
    y1: float
    letters: int
    length: int
    middle: float
    height: float
    lower: bool  # whether it begins with a small letter


S = TypeVar("S", bound=Segment)


def wrapped_rows(rows: Sequence[Sequence[Segment]]) -> list[tuple[int, int]]:
    """The runs of lines, first and last with its end exclusive, that are one row of a table each."""
    left = min((row[0].x0 for row in rows), default=0.0)
    if len(rows) < 3 or not any(_has_figures(row, left) for row in rows):
        return []
    middles = [row[0].middle for row in rows]
    found = []
    start = 0
    while start < len(rows):
        end = _run(rows, middles, start)
        if end - start > 1 and _stands_alone(middles, start, end) and _is_one_row(rows[start:end]):
            found.append((start, end))
        start = end
    return found


def _run(rows: Sequence[Sequence[Segment]], middles: list[float], start: int) -> int:
    """Where the lines end that stand closer together than to what is around them."""
    end = start + 1
    height = max(s.height for s in rows[start])
    widest = 0.0
    while end < len(rows) and end - start < _MOST_LINES:
        step = middles[end] - middles[end - 1]
        if step > _TIGHT * height:
            break
        after = middles[end + 1] - middles[end] if end + 1 < len(rows) else float("inf")
        widest = max(widest, step)
        end += 1
        if after > _WIDER * widest:
            break
    return end


def _stands_alone(middles: list[float], start: int, end: int) -> bool:
    """Whether the line before is farther away than the lines of the run from each other."""
    widest = max(b - a for a, b in pairwise(middles[start:end]))
    return start == 0 or middles[start] - middles[start - 1] > _WIDER * widest


def _is_one_row(rows: Sequence[Sequence[Segment]]) -> bool:
    """Whether lines are one row: figures in one of them, and the other words around that or reading on."""
    left = min(s.x0 for row in rows for s in row)
    figures = [i for i, row in enumerate(rows) if _has_figures(row, left)]
    cells = columns(rows) if len(figures) == 1 else None
    if cells is None or not _stands_apart(cells[0], cells[1]):
        return False
    at = figures[0]
    own = [s for s in rows[at] if s.x0 < left + 2 * s.height]
    others = [row for i, row in enumerate(rows) if i != at]
    if any(row[0].x0 > left + 2 * row[0].height or any(map(_is_figure, row)) for row in others):
        return False
    if any(len(row) > 2 for row in others):
        return False  # a row of its own, as column heads are
    above, below = at, len(rows) - 1 - at
    if above == below and (not own or all(len(row) == 1 for row in others)):
        return True
    if not own:
        return False  # values between lines that do not stand around them
    return all(row[0].lower for row in rows[1:])


def columns(rows: Sequence[Sequence[S]]) -> list[list[S]] | None:
    """The segments of each column, top to bottom, columns left to right; None if they cross each other."""
    placed = sorted((s.x0, s.x1, i, k) for i, row in enumerate(rows) for k, s in enumerate(row))
    groups: list[list[tuple[int, int]]] = []
    right = float("-inf")
    for x0, x1, i, k in placed:
        if x0 >= right:
            groups.append([])
        groups[-1].append((i, k))
        right = max(right, x1)
    if len(groups) < 2:
        return None
    found = []
    for group in groups:
        group.sort()
        for (i, k), (j, m) in pairwise(group):
            if i == j and _apart(rows[i][k], rows[j][m]):
                return None
        found.append([rows[i][k] for i, k in group])
    return found


def _stands_apart(name: Sequence[Segment], values: Sequence[Segment]) -> bool:
    gap = min(s.x0 for s in values) - max(s.x1 for s in name)
    return gap > 0.5 * max(s.height for s in name)


def _has_figures(row: Sequence[Segment], left: float) -> bool:
    """Whether it has figures that stand apart from what is on their left, or from where lines begin."""
    if len(row) == 1:
        return _is_figure(row[0]) and row[0].x0 > left + 5 * row[0].height
    return any(_is_figure(b) and _apart(a, b) for a, b in pairwise(row))


def _apart(left: Segment, right: Segment) -> bool:
    return right.x0 - left.x1 > _CELL * min(left.height, right.height)


def _is_figure(segment: Segment) -> bool:
    return 2 * segment.letters < segment.length
