"""The Library: what goes in comes out equal, survives kills and other programs, and leaves when removed."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longleaf.app.library import codec
from longleaf.app.library.database import LibraryError
from longleaf.app.library.documents import Library, StoredDocument, default_path
from longleaf.ingest.document import Block, Box, Chunk, Document, Gap, Span
from tests.support.plain_documents import heading, plain_document, plain_page

PAGES = (
    "1. Term\nThis Agreement begins on January 1, 2020. It lasts three years.",
    "2. Governing Law\nThe laws of Delaware govern. Łódź \x00 𝔘𝔫𝔦 “quotes”",
    "",
)


def sample(name: str = "supply.pdf", extra: str = "") -> Document:
    blocks = (
        Block("heading", 0, 7, Box(36.0, 38.1, 78.25, 47.0), 2),
        Block("paragraph", 8, 66, Box(0, 0, 1, 1)),
    )
    first = plain_page(PAGES[0] + extra, 0, "iv", blocks)
    second, third = plain_page(PAGES[1], 1, "A-3"), plain_page(PAGES[2], 2)
    sections = (heading("1. Term", 1, first, 0), heading("2. Governing Law", 2, second, 2, ("1. Term",)))
    gaps = (Gap("scanned", "no text layer", 2), Gap("truncated", "the file ends early"))
    document = plain_document([first, second, third], name, sections)
    return replace(document, metadata={"Title": "Łódź", "Author": ""}, gaps=gaps)


def cut(document: Document) -> list[Chunk]:
    return [
        Chunk(i, page.text, (f"{i + 1}.", "Head"), (Span(i, 0, len(page.text)),), len(page.text.split()))
        for i, page in enumerate(document.pages)
        if page.text
    ]


def add(library: Library, document: Document) -> StoredDocument:
    return library.add(document, cut(document), parser="p1", chunking="words:100")


def assert_equal(a: Document, b: Document) -> None:
    assert (a.name, a.sha256, a.sections, a.metadata, a.gaps) == (
        b.name,
        b.sha256,
        b.sections,
        b.metadata,
        b.gaps,
    )
    assert len(a.pages) == len(b.pages)
    for x, y in zip(a.pages, b.pages, strict=True):
        assert (x.page_index, x.label, x.width, x.height, x.text, x.blocks) == (
            y.page_index,
            y.label,
            y.width,
            y.height,
            y.text,
            y.blocks,
        )
        assert y.boxes.dtype == np.float32
        np.testing.assert_array_equal(x.boxes.view(np.uint32), y.boxes.view(np.uint32))


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "deep" / "library.db")


def test_a_document_comes_back_equal_in_another_process_and_thread(library: Library) -> None:
    document = sample()
    stored = add(library, document)
    found: list[tuple[Document, list[Chunk]]] = []
    again = Library(library.path)
    thread = threading.Thread(target=lambda: found.append((again.load(stored), again.chunks(stored))))
    thread.start()
    thread.join()
    assert_equal(document, found[0][0])
    assert found[0][1] == cut(document)


@given(
    st.integers(0, 40).flatmap(
        lambda n: st.binary(min_size=n * 16, max_size=n * 16).map(
            lambda raw: np.frombuffer(raw, np.float32).reshape(n, 4)
        )
    )
)
def test_any_boxes_come_back_bit_by_bit(boxes: np.ndarray) -> None:
    again = codec.unpack_boxes(codec.pack_boxes(boxes), len(boxes))
    np.testing.assert_array_equal(boxes.view(np.uint32), again.view(np.uint32))


@settings(max_examples=200)
@given(st.binary(max_size=100), st.integers(0, 20))
def test_damaged_boxes_are_an_error(blob: bytes, length: int) -> None:
    with contextlib.suppress(ValueError):
        assert codec.unpack_boxes(blob, length).shape == (length, 4)


def test_boxes_of_a_bomb_are_refused_before_they_are_unpacked() -> None:
    bomb = codec.pack_boxes(np.zeros((5_000_000, 4), np.float32))
    with pytest.raises(ValueError, match="were stored"):
        codec.unpack_boxes(bomb, 3)


def test_the_same_content_is_one_document_with_both_names(library: Library) -> None:
    first = add(library, sample("a.pdf"))
    second = add(library, sample("b.pdf"))
    assert first.id == second.id and second.name == "b.pdf"
    assert len(library.documents()) == 1
    assert library.names(first.sha256) == ["a.pdf", "b.pdf"]
    found = library.find(first.sha256, parser="p1", chunking="words:100", name="c.pdf")
    assert found is not None and found.name == "c.pdf"
    assert library.names(first.sha256) == ["a.pdf", "b.pdf", "c.pdf"]
    assert library.load(first, "a.pdf").name == "a.pdf"


def test_other_readers_and_cuts_are_kept_apart(library: Library) -> None:
    document = sample()
    stored = add(library, document)
    assert library.find(document.sha256, parser="p2", chunking="words:100") is None
    assert library.find(document.sha256, parser="p1", chunking="words:50") is None
    kept = library.find_document(document.sha256, parser="p1", name="x.pdf")
    assert kept is not None and kept.name == "x.pdf"
    other = library.add(document, cut(document)[:1], parser="p1", chunking="words:50")
    assert other.document_id == stored.document_id and other.id != stored.id
    assert [len(library.chunks(d)) for d in library.documents()] == [2, 1]


def test_a_document_without_pages_or_chunks_is_kept(library: Library) -> None:
    empty = plain_document([])
    stored = library.add(empty, [], parser="p", chunking="c")
    assert_equal(empty, library.load(stored))
    assert library.chunks(stored) == []


def test_text_that_sqlite_cannot_keep_is_named(library: Library) -> None:
    document = replace(plain_document(["ab"]), pages=(plain_page("a\ud800", 0),))
    with pytest.raises(LibraryError, match=r"page 1.*character 1 "):
        add(library, document)
    with pytest.raises(LibraryError, match="half a surrogate pair"):
        add(library, replace(plain_document(["ab"]), name="a\udcff.pdf"))
    assert library.documents() == []


def test_removal_removes_everything(library: Library) -> None:
    secret = "xylograph"
    doomed = add(library, sample("doomed.pdf", extra=f" {secret}"))
    kept = add(library, sample("kept.pdf"))
    library.add_vectors(doomed, "e", [0, 1], np.ones((2, 4), np.float32))
    library.add_vectors(kept, "e", [0], np.ones((1, 4), np.float32))
    assert secret.encode() in _bytes(library.path)
    assert library.remove(doomed.sha256)
    assert not library.remove(doomed.sha256)
    assert [d.name for d in library.documents()] == ["kept.pdf"]
    assert secret.encode() not in _bytes(library.path)
    with sqlite3.connect(library.path) as db:
        tables = ["pages", "sections", "chunks", "vectors", "document_names", "search_indexes"]
        counts = {table: db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}
    assert counts["search_indexes"] == 1
    assert counts["pages"] == 3 and counts["chunks"] == 2 and counts["vectors"] == 2  # page 2 is in both
    for call in (library.load, library.chunks):
        with pytest.raises(LibraryError, match="removed"):
            call(doomed)
    assert add(library, sample("doomed.pdf", extra=f" {secret}")).id > kept.id


def test_vectors_are_filled_in_bit_by_bit(library: Library) -> None:
    stored = add(library, sample())
    assert [position for position, _ in library.without_vector(stored, "e")] == [0, 1]
    library.add_vectors(stored, "e", [1], np.full((1, 3), 2, np.float32))
    assert [position for position, _ in library.without_vector(stored, "e")] == [0]
    assert [position for position, _ in library.without_vector(stored, "other")] == [0, 1]
    with pytest.raises(LibraryError, match="1 of 2"):
        library.vectors(stored, "e", 3)
    library.add_vectors(stored, "e", [0, 1], np.zeros((2, 3), np.float32))  # the one that is there stays
    np.testing.assert_array_equal(library.vectors(stored, "e", 3), [[0, 0, 0], [2, 2, 2]])
    with pytest.raises(LibraryError, match="damaged"):
        library.vectors(stored, "e", 4)


def test_only_what_changed_is_embedded_again(library: Library) -> None:
    old = add(library, sample("old.pdf"))
    library.add_vectors(old, "e", [0, 1], np.ones((2, 3), np.float32))
    new = add(library, sample("new.pdf", extra=" Changed."))
    assert [position for position, _ in library.without_vector(new, "e")] == [0]
    library.remove(old.sha256)
    assert [position for position, _ in library.without_vector(new, "e")] == [0]
    library.remove(new.sha256)
    with sqlite3.connect(library.path) as db:
        assert db.execute("SELECT count(*) FROM vectors").fetchone() == (0,)


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to look like one" * 20, b"x"])
def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "library.db"
    path.write_bytes(content)
    with pytest.raises(LibraryError, match=r"library\.db.*not a Longleaf library"):
        Library(path)
    assert path.read_bytes() == content


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE notes (text)")
    before = path.read_bytes()
    with pytest.raises(LibraryError, match="another program"):
        Library(path)
    assert path.read_bytes() == before


def test_a_library_of_a_newer_version_is_refused(library: Library) -> None:
    with sqlite3.connect(library.path) as db:
        db.execute(
            "INSERT INTO _sqlite_migrations(migration_set, name, applied_at)"
            " VALUES ('longleaf', 'm999_new', '')"
        )
    with pytest.raises(LibraryError, match=r"newer Longleaf.*m999_new"):
        Library(library.path)


def test_a_damaged_library_is_a_clear_error(library: Library) -> None:
    stored = add(library, sample())
    library.file.shrink_log()
    library.close()
    whole = bytearray(library.path.read_bytes())
    whole[4096:] = os.urandom(len(whole) - 4096)
    library.path.write_bytes(whole)
    with pytest.raises(LibraryError, match="damaged"):
        Library(library.path).load(stored)
    assert library.path.read_bytes() == bytes(whole)


def test_a_damaged_page_is_named(library: Library) -> None:
    stored = add(library, sample())
    with sqlite3.connect(library.path) as db:
        db.execute("UPDATE pages SET boxes = x'00' WHERE position = 1")
    with pytest.raises(LibraryError, match=r"supply\.pdf is damaged"):
        library.load(stored)


@pytest.mark.parametrize("where", ["a folder", "below a file"])
def test_a_path_that_cannot_be_used_is_named(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").touch()
    path = tmp_path if where == "a folder" else tmp_path / "file" / "library.db"
    with pytest.raises(LibraryError, match="LONGLEAF_LIBRARY"):
        Library(path)


def test_where_the_library_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LONGLEAF_LIBRARY", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "longleaf" / "library.db"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert default_path() == Path.home() / ".local" / "share" / "longleaf" / "library.db"
    monkeypatch.setenv("LONGLEAF_LIBRARY", str(tmp_path / "mine.db"))
    assert default_path() == tmp_path / "mine.db"


def test_readers_go_on_while_somebody_writes(library: Library) -> None:
    stored = add(library, sample())
    with library.file.write() as db:
        db.execute("DELETE FROM pages")
        seen: list[int] = []
        thread = threading.Thread(target=lambda: seen.append(len(library.load(stored).pages)))
        thread.start()
        thread.join(10)
        assert seen == [3]
        db.rollback()
        db.execute("BEGIN")
    assert len(library.load(stored).pages) == 3


def test_a_failed_write_leaves_nothing(library: Library) -> None:
    document = sample()
    bad = [*cut(document), replace(cut(document)[0], n_tokens="many")]  # type: ignore[arg-type]
    bad[-1] = replace(bad[-1], section_path=(object(),))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        library.add(document, bad, parser="p1", chunking="c")
    assert library.find_document(document.sha256, parser="p1", name="x") is None
    add(library, document)


WRITER = """
import sys
from pathlib import Path
from longleaf.app.library.documents import Library
from longleaf.ingest.document import Chunk, Span
from tests.support.plain_documents import plain_document

library = Library(Path(sys.argv[1]))
print("open", flush=True)
for number in range(int(sys.argv[2])):
    document = plain_document([f"page {i} of document {number} " * 20 for i in range(6)], f"{number}.pdf")
    chunks = [Chunk(i, p.text, (), (Span(i, 0, len(p.text)),), 99) for i, p in enumerate(document.pages)]
    stored = library.add(document, chunks, parser="p", chunking="c")
    assert len(library.load(stored).pages) == 6
"""


def write_in_another_process(path: Path, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(count)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([p for p in sys.path if p])},
    )


def test_processes_that_open_and_fill_one_library_together_agree(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    writers = [write_in_another_process(path, 12) for _ in range(2)]
    for writer in writers:
        _, errors = writer.communicate(timeout=60)
        assert writer.returncode == 0, errors
    stored = Library(path).documents()
    assert len(stored) == 12
    assert len({d.sha256 for d in stored}) == 12


def test_a_kill_at_any_moment_leaves_whole_documents(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    for delay in (0.0, 0.02, 0.05):
        writer = write_in_another_process(path, 100_000)
        assert writer.stdout is not None and writer.stdout.readline() == "open\n"
        time.sleep(delay)
        writer.send_signal(signal.SIGKILL)
        writer.wait(10)
        writer.communicate()
        library = Library(path)
        for stored in library.documents():
            assert len(library.load(stored).pages) == 6
            assert len(library.chunks(stored)) == 6
            assert len(library.search_index(stored).words.lengths) == 6
        with sqlite3.connect(path) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    before = len(library.documents())
    again = write_in_another_process(path, before + 2)
    _, errors = again.communicate(timeout=60)
    assert again.returncode == 0, errors
    assert len(library.documents()) == before + 2


def _bytes(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.glob(path.name + "*"))
