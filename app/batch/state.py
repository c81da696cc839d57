"""How far a batch has come: one row a document in the Library, written in one transaction when it is done."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

from longleaf.app.batch.schema import Item, ItemResult
from longleaf.app.library.documents import Library


def run_id(output: Path) -> str:
    """A run is known by the folder it writes to."""
    return hashlib.sha256(str(output.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def kept(library: Library, run: str) -> dict[str, tuple[str, Item]]:
    """By name: the key that each item was made under, and the item."""
    with library.file.read() as db:
        rows = db.execute(
            "SELECT name, key, status, reason, seconds, result FROM batch_items WHERE run = ?", (run,)
        ).fetchall()
    return {
        name: (
            key,
            Item(
                name=name, status=status, reason=reason, seconds=seconds,
                result=ItemResult.model_validate_json(result),
            ),
        )
        for name, key, status, reason, seconds, result in rows
    }  # fmt: skip


def keep(library: Library, run: str, key: str, item: Item) -> None:
    """Keeps an item in place of what was kept under its name."""
    with library.file.write() as db:
        db.execute(
            "INSERT OR REPLACE INTO batch_items VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                run,
                item.name,
                key,
                item.status,
                item.reason,
                item.seconds,
                item.result.model_dump_json(by_alias=True),
                datetime.now(UTC).isoformat(),
            ),
        )


def forget_others(library: Library, run: str, names: set[str]) -> None:
    """Drops what is no longer in the folders."""
    with library.file.write() as db:
        there = {name for (name,) in db.execute("SELECT name FROM batch_items WHERE run = ?", (run,))}
        db.executemany(
            "DELETE FROM batch_items WHERE run = ? AND name = ?", [(run, name) for name in there - names]
        )
