"""What a table row is shown with: scale and years above it, also where subtitles cut its statement."""

from __future__ import annotations

import pytest

from longleaf.app.answers.passages import Piece, pieces_of
from longleaf.ingest.document import Block, BlockKind, Box, Chunk, Span
from tests.support.plain_documents import plain_document, plain_page

HEAD: tuple[BlockKind, str] = (
    "table",
    "(dollars in millions)\nYears Ended December 31, 2021 2020 2019\nNet Income 22,618 18,348 19,788\n"
    "Depreciation and amortization expense 16,206 16,720 16,682\n"
    "Employee retirement benefits (3,391) 840 (284)\nDeferred income taxes 4,264 1,553 1,232",
)
SUBTITLE: tuple[BlockKind, str] = ("heading", "Cash Flows from Investing Activities")
ROW: tuple[BlockKind, str] = (
    "table",
    "Capital expenditures (a) (20,286) (18,192) (17,939)\nAcquisitions (4,065) (3,896) (21)",
)


def row_of(label: str, *parts: tuple[BlockKind, str]) -> Piece:
    """The piece for the row of that label on a page of these blocks."""
    blocks, text = list[Block](), ""
    for kind, words in parts:
        blocks.append(Block(kind, len(text), len(text) + len(words), Box(0, 0, 612, 792)))
        text += words + "\n"
    document = plain_document([plain_page(text, 0, blocks=blocks)])
    spans = tuple(Span(0, block.start, block.end) for block in blocks)
    chunk = Chunk(0, "\n".join(text[s.start : s.end] for s in spans), ("Cash",), spans, 100)
    return next(c for c in pieces_of([(chunk, document)]) if c.is_row and label in c.text)


def test_a_row_below_a_subtitle_has_the_years_of_its_statement() -> None:
    found = row_of("Capital", HEAD, SUBTITLE, ROW)
    assert found.text == (
        "(dollars in millions) … Years Ended December 31, 2021 2020 2019 … "
        "Capital expenditures (a) (20,286) (18,192) (17,939)"
    )
    page = found.document.pages[0].text
    assert [page[s.start : s.end] for s in found.spans] == found.text.split(" … ")


@pytest.mark.parametrize(
    ("label", "parts"),
    [
        ("Other", (HEAD, SUBTITLE, ("table", "Other assets 5 7"))),
        ("Capital", (HEAD, ("paragraph", "Verizon spent more. " * 10), ROW)),
    ],
    ids=["fewer figures than years", "text between"],
)
def test_years_of_another_table_are_not_a_rows_own(
    label: str, parts: tuple[tuple[BlockKind, str], ...]
) -> None:
    assert "2021" not in row_of(label, *parts).text


def test_the_nearest_years_count() -> None:
    later: tuple[BlockKind, str] = (
        "table",
        "At December 31, 2018 2017 2016\n" + "Receivables, net of allowances 1 2 3\n" * 4,
    )
    assert "2018 2017 2016" in row_of("Capital", HEAD, ("heading", "Balances"), later, SUBTITLE, ROW).text
