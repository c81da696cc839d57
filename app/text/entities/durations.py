"""Lengths of time: "five (5) years", "180 days", "one-year"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from longleaf.app.text.entities.numbers import SPELLED

_UNIT = re.compile(
    r"(?P<digits>\(\s?\d+\s?\)|\b\d+|\[\s?\*+\s?\])?[\s-]{0,4}(?:(?:calendar|consecutive|additional|business|full|more|whole|working)\s{1,4}){0,2}"
    r"(?P<unit>(?:year|month|day|week)(?:s|\(s\))?)(?![a-z])['’]?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class DurationMention:
    start: int
    end: int
    text: str


def find_durations(text: str) -> list[DurationMention]:
    """Lengths of time as written, in order; a unit without a number ("several days") is none."""
    found: list[DurationMention] = []
    for match in _UNIT.finditer(text):
        start = match.start("digits") if match["digits"] else match.start()
        number = match["digits"] or ""
        if not number or number.startswith("("):
            # "five (5) years", "sixty days": the words end where the digits or the unit begin.
            lo = max(0, start - 60)
            words = [m for m in SPELLED.finditer(text, lo, start) if not text[m.end() : start].strip(" \n-")]
            if words:
                start = words[-1].start()
            elif not number:
                continue
        end = match.end("unit")
        if not found or start >= found[-1].end:
            found.append(DurationMention(start, end, text[start:end]))
    return found
