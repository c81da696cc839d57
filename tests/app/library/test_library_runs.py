"""Briefs and answers kept in the Library are shown again for an equal run only."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from longleaf.app.library.database import LibraryError
from longleaf.app.library.documents import Library
from longleaf.app.library.runs import Run, save_run, saved_output, saved_runs
from longleaf.app.schema import Answer, Brief, Citation, KeyFact, Statement, Usage, Verification
from tests.support.plain_documents import plain_document

USAGE = Usage(
    model="m",
    prompt_tokens=1,
    reused_tokens=0,
    generated_tokens=1,
    seconds_to_first_token=0.25,
    seconds=0.5,
)
CITATION = Citation(
    file="a.pdf", page_label="iv", page_index=3, quote="“Łódź”", start=1, end=7, boxes=[(0, 0.1, 2, 3)]
)


def statement(text: str) -> Statement:
    return Statement(text=text, status="quoted", citations=[CITATION])


def answer(text: str) -> Answer:
    return Answer(
        question="Why?",
        files=["a.pdf"],
        gaps=[],
        answer=statement(text),
        verification=Verification(checked=1, replaced=0),
        usage=USAGE,
    )


def brief(sha256: str) -> Brief:
    fact = KeyFact(
        name="term", title="Term", text="Three years", status="generated", citations=[CITATION] * 2
    )
    return Brief(
        file="a.pdf",
        sha256=sha256,
        kind="contract",
        page_count=1,
        gaps=[],
        key_facts=[fact],
        overview=[statement("x")],
        sections=[],
        verification=Verification(checked=1, replaced=0),
        usage=USAGE,
    )


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library.db")


def stored_hash(library: Library, text: str) -> str:
    return library.add(plain_document([text]), [], parser="p", chunking="c").sha256


def test_an_output_is_found_again_for_an_equal_run_only(library: Library) -> None:
    sha256 = stored_hash(library, "one")
    run = Run("answer", (sha256,), "smollm2", "0.1.0", "Why?", {"max_tokens": 96, "pages": None})
    assert saved_output(library, run) is None
    save_run(library, run, answer("first"))
    save_run(library, run, answer("second"))
    equal = replace(run, settings={"pages": None, "max_tokens": 96})
    assert saved_output(Library(library.path), equal) == answer("second")
    for other in (
        replace(run, question="Who?"),
        replace(run, model="gemma"),
        replace(run, code_version="0.2.0"),
        replace(run, settings={"max_tokens": 97, "pages": None}),
        replace(run, documents=(sha256, sha256)),
        replace(run, kind="brief"),
    ):
        assert saved_output(library, other) is None
    assert saved_runs(library) == [run]


def test_a_brief_keeps_its_citations_as_rows_and_goes_with_its_document(library: Library) -> None:
    one, two = stored_hash(library, "one"), stored_hash(library, "two")
    run = Run("brief", (one,), "m", "0.1.0")
    both = Run("answer", (two, one), "m", "0.1.0", "Why?")
    save_run(library, run, brief(one))
    save_run(library, both, answer("x"))
    assert saved_output(library, run) == brief(one)
    assert saved_runs(library, one) == [both, run]
    assert saved_runs(library, two) == [both]
    with sqlite3.connect(library.path) as db:
        assert db.execute("SELECT DISTINCT page_index, quote FROM citations").fetchall() == [(3, "“Łódź”")]
        assert db.execute("SELECT count(*) FROM citations").fetchone() == (4,)
    library.remove(two)
    assert saved_runs(library) == [run]
    library.remove(one)
    with sqlite3.connect(library.path) as db:
        for table in ("runs", "answers", "citations", "run_documents"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


def test_an_answer_on_a_removed_document_is_not_kept(library: Library) -> None:
    with pytest.raises(LibraryError, match="not in the library"):
        save_run(library, Run("brief", ("0" * 64,), "m", "0"), brief("0" * 64))
    assert saved_runs(library) == []


def test_an_output_of_another_schema_counts_as_not_kept(library: Library) -> None:
    run = Run("brief", (stored_hash(library, "one"),), "m", "0.1.0")
    save_run(library, run, brief(run.documents[0]))
    with sqlite3.connect(library.path) as db:
        db.execute("UPDATE answers SET output = json_remove(output, '$.kind')")
    assert saved_output(library, run) is None
