"""Pages of a PDF through pdfium. Runs inside the worker process only."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import pypdfium2_raw as pdfium

from longleaf.ingest.pdf.annotations import page_annotations
from longleaf.ingest.pdf.characters import page_frame, page_glyphs
from longleaf.ingest.pdf.check_boxes import with_boxes
from longleaf.ingest.pdf.lines import lay_out
from longleaf.ingest.pdf.normalise import normalise
from longleaf.ingest.pdf.page_lines import RawPage

ENOUGH_CHARACTERS = 400
_MAX_OBJECTS = 5_000
_MAX_DEPTH = 8
_MAX_COPY = 256 << 20  # bytes

# No fonts of the machine: a worker cannot open their files, and a page is to read the same everywhere.
_NO_FOLDERS = (ctypes.POINTER(ctypes.c_char) * 1)()
_CONFIG = pdfium.FPDF_LIBRARY_CONFIG(version=2, m_pUserFontPaths=_NO_FOLDERS)
_CALLBACKS = pdfium.FPDF_FORMFILLINFO(version=2)  # none of them: pdfium keeps its address

OPEN_ERRORS = {
    pdfium.FPDF_ERR_PASSWORD: "password",
    pdfium.FPDF_ERR_SECURITY: "security",
    pdfium.FPDF_ERR_FORMAT: "damaged",
    pdfium.FPDF_ERR_FILE: "damaged",
}


def open_document(data: Any, size: int) -> tuple[Any, str]:
    """The pdfium document over `data` (kept alive by the caller), or None and why it cannot be opened."""
    pdfium.FPDF_InitLibraryWithConfig(_CONFIG)
    document = pdfium.FPDF_LoadMemDocument64(data, size, None)
    if document:
        return document, ""
    return None, OPEN_ERRORS.get(pdfium.FPDF_GetLastError(), "damaged")


def close_document(document: Any) -> None:
    """Ends it, and forgets its fields: the next document may lie at the same address."""
    if form := _form_of(document):
        pdfium.FPDFDOC_ExitFormFillEnvironment(form)
    pdfium.FPDF_CloseDocument(document)
    _form.cache_clear()


def page_count(document: Any) -> int:
    return max(int(pdfium.FPDF_GetPageCount(document)), 0)


def is_encrypted(document: Any) -> bool:
    return int(pdfium.FPDF_GetSecurityHandlerRevision(document)) >= 0


def decrypted(document: Any) -> bytes:
    """The file as pdfium writes it without encryption; empty if that fails or is too large."""
    written = bytearray()

    def write(_: Any, data: int, size: int) -> bool:
        written.extend(ctypes.string_at(data, size))
        return len(written) <= _MAX_COPY

    sink = pdfium.FPDF_FILEWRITE(version=1)
    sink.WriteBlock = type(sink.WriteBlock)(write)
    saved = pdfium.FPDF_SaveAsCopy(document, sink, pdfium.FPDF_REMOVE_SECURITY)
    return bytes(written) if saved else b""


def read_page(document: Any, page_index: int, *, layers: bool = False) -> RawPage | None:
    """One page's lines, or None if pdfium cannot load it. `layers` says that the file may hide layers."""
    page = pdfium.FPDF_LoadPage(document, page_index)
    if not page:
        return None
    found = page_annotations(page, _form_of(document))
    if found.shown:
        _draw_fields(document, page)
    if found.shown and pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY) == pdfium.FLATTEN_SUCCESS:
        # Filled form fields and text boxes are now part of the page's content, but of a page loaded anew.
        pdfium.FPDF_ClosePage(page)
        page = pdfium.FPDF_LoadPage(document, page_index)
        if not page:
            return None
    text_page = pdfium.FPDFText_LoadPage(page)
    try:
        frame = page_frame(page)
        found.show(frame)
        glyphs, left_out, drawn = page_glyphs(page, text_page, frame, found.surroundings(layers=layers))
        glyphs = with_boxes(glyphs, drawn, found.buttons)
        lines = normalise(lay_out(glyphs, frame.width, frame.height))
        # What else is drawn matters only where there is hardly any text, and asking takes as long as reading.
        few = len(glyphs.codes) < ENOUGH_CHARACTERS
        share, other = _drawn(page, frame.width * frame.height) if few else (0.0, True)
        return RawPage(
            page_index,
            frame.width,
            frame.height,
            lines,
            share,
            other,
            left_out.beyond,
            found.notes(left_out.struck),
            glyphs.unmapped,
            outside=glyphs.outside,
            unseen=left_out.unseen,
        )
    finally:
        pdfium.FPDFText_ClosePage(text_page)
        pdfium.FPDF_ClosePage(page)


def _form_of(document: Any) -> Any:
    return _form(ctypes.cast(document, ctypes.c_void_p).value or 0)


def _draw_fields(document: Any, page: Any) -> None:
    """Gives a picture to fields that hold a value but none, as programs that fill in forms leave them."""
    form = _form_of(document)
    if form:
        pdfium.FORM_OnAfterLoadPage(page, form)
        pdfium.FORM_OnBeforeClosePage(page, form)


@cache
def _form(address: int) -> Any:
    """The fields of the document at `address`, as long as the worker lives; None if it has none."""
    document = ctypes.cast(address, pdfium.FPDF_DOCUMENT)
    if pdfium.FPDF_GetFormType(document) == pdfium.FORMTYPE_NONE:
        return None
    return pdfium.FPDFDOC_InitFormFillEnvironment(document, _CALLBACKS)


def _drawn(page: Any, area: float) -> tuple[float, bool]:
    """The share of the page that images cover, and whether anything but text is on it."""
    covered = 0.0
    other = False
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    stack = [(page, False, 0)]
    seen = 0
    while stack and seen < _MAX_OBJECTS:
        holder, is_form, depth = stack.pop()
        count = pdfium.FPDFFormObj_CountObjects if is_form else pdfium.FPDFPage_CountObjects
        get = pdfium.FPDFFormObj_GetObject if is_form else pdfium.FPDFPage_GetObject
        for i in range(min(count(holder), _MAX_OBJECTS - seen)):
            seen += 1
            item = get(holder, i)
            kind = pdfium.FPDFPageObj_GetType(item)
            if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
                stack.append((item, True, depth + 1))
            elif kind != pdfium.FPDF_PAGEOBJ_TEXT:
                other = True
                # Bounds inside a form are in the form's space: its own matrix is left aside, most are plain.
                if kind == pdfium.FPDF_PAGEOBJ_IMAGE and pdfium.FPDFPageObj_GetBounds(
                    item, left, bottom, right, top
                ):
                    covered += abs((right.value - left.value) * (top.value - bottom.value))
    return min(covered / max(area, 1.0), 1.0), other
