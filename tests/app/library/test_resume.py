"""A folder is read into the Library, killed at any moment, and read again: as if nothing had happened."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from sample_docs.other_formats import files as other_formats
from tests.support.pdf_maker import make_pdf, paragraph

# Reads each file of a folder, and writes down what it reads and what it has stored.
CHILD = """
import sys
from pathlib import Path
from longleaf.app.library import indexing
from longleaf.app.library.documents import Library
from longleaf.ingest.worker.pool import Limits

PATIENT = Limits(open=300, page=300, structure=300, lost=900, whole=300)
folder, library, log = map(Path, sys.argv[1:4])
real = indexing.read_document

def read_document(path, **options):
    with log.open("a") as out:
        out.write(f"read {path.name}\\n")
    return real(path, **options, limits=PATIENT)  # on a busy machine too all is read

indexing.read_document = read_document
with Library(library) as opened:
    for path in sorted(folder.iterdir()):
        count = lambda text: len(text.split())
        indexing.index_file(opened, path, count, tokenizer="words", max_tokens=40, ocr="off")
        with log.open("a") as out:
            out.write(f"stored {path.name}\\n")
"""
TABLES = {
    "documents": "sha256, parser, page_count, metadata, gaps, annotations",
    "document_names": "name",
    "pages": "position, page_index, label, text, boxes, blocks",
    "sections": "position, title, level, path",
    "chunks": "position, chunk_index, text, caption, spans, n_tokens",
}


def start(folder: Path, library: Path, log: Path) -> subprocess.Popen[bytes]:
    arguments = [sys.executable, "-c", CHILD, str(folder), str(library), str(log)]
    return subprocess.Popen(arguments, env=None, stderr=subprocess.PIPE)


def contents(library: Path) -> dict[str, list[Any]]:
    with sqlite3.connect(library) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert not db.execute("PRAGMA foreign_key_check").fetchall()
        return {
            table: sorted(db.execute(f"SELECT {columns} FROM {table}").fetchall(), key=repr)
            for table, columns in TABLES.items()
        }


def test_killed_and_run_again_the_library_is_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "deals"
    folder.mkdir()
    for name, data in other_formats().items():
        if not name.endswith(".zip"):
            (folder / name).write_bytes(data)
    for k in range(4):
        pages = [lambda c, i, k=k: paragraph(c, f"Clause {i} of deed {k} binds both parties. " * 40)] * 30
        make_pdf(folder / f"deed{k}.pdf", pages)
    assert start(folder, tmp_path / "whole.db", tmp_path / "whole.log").wait(300) == 0
    chance = random.Random(7)
    library, log = tmp_path / "killed.db", tmp_path / "killed.log"
    kills = 0
    for attempt in range(40):
        before = log.stat().st_size if log.exists() else 0
        child = start(folder, library, log)
        deadline = time.monotonic() + 60
        # Each run gets to its first file, is killed some time later, and so may finish several or none.
        while child.poll() is None and time.monotonic() < deadline:
            if log.exists() and log.stat().st_size > before:
                break
            time.sleep(0.002)
        if attempt < 6:
            time.sleep(chance.choice((0.0, 0.01, 0.1, 0.4, 0.8)))
            kills += child.poll() is None
            child.send_signal(signal.SIGKILL)
            child.wait()
            continue
        assert child.wait(300) == 0, child.stderr.read().decode()  # type: ignore[union-attr]
        break
    assert kills >= 3
    assert contents(library) == contents(tmp_path / "whole.db")
    stored: set[str] = set()
    for line in log.read_text().splitlines():
        what, name = line.split(" ", 1)
        assert what == "stored" or name not in stored, f"{name} was read again after it was stored"
        stored |= {name} if what == "stored" else set()
    assert stored == {path.name for path in folder.iterdir()}
