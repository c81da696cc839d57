"""The characters of one page as pdfium sees them: code, box, direction and weight, in content order.

Runs inside the worker process only. What pdfium is asked of every character is asked in one native loop: a
ctypes call costs some forty times what pdfium does in it.
"""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pypdfium2_raw as pdfium
from numpy.typing import NDArray

from longleaf._native import each_address, each_float, each_int, read_characters
from longleaf.ingest.pdf.drawn import Drawn, Place, look, struck_characters, unseen_characters

_PTR, _INT = ctypes.c_void_p, ctypes.c_int


def _address(function: Any) -> int:
    return ctypes.cast(function, _PTR).value or 0


TEXT_FUNCTIONS = (
    _address(pdfium.FPDFText_GetText),
    _address(pdfium.FPDFText_GetUnicode),
    _address(pdfium.FPDFText_IsGenerated),
    _address(pdfium.FPDFText_GetLooseCharBox),
)
_UNMAPPED = _address(pdfium.FPDFText_HasUnicodeMapError)
_ANGLE = _address(pdfium.FPDFText_GetCharAngle)
_OBJECT = _address(pdfium.FPDFText_GetTextObject)
# Prototypes that take addresses as plain integers and keep the GIL (the worker has one thread).
_font = ctypes.PYFUNCTYPE(_PTR, _PTR)(_address(pdfium.FPDFTextObj_GetFont))
_font_weight = ctypes.PYFUNCTYPE(_INT, _PTR)(_address(pdfium.FPDFFont_GetWeight))
_font_name = ctypes.PYFUNCTYPE(ctypes.c_size_t, _PTR, _PTR, ctypes.c_size_t)(
    _address(pdfium.FPDFFont_GetBaseFontName)
)

_MAX_CHARACTERS = 500_000  # a dense page has some 10,000

STRUCK = 0xFFFFE  # of no character: private, and none of the codes that fonts are given

# What stood between two characters, as `read_characters` tells it.
BREAK_NONE, BREAK_GENERATED, BREAK_SPACE, BREAK_LINE = 0, 1, 2, 3


@dataclass(slots=True, eq=False)
class Glyphs:
    """Inked characters in content order. `boxes` are (n, 4) x0 y0 x1 y1, shown coordinates, origin top left.

    `before` says what pdfium had between the previous character and this one (BREAK_*), `turn` is the
    reading direction as shown, in quarter turns clockwise (0 upright, -1 oblique), `bold` is 0 or 1.
    `unmapped` counts characters whose font does not say what they mean: their codes are the font's own;
    `outside` those beyond the page's edges, which nobody sees: they are not among the others.
    """

    codes: NDArray[np.uint32]
    boxes: NDArray[np.float64]
    before: NDArray[np.uint8]
    turn: NDArray[np.int8]
    bold: NDArray[np.uint8]
    unmapped: int = 0
    outside: int = 0


@dataclass(slots=True)
class Frame:
    """The visible rectangle of a page in PDF space and its rotation in quarter turns clockwise."""

    left: float
    bottom: float
    right: float
    top: float
    turns: int

    @property
    def width(self) -> float:
        return self.right - self.left if self.turns % 2 == 0 else self.top - self.bottom

    @property
    def height(self) -> float:
        return self.top - self.bottom if self.turns % 2 == 0 else self.right - self.left

    def show(self, rects: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """(n, 4) left top right bottom in PDF space -> x0 y0 x1 y1 as shown, origin top left."""
        left, top, right, bottom = np.ascontiguousarray(rects.T, np.float64)
        x = (np.minimum(left, right), np.maximum(left, right))
        y = (np.minimum(top, bottom), np.maximum(top, bottom))
        if self.turns == 0:
            parts = (x[0] - self.left, self.top - y[1], x[1] - self.left, self.top - y[0])
        elif self.turns == 1:
            parts = (y[0] - self.bottom, x[0] - self.left, y[1] - self.bottom, x[1] - self.left)
        elif self.turns == 2:
            parts = (self.right - x[1], y[0] - self.bottom, self.right - x[0], y[1] - self.bottom)
        else:
            parts = (self.top - y[1], self.right - x[1], self.top - y[0], self.right - x[0])
        return np.stack(parts, axis=1)


def page_frame(page: Any) -> Frame:
    """The visible rectangle (crop box within media box) of a loaded pdfium page."""
    rect = pdfium.FS_RECTF()
    found = pdfium.FPDF_GetPageBoundingBox(page, rect)
    sides = [rect.left, rect.bottom, rect.right, rect.top] if found else [0.0, 0.0, 612.0, 792.0]
    left, bottom, right, top = (min(max(s, -1e6), 1e6) if s == s else 0.0 for s in sides)
    if right <= left or top <= bottom:  # viewers show a page without a size as a letter
        left, bottom, right, top = 0.0, 0.0, 612.0, 792.0
    return Frame(left, bottom, max(right, left), max(top, bottom), pdfium.FPDFPage_GetRotation(page) % 4)


@dataclass(slots=True)
class Surroundings:
    """What the document and the page's annotations say of its characters: whether layers may be hidden, the
    places that annotations cover, and those whose words reviewers struck (their places in order)."""

    layers: bool = False
    covered: tuple[Place, ...] = ()
    struck: tuple[Place, ...] = ()


@dataclass(slots=True)
class LeftOut:
    """Characters of the page that are not among its glyphs: how many are beyond the limit, how many nobody
    sees; and the words that are struck, each run with its place, -1 or the number of the annotation."""

    beyond: int = 0
    unseen: int = 0
    struck: tuple[tuple[str, Place, int], ...] = ()


def page_glyphs(
    page: Any, text_page: Any, frame: Frame, around: Surroundings
) -> tuple[Glyphs, LeftOut, Drawn]:
    """The characters of a pdfium text page that are inked and seen, what was left out, what else is drawn.
    Struck ones have the code STRUCK, so that what stands around them is laid out as it is printed.

    Characters without a finite box are given an empty one.
    """
    handle = _address(text_page)
    present = max(pdfium.FPDFText_CountChars(text_page), 0) if handle else 0
    count = min(present, _MAX_CHARACTERS)
    sides = (frame.left, frame.bottom, frame.right, frame.top, frame.turns)
    codes, boxes, before, ink, outside = read_characters(TEXT_FUNCTIONS, handle, count, sides)
    drawn = look(page, text_page, boxes, ink, sides, layers=around.layers)
    left_out = LeftOut(present - count)
    if drawn.any or around.covered or around.struck:
        size = frame.width, frame.height
        gone = unseen_characters(page, text_page, drawn, boxes, ink, size, around.covered)
        struck = struck_characters(text_page, drawn, codes, boxes, ink) & ~gone
        by_note = np.where(gone, -1, _by_place(boxes, around.struck))
        struck |= by_note >= 0
        left_out.unseen = int(gone.sum())
        if struck.any():
            left_out.struck = tuple(_runs(codes, boxes, before, struck, by_note))
            codes[struck] = STRUCK
        if left_out.unseen:
            kept = np.flatnonzero(~gone)
            before = _strongest(before, kept) if len(kept) else before[:0]
            codes, boxes, ink = codes[kept], boxes[kept], ink[kept]
    once = _drawn_once(codes, boxes)
    if once is not None:
        codes, boxes, before, ink = codes[once], boxes[once], _strongest(before, once), ink[once]
    turn, traits, guessed = _styles(handle, ink, before, frame.turns)
    bold = traits & _BOLD
    unmapped = int((each_int(_UNMAPPED, handle, ink) == 1).sum()) if guessed else 0
    _part_ligatures(boxes)
    if traits.max(initial=0) >= _WINGDINGS:  # letters that show ticks and boxes: by their place in the font
        codes[(traits >= _WINGDINGS) & (codes < 0x100)] |= 0xF000
    set_upright_columns(codes, boxes, turn)
    _raise_figures(codes, boxes, turn)
    glyphs = Glyphs(codes, boxes, before, turn, bold, unmapped, outside)
    return _with_accents(glyphs), left_out, drawn


def _by_place(boxes: NDArray[np.float64], places: tuple[Place, ...]) -> NDArray[np.int32]:
    """For each character the first of the places that holds its middle, -1 for none."""
    found = np.full(len(boxes), -1, np.int32)
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    for number, (x0, y0, x1, y1) in reversed(list(enumerate(places))):
        found[(x > x0) & (x < x1) & (y > y0) & (y < y1)] = number
    return found


def _runs(
    codes: NDArray[np.uint32],
    boxes: NDArray[np.float64],
    before: NDArray[np.uint8],
    struck: NDArray[np.bool_],
    by_note: NDArray[np.int32],
) -> Iterator[tuple[str, Place, int]]:
    """What is struck, in runs of one line each."""
    members = np.flatnonzero(struck)
    new_line = before[members] == BREAK_LINE
    apart = (np.diff(members, prepend=-2) > 1) | new_line | (np.diff(by_note[members], prepend=-2) != 0)
    for run in np.split(members, np.flatnonzero(apart)[1:]):
        text = "".join(
            (" " if k and before[i] != BREAK_NONE else "") + chr(min(int(codes[i]), 0x10FFFF))
            for k, i in enumerate(run.tolist())
        )
        x0, y0 = boxes[run, :2].min(axis=0).tolist()
        x1, y1 = boxes[run, 2:].max(axis=0).tolist()
        yield text.encode("utf-8", "replace").decode(), (x0, y0, x1, y1), int(by_note[run[0]])


def _strongest(before: NDArray[np.uint8], kept: NDArray[np.intp]) -> NDArray[np.uint8]:
    """What stands before the characters that are kept: the strongest since the last of them."""
    starts = np.concatenate(([0], kept[:-1] + 1))
    strongest: NDArray[np.uint8] = np.maximum.reduceat(before[: kept[-1] + 1], starts)
    return strongest


def _drawn_once(codes: NDArray[np.uint32], boxes: NDArray[np.float64]) -> NDArray[np.intp] | None:
    """Without characters drawn over themselves, a little aside, which some programs do for bold; None if all
    are drawn once. One point is less than any two of a kind stand apart: only a page with two in one cell
    of such a grid is looked through."""
    cells = codes.astype(np.int64) << 40
    cells += (boxes[:, 0] + 2e5).astype(np.int64) << 20
    cells += (boxes[:, 1] + 2e5).astype(np.int64)
    if not _has_twins(cells):
        return None
    ligature = (codes == ord("f")) | (codes == ord("t"))  # its letters share one box: "ff", "tt"
    ligature[1:] &= (boxes[1:] == boxes[:-1]).all(axis=1)
    tiny = boxes[:, 2] - boxes[:, 0] < 2
    if not _has_twins(cells[~ligature & ~tiny]):
        return None
    kept: list[int] = []
    seen: dict[tuple[int, int, int], list[tuple[float, float]]] = {}
    for i, (code, (x0, y0, x1, y1)) in enumerate(zip(codes.tolist(), boxes.tolist(), strict=True)):
        near = 0.12 * (y1 - y0)
        column, row = int(x0 // 4), int(y0 // 4)
        if not ligature[i] and any(
            abs(x - x0) < min(near, 0.4 * (x1 - x0)) and abs(y - y0) < near
            for c in (column - 1, column, column + 1)
            for r in (row - 1, row, row + 1)
            for x, y in seen.get((code, c, r), ())
        ):
            continue
        seen.setdefault((code, column, row), []).append((x0, y0))
        kept.append(i)
    return np.array(kept, np.intp)


def _has_twins(values: NDArray[np.int64]) -> bool:
    ordered = np.sort(values)
    return bool((ordered[1:] == ordered[:-1]).any())


# Accents that a font draws by themselves, and what they do to the letter they stand over.
_ACCENTS = dict(
    zip(
        map(ord, "`´¨¯¸ˆˇ˘˙˚˛˜˝"),
        "\u0300\u0301\u0308\u0304\u0327\u0302\u030c\u0306\u0307\u030a\u0328\u0303\u030b",
        strict=True,
    )
)
_ACCENTS |= {code: chr(code) for code in range(0x300, 0x370)}
_IS_ACCENT = np.zeros(1 << 16, bool)
_IS_ACCENT[list(_ACCENTS)] = True
_MOST_ACCENTS = 3_000


def _with_accents(glyphs: Glyphs) -> Glyphs:
    """Puts accents drawn by themselves, as TeX does, on the letter whose middle they share: u and ¨ are ü."""
    accents = np.flatnonzero(_IS_ACCENT[np.minimum(glyphs.codes, 0xFFFF)])[:_MOST_ACCENTS]
    if not len(accents):
        return glyphs
    x0, y0, x1, y1 = glyphs.boxes.T
    middle = (x0 + x1) / 2
    keep = np.ones(len(glyphs.codes), bool)
    for accent in accents.tolist():
        size = y1[accent] - y0[accent]
        over = (abs(middle - middle[accent]) < 0.3 * (x1 - x0)) & (abs(y0 - y0[accent]) < 0.4 * size) & keep
        over[accent] = False
        bases = np.flatnonzero(over)
        if not len(bases):
            continue
        base = int(bases[np.argmin(abs(bases - accent))])
        letter = {"ı": "i", "ȷ": "j"}.get(chr(glyphs.codes[base]), chr(glyphs.codes[base]))
        composed = unicodedata.normalize("NFC", letter + _ACCENTS[int(glyphs.codes[accent])])
        if len(composed) == 1:
            glyphs.codes[base] = ord(composed)
            keep[accent] = False
            if base == accent + 1:
                glyphs.before[base] = glyphs.before[accent]
    kept = np.flatnonzero(keep)
    return Glyphs(
        glyphs.codes[kept],
        glyphs.boxes[kept],
        glyphs.before[kept],
        glyphs.turn[kept],
        glyphs.bold[kept],
        glyphs.unmapped,
        glyphs.outside,
    )


_CJK = 0x2E80  # where the scripts begin that are also written from top to bottom
_LEAST_CJK = 8


def set_upright_columns(
    codes: NDArray[np.uint32], boxes: NDArray[np.float64], turn: NDArray[np.int8]
) -> None:
    """Japanese and Chinese written from top to bottom, in columns from the right, are lines that read down:
    each character follows the one above it."""
    if not len(codes) or codes.max() < _CJK:
        return
    east = (codes >= _CJK) & (codes < 0xFFF0) & ~((codes >= 0xE000) & (codes < 0xF900)) & (turn == 0)
    members = np.flatnonzero(east)
    if len(members) < _LEAST_CJK:
        return
    middle = (boxes[members, :2] + boxes[members, 2:]) / 2
    size = np.maximum((boxes[members, 2:] - boxes[members, :2]).min(axis=1), 1.0)[1:]
    across, along = np.diff(middle, axis=0).T
    below = (np.abs(across) < 0.4 * size) & (along > 0.6 * size) & (along < 2.2 * size)
    beside = (np.abs(along) < 0.4 * size) & (across > 0.6 * size) & (across < 2.2 * size)
    if below.sum() > 3 * beside.sum() and below.sum() > 0.4 * len(members):
        down = np.append(below, False) | np.append(False, below)
        turn[members[down]] = 1
        # Signs and digits between such characters of a column are of it.
        near = np.flatnonzero(turn == 0)
        for i in near.tolist():
            columns = boxes[turn == 1]
            x, y = (boxes[i, 0] + boxes[i, 2]) / 2, (boxes[i, 1] + boxes[i, 3]) / 2
            wide = columns[:, 2] - columns[:, 0]
            close = (np.abs((columns[:, 0] + columns[:, 2]) / 2 - x) < 0.6 * wide) & (
                np.abs((columns[:, 1] + columns[:, 3]) / 2 - y) < 2.2 * wide
            )
            if close.any():
                turn[i] = 1


# The digits 0 to 9, raised.
_RAISED = np.array([0x2070, 0xB9, 0xB2, 0xB3, *range(0x2074, 0x207A)], np.uint32)


def _raise_figures(codes: NDArray[np.uint32], boxes: NDArray[np.float64], turn: NDArray[np.int8]) -> None:
    """Raises the number of a note that is set small and high behind a figure: 1,234² is not 1,2342."""
    digit = (codes >= 48) & (codes <= 57) & (turn == 0)
    second = np.flatnonzero(digit[1:] & digit[:-1]) + 1
    size = boxes[:, 3] - boxes[:, 1]
    second = second[size[second] < 0.8 * size[second - 1]]
    if not len(second):
        return
    fraction = np.append((codes[1:] == ord("/")) | (codes[1:] == 0x2044), False)  # "1 2/3"
    before = boxes[second - 1]
    higher = boxes[second, 3] < before[:, 3] - 0.1 * size[second - 1]
    beside = (boxes[second, 3] > before[:, 1]) & (
        abs(boxes[second, 0] - before[:, 2]) < 0.3 * size[second - 1]
    )
    for i in second[higher & beside & ~fraction[second]].tolist():
        codes[i] = _RAISED[codes[i] - 48]
        while i + 1 < len(codes) and digit[i + 1] and (boxes[i + 1, 1::2] == boxes[i, 1::2]).all():
            i += 1
            codes[i] = _RAISED[codes[i] - 48]


def _part_ligatures(boxes: NDArray[np.float64]) -> None:
    """pdfium spells ligatures out and gives each letter the whole glyph's box: a share each is theirs."""
    same = boxes[1:, 0] == boxes[:-1, 0]
    if not same.any():
        return
    same &= (boxes[1:] == boxes[:-1]).all(axis=1) & (boxes[1:, 2] > boxes[1:, 0])
    starts = np.flatnonzero(np.concatenate(([True], ~same)))
    lengths = np.diff(np.concatenate((starts, [len(boxes)])))
    for start, length in zip(starts[lengths > 1].tolist(), lengths[lengths > 1].tolist(), strict=True):
        if length <= 3:
            edges = np.linspace(boxes[start, 0], boxes[start, 2], length + 1)
            boxes[start : start + length, 0] = edges[:-1]
            boxes[start : start + length, 2] = edges[1:]


def _styles(
    handle: int, ink: NDArray[np.int32], before: NDArray[np.uint8], page_turns: int
) -> tuple[NDArray[np.int8], NDArray[np.uint8], bool]:
    """Direction and traits, looked up once a word: they change only where a new text object begins.

    Also whether the first character of any text object is one that its font gives no meaning.
    """
    first = np.flatnonzero(before > 0)
    if not len(first) or first[0] != 0:
        first = np.concatenate(([0], first)) if len(ink) else first
    objects = each_address(_OBJECT, handle, ink[first])
    begins = np.flatnonzero(np.append(True, objects[1:] != objects[:-1])[: len(objects)])
    starts = first[begins]  # where each run of one object begins
    places = ink[starts]
    guessed = bool((each_int(_UNMAPPED, handle, places) == 1).any())
    fonts = [_font(key) if key else None for key in objects[begins].tolist()]
    traits_of_font = {font: _traits(font) if font else 0 for font in set(fonts)}
    angles = each_float(_ANGLE, handle, places).tolist()
    turn_of_angle = {angle: _quarter(angle, page_turns) for angle in set(angles)}
    turn = np.array([turn_of_angle[angle] for angle in angles], np.int8)
    if max(traits_of_font.values(), default=0) >= _WINGDINGS:
        exact = _traits_of_each(each_address(_OBJECT, handle, ink), traits_of_font)
        return np.repeat(turn, np.diff(np.append(starts, len(ink)))), exact, guessed
    traits = np.array([traits_of_font[font] for font in fonts], np.uint8)
    lengths = np.diff(np.append(starts, len(ink)))
    return np.repeat(turn, lengths), np.repeat(traits, lengths), guessed


def _traits_of_each(objects: NDArray[np.int64], known: dict[int | None, int]) -> NDArray[np.uint8]:
    """The traits of the font of each text object: a box is often drawn with no space to the word after it."""
    different, place = np.unique(objects, return_inverse=True)
    fonts = [_font(key) if key else None for key in different.tolist()]
    known |= {font: _traits(font) if font else 0 for font in set(fonts) - known.keys()}
    return np.array([known[font] for font in fonts], np.uint8)[place]


_BOLD, _WINGDINGS = np.uint8(1), np.uint8(2)
_IS_WINGDINGS = re.compile(rb"wingdings(?![ -]?[23])")


def _traits(font: int) -> int:
    name = ctypes.create_string_buffer(128)
    _font_name(font, ctypes.addressof(name), 127)
    lowered = name.value.lower()
    by_name = any(word in lowered for word in (b"bold", b"black", b"heavy", b"-bd", b"demi"))
    bold = int(_BOLD) if by_name or _font_weight(font) >= 600 else 0
    return bold | (int(_WINGDINGS) if _IS_WINGDINGS.search(lowered) else 0)


def _quarter(angle: float, page_turns: int) -> int:
    """Reading direction as shown, in quarter turns clockwise; -1 when it is none of the four."""
    if not np.isfinite(angle) or angle < 0:
        return 0
    quarters = angle / (np.pi / 2)
    nearest = round(quarters)
    if abs(quarters - nearest) > 0.06:
        return -1
    return int(nearest + page_turns) % 4
