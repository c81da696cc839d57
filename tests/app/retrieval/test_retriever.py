"""Retrieval over real SQLite and the real embedding model."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from longleaf.app.library.documents import Library, LibraryError, StoredDocument
from longleaf.app.library.indexing import EMBED_AT_ONCE, embed_document, embed_if_small, index_file
from longleaf.app.retrieval.retriever import Retriever, ScoredChunk, fuse
from longleaf.app.text.index_terms import query_terms
from longleaf.engine.embedding.embedder import DEFAULT_EMBEDDER, Embedder, load_embedder
from longleaf.ingest import IngestError
from longleaf.ingest.document import Chunk, Span
from tests.support.plain_documents import plain_document
from tests.support.real_models import real_model

CLAUSES = {
    "Governing Law": "This Agreement is governed by the laws of the State of Delaware.",
    "Assignment": "Neither party may assign its rights without the prior written consent of the other.",
    "Payment": "The Buyer pays each invoice within 45 days; late amounts bear interest of 1.5% a month.",
    "Termination": "Either party may terminate this Agreement without cause upon ninety days' notice.",
    "Café": "The Café in Łódź sells “non-GAAP” coffee AND tea NOT milk.",
}


def store(library: Library, clauses: dict[str, str], name: str = "a.pdf") -> StoredDocument:
    document = plain_document(list(clauses.values()), name)
    chunks = [
        Chunk(i, text, (title,), (Span(i, 0, len(text)),), len(text.split()))
        for i, (title, text) in enumerate(clauses.items())
    ]
    return library.add(document, chunks, parser="p", chunking="c")


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library.db")


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    real_model(DEFAULT_EMBEDDER)
    return load_embedder(offline=True)


def headings(found: list[ScoredChunk]) -> list[str]:
    return [scored.chunk.section_path[0] for scored in found]


@pytest.mark.parametrize(
    ("query", "heading"),
    [
        ("Which state's law governs?", "Governing Law"),
        ("assignments", "Assignment"),
        ("what is the ASSIGNMENT clause", "Assignment"),
        ("within 45 days", "Payment"),
        ("terminating for convenience", "Termination"),
        ("Can they quit the deal?", "Termination"),
        ("Must the customer pay interest?", "Payment"),
        ("cafe", "Café"),
        ("non-GAAP", "Café"),
        ('"non-GAAP" AND (coffee OR NOT', "Café"),
        ("text:invoice* NEAR(a b) ^", "Payment"),
    ],
)
def test_words_find_the_clause(library: Library, query: str, heading: str) -> None:
    document = store(library, CLAUSES)
    assert headings(Retriever(library).search(query, documents=[document]))[0] == heading


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.text(alphabet=st.characters(), max_size=60)
    | st.text(alphabet='"*^():-+AND OR NOT NEAR{}\x00 ', max_size=40)
)
def test_no_query_is_an_error(tmp_path: Path, query: str) -> None:
    library = Library(tmp_path / "any.db")
    document = library.find("", parser="p", chunking="c") or store(library, CLAUSES)
    found = Retriever(library).search(query, documents=[document], k=3)
    assert len(found) <= 3
    assert len({scored.chunk.index for scored in found}) == len(found)
    assert [scored.score for scored in found] == sorted((s.score for s in found), reverse=True)


def test_nothing_to_search_finds_nothing(library: Library) -> None:
    retriever = Retriever(library)
    empty = library.add(plain_document([], "empty.pdf"), [], parser="p", chunking="c")
    document = store(library, CLAUSES)
    assert retriever.search("law", documents=[]) == []
    assert retriever.search("law", documents=[empty]) == []
    assert retriever.search("", documents=[document]) == []
    assert retriever.search("  \n", documents=[document]) == []
    assert retriever.search("zebra", documents=[document]) == []
    assert retriever.search("law", documents=[document], k=0) == []
    assert headings(retriever.search("law", documents=[empty, document], k=1)) == ["Governing Law"]


def test_other_documents_in_the_library_change_nothing(library: Library) -> None:
    document = store(library, CLAUSES)
    before = Retriever(library).search("party assign law notice", documents=[document])
    store(library, {str(i): f"law law assign {i}" for i in range(50)}, "other.pdf")
    after = Retriever(library).search("party assign law notice", documents=[document])
    assert after == before


def test_documents_are_searched_together_and_named(library: Library) -> None:
    first, second = store(library, CLAUSES), store(library, {"Law": "The laws of England govern."}, "b.pdf")
    found = Retriever(library).search("laws of England", documents=[first, second], k=2)
    assert [(s.document.name, s.chunk.text) for s in found] == [
        ("b.pdf", "The laws of England govern."),
        ("a.pdf", CLAUSES["Governing Law"]),
    ]
    only = Retriever(library).search("laws of England", documents=[first])
    assert {s.document.id for s in only} == {first.id}


def test_the_file_that_the_question_names_comes_first(library: Library) -> None:
    clause = {"Revenue": "Revenue was 5 million."}
    files = [
        store(library, {**clause, "Note": f"Filed by {i}."}, name)
        for i, name in enumerate(["ACME_2021_10K.pdf", "ACME_2022_10K.pdf", "GLOBEX_2022_10K.pdf"])
    ]
    for query, name in (
        ("What was Globex's revenue in 2022?", "GLOBEX_2022_10K.pdf"),
        ("What was ACME's 2021 revenue?", "ACME_2021_10K.pdf"),
        ("What was the 2022 revenue of Acme?", "ACME_2022_10K.pdf"),
    ):
        found = Retriever(library).search(query, documents=files)
        assert (found[0].document.name, found[0].chunk.index) == (name, 0)
    assert {s.document.id for s in Retriever(library).search("revenue", documents=files)} == {
        d.id for d in files
    }


def test_one_file_given_twice_is_searched_once(library: Library) -> None:
    document = store(library, CLAUSES)
    other_cut = library.add(library.load(document), library.chunks(document), parser="p", chunking="other")
    twice = [document, replace(document, name="copy.pdf"), other_cut]
    found = Retriever(library).search("law", documents=twice)
    assert headings(found) == ["Governing Law"] and found[0].document.name == "a.pdf"


def test_a_removed_document_is_a_clear_error(library: Library) -> None:
    document = store(library, CLAUSES)
    retriever = Retriever(library)
    retriever.search("law", documents=[document])
    library.remove(document.sha256)
    for each in (retriever, Retriever(library)):
        with pytest.raises(LibraryError, match="removed"):
            each.search("law", documents=[document])


def test_meaning_finds_what_words_do_not(library: Library, embedder: Embedder) -> None:
    document = store(library, CLAUSES)
    retriever = Retriever(library, embedder)
    query = "Can we leave early?"
    assert not retriever.uses_vectors([document])
    assert Retriever(library).search(query, documents=[document]) == []
    meant = retriever.search(query, documents=[document])  # the question's meaning, the chunks' words
    assert headings(meant)[0] == "Termination" and len(meant) < len(CLAUSES)
    assert embed_document(library, document, embedder) == 0
    assert retriever.uses_vectors([document])
    found = retriever.search(query, documents=[document])
    assert found[0].chunk.section_path == ("Termination",)
    assert len(found) == len({s.chunk.index for s in found}) == len(CLAUSES)
    assert Retriever(Library(library.path), embedder).search(query, documents=[document]) == found


def test_vectors_wait_until_every_document_has_them(library: Library, embedder: Embedder) -> None:
    first, second = store(library, CLAUSES), store(library, {"Law": "The laws of England govern."}, "b.pdf")
    embed_document(library, first, embedder)
    retriever = Retriever(library, embedder)
    assert not retriever.uses_vectors([first, second])
    words = Retriever(library).search("law", documents=[first, second])
    assert retriever.search("law", documents=[first, second]) == words


def test_embedding_goes_on_where_it_stopped(library: Library, embedder: Embedder) -> None:
    document = store(library, {str(i): f"clause number {i}" for i in range(60)})
    assert embed_document(library, document, embedder, seconds=0) == 60
    first = embedder.embed(["x"])
    library.add_vectors(document, embedder.name, [0], first)
    seen: list[tuple[int, int]] = []
    assert embed_if_small(library, document, embedder, progress=lambda a, b: seen.append((a, b))) == 0
    assert seen == [(33, 60), (60, 60)]
    vectors = library.vectors(document, embedder.name, embedder.dim)
    np.testing.assert_array_equal(vectors[0], first[0])  # paid once, never again
    np.testing.assert_array_equal(vectors[5], embedder.embed(["5\nclause number 5"])[0])


def test_a_large_document_is_left_for_later(library: Library, embedder: Embedder) -> None:
    document = store(library, {str(i): f"clause number {i}" for i in range(EMBED_AT_ONCE + 1)})
    assert embed_if_small(library, document, embedder) == EMBED_AT_ONCE + 1


def test_ranks_are_fused() -> None:
    places, scores = fuse([(np.array([7, 3, 5]), 1.0), (np.array([3, 9]), 0.5)], 3)
    assert list(places) == [3, 7, 5]
    np.testing.assert_allclose(scores, [1 / 12 + 0.5 / 11, 1 / 11, 1 / 13])
    assert [len(part) for part in fuse([(np.empty(0, np.int64), 1.0)], 3)] == [0, 0]


def test_the_opening_answers_who_and_when(library: Library) -> None:
    lines = {"": "SUPPLY AGREEMENT made by Acme and Globex.", **{str(i): f"Clause {i}." for i in range(9)}}
    document = store(library, {**lines, "Parties": "Each of the parties signs a copy for the other parties."})
    found = Retriever(library).search("Who are the parties to this agreement?", documents=[document])
    assert {s.chunk.index for s in found[:2]} == {0, 10}


def report(library: Library, name: str) -> StoredDocument:
    """A small filing whose statements share few words with questions on ratios."""
    statements = {
        "Income": """CONSOLIDATED STATEMENTS OF EARNINGS\nNet sales 900 800\nCost of goods sold 500 450
Gross profit 400 350\nSelling, general and administrative 150 140\nOperating income 250 210
Interest expense 10 9\nIncome before taxes 240 201\nProvision for income taxes 60 50\nNet income 180 151""",
        "Balance": """CONSOLIDATED BALANCE SHEETS\nCash and cash equivalents 50 40\nReceivables 90 80
Inventories 70 60\nTotal current assets 210 180\nGoodwill 30 30\nTotal assets 700 650
Accounts payable 60 55\nTotal current liabilities 120 110\nLong-term debt 200 210""",
        "Cash": """CONSOLIDATED STATEMENTS OF CASH FLOWS\nNet cash from operations 260 240
Depreciation 40 38\nPurchases of property and equipment (70) (60)\nNet cash used in investing (80) (70)
Dividends paid (30) (28)\nNet cash used in financing (90) (85)\nNet change in cash 90 85
Cash at end of year 50 40""",
    }
    notes = {f"Note {i}": f"Note {i}. What drives margins, ratios and flows is discussed." for i in range(8)}
    notes["About"] = f"This is {name}."
    return store(library, {**notes, **statements}, name)


@pytest.mark.parametrize(
    ("question", "needed"),
    [
        ("Is the operating margin improving? Explain why.", {"Income"}),
        ("What is the quick ratio?", {"Balance"}),
        ("How much capex was there?", {"Cash"}),
        ("What is the return on assets?", {"Income", "Balance"}),
        (
            "Give the unadjusted EBITDA, from the P&L statement and the cash flow statement.",
            {"Income", "Cash"},
        ),
    ],
)
def test_a_ratio_is_looked_for_in_its_statements(library: Library, question: str, needed: set[str]) -> None:
    found = Retriever(library).search(question, documents=[report(library, "a.pdf")], k=3)
    assert needed <= set(headings(found))


def test_of_several_reports_the_named_one_is_searched_first(library: Library) -> None:
    files = [
        report(library, f"{name}_{year}_10K.pdf") for name in ("GENERAL_TOOLS", "3M") for year in (2021, 2022)
    ]
    for question, name in (
        ("What was the operating margin of General Tools in FY2022?", "GENERAL_TOOLS_2022_10K.pdf"),
        ("What was GenTools' operating margin in 2021?", "GENERAL_TOOLS_2021_10K.pdf"),
        ("What is 3M's FY2021 net profit margin?", "3M_2021_10K.pdf"),
    ):
        found = Retriever(library).search(question, documents=files, k=30)
        assert [s.document.name for s in found[:3]] == [name] * 3, question
        assert {s.document.name for s in found} == {file.name for file in files}
        assert [s.score for s in found] == sorted((s.score for s in found), reverse=True)


@pytest.mark.parametrize(
    ("query", "heading"),
    [
        ("合同由哪国法律管辖？", "zh 管辖"),
        ("违约金是多少", "zh 违约"),
        ("契約の準拠法は？", "ja 準拠"),
        ("損害賠償の上限", "ja 賠償"),
        ("계약은 언제 종료됩니까?", "ko 종료"),
        ("손해배상 한도", "ko 배상"),
        ("ｌｉａｂｉｌｉｔｙ", "en"),
        ("Which U.S. law is it?", "us"),
        ("kündigung", "de"),
        ("KUNDIGUNG", "de"),
        ("resiliation", "fr"),
        ("ДОГОВОР", "ru"),
    ],
)
def test_other_scripts_and_accents_are_found(library: Library, query: str, heading: str) -> None:
    clauses = {
        "zh 管辖": "本合同的订立、效力和解释受中华人民共和国法律管辖。",
        "zh 违约": "任何一方违约，应向对方支付合同总价百分之十的违约金。",
        "ja 準拠": "本契約の準拠法は日本法とし、日本法に従って解釈される。",
        "ja 賠償": "当社の損害賠償責任は、支払われた料金の総額を上限とする。",
        "ko 종료": "본 계약은 서면 통지로써 종료된다.",
        "ko 배상": "손해배상 책임은 지급된 대금을 한도로 한다.",
        "en": "Liability ends there.",
        "us": "The federal law of the US applies.",
        "de": "Die Kündigung bedarf der Schriftform.",
        "fr": "La résiliation prend effet au bout de trente jours.",
        "ru": "Настоящий договор вступает в силу со дня подписания.",
    }
    document = store(library, clauses)
    assert headings(Retriever(library).search(query, documents=[document]))[0] == heading


def test_a_damaged_search_index_is_named(library: Library) -> None:
    document = store(library, CLAUSES)
    with library.file.read() as db:
        (good,) = db.execute("SELECT postings FROM search_indexes").fetchone()
    for damaged in (b"", good[:-1], good[:4] + bytes(4) + good[8:], bytes(len(good)), b"\xff" * len(good)):
        with library.file.write() as db:
            db.execute("UPDATE search_indexes SET postings = ?", (damaged,))
        with pytest.raises(LibraryError, match=r"a\.pdf is damaged"):
            Retriever(library).search("law", documents=[document])


def test_a_library_without_search_indexes_gets_them(library: Library) -> None:
    document = store(library, CLAUSES)
    before = Retriever(library).search("law", documents=[document])
    with library.file.write() as db:
        db.execute("DELETE FROM search_indexes")
    assert Retriever(library).search("law", documents=[document]) == before
    with library.file.read() as db:
        assert db.execute("SELECT count(*) FROM search_indexes").fetchone() == (1,)


def test_stop_words_count_only_when_alone(library: Library) -> None:
    with library.file.read() as db:
        assert query_terms(db, "What is the Governing-Law of it?") == ["govern", "law"]
        assert query_terms(db, "To be or not to be") == ["not"]
        assert query_terms(db, "who is it") == ["who", "is", "it"]
        assert query_terms(db, "") == []


def test_a_file_is_read_once(tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    from reportlab.pdfgen.canvas import Canvas

    path = tmp_path / "one.pdf"
    canvas = Canvas(str(path))
    for text in ("The laws of Ohio govern this Agreement.", "The second page is about cats."):
        canvas.drawString(72, 700, text)
        canvas.showPage()
    canvas.save()

    def words(text: str) -> int:
        return len(text.split())

    seen: list[tuple[int, int]] = []
    stored = index_file(library, path, words, tokenizer="w", progress=lambda a, b: seen.append((a, b)))
    assert seen and stored.page_count == 2
    part = index_file(library, path, words, tokenizer="w", pages=[1])
    assert part.page_count == 1 and part.id != stored.id
    found = Retriever(library).search("which law governs?", documents=[stored])
    assert "Ohio" in found[0].chunk.text and found[0].chunk.page_index_start == 0

    def never(*_: object, **__: object) -> None:
        raise AssertionError("read again")

    monkeypatch.setattr("longleaf.app.library.indexing.read_document", never)
    copy = tmp_path / "copy.pdf"
    copy.write_bytes(path.read_bytes())
    assert index_file(library, copy, words, tokenizer="w") == replace(stored, name="copy.pdf")
    other = index_file(library, copy, words, tokenizer="w", max_tokens=5)
    assert other.document_id == stored.document_id and other.chunk_count > stored.chunk_count
    assert index_file(library, path, words, tokenizer="w", pages=range(1, 2)).id == part.id
    odd = tmp_path / os.fsdecode(b"caf\xe9.pdf")
    odd.write_bytes(path.read_bytes())
    assert index_file(library, odd, words, tokenizer="w").name == "caf?.pdf"


def test_a_missing_file_is_an_ingest_error(tmp_path: Path, library: Library) -> None:
    with pytest.raises(IngestError, match=r"no\.pdf"):
        index_file(library, tmp_path / "no.pdf", len, tokenizer="w")
