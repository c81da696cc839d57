"""From lines to the page text that everything later points into: paragraphs, lists, tables, headings.

Inside a paragraph lines are joined by a space and broken words put together; table rows and list items keep a
line of their own. A joined word's characters keep the boxes of both lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from longleaf.ingest.document import Block, BlockKind, Box, Page
from longleaf.ingest.pdf.page_lines import RawPage, Recognized
from longleaf.ingest.structure.table_heads import head_rows
from longleaf.ingest.text.list_markers import LABEL, MARKER, is_bullet, is_numbered_title
from longleaf.ingest.text.sentences import words

_CELLS = "  "  # between two cells of one row
_NOWHERE = np.full((1, 4), np.nan, np.float32)  # the place of a character that we put in
_HYPHENS = "-\u2010\u00ad"
_LOWER_START = re.compile(r"[a-z,;)]")
_LEADER = re.compile(r"(?:\. ?){5}\s*[\w-]{1,7}$")  # a line of a table of contents
_FIRST_OF_LIST = re.compile(r"\(?(?:a|A|i|I|1)[.)]\s")
_ENDS_ITEM = re.compile(r"(?:[.;:!?—–]|\b(?:and|or))[\"”’)\]]*$")
_WORD_TAIL = re.compile(r"[^\W\d_]+$")
_WORD_HEAD = re.compile(r"[^\W\d_]+")
_HYPHENATED = re.compile(r"[^\W\d_]+-[^\W\d_]+(?:-[^\W\d_]+)*")
_WORD = re.compile(r"[^\W\d_]{2,}")
# First parts that English joins with a hyphen far more often than without one.
_KEEPS_HYPHEN = words(
    "non self co ex all cross well long short high low third first second half quasi so one two three "
    "four five six ten in on off out by pre post anti inter intra multi sub semi mid full part real "
    "fair good best day year"
)


class Hyphens:
    """Decides whether a hyphen at a line end belongs to the word, by the document's own spelling."""

    def __init__(self, pages: Iterable[RawPage]) -> None:
        self._words: dict[str, int] = {}
        self._compounds: dict[str, int] = {}
        if not any(map(_breaks_words, pages)):
            return
        # Words are looked for once in each different run without blanks, of which there are few.
        runs: Counter[str] = Counter()
        for page in pages:
            starts = page.lines.starts.tolist()
            lines = "\n".join(page.lines.text[a:b] for a, b in pairwise(starts))
            runs.update(lines.lower().split())
        for run, count in runs.items():
            for word in (run,) if run.isalpha() else _WORD.findall(run):
                self._words[word] = self._words.get(word, 0) + count
            if "-" in run:
                for compound in _HYPHENATED.findall(run):
                    self._compounds[compound] = self._compounds.get(compound, 0) + count

    def belongs(self, head: str, tail: str) -> bool:
        """Whether `head-tail`, broken after its hyphen, is written with the hyphen."""
        head, tail = head.lower(), tail.lower()
        joined, compound = self._words.get(head + tail, 0), self._compounds.get(f"{head}-{tail}", 0)
        if joined or compound:
            return compound > joined
        if head in _KEEPS_HYPHEN:
            return True
        # "long-term", "agree-ment": two words of the document make a compound, a fragment does not.
        return self._words.get(head, 0) > 1 and self._words.get(tail, 0) > 1 and len(tail) > 3


def _breaks_words(page: RawPage) -> bool:
    """Whether a line of the page ends in a hyphen."""
    text = page.lines.text
    return any(end and text[end - 1] in _HYPHENS for end in page.lines.starts[1:].tolist())


@dataclass(slots=True)
class _Row:
    index: int
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: float
    cells: int
    region: int
    turn: int
    col0: float
    col1: float
    role: str  # "body", "header" or "footer"
    table: bool = False


def compose(
    raw: RawPage, label: str, headers_footers: dict[int, str], hyphens: Hyphens, pitch: float | None = None
) -> Page:
    """The page's text, character boxes and blocks. `headers_footers` maps lines to "header" or "footer".

    `pitch` is the distance from line to line in points where it is known; else it is estimated.
    """
    rows = _rows(raw, headers_footers)
    _mark_tables(rows)
    body_size = _body_size(rows)
    texts: list[str] = []
    boxes: list[NDArray[np.float32]] = []
    blocks: list[Block] = []
    length = 0
    for group in _groups(rows, pitch):
        if length:
            texts.append("\n")
            boxes.append(_NOWHERE)
            length += 1
        text = _join(group, raw, hyphens, boxes)
        texts.append(text)
        kind = _kind(group, text, body_size)
        heads = head_rows(text.split("\n")) if kind == "table" else 0
        box = _around(group)
        confidence = _confidence(raw.recognized, box) if raw.recognized else None
        blocks.append(Block(kind, length, length + len(text), box, head_rows=heads, confidence=confidence))
        length += len(text)
    all_boxes = np.concatenate(boxes) if boxes else _NOWHERE[:0]
    return Page(raw.page_index, label, raw.width, raw.height, "".join(texts), all_boxes, tuple(blocks))


def _confidence(lines: Sequence[Recognized], box: Box) -> float:
    """The least confidence of the recognized lines whose middle is in the box."""
    inside = [
        line.confidence
        for line in lines
        if box.x0 <= (line.x0 + line.x1) / 2 <= box.x1 and box.y0 <= (line.y0 + line.y1) / 2 <= box.y1
    ]
    return min(inside, default=0.0)


def _rows(raw: RawPage, headers_footers: dict[int, str]) -> list[_Row]:
    lines = raw.lines
    starts = lines.starts.tolist()
    rows = []
    for i, values in enumerate(lines.table.tolist()):
        text = lines.text[starts[i] : starts[i + 1]]
        if not text or text.isspace():
            continue
        x0, y0, x1, y1, size, bold, cells, region, turn, col0, col1, margin = values
        role = "footer" if margin else headers_footers.get(i, "body")
        counts = int(cells), int(region), int(turn)
        rows.append(_Row(i, text, x0, y0, x1, y1, max(size, 0.1), bold, *counts, col0, col1, role))
    return rows


def _body_size(rows: Sequence[_Row]) -> float:
    exact: dict[float, int] = {}  # sizes before rounding are few too
    for row in rows:
        if row.role == "body":
            exact[row.size] = exact.get(row.size, 0) + len(row.text)
    weights: dict[float, int] = {}
    for size, length in exact.items():
        size = round(size, 1)
        weights[size] = weights.get(size, 0) + length
    return max(weights, key=weights.__getitem__, default=0.0)


def _mark_tables(rows: list[_Row]) -> None:
    """Rows of cells, and up to three short lines between them (labels that wrap, group headings)."""
    for row in rows:
        row.table = row.cells >= 2
    for i, row in enumerate(rows):
        if row.table and _is_stretched(rows, i):
            row.table = False
    last = None  # the last row of cells
    for i, row in enumerate(rows):
        if not row.table:
            continue
        if last is not None and 1 < i - last <= 4 and _is_table_inside(rows[last : i + 1]):
            for between in rows[last + 1 : i]:
                between.table = True
        last = i
    for below, row in pairwise(reversed(rows)):
        row.table = row.table or (below.table and _is_table_head(row, below))


def _is_table_head(row: _Row, below: _Row) -> bool:
    """Whether a line close above a table stands over its value columns: neither at the left nor centred."""
    width = row.col1 - row.col0
    centred = abs((row.x0 + row.x1) - (row.col0 + row.col1)) < 0.06 * width
    right = row.x0 > row.col0 + 0.35 * width and not centred
    return right and _is_near(row, below)


def _is_stretched(rows: Sequence[_Row], i: int) -> bool:
    """Whether a lone row of "cells" is a line of text: stretched to both margins or set off from its mark."""
    row = rows[i]
    above = rows[i - 1] if i and _is_near(rows[i - 1], row) else None
    below = rows[i + 1] if i + 1 < len(rows) and _is_near(row, rows[i + 1]) else None
    if (above and above.cells > 1) or (below and below.cells > 1) or not (above or below):
        return False
    if row.cells == 2 and below is not None:
        tail = row.text.rsplit(_CELLS, 1)[1]
        if len(tail.split()) >= 5 and sum(map(str.isalpha, tail)) > 0.7 * len(tail):
            return True
    beside = [r for r in (above, below) if r is not None]
    left = any(abs(r.x0 - row.x0) < 1.5 * row.size for r in beside)
    right = any(r.x1 - row.x1 < 1.5 * row.size for r in beside)
    return left and right and sum(map(str.isalpha, row.text)) > 0.6 * len(row.text)


def _is_near(above: _Row, below: _Row) -> bool:
    same = (above.region, above.role, above.turn) == (below.region, below.role, below.turn)
    return same and below.y0 - above.y1 < 1.3 * above.size


def _is_table_inside(rows: Sequence[_Row]) -> bool:
    first = rows[0]
    short = all(row.x1 - row.x0 < 0.6 * (row.col1 - row.col0) for row in rows[1:-1])
    together = all((row.region, row.role, row.turn) == (first.region, first.role, first.turn) for row in rows)
    close = all(b.y0 - a.y1 < 1.3 * max(a.size, b.size) for a, b in pairwise(rows))
    return short and together and close


def _groups(rows: Sequence[_Row], known: float | None) -> list[list[_Row]]:
    """Cuts the rows of a page into blocks: paragraphs, list items, tables, headers and footers."""
    groups: list[list[_Row]] = []
    for cluster in _clusters(rows):
        pitch = known or _pitch(cluster)
        for i, row in enumerate(cluster):
            if i and not _starts_block(cluster, i, pitch):
                groups[-1].append(row)
            else:
                groups.append([row])
    return groups


def _clusters(rows: Sequence[_Row]) -> list[list[_Row]]:
    """Runs of rows of one region and role with no large space between them."""
    clusters: list[list[_Row]] = []
    for row in rows:
        last = clusters[-1][-1] if clusters else None
        if (
            last is not None
            and (last.role, last.region, last.turn) == (row.role, row.region, row.turn)
            and (row.turn != 0 or -0.5 * row.size < row.y0 - last.y1 < 2.2 * row.size)
        ):
            clusters[-1].append(row)
        else:
            clusters.append([row])
    return clusters


def _right_side(cluster: Sequence[_Row], i: int) -> float:
    """How far right text like that of row `i` goes around it."""
    row = cluster[i]
    near = [r for r in cluster[max(i - 6, 0) : i + 7] if abs(r.size - row.size) <= 0.12 * row.size]
    # Where lines are justified a line that reaches their common side is full, whatever else is wider.
    sides = [r.x1 for r in near]
    flush = sum([abs(side - row.x1) < 1.5 for side in sides])
    return row.x1 if flush >= 3 else max(sides)


def _pitch(cluster: Sequence[_Row]) -> float:
    """The usual distance from line to line, in points; infinite for a single line."""
    steps = sorted(b.y0 - a.y0 for a, b in pairwise(cluster) if b.y0 > a.y0)
    if not steps:
        return float("inf")
    return steps[len(steps) // 3]


def _starts_block(cluster: Sequence[_Row], i: int, pitch: float) -> bool:
    before, row = cluster[i - 1], cluster[i]
    if before.table or row.table:
        return before.table != row.table
    if row.role != "body":
        return True
    if row.turn == 0 and row.y0 - before.y0 > pitch * 1.25 + 0.15 * row.size:
        return True
    if abs(row.size - before.size) > 0.12 * max(row.size, before.size) and not _LOWER_START.match(row.text):
        return True
    if (before.bold > 0.9) != (row.bold > 0.9) and abs(before.bold - row.bold) > 0.7 and _breaks(before, row):
        return True
    if "." in before.text and _LEADER.search(before.text):
        return True
    breaks = _breaks(before, row)
    marked = MARKER.match(row.text) is not None
    right = _right_side(cluster, i - 1) if breaks or marked else 0.0
    if marked and (_ENDS_ITEM.search(before.text) or before.x1 < right - 0.15 * (right - before.x0)):
        return True
    if _FIRST_OF_LIST.match(row.text) and MARKER.match(before.text) and row.x0 - before.x0 > 0.9 * row.size:
        return True  # a list within an item
    if LABEL.match(row.text) and breaks and _ENDS_ITEM.search(before.text):
        return True
    if breaks:
        first_word = row.text.split(" ", 1)[0]
        word_width = (row.x1 - row.x0) * (len(first_word) + 1) / max(len(row.text), 1)
        room = right - before.x1
        if room > word_width * 1.15 + 0.5 * row.size and (row.x1 - row.x0) < 1.1 * (right - row.x0 + 1):
            return True
        if (
            row.x0 - before.x0 > 0.9 * row.size
            and not MARKER.match(before.text)
            and _ends_sentence(before.text)
        ):
            return True
    return False


def _breaks(before: _Row, row: _Row) -> bool:
    """Whether a new block between the two lines is possible at all: not in the middle of a word or clause."""
    return not _LOWER_START.match(row.text) and not before.text.endswith((",", "-"))


def _ends_sentence(text: str) -> bool:
    return text.rstrip('"”’)] ').endswith((".", ":", ";", "!", "?"))


def _join(group: Sequence[_Row], raw: RawPage, hyphens: Hyphens, boxes: list[NDArray[np.float32]]) -> str:
    """The text of a block; the boxes of its characters are appended to `boxes`."""
    starts = raw.lines.starts
    texts: list[str] = []
    for k, row in enumerate(group):
        text = row.text
        start = int(starts[row.index])
        chars = raw.lines.boxes[start : start + len(text)]
        if not row.table and _CELLS in text:
            keep = np.array([c != " " or d != " " for c, d in zip(text, text[1:] + "x", strict=True)])
            text, chars = text.replace(_CELLS, " "), chars[keep]
        if k:
            if row.table or row.role != "body":
                glue = "\n"
            else:
                cut = _broken_word(group[k - 1].text, text, hyphens)
                if cut:
                    texts[-1] = texts[-1][:-1] if cut == 1 else texts[-1]
                    boxes[-1] = boxes[-1][:-1] if cut == 1 else boxes[-1]
                glue = "" if cut or _goes_on_unspaced(group[k - 1].text, text) else " "
            if glue:
                texts.append(glue)
                boxes.append(_NOWHERE)
        texts.append(text)
        boxes.append(chars)
    return "".join(texts)


def _goes_on_unspaced(before: str, after: str) -> bool:
    """Whether the text is of a script that sets no spaces between words: Chinese or Japanese."""
    return bool(before and after) and all(
        "\u2e80" <= c < "\ua000" or "\uff00" <= c < "\uffa0" for c in (before[-1], after[0])
    )


def _broken_word(before: str, after: str, hyphens: Hyphens) -> int:
    """0 not a broken word, 1 the hyphen goes, 2 it stays and the parts are joined."""
    if not before or before[-1] not in _HYPHENS:
        return 0
    if before[-1] == "\u00ad":
        return 1
    head, tail = _WORD_TAIL.search(before[:-1]), _WORD_HEAD.match(after)
    if head is None or tail is None:
        # "2019-\n2020", "F-\n12": one token; but a dash with a space before it is punctuation.
        return 2 if len(before) > 1 and before[-2].isalnum() and after[:1].isalnum() else 0
    if before[: head.start()].endswith(("-", "\u2010")) or after[tail.end() : tail.end() + 1] == "-":
        return 2
    if not after[0].islower():
        return 2
    return 2 if hyphens.belongs(head[0], tail[0]) else 1


def _kind(group: Sequence[_Row], text: str, body_size: float) -> BlockKind:
    first = group[0]
    if first.role == "header":
        return "header"
    if first.role == "footer":
        return "footer"
    if any(row.table for row in group):
        return "table"
    if _is_heading(group, text, body_size):
        return "heading"
    return "list" if MARKER.match(text) else "paragraph"


def _is_heading(group: Sequence[_Row], text: str, body_size: float) -> bool:
    bold = min(row.bold for row in group) > 0.9
    large = min(row.size for row in group) > 1.15 * body_size
    return is_heading_text(text, lines=len(group), bold=bold, large=large)


def is_heading_text(text: str, *, lines: int, bold: bool, large: bool) -> bool:
    """Whether a block of so many lines reads and looks like a heading; `large` is larger than the body."""
    if len(text) > 160 or lines > 3 or not any(map(str.isalpha, text)) or is_bullet(text):
        return False
    parts = text.split()
    letters = list(filter(str.isalpha, text))
    upper = sum(map(str.isupper, letters)) / len(letters)
    stops = text.rstrip().endswith((".", ";", ",", ":"))
    if lines <= 2 and is_numbered_title(text):
        return True
    if LABEL.match(text) and len(parts) <= 16 and not text.endswith((";", ",")):
        return True
    if upper > 0.85 and len(letters) >= 4 and len(parts) <= 14 and not text.endswith((";", ",")):
        return len(letters) > 0.5 * len(text.replace(" ", ""))
    return (bold or large) and len(parts) <= 18 and (not stops or MARKER.match(text) is not None)


def _around(group: Sequence[_Row]) -> Box:
    return Box(
        min([r.x0 for r in group]),
        min([r.y0 for r in group]),
        max([r.x1 for r in group]),
        max([r.y1 for r in group]),
    )
