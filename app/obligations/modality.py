"""How a contract says that somebody must, may or must not: the modal words and what they make of a clause."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["duty", "right", "prohibition", "condition"]

_HEREBY = (
    r"(?:\s*,?\s*(?:hereby|further|also|each|only|then|thereupon|promptly|at\s+all\s+times|in\s+turn)\s*,?)*"
)
_FORMS: tuple[tuple[str, Kind, str], ...] = (
    # (form, kind, modal as it is told)
    (r"(?:shall|will|must)\s+(?:not|never)\s+be\s+(?:required|obligated|obliged)\s+to", "right", "need not"),
    (
        r"(?:is|are)\s+(?:not|under\s+no\s+obligation)\s+(?:required\s+|obligated\s+|obliged\s+)?to",
        "right",
        "need not",
    ),
    (r"(?:shall|will)\s+have\s+no\s+(?:obligation|duty)\s+to", "right", "need not"),
    (
        r"(?:shall|will)\s+(?:not\s+have|have\s+no)\s+(?:the\s+|any\s+)?(?:right|authority|power)\s+to",
        "prohibition",
        "shall not",
    ),
    (
        r"(?:(?:shall|will)\s+)?(?:have|has)\s+(?:the|a)\s+(?:[\w-]+,?\s+(?:and\s+)?){0,4}(?:right|option|authority|discretion)s?"
        r"(?:\s*\([^)]*\))?(?:\s*,[^,]{2,60},)?\s+(?:to|of)",
        "right",
        "may",
    ),
    (
        r"(?:(?:shall|will)\s+be|is|are)\s+(?:also\s+)?(?:entitled|permitted|authori[sz]ed|free)\s+to",
        "right",
        "may",
    ),
    (r"(?:expressly\s+)?reserves?\s+the\s+(?:\w+\s+){0,2}right\s+to", "right", "may"),
    (r"(?:(?:shall|will)\s+be|is|are)\s+(?:prohibited|restricted|barred)\s+from", "prohibition", "shall not"),
    (r"(?:is|are)\s+not\s+(?:permitted|allowed|authori[sz]ed|entitled)\s+to", "prohibition", "shall not"),
    (
        r"(?:(?:shall|will)\s+be|is|are)\s+(?:\w+\s+)?(?:required|obligated|obliged|bound)\s+to",
        "duty",
        "shall",
    ),
    (
        r"(?:(?:shall|will)\s+be|is|are)\s+(?:solely\s+|fully\s+|jointly\s+)?(?:and\s+\w+\s+)?responsible\s+for",
        "duty",
        "shall",
    ),
    (
        rf"(?:covenants?\s+and\s+|undertakes?\s+and\s+)?(?:agrees?|undertakes?|covenants?|commits?|promises?){_HEREBY}\s+not\s+to",
        "prohibition",
        "shall not",
    ),
    (
        rf"(?:covenants?\s+and\s+|undertakes?\s+and\s+)?(?:agrees?|undertakes?|covenants?|commits?|promises?){_HEREBY}\s+to",
        "duty",
        "shall",
    ),
    (r"(?:hereby\s+)?grants?(?:\s+and\s+agrees\s+to\s+grant)?\s+(?:to\s+)?(?=[A-Za-z])", "duty", "grants"),
    (r"(?:shall|will|may|must|can)\s*(?:not|never)|cannot", "prohibition", "shall not"),
    (r"may", "right", "may"),
    (r"shall|must|will", "duty", "shall"),
)
MODAL = re.compile(
    "|".join(
        f"(?P<f{i}>\\b(?:{form})\\b)" if form[-1] != ")" or True else ""
        for i, (form, _, _) in enumerate(_FORMS)
    ),
    re.IGNORECASE,
)
_NO_ACT = re.compile(
    r"\s*(?:not\s+)?(?:also\s+)?(?:be\s+(?:deemed|construed|governed|interpreted|considered|defined|effective|null|void|binding|"
    r"valid|in\s+effect|treated|understood)|"
    r"mean|have\s+the\s+(?:respective\s+)?meanings?|refer\s+to|include(?:s|,|\s+without|\s+but)|constitute|"
    r"inure|bind(?:ing)?\s+upon|commence|expire\b|remain\s+in\s+(?:full\s+)?(?:force|effect))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Modal:
    """Characters `start:end` are the modal words; `told` is one of shall, may, shall not, need not, grants."""

    start: int
    end: int
    kind: Kind
    told: str

    def with_neither(self) -> Modal:
        """As said of "neither party": what it may, none may."""
        if self.kind == "prohibition":
            return self
        return Modal(self.start, self.end, "prohibition", "shall not")


def modals(text: str) -> list[Modal]:
    """The modal words of a sentence that say what somebody does, in order; definitions and the like are none."""
    found: list[Modal] = []
    for match in MODAL.finditer(text):
        index = next(i for i in range(len(_FORMS)) if match[f"f{i}"])
        _, kind, told = _FORMS[index]
        after = text[match.end() :]
        if told in ("shall", "shall not", "may") and _NO_ACT.match(after):
            continue
        if match[0] == "May" or (told == "may" and re.match(r"\s+\d", after)):
            continue  # the month
        if match[0].lower() == "will" and re.search(
            r"\b(?:at|good|free|own|its|the)\s+$", text[: match.start()]
        ):
            continue  # "at will"
        found.append(Modal(match.start(), match.end(), kind, told))
    return found
