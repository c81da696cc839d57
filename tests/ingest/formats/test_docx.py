"""What Word files hold beside plain paragraphs: boxes, notes with tables, equations, fields, bad parts."""

from __future__ import annotations

from pathlib import Path

from longleaf.ingest import Document, read_document
from sample_docs.other_formats import docx_package, p, packed, row
from tests.support.document_checks import check_document


def read(tmp_path: Path, body: str, **parts: str) -> Document:
    return read_bytes(tmp_path, docx_package(body, **parts))


def read_bytes(tmp_path: Path, data: bytes) -> Document:
    (tmp_path / "a.docx").write_bytes(data)
    document = read_document(tmp_path / "a.docx")
    check_document(document)
    return document


def texts(document: Document) -> list[str]:
    return [page.text[b.start : b.end] for page in document.pages for b in page.blocks]


def run(inner: str) -> str:
    return f"<w:r>{inner}</w:r>"


def box(*content: str) -> str:
    """A text box, as newer and older versions of Word have it in one file."""
    shape = f"<w:txbxContent>{''.join(content)}</w:txbxContent>"
    return run(
        '<mc:AlternateContent xmlns:mc="mc"><mc:Choice><w:drawing>'
        f"{shape}</w:drawing></mc:Choice><mc:Fallback><w:pict>{shape}</w:pict></mc:Fallback></mc:AlternateContent>"
    )


def table(*rows: str) -> str:
    return f"<w:tbl>{''.join(rows)}</w:tbl>"


def test_boxes_in_cells_and_tables_in_boxes_are_read_once(tmp_path: Path) -> None:
    inner = table(row("Rent", "900"), row("Fee", "7"))
    outer = table(row("Name", "Sum"), row("Roof", box(p("In a cell."), inner)), row("Wall", "5"))
    document = read(tmp_path, p("Anchor", box(p("Over it."), inner, p("Under it."))) + outer)
    in_box = "Rent  900\nFee  7"
    assert texts(document) == [
        "Anchor", "Over it.", in_box, "Under it.", "Name  Sum\nRoof\nWall  5", "In a cell.", in_box,
    ]  # fmt: skip


def test_boxes_in_boxes_and_headers_are_read(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        p("Body", box(p("Outer", box(p("Inner")))))
        + '<w:sectPr><w:headerReference w:type="default" r:id="rheader1"/></w:sectPr>',
        header1=p(box(table(row("Deed", "No. 7")))),
    )
    assert texts(document) == ["Deed  No. 7", "Body", "Outer", "Inner"]


def test_notes_hold_tables_and_marks_of_their_own(tmp_path: Path) -> None:
    boxed = box(p("In a box", box(p("in a box."))))
    note = f'<w:footnote w:id="2">{p("Rates:", boxed)}{table(row("2024", "5 %"))}</w:footnote>'
    own = f'<w:footnote w:id="3">{p("* Unaudited.")}</w:footnote>'
    marked = '<w:footnoteReference w:customMarkFollows="1" w:id="3"/><w:t>*</w:t>'
    body = p("Rate", run(marked), " and fee", run('<w:footnoteReference w:id="2"/>'))
    assert texts(read(tmp_path, body, footnotes=note + own)) == [
        "Rate* and fee¹",
        "* Unaudited.",
        "¹ Rates: 2024 5 % In a box in a box.",
    ]


def test_words_on_both_sides_of_a_page_break_stay_two(tmp_path: Path) -> None:
    broken = run('<w:t>of the</w:t><w:br w:type="page"/><w:t>audience</w:t>')
    assert texts(read(tmp_path, p(broken) + table(row(broken, "x")))) == [
        "of the\naudience",
        "of the audience  x",
    ]


def test_equations_are_said_on_one_line(tmp_path: Path) -> None:
    def r(text: str) -> str:
        return f"<m:r><m:t>{text}</m:t></m:r>"

    fraction = f"<m:f><m:fPr/><m:num>{r('1')}</m:num><m:den>{r('x+2')}</m:den></m:f>"
    power = f"<m:sSup><m:e>{r('x')}</m:e><m:sup>{r('2')}</m:sup></m:sSup>"
    total = (
        f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{r("i=1")}</m:sub><m:sup>{r("n")}</m:sup>'
        f"<m:e><m:sSub><m:e>{r('c')}</m:e><m:sub>{r('i')}</m:sub></m:sSub></m:e></m:nary>"
    )
    limit = f"<m:func><m:fName><m:limLow><m:e>{r('lim')}</m:e><m:lim>{r('n→∞')}</m:lim></m:limLow></m:fName>"
    limit += f"<m:e><m:rad><m:deg/><m:e>{r('n')}</m:e></m:rad></m:e></m:func>"
    brackets = f"<m:d><m:e>{r('a')}</m:e><m:e>{r('b')}</m:e></m:d>"
    said = [fraction, power, total, limit, brackets]
    body = p("y = ", "<m:oMathPara xmlns:m='m'><m:oMath>" + r(", ").join(said) + "</m:oMath></m:oMathPara>")
    assert texts(read(tmp_path, body)) == ["y = 1/(x+2), x^2, ∑_(i=1)^n c_i, lim_(n→∞) √n, (a|b)"]


def test_the_code_of_a_field_is_no_text_but_its_choice_is(tmp_path: Path) -> None:
    def mark(kind: str, data: str = "") -> str:
        return run(f'<w:fldChar w:fldCharType="{kind}">{data}</w:fldChar>')

    nested = mark("begin") + run("<w:instrText>IF </w:instrText>") + mark("begin") + mark("separate")
    nested += run("<w:t>7</w:t>") + mark("end") + mark("separate") + run("<w:t>seven</w:t>") + mark("end")
    checked = "<w:ffData><w:checkBox><w:default w:val='0'/><w:checked/></w:checkBox></w:ffData>"
    empty = "<w:ffData><w:checkBox><w:default w:val='0'/></w:checkBox></w:ffData>"
    choice = "<w:ffData><w:ddList><w:result w:val='1'/><w:listEntry w:val='Ohio'/><w:listEntry w:val='Iowa'/>"
    choice += "</w:ddList></w:ffData>"
    parts = [
        nested,
        " ",
        mark("begin", checked) + mark("end"),
        " yes ",
        mark("begin", empty) + mark("end"),
        " no ",
    ]
    open_field = p(mark("begin"), mark("separate"), "Contents")
    document = read(tmp_path, p(*parts, mark("begin", choice) + mark("end")) + open_field + p("goes on"))
    assert texts(document) == ["seven ☒ yes ☐ no Iowa", "Contents", "goes on"]


def test_characters_of_symbol_fonts_are_what_they_show(tmp_path: Path) -> None:
    symbols = "".join(
        run(f'<w:sym w:font="{font}" w:char="{code}"/>')
        for font, code in (
            ("Symbol", "F061"),
            ("Symbol", "F0B3"),
            ("Wingdings", "F0FD"),
            ("Wingdings", "F0FE"),
        )
    )
    greek = run('<w:rPr><w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/></w:rPr><w:t>\uf064</w:t>')
    assert texts(read(tmp_path, p(symbols, greek))) == ["α≥☒☑δ"]


def test_shapes_on_a_canvas_are_read(tmp_path: Path) -> None:
    shape = (
        "<a:txBody xmlns:a='a'><a:p><a:r><a:t>Site </a:t></a:r><a:r><a:t>plan</a:t></a:r></a:p></a:txBody>"
    )
    document = read(tmp_path, p("See", run(f"<w:drawing>{shape}</w:drawing>")))
    assert texts(document) == ["See\nSite plan"]
    assert document.gaps == ()


def test_a_damaged_part_beside_the_text_is_named_and_the_rest_read(tmp_path: Path) -> None:
    import io
    import zipfile

    made = docx_package(
        p("The words.") + '<w:sectPr><w:headerReference w:type="default" r:id="rheader1"/></w:sectPr>',
        header1=p("Header"),
        styles="",
        comments="",
    )
    with zipfile.ZipFile(io.BytesIO(made)) as package:
        parts: dict[str, str | bytes] = {name: package.read(name) for name in package.namelist()}
    for part in ("header1", "styles", "comments"):
        parts[f"word/{part}.xml"] = b"<oops"
    document = read_bytes(tmp_path, packed(parts | {"docProps/core.xml": "<oops"}))
    assert texts(document) == ["The words."]
    named = " ".join(gap.detail for gap in document.gaps)
    assert {gap.kind for gap in document.gaps} == {"truncated"}
    for part in ("word/header1.xml", "word/styles.xml", "word/comments.xml", "docProps/core.xml"):
        assert f"left out: a.docx: its part {part} is damaged at line 1" in named
