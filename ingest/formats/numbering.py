"""The numbers that Word puts before paragraphs, as "2.1" or "(a)". A file holds only how to count."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from .blocks import numeral
from .package import child, local, value

_STYLES = {
    "decimal": "decimal", "lowerLetter": "lower-alpha", "upperLetter": "upper-alpha",
    "lowerRoman": "lower-roman", "upperRoman": "upper-roman",
}  # fmt: skip
_ORDINALS = {1: "st", 2: "nd", 3: "rd"}
_BULLETS = {
    "\uf0b7": "•",
    "\uf0a7": "▪",
    "o": "◦",
    "\uf0d8": "➢",
    "\uf0fc": "✓",
    "\uf06e": "■",
    "\uf0a8": "◻",
}


@dataclass(slots=True)
class _Level:
    start: int = 1
    style: str = "decimal"
    text: str = ""
    legal: bool = False  # all numbers of the mark are shown in arabic
    restart: int | None = None  # the level after which this one begins anew; None: any higher one


@dataclass(slots=True)
class _List:
    levels: dict[int, _Level]
    counts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """Counts through a document; `mark` must be called for each paragraph in order."""

    def __init__(self, root: Any) -> None:
        self._lists: dict[str, _List] = {}  # by numId
        self._by_style: dict[str, tuple[str, int]] = {}
        abstract: dict[str, dict[int, _Level]] = {}
        shared: dict[str, _List] = {}
        if root is None:
            return
        for element in root:
            if local(element) == "abstractNum":
                abstract[value(element, "abstractNumId")] = self._levels(element)
        for element in root:
            if local(element) != "num":
                continue
            number = value(element, "numId")
            of = value(child(element, "abstractNumId"))
            levels = dict(abstract.get(of, {}))
            overridden = False
            for override in element:
                if local(override) != "lvlOverride":
                    continue
                at = _int(value(override, "ilvl"), 0)
                if (own := child(override, "lvl")) is not None:
                    levels[at] = _level(own)
                elif (start := child(override, "startOverride")) is not None and at in levels:
                    old = levels[at]
                    levels[at] = _Level(_int(value(start), 1), old.style, old.text, old.legal, old.restart)
                overridden = True
            # Lists of one definition count on together, unless one says how it starts.
            if overridden:
                self._lists[number] = _List(levels)
            else:
                self._lists[number] = shared.setdefault(of, _List(levels))
            for element_level in next(
                (a for a in root if local(a) == "abstractNum" and value(a, "abstractNumId") == of), ()
            ):
                if local(element_level) == "lvl" and (style := value(child(element_level, "pStyle"))):
                    self._by_style.setdefault(style, (number, _int(value(element_level, "ilvl"), 0)))

    def _levels(self, element: Any) -> dict[int, _Level]:
        return {_int(value(e, "ilvl"), 0): _level(e) for e in element if local(e) == "lvl"}

    def level_of_style(self, style: str) -> int | None:
        found = self._by_style.get(style)
        return None if found is None else found[1]

    def mark(self, number: str, level: int) -> str:
        """The mark of the next paragraph of list `number` at `level` (from 0); empty if it has none."""
        found = self._lists.get(number)
        if found is None or level not in found.levels:
            return ""
        own = found.levels[level]
        counts = found.counts
        counts[level] = counts.get(level, own.start - 1) + 1
        for deeper in [d for d in counts if d > level]:
            rule = found.levels[deeper].restart if deeper in found.levels else None
            if rule is None or (rule and level < rule):
                del counts[deeper]
        if own.style == "none":
            return ""
        if own.style == "bullet":
            return _BULLETS.get(
                own.text[:1], own.text if own.text and not "\ue000" <= own.text[0] <= "\uf8ff" else "•"
            )

        def shown(match: re.Match[str]) -> str:
            at = int(match[1]) - 1
            count = counts.get(at, found.levels[at].start if at in found.levels else 1)
            style = found.levels[at].style if at in found.levels and not own.legal else "decimal"
            return _shown(count, style)

        return re.sub(r"%([1-9])", shown, own.text)


def _level(element: Any) -> _Level:
    restart = child(element, "lvlRestart")
    return _Level(
        _int(value(child(element, "start")), 1),
        value(child(element, "numFmt"), default="decimal"),
        value(child(element, "lvlText")),
        child(element, "isLgl") is not None,
        None if restart is None else _int(value(restart), 0),
    )


def _shown(count: int, style: str) -> str:
    if style == "decimalZero":
        return f"{count:02}"
    if style == "ordinal":
        return f"{count}{'th' if count % 100 in (11, 12, 13) else _ORDINALS.get(count % 10, 'th')}"
    return numeral(count, _STYLES.get(style, "decimal"))


def _int(text: str, default: int) -> int:
    return int(text) if re.fullmatch(r"-?\d{1,6}", text) else default
