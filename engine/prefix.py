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
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from longleaf import LongleafError, _native
from longleaf.engine.prefix_tree import Ids, Node, RadixTree, as_ids

# Where a token's attention costs about as much as the rest of its forward pass (Gemma 3 270M, SmolLM2 135M).
_ATTENTION_EQUALS_REST = 8192
_ROOM_SHARE = (
    32  # one eviction frees at least this part of what is cached, so that many small ones are sorted once
)

T = TypeVar("T")


class KvExhaustedError(LongleafError):
    """The KV pool is full and nothing of the cache may be dropped: all is pinned or in use."""


class PrefixError(LongleafError):
    """A prefix that is not in the cache was to be pinned or unpinned."""


class NativeSequences(Protocol):
    """What of `_native.Model` the cache calls."""

    def new_sequence(self) -> int: ...
    def fork(self, seq: int) -> int: ...
    def can_truncate(self, seq: int, n: int) -> bool: ...
    def truncate(self, seq: int, n: int) -> None: ...
    def free(self, seq: int) -> None: ...


@dataclass(slots=True, eq=False)
class _Snapshot:
    """A native sequence of exactly the tokens from the root to its node."""

    handle: int
    clock: float  # of the cache when it was used last
    serial: int  # the same in requests, to order equals
    users: int = 0  # sequences in use that were forked from it
    pins: int = 0
    is_branch: bool = False  # known to be shared: stays beside longer snapshots


@dataclass(slots=True, eq=False)
class KvSequence:
    """A native sequence in use by one request, and the tokens its KV cache holds."""

    handle: int
    tokens: list[int]
    reused: int  # tokens that it had when it was acquired
    marks: tuple[int, ...]  # lengths at which `append` takes a snapshot
    source: _Snapshot | None

    def stop(self, most: int) -> int:
        """Where the next chunk must end: `most` tokens, or sooner if a snapshot is due there."""
        now = len(self.tokens)
        return min([mark for mark in self.marks if mark > now], default=most) if most > now else most


@dataclass(frozen=True, slots=True)
class PrefixStats:
    """What the cache holds now, and what it did since it was made."""

    snapshots: int
    tokens: int  # in the tree, each shared one counted once
    pinned: int  # snapshots
    in_use: int  # sequences acquired and not given back
    requests: int
    hits: int  # requests that found at least one token
    tokens_reused: int
    tokens_missed: int  # asked for and not found
    evictions: int  # snapshots


class PrefixCache:
    """Thread-safe. All native sequences it made are its own until `discard` or `clear` frees them."""

    def __init__(self, native: NativeSequences) -> None:
        self._native = native
        self._tree: RadixTree[_Snapshot] = RadixTree()
        self._lock = threading.RLock()
        self._clock = 0.0
        self._requests = self._hits = self._reused = self._missed = self._evictions = self._in_use = 0

    def acquire(self, ids: Sequence[int], *, shared: int = 0) -> KvSequence:
        """A sequence that holds the longest known beginning of `ids`, at most all of them.

        `shared` is how many of `ids` other prompts will begin with too (a document before its question): a
        snapshot is taken there. Takes no page, so the pool cannot be too full for it.
        """
        wanted = as_ids(ids)
        with self._lock:
            source, longer, length = self._longest(wanted)
            if source is None:
                handle = self._native.new_sequence()
            else:
                handle = self._native.fork(source.handle)
                if longer > length:
                    self._native.truncate(handle, length)
                self._touch(source)
                source.users += 1
            self._requests += 1
            self._hits += length > 0
            self._reused += length
            self._missed += len(wanted) - length
            self._in_use += 1
            marks = (shared,) if length < shared <= len(wanted) else ()
            return KvSequence(handle, wanted[:length].tolist(), length, marks, source)

    def match(self, ids: Sequence[int]) -> int:
        """How many tokens of `ids` a sequence would be acquired with."""
        with self._lock:
            return self._longest(as_ids(ids))[2]

    def append(self, sequence: KvSequence, tokens: Sequence[int]) -> None:
        """Records tokens that a forward pass has added; takes a snapshot where one is due."""
        sequence.tokens += tokens
        if len(sequence.tokens) in sequence.marks:
            self.mark(sequence)

    def mark(self, sequence: KvSequence) -> None:
        """Keeps what the sequence holds now as a place where other prompts will part from it."""
        with self._lock:
            self._mark(sequence)

    def release(self, sequence: KvSequence) -> None:
        """Gives a sequence back, its tokens ready for the next prompt that begins with them."""
        with self._lock:
            self._leave(sequence)
            if not sequence.tokens:
                self._native.free(sequence.handle)
                return
            node = self._tree.insert(as_ids(sequence.tokens))
            if node.value is None:
                node.value = self._snapshot(sequence.handle)
                self._drop_superseded(node)
            else:
                self._native.free(sequence.handle)
                self._touch(node.value)

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
            self._mark(sequence).pins += 1
            self.discard(sequence)

    def unpin(self, ids: Sequence[int]) -> None:
        """Takes one pin of `ids` away. PrefixError if there is none."""
        with self._lock:
            node, length = self._tree.match(as_ids(ids))
            if length < len(ids) or node.depth > length or node.value is None or node.value.pins == 0:
                raise PrefixError(f"these {len(ids)} tokens are not pinned")
            node.value.pins -= 1

    def make_room(self) -> bool:
        """Drops the snapshots least worth their memory, some at a time; False when there is none to drop."""
        with self._lock:
            ranked = sorted(self._ranked(), key=lambda each: each[:3])
            enough = sum(own for *_, own, _ in ranked) / _ROOM_SHARE
            freed = 0
            for _, value, _, own, node in ranked:
                self._clock = max(self._clock, value)
                self._evict(node)
                freed += own
                if freed >= enough:
                    break
            return bool(ranked)

    def with_room(self, action: Callable[[], T]) -> T:
        """Runs `action`, making room each time the KV pool is too full. KvExhaustedError if none is left."""
        while True:
            try:
                return action()
            except _native.KvFullError as error:
                if not self.make_room():
                    raise self._exhausted(error) from error

    def clear(self) -> None:
        """Frees every snapshot, pinned or not. Sequences in use stay whole."""
        with self._lock:
            for node in list(self._tree.nodes()):
                if node.value is not None:
                    self._native.free(node.value.handle)
            self._tree = RadixTree()

    def stats(self) -> PrefixStats:
        with self._lock:
            nodes = list(self._tree.nodes())
            snapshots = [node.value for node in nodes if node.value is not None]
            return PrefixStats(
                snapshots=len(snapshots),
                tokens=sum(len(node.tokens) for node in nodes),
                pinned=sum(snapshot.pins > 0 for snapshot in snapshots),
                in_use=self._in_use,
                requests=self._requests,
                hits=self._hits,
                tokens_reused=self._reused,
                tokens_missed=self._missed,
                evictions=self._evictions,
            )

    # -- inside, under the lock --------------------------------------------------------------------------

    def _longest(self, ids: Ids) -> tuple[_Snapshot | None, int, int]:
        """The snapshot to fork for `ids`, how many tokens it holds, and how many of them are to be kept."""
        node, length = self._tree.match(ids)
        if length == 0:
            return None, 0, 0
        # Every path of the tree ends in a snapshot, so there is one here or below; but windowed layers keep
        # only the last pages, and it may not go back as far as this. Then one above serves, for what it has.
        for each in self._tree.nodes(node):
            if each.value is not None and self._native.can_truncate(each.value.handle, length):
                return each.value, each.depth, length
        for each in node.ancestors():
            if each.value is not None:
                return each.value, each.depth, each.depth
        return None, 0, 0

    def _snapshot(self, handle: int) -> _Snapshot:
        return _Snapshot(handle, self._clock, self._requests)

    def _touch(self, snapshot: _Snapshot) -> None:
        snapshot.clock, snapshot.serial = self._clock, self._requests

    def _mark(self, sequence: KvSequence) -> _Snapshot:
        node = self._tree.insert(as_ids(sequence.tokens))
        if node.value is None:
            node.value = self._snapshot(self._native.fork(sequence.handle))
        else:
            self._touch(node.value)
        node.value.is_branch = True
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
            if node.value is not None:
                if not (node.value.is_branch or node.value.users or node.value.pins):
                    self._native.free(node.value.handle)
                    self._tree.clear(node)
                return

    def _evict(self, node: Node[_Snapshot]) -> None:
        if node.value is not None:
            self._native.free(node.value.handle)
            self._tree.clear(node)
            self._evictions += 1

    def _ranked(self) -> Iterator[tuple[bool, float, int, int, Node[_Snapshot]]]:
        """Of every snapshot not pinned: whether it is in use, its value, its age, its own tokens, its node.

        Dropping one of which a sequence in use was forked frees little, yet a copied page or two.
        """
        # (node, tokens that another snapshot shares with it, tokens that a snapshot above it holds)
        waiting = [(self._tree.root, 0, 0)]
        while waiting:
            node, shared, above = waiting.pop()
            snapshot = node.value
            if snapshot is not None and snapshot.pins == 0:
                own = 0 if node.children else node.depth - shared
                value = snapshot.clock + _work(above, node.depth) / (own + 1)
                yield snapshot.users > 0, value, snapshot.serial, own, node
            if snapshot is not None:
                above = node.depth
            if snapshot is not None or len(node.children) > 1:
                shared = node.depth
            waiting += [(child, shared, above) for child in node.children.values()]

    def _exhausted(self, error: Exception) -> KvExhaustedError:
        stats = self.stats()
        return KvExhaustedError(
            f"the KV pool is full and nothing can be dropped: {stats.in_use} sequences are in use, "
            f"{stats.pinned} cached prefixes are pinned. Unpin one, let a request end, or give a larger KV "
            f"budget ({error})"
        )


def _work(start: int, end: int) -> float:
    """What computing the tokens from `start` to `end` costs, in tokens at the start of a text."""
    return (end - start) * (1 + (start + end) / 2 / _ATTENTION_EQUALS_REST)
