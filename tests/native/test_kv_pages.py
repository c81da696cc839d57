"""KV pages as values: freed behind windows, shared by forks, exported, imported, whatever the order."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from longleaf import _native
from tests.support.fake_machine import two_nodes_here
from tests.support.gguf_maker import tiny_model, write_model
from tests.support.gguf_read import read_gguf
from tests.support.native_model import open_model

PAGE = 64
WINDOW = 100
PASS = 512  # rows that the core takes through the layers together
SLACK = 1
LAYERS = 7
GLOBAL = (5,)  # Gemma 3: every sixth layer sees all keys


def some_tokens(n: int, seed: int = 0) -> list[int]:
    return [int(token) for token in np.random.default_rng(seed).integers(5, 280, n)]


@pytest.fixture(scope="module")
def gemma(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(
        tmp_path_factory.mktemp("kv") / "m.gguf",
        tiny_model("gemma3", "Q8_0", n_ctx=8192, sliding_window=WINDOW, n_layer=LAYERS),
    )


def first_kept(length: int) -> int:
    """The first block that a windowed layer keeps when it has never been longer."""
    return max(0, (length - WINDOW + 1) // PAGE - SLACK) if length >= WINDOW else 0


def test_windowed_layers_give_back_what_no_row_sees(gemma: Path) -> None:
    model = open_model(gemma)
    tokens = some_tokens(3000)
    reference = model.new_sequence()
    whole = model.forward([(reference, tokens, len(tokens))])
    model.free(reference)
    for step in (1000, 37):
        sequence = model.new_sequence()
        got = [
            model.forward([(sequence, tokens[at : at + step], len(tokens[at : at + step]))])
            for at in range(0, len(tokens), step)
        ]
        np.testing.assert_array_equal(np.concatenate(got), whole)
        stats = model.kv_stats()
        assert stats["global_pages"] == len(GLOBAL) * math.ceil(3000 / PAGE)
        assert stats["window_pages"] == (LAYERS - len(GLOBAL)) * (math.ceil(3000 / PAGE) - first_kept(3000))
        assert stats["pages_used"] == stats["global_pages"] + stats["window_pages"]
        assert stats["window_bytes"] == stats["window_pages"] * stats["page_bytes"]
        model.free(sequence)
    assert model.kv_stats()["pages_used"] == 0


def test_the_bytes_needed_suffice_and_grow_with_global_layers_only(gemma: Path) -> None:
    page = open_model(gemma).kv_stats()["page_bytes"]
    needed = open_model(gemma).kv_bytes_needed
    assert needed(1) == needed(64) == LAYERS * page
    assert needed(8192) - needed(4096) == len(GLOBAL) * 64 * page
    for length in (700, 5000):
        model = open_model(gemma, kv_budget_bytes=needed(length))
        sequence = model.new_sequence()
        model.forward([(sequence, some_tokens(length), 1)])
        assert model.length(sequence) == length


def test_a_truncation_into_freed_pages_is_refused(gemma: Path) -> None:
    model = open_model(gemma)
    tokens = some_tokens(2000)
    sequence = model.new_sequence()
    model.forward([(sequence, tokens[:900], 0)])
    fork = model.fork(sequence)
    model.forward([(sequence, tokens[900:], 0)])
    least = first_kept(2000) * PAGE + WINDOW - 1
    assert [model.can_truncate(sequence, n) for n in (2001, 2000, least, least - 1, 1, 0)] == [
        False, True, True, False, False, True,
    ]  # fmt: skip
    assert least <= 2000 - PAGE  # a page's worth of drafted tokens can always be taken back
    with pytest.raises(_native.NativeError, match=rf"go back to {least} or more, or to 0"):
        model.truncate(sequence, 900)
    assert model.length(sequence) == 2000
    # The fork kept what it needs at its end.
    assert model.can_truncate(fork, 900)
    fresh = model.new_sequence()
    expected = model.forward([(fresh, tokens[:950], 50)])
    np.testing.assert_array_equal(model.forward([(fork, tokens[900:950], 50)]), expected)
    model.truncate(sequence, least)
    np.testing.assert_array_equal(
        model.forward([(sequence, tokens[least:], 1)]),
        model.forward([(fresh, tokens[950:], 1)]),
    )
    model.truncate(sequence, 0)
    np.testing.assert_array_equal(model.forward([(sequence, tokens[:950], 50)]), expected)


def test_a_failure_behind_freed_pages_changes_no_sequence(tmp_path: Path) -> None:
    path = write_model(
        tmp_path / "m.gguf", tiny_model("llama", extra={"llama.attention.sliding_window": 50}, n_layer=2)
    )
    bad = 250
    embedding = read_gguf(path).tensors["token_embd.weight"].values()
    row = embedding[bad].tobytes()
    data = path.read_bytes()
    assert data.count(row) == 1
    path.write_bytes(data.replace(row, np.full_like(embedding[bad], np.nan).tobytes()))
    model = open_model(path)
    tokens = [token for token in some_tokens(900) if token != bad]
    a, b, whole = (model.new_sequence() for _ in range(3))
    model.forward([(a, tokens[:100], 0), (b, tokens[:30], 0)])
    kept = model.fork(a)  # so that a copies its last page
    before = model.kv_stats()["pages_used"], model.export_pages(a)
    with pytest.raises(_native.NativeError, match="no finite number"):
        model.forward([(b, tokens[30:60], 1), (a, [*tokens[100:], bad], 1)])
    assert (model.length(a), model.length(b)) == (100, 30)
    assert model.export_pages(a) == before[1]
    model.free(kept)
    assert model.kv_stats()["pages_used"] == before[0]
    expected = model.forward([(whole, tokens, 20)])
    np.testing.assert_array_equal(model.forward([(a, tokens[100:], 20)]), expected)


@pytest.mark.parametrize("length", [1, 63, 64, 65, 99, 100, 800, 1003])
def test_an_exported_sequence_goes_on_as_the_original(gemma: Path, length: int) -> None:
    model, other = open_model(gemma), open_model(gemma, threads=1)
    tokens = some_tokens(length + 60)
    sequence = model.new_sequence()
    model.forward([(sequence, tokens[:length], 0)])
    pages = model.export_pages(sequence)
    blocks = math.ceil(length / PAGE)
    assert sorted((layer, block) for layer, block, _ in pages) == [
        (layer, block)
        for layer in range(LAYERS)
        for block in range(0 if layer in GLOBAL else first_kept(length), blocks)
    ]
    imported = other.import_sequence(length, [(a, b, memoryview(c)) for a, b, c in reversed(pages)])
    assert other.length(imported) == length
    assert other.export_pages(imported) == pages
    np.testing.assert_array_equal(
        other.forward([(imported, tokens[length:], 60)]), model.forward([(sequence, tokens[length:], 60)])
    )


def test_an_exported_page_holds_nothing_of_other_sequences(gemma: Path) -> None:
    """Pages are used again: what stood behind the end of a sequence must not leave with it."""
    model, clean = open_model(gemma), open_model(gemma)
    used = model.new_sequence()
    model.forward([(used, some_tokens(500, 1), 0)])
    model.free(used)
    exports = []
    for each in (model, clean):
        sequence = each.new_sequence()
        each.forward([(sequence, some_tokens(70, 2), 0)])
        exports.append(each.export_pages(sequence))
    assert exports[0] == exports[1]


def test_wrong_pages_are_refused_and_change_nothing(gemma: Path) -> None:
    model = open_model(gemma)
    sequence = model.new_sequence()
    model.forward([(sequence, some_tokens(700), 0)])
    pages = sorted(model.export_pages(sequence), key=lambda page: page[0] not in GLOBAL)
    before = model.kv_stats()
    layer, block, data = pages[0]
    wrong: list[tuple[int, list[tuple[int, int, Any]], str]] = [
        (700, pages[1:], "missing"),
        (700, pages[:-1], "missing"),
        (700, [], "missing"),
        (700, [*pages, pages[0]], "twice"),
        (700, [(layer, block, data[:-1]), *pages[1:]], "bytes"),
        (700, [(layer, block, data + b"x"), *pages[1:]], "bytes"),
        (700, [(layer, block, b""), *pages[1:]], "bytes"),
        (700, [(LAYERS, block, data), *pages[1:]], "7 layers"),
        (700, [(layer, 11, data), *pages], "take 11 blocks"),
        (700, [(2**63, 2**63, data), *pages], "layers"),
        (700, [(layer, block, np.zeros((2, len(data)), np.uint8)[:, ::2]), *pages[1:]], "contiguous"),
        (704 + 64, pages, "missing"),
        (640, pages, "take 10 blocks"),
        (0, pages, "take 0 blocks"),
        (8193, pages, "context of 8192"),
        (2**63, pages, "context of 8192"),
    ]
    for length, given, message in wrong:
        with pytest.raises(_native.NativeError, match=message):
            model.import_sequence(length, given)
    with pytest.raises(TypeError):
        model.import_sequence(-1, pages)
    with pytest.raises(TypeError):
        model.import_sequence(700, [(0, 0, "text")])  # type: ignore[list-item]
    assert model.kv_stats() == before
    small = open_model(gemma, kv_budget_bytes=before["page_bytes"] * (len(pages) - 1))
    with pytest.raises(_native.KvFullError, match=rf"are {len(pages)} \("):
        small.import_sequence(700, pages)
    assert small.kv_stats()["pages_used"] == small.kv_stats()["sequences"] == 0
    assert model.import_sequence(0, []) >= 0
    # The slack of a windowed layer may be left out, a page within its window may not.
    slack = [page for page in pages if page[:2] != (0, first_kept(700))]
    assert model.length(model.import_sequence(700, slack)) == 700
    with pytest.raises(_native.NativeError, match="block 9 of layer 0 is missing"):
        model.import_sequence(700, [page for page in slack if page[:2] != (0, 9)])


def test_random_bytes_in_pages_give_numbers_or_an_error(gemma: Path) -> None:
    model = open_model(gemma)
    sequence = model.new_sequence()
    model.forward([(sequence, some_tokens(130), 0)])
    pages = model.export_pages(sequence)
    rng = np.random.default_rng(0)
    for _ in range(30):
        noisy = [
            (layer, block, rng.bytes(len(data)) if rng.random() < 0.5 else data)
            for layer, block, data in pages
        ]
        imported = model.import_sequence(130, noisy)
        try:
            assert np.isfinite(model.forward([(imported, [7, 8, 9], 3)])).all()
        except _native.NativeError as error:
            assert "no finite number" in str(error)
            assert model.length(imported) == 130
        model.free(imported)


# -- random sequences of operations against an oracle that knows no model ------------------------------------


@dataclass(eq=False)
class Page:
    """A page of one layer: the tokens it holds."""

    layer: int
    tokens: list[int] = field(default_factory=list)


@dataclass(eq=False)
class Held:
    """A sequence as the oracle sees it: its tokens and which page stands where in each layer."""

    tokens: list[int]
    pages: list[dict[int, Page]]

    def append(self, tokens: list[int], owners: dict[int, int]) -> None:
        """Token by token in passes of PASS; `owners` counts the sequences that hold a page."""
        for at in range(0, len(tokens), PASS):
            for token in tokens[at : at + PASS]:
                block = len(self.tokens) // PAGE
                for layer, pages in enumerate(self.pages):
                    if block not in pages:
                        pages[block] = Page(layer)
                    elif owners.get(id(pages[block]), 0) > 1:
                        owners[id(pages[block])] -= 1
                        pages[block] = Page(layer, pages[block].tokens[: len(self.tokens) % PAGE])
                    page = pages[block]
                    page.tokens = [*page.tokens[: len(self.tokens) % PAGE], token]
                self.tokens.append(token)
            for layer, pages in enumerate(self.pages):
                if layer not in GLOBAL:
                    for block in [b for b in pages if b < first_kept(len(self.tokens))]:
                        del pages[block]

    def can_truncate(self, n: int) -> bool:
        seen = max(0, n - WINDOW + 1) // PAGE  # the first block that the row behind n tokens sees
        return n == 0 or all(
            layer in GLOBAL or min(pages, default=0) <= seen for layer, pages in enumerate(self.pages)
        )

    def truncate(self, n: int) -> None:
        self.tokens = self.tokens[:n]
        for pages in self.pages:
            for block in [b for b in pages if b >= math.ceil(n / PAGE)]:
                del pages[block]


class PoolMachine(RuleBasedStateMachine):
    """One model with a small budget against the oracle; bytes against those of a fresh sequence."""

    path: Path
    options: dict[str, str]
    fresh: _native.Model
    exports: dict[tuple[int, ...], dict[tuple[int, int], bytes]]

    def __init__(self) -> None:
        super().__init__()
        page = self.fresh.kv_stats()["page_bytes"]
        self.model = open_model(self.path, kv_budget_bytes=120 * page, **self.options)
        self.held: dict[int, Held] = {}
        self.exported: list[tuple[list[int], list[tuple[int, int, bytes]]]] = []

    def owners(self) -> dict[int, int]:
        count: dict[int, int] = {}
        for held in self.held.values():
            for pages in held.pages:
                for page in pages.values():
                    count[id(page)] = count.get(id(page), 0) + 1
        return count

    def pick(self, data: st.DataObject) -> int:
        return data.draw(st.sampled_from(sorted(self.held)))

    @rule()
    def create(self) -> None:
        if len(self.held) < 5:
            self.held[self.model.new_sequence()] = Held([], [{} for _ in range(LAYERS)])

    @precondition(lambda self: self.held)
    @rule(
        data=st.data(),
        n=st.one_of(st.integers(1, 70), st.sampled_from([64, 128, 600])),
        seed=st.integers(0, 1),
    )
    def append(self, data: st.DataObject, n: int, seed: int) -> None:
        sequence = self.pick(data)
        held = self.held[sequence]
        tokens = some_tokens(n, seed)
        free = self.model.kv_stats()["pages_free"]
        try:
            self.model.forward([(sequence, tokens, 0)])
        except _native.KvFullError:
            new = math.ceil((len(held.tokens) + n) / PAGE) - len(held.tokens) // PAGE
            assert free < new * LAYERS
        else:
            held.append(tokens, self.owners())

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def fork(self, data: st.DataObject) -> None:
        held = self.held[sequence := self.pick(data)]
        if len(self.held) < 5:
            self.held[self.model.fork(sequence)] = Held([*held.tokens], [dict(pages) for pages in held.pages])

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def truncate(self, data: st.DataObject) -> None:
        held = self.held[sequence := self.pick(data)]
        n = data.draw(st.integers(0, len(held.tokens)))
        assert self.model.can_truncate(sequence, n) == held.can_truncate(n)
        if held.can_truncate(n):
            self.model.truncate(sequence, n)
            held.truncate(n)
        else:
            with pytest.raises(_native.NativeError, match="cannot truncate"):
                self.model.truncate(sequence, n)

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def release(self, data: st.DataObject) -> None:
        sequence = self.pick(data)
        self.model.free(sequence)
        del self.held[sequence]

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def export(self, data: st.DataObject) -> None:
        """The bytes of each page are those of a sequence that holds the same tokens and nothing else."""
        held = self.held[sequence := self.pick(data)]
        pages = self.model.export_pages(sequence)
        assert {(layer, block) for layer, block, _ in pages} == {
            (layer, block) for layer, blocks in enumerate(held.pages) for block in blocks
        }
        key = tuple(held.tokens)
        if key not in self.exports:
            # By single pages, so that every block is seen before a window gives it back.
            clean = self.fresh.new_sequence()
            self.exports[key] = {}
            for at in range(0, len(key), PAGE):
                self.fresh.forward([(clean, key[at : at + PAGE], 0)])
                self.exports[key] |= {(a, b): c for a, b, c in self.fresh.export_pages(clean)}
            self.fresh.free(clean)
        for layer, block, data_ in pages:
            assert data_ == self.exports[key][layer, block]
            # What was cut off may still stand behind the end.
            tokens = held.tokens[block * PAGE : (block + 1) * PAGE]
            assert held.pages[layer][block].tokens[: len(tokens)] == tokens
        self.exported.append(([*held.tokens], pages))

    @precondition(lambda self: self.exported)
    @rule(data=st.data())
    def import_(self, data: st.DataObject) -> None:
        tokens, pages = data.draw(st.sampled_from(self.exported))
        if len(self.held) >= 5:
            return
        free = self.model.kv_stats()["pages_free"]
        try:
            sequence = self.model.import_sequence(len(tokens), pages)
        except _native.KvFullError:
            assert free < len(pages)
            return
        held = Held([*tokens], [{} for _ in range(LAYERS)])
        for layer, block, _ in pages:
            held.pages[layer][block] = Page(layer, tokens[block * PAGE : (block + 1) * PAGE])
        self.held[sequence] = held

    @invariant()
    def pages_are_counted(self) -> None:
        stats = self.model.kv_stats()
        distinct = {id(p): p for held in self.held.values() for pages in held.pages for p in pages.values()}
        in_global = sum(page.layer in GLOBAL for page in distinct.values())
        assert stats["sequences"] == len(self.held)
        assert stats["global_pages"] == in_global
        assert stats["window_pages"] == len(distinct) - in_global
        assert stats["pages_used"] + stats["pages_free"] == stats["pages_total"]
        for sequence, held in self.held.items():
            assert self.model.length(sequence) == len(held.tokens)


@pytest.mark.parametrize("numa", ["none", "distribute"])
def test_random_operations_leave_every_page_as_the_oracle_says(
    gemma: Path, tmp_path: Path, numa: str
) -> None:
    sysfs = str(two_nodes_here(tmp_path))

    class Machine(PoolMachine):
        path = gemma
        options = {"numa": numa, "sysfs": sysfs}  # noqa: RUF012
        fresh = open_model(gemma)
        exports: dict[tuple[int, ...], dict[tuple[int, int], bytes]] = {}  # noqa: RUF012

    Machine.TestCase.settings = settings(
        max_examples=40 if numa == "none" else 20,
        stateful_step_count=30,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    run = Machine.TestCase("runTest")
    run.debug()
