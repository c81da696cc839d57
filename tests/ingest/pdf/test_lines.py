"""Reading order, spaces, tables and boxes, each on a PDF made for it."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pypdf
import pytest

from longleaf.ingest import Document, Page, read_document
from tests.support.pdf_maker import columns, lines, make_pdf, paragraph, pdf_bytes, show

LEFT = (
    "The supplier shall deliver the goods to the warehouse of the buyer within thirty days after each order "
    "has been accepted in writing. Title passes on delivery. Risk passes when the goods are handed to the "
    "first carrier, whoever pays for the carriage, and no later than on the day that the order names. "
)
RIGHT = (
    "Invoices are payable within sixty days of receipt. Late payment bears interest at one per cent a month. "
    "The buyer may withhold what it disputes in good faith, provided that it says so before the due date and "
    "pays the rest. Taxes are borne by the party on which the law of its seat imposes them in each case. "
)


def read(tmp_path: Path, *pages: Any, **kinds: Any) -> Document:
    return read_document(make_pdf(tmp_path / "made.pdf", pages, **kinds))


def body(page: Page) -> list[tuple[str, str]]:
    return [(block.kind, page.text[block.start : block.end]) for block in page.blocks]


def where(page: Page, text: str) -> tuple[float, float, float, float]:
    """The box around the first place of `text`."""
    at = page.text.index(text)
    boxes = page.boxes[at : at + len(text)]
    return (*np.nanmin(boxes[:, :2], axis=0), *np.nanmax(boxes[:, 2:], axis=0))


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    (page,) = read(tmp_path, lambda c, i: columns(c, LEFT * 2, RIGHT * 2)).pages
    assert page.text == f"{(LEFT * 2).strip()}\n{(RIGHT * 2).strip()}"


def test_headings_across_both_columns_split_them_into_bands(tmp_path: Path) -> None:
    def draw(canvas, index):  # type: ignore[no-untyped-def]
        lines(
            canvas, ["GENERAL TERMS OF SUPPLY THAT APPLY TO EVERY ORDER"], font="Times-Bold", size=16, top=60
        )
        columns(canvas, LEFT, RIGHT, top=100)
        lines(canvas, ["SPECIAL TERMS THAT APPLY TO SOME OF THE ORDERS"], font="Times-Bold", size=16, top=330)
        columns(canvas, RIGHT, LEFT, top=370)

    (page,) = read(tmp_path, draw).pages
    assert [text for _, text in body(page)] == [
        "GENERAL TERMS OF SUPPLY THAT APPLY TO EVERY ORDER",
        LEFT.strip(),
        RIGHT.strip(),
        "SPECIAL TERMS THAT APPLY TO SOME OF THE ORDERS",
        RIGHT.strip(),
        LEFT.strip(),
    ]


def test_what_is_written_last_but_stands_first_is_read_first(tmp_path: Path) -> None:
    def draw(canvas, index):  # type: ignore[no-untyped-def]
        paragraph(canvas, LEFT, top=120)
        lines(canvas, ["DELIVERY"], font="Times-Bold", size=14, top=80)

    (page,) = read(tmp_path, draw).pages
    assert body(page) == [("heading", "DELIVERY"), ("paragraph", LEFT.strip())]


def test_headings_in_the_left_margin_stand_before_their_text(tmp_path: Path) -> None:
    def draw(canvas, index):  # type: ignore[no-untyped-def]
        paragraph(canvas, LEFT, x=200, width=340, top=80)
        lines(canvas, ["Delivery of", "the Goods"], top=80)
        paragraph(canvas, RIGHT, x=200, width=340, top=240)
        lines(canvas, ["Payment"], top=240)

    (page,) = read(tmp_path, draw).pages
    assert page.text.split("\n") == ["Delivery of the Goods", LEFT.strip(), "Payment", RIGHT.strip()]


def test_line_numbers_in_the_margin_are_kept_out_of_the_text(tmp_path: Path) -> None:
    def draw(canvas, index):  # type: ignore[no-untyped-def]
        end = paragraph(canvas, LEFT + RIGHT + LEFT, x=100, width=400)
        for number in range(1, int((end - 72) / 14) + 1):
            lines(canvas, [str(number)], x=60, top=72 + 14 * (number - 1))

    (page,) = read(tmp_path, draw).pages
    assert body(page)[0] == ("paragraph", (LEFT + RIGHT + LEFT).strip())
    assert {kind for kind, _ in body(page)[1:]} == {"footer"}


def test_rows_of_a_table_keep_their_cells_signs_and_units(tmp_path: Path) -> None:
    rows = [
        ("", "2023", "2022"),
        ("Net revenue", "$ 1,234.5", "$ 1,101.0"),
        ("Cost of sales", "(640.2)", "(598.7)"),
        ("Growth", "12.1 %", "–"),
    ]

    def draw(canvas, index):  # type: ignore[no-untyped-def]
        for i, (label, *cells) in enumerate(rows):
            lines(canvas, [label], top=200 + 15 * i)
            for x, cell in zip((350, 450), cells, strict=True):
                lines(canvas, [cell], x=x, top=200 + 15 * i)

    (page,) = read(tmp_path, draw).pages
    assert body(page) == [
        (
            "table",
            "2023  2022\n"
            "Net revenue  $ 1,234.5  $ 1,101.0\n"
            "Cost of sales  (640.2)  (598.7)\n"
            "Growth  12.1 %  –",
        )
    ]


def test_justified_typewriter_text_is_no_table(tmp_path: Path) -> None:
    written = [
        "THIS  DISTRIBUTOR  AGREEMENT is made by and between the Company and",
        "the  Distributor,  who  agrees to sell  the  goods in the  Market.",
        "It ends after ten years.",
    ]
    (page,) = read(tmp_path, lambda c, i: lines(c, written, font="Courier", size=10)).pages
    assert body(page) == [("paragraph", " ".join(" ".join(written).split()))]


@pytest.mark.parametrize(
    "operators",
    [
        "[(Beir) -60 (a Rio) -20 (, Cen) -80 (tro)] TJ",  # false spaces: kerning inside a word
        "[(Beira) -320 (Rio,) -400 (Centro)] TJ",  # no space glyphs, words set apart by kerning
        "(Beira Rio, ) Tj (Centro) Tj",
    ],
)
def test_spaces_come_from_the_places_of_glyphs(tmp_path: Path, operators: str) -> None:
    (page,) = read(tmp_path, lambda c, i: show(c, operators)).pages
    assert page.text == "Beira Rio, Centro"


def test_letters_set_apart_for_emphasis_are_one_word(tmp_path: Path) -> None:
    def draw(canvas, index):  # type: ignore[no-untyped-def]
        lines(canvas, ["B E T W E E N"])
        show(canvas, "6 Tc (AGREEMENT) Tj 0 Tc", top=120)

    (page,) = read(tmp_path, draw).pages
    assert page.text.split("\n") == ["BETWEEN", "AGREEMENT"]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_boxes_of_rotated_pages_are_as_shown(tmp_path: Path, turn: int) -> None:
    """The same picture drawn for each rotation: the boxes must not depend on how the file turns it."""

    def draw(canvas, index):  # type: ignore[no-untyped-def]
        width, height = 612, 792
        canvas.saveState()
        if turn == 90:
            canvas.transform(0, 1, -1, 0, width, 0)
        elif turn == 180:
            canvas.transform(-1, 0, 0, -1, width, height)
        elif turn == 270:
            canvas.transform(0, -1, 1, 0, 0, height)
        tall = width if turn % 180 else height
        canvas.setFont("Times-Roman", 12)
        canvas.drawString(100, tall - 112, "Termination for cause")
        canvas.restoreState()

    reader = pypdf.PdfReader(io.BytesIO(pdf_bytes([draw])))
    writer = pypdf.PdfWriter()
    writer.add_page(reader.pages[0]).rotate(turn)
    writer.write(tmp_path / "turned.pdf")
    (page,) = read_document(tmp_path / "turned.pdf").pages
    assert page.text == "Termination for cause"
    assert (page.width, page.height) == ((792, 612) if turn % 180 else (612, 792))
    x0, y0, x1, y1 = where(page, "Termination")
    assert 99 < x0 < 102 and 150 < x1 < 165
    assert 98 < y0 < 104 < 112 < y1 < 117


def test_a_page_that_is_not_turned_reads_text_that_is(tmp_path: Path) -> None:
    def draw(canvas, index):  # type: ignore[no-untyped-def]
        paragraph(canvas, LEFT)
        canvas.saveState()
        canvas.translate(580, 400)
        canvas.rotate(90)
        canvas.drawString(0, 0, "Filed with the registry")
        canvas.restoreState()

    (page,) = read(tmp_path, draw).pages
    assert [text for _, text in body(page)] == [LEFT.strip(), "Filed with the registry"]
    x0, y0, x1, y1 = where(page, "Filed")
    assert y1 - y0 > x1 - x0
    assert 565 < x0 < x1 < 586


def test_boxes_count_from_the_crop_box(tmp_path: Path) -> None:
    reader = pypdf.PdfReader(io.BytesIO(pdf_bytes([lambda c, i: lines(c, ["Cropped"], x=200, top=300)])))
    writer = pypdf.PdfWriter()
    page = writer.add_page(reader.pages[0])
    page.mediabox = pypdf.generic.RectangleObject((-50, -20, 612, 792))
    page.cropbox = pypdf.generic.RectangleObject((150, 100, 550, 692))
    writer.write(tmp_path / "cropped.pdf")
    (shown,) = read_document(tmp_path / "cropped.pdf").pages
    assert (shown.width, shown.height) == (400, 592)
    x0, y0, _, _ = where(shown, "Cropped")
    assert x0 == pytest.approx(50, abs=1)
    assert y0 == pytest.approx(200, abs=3)


def test_form_fields_and_text_boxes_are_read_and_notes_are_counted(tmp_path: Path) -> None:
    def draw(canvas, index):  # type: ignore[no-untyped-def]
        lines(canvas, ["Name of the tenant:"])
        canvas.acroForm.textfield(name="tenant", value="Jane Roe", x=200, y=690, width=200, height=24)
        canvas.textAnnotation("Check this clause", Rect=(300, 300, 320, 320))

    document = read(tmp_path, draw)
    assert "Jane Roe" in document.pages[0].text
    x0, y0, x1, y1 = where(document.pages[0], "Jane")
    assert 200 <= x0 < x1 <= 400 and 78 <= y0 < y1 <= 102
    assert [(gap.kind, gap.page_index) for gap in document.gaps] == [("changes", 0)]
    assert "1 note" in document.gaps[0].detail
    assert [a.text for a in document.annotations] == ["Check this clause"]
