"""Text recognized in pictures: what was read badly is unread, what was read well differs."""

from __future__ import annotations

import dataclasses

from longleaf.app.compare.compare import Side
from longleaf.app.compare.comparison import compare
from longleaf.ingest.document import Block, Box, Document
from tests.support.plain_documents import plain_document, plain_page

TEXTS = ["1. The buyer pays 40 dollars a ton.", "2. The term is one year.", "3. Ohio law governs it."]


def recognized(texts: list[str], confidences: list[float]) -> Document:
    page = plain_page("\n".join(texts), 0)
    blocks, at = [], 0
    for text, confidence in zip(texts, confidences, strict=True):
        box = Box(36, 36 + 12 * len(blocks), 400, 46 + 12 * len(blocks))
        blocks.append(Block("paragraph", at, at + len(text), box, confidence=confidence))
        at += len(text) + 1
    return plain_document([dataclasses.replace(page, blocks=tuple(blocks))], name="scan.pdf")


def test_a_line_nobody_could_read_is_a_gap_and_no_change() -> None:
    old = recognized(TEXTS, [1.0, 1.0, 1.0])
    new = recognized([TEXTS[0], "s e l o t r a", TEXTS[2].replace("Ohio", "Utah")], [0.99, 0.6, 0.99])
    made = compare(Side(old, flow=True), Side(new, flow=True))
    assert [(c.kind, c.new_text) for c in made.changes] == [("changed", "3. Utah law governs it.")]
    assert [g.page_label for g in made.gaps if "could not be compared" in g.detail] == ["1"]


def test_a_small_difference_in_doubtful_text_is_shown_as_doubt() -> None:
    old = recognized(TEXTS, [1.0, 1.0, 1.0])
    new = recognized([TEXTS[0].replace("buyer", "buver"), *TEXTS[1:]], [0.9, 0.99, 0.99])
    made = compare(Side(old), Side(new))
    assert [c.class_ for c in made.changes] == ["clerical"]
    assert "90%" in made.changes[0].doubt
