"""Which of 03/04/2025 is the day, where no date of the document shows it: by where the document is at home.

Americans write the month first, nearly all others the day. The parties' legal forms and the places named tell
where a document is at home; such a reading is told as one ("month read first"), for it is not proven.
"""

from __future__ import annotations

import re

from longleaf.app.text.entities import DateMention, DateOrder, date_order, find_places
from longleaf.app.text.entities.places import US_STATES as _STATES

US_STATES = {name.replace("_", " ") for name in _STATES.split()}
_AMERICAN = re.compile(
    r"\b(?:Inc\b\.?|Incorporated|LLC|L\.L\.C\.|Corp\b\.?|Corporation|N\.A\.)", re.IGNORECASE
)
_ELSEWHERE = re.compile(
    r"\b(?:Limited(?!\s+(?:Liability|Partner))|Ltd|plc|GmbH|AG|S\.A\.|SpA|S\.p\.A\.|B\.V\.|N\.V\.|Pty|Pvt|Pte|SARL|A/S|"
    r"Sdn|Bhd|Oy|ApS)(?!\w)"
)
_NUMERIC = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-]\d")


def read_order(text: str) -> tuple[DateOrder, bool]:
    """The order, and whether the document's own dates prove it."""
    if not _NUMERIC.search(text):
        return "", False
    proven = date_order(text)
    if proven:
        return proven, True
    head = text[:20_000] + text[-5_000:]
    places = {mention.name for mention in find_places(head)}
    american = bool(places & US_STATES or "United States" in places or _AMERICAN.search(head))
    elsewhere = bool(places - US_STATES - {"United States"} or _ELSEWHERE.search(head))
    if american == elsewhere:
        return "", False
    return ("month" if american else "day"), False


def is_two_ways(mention: DateMention) -> bool:
    """Whether the date can be read with its day or its month first."""
    numbers = _NUMERIC.match(mention.text)
    if not numbers:
        return False
    first, second = int(numbers[1]), int(numbers[2])
    return first <= 12 and second <= 12 and first != second
