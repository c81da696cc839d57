"""HTML as real producers write it: cells outside of rows, cells over several rows, forms, hidden facts."""

from __future__ import annotations

from pathlib import Path

from longleaf.ingest import Document, read_document
from tests.support.document_checks import check_document


def read(tmp_path: Path, text: str, name: str = "a.html") -> Document:
    (tmp_path / name).write_text(text, encoding="utf-8")
    document = read_document(tmp_path / name)
    check_document(document)
    return document


def texts(document: Document) -> list[str]:
    return [page.text[b.start : b.end] for page in document.pages for b in page.blocks]


def test_cells_and_words_outside_of_rows_are_read(tmp_path: Path) -> None:
    table = (
        "<table>Rents<td>Code</td><td>Sum</td><tr><td>A</td><td>1</td></tr><form><td>B<td>2</form></table>"
    )
    assert texts(read(tmp_path, table)) == ["Rents", "Code  Sum\nA  1\nB  2"]


def test_cells_over_several_rows_leave_their_column_to_no_other(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        "<table><tr><th rowspan=2>Year<th colspan=2>Rents<tr><th>Bonn<th>Ulm<tr><td>2023<td>11<td>12"
        "<tr><td rowspan=2>2024<td>33<td>34<tr><td>55<td>56</table>",
    )
    (page,) = document.pages
    assert page.text == "Year  Rents\n  Bonn  Ulm\n2023  11  12\n2024  33  34\n  55  56"
    rights = {
        text: float(page.boxes[page.text.index(text) + len(text) - 1][2]) for text in ("11", "33", "55")
    }
    lefts = {text: float(page.boxes[page.text.index(text)][0]) for text in ("Ulm", "Bonn")}
    assert rights["11"] == rights["33"] == rights["55"] < lefts["Ulm"]


def test_blocks_in_items_stay_apart(tmp_path: Path) -> None:
    assert texts(read(tmp_path, "<ul><li><div>Anton</div>Maria</li><li><p>x</p><p>y</p></li></ul>")) == [
        "• Anton\nMaria",
        "• x",
        "y",
    ]


def test_forms_show_what_is_chosen(tmp_path: Path) -> None:
    form = (
        "<p><select><option>Ohio<option>Iowa</select> <select><option>Ohio<option selected>Iowa</select> "
        "<select multiple><option>Bonn<option>Ulm</select></p>"
        "<p><input type=checkbox checked> yes <input type=radio> no <input type=hidden value=x></p>"
    )
    assert texts(read(tmp_path, form)) == ["Ohio Iowa Bonn, Ulm", "☒ yes ☐ no"]


def test_facts_that_a_filing_hides_are_no_text(tmp_path: Path) -> None:
    filing = (
        "<ix:header><ix:hidden><ix:nonNumeric>0000123</ix:nonNumeric></ix:hidden></ix:header>"
        "<p>Sales of $<ix:nonFraction name='us-gaap:Revenues'>1,234</ix:nonFraction> million</p>"
    )
    assert texts(read(tmp_path, filing)) == ["Sales of $1,234 million"]


def test_what_holds_no_word_is_no_error(tmp_path: Path) -> None:
    (gap,) = read(tmp_path, "<!-- nothing -->").gaps
    assert gap.kind == "no_text"
    document = read(tmp_path, "# Lease\n\n<!-- a comment -->\n\nThe rent is due.\n", "a.md")
    assert texts(document) == ["Lease", "The rent is due."]
    frames = read(tmp_path, "<frameset><frame src=a><frame src=b></frameset>")
    assert "2 embedded pages or objects not read" in [gap.detail for gap in frames.gaps]
