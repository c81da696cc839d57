"""Prefixes on disk: what was read once need not be read again by another process.

Layout below the root folder (by default `prefixes` in Longleaf's cache folder):

    IDENTITY/PARENT-KEY.kv   one segment: tokens [start, end) of a prefix and the KV pages that are new in it
    IDENTITY/about.json      what the identity stands for
    IDENTITY/*.partial       segments being written, each locked by its writer
    counters.json            what all processes did so far
    .lock                    held while files get their final names or are dropped

A segment begins at a page border and goes on from its parent, of which it takes the pages before that
border, so a longer prefix of the same text adds only what is new. KEY is a hash of PARENT and the segment's
tokens; the first parent is the identity, a hash of all that the numbers in a page depend on: the model's
bytes, the built core, the instruction set, the types of K and V, rope and the version of this format. A file
never changes once it has its name, so readers need no lock: a file that is gone is a miss. Nothing in a file
is used before its digest was right (prefix_file.py). Files are mode 0600 in folders of mode 0700: a text can
be reconstructed from its KV pages.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import secrets
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path

from longleaf.engine.atomic_files import new_file, sync_folder, write_whole
from longleaf.engine.prefix.counters import Counters, add_counters
from longleaf.engine.prefix.file import (
    DIGEST_BYTES,
    DamagedError,
    Export,
    Page,
    Segment,
    file_name,
    read_pages,
    read_segment,
    segment_key,
    write_segment,
)
from longleaf.engine.prefix.folder import (
    DEFAULT_LIMIT,
    DiskCacheError,
    locked,
    prune,
)
from longleaf.engine.prefix.tree import Ids, common_prefix

FORMAT_VERSION = (
    2  # of the files, and of what the engine puts into pages as far as the identity does not tell
)
LEAST_TOKENS = 1024  # new ones that make a segment worth its write: a second's reading for 3 to 20 MB
_TRIES = 8  # of a restore whose files vanish or turn out damaged

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Identity:
    """What the numbers in a KV page depend on; two that differ in anything share no page."""

    facts: dict[str, str | int]
    label: dict[str, str | list[int]] = field(default_factory=dict)  # to be shown only

    @property
    def key(self) -> str:
        plain = json.dumps({"format": FORMAT_VERSION, **self.facts}, sort_keys=True).encode()
        return blake2b(plain, digest_size=DIGEST_BYTES).hexdigest()


@dataclass(frozen=True, slots=True)
class Stored:
    """The segments, root first, that hold the first `length` tokens of a prompt."""

    chain: tuple[Segment, ...]
    length: int


@dataclass(slots=True)
class _Index:
    """The segments of one identity by their parents, as of one state of the folder."""

    seen_at: int = -1  # mtime of the folder
    by_name: dict[str, Segment] = field(default_factory=dict)
    children: dict[str, list[Segment]] = field(default_factory=dict)


class PrefixStore:
    """The prefixes of one identity on disk. Thread-safe, and other processes may use the same folder."""

    def __init__(
        self,
        root: Path,
        identity: Identity,
        *,
        page_tokens: int,
        windowed: bool,
        limit: int = DEFAULT_LIMIT,
        least: int = LEAST_TOKENS,
    ) -> None:
        """With `windowed` layers only the whole of a segment can be used. `limit` is in bytes; `least` is how
        many new tokens make a segment.

        Raises DiskCacheError when the folder cannot be made.
        """
        self.root, self.identity, self.limit = root, identity, limit
        self.least = least
        self._page_tokens, self._windowed = page_tokens, windowed
        self._folder = root / identity.key
        self._index = _Index()
        self._lock = threading.Lock()
        self.counters = Counters()
        self._reported = Counters()
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            root.chmod(0o700)
            self._folder.chmod(0o700)
            about = self._folder / "about.json"
            if not about.exists():
                write_whole(about, json.dumps({**identity.label, **identity.facts}, indent=1))
        except OSError as error:
            raise DiskCacheError(
                f"cannot keep prefixes in {root}: {error}. Give another folder with --slot-save-path, or set "
                "--slot-save-size 0 to keep none on disk"
            ) from error

    def find(self, ids: Ids) -> Stored:
        """The longest beginning of `ids` that the files promise to hold."""
        with self._lock:
            children = self._refreshed().children
        best = Stored((), 0)
        waiting: list[tuple[str, int, int, tuple[Segment, ...]]] = [(self.identity.key, 0, 0, ())]
        while waiting:
            key, matched, whole, chain = waiting.pop()
            for segment in children.get(key, ()):
                starts_well = (
                    segment.start == self._border(whole) if self._windowed else segment.start <= matched
                )
                if not starts_well or matched < segment.start:
                    continue
                shared = common_prefix(segment.tokens, ids[segment.start :])
                is_whole = shared == len(segment.tokens)
                if self._windowed and not is_whole:
                    continue
                longer = (*chain, segment)
                length = segment.start + shared
                if length > best.length:
                    best = Stored(longer, length)
                waiting.append((segment.key, length, segment.end, longer))
        return best

    def load(self, ids: Ids, at_least: int) -> tuple[Stored, list[Page]] | None:
        """The longest intact stored beginning of `ids`, if it has `at_least` so many tokens, and its pages.

        Files that are not intact are removed on the way, and a shorter prefix is tried.
        """
        for _ in range(_TRIES):
            stored = self.find(ids)
            if stored.length < at_least:
                return None
            try:
                pages = self._pages(stored)
            except (DamagedError, OSError):
                self._forget()
                continue
            return stored, pages
        return None

    def save(self, ids: Ids, export: Export) -> bool:
        """Writes what of a prefix is not on disk yet; whether a file was written.

        `export(block)` gives the pages of a native sequence of just `ids` from a block on. A full disk or an
        unusable folder is logged and counted, never raised.
        """
        stored = self.find(ids)
        if len(ids) - stored.length < self.least:
            self._touch(stored.chain)
            return False
        start = self._border(stored.length)
        parent = stored.chain[-1].key if stored.chain else self.identity.key
        try:
            size = self._write(parent, start, ids[start:], export)
        except OSError as error:
            self.counters.failed_spills += 1
            log.warning("a prefix of %d tokens was not kept on disk in %s: %s", len(ids), self.root, error)
            return False
        self.counters.spills += 1
        self.counters.spilled_bytes += size
        return True

    def restored(self, stored: Stored) -> None:
        """Notes that a prefix was put to use."""
        self._touch(stored.chain)
        self.counters.restores += 1
        self.counters.restored_tokens += stored.length

    def reject(self, stored: Stored, error: Exception) -> None:
        """Removes the last file of a prefix that the core would not take."""
        self._remove_damaged(stored.chain[-1].path, error)
        self._forget()

    def report(self) -> None:
        """Adds what this process did since the last report to the counters of all processes."""
        with self._lock:
            now = replace(self.counters)
            new, self._reported = now.plus(self._reported, -1), now
        if new != Counters():
            with suppress(OSError):
                add_counters(self.root, new)

    # -- inside ------------------------------------------------------------------------------------------

    def _border(self, length: int) -> int:
        return length // self._page_tokens * self._page_tokens

    def _forget(self) -> None:
        with self._lock:
            self._index.seen_at = -1

    def _refreshed(self) -> _Index:
        """The index, read anew if a file came or went."""
        try:
            now = self._folder.stat().st_mtime_ns
        except FileNotFoundError:
            self._index = _Index()
            return self._index
        if now == self._index.seen_at:
            return self._index
        fresh = _Index(now)
        children: defaultdict[str, list[Segment]] = defaultdict(list)
        for path in self._folder.glob("*.kv"):
            segment = self._index.by_name.get(path.name) or self._open(path)
            if segment is not None:
                fresh.by_name[path.name] = segment
                children[segment.parent].append(segment)
        fresh.children = dict(children)
        self._index = fresh
        return fresh

    def _open(self, path: Path) -> Segment | None:
        """What a file says of itself; None, and the file removed, if that is not intact."""
        try:
            return read_segment(path, self.identity.key)
        except DamagedError as error:
            self._remove_damaged(path, error)
        except OSError as error:
            if error.errno != errno.ENOENT:
                log.warning("%s cannot be read: %s", path, error)
        return None

    def _remove_damaged(self, path: Path, error: Exception) -> None:
        log.warning("%s is not intact (%s) and was removed; the text will be read again", path, error)
        self.counters.damaged += 1
        with suppress(OSError):
            path.unlink()

    def _pages(self, stored: Stored) -> list[Page]:
        """The pages of a prefix, each checked. Raises DamagedError or OSError; a damaged file is removed."""
        blocks = -(-stored.length // self._page_tokens)
        held: dict[tuple[int, int], Page] = {}
        end = blocks  # blocks from here on come from segments further down the chain
        for segment in reversed(stored.chain):
            start = segment.start // self._page_tokens
            try:
                for page in read_pages(segment.path, self.identity.key, range(start, end)):
                    held[page[0], page[1]] = page
            except DamagedError as error:
                self._remove_damaged(segment.path, error)
                raise
            end = start
        return list(_without_gaps(held, blocks))

    def _touch(self, chain: Iterable[Segment]) -> None:
        for segment in chain:
            with suppress(OSError):
                os.utime(segment.path)

    def _write(self, parent: str, start: int, tokens: Ids, export: Export) -> int:
        """One segment, under a temporary name until it is whole and on disk; its size. Raises OSError."""
        key = segment_key(parent, start, tokens)
        partial = self._folder / f"{key}.{secrets.token_hex(4)}.partial"
        with new_file(partial) as file:
            pages = export(start // self._page_tokens)
            size = write_segment(file, self.identity.key, parent, start, tokens, pages)
            if size > self.limit:
                raise OSError(errno.EFBIG, f"its {size:,} bytes alone exceed the limit of {self.limit:,}")
            os.fsync(file.fileno())
            with locked(self.root):
                self.counters.pruned += prune(self.root, self.limit - size)
                partial.rename(self._folder / file_name(parent, key))
                sync_folder(self._folder)
        self._forget()
        return size


def _without_gaps(pages: dict[tuple[int, int], Page], blocks: int) -> Iterator[Page]:
    """Of each layer the last blocks without a gap: parents keep older ones of windowed layers too."""
    for layer in sorted({layer for layer, _ in pages}):
        for block in range(blocks - 1, -1, -1):
            page = pages.get((layer, block))
            if page is None:
                break
            yield page
