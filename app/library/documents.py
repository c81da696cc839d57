"""The Library: every document read so far, its chunks and their vectors, in one SQLite file.

A document is known by the sha256 of its file's bytes and by `parser`, a name for how it was read; its chunks
by `chunking`, a name for how they were cut. Each document, and each batch of vectors, is one transaction: a
kill at any moment leaves what was finished, and doing it again completes it without duplicates.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longleaf.app.library import codec
from longleaf.app.library.database import LibraryError, LibraryFile
from longleaf.app.library.search_index import SearchIndex, make_index, pack_index, unpack_index
from longleaf.app.text.index_terms import word_count
from longleaf.ingest.document import Chunk, Document, Page, Section, Span

__all__ = ["Library", "LibraryError", "StoredDocument", "default_path", "embedded_text"]


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document in the Library, cut into chunks in one way."""

    id: int  # of the set of chunks; never used again after a removal
    document_id: int
    sha256: str
    parser: str
    chunking: str
    name: str  # the last name it was added or found under
    page_count: int
    chunk_count: int
    added_at: str  # ISO 8601, UTC


def default_path() -> Path:
    """$LONGLEAF_LIBRARY, else $XDG_DATA_HOME/longleaf/library.db, else ~/.local/share/longleaf/library.db."""
    if given := os.environ.get("LONGLEAF_LIBRARY"):
        return Path(given).expanduser().absolute()
    # A relative path is to be ignored: https://specifications.freedesktop.org/basedir-spec/latest/
    xdg = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (xdg if xdg.is_absolute() else Path.home() / ".local" / "share") / "longleaf" / "library.db"


class Library:
    """Safe to share between threads, and between processes that open the same path.

    Every method raises LibraryError if the file cannot be read or written.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        self.file = LibraryFile(self.path)

    def close(self) -> None:
        self.file.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(
        self, document: Document, chunks: Sequence[Chunk], *, parser: str, chunking: str
    ) -> StoredDocument:
        """Stores a document and its chunks; what is there already is kept, only a new name is noted."""
        pages = [_page_row(page) for page in document.pages]
        _check_text(document, chunks)
        with self.file.write() as db:
            document_id = _id(db, "documents", sha256=document.sha256, parser=parser)
            if document_id is None:
                document_id = _insert_document(db, document, parser, pages)
            if _id(db, "chunk_sets", document_id=document_id, chunking=chunking) is None:
                texts = [(page.page_index, page.text) for page in document.pages]
                _insert_index(db, _insert_chunks(db, document_id, chunking, chunks), texts, chunks)
            _keep_name(db, document_id, document.name)
        stored = self.find(document.sha256, parser=parser, chunking=chunking)
        if stored is None:
            raise LibraryError(
                f"{document.name} was removed from {self.path} by another process; add it again"
            )
        return stored

    def find(
        self, sha256: str, *, parser: str, chunking: str, name: str | None = None
    ) -> StoredDocument | None:
        """The document of these bytes, read and cut in this way, if it is stored; a new `name` is noted."""
        found = self._stored("d.sha256 = ? AND d.parser = ? AND s.chunking = ?", (sha256, parser, chunking))
        if not found:
            return None
        if name is not None and name not in self.names(sha256):
            with self.file.write() as db:
                _keep_name(db, found[0].document_id, name)
        return found[0] if name is None else replace(found[0], name=name)

    def find_document(self, sha256: str, *, parser: str, name: str) -> Document | None:
        """The document of these bytes, read in this way, however it was cut."""
        with self.file.read() as db:
            document_id = _id(db, "documents", sha256=sha256, parser=parser)
            return None if document_id is None else self._load(db, document_id, name)

    def documents(self) -> list[StoredDocument]:
        """Everything stored, oldest first; a document cut in several ways is listed once for each."""
        return self._stored("1", ())

    def names(self, sha256: str) -> list[str]:
        """Every name these bytes were added under, oldest first."""
        with self.file.read() as db:
            rows = db.execute(
                "SELECT n.name, min(n.rowid) AS first FROM document_names n JOIN documents d"
                " ON d.id = n.document_id WHERE d.sha256 = ? GROUP BY n.name ORDER BY first",
                (sha256,),
            )
            return [name for name, _ in rows]

    def load(self, stored: StoredDocument, name: str | None = None) -> Document:
        """The Document as it was added, under `name` if given."""
        with self.file.read() as db:
            return self._load(db, stored.document_id, name or stored.name)

    def page_labels(self, stored: StoredDocument) -> dict[int, str]:
        """The printed label of each page that was read, by page_index."""
        with self.file.read() as db:
            return dict(
                db.execute(
                    "SELECT page_index, label FROM pages WHERE document_id = ?", (stored.document_id,)
                ).fetchall()
            )

    def page(self, stored: StoredDocument, page_index: int) -> Page | None:
        """One page of a document; None if it was not read."""
        with self.file.read() as db:
            row = db.execute(
                "SELECT page_index, label, width, height, text, boxes, blocks FROM pages"
                " WHERE document_id = ? AND page_index = ?",
                (stored.document_id, page_index),
            ).fetchone()
        try:
            return None if row is None else _page(row)
        except ValueError as error:
            raise _damaged(self.path, stored.name, error) from error

    def chunks(self, stored: StoredDocument) -> list[Chunk]:
        """The chunks as they were added."""
        with self.file.read() as db:
            rows = db.execute(
                "SELECT chunk_index, text, section_path, spans, n_tokens, caption FROM chunks"
                " WHERE chunk_set_id = ? ORDER BY position",
                (stored.id,),
            ).fetchall()
        if len(rows) != stored.chunk_count:
            raise _gone(self.path, stored.name)
        return [_chunk(row) for row in rows]

    def chunk(self, stored: StoredDocument, position: int) -> Chunk:
        with self.file.read() as db:
            row = db.execute(
                "SELECT chunk_index, text, section_path, spans, n_tokens, caption FROM chunks"
                " WHERE chunk_set_id = ? AND position = ?",
                (stored.id, position),
            ).fetchone()
        if row is None:
            raise _gone(self.path, stored.name)
        return _chunk(row)

    def chunk_sizes(self, stored: StoredDocument) -> list[int]:
        """The tokens of each chunk in order; 0 for rows of a table, which have their own caption."""
        with self.file.read() as db:
            rows = db.execute(
                "SELECT CASE caption WHEN '' THEN n_tokens ELSE 0 END FROM chunks"
                " WHERE chunk_set_id = ? ORDER BY position",
                (stored.id,),
            ).fetchall()
        return [size for (size,) in rows]

    def search_index(self, stored: StoredDocument) -> SearchIndex:
        """What its chunks are searched by; made now if an older Longleaf stored the document."""
        with self.file.read() as db:
            row = db.execute(
                "SELECT terms, postings, statements, refs FROM search_indexes WHERE chunk_set_id = ?",
                (stored.id,),
            ).fetchone()
        if row is None:
            chunks = self.chunks(stored)
            with self.file.write() as db:
                pages = db.execute(
                    "SELECT page_index, text FROM pages WHERE document_id = ? ORDER BY position",
                    (stored.document_id,),
                ).fetchall()
                return _insert_index(db, stored.id, pages, chunks)
        try:
            names, postings, statements, leads = row
            return unpack_index(names, postings, statements, leads, stored.chunk_count)
        except ValueError as error:
            raise _damaged(self.path, stored.name, error) from error

    def opening(self, stored: StoredDocument, pages: int) -> str:
        """The text of its first pages."""
        with self.file.read() as db:
            rows = db.execute(
                "SELECT text FROM pages WHERE document_id = ? ORDER BY position LIMIT ?",
                (stored.document_id, pages),
            ).fetchall()
        return "\n".join(text for (text,) in rows)

    def remove(self, sha256: str) -> bool:
        """Removes all that came from a file of these bytes: pages, chunks, vectors, answers and threads."""
        with self.file.write() as db:
            db.execute(
                "DELETE FROM runs WHERE id IN (SELECT run_id FROM run_documents WHERE sha256 = ?)", (sha256,)
            )
            db.execute(
                "DELETE FROM threads WHERE id IN (SELECT thread_id FROM thread_documents WHERE sha256 = ?)",
                (sha256,),
            )
            removed = db.execute("DELETE FROM documents WHERE sha256 = ?", (sha256,)).rowcount
            if removed:
                db.execute(
                    "DELETE FROM vectors WHERE NOT EXISTS"
                    " (SELECT 1 FROM chunks c WHERE c.content = vectors.content)"
                )
        self.file.shrink_log()
        return bool(removed)

    def without_vector(self, stored: StoredDocument, embedder: str) -> list[tuple[int, Chunk]]:
        """The chunks that this embedder has not embedded yet, each with its position."""
        with self.file.read() as db:
            rows = db.execute(
                "SELECT chunk_index, text, section_path, spans, n_tokens, caption, position FROM chunks c"
                " WHERE chunk_set_id = ? AND NOT EXISTS (SELECT 1 FROM vectors v"
                " WHERE v.embedder = ? AND v.content = c.content) ORDER BY position",
                (stored.id, embedder),
            ).fetchall()
        return [(row[-1], _chunk(row[:-1])) for row in rows]

    def add_vectors(
        self,
        stored: StoredDocument,
        embedder: str,
        positions: Sequence[int],
        vectors: NDArray[np.float32],
    ) -> None:
        """Stores the vector of the chunk at each position; `vectors` has shape (len(positions), dim).

        A vector that is there already stays, as another process may have been faster.
        """
        rows = [
            (embedder, codec.pack_vector(vector), stored.id, position)
            for position, vector in zip(positions, vectors, strict=True)
        ]
        with self.file.write() as db:
            db.executemany(
                "INSERT OR IGNORE INTO vectors(embedder, content, vector)"
                " SELECT ?, content, ? FROM chunks WHERE chunk_set_id = ? AND position = ?",
                rows,
            )

    def vector_count(self, stored: StoredDocument, embedder: str) -> int:
        with self.file.read() as db:
            (count,) = db.execute(
                "SELECT count(*) FROM chunks c JOIN vectors v ON v.embedder = ? AND v.content = c.content"
                " WHERE c.chunk_set_id = ?",
                (embedder, stored.id),
            ).fetchone()
        return int(count)

    def vectors(self, stored: StoredDocument, embedder: str, dim: int) -> NDArray[np.float32]:
        """The vectors of all chunks in order, shape (chunk_count, dim). All must be there."""
        with self.file.read() as db:
            blobs = db.execute(
                "SELECT v.vector FROM chunks c JOIN vectors v ON v.embedder = ? AND v.content = c.content"
                " WHERE c.chunk_set_id = ? ORDER BY c.position",
                (embedder, stored.id),
            ).fetchall()
        if len(blobs) != stored.chunk_count:
            raise LibraryError(f"{stored.name}: {len(blobs)} of {stored.chunk_count} chunks have vectors")
        try:
            return codec.unpack_vectors((blob for (blob,) in blobs), dim)
        except ValueError as error:
            raise _damaged(self.path, stored.name, error) from error

    def _stored(self, condition: str, values: tuple[object, ...]) -> list[StoredDocument]:
        with self.file.read() as db:
            rows = db.execute(
                "SELECT s.id, d.id, d.sha256, d.parser, s.chunking, (SELECT name FROM document_names n"
                " WHERE n.document_id = d.id ORDER BY n.rowid DESC LIMIT 1), d.page_count, s.chunk_count,"
                f" d.added_at FROM documents d JOIN chunk_sets s ON s.document_id = d.id WHERE {condition}"
                " ORDER BY s.id",
                values,
            ).fetchall()
        return [StoredDocument(*row) for row in rows]

    def _load(self, db: sqlite3.Connection, document_id: int, name: str) -> Document:
        row = db.execute(
            "SELECT sha256, page_count, metadata, gaps, annotations FROM documents WHERE id = ?",
            (document_id,),
        ).fetchone()
        if row is None:
            raise _gone(self.path, name)
        sha256, page_count, metadata, gaps, annotations = row
        pages = db.execute(
            "SELECT page_index, label, width, height, text, boxes, blocks FROM pages"
            " WHERE document_id = ? ORDER BY position",
            (document_id,),
        ).fetchall()
        sections = db.execute(
            "SELECT title, level, path, page_index, start, end, page_index_start, page_index_end"
            " FROM sections WHERE document_id = ? ORDER BY position",
            (document_id,),
        ).fetchall()
        try:
            if len(pages) != page_count:
                raise ValueError(f"{len(pages)} of {page_count} pages are left")
            return Document(
                name=name,
                sha256=sha256,
                pages=tuple(_page(page) for page in pages),
                sections=tuple(_section(section) for section in sections),
                metadata=json.loads(metadata),
                gaps=codec.unpack_gaps(gaps),
                annotations=codec.unpack_annotations(annotations),
            )
        except ValueError as error:
            raise _damaged(self.path, name, error) from error


def embedded_text(chunk: Chunk) -> str:
    """What the vector of a chunk is made of: a clause is named by its heading, a row by its table."""
    return "\n".join([*chunk.section_path[-1:], *([chunk.caption] if chunk.caption else []), chunk.text])


def _id(db: sqlite3.Connection, table: str, **columns: object) -> int | None:
    condition = " AND ".join(f"{column} = ?" for column in columns)
    row = db.execute(f"SELECT id FROM {table} WHERE {condition}", tuple(columns.values())).fetchone()
    return None if row is None else int(row[0])


def _insert_document(
    db: sqlite3.Connection, document: Document, parser: str, pages: Iterable[tuple[Any, ...]]
) -> int:
    cursor = db.execute(
        "INSERT INTO documents(sha256, parser, page_count, metadata, gaps, annotations, added_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            document.sha256,
            parser,
            len(document.pages),
            json.dumps(document.metadata),
            codec.pack_gaps(document.gaps),
            codec.pack_annotations(document.annotations),
            datetime.now(UTC).isoformat(),
        ),
    )
    document_id = int(cursor.lastrowid or 0)
    db.executemany(
        "INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((document_id, position, *page) for position, page in enumerate(pages)),
    )
    db.executemany(
        "INSERT INTO sections VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                document_id,
                position,
                section.title,
                section.level,
                codec.pack_path(section.path),
                section.start.page_index,
                section.start.start,
                section.start.end,
                section.page_index_start,
                section.page_index_end,
            )
            for position, section in enumerate(document.sections)
        ),
    )
    return document_id


def _insert_index(
    db: sqlite3.Connection, chunk_set_id: int, pages: Iterable[tuple[int, str]], chunks: Sequence[Chunk]
) -> SearchIndex:
    index = make_index(db, pages, chunks)
    db.execute(
        "INSERT OR IGNORE INTO search_indexes VALUES (?, ?, ?, ?, ?)", (chunk_set_id, *pack_index(index))
    )
    return index


def _insert_chunks(db: sqlite3.Connection, document_id: int, chunking: str, chunks: Sequence[Chunk]) -> int:
    cursor = db.execute(
        "INSERT INTO chunk_sets(document_id, chunking, chunk_count) VALUES (?, ?, ?)",
        (document_id, chunking, len(chunks)),
    )
    db.executemany(
        "INSERT INTO chunks(chunk_set_id, position, chunk_index, heading, text, section_path, spans,"
        " n_tokens, words, content, caption) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                cursor.lastrowid,
                position,
                chunk.index,
                "\n".join(chunk.section_path),
                chunk.text,
                codec.pack_path(chunk.section_path),
                codec.pack_spans(chunk.spans),
                chunk.n_tokens,
                word_count(chunk.text),
                hashlib.sha256(embedded_text(chunk).encode()).digest(),
                chunk.caption,
            )
            for position, chunk in enumerate(chunks)
        ),
    )
    return int(cursor.lastrowid or 0)


def _check_text(document: Document, chunks: Iterable[Chunk]) -> None:
    """SQLite keeps text as UTF-8, which has no place for half a surrogate pair."""
    texts = [(f"page {page.label}", page.text) for page in document.pages]
    texts += [(f"chunk {chunk.index}", chunk.text) for chunk in chunks]
    for place, text in texts:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise LibraryError(
                f"{document.name}, {place}: character {error.start} is half a surrogate pair and cannot "
                "be stored"
            ) from error


def _keep_name(db: sqlite3.Connection, document_id: int, name: str) -> None:
    """The newest name gets the highest rowid, so that it is the one shown."""
    db.execute("INSERT OR REPLACE INTO document_names VALUES (?, ?)", (document_id, name))


def _page_row(page: Page) -> tuple[Any, ...]:
    return (
        page.page_index,
        page.label,
        float(page.width),
        float(page.height),
        page.text,
        codec.pack_boxes(page.boxes),
        codec.pack_blocks(page.blocks),
    )


def _page(row: tuple[Any, ...]) -> Page:
    page_index, label, width, height, text, boxes, blocks = row
    return Page(
        page_index,
        label,
        width,
        height,
        text,
        codec.unpack_boxes(boxes, len(text)),
        codec.unpack_blocks(blocks),
    )


def _section(row: tuple[Any, ...]) -> Section:
    title, level, path, page_index, start, end, page_index_start, page_index_end = row
    return Section(
        title,
        level,
        codec.unpack_path(path),
        Span(page_index, start, end),
        page_index_start,
        page_index_end,
    )


def _chunk(row: tuple[Any, ...]) -> Chunk:
    index, text, section_path, spans, n_tokens, caption = row
    return Chunk(index, text, codec.unpack_path(section_path), codec.unpack_spans(spans), n_tokens, caption)


def _gone(path: Path, name: str) -> LibraryError:
    return LibraryError(f"{name} is no longer in the library {path}: it was removed; add it again")


def _damaged(path: Path, name: str, error: ValueError) -> LibraryError:
    return LibraryError(f"{name} is damaged in the library {path} ({error}): remove it and add it again")
