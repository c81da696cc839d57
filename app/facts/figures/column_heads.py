"""The heads of a table of figures: which lines they are, and the period that each column is of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from longleaf.app.text.entities import find_dates
from longleaf.ingest.document import Page

ColumnKind = Literal["amount", "other"]


@dataclass(frozen=True, slots=True)
class Column:
    """`date` is the ISO day it ends, or ""; `months` its length, 0 where that is not said."""

    year: int
    date: str
    months: int
    kind: ColumnKind
    title: str
    phrase: str  # "Three Months Ended", or ""
    group: str
    x0: float
    x1: float


_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?"
)
_YEAR = r"(?:19|20)\d\d"
_DATE = (
    rf"{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s?{_YEAR}"
    rf"|\d{{1,2}}/\d{{1,2}}/\d{{2,4}}|\d{{1,2}}\s+{_MONTH}\s+{_YEAR}"
)
_DAY = rf"{_MONTH}\s+\d{{1,2}}\b,?"
_VERSUS = (
    rf"(?:FY|fiscal\s+)?{_YEAR}\s*(?:vs\.?|v\.|versus|over|to|from|compared\s+(?:to|with)|/|[-–—])\s*"
    rf"(?:FY|fiscal\s+)?{_YEAR}|\bvs\.?\s*{_YEAR}|\b['’]?\d\d\s+(?:vs?\.?|versus)\s+['’]?\d\d\b"
)
_QUARTER_YEAR = r"Q[1-4]\s*(?:FY)?\s*['’]?\d{2,4}\b|[1-4]Q\s*['’]?\d{2,4}\b|FY\s*['’]?(?:20)?\d\d\b"
_CHANGE = r"(?:[%$#]\s*)?\b(?:change|variance|chg|inc(?:rease)?|dec(?:rease)?|growth|var)\b\.?(?:\s*[%$])?"
_NUMBERED = (
    r"three|six|nine|twelve|thirteen|fourteen|sixteen|twenty-?\s?six|thirty-?\s?nine|fifty-?\s?two"
    r"|fifty-?\s?three|\d{1,2}"
)
_PERIOD = re.compile(
    rf"(?:\bfor\s+the\s+)?(?:\b(?:{_NUMBERED})[\s-]+(?:months?|weeks?)(?:\s+(?:period\s+)?end(?:ed|ing))?"
    r"|\b(?:first|second|third|fourth)\s+(?:fiscal\s+)?(?:quarter|half)"
    r"|\b(?:fiscal\s+)?quarters?(?:\s+ended)?\b"
    r"|\b(?:fiscal\s+|calendar\s+)?years?\s+end(?:ed|ing)\b|\bfull[\s-]year\b|\bfiscal(?:\s+years?)?\b"
    r"|\byear[\s-]to[\s-]date\b"
    r"|\b(?:as\s+of|at)\b|\bQ[1-4]\b|\byears?\b)",
    re.IGNORECASE,
)
_LENGTHS = (
    (12, r"\b(?:twelve|12|fifty|52|53)|\byears?\b|\bfiscal\b"),
    (9, r"\b(?:nine|9)[\s-]+month|\b(?:thirty|39|36|40)\b"),
    (6, r"\b(?:six|6)[\s-]+month|\b(?:twenty|26|24|28)\b|\bhalf\b"),
    (
        3,
        r"\b(?:three|3)[\s-]+month|\b(?:thirteen|fourteen|sixteen|12|13|14|16|17)[\s-]+week|\bquarter"
        r"|\bQ[1-4]\b",
    ),
)
_SCALE = re.compile(
    r"(?:\bin\s+|\b(?:u\.?s\.?\s+)?dollars?\s+(?:amounts?\s+)?(?:in\s+)?|[$€£¥]\s*(?:in\s+)?|\(\s*)"
    r"(?P<scale>thousand|million|billion)s?\b|(?P<zeros>(?:[$€£(]\s?|['’])0?00['’]?s?\b)"
    r"|^\s*(?P<alone>thousands|millions|billions)\b|\b(?P<of>thousands|millions"
    r"|billions)\s+of\s+(?:u\.?s\.?\s+)?dollars"
    r"|\b(?:amounts|expressed|stated|figures)\s+(?:are\s+)?in\s+(?P<of2>thousand|million|billion)s?\b",
    re.IGNORECASE,
)
_STUB = re.compile(
    r"\([^()]*(?:million|thousand|billion|except|unaudited|audited|dollar|percent|ratio|data)[^()]*\)?"
    r"|\b(?:in\s+)?(?:thousands|millions|billions)\b|\bunaudited\b|\baudited\b|\bas\s+(?:restated|revised"
    r"|adjusted|reported)\b"
    r"|\bexcept\b.{0,60}?(?:amounts?|data)\b|[$€£]\s+(?:and\s+shares\s+)?in\b|\bended\b|\bending\b"
    r"|\bnote(?:s)?\b|\bunits?\b",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    rf"(?P<versus>{_VERSUS})|(?P<date>{_DATE})|(?P<quarter>\b(?:{_QUARTER_YEAR}))"
    rf"|(?P<year>\b{_YEAR}\b(?![.,]\d))",
    re.IGNORECASE,
)
# A period at the left, and the names of groups of columns after it.
_LEADING = re.compile(
    rf"\s*(?:{_PERIOD.pattern})(?:\s+{_DAY})?(?:\s{{2,}}\S|\s+[A-Z][^.]*?\s{{2,}}\S)", re.IGNORECASE
)
_LIKELY = re.compile(
    r"(?:19|20)\d\d|/\d\d|[A-Za-z]\s?['’]?\d\d\b|month|week|quarter|half|year|fiscal|change|variance|chg"
    rf"|inc|dec|growth|var|vs|as of|\bat\b|Q[1-4]|[1-4]Q|{_MONTH}",
    re.IGNORECASE,
)
_PLAIN_WORDS = 4


def scale_of(text: str) -> str:
    match = _SCALE.search(text)
    if not match:
        return ""
    found = (
        match["scale"]
        or match["alone"]
        or match["of"]
        or match["of2"]
        or ("million" if "000,000" in text else "thousand")
    )
    return found.lower().rstrip("s")


def is_head(line: str) -> bool:
    """Whether a line says the periods of columns: no other figures, hardly any other words."""
    if len(line) > 260 or not _LIKELY.search(line):
        return False
    tokens = list(_TOKEN.finditer(line))
    rest = _TOKEN.sub(" ", line)
    periods = (
        bool(_PERIOD.search(rest))
        or bool(re.search(_CHANGE, rest, re.IGNORECASE))
        or bool(re.search(_DAY, rest))
    )
    if not tokens and not periods:
        return False
    plain = _STUB.sub(" ", _PERIOD.sub(" ", re.sub(_DAY, " ", rest, flags=re.IGNORECASE)))
    plain = re.sub(_CHANGE, " ", plain, flags=re.IGNORECASE)
    plain = re.sub(r"(?<=[A-Za-z)])\d(?:,\d)*\b|\(\d\)|\([a-z]\)", " ", plain)
    if re.search(r"\d", plain):
        return False
    words = re.findall(r"[^\W\d_]{2,}", plain)
    grouped = _LEADING.match(line)
    if grouped and len(words) <= 16 and not line.rstrip().endswith("."):
        return True
    if not tokens and len(words) > 2:
        return False
    if not tokens and line.rstrip().endswith((".", ":")):
        return False
    if len(words) <= _PLAIN_WORDS:
        return not (line.rstrip().endswith(".") and len(words) > 1)
    # Years side by side with nothing but space between are columns, whatever is said before them.
    return len(words) <= 16 and any(not line[a.end() : b.start()].strip() for a, b in pairwise(tokens))


def read_columns(page: Page, heads: Sequence[tuple[int, int]]) -> list[Column]:
    best: list[Column] = []
    best_line = (0, 0)
    for start, end in heads:
        columns = _columns_of(page, start, end)
        amounts = sum(c.kind == "amount" for c in columns)
        if amounts and amounts >= sum(c.kind == "amount" for c in best):
            best, best_line = columns, (start, end)
    if not best:
        return []
    return _with_periods(page, best, heads, best_line)


def _columns_of(page: Page, start: int, end: int) -> list[Column]:
    line = page.text[start:end]
    found: list[Column] = []
    tokens = list(_TOKEN.finditer(line))
    for number, match in enumerate(tokens):
        lo, hi = start + match.start(), start + match.end()
        x0, x1 = place(page, lo, hi)
        text = match.group(0)
        year, date, months = 0, "", 0
        if match["date"]:
            mention = next(iter(find_dates(text)), None)
            if mention and mention.complete and mention.year:
                year, date = mention.year, mention.iso
        elif match["quarter"]:
            digits = re.findall(r"\d{2,4}", text)
            year = int(digits[-1]) if digits else 0
            year += 2000 if year < 100 else 0
            months = 12 if text.upper().startswith("FY") else 3
        elif match["year"]:
            year = int(text)
        kind: ColumnKind = "other" if match["versus"] else "amount"
        found.append(Column(year, date, months, kind, text, "", "", x0, x1))
        until = tokens[number + 1].start() if number + 1 < len(tokens) else len(line)
        for piece in re.finditer(r"\S(?:.*?\S)?(?=\s{2,}|$)", line[match.end() : until]):
            words = piece.group(0)
            if re.search(r"[A-Za-z]{3,}|[%$]\s*$|^[%$]", words) and not re.fullmatch(
                rf"(?:\(?{_STUB.pattern}\)?|\W)+", words, re.IGNORECASE
            ):
                lo = start + match.end() + piece.start()
                x0, x1 = place(page, lo, lo + len(words))
                found.append(Column(0, "", 0, "other", words, "", "", x0, x1))
    return found


def _with_periods(
    page: Page, columns: Sequence[Column], heads: Sequence[tuple[int, int]], best: tuple[int, int]
) -> list[Column]:
    amounts = [i for i, column in enumerate(columns) if column.kind == "amount"]
    phrases: list[tuple[int, float, str]] = []
    days: list[str] = []
    groups: list[tuple[str, float, float]] = []
    dates: list[str] = []
    for start, end in heads:
        line = page.text[start:end]
        whole = [d for d in find_dates(line) if d.complete]
        if [d.year for d in whole] == [columns[i].year for i in amounts]:
            dates = [d.iso for d in whole]
        outside = _TOKEN.sub(lambda m: " " * len(m.group(0)), line)
        found = []
        for match in _PERIOD.finditer(outside):
            months = _length(match.group(0))
            if months:
                x0, x1 = place(page, start + match.start(), start + match.end())
                found.append((months, (x0 + x1) / 2, " ".join(match.group(0).split())))
        if len(found) > len(phrases):
            phrases = found
        here = re.findall(rf"{_DAY}", outside, re.IGNORECASE)
        if here and (len(here) == len(amounts) or not days):
            days = here
        if (start, end) != best:
            free = re.sub(
                rf"^\s*(?:{_PERIOD.pattern})(?:\s+{_DAY})?",
                lambda m: " " * len(m.group(0)),
                line,
                flags=re.IGNORECASE,
            )
            pieces = list(re.finditer(r"\S(?:.*?\S)?(?=\s{2,}|$)", free))
            named = [
                m for m in pieces if re.search(r"[A-Za-z]{3,}", _PERIOD.sub(" ", _STUB.sub(" ", m.group(0))))
            ]
            named = [
                m for m in named if not re.search(rf"{_DAY}|{_CHANGE}|{_YEAR}", m.group(0), re.IGNORECASE)
            ]
            if len(named) > 1 and len(columns) % len(named) == 0:
                groups = [(m.group(0), *place(page, start + m.start(), start + m.end())) for m in named]
    placed: list[Column] = []
    for index, column in enumerate(columns):
        length, phrase = _phrase_for(phrases, index, columns)
        months = column.months or length
        date = column.date
        if column.kind == "amount" and column.year and not date and days:
            order = amounts.index(index)
            day = days[order] if len(days) == len(amounts) else days[0] if len(set(days)) == 1 else ""
            if not day and len(amounts) % len(days) == 0:
                day = days[order * len(days) // len(amounts)]
            mention = next(iter(find_dates(f"{day.rstrip(',')}, {column.year}")), None) if day else None
            date = mention.iso if mention and mention.complete else ""
        if column.kind == "amount" and not date and dates:
            date = dates[amounts.index(index)]
        group = groups[index * len(groups) // len(columns)][0] if groups else ""
        placed.append(replace(column, months=months, date=date, phrase=phrase, group=group))
    return placed


def _phrase_for(
    phrases: Sequence[tuple[int, float, str]], index: int, columns: Sequence[Column]
) -> tuple[int, str]:
    """The length of a column's period, and the words that say it."""
    if not phrases:
        return 0, ""
    if len({months for months, _, _ in phrases}) == 1:
        return phrases[0][0], phrases[0][2]
    if len(columns) % len(phrases) == 0:
        return phrases[index * len(phrases) // len(columns)][::2]
    middle = (columns[index].x0 + columns[index].x1) / 2
    if not np.isfinite(middle):
        return 0, ""
    return min(phrases, key=lambda phrase: abs(phrase[1] - middle))[::2]


def _length(phrase: str) -> int:
    for months, pattern in reversed(_LENGTHS):
        if re.search(pattern, phrase, re.IGNORECASE):
            return months
    return 0


def place(page: Page, start: int, end: int) -> tuple[float, float]:
    """Where characters begin and end on the page; NaN where they have no place."""
    if start < end:
        x0, x1 = float(page.boxes[start, 0]), float(page.boxes[end - 1, 2])
        if x0 <= x1:
            return x0, x1
    boxes = np.asarray(page.boxes[start:end], dtype=np.float64)
    boxes = boxes[np.isfinite(boxes).all(axis=1)] if len(boxes) else boxes
    if not len(boxes):
        return np.nan, np.nan
    return float(boxes[:, 0].min()), float(boxes[:, 2].max())
