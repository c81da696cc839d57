"""Pages are drawn where their boxes say, by a process that may fail alone."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from longleaf.app.proof.citations import cite
from longleaf.app.review.page_images import MAX_PIXELS, Mark, RenderError, marks, page_image
from longleaf.ingest import Span, read_document

WORDS = "Signed on the dotted line"


def pdf(path: Path, size: tuple[float, float] = (300, 400), rotation: int = 0, offset: float = 0.0) -> Path:
    canvas = Canvas(str(path), pagesize=size, invariant=1)
    canvas.showPage()
    canvas.setPageSize(size)
    canvas.setPageRotation(rotation)
    if offset:
        canvas.setCropBox((offset, offset, size[0] - offset, size[1] - offset))
    canvas.drawString(80, 250, WORDS)
    canvas.save()
    return path


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("offset", [0.0, 40.0])
def test_marks_cover_the_ink_and_nothing_else_is_drawn(tmp_path: Path, rotation: int, offset: float) -> None:
    path = pdf(tmp_path / "page.pdf", rotation=rotation, offset=offset)
    document = read_document(path)
    page = document.pages[1]
    start = page.text.index(WORDS)
    [citation] = cite(document, [Span(1, start, start + len(WORDS))])
    found = marks(citation.boxes, page.width, page.height)  # several where the line is shown upright
    drawn = page_image(path, 1, width=600)
    image = Image.open(io.BytesIO(drawn.data)).convert("L")
    assert image.size == (drawn.width, drawn.height)
    assert drawn.width / drawn.height == pytest.approx(page.width / page.height, rel=0.01)
    ink = image.point(lambda value: 255 * (value < 128)).getbbox()
    assert ink is not None
    marked = (
        min(mark.left for mark in found),
        min(mark.top for mark in found),
        max(mark.left + mark.width for mark in found),
        max(mark.top + mark.height for mark in found),
    )
    sides = [side * length for side, length in zip(marked, (drawn.width, drawn.height) * 2, strict=True)]
    assert sides == pytest.approx(ink, abs=9)


def test_huge_pages_are_drawn_smaller(tmp_path: Path) -> None:
    path = pdf(tmp_path / "huge.pdf", size=(200, 14_000))
    drawn = page_image(path, 0, width=1400)
    assert drawn.width * drawn.height <= MAX_PIXELS and drawn.height > drawn.width


def test_errors_name_the_file_and_the_page(tmp_path: Path) -> None:
    path = pdf(tmp_path / "two.pdf")
    with pytest.raises(RenderError, match=r"two\.pdf, page 3: there is no such page, the file has 2"):
        page_image(path, 2)
    with pytest.raises(RenderError, match=r"none\.pdf, page 1: the file cannot be opened"):
        page_image(tmp_path / "none.pdf", 0)
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(path.read_bytes()[:100])
    with pytest.raises(RenderError, match=r"broken\.pdf, page 1: the file cannot be opened as a PDF"):
        page_image(broken, 0)
    with pytest.raises(RenderError, match="not drawn within"):
        page_image(path, 0, seconds=0.001)


def test_marks_are_cut_to_the_page() -> None:
    assert marks([(-10, -10, 50, 100), (90, 0, 80, 50), (200, 0, 300, 10)], 100, 200) == (
        Mark(0, 0, 0.5, 0.5),
    )
    assert marks([(0, 0, 1, 1)], 0, 0) == ()
