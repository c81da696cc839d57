"""Pages that are pictures are recognized where the extra is there, marked so, and named where it is not."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader

from longleaf.app.proof.citations import cite
from longleaf.ingest import IngestError, Span, read, read_document
from longleaf.ingest.ocr import recognize, tesseract
from longleaf.ingest.worker import processes
from longleaf.ingest.worker.pool import Limits
from tests.support.document_checks import check_document
from tests.support.pdf_maker import Draw, lines, make_pdf, pdf_bytes

needs_rapidocr = pytest.mark.skipif(
    recognize.engine_name() != "RapidOCR", reason="longleaf[ocr] is not installed"
)
needs_tesseract = pytest.mark.skipif(tesseract.program() is None, reason="tesseract is not installed")


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


@pytest.fixture(
    params=[pytest.param("RapidOCR", marks=needs_rapidocr), pytest.param("tesseract", marks=needs_tesseract)]
)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Both engines in turn: which is there is asked here and in the process that workers are forked from."""
    name: str = request.param
    monkeypatch.setattr(read, "engine_name", lambda: name)
    code = processes.fork_server_code().split("; from longleaf")[0]
    code += "; from longleaf.ingest.ocr import recognize; from longleaf.ingest.worker import fork_server"
    code += f"; recognize.engine_name = lambda: {name!r}; fork_server.main()"
    monkeypatch.setattr(processes, "fork_server_code", lambda: code)
    processes.stop()
    yield name
    processes.stop()


def test_a_scanned_page_is_recognized_and_says_so(mixed: Path, engine: str) -> None:
    document = read_document(mixed)
    assert f"(OCR by {engine})" in document.gaps[0].detail
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
    assert abs(x0 - 190) < 15 and abs(x1 - 277) < 15 and 125 < y0 < 140 < y1 < 155
    (plain_citation,) = cite(document, [Span(0, 0, 5)])
    assert plain_citation.ocr_confidence is None


def test_without_recognition_the_page_is_named(mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    off = read_document(mixed, ocr="off")
    assert [(gap.kind, gap.page_index) for gap in off.gaps] == [("scanned", 1), ("scanned", 2)]
    monkeypatch.setattr(read, "engine_name", lambda: "")
    without = read_document(mixed)
    assert "install longleaf[ocr]" in without.gaps[0].detail
    with pytest.raises(IngestError, match="install longleaf"):
        read_document(mixed, ocr="force")


def test_words_of_tesseract_s_table_make_lines() -> None:
    head = "level page_num block_num par_num line_num word_num left top width height conf text"
    rows = [
        [4, 1, 1, 1, 1, 0, 10, 20, 90, 12, -1, ""],
        [5, 1, 1, 1, 1, 1, 10, 20, 40, 12, 90, "Rent"],
        [5, 1, 1, 1, 1, 2, 60, 22, 40, 10, 70, '"due'],
        [5, 1, 1, 1, 2, 1, 10, 40, 40, 10, 50, " "],
        [5, 1, 1, 2, 1, 1, 10, 60, 40, 10, 96.5, "monthly"],
    ]
    table = "\n".join("\t".join(map(str, row)) for row in [head.split(), *rows])
    (first, second) = tesseract.parse(table)
    assert (first[1], first[2]) == ('Rent "due', pytest.approx(0.8))
    assert first[0][0][0] == 10 and first[0][2][0] == 100 and first[0][0][1] < 20 and first[0][2][1] > 32
    assert (second[1], second[2]) == ("monthly", pytest.approx(0.965))


@needs_tesseract
@pytest.mark.parametrize("engine", ["tesseract"], indirect=True)
def test_a_tesseract_that_stalls_costs_its_page_only(
    mixed: Path, engine: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    slow = tmp_path / "tesseract"
    slow.write_text("#!/bin/sh\ncase $1 in --list-langs) echo head; echo eng;; *) sleep 600;; esac\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    processes.stop()
    document = read_document(mixed, limits=Limits(open=10.0, recognize=1.0))
    assert [page.text for page in document.pages] == ["Words of the file itself.", "", ""]
    assert [gap.page_index for gap in document.gaps if gap.kind == "page_failed"] == [1, 2]
