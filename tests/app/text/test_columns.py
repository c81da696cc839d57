"""Prose in columns that were read across is neither quoted nor a fact; lists and figures are left alone."""

import pytest

from longleaf.app.briefs.brief import is_read_across
from longleaf.app.proof.citations import cite
from longleaf.app.text.columns import crosses_columns
from longleaf.app.text.sentences import sentences_of
from longleaf.ingest.document import Chunk, Span
from tests.support.plain_documents import plain_document, plain_page

ACROSS = (
    "Reference Rate    Provides optional relief for\n"
    "Reform            contracts that are amended. It\n"
    "Issued March      is applied from the date of issue."
)


@pytest.mark.parametrize(
    ("text", "crosses"),
    [
        (ACROSS, True),
        ("(a)     The Seller shall deliver.\n(b)     The Buyer shall pay.", False),
        ("Net sales         1,203\nCost of sales     1,101", False),
        ("The Seller shall   deliver each\norder and the Buyer   shall pay for it", False),
        (
            "The Company  may engage in\nthe selling  of devices that\nare made by it or others.",
            False,
        ),
        ("One line    of two parts", False),
        ("x", False),
        ("", False),
    ],
)
def test_two_lines_with_words_at_one_place_after_a_gap_are_columns(text: str, crosses: bool) -> None:
    assert crosses_columns(plain_page(text, 0), 0, len(text)) is crosses


def test_no_sentence_is_taken_from_such_a_block() -> None:
    prose = "The Seller shall deliver each order in ten days. The Buyer shall pay for it."
    for text, count in ((ACROSS, 0), (prose, 2)):
        document = plain_document([text])
        span = Span(0, 0, len(text))
        assert len(sentences_of(document, [Chunk(0, text, (), (span,), 30)])) == count
        assert is_read_across(document, cite(document, [span])[0]) is (count == 0)
