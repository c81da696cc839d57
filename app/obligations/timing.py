"""By when, on what trigger and under which condition: the parts of a sentence that say so."""

from __future__ import annotations

import re
from dataclasses import dataclass

from longleaf.app.text.entities import find_amounts, find_dates

_NUMBER = r"(?:[\w-]+(?:\s+[\w-]+)?\s*)?(?:\(\s*\d+\s*\)|\d+)?\s*"
_UNIT = r"(?:\w+\s+)?(?:business|calendar|working|banking|consecutive)?\s*(?:days?|weeks?|months?|years?|hours?|quarters?)"
_TAIL = r"(?:\s*['’]?\s*(?:prior|advance)?\s*(?:written\s+)?(?:notice)?)?"
_DEADLINES = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b(?:no|not)\s+(?:later|less|earlier|more|fewer)\s+than\s+{_NUMBER}{_UNIT}[^,;.()]{{0,90}}",
        rf"\b(?:within|upon|on|at\s+least|for|after|by\s+giving|with|in)\s+(?:a\s+period\s+of\s+|at\s+least\s+|not\s+less\s+than\s+)?{_NUMBER}{_UNIT}\b{_TAIL}(?:\s+(?:of|after|from|following|before|"
        r"prior\s+to|in\s+advance|written|notice)[^,;.()]{0,90})?",
        r"\b(?:on\s+or\s+before|no\s+later\s+than|not\s+later\s+than|by|prior\s+to|before|until|after|from|as\s+of)\s+(?:the\s+)?[^,;.()]{2,70}",
        r"\b(?:immediately|promptly|forthwith|without\s+delay|as\s+soon\s+as\s+\w+(?:\s+\w+)?)\b(?:\s+(?:upon|after|following|on)\s+[^,;.()]{2,80})?",
        r"\b(?:upon|following)\s+(?:the\s+)?(?:receipt|expir\w+|terminat\w+|request|completion|delivery|notice|execution|written|demand|occurrence|signing|acceptance)[^,;.()]{0,80}",
        r"\b(?:annually|monthly|quarterly|weekly|daily|semi-?annually|each\s+(?:calendar\s+|fiscal\s+)?(?:year|month|quarter|week|day)|"
        r"every\s+[\w\s()]{1,20}(?:days?|weeks?|months?|years?))\b",
        r"\b(?:during|throughout)\s+(?:the\s+)?(?:\w+\s+){0,3}(?:term|period|year)\b[^,;.()]{0,40}|\bat\s+(?:all|any)\s+times?\b",
    )
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
    found: list[tuple[int, str]] = []
    for index, form in enumerate(_DEADLINES):
        for match in form.finditer(text):
            said = match[0].strip()
            if (
                index == 2
                and not find_dates(said)
                and not re.search(
                    r"\b(?:date|end|expir\w+|terminat\w+|closing|anniversary|day|commencement)\b",
                    said,
                    re.IGNORECASE,
                )
            ):
                continue  # "by Supplier", "from Buyer"
            if (
                index == 1
                and re.match(r"(?:for|with|in|on|upon|after)\b", said)
                and not re.search(
                    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|forty-five|sixty|ninety)\b",
                    said,
                    re.IGNORECASE,
                )
            ):
                continue
            found.append((index, said))
            break
        if found:
            break
    return found[0][1] if found else ""


def _condition(text: str) -> str:
    match = _CONDITION.search(text)
    if not match:
        return ""
    said = text[match.start() :].strip(" ,;")
    if len(said) > _MOST:
        cut = said.rfind(" ", 0, _MOST)
        said = said[:cut] + " …"
    return said
