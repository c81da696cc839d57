"""The prefix tree and its cache, against a native side that only remembers token ids."""

from __future__ import annotations

from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from longleaf.engine.prefix.cache import KvExhaustedError, KvSequence, PrefixCache, PrefixError
from longleaf.engine.prefix.tree import RadixTree, as_ids
from tests.support.fake_kv import FakeKv

CHUNK = 5
prompts = st.lists(st.integers(0, 2), min_size=1, max_size=40)


def read(cache: PrefixCache, native: FakeKv, ids: list[int], *, shared: int = 0) -> KvSequence:
    """A sequence of all `ids`, as an engine reads a prompt."""
    sequence = cache.acquire(ids, shared=shared)
    while (at := len(sequence.tokens)) < len(ids):
        chunk = ids[at : sequence.stop(at + CHUNK)]
        cache.with_room(lambda chunk=chunk: native.forward([(sequence.handle, chunk, 0)]))  # type: ignore[misc]
        cache.append(sequence, chunk)
    return sequence


@given(st.lists(prompts, max_size=12), prompts, st.data())
def test_the_tree_knows_the_longest_prefix(
    stored: list[list[int]], wanted: list[int], data: st.DataObject
) -> None:
    tree: RadixTree[int] = RadixTree()
    held: set[tuple[int, ...]] = set()
    for index, ids in enumerate(stored):
        tree.insert(as_ids(ids)).value = index
        held.add(tuple(ids))
        if data.draw(st.booleans()):
            gone = data.draw(st.sampled_from(sorted(held)))
            tree.clear(tree.insert(as_ids(gone)))
            held.remove(gone)
    expected = max(
        (next((i for i in range(len(w)) if i >= len(wanted) or w[i] != wanted[i]), len(w)) for w in held),
        default=0,
    )
    node, depth = tree.match(as_ids(wanted))
    assert depth == expected
    assert node.path()[:depth].tolist() == wanted[:depth]
    valued = {tuple(node.path().tolist()) for node in tree.nodes() if node.value is not None}
    assert valued == held
    for node in tree.nodes():  # no node that nothing needs
        assert node is tree.root or node.value is not None or len(node.children) > 1


class PrefixMachine(RuleBasedStateMachine):
    """Whatever is done, a sequence holds the tokens that it says it holds, and pages are given back."""

    window = 0

    def __init__(self) -> None:
        super().__init__()
        # These prompts are short.
        self.constants = mock.patch.multiple("longleaf.engine.prefix.cache", _TAIL=4, _WORTH_RESTORING=1)
        self.constants.start()
        self.active: list[KvSequence] = []
        self.pinned: list[list[int]] = []
        self.open_cache()

    def open_cache(self) -> None:
        self.native = FakeKv(budget_pages=40, window=self.window)
        self.cache = PrefixCache(self.native)

    @precondition(lambda self: len(self.active) < 3)
    @rule(ids=prompts, shared=st.integers(0, 40))
    def ask(self, ids: list[int], shared: int) -> None:
        sequence = self.cache.acquire(ids, shared=shared)
        assert sequence.tokens == ids[: sequence.reused]
        assert sequence.reused <= len(ids)
        self.active.append(sequence)
        self.fill(sequence, ids[sequence.reused :])

    def fill(self, sequence: KvSequence, tokens: list[int]) -> None:
        goal = sequence.tokens + tokens
        while (at := len(sequence.tokens)) < len(goal):
            chunk = goal[at : sequence.stop(at + CHUNK)]
            try:
                self.cache.with_room(lambda chunk=chunk: self.native.forward([(sequence.handle, chunk, 0)]))
            except KvExhaustedError:
                assert len(self.active) > 1 or self.pinned
                return
            self.cache.append(sequence, chunk)

    @precondition(lambda self: self.active)
    @rule(data=st.data(), tokens=st.lists(st.integers(0, 2), min_size=1, max_size=8))
    def generate(self, data: st.DataObject, tokens: list[int]) -> None:
        sequence = data.draw(st.sampled_from(self.active))
        if len(sequence.tokens) < 60:
            self.fill(sequence, tokens)

    @precondition(lambda self: self.active)
    @rule(data=st.data(), keep=st.booleans())
    def finish(self, data: st.DataObject, keep: bool) -> None:
        sequence = data.draw(st.sampled_from(self.active))
        self.active.remove(sequence)
        if keep:
            self.cache.release(sequence)
            assert self.cache.match(sequence.tokens) == len(sequence.tokens)
        else:
            self.cache.discard(sequence)

    @precondition(lambda self: self.active)
    @rule(data=st.data())
    def mark(self, data: st.DataObject) -> None:
        sequence = data.draw(st.sampled_from(self.active))
        if sequence.tokens:
            self.cache.mark(sequence)
            assert self.cache.match(sequence.tokens) == len(sequence.tokens)

    @rule(ids=prompts)
    def pin(self, ids: list[int]) -> None:
        known = ids[: self.cache.match(ids)]
        if known and len(self.pinned) < 2:
            self.cache.pin(known)
            self.pinned.append(known)

    @precondition(lambda self: self.pinned)
    @rule()
    def unpin(self) -> None:
        self.cache.unpin(self.pinned.pop())

    @rule()
    def evict(self) -> None:
        self.cache.make_room()

    @rule()
    def clear(self) -> None:
        self.cache.clear()
        self.pinned.clear()

    @invariant()
    def sequences_hold_what_they_say(self) -> None:
        for sequence in self.active:
            assert self.native.held(sequence.handle) == sequence.tokens

    @invariant()
    def pinned_prefixes_stay(self) -> None:
        for ids in self.pinned:
            assert self.cache.match(ids) == len(ids)

    @invariant()
    def nothing_is_lost(self) -> None:
        stats = self.cache.stats()
        assert stats.in_use == len(self.active)
        assert self.native.sequences == stats.snapshots + len(self.active)

    def teardown(self) -> None:
        for sequence in self.active:
            self.cache.release(sequence)
        self.cache.clear()
        assert self.native.pages == self.native.sequences == 0
        self.constants.stop()


class WindowedMachine(PrefixMachine):
    window = 6


TestPrefixMachine = PrefixMachine.TestCase
TestWindowedMachine = WindowedMachine.TestCase
TestPrefixMachine.settings = TestWindowedMachine.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None
)


def test_a_second_question_computes_only_itself() -> None:
    native = FakeKv(1000)
    cache = PrefixCache(native)
    document = [1, 2] * 50
    cache.release(read(cache, native, [*document, 3, 3], shared=len(document)))
    before = native.computed
    second = read(cache, native, [*document, 4, 4, 4], shared=len(document))
    assert second.reused == len(document)
    assert native.computed - before == 3


def test_what_goes_first_is_old_and_cheap_to_read_again() -> None:
    native = FakeKv(60)
    cache = PrefixCache(native)
    for first in range(6):  # six documents of 10 pages fill the pool
        cache.release(read(cache, native, [first] * 40))
    cache.release(read(cache, native, [0] * 40))  # used again
    cache.release(read(cache, native, [9] * 20))
    assert cache.match([0] * 40) == 40
    assert cache.match([1] * 40) == 0
    assert cache.match([5] * 40) == 40


def test_a_question_goes_before_the_document_it_is_about() -> None:
    native = FakeKv(28)
    cache = PrefixCache(native)
    for question in (7, 8, 9):
        cache.release(read(cache, native, [1] * 80 + [question] * 8, shared=80))
    cache.release(read(cache, native, [2] * 16))
    assert cache.match([1] * 80) == 80
    assert cache.match([1] * 80 + [7] * 8) == 80


def test_pins_count_and_a_pool_full_of_pins_says_so() -> None:
    native = FakeKv(10)
    cache = PrefixCache(native)
    cache.release(read(cache, native, [1] * 36))
    cache.pin([1] * 36)
    cache.pin([1] * 36)
    with pytest.raises(KvExhaustedError, match="0 sequences are in use, 1 cached prefixes are pinned"):
        cache.with_room(lambda: native.forward([(native.new_sequence(), [2] * 8, 0)]))
    cache.unpin([1] * 36)
    assert cache.make_room() is False
    cache.unpin([1] * 36)
    assert cache.make_room() is True
    with pytest.raises(PrefixError, match="not pinned"):
        cache.unpin([1] * 36)
    with pytest.raises(PrefixError, match="0 of them are cached"):
        cache.pin([1] * 36)


def test_a_conversation_is_one_snapshot() -> None:
    native = FakeKv(1000)
    cache = PrefixCache(native)
    for length in range(3, 60, 3):
        cache.release(read(cache, native, [1] * length))
    assert cache.stats().snapshots == 1
    assert native.pages == 15


def test_a_windowed_model_goes_on_from_the_end_of_the_document() -> None:
    native = FakeKv(4000, window=16)
    cache = PrefixCache(native)
    document = [index % 7 for index in range(1000)]
    cache.release(read(cache, native, [*document, *[8] * 40], shared=1000))
    second = read(cache, native, [*document, 9, 9], shared=1000)
    assert second.reused == 1000
    assert native.held(second.handle) == second.tokens


def test_a_windowed_model_learns_where_prompts_part() -> None:
    native = FakeKv(4000, window=16)
    cache = PrefixCache(native)
    document = [index % 7 for index in range(1000)]
    reused = []
    for question in range(8, 12):
        sequence = read(cache, native, [*document, *[question] * 40])
        reused.append(sequence.reused)
        cache.release(sequence)
    assert reused[0] == 0
    assert 1000 - 2 * 256 <= reused[1] < 1000
    assert reused[2:] == [1000, 1000]
