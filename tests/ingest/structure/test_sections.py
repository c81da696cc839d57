"""Sections: from headings of contracts and filings, never from their tables of contents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from longleaf.ingest import Document, make_chunks, read_document
from tests.support.document_checks import check_chunks, check_document
from tests.support.pdf_maker import lines, make_pdf, paragraph

TEXT = "The parties keep to what is agreed here and to nothing else that was said before it. "


def words(text: str) -> int:
    return len(text.split())


def read(tmp_path: Path, *pages: Any) -> Document:
    document = read_document(make_pdf(tmp_path / "made.pdf", pages))
    check_document(document)
    check_chunks(document, make_chunks(document, words), words, 256)
    return document


def flow(*parts: str) -> Any:
    """A page of headings (marked by a leading "!") and paragraphs."""

    def draw(canvas: Any, index: int) -> None:
        top = 72.0
        for part in parts:
            if part.startswith("!"):
                top = lines(canvas, [part[1:]], top=top + 6, font="Times-Bold")
            else:
                top = paragraph(canvas, part, top=top + 6)

    return draw


def titles(document: Document) -> list[tuple[str, int]]:
    return [(section.title, section.level) for section in document.sections]


def test_articles_and_clauses_of_a_contract(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        flow(
            "!SUPPLY AGREEMENT",
            f"This agreement is made on May 1, 2020. {TEXT}",
            "!ARTICLE 1",
            "!DEFINITIONS",
            f"1.1 Affiliate. {TEXT}",
            f"1.2 Product. {TEXT}",
            "!ARTICLE 2",
            "!TERM AND RENEWAL",
            f"2.1 Term. {TEXT}",
            f"2.2 and without any prejudice to Section 2.1. {TEXT}",
        ),
    )
    assert titles(document) == [
        ("SUPPLY AGREEMENT", 3),
        ("ARTICLE 1 DEFINITIONS", 1),
        ("1.1 Affiliate", 2),
        ("1.2 Product", 2),
        ("ARTICLE 2 TERM AND RENEWAL", 1),
        ("2.1 Term", 2),
    ]
    assert document.sections[-1].path == ("ARTICLE 2 TERM AND RENEWAL", "2.1 Term")
    span = document.sections[2].start
    assert document.pages[0].text[span.start : span.end] == "1.1 Affiliate"


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("4. Confidentiality", "4. Confidentiality"),
        ("1.Board Nomination.", "1.Board Nomination."),
        ("Section 7. Governing Law. " + TEXT, "Section 7. Governing Law"),
        ("12.3 FORCE MAJEURE: " + TEXT, "12.3 FORCE MAJEURE"),
        ("IV. Term", "IV. Term"),
    ],
)
def test_ways_to_number_a_clause(tmp_path: Path, line: str, title: str) -> None:
    document = read(tmp_path, flow(TEXT, line, TEXT * 2))
    assert document.sections[-1].title == title


@pytest.mark.parametrize(
    "line",
    [
        "(in millions, except per share amounts)",
        "December 31, 2022",
        "10 of the units were sold to customers abroad in the year",
        "2. Goods means all that is sold under this contract and listed in the order.",
    ],
)
def test_what_is_no_heading(tmp_path: Path, line: str) -> None:
    document = read(tmp_path, flow("!1. Prices", TEXT, f"!{line}" if line[0] in "(D" else line, TEXT))
    assert [section.title for section in document.sections] == ["1. Prices"]


def test_a_table_of_contents_is_no_set_of_sections(tmp_path: Path) -> None:
    names = ["1. Definitions", "2. Supply of Goods", "3. Price and Payment", "4. Governing Law"]

    def contents(canvas: Any, index: int) -> None:
        lines(canvas, ["TABLE OF CONTENTS"], font="Times-Bold")
        for i, name in enumerate(names):
            lines(canvas, [name], top=110 + 24 * i)
            lines(canvas, [str(i + 2)], top=110 + 24 * i, x=500)

    def leaders(canvas: Any, index: int) -> None:
        lines(canvas, ["CONTENTS"], font="Times-Bold")
        lines(
            canvas,
            [f"{name} .................... {i + 2}" for i, name in enumerate(names)],
            top=110,
            leading=24,
        )

    def bare(canvas: Any, index: int) -> None:
        lines(canvas, ["TABLE OF CONTENTS"], font="Times-Bold")
        lines(canvas, names, top=110, leading=24)

    body = [flow(f"!{name}", TEXT * 8) for name in names]
    for front in (contents, leaders, bare):
        document = read(tmp_path, front, *body)
        numbered = [s for s in document.sections if s.title[0].isdigit()]
        assert [s.title for s in numbered] == names
        assert [(s.page_index_start, s.page_index_end) for s in numbered] == [(1, 1), (2, 2), (3, 3), (4, 4)]


def test_parts_items_and_notes_of_a_filing(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        flow("!PART I", "!Item 1. Business", TEXT, "!Overview", TEXT, "!Item 1A. Risk Factors", TEXT),
        flow(
            "!PART II",
            "!Item 8. Financial Statements",
            TEXT,
            "!Note 1 - Revenue",
            TEXT,
            "!Note 2 - Leases",
            TEXT,
        ),
    )
    paths = [" / ".join(section.path) for section in document.sections]
    assert paths == [
        "PART I",
        "PART I / Item 1. Business",
        "PART I / Item 1. Business / Overview",
        "PART I / Item 1A. Risk Factors",
        "PART II",
        "PART II / Item 8. Financial Statements",
        "PART II / Item 8. Financial Statements / Note 1 - Revenue",
        "PART II / Item 8. Financial Statements / Note 2 - Leases",
    ]


def test_text_before_the_first_heading_has_a_section(tmp_path: Path) -> None:
    document = read(tmp_path, flow("Made between Acme and Beta. " + TEXT, "!1. Term", TEXT))
    first, second = document.sections
    assert first.title.startswith("Made between Acme and Beta.")
    assert (first.start.start, first.start.end) == (0, 0)
    assert second.title == "1. Term"


def test_running_heads_with_the_chapter_beside_them(tmp_path: Path) -> None:
    names = ["Business", "Risk Factors", "Properties", "Legal Proceedings"]

    def page(canvas: Any, index: int) -> None:
        lines(canvas, ["Tamsen Instruments | Annual Report"], top=36, size=9)
        lines(canvas, [names[index]], x=450, top=36, size=9)
        lines(canvas, [names[index]], font="Times-Bold", size=16, top=80)
        paragraph(canvas, TEXT * (index + 3), top=110)

    document = read(tmp_path, page, page, page, page)
    assert [section.title for section in document.sections] == names
    assert all(page.blocks[0].kind == "header" for page in document.pages)
