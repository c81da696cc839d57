"""`longleaf chat`, `ask -o` and `ask --questions`, with the real models on the sample agreement."""

from __future__ import annotations

import json
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner, Result

from longleaf.app.cli.command import cli

TEXT = """Supply Agreement

This Supply Agreement is made as of March 1, 2021 between Quillon Works, Inc. ("Supplier") and Tamber Mills
LLC ("Buyer").

1. Term. This Agreement begins on March 1, 2021 and ends on February 28, 2024.

2. Payment. Buyer shall pay each invoice within thirty (30) days after receipt.

3. Governing law. This Agreement is governed by the laws of the State of Ohio.
"""


@pytest.fixture
def contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LONGLEAF_LIBRARY", str(tmp_path / "library.db"))
    path = tmp_path / "supply.txt"
    path.write_text(TEXT)
    return path


def run(*arguments: str | Path, said: str = "") -> Result:
    return CliRunner().invoke(cli, list(map(str, arguments)), input=said, catch_exceptions=True)


def test_a_thread_goes_on_without_naming_its_files(contract: Path, tmp_path: Path) -> None:
    first = run("chat", contract, "--thread", "deal", "--json", said="Which law governs the agreement?\n")
    assert first.exit_code == 0, first.output
    turns = json.loads(first.stdout)["turns"]
    assert [turn["question"] for turn in turns] == ["Which law governs the agreement?"]
    assert "Ohio" in turns[0]["answer"]["answer"]["text"]

    out = tmp_path / "deal.md"
    second = run("chat", "--thread", "deal", "-o", out, "--json", said="And the payment terms?\n")
    assert second.exit_code == 0, second.output
    turns = json.loads(second.stdout)["turns"]
    assert len(turns) == 2 and turns[1]["understood"] != turns[1]["question"]
    assert "thirty (30) days" in turns[1]["answer"]["answer"]["text"]
    assert "Ohio" in out.read_text() and "thirty" in out.read_text()
    assert "deal" in run("chat", "--list").stdout


def test_an_unknown_thread_and_a_thread_of_other_files_are_refused(contract: Path, tmp_path: Path) -> None:
    assert run("chat", "--thread", "none").exit_code == 2
    run("chat", contract, "--thread", "deal", said="Which law governs the agreement?\n")
    other = tmp_path / "other.txt"
    other.write_text(TEXT.replace("Ohio", "Utah"))
    refused = run("chat", other, "--thread", "deal", said="Which law governs?\n")
    assert refused.exit_code != 0 and "is about" in str(refused.exception)


def test_questions_of_a_file_are_asked_of_each_document(contract: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text(TEXT.replace("Ohio", "Utah"))
    questions = tmp_path / "questions.txt"
    questions.write_text("# law\nWhich law governs the agreement?\n\nWhen does the agreement end?\n")
    table = tmp_path / "answers.xlsx"
    done = run("ask", contract, other, "--questions", questions, "-o", table)
    assert done.exit_code == 0, done.output
    rows = list(openpyxl.load_workbook(table).active.iter_rows(values_only=True))
    assert len(rows) == 5 and rows[0][:4] == ("File", "Question", "Answer", "Status")
    assert "Ohio" in str(rows[1][2]) and "Utah" in str(rows[3][2])


def test_one_answer_is_written_to_a_file(contract: Path, tmp_path: Path) -> None:
    out = tmp_path / "answer.md"
    assert run("ask", contract, "Which law governs the agreement?", "-o", out).exit_code == 0
    assert "Ohio" in out.read_text()
    assert run("ask", contract, "Which law governs?", "-o", tmp_path / "a.xlsx").exit_code == 2
    assert run("ask", contract, "Which law governs?", "-o", contract).exit_code == 2
