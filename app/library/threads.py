"""Conversations kept in the Library, so that they go on tomorrow."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from pydantic import ValidationError

from longleaf.app.library.database import LibraryError
from longleaf.app.library.documents import Library
from longleaf.app.schema import Thread


def save_thread(library: Library, thread: Thread) -> None:
    """Keeps the thread in place of what was kept under its id. Raises LibraryError."""
    if not re.fullmatch(r"[\w.-]{1,64}", thread.id):
        raise LibraryError(
            f"{thread.id!r} cannot name a thread: use up to 64 letters, digits, '.', '-' and '_'"
        )
    now = datetime.now(UTC).isoformat()
    with library.file.write() as db:
        db.execute(
            "INSERT INTO threads VALUES (?, ?, ?, ?)"
            " ON CONFLICT(id) DO UPDATE SET changed_at = excluded.changed_at, thread = excluded.thread",
            (thread.id, now, now, thread.model_dump_json()),
        )
        db.execute("DELETE FROM thread_documents WHERE thread_id = ?", (thread.id,))
        db.executemany(
            "INSERT INTO thread_documents VALUES (?, ?)",
            [(thread.id, each) for each in dict.fromkeys(thread.sha256)],
        )


def saved_thread(library: Library, thread_id: str) -> Thread | None:
    """The thread of that id, or None. Raises LibraryError for one that this version cannot read."""
    with library.file.read() as db:
        row = db.execute("SELECT thread FROM threads WHERE id = ?", (thread_id,)).fetchone()
    if row is None:
        return None
    try:
        return Thread.model_validate_json(row[0])
    except ValidationError as error:
        raise LibraryError(f"the thread {thread_id!r} was written by another version of Longleaf") from error


def threads(library: Library) -> list[tuple[str, str]]:
    """The id of each thread and when it changed last, newest first."""
    with library.file.read() as db:
        rows = db.execute("SELECT id, changed_at FROM threads ORDER BY changed_at DESC, id").fetchall()
    return [(str(thread_id), str(changed)) for thread_id, changed in rows]
