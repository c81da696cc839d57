"""From characters in content order to lines in reading order.

A word is a run of characters with no gap; a segment is a run of words with ordinary spaces; a row is all that
stands at one height; a line is what a reader takes in one go: a row, or its part in one column. Columns are
told from tables by their filling: columns of prose are filled by their lines, cells of a table are not.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from longleaf._native import write_lines
from longleaf.ingest.pdf.characters import BREAK_GENERATED, BREAK_LINE, BREAK_NONE, BREAK_SPACE, Glyphs
from longleaf.ingest.pdf.wrapped_rows import columns, wrapped_rows
from longleaf.ingest.text.list_markers import is_marker

_CELL_GAP = 2  # spaces between two cells of one row

X0, Y0, X1, Y1, SIZE, BOLD, CELLS, REGION, TURN, COL0, COL1, MARGIN = range(12)
LINE_FIELDS = 12


@dataclass(slots=True, eq=False)
class Lines:
    """Lines of one page in reading order; line i is `text[starts[i]:starts[i + 1]]`.

    `boxes` is (len(text), 4) float32, NaN rows for spaces that have no place. `table` has one row a line, its
    columns named by the constants above: x0 y0 x1 y1 (shown), character height, bold share, number of cells,
    region (lines of one column share one), turn, the column's left and right side, and whether the line is a
    number in the margin that counts lines. All lengths in points.
    """

    text: str
    boxes: NDArray[np.float32]
    starts: NDArray[np.int32]
    table: NDArray[np.float32]


@dataclass(slots=True)
class _Segment:
    """Words that follow each other with ordinary gaps, in the upright frame of their direction."""

    x0: float
    y0: float
    x1: float
    y1: float
    words: range
    letters: int
    length: int
    middle: float
    height: float
    marker: bool = False  # a bullet, a number or a label like "Item 7." and nothing else
    leftward: bool = False  # written from right to left
    number: int = -1  # if it is a number of up to three digits and nothing else
    lower: bool = False  # whether it begins with a small letter
    broken: bool = False  # whether it ends in a hyphen

    def is_word(self) -> bool:
        """Whether most of it are letters, and it is more than one character."""
        return 2 * self.letters > self.length > 1


@dataclass(slots=True)
class _Line:
    """`runs` are words with one space between them, `gaps` the spaces before each run, 0 for the first."""

    runs: list[range]
    gaps: list[int]
    region: int
    turn: int
    column: tuple[float, float]
    margin: bool = False


@dataclass(slots=True, eq=False)
class _Words:
    """Word i is the glyphs `first[i]:end[i]`."""

    first: NDArray[np.int64]
    end: NDArray[np.int64]


def lay_out(glyphs: Glyphs, width: float, height: float) -> Lines:
    """Lines in reading order. `width` and `height` are the page's as shown, in points."""
    lines: list[_Line] = []
    firsts: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    ends: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    region = base = 0
    counts = np.bincount(glyphs.turn + 1, minlength=5).tolist()  # of turns -1 to 3
    for turn in sorted((t for t in range(-1, 4) if counts[t + 1]), key=lambda t: -counts[t + 1]):
        members = np.flatnonzero(glyphs.turn == turn)
        flow = _upright(glyphs.boxes[members], turn, width, height)
        words, segments = _segments(glyphs, members, flow, base)
        firsts.append(words.first)
        ends.append(words.end)
        base += len(words.first)
        if turn == -1:  # oblique text, as a watermark, has no rows: it comes as it was written
            for s in segments:
                lines.append(_Line([s.words], [0], region, turn, (s.x0, s.x1)))
                region += 1
        else:
            segments, numbers = _margin_numbers(segments)
            segments, over = _drawn_over(segments)
            numbers += over
            for band, column in _columns(segments, *_extent(segments), 0):
                lines += _lines_of(_rows(band), region, turn, column)
                region += 1
            lines += [_Line([s.words], [0], region, turn, (s.x0, s.x1), margin=True) for s in numbers]
            region += 1
    return _render(lines, glyphs, _Words(np.concatenate(firsts), np.concatenate(ends)))


def _upright(boxes: NDArray[np.float64], turn: int, width: float, height: float) -> NDArray[np.float64]:
    x0, y0, x1, y1 = boxes.T
    if turn == 1:
        return np.stack((y0, width - x1, y1, width - x0), axis=1)
    if turn == 2:
        return np.stack((width - x1, height - y1, width - x0, height - y0), axis=1)
    if turn == 3:
        return np.stack((height - y1, x0, height - y0, x1), axis=1)
    return boxes


# Words and segments


def _segments(
    glyphs: Glyphs, members: NDArray[np.intp], flow: NDArray[np.float64], base: int
) -> tuple[_Words, list[_Segment]]:
    """Cuts the characters into words, numbered from `base`, and chains words that follow each other."""
    x0, y0, x1, y1 = flow.T
    codes = glyphs.codes[members]
    leftward = _leftward(codes)
    same_line, gap = _neighbours(members, flow, leftward)
    before = glyphs.before[members]
    is_space = _spaces(before, same_line, gap)
    starts = np.flatnonzero(is_space | ~same_line)
    chained = (same_line & (gap < 1.1))[starts]
    chained[:1] = False
    starts, chained = _join_spaced_letters(starts, chained, len(members), codes, gap)
    stops = np.concatenate((starts[1:], [len(members)]))
    words = _Words(members[starts].astype(np.int64), (members[stops - 1] + 1).astype(np.int64))
    letters = _letter_mask(codes).astype(np.int32)
    leftward_letters = leftward.astype(np.int32)
    heads = np.flatnonzero(~chained)  # the first word of each segment
    begins = starts[heads]
    ends = np.concatenate((heads[1:], [len(starts)]))
    word_counts = ends - heads
    lengths = np.diff(np.concatenate((begins, [len(members)]))) + word_counts - 1
    columns = (
        np.minimum.reduceat(x0, begins),
        np.minimum.reduceat(y0, begins),
        np.maximum.reduceat(x1, begins),
        np.maximum.reduceat(y1, begins),
        np.add.reduceat(letters, begins),
        np.add.reduceat(leftward_letters, begins),
        lengths,
        heads + base,
        ends + base,
    )
    characters = _characters(codes)
    word_starts, word_stops = starts.tolist(), stops.tolist()
    segments = []
    for left, top, right, bottom, n, back, length, i, j in zip(*(c.tolist() for c in columns), strict=True):
        marker, number = False, -1
        if length <= 14 and j - i <= 2:
            text = characters[word_starts[i - base] : word_stops[i - base]]
            if j - i == 2:
                text = f"{text} {characters[word_starts[j - 1 - base] : word_stops[j - 1 - base]]}"
            marker = is_marker(text)
            number = int(text) if len(text) <= 3 and text.isascii() and text.isdigit() else -1
        sizes = (n, length, (top + bottom) / 2, bottom - top)
        lower = characters[word_starts[i - base]].islower()
        broken = characters[word_stops[j - 1 - base] - 1] in "-\u2010"
        s = _Segment(
            left, top, right, bottom, range(i, j), *sizes, marker, 2 * back > n, number, lower, broken
        )
        segments.append(s)
    return words, segments


def _characters(codes: NDArray[np.uint32]) -> str:
    """One character a code; U+FFFD for a code that is none."""
    points = codes.astype("<u4")
    points[(points > 0x10FFFF) | ((points >= 0xD800) & (points < 0xE000))] = 0xFFFD
    return points.tobytes().decode("utf-32-le")


def _neighbours(
    members: NDArray[np.intp], flow: NDArray[np.float64], leftward: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """For each character: whether it goes on the line of the one before, and the gap to it in em."""
    x0, y0, x1, y1 = flow.T
    size = np.maximum(y1 - y0, 0.1)
    smaller = np.minimum(size[1:], size[:-1])
    overlap = np.minimum(y1[1:], y1[:-1]) - np.maximum(y0[1:], y0[:-1])
    gap = np.zeros(len(members))
    gap[1:] = (x0[1:] - x1[:-1]) / (_EM * smaller)
    same_line = np.zeros(len(members), bool)
    # Neighbours in the content stand on one line if they overlap by half; a step back is a new line.
    same_line[1:] = (overlap > 0.5 * smaller) & (gap[1:] > -1.5) & (np.diff(members) == 1)
    same_line[1:] &= x0[1:] > x0[:-1] - 0.5 * _EM * smaller
    other_size = np.maximum(size[1:], size[:-1]) > _LARGER * smaller
    if other_size.any():
        same_line[1:] &= ~other_size | _beside_initial(size)
    if leftward.any():
        # pdfium gives such text in the order it is read: the next character stands to the left.
        back = np.zeros(len(members), bool)
        back[1:] = (leftward[1:] | leftward[:-1]) & (x0[1:] < x0[:-1])
        reverse = np.zeros(len(members))
        reverse[1:] = (x0[:-1] - x1[1:]) / (_EM * smaller)
        near = np.zeros(len(members), bool)
        near[1:] = (overlap > 0.5 * smaller) & (np.diff(members) == 1) & (abs(reverse[1:]) < 3)
        gap = np.where(back, reverse, gap)
        same_line = np.where(back, near, same_line)
    return same_line, gap


def _leftward(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Hebrew and Arabic letters with their presentation forms."""
    if not len(codes) or codes.max() < 0x590:
        return np.zeros(len(codes), bool)
    found: NDArray[np.bool_] = ((codes >= 0x590) & (codes <= 0x8FF)) | ((codes >= 0xFB1D) & (codes <= 0xFEFC))
    return found


_LARGER = 2.2  # times the size: what follows is drawn over the line, and no part of it


def _beside_initial(size: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Between which neighbours one is a lone large letter, which begins a paragraph over two lines."""
    even = np.abs(np.diff(size)) < 0.1 * np.minimum(size[1:], size[:-1])
    lone = ~np.append(even, False) & ~np.append(False, even)
    larger_after = size[1:] > size[:-1]
    found: NDArray[np.bool_] = np.where(larger_after, lone[1:], lone[:-1])
    return found


_EM = 0.87  # of the height of a character's box, which holds ascent and descent


def _spaces(
    before: NDArray[np.uint8], same_line: NDArray[np.bool_], gap: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Where a word ends. A space glyph pulled back to nothing is none; a wide gap without one is a space."""
    real = same_line & (before == BREAK_SPACE)
    # An italic's box may reach over its neighbours, which hides part of the gaps around it.
    slanted = np.zeros(len(gap), bool)
    slanted[1:] = gap[:-1] < -0.08
    slanted[:-1] |= same_line[1:] & (gap[1:] < -0.08)
    inside = same_line & (before == BREAK_NONE)
    found: NDArray[np.bool_] = inside & (gap > 0.28)
    # pdfium measures from where letters begin and is mostly right, but for what it takes for a line's end.
    guessed = same_line & (before == BREAK_GENERATED) & ((gap > 0.02) | ((gap > -0.08) & slanted))
    guessed |= same_line & (before == BREAK_LINE) & ((gap > 0.12) | ((gap > 0.03) & slanted))
    wide = np.flatnonzero(inside & (gap > 0.06))
    if len(wide) > 3:
        guessed[_among_even(np.flatnonzero(guessed), inside, gap)] = False
    # Where letters are drawn together, a gap of a tenth stands for a space.
    for i in wide[gap[wide] > 0.1].tolist():
        beside = gap[[i - 2, i - 1, i + 1, i + 2]] if 1 < i < len(gap) - 2 else gap[:1]
        found[i] |= bool((beside < -0.03).all())
    found |= guessed
    # If most space glyphs seem to have no width, it is the font's widths that are wrong.
    trustworthy = not real.any() or _median_above(gap[real], 0.08)
    found |= real & ((gap > 0.03) | slanted) if trustworthy else real
    return found


def _among_even(
    guesses: NDArray[np.intp], inside: NDArray[np.bool_], gap: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Those of the guessed spaces that are no wider than the gaps `inside` words around them: the text under
    a scanned page is often set in a font of other widths, letter by letter."""
    beside = np.clip(np.stack((guesses - 2, guesses - 1, guesses + 1, guesses + 2)), 0, max(len(gap) - 1, 0))
    least = np.where(inside[beside], gap[beside], np.inf).min(axis=0, initial=np.inf)
    even: NDArray[np.bool_] = np.isfinite(least) & (least > 0.6 * gap[guesses])
    return np.compress(even, guesses)


def _median_above(values: NDArray[np.float64], limit: float) -> bool:
    """Whether the median is above the limit. Counting tells it but where the halves are even."""
    above = int(np.count_nonzero(values > limit))
    if 2 * above != len(values):
        return 2 * above > len(values)
    low, high = np.sort(values)[above - 1 : above + 1]
    return float((low + high) / 2) > limit


def _join_spaced_letters(
    starts: NDArray[np.intp],
    chained: NDArray[np.bool_],
    count: int,
    codes: NDArray[np.uint32],
    gap: NDArray[np.float64],
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Makes words of letters set apart for emphasis ("B E T W E E N"): four or more with even gaps."""
    lengths = np.diff(np.concatenate((starts, [count])))
    single = (lengths == 1) & _letter_mask(codes[starts])
    keep = np.ones(len(starts), bool)
    i = 0
    positions = np.flatnonzero(single).tolist()
    while i < len(positions):
        j = i
        while j + 1 < len(positions) and positions[j + 1] == positions[j] + 1 and chained[positions[j + 1]]:
            j += 1
        if j - i >= 3:
            inner = [float(gap[starts[k]]) for k in positions[i + 1 : j + 1]]
            usual = sorted(inner)[len(inner) // 2]
            even = [0.5 * usual < g < 2.2 * usual for g in inner]
            if sum(even) >= 0.6 * len(even):
                for k, joined in zip(positions[i + 1 : j + 1], even, strict=True):
                    keep[k] = not joined
        i = j + 1
    return starts[keep], chained[keep]


def _letter_mask(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    lower = codes | 0x20
    found: NDArray[np.bool_] = ((lower >= 97) & (lower <= 122)) | (codes >= 0xC0)
    return found


# Columns

_COLUMN_ROWS = 5  # fewer lines beside each other may be a river of blanks in justified text


def _extent(segments: Sequence[_Segment]) -> tuple[float, float]:
    return min((s.x0 for s in segments), default=0.0), max((s.x1 for s in segments), default=0.0)


def _columns(
    segments: list[_Segment], left: float, right: float, depth: int
) -> list[tuple[list[_Segment], tuple[float, float]]]:
    """Splits segments into groups in reading order, each with the column it stands in."""
    gutter = _gutter(segments, left, right) if depth < 3 and len(segments) >= 8 else None
    if gutter is None:
        return _side_heads(segments, left, right)
    rows = _figure_rows(segments, gutter) + _cells_beside(segments, gutter) + _running_rows(segments, gutter)
    across = {id(s) for row in rows for s in row}
    crossing = [s for s in segments if s.x0 < gutter < s.x1 or id(s) in across]
    crossing.sort(key=lambda s: s.middle)
    cuts = [s.middle for s in crossing]
    bands: list[list[_Segment]] = [[] for _ in range(len(cuts) + 1)]
    for s in segments:
        if not (s.x0 < gutter < s.x1 or id(s) in across):
            bands[bisect_left(cuts, s.middle)].append(s)
    parted = [([s for s in band if s.x1 <= gutter], [s for s in band if s.x0 >= gutter]) for band in bands]
    prose = [_prose_beside(lhs, rhs, left, right) for lhs, rhs in parted]
    if across:  # what is left between tables must be columns by itself
        prose = [rows if rows >= _COLUMN_ROWS else 0 for rows in prose]
    if sum(prose) < _COLUMN_ROWS:
        return _side_heads(segments, left, right)
    groups: list[tuple[list[_Segment], tuple[float, float]]] = []
    whole: list[_Segment] = []
    for i, (lhs, rhs) in enumerate(parted):
        if prose[i]:
            if whole:
                groups += _side_heads(whole, left, right)
                whole = []
            groups += _columns(lhs, left, max(s.x1 for s in lhs), depth + 1)
            groups += _columns(rhs, min(s.x0 for s in rhs), right, depth + 1)
        else:
            whole += bands[i]
        if i < len(crossing):
            whole.append(crossing[i])
    if whole:
        groups += _side_heads(whole, left, right)
    return groups


def _figure_rows(segments: list[_Segment], gutter: float) -> list[list[_Segment]]:
    """Rows of a table that goes across the columns: three or more below each other with a label on the left
    of the gutter and nothing but figures (or a dash) on its right; and the column heads above them."""
    found: list[list[_Segment]] = []
    if sum([s.x0 >= gutter and not s.is_word() for s in segments]) < 3:
        return found
    rows = [*_rows(segments), []]
    begin = labels = 0
    for i, row in enumerate(rows):
        right = [s for s in row if s.x0 >= gutter]
        across = len(right) + sum([s.x1 <= gutter for s in row]) < len(row)
        if right and not across and not any(map(_Segment.is_word, right)):
            labels += len(right) < len(row)
            continue
        if labels >= 3:
            found += rows[_with_heads(rows, begin, gutter) : i]
        begin, labels = i + 1, 0
    return found


def _cells_beside(segments: list[_Segment], gutter: float) -> list[list[_Segment]]:
    """What is of one row with something that goes across the gutter, if that row has three cells or more."""
    found = []
    ordered = sorted(segments, key=_MIDDLE)
    middles = [s.middle for s in ordered]
    for cell in [s for s in segments if s.x0 < gutter < s.x1]:
        near = 0.4 * cell.height
        around = ordered[bisect_left(middles, cell.middle - near) : bisect_right(middles, cell.middle + near)]
        row = [s for s in around if abs(s.middle - cell.middle) < near]
        if len(row) > 2:
            found.append(row)
    return found


def _running_rows(segments: list[_Segment], gutter: float) -> list[list[_Segment]]:
    """The first and last row if they have something on both sides, far from the rest, and are mostly empty:
    running heads and feet are no part of the columns."""
    found = []
    for edge in (min(segments, key=_MIDDLE), max(segments, key=_MIDDLE)):
        near = 0.5 * edge.height
        row = [s for s in segments if abs(s.middle - edge.middle) < near]
        left = [s for s in row if s.x1 <= gutter]
        if not left or len(left) == len(row):
            continue
        x0, x1 = _extent(row)
        top, bottom = min(s.y0 for s in row), max(s.y1 for s in row)
        apart = all(
            s.y0 > bottom + edge.height or s.y1 < top - edge.height
            for s in segments
            if abs(s.middle - edge.middle) >= near
        )
        if apart and sum(s.x1 - s.x0 for s in row) < 0.6 * (x1 - x0):
            found.append(row)
    return found


def _with_heads(rows: list[list[_Segment]], begin: int, gutter: float) -> int:
    """Where the table whose figures begin with row `begin` does: at its column heads, which are several on
    the right or one that stands alone there; up to two rows of labels may follow them."""
    at = begin
    while at and rows[at][0].y0 - rows[at - 1][0].y1 < 1.3 * rows[at - 1][0].height:
        at -= 1
        right = sum(s.x0 >= gutter for s in rows[at])
        if right > 1 or (right == 1 and len(rows[at]) == 1):
            begin = at
        elif right or begin - at > 2:
            break
    return begin


_STEPS = np.arange(200.0)


def _gutter(segments: list[_Segment], left: float, right: float) -> float | None:
    """The x that fewest segments cross while both sides hold many, or None if there is no clear one."""
    width = right - left
    if not 150 <= width < 1e5:
        return None
    x0 = np.array([s.x0 for s in segments])
    x1 = np.array([s.x1 for s in segments])
    begin, end = left + 0.25 * width, left + 0.75 * width
    xs = _STEPS * ((end - begin) / 199) + begin
    on_left = np.searchsorted(np.sort(x1), xs - 3, side="right")
    on_right = len(segments) - np.searchsorted(np.sort(x0), xs + 3, side="left")
    crossing = len(segments) - on_left - on_right
    possible = (on_left >= 4) & (on_right >= 4) & (crossing < np.minimum(on_left, on_right))
    if not possible.any():
        return None
    cost = np.where(possible, crossing, len(segments) + 1)
    best = np.flatnonzero(cost == cost.min())
    return float(xs[best[len(best) // 2]])


def _side_heads(
    segments: list[_Segment], left: float, right: float
) -> list[tuple[list[_Segment], tuple[float, float]]]:
    """Headings in a narrow column left of the text: each goes before the lines beside and below it."""
    whole = [(segments, (left, right))]
    width = right - left
    if len(segments) < 8 or width < 150:
        return whole
    body = max(segments, key=lambda s: s.x1 - s.x0).x0  # the text's left side: that of its longest line
    heads = [s for s in segments if s.x1 < body - 4]
    text = [s for s in segments if s.x0 > body - 4]
    if not 0.08 * width < body - left < 0.4 * width or len(heads) + len(text) < len(segments):
        return whole
    if not heads or any(s.marker or s.number >= 0 or s.letters < 0.6 * s.length for s in heads):
        return whole
    text_rows, head_rows = _rows(text), _rows(heads)
    flush = sum(row[0].x0 < body + 4 for row in text_rows)
    if len(text_rows) < 6 or len(head_rows) > 0.6 * len(text_rows) or flush < 0.6 * len(text_rows):
        return whole
    if not _prose_rows(text, body, right):
        return whole
    blocks: list[list[_Segment]] = []
    for row in head_rows:
        gap = row[0].y0 - blocks[-1][-1].y1 if blocks else np.inf
        if gap < row[0].height:
            blocks[-1] += row
        else:
            blocks.append(list(row))
    tops = [min(s.y0 for s in block) - 0.4 * block[0].height for block in blocks]
    groups: list[tuple[list[_Segment], tuple[float, float]]] = []
    for i in range(-1, len(blocks)):
        low = tops[i] if i >= 0 else -np.inf
        high = tops[i + 1] if i + 1 < len(blocks) else np.inf
        if i >= 0:
            groups.append((blocks[i], (left, body)))
        beside = [s for s in text if low <= s.y0 < high]
        if beside:
            groups.append((beside, (body, right)))
    return groups


def _margin_numbers(segments: list[_Segment]) -> tuple[list[_Segment], list[_Segment]]:
    """Takes out numbers that count the lines in a margin: eight or more, outside of all else."""
    numbers = sorted((s for s in segments if s.number >= 0), key=lambda s: s.middle)
    rest = [s for s in segments if s.number < 0]
    if len(numbers) < 8 or not rest:
        return segments, []
    left, right = _extent(rest)
    for outside in ([s for s in numbers if s.x1 < left], [s for s in numbers if s.x0 > right]):
        steps = [b.number - a.number for a, b in pairwise(outside)]
        if (
            len(outside) >= 8
            and steps.count(max(set(steps), key=steps.count)) >= 0.8 * len(steps)
            and min(steps) > 0
        ):
            taken = set(map(id, outside))
            return [s for s in segments if id(s) not in taken], outside
    return segments, []


_FEW_LETTERS = 20


def _drawn_over(segments: list[_Segment]) -> tuple[list[_Segment], list[_Segment]]:
    """Takes out words in a large size that lie over lines of others, as watermarks do."""
    if len(segments) < 3:
        return segments, []
    heights = sorted([s.height for s in segments])
    usual = heights[len(heights) // 2]
    if heights[-1] < _LARGER * usual:
        return segments, []
    over = []
    for s in segments:
        if s.height < _LARGER * usual or s.length < 3:
            continue
        margin = 0.1 * s.height
        under = [
            other.letters
            for other in segments
            if other.height < s.height / _LARGER
            and s.y0 + margin < other.middle < s.y1 - margin
            and min(s.x1, other.x1) - max(s.x0, other.x0) > 0.3 * min(s.x1 - s.x0, other.x1 - other.x0)
        ]
        if len(under) > 1 and sum(under) >= _FEW_LETTERS:
            over.append(s)
    taken = set(map(id, over))
    return ([s for s in segments if id(s) not in taken], over) if over else (segments, over)


def _prose_beside(lhs: list[_Segment], rhs: list[_Segment], left: float, right: float) -> int:
    """How many lines stand beside each other in two columns of prose; 0 if one is none."""
    rows = _prose_rows(lhs, left, None)
    return min(rows, _prose_rows(rhs, None, right)) if rows else 0


def _prose_rows(side: list[_Segment], left: float | None, right: float | None) -> int:
    """How many lines a column has; 0 if words do not fill them, as they do in text and not in tables."""
    if len(side) < 3:
        return 0
    letters = sum([s.letters for s in side]) / max(sum([s.length for s in side]), 1)
    if letters <= 0.6:
        return 0
    x0 = min(s.x0 for s in side) if left is None else left
    x1 = max(s.x1 for s in side) if right is None else right
    rows = _rows(side)
    filled = sum([s.x1 - s.x0 for s in side]) / (max(x1 - x0, 1.0) * len(rows))
    words = sum([len(s.words) for s in side]) / len(rows)
    # Lines of a column begin below each other; what stands right of a river of blanks does not.
    begins = sorted(row[0].x0 for row in rows)
    tried = begins[:: max(len(begins) // 12, 1)]
    flush = max(bisect_left(begins, b + 3) - bisect_right(begins, b - 3) for b in tried)
    prose = len(rows) >= 3 and flush >= 0.5 * len(rows) and filled > 0.5 and words >= 3
    return len(rows) if prose else 0


# Rows

_MIDDLE, _LEFT = attrgetter("middle"), attrgetter("x0")


def _rows(segments: list[_Segment]) -> list[list[_Segment]]:
    """Groups segments that stand at one height, top to bottom, each row left to right."""
    rows: list[list[_Segment]] = []
    spans: list[tuple[float, float]] = []
    leftward = False
    for s in sorted(segments, key=_MIDDLE):
        leftward |= s.leftward
        for k in range(len(rows) - 1, max(len(rows) - 4, -1), -1):
            top, bottom = spans[k]
            # Comparisons in place of min and max, here and below: this is the innermost loop of a page.
            shared = (bottom if bottom < s.y1 else s.y1) - (top if top > s.y0 else s.y0)
            least = bottom - top if bottom - top < s.height else s.height
            if shared > 0.5 * least and not _collides(rows[k], s):
                rows[k].append(s)
                if s.height > bottom - top:
                    spans[k] = (s.y0, s.y1)
                break
        else:
            rows.append([s])
            spans.append((s.y0, s.y1))
    for row in rows:
        if len(row) > 1:
            row.sort(key=_LEFT)
        if leftward and 2 * sum(s.leftward for s in row) > len(row):
            row.reverse()
    return rows


def _collides(row: list[_Segment], s: _Segment) -> bool:
    """Whether `s` lies over a segment of the row: then it is another line, however near."""
    for other in row:
        if other.x1 <= s.x0 or s.x1 <= other.x0:
            continue
        shared = min(other.x1, s.x1) - max(other.x0, s.x0)
        if shared > 0.5 * min(other.x1 - other.x0, s.x1 - s.x0):
            near = min(other.y1, s.y1) - max(other.y0, s.y0)
            if near < 0.8 * min(other.height, s.height):
                return True
    return False


def _lines_of(
    rows: list[list[_Segment]], region: int, turn: int, column: tuple[float, float]
) -> Iterator[_Line]:
    """A line for each row; lines that are one row of a table are written cell by cell."""
    at = 0
    for start, end in wrapped_rows(rows):
        yield from (_row_line(row, region, turn, column) for row in rows[at:start])
        cells = columns(rows[start:end]) or []
        gaps = [
            _CELL_GAP if not i else int(not cell[i - 1].broken) for cell in cells for i in range(len(cell))
        ]
        yield _Line([s.words for cell in cells for s in cell], [0, *gaps[1:]], region, turn, column)
        at = end
    yield from (_row_line(row, region, turn, column) for row in rows[at:])


def _row_line(
    row: list[_Segment],
    region: int,
    turn: int,
    column: tuple[float, float],
) -> _Line:
    gaps = [0]
    if len(row) == 1:
        return _Line([row[0].words], gaps, region, turn, column)
    prose = _is_prose_row(row)
    item = row[0].marker and (len(row) == 2 and row[1].letters > 0.5 * row[1].length)
    if row[0].marker and _is_prose_row(row[1:]):
        item = prose = True
    for k, (left, right) in enumerate(pairwise(row)):
        em = _EM * (left.height if left.height < right.height else right.height)
        apart, back = right.x0 - left.x1, left.x0 - right.x1
        gap = (apart if apart > back else back) / (em if em > 0.1 else 0.1)
        if gap < 0.12:
            spaces = 0
        elif (item and k == 0) or gap < (3.0 if prose else 1.3):
            spaces = 1
        else:
            spaces = _CELL_GAP
        gaps.append(spaces)
    return _Line([s.words for s in row], gaps, region, turn, column)


def _is_prose_row(row: list[_Segment]) -> bool:
    """Whether wide gaps in a row are those of justified text (typewriter fonts set two spaces and more)."""
    letters = length = words = 0
    filled, left, right = 0.0, np.inf, -np.inf
    for s in row:
        letters += s.letters
        length += s.length
        words += len(s.words)
        filled += s.x1 - s.x0
        left = s.x0 if s.x0 < left else left
        right = s.x1 if s.x1 > right else right
    return words >= 4 and letters > 0.65 * length and filled > 0.65 * (right - left)


# Writing out


def _render(lines: Sequence[_Line], glyphs: Glyphs, words: _Words) -> Lines:
    """Writes out the lines; characters that we put in have no box."""
    runs = [
        (run.start, len(run), gap) for line in lines for run, gap in zip(line.runs, line.gaps, strict=True)
    ]
    codes, boxes, starts, measures = write_lines(
        glyphs.codes,
        glyphs.boxes,
        glyphs.bold,
        (words.first, words.end),
        runs,
        [len(line.runs) for line in lines],
        [line.turn in (1, 3) for line in lines],
    )
    table = np.zeros((len(lines), LINE_FIELDS), np.float32)
    table[:, : BOLD + 1] = measures
    table[:, BOLD + 1 :] = [
        (1 + line.gaps.count(_CELL_GAP), line.region, line.turn, *line.column, line.margin) for line in lines
    ] or np.zeros((0, LINE_FIELDS - BOLD - 1))
    return Lines(_characters(codes), boxes, starts, table)
