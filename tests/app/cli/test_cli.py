"""The command line as people call it: output, exit codes, errors."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import openpyxl
import pytest
from openpyxl.comments import Comment

from longleaf import LongleafError
from longleaf.app.cli.documents import check_asked, check_free
from longleaf.app.schema import RANKED_CHUNKS, Answer, Brief, PagesOutput
from sample_docs import make, other_formats
from tests.support.pdf_maker import raw_pdf
from tests.support.real_models import GOLDENS, real_model

MODELS = {"gemma3": "gemma-3-270m", "SmolLM2": "smollm2-135m-instruct"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cli")


@pytest.fixture(scope="module")
def samples(home: Path) -> Path:
    make.make(home)
    return home


def longleaf(home: Path, *arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", "from longleaf.app.cli import main; main()", *map(str, arguments)]
    environment = os.environ | {"LONGLEAF_LIBRARY": str(home / "library.db"), "LONGLEAF_OFFLINE": "1"}
    return subprocess.run(
        command, input=stdin, capture_output=True, env=environment, timeout=300, check=False
    )


def plain(result: subprocess.CompletedProcess[bytes]) -> Any:
    assert result.returncode == 0, result.stderr.decode()
    return json.loads(result.stdout)


@pytest.mark.skipif(not GOLDENS.is_dir(), reason="../shared/goldens is not here")
@pytest.mark.parametrize("golden", ["mixed", "contract_a"])
@pytest.mark.parametrize("prefix", MODELS)
def test_tokenize_prints_the_ids_of_llama_cpp(home: Path, prefix: str, golden: str) -> None:
    model = real_model(MODELS[prefix]).path
    for kind, option in (("special", []), ("plain", ["--no-special"])):
        want = json.loads((GOLDENS / f"{prefix}.{golden}.{kind}.ids.json").read_text())
        assert (
            plain(longleaf(home, "tokenize", "-m", model, "--file", GOLDENS / f"{golden}.txt", *option))
            == want
        )


def test_generate_and_perplexity_print_json(home: Path, tmp_path: Path) -> None:
    model = real_model(MODELS["SmolLM2"]).path
    result = plain(
        longleaf(home, "generate", "-m", model, "-p", "The capital of France is", "-n", "4", "--json")
    )
    assert " Paris" in result["text"]
    assert len(result["ids"]) == result["usage"]["generated_tokens"] <= 4
    text = tmp_path / "text.txt"
    text.write_text("The parties agree that this agreement is governed by the laws of Delaware. " * 12)
    figures = plain(longleaf(home, "perplexity", "-m", model, "--ctx", "64", text))
    assert set(figures) == {"perplexity", "tokens", "seconds"}
    assert 1 < figures["perplexity"] < 50
    assert figures["tokens"] % 31 == 0


def test_generate_takes_a_document_that_is_longer_than_the_context(home: Path, tmp_path: Path) -> None:
    model = real_model(MODELS["SmolLM2"]).path
    lease = tmp_path / "lease.md"
    lease.write_text("".join(f"# {n}. Duties\n\n" + "The tenant pays rent.\n\n" * 30 for n in range(1, 5)))
    given = ("-m", model, "--document", lease, "-p", "Who pays?", "-n", "4", "-c", "512", "-sys", "Read.")
    result = plain(longleaf(home, "generate", *given, "--json"))
    assert result["file"].endswith("lease.md")
    assert len(result["parts"]) > 1
    assert all(part["usage"]["reused_tokens"] > 20 for part in result["parts"])
    assert result["parts"][0]["page_index_start"] == 0


def test_bench_has_a_row_for_every_point(home: Path) -> None:
    model = real_model(MODELS["SmolLM2"]).path
    rows = plain(
        longleaf(home, "bench", "-m", model, "-p", "16,96", "-n", 3, "-d", "0,70", "-r", 2, "--json")
    )
    points = [(row["depth"], row["prompt_tokens"], row["generated_tokens"]) for row in rows]
    assert points == [(depth, *point) for depth in (0, 70) for point in ((16, 0), (96, 0), (0, 3))]
    for row in rows:
        tokens = row["prompt_tokens"] or row["generated_tokens"]
        assert row["tokens_per_second"] == pytest.approx(tokens / row["seconds"])
        assert 0 < row["seconds_min"] <= row["seconds"] <= row["seconds_max"]
        assert row["runs"] == 2
        assert 0 < row["roofline_share"] < 3  # decode may be read from a cache faster than memory
        assert row["peak_rss_bytes"] > Path(model).stat().st_size / 2
        assert row["isa"] and row["threads"] >= 1
    assert longleaf(home, "bench", "-m", model, "-p", "0", "-n", "0").returncode == 2
    assert longleaf(home, "bench", "-m", model, "-p", "12,x").returncode == 2


def test_a_brief_can_be_checked_against_the_pages(home: Path, samples: Path) -> None:
    real_model(MODELS["gemma3"])
    file = samples / "supply_agreement_v1.pdf"
    brief = Brief.model_validate(plain(longleaf(home, "summarize", "--json", file)))
    pages = PagesOutput.model_validate(plain(longleaf(home, "pages", "--json", file)))
    texts = {page.page_index: page for page in pages.pages}
    statements = [*brief.key_facts, *brief.overview, *(s for part in brief.sections for s in part.statements)]
    assert brief.kind == "contract"
    assert len(statements) > 20
    for statement in statements:
        assert bool(statement.citations) == (statement.status != "not_found")
        for citation in statement.citations:
            page = texts[citation.page_index]
            assert citation.file == str(file)
            assert citation.page_label == page.page_label
            assert citation.quote == page.text[citation.start : citation.end] != ""
            assert citation.boxes
            assert all(0 <= x0 < x1 <= page.width for x0, _, x1, _ in citation.boxes)
    readable = longleaf(home, "summarize", file)
    assert readable.returncode == 0
    assert "Key facts" in readable.stdout.decode()
    assert all(fact.title in readable.stdout.decode() for fact in brief.key_facts)


def test_ask_answers_from_the_right_file(home: Path, samples: Path) -> None:
    real_model(MODELS["gemma3"])
    files = [samples / name for name in ("annual_report.pdf", "supply_agreement_v1.pdf")]
    answer = Answer.model_validate(
        plain(longleaf(home, "ask", "--json", *files, "What is the liability cap?"))
    ).answer
    assert answer.status != "not_found"
    assert {citation.file for citation in answer.citations} == {str(files[1])}
    assert "5,000,000" in answer.text


def test_search_ranks_the_passages_of_files_and_folders(home: Path, samples: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    agreement = Path(shutil.copy(samples / "supply_agreement_v1.pdf", folder / "deep"))
    report = samples / "annual_report.pdf"
    result = plain(longleaf(home, "search", folder, report, "Is liability capped?", "-k", "3", "--json"))
    found = RANKED_CHUNKS.validate_python(result)
    assert len(found) == 3
    assert (found[0].file, found[0].page_index_start, found[0].page_index_end) == (str(agreement), 4, 4)
    assert "Limitation of Liability" in found[0].headings[-1]
    assert "$5,000,000" in found[0].text
    assert [chunk.score for chunk in found] == sorted((chunk.score for chunk in found), reverse=True)
    only = plain(longleaf(home, "search", report, "Is liability capped?", "--pages", "30-", "--json"))
    assert {chunk["file"] for chunk in only} == {str(report)}
    assert all(chunk["page_index_start"] > 20 for chunk in only)
    shown = longleaf(home, "search", agreement, report, "Is liability capped?")
    assert shown.returncode == 0
    assert b"Limitation of" in shown.stdout
    assert plain(longleaf(home, "search", agreement, "zyzzyva", "--json", "-k", "1")) != []  # by meaning
    partly = longleaf(home, "search", agreement, tmp_path / "missing.pdf", "law", "--json")
    assert partly.returncode == 1
    assert json.loads(partly.stdout)
    assert b"missing.pdf" in partly.stderr
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    assert longleaf(home, "search", nothing, "law").returncode == 1


def test_a_folder_is_read_or_named_whole(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "deal"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "terms").write_text("The rent is 900 euros a month.\n")
    (folder / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    (folder / "gone.pdf").symlink_to("nowhere")
    (folder / ".draft.txt").write_text("hidden")
    for command in (("pages",), ("search", "--json", "rent")):
        result = longleaf(home, command[0], folder, *command[1:])
        assert result.returncode == 1 and b"900 euros" in result.stdout
        named = result.stderr.decode()
        assert "old.doc: is of an old" in named and "gone.pdf: is a link to a file that is not" in named
        assert ".draft.txt: passed over: hidden" in named


def test_an_output_is_never_written_over_an_input(home: Path, tmp_path: Path) -> None:
    contract = tmp_path / "contract.md"
    contract.write_text("# Lease\n\nThe rent is 900 euros a month.\n")
    link, other = tmp_path / "link.md", tmp_path / "hard.md"
    link.symlink_to(contract)
    other.hardlink_to(contract)
    before = contract.read_bytes()
    for output in (contract, link, other, tmp_path / "." / "contract.md"):
        result = longleaf(home, "summarize", "-o", output, contract)
        assert result.returncode == 2 and b"is the file to be read" in result.stderr
        assert contract.read_bytes() == before


@pytest.mark.parametrize("after", [0.08, 0.2, 0.6])
def test_an_interrupt_ends_cleanly_from_the_first_moment(home: Path, samples: Path, after: float) -> None:
    command = [sys.executable, "-c", "from longleaf.app.cli import main; main()", "pages"]
    process = subprocess.Popen(
        [*command, *[samples / "annual_report.pdf"] * 40],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        process.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"interrupted" in said and b"Traceback" not in said


def test_pages_selects_by_label_and_names_what_is_wrong(home: Path, samples: Path) -> None:
    file = samples / "annual_report.pdf"
    chosen = plain(longleaf(home, "pages", "--json", "--pages", "ii,1-2", file))
    assert [page["page_label"] for page in chosen["pages"]] == ["ii", "1", "2"]
    wrong = longleaf(home, "pages", "--json", "--pages", "9999", file)
    assert wrong.returncode != 0
    assert b"9999" in wrong.stderr


def test_a_page_that_cannot_be_read_is_named(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "one.pdf"
    lost = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", "(no page)"]
    file.write_bytes(raw_pdf(lost))
    result = longleaf(home, "pages", file)
    assert result.returncode == 1
    assert b"one.pdf: the page cannot be loaded" in result.stderr
    assert b"no page of it could be read" in result.stderr
    brief = longleaf(home, "summarize", file)
    assert brief.returncode == 1 and not brief.stdout
    assert b"no page of it could be read (page 1: the page cannot be loaded" in brief.stderr


def test_what_a_gap_quotes_of_a_file_steers_no_terminal(home: Path, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active["A1"] = "Rent"
    book.active["A1"].comment = Comment("wiped \u009b2J", "Jane")
    book.save(tmp_path / "rents.xlsx")
    said = longleaf(home, "pages", tmp_path / "rents.xlsx").stderr.decode()
    assert "A1: wiped ?2J" in said and "\u009b" not in said


def test_documents_of_every_format_can_be_asked(home: Path, tmp_path: Path) -> None:
    real_model(MODELS["gemma3"])
    for name, data in other_formats.files().items():
        (tmp_path / name).write_bytes(data)
    listed = longleaf(home, "pages", "--json", tmp_path / "deal_room.zip")
    assert listed.returncode == 1 and b"deal_room.zip/logo.png: is a picture" in listed.stderr
    outputs = [PagesOutput.model_validate(one) for one in json.loads(listed.stdout)]
    assert [o.file.split("deal_room.zip/")[1] for o in outputs][:3] == [
        "lease/lease.docx", "lease/ledger.xlsx", "board/minutes.html",
    ]  # fmt: skip
    assert {a.kind for a in outputs[0].annotations} == {"insertion", "deletion", "comment"}
    question = "Which law governs the lease?"
    answer = Answer.model_validate(
        json.loads(longleaf(home, "ask", "--json", tmp_path / "deal_room.zip", question).stdout)
    )
    (citation,) = answer.answer.citations[:1]
    assert "Oregon" in answer.answer.text
    assert citation.file.endswith("lease.docx") and citation.page_label == "¶ 1–14" and citation.boxes
    brief = Brief.model_validate(plain(longleaf(home, "summarize", "--json", tmp_path / "lease.docx")))
    law = next(fact for fact in brief.key_facts if fact.name == "governing_law")
    assert "Oregon" in " ".join(law.values) and law.citations[0].page_label == "¶ 1–14"
    assert brief.gaps[0].kind == "changes"


def test_names_that_are_no_text_or_steer_the_terminal_are_shown_plainly(home: Path, samples: Path) -> None:
    file = samples / os.fsdecode(b"odd\xff\x1b[31m.pdf")
    shutil.copy(samples / "supply_agreement_v1.pdf", file)
    answer = Answer.model_validate(plain(longleaf(home, "ask", "--json", file, "Which \udcff law governs?")))
    assert answer.files == [str(samples / "odd??[31m.pdf")]
    assert answer.question == "Which ? law governs?"
    assert plain(longleaf(home, "pages", "--json", file))["file"] == answer.files[0]
    missing = longleaf(home, "pages", samples / "no\x1b[31m.pdf")
    assert missing.returncode == 1
    assert b"\x1b" not in missing.stderr


def test_a_reader_that_goes_away_is_no_error(home: Path, samples: Path) -> None:
    command = [sys.executable, "-c", "from longleaf.app.cli import main; main()"]
    for tail in (["pages", samples / "annual_report.pdf"], ["schema"]):
        with subprocess.Popen([*command, *tail], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout and process.stderr
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait(120) == 0


def test_a_full_disk_is_said(home: Path) -> None:
    command = [sys.executable, "-c", "from longleaf.app.cli import main; main()", "schema"]
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=120, check=False)
    assert result.returncode == 1
    assert result.stderr.startswith(b"error: no space is left")


def test_one_bad_file_does_not_stop_the_others(home: Path, samples: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.pdf"
    empty.touch()
    good = samples / "supply_agreement_v1.pdf"
    result = longleaf(home, "pages", "--json", empty, good, tmp_path / "missing.pdf")
    assert result.returncode == 1
    assert [pages["file"] for pages in json.loads(result.stdout)] == [str(good)]
    errors = result.stderr.decode()
    assert "empty.pdf" in errors
    assert "missing.pdf" in errors


@pytest.mark.parametrize(
    "arguments",
    [
        ["summarize"],
        ["ask", "a.pdf", "  "],
        ["ask", "a.pdf"],
        ["search", "a.pdf", "  "],
        ["search", "a.pdf"],
        ["search", "a.pdf", "law", "-k", "0"],
        ["tokenize"],
        ["no-such-command"],
        ["generate", "-p", "a", "-n", "0"],
        ["generate", "-p", "a", "-c", "99999999999999999999"],
        ["generate", "--document", "a.pdf"],
        ["generate", "-p", "a", "-sys", "b"],
        ["models", "pull"],
        ["schema", "poem"],
        ["summarize", "a.pdf", "-o", "a.txt"],
    ],
)
def test_wrong_use_is_2(home: Path, arguments: list[str]) -> None:
    result = longleaf(home, *arguments)
    assert result.returncode == 2, result.stderr.decode()
    assert b"Traceback" not in result.stderr


def test_a_question_that_was_left_out_is_asked_for(tmp_path: Path) -> None:
    first, second = tmp_path / "a.pdf", tmp_path / "b.pdf"
    second.touch()
    with pytest.raises(click.UsageError, match=r"QUESTION is missing.*b\.pdf is a file"):
        check_asked([first], str(second), "QUESTION")
    with pytest.raises(click.UsageError, match="no FILE is given"):
        check_asked([], "Which law governs?", "QUESTION")
    check_asked([first], "Which law governs? " * 500, "QUESTION")


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(LongleafError, match=rf"port {port} of 127\.0\.0\.1 .*--port"):
            check_free("127.0.0.1", port)
    check_free("127.0.0.1", port)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["tokenize", "-m", "no-such-model", "-p", "a"], "gemma-3-270m"),
        (["tokenize", "-m", "./no-such.gguf", "-p", "a"], "no-such.gguf"),
        (["tokenize", "--file", "no-such.txt"], "no-such.txt"),
        (["models", "show", "gema-3-270m"], "gemma-3-270m"),
        (["library", "rm", "0123456789"], "0123456789"),
    ],
)
def test_failures_are_1_and_name_what_failed(home: Path, arguments: list[str], named: str) -> None:
    result = longleaf(home, *arguments)
    assert result.returncode == 1
    assert named in result.stderr.decode()
    assert b"Traceback" not in result.stderr


def test_the_library_lists_and_removes(home: Path, samples: Path) -> None:
    file = samples / "supply_agreement_v2.pdf"
    real_model(MODELS["gemma3"])
    plain(longleaf(home, "ask", "--json", file, "Who are the parties?"))
    listed = plain(longleaf(home, "library", "list", "--json"))
    entry = next(each for each in listed if each["name"] == str(file))
    assert longleaf(home, "library", "rm", entry["sha256"][:10]).returncode == 0
    assert entry["sha256"] not in {
        each["sha256"] for each in plain(longleaf(home, "library", "list", "--json"))
    }


def test_schemas_and_models_are_json(home: Path) -> None:
    assert "key_facts" in plain(longleaf(home, "schema"))["properties"]
    assert "answer" in plain(longleaf(home, "schema", "answer"))["properties"]
    names = {model["name"] for model in plain(longleaf(home, "models", "list", "--json"))}
    assert names >= set(MODELS.values())
