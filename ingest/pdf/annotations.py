"""What is laid over a page and is not its content: notes, marks on words, fields to tick.

Runs inside the worker process only. Places are left, top, right, bottom in PDF space until `show` is called.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pypdfium2_raw as pdfium

from longleaf.ingest.pdf.characters import Frame, Surroundings
from longleaf.ingest.pdf.drawn import Place
from longleaf.ingest.pdf.page_lines import Note

_MOST = 5_000
_MOST_QUADS = 500
_MAX_NOTE = 20_000  # characters
_PUSHBUTTON = 1 << 16  # of a button's flags
_HIDDEN = 2 | 32  # of an annotation's flags: hidden, not on screen

_SHOWN = (pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP)
# What is said of words by a mark on them that says nothing itself.
_MARKS = {
    pdfium.FPDF_ANNOT_HIGHLIGHT: "highlighted",
    pdfium.FPDF_ANNOT_UNDERLINE: "underlined",
    pdfium.FPDF_ANNOT_SQUIGGLY: "underlined",
    pdfium.FPDF_ANNOT_CARET: "words are to be inserted here",
    pdfium.FPDF_ANNOT_REDACT: "marked for redaction, which is not done",
}
_COMMENTED = (
    pdfium.FPDF_ANNOT_TEXT,
    pdfium.FPDF_ANNOT_STRIKEOUT,
    pdfium.FPDF_ANNOT_FILEATTACHMENT,
    pdfium.FPDF_ANNOT_INK,
    pdfium.FPDF_ANNOT_LINE,
    pdfium.FPDF_ANNOT_SQUARE,
    pdfium.FPDF_ANNOT_CIRCLE,
    pdfium.FPDF_ANNOT_POLYGON,
    pdfium.FPDF_ANNOT_POLYLINE,
    *_MARKS,
)
_COVERING = (pdfium.FPDF_ANNOT_SQUARE, pdfium.FPDF_ANNOT_REDACT, pdfium.FPDF_ANNOT_POLYGON)


@dataclass(frozen=True, slots=True)
class Button:
    """A box to tick, or one of several to choose from."""

    place: Place
    checked: bool


@dataclass(slots=True)
class PageAnnotations:
    """`shown` tells that the page has fields, text boxes or stamps, which are drawn as its content."""

    shown: bool = False
    buttons: list[Button] = field(default_factory=list)
    _notes: list[Note] = field(default_factory=list)
    _struck: list[tuple[Place, Note]] = field(default_factory=list)
    _covered: list[Place] = field(default_factory=list)

    def show(self, frame: Frame) -> None:
        """Turns all places into those as shown."""
        places = [n.place for n in self._notes] + [p for p, _ in self._struck] + self._covered
        places += [b.place for b in self.buttons]
        if not places:
            return
        boxes = np.nan_to_num(frame.show(np.array(places, np.float64)), nan=0.0, posinf=1e5, neginf=-1e5)
        shown = iter([tuple(box) for box in boxes.clip(-1e5, 1e5).tolist()])
        self._notes = [Note(next(shown), n.text, n.author, n.date, n.kind) for n in self._notes]
        self._struck = [(next(shown), note) for _, note in self._struck]
        self._covered = [next(shown) for _ in self._covered]
        self.buttons = [Button(next(shown), b.checked) for b in self.buttons]

    def surroundings(self, *, layers: bool) -> Surroundings:
        return Surroundings(layers, tuple(self._covered), tuple(place for place, _ in self._struck))

    def notes(self, struck: Iterable[tuple[str, Place, int]]) -> tuple[Note, ...]:
        """The notes, and what is struck on the page: by whom, where a reviewer did it."""
        deletions = []
        for text, place, number in struck:
            by = self._struck[number][1] if number >= 0 else Note(place, "", "", "")
            deletions.append(Note(place, text, by.author, by.date, "deletion"))
        return (*self._notes, *deletions)


def page_annotations(page: Any, form: Any) -> PageAnnotations:
    """The annotations of a loaded page; `form` is the document's environment for forms, or None."""
    found = PageAnnotations()
    rect = pdfium.FS_RECTF()
    for i in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST)):
        annotation = pdfium.FPDFPage_GetAnnot(page, i)
        kind = pdfium.FPDFAnnot_GetSubtype(annotation)
        found.shown |= kind in _SHOWN
        if kind in (*_COMMENTED, pdfium.FPDF_ANNOT_WIDGET):
            placed = pdfium.FPDFAnnot_GetRect(annotation, rect)
            place = (rect.left, rect.top, rect.right, rect.bottom) if placed else (0.0, 0.0, 0.0, 0.0)
            hidden = pdfium.FPDFAnnot_GetFlags(annotation) & _HIDDEN
            if kind != pdfium.FPDF_ANNOT_WIDGET:
                _take(found, annotation, kind, place, seen=not hidden)
            elif not hidden and (checked := _is_checked(annotation, form)) is not None:
                found.buttons.append(Button(place, checked))
        pdfium.FPDFPage_CloseAnnot(annotation)
    return found


def _take(found: PageAnnotations, annotation: Any, kind: int, place: Place, *, seen: bool) -> None:
    text = _string(annotation, b"Contents")
    if kind == pdfium.FPDF_ANNOT_FILEATTACHMENT:
        text = f"attached file, not read: {text}".rstrip(": ")
    author, date = _string(annotation, b"T")[:200], _string(annotation, b"M")[:40]
    if text:
        found._notes.append(Note(place, text, author, date))
    elif kind in _MARKS and seen:
        found._notes.append(Note(place, _MARKS[kind], author, date, "mark"))
    if kind == pdfium.FPDF_ANNOT_STRIKEOUT and seen:
        note = Note(place, "", author, date)
        found._struck += [(quad, note) for quad in _quads(annotation) or [place]]
    if kind in _COVERING and seen:
        found._covered.append(place)


def _quads(annotation: Any) -> list[Place]:
    """The places of the words that a mark lies on, one a line."""
    points = pdfium.FS_QUADPOINTSF()
    found = []
    for i in range(min(pdfium.FPDFAnnot_CountAttachmentPoints(annotation), _MOST_QUADS)):
        if pdfium.FPDFAnnot_GetAttachmentPoints(annotation, i, points):
            x = (points.x1, points.x2, points.x3, points.x4)
            y = (points.y1, points.y2, points.y3, points.y4)
            found.append((min(x), max(y), max(x), min(y)))
    return found


def _is_checked(annotation: Any, form: Any) -> bool | None:
    """Whether a box or a button of a group is ticked; None for what is neither.

    The state that the file names counts, not the picture of it, which may be anything or missing.
    """
    if form:
        kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
        if kind not in (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON):
            return None
    elif _string(annotation, b"FT") != "Btn" or _number(annotation, b"Ff") & _PUSHBUTTON:
        return None
    if state := _string(annotation, b"AS"):
        return state != "Off"
    if form and pdfium.FPDFAnnot_IsChecked(form, annotation):
        return True
    return _string(annotation, b"V") not in ("", "Off")


def _number(annotation: Any, key: bytes) -> int:
    value = ctypes.c_float()
    return int(value.value) if pdfium.FPDFAnnot_GetNumberValue(annotation, key, value) else 0


def _string(annotation: Any, key: bytes) -> str:
    size = min(int(pdfium.FPDFAnnot_GetStringValue(annotation, key, None, 0)), 2 * _MAX_NOTE)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDFAnnot_GetStringValue(
        annotation, key, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size
    )
    return buffer.raw[: size - 2].decode("utf-16-le", "replace").strip()
