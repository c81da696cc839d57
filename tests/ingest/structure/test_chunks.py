"""Chunks: a partition of the body at sentence borders, within the limit of tokens."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longleaf.ingest import Block, Box, Document, Page, make_chunks, read_document
from longleaf.ingest.structure.sections import find_sections
from longleaf.ingest.text.sentences import sentence_ends
from tests.support.document_checks import check_chunks, check_document
from tests.support.pdf_maker import lines, make_pdf, paragraph

WORDS = re.compile(r"\w+|[^\w\s]")


def words(text: str) -> int:
    return len(WORDS.findall(text))


def sentences(text: str) -> list[str]:
    ends = sentence_ends(text)
    return [text[a:b].strip() for a, b in zip([0, *ends], [*ends, len(text)], strict=True)]


@pytest.mark.parametrize(
    "text",
    [
        "The price is due. | It bears interest.",
        "Acme Inc. and Beta Corp. sell to Gamma Ltd. under Order No. 5 of May 1. | The buyer pays.",
        "He sells to Acme Inc. | The buyer pays.",
        "As set out in Section 2.1. | The buyer pays.",
        "2.1. Term. | The term is one year.",
        "Section 5. Fees. | The fees are listed in Sec. 5 and Art. 7.",
        "It is governed by the laws of the U.S. Virgin Islands. | No other law applies.",
        "It is made in the U.S. | The parties agree.",
        "Payment is due at 5 p.m. Eastern time. | No interest is due.",
        "Mr. J. P. Smith and Dr. Jones sign it (see Fig. 3, e.g. the seal). | It is final.",
        'He said "stop." | Then he left.',
        "Is it due? | Yes! | It is.",
        "Revenue rose 3.5 % to $1.2 billion. | Costs fell.",
        "ends with a ratio of 2:1. | EBITDA rose.",
    ],
)
def test_sentences_end_where_people_end_them(text: str) -> None:
    parts = text.split(" | ")
    assert sentences(" ".join(parts)) == parts


@given(st.text(max_size=300))
def test_sentences_lose_nothing(text: str) -> None:
    ends = sentence_ends(text)
    assert ends == sorted(set(ends))
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


SENTENCE = st.lists(
    st.sampled_from(
        ["the", "Buyer", "shall", "pay", "1,000", "No.", "Inc.", "(a)", "U.S.", "x" * 40, "¶", "合同"]
    ),
    min_size=1,
    max_size=14,
).map(lambda parts: " ".join(parts) + ".")
BLOCK = st.tuples(
    st.sampled_from(["heading", "paragraph", "list", "table", "header", "footer"]),
    st.lists(SENTENCE, min_size=1, max_size=5),
)
COUNTERS: list[Callable[[str], int]] = [words, len, lambda text: len(text.encode()) // 3 + 1]


def made_document(pages: list[list[tuple[str, list[str]]]]) -> Document:
    made = []
    for index, blocks in enumerate(pages):
        text, found = "", []
        for kind, parts in blocks:
            text += "\n" if text else ""
            start = len(text)
            text += ("\n" if kind == "table" else " ").join(parts)
            found.append(Block(kind, start, len(text), Box(0, 0, 1, 1)))  # type: ignore[arg-type]
        boxes = np.zeros((len(text), 4), np.float32)
        boxes[[i for i, c in enumerate(text) if c.isspace()]] = np.nan
        made.append(Page(index, str(index + 1), 612, 792, text, boxes, tuple(found)))
    sections = find_sections(made, (), "made.pdf")
    return Document("made.pdf", "0", tuple(made), sections, {}, ())


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(BLOCK, max_size=6), min_size=1, max_size=4),
    st.integers(1, 40),
    st.sampled_from(COUNTERS),
)
def test_chunks_part_the_body(
    pages: list[list[tuple[str, list[str]]]], limit: int, count: Callable[[str], int]
) -> None:
    document = made_document(pages)
    check_document(document)
    check_chunks(document, make_chunks(document, count, max_tokens=limit), count, limit)


def test_chunks_end_at_sentences_and_stay_in_their_section(tmp_path: Path) -> None:
    def draw(canvas: Any, index: int) -> None:
        top = lines(canvas, ["1. DELIVERY"], font="Times-Bold")
        top = paragraph(canvas, "Goods are sent to the buyer each month by road. " * 12, top=top + 6)
        top = lines(canvas, ["2. PAYMENT"], font="Times-Bold", top=top + 14)
        paragraph(canvas, "Each invoice is paid in full within ten days of its receipt. " * 12, top=top + 6)

    document = read_document(make_pdf(tmp_path / "made.pdf", [draw]))
    chunks = make_chunks(document, words, max_tokens=50)
    check_chunks(document, chunks, words, 50)
    assert len(chunks) > 4
    assert all(chunk.text.endswith(".") for chunk in chunks)
    assert {chunk.section_path for chunk in chunks} == {("1. DELIVERY",), ("2. PAYMENT",)}
    assert all("invoice" not in c.text for c in chunks if c.section_path == ("1. DELIVERY",))
    assert sum(chunk.n_tokens for chunk in chunks) / len(chunks) > 30


def test_a_sentence_over_the_page_is_kept_together(tmp_path: Path) -> None:
    def draw(canvas: Any, index: int) -> None:
        start = (
            "The licence covers every product that the licensee"
            if index == 0
            else "makes in its plants. It ends."
        )
        paragraph(canvas, start, top=700 if index == 0 else 72)
        lines(canvas, [f"Page {index + 1}"], top=760)

    document = read_document(
        make_pdf(tmp_path / "made.pdf", [draw, draw, lambda c, i: lines(c, ["Page 3"], top=760)])
    )
    first, second = make_chunks(document, words, max_tokens=14)
    assert first.text == "The licence covers every product that the licensee\nmakes in its plants."
    assert [span.page_index for span in first.spans] == [0, 1]
    assert second.text == "It ends."
    at = first.text.index("makes")
    (span,) = first.locate(at, at + 5)
    assert document.pages[1].text[span.start : span.end] == "makes"


def test_table_rows_are_not_cut(tmp_path: Path) -> None:
    def draw(canvas: Any, index: int) -> None:
        for row in range(30):
            for x, cell in ((72, f"Item {row}"), (300, f"{row},000"), (420, f"({row}.5)")):
                lines(canvas, [cell], x=x, top=80 + 20 * row)

    document = read_document(make_pdf(tmp_path / "made.pdf", [draw]))
    assert [block.kind for block in document.pages[0].blocks] == ["table"]
    chunks = make_chunks(document, words, max_tokens=40)
    rows = [row for chunk in chunks for row in chunk.text.split("\n")]
    assert rows == [f"Item {row}  {row},000  ({row}.5)" for row in range(30)]


def test_documents_of_headings_only_give_chunks(tmp_path: Path) -> None:
    def draw(canvas: Any, index: int) -> None:
        for i, title in enumerate(["ARTICLE 1 TERM", "ARTICLE 2 PRICE", "ARTICLE 3 LAW"]):
            lines(canvas, [title], font="Times-Bold", top=80 + 60 * i)

    document = read_document(make_pdf(tmp_path / "made.pdf", [draw]))
    assert [s.title for s in document.sections] == ["ARTICLE 1 TERM", "ARTICLE 2 PRICE", "ARTICLE 3 LAW"]
    assert [c.text for c in make_chunks(document, words)] == [
        "ARTICLE 1 TERM",
        "ARTICLE 2 PRICE",
        "ARTICLE 3 LAW",
    ]


def test_empty_documents_have_a_section_and_no_chunks(tmp_path: Path) -> None:
    document = read_document(make_pdf(tmp_path / "blank.pdf", [lambda c, i: None] * 2))
    assert len(document.pages) == 2
    assert [s.title for s in document.sections] == ["blank.pdf"]
    assert document.gaps == ()
    assert make_chunks(document, words) == []
    with pytest.raises(ValueError, match="at least 1"):
        make_chunks(document, words, max_tokens=0)
