"""Pages that are pictures are recognized where the extra is there, marked so, and named where it is not."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader

from longleaf.app.citations import cite
from longleaf.ingest import IngestError, Span, read, read_document
from tests.support.document_checks import check_document
from tests.support.pdf_maker import Draw, lines, make_pdf, pdf_bytes

pytest.importorskip("rapidocr")


def typed(canvas: Any, index: int) -> None:
    lines(canvas, ["ARTICLE 4. TERM"], font="Times-Bold", size=15, top=90)
    lines(
        canvas, ["This Lease begins on March 1, 2024 and lasts", "five years."], size=14, leading=20, top=130
    )


def scan_of(draw: Draw) -> Draw:
    """Draws a picture of what another function draws."""
    with pypdfium2.PdfDocument(pdf_bytes([draw])) as document:
        picture = document[0].render(scale=2).to_pil()
    data = io.BytesIO()
    picture.save(data, "PNG")

    def drawn(canvas: Any, index: int) -> None:
        canvas.drawImage(ImageReader(io.BytesIO(data.getvalue())), 0, 0, 612, 792)

    return drawn


def blank(canvas: Any, index: int) -> None:
    """A picture without words."""
    grey = Image.fromarray(np.full((110, 85), 190, np.uint8))
    canvas.drawImage(ImageReader(grey), 0, 0, 612, 792)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("scans") / "mixed.pdf"
    return make_pdf(path, [lambda c, i: lines(c, ["Words of the file itself."]), scan_of(typed), blank])


def test_a_scanned_page_is_recognized_and_says_so(mixed: Path) -> None:
    document = read_document(mixed)
    check_document(document)
    plain, scanned, empty = document.pages
    assert plain.text == "Words of the file itself."
    assert all(block.confidence is None for block in plain.blocks)
    assert scanned.text.split("\n")[-1] == "This Lease begins on March 1, 2024 and lasts five years."
    assert all(block.confidence is not None and block.confidence > 0.9 for block in scanned.blocks)
    assert [(gap.kind, gap.page_index) for gap in document.gaps] == [("recognized", 1), ("scanned", 2)]
    assert empty.text == ""
    start = scanned.text.index("March")
    (citation,) = cite(document, [Span(1, start, start + len("March 1, 2024"))])
    assert citation.ocr_confidence is not None and citation.ocr_confidence > 0.9
    ((x0, y0, x1, y1),) = citation.boxes
    assert abs(x0 - 190) < 15 and abs(x1 - 285) < 15 and 125 < y0 < 140 < y1 < 155
    (plain_citation,) = cite(document, [Span(0, 0, 5)])
    assert plain_citation.ocr_confidence is None


def test_without_recognition_the_page_is_named(mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    off = read_document(mixed, ocr="off")
    assert [(gap.kind, gap.page_index) for gap in off.gaps] == [("scanned", 1), ("scanned", 2)]
    monkeypatch.setattr(read, "available", lambda: False)
    without = read_document(mixed)
    assert "install longleaf[ocr]" in without.gaps[0].detail
    with pytest.raises(IngestError, match="install longleaf"):
        read_document(mixed, ocr="force")
