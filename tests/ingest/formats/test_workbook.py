"""Workbooks as producers other than Excel write them, built of the XML itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from longleaf.ingest import Document, IngestError, read_document
from sample_docs.other_formats import packed
from tests.support.document_checks import check_document

_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def relations(**targets: str) -> str:
    """Of ids, each with "type target"."""
    links = "".join(
        f'<Relationship Id="{key}" Type="{_RELATION}/{kind}" Target="{target}"/>'
        for key, (kind, target) in ((key, said.split()) for key, said in targets.items())
    )
    return f'<Relationships xmlns="p">{links}</Relationships>'


def workbook(
    *sheets: str, strings: str = "", styles: str = "", date1904: bool = False, **parts: str
) -> bytes:
    """A workbook of sheets "S1", "S2", …, each given by the XML of its rows."""
    names = range(1, len(sheets) + 1)
    listed = "".join(f'<sheet name="S{i}" sheetId="{i}" r:id="r{i}"/>' for i in names)
    made: dict[str, bytes | str] = {
        "[Content_Types].xml": "<Types/>",
        "xl/workbook.xml": f'<workbook xmlns="s" xmlns:r="{_RELATION}">'
        f'<workbookPr date1904="{int(date1904)}"/>'
        f"<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": relations(
            strings="sharedStrings sharedStrings.xml",
            styles="styles styles.xml",
            **{f"r{i}": f"worksheet worksheets/sheet{i}.xml" for i in names},
        ),
        "xl/sharedStrings.xml": f'<sst xmlns="s">{strings}</sst>',
        "xl/styles.xml": f'<styleSheet xmlns="s">{styles}</styleSheet>',
    }
    for i, rows in zip(names, sheets, strict=True):
        made[f"xl/worksheets/sheet{i}.xml"] = (
            f'<worksheet xmlns="s"><sheetData>{rows}</sheetData></worksheet>'
        )
    return packed(made | {name.replace("__", "/"): text for name, text in parts.items()})


def read(tmp_path: Path, data: bytes) -> Document:
    (tmp_path / "a.xlsx").write_bytes(data)
    document = read_document(tmp_path / "a.xlsx")
    check_document(document)
    return document


def test_cells_without_addresses_follow_each_other(tmp_path: Path) -> None:
    rows = "<row><c><v>1</v></c><c><v>2</v></c></row><row><c r='C9'><v>3</v></c><c><v>4</v></c></row>"
    assert read(tmp_path, workbook(rows)).pages[0].text == "1  2\n    3  4"


def test_strings_are_read_without_readings_and_escapes(tmp_path: Path) -> None:
    strings = (
        "<si><t>plain</t></si>"
        "<si><r><t>東京</t></r><r><t>都</t></r><rPh sb='0' eb='2'><t>トウキョウ</t></rPh></si>"
        "<si><t>one_x000D_\ntwo_x005F_</t></si>"
    )
    cells = "".join(f"<c t='s'><v>{i}</v></c>" for i in range(4))
    inline = (
        "<c t='inlineStr'><is><r><t>in</t></r><r><t>line</t></r></is></c><c t='str'><f>A1</f><v>said</v></c>"
    )
    document = read(tmp_path, workbook(f"<row>{cells}{inline}</row>", strings=strings))
    assert document.pages[0].text == "plain  東京都  one two_  inline  said"


def test_dates_of_both_epochs_and_built_in_formats(tmp_path: Path) -> None:
    styles = (
        "<numFmts><numFmt numFmtId='164' formatCode='yyyy\\-mm\\-dd'/></numFmts><cellXfs>"
        + "".join(f"<xf numFmtId='{n}'/>" for n in (0, 14, 164, 46, 9, 12, 11, 44))
        + "</cellXfs>"
    )
    numbers = (45352, 45352, 45352.25, 1.5, 0.125, 3.25, 1234.5, -1234.5)
    row = "<row>" + "".join(f"<c s='{i}'><v>{n}</v></c>" for i, n in enumerate(numbers)) + "</row>"
    texts = ["45352", "3/1/2024", "2024-03-01", "36:00:00", "13%", "3 1/4", "1.23E+03", "$(1,234.50)"]
    assert read(tmp_path, workbook(row, styles=styles)).pages[0].text.split("  ") == texts
    later = read(tmp_path, workbook(row, styles=styles, date1904=True)).pages[0].text.split("  ")
    assert later[1:3] == ["3/2/2028", "2028-03-02"]
    early = "<c s='1'><v>59</v></c><c s='1'><v>61</v></c><c t='d' s='2'><v>2024-03-01T00:00:00Z</v></c>"
    document = read(tmp_path, workbook(f"<row>{early}</row>", styles=styles))
    assert document.pages[0].text == "2/28/1900  3/1/1900  2024-03-01"


def test_the_last_column_and_row_are_read_at_once(tmp_path: Path) -> None:
    rows = "<row r='1'><c r='A1'><v>1</v></c></row><row r='1048576'><c r='XFD1048576'><v>2</v></c></row>"
    document = read(tmp_path, workbook(rows))
    assert document.pages[0].text == "1\n2"
    assert document.pages[0].label == "sheet S1"


def test_a_damaged_sheet_costs_what_follows_in_it(tmp_path: Path) -> None:
    good = "<row><c><v>1</v></c></row>"
    document = read(tmp_path, workbook(good + "<row><c><v>2</c></row>", good.replace("1", "3")))
    assert [page.text for page in document.pages] == ["1", "3"]
    (gap,) = document.gaps
    assert gap.kind == "truncated"
    assert (
        "sheet S1 was not read after row 1: a.xlsx: its part xl/worksheets/sheet1.xml is damaged"
        in gap.detail
    )
    with pytest.raises(IngestError, match=r"sheet1.xml is damaged"):
        read(tmp_path, workbook("<row><oops"))


def test_shapes_are_text_and_what_is_drawn_is_named(tmp_path: Path) -> None:
    drawing = (
        "<wsDr xmlns='x' xmlns:a='a'><sp><txBody><a:p><a:r><a:t>All figures </a:t></a:r>"
        "<a:r><a:t>unaudited</a:t></a:r></a:p></txBody></sp><graphicFrame><chart/></graphicFrame><pic/></wsDr>"
    )
    data = workbook(
        "<row r='3'><c t='str'><v>Rents</v></c><c><v>7</v></c></row>",
        **{
            "xl__worksheets___rels__sheet1.xml.rels": relations(d="drawing ../drawings/drawing1.xml"),
            "xl__drawings__drawing1.xml": drawing,
        },
    )
    document = read(tmp_path, data)
    assert document.pages[0].text == "Rents  7\nAll figures unaudited"
    assert [gap.detail for gap in document.gaps] == [
        "sheet S1: 1 chart not read",
        "sheet S1: 1 picture not read",
    ]


def test_a_column_of_words_is_a_list_and_no_row_of_titles(tmp_path: Path) -> None:
    answers = "".join(f"<row><c t='str'><v>Answer {i}</v></c></row>" for i in range(500))
    table = (
        "<row r='1'><c t='str'><v>Rents</v></c></row><row r='2'><c t='str'><v>By town</v></c></row>"
        "<row r='3'><c t='str'><v>Bonn</v></c><c><v>7</v></c></row>"
    )
    document = read(tmp_path, workbook(answers, table))
    kinds = [[block.kind for block in page.blocks] for page in document.pages]
    assert len(kinds) < 6
    assert {kind for page in kinds[:-1] for kind in page} == {"paragraph"}
    assert kinds[-1] == ["heading", "heading", "table"]
