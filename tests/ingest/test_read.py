"""A plain PDF comes back as the text that was written, at the places where it was written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from longleaf.ingest import IngestError, make_chunks, read_document
from tests.support.pdf_maker import lines, make_pdf, paragraph

TERM = (
    "The term of this Agreement begins on the Effective Date and continues for three years. Either party may "
    "end it by notice in writing, given at least ninety days before the end of the year."
)


def test_text_and_boxes_of_a_plain_page(tmp_path: Path) -> None:
    def draw(canvas, index):  # type: ignore[no-untyped-def]
        lines(canvas, ["1. TERM"], font="Times-Bold", size=14)
        paragraph(canvas, TERM, top=100)

    document = read_document(make_pdf(tmp_path / "plain.pdf", [draw]))
    (page,) = document.pages
    assert page.text == f"1. TERM\n{TERM}"
    assert page.boxes.shape == (len(page.text), 4)
    at = page.text.index("term")
    x0, y0, x1, y1 = page.boxes[at]
    assert 72 < x0 < x1 < 140
    assert 98 < y0 < 104 < y1 < 116
    assert np.isnan(page.boxes[page.text.index("\n")]).all()
    assert page.label == "1"
    assert [block.kind for block in page.blocks] == ["heading", "paragraph"]
    assert document.sections[0].title == "1. TERM"
    (chunk,) = make_chunks(document, lambda text: len(text.split()))
    assert chunk.text == page.text


def test_files_that_are_not_pdfs_say_so(tmp_path: Path) -> None:
    (tmp_path / "empty.pdf").write_bytes(b"")
    (tmp_path / "word.pdf").write_bytes(b"PK\x03\x04 something else")
    with pytest.raises(IngestError, match="empty"):
        read_document(tmp_path / "empty.pdf")
    with pytest.raises(IngestError, match="not a PDF"):
        read_document(tmp_path / "word.pdf")
    with pytest.raises(IngestError, match="no such file"):
        read_document(tmp_path / "missing.pdf")
