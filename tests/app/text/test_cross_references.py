"""Cross-references, on documents built as contracts and reports are: each leads to the one place it names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from longleaf.app.library.documents import Library
from longleaf.app.retrieval.retriever import Retriever
from longleaf.app.text.cross_references import references
from longleaf.ingest import Chunk, Document, Span, make_chunks, read_document
from tests.support.pdf_maker import lines, make_pdf, paragraph

CONTRACT = [
    ("1. Definitions", "Terms have the meaning that Exhibit A gives them, and Section 9 of it."),
    ("2. Supply", "The supplier delivers the goods to the warehouse named in Schedule 2.1 at its own risk."),
    ("3. Price", "3.1 The price is that of the list. \n3.2 Taxes are borne as set forth in Section 7.2(b)."),
    (
        "4. Warranty",
        "The warranty is that of Clause 5, subject to Article VI and to Section 13(d) of the Exchange Act.",
    ),
    ("5. Remedies", "Goods that fail are replaced. See Section 12 and Note 9."),
    ("6. Liability", "Liability is limited to the price paid under Sections 3.1 and 3.2 in the year before."),
    (
        "7. Term",
        "7.1 This Agreement runs for two years. \n7.2 It ends early as follows. "
        "\n(a) A party may end it on breach. \n(b) The buyer may end it on a change of the law on levies.",
    ),
    ("EXHIBIT A", "Goods means the polymer pellets of the grades named by the buyer in writing."),
    ("SCHEDULE 2.1", "The warehouse stands at Kestrel Bay, at the north quay."),
]


def draw_contract(canvas: Canvas, page: int) -> None:
    if page == 0:
        lines(canvas, ["TABLE OF CONTENTS"], font="Times-Bold", size=14, top=60)
        rows = [f"{title} {'.' * 40} {n + 2}" for n, (title, _) in enumerate(CONTRACT)]
        lines(canvas, [*rows, f"7.1 Duration {'.' * 40} 4", f"7.2 Early end {'.' * 40} 4"], top=90)
        return
    top = 60.0
    for title, text in CONTRACT[4 * (page - 1) : 4 * page]:
        lines(canvas, [title], font="Times-Bold", size=13, top=top)
        top += 22
        for part in text.split("\n"):
            top = paragraph(canvas, part, top=top) + 8
        top += 10


@pytest.fixture(scope="module")
def contract(tmp_path_factory: pytest.TempPathFactory) -> Document:
    path = tmp_path_factory.mktemp("contract") / "contract.pdf"
    return read_document(make_pdf(path, [draw_contract] * 4))


def words(text: str) -> int:
    return len(text.split())


def led(chunks: Sequence[Chunk]) -> dict[str, list[tuple[str, str]]]:
    """By the last heading of the referring chunk: the words, and the text that they lead to."""
    found: dict[str, list[tuple[str, str]]] = {}
    for position, of_chunk in references(chunks).items():
        of_heading = found.setdefault(chunks[position].section_path[-1], [])
        of_heading += [(r.text, " ".join(chunks[r.target].text.split())) for r in of_chunk]
    return found


def test_a_contract_s_references_lead_to_its_sections(contract: Document) -> None:
    found = led(make_chunks(contract, words, max_tokens=24))
    starts = {
        heading: [(text, target[:12]) for text, target in of_heading] for heading, of_heading in found.items()
    }
    assert ("Exhibit A", "EXHIBIT A Go") in starts["1. Definitions"]
    assert starts["2. Supply"] == [("Schedule 2.1", "SCHEDULE 2.1")]
    assert starts["4. Warranty"] == [("Clause 5", "5. Remedies "), ("Article VI", "6. Liability")]
    (taxes,) = (target for text, target in found["3. Price"] if text == "Section 7.2(b)")
    assert "(b) The buyer may end it" in taxes
    assert "5. Remedies" not in found, "no section 12 and no note 9 are there: neither is guessed"
    assert {text for text, _ in found["6. Liability"]} <= {"Sections 3.1", "Sections 3.2"}
    assert found["6. Liability"]


def test_a_table_of_contents_is_no_target(contract: Document) -> None:
    chunks = make_chunks(contract, words, max_tokens=24)
    targets = {r.target for found in references(chunks).values() for r in found}
    assert targets
    assert all(chunks[t].page_index_start > 0 and "...." not in chunks[t].text for t in targets)


def made(*sections: tuple[tuple[str, ...], str]) -> list[Chunk]:
    return [
        Chunk(i, text, path, (Span(i, 0, len(text)),), len(text.split()))
        for i, (path, text) in enumerate(sections)
    ]


NOTES = "NOTES TO CONSOLIDATED FINANCIAL STATEMENTS"
REPORT = made(
    (
        ("PART I", "Item 1. Business"),
        "We sell boots. Risks are in Item 1A. See Note 9 for taxes and Item 7A for rates.",
    ),
    (("PART I", "Item 1A. Risk Factors"), "Rates may rise, as Item 1 of Part II says."),
    (
        ("PART II", "Item 1. Legal Proceedings"),
        "Claims are described in Note 2 to the consolidated financial statements.",
    ),
    (("PART II", "Item 7A. Market Risk"), "A rise by one point costs 2 million. Item 1 names the courts."),
    (
        ("PART II", NOTES, "2. Contingencies"),
        "We were sued in Ohio. Section 10(b) of the Exchange Act is named.",
    ),
    (("PART II", NOTES, "Note 9 — Income Taxes"), "The rate was 21 per cent."),
    (
        ("PART II", NOTES, "Note 9 — Income Taxes (continued)"),
        "The rate was 22 per cent before, see Note 9 above.",
    ),
)


def test_a_report_s_references_lead_to_items_and_notes() -> None:
    found = {i: [(r.text, r.target) for r in of_chunk] for i, of_chunk in references(REPORT).items()}
    assert found == {
        0: [("Item 1A", 1), ("Note 9", 5), ("Item 7A", 3)],
        1: [("Item 1", 2)],  # of Part II, as it says
        2: [("Note 2", 4)],
        3: [("Item 1", 2)],  # that of its own part
        6: [("Note 9", 5)],
    }


@pytest.mark.parametrize(
    "text",
    [
        "As set forth in Section 5 of the Credit Agreement.",
        "Section 5 of Regulation S-K applies.",
        "See Section 5.9.",
        "Page 5 and 5 sections.",
        "Under section 5a it may.",
    ],
)
def test_other_documents_and_missing_numbers_are_left_alone(text: str) -> None:
    assert references(made((("4. Price",), text), (("5. Term",), "Two years."))) == {}


def test_a_number_that_two_places_bear_is_not_guessed() -> None:
    two = [(("Lease", "5. Term"), "Two years."), (("Guaranty", "5. Law"), "Ohio.")]
    assert references(made((("Cover",), "See Section 5."), *two)) == {}
    # Within one of them its own is meant.
    assert [r.target for r in references(made(*two, (("Guaranty", "6. Costs"), "See Section 5.")))[2]] == [1]


def test_search_brings_along_what_the_best_passage_refers_to(tmp_path: Path, contract: Document) -> None:
    with Library(tmp_path / "library.db") as library:
        chunks = make_chunks(contract, words, max_tokens=24)
        stored = library.add(contract, chunks, parser="p", chunking="c")
        search = Retriever(library).search
        everything = len({chunk.index for chunk in chunks})
        plain = search("who bears taxes?", documents=[stored], k=1)
        found = search("who bears taxes?", documents=[stored], k=10)
        assert not any(hit.reference for hit in plain)
        assert [found[0].chunk] == [hit.chunk for hit in plain]
        (brought,) = (hit for hit in found if hit.reference == "Section 7.2(b)")
        assert "(b) The buyer may end it" in " ".join(brought.chunk.text.split())
        assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
        assert len({hit.chunk.index for hit in found}) == len(found) <= min(10, everything)
        again = Retriever(Library(tmp_path / "library.db")).search(
            "who bears taxes?", documents=[stored], k=5
        )
        assert again == found, "references are kept with the index"
