"""Boxes to tick, as characters: ☒ or ☐ where the page has a field or draws a box without any character.

Runs inside the worker process only.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from longleaf.ingest.pdf.annotations import Button
from longleaf.ingest.pdf.characters import BREAK_LINE, Glyphs
from longleaf.ingest.pdf.drawn import BOX, COVER, RULE, STROKE, UNKNOWN, Drawn, Place

_TICKED, _OPEN = 0x2612, 0x2610
_SIDES = (5.0, 20.0)  # points: the least and the largest of a drawn box
_MOST = 400  # drawn squares: more are a grid
_NEAR = 25.0  # points to the words that a drawn box is for
_WHITE = 0xF0
_LETTERS = frozenset(map(ord, "xX×✓✔✗✘"))  # that people type into a box


def with_boxes(glyphs: Glyphs, drawn: Drawn, buttons: Sequence[Button]) -> Glyphs:
    """The glyphs with a sign for each field to tick, in place of its picture, and for each drawn box."""
    signs: list[tuple[int, Place]] = []
    keep = np.ones(len(glyphs.codes), bool)
    for button in buttons:
        keep &= ~_inside(glyphs.boxes, button.place)
        signs.append((_TICKED if button.checked else _OPEN, button.place))
    for place, ticked in _drawn_boxes(drawn, glyphs):
        if not any(_overlap(place, button.place) for button in buttons):
            keep &= ~_inside(glyphs.boxes, place)
            signs.append((_TICKED if ticked else _OPEN, place))
    if not signs:
        return glyphs
    n = len(signs)
    places = np.array([place for _, place in signs], np.float64)
    return Glyphs(
        np.concatenate((glyphs.codes[keep], np.array([code for code, _ in signs], np.uint32))),
        np.concatenate((glyphs.boxes[keep], places)),
        np.concatenate((glyphs.before[keep], np.full(n, BREAK_LINE, np.uint8))),
        np.concatenate((glyphs.turn[keep], np.zeros(n, np.int8))),
        np.concatenate((glyphs.bold[keep], np.zeros(n, np.uint8))),
        glyphs.unmapped,
        glyphs.outside,
    )


def _inside(boxes: NDArray[np.float64], place: Place) -> NDArray[np.bool_]:
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    found: NDArray[np.bool_] = (x > place[0]) & (x < place[2]) & (y > place[1]) & (y < place[3])
    return found


def _overlap(a: Place, b: Place) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])


def _drawn_boxes(drawn: Drawn, glyphs: Glyphs) -> list[tuple[Place, bool]]:
    """Outlines of small squares that stand alone before words, and whether something is drawn in them."""
    outlines = np.flatnonzero(drawn.kinds == BOX)
    width = drawn.boxes[:, 2] - drawn.boxes[:, 0]
    height = drawn.boxes[:, 3] - drawn.boxes[:, 1]
    squares = [
        i
        for i in outlines.tolist()
        if _SIDES[0] <= width[i] <= _SIDES[1]
        and _SIDES[0] <= height[i] <= _SIDES[1]
        and abs(width[i] - height[i]) < 0.25 * width[i]
        and _is_empty_ground(int(drawn.colours[i]))
    ]
    if not squares or len(squares) > _MOST:
        return []
    found: list[tuple[Place, bool]] = []
    for i in squares:
        x0, y0, x1, y1 = drawn.boxes[i].tolist()
        place: Place = (x0, y0, x1, y1)
        if any(_overlap(place, other) for other, _ in found):
            continue  # drawn twice
        within = glyphs.codes[_inside(glyphs.boxes, place)].tolist()
        lettered = len(within) == 1 and within[0] in _LETTERS
        if (within and not lettered) or not _is_before_words(glyphs.boxes, place):
            continue
        beside = drawn.boxes[outlines]
        touching = (abs(beside[:, 0] - x1) < 1) | (abs(beside[:, 2] - x0) < 1)
        if (touching & (np.minimum(beside[:, 3], y1) - np.maximum(beside[:, 1], y0) > 1)).any():
            continue  # a cell of a grid
        found.append((place, lettered or _holds_a_mark(drawn, i)))
    return found


def _is_empty_ground(colour: int) -> bool:
    """Whether the square is not filled, or with white: one in a colour is a key to a chart."""
    return not colour & 0xFF or all(colour >> shift & 0xFF >= _WHITE for shift in (24, 16, 8))


def _is_before_words(boxes: NDArray[np.float64], place: Place) -> bool:
    y = (boxes[:, 1] + boxes[:, 3]) / 2
    at_height = (y > place[1] - 2) & (y < place[3] + 2)
    return bool((at_height & (boxes[:, 0] > place[2] - 1) & (boxes[:, 0] < place[2] + _NEAR)).any())


def _holds_a_mark(drawn: Drawn, square: int) -> bool:
    x0, y0, x1, y1 = drawn.boxes[square].tolist()
    side = x1 - x0
    boxes, kinds = drawn.boxes, drawn.kinds
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    inside = (x > x0) & (x < x1) & (y > y0) & (y < y1)
    inside &= (boxes[:, 2] - boxes[:, 0] < 1.6 * side) & (boxes[:, 3] - boxes[:, 1] < 1.6 * side)
    strokes = inside & (kinds == STROKE) & (boxes[:, 2] - boxes[:, 0] > 0.25 * side)
    filled = inside & ((kinds == UNKNOWN) | (kinds == COVER)) & (boxes[:, 2] - boxes[:, 0] > 0.3 * side)
    for i in np.flatnonzero(filled).tolist():
        # Its own white ground is no mark.
        if kinds[i] == COVER and _is_empty_ground(int(drawn.colours[i])):
            filled[i] = False
    rules = inside & (kinds == RULE) & (boxes[:, 2] - boxes[:, 0] < 0.9 * side)
    return bool(strokes.any() or filled.any() or rules.any())
