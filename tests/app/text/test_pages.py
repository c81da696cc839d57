"""What of a page is its body: no running lines, and no page number that came out as a paragraph."""

from __future__ import annotations

import pytest

from longleaf.app.facts.document_text import passages
from longleaf.app.text.pages import body_runs
from longleaf.ingest.document import Block, Box
from tests.support.plain_documents import plain_document, plain_page


@pytest.mark.parametrize("number", ["7", "- 7 -", "Page 7 of 30", "iv", "B-2"])
def test_a_page_number_runs_into_no_sentence(number: str) -> None:
    first = f"THE AMOUNT PAID BY\n{number}"
    cut = first.index("\n")
    blocks = [
        Block("paragraph", 0, cut, Box(0, 0, 9, 9)),
        Block("paragraph", cut + 1, len(first), Box(0, 0, 9, 9)),
    ]
    document = plain_document([plain_page(first, 6, "7", blocks), plain_page("THE TENANT IS FINAL.", 7)])
    assert passages(document).text == "THE AMOUNT PAID BY\nTHE TENANT IS FINAL."


def test_the_number_of_the_page_in_its_last_line_is_left_out() -> None:
    assert body_runs(plain_page("The rent is paid by\n7", 6)) == [(0, 19)]
    assert body_runs(plain_page("The number of rooms is\n9", 6)) == [(0, 24)]


def test_a_page_that_only_holds_a_number_keeps_it() -> None:
    assert body_runs(plain_page("12", 3)) == [(0, 2)]
