"""What programs that write PDFs do to text: draw it twice, in pieces, letter by letter, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from longleaf.ingest import Document, read_document
from tests.support.pdf_maker import columns, make_pdf, paragraph, raw_pdf, stream


def read(tmp_path: Path, *pages: Any) -> Document:
    return read_document(make_pdf(tmp_path / "made.pdf", pages), ocr="off")


def read_objects(tmp_path: Path, *objects: str | bytes) -> Document:
    (tmp_path / "raw.pdf").write_bytes(raw_pdf(objects))
    return read_document(tmp_path / "raw.pdf", ocr="off")


def by_letters(c: Canvas, text: str, x: float, y: float, pitch: float = 0.0, tight: float = 1.0) -> None:
    for letter in text:
        if letter != " ":
            c.drawString(x, y, letter)
        x += (pitch or c.stringWidth(letter)) * (tight if letter == "f" else 1)


def test_text_drawn_twice_is_read_once(tmp_path: Path) -> None:
    amounts = [f"Unit {i}: a rent of {1_111 * i:,} Dollars, fees of 22.33" for i in range(1, 13)]

    def draw(c: Canvas, i: int) -> None:
        for aside in (0.0, 0.4):
            for k, amount in enumerate(amounts):
                c.drawString(72 + aside, 700 - 18 * k, amount)

    (page,) = read(tmp_path, draw).pages
    assert page.text.split() == " ".join(amounts).split()


def test_accents_drawn_by_themselves_are_on_their_letters(tmp_path: Path) -> None:
    def draw(c: Canvas, i: int) -> None:
        c.setFont("Times-Roman", 12)
        x = 72.0
        for piece in ("Mietvertrag f", "¨u", "r die K", "¨u", "che, pr", "´e", "avis de d", "´e", "part"):
            if piece[0] in "¨´":
                width = c.stringWidth(piece[1])
                c.drawString(x + (width - c.stringWidth(piece[0])) / 2, 700, piece[0])
                piece = piece[1]
            c.drawString(x, 700, piece)
            x += c.stringWidth(piece)
        c.drawString(72, 660, "don´t ¨quote¨")

    (page,) = read(tmp_path, draw).pages
    assert page.text == "Mietvertrag für die Küche, préavis de départ don´t ¨quote¨"


def test_letters_set_apart_under_a_scan_are_words(tmp_path: Path) -> None:
    def draw(c: Canvas, i: int) -> None:
        c.setFont("Courier", 8.6)
        x = 72.0
        for word in ("The", "Metropolis", "Tower", "Company", "Limited"):
            c.drawString(x, 700, word[:-1], charSpace=1.6)
            x += 6.76 * (len(word) - 1)
            c.drawString(x + 0.25, 700, word[-1])
            x += 6.76 + 6.2

    (page,) = read(tmp_path, draw).pages
    assert page.text == "The Metropolis Tower Company Limited"


def test_a_space_before_a_slanted_letter_is_kept(tmp_path: Path) -> None:
    def draw(c: Canvas, i: int) -> None:
        c.setFont("Times-Italic", 10)
        x = 72.0
        for word in ("See", "the", "consolidated", "financial", "statements", "held", "for", "sale"):
            c.drawString(x, 700, word)
            x += c.stringWidth(word) + 2.4

    (page,) = read(tmp_path, draw).pages
    assert page.text == "See the consolidated financial statements held for sale"


FORM_PAGE = (
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [6 0 R 7 0 R] "
    "/Resources << /Font << /F1 5 0 R >> >> >>"
)


def test_a_field_without_a_picture_shows_its_value(tmp_path: Path) -> None:
    field = "/Type /Annot /Subtype /Widget /F 4 /DA (/F1 11 Tf 0 g)"
    document = read_objects(
        tmp_path,
        "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R 7 0 R] /NeedAppearances true "
        "/DA (/F1 11 Tf 0 g) /DR << /Font << /F1 5 0 R >> >> >> >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        FORM_PAGE,
        stream("BT /F1 12 Tf 72 700 Td (Tenant:) Tj 0 -40 Td (Use:) Tj ET"),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        f"<< {field} /FT /Tx /T (tenant) /V (Jane Roe) /Rect [140 694 340 714] >>",
        f"<< {field} /FT /Ch /Ff 131072 /T (use) /Opt [(Office) (Shop)] /V (Shop) /Rect [140 654 340 674] >>",
    )
    assert " ".join(document.pages[0].text.split()) == "Tenant: Jane Roe Use: Shop"


def plain(
    tmp_path: Path,
    catalog: str,
    page: str = "/MediaBox [0 0 612 792]",
    *more: str | bytes,
    contents: int = 4,
    fonts: str = "",
) -> Document:
    resources = f"/Resources << /Font << /F1 5 0 R {fonts} >> >>"
    return read_objects(
        tmp_path,
        f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R {page} /Contents {contents} 0 R {resources} >>",
        stream("BT /F1 12 Tf 72 700 Td (Please wait for the proper contents.) Tj ET"),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        *more,
    )


def test_what_the_pages_do_not_show_is_named(tmp_path: Path) -> None:
    form = "/NeedsRendering true /AcroForm << /Fields [] /XFA 6 0 R >>"
    (gap,) = plain(tmp_path, form, "/MediaBox [0 0 612 792]", stream("<xdp/>")).gaps
    assert (gap.kind, gap.page_index) == ("truncated", None) and "XFA form" in gap.detail
    files = "/Names << /EmbeddedFiles << /Names [(a) 6 0 R (b) 6 0 R] >> >>"
    spec = "<< /Type /Filespec /F (side letter.pdf) /UF (side letter.pdf) /EF << /F 7 0 R >> >>"
    letter = stream("kept aside", "/Type /EmbeddedFile")
    (gap,) = plain(tmp_path, files, "/MediaBox [0 0 612 792]", spec, letter).gaps
    assert gap.kind == "truncated" and "2 files are attached" in gap.detail
    assert "side letter.pdf" in gap.detail
    pinned = "/MediaBox [0 0 612 792] /Annots [6 0 R]"
    pin = "/Type /Annot /Subtype /FileAttachment /Rect [500 700 520 720]"
    note = f"<< {pin} /FS 7 0 R /Contents (side letter) >>"
    (annotation,) = plain(tmp_path, "", pinned, note, spec.replace("7 0 R", "8 0 R"), letter).annotations
    assert annotation.text == "attached file, not read: side letter"


def test_a_page_without_a_size_is_read_as_a_letter(tmp_path: Path) -> None:
    (page,) = plain(tmp_path, "", "/MediaBox [0 0 612 792] /CropBox [700 900 800 1000]").pages
    assert page.text == "Please wait for the proper contents." and (page.width, page.height) == (612, 792)


def test_an_f_over_the_one_before_is_not_lost(tmp_path: Path) -> None:
    text = "actual results may differ, affect officers of either party and suffer if proven"

    def draw(c: Canvas, i: int) -> None:
        c.setFont("Times-Italic", 12)
        by_letters(c, text, 72, 700, tight=0.8)

    (page,) = read(tmp_path, draw).pages
    assert page.text == text
    at = page.text.index("differ")
    boxes = page.boxes[at : at + 6]
    assert (boxes[1:, 0] >= boxes[:-1, 0] - 1).all() and (boxes[:, 2] > boxes[:, 0]).all()


def test_feet_and_rows_across_two_columns_stay_whole(tmp_path: Path) -> None:
    def draw(c: Canvas, i: int) -> None:
        below = columns(
            c, "The tenant keeps the premises in repair. " * 12, "The landlord pays the taxes. " * 16
        )
        height = c._pagesize[1]
        for top, cells in (
            (below + 30, ("Rent paid", "1,111", "$2,222,222", "3,333")),
            (740, ("Lease", "", "", "7")),
        ):
            for x, cell in zip((60, 200, 276, 420), cells, strict=True):
                c.drawString(x, height - top, cell)

    page = read(tmp_path, draw, draw).pages[0]
    assert "Rent paid  1,111  $2,222,222  3,333" in page.text.split("\n")
    assert page.text.endswith("\nLease  7")
    assert page.text.index("tenant keeps") < page.text.index("landlord pays") < page.text.index("Rent paid")


def test_letters_drawn_together_are_parted_by_a_small_gap(tmp_path: Path) -> None:
    def draw(c: Canvas, i: int) -> None:
        c.setFont("Helvetica-Bold", 12)
        x = 72.0
        for word in ("STRATEGIC", "ALLIANCE", "AGREEMENT"):
            c.drawString(x, 700, word, charSpace=-0.8)
            x += c.stringWidth(word) - 0.8 * len(word) + 2.4

    (page,) = read(tmp_path, draw).pages
    assert page.text == "STRATEGIC ALLIANCE AGREEMENT"


def test_boxes_of_a_symbol_font_are_boxes(tmp_path: Path) -> None:
    wide = " ".join(["800"] * 256)
    (page,) = plain(
        tmp_path,
        "",
        "/MediaBox [0 0 612 792]",
        stream(
            "BT /F1 12 Tf 72 700 Td (Yes ) Tj /F2 12 Tf (x) Tj "
            "/F1 12 Tf (ANNUAL No ) Tj /F2 12 Tf (\250 \247) Tj ET"
        ),
        "<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Wingdings-Regular /FirstChar 0 /LastChar 255 "
        f"/Encoding /WinAnsiEncoding /Widths [{wide}] >>",
        contents=6,
        fonts="/F2 7 0 R",
    ).pages
    assert page.text == "Yes ☒ANNUAL No ◻ ▪"


def test_a_stamp_with_two_counting_numbers_is_a_header(tmp_path: Path) -> None:
    def draw(c: Canvas, i: int) -> None:
        c.setFont("Helvetica", 8)
        c.drawString(
            76, 775, f"Case 2:19-cv-01234 Document 45 Filed 03/02/20 Page {i + 1} of 12 PageID #: {567 + i}"
        )
        words = ("arrears", "deposits", "repairs", "taxes")[i]
        paragraph(c, f"The court finds that the tenant owes {words}. " * 30, top=72)

    document = read(tmp_path, draw, draw, draw, draw)
    assert [p.blocks[0].kind for p in document.pages] == ["header"] * 4
    assert all(b.kind == "paragraph" for p in document.pages for b in p.blocks[1:])


def test_lines_of_contents_with_leaders_stay_lines(tmp_path: Path) -> None:
    titles = (
        "Section 1.1 Defined Terms",
        "Section 1.2 Rules of Construction",
        "Exhibit A Form of Certificate",
    )

    def draw(c: Canvas, i: int) -> None:
        c.setFont("Times-Roman", 11)
        for k, title in enumerate(titles):
            c.drawString(72, 700 - 16 * k, title)
            for x in range(78 + int(c.stringWidth(title)), 520, 5):
                c.drawString(x, 700 - 16 * k, ".")
            c.drawRightString(540, 700 - 16 * k, f"A-{k + 1}")

    (page,) = read(tmp_path, draw).pages
    assert [line.split(" .")[0] for line in page.text.split("\n")] == list(titles)


def test_a_scanned_page_with_stamps_on_its_edges_is_scanned(tmp_path: Path) -> None:
    picture = Image.new("L", (85, 110), 255)
    stamp = "Case 2:19-cv-01234 Document 45-3 Filed 03/02/20 Page 4 of 12 PageID #: 570"

    def stamped(c: Canvas, i: int) -> None:
        c.drawImage(ImageReader(picture), 0, 0, 612, 792)
        c.setFont("Helvetica", 8)
        c.drawString(60, 775, stamp)
        c.drawRightString(590, 12, "ABC-0000123 CONFIDENTIAL - ATTORNEYS' EYES ONLY")

    def written(c: Canvas, i: int) -> None:
        stamped(c, i)
        paragraph(c, "The text that a scanner's program has put over the picture. " * 3, top=300)

    document = read(tmp_path, stamped, written)
    assert [(gap.kind, gap.page_index) for gap in document.gaps] == [("scanned", 0)]
    assert stamp in document.pages[0].text


def test_letters_of_a_font_that_only_the_machine_has_are_known(tmp_path: Path) -> None:
    """A worker cannot open the machine's font files; found there, they made letters without a meaning."""
    font = "<< /Type /Font /Subtype /TrueType /BaseFont /LiberationSans /Encoding /WinAnsiEncoding >>"
    text = stream("BT /F2 12 Tf 72 700 Td (Jane Roe pays the rent.) Tj ET")
    size = "/MediaBox [0 0 612 792]"
    document = plain(tmp_path, "", size, text, font, contents=6, fonts="/F2 7 0 R")
    assert document.pages[0].text == "Jane Roe pays the rent." and not document.gaps


def test_the_fields_of_a_closed_document_are_forgotten() -> None:
    """The fork server reads a made document first: a worker's own may come to lie at its address."""
    from longleaf.ingest.pdf import reader
    from longleaf.ingest.worker import warm_up

    warm_up.pages(1)
    assert reader._form.cache_info().currsize == 0
