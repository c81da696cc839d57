"""What stands before the text of an item or a heading: bullets, numbers, letters, "ARTICLE IV"."""

from __future__ import annotations

import re
from functools import lru_cache

from longleaf.ingest.text.sentences import words

BULLETS = "•●▪■○◦‣⁃∙·➢✓✗◻□☐☑☒❑–—*o-"

# "(a)", "(iv)", "12)", "3.", "2.1", "2.1.", "A.", "iv.", a bullet; then a space, or text at once.
MARKER = re.compile(
    r"(?:\(?(?:[a-zA-Z]{1,2}|[ivxlcIVXLC]{1,5}|\d{1,3})\)|\d{1,3}\.(?:\d{1,3}\.?)*|[A-Za-z]\.|[ivxIVX]{1,5}\."
    rf"|[{re.escape(BULLETS)}])(?=\s|$)|\d{{1,2}}\.(?=[A-Z][a-z])"
)

LABEL = re.compile(
    r"(?:ARTICLE|SECTION|PART|EXHIBIT|SCHEDULE|ANNEX|APPENDIX|ITEM|NOTE|Article|Section|Part|Exhibit|Schedule"
    r"|Annex|Appendix|Item|Note)\s+(?:\d|[IVXLC]+\b|[A-Z]\b)"
)

_WHOLE_LABEL = re.compile(rf"{LABEL.pattern}[\d.]*[A-Z]?[.:]?$")


_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def roman(number: str) -> int:
    """The value of a Roman numeral of these letters, in either case."""
    values = [_ROMAN_VALUES[c] for c in number.lower()]
    return sum(-v if any(w > v for w in values[i + 1 : i + 2]) else v for i, v in enumerate(values))


@lru_cache(4096)  # cells of tables are asked about, and most come again
def is_marker(text: str) -> bool:
    """Whether the whole text is a marker or a label."""
    marks = [MARKER.match(part) for part in text.split()]
    whole = all(m is not None and m.end() == len(m.string) for m in marks)
    return (whole and bool(marks)) or _WHOLE_LABEL.match(text) is not None


_NUMBER_MARK = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*\.?|[IVXL]{1,6}\.|[A-Z]\.)(?=\s|(?<=\.)[A-Z])\s*")
_SMALL = words("a an and as at by for from in into of on or per the to under upon with vs not")


def is_bullet(text: str) -> bool:
    """Whether the text begins with a bullet."""
    return text[:1] in BULLETS and MARKER.match(text) is not None


def is_title_case(text: str) -> bool:
    """Whether most words that count begin with a capital, and there is one."""
    large = [w for w in text.split() if w[0].isalpha() and w.lower().strip("(),&/") not in _SMALL]
    return bool(large) and sum(w[0].isupper() for w in large) >= 0.7 * len(large)


def is_numbered_title(text: str) -> bool:
    """A number and a short title that stands alone: "4. Confidentiality", "IV. Term"."""
    match = _NUMBER_MARK.match(text)
    if match is None or text.endswith((";", ",", ":")):
        return False
    title = text[match.end() :].rstrip(".")
    return 0 < len(title.split()) <= 12 and ". " not in title and is_title_case(title)
