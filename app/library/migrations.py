"""The Library's tables, as migrations: each is applied once, in order, and never edited after a release.

sqlite-utils applies them and keeps the names of the applied ones in `_sqlite_migrations`
(https://sqlite-utils.datasette.io/en/stable/migrations.html). It is imported only for that: it brings in
pandas where that is installed, which takes longer than everything else a search does.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = (
    0x4C6C6561  # "Llea": marks the file as ours, https://www.sqlite.org/pragma.html#pragma_application_id
)
_SET = "longleaf"

# AUTOINCREMENT: an id is never used again after a removal, so an index cached under it can never be wrong.
# The FTS5 table keeps no text of its own (https://www.sqlite.org/fts5.html#external_content_tables); the
# triggers keep it in step with `chunks`. `terms` lists every term with its places, so that the retriever can
# weigh terms within the searched documents only. A vector belongs to a text, not to a chunk: when a file was
# changed or is read by newer code, only the chunks that changed are embedded again.
_FIRST = """
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sha256 TEXT NOT NULL,
    parser TEXT NOT NULL,
    page_count INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    gaps TEXT NOT NULL,
    added_at TEXT NOT NULL,
    UNIQUE (sha256, parser)
);
CREATE TABLE document_names (
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (document_id, name)
);
CREATE TABLE pages (
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    page_index INTEGER NOT NULL,
    label TEXT NOT NULL,
    width REAL NOT NULL,
    height REAL NOT NULL,
    text TEXT NOT NULL,
    boxes BLOB NOT NULL,
    blocks TEXT NOT NULL,
    PRIMARY KEY (document_id, position)
);
CREATE TABLE sections (
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    title TEXT NOT NULL,
    level INTEGER NOT NULL,
    path TEXT NOT NULL,
    page_index INTEGER NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    page_index_start INTEGER NOT NULL,
    page_index_end INTEGER NOT NULL,
    PRIMARY KEY (document_id, position)
);
CREATE TABLE chunk_sets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    chunking TEXT NOT NULL,
    chunk_count INTEGER NOT NULL,
    UNIQUE (document_id, chunking)
);
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    chunk_set_id INTEGER NOT NULL REFERENCES chunk_sets(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    chunk_index INTEGER NOT NULL,
    heading TEXT NOT NULL,
    text TEXT NOT NULL,
    section_path TEXT NOT NULL,
    spans TEXT NOT NULL,
    n_tokens INTEGER NOT NULL,
    words INTEGER NOT NULL,
    content BLOB NOT NULL,
    UNIQUE (chunk_set_id, position)
);
CREATE INDEX chunks_by_content ON chunks(content);
CREATE VIRTUAL TABLE chunks_fts USING fts5(
    heading, text, content='chunks', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE terms USING fts5vocab('chunks_fts', 'instance');
CREATE TRIGGER chunks_added AFTER INSERT ON chunks BEGIN
    INSERT INTO chunks_fts(rowid, heading, text) VALUES (new.id, new.heading, new.text);
END;
CREATE TRIGGER chunks_removed AFTER DELETE ON chunks BEGIN
    INSERT INTO chunks_fts(chunks_fts, rowid, heading, text)
    VALUES ('delete', old.id, old.heading, old.text);
END;
CREATE TABLE vectors (
    embedder TEXT NOT NULL,
    content BLOB NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (embedder, content)
) WITHOUT ROWID;
CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    question TEXT NOT NULL,
    model TEXT NOT NULL,
    settings TEXT NOT NULL,
    code_version TEXT NOT NULL,
    created_at TEXT NOT NULL,
    key TEXT NOT NULL UNIQUE
);
CREATE TABLE run_documents (
    run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (run_id, position)
);
CREATE INDEX run_documents_by_sha256 ON run_documents(sha256);
CREATE TABLE answers (
    run_id INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
    output TEXT NOT NULL
);
CREATE TABLE citations (
    run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    file TEXT NOT NULL,
    page_index INTEGER NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    quote TEXT NOT NULL,
    PRIMARY KEY (run_id, position)
);
"""


_CAPTIONS_AND_ANNOTATIONS = """
ALTER TABLE documents ADD COLUMN annotations TEXT NOT NULL DEFAULT '[]';
ALTER TABLE chunks ADD COLUMN caption TEXT NOT NULL DEFAULT '';
"""

# Postings by document (see search_index.py), not one FTS5 table over all; those of a document that was added
# before are made when it is first searched.
_SEARCH_INDEXES = """
DROP TRIGGER chunks_added;
DROP TRIGGER chunks_removed;
DROP TABLE terms;
DROP TABLE chunks_fts;
CREATE TABLE search_indexes (
    chunk_set_id INTEGER PRIMARY KEY REFERENCES chunk_sets(id) ON DELETE CASCADE,
    terms TEXT NOT NULL,
    postings BLOB NOT NULL,
    statements TEXT NOT NULL
);
"""

# Where chunks refer to (app/text/cross_references.py); indexes are made anew when they are next needed.
_REFERENCES = """
DELETE FROM search_indexes;
ALTER TABLE search_indexes ADD COLUMN refs TEXT NOT NULL DEFAULT '{}';
"""

# A thread is a conversation over some documents; its turns are JSON, as they are exported.
_THREADS = """
CREATE TABLE threads (
    id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    thread TEXT NOT NULL
);
CREATE TABLE thread_documents (
    thread_id TEXT NOT NULL REFERENCES threads(id) ON DELETE CASCADE,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (thread_id, sha256)
);
"""

# One row for each document of a batch, in the run that writes to one output folder.
_BATCHES = """
CREATE TABLE batch_items (
    run TEXT NOT NULL,
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    seconds REAL NOT NULL,
    result TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    PRIMARY KEY (run, name)
);
"""

_STEPS = {
    "m001_first_tables": _FIRST,
    "m002_captions_and_annotations": _CAPTIONS_AND_ANNOTATIONS,
    "m003_search_indexes": _SEARCH_INDEXES,
    "m004_references": _REFERENCES,
    "m005_threads": _THREADS,
    "m006_batches": _BATCHES,
}


def applied(db: sqlite3.Connection) -> set[str]:
    """The names of the migrations that a file has; reads only."""
    there = db.execute("SELECT 1 FROM sqlite_master WHERE name = '_sqlite_migrations'").fetchone()
    rows = db.execute("SELECT name FROM _sqlite_migrations WHERE migration_set = ?", (_SET,)) if there else ()
    return {name for (name,) in rows}


def known() -> set[str]:
    """The names of all migrations."""
    return set(_STEPS)


def apply(db: sqlite3.Connection) -> None:
    """Applies the missing ones, within the caller's transaction if there is one."""
    from sqlite_utils import Database, Migrations

    migrations = Migrations(_SET)
    for name, script in _STEPS.items():
        migrations(name=name)(_step(script))
    migrations.apply(Database(db, execute_plugins=False))


def _step(script: str) -> Callable[[Database], None]:
    def run(db: Database) -> None:
        db.executescript(script)

    return run
