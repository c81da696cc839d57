"""What a style says of whether words are seen and whether they are struck, as far as simple rules tell.

Rules of `<style>` with selectors of one element ("p", ".gone", "td.x", "#y") and styles of elements count;
others, and styles that other files hold, do not.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SIMPLE = re.compile(r"(?P<tag>\*|[a-z][\w-]*)?(?P<marks>(?:[.#][\w-]+)*)", re.IGNORECASE)
_LENGTH = re.compile(r"(-?\d*\.?\d+)\s*(px|pt|em|rem|ex|%|cm|mm|in|pc)?", re.IGNORECASE)
_WANTED = frozenset(
    [
        "text-decoration",
        "text-decoration-line",
        "display",
        "visibility",
        "opacity",
        "font-size",
        "color",
        "background",
        "background-color",
        "position",
        "left",
        "top",
        "text-indent",
        "mso-hide",
        "font-weight",
        "height",
        "width",
        "overflow",
        "clip",
    ]
)
_POINTS = {"px": 0.75, "pt": 1.0, "em": 12.0, "rem": 12.0, "ex": 6.0, "%": 0.12, "cm": 28.35, "mm": 2.835,
           "in": 72.0, "pc": 12.0}  # fmt: skip
_FAR = 700  # points off the page's left or upper edge
_UNSEEN_SIZE = 1.0  # points
_ALIKE = 24  # of 255: a colour this near to its ground is not seen
_NAMED = {
    "white": (255, 255, 255), "black": (0, 0, 0), "snow": (255, 250, 250), "ivory": (255, 255, 240),
    "whitesmoke": (245, 245, 245), "ghostwhite": (248, 248, 255), "red": (255, 0, 0), "blue": (0, 0, 255),
    "green": (0, 128, 0), "gray": (128, 128, 128), "grey": (128, 128, 128), "yellow": (255, 255, 0),
    "silver": (192, 192, 192), "navy": (0, 0, 128),
}  # fmt: skip
_RGB = re.compile(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*(?:[,/]\s*([\d.]+%?))?\s*\)", re.IGNORECASE)

Colour = tuple[int, int, int]
_WHITE: Colour = (255, 255, 255)


class Styles:
    """The styles of a page: `of` an element what is declared for itself."""

    def __init__(self, root: Any) -> None:
        self._rules: dict[str, list[tuple[set[str], tuple[int, int], dict[str, str]]]] = defaultdict(list)
        order = 0
        for sheet in root.iter("style"):
            for selectors, body in _RULE.findall(_COMMENT.sub(" ", sheet.text or "")[:1_000_000]):
                declared = _declarations(body)
                for selector in selectors.split(",") if declared else ():
                    found = _SIMPLE.fullmatch(selector.strip())
                    if found is not None and found[0]:
                        marks = set(re.findall(r"[.#][\w-]+", found["marks"]))
                        weight = sum(100 if mark[0] == "#" else 10 for mark in marks), order
                        self._rules[(found["tag"] or "*").lower()].append((marks, weight, declared))
                        order += 1

    def of(self, element: Any) -> dict[str, str]:
        own = element.get("style")
        declared: dict[str, str] = {}
        if self._rules:
            tag = element.tag.lower() if isinstance(element.tag, str) else ""
            marks = {f".{name}" for name in (element.get("class") or "").split()}
            if element.get("id"):
                marks.add(f"#{element.get('id')}")
            fitting = [r for r in (*self._rules.get("*", ()), *self._rules.get(tag, ())) if r[0] <= marks]
            for _, _, found in sorted(fitting, key=lambda rule: rule[1]):
                declared |= found
        return declared | _declarations(own) if own else declared


def _declarations(text: str) -> dict[str, str]:
    found = {}
    for part in text.split(";"):
        name, colon, value = part.partition(":")
        if colon and (name := name.strip().lower()) in _WANTED:
            found[name] = value.replace("!important", "").strip().lower()
    return found


def is_struck(style: dict[str, str]) -> bool:
    said = f"{style.get('text-decoration', '')} {style.get('text-decoration-line', '')}"
    return "line-through" in said


def is_gone(style: dict[str, str]) -> bool:
    """Whether nothing of the element is shown, nor meant to be: no word about it is needed."""
    visible = style.get("visibility") not in ("hidden", "collapse")
    return style.get("display") == "none" or not visible or style.get("mso-hide") == "all"


def is_unseen(style: dict[str, str]) -> bool:
    """Whether the element is shown where, or in a size in which, nobody sees it."""
    if style.get("opacity", "1") in ("0", "0.0", "0%", ".0"):
        return True
    if (size := _points(style.get("font-size"))) is not None and 0 <= size <= _UNSEEN_SIZE:
        return True
    placed = style.get("position") in ("absolute", "fixed", "relative")
    away = [
        _points(style.get(side)) for side in (("left", "top", "text-indent") if placed else ("text-indent",))
    ]
    if any(length is not None and length < -_FAR for length in away):
        return True
    clipped = re.sub(r"[\s,]|px", "", style.get("clip", ""))
    if clipped in ("rect(0000)", "rect(1111)"):
        return True
    sizes = [_points(style.get(side)) for side in ("height", "width")]
    return "hidden" in style.get("overflow", "") and 0 in sizes


def colour(text: str | None) -> Colour | None:
    """None for a colour that is not understood; one that lets all through counts as none."""
    if not text:
        return None
    text = text.strip().lower()
    if found := re.search(r"#([0-9a-f]{6}|[0-9a-f]{3})\b", text):
        digits = found[1] if len(found[1]) == 6 else "".join(2 * d for d in found[1])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    if found := _RGB.search(text):
        return min(int(found[1]), 255), min(int(found[2]), 255), min(int(found[3]), 255)
    return next((_NAMED[word] for word in re.findall(r"[a-z]+", text) if word in _NAMED), None)


def ground(element: Any, style: dict[str, str], around: Colour | None) -> Colour | None:
    """What the element's words stand on, inside of what is `around` it; None if that is not known."""
    said = style.get("background-color") or style.get("background") or element.get("bgcolor")
    if element.get("background") or (said and ("url(" in said or "gradient" in said or "var(" in said)):
        return None
    if not said or said in ("transparent", "none", "inherit", "initial", "unset"):
        return around
    if (found := _RGB.search(said)) and found[4] is not None and found[4].rstrip("%") != "1":
        return around if found[4].strip("0.%") == "" else None
    return colour(said)


def is_alike(ink: Colour, paper: Colour) -> bool:
    return all(abs(a - b) < _ALIKE for a, b in zip(ink, paper, strict=True))


def _points(text: str | None) -> float | None:
    found = _LENGTH.fullmatch(text.strip()) if text else None
    return float(found[1]) * _POINTS.get((found[2] or "px").lower(), 1.0) if found else None
