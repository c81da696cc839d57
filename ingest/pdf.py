"""Pages of a PDF through pdfium, its structure through pypdf."""

from __future__ import annotations

import ctypes
import io
from collections.abc import Collection
from typing import Any

import pypdfium2.raw as pdfium

from .document import Gap
from .errors import IngestError
from .glyphs import page_frame, page_glyphs
from .layout import lay_out
from .normalise import normalise
from .pages import RawPage
from .structure import Structure, page_labels, read_structure


def read_pages(
    data: bytes, name: str, wanted: Collection[int] | None, progress: Any
) -> tuple[list[RawPage], Structure, list[Gap]]:
    import pypdf

    pdfium.FPDF_InitLibrary()
    document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    if not document:
        error = pdfium.FPDF_GetLastError()
        if error == pdfium.FPDF_ERR_PASSWORD:
            raise IngestError(f"{name}: needs a password to open; save it without one and try again")
        raise IngestError(f"{name}: damaged or truncated, it cannot be opened as a PDF")
    count = pdfium.FPDF_GetPageCount(document)
    gaps: list[Gap] = []
    pages = []
    chosen = range(count) if wanted is None else sorted(set(wanted))
    for done, i in enumerate(chosen):
        raw = read_page(document, i)
        if raw is None:
            gaps.append(Gap("page_failed", "the page cannot be loaded", i))
        else:
            pages.append(raw)
        if progress:
            progress(done + 1, len(chosen))
    try:
        reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted:
            reader.decrypt("")
        structure = read_structure(reader, count)
    except Exception:
        structure = Structure(page_labels(None, count))
    pdfium.FPDF_CloseDocument(document)
    return pages, structure, gaps


def read_page(document: Any, page_index: int) -> RawPage | None:
    """One page's lines, or None if pdfium cannot load it."""
    page = pdfium.FPDF_LoadPage(document, page_index)
    if not page:
        return None
    text_page = pdfium.FPDFText_LoadPage(page)
    try:
        frame = page_frame(page)
        lines = normalise(lay_out(page_glyphs(text_page, frame), frame.width, frame.height))
        share, drawn = _drawn(page, frame.width * frame.height)
        return RawPage(page_index, frame.width, frame.height, lines, share, drawn)
    finally:
        pdfium.FPDFText_ClosePage(text_page)
        pdfium.FPDF_ClosePage(page)


def _drawn(page: Any, area: float) -> tuple[float, bool]:
    """The share of the page that images cover, and whether anything but text is on it."""
    covered = 0.0
    other = False
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    for i in range(min(pdfium.FPDFPage_CountObjects(page), 5000)):
        item = pdfium.FPDFPage_GetObject(page, i)
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            continue
        other = True
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE and pdfium.FPDFPageObj_GetBounds(item, left, bottom, right, top):
            covered += abs((right.value - left.value) * (top.value - bottom.value))
    return min(covered / max(area, 1.0), 1.0), other
