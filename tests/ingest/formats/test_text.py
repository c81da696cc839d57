"""Characters and words: ligatures, hyphens, odd maps, running headers, paragraphs over lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from longleaf.ingest import Document, Page, make_chunks, read_document
from tests.support.pdf_maker import LETTER, lines, make_pdf, mapped_pdf, paragraph, pdf_bytes, raw_pdf, stream

IDENTITY = {code: chr(code) for code in range(32, 127)}


def read(tmp_path: Path, *pages: Any) -> Document:
    return read_document(make_pdf(tmp_path / "made.pdf", pages))


def read_mapped(tmp_path: Path, text: bytes, odd: dict[int, str]) -> Document:
    (tmp_path / "mapped.pdf").write_bytes(mapped_pdf(text, {**IDENTITY, **odd}))
    return read_document(tmp_path / "mapped.pdf")


def of_kind(document: Document, *kinds: str) -> list[str]:
    return [p.text[b.start : b.end] for p in document.pages for b in p.blocks if b.kind in kinds]


def word_boxes(page: Page, word: str) -> np.ndarray[Any, Any]:
    at = page.text.index(word)
    return page.boxes[at : at + len(word)]


def test_ligatures_are_spelled_out_and_share_their_box(tmp_path: Path) -> None:
    (page,) = read_mapped(tmp_path, b"o\x80ce \x81oor", {0x80: "\ufb03", 0x81: "\ufb02"}).pages
    assert page.text == "office floor"
    boxes = word_boxes(page, "office")
    assert (np.diff(boxes[:, 0]) > 0).all()
    assert np.ptp(boxes[1:4, 2] - boxes[1:4, 0]) == pytest.approx(0, abs=1e-3)  # a third each
    assert word_boxes(page, "ce")[0, 0] == pytest.approx(72 + 2 * 6)


@pytest.mark.parametrize("odd", ["\ue000", "\u02db"])
def test_ligatures_mapped_to_nonsense_are_read_from_their_words(tmp_path: Path, odd: str) -> None:
    document = read_mapped(tmp_path, b"The \x80nal pro\x80t is con\x80dential", {0x80: odd})
    assert document.pages[0].text == "The final profit is confidential"
    assert document.gaps == ()


def test_private_characters_that_no_word_explains_stay_and_are_reported(tmp_path: Path) -> None:
    document = read_mapped(tmp_path, b"zq\x80xk wv\x80jj", {0x80: "\ue123"})
    assert document.pages[0].text == "zq\ue123xk wv\ue123jj"
    (gap,) = document.gaps
    assert (gap.kind, gap.page_index) == ("doubtful_text", 0)
    assert "20%" in gap.detail


def test_control_and_invisible_characters_do_not_reach_the_text(tmp_path: Path) -> None:
    odd = {0x80: "\u0001", 0x81: "\u200b", 0x82: "\u00a0", 0x83: "\u00ad", 0x84: "\u0092"}
    document = read_mapped(tmp_path, b"the\x82buyer\x84s or\x81der co\x83operates\x80", odd)
    assert document.pages[0].text == "the buyer’s order cooperates\ufffd"
    assert [gap.kind for gap in document.gaps] == ["doubtful_text"]


def test_words_broken_at_line_ends_are_joined_and_keep_both_boxes(tmp_path: Path) -> None:
    written = [
        "This document sets out the rules under which the parties agree-",
        "ment on prices is reached in each year of the term.",
    ]
    (page,) = read(tmp_path, lambda c, i: lines(c, written)).pages
    assert "parties agreement on prices" in page.text
    boxes = word_boxes(page, "agreement")
    assert boxes[0, 1] < boxes[-1, 1] - 10  # the parts stand on two lines
    assert boxes[0, 0] > 300 > boxes[-1, 0]


def test_hyphens_that_the_document_writes_elsewhere_stay(tmp_path: Path) -> None:
    written = [
        "The seller is bound by the non-compete clause, and every affiliate of it by the same non-",
        "compete clause for as long as the buyer is; a cross-border delivery counts as cross-",
        "border even if it is re-routed, and the arrange-",
        "ment ends with it.",
    ]
    (page,) = read(tmp_path, lambda c, i: lines(c, written, size=10)).pages
    assert "same non-compete clause" in page.text
    assert "as cross-border even" in page.text
    assert "the arrangement ends" in page.text


def test_soft_hyphens_and_dashes_between_numbers_at_line_ends(tmp_path: Path) -> None:
    document = read_mapped(tmp_path, b"plain", {})
    assert document.pages[0].text == "plain"
    written = ["The fees for the years from 2019-", "2021 are listed in the annex to this agreement."]
    (page,) = read(tmp_path, lambda c, i: lines(c, written)).pages
    assert "2019-2021 are" in page.text


BODY = (
    "Each party keeps the confidential information of the other secret and uses it for this contract only. "
)


def running(canvas: Any, index: int, number: str) -> None:
    height = LETTER[1]
    lines(canvas, [f"Supply Agreement{'' if index % 2 else ' (Execution Version)'}"], top=30, size=9)
    names = ["Steel", "Copper", "Nickel", "Tin", "Zinc", "Silver", "Lead"]
    sentences = [
        f"{names[(index + k) % 7]} of grade {index}{k} is sold by weight and by lot. " for k in range(9)
    ]
    paragraph(canvas, "".join(sentences), top=90)
    canvas.setFont("Times-Roman", 9)
    canvas.drawCentredString(306, 30, number)
    assert height == 792


def test_running_headers_and_page_numbers_are_set_aside(tmp_path: Path) -> None:
    numbers = ["i", "ii", "iii", "1", "2", "3", "4"]
    pages = [lambda c, i, n=n: running(c, i, f"– {n} –") for n in numbers]
    document = read(tmp_path, *pages)
    for page in document.pages:
        kinds = [block.kind for block in page.blocks]
        assert kinds == ["header", "paragraph", "footer"]
        assert page.text.startswith("Supply Agreement")
        assert page.text.endswith("–")
    chunks = make_chunks(document, lambda text: len(text.split()), max_tokens=60)
    assert not any("Supply Agreement" in chunk.text or "–" in chunk.text for chunk in chunks)


def test_table_titles_that_repeat_under_a_heading_are_not_running_headers(tmp_path: Path) -> None:
    def draw(canvas, index):  # type: ignore[no-untyped-def]
        names = ["Income", "Cash Flows", "Equity", "Financial Position"]
        lines(canvas, [f"Consolidated Statement of {names[index]}"], top=50, font="Times-Bold")
        lines(canvas, ["(in millions, except per share amounts)"], top=64)
        paragraph(canvas, BODY * (3 + index), top=100)

    document = read(tmp_path, draw, draw, draw, draw)
    assert len([text for text in of_kind(document, "paragraph") if "in millions" in text]) == 4


def test_a_footer_on_two_pages_is_recognised(tmp_path: Path) -> None:
    def draw(canvas, index):  # type: ignore[no-untyped-def]
        paragraph(canvas, BODY * (2 + 3 * index))
        lines(canvas, ["Source: EXAMPLE CORP, 8-K, 3/22/2012"], top=760, size=8)

    assert of_kind(read(tmp_path, draw, draw), "footer") == ["Source: EXAMPLE CORP, 8-K, 3/22/2012"] * 2


def test_paragraphs_lists_and_headings_are_told_apart(tmp_path: Path) -> None:
    def draw(canvas, index):  # type: ignore[no-untyped-def]
        top = lines(canvas, ["ARTICLE 4", "PAYMENT"], font="Times-Bold")
        top = paragraph(canvas, BODY * 3, top=top + 8)
        for mark in ("(a)", "(b)"):
            top = paragraph(canvas, f"{mark} " + BODY * 2, top=top, x=90, width=440)
        paragraph(canvas, "It begins anew. " + BODY * 2, top=top)

    (page,) = read(tmp_path, draw).pages
    found = [(block.kind, page.text[block.start : block.end][:9]) for block in page.blocks]
    assert found == [
        ("heading", "ARTICLE 4"),
        ("heading", "PAYMENT"),
        ("paragraph", "Each part"),
        ("list", "(a) Each "),
        ("list", "(b) Each "),
        ("paragraph", "It begins"),
    ]
    assert page.text.count("\n") == 5


def test_two_readings_of_one_file_are_the_same(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "made.pdf", [lambda c, i: running(c, i, str(i + 1))] * 3)
    first, second = read_document(path), read_document(path)
    assert [p.text for p in first.pages] == [p.text for p in second.pages]
    assert first.sha256 == second.sha256
    assert pdf_bytes([lambda c, i: None])[:5] == b"%PDF-"


def test_text_from_right_to_left_is_in_the_order_it_is_read(tmp_path: Path) -> None:
    """Written as it is seen, left to right: the first word read stands at the right."""
    letters = dict(zip(range(0x80, 0x8A), "אבגדהוזחטי", strict=True))
    document = read_mapped(tmp_path, b"\x84\x83 5 \x82\x81\x80", letters)
    page = document.pages[0]
    assert page.text == "אבג 5 דה"
    assert page.boxes[0, 0] > page.boxes[-1, 0]


def test_text_drawn_twice_for_weight_is_read_once(tmp_path: Path) -> None:
    def draw(canvas: Any, index: int) -> None:
        lines(canvas, ["Total amount due"], x=72)
        lines(canvas, ["Total amount due"], x=72.3)

    assert read(tmp_path, draw).pages[0].text == "Total amount due"


def test_fonts_that_do_not_say_what_their_codes_mean_are_reported(tmp_path: Path) -> None:
    descriptor = "<< /Type /FontDescriptor /FontName /Odd /Flags 4 /FontBBox [0 0 1 1] >>"
    data = raw_pdf(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
            "/Resources << /Font << /F1 5 0 R >> >> >>",
            stream("BT /F1 12 Tf 72 700 Td <00140015001600170018> Tj ET"),
            "<< /Type /Font /Subtype /Type0 /BaseFont /Odd /Encoding /Identity-H /DescendantFonts [6 0 R] >>",
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Odd /FontDescriptor 7 0 R "
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
            descriptor,
        ]
    )
    (tmp_path / "unmapped.pdf").write_bytes(data)
    (gap,) = read_document(tmp_path / "unmapped.pdf").gaps
    assert (gap.kind, gap.page_index) == ("doubtful_text", 0)
    assert gap.detail.startswith("100%")
