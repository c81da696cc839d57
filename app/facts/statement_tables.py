"""Financial statements as tables: title, unit, columns with their periods, rows with their figures.

Ingest gives a table's rows as lines, cells apart by two spaces, and a box for every character. A figure
belongs to the column whose year stands above it; where a row has as many figures as there are years, order
decides, else position does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from longleaf.app.text.entities import find_dates
from longleaf.ingest.document import Document, Page, Span

_TITLES = {
    "income": re.compile(
        r"\b(?:consolidated\s+)?(?:condensed\s+)?statements?\s+of\s+(?:consolidated\s+)?(?:net\s+)"
        r"?(?:income|operations|earnings)\b|"
        r"\b(?:consolidated\s+)?income\s+statements?\b|\bconsolidated\s+results\s+of\s+operations\b",
        re.IGNORECASE,
    ),
    "balance": re.compile(
        r"\bbalance\s+sheets?\b|\bstatements?\s+of\s+(?:consolidated\s+)?financial\s+(?:position|"
        r"condition)\b",
        re.IGNORECASE,
    ),
}
_NOT_A_STATEMENT = re.compile(
    r"\bparent\s+company\b|\bobligor\b|"
    r"\bpro\s+forma\b|\baverage\b|\bnote\s+\d+\b|\bguarantor\b|\bcash\s+flows?\b|"
    r"\bcondensed\s+financial\s+information\b|\bnon-gaap\b",
    re.IGNORECASE,
)
_NEEDED = {
    "income": (
        re.compile(
            r"^(?:total\s+)?(?:net\s+)?(?:operating\s+)?(?:revenues?|sales)\b|"
            r"^total\s+(?:net\s+)?(?:revenues?|sales)",
            re.IGNORECASE,
        ),
        re.compile(r"^net\s+(?:income|earnings|loss|\(loss\))|^(?:profit|loss)\s+for\s+the", re.IGNORECASE),
        re.compile(r"\bper\b.*\bshare\b|\bbasic\b|\bdiluted\b", re.IGNORECASE),
    ),
    "balance": (
        re.compile(r"^total\s+assets\b", re.IGNORECASE),
        re.compile(r"^(?:total\s+)?cash\b", re.IGNORECASE),
        re.compile(
            r"^total\s+(?:\w+\s+){0,2}(?:liabilities|(?:stock|share)holders|equity|capitalization)",
            re.IGNORECASE,
        ),
    ),
}
_SCALE = re.compile(
    r"\b(?:in\s+|u\.?s\.?\s+)?(?:dollars\s+|amounts\s+|\$\s*|u\.s\.\s+dollars\s+|"
    r"dollar\s+amounts\s+)?(?:in\s+)?(?P<scale>thousands|millions|billions)\b|"
    r"[$€£]\s*(?:in\s+)?(?P<scale2>thousand|million|billion)s?\b|(?P<zeros>(?:[$€£(]\s?|['’])000['’]?s?\b)",
    re.IGNORECASE,
)
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_CELL = rf"(?:\([$€£]?\s?{_DIGITS}\s?\)|-?{_DIGITS}|[—–-])(?![\d,])"
_ROW = re.compile(
    rf"^(?P<label>.*?[A-Za-z):].*?)(?P<cells>(?:\s*:?\s+(?:[$€£¥]\s*)?{_CELL}(?:\s*%)?(?:\s*\*+)?)+)\s*$"
)
_BARE_ROW = re.compile(rf"^\s*(?:(?:[$€£¥]\s*)?{_CELL}(?:\s*%)?\s*)+$")
_CELLS = re.compile(rf"(?P<sign>[$€£¥]\s*)?(?P<cell>{_CELL})(?P<percent>\s*%)?")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_PERIOD = re.compile(
    r"(?:for\s+the\s+)?(?:\b(?:three|six|nine|twelve|thirteen|twenty-six|thirty-nine|fifty-two|"
    r"fifty-three|\d{1,2})[\s-]+(?:months?|weeks?)(?:\s+ended)?|"
    r"\b(?:first|second|third|fourth)\s+quarter|\bquarters?\s+ended|\b(?:fiscal\s+|"
    r"calendar\s+)?years?\s+ended|\btwelve\s+months|\bsix\s+months|"
    r"\bnine\s+months|\bfiscal\s+year)\b",
    re.IGNORECASE,
)
_LONG_PERIOD = re.compile(r"\byears?\b|\btwelve\b|\b12[\s-]+months|\bfifty|\b5[23][\s-]+weeks", re.IGNORECASE)
_HEADER_LINES = 12
_LINE = 500  # characters: a longer line is no row


@dataclass(frozen=True, slots=True)
class Cell:
    text: str  # without the currency sign: "5,854,430", "(69)", "—"
    sign: str  # "$" or ""
    percent: bool
    start: int  # characters of the page's text
    end: int
    x0: float
    x1: float


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    context: str  # the heading lines above it: "Earnings per share:"
    start: int
    end: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Column:
    year: str
    date: str  # ISO, or "" where the header gives the year only
    period: str  # "Three months ended", or ""
    x: float  # its middle


@dataclass(frozen=True, slots=True)
class Statement:
    kind: str
    page: Page
    title: str
    header: Span  # title, unit and columns
    scale: str  # "million", "thousand", "billion" or ""
    currency: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    def cell(self, row: Row, column: int) -> Cell | None:
        """The row's figure in that column; None where it cannot be told."""
        cells = [cell for cell in row.cells if not cell.percent]
        if len(cells) == len(self.columns):
            return cells[column]
        if not np.isfinite(self.columns[column].x):
            return None
        middles = [c.x for c in self.columns]
        target = middles[column]
        left = max((m for m in middles if m < target), default=-np.inf)
        right = min((m for m in middles if m > target), default=np.inf)
        width = min(target - left, right - target)
        lo, hi = target - width / 2, target + width / 2
        inside = [cell for cell in cells if np.isfinite(cell.x0) and lo <= (cell.x0 + cell.x1) / 2 < hi]
        # Beside an amount may stand its share ("100.0"): the amount comes first.
        return inside[0] if inside and len(cells) >= 1 else None

    def of_a_year(self) -> bool:
        return any(_LONG_PERIOD.search(self.columns[i].period) for i in self.current())

    def current(self) -> list[int]:
        """Columns of the latest date or year, those of a year before those of a quarter."""
        if not self.columns:
            return []
        dated = all(column.date for column in self.columns)
        keys = [column.date if dated else column.year for column in self.columns]
        latest = [i for i, key in enumerate(keys) if key == max(keys)]
        return sorted(latest, key=lambda i: (not _LONG_PERIOD.search(self.columns[i].period), i))


def find_statements(document: Document, kind: str) -> list[Statement]:
    """Statements of that kind ("income", "balance"), the consolidated one first."""
    scored: list[tuple[float, int, Statement]] = []
    for page in document.pages:
        lines = list(_lines(page.text))
        for number, (start, end) in enumerate(lines):
            title = page.text[start:end].strip()
            if len(title) > 120 or not _TITLES[kind].search(title) or _NOT_A_STATEMENT.search(title):
                continue
            if re.search(r"\s{2,}\d{1,3}$|\.{3,}|[.;]$|^see\b|\bpages?\s+\d", title, re.IGNORECASE):
                continue  # a line of contents, or of running text
            statement = _read(kind, page, lines, number)
            if statement is None:
                continue
            labels = [row.label for row in statement.rows]
            score = float(
                sum(
                    any(p.search(x) for x in labels) or any(p.search(r.context) for r in statement.rows)
                    for p in _NEEDED[kind]
                )
            )
            if score < 1:
                continue
            score += 0.5 * bool(statement.scale) + 0.5 * bool(re.search("consolidated", title, re.IGNORECASE))
            score += 0.25 * (number < 8) + min(len(statement.rows), 20) / 40
            head = page.text[:300]
            if re.search(
                r"^\s*(?:note\s+)?\d{1,2}[.)]\s|\bnotes\s+to\s+(?:the\s+)?(?:\w+\s+)?consolidated|"
                r"\bparent\s+company\b|\bobligor|\bpro\s+forma",
                head,
                re.IGNORECASE,
            ):
                score -= 1.5
            scored.append((score, page.page_index, statement))
            break
    scored.sort(key=lambda s: (-s[0], s[1]))
    if not scored or scored[0][0] < 2:
        return []
    best, first = scored[0][0], scored[0][1]
    # A balance sheet's liabilities may stand on the page after its assets.
    return [statement for score, index, statement in scored if score >= best - 0.75 or index == first + 1]


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in re.finditer(r"\n|$", text):
        if 0 < match.start() - start <= _LINE:
            yield start, match.start()
        start = match.end()


def _read(kind: str, page: Page, lines: list[tuple[int, int]], title: int) -> Statement | None:
    text = page.text
    header_end = title
    columns: list[Column] = []
    best_line = -1
    limit = min(title + _HEADER_LINES, len(lines))
    for number in range(title, limit):
        start, end = lines[number]
        line = text[start:end]
        row = _ROW.match(line)
        if row and not _is_header(line):
            break
        header_end = number
        years = _year_tokens(page, start, end)
        if len(years) > len(columns) or (years and len(years) == len(columns) and number > best_line):
            columns, best_line = years, number
    if not columns:
        return None
    header_text = [text[lines[i][0] : lines[i][1]] for i in range(title, header_end + 1)]
    columns = _with_periods(page, columns, [lines[i] for i in range(title, header_end + 1)])
    rows = tuple(_rows(page, lines[header_end + 1 :]))
    scale_match = next(
        (m for line in header_text for m in [_SCALE.search(line)] if m), None
    ) or _SCALE.search(text[: lines[header_end][1]])
    scale = ""
    if scale_match:
        scale = (scale_match["scale"] or scale_match["scale2"] or "thousand").lower().rstrip("s")
    signs = [cell.sign.strip() for row in rows for cell in row.cells if cell.sign.strip()]
    currency = (
        signs[0] if signs else ("$" if re.search(r"\$|dollars", " ".join(header_text), re.IGNORECASE) else "")
    )
    # The unit may stand above the title.
    first = lines[title][0]
    if scale_match and not any(_SCALE.search(line) for line in header_text):
        first = scale_match.start()
    return Statement(
        kind,
        page,
        " ".join(text[lines[title][0] : lines[title][1]].split()),
        Span(page.page_index, first, lines[header_end][1]),
        scale,
        currency,
        tuple(columns),
        rows,
    )


_MONTHS = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|"
    r"Aug|Sept?|Oct|Nov|Dec)\.?"
)
_DATE_PARTS = re.compile(
    rf"\b(?:19|20)\d\d\b|\b{_MONTHS}\s+\d{{1,2}}\b,?|\b\d{{1,2}}/\d{{1,2}}/\d{{2,4}}\b|"
    rf"\b\d{{1,2}}[\s-]+(?:weeks?|months?)\b",
    re.IGNORECASE,
)


def _is_header(line: str) -> bool:
    """Whether all figures of a line are years or parts of dates: the head of columns, no row of amounts."""
    return bool(_DATE_PARTS.search(line)) and not re.search(r"\d", _DATE_PARTS.sub(" ", line))


def _year_tokens(page: Page, start: int, end: int) -> list[Column]:
    line = page.text[start:end]
    dates = [m for m in find_dates(line) if m.complete]
    columns: list[Column] = []
    taken: list[tuple[int, int]] = []
    for mention in dates:
        x0, x1 = _place(page, start + mention.start, start + mention.end)
        columns.append(Column(str(mention.year), mention.iso, "", (x0 + x1) / 2))
        taken.append((mention.start, mention.end))
    for match in _YEAR.finditer(line):
        if any(lo <= match.start() < hi for lo, hi in taken):
            continue
        if re.match(r"\s*(?:vs\.?|compared|change)", line[match.end() :], re.IGNORECASE) or re.search(
            r"\bvs\.?\s*$", line[: match.start()], re.IGNORECASE
        ):
            continue
        x0, x1 = _place(page, start + match.start(), start + match.end())
        columns.append(Column(match.group(0), "", "", (x0 + x1) / 2))
    return columns


def _with_periods(page: Page, columns: list[Column], header: list[tuple[int, int]]) -> list[Column]:
    """The columns with the period phrase that stands above each, and dates put together from two lines."""
    phrases: list[tuple[str, float]] = []
    months: list[str] = []
    for start, end in header:
        line = page.text[start:end]
        found = list(_PERIOD.finditer(line))
        if len(found) > len(phrases):
            phrases = []
            for m in found:
                x0, x1 = _place(page, start + m.start(), start + m.end())
                phrases.append((" ".join(m.group(0).split()), (x0 + x1) / 2))
        days = re.findall(rf"\b{_MONTHS}\s+\d{{1,2}}\b(?!,?\s+(?:19|20)\d\d)", line)
        if len(days) == len(columns):
            months = days
    dated: list[Column] = []
    for index, column in enumerate(columns):
        period = ""
        if len(phrases) == 1:
            period = phrases[0][0]
        elif phrases and len(columns) % len(phrases) == 0:
            period = phrases[index * len(phrases) // len(columns)][0]
        date = column.date
        if not date and months:
            mention = next(iter(find_dates(f"{months[index]}, {column.year}")), None)
            date = mention.iso if mention else ""
        dated.append(Column(column.year, date, period, column.x))
    return dated


def _rows(page: Page, lines: list[tuple[int, int]]) -> Iterator[Row]:
    context: list[str] = []
    fresh = False
    for start, end in lines:
        line = page.text[start:end]
        match = _ROW.match(line)
        if match is None:
            if _BARE_ROW.match(line):
                continue
            if len(line) < 110:
                context = [*context[-1:], line.strip()] if fresh else [line.strip()]
                fresh = True
            continue
        fresh = False
        cells = []
        base = start + match.start("cells")
        for cell in _CELLS.finditer(match["cells"]):
            lo, hi = base + cell.start("cell"), base + cell.end("cell")
            x0, x1 = _place(page, lo, hi)
            cells.append(
                Cell(cell["cell"], (cell["sign"] or "").strip(), bool(cell["percent"]), lo, hi, x0, x1)
            )
        label = " ".join(match["label"].split()).rstrip(" :$")
        yield Row(label, " / ".join(context), start, end, tuple(cells))


def _place(page: Page, start: int, end: int) -> tuple[float, float]:
    boxes = np.asarray(page.boxes[start:end], dtype=np.float64)
    boxes = boxes[np.isfinite(boxes).all(axis=1)] if len(boxes) else boxes
    if not len(boxes):
        return np.nan, np.nan
    return float(boxes[:, 0].min()), float(boxes[:, 2].max())
