"""Every table of figures in a report: its unit, its columns with their periods, its rows with their parents.

A page is read line by line. Lines of years, dates and words of comparison head the rows below them; a row is
a label with figures at its end; a line without figures is the heading of the rows below, or the first part of
a label that was wrapped. Figures are put under the column heads by where they stand; where a page has no
places, by order, if a row has as many figures as there are columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from longleaf.app.facts.figures.column_heads import Column, is_head, place, read_columns, scale_of
from longleaf.ingest.document import Document, Page, Span

_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+"
_SIGN = r"(?:US\$|[$€£¥])"
_CELL = re.compile(
    rf"(?P<open>\(\s*)?(?P<minus>[-−–]\s?)?(?P<sign>{_SIGN}\s*)?(?P<open2>\(\s*)?(?P<digits>{_DIGITS})"
    r"(?P<percent>\s*%)?(?P<close>\s*\))?(?P<percent2>\s*%)?(?![\w,])|"
    rf"(?P<none>(?:{_SIGN}\s*)?(?:[—–-]+|\bnil\b)(?:\s*%)?|\b(?:NM|N/M|n\.m\.|nm|N/A|n/a)\b"
    rf"|#(?:\s*%)?)(?=\s|$)"
)
_NOTE = re.compile(r"\([a-z]{1,2}\)|\*+|†|‡", re.IGNORECASE)
_FILLER = re.compile(rf"(?:\s+|{_SIGN}(?=\s)|:)")
_WORD = re.compile(r"\([^()]*[A-Za-z][^()]*\)\S*|\S+")
_GOES_ON = re.compile(r"\b(?:of|and|or|to|less|was|due|at|in)\s$|[,–—-]\s$", re.IGNORECASE)
_FIGURE_LINE = re.compile(r"[\d)%—–-]\s*$", re.MULTILINE)
_FIGURE_LINES = 2  # that make it worth looking for a table
_LINE = 400  # characters: a longer line is no row
_HEADING = 130
_HEADS = 8  # lines that may head a table
_JOINED = re.compile(
    r"(?:\b(?:of|and|or|the|by|to|for|in|from|with|on|less|net|at|per|including)|[,(–—-])$", re.I
)
_PROSE_LINES = 4
_PROSE = re.compile(r"[.;]$|\.\s+[A-Z]")


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure as it stands: `value` is without scale, None for "NM"; a dash is nought."""

    value: Decimal | None
    text: str
    percent: bool
    sign: str
    start: int  # characters of the page's text
    end: int
    x0: float
    x1: float
    dash: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """`parents` are the headings it stands under, the nearest last; `cells` has one place a column."""

    label: str
    parents: tuple[str, ...]
    start: int
    end: int
    cells: tuple[Cell | None, ...]

    @property
    def full(self) -> str:
        """The label after the heading above it: a label that was wrapped, or an indented child's name."""
        return f"{self.parents[-1].rstrip(' :')} {self.label}".strip() if self.parents else self.label


@dataclass(frozen=True, slots=True)
class Table:
    """`title` are the lines above the column heads; `head` runs from the last of them to the heads."""

    page: Page
    title: tuple[str, ...]
    head: Span
    scale: str  # "thousand", "million", "billion", or "" where nothing is said
    currency: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    label: str
    start: int
    end: int
    cells: tuple[Cell, ...]
    x: float  # where its text begins


def read_tables(document: Document) -> list[Table]:
    """The tables of all pages in reading order."""
    return [table for page in document.pages for table in _page_tables(page)]


def _page_tables(page: Page) -> Iterator[Table]:
    if len(_FIGURE_LINE.findall(page.text)) < _FIGURE_LINES:
        return
    above: list[tuple[int, int]] = []  # lines since the last row
    heads: list[tuple[int, int]] = []
    rows: list[_Line] = []
    table_heads: list[tuple[int, int]] = []
    table_above: list[tuple[int, int]] = []
    for start, end in _lines(page.text):
        line = page.text[start:end]
        if is_head(line):
            heads.append((start, end))
            continue
        parsed = _parse(page, start, end)
        if parsed.cells and len(heads) > 0 and _heads_columns(page, heads):
            if rows:
                yield from _table(page, table_above, table_heads, rows)
            rows, table_heads = [], heads
            table_above = [a for a in above if a[0] < heads[0][0]][-_HEADS:]
            between = [a for a in above if a[0] > heads[0][0]]
            rows.extend(_parse(page, *piece) for piece in between)
            heads, above = [], []
        elif not parsed.cells:
            above.append((start, end))
        if parsed.cells:
            above = []
            heads = []
        if table_heads and start >= table_heads[0][0]:
            rows.append(parsed)
    if rows:
        yield from _table(page, table_above, table_heads, rows)


def _heads_columns(page: Page, heads: Sequence[tuple[int, int]]) -> bool:
    return bool(read_columns(page, heads))


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in re.finditer(r"\n|$", text):
        if match.start() - start > 0 and text[start : match.start()].strip():
            yield start, match.start()
        start = match.end()


def _parse(page: Page, start: int, end: int) -> _Line:
    """The label and the figures at the end of a line."""
    line = page.text[start:end]
    x = place(page, start, min(end, start + 3))[0]
    if len(line) > _LINE:
        return _Line(line, start, end, (), x)
    spans = list(_cells_at_end(line))
    if not spans:
        return _Line(" ".join(line.split()), start, end, (), x)
    cells = tuple(_cell(page, start, match) for match in spans)
    label = " ".join(_NOTE_AT_END.sub("", line[: spans[0].start()]).split()).rstrip(" :$.…_")
    return _Line(label, start, end, cells, x)


_NOTE_AT_END = re.compile(r"(?:\s|\.{3,}|…)+$")


def _cells_at_end(line: str) -> list[re.Match[str]]:
    """The run of figures that ends the line."""
    run: list[re.Match[str]] = []
    position = 0
    while position < len(line):
        if (skip := _FILLER.match(line, position)) or (run and (skip := _NOTE.match(line, position))):
            position = skip.end()
            continue
        before = line[position - 1] if position else " "
        match = _CELL.match(line, position) if before in " \t$€£:…." or run else None
        if match and match["close"] and not (match["open"] or match["open2"]):
            match = None
        if match:
            run.append(match)
            position = match.end()
            continue
        run = []
        word = _WORD.match(line, position)
        position = word.end() if word else position + 1
    if len(run) == 1 and run[0]["none"] and not re.search(r"\s\s$|[$€£¥]\s*$", line[: run[0].start()]):
        return []  # a dash within a label that was wrapped
    return run


def _cell(page: Page, base: int, match: re.Match[str]) -> Cell:
    start, end = base + match.start(), base + match.end()
    x0, x1 = place(page, start, end)
    text = match.group(0).strip()
    sign = (match["sign"] or "").strip() or (re.match(_SIGN, text) or [""])[0]
    before = page.text[max(base, start - 5) : start].rstrip()
    sign = sign or (before[-1:] if before[-1:] in "$€£¥" else "")
    if match["none"]:
        dash = bool(re.search(r"[—–-]|nil", text))
        return Cell(Decimal(0) if dash else None, text, "%" in text, sign, start, end, x0, x1, dash)
    value = Decimal(match["digits"].replace(",", ""))
    # Brackets and per cent signs may hang over: it is the digits that stand one under the other.
    x1 = place(page, base + match.start("digits"), base + match.end("digits"))[1]
    if match["open"] or match["open2"] or match["minus"]:
        value = -value
    percent = bool(match["percent"] or match["percent2"])
    return Cell(value, text, percent, sign, start, end, x0, x1)


# --- putting a table together ---------------------------------------------------------------------------


def _table(
    page: Page, above: Sequence[tuple[int, int]], heads: Sequence[tuple[int, int]], lines: Sequence[_Line]
) -> Iterator[Table]:
    columns = read_columns(page, heads)
    rows = tuple(_rows(page, lines, columns))
    if not columns or not rows:
        return
    start = above[-1][0] if above else heads[0][0]
    title = tuple(" ".join(page.text[a:b].split()) for a, b in above if b - a <= _HEADING)
    head_text = " ".join(page.text[a:b] for a, b in heads)
    scale = scale_of(head_text)
    for a, b in reversed(above):
        scale = scale or scale_of(page.text[a:b])
        if scale and page.text[a:b] and scale_of(page.text[a:b]):
            start = min(start, a)
            break
    first_row = next((line.start for line in lines if line.cells), heads[-1][1])
    scale = scale or scale_of(page.text[heads[0][0] : first_row]) or scale_of(page.text[: heads[0][0]][:600])
    signs = [cell.sign for row in rows for cell in row.cells if cell and cell.sign]
    currency = (
        signs[0] if signs else ("$" if re.search(r"\$|dollar", head_text + " ".join(title), re.I) else "")
    )
    yield Table(
        page, title, Span(page.page_index, start, heads[-1][1]), scale, currency, tuple(columns), rows
    )


def _rows(page: Page, lines: Sequence[_Line], columns: Sequence[Column]) -> Iterator[Row]:
    places = _Places(columns, [line.cells for line in lines])
    stack: list[tuple[float, str]] = []
    indents: set[tuple[float, str]] = set()  # headings whose rows stand further in
    headed: tuple[float, str] | None = None
    last_heading = -1
    pending = ""  # a label's first lines
    pending_start = 0
    prose = 0
    for number, line in enumerate(lines):
        if not line.cells:
            if line.end - line.start > _HEADING or (_PROSE.search(line.label) and len(line.label) > 60):
                prose += 1
                stack, pending = [], ""
                if prose > _PROSE_LINES:
                    return  # running text: the table is over
                continue
            if pending and _continues(pending, line.label):
                pending = f"{pending} {line.label}"
            else:
                if pending:
                    _push(stack, lines[number - 1].x, pending, last_heading == number - 2)
                pending, pending_start = line.label, line.start
            last_heading = number
            continue
        line = _label_figures(page, line, len(columns))
        label, start, prose = line.label, line.start, 0
        if pending:
            if label and _continues(pending, label):
                label, start = f"{pending} {label}", pending_start
            else:
                _push(stack, lines[number - 1].x, pending, last_heading == number - 2)
                headed = stack[-1]
            pending = ""
        cells = places.under(line.cells)
        if not any(cells):
            continue
        if headed is not None and stack and stack[-1] == headed and line.x > headed[0] + 2:
            indents.add(headed)
        headed = None
        while stack and stack[-1] in indents and line.x <= stack[-1][0] + 2:
            stack.pop()
        parents = tuple(text for x, text in stack if not x > line.x + 2)
        yield Row(label, parents, start, line.end, cells)
        if re.match(r"(?:total|net\s+cash|net\s+change)\b", label, re.IGNORECASE):
            _close(stack, label)


def _label_figures(page: Page, line: _Line, count: int) -> _Line:
    """The line with the figures that belong to its label ("net of $46 and $41") as part of that."""
    cells = line.cells
    while len(cells) > count and _GOES_ON.search(page.text[line.start : cells[0].start]):
        cells = cells[1:]
    if len(cells) == len(line.cells):
        return line
    label = " ".join(page.text[line.start : cells[0].start].split()).rstrip(" :$.…_")
    return replace(line, label=label, cells=cells)


def _continues(first: str, second: str) -> bool:
    """Whether a label goes on in the next line: it breaks off, or that begins within a sentence."""
    if first.endswith(":"):
        return False
    opened = first.count("(") > first.count(")")
    return bool(opened or _JOINED.search(first) or second[:1].islower() or second[:1] == "$")


def _push(stack: list[tuple[float, str]], x: float, text: str, follows: bool) -> None:
    if np.isfinite(x):
        while stack and (stack[-1][0] > x + 1 or (abs(stack[-1][0] - x) <= 1 and not follows)):
            stack.pop()
    elif not follows:
        stack.clear()
    stack.append((x, text))
    del stack[:-4]


def _close(stack: list[tuple[float, str]], label: str) -> None:
    """A total ends the heading whose name it bears, with all under it."""
    named = set(re.findall(r"[a-z]{4,}", label.lower()))
    for number, (_, text) in enumerate(stack):
        words = set(re.findall(r"[a-z]{4,}", text.lower()))
        if words and len(words & named) >= max(1, len(words) - 1):
            del stack[number:]
            return


class _Places:
    """Which column a figure of a table stands in, seen over all its rows.

    Order decides where the rows have as many figures as there are columns; for a row with fewer, or where a
    head stands over several figures, it is where the figures end.
    """

    def __init__(self, columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> None:
        self._count = len(columns)
        self._ends: list[float] = []
        self._owner: list[int | None] = []
        filled = [row for row in rows if row]
        cells = [cell for row in filled for cell in row]
        more = sum(len(row) > self._count for row in filled)
        self._ordered = more <= max(1, len(filled) // 10)
        if cells and all(np.isfinite(cell.x1) for cell in cells):
            self._cluster(columns, cells, sorted(len(row) for row in filled)[len(filled) // 2])
        if self._owner and self._ordered:
            full = [row for row in filled if len(row) == self._count]
            agree = sum(self._by_place(row) == list(row) for row in full)
            if full and agree < 0.7 * len(full):
                self._owner = []

    def _cluster(self, columns: Sequence[Column], cells: Sequence[Cell], usual: int) -> None:
        """Figures of a column end at one place; each run of such places belongs to the head over it."""
        groups: list[list[Cell]] = []
        for cell in sorted(cells, key=lambda c: c.x1):
            if groups and cell.x1 - groups[-1][-1].x1 <= _SAME and cell.x1 - groups[-1][0].x1 <= 3 * _SAME:
                groups[-1].append(cell)
            else:
                groups.append([cell])
        many = max(len(group) for group in groups)
        solid = [group for group in groups if len(group) >= many * 0.08]
        ends = [float(np.median([cell.x1 for cell in group])) for group in solid]
        owner: list[int | None] = [None] * len(solid)
        figures = [i for i, group in enumerate(solid) if sum(c.percent for c in group) * 2 < len(group)]
        amounts = [i for i, column in enumerate(columns) if column.kind == "amount"]
        if len(solid) == self._count:
            owner = list(range(self._count))
        elif usual >= 1.8 * self._count:
            if len(figures) != len(amounts):
                return  # a head stands over several figures of different kinds
            for index, number in zip(figures, amounts, strict=True):
                owner[index] = number
        elif all(np.isfinite(column.x0) for column in columns):
            for number, column in enumerate(columns):
                best = self._nearest(solid, column)
                if best is not None:
                    owner[best] = number if owner[best] is None else _BOTH
            owner = [None if number == _BOTH else number for number in owner]
        self._ends, self._owner = ends, owner

    @staticmethod
    def _nearest(groups: Sequence[Sequence[Cell]], column: Column) -> int | None:
        best: tuple[float, int] | None = None
        for index, group in enumerate(groups):
            lo, hi = min(c.x0 for c in group), max(c.x1 for c in group)
            overlap = min(hi, column.x1) - max(lo, column.x0)
            away = abs((lo + hi) / 2 - (column.x0 + column.x1) / 2)
            if overlap > -_NEAR and (best is None or away < best[0]):
                best = (away, index)
        return best[1] if best else None

    def _by_place(self, cells: Sequence[Cell]) -> list[Cell | None]:
        found: list[Cell | None] = [None] * self._count
        for cell in cells:
            near = min(range(len(self._ends)), key=lambda i: abs(self._ends[i] - cell.x1))
            owner = self._owner[near]
            if owner is None or abs(self._ends[near] - cell.x1) > 3 * _SAME:
                continue
            if found[owner] is not None:
                return [None] * self._count
            found[owner] = cell
        return found

    def under(self, cells: Sequence[Cell]) -> tuple[Cell | None, ...]:
        if self._ordered and len(cells) == self._count:
            return tuple(cells)
        if self._owner:
            return tuple(self._by_place(cells))
        return (None,) * self._count


_SAME, _NEAR, _BOTH = 7.0, 14.0, -1
