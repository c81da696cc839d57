"""From characters in content order to lines in reading order.

A word is a run of characters with no gap; a segment is a run of words with ordinary spaces; a row is all that
stands at one height; a line is what a reader takes in one go: a row, or its part in one column. Columns are
told from tables by their filling: columns of prose are filled by their lines, cells of a table are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .glyphs import BREAK_GENERATED, BREAK_LINE, BREAK_NONE, BREAK_SPACE, Glyphs

CELL_GAP = "  "  # between two cells of one row


@dataclass(slots=True, eq=False)
class Lines:
    """Lines of one page in reading order; line i is `text[starts[i]:starts[i + 1]]`.

    `boxes` is (len(text), 4) float32, NaN rows for spaces that have no place. `table` has one row a line:
    x0 y0 x1 y1 (shown), size (points), bold share, cells, region (lines of one column share one), turn,
    column x0, column x1. Columns of that table are named by the constants below.
    """

    text: str
    boxes: NDArray[np.float32]
    starts: NDArray[np.int32]
    table: NDArray[np.float32]


X0, Y0, X1, Y1, SIZE, BOLD, CELLS, REGION, TURN, COL0, COL1 = range(11)
LINE_FIELDS = 11


@dataclass(slots=True)
class _Segment:
    """Words that follow each other with ordinary gaps, in the upright frame of their direction."""

    x0: float
    y0: float
    x1: float
    y1: float
    words: list[tuple[int, int, bool]]  # first, end glyph, whether a space goes before
    letters: int
    text_len: int

    @property
    def middle(self) -> float:
        return (self.y0 + self.y1) / 2

    @property
    def height(self) -> float:
        return self.y1 - self.y0


@dataclass(slots=True)
class _Line:
    segments: list[_Segment]
    gaps: list[str]
    region: int
    turn: int
    column: tuple[float, float] = field(default=(0.0, 0.0))


def lay_out(glyphs: Glyphs, width: float, height: float) -> Lines:
    """Lines in reading order. `width` and `height` are the page's as shown, in points."""
    lines: list[_Line] = []
    region = 0
    turns = [int(t) for t in np.unique(glyphs.turn)]
    turns.sort(key=lambda t: -int((glyphs.turn == t).sum()))
    for turn in turns:
        members = np.flatnonzero(glyphs.turn == turn)
        flow = _upright(glyphs.boxes[members], turn, width, height)
        segments = _segments(glyphs, members, flow)
        if turn == -1:
            found = [_Line([s], [], region, turn, (s.x0, s.x1)) for s in segments]
            region += 1
        else:
            found, region = _order(segments, turn, region)
        lines += found
    return _render(lines, glyphs)


def _upright(boxes: NDArray[np.float64], turn: int, width: float, height: float) -> NDArray[np.float64]:
    x0, y0, x1, y1 = boxes.T
    if turn == 1:
        return np.stack((y0, width - x1, y1, width - x0), axis=1)
    if turn == 2:
        return np.stack((width - x1, height - y1, width - x0, height - y0), axis=1)
    if turn == 3:
        return np.stack((height - y1, x0, height - y0, x1), axis=1)
    return boxes


def _segments(glyphs: Glyphs, members: NDArray[np.intp], flow: NDArray[np.float64]) -> list[_Segment]:
    """Cuts the characters into words and chains words that follow each other in the content."""
    if not len(members):
        return []
    x0, y0, x1, y1 = flow.T
    tall = y1 - y0
    size = np.maximum(tall, 0.1)
    same_line = np.zeros(len(members), bool)
    gap = np.zeros(len(members))
    em = np.minimum(size[1:], size[:-1]) * 0.87
    overlap = np.minimum(y1[1:], y1[:-1]) - np.maximum(y0[1:], y0[:-1])
    gap[1:] = (x0[1:] - x1[:-1]) / em
    # Neighbours in the content stand on one line if they overlap by half; a big step back is a new line.
    same_line[1:] = (overlap > 0.5 * np.minimum(size[1:], size[:-1])) & (gap[1:] > -1.5)
    same_line[1:] &= (x0[1:] > x0[:-1] - 0.5 * em) & (np.diff(members) == 1)
    before = glyphs.before[members]
    spaced = same_line & (before != BREAK_NONE)
    real = spaced & (before == BREAK_SPACE)
    # A space glyph pulled back to nothing is not a space, unless the font's widths are wrong throughout.
    trust_gaps = not real.any() or np.median(gap[real]) > 0.08
    is_space = (same_line & (before == BREAK_NONE) & (gap > 0.28)) | (
        same_line & ((before == BREAK_GENERATED) | (before == BREAK_LINE)) & (gap > 0.12)
    )
    is_space |= real & (gap > 0.03) if trust_gaps else real
    joins = same_line & (gap < 1.1)
    word_start = np.flatnonzero(is_space | ~same_line)
    word_end = np.concatenate((word_start[1:], [len(members)]))
    letters = _letter_mask(glyphs.codes[members])
    wx0 = np.minimum.reduceat(x0, word_start)
    wx1 = np.maximum.reduceat(x1, word_start)
    wy0 = np.minimum.reduceat(y0, word_start)
    wy1 = np.maximum.reduceat(y1, word_start)
    wl = np.add.reduceat(letters.astype(np.int32), word_start)
    chained = joins[word_start].tolist()
    segments: list[_Segment] = []
    rows = zip(
        members[word_start].tolist(),
        (members[word_end - 1] + 1).tolist(),
        chained,
        wx0.tolist(),
        wy0.tolist(),
        wx1.tolist(),
        wy1.tolist(),
        wl.tolist(),
        strict=True,
    )
    for first, end, chain, a, b, c, d, n in rows:
        if chain and segments:
            s = segments[-1]
            s.words.append((first, end, True))
            s.x0, s.y0, s.x1, s.y1 = min(s.x0, a), min(s.y0, b), max(s.x1, c), max(s.y1, d)
            s.letters += n
            s.text_len += end - first + 1
        else:
            segments.append(_Segment(a, b, c, d, [(first, end, False)], n, end - first))
    return segments


def _letter_mask(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    lower = codes | 0x20
    return ((lower >= 97) & (lower <= 122)) | (codes >= 0xC0)


def _order(segments: list[_Segment], turn: int, region: int) -> tuple[list[_Line], int]:
    if not segments:
        return [], region
    left = min(s.x0 for s in segments)
    right = max(s.x1 for s in segments)
    lines: list[_Line] = []
    for band, column in _columns(segments, left, right, 0):
        for row in _rows(band):
            lines.append(_row_line(row, region, turn, column))
        region += 1
    return lines, region


def _columns(
    segments: list[_Segment], left: float, right: float, depth: int
) -> list[tuple[list[_Segment], tuple[float, float]]]:
    """Splits segments into groups in reading order, each with the column it stands in."""
    gutter = _gutter(segments, left, right) if depth < 3 and len(segments) >= 8 else None
    if gutter is None:
        return [(segments, (left, right))]
    crossing = sorted((s for s in segments if s.x0 < gutter < s.x1), key=lambda s: s.middle)
    sides = [s for s in segments if not s.x0 < gutter < s.x1]
    cuts = [s.middle for s in crossing]
    bands: list[list[_Segment]] = [[] for _ in range(len(cuts) + 1)]
    for s in sides:
        bands[int(np.searchsorted(cuts, s.middle))].append(s)
    groups: list[tuple[list[_Segment], tuple[float, float]]] = []
    whole: list[_Segment] = []
    for i, band in enumerate(bands):
        if _is_prose_columns(band, gutter, left, right):
            if whole:
                groups.append((whole, (left, right)))
                whole = []
            lhs = [s for s in band if s.x1 <= gutter]
            rhs = [s for s in band if s.x0 >= gutter]
            groups += _columns(lhs, left, max(s.x1 for s in lhs), depth + 1)
            groups += _columns(rhs, min(s.x0 for s in rhs), right, depth + 1)
        else:
            whole += band
        if i < len(crossing):
            whole.append(crossing[i])
    if whole:
        groups.append((whole, (left, right)))
    return groups


def _gutter(segments: list[_Segment], left: float, right: float) -> float | None:
    """The x that fewest segments cross while both sides hold many, or None if there is no clear one."""
    width = right - left
    if width < 150:
        return None
    x0 = np.array([s.x0 for s in segments])
    x1 = np.array([s.x1 for s in segments])
    xs = np.arange(left + 0.25 * width, left + 0.75 * width, 1.5)
    crossed = (x0[None, :] < xs[:, None] + 3) & (x1[None, :] > xs[:, None] - 3)
    on_left = (x1[None, :] <= xs[:, None] - 3).sum(axis=1)
    on_right = (x0[None, :] >= xs[:, None] + 3).sum(axis=1)
    crossing = crossed.sum(axis=1)
    possible = (on_left >= 4) & (on_right >= 4) & (crossing < np.minimum(on_left, on_right))
    if not possible.any():
        return None
    cost = np.where(possible, crossing, len(segments) + 1)
    best = np.flatnonzero(cost == cost.min())
    return float(xs[best[len(best) // 2]])


def _is_prose_columns(band: list[_Segment], gutter: float, left: float, right: float) -> bool:
    lhs = [s for s in band if s.x1 <= gutter]
    rhs = [s for s in band if s.x0 >= gutter]
    return _is_prose(lhs, left, None) and _is_prose(rhs, None, right)


def _is_prose(side: list[_Segment], left: float | None, right: float | None) -> bool:
    """Whether a column's lines fill it with words, as text does and table cells do not."""
    if len(side) < 3:
        return False
    x0 = min(s.x0 for s in side) if left is None else left
    x1 = max(s.x1 for s in side) if right is None else right
    rows = _rows(side)
    filled = sum(s.x1 - s.x0 for s in side) / (max(x1 - x0, 1.0) * len(rows))
    letters = sum(s.letters for s in side) / max(sum(s.text_len for s in side), 1)
    words = sum(len(s.words) for s in side) / len(rows)
    return len(rows) >= 3 and filled > 0.5 and letters > 0.6 and words >= 3


def _rows(segments: list[_Segment]) -> list[list[_Segment]]:
    """Groups segments that stand at one height, top to bottom, each row left to right."""
    rows: list[list[_Segment]] = []
    spans: list[tuple[float, float]] = []
    for s in sorted(segments, key=lambda s: s.middle):
        placed = False
        for k in range(len(rows) - 1, max(len(rows) - 4, -1), -1):
            top, bottom = spans[k]
            shared = min(bottom, s.y1) - max(top, s.y0)
            if shared > 0.5 * min(bottom - top, s.height) and not _collides(rows[k], s):
                rows[k].append(s)
                if s.height > bottom - top:
                    spans[k] = (s.y0, s.y1)
                placed = True
                break
        if not placed:
            rows.append([s])
            spans.append((s.y0, s.y1))
    for row in rows:
        row.sort(key=lambda s: s.x0)
    return rows


def _collides(row: list[_Segment], s: _Segment) -> bool:
    """Whether `s` lies over a segment of the row: then it is another line, however near."""
    for other in row:
        shared = min(other.x1, s.x1) - max(other.x0, s.x0)
        if shared > 0.5 * min(other.x1 - other.x0, s.x1 - s.x0):
            near = min(other.y1, s.y1) - max(other.y0, s.y0)
            if near < 0.8 * min(other.height, s.height):
                return True
    return False


def _row_line(row: list[_Segment], region: int, turn: int, column: tuple[float, float]) -> _Line:
    gaps: list[str] = []
    for left, right in pairwise(row):
        em = 0.87 * min(left.height, right.height)
        gap = (right.x0 - left.x1) / max(em, 0.1)
        gaps.append("" if gap < 0.12 else " " if gap < 1.3 else CELL_GAP)
    return _Line(row, gaps, region, turn, column)


def _render(lines: Sequence[_Line], glyphs: Glyphs) -> Lines:
    """Writes out the lines: which glyph stands at each character, -1 for a space that we put in."""
    order: list[NDArray[np.int64]] = []
    starts = [0]
    total = 0
    table = np.zeros((len(lines), LINE_FIELDS), np.float32)
    codes = np.append(glyphs.codes, 32)
    gap_codes = {"": np.zeros(0, np.int64), " ": np.full(1, -1), CELL_GAP: np.full(2, -1)}
    for i, line in enumerate(lines):
        count = 0
        ink: list[NDArray[np.int64]] = []
        for k, segment in enumerate(line.segments):
            if k:
                order.append(gap_codes[line.gaps[k - 1]])
                count += len(order[-1])
            for first, end, space in segment.words:
                if space:
                    order.append(gap_codes[" "])
                    count += 1
                ids = np.arange(first, end)
                order.append(ids)
                ink.append(ids)
                count += end - first
        total += count
        starts.append(total)
        members = np.concatenate(ink)
        boxes = glyphs.boxes[members]
        turned = line.turn in (1, 3)
        heights = boxes[:, 2] - boxes[:, 0] if turned else boxes[:, 3] - boxes[:, 1]
        table[i, :4] = (*boxes[:, :2].min(axis=0), *boxes[:, 2:].max(axis=0))
        table[i, SIZE] = np.median(heights)
        table[i, BOLD] = glyphs.bold[members].mean()
        table[i, CELLS] = 1 + sum(gap == CELL_GAP for gap in line.gaps)
        table[i, REGION] = line.region
        table[i, TURN] = line.turn
        table[i, COL0], table[i, COL1] = line.column
    index = np.concatenate(order) if order else np.zeros(0, np.int64)
    points = codes[index]
    points[(points > 0x10FFFF) | ((points >= 0xD800) & (points < 0xE000))] = 0xFFFD
    text = points.astype("<u4").tobytes().decode("utf-32-le")
    boxes32 = np.concatenate((glyphs.boxes, np.full((1, 4), np.nan))).astype(np.float32)[index]
    return Lines(text, boxes32, np.array(starts, np.int32), table)
