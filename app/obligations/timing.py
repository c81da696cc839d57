"""By when, on what trigger and under which condition: the parts of a sentence that say so."""

from __future__ import annotations

import re
from dataclasses import dataclass

from longleaf.app.text.entities import find_amounts, find_dates

# A number is a word or two, in digits or both: "thirty", "thirty (30)", "15".
_NUMBER = r"(?:(?:\d+|[a-z]+(?:-[a-z]+)?)\s*(?:\(\s*\d+\s*\)\s*)?)(?:\w+\s+)??"
_UNIT = (
    r"(?:(?:business|calendar|working|banking|consecutive|full)\s+)?"
    r"(?:days?|weeks?|months?|years?|hours?|quarters?)\b"
)
_LENGTH = _NUMBER + _UNIT
_NOTICE = r"(?:\s*['’])?(?:\s+(?:prior|advance|written|notice))*"
_AFTER = r"(?:\s+(?:of|after|from|following|before|prior\s+to|in\s+advance\s+of)\s+[^,;.()]{2,90})?"
_EVENT = (
    r"(?:receipt|expir\w+|terminat\w+|request|completion|delivery|notice|execution|written|demand|occurrence|"
    r"signing|acceptance)"
)
_DEADLINES = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b(?:no|not)\s+(?:later|less|earlier|more|fewer)\s+than\s+{_LENGTH}{_NOTICE}{_AFTER}",
        rf"\b(?:within|at\s+least|for|upon|after|by\s+giving|with|in|on)\s+(?:a\s+period\s+of\s+|(?:the\s+)?(?:first|next)\s+)?"
        rf"(?:at\s+least\s+|not\s+less\s+than\s+)?{_LENGTH}{_NOTICE}{_AFTER}",
        r"\b(?:no\s+later\s+than|not\s+later\s+than|on\s+or\s+before|by|prior\s+to|before|until|after|from|as\s+of)\s+"
        r"(?:the\s+)?(?:\w+\s+){0,4}?(?:date|end|expir\w+|terminat\w+|closing|anniversary|day|commencement)\b[^,;.()]{0,50}",
        r"\b(?:immediately|promptly|forthwith|without\s+delay|as\s+soon\s+as\s+\w+(?:\s+\w+)?)\b"
        r"(?:\s+(?:upon|after|following|on)\s+[^,;.()]{2,80})?",
        rf"\b(?:upon|following)\s+(?:the\s+)?{_EVENT}\b[^,;.()]{{0,80}}",
        r"\b(?:annually|monthly|quarterly|weekly|daily|semi-?annually|"
        r"each\s+(?:calendar\s+|fiscal\s+)?(?:year|month|quarter|week|day)|"
        r"every\s+[\w\s()]{1,20}(?:days?|weeks?|months?|years?))\b",
        r"\b(?:during|throughout)\s+(?:the\s+)?(?:\w+\s+){0,3}(?:term|period|year)\b[^,;.()]{0,40}|"
        r"\bat\s+(?:all|any)\s+times?\b",
    )
)
_COUNTED = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|eighteen|twenty|thirty|forty|forty-five|"
    r"sixty|ninety|hundred)\b",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"\b(?:by|prior\s+to|before|until|after|from|as\s+of|on\s+or\s+before|no(?:t)?\s+later\s+than)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|in\s+the\s+event|in\s+case|provided(?:,\s*however,)?\s+that|provided,?\s+however|subject\s+to|except|"
    r"so\s+long\s+as|to\s+the\s+extent|where(?=\s+\w+\s+(?:is|are|has|have|fails?))|when(?:ever)?|only\s+(?:if|with|after|upon)|"
    r"without\s+the\s+(?:prior|express|written)|with\s+the\s+(?:prior|express|written)|notwithstanding|other\s+than)\b",
    re.IGNORECASE,
)
_MOST = 260  # characters of a condition that are told


@dataclass(frozen=True, slots=True)
class Timing:
    deadline: str = ""  # in the contract's words: "within thirty (30) days after receipt"
    dates: tuple[str, ...] = ()  # ISO dates named in it
    condition: str = ""
    amounts: tuple[str, ...] = ()  # as written


def timing(action: str, lead: str) -> Timing:
    """Of a clause: `action` is what follows the modal, `lead` what stands before its subject."""
    deadline = _deadline(action) or _deadline(lead)
    return Timing(
        deadline,
        tuple(d.iso for d in find_dates(deadline) if d.complete),
        "; ".join(filter(None, (_condition(lead), _condition(action)))),
        tuple(dict.fromkeys(a.text for a in find_amounts(action))),
    )


def _deadline(text: str) -> str:
    for day in find_dates(text):  # a day that is named is what counts
        before = [m for m in _DATED.finditer(text, 0, day.start) if day.start - m.end() < 40]
        if before and not re.search(r"[;:]", text[before[-1].end() : day.start]):
            return text[before[-1].start() : day.end]
    for index, form in enumerate(_DEADLINES):
        for match in form.finditer(text):
            if index > 1 or _COUNTED.search(match[0]):  # "for any year" is none
                return match[0].strip()
    return ""


def _condition(text: str) -> str:
    match = _CONDITION.search(text)
    if not match:
        return ""
    said = text[match.start() :].strip(" ,;")
    if len(said) > _MOST:
        cut = said.rfind(" ", 0, _MOST)
        said = said[:cut] + " …"
    return said
