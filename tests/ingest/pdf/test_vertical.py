"""Japanese and Chinese in columns that are read from the right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from longleaf.ingest import read_document
from longleaf.ingest.pdf.characters import set_upright_columns
from tests.support.document_checks import check_document
from tests.support.pdf_maker import make_pdf, raw_pdf, stream

COLUMNS = ("賃料は月額九万円とし、", "毎月末日までに支払う。", "敷金は二十七万円とする。")
TEXT = "".join(COLUMNS)


def by_writing_mode() -> bytes:
    shown = " ".join(
        f"BT /C 12 Tf {500 - 24 * k} 700 Td <{column.encode('utf-16-be').hex()}> Tj ET"
        for k, column in enumerate(COLUMNS)
    )
    return raw_pdf(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
            "/Resources << /Font << /C 5 0 R >> >> >>",
            stream(shown),
            "<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UTF16-V "
            "/DescendantFonts [6 0 R] >>",
            "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /CIDSystemInfo "
            "<< /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /DW 1000 /FontDescriptor 7 0 R >>",
            "<< /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 -200 1000 900] "
            "/ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 80 >>",
        ]
    )


def test_columns_are_read_from_the_right(tmp_path: Path) -> None:
    path = tmp_path / "made.pdf"
    path.write_bytes(by_writing_mode())
    document = read_document(path, ocr="off")
    check_document(document)
    assert document.pages[0].text.replace("\n", "") == TEXT


def test_letters_and_figures_set_one_by_one_go_down_with_their_column() -> None:
    columns = enumerate((*COLUMNS, "第1条 A社"))
    letters = [(k, n, c) for k, column in columns for n, c in enumerate(column) if c != " "]
    boxes = np.array([(500.0 - 22 * k, 80 + 13 * n, 512 - 22 * k, 92 + 13 * n) for k, n, _ in letters])
    turn = np.zeros(len(letters), np.int8)
    set_upright_columns(np.array([ord(c) for _, _, c in letters], np.uint32), boxes, turn)
    assert (turn == 1).all()


def test_lines_stay_lines_and_join_without_spaces(tmp_path: Path) -> None:
    def draw(c: Canvas, i: int) -> None:
        pdfmetrics.registerFont(UnicodeCIDFont("HeiseiMin-W3"))
        c.setFont("HeiseiMin-W3", 12)
        for k, line in enumerate(
            ("賃料は月額九万円とし、毎月末日ま", "でに支払う。敷金は二十七万円とす", "る。")
        ):
            c.drawString(72, 700 - 14 * k, line)

    document = read_document(make_pdf(tmp_path / "made.pdf", [draw]), ocr="off")
    assert document.pages[0].text == TEXT
