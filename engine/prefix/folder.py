"""The folder of prefixes on disk, whoever wrote them: its files, its limit, its lock, its counters."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from longleaf import LongleafError
from longleaf.engine.atomic_files import read_json
from longleaf.engine.models.store import cache_root
from longleaf.engine.prefix.file import DamagedError, read_layers, read_pages

DEFAULT_LIMIT = 4 << 30  # bytes
_PATIENCE = 10.0  # seconds to wait for another process, which holds the lock for milliseconds unless stopped


class DiskCacheError(LongleafError):
    """The folder of the disk cache cannot be used."""


def default_root() -> Path:
    return cache_root() / "prefixes"


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the disk cache as `longleaf cache list` shows it."""

    path: Path
    identity: str
    parent: str
    key: str
    size: int  # bytes
    used: datetime


def entries(root: Path) -> list[Entry]:
    """Every segment below the root, least recently used first."""
    found = []
    for path in root.glob("*/*.kv"):
        with suppress(FileNotFoundError):
            status = path.stat()
            parent, _, key = path.stem.partition("-")
            found.append(
                Entry(
                    path,
                    path.parent.name,
                    parent,
                    key,
                    status.st_size,
                    datetime.fromtimestamp(status.st_mtime),
                )
            )
    return sorted(found, key=lambda entry: entry.used)


def prune(root: Path, limit: int) -> int:
    """Removes what was longest unused, longer prefixes before those they go on from, until `limit` bytes are
    left; and what no reader can reach. The caller holds the root's lock. How many files were removed."""
    for partial in [*root.glob("*.partial"), *root.glob("*/*.partial")]:
        _remove_if_abandoned(partial)
    found = entries(root)
    known = {entry.key for entry in found} | {entry.identity for entry in found}
    orphans = [entry for entry in found if entry.parent not in known]
    children: defaultdict[str, int] = defaultdict(int)
    for entry in found:
        children[entry.parent] += 1
    total = sum(entry.size for entry in found)
    removed = 0

    def remove(entry: Entry) -> None:
        nonlocal total, removed
        entry.path.unlink(missing_ok=True)
        total -= entry.size
        removed += 1
        children[entry.parent] -= 1

    for entry in orphans:
        remove(entry)
    waiting = [entry for entry in found if entry not in orphans]
    while total > limit and waiting:
        leaves = [entry for entry in waiting if children[entry.key] <= 0]
        for entry in leaves:
            if total <= limit:
                break
            remove(entry)
            waiting.remove(entry)
        if not leaves:  # a circle, which only a forged folder has
            for entry in waiting:
                remove(entry)
            break
    return removed


def prune_folder(root: Path, limit: int) -> tuple[int, int]:
    """`prune` for the command line: files and bytes removed. Raises DiskCacheError."""
    if not root.is_dir():
        return 0, 0
    try:
        with locked(root):
            before = sum(entry.size for entry in entries(root))
            removed = prune(root, limit)
            return removed, before - sum(entry.size for entry in entries(root))
    except OSError as error:
        raise DiskCacheError(f"cannot prune {root}: {error}") from error


@dataclass(frozen=True, slots=True)
class Part:
    """What a file holds."""

    start: int  # tokens before it, its parents'
    tokens: int
    pages: int
    layers: dict[int, int]  # bytes of KV of each layer


@dataclass(frozen=True, slots=True)
class Totals:
    segments: int
    tokens: int
    pages: int
    bytes: int  # of the files
    global_bytes: int  # of pages of layers that see all
    window_bytes: int


def describe(entry: Entry) -> Part | None:
    """What the file says it holds; None if that is not intact."""
    try:
        segment, layers, pages = read_layers(entry.path, entry.identity)
    except (DamagedError, OSError):
        return None
    return Part(segment.start, len(segment.tokens), pages, layers)


def about(root: Path, identity: str) -> dict[str, object]:
    """What an identity stands for: the model's name, types, windows; empty if that is lost."""
    told = read_json(root / identity / "about.json")
    return told if isinstance(told, dict) else {}


def totals(root: Path) -> Totals:
    """Of all intact files. A layer counts as windowed if its folder's about.json says so."""
    segments = tokens = pages = size = 0
    by_kind = {False: 0, True: 0}
    for entry in entries(root):
        part = describe(entry)
        if part is None:
            continue
        windows = about(root, entry.identity).get("windows")
        for layer, held in part.layers.items():
            windowed = isinstance(windows, list) and layer < len(windows) and windows[layer] != 0
            by_kind[windowed] += held
        segments += 1
        tokens += part.tokens
        pages += part.pages
        size += entry.size
    return Totals(segments, tokens, pages, size, by_kind[False], by_kind[True])


def remove(entry: Entry) -> None:
    with suppress(OSError):
        entry.path.unlink()


def check(entry: Entry) -> str | None:
    """What is wrong with a file, None if every byte that counts is as it was written."""
    try:
        read_pages(entry.path, entry.identity, range(1 << 32))
    except DamagedError as error:
        return str(error)
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    return None


def _remove_if_abandoned(partial: Path) -> None:
    """A writer locks its file; the system lets go of the lock when the writer ends, however it ends."""
    with suppress(OSError), partial.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        partial.unlink()


@contextmanager
def locked(root: Path) -> Iterator[None]:
    """Held by one process at a time; the system lets go of it when that process ends.

    Raises OSError, a TimeoutError if it is not to be had: a stopped process must not stop all others.
    """
    descriptor = os.open(root / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    why = f"another process has held it for {_PATIENCE:.0f} s"
                    raise TimeoutError(errno.ETIMEDOUT, why, str(root / ".lock")) from None
                time.sleep(0.01)
        yield
    finally:
        os.close(descriptor)
