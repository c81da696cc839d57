"""Real contracts and filings: what their labels quote is in the text we read, on the right page.

The labels come from other extractors, so white space, punctuation and case do not count.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

from longleaf.ingest import Document, make_chunks, read_document
from tests.support.document_checks import check_chunks, check_document, is_body

EVAL = Path(__file__).resolve().parents[2] / ".." / "shared" / "eval"
pytestmark = pytest.mark.skipif(not EVAL.is_dir(), reason=f"no shared eval documents at {EVAL}")


def fold(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def words(text: str) -> int:
    return len(text.split())


def body_text(document: Document) -> str:
    return "".join(p.text[b.start : b.end] for p in document.pages for b in p.blocks if is_body(b.kind))


@pytest.mark.slow
def test_labelled_clauses_of_contracts_are_found() -> None:
    found = wanted = 0
    for row in map(json.loads, (EVAL / "contracts" / "labels.jsonl").open()):
        document = read_document(EVAL / "contracts" / row["file"])
        check_document(document)
        check_chunks(document, make_chunks(document, words, max_tokens=120), words, 120)
        assert not any(gap.kind in ("page_failed", "doubtful_text", "truncated") for gap in document.gaps)
        assert 1 < len(document.sections) < 10 * len(document.pages) + 20
        text = fold(body_text(document))
        for label in row["labels"]:
            for span in label["spans"]:
                wanted += 1
                found += all(fold(part) in text for part in span.split("<omitted>"))
    assert found / wanted > 0.985, f"{found} of {wanted} labelled spans"


@pytest.mark.slow
def test_evidence_of_filings_is_on_its_page() -> None:
    evidence: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for row in map(json.loads, (EVAL / "reports" / "questions.jsonl").open()):
        for item in row["evidence"]:
            evidence[item["file"]].append((item["page_index"], item["text"]))
    found = wanted = 0
    for file, items in evidence.items():
        document = read_document(EVAL / "reports" / file, pages={page for page, _ in items})
        check_document(document)
        pages = {page.page_index: fold(page.text) for page in document.pages}
        for page_index, text in items:
            parts = [fold(line) for line in text.split("\n")]
            wanted += sum(map(bool, parts))
            found += sum(bool(part) and part in pages[page_index] for part in parts)
    assert found / wanted > 0.995, f"{found} of {wanted} lines of evidence"
