"""Prompts read once: a tree of native sequences, of which each new prompt takes the longest it begins with.

How a request uses it (any thread; a PrefixCache locks itself, a KvSequence belongs to one request):

    sequence = cache.acquire(ids)                       # holds sequence.reused tokens of ids already
    while (at := len(sequence.tokens)) < len(ids):
        chunk = ids[at : sequence.stop(at + 512)]
        cache.with_room(lambda: model.forward([(sequence.handle, chunk, 0)]))
        cache.append(sequence, chunk)                   # after the forward pass; generated tokens too
    ...
    cache.release(sequence)                             # for the next prompt; or cache.discard(sequence)

What the tree stores are snapshots: native sequences of whole prefixes, which share their pages with each
other and with the sequences in use. A request never holds a snapshot, only a fork of one, so no eviction
touches what is in use. Snapshots stay until the KV pool is full. Then goes what is cheapest to compute again
for the memory it takes and was longest unused: the value of a snapshot is its cost over its size, added to a
clock that runs with the evictions (Cao and Irani, "Cost-Aware WWW Proxy Caching Algorithms", USITS 1997).

A windowed layer forgets what lies behind its window, so a sequence of such a model can be taken back a page
or two only. A prompt that parts from it earlier goes on from a snapshot before that place, and the tokens
between are computed again. Snapshots therefore stand where prompts part: where the caller says so (`shared`),
where two prompts parted before, near the end of a long prompt, and every so many tokens.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, TypeVar

from longleaf import LongleafError, _native
from longleaf.engine.prefix.counters import Counters
from longleaf.engine.prefix.disk import PrefixStore
from longleaf.engine.prefix.file import Page
from longleaf.engine.prefix.tree import Ids, Node, RadixTree, as_ids

# Where a token's attention costs about as much as the rest of its forward pass (Gemma 3 270M, SmolLM2 135M).
_ATTENTION_EQUALS_REST = 8192
_TAIL = 256  # tokens: a long prompt's last marks stand at multiples of it, for most questions are shorter
_TRIED = 8  # snapshots behind the place where prompts part that are asked whether they can go back to it
_WORTH_RESTORING = 64  # tokens: fewer are read again as fast
_ROOM_SHARE = 32  # of what is cached at least this part is dropped at a time: each time all are sorted

T = TypeVar("T")


class KvExhaustedError(_native.KvFullError):
    """The KV pool is full and nothing can be dropped: all is pinned or in use. Says how much of each."""


class PrefixError(LongleafError):
    """A prefix that is not in the cache was to be pinned or unpinned."""


class NativeSequences(Protocol):
    """What of `_native.Model` the cache calls."""

    def new_sequence(self) -> int: ...
    def fork(self, seq: int) -> int: ...
    def truncate(self, seq: int, n: int) -> None: ...
    def free(self, seq: int) -> None: ...
    def can_truncate(self, seq: int, n: int) -> bool: ...
    def kv_stats(self) -> dict[str, int]: ...
    def export_pages(self, seq: int, first: int = 0) -> list[tuple[int, int, bytes]]: ...
    def import_sequence(self, length: int, pages: Sequence[Page]) -> int: ...


@dataclass(slots=True, eq=False)
class _Snapshot:
    """A native sequence of exactly the tokens from the root to its node."""

    handle: int
    clock: float  # of the cache when it was used last
    serial: int  # the same in requests, to order equals
    users: int = 0  # sequences in use that were forked from it
    pins: int = 0
    lasting: bool = False  # prompts part here: stays beside longer snapshots


@dataclass(slots=True, eq=False)
class KvSequence:
    """A native sequence in use by one request, and the tokens its KV cache holds."""

    handle: int
    tokens: list[int]
    reused: int  # tokens that it had when it was acquired
    marks: dict[
        int, bool
    ]  # lengths at which `append` takes a snapshot; whether prompts are known to part there
    source: _Snapshot | None

    def stop(self, most: int) -> int:
        """Where the next chunk must end: `most` tokens, or sooner if a snapshot is due there."""
        now = len(self.tokens)
        return min([mark for mark in self.marks if mark > now] + [most])


@dataclass(frozen=True, slots=True)
class PrefixStats:
    """What the cache holds now, and what it did since it was made."""

    snapshots: int
    tokens: int  # in the tree, each shared one counted once
    pinned: int  # snapshots
    in_use: int  # sequences acquired and not given back
    kv: dict[str, int]  # pages and bytes of the KV pool, by kind of layer: `_native.Model.kv_stats`
    done: Counters


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Bytes of KV, to tell what a snapshot takes."""

    per_token: float  # in the layers that see all
    window_per_token: float  # in the windowed layers
    window: int  # tokens that a windowed layer keeps; 0 without such layers

    @property
    def tokens_between_marks(self) -> int:
        """So many that the windows kept at marks take no more than all the rest does."""
        if self.per_token == 0:
            return 8 * self.window
        tokens = self.window * self.window_per_token / self.per_token
        return max(_TAIL, -(-int(tokens) // _TAIL) * _TAIL)

    def own_bytes(self, tokens: int, from_snapshot: int) -> float:
        """Of a snapshot that has `tokens` for itself and stands so many behind the one before it."""
        return tokens * self.per_token + min(from_snapshot, self.window) * self.window_per_token


def _sizes(kv: dict[str, int]) -> _Sizes:
    page = kv["page_bytes"] / kv["page_tokens"]
    kept = kv["window_tokens"] + 2 * kv["page_tokens"] if kv["window_layers"] else 0
    return _Sizes(kv["global_layers"] * page, kv["window_layers"] * page, kept)


class PrefixCache:
    """Thread-safe. All native sequences it made are its own until `discard` or `clear` frees them."""

    def __init__(self, native: NativeSequences, *, store: PrefixStore | None = None) -> None:
        """With a `store` long prefixes are written to disk in the background and read back when asked for."""
        self._native = native
        self._sizes = _sizes(native.kv_stats())
        self._tree: RadixTree[_Snapshot] = RadixTree()
        self._store = store
        self._counters = store.counters if store else Counters()
        self._unsaved: deque[tuple[Node[_Snapshot], _Snapshot]] = deque()
        self._saver: threading.Thread | None = None
        self._lock = threading.RLock()
        self._clock = 0.0
        self._in_use = 0

    def acquire(self, ids: Sequence[int], *, shared: int = 0) -> KvSequence:
        """A sequence that holds the longest known beginning of `ids`, at most all of them.

        `shared` is how many of `ids` other prompts will begin with too (a document before its question): a
        snapshot is taken there. Takes no page, so the pool cannot be too full for it.
        """
        wanted = as_ids(ids)
        self._restore(wanted)
        with self._lock:
            source, longer, length, known = self._longest(wanted)
            if source is None:
                handle = self._native.new_sequence()
            else:
                handle = self._native.fork(source.handle)
                if longer > length:
                    self._native.truncate(handle, length)
                self._touch(source)
                source.users += 1
            self._counters.requests += 1
            self._counters.hits += length > 0
            self._counters.reused_tokens += length
            self._counters.computed_tokens += len(wanted) - length
            self._in_use += 1
            marks = self._marks(length, known, shared, len(wanted))
            return KvSequence(handle, wanted[:length].tolist(), length, marks, source)

    def locked_here(self) -> bool:
        """Whether this thread holds the cache's lock, as a finalizer run by the collector may find it."""
        owned: bool = self._lock._is_owned()  # type: ignore[attr-defined]
        return owned

    def match(self, ids: Sequence[int]) -> int:
        """How many tokens of `ids` a sequence would be acquired with."""
        with self._lock:
            return self._longest(as_ids(ids))[2]

    def append(self, sequence: KvSequence, tokens: Sequence[int]) -> None:
        """Records tokens that a forward pass has added; takes a snapshot where one is due."""
        sequence.tokens += tokens
        lasting = sequence.marks.get(len(sequence.tokens))
        if lasting is not None:
            with self._lock:
                self._mark(sequence, lasting)

    def mark(self, sequence: KvSequence) -> None:
        """Keeps what the sequence holds now as a place where other prompts will part from it."""
        with self._lock:
            self._mark(sequence, lasting=True)

    def release(self, sequence: KvSequence) -> None:
        """Gives a sequence back, its tokens ready for the next prompt that begins with them."""
        with self._lock:
            self._leave(sequence)
            if not sequence.tokens:
                self._native.free(sequence.handle)
                return
            node = self._put(as_ids(sequence.tokens), sequence.handle)
            self._save_later(node)

    def discard(self, sequence: KvSequence) -> None:
        """Gives a sequence back without keeping its tokens."""
        with self._lock:
            self._leave(sequence)
            self._native.free(sequence.handle)

    def pin(self, ids: Sequence[int]) -> None:
        """Keeps the prefix `ids` in memory until `unpin`; pins count. PrefixError if it has not been read."""
        with self._lock:
            held = self.match(ids)
            if held < len(ids) or not ids:
                raise PrefixError(f"cannot pin {len(ids)} tokens: {held} of them are cached; read them first")
            sequence = self.acquire(ids)
            self._mark(sequence, lasting=True).pins += 1
            self.discard(sequence)

    def unpin(self, ids: Sequence[int]) -> None:
        """Takes one pin of `ids` away. PrefixError if there is none."""
        with self._lock:
            node, length = self._tree.match(as_ids(ids))
            if length < len(ids) or node.depth > length or node.value is None or node.value.pins == 0:
                raise PrefixError(f"these {len(ids)} tokens are not pinned")
            node.value.pins -= 1

    def make_room(self) -> bool:
        """Drops the snapshots least worth their memory, some at a time; False when there is none to drop.

        Those that wait to be written to disk go last, and are written first: to read them back is cheaper
        than to compute them again.
        """
        with self._lock:
            unsaved = {id(snapshot) for _, snapshot in self._unsaved} if self._saver else set()
            ranked = sorted(self._ranked(), key=lambda each: each[:3])
            ranked = [each for each in ranked if id(each[4].value) not in unsaved]
            enough = sum(own for *_, own, _ in ranked) / _ROOM_SHARE
            freed = 0.0
            for _, value, _, own, node in ranked:
                self._clock = max(self._clock, value)
                self._evict(node)
                freed += own
                if freed >= enough:
                    break
        return bool(ranked) or self._wait_for_saver() or bool(unsaved)

    def with_room(self, action: Callable[[], T]) -> T:
        """Runs `action`, making room each time the KV pool is too full. KvExhaustedError if none is left."""
        while True:
            try:
                return action()
            except _native.KvFullError as error:
                if not self.make_room():
                    raise self.exhausted(error) from error

    def flush(self) -> None:
        """Waits until all that is worth it is on disk."""
        self._wait_for_saver()
        self._save_all()
        if self._store is not None:
            self._store.report()

    def clear(self) -> None:
        """Frees every snapshot, pinned or not, after what `flush` does. Sequences in use stay whole."""
        self.flush()
        with self._lock:
            for node in list(self._tree.nodes()):
                if node.value is not None:
                    self._native.free(node.value.handle)
            self._tree = RadixTree()
            self._unsaved.clear()

    def exhausted(self, error: Exception) -> KvExhaustedError:
        """The error to end a request with when `make_room` found nothing to drop."""
        stats = self.stats()
        return KvExhaustedError(
            f"the KV pool is full and nothing can be dropped: {stats.in_use} sequences are in use, "
            f"{stats.pinned} cached prefixes are pinned. Unpin one, let a request end, or give a larger "
            f"--kv-budget ({error})"
        )

    def stats(self) -> PrefixStats:
        with self._lock:
            nodes = list(self._tree.nodes())
            snapshots = [node.value for node in nodes if node.value is not None]
            return PrefixStats(
                snapshots=len(snapshots),
                tokens=sum(len(node.tokens) for node in nodes),
                pinned=sum(snapshot.pins > 0 for snapshot in snapshots),
                in_use=self._in_use,
                kv=self._native.kv_stats(),
                done=replace(self._counters),
            )

    # -- inside, under the lock --------------------------------------------------------------------------

    def _longest(self, ids: Ids) -> tuple[_Snapshot | None, int, int, int]:
        """What to fork for `ids`, the tokens it has, how many to keep, how many the tree knows."""
        node, known = self._tree.match(ids)
        if known == 0:
            return None, 0, 0, 0
        for each in self._nearest_below(node):
            if each.value is not None and (
                each.depth == known or self._native.can_truncate(each.value.handle, known)
            ):
                return each.value, each.depth, known, known
        for each in node.ancestors():
            if each.value is not None:
                return each.value, each.depth, each.depth, known
        return None, 0, 0, known

    def _nearest_below(self, top: Node[_Snapshot]) -> list[Node[_Snapshot]]:
        """The first snapshots on the paths from here down, the shortest ones: they can go back furthest."""
        found, waiting = [], [top]
        while waiting:
            node = waiting.pop()
            if node.value is not None:
                found.append(node)
            else:
                waiting.extend(node.children.values())
        return sorted(found, key=lambda node: node.depth)[:_TRIED]

    def _marks(self, start: int, known: int, shared: int, end: int) -> dict[int, bool]:
        """Where between `start` and `end` a prompt is to leave snapshots, and whether prompts part there."""
        marks: dict[int, bool] = {}
        if self._sizes.window:
            every = self._sizes.tokens_between_marks
            marks.update(dict.fromkeys(range(every, end, every), False))
            last = (end - 1) // _TAIL * _TAIL
            if not shared and last > self._sizes.window:
                marks.update({last: False, last - _TAIL: False, last - 2 * _TAIL: True})
            marks[known] = True
        marks[shared] = True
        return {
            at: lasting for at, lasting in sorted(marks.items()) if start < at < end or start < at == shared
        }

    def _put(self, ids: Ids, handle: int) -> Node[_Snapshot]:
        """Makes a native sequence of just `ids` a snapshot, or frees it if there is one already."""
        node = self._tree.insert(ids)
        if node.value is None:
            node.value = _Snapshot(handle, self._clock, self._counters.requests)
            self._drop_superseded(node)
        else:
            self._native.free(handle)
            self._touch(node.value)
        return node

    def _touch(self, snapshot: _Snapshot) -> None:
        snapshot.clock, snapshot.serial = self._clock, self._counters.requests

    def _mark(self, sequence: KvSequence, lasting: bool) -> _Snapshot:
        node = self._put(as_ids(sequence.tokens), self._native.fork(sequence.handle))
        assert node.value is not None
        if lasting and not node.value.lasting:
            node.value.lasting = True
            self._save_later(node)
        return node.value

    def _leave(self, sequence: KvSequence) -> None:
        self._in_use -= 1
        if sequence.source is not None:
            sequence.source.users -= 1

    def _drop_superseded(self, leaf: Node[_Snapshot]) -> None:
        """Frees the snapshot that the new one goes on from, if whatever it serves the new one serves too."""
        for node in leaf.ancestors():
            if len(node.children) > 1:
                return
            if (old := node.value) is not None:
                served = leaf.value is not None and self._native.can_truncate(leaf.value.handle, node.depth)
                if served and not (old.lasting or old.users or old.pins):
                    self._native.free(old.handle)
                    self._tree.clear(node)
                return

    def _restore(self, ids: Ids) -> None:
        """Brings the longest stored beginning of `ids` into the tree if that saves reading some tokens."""
        if self._store is None:
            return
        with self._lock:
            held = self._longest(ids)[2]
        loaded = self._store.load(ids, held + _WORTH_RESTORING)
        if loaded is None:
            return
        stored, pages = loaded
        try:
            handle = self.with_room(lambda: self._native.import_sequence(stored.length, pages))
        except KvExhaustedError:
            return  # then there is no room for reading it either; that will say so
        except _native.NativeError as error:
            self._store.reject(stored, error)
            return
        self._store.restored(stored)
        with self._lock:
            self._put(ids[: stored.length], handle)

    def _save_later(self, node: Node[_Snapshot]) -> None:
        if self._store is None or node.value is None or node.depth < self._store.least:
            return
        if not node.value.lasting:
            above = next((each.depth for each in node.ancestors() if each.value and each.value.lasting), 0)
            if node.depth - above < self._store.least:
                return
        self._unsaved.append((node, node.value))
        if self._saver is None:
            self._saver = threading.Thread(target=self._run_saver, name="longleaf-prefixes")
            try:
                self._saver.start()
            except RuntimeError:  # the interpreter is ending; `flush` saves
                self._saver = None

    def _run_saver(self) -> None:
        """The thread ends when nothing is left to save, so that no process hangs on it."""
        try:
            self._save_all()
        finally:
            with self._lock:
                if self._saver is threading.current_thread():
                    self._saver = None

    def _save_all(self) -> None:
        while (job := self._next_unsaved()) is not None:
            store, ids, handle = job
            try:
                store.save(ids, partial(self._native.export_pages, handle))
            finally:
                with self._lock:
                    self._native.free(handle)

    def _next_unsaved(self) -> tuple[PrefixStore, Ids, int] | None:
        """The oldest prefix to be saved that is still in the tree, and a fork of it."""
        with self._lock:
            while self._unsaved and self._store is not None:
                node, snapshot = self._unsaved.popleft()
                if node.value is snapshot:
                    return self._store, node.path(), self._native.fork(snapshot.handle)
            if self._saver is threading.current_thread():
                self._saver = None  # what comes from now on is for the next one
            return None

    def _wait_for_saver(self) -> bool:
        """Waits for the saving thread, which holds pages; False if there was none to wait for."""
        saver = self._saver
        if saver is None or saver is threading.current_thread():
            return False
        saver.join()
        return True

    def _evict(self, node: Node[_Snapshot]) -> None:
        if node.value is not None:
            self._native.free(node.value.handle)
            self._tree.clear(node)
            self._counters.evictions += 1

    def _ranked(self) -> Iterator[tuple[bool, float, int, float, Node[_Snapshot]]]:
        """Of every snapshot not pinned: whether it is in use, its value, its age, its own bytes, its node.

        Dropping one of which a sequence in use was forked frees little, yet a copied page or two.
        """
        # (node, tokens that another snapshot shares with it, tokens of the nearest snapshot above it)
        waiting = [(self._tree.root, 0, 0)]
        while waiting:
            node, shared, above = waiting.pop()
            snapshot = node.value
            if snapshot is not None and snapshot.pins == 0:
                own = self._sizes.own_bytes(0 if node.children else node.depth - shared, node.depth - above)
                value = snapshot.clock + _work(above, node.depth) / max(own, 1)
                yield snapshot.users > 0, value, snapshot.serial, own, node
            if snapshot is not None:
                above = node.depth
            if snapshot is not None or len(node.children) > 1:
                shared = node.depth
            waiting += [(child, shared, above) for child in node.children.values()]


def _work(start: int, end: int) -> float:
    """What computing the tokens from `start` to `end` costs, in tokens at the start of a text."""
    return (end - start) * (1 + (start + end) / 2 / _ATTENTION_EQUALS_REST)
