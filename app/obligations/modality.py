"""How a contract says that somebody must, may or must not: the modal words and what they make of a clause."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["duty", "right", "prohibition", "condition"]

_ADVERBS = (
    r"(?:\s*,?\s*(?:hereby|further|also|each|only|then|thereupon|promptly|at\s+all\s+times|in\s+turn)\s*,?)*"
)
_PROMISES = (
    r"(?:covenants?\s+and\s+|undertakes?\s+and\s+)?(?:agrees?|undertakes?|covenants?|commits?|promises?)"
    + _ADVERBS
)
_SHALL_BE = r"(?:(?:shall|will)\s+(?:each\s+|also\s+)?be|is|are)"
# (form, kind, the modal as it is told, whether the form's own words belong to what is told)
_FORMS: tuple[tuple[str, Kind, str, bool], ...] = (
    (
        r"(?:shall|will|must)\s+(?:not|never)\s+be\s+(?:required|obligated|obliged)\s+to",
        "right",
        "need not",
        False,
    ),
    (r"(?:is|are)\s+not\s+(?:required|obligated|obliged)\s+to", "right", "need not", False),
    (_SHALL_BE + r"\s+under\s+no\s+(?:obligation|duty)\s+to", "right", "need not", False),
    (r"(?:shall|will)\s+have\s+no\s+(?:\w+\s+)?(?:obligation|duty)\s+to", "right", "need not", False),
    (r"(?:shall|will)\s+have\s+no\s+(?:liability|obligation|responsibility)\b", "right", "shall", True),
    (
        r"(?:shall|will)\s+have\s+no\s+(?:further\s+)?(?:rights?|claims?|interest)\b",
        "prohibition",
        "shall",
        True,
    ),
    (r"(?:shall|will)\s+be\s+(?:excused|released|relieved)\s+from", "right", "shall", True),
    (r"(?:shall|will)\s+not\s+be\s+(?:liable|responsible|subject|bound)\b", "right", "shall not", True),
    (
        r"(?:shall|will)\s+(?:not\s+have|have\s+no)\s+(?:the\s+|any\s+)?(?:right|authority|power)\s+to",
        "prohibition",
        "shall not",
        False,
    ),
    (
        r"(?:(?:shall|will)\s+(?:each\s+|also\s+)?)?(?:have|has)\s+(?:the|a)\s+(?:[\w-]+,?\s+(?:and\s+)?){0,4}"
        r"(?:right|option|authority|discretion)s?(?:\s*\([^)]*\))?(?:\s*,[^,]{2,60},)?\s+(?:to|of)",
        "right",
        "may",
        False,
    ),
    (_SHALL_BE + r"\s+(?:also\s+)?(?:entitled|permitted|authori[sz]ed|free)\s+to", "right", "may", False),
    (r"(?:expressly\s+)?reserves?\s+the\s+(?:\w+\s+){0,2}right\s+to", "right", "may", False),
    (_SHALL_BE + r"\s+(?:prohibited|restricted|barred)\s+from", "prohibition", "shall not", True),
    (
        r"(?:is|are)\s+not\s+(?:permitted|allowed|authori[sz]ed|entitled)\s+to",
        "prohibition",
        "shall not",
        False,
    ),
    (_SHALL_BE + r"\s+(?:\w+\s+)?(?:required|obligated|obliged|bound)\s+to", "duty", "shall", False),
    (
        _SHALL_BE + r"\s+(?:solely\s+|fully\s+|jointly\s+)?(?:and\s+\w+\s+)?responsible\s+for",
        "duty",
        "shall",
        True,
    ),
    (_PROMISES + r"\s+not\s+to", "prohibition", "shall not", False),
    (_PROMISES + r"\s+to", "duty", "shall", False),
    (
        r"(?:hereby\s+)?grants?(?:\s+and\s+agrees\s+to\s+grant)?\s+(?:to\s+)?(?=[A-Za-z])",
        "duty",
        "grants",
        False,
    ),
    (r"(?:shall|will|may|must|can)\s*(?:not|never)|cannot", "prohibition", "shall not", False),
    (r"may", "right", "may", False),
    (r"shall|must|will", "duty", "shall", False),
)
_MODAL = re.compile(
    "|".join(f"(?P<f{i}>\\b(?:{form}))(?![A-Za-z])" for i, (form, *_) in enumerate(_FORMS)), re.IGNORECASE
)
# "shall be deemed", "shall mean", "shall be in writing" say what holds, not what anybody does.
_NO_ACT = re.compile(
    r"\s*(?:not\s+)?(?:also\s+)?(?:be\s+(?:deemed|construed|governed|interpreted|considered|defined|effective|null|"
    r"void|binding|valid|in\s+(?:effect|force|writing|accordance|the|its|their|\w+['’]s)|treated|understood|subject|"
    r"an?|the|of|no|due|such|one|cumulative)\b|"
    r"mean|have\s+the\s+(?:respective\s+)?meanings?|have\b\s*[,.;)]|have\s+(?:against|under|at\s+law|by|in)\b|refer\s+to|"
    r"include(?:s|,|\s+without|\s+but)|constitute|inure|bind(?:ing)?\s+upon|commence|expire\b|survive\b|"
    r"remain\s+(?:in\b|the\s+|a\s+|at\b|sole\b)|belong)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Modal:
    """Characters `start:end` are the modal words; `told` is one of shall, may, shall not, need not, grants.

    What is told to be done begins at `said`, which is `end` but for forms whose own words are part of it.
    """

    start: int
    end: int
    said: int
    lead: str  # what is told begins with it
    kind: Kind
    told: str

    def with_neither(self) -> Modal:
        """As said of "neither party": what it may, none may."""
        if self.kind == "prohibition":
            return self
        return replace(self, kind="prohibition", told="shall not")


def modals(text: str) -> list[Modal]:
    """The modal words of a sentence that say what somebody does; definitions and the like are none."""
    found: list[Modal] = []
    for match in _MODAL.finditer(text):
        index = next(i for i in range(len(_FORMS)) if match[f"f{i}"])
        _, kind, told, whole = _FORMS[index]
        after = text[match.end() :]
        if told in ("shall", "shall not", "may") and _NO_ACT.match(after):
            continue
        if match[0] == "May" or (told == "may" and re.match(r"\s+\d", after)):
            continue  # the month
        if match[0].lower() == "will" and re.search(
            r"\b(?:at|good|free|own|its|the)\s+$", text[: match.start()]
        ):
            continue  # "at will"
        said, lead = match.end(), ""
        entitled = told == "may" and re.search(r"\bentitled\b", match[0])
        if (
            whole or entitled
        ):  # "is responsible for", "shall be responsible for": told is "be responsible for"
            be = re.match(
                r"(?:(?:shall|will)\s+(?:not\s+)?(?:each\s+|also\s+)?be|is|are)\s+", match[0], re.IGNORECASE
            )
            have = re.match(r"(?:shall|will)\s+", match[0], re.IGNORECASE)
            said = match.start() + (be or have or match).end() if be or have else match.start()
            lead = "be " if be else ""
        found.append(Modal(match.start(), match.end(), said, lead, kind, told))
    return found
