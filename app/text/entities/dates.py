"""Calendar dates, as contracts and filings write them."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass, replace
from typing import Literal

from longleaf.app.text.entities.month_words import DAYS, ENGLISH, ERAS, MONTHS, OTHERS
from longleaf.app.text.entities.text import words

__all__ = ["MONTHS", "DateMention", "DateOrder", "date_order", "find_dates"]

DateOrder = Literal["day", "month", ""]  # which of 03/04/2025 comes first; "" is not known

_MONTH = r"(?P<month>" + "|".join(sorted(ENGLISH, key=len, reverse=True)) + r")\b\.?"
_OTHER_MONTH = r"(?P<other>" + "|".join(sorted(OTHERS, key=len, reverse=True)) + r")\b"
_BLANK = r"(?:_{2,}|\[[\s_•●*.…]*\]|\[?\*{3}\]?|•)"
# Filings put through typewriters and scanners split ordinals ("16t h") and centuries ("20 17", "19__").
_DAY = r"(?P<day>[0-3]?\d)(?:\s?(?:s\s?t|n\s?d|r\s?d|t\s?h)\b)?"
_YEAR = r"(?P<year>(?:1[89]|20)\s?\d\d)(?!\d|,\d|\.\d)"
_ONES = r"one|two|three|four|five|six|seven|eight|nine"
_TEENS = (
    r"ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|"
    rf"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[-\s](?:{_ONES}))?"
)
_YEAR_WORDS = (
    rf"(?P<spelled_year>two\s+thousand(?:\s+(?:and\s+)?(?:{_TEENS}|{_ONES}))?|"
    rf"nineteen\s+(?:hundred\s+)?(?:and\s+)?(?:{_TEENS}|{_ONES})|twenty[-\s]+(?:{_TEENS}))"
    r"\b(?:\s*\((?:1[89]|20)\d\d\))?"
)
_YEAR_OR_BLANK = (
    rf"(?:{_YEAR}|(?P<century>(?:1[89]|20)\d?_+)|(?P<no_year>{_BLANK})|(?:the\s+year\s+)?{_YEAR_WORDS})"
)
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day\s*,?\s*)?"
_SPELLED_DAY = (
    r"(?P<spelled>" + "|".join(sorted((w.replace("-", r"[-\s]") for w in DAYS), key=len, reverse=True))
) + r")\b"
_OF = r"(?:of\s*)?(?:the\s+month\s+of\s+)?"
_IN_THE_YEAR = r"(?:of\s+|in\s+the\s+year\s+(?:of\s+our\s+lord\s+)?)?"
_CJK = r"[0-9０-９〇一二三四五六七八九十]"

_DATE_FORMS = tuple(
    # White space is bounded, or "May 5" before a page of blanks would take seconds.
    re.compile(form.replace(r"\s*", r"\s{0,9}").replace(r"\s+", r"\s{1,9}"), re.IGNORECASE)
    for form in (
        # May 16, 2017 / May 16th 2017 / Sept. 3, 20__ / May l, 2017 (a scanner's one)
        rf"\b{_MONTH}\s*{_DAY}\s*,?\s*{_IN_THE_YEAR}{_YEAR_OR_BLANK}",
        rf"\b{_MONTH}\s*(?P<scanned>[lI]|[123][lI])\s*,\s*{_YEAR}",
        # this 16th day of May, 2017 / 1st of March, 2003 / 31 January 1994 / 20th day of Friday, March 2020
        rf"\b(?:the\s+)?{_DAY}\s*(?:\(\s*\d+(?:st|nd|rd|th)?\s*\)\s*)?(?:day\s*)?{_OF},?\s*{_WEEKDAY}{_MONTH}\s*"
        rf",?\s*{_IN_THE_YEAR}{_YEAR_OR_BLANK}",
        rf"\b{_SPELLED_DAY}\s*(?:\([^)]*\)\s*)?(?:day\s*)?{_OF}{_MONTH}\s*,?\s*{_IN_THE_YEAR}{_YEAR_OR_BLANK}",
        # 1-Jun-25, 01/JUN/2025, 1.Jun.2025
        rf"(?<![\w/.-])(?P<day>[0-3]?\d)(?P<sep>[-/.])\s?{_MONTH}(?P=sep)?\s?'?(?P<year>(?:1[89]|20)\d\d|\d\d)"
        r"(?![\d/-])",
        # 2017 May 16
        rf"(?<![\d,.])(?P<year>(?:1[89]|20)\d\d)\s*,?\s+{_MONTH}\s+(?P<day>[0-3]?\d)\b(?!\s*,?\s*(?:19|20)\d\d)",
        # 3. April 2025, 1er mai 2025, 3 de abril de 2025
        r"(?<![\d.,])(?P<day>[0-3]?\d)(?:\.|º|°|er|\s+de)?\s*(?:de\s+|d')?" + _OTHER_MONTH + r"\.?\s*"
        rf"(?:de\s+|del\s+)?{_YEAR}",
        # ____ day of May, 2017 / [ ] day of [ ], 2020
        rf"(?:{_BLANK}\s*|(?<=this )|(?<=this\n))day\s+of\s*(?:{_MONTH}|{_BLANK})?\s*,?\s*{_YEAR_OR_BLANK}",
        rf"\b{_MONTH}\s*{_BLANK}\s*,?\s*{_YEAR_OR_BLANK}",
        # 30th day of April (no year given)
        rf"\b{_DAY}\s+day\s+of\s+{_MONTH}",
        # 2017-05-16, 2017/5/16, 2017.05.16
        r"(?<![\d/.-])(?P<year>(?:1[89]|20)\d\d)(?P<sep>[-/.])(?P<month>0?[1-9]|1[0-2])(?P=sep)"
        r"(?P<day>[0-3]?\d)(?![\d/-]|\.\d)",
        # 2027年12月31日, 令和7年4月3日, 2025년 4월 3일
        rf"(?P<era>{'|'.join(ERAS)})?\s?(?P<cjk_year>元|{_CJK}{{1,5}})\s?[年년]\s?(?P<cjk_month>{_CJK}{{1,3}})\s?[月월]\s?"
        rf"(?P<cjk_day>{_CJK}{{1,3}})\s?[日号號일]",
        # 16.05.2017: points are day first
        r"(?<![\d/.-])(?P<points>(?P<first>[0-3]?\d)\.\s?(?P<second>[0-3]?\d)\.\s?(?P<year>(?:1[89]|20)\d\d))"
        r"(?![\d/-]|\.\d)",
        # 5/16/2017, 05-16-17: which comes first, the document decides
        r"(?<![\d/.-])(?P<first>[0-3]?\d)(?P<sep>[/-])(?P<second>[0-3]?\d)(?P=sep)"
        r"(?P<year>(?:1[89]|20)\d\d|\d\d)(?![\d/-])",
        # May 2017
        rf"\b{_MONTH}\s*,?\s*{_YEAR}",
        # May 16 (no year given)
        rf"\b{_MONTH}\s+{_DAY}(?!\d|[.,]\d)",
    )
)
_TIME_HINT = re.compile(r"\d|_{2,}|\[|\*{3}|[年년]|\b(?:thousand|nineteen|twenty)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DateMention:
    """A calendar date as written. A part that is blank in the text ("____ day of May") is None.

    `ambiguous`: day and month may be the other way round; `iso` is then "".
    """

    start: int
    end: int
    text: str
    year: int | None
    month: int | None
    day: int | None
    ambiguous: bool = False

    @property
    def complete(self) -> bool:
        return None not in (self.year, self.month, self.day)

    @property
    def iso(self) -> str:
        """ISO 8601: 2017-05-16, 2017-05, 2017; --05-16 where the year is not given; "" if nothing is."""
        if self.ambiguous:
            return ""
        if self.year is None:
            if self.month is None:
                return ""
            return f"--{self.month:02d}" + (f"-{self.day:02d}" if self.day else "")
        if self.month is None:
            return f"{self.year:04d}"
        return f"{self.year:04d}-{self.month:02d}" + (f"-{self.day:02d}" if self.day else "")

    def moved(self, by: int) -> DateMention:
        return replace(self, start=self.start + by, end=self.end + by)


def find_dates(text: str, order: DateOrder = "month") -> list[DateMention]:
    """All dates of a text in order; the longest reading wins where two overlap.

    `order` decides 03/04/2025 where both readings are dates (see `date_order`); without it such a date
    is ambiguous.
    """
    if not _TIME_HINT.search(text):
        return []
    found: list[DateMention] = []
    for form in _DATE_FORMS:
        for match in form.finditer(text):
            mention = _date(match, order)
            if mention and not any(m.start < mention.end and mention.start < m.end for m in found):
                found.append(mention)
    return sorted(found, key=lambda m: m.start)


def date_order(text: str) -> DateOrder:
    """What the document itself shows of 03/04/2025: another date of that form that can be read in one way, or
    the same day written elsewhere with the month in words. "" where nothing or both is shown."""
    day, month = 0, 0
    mentions = find_dates(text, "")
    words = {m.iso for m in mentions if m.complete and re.search(r"[A-Za-z]{3}", m.text)}
    for mention in mentions:
        numbers = re.match(r"(\d{1,2})[/-](\d{1,2})[/-]", mention.text)
        if numbers is None:
            continue
        first, second = int(numbers[1]), int(numbers[2])
        if mention.ambiguous:
            other = replace(mention, month=first, day=second, ambiguous=False).iso
            month += other in words
            day += replace(mention, month=second, day=first, ambiguous=False).iso in words
        else:
            day += first > 12
            month += second > 12
    if day and not month:
        return "day"
    return "month" if month and not day else ""


def _date(match: re.Match[str], order: DateOrder) -> DateMention | None:
    groups = match.groupdict()
    if groups.get("cjk_year"):
        return _cjk(match)
    year = int(re.sub(r"\s", "", groups["year"])) if groups.get("year") else None
    if groups.get("spelled_year"):
        year = _spelled_year(groups["spelled_year"])
    if year is not None and year < 100:
        year += 2000 if year < 50 else 1900
    day: int | None
    month: int | None
    ambiguous = False
    if groups.get("first"):
        month, day = int(groups["first"]), int(groups["second"])
        if groups.get("points"):
            month, day = (month, day) if day > 12 else (day, month)
        elif month > 12 or (order == "day" and day <= 12):
            month, day = day, month
        else:
            ambiguous = order == "" and day <= 12 and month != day
        if not 1 <= month <= 12:
            return None
    else:
        name = groups.get("month")
        month = None if not name else int(name) if name.isdigit() else ENGLISH[name.lower()]
        if groups.get("other"):
            month = OTHERS[groups["other"].lower()]
        day = int(groups["day"]) if groups.get("day") else None
        if groups.get("scanned"):
            day = int(re.sub(r"[lI]", "1", groups["scanned"]))
        if groups.get("spelled"):
            day = DAYS[re.sub(r"\s", "-", groups["spelled"].lower())]
        # "may 5" is a verb before a number unless it is written as a month.
        if name and not name.isdigit() and not name[0].isupper():
            return None
    if day is not None and not 1 <= day <= calendar.monthrange(year or 2000, month or 1)[1]:
        return None
    text = match.group(0).rstrip(" ,\n")
    return DateMention(match.start(), match.start() + len(text), text, year, month, day, ambiguous)


_SMALL = {word: n for n, word in enumerate(_ONES.split("|"), start=1)} | {
    word: n for n, word in enumerate(_TEENS.split("|")[:10], start=10)
}
_TENS = {
    word: 10 * n
    for n, word in enumerate(words("twenty thirty forty fifty sixty seventy eighty ninety"), start=2)
}


def _spelled_year(text: str) -> int:
    """ "nineteen hundred and ninety-eight", "two thousand five", "twenty twenty"."""
    every = [w for w in re.split(r"[\s-]+", text.lower()) if w not in ("hundred", "and", "thousand")]
    century = {"two": 2000, "nineteen": 1900, "twenty": 2000}[every[0]]
    return century + sum(_SMALL.get(w, 0) + _TENS.get(w, 0) for w in every[1:])


def _cjk(match: re.Match[str]) -> DateMention | None:
    year = 1 if match["cjk_year"] == "元" else _cjk_number(match["cjk_year"])
    year += ERAS[match["era"]] if match["era"] else 0
    month, day = _cjk_number(match["cjk_month"]), _cjk_number(match["cjk_day"])
    if not (1800 <= year < 2200 and 1 <= month <= 12):
        return None
    if not 1 <= day <= calendar.monthrange(year, month)[1]:
        return None
    lead = len(match.group(0)) - len(match.group(0).lstrip())
    return DateMention(match.start() + lead, match.end(), match.group(0)[lead:], year, month, day)


def _cjk_number(text: str) -> int:
    """ "12", "１２", "十二", "二〇二五"."""
    digits = "".join(str("〇一二三四五六七八九".find(c)) if c in "〇一二三四五六七八九" else c for c in text)
    if "十" not in digits:
        return int(digits)
    tens, _, ones = digits.partition("十")
    return 10 * int(tens or 1) + int(ones or 0)
