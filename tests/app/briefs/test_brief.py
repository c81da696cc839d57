from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest

from bench.search import memory_search
from longleaf.app.briefs.brief import summarize
from longleaf.app.briefs.clause_page import overlap
from longleaf.app.contexts.document_parts import MAX_PARTS, parts_of
from longleaf.app.proof.prove import Tally, prove, quote_text
from longleaf.app.schema import Brief, KeyFact, Statement
from longleaf.app.text.sentences import is_quotable, sentences_of
from longleaf.engine.engine import Engine
from longleaf.ingest import Chunk, Document, make_chunks, read_document
from longleaf.ingest.document import Gap, Span
from sample_docs import report
from sample_docs.make import build_agreement
from tests.support.plain_documents import plain_document, plain_page
from tests.support.real_models import real_model

Summary = tuple[Document, Brief, list[KeyFact]]


def read(path: Path, engine: Engine) -> tuple[Document, list[Chunk]]:
    document = read_document(path)
    return document, make_chunks(document, engine.tokenizer.count)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(real_model("smollm2-135m-instruct"))


@pytest.fixture(scope="module")
def contract(tmp_path_factory: pytest.TempPathFactory, engine: Engine) -> Summary:
    path = build_agreement("supply_agreement_v1", tmp_path_factory.mktemp("contract"))
    document, chunks = read(Path(path), engine)
    facts: list[KeyFact] = []
    brief = summarize(document, chunks, memory_search(chunks), engine, length="full", on_fact=facts.append)
    return document, brief, facts


@pytest.fixture(scope="module")
def filing(tmp_path_factory: pytest.TempPathFactory, engine: Engine) -> Summary:
    path = report.build(tmp_path_factory.mktemp("report") / "annual_report.pdf")
    document, chunks = read(path, engine)
    return document, summarize(document, chunks, memory_search(chunks), engine, length="full"), []


def statements(brief: Brief) -> list[Statement]:
    return [*brief.key_facts, *brief.overview, *(s for section in brief.sections for s in section.statements)]


@pytest.mark.parametrize("made", ["contract", "filing"])
def test_every_quote_is_the_page_and_every_label_its_printed_one(
    made: str, request: pytest.FixtureRequest
) -> None:
    document, brief, _ = request.getfixturevalue(made)
    cited = [(statement, c) for statement in statements(brief) for c in statement.citations]
    assert len(cited) > 20
    for statement, citation in cited:
        page = document.pages[citation.page_index]
        assert page.text[citation.start : citation.end] == citation.quote
        assert citation.page_label == page.label
        assert citation.boxes, statement.text


@pytest.mark.parametrize("made", ["contract", "filing"])
def test_what_is_quoted_reads_as_the_source_does(made: str, request: pytest.FixtureRequest) -> None:
    _, brief, _ = request.getfixturevalue(made)
    for statement in statements(brief):
        if statement.status == "quoted":
            pieces = statement.text.split(" … ")
            quotes = " ".join(" ".join(citation.quote.split()) for citation in statement.citations)
            assert all(piece in quotes for piece in pieces), statement.text


def test_the_brief_of_a_contract_opens_with_its_title_parties_and_date(contract: Summary) -> None:
    _, brief, _ = contract
    assert brief.kind == "contract"
    opening = brief.overview[0]
    assert opening.status == "generated"
    assert "Kestrel Bay Polymers LLC and Northmoor Packaging, Inc." in opening.text
    assert "March 3, 2025" in opening.text
    assert brief.verification.checked >= 1 and brief.verification.replaced == 0


def test_facts_are_told_as_they_come_and_are_those_of_the_brief(contract: Summary) -> None:
    _, brief, facts = contract
    assert facts == brief.key_facts and facts


def test_every_page_with_text_is_in_a_section_and_articles_have_statements(contract: Summary) -> None:
    document, brief, _ = contract
    covered = {
        index
        for section in brief.sections
        for index in range(section.page_index_start, section.page_index_end + 1)
    }
    assert covered == {page.page_index for page in document.pages if page.text.strip()}
    spoken = [section for section in brief.sections if section.statements]
    assert len(spoken) >= 10
    assert all(len(section.statements) <= 3 for section in spoken)


def test_a_long_report_has_a_bounded_number_of_sections_that_cover_it(filing: Summary) -> None:
    document, brief, _ = filing
    assert brief.kind == "report" and brief.page_count >= 60
    assert 8 <= len(brief.sections) <= MAX_PARTS
    assert brief.sections[-1].page_index_end >= len(document.pages) - 3
    assert any("segment" in s.text.lower() or "revenue" in s.text.lower() for s in brief.overview)


def test_sections_without_a_whole_sentence_are_named_in_the_gaps(filing: Summary) -> None:
    _, brief, _ = filing
    silent = [section.title for section in brief.sections if not section.statements]
    named = [gap.detail for gap in brief.gaps if gap.kind == "not_summarized"]
    assert named and all(any(title in detail for title in silent) for detail in named)


def test_no_place_is_told_twice_and_the_page_is_short(contract: Summary) -> None:
    _, brief, _ = contract
    told = [s for section in brief.sections for s in section.statements]
    told += [s for s in brief.overview if s.topic != "What it is"]
    assert told and not any(overlap(one, other) for one, other in combinations(told, 2))
    assert sum(len(s.text.split()) for s in brief.overview) < 700
    assert {s.topic for s in brief.overview} >= {"What it is", "Money"}


def test_without_a_model_the_brief_is_made_by_code_alone() -> None:
    text = (
        "This Supply Agreement governs the sale of bolts.\n\n"
        "The Buyer shall pay to the Seller a minimum annual fee of $5,000 (the “Fee”) each year."
    )
    document = plain_document([text])
    chunks = make_chunks(document, lambda words: len(words.split()))
    brief = summarize(document, chunks, memory_search(chunks), None, kind="contract")
    assert brief.usage.model == "none"
    (money,) = [s for s in brief.overview if s.topic == "Money"] or [
        s for s in brief.key_facts if "$5,000" in s.text
    ][:1]
    assert money.text == "The Buyer must pay to the Seller a minimum annual fee of $5,000 each year."
    assert money.status == "generated" and "shall pay" in money.citations[0].quote


def test_unread_pages_come_first(engine: Engine) -> None:
    from dataclasses import replace

    document = replace(
        plain_document(["The Buyer shall pay the Seller thirty dollars on the first day of each month.", ""]),
        gaps=(Gap("scanned", "the page is an image", 1),),
    )
    chunks = make_chunks(document, engine.tokenizer.count)
    brief = summarize(document, chunks, memory_search(chunks), engine, kind="contract")
    assert (brief.gaps[0].kind, brief.gaps[0].page_label) == ("scanned", "2")


def test_a_document_without_any_text_gives_an_empty_brief(engine: Engine) -> None:
    document = plain_document([""])
    brief = summarize(document, [], lambda query, k: [], engine)
    assert brief.sections == [] and brief.overview == []
    assert all(fact.status == "not_found" for fact in brief.key_facts)


def chunk(index: int, path: Sequence[str], tokens: int) -> Chunk:
    return Chunk(index, "x", tuple(path), (Span(index, 0, 1),), tokens)


def test_parts_hold_every_chunk_once_in_order() -> None:
    paths = [["A"], ["A", "1"], ["A", "1"], ["A", "2"], ["B"], [], ["C"], ["C", "1"]]
    chunks = [chunk(i, path, 30 + 40 * i) for i, path in enumerate(paths * 60)]
    for most in (1, 3, 40):
        parts = parts_of(chunks, most)
        assert [c.index for part in parts for c in part.chunks] == list(range(len(chunks)))
        assert 1 <= len(parts) <= most
    assert parts_of([]) == []


def test_a_title_over_the_whole_document_is_opened_into_its_articles() -> None:
    chunks = [chunk(i, ["SUPPLY AGREEMENT", f"Article {i}"], 200) for i in range(6)]
    assert [part.title for part in parts_of(chunks)] == [f"Article {i}" for i in range(6)]


def test_scraps_are_not_quotable() -> None:
    page = "\n".join(
        [
            "1. Definitions ........................................ 4",
            "IN WITNESS WHEREOF",
            "By: ____________________ Name: Jane Doe Title: Director of Sales",
            "See Note 4 to the consolidated financial statements for more information.",
            "The Buyer shall pay each invoice within thirty days of its receipt.",
        ]
    )
    document = plain_document([page])
    lines = [Span(0, page.index(line), page.index(line) + len(line)) for line in page.split("\n")]
    sentences = sentences_of(
        document, [Chunk(i, page[s.start : s.end], (), (s,), 9) for i, s in enumerate(lines)]
    )
    assert [s.text[:9] for s in sentences if is_quotable(s)] == ["The Buyer"]


def test_what_is_not_proven_is_replaced_by_what_it_cites_and_counted() -> None:
    from longleaf.app.proof.citations import cite

    document = plain_document(["The term is five (5) years from the Effective Date."])
    citations = cite(document, [Span(0, 0, 51)])
    tally = Tally()
    false = Statement(text="The term is six (6) years.", status="generated", citations=citations)
    shown = prove(false, [document], tally)
    assert (shown.status, shown.text) == ("quoted", document.pages[0].text)
    true = Statement(text="The term is five years.", status="generated", citations=citations)
    assert prove(true, [document], tally) == true
    assert (tally.checked, tally.replaced) == (2, 1)
    reworded = true.model_copy(update={"status": "quoted"})
    assert prove(reworded, [document], tally) == true
    words = Statement(text="five (5) years", status="quoted", citations=citations)
    assert prove(words, [document], tally) == words
    assert (tally.checked, tally.replaced) == (3, 1)
    other_case = Statement(text="the term is five (5) years", status="quoted", citations=citations)
    assert prove(other_case, [document], tally).status == "generated"
    misquoted = true.model_copy(update={"citations": [citations[0].model_copy(update={"start": 1})]})
    with pytest.raises(AssertionError, match="does not stand"):
        prove(misquoted, [document], tally)


def test_columns_of_wrapped_prose_are_not_quoted_across() -> None:
    from longleaf.app.briefs.brief import is_read_across
    from longleaf.app.proof.citations import cite
    from longleaf.ingest.document import Block, Box

    wrapped = (
        "The period begins on the  Anything set forth to\n"
        "Installation Date and  the contrary apart,\nruns on  it ends"
    )
    figures = "Cash and equivalents  1,203  998\nTotal current assets  5,404  5,001\nGoodwill  12  12"
    for text, across in ((wrapped, True), (figures, False)):
        page = plain_page(text, 0, blocks=[Block("table", 0, len(text), Box(0, 0, 1, 1))])
        document = plain_document([page])
        assert is_read_across(document, cite(document, [Span(0, 0, len(text))])[0]) is across


def test_quotes_of_several_places_are_set_apart_but_a_sentence_over_a_page_break_is_not() -> None:
    from longleaf.app.proof.citations import cite

    document = plain_document(["The Buyer shall", "pay the Seller.", "It is late."])
    citations = cite(document, [Span(0, 0, 15), Span(1, 0, 15), Span(2, 0, 11)])
    assert quote_text(citations) == "The Buyer shall pay the Seller. … It is late."
