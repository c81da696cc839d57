"""Rows of tables whose names have several lines, with the values at the top, the middle or the bottom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from longleaf.ingest import Page, read_document
from tests.support.document_checks import check_document
from tests.support.pdf_maker import lines, make_pdf, paragraph

ROWS = [
    (("Inspection of the", "northern depot and its", "loading yard"), ("12/04/2026", "3,150", "Done")),
    (("Calibration of all", "weighing bridges"), ("30/05/2026", "870", "Open")),
    (("Training of drivers",), ("18/06/2026", "12,400", "Open")),
    (("Audit of the fuel cards", "held by the fleet", "managers of the", "eastern region"),
     ("02/09/2026", "5,020", "Open")),
]  # fmt: skip
WANTED = [
    "Work  Due  Fee (EUR)  State",
    "Inspection of the northern depot and its loading yard  12/04/2026  3,150  Done",
    "Calibration of all weighing bridges  30/05/2026  870  Open",
    "Training of drivers  18/06/2026  12,400  Open",
    "Audit of the fuel cards held by the fleet managers of the eastern region  02/09/2026  5,020  Open",
]


def read(tmp_path: Path, draw: Any) -> Page:
    document = read_document(make_pdf(tmp_path / "made.pdf", [draw]))
    check_document(document)
    return document.pages[0]


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("by_cell", [True, False])
def test_the_lines_of_a_cell_belong_to_its_row(tmp_path: Path, share: float, by_cell: bool) -> None:
    def draw(c: Canvas, i: int) -> None:
        lines(c, ["Schedule of works"], top=60)
        for x, head in zip((60, 260, 340, 430), ("Work", "Due", "Fee (EUR)", "State"), strict=True):
            lines(c, [head], x=x, top=90)
        top = 118.0
        for name, values in ROWS:
            beside = top + share * 13 * (len(name) - 1)
            if by_cell:
                lines(c, name, x=60, top=top, leading=13)
            for x, value in zip((260, 340, 430), values, strict=True):
                lines(c, [value], x=x, top=beside)
            if not by_cell:
                lines(c, name, x=60, top=top, leading=13)
            top += 13 * len(name) + 9

    page = read(tmp_path, draw)
    assert page.text.split("\n")[1:] == WANTED
    at = page.text.index("weighing")
    assert page.boxes[at, 1] > page.boxes[page.text.index("Calibration"), 1]  # each letter where it stands


def test_two_columns_of_words_wrap(tmp_path: Path) -> None:
    def draw(c: Canvas, i: int) -> None:
        top = 100.0
        for k in range(3):
            lines(c, [f"Depot {'ABC'[k]} with its", "yard and gates"], x=60, top=top, leading=13)
            lines(c, ["checked by the", "district office"], x=220, top=top, leading=13)
            lines(c, [f"{k + 1},900"], x=400, top=top + 6.5)
            top += 40

    assert read(tmp_path, draw).text.split("\n") == [
        f"Depot {'ABC'[k]} with its yard and gates  checked by the district office  {k + 1},900"
        for k in range(3)
    ]


def test_one_value_beside_the_middle_of_two_lines(tmp_path: Path) -> None:
    def draw(c: Canvas, i: int) -> None:
        for k in range(3):
            lines(c, [f"Rent of unit {k} with", "its cellar and yard"], x=60, top=100 + 40 * k, leading=13)
            lines(c, [f"{k + 1},900"], x=400, top=106.5 + 40 * k)

    assert read(tmp_path, draw).text.split("\n") == [
        f"Rent of unit {k} with its cellar and yard  {k + 1},900" for k in range(3)
    ]


def test_a_heading_over_rows_stays_a_line(tmp_path: Path) -> None:
    def draw(c: Canvas, i: int) -> None:
        top = 100.0
        for head in ("Current assets", "Other assets"):
            lines(c, [head, "Cash", "Receivables"], x=60, top=top, leading=13)
            lines(c, ["1,100", "2,200"], x=300, top=top + 13, leading=13)
            lines(c, ["900", "800"], x=380, top=top + 13, leading=13)
            top += 52

    text = read(tmp_path, draw).text
    assert text.split("\n") == [
        "Current assets", "Cash  1,100  900", "Receivables  2,200  800",
        "Other assets", "Cash  1,100  900", "Receivables  2,200  800",
    ]  # fmt: skip


def test_a_watermark_that_lies_flat_is_no_part_of_a_sentence(tmp_path: Path) -> None:
    words = "The deposit is returned within twenty-one days after the end of the term, less what is owed. "

    def draw(c: Canvas, i: int) -> None:
        top = paragraph(c, words * 4, top=120)
        for size, y in ((64, 640), (30, 600)):
            c.setFont("Helvetica-Bold", size)
            c.setFillGray(0.8)
            c.drawString(150, y, "DRAFT COPY")
            c.setFillGray(0)
        paragraph(c, words * 3, top=top)

    page = read(tmp_path, draw)
    body = " ".join(page.text[b.start : b.end] for b in page.blocks if b.kind not in ("header", "footer"))
    assert body == (words * 7).strip()
    assert page.text.count("DRAFT COPY") == 2


def test_a_large_initial_stays_with_its_word(tmp_path: Path) -> None:
    def draw(c: Canvas, i: int) -> None:
        c.setFont("Times-Roman", 34)
        c.drawString(72, 678, "T")
        lines(
            c, ["he tenant pays the rent on the first day of each month,", "and the deposit."], x=93, top=82
        )

    assert "T he" in read(tmp_path, draw).text or "The tenant" in read(tmp_path, draw).text


def test_page_numbers_of_the_original_stand_in_no_sentence(tmp_path: Path) -> None:
    first = "The buyer pays all invoices that are due under this agreement and that have been approved by the"
    second = "engineer of the supplier, less what has been paid before. "

    def draw(c: Canvas, i: int) -> None:
        top = paragraph(c, first, top=150 + 20 * i)
        c.drawCentredString(306, 792 - top - 30, str(i + 4))
        paragraph(c, second * 3, top=top + 60)

    document = read_document(make_pdf(tmp_path / "made.pdf", [draw] * 4))
    check_document(document)
    for page in document.pages:
        number = str(page.page_index + 4)
        assert [page.text[b.start : b.end] for b in page.blocks if b.kind == "footer"] == [number]


def test_numbers_that_count_no_pages_stay(tmp_path: Path) -> None:
    def draw(c: Canvas, i: int) -> None:
        for k, number in enumerate((7, 3, 12)):
            c.drawCentredString(306, 600 - 60 * k, str(number))

    document = read_document(make_pdf(tmp_path / "made.pdf", [draw] * 3))
    assert all(b.kind != "footer" for page in document.pages for b in page.blocks)
