"""A document as one stream of words, each with its place, and how likely a paragraph begins before it.

What only layout decides is left out or folded: running headers and footers, page numbers, bullets, quote
marks, the kind of dash, ligatures, white space. Paragraph borders are kept as evidence, not as truth: a page
break cuts paragraphs and a short line seems to end one.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from longleaf.app.compare.alignment.columns import Unit, units
from longleaf.app.compare.alignment.headers_footers import BlockId
from longleaf.ingest.document import Block, Document, Page, Span
from longleaf.ingest.text.list_markers import MARKER

_Box = tuple[float, float, float, float]

# How likely a paragraph begins before a word.
SURE, LIKELY, UNLIKELY, NEVER = 2, 1, -1, -2

_WORD = re.compile(
    r"[^\W_]+(?:(?:[.,:/'’‘■&@\u00ad\u2010\u2011\u2012\u2013-]|\u2212)[^\W_]+)*|_+|[^\w\s]", re.UNICODE
)
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"), "-")
_FOLD = str.maketrans(
    {**_DASHES, 0x2018: "'", 0x2019: "'", 0x02BC: "'", 0x00AD: None, 0x200B: None, 0xFEFF: None}
)
_LEFT_OUT = frozenset("\"'`´“”„‟«»‹›‘’‚‛-•●▪■○◦‣⁃∙·➢✓✗◻□❑❖➔►▶◆◇\ufffd")
UNKNOWN = "■"  # also what fonts show for a letter that they have not
_BULLET_BEFORE = re.compile(r"(?:^|\n|(?<=\s))([•●▪■○◦‣⁃∙·➢✓✗◻□❑*–—-]|(?<![^\n])o)[ \t]+$")
_ENDS = re.compile(r"[.;:!?][\"”’')\]]*$")
_GAP = 1.22  # a line step this much wider than usual parts paragraphs
_LEFT = 0.1  # share of the lines that begin at a column's left side, at least
_SHORT = 0.12  # of the column's width that a full line may leave free


@dataclass(frozen=True, slots=True)
class Word:
    """`key` is the word as it is compared; characters `start:end` of a page hold it."""

    key: str
    page_index: int
    start: int
    end: int


@dataclass(slots=True, eq=False)
class Stream:
    """`border[i]` is how likely a paragraph begins before word `i`; `table[i]` its table's number, or -1;
    `row[i]` the number of its row, or -1; `block[i]` its page and the number of its block there."""

    document: Document
    words: list[Word] = field(default_factory=list)
    border: list[int] = field(default_factory=list)
    table: list[int] = field(default_factory=list)
    row: list[int] = field(default_factory=list)
    block: list[BlockId] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.words)

    def add(self, word: Word, border: int, block: BlockId, table: int = -1, row: int = -1) -> None:
        self.words.append(word)
        self.border.append(border)
        self.table.append(table)
        self.row.append(row)
        self.block.append(block)

    def spans(self, start: int, end: int) -> list[Span]:
        """Where words `start:end` stand; what was left out between them parts spans."""
        found: list[Span] = []
        texts = {page.page_index: page.text for page in self.document.pages}
        for word in self.words[start:end]:
            last = found[-1] if found else None
            if last is not None and last.page_index == word.page_index and last.end <= word.start:
                between = texts[word.page_index][last.end : word.start]
                if len(between) <= 12 and not any(map(str.isalnum, between)):
                    found[-1] = Span(word.page_index, last.start, word.end)
                    continue
            found.append(Span(word.page_index, word.start, word.end))
        return [self._with_mark(span, texts[span.page_index]) for span in found]

    @staticmethod
    def _with_mark(span: Span, text: str) -> Span:
        """The span with the bullet before it and the quote marks that open and close it."""
        start, end = span.start, span.end
        bullet = _BULLET_BEFORE.search(text, max(start - 4, 0), start)
        if bullet is not None:
            start = bullet.start(1)
        if start and text[start - 1] in "“‘\"'«":
            start -= 1
        if end < len(text) and text[end] in "”’\"'»":
            end += 1
        return Span(span.page_index, start, end)

    def lines(self, start: int, end: int) -> list[Span]:
        """The lines of a table that words `start:end` stand in, whole; of other words their own places."""
        if not all(table >= 0 for table in self.table[start:end]):
            return self.spans(start, end)
        texts = {page.page_index: page.text for page in self.document.pages}
        found: dict[Span, None] = {}
        for word in sorted(self.words[start:end], key=lambda w: (w.page_index, w.start)):
            text = texts[word.page_index]
            stop = text.find("\n", word.end)
            found[
                Span(word.page_index, text.rfind("\n", 0, word.start) + 1, len(text) if stop < 0 else stop)
            ] = None
        return list(found)

    def shown(self, start: int, end: int) -> str:
        """As `text`, but of a table the whole lines."""
        if not all(table >= 0 for table in self.table[start:end]):
            return self.text(start, end)
        texts = {page.page_index: page.text for page in self.document.pages}
        return " ".join(
            " ".join(texts[s.page_index][s.start : s.end].split()) for s in self.lines(start, end)
        )

    def text(self, start: int, end: int) -> str:
        """The words `start:end` as the pages print them, in one line."""
        return self.placed_text(start, end)[0]

    def placed_text(self, start: int, end: int) -> tuple[str, list[int]]:
        """The text of words `start:end` and where each of them begins in it; at last where it ends."""
        texts = {page.page_index: page.text for page in self.document.pages}
        made, places = "", []
        at = start
        for span in self.spans(start, end):
            page = texts[span.page_index]
            last = span.start
            made += " " if made else ""
            while (
                at < end and self.words[at].page_index == span.page_index and self.words[at].end <= span.end
            ):
                made += _one_line(page[last : self.words[at].start], made)
                places.append(len(made))
                made += page[self.words[at].start : self.words[at].end]
                last = self.words[at].end
                at += 1
            made += _one_line(page[last : span.end], made)
        return made, [*places, len(made)]


def _one_line(text: str, before: str) -> str:
    """White space as one space; none after one."""
    line = re.sub(r"\s+", " ", text)
    return line[1:] if line[:1] == " " and (not before or before[-1] == " ") else line


def stream(document: Document, left_out: frozenset[BlockId] = frozenset(), *, flow: bool = False) -> Stream:
    """`flow`: the file itself says where its paragraphs begin (DOCX, HTML, Markdown)."""
    made = Stream(document)
    tables = 0
    before: _Line | None = None
    spacing = None if flow else _Spacing(document)
    for is_table, group in groupby(
        units(document, left_out, flow=flow), key=lambda unit: unit.block.kind == "table"
    ):
        if is_table:
            before = _add_table(made, list(group), tables, before, flow=flow)
            tables += 1
            continue
        for unit in group:
            before = _add_unit(made, unit, spacing, before)
    return made


def _add_unit(made: Stream, unit: Unit, spacing: _Spacing | None, before: _Line | None) -> _Line | None:
    """Adds the words of a paragraph; returns its last word."""
    page = unit.page
    words = [w for start, end in unit.ranges for w in words_of(page.text, start, end, page.page_index)]
    if not words:
        return before
    boxes = _boxes(page, words)
    first = _Line(unit.block, page, _box(boxes[0]), words[0])
    if spacing is None:
        borders = [_flow_border(before, first)] + [NEVER] * (len(words) - 1)
    else:
        begins = spacing.between(before, first)
        borders = [min(begins, LIKELY) if unit.guessed else begins, *spacing.inside(boxes, page, unit.block)]
    made.words += words
    made.border += borders
    made.table += [-1] * len(words)
    made.row += [-1] * len(words)
    made.block += [(page.page_index, unit.number)] * len(words)
    return _Line(unit.block, page, _box(boxes[-1]), words[-1])


def _add_table(
    made: Stream,
    table: list[Unit],
    number: int,
    before: _Line | None,
    *,
    flow: bool,
) -> _Line | None:
    """Adds the words of a table line by line; returns its last word."""
    line = 0
    for unit in table:
        page, block = unit.page, unit.block
        at = block.start
        for text in page.text[block.start : block.end].split("\n"):
            words = list(words_of(page.text, at, at + len(text), page.page_index))
            for n, word in enumerate(words):
                strength = UNLIKELY if n else SURE if flow else LIKELY
                made.add(word, strength, (page.page_index, unit.number), number, line)
            if words:
                before = _Line(block, page, _box(_boxes(page, words[-1:])[0]), words[-1])
            at += len(text) + 1
            line += 1
    return before


@dataclass(frozen=True, slots=True)
class _Line:
    """A word with what is known of its line."""

    block: Block
    page: Page
    box: _Box
    word: Word


def _flow_border(before: _Line | None, here: _Line) -> int:
    """A long paragraph of a flow may be cut where we cut pages; every other border is the file's own."""
    if before is None or before.page.page_index == here.page.page_index:
        return SURE
    whole = here.block.kind != "paragraph" or before.block.kind != "paragraph"
    long = before.block.end - before.block.start > 1000
    return SURE if whole or not long else LIKELY


class _Spacing:
    """What the spaces between a document's lines say: the usual step from line to line, by letter size."""

    def __init__(self, document: Document) -> None:
        ratios: list[float] = []
        between: list[float] = []
        indents: list[bool] = []
        lefts: Counter[float] = Counter()
        for page in document.pages:
            if not len(page.boxes):
                continue
            blocks = [b for b in page.blocks if b.kind in ("paragraph", "list")]
            last: tuple[float, float] | None = None
            for block in blocks:
                tops = _line_tops(page, block)
                if len(tops) > 1:
                    first = float(page.boxes[block.start][0]) - block.box.x0
                    indents.append(0.9 * tops[0][1] < first < 6 * tops[0][1])
                    if indents[-1]:
                        lefts[round(block.box.x0)] += len(tops) - 1
                for (y0, height), (y1, _) in pairwise(tops):
                    if height > 0 and 0 < y1 - y0 < 4 * height:
                        ratios.append((y1 - y0) / height)
                if last is not None and tops and 0 < tops[0][0] - last[0] < 6 * last[1]:
                    between.append((tops[0][0] - last[0]) / last[1])
                last = tops[-1] if tops else last
        self.step = float(np.median(ratios)) if ratios else 1.2
        self.parts = float(np.median(between)) if between else self.step
        # Whether paragraphs stand apart, so that lines that do not are of one paragraph.
        self.apart = self.parts > 1.15 * self.step
        # Or whether their first lines begin further right.
        # Lines that begin at the side go on.
        self.lefts = [x for x, count in lefts.items() if count > _LEFT * lefts.total()]
        self.indents = not self.apart and 2 * sum(indents) > len(indents) > 3

    def between(self, before: _Line | None, here: _Line) -> int:
        """Of two blocks."""
        if before is None:
            return SURE
        ended = _ended(before)
        text = here.page.text[here.block.start : here.block.end]
        marked = MARKER.match(text) is not None
        lower = text[:1].islower()
        titled = before.block.kind != here.block.kind and "heading" in (before.block.kind, here.block.kind)
        same = before.page.page_index == here.page.page_index
        step = here.box[1] - before.box[1]
        height = max(before.box[3] - before.box[1], 1.0)
        if "table" in (before.block.kind, here.block.kind):
            return LIKELY
        if same and abs(step) < 0.5 * height:
            return UNLIKELY if here.box[0] >= before.box[0] else LIKELY  # a mark beside its text
        if not same or step < 0:  # of a page or a column
            if lower and not ended and not marked:
                return NEVER
            if self._short(before) and (ended or titled) and not lower:
                return SURE
            return LIKELY if ended or marked or titled else UNLIKELY
        if lower and not ended and not marked:
            return UNLIKELY
        if step > _GAP * self.step * height:
            return SURE
        if self.apart and not titled:
            if not self._short(before) and not ended:
                return UNLIKELY  # "Article 9" at the beginning of a line of a sentence
            inside = marked and not self._short(before)  # "(d)" at that of a paragraph's line
            return UNLIKELY if inside else LIKELY
        if ended and not marked and self._indented(before, here):
            return SURE
        return SURE if self._short(before) and ended else LIKELY

    def inside(self, boxes: NDArray[np.float64], page: Page, block: Block) -> list[int]:
        """Of each two words of a block."""
        before, here = boxes[:-1], boxes[1:]
        heights = np.maximum(before[:, 3] - before[:, 1], 1.0)
        steps = here[:, 1] - before[:, 1]
        never = (np.abs(steps) < 0.5 * heights) & (here[:, 0] > before[:, 0])
        if self.apart:
            never |= (steps > 0) & (steps < 1.08 * self.step * heights)
        if self.indents:
            never |= float(page.boxes[block.start][0]) - here[:, 0] > 0.9 * heights
            never |= np.isin(here[:, 0].round(), self.lefts)
        found: list[int] = np.where(never, NEVER, UNLIKELY).tolist()
        return found

    @staticmethod
    def _indented(before: _Line, here: _Line) -> bool:
        """Whether a block's first line begins further right than the lines around it."""
        height = here.box[3] - here.box[1]
        tops = (
            here.block.box.x0 if here.block.box.y1 - here.block.box.y0 > 2 * height else before.block.box.x0
        )
        return 0.9 * height < here.box[0] - tops < 6 * height

    @staticmethod
    def _short(line: _Line) -> bool:
        """Whether the last line of a block ends well before its side."""
        width = line.block.box.x1 - line.block.box.x0
        return width > 0 and line.box[2] < line.block.box.x1 - _SHORT * width


def _ended(line: _Line) -> bool:
    text = line.page.text[line.block.start : line.block.end].rstrip()
    return _ENDS.search(text) is not None


def _line_tops(page: Page, block: Block) -> list[tuple[float, float]]:
    """The top and the height of each line of a block."""
    boxes = page.boxes[block.start : block.end]
    boxes = boxes[np.isfinite(boxes).all(axis=1)]
    if not len(boxes):
        return []
    tops: list[tuple[float, float]] = []
    x = boxes[:, 0]
    heights = boxes[:, 3] - boxes[:, 1]
    breaks = np.flatnonzero((np.diff(boxes[:, 1]) > 0.5 * heights[:-1]) & (np.diff(x) < 0)) + 1
    for i in [0, *breaks.tolist()]:
        tops.append((float(boxes[i, 1]), float(heights[i])))
    return tops


def _boxes(page: Page, words: list[Word]) -> NDArray[np.float64]:
    """From each word's first character's left to its last one's lower right."""
    firsts = page.boxes[[word.start for word in words]]
    lasts = page.boxes[[word.end - 1 for word in words]]
    boxes = np.stack([firsts[:, 0], lasts[:, 1], lasts[:, 2], lasts[:, 3]], axis=1).astype(np.float64)
    boxes[~np.isfinite(boxes).all(axis=1)] = 0.0
    return boxes


def _box(row: NDArray[np.float64]) -> _Box:
    x0, y0, x1, y1 = row.tolist()
    return x0, y0, x1, y1


def words_of(text: str, start: int = 0, end: int | None = None, page_index: int = 0) -> Iterator[Word]:
    """The words of a piece of text as they are compared."""
    last = ""
    for match in _WORD.finditer(text, start, len(text) if end is None else end):
        key = fold(match[0])
        if match[0] == UNKNOWN and match.start() > start and not text[match.start() - 1].isspace():
            key = UNKNOWN
        if not key or (key == "_" and last == "_"):
            continue
        begins = match.start() == start and (
            key in ("o", "*") or unicodedata.category(key[0]) in ("So", "Co")
        )
        if begins and len(match[0]) == 1 and text[match.end() : match.end() + 1].isspace():
            continue  # a bullet
        last = key
        yield Word(key, page_index, match.start(), match.end())


@lru_cache(1 << 16)
def fold(word: str) -> str:
    """The word as it is compared; empty for what only layout decides."""
    if word in _LEFT_OUT:
        return ""
    if word[0] == "_":
        return "_"
    folded = unicodedata.normalize("NFKC", word).translate(_FOLD)
    return "" if folded in _LEFT_OUT or not folded else folded
