"""One PDF a kind of difficulty that contracts and filings have, each with what a person reads in it.

`python -m tests.support.kinds OUTDIR` writes them to look at. `KINDS` maps a name to what makes it.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdf
from reportlab.pdfgen.canvas import Canvas

from tests.support.pdf_maker import (
    LETTER,
    columns,
    lines,
    mapped_pdf,
    paragraph,
    pdf_bytes,
    raw_pdf,
    show,
    stream,
)

SENTENCE = (
    "The supplier delivers the goods to the warehouse of the buyer within thirty days after each order. "
)
OTHER = "Invoices are payable within sixty days of receipt, and late payment bears interest at one per cent. "
ROWS = [
    ("Net revenue", "$ 1,234.5", "$ 1,101.0"),
    ("Cost of sales", "(640.2)", "(598.7)"),
    ("Gross margin", "48.1 %", "45.6 %"),
    ("Other, net", "–", "12.0"),
]
IDENTITY = {code: chr(code) for code in range(32, 127)}


def headings() -> bytes:
    def draw(c: Canvas, i: int) -> None:
        lines(c, ["ARTICLE 4"], font="Times-Bold", size=14, top=60)
        lines(c, ["Payment"], font="Times-Bold", size=14, top=78)
        lines(c, ["4.1 Price"], font="Times-Bold", top=104)
        top = paragraph(c, OTHER * 2, top=122)
        lines(c, ["4.2 Delivery"], font="Times-Bold", top=top + 10)
        paragraph(c, SENTENCE * 2, top=top + 28)

    return pdf_bytes([draw])


def lists() -> bytes:
    def draw(c: Canvas, i: int) -> None:
        top = paragraph(c, "The supplier shall:")
        top = paragraph(c, "(a) deliver the goods;", top=top + 4, x=90)
        top = paragraph(c, "(b) insure them, which means", top=top + 4, x=90)
        top = paragraph(c, "(i) against fire, and", top=top + 4, x=110)
        top = paragraph(c, "(ii) against theft; and", top=top + 4, x=110)
        paragraph(c, "(c) report each loss.", top=top + 4, x=90)

    return pdf_bytes([draw])


def _table(c: Canvas, rows: list[tuple[str, ...]], top: float, *, ruled: bool) -> float:
    for row in rows:
        for x, cell in zip((78, 350, 450), row, strict=True):
            lines(c, [cell], x=x, top=top)
        if ruled:
            for x, width in ((72, 272), (344, 100), (444, 100)):
                c.rect(x, LETTER[1] - top - 14, width, 16)
        top += 16
    return top


def ruled_table() -> bytes:
    def draw(c: Canvas, i: int) -> None:
        lines(c, ["(in millions of dollars)"], top=80)
        _table(c, [("", "2023", "2022"), *ROWS], 100, ruled=True)

    return pdf_bytes([draw])


def unruled_table() -> bytes:
    def draw(c: Canvas, i: int) -> None:
        top = paragraph(c, SENTENCE * 3)
        lines(c, ["(in millions of dollars)"], top=top + 20)
        _table(c, [("", "2023", "2022"), *ROWS], top + 40, ruled=False)

    return pdf_bytes([draw])


def table_over_pages() -> bytes:
    def draw(c: Canvas, i: int) -> None:
        top = 72.0
        if i == 0:
            lines(c, ["Revenue by country"], font="Times-Bold", top=72)
            lines(c, ["(in thousands of euros, except per cent)"], top=88)
            top = _table(c, [("", "2023", "2022")], 110, ruled=False)
        rows = [(f"Country {40 * i + n}", f"(1,0{n:02}.5)", f"€ {n}.25") for n in range(10, 40)]
        _table(c, rows, top, ruled=False)

    return pdf_bytes([draw, draw])


def two_columns() -> bytes:
    def draw(c: Canvas, i: int) -> None:
        lines(c, ["GENERAL TERMS OF SUPPLY THAT APPLY TO EVERY ORDER"], font="Times-Bold", size=14, top=60)
        columns(c, SENTENCE * 6, OTHER * 6, top=100)

    return pdf_bytes([draw])


def columns_with_table() -> bytes:
    """A table that goes across both columns, between them."""

    def draw(c: Canvas, i: int) -> None:
        columns(c, SENTENCE * 6, OTHER * 6, top=60)
        _table(c, [("", "2023", "2022"), *ROWS], 320, ruled=False)
        columns(c, OTHER * 6, SENTENCE * 6, top=460)

    return pdf_bytes([draw])


def raised_figures() -> bytes:
    """The number of a note behind a figure, and a fraction, which is none."""

    def draw(c: Canvas, i: int) -> None:
        texts = ((80, "Revenue was 1,234", "12", "in all."), (200, "Par value 1", "2", "/3"))
        for top, figure, raised, rest in texts:
            lines(c, [figure], top=top)
            end = 72 + c.stringWidth(figure, "Times-Roman", 11)
            lines(c, [raised], x=end, top=top - 3, size=7)
            end += c.stringWidth(raised, "Times-Roman", 7)
            lines(c, [rest], x=end + (3 if rest[0] != "/" else 0), top=top)

    return pdf_bytes([draw])


def footnotes() -> bytes:
    def draw(c: Canvas, i: int) -> None:
        paragraph(c, SENTENCE * 4)
        lines(c, ["Revenue was restated"], top=260)
        end = 72 + c.stringWidth("Revenue was restated", "Times-Roman", 11)
        lines(c, ["1"], x=end, top=257, size=7)
        lines(c, ["in the second year."], x=end + 7, top=260)
        c.line(72, 120, 200, 120)
        lines(c, ["1 See the report of the auditor."], top=680, size=8)

    return pdf_bytes([draw])


def margin_headings() -> bytes:
    def draw(c: Canvas, i: int) -> None:
        paragraph(c, SENTENCE * 3, x=200, width=340, top=80)
        lines(c, ["Delivery of", "the Goods"], top=80)
        paragraph(c, OTHER * 3, x=200, width=340, top=240)
        lines(c, ["Payment"], top=240)

    return pdf_bytes([draw])


def rotated_pages() -> bytes:
    writer = pypdf.PdfWriter()
    for turn in (0, 90, 180, 270):

        def draw(c: Canvas, i: int, turn: int = turn) -> None:
            width, height = LETTER
            if turn == 90:
                c.transform(0, 1, -1, 0, width, 0)
            elif turn == 180:
                c.transform(-1, 0, 0, -1, width, height)
            elif turn == 270:
                c.transform(0, -1, 1, 0, 0, height)
            c.setFont("Times-Roman", 12)
            c.drawString(100, (width if turn % 180 else height) - 112, "Termination for cause")

        writer.add_page(pypdf.PdfReader(io.BytesIO(pdf_bytes([draw]))).pages[0]).rotate(turn)
    return _written(writer)


def form_fields() -> bytes:
    def draw(c: Canvas, i: int) -> None:
        lines(c, ["Name of the tenant:", "", "Deposit paid:"], leading=24)
        c.acroForm.textfield(name="tenant", value="Jane Roe", x=200, y=690, width=200, height=24)
        c.acroForm.textfield(name="deposit", value="$ 4,500", x=200, y=640, width=200, height=24)

    return pdf_bytes([draw])


def annotations() -> bytes:
    """A comment on a clause, and a highlight with a remark, over plain text."""
    base = pdf_bytes(
        [lambda c, i: lines(c, ["The rent is due monthly.", "The term is five years."], leading=30)]
    )
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(base))
    for kind, box, said, author in (
        ("/Text", (40, 706, 60, 722), "Ask for quarterly.", "Ann Ash"),
        ("/Highlight", (72, 674, 180, 690), "Too long!", "Ben Birch"),
    ):
        note = pypdf.generic.DictionaryObject()
        x0, y0, x1, y1 = box
        entries = {
            "/Type": pypdf.generic.NameObject("/Annot"),
            "/Subtype": pypdf.generic.NameObject(kind),
            "/Rect": pypdf.generic.ArrayObject(map(pypdf.generic.FloatObject, box)),
            "/Contents": pypdf.generic.TextStringObject(said),
            "/T": pypdf.generic.TextStringObject(author),
            "/M": pypdf.generic.TextStringObject("D:20240203100000Z"),
            "/QuadPoints": pypdf.generic.ArrayObject(
                map(pypdf.generic.FloatObject, (x0, y1, x1, y1, x0, y0, x1, y0))
            ),
        }
        note.update({pypdf.generic.NameObject(key): value for key, value in entries.items()})
        writer.add_annotation(0, note)
    return _written(writer)


def page_labels() -> bytes:
    out = io.BytesIO()
    c = Canvas(out, pagesize=LETTER, invariant=1)
    for i, (style, start, prefix) in enumerate(
        (("ROMAN_LOWER", 1, None), ("ROMAN_LOWER", 2, None), ("ARABIC", 1, None), ("ARABIC", 1, "A-"))
    ):
        c.addPageLabel(i, style, start, prefix)
        lines(c, [f"Page at position {i + 1}."])
        c.showPage()
    c.save()
    return out.getvalue()


def _composite(text: bytes, encoding: str, ordering: str, base: str, *, more: str = "") -> bytes:
    return raw_pdf(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
            "/Resources << /Font << /F1 5 0 R >> >> >>",
            stream(b"BT /F1 12 Tf 72 700 Td <" + text.hex().encode() + b"> Tj ET"),
            f"<< /Type /Font /Subtype /Type0 /BaseFont /{base} /Encoding /{encoding} "
            "/DescendantFonts [6 0 R] >>",
            f"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /{base} /FontDescriptor 7 0 R /DW 1000 {more} "
            f"/CIDSystemInfo << /Registry (Adobe) /Ordering ({ordering}) /Supplement 2 >> >>",
            f"<< /Type /FontDescriptor /FontName /{base} /Flags 4 /FontBBox [0 -200 1000 900] /Ascent 900 "
            "/Descent -200 /CapHeight 700 /ItalicAngle 0 /StemV 80 >>",
        ]
    )


def no_unicode_map() -> bytes:
    return _composite(bytes.fromhex("00140015001600170018"), "Identity-H", "Identity", "Odd")


def private_glyphs() -> bytes:
    """Ligatures at private-use codes, a NUL, and glyphs that nothing explains."""
    words = b"The o\x80ce \x81les zq\x82xk\x83 wv\x82jj."
    return mapped_pdf(words, {**IDENTITY, 0x80: "\ue000", 0x81: "\ue001", 0x82: "\ue123", 0x83: "\0"})


CJK = {
    "cjk_shift_jis": ("90ms-RKSJ-H", "Japan1", "契約期間は三年とする", "cp932"),
    "cjk_utf16": ("UniJIS-UTF16-H", "Japan1", "契約期間は三年とする", "utf-16-be"),
    "cjk_gb": ("GBK-EUC-H", "GB1", "合同期限为三年", "gbk"),
    "cjk_big5": ("ETen-B5-H", "CNS1", "契約期間為三年", "big5"),
    "cjk_korean": ("KSCms-UHC-H", "Korea1", "계약기간은삼년", "cp949"),
}


def cjk(name: str) -> bytes:
    encoding, ordering, text, codec = CJK[name]
    return _composite(text.encode(codec), encoding, ordering, "Song")


def spaces() -> bytes:
    def draw(c: Canvas, i: int) -> None:
        show(c, "[(Beir) -60 (a Rio) -20 (, Cen) -80 (tro)] TJ", top=72)
        show(c, "[(Reporting) -320 (crude) -300 (oil) -350 (leak.)] TJ", top=110)
        show(c, "6 Tc (AGREEMENT) Tj 0 Tc", top=148)

    return pdf_bytes([draw])


def ligatures() -> bytes:
    return mapped_pdf(
        b"The \x80nal o\x81er re\x82ects a di\x83culty.",
        {**IDENTITY, 0x80: "\ufb01", 0x81: "\ufb00", 0x82: "\ufb02", 0x83: "\ufb03"},
    )


def soft_hyphens() -> bytes:
    """One inside a word, and one that a line breaks at."""
    cmap_text = {**IDENTITY, 0x80: "\u00ad"}
    data = mapped_pdf(b"co\x80operates until the agree\x80", cmap_text)
    more = b"0 -14 Td <" + b"ment ends.".hex().encode() + b"> Tj ET"
    old = data[data.index(b"BT /F1") : data.index(b" ET\nendstream") + 3]
    return _replaced_stream(data, old, old.replace(b" ET", b" " + more))


def _replaced_stream(data: bytes, old: bytes, new: bytes) -> bytes:
    """The file with a content stream exchanged, its length and cross-references made right by pypdf."""
    data = data.replace(old, new).replace(b"/Length %d " % len(old), b"/Length %d " % len(new))
    return _written(pypdf.PdfWriter(clone_from=io.BytesIO(data)))


def right_to_left() -> bytes:
    letters = dict(zip(range(0x80, 0x8A), "אבגדהוזחטי", strict=True))
    return mapped_pdf(b"\x84\x83 5 \x82\x81\x80", {**IDENTITY, **letters})


def circular() -> bytes:
    """A form that draws itself, an outline and a page tree that lead back, and junk between the objects."""
    return raw_pdf(
        [
            "<< /Type /Catalog /Pages 2 0 R /Outlines 7 0 R >>",
            "<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 2 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << "
            "/Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >> >>",
            stream("BT /F1 12 Tf 72 700 Td (Around it) Tj ET /X Do %$@ junk >> ]"),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            stream(
                "/X Do",
                "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>",
            ),
            "<< /First 8 0 R >>",
            "<< /Title (Loop) /Next 8 0 R /First 8 0 R /Dest [3 0 R /Fit] >>",
            "<< /Junk 9 0 R (unbalanced >>",
        ]
    )


def mixed_scan() -> bytes:
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    def picture(c: Canvas, i: int) -> None:
        grey = Image.linear_gradient("L").resize((85, 110))
        c.drawImage(ImageReader(grey), 0, 0, *LETTER)

    return pdf_bytes(
        [lambda c, i: lines(c, ["Typed words."]), picture, lambda c, i: lines(c, ["More words."])]
    )


def _written(writer: Any) -> bytes:
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


KINDS: dict[str, Callable[[], bytes]] = {
    "headings": headings,
    "lists": lists,
    "ruled_table": ruled_table,
    "unruled_table": unruled_table,
    "table_over_pages": table_over_pages,
    "two_columns": two_columns,
    "columns_with_table": columns_with_table,
    "raised_figures": raised_figures,
    "footnotes": footnotes,
    "margin_headings": margin_headings,
    "rotated_pages": rotated_pages,
    "form_fields": form_fields,
    "annotations": annotations,
    "page_labels": page_labels,
    "no_unicode_map": no_unicode_map,
    "private_glyphs": private_glyphs,
    **{name: (lambda name=name: cjk(name)) for name in CJK},
    "spaces": spaces,
    "ligatures": ligatures,
    "soft_hyphens": soft_hyphens,
    "right_to_left": right_to_left,
    "circular": circular,
    "mixed_scan": mixed_scan,
}

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for kind, make in KINDS.items():
        (folder / f"{kind}.pdf").write_bytes(make())
