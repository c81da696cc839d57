"""What is drawn around the characters of a page: which of them are struck, which nobody sees.

Runs inside the worker process only. One native loop finds what is suspicious; only then the page is drawn,
with and without the text in question: a character that changes no pixel is not seen. So a wrong suspicion
costs time and no text.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pypdfium2_raw as pdfium
from numpy.typing import NDArray

from longleaf._native import each_address, look_at_objects

RULE, COVER, IMAGE, UNKNOWN, BOX, STROKE = range(1, 7)
_COVERED, _UNDER_IMAGE, _ALIKE, _INKLESS, _LAYERED, _TINY, _STRUCK = (1 << i for i in range(7))


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


_TEXT_OBJECT = _address(pdfium.FPDFText_GetTextObject)
_FUNCTIONS = tuple(
    map(
        _address,
        (
            pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject, pdfium.FPDFFormObj_CountObjects,
            pdfium.FPDFFormObj_GetObject, pdfium.FPDFPageObj_GetType, pdfium.FPDFPageObj_GetBounds,
            pdfium.FPDFPageObj_GetMatrix, pdfium.FPDFPath_GetDrawMode, pdfium.FPDFPageObj_GetFillColor,
            pdfium.FPDFPageObj_GetStrokeColor, pdfium.FPDFPageObj_GetStrokeWidth,
            pdfium.FPDFPageObj_HasTransparency, pdfium.FPDFPath_CountSegments, pdfium.FPDFPath_GetPathSegment,
            pdfium.FPDFPathSegment_GetPoint, pdfium.FPDFPathSegment_GetType,
            pdfium.FPDFTextObj_GetTextRenderMode, pdfium.FPDFPageObj_CountMarks,
            pdfium.FPDFPageObj_GetMark, pdfium.FPDFPageObjMark_GetName, pdfium.FPDFText_GetTextObject,
        ),
    )
)  # fmt: skip
_MOST_OBJECTS = 50_000
_SEEN = 24  # of 255: a pixel that changes by more is seen
_SCALE = 1.5  # pixels a point
_MOST_PIXELS = 16 << 20
_FEW, _OF_EXHIBIT = 100, 0.25  # characters that are seen, and the share of images of a page that is a picture
_OF_PAGE = 0.5  # an image over more of the page is a scan: the text below or without ink is its own

Place = tuple[float, float, float, float]


@dataclass(slots=True, eq=False)
class Drawn:
    """As `look_at_objects` says it: of each shape its box, kind and colour; of each character why it may not
    be seen, the shape that strikes and that covers it; and the suspicions of all."""

    boxes: NDArray[np.float64]
    kinds: NDArray[np.uint8]
    colours: NDArray[np.uint32]
    suspicions: NDArray[np.uint8]
    struck: NDArray[np.int32]
    cover: NDArray[np.int32]
    any: int


def look(
    page: Any,
    text_page: Any,
    boxes: NDArray[np.float64],
    ink: NDArray[np.int32],
    sides: tuple[float, float, float, float, int],
    *,
    layers: bool,
) -> Drawn:
    """What is drawn around the characters with these boxes, known to pdfium by their indexes `ink`; `layers`
    says that the document may hide some."""
    at, text_at = _address(page), _address(text_page)
    return Drawn(*look_at_objects(_FUNCTIONS, at, text_at, boxes, ink, sides, layers, _MOST_OBJECTS))


# Struck


def struck_characters(
    text_page: Any,
    drawn: Drawn,
    codes: NDArray[np.uint32],
    boxes: NDArray[np.float64],
    ink: NDArray[np.int32],
) -> NDArray[np.bool_]:
    """Characters with a line through them that begins and ends with them."""
    found = np.zeros(len(codes), bool)
    if not drawn.any & _STRUCK:
        return found
    suspects = np.flatnonzero(drawn.struck >= 0)
    for rule in sorted(set(drawn.struck[suspects].tolist())):  # np.unique imports more when it is called
        members = suspects[drawn.struck[suspects] == rule]
        x0, _, x1, _ = drawn.boxes[rule].tolist()
        left, right = boxes[members, 0].min(), boxes[members, 2].max()
        em = float(np.sort(boxes[members, 3] - boxes[members, 1])[len(members) // 2])
        widths = np.minimum(boxes[members, 2], x1) - np.maximum(boxes[members, 0], x0)
        fits = left - x0 < 0.6 * em and x1 - right < 0.6 * em and widths.sum() > 0.45 * (x1 - x0)
        if fits and _goes_through(text_page, drawn.boxes[rule], boxes[members], ink[members]):
            found[members] = True
    return found


def _goes_through(
    text_page: Any, rule: NDArray[np.float64], boxes: NDArray[np.float64], ink: NDArray[np.int32]
) -> bool:
    """Whether the line crosses the ink of most letters; boxes that hold ascent and descent do not tell."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    rect = pdfium.FS_RECTF()
    height = float((rule[1] + rule[3]) / 2)
    through = tried = 0
    for box, index in zip(boxes[:60].tolist(), ink[:60].tolist(), strict=True):
        if not pdfium.FPDFText_GetCharBox(text_page, index, left, right, bottom, top):
            continue
        if not pdfium.FPDFText_GetLooseCharBox(text_page, index, rect):
            continue
        # The upper edge of the glyph below that of its box, in points, whatever the page's rotation is.
        upright = abs((rect.top - rect.bottom) - (box[3] - box[1])) < 0.5
        if not upright:
            return True
        upper = box[1] + (rect.top - top.value)
        lower = box[1] + (rect.top - bottom.value)
        if lower - upper < 0.25 * (box[3] - box[1]):
            continue  # a dash, a stop
        tried += 1
        through += upper + 0.12 * (lower - upper) < height < lower - 0.1 * (lower - upper)
    return through > 0.6 * tried if tried else False


# Unseen


def unseen_characters(
    page: Any,
    text_page: Any,
    drawn: Drawn,
    boxes: NDArray[np.float64],
    ink: NDArray[np.int32],
    size: tuple[float, float],
    annotated: Sequence[Place],
) -> NDArray[np.bool_]:
    """Characters that leave no trace where they stand. `annotated` are the places of annotations that may
    cover what they lie on."""
    if not drawn.any & ~_STRUCK and not annotated:
        return np.zeros(len(boxes), bool)
    tiny: NDArray[np.bool_] = (drawn.suspicions & _TINY) > 0
    suspects = _suspects(drawn, boxes, size, annotated) & ~tiny
    found = tiny
    if suspects.any():
        found = tiny | _without_trace(page, text_page, drawn, boxes, ink, suspects, size)
    if found.any() and len(boxes) - int(found.sum()) < _FEW and _image_share(drawn, size) > _OF_EXHIBIT:
        return np.zeros(
            len(boxes), bool
        )  # the words of the picture that the page is, put where nobody sees them
    return found


def _image_share(drawn: Drawn, size: tuple[float, float]) -> float:
    images = drawn.boxes[drawn.kinds == IMAGE]
    area = ((images[:, 2] - images[:, 0]) * (images[:, 3] - images[:, 1])).sum()
    return float(area) / max(size[0] * size[1], 1.0)


def _suspects(
    drawn: Drawn, boxes: NDArray[np.float64], size: tuple[float, float], annotated: Sequence[Place]
) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (drawn.suspicions & (_COVERED | _ALIKE | _LAYERED)) > 0
    if drawn.any & _UNDER_IMAGE:
        area = (drawn.boxes[:, 2] - drawn.boxes[:, 0]) * (drawn.boxes[:, 3] - drawn.boxes[:, 1])
        under = (drawn.suspicions & _UNDER_IMAGE) > 0
        found |= under & (area[np.maximum(drawn.cover, 0)] < _OF_PAGE * size[0] * size[1])
    inkless = (drawn.suspicions & _INKLESS) > 0
    if drawn.any & _INKLESS:
        found |= inkless & ~_over_images(drawn, boxes)
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    for x0, y0, x1, y1 in annotated:
        inside = (middle[:, 0] > x0) & (middle[:, 0] < x1) & (middle[:, 1] > y0) & (middle[:, 1] < y1)
        found |= inside & ~inkless
    return found


def _over_images(drawn: Drawn, boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which characters stand where a picture is: text without ink there is what was read off it."""
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    inside = np.zeros(len(boxes), bool)
    for x0, y0, x1, y1 in drawn.boxes[drawn.kinds == IMAGE][:500].tolist():
        inside |= (middle[:, 0] > x0) & (middle[:, 0] < x1) & (middle[:, 1] > y0) & (middle[:, 1] < y1)
    return inside


def _without_trace(
    page: Any,
    text_page: Any,
    drawn: Drawn,
    boxes: NDArray[np.float64],
    ink: NDArray[np.int32],
    suspects: NDArray[np.bool_],
    size: tuple[float, float],
) -> NDArray[np.bool_]:
    """Which of the suspects change nothing when their text is drawn.

    What has no ink and stands where something else is drawn names it: a box to tick, letters as outlines."""
    none = np.zeros(len(boxes), bool)
    members = np.flatnonzero(suspects)
    x0, y0 = np.maximum(np.floor(boxes[members, :2].min(axis=0)) - 2, 0).tolist()
    x1, y1 = np.minimum(np.ceil(boxes[members, 2:].max(axis=0)) + 2, size).tolist()
    scale = _SCALE if size[0] * size[1] * _SCALE**2 < _MOST_PIXELS else 1.0
    width, height = int((x1 - x0) * scale) + 1, int((y1 - y0) * scale) + 1
    if x1 <= x0 or y1 <= y0 or width * height > _MOST_PIXELS:
        return none
    view = (int(-x0 * scale), int(-y0 * scale), int(size[0] * scale), int(size[1] * scale))
    objects = {int(o) for o in each_address(_TEXT_OBJECT, _address(text_page), ink[members]).tolist() if o}
    shown = _picture(page, width, height, view)
    for address in objects:
        pdfium.FPDFPageObj_SetIsActive(ctypes.cast(address, pdfium.FPDF_PAGEOBJECT), False)
    bare = _picture(page, width, height, view)
    for address in objects:
        pdfium.FPDFPageObj_SetIsActive(ctypes.cast(address, pdfium.FPDF_PAGEOBJECT), True)
    if shown is None or bare is None:
        return none
    changed: NDArray[np.bool_] = np.any(np.abs(shown.astype(np.int16) - bare) > _SEEN, axis=2)
    left, top = view[:2]
    scaled = boxes[members] * scale
    a = (scaled[:, 0].astype(np.int64) + left).clip(0, width)
    b = (scaled[:, 1].astype(np.int64) + top).clip(0, height)
    c = (np.ceil(scaled[:, 2]).astype(np.int64) + left).clip(0, width)
    d = (np.ceil(scaled[:, 3]).astype(np.int64) + top).clip(0, height)
    pixels = _sums(changed, a, b, c, d)
    none[members] = pixels < np.maximum(0.01 * (c - a) * (d - b), 1)
    inkless = none[members] & ((drawn.suspicions[members] & _INKLESS) > 0)
    if inkless.any():
        dark: NDArray[np.bool_] = np.any(shown < 255 - 2 * _SEEN, axis=2)
        share = _sums(dark, a, b, c, d) / np.maximum((c - a) * (d - b), 1)
        none[members[inkless & (share > 0.04) & (share < 0.9)]] = False
    return none


def _sums(
    pixels: NDArray[np.bool_],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    c: NDArray[np.int64],
    d: NDArray[np.int64],
) -> NDArray[np.int64]:
    """How many of the pixels are in each rectangle from (a, b) to (c, d), by a table of sums."""
    height, width = pixels.shape
    table = np.zeros((height + 1, width + 1), np.int64)
    table[1:, 1:] = pixels.cumsum(axis=0).cumsum(axis=1)
    found: NDArray[np.int64] = table[d, c] - table[b, c] - table[d, a] + table[b, a]
    return found


def _picture(page: Any, width: int, height: int, view: tuple[int, int, int, int]) -> NDArray[np.uint8] | None:
    """A part of the page as a viewer shows it, annotations too."""
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_BGRx, None, 0)
    if not bitmap:
        return None
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        pdfium.FPDF_RenderPageBitmap(bitmap, page, *view, 0, pdfium.FPDF_ANNOT)
        stride = pdfium.FPDFBitmap_GetStride(bitmap)
        data = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * height)
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
    return np.frombuffer(data, np.uint8).reshape(height, stride // 4, 4)[:, :width, :3]
