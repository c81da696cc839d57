"""Words that are struck, words that nobody sees and boxes to tick, each as several programs make them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from reportlab.lib.colors import Color
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from longleaf.ingest import Document, read_document
from tests.support.document_checks import check_document
from tests.support.pdf_maker import LETTER, lines, make_pdf, raw_pdf, stream

BEFORE, GONE, AFTER = "The supplier pays within ", "thirty (30)", " sixty (60) days."


def read(tmp_path: Path, *pages: Any) -> Document:
    document = read_document(make_pdf(tmp_path / "made.pdf", pages), ocr="off")
    check_document(document)
    return document


def gaps(document: Document, page_index: int) -> list[str]:
    return [gap.kind for gap in document.gaps if gap.page_index == page_index]


def sentence(c: Canvas, y: float = 700) -> tuple[float, float]:
    """Draws the sentence; where the words to strike begin and end."""
    c.setFont("Times-Roman", 11)
    c.drawString(72, y, BEFORE + GONE + AFTER)
    return 72 + c.stringWidth(BEFORE), 72 + c.stringWidth(BEFORE + GONE)


# Struck


def by_line(c: Canvas) -> None:
    left, right = sentence(c)
    c.setLineWidth(0.6)
    c.line(left, 703, right, 703)


def by_rectangle(c: Canvas) -> None:
    left, right = sentence(c)
    c.rect(left, 702.6, right - left, 0.7, stroke=0, fill=1)


def by_two_pieces(c: Canvas) -> None:
    left, right = sentence(c)
    middle = left + c.stringWidth("thirty")
    path = c.beginPath()
    for x0, x1 in ((left, middle), (middle + 2, right)):
        path.moveTo(x0, 703.2)
        path.lineTo(x1, 703.2)
    c.drawPath(path)


def in_a_form(c: Canvas) -> None:
    c.beginForm("struck")
    by_line(c)
    c.endForm()
    c.doForm("struck")


@pytest.mark.parametrize("draw", [by_line, by_rectangle, by_two_pieces, in_a_form])
def test_words_with_a_line_through_them_are_deletions(tmp_path: Path, draw: Any) -> None:
    document = read(tmp_path, lambda c, i: draw(c))
    (page,) = document.pages
    assert page.text == "The supplier pays within sixty (60) days."
    assert [a.kind for a in document.annotations] == ["deletion"] * len(document.annotations)
    assert "".join(a.text for a in document.annotations).replace(" ", "") == "thirty(30)"
    span = document.annotations[0].span
    assert page.text[: span.start].rstrip().endswith("within") and span.start == span.end
    assert gaps(document, 0) == ["changes"]


def test_rules_that_strike_nothing(tmp_path: Path) -> None:
    def underlined(c: Canvas, i: int) -> None:
        left, right = sentence(c)
        for y in (697.5, 698.5, 709.5):  # under, at the feet, over
            c.line(left, y, right, y)

    def ruled(c: Canvas, i: int) -> None:
        for k in range(6):
            lines(c, [f"Row {k}"], top=100 + 14 * k)
            lines(c, [f"{k},250"], x=400, top=100 + 14 * k)
            c.line(72, LETTER[1] - 100 - 14 * k, 540, LETTER[1] - 100 - 14 * k)

    def blank_to_fill(c: Canvas, i: int) -> None:
        lines(c, ["Name: ____________ of the tenant"])
        c.line(72, 600, 400, 600)
        lines(c, ["Ann"], top=LETTER[1] - 602, x=100)

    def crossing(c: Canvas, i: int) -> None:  # a long line that happens to cross a short word
        lines(c, ["short"], x=200)
        c.line(72, LETTER[1] - 79, 540, LETTER[1] - 79)

    document = read(tmp_path, underlined, ruled, blank_to_fill, crossing)
    assert not document.annotations and not document.gaps
    assert GONE in document.pages[0].text and "Row 5  5,250" in document.pages[1].text


def marked(subtype: str, more: str = "") -> bytes:
    left, right, struck = 190.0, 245.0, r"(thirty \(30\))"
    quad = f"{left} 712 {right} 712 {left} 698 {right} 698"
    return raw_pdf(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [6 0 R] "
            "/Resources << /Font << /F1 5 0 R >> >> >>",
            stream(
                f"BT /F1 11 Tf 72 700 Td (The supplier pays) Tj 120 0 Td {struck} Tj 60 0 Td (days.) Tj ET"
            ),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            f"<< /Type /Annot /Subtype /{subtype} /Rect [{left} 698 {right} 712] /QuadPoints [{quad}] "
            f"/T (Reviewer) {more} >>",
        ]
    )


def read_raw(tmp_path: Path, data: bytes) -> Document:
    (tmp_path / "raw.pdf").write_bytes(data)
    document = read_document(tmp_path / "raw.pdf", ocr="off")
    check_document(document)
    return document


@pytest.mark.parametrize("more", ["", "/Contents (why?)"])
def test_words_a_reviewer_strikes_are_deletions_by_them(tmp_path: Path, more: str) -> None:
    document = read_raw(tmp_path, marked("StrikeOut", more))
    assert document.pages[0].text.split() == ["The", "supplier", "pays", "days."]
    struck = [a for a in document.annotations if a.kind == "deletion"]
    assert [(a.text, a.author) for a in struck] == [("thirty (30)", "Reviewer")]
    assert [a.text for a in document.annotations if a.kind == "note"] == (["why?"] if more else [])
    assert set(gaps(document, 0)) == {"changes"}


@pytest.mark.parametrize(
    ("subtype", "said"),
    [
        ("Highlight", "highlighted: thirty (30)"),
        ("Underline", "underlined: thirty (30)"),
        ("Squiggly", "underlined: thirty (30)"),
        ("Caret", "words are to be inserted here"),
        ("Redact", "marked for redaction"),
    ],
)
def test_marks_without_words_are_notes(tmp_path: Path, subtype: str, said: str) -> None:
    document = read_raw(tmp_path, marked(subtype))
    (note,) = document.annotations
    assert note.kind == "note" and note.text.startswith(said) and note.author == "Reviewer"
    assert "thirty (30)" in document.pages[0].text and gaps(document, 0) == ["changes"]


# Unseen


def white_on_white(c: Canvas) -> None:
    c.setFillColorRGB(1, 1, 1)


def nearly_white(c: Canvas) -> None:
    c.setFillColorRGB(0.97, 0.96, 0.97)


def without_ink(c: Canvas) -> None:
    c.setFillColor(Color(0, 0, 0, alpha=0))


def on_its_own_colour(c: Canvas) -> None:
    c.setFillColorRGB(0.1, 0.2, 0.4)
    c.rect(60, 495, 400, 20, stroke=0, fill=1)


SECRET = "secret price of 987,654"


@pytest.mark.parametrize("ink", [white_on_white, nearly_white, without_ink, on_its_own_colour])
def test_text_without_a_trace_is_no_text(tmp_path: Path, ink: Any) -> None:
    def draw(c: Canvas, i: int) -> None:
        sentence(c)
        ink(c)
        c.drawString(72, 500, SECRET)

    document = read(tmp_path, draw)
    assert "987" not in document.pages[0].text and "sixty (60) days." in document.pages[0].text
    (gap,) = document.gaps
    assert gap.kind == "hidden" and gap.page_index == 0
    assert gap.detail.startswith(f"{len(SECRET.replace(' ', ''))} characters")


def test_text_in_rendering_mode_three_and_of_no_size(tmp_path: Path) -> None:
    def invisible(c: Canvas, i: int) -> None:
        sentence(c)
        text = c.beginText(72, 500)
        text.setTextRenderMode(3)
        text.textLine(SECRET)
        c.drawText(text)

    def tiny(c: Canvas, i: int) -> None:
        sentence(c)
        c.setFont("Times-Roman", 0.4)
        c.drawString(72, 500, SECRET)

    document = read(tmp_path, invisible, tiny)
    assert all("987" not in page.text for page in document.pages)
    assert [gap.kind for gap in document.gaps] == ["hidden", "hidden"]


def test_a_redaction_that_only_paints_over_is_told(tmp_path: Path) -> None:
    def boxed(c: Canvas, i: int) -> None:
        left, right = sentence(c)
        c.rect(left - 1, 696, right - left + 2, 14, stroke=0, fill=1)

    def pictured(c: Canvas, i: int) -> None:
        left, right = sentence(c)
        c.drawImage(ImageReader(Image.new("RGB", (20, 5))), left - 1, 696, right - left + 2, 14)

    document = read(tmp_path, boxed, pictured)
    for page in document.pages:
        assert "thirty" not in page.text and "sixty (60) days." in page.text
        assert gaps(document, page.page_index) == ["hidden"]


def test_what_is_seen_stays(tmp_path: Path) -> None:
    def head(c: Canvas, i: int) -> None:  # white on dark, by a path, a picture and a shading
        c.rect(60, 690, 400, 20, stroke=0, fill=1)
        c.drawImage(ImageReader(Image.new("RGB", (9, 9), (0, 0, 90))), 60, 640, 400, 20)
        c.linearGradient(60, 590, 400, 590, (Color(0.3, 0, 0), Color(0, 0, 0.3)))
        c.setFillColorRGB(1, 1, 1)
        for y, word in ((695, "first"), (645, "second"), (595, "third")):
            c.drawString(72, y, f"The {word} head of a table")

    def under(c: Canvas, i: int) -> None:  # a clear highlight, a frame, a clipped cover
        left, right = sentence(c)
        c.setFillColor(Color(1, 1, 0, alpha=0.4))
        c.rect(left, 696, right - left, 14, stroke=0, fill=1)
        c.setFillColorRGB(0, 0, 0)
        c.rect(60, 690, 480, 30, stroke=1, fill=0)
        c.saveState()
        path = c.beginPath()
        path.rect(60, 100, 20, 20)
        c.clipPath(path, stroke=0)
        c.rect(60, 100, 480, 640, stroke=0, fill=1)
        c.restoreState()

    def scan(c: Canvas, i: int) -> None:  # the text layer of a picture
        c.drawImage(ImageReader(Image.linear_gradient("L").resize((85, 110))), 0, 0, *LETTER)
        text = c.beginText(72, 500)
        text.setTextRenderMode(3)
        text.textLine("Words that were read off the picture of this page")
        c.drawText(text)

    def below(c: Canvas, i: int) -> None:  # the same, painted before the picture
        sentence(c)
        c.drawImage(ImageReader(Image.linear_gradient("L").resize((85, 110))), 0, 0, *LETTER)

    document = read(tmp_path, head, under, scan, below)
    assert not [gap for gap in document.gaps if gap.kind == "hidden"]
    assert all(f"The {word} head" in document.pages[0].text for word in ("first", "second", "third"))
    assert GONE in document.pages[1].text and GONE in document.pages[3].text
    assert "read off the picture" in document.pages[2].text


@pytest.mark.parametrize("off", [True, False])
@pytest.mark.parametrize("packed", [True, False])
def test_a_layer_that_is_off_is_not_seen(tmp_path: Path, off: bool, packed: bool) -> None:
    layer = stream("BT /F1 11 Tf 72 500 Td (In a form of the layer) Tj ET", "/Type /XObject /Subtype /Form "
                   "/BBox [0 0 612 792] /OC 7 0 R /Resources << /Font << /F1 5 0 R >> >>")  # fmt: skip
    content = (
        "BT /F1 11 Tf 72 700 Td (On the page) Tj ET "
        "/OC /L BDC BT /F1 11 Tf 72 600 Td (In the layer) Tj ET EMC /X Do"
    )
    data = raw_pdf(
        [
            "<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [7 0 R] "
            f"/D << /{'OFF' if off else 'ON'} [7 0 R] >> >> >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
            "/Resources << /Font << /F1 5 0 R >> /Properties << /L 7 0 R >> /XObject << /X 6 0 R >> >> >>",
            stream(content),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            layer,
            "<< /Type /OCG /Name (Draft) >>",
        ]
    )
    if packed:  # the catalogue is in a stream of objects
        import io

        import pypdf

        out = io.BytesIO()
        writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
        writer.write(out)
        data = out.getvalue()
    document = read_raw(tmp_path, data)
    seen = "On the page" if off else "On the page\nIn the layer\nIn a form of the layer"
    assert document.pages[0].text == seen
    assert gaps(document, 0) == (["hidden"] if off else [])


# Boxes to tick


def fields(*entries: str, form: str = "") -> bytes:
    """A page with a box to tick before each of its lines; entries are those of the widgets."""
    first = 7
    kids = " ".join(f"{first + k} 0 R" for k in range(len(entries)))
    words = "".join(
        f"BT /F1 11 Tf 90 {702 - 20 * k} Td (Option {k} applies to this order.) Tj ET "
        for k in range(len(entries))
    )
    return raw_pdf(
        [
            f"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [{kids}] {form} >> >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [{kids}] "
            "/Resources << /Font << /F1 5 0 R >> >> >>",
            stream(words),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            stream("q 0 0 12 12 re S 3 3 m 9 9 l S Q", "/Type /XObject /Subtype /Form /BBox [0 0 12 12]"),
            *[
                f"<< /Type /Annot /Subtype /Widget /F 4 /P 3 0 R /FT /Btn /T (box{k}) "
                f"/Rect [72 {700 - 20 * k} 84 {712 - 20 * k}] {entry} >>"
                for k, entry in enumerate(entries)
            ],
        ]
    )


PICTURES = "/AP << /N << /Yes 6 0 R /Off 6 0 R >> >>"


@pytest.mark.parametrize(
    "entries",
    [
        (f"/V /Yes /AS /Yes {PICTURES}", f"/V /Off /AS /Off {PICTURES}"),  # both look ticked
        ("/V /Yes /AS /Yes", "/V /Off /AS /Off"),  # no pictures
        ("/V /Yes", "/V /Off"),  # nor states
        ("/V /Yes", ""),
        (f"/Ff 32768 /V /Yes /AS /Yes {PICTURES}", f"/Ff 32768 /AS /Off {PICTURES}"),  # buttons of a group
    ],
)
def test_the_state_of_a_box_is_what_the_file_says(tmp_path: Path, entries: tuple[str, ...]) -> None:
    document = read_raw(tmp_path, fields(*entries, form="/NeedAppearances true"))
    assert document.pages[0].text == ("☒ Option 0 applies to this order.\n☐ Option 1 applies to this order.")


def test_boxes_that_are_only_drawn(tmp_path: Path) -> None:
    def option(c: Canvas, k: int, words: str) -> None:
        c.rect(72, 700 - 20 * k, 9, 9, stroke=1, fill=0)
        c.drawString(90, 701 - 20 * k, words)

    def draw(c: Canvas, i: int) -> None:
        option(c, 0, "The lease renews.")
        c.line(73, 701, 80, 708)
        c.line(73, 708, 80, 701)
        option(c, 1, "The lease ends.")
        option(c, 2, "The rent is fixed.")
        path = c.beginPath()
        path.moveTo(73, 664)
        path.curveTo(75, 661, 76, 663, 80, 669)
        path.lineTo(76, 662)
        c.drawPath(path, stroke=0, fill=1)
        option(c, 3, "Shown by a letter.")
        c.drawString(73.5, 641, "X")

    (page,) = read(tmp_path, draw).pages
    assert page.text.split("\n") == [
        "☒ The lease renews.", "☐ The lease ends.", "☒ The rent is fixed.", "☒ Shown by a letter."
    ]  # fmt: skip


def test_squares_that_are_no_boxes_to_tick(tmp_path: Path) -> None:
    def draw(c: Canvas, i: int) -> None:
        for k, colour in enumerate(((1, 0, 0), (0, 0.5, 0), (0, 0, 1))):  # the key of a chart
            c.setFillColorRGB(*colour)
            c.rect(72, 700 - 20 * k, 9, 9, stroke=1, fill=1)
            c.setFillColorRGB(0, 0, 0)
            c.drawString(90, 701 - 20 * k, f"Series {k}")
        for k in range(8):  # a grid
            c.rect(72 + 12 * k, 500, 12, 12, stroke=1, fill=0)
        c.drawString(172, 502, "Weeks of the plan")

    text = read(tmp_path, draw).pages[0].text
    assert "☐" not in text and "☒" not in text
