"""ZIP folders and messages opened up: each member and each attachment is a document of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from longleaf.ingest.errors import IngestError
from longleaf.ingest.formats.detect import Format
from longleaf.ingest.read import format_of, open_file
from longleaf.ingest.worker.whole_file import run

_MAX_DEPTH = 4
_MOST_MEMBERS = 2_000  # of all folders in folders
_MOST_BYTES = 2 << 30
_SECONDS = 120.0
_CONTAINERS = ("zip", "mail")


@dataclass(frozen=True, slots=True)
class Member:
    """A document by the name to show ("deals.zip/2023/lease.pdf"); without a path, why it is not read."""

    name: str
    path: Path | None
    problem: str = ""


@dataclass(slots=True)
class _Budget:
    folder: Path
    members: int = 0
    size: int = 0
    names: dict[str, int] = field(default_factory=dict)


def container_kind(path: str | Path, name: str | None = None) -> Format | None:
    """ "zip" or "mail" if the file may hold documents, else None. Raises IngestError if it cannot be read."""
    kind = format_of(path, name)
    return kind if kind in _CONTAINERS else None


def read_members(path: str | Path, folder: Path, *, name: str | None = None) -> Iterator[Member]:
    """The documents in a ZIP folder or a message, those of folders within it too, in the container's order.

    Each is written to `folder` when its turn comes; remove it there when done with it. A message comes before
    its attachments. What cannot be read is named. Raises IngestError if the container itself cannot be.
    """
    path = Path(path)
    name = name or path.name
    kind = container_kind(path, name)
    if kind is None:
        yield Member(name, path)
        return
    yield from _opened(path, name, kind, 1, _Budget(folder))


def _opened(path: Path, name: str, kind: Format, depth: int, budget: _Budget) -> Iterator[Member]:
    if kind == "mail":
        yield Member(name, path)
    descriptor = open_file(path)
    try:
        for head, body in run("members", descriptor, kind, name, _SECONDS):
            if "member" not in head:
                continue
            own = _unique(f"{name}/{head['member']}", budget)
            if "problem" in head:
                yield Member(own, None, str(head["problem"]))
                continue
            budget.members += 1
            budget.size += len(body)
            if budget.members > _MOST_MEMBERS or budget.size > _MOST_BYTES:
                most = f"{_MOST_MEMBERS:,} members or {_MOST_BYTES >> 30} GiB"
                yield Member(own, None, f"not read, nor what follows: more than {most}")
                return
            yield from _member(own, body, depth, budget)
    finally:
        os.close(descriptor)


def _member(name: str, body: bytes, depth: int, budget: _Budget) -> Iterator[Member]:
    path = budget.folder / f"{budget.members:05}"  # never the member's own name
    path.write_bytes(body)
    try:
        kind = container_kind(path, name)
    except IngestError as error:
        path.unlink()
        yield Member(name, None, str(error).removeprefix(f"{name}: "))
        return
    if kind is None:
        yield Member(name, path)
    elif depth >= _MAX_DEPTH:
        path.unlink()
        yield Member(name, None, f"not read: it is nested {_MAX_DEPTH} folders deep")
    else:
        try:
            yield from _opened(path, name, kind, depth + 1, budget)
        except IngestError as error:
            yield Member(name, None, str(error).removeprefix(f"{name}: "))
        path.unlink(missing_ok=True)


def _unique(name: str, budget: _Budget) -> str:
    budget.names[name] = budget.names.get(name, 0) + 1
    count = budget.names[name]
    return name if count == 1 else f"{name} ({count})"
