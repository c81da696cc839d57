"""The worker's side of text recognition: draws a page with pdfium, lets RapidOCR or tesseract read it.

RapidOCR (Apache-2.0) brings its PaddleOCR models in the wheel, so nothing is fetched. It is an extra:
`pip install longleaf[ocr]`. Without it a tesseract that is installed does the work.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longleaf.ingest.ocr import tesseract
from longleaf.ingest.pdf.characters import BREAK_LINE, BREAK_NONE, BREAK_SPACE, Glyphs, page_frame
from longleaf.ingest.pdf.lines import lay_out
from longleaf.ingest.pdf.normalise import normalise
from longleaf.ingest.pdf.page_lines import RawPage, Recognized

DPI = 200  # small print of a scan is read well, and a page is no more than 2,000 pixels high or wide
_MOST_PIXELS = 12_000_000
Engine = Callable[[NDArray[np.uint8]], list[tuple[NDArray[np.float64], str, float]]]


def engine_name() -> str:
    """What recognizes text here: "RapidOCR", "tesseract", or "" if neither is installed."""
    if find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None:
        return "RapidOCR"
    return "tesseract" if tesseract.program() else ""


def open_engine() -> Engine:
    """A function from a picture (height, width, 3; blue first) to lines: corners, text, score.

    Must be called before the process is confined.
    """
    return _rapidocr() if engine_name() == "RapidOCR" else tesseract.open_engine(_MOST_PIXELS)


def _rapidocr() -> Engine:
    """It is run once here, for what it imports late."""
    from rapidocr import RapidOCR

    engine = RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.use_cls": True,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )

    def recognize(picture: NDArray[np.uint8]) -> list[tuple[NDArray[np.float64], str, float]]:
        found: Any = engine(picture, use_det=True, use_cls=True, use_rec=True)
        if found.boxes is None or found.txts is None or found.scores is None:
            return []
        boxes = np.asarray(found.boxes, np.float64).reshape(-1, 4, 2)
        return [(b, str(t), float(s)) for b, t, s in zip(boxes, found.txts, found.scores, strict=True)]

    blank = np.full((48, 160, 3), 255, np.uint8)
    recognize(blank)
    engine(blank, use_det=False, use_cls=True, use_rec=True)  # loads the other two
    return recognize


def read_page(document: Any, page_index: int, engine: Engine) -> RawPage | None:
    """The page as its picture says, or None if pdfium cannot load it."""
    import pypdfium2_raw as pdfium

    page = pdfium.FPDF_LoadPage(document, page_index)
    if not page:
        return None
    try:
        frame = page_frame(page)
        picture = _drawn(page, frame.width, frame.height)
    finally:
        pdfium.FPDF_ClosePage(page)
    lines = engine(picture) if picture is not None else []
    scale = (
        np.array([frame.width / picture.shape[1], frame.height / picture.shape[0]])
        if picture is not None
        else 1
    )
    glyphs, recognized = _glyphs([(corners * scale, text, score) for corners, text, score in lines])
    laid = normalise(lay_out(glyphs, frame.width, frame.height))
    raw = RawPage(page_index, frame.width, frame.height, laid, 1.0, True)
    raw.recognized = recognized
    return raw


def _drawn(page: Any, width: float, height: float) -> NDArray[np.uint8] | None:
    import pypdfium2_raw as pdfium

    scale = min(DPI / 72, (_MOST_PIXELS / max(width * height, 1.0)) ** 0.5)
    columns, rows = int(width * scale), int(height * scale)
    if min(columns, rows) < 8:
        return None
    pixels = np.full((rows, columns, 4), 255, np.uint8)
    bitmap = pdfium.FPDFBitmap_CreateEx(
        columns, rows, pdfium.FPDFBitmap_BGRx, pixels.ctypes.data_as(ctypes.c_void_p), columns * 4
    )
    if not bitmap:
        return None
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, columns, rows, 0, pdfium.FPDF_ANNOT)
    pdfium.FPDFBitmap_Destroy(bitmap)
    return np.ascontiguousarray(pixels[:, :, :3])


def _glyphs(
    lines: list[tuple[NDArray[np.float64], str, float]],
) -> tuple[Glyphs, tuple[Recognized, ...]]:
    """Characters spread evenly over the box of their line: where in it each stands is not known better."""
    codes: list[int] = []
    boxes: list[tuple[float, float, float, float]] = []
    before: list[int] = []
    recognized = []
    for corners, text, score in sorted(lines, key=lambda line: (line[0][:, 1].min(), line[0][:, 0].min())):
        x0, y0 = (float(v) for v in corners.min(axis=0))
        x1, y1 = (float(v) for v in corners.max(axis=0))
        # The box stands off the letters a little; letters are what other boxes are drawn around.
        y0, y1 = y0 + 0.12 * (y1 - y0), y1 - 0.12 * (y1 - y0)
        if not text.strip() or not all(map(np.isfinite, (x0, y0, x1, y1))) or x1 <= x0 or y1 <= y0:
            continue
        recognized.append(Recognized(x0, y0, x1, y1, min(max(score, 0.0), 1.0)))
        step = (x1 - x0) / len(text)
        gap = BREAK_LINE
        for i, character in enumerate(text):
            if character.isspace():
                gap = max(gap, BREAK_SPACE)
                continue
            codes.append(ord(character))
            boxes.append((x0 + i * step, y0, x0 + (i + 1) * step, y1))
            before.append(gap)
            gap = BREAK_NONE
    n = len(codes)
    return (
        Glyphs(
            np.array(codes, np.uint32),
            np.array(boxes, np.float64).reshape(n, 4),
            np.array(before, np.uint8),
            np.zeros(n, np.int8),
            np.zeros(n, np.uint8),
        ),
        tuple(recognized),
    )
