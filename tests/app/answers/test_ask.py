from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench.search import memory_search
from longleaf.app.answers import ask as ask_module
from longleaf.app.answers.ask import ask
from longleaf.app.answers.fact_questions import asked_fact, fact_asked_for, known_fact
from longleaf.app.retrieval.document_routing import documents_named, without_file_names
from longleaf.app.schema import Answer, KeyFact, Kind
from longleaf.engine.embedding.embedder import Embedder
from longleaf.engine.engine import Engine
from longleaf.ingest import Chunk, Document, make_chunks, read_document
from sample_docs import report
from sample_docs.make import build_agreement
from tests.support.plain_documents import plain_document
from tests.support.real_models import real_model


@dataclass(frozen=True)
class Hit:
    chunk: Chunk
    document: Document
    score: float


def searcher(documents: Sequence[Document], engine: Engine) -> Callable[[str, int], list[Hit]]:
    """One BM25 over the chunks of all the documents."""
    chunks = [
        (document, chunk) for document in documents for chunk in make_chunks(document, engine.tokenizer.count)
    ]
    owners = {id(chunk): document for document, chunk in chunks}
    search = memory_search([chunk for _, chunk in chunks])
    return lambda query, k: [Hit(found.chunk, owners[id(found.chunk)], 1.0) for found in search(query, k)]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(real_model("smollm2-135m-instruct"))


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return Embedder(real_model("minilm-l6-v2-int8"))


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> list[Document]:
    folder = tmp_path_factory.mktemp("samples")
    paths = [build_agreement("supply_agreement_v1", folder), report.build(folder / "annual_report.pdf")]
    return [read_document(Path(path)) for path in paths]


@pytest.fixture(scope="module")
def put(
    documents: list[Document], engine: Engine, embedder: Embedder
) -> Callable[[str, list[Document]], Answer]:
    return lambda question, among: ask(
        among, question, searcher(among, engine), engine.name, lambda: engine, embed=embedder.embed
    )


@pytest.mark.parametrize(
    ("question", "words", "label"),
    [
        ("Which law governs this agreement?", "State of Delaware", "6"),
        ("What is the cap on liability?", "$5,000,000", "5"),
        ("How long is the initial term?", "five (5) years", "2"),
        ("What is the minimum purchase commitment?", "$4,800,000", "2"),
        ("How much notice is needed to prevent renewal?", "ninety (90) days", "2"),
        ("Who are the parties?", "Northmoor Packaging, Inc.", "1"),
    ],
)
def test_a_question_is_answered_with_the_words_of_the_right_page(
    question: str, words: str, label: str, documents: list[Document], put: Callable[..., Answer]
) -> None:
    answer = put(question, documents[:1]).answer
    assert answer.status != "not_found"
    assert words in answer.text
    assert label in {citation.page_label for citation in answer.citations}
    for citation in answer.citations:
        page = documents[0].pages[citation.page_index]
        assert page.text[citation.start : citation.end] == citation.quote


@pytest.mark.parametrize(
    "question", ["Who won the football world cup?", "Must source code be put in escrow?"]
)
def test_what_is_not_there_is_not_answered(
    question: str, documents: list[Document], put: Callable[..., Answer]
) -> None:
    answer = put(question, documents[:1]).answer
    assert answer.status == "not_found"
    assert answer.citations == []
    assert answer.text.startswith("Not found in the document.") and "pages 1–7, A-1, B-1, C-1" in answer.text
    assert answer.pages_searched == list(range(10))


def test_usage_counts_what_the_model_read(documents: list[Document], put: Callable[..., Answer]) -> None:
    answer = put("When may a party terminate, and when does the agreement end?", documents[:1])
    assert answer.usage.model == "smollm2-135m-instruct"
    assert answer.usage.seconds > 0
    assert (answer.usage.prompt_tokens > 0) == (answer.usage.seconds_to_first_token is not None)


def test_the_file_named_in_the_question_answers(
    documents: list[Document], put: Callable[..., Answer]
) -> None:
    contract = documents[0]
    about_contract = put("What is Kestrel Bay Polymers' cap on liability?", documents).answer
    assert {citation.file for citation in about_contract.citations} == {contract.name}


def test_documents_are_told_apart_by_the_names_and_years_in_the_question() -> None:
    acme = plain_document(["Acme Industries Inc. annual report 2021"], "ACME_2021_10K.pdf")
    acme_later = plain_document(["Acme Industries Inc. annual report 2022"], "ACME_2022_10K.pdf")
    bolt = plain_document(["Bolt & Nut Corporation (NYSE: BNC)"], "bnc-release.pdf")
    every = [acme, acme_later, bolt]
    assert documents_named("What was Acme's revenue in FY2022?", every) == [acme_later]
    assert documents_named("What was BNC's net income?", every) == [bolt]
    assert documents_named("How did Bolt do?", every) == [bolt]
    assert documents_named("What does Acme sell?", every) == [acme, acme_later]
    assert documents_named("What was the revenue?", every) == every
    assert documents_named("What was Zenith's revenue?", every) == every
    assert documents_named("anything", [bolt]) == [bolt]
    assert documents_named("Acme's FY22 margin", every) == [acme_later]
    initials = plain_document(["sales"], "bolt_nut.pdf")
    assert documents_named("B&N's sales", [acme, initials]) == [initials]


CHARTER = "(Exact name of registrant as specified in its charter)"


def test_a_company_is_named_by_its_symbol_and_its_filing_by_the_end_of_its_period() -> None:
    report = plain_document(
        [f"For the fiscal year ended June 30, 2022\nAcme Industries Inc.\n{CHARTER}"], "a_2022_10K.pdf"
    )
    quarter = plain_document(
        [
            "For the quarterly period ended December 31, 2022\nThe Acme Industries Company\n"
            f"{CHARTER}\nCommon Stock ACMI The New York Stock Exchange"
        ],
        "b_2023Q2_10Q.pdf",
    )
    other = plain_document(["Bolt & Nut Corporation. Packaging of December 2022."], "c_2023.pdf")
    every = [report, quarter, other]
    assert documents_named("What were sales of ACMI?", every) == [report, quarter]
    assert documents_named("ACMI revenue in fiscal 2022", every) == [report]
    assert documents_named("Acme's inventory at December 31, 2022", every) == [quarter]
    assert documents_named("Acme's Packaging sales, quarter ended December 31, 2022", every) == [quarter]


def test_words_that_merely_stand_on_a_first_page_rule_out_no_document() -> None:
    agreement = plain_document(["A company may set off what it owes its employees"], "supply.pdf")
    report = plain_document(["To our shareholders"], "acme.pdf")
    assert documents_named("how many employees does the company have?", [agreement, report]) == [
        agreement,
        report,
    ]
    assert documents_named("what does acme owe?", [agreement, report]) == [report]


def test_a_key_fact_of_the_only_document_that_has_it_answers_among_several(
    documents: list[Document], put: Callable[..., Answer]
) -> None:
    answer = put("What was the net income of the company in the last fiscal year?", documents).answer
    assert "140,264" in answer.text
    assert {citation.file for citation in answer.citations} == {documents[1].name}


def test_a_key_fact_that_several_documents_have_is_told_of_each(
    documents: list[Document], put: Callable[..., Answer]
) -> None:
    lease = plain_document(
        [
            "LEASE AGREEMENT between Alder Homes LLC and Birch Stores Inc. "
            "Governing Law. This Agreement is governed by the laws of the State of Oregon."
        ],
        "lease.pdf",
    )
    answer = put("Which law governs the agreement?", [documents[0], lease]).answer
    assert answer.status == "quoted"
    assert {citation.file for citation in answer.citations} == {documents[0].name, "lease.pdf"}
    assert "Delaware" in answer.text and "Oregon" in answer.text


@pytest.mark.parametrize(
    "question", ["Which law governs the agreement?", "How many invoices are paid in a year of the lease?"]
)
def test_the_files_that_lack_the_fact_are_named(put: Callable[..., Answer], question: str) -> None:
    lease = plain_document(
        [
            "LEASE AGREEMENT between Alder Homes LLC and Birch Stores Inc. In each year of the lease twelve "
            "invoices are paid. Governing Law. This Agreement is governed by the laws of the State of Oregon."
        ],
        "alder.pdf",
    )
    recipe = plain_document(["Beat four eggs with sugar. Bake the dough until it is brown."], "recipe.pdf")
    answer = put(question, [lease, recipe])
    assert {citation.file for citation in answer.answer.citations} == {"alder.pdf"}
    assert answer.not_found_in == ["recipe.pdf"]
    assert put(question, [recipe]).not_found_in == ["recipe.pdf"]
    assert put(question, [lease]).not_found_in == []


def test_the_name_of_the_file_is_no_part_of_what_is_asked() -> None:
    acme = [plain_document(["x"], "ACME_2022Q1_REPORT.pdf")]
    assert without_file_names("What was Acme's net revenue?", acme) == "What was net revenue?"
    assert without_file_names("What does the report say?", acme) == "What does the report say?"
    assert without_file_names("Acme?", acme) == "Acme?"


@pytest.mark.parametrize(
    ("kind", "question", "fact"),
    [
        ("contract", "Which law governs this agreement?", "governing_law"),
        ("contract", "Who are the parties?", "parties"),
        ("contract", "Can it be terminated without cause?", "termination_for_convenience"),
        ("contract", "Who pays if the parties disagree?", None),
        ("contract", "What are the payment terms?", "payment"),
        ("contract", "How quickly must Buyer pay an invoice?", "payment"),
        ("contract", "When must Buyer pay the signing bonus?", None),
        ("report", "What was Acme's total revenue in FY2022?", "revenue"),
        ("report", "What was the net income?", "net_income"),
        ("report", "What was the revenue of the bottling segment?", None),
        ("report", "How much did net sales grow?", None),
    ],
)
def test_plain_questions_for_a_key_fact_are_known(kind: Kind, question: str, fact: str | None) -> None:
    assert fact_asked_for(question, kind) == fact


def test_a_figure_of_another_year_is_not_answered_with_the_reports_own(
    documents: list[Document], engine: Engine
) -> None:
    annual_report = documents[1]
    search = searcher([annual_report], engine)

    def known(question: str) -> KeyFact | None:
        asked = asked_fact(question, annual_report)
        assert asked is not None and asked.name == "revenue"
        return known_fact(question, asked, search)

    own = known("What was the total revenue?")
    assert own is not None and own.status != "not_found"
    assert known("What was the total revenue in 1987?") is None


def test_a_key_fact_is_told_without_opening_the_model(documents: list[Document], engine: Engine) -> None:
    def opened() -> Engine:
        raise AssertionError("no model is needed")

    search = searcher(documents[:1], engine)
    answer = ask(documents[:1], "Which law governs this agreement?", search, engine.name, opened)
    assert answer.answer.status == "quoted" and answer.usage.prompt_tokens == 0
    assert answer.usage.model == engine.name


def test_gaps_of_every_document_are_in_the_answer(
    documents: list[Document], put: Callable[..., Answer]
) -> None:
    answer = put("Which law governs this agreement?", documents)
    assert answer.files == [document.name for document in documents]
    assert len(answer.gaps) == sum(len(document.gaps) for document in documents)


def test_in_doubt_an_answer_is_passages_that_may_answer(
    documents: list[Document], put: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "What interest does a late payer owe?"
    sure = put(question, documents[:1])
    assert sure.answer.status == "quoted" and sure.passages == []
    assert "interest" in sure.answer.text
    monkeypatch.setattr(ask_module, "SURE", math.inf)
    doubtful = put(question, documents[:1])
    assert doubtful.answer.status == "passage" and doubtful.pieces == []
    assert {passage.status for passage in doubtful.passages} == {"passage"}
    assert all(passage.text in doubtful.answer.text for passage in doubtful.passages)


def test_what_is_near_is_shown_beside_not_found(
    documents: list[Document], put: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask_module, "MAY", math.inf)
    answer = put("What interest does a late payer owe?", documents[:1])
    assert answer.answer.status == "not_found" and answer.answer.citations == []
    assert any("interest" in passage.text for passage in answer.passages)
    assert answer.not_found_in == [documents[0].name]
