"""What is quoted around a piece that answers: the whole of a short clause, a list with its first words."""

from __future__ import annotations

from longleaf.app.answers.passages import Piece, pieces_of
from longleaf.app.answers.question import understand
from longleaf.app.answers.supplements import supplements
from longleaf.app.answers.windows import WORDS, window
from longleaf.ingest.document import Block, Box, Chunk, Span
from tests.support.plain_documents import plain_document, plain_page

BOX = Box(0, 0, 612, 792)


def pieces(*paragraphs: str, heading: str = "4. Repairs") -> list[Piece]:
    """The pieces of one clause, a paragraph each."""
    text = "\n".join(paragraphs)
    starts = [sum(len(p) + 1 for p in paragraphs[:i]) for i in range(len(paragraphs))]
    blocks = [Block("list", s, s + len(p), BOX) for s, p in zip(starts, paragraphs, strict=True)]
    document = plain_document([plain_page(text, 0, blocks=blocks)])
    return pieces_of([(Chunk(0, text, (heading,), (Span(0, 0, len(text)),), 50), document)])


def quoted(found: list[Piece], best: str) -> str:
    at = next(i for i, piece in enumerate(found) if best in piece.text)
    chosen = window(found, at, [0.0] * len(found))
    return " ".join(piece.text for piece in found[chosen.start : chosen.end])


def test_a_number_goes_with_the_sentence_after_it() -> None:
    found = pieces("4.1", "The landlord repairs the roof at its own cost.")
    assert [piece.text for piece in found] == ["4.1 The landlord repairs the roof at its own cost."]


def test_a_short_clause_is_quoted_whole() -> None:
    found = pieces("The landlord repairs the roof.", "It need not repair what the tenant broke.")
    assert (
        quoted(found, "repairs the roof")
        == "The landlord repairs the roof. It need not repair what the tenant broke."
    )


def test_an_item_comes_with_the_words_that_open_its_list() -> None:
    found = pieces(
        "The landlord shall repair the following:",
        "(a) the roof and the gutters of the house;",
        "(b) the boiler and the pipes in the cellar.",
    )
    assert quoted(found, "(b) the boiler").startswith("The landlord shall repair the following: (a)")


def test_a_long_clause_is_cut_around_what_answers() -> None:
    found = pieces(
        *(f"{i} The landlord repairs part number {i} of the old house with care." for i in range(40))
    )
    text = quoted(found, "part number 20 ")
    assert "part number 20 " in text and len(text.split()) <= WORDS


def test_a_defined_term_brings_its_definition() -> None:
    found = pieces(
        "The tenant pays the Service Charge each month.",
        "“Service Charge” means the tenant's share of the cost of light and lifts.",
        "“Common Area” means the hall and the stairs of the house.",
    )
    question = understand("When is the service charge due?", "contract")
    assert [piece.text[:16] for piece in supplements(question, found[:1], found)] == ["“Service Charge”"]


def test_a_rule_brings_the_section_it_is_subject_to() -> None:
    found = pieces(
        "4.1 Subject to Section 4.3, the tenant may keep a dog.",
        "4.2 The tenant may keep a cat in the flat.",
        "4.3 No animal may be kept that has bitten anyone.",
    )
    question = understand("May I keep a dog?", "contract")
    assert [piece.text[:4] for piece in supplements(question, found[:1], found)] == ["4.3 "]
