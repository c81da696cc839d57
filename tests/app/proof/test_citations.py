from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longleaf.app.proof.citations import cite, find_quote, line_boxes
from longleaf.ingest.document import Block, Box, Page, Span
from tests.support.plain_documents import CHARACTER_WIDTH, LINE_HEIGHT, MARGIN, plain_document, plain_page

TERM = "The term of this Agreement is thirty (30) days\nfrom the Effective Date.  "


def test_a_citation_quotes_the_page_exactly_and_trims_white_space() -> None:
    document = plain_document(["first page", "  " + TERM])
    (citation,) = cite(document, [Span(1, 0, len(TERM) + 2)])
    assert citation.quote == TERM.strip()
    assert citation.quote == document.pages[1].text[citation.start : citation.end]
    assert (citation.page_index, citation.page_label, citation.file) == (1, "2", "plain.pdf")


def test_boxes_are_one_for_each_visual_line() -> None:
    document = plain_document([TERM])
    (citation,) = cite(document, [Span(0, 4, len(TERM))])
    first, second = citation.boxes
    assert first == (
        MARGIN + 4 * CHARACTER_WIDTH,
        MARGIN + 2,
        MARGIN + 46 * CHARACTER_WIDTH,
        MARGIN + LINE_HEIGHT - 1,
    )
    assert second[1] == MARGIN + LINE_HEIGHT + 2 and second[0] == MARGIN


def test_a_superscript_does_not_split_its_line() -> None:
    page = plain_page("cash1 flow", 0)
    boxes = page.boxes.copy()
    boxes[4, 1::2] -= 6  # the footnote mark stands mostly above the line
    raised = Page(0, "1", page.width, page.height, page.text, boxes, page.blocks)
    assert len(line_boxes(raised, 0, len(page.text))) == 2
    assert len(line_boxes(raised, 0, 4)) == 1


def test_characters_without_a_place_are_skipped_and_boxes_stay_on_the_page() -> None:
    page = plain_page("ab", 0)
    boxes = np.array([[np.nan] * 4, [-5, 10, 9000, 20]], dtype=np.float32)
    odd = Page(0, "1", page.width, page.height, "ab", boxes, page.blocks)
    assert line_boxes(odd, 0, 2) == [(0.0, 10.0, 612.0, 20.0)]
    assert line_boxes(odd, 0, 1) == []


def test_spans_over_several_pages_give_one_citation_each_and_empty_ones_none() -> None:
    document = plain_document(["the parties agree", "to the terms below", "   "])
    found = cite(document, [Span(0, 4, 17), Span(1, 0, 12), Span(2, 0, 3), Span(0, 2, 2)])
    assert [c.quote for c in found] == ["parties agree", "to the terms"]


def test_a_document_read_in_part_is_cited_by_page_index_not_position() -> None:
    document = plain_document([plain_page("only page read", 7, label="iv")])
    (citation,) = cite(document, [Span(7, 0, 9)])
    assert (citation.page_index, citation.page_label) == (7, "iv")
    with pytest.raises(IndexError, match="no page with index 0"):
        cite(document, [Span(0, 0, 4)])


def test_a_span_outside_its_page_is_an_error() -> None:
    with pytest.raises(IndexError, match="outside"):
        cite(plain_document(["short"]), [Span(0, 0, 6)])


@pytest.mark.parametrize(
    "quote",
    [
        "thirty (30) days from the Effective Date.",
        "thirty  (30)\tdays",
        "the Effec-\ntive Date",
        "The term of this Agreement",
    ],
)
def test_quotes_are_found_whatever_the_white_space_and_line_end_hyphens(quote: str) -> None:
    document = plain_document(["nothing here", TERM])
    (span,) = find_quote(document, quote)
    found = document.pages[1].text[span.start : span.end]
    assert re.sub(r"[\s-]", "", found) == re.sub(r"[\s-]", "", quote)


def test_quotation_marks_and_dashes_are_folded() -> None:
    document = plain_document(["the \u201cBuyer\u201d\u2019s non\u2011exclusive right \u2014 as is"])
    (span,) = find_quote(document, '"Buyer"\'s non-exclusive right - as is')
    assert (span.start, span.end) == (4, len(document.pages[0].text))


@pytest.mark.parametrize(
    "quote",
    ["thirty (31) days", "thirty (3 0) days", "Effective Dates", "hirty (30)", "not there", "", " ", "--"],
)
def test_what_is_not_there_is_not_marked(quote: str) -> None:
    assert find_quote(plain_document([TERM]), quote) == []


@pytest.mark.parametrize(
    ("text", "quote"),
    [("5-10 days", "510 days"), ("1 00 2 00", "100"), ("1,000,000", "1,000"), ("21", "1"), ("2.50", "50")],
)
def test_numbers_are_never_put_together_or_cut(text: str, quote: str) -> None:
    assert find_quote(plain_document([text]), quote) == []


def test_the_nearest_page_wins_and_the_first_without_a_hint() -> None:
    document = plain_document(["notice", "x", "notice", "x", "notice"])
    assert [find_quote(document, "notice", near)[0].page_index for near in (None, 0, 2, 3, 4)] == [
        0,
        0,
        2,
        2,
        4,
    ]


def test_a_quote_over_a_page_break_skips_headers_and_footers() -> None:
    top = "AGREEMENT\nThe Buyer shall pay\n1"
    bottom = "AGREEMENT\nthe Seller on demand.\n2"
    box = Box(0, 0, 1, 1)
    pages = [
        plain_page(text, index, blocks=[
            Block("header", 0, 9, box), Block("paragraph", 10, len(text) - 2, box),
            Block("footer", len(text) - 1, len(text), box),
        ])
        for index, text in enumerate((top, bottom))
    ]  # fmt: skip
    document = plain_document(pages)
    spans = find_quote(document, "shall pay the Seller on demand")
    assert [document.pages[s.page_index].text[s.start : s.end] for s in spans] == [
        "shall pay",
        "the Seller on demand",
    ]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_run_of_whole_words_is_found_again(data: st.DataObject) -> None:
    words = data.draw(
        st.lists(st.sampled_from(["Buyer", "pays", "$1,000", "in", "30", "days;", "non-US"]), min_size=2)
    )
    text = "".join(word + data.draw(st.sampled_from([" ", "\n", "  "])) for word in words)
    document = plain_document(["", text])
    bounds = [(m.start(), m.end()) for m in re.finditer(r"\S+", text)]
    first = data.draw(st.integers(0, len(bounds) - 1))
    last = data.draw(st.integers(first, len(bounds) - 1))
    quote = text[bounds[first][0] : bounds[last][1]]
    (span,) = find_quote(document, " ".join(quote.split()))
    assert document.pages[span.page_index].text[span.start : span.end].split() == quote.split()
