"""DOCX, XLSX, HTML, Markdown, text, EML and ZIP come back as what a person reads in them."""

from __future__ import annotations

import codecs
import datetime
import zipfile
from email.message import EmailMessage
from pathlib import Path

import openpyxl
import pytest
from openpyxl.comments import Comment

from longleaf.ingest import Document, IngestError, make_chunks, read_document, read_members
from longleaf.ingest.formats.archive import clean
from longleaf.ingest.formats.office.number_format import Value, shown
from sample_docs import other_formats as made
from tests.support.document_checks import check_chunks, check_document
from tests.support.pdf_maker import lines, pdf_bytes


def words(text: str) -> int:
    return len(text.split())


def read(tmp_path: Path, name: str, data: bytes) -> Document:
    (tmp_path / name).write_bytes(data)
    document = read_document(tmp_path / name)
    check_document(document)
    check_chunks(document, make_chunks(document, words, max_tokens=40), words, 40)
    return document


def blocks(document: Document) -> list[tuple[str, str]]:
    return [(b.kind, p.text[b.start : b.end]) for p in document.pages for b in p.blocks]


def test_docx_is_numbered_as_word_shows_it_and_keeps_tracked_changes_as_data(tmp_path: Path) -> None:
    document = read(tmp_path, "lease.docx", made.lease())
    text = document.pages[0].text
    assert blocks(document) == [
        ("header", "Execution draft"),
        ("heading", "LEASE OF WAREHOUSE SPACE"),
        (
            "paragraph",
            'This Lease is made on February 1, 2024 between Harbor Holdings LLC (the "Landlord") and '
            'Tidewater Traders Inc. (the "Tenant").',
        ),
        ("heading", "Article I. Term"),
        ("list", "1.1 The term begins on March 1, 2024 and lasts five years."),
        ("list", "1.2 The Tenant may extend it once by written notice:"),
        ("list", "(a) for two years, at the rent then in force; or"),
        ("list", "(b) for five years, at a rent to be agreed."),
        ("heading", "Article II. Rent"),
        ("list", "2.1 The rent is due on the first day of each month.¹"),
        ("table", "Year  Monthly rent\n2024  $ 12,500\n2025  $ 12,875"),
        ("heading", "Article III. Law"),
        ("list", "3.1 This Lease is governed by the laws of the State of Oregon."),
        ("paragraph", "¹ A month that is begun counts in full."),
        ("footer", "Harbor Holdings LLC"),
    ]
    assert [(s.title, s.level) for s in document.sections][1:] == [
        ("Article I. Term", 1), ("Article II. Rent", 1), ("Article III. Law", 1),
    ]  # fmt: skip
    found = {a.kind: (a.text, a.author, text[a.span.start : a.span.end]) for a in document.annotations}
    assert found == {
        "deletion": ("three", "Ben Birch", ""),
        "insertion": ("five", "Ann Ash", "five"),
        "comment": ("Our form says Washington.", "Cy Cedar", "the State of Oregon"),
    }
    assert {a.date for a in document.annotations} == {"2024-02-03T10:00:00Z"}
    deleted = next(a for a in document.annotations if a.kind == "deletion")
    assert text[: deleted.span.start].endswith("lasts ")
    assert [gap.kind for gap in document.gaps] == ["changes"]
    assert document.pages[0].label == "¶ 1–14"


def test_docx_deleted_paragraphs_and_rows_are_gone_and_recorded(tmp_path: Path) -> None:
    gone = '<w:rPr><w:del w:id="1" w:author="Ben Birch" w:date="2024-02-03T10:00:00Z"/></w:rPr>'
    struck = made.row("2026", "$ 1").replace("<w:tr>", '<w:tr><w:trPr><w:del w:author="X"/></w:trPr>')
    body = (
        made.p("The first clause stays.")
        + made.p(made.deleted("The second clause goes."), properties=gone)
        + made.p("The third ", made.deleted("clause"), properties=gone)
        + made.p(made.inserted("section"), " joins the fourth.")
        + f"<w:tbl>{made.row('2025', '$ 2')}{struck}"
        + f"{made.row('2027', '$ 3')}</w:tbl>"
        + made.p("The end.")
    )
    document = read(tmp_path, "a.docx", made.docx_package(body))
    assert [text for _, text in blocks(document)] == [
        "The first clause stays.",
        "The third section joins the fourth.",
        "2025  $ 2\n2027  $ 3",
        "The end.",
    ]
    said = [a.text for a in document.annotations if a.kind == "deletion"]
    assert sorted(said) == ["2026  $ 1", "The second clause goes.", "clause"]


def test_docx_fields_text_boxes_and_hidden_text(tmp_path: Path) -> None:
    body = made.p(
        "Page ",
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>7</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>',
        " of the deed",
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>",
        '<w:hyperlink r:id="x"><w:r><w:t> (see here)</w:t></w:r></w:hyperlink>',
        f"<w:r><w:pict><w:txbxContent>{made.p('In a box.')}</w:txbxContent></w:pict></w:r>",
        '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>',
    )
    document = read(tmp_path, "a.docx", made.docx_package(body))
    assert [text for _, text in blocks(document)] == ["Page 7 of the deed (see here)☑", "In a box."]
    assert [gap.detail for gap in document.gaps] == ["1 run of hidden text not read"]


def test_html_shows_what_a_browser_shows(tmp_path: Path) -> None:
    document = read(tmp_path, "minutes.html", made.MINUTES.encode())
    assert blocks(document) == [
        ("header", "Home Minutes"),
        ("heading", "Minutes of the Board of Tidewater Traders Inc."),
        ("paragraph", "The Board met on April 4, 2024 in Portland. Four of five directors were present."),
        ("heading", "Dividend"),
        ("paragraph", "The Board declared a dividend of $0.35 a share, payable on June 3, 2024."),
        ("list", "c. It is paid to holders of record on May 20, 2024."),
        ("list", "d. It is not paid on treasury shares."),
        ("heading", "Results of the first quarter"),
        ("paragraph", "Results (in thousands of dollars)"),
        ("table", "  2024  2023\nNet revenue  $ 18,450  $ 17,020\nOperating loss  (312)  (95)"),
        ("footer", "Tidewater Traders Inc."),
    ]
    assert [s.path for s in document.sections][-1] == (
        "Minutes of the Board of Tidewater Traders Inc.",
        "Results of the first quarter",
    )
    page = document.pages[0]
    right = [page.boxes[page.text.index(text) + len(text) - 1][2] for text in ("18,450", "(312)")]
    assert right[0] == right[1]  # figures of a column end below each other


def test_html_nested_too_deep_to_be_read_says_so(tmp_path: Path) -> None:
    page = "<p>First.</p>" + "<div>" * 3000 + "Far inside." + "</div>" * 3000 + "<p>Last.</p>"
    document = read(tmp_path, "deep.html", page.encode())
    assert "First." in document.pages[0].text
    (gap,) = document.gaps
    assert gap.kind == "truncated" and "nested too deep" in gap.detail


def test_html_of_filings_has_headings_in_bold_and_marks_in_tables(tmp_path: Path) -> None:
    bold = '<span style="font-weight:700">{}</span>'
    source = (
        f"<div>{bold.format('Our business in short')}</div>"
        f"<div>{bold.format('Steel')} is sold by the ton.</div>"
        f"<div style='font-weight:bold'>Prices <i>by quarter</i></div><p>They rose.</p>"
        "<p style='font-weight:bold'>This paragraph is bold all through, and it ends as sentences do.</p>"
        "<p style='font-weight:bold'>Not <span style='font-weight:400'>all</span></p>"
        f"<table><tr><td>{bold.format('Item 2.')}<td><td>{bold.format('Properties')}</tr></table>"
        "<table><tr><td>•<td>a mill in <ins>Ohio</ins>;</tr><tr><td>•<td>a quay.</tr></table>"
        "<table><tr><td>1.</td><td>1,200</td></tr><tr><td>2.</td><td>(300)</td></tr></table>"
    )
    document = read(tmp_path, "filing.htm", source.encode())
    assert blocks(document) == [
        ("heading", "Our business in short"),
        ("paragraph", "Steel is sold by the ton."),
        ("heading", "Prices by quarter"),
        ("paragraph", "They rose."),
        ("paragraph", "This paragraph is bold all through, and it ends as sentences do."),
        ("paragraph", "Not all"),
        ("heading", "Item 2. Properties"),
        ("list", "• a mill in Ohio;"),
        ("list", "• a quay."),
        ("table", "1.  1,200\n2.  (300)"),
    ]
    (insertion,) = document.annotations
    assert document.pages[0].text[insertion.span.start : insertion.span.end] == "Ohio"
    assert [s.title for s in document.sections] == [
        "Our business in short",
        "Prices by quarter",
        "Item 2. Properties",
    ]


def test_markdown_is_numbered_by_its_lines(tmp_path: Path) -> None:
    document = read(tmp_path, "notes.md", made.NOTES.encode())
    assert document.pages[0].label == "lines 4–18"
    assert document.metadata["title"] == "Notes on the Harbor lease"
    assert blocks(document)[1:6] == [
        ("paragraph", "The deposit is $25,000, payable within ten days of signing."),
        ("heading", "Open points"),
        ("list", "1. Who insures the goods?"),
        ("list", "2. Who pays for the repair of the roof?"),
        ("list", "• the Landlord, says our draft"),
    ]
    assert document.pages[0].blocks[-1].head_rows == 1


def test_text_keeps_form_feeds_tables_and_joins_lines(tmp_path: Path) -> None:
    document = read(tmp_path, "filing.txt", made.FILING.encode())
    assert [page.label for page in document.pages] == ["1", "2"]
    assert ("table", "2024  2023\nRent received  $  41,200  $  39,800\nRepairs  (8,150)  (2,940)") in blocks(
        document
    )
    assert blocks(document)[-1][1].endswith("who can be reached in Portland.")


def test_marks_of_old_filings_are_pages_and_not_text(tmp_path: Path) -> None:
    page = (
        "     {0}.   PRICE.  The price is $12 per unit and it stays.\n\n<TABLE>\n<CAPTION>\n"
        "                        1998      199{0}\n<S>                     <C>       <C>\n"
        "Net sales of {0}.....  $ {0}2,345  $ 11,222\nCosts of {0}.........    (6,402)   (5,987)\n"
        "</TABLE>\n\n\n                  -{0}-\n<PAGE>\n"
    )
    source = "<DOCUMENT>\n<TYPE>EX-10.1\n<TEXT>\n" + "".join(page.format(n) for n in range(1, 4))
    document = read(tmp_path, "old.txt", source.encode())
    assert [p.label for p in document.pages] == ["1", "2", "3"]
    second = document.pages[1]
    assert [(b.kind, second.text[b.start : b.end]) for b in second.blocks] == [
        ("list", "2. PRICE. The price is $12 per unit and it stays."),
        (
            "table",
            "1998  1992\nNet sales of 2.....  $ 22,345  $ 11,222\nCosts of 2.........  (6,402)  (5,987)",
        ),
        ("footer", "-2-"),
    ]
    assert not any("<" in p.text for p in document.pages)


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("Prix: 5 € — «payé»".encode("cp1252") * 5, "cp1252"),
        ("Miete für März".encode("cp1252"), "cp1252"),
        (codecs.BOM_UTF16_LE + "Prix: 5 €".encode("utf-16-le"), "utf-16-le"),
        ("The price is five dollars.".encode("utf-16-be"), "utf-16-be"),
        ("Prix: 5 € — payé".encode(), "utf-8"),
        ("契約書に定める支払期日は翌月末とする。当事者は誠実に協議する。".encode("shift_jis") * 4, "cp932"),
        ("Договор вступает в силу с момента подписания сторонами.".encode("cp1251") * 4, "cp1251"),
    ],
)
def test_encodings_are_found(tmp_path: Path, data: bytes, encoding: str) -> None:
    document = read(tmp_path, "a.txt", data)
    assert document.metadata["encoding"].replace("_", "-") in (
        encoding,
        "shift-jis" if encoding == "cp932" else "",
    )
    assert document.pages[0].text.startswith(data.decode(encoding).lstrip("\ufeff")[:8])


def test_long_text_is_cut_into_pages_that_say_their_lines(tmp_path: Path) -> None:
    text = "\n".join(f"{i}. Clause number {i} binds the parties." for i in range(1, 201))
    document = read(tmp_path, "a.txt", text.encode())
    assert [page.label for page in document.pages] == [
        "lines 1–66",
        "lines 67–132",
        "lines 133–198",
        "lines 199–200",
    ]
    assert document.pages[1].text.startswith("67. Clause")


def test_xlsx_shows_numbers_as_the_sheet_does(tmp_path: Path) -> None:
    document = read(tmp_path, "ledger.xlsx", made.ledger())
    assert [page.label for page in document.pages] == ["sheet Rents", "sheet Key dates", "sheet Old (hidden)"]
    assert blocks(document)[:3] == [
        ("heading", "Rents of the warehouses"),
        ("paragraph", "(in dollars)"),
        (
            "table",
            "Warehouse  Rent  Share  Change\n"
            "Portland  $150,000  62.5%  1,250.50\n"
            "Astoria  $90,000  37.5%  (430.00)",
        ),
    ]
    assert "Term begins  March 1, 2024" in document.pages[1].text


def test_xlsx_says_what_is_hidden_and_remarked(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Rents"
    book.active.append(["Harbor", 900])
    book.active["B1"].comment = Comment("Was it not 950?", "Jane")
    book.create_sheet("Notes")["A1"] = "Sold in May"
    book["Notes"].sheet_state = "veryHidden"
    book.save(tmp_path / "rents.xlsx")
    document = read_document(tmp_path / "rents.xlsx")
    assert [page.label for page in document.pages] == ["sheet Rents", "sheet Notes (hidden)"]
    assert [(gap.kind, gap.detail) for gap in document.gaps] == [
        ("changes", "1 comment on a cell is not part of the text: B1: Was it not 950?")
    ]


def test_xlsx_formulas_without_a_value_are_named_and_long_sheets_repeat_their_head(tmp_path: Path) -> None:
    import openpyxl

    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.append(["Item of the list", "Amount"])
    for i in range(400):
        sheet.append([f"Item {i}", i * 1000])
    sheet["C2"] = "=SUM(B2:B9)"
    workbook.save(tmp_path / "a.xlsx")
    document = read_document(tmp_path / "a.xlsx")
    check_document(document)
    assert document.pages[0].label.startswith("sheet Sheet, rows 1–")
    assert document.pages[1].blocks[0].kind == "header"
    assert document.pages[1].text.startswith("Item of the list  Amount\n")
    assert [gap.kind for gap in document.gaps] == ["truncated"] and "C2" in document.gaps[0].detail
    chunks = make_chunks(document, words, max_tokens=60)
    assert all("Item of the list  Amount" in c.text + c.caption for c in chunks)


def test_sections_of_a_format_may_be_dates() -> None:
    epoch = datetime.datetime(1899, 12, 30)
    for value, text in ((0, "0"), (0.5, "12:00:00"), (5.5, "132:00")):
        assert shown(value, "[=0]0;[<4]hh:mm:ss;[hh]:mm", epoch) == text
    assert shown(-5.5, "m/d/yyyy", epoch) == "-5.5"
    assert shown(1e9, "m/d/yyyy", epoch) == "1000000000"
    assert shown(41224.999988425923, "hh:mm:ss", epoch) == "23:59:59"


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (1234.5, "#,##0.00", "1,234.50"),
        (-1234.5, "#,##0.00", "-1,234.50"),
        (-430, "#,##0_);(#,##0)", "(430)"),
        (-5, '"$"#,##0.00', "-$5.00"),
        (0, '#,##0;-#,##0;"–"', "–"),
        (0.125, "0.0%", "12.5%"),
        (1500000, '0.0,,"M"', "1.5M"),
        (7, "000", "007"),
        (0.1 + 0.2, "General", "0.3"),
        (3.0, "General", "3"),
        (2.5, "0", "3"),
        (-0.001, "0.00", "0.00"),
        (True, "General", "TRUE"),
        ("x", '"<"@">"', "<x>"),
        (12, "[$€-407] #,##0", "€ 12"),
        (123456789, "000-00-0000", "123-45-6789"),
        (5551234567, "[<=9999999]###-####;(###) ###-####", "(555) 123-4567"),
        (5551234, "[<=9999999]###-####;(###) ###-####", "555-1234"),
        (10200, '[>999999]#,,"M";[>999]#,"K";#', "10K"),
        (2500000, '[>999999]#.0,,"M";[>999]#,"K";#', "2.5M"),
        (-12, '[Red][<0]"loss "0;0', "loss 12"),
        (-12, "[>=0]0;(0)", "(12)"),
        (-12, '[>999]#,"K";#', "-12"),
        (1234.5, "0.00E+00", "1.23E+03"),
        (0.00045, "##0.0E+0", "450.0E-6"),
        (9.999, "0.0E+0", "1.0E+1"),
        (0, "0.00E+00", "0.00E+00"),
        (3.25, "# ?/?", "3 1/4"),
        (0.125, '# ??/??" in."', "1/8 in."),
        (2.999, "# ?/?", "3"),
        (5.3, "# ?/8", "5 2/8"),
        (1234567, "#,##0,", "1,235"),
        (0.5, "#.##", ".5"),
        (7, "General_)", "7"),
        (-3, 'General" EUR"', "-3 EUR"),
        (12345678901234, "General", "12345678901234"),
        ("draft", '0;0;0;"("@")"', "(draft)"),
        ("draft", '@" *"', "draft *"),
        (datetime.datetime(2024, 3, 1, 14, 5, 59, 996000), "h:mm:ss.00 AM/PM", "2:06:00.00 PM"),
        (datetime.datetime(2024, 3, 1, 14, 5, 59), "hh:mm a/p", "02:05 p"),
        (datetime.timedelta(hours=30, minutes=5, seconds=9), "[h]:mm", "30:05"),
        (datetime.timedelta(minutes=75, seconds=9.5), "[mm]:ss.0", "75:09.5"),
        (datetime.timedelta(hours=-1), "[h]:mm:ss", "-1:00:00"),
        (datetime.timedelta(hours=1, seconds=0.25), "[s].00", "3600.25"),
    ],
)
def test_number_formats(value: Value, code: str, text: str) -> None:
    assert shown(value, code) == text


def test_a_message_comes_before_its_attachments(tmp_path: Path) -> None:
    report = pdf_bytes([lambda c, i: lines(c, ["The report."])])
    inner = made.mail(("minutes.html", made.MINUTES.encode()))
    (tmp_path / "m.eml").write_bytes(made.mail(("report.pdf", report), ("old.eml", inner)))
    names = [member.name for member in read_members(tmp_path / "m.eml", tmp_path)]
    assert names == ["m.eml", "m.eml/report.pdf", "m.eml/old.eml", "m.eml/old.eml/minutes.html"]
    document = read(tmp_path, "m.eml", (tmp_path / "m.eml").read_bytes())
    assert blocks(document)[0] == ("heading", "Harbor lease: signed copy")
    assert "deposit of $25,000" in document.pages[0].text
    assert document.pages[0].text.endswith("Attachments: report.pdf, old.eml")


def test_a_message_in_a_message_is_read_with_what_is_attached_to_it(tmp_path: Path) -> None:
    inner = EmailMessage()
    inner["Subject"] = "Lease"
    inner.set_content("The fee is 7 euros.")
    inner.add_attachment("The rent is 900.", filename="rent.txt")
    outer = EmailMessage()
    outer["Subject"] = "Fwd"
    outer.set_content("See below.")
    outer.add_attachment(inner)
    path = tmp_path / "outer.eml"
    path.write_bytes(bytes(outer))
    names = [member.name for member in read_members(path, tmp_path)]
    assert names == ["outer.eml", "outer.eml/Lease.eml", "outer.eml/Lease.eml/rent.txt"]


def test_members_of_a_folder_are_documents_and_what_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "deal.zip").write_bytes(made.deal_room())
    (tmp_path / "out").mkdir()
    found = {}
    for member in read_members(tmp_path / "deal.zip", tmp_path / "out"):
        found[member.name] = member.problem or read_document(member.path, name=member.name).pages[0].label
    assert found == {
        "deal.zip/lease/lease.docx": "¶ 1–14",
        "deal.zip/lease/ledger.xlsx": "sheet Rents",
        "deal.zip/board/minutes.html": "¶ 1–11",
        "deal.zip/notes.md": "lines 4–18",
        "deal.zip/filing.txt": "1",
        "deal.zip/mail.eml": "¶ 1–6",
        "deal.zip/mail.eml/lease.docx": "¶ 1–14",
        "deal.zip/logo.png": "is a picture (PNG); save it as a PDF and read that with --ocr",
    }
    with pytest.raises(IngestError, match="members are documents of their own"):
        read_document(tmp_path / "deal.zip")


def test_names_of_members_lead_nowhere(tmp_path: Path) -> None:
    assert [clean(n) for n in ("../../etc/x", "/abs/y", "C:\\a\\..\\b", "..", "a//b")] == [
        "etc/x",
        "abs/y",
        "a/b",
        "unnamed",
        "a/b",
    ]
    (tmp_path / "evil.zip").write_bytes(
        made.packed({"../../escape.txt": "x" * 20, "/tmp/../a.txt": "y" * 20})
    )
    (tmp_path / "out").mkdir()
    names = [m.name for m in read_members(tmp_path / "evil.zip", tmp_path / "out")]
    assert names == ["evil.zip/escape.txt", "evil.zip/tmp/a.txt"]
    assert {p.name for p in tmp_path.iterdir()} == {"evil.zip", "out"}


def test_names_in_utf8_are_read_so_and_links_are_not_followed(tmp_path: Path) -> None:
    data = made.packed({"Mietvertrag März.txt": "The rent."})
    for at in (data.index(b"PK\x03\x04") + 6, data.index(b"PK\x01\x02") + 8):
        assert data[at + 1] & 8
        data = data[: at + 1] + bytes([data[at + 1] & ~8]) + data[at + 2 :]  # as "zip" writes it
    (tmp_path / "a.zip").write_bytes(data)
    assert [m.name for m in read_members(tmp_path / "a.zip", tmp_path)] == ["a.zip/Mietvertrag März.txt"]
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as folder:
        link = zipfile.ZipInfo("link.txt")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        folder.writestr(link, "/etc/passwd")
    (member,) = read_members(tmp_path / "b.zip", tmp_path)
    assert member.path is None and "is a link" in member.problem


def test_folders_in_folders_end(tmp_path: Path) -> None:
    data = made.packed({"a.txt": "The innermost words."})
    for _ in range(7):
        data = made.packed({"in.zip": data})
    (tmp_path / "deep.zip").write_bytes(data)
    (member,) = read_members(tmp_path / "deep.zip", tmp_path)
    assert member.path is None and "nested" in member.problem


def test_a_bomb_costs_its_member_only(tmp_path: Path) -> None:
    bomb = made.packed({"zeros.txt": bytes(300 << 20), "after.txt": "Still read."})
    assert len(bomb) < 400_000
    (tmp_path / "bomb.zip").write_bytes(bomb)
    first, second = read_members(tmp_path / "bomb.zip", tmp_path)
    assert first.path is None and "larger than" in first.problem
    assert second.path is not None
    body = made.p("x" * (100 << 20))
    (tmp_path / "bomb.docx").write_bytes(made.docx_package(body))
    with pytest.raises(IngestError, match=r"bomb.docx: its part word/document.xml is larger than"):
        read_document(tmp_path / "bomb.docx")


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.docx", b"PK\x03\x04 no directory", "ZIP directory at its end"),
        ("a.docx", b"no package at all", "not a DOCX file"),
        ("a.docx", made.docx_package("<w:p><w:r>"), r"word/document.xml is damaged at line \d"),
        (
            "a.xlsx",
            made.packed({"[Content_Types].xml": "<x/>", "xl/workbook.xml": "<oops"}),
            "xl/workbook.xml is damaged at line 1",
        ),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99), "old or encrypted Office"),
        ("a.rtf", b"{\\rtf1 x}", "RTF"),
        ("a.odt", made.packed({"mimetype": "x", "META-INF/manifest.xml": "x"}), "OpenDocument"),
        ("a.bin", bytes(range(256)) * 9, "no known format"),
        ("a.txt", b"", "empty"),
    ],
)
def test_broken_and_unknown_files_say_what_is_wrong_and_where(
    tmp_path: Path, name: str, data: bytes, told: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(IngestError, match=told) as caught:
        read_document(tmp_path / name)
    assert str(caught.value).startswith(name)


def test_entities_and_outside_references_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("TOP SECRET")
    body = made.p("Before &e; after.")
    package = made.docx_package(body)
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(package)) as old:
        parts = {n: old.read(n) for n in old.namelist()}
    evil = f'<!DOCTYPE w [<!ENTITY e SYSTEM "file://{tmp_path}/secret">]>'.encode()
    parts["word/document.xml"] = parts["word/document.xml"].replace(b"?>", b"?>" + evil, 1)
    (tmp_path / "x.docx").write_bytes(made.packed(dict(parts)))
    try:
        text = read_document(tmp_path / "x.docx").pages[0].text
    except IngestError as error:
        text = str(error)
    assert "SECRET" not in text
