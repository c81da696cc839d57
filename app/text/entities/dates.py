"""Calendar dates, as contracts and filings write them."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass

from longleaf.app.text.entities.text import words

MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTH_NUMBERS = (
    MONTHS | {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
)
_MONTH = r"(?P<month>" + "|".join(sorted(_MONTH_NUMBERS, key=len, reverse=True)) + r")\b\.?"
_BLANK = r"(?:_{2,}|\[[\s_•●*.…]*\]|\[?\*{3}\]?|•)"
# Filings put through typewriters and scanners split ordinals ("16t h") and centuries ("20 17", "19__").
_DAY = r"(?P<day>[0-3]?\d)(?:\s?(?:s\s?t|n\s?d|r\s?d|t\s?h)\b)?"
_YEAR = r"(?P<year>(?:1[89]|20)\s?\d\d)(?!\d|,\d|\.\d)"
_YEAR_OR_BLANK = rf"(?:{_YEAR}|(?P<century>(?:1[89]|20)\d?_+)|(?P<no_year>{_BLANK}))"
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day\s*,?\s*)?"
_SPELLED_DAYS = {
    word: number
    for number, word in enumerate(
        words(
            """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first
    twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth
    twenty-ninth thirtieth thirty-first
"""
        ),
        start=1,
    )
}
_SPELLED_DAY = (
    r"(?P<spelled>"
    + "|".join(sorted((w.replace("-", r"[-\s]") for w in _SPELLED_DAYS), key=len, reverse=True))
) + r")\b"

_DATE_FORMS = tuple(
    # White space is bounded, or "May 5" before a page of blanks would take seconds.
    re.compile(form.replace(r"\s*", r"\s{0,9}").replace(r"\s+", r"\s{1,9}"), re.IGNORECASE)
    for form in (
        # May 16, 2017 / May 16th 2017 / Sept. 3, 20__
        rf"\b{_MONTH}\s*{_DAY}\s*,?\s*(?:in the year\s+)?{_YEAR_OR_BLANK}",
        # this 16th day of May, 2017 / 1st of March, 2003 / 31 January 1994 / 20th day of Friday, March 2020
        rf"\b(?:the\s+)?{_DAY}\s*(?:day\s*)?(?:of\s*)?,?\s*{_WEEKDAY}{_MONTH}\s*,?\s*"
        rf"(?:of\s+|in the year\s+)?{_YEAR_OR_BLANK}",
        rf"\b{_SPELLED_DAY}\s*(?:\([^)]*\)\s*)?(?:day\s*)?(?:of\s*)?{_MONTH}\s*,?\s*{_YEAR_OR_BLANK}",
        # ____ day of May, 2017 / [ ] day of [ ], 2020
        rf"(?:{_BLANK}\s*|(?<=this )|(?<=this\n))day\s+of\s*(?:{_MONTH}|{_BLANK})?\s*,?\s*{_YEAR_OR_BLANK}",
        rf"\b{_MONTH}\s*{_BLANK}\s*,?\s*{_YEAR_OR_BLANK}",
        # 30th day of April (no year given)
        rf"\b{_DAY}\s+day\s+of\s+{_MONTH}",
        # 2017-05-16
        r"(?<![\d-])(?P<year>(?:1[89]|20)\d\d)-(?P<month>0[1-9]|1[0-2])-(?P<day>[0-3]\d)(?![\d-])",
        # 5/16/2017, 05-16-17: month first, as American filings write it, unless that cannot be
        r"(?<![\d/.-])(?P<first>[0-3]?\d)(?P<sep>[/-])(?P<second>[0-3]?\d)(?P=sep)"
        r"(?P<year>(?:1[89]|20)\d\d|\d\d)(?![\d/-])",
        # May 2017
        rf"\b{_MONTH}\s*,?\s*{_YEAR}",
        # May 16 (no year given)
        rf"\b{_MONTH}\s+{_DAY}(?!\d|[.,]\d)",
    )
)
_TIME_HINT = re.compile(r"\d|_{2,}|\[|\*{3}")


@dataclass(frozen=True, slots=True)
class DateMention:
    """A calendar date as written. A part that is blank in the text ("____ day of May") is None."""

    start: int
    end: int
    text: str
    year: int | None
    month: int | None
    day: int | None

    @property
    def complete(self) -> bool:
        return None not in (self.year, self.month, self.day)

    @property
    def iso(self) -> str:
        """ISO 8601: 2017-05-16, 2017-05, 2017; --05-16 where the year is not given; "" if nothing is."""
        if self.year is None:
            if self.month is None:
                return ""
            return f"--{self.month:02d}" + (f"-{self.day:02d}" if self.day else "")
        if self.month is None:
            return f"{self.year:04d}"
        return f"{self.year:04d}-{self.month:02d}" + (f"-{self.day:02d}" if self.day else "")


def find_dates(text: str) -> list[DateMention]:
    """All dates of a text in order; the longest reading wins where two overlap."""
    if not _TIME_HINT.search(text):
        return []
    found: list[DateMention] = []
    for form in _DATE_FORMS:
        for match in form.finditer(text):
            mention = _date(match)
            if mention and not any(m.start < mention.end and mention.start < m.end for m in found):
                found.append(mention)
    return sorted(found, key=lambda m: m.start)


def _date(match: re.Match[str]) -> DateMention | None:
    groups = match.groupdict()
    year = int(re.sub(r"\s", "", groups["year"])) if groups.get("year") else None
    if year is not None and year < 100:
        year += 2000 if year < 50 else 1900
    day: int | None
    month: int | None
    if groups.get("first"):
        month, day = int(groups["first"]), int(groups["second"])
        if month > 12:
            month, day = day, month
        if not 1 <= month <= 12:
            return None
    else:
        name = groups.get("month")
        month = None if not name else int(name) if name.isdigit() else _MONTH_NUMBERS[name.lower()]
        day = int(groups["day"]) if groups.get("day") else None
        if groups.get("spelled"):
            day = _SPELLED_DAYS[re.sub(r"\s", "-", groups["spelled"].lower())]
        # "may 5" is a verb before a number unless it is written as a month.
        if name and not name.isdigit() and not name[0].isupper():
            return None
    if day is not None and not 1 <= day <= calendar.monthrange(year or 2000, month or 1)[1]:
        return None
    text = match.group(0).rstrip(" ,\n")
    return DateMention(match.start(), match.start() + len(text), text, year, month, day)
