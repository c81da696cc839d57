"""Key facts from end to end: on the sample agreements and report, and on real contracts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.search import memory_search
from longleaf.app.facts import classify, iter_key_facts, key_facts
from longleaf.app.schema import KeyFact
from longleaf.ingest import Document, make_chunks, read_document
from sample_docs import make
from tests.support.plain_documents import plain_document
from tests.support.real_models import EVAL

TRUTH: dict[str, Any] = json.loads((make.HERE / "truth.json").read_text(encoding="utf-8"))
ISO = {"March 3, 2025": "2025-03-03", "June 16, 2025": "2025-06-16"}


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    make.make(folder)
    return folder


def read(path: Path) -> tuple[Document, dict[str, KeyFact]]:
    document = read_document(path)
    chunks = make_chunks(document, lambda text: len(text) // 4 + 1)
    found = key_facts(document, chunks, memory_search(chunks), None, classify(document))
    pages = {page.page_index: page for page in document.pages}
    for fact in found:
        for c in fact.citations:
            assert pages[c.page_index].text[c.start : c.end] == c.quote and c.boxes
        assert (fact.status == "not_found") == (not fact.citations) == bool(fact.pages_searched)
    return document, {fact.name: fact for fact in found}


@pytest.mark.parametrize("name", ["supply_agreement_v1.pdf", "supply_agreement_v2.pdf"])
def test_every_fact_of_the_sample_agreement(samples: Path, name: str) -> None:
    document, found = read(samples / name)
    assert classify(document) == "contract"
    for fact, truth in TRUTH[name]["facts"].items():
        ours = found["agreement_date" if fact == "dates" else fact]
        wanted = [ISO.get(value, value) for value in truth["values"]]
        assert set(wanted) <= set(ours.values), fact
        assert truth["page_label"] in {c.page_label for c in ours.citations}, fact


def test_the_figures_of_the_sample_report(samples: Path) -> None:
    document, found = read(samples / "annual_report.pdf")
    assert classify(document) == "report"
    facts = TRUTH["annual_report.pdf"]["facts"]
    for name in ("revenue", "net_income", "cash"):
        assert found[name].values[0] == f"${facts[name]['values'][0]} thousand"
        assert {c.page_label for c in found[name].citations} <= set(facts[name]["page_labels"])
    assert found["eps"].values == ["$2.22", "$2.25"]
    assert facts["debt"]["values"][1] in found["debt"].values
    assert all(value in found["guidance"].text for value in facts["guidance"]["values"])


def test_what_a_document_does_not_say_is_not_found() -> None:
    document = plain_document(["A poem about the sea.", "", "And of ships."])
    facts = list(iter_key_facts(document, [], lambda query, k: [], None, "contract"))
    assert {fact.status for fact in facts} == {"not_found"}
    assert all(fact.pages_searched == [0, 2] and not fact.values for fact in facts)


def test_progress_counts_every_fact() -> None:
    seen: list[tuple[int, int]] = []
    document = plain_document(["Nothing."])
    facts = key_facts(
        document, [], lambda query, k: [], None, "report", lambda done, total: seen.append((done, total))
    )
    assert seen == [(i + 1, len(facts)) for i in range(len(facts))]


def test_an_empty_document_has_no_facts() -> None:
    facts = key_facts(plain_document([""]), [], lambda query, k: [], None, "contract")
    assert {fact.status for fact in facts} == {"not_found"}


def test_kinds_of_real_documents() -> None:
    files = sorted((EVAL / "contracts").glob("*.pdf"))[:6] + sorted((EVAL / "reports").glob("*EARNINGS.pdf"))
    if not files:
        pytest.skip(f"no documents in {EVAL}")
    kinds = {path.name: classify(read_document(path)) for path in files}
    assert all(kind == ("report" if "EARNINGS" in name else "contract") for name, kind in kinds.items())
