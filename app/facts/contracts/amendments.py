"""What a paper changes in another: "Section 5 is deleted and replaced", "the words X are replaced by Y"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from longleaf.app.facts.document_text import Passages
from longleaf.app.text.entities import fold


@dataclass(frozen=True, slots=True)
class Change:
    """Characters `start:end` of the passages say it. Without `old` the whole section goes."""

    start: int
    end: int
    section: str  # its number as written, "4.2"; "" if the change names none
    old: str
    new: str


_PLAIN = '[^“”„«»"]'
_Q = r"[“„«\"](?P<{}>[^“”„«»\"]{{1,3000}})[”“»\"]"
_SECTION = (
    r"\b(?:sub-?)?(?:sections?|articles?|clauses?|paragraphs?|§)\s*"
    r"(?P<section>\d+(?:\.\d+)*(?:\([a-z0-9]{1,4}\))*)"
)
_BE = r"\b(?:is|are|shall\s+be|will\s+be|be)\s+(?:hereby\s+|further\s+)*"
_FORMS = (
    # In Section 9 the words "X" are replaced by "Y"
    re.compile(
        rf"(?:{_SECTION}{_PLAIN}{{0,240}}?)?{_Q.format('old')}{_PLAIN}{{0,60}}?{_BE}"
        rf"(?:deleted|replaced|changed|amended|struck|stricken|substituted|superseded|removed)\b{_PLAIN}{{0,120}}?"
        rf"\b(?:by|with|to|read|insert\w*|substitut\w*|replac\w*)\b{_PLAIN}{{0,60}}?{_Q.format('new')}",
        re.IGNORECASE,
    ),
    # Section 12 is amended by replacing "X" with "Y"; by substituting "Y" for "X"
    re.compile(
        rf"(?:{_SECTION}{_PLAIN}{{0,240}}?)?\b(?P<verb>replacing|deleting|striking|substituting|changing|removing|replace|"
        rf"delete|substitute|strike|change)\b{_PLAIN}{{0,80}}?{_Q.format('old')}(?P<link>{_PLAIN}{{0,140}}?\b(?:with|by|inserting|"
        rf"substituting|replacing|adding|to|for|therefor|thereof|insert)\b{_PLAIN}{{0,80}}?){_Q.format('new')}",
        re.IGNORECASE,
    ),
    # Section 5 is deleted and replaced as follows: "..."
    re.compile(
        rf"{_SECTION}(?P<between>{_PLAIN}{{0,200}}?{_BE}(?:deleted|amended|replaced|restated|superseded|revised|modified)\b"
        rf"{_PLAIN}{{0,200}}?\b(?:follows|following|with|by|read)\b{_PLAIN}{{0,60}}?){_Q.format('new')}",
        re.IGNORECASE,
    ),
    # Section 5 is replaced with the following: (without quotation marks, to the end of the paragraph)
    re.compile(
        rf"{_SECTION}{_PLAIN}{{0,160}}?{_BE}(?:deleted|amended|replaced|restated|revised)\b{_PLAIN}{{0,120}}?"
        r"\b(?:follows|following)\s*:\s*(?P<new>[^\n“\"](?:[^\n]|\n(?!\s*\n))*)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{_SECTION}{_PLAIN}{{0,120}}?{_BE}(?:deleted|stricken|struck|removed)"
        r"(?:\s+in\s+(?:its|their)\s+entirety)?(?=\s*[.;])",
        re.IGNORECASE,
    ),
)
_BY_WORDS = re.compile(
    r"\b(?:replacing|deleting|striking|substituting|inserting|changing|adding|words?|phrases?|figures?)\b",
    re.IGNORECASE,
)
_HAS_CHANGES = re.compile(
    r"\b(?:deleted|replaced|restated|replacing|substitut\w+|superseded|deleting|striking|stricken)\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?:^|\n)[ \t]*(?:section|article|clause|§)?[ \t]*(?P<number>\d{1,3}(?:\.\d{1,3})*)[.):]?[ \t]+"
    r"(?=[A-Z“\"(])",
    re.IGNORECASE,
)


def changes(passages: Passages) -> list[Change]:
    """In the order of the text; where two forms fit the same words, the more telling one."""
    if not _HAS_CHANGES.search(passages.text):
        return []
    found: list[Change] = []
    for form in _FORMS:
        for match in form.finditer(passages.text):
            groups = match.groupdict()
            if _BY_WORDS.search(groups.get("between") or ""):
                continue
            if any(c.start < match.end() and match.start() < c.end for c in found):
                continue
            old, new = groups.get("old") or "", groups.get("new") or ""
            if (groups.get("verb") or "").lower().startswith("substitut") and re.search(
                r"\bfor\b", groups.get("link") or ""
            ):
                old, new = new, old
            start, end = _whole(passages.text, match.start(), match.end())
            found.append(Change(start, end, groups.get("section") or "", old.strip(), new.strip()))
    return sorted(found, key=lambda c: c.start)


def _whole(text: str, start: int, end: int) -> tuple[int, int]:
    """With the few words before the section's number ("In Section 9"), and the stop after it."""
    lead = re.search(
        r"(?:\b(?:in|the\s+\w+\s+(?:sentence|paragraph)\s+of)\s+)?$",
        text[max(0, start - 60) : start],
        re.IGNORECASE,
    )
    start -= len(lead.group(0)) if lead else 0
    tail = re.match(r"[ \t]*[.;]?", text[end : end + 5])
    return start, end + (len(tail.group(0).rstrip()) if tail else 0)


def section_at(passages: Passages, position: int) -> str:
    """The number of the section that holds a character: the last number at the beginning of a line."""
    number = ""
    for match in _NUMBERED.finditer(passages.text, 0, min(len(passages.text), position + 12)):
        if match.start("number") > position + 2:
            break
        number = match["number"]
    return number


def changed_by(passages: Passages, start: int, end: int, other: list[Change]) -> Iterator[Change]:
    """Those of another paper's changes that touch characters `start:end`."""
    quote = fold(passages.text[start:end])
    section = section_at(passages, start)
    for change in other:
        named = change.section.split("(")[0]
        if named and section and named != section and not section.startswith(f"{named}."):
            continue
        if change.old:
            if fold(change.old) and f" {fold(change.old)} " in f" {quote} ":
                yield change
        elif named and section:
            yield change
