"""Folders in one run: every file accounted for once, whatever ends the run and however often."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import zipfile
from datetime import date
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner, Result

from longleaf.app.batch.options import BatchError, parse_do
from longleaf.app.batch.results import write_results
from longleaf.app.batch.run import find
from longleaf.app.batch.schema import Item, ItemResult
from longleaf.app.cli.command import cli
from longleaf.app.schema import Citation, KeyFact

CONTRACT = """Supply Agreement

This Supply Agreement is made as of March 1, 2021 between Quillon Works, Inc. ("Supplier") and Tamber Mills
LLC ("Buyer").

1. Payment. Buyer shall pay invoice {number} within thirty (30) days after receipt.

2. Governing law. This Agreement is governed by the laws of the State of {state}.
"""
STATES = ("Ohio", "Utah", "Iowa", "Texas")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twelve contracts, two of them in a ZIP, one broken PDF, one kind that is not read, one hidden file."""
    monkeypatch.setenv("LONGLEAF_LIBRARY", str(tmp_path / "library.db"))
    root = tmp_path / "in"
    (root / "deep").mkdir(parents=True)
    for number in range(10):
        where = root / "deep" if number % 2 else root
        (where / f"c{number}.txt").write_text(CONTRACT.format(number=number, state=STATES[number % 4]))
    with zipfile.ZipFile(root / "deal.zip", "w") as archive:
        for number in (10, 11):
            archive.writestr(f"z{number}.txt", CONTRACT.format(number=number, state=STATES[number % 4]))
    (root / "broken.pdf").write_bytes(b"%PDF-1.7\n" + b"\x00\xff" * 200)
    (root / "note.rtf").write_text("{\\rtf1 hello}")
    (root / ".hidden.txt").write_text("x")
    return root


def batch(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["batch", *map(str, arguments)])


def report(out: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((out / "run.json").read_text())
    return found


def items(out: Path) -> dict[str, dict[str, object]]:
    found = report(out)["items"]
    assert isinstance(found, list)
    names = [item["name"] for item in found]
    assert len(names) == len(set(names)), "each once"
    return {Path(item["name"]).name: item for item in found}


def without_times(out: Path) -> dict[str, dict[str, object]]:
    return {name: {k: v for k, v in item.items() if k != "seconds"} for name, item in items(out).items()}


def test_every_file_is_accounted_for(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = batch(folder, "-o", out, "--do", "facts,obligations")
    assert done.exit_code == 1, done.output  # the broken one
    status = {name: item["status"] for name, item in items(out).items()}
    assert status.pop("broken.pdf") == "failed"
    assert status.pop("note.rtf") == "skipped"
    assert status.pop(".hidden.txt") == "skipped"
    assert set(status.values()) == {"done"} and len(status) == 12, "those in the ZIP too"
    assert report(out)["counts"] == {"done": 12, "done_with_gaps": 0, "failed": 1, "skipped": 2, "pending": 0}
    rows = list(openpyxl.load_workbook(out / "matrix.xlsx").active.iter_rows(values_only=True))
    law = rows[0].index("Governing law")
    laws = {Path(str(row[0])).name: row[law] for row in rows[1:]}
    assert laws["c0.txt"] == "Ohio" and laws["z11.txt"] == "Texas" and laws["broken.pdf"] is None
    assert "RTF" in (out / "report.html").read_text()
    assert (out / "obligations.xlsx").is_file() and (out / "matrix.csv").is_file()


def test_only_what_changed_is_done_again(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    batch(folder, "-o", out)
    first = items(out)
    (folder / "c2.txt").write_text(CONTRACT.format(number=2, state="Maine"))
    (folder / "c4.txt").unlink()
    batch(folder, "-o", out)
    second = items(out)
    assert "c4.txt" not in second
    changed = {name for name in second if second[name] != first[name]}
    assert changed == {"c2.txt"}, "equal to the second of time, so not done again"


def test_failed_files_are_tried_again_when_asked(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    batch(folder, "-o", out)
    first = items(out)["broken.pdf"]
    batch(folder, "-o", out)
    assert items(out)["broken.pdf"] == first
    batch(folder, "-o", out, "--retry", "failed")
    assert items(out)["broken.pdf"]["status"] == "failed"


def test_a_limit_and_a_deadline_leave_the_rest_pending(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert batch(folder, "-o", out, "--limit", "3").exit_code == 1
    pending = [n for n, item in items(out).items() if item["status"] == "pending"]
    assert len(pending) == 13 - 3  # files: ten contracts, a ZIP, two others
    assert batch(folder, "-o", out, "--limit", "100").exit_code == 1
    assert not any(item["status"] == "pending" for item in items(out).values())


def test_what_is_in_a_zip_that_is_not_reached_stays_done(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    batch(folder, "-o", out)
    first = items(out)
    (folder / "a.txt").write_text(CONTRACT.format(number=50, state="Maine"))
    batch(folder, "-o", out, "--limit", "1")
    assert items(out)["deal.zip"]["status"] == "pending"
    batch(folder, "-o", out)
    assert {name: items(out)[name] for name in ("z10.txt", "z11.txt")} == {
        name: first[name] for name in ("z10.txt", "z11.txt")
    }, "not read again"


def test_no_model_will_do(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert batch(folder, "-o", out, "-m", "none", "--do", "brief").exit_code == 1, "for the broken one"
    with_none = items(out)["c0.txt"]
    assert with_none["status"] == "done" and list((out / "briefs").iterdir())
    assert report(out)["models"]
    batch(folder, "-o", out, "-m", "none", "--do", "brief")
    assert items(out)["c0.txt"] == with_none
    batch(folder, "-o", out, "--do", "brief", "--limit", "1")
    states = [item["status"] for item in items(out).values()]
    assert "pending" in states, "another model makes other briefs, so all of them are due"


def test_killed_at_any_moment_nothing_is_lost_or_done_twice(folder: Path, tmp_path: Path) -> None:
    calm = tmp_path / "calm"
    batch(folder, "-o", calm)
    environment = {**os.environ, "LONGLEAF_LIBRARY": str(tmp_path / "other.db")}
    out = tmp_path / "out"
    start = "from longleaf.app.cli import main; main()"
    command = [sys.executable, "-c", start, "batch", str(folder), "-o", str(out)]
    quiet = subprocess.DEVNULL
    chance = random.Random(7)
    for _ in range(3):
        process = subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet)
        time.sleep(chance.uniform(0.5, 2.5))
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run(command, env=environment, check=False, capture_output=True)
    assert without_times(out) == without_times(calm)


def test_the_output_folder_is_no_input(folder: Path, tmp_path: Path) -> None:
    out = folder / "results"
    batch(folder, "-o", out, "--do", "brief")
    again = find([folder], out)
    assert not [path for path in again.files if "results" in path.parts]


@pytest.mark.parametrize("do", ["", "nothing", "ask", "brief:x", "compare:missing.pdf"])
def test_what_to_do_is_checked(do: str) -> None:
    with pytest.raises(BatchError):
        parse_do(do)


def test_the_report_names_deadlines_and_outliers(tmp_path: Path) -> None:
    def item(number: int, law: str, end: str) -> Item:
        cited = [Citation(file="c", page_label="1", page_index=0, quote="q", start=0, end=1, boxes=[])]
        facts = [
            KeyFact(name=name, title=title, text=value, status="quoted", citations=cited, values=[value])
            for name, title, value in (
                ("governing_law", "Governing law", law), ("expiration_date", "Expiration date", end),
            )
        ]  # fmt: skip
        return Item(name=f"c{number}", status="done", result=ItemResult(kind="contract", facts=facts))

    found = [item(n, "Ohio" if n else "Utah", f"2030-0{n + 1}-01") for n in range(6)]
    write_results(found, parse_do("facts"), tmp_path, {}, 1.0, date(2030, 1, 15))
    page = (tmp_path / "report.html").read_text()
    assert "Governing law: Utah (most: Ohio)" in page
    assert "2030-02-01" in page and "2030-04-01" in page and "2030-05-01" not in page
