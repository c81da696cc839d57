"""Redlines: accepting all gives the new text and rejecting all the old, as other programs would read them."""

from __future__ import annotations

import io
import random
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import docx
import pypdfium2
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from longleaf.app.compare.compare import Side, compare_texts
from longleaf.app.compare.redlines.docx import AUTHOR, redline_docx
from longleaf.app.compare.redlines.docx_revisions import settle
from longleaf.app.compare.redlines.redline import write_redline
from longleaf.ingest import read_document
from tests.support.agreement_settings import as_docx, paragraphs
from tests.support.typeset_pairs import Layout, edit, typeset

OLD, NEW = "supply_agreement_v1", "supply_agreement_v2"
KINDS = ("changed", "changed", "added", "removed", "moved", "moved_edited", "renumbered", "split", "merged")


def side(path: Path) -> Side:
    return Side(read_document(path), path.suffix == ".docx")


def settled(data: bytes, *, accept: bool) -> list[str]:
    """The paragraphs' texts once all our changes are accepted or rejected."""
    document = docx.Document(io.BytesIO(data))
    settle(document.element.body, accept=accept, author=AUTHOR)
    return [text for p in document.element.body.iter(qn("w:p")) if (text := plain(p))]


def plain(paragraph: Any) -> str:
    return " ".join("".join(node.text or "" for node in paragraph.iter(qn("w:t"))).split())


def texts(path: Path) -> list[str]:
    return [text for p in docx.Document(str(path)).element.body.iter(qn("w:p")) if (text := plain(p))]


def redline(folder: Path, old: Path, new: Path, *, own: bool = True) -> bytes:
    stamp = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    return redline_docx(compare_texts(side(old), side(new)), old if own else None, date=stamp)


@pytest.mark.parametrize("seed", range(3))
def test_both_texts_come_back_exactly(tmp_path: Path, seed: int) -> None:
    pair = edit(paragraphs(OLD), random.Random(seed), KINDS)
    old = typeset(pair.old, Layout(form="docx"), tmp_path / "old")
    new = typeset(pair.new, Layout(form="docx"), tmp_path / "new")
    data = redline(tmp_path, old, new)
    assert settled(data, accept=False) == texts(old)
    assert settled(data, accept=True) == texts(new)


def test_changes_bear_our_name_and_a_date_and_moves_are_moves(tmp_path: Path) -> None:
    pair = edit(paragraphs(OLD), random.Random(7), ("moved", "changed"))
    old = typeset(pair.old, Layout(form="docx"), tmp_path / "old")
    new = typeset(pair.new, Layout(form="docx"), tmp_path / "new")
    body = docx.Document(io.BytesIO(redline(tmp_path, old, new))).element.body
    marks = [e for name in ("ins", "del", "moveFrom", "moveTo") for e in body.iter(qn(f"w:{name}"))]
    assert {e.get(qn("w:author")) for e in marks} == {AUTHOR}
    assert {e.get(qn("w:date")) for e in marks} == {"2026-01-02T03:04:05Z"}
    assert len({e.get(qn("w:id")) for e in marks}) == len(marks)
    starts = [e.get(qn("w:name")) for n in ("moveFrom", "moveTo") for e in body.iter(qn(f"w:{n}RangeStart"))]
    assert starts == ["move1", "move1"]


def test_tables_lists_fields_and_styles_of_the_old_file_stay(tmp_path: Path) -> None:
    old, new = as_docx(OLD, tmp_path / "old.docx"), as_docx(NEW, tmp_path / "new.docx")
    document = docx.Document(str(old))
    document.paragraphs[1].style = document.styles["Quote"]
    run = document.paragraphs[0].add_run()
    for kind in ("begin", "end"):
        field = OxmlElement("w:fldChar")
        field.set(qn("w:fldCharType"), kind)
        run._r.append(field)
    document.tables[1].cell(2, 3).text = "$9,999"
    document.save(str(old))
    data = redline(tmp_path, old, new)
    marked = docx.Document(io.BytesIO(data))
    assert len(marked.tables) == len(document.tables)
    assert marked.paragraphs[1].style.name == "Quote"
    assert sum(1 for _ in marked.element.body.iter(qn("w:fldChar"))) == 2
    assert settled(data, accept=False) == texts(old)
    assert settled(data, accept=True) == texts(new)


def test_tracked_changes_of_others_stay_theirs(tmp_path: Path) -> None:
    text = ["1. Price. The buyer pays ten dollars a ton.", "2. Term. The contract lasts for one year."]
    old = typeset(text, Layout(form="docx"), tmp_path / "old")
    document = docx.Document(str(old))
    run = document.paragraphs[1].add_run(" It may be renewed once.")
    theirs = OxmlElement("w:ins")
    theirs.set(qn("w:id"), "5")
    theirs.set(qn("w:author"), "Ada")
    run._r.addprevious(theirs)
    theirs.append(run._r)
    document.save(str(old))
    new = typeset(
        [text[0].replace("ten", "twelve"), text[1] + " It may be renewed once."],
        Layout(form="docx"),
        tmp_path / "new",
    )
    data = redline(tmp_path, old, new)
    body = docx.Document(io.BytesIO(data)).element.body
    assert [e.get(qn("w:author")) for e in body.iter(qn("w:ins"))] == [AUTHOR, "Ada"]


def test_a_pdf_is_set_anew_and_proven(tmp_path: Path) -> None:
    pair = edit(paragraphs(OLD)[:40], random.Random(3), KINDS)
    old = typeset(pair.old, Layout(columns=2, points=9), tmp_path / "old")
    new = typeset(pair.new, Layout(form="docx"), tmp_path / "new")
    data = redline(tmp_path, old, new, own=False)
    accepted = "".join("".join(settled(data, accept=True)).split())
    assert accepted == "".join("".join(texts(new)).split())


def test_side_by_side_in_html_and_pdf(tmp_path: Path) -> None:
    old = typeset(["The fee is 10 dollars & falls due at once."], Layout(form="docx"), tmp_path / "old")
    new = typeset(["The fee is 12 dollars & falls due at once."], Layout(form="docx"), tmp_path / "new")
    write_redline(side(old), side(new), tmp_path / "r.html", None)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<del>10</del>" in page
    assert "<ins>12</ins> dollars &amp; falls" in page
    write_redline(side(old), side(new), tmp_path / "r.pdf", None)
    shown = pypdfium2.PdfDocument(tmp_path / "r.pdf")[0].get_textpage().get_text_range()
    assert "12 dollars" in shown
    write_redline(side(old), side(new), tmp_path / "r.docx", None)
    assert zipfile.is_zipfile(tmp_path / "r.docx")
