"""The scheduler on a small random model: joins, leaves, cancels, limits, full pages, failures."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np
import pytest

from longleaf import LongleafError, _native
from longleaf.engine.errors import (
    DeadlineError,
    EngineClosedError,
    EngineFailedError,
    QueueFullError,
)
from longleaf.engine.prefix.cache import PrefixCache
from longleaf.engine.prefix.disk import Identity, PrefixStore
from longleaf.engine.prompt.tokenizer import load_tokenizer
from longleaf.engine.scheduling.request import (
    Event,
    Failed,
    Generated,
    GenerateRequest,
    Output,
    RequestCancelledError,
    Scored,
    ScoreRequest,
    Ticket,
)
from longleaf.engine.scheduling.scheduler import Limits, Scheduler
from longleaf.engine.scheduling.task import arrival_key
from longleaf.engine.speculation.drafter import StepCost
from longleaf.engine.types import Generation, SamplingParams
from tests.support.gguf_maker import tiny_model, write_model

PAGE_BYTES = 7 * 2 * 64 * 32 * 2  # of 64 tokens: layers, K and V, tokens, head size, f16


@dataclass(eq=False)
class Core:
    """A native model whose calls can be watched, held up and made to fail."""

    native: _native.Model
    before: Callable[[list[Any]], None] = lambda batch: None
    batches: list[list[Any]] = field(default_factory=list)
    computed: list[tuple[int, int]] = field(default_factory=list)  # rows of whole logits, and of the best

    def __getattr__(self, name: str) -> Any:
        return getattr(self.native, name)

    def forward_both(self, whole: list[Any], best: list[Any], k: int) -> Any:
        self.before(whole + best)
        self.batches.append(whole + best)
        self.computed.append((sum(item[2] for item in whole), sum(item[2] for item in best)))
        return self.native.forward_both(whole, best, k)


@dataclass(eq=False)
class Rig:
    core: Core
    cache: PrefixCache
    scheduler: Scheduler

    def submit(self, request: GenerateRequest | ScoreRequest, **options: Any) -> Heard:
        heard = Heard()
        heard.ticket = self.scheduler.submit(request, heard.events.put, **options)
        return heard

    def solo(self, request: GenerateRequest | ScoreRequest) -> Any:
        return self.submit(request).result()


@dataclass(eq=False)
class Heard:
    """The events of one request, as its caller takes them in."""

    events: SimpleQueue[Event] = field(default_factory=SimpleQueue)
    ticket: Ticket = field(init=False)
    taken: list[Event] = field(default_factory=list)

    def until(self, kind: type[Event]) -> Event:
        while True:
            event = self.events.get(timeout=60)
            self.taken.append(event)
            if isinstance(event, kind):
                return event
            if isinstance(event, Failed):
                raise event.error

    def result(self) -> Any:
        while True:
            event = self.events.get(timeout=60)
            self.taken.append(event)
            if isinstance(event, Failed):
                raise event.error
            if isinstance(event, Generated):
                return event.generation
            if isinstance(event, Scored):
                return event.scores


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With windows, so that what a fork and a truncation need of them is met."""
    folder = tmp_path_factory.mktemp("model")
    return write_model(folder / "m.gguf", tiny_model("gemma3", "Q8_0", n_ctx=4096, sliding_window=100))


def make_rig(path: Path, pages: int = 0, limits: Limits | None = None) -> Rig:
    gguf = _native.Gguf(path)
    native = _native.Model(gguf, threads=2, ctx_size=2048, kv_budget_bytes=pages * PAGE_BYTES)
    core = Core(native)
    cache = PrefixCache(core)
    return Rig(core, cache, Scheduler(core, cache, load_tokenizer(gguf), limits or Limits()))  # type: ignore[arg-type]


@pytest.fixture
def rig(path: Path) -> Iterator[Rig]:
    made = make_rig(path)
    yield made
    made.scheduler.close()


def tokens(n: int, seed: int = 0) -> list[int]:
    return np.random.default_rng(seed).integers(0, 250, n).tolist()


def asks(prompt: Sequence[int], n: int = 8, **params: Any) -> GenerateRequest:
    return GenerateRequest(list(prompt), SamplingParams(max_tokens=n, ignore_eos=True, **params))


class Gate:
    """Stops the scheduler's thread before a call of the core until it is opened."""

    def __init__(self, core: Core) -> None:
        self.reached, self._open = threading.Event(), threading.Event()
        core.before = self

    def __call__(self, batch: list[Any]) -> None:
        self.reached.set()
        assert self._open.wait(60)

    def open(self) -> None:
        self._open.set()


def all_at_once(rig: Rig, requests: list[GenerateRequest]) -> list[Any]:
    """The results of requests that all wait when the first step begins."""
    gate = Gate(rig.core)
    heard = [rig.submit(request) for request in requests]
    gate.open()
    return [each.result() for each in heard]


def test_requests_run_in_one_step_and_get_what_they_get_alone(rig: Rig) -> None:
    requests = [asks(tokens(20 + 30 * i, i), 12) for i in range(4)]
    alone = [rig.solo(request).ids for request in requests]
    rig.scheduler.close()
    rig.core.batches.clear()
    assert [each.ids for each in all_at_once(rig, requests)] == alone
    assert max(len(batch) for batch in rig.core.batches) == 4
    assert len(rig.core.batches) < 4 * 12


def test_only_who_needs_whole_logits_has_them_computed(rig: Rig) -> None:
    requests = [
        asks(tokens(20, 1), 8),
        asks(tokens(50, 2), 8, logprobs=2),
        asks(tokens(80, 3), 8, temperature=1.0, top_k=5, seed=4),
        asks(tokens(110, 4), 8, temperature=1.0, seed=5),
        asks(tokens(140, 5), 8, repeat_penalty=1.3),
    ]
    alone = [rig.solo(request) for request in requests]
    rig.scheduler.close()
    rig.core.computed.clear()
    together = all_at_once(rig, requests)
    assert [each.ids for each in together] == [each.ids for each in alone]
    assert together[1].logprobs == alone[1].logprobs
    assert (3, 2) in rig.core.computed
    assert np.sum(rig.core.computed, axis=0).tolist() == [3 * 8, 2 * 8]


def test_a_shared_prompt_is_read_once(rig: Rig) -> None:
    shared = tokens(700)
    requests = [asks([*shared, *tokens(10, seed)], 3) for seed in range(1, 6)]
    alone = []
    for request in requests:
        alone.append(rig.solo(request).ids)
        rig.scheduler.close()
    rig.core.batches.clear()
    results = all_at_once(rig, requests)
    assert [each.ids for each in results] == alone
    computed = sum(len(item[1]) for batch in rig.core.batches for item in batch)
    assert computed <= 700 + 5 * (10 + 3)
    assert [each.usage.reused_tokens for each in results] == [0] + 4 * [700]


def test_a_long_prompt_lets_streams_go_on_between_its_chunks(rig: Rig) -> None:
    request = asks(tokens(10), 100)
    stream = rig.submit(replace(request, streamed=True))
    stream.until(Output)
    long = rig.submit(asks(tokens(1900, 1), 1))
    long.result()
    assert stream.result().usage.generated_tokens == 100
    mixed = [batch for batch in rig.core.batches if len(batch) == 2]
    assert all(any(len(item[1]) == 1 and item[2] == 1 for item in batch) for batch in mixed)
    assert len(mixed) > 10 and sum(len(item[1]) for batch in mixed for item in batch) > 200
    rig.core.batches.clear()
    hurried = rig.submit(asks(tokens(11), 100))  # nobody reads it as it comes
    hurried.until(Output)
    rig.submit(asks(tokens(1900, 2), 1)).result()
    hurried.result()
    assert sum(len(batch) == 2 for batch in rig.core.batches) < 10


def test_a_priority_goes_first(rig: Rig) -> None:
    small = make_rig_like(rig, Limits(running=1))
    gate = Gate(small.core)
    prompts = [tokens(5, seed) for seed in range(3)]
    first = small.submit(asks(prompts[0], 1))
    assert gate.reached.wait(60)
    low, high = small.submit(asks(prompts[1], 1)), small.submit(asks(prompts[2], 1), priority=1)
    gate.open()
    for each in (first, low, high):
        each.result()
    assert [batch[0][1] for batch in small.core.batches] == [prompts[0], prompts[2], prompts[1]]
    small.scheduler.close()


def test_a_priority_does_not_go_first_for_ever() -> None:
    def key(submitted: float, priority: int) -> tuple[float, int]:
        return arrival_key(Ticket(print, priority, None, print, submitted))

    assert key(100, 0) < key(100, 0)
    assert key(105, 1) < key(100, 0) < key(111, 1)
    assert key(100, 0) < key(125, 2) < key(107, 0)


def make_rig_like(rig: Rig, limits: Limits) -> Rig:
    return Rig(rig.core, rig.cache, Scheduler(rig.core, rig.cache, rig.scheduler._tokenizer, limits))  # type: ignore[arg-type]


def test_a_full_queue_is_refused_and_says_so(rig: Rig) -> None:
    small = make_rig_like(rig, Limits(running=1, waiting=2))
    gate = Gate(small.core)
    first = small.submit(asks(tokens(5), 3))
    assert gate.reached.wait(60)
    rest = [small.submit(asks(tokens(5, i), 1)) for i in range(3)]
    gate.open()
    for each in (first, *rest[:2]):
        each.result()
    with pytest.raises(QueueFullError, match="1 requests are running and 2 waiting"):
        rest[2].result()
    small.scheduler.close()


def test_cancelling_gives_the_pages_back(rig: Rig) -> None:
    gate = Gate(rig.core)
    running = rig.submit(asks(tokens(300), 200))
    assert gate.reached.wait(60)
    waiting = rig.submit(asks(tokens(10, 1), 5))
    kept = rig.submit(asks(tokens(10, 2), 5))
    running.ticket.cancel()
    waiting.ticket.cancel()
    waiting.ticket.cancel()
    gate.open()
    for each in (running, waiting):
        with pytest.raises(RequestCancelledError):
            each.result()
        assert each.ticket.ended.wait(60)
    kept.result()
    assert rig.cache.stats().in_use == 0


def test_a_deadline_ends_a_request_wherever_it_is(rig: Rig) -> None:
    small = make_rig_like(rig, Limits(running=1))
    small.core.before = lambda batch: time.sleep(0.01)  # 1,500 steps last longer than the deadline anywhere
    running = small.submit(asks(tokens(5), 1500), timeout=0.3)
    waiting = small.submit(asks(tokens(6), 5), timeout=0.01)
    with pytest.raises(DeadlineError, match=r"the 0.01 s of the request are over; it was waiting"):
        waiting.result()
    with pytest.raises(DeadlineError, match="running"):
        running.result()
    assert small.cache.stats().in_use == 0
    small.scheduler.close()


def test_few_pages_make_requests_wait_not_fail(path: Path, rig: Rig) -> None:
    requests = [asks(tokens(150, seed), 60) for seed in range(5)]
    alone = []
    for request in requests:
        alone.append(rig.solo(request).ids)
        rig.scheduler.close()
    tight = make_rig(path, pages=7)  # each request ends with four
    heard = [tight.submit(request) for request in requests]
    assert [each.result().ids for each in heard] == alone
    with pytest.raises(_native.KvFullError):
        tight.submit(asks(tokens(500), 1)).result()
    assert tight.cache.stats().in_use == 0
    tight.scheduler.close()


@pytest.mark.parametrize(("architecture", "pages"), [("gemma3", 60), ("qwen3", 40)])
def test_what_a_request_that_gave_way_had_read_comes_back_from_disk(
    tmp_path: Path, architecture: str, pages: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of 500 tokens fit, two of 800 do not."""
    windows = {"sliding_window": 100} if architecture == "gemma3" else {}
    gguf = _native.Gguf(write_model(tmp_path / "m.gguf", tiny_model(architecture, "Q8_0", **windows)))
    roomy = _native.Model(gguf, threads=2, ctx_size=1024)
    requests = [asks(tokens(500, seed), 300) for seed in range(2)]
    alone, tokenizer = [], load_tokenizer(gguf)
    for request in requests:
        scheduler = Scheduler(roomy, PrefixCache(roomy), tokenizer, Limits())
        alone.append(Rig(roomy, PrefixCache(roomy), scheduler).solo(request).ids)  # type: ignore[arg-type]
        scheduler.close()
    budget = pages * roomy.kv_stats()["page_bytes"]
    core = Core(_native.Model(gguf, threads=2, ctx_size=1024, kv_budget_bytes=budget))
    kv = core.kv_stats()
    store = PrefixStore(
        tmp_path / "kv",
        Identity({"model": architecture}),
        page_tokens=kv["page_tokens"],
        windowed=kv["window_layers"] > 0,
        least=64,
    )
    cache = PrefixCache(core, store=store)
    rig = Rig(core, cache, Scheduler(core, cache, tokenizer, Limits()))  # type: ignore[arg-type]
    gave_way: list[int] = []
    make_way = rig.scheduler._make_way

    def noted(task: Any, error: _native.KvFullError) -> None:
        gave_way.append(len(task.sequence.tokens))
        make_way(task, error)

    monkeypatch.setattr(rig.scheduler, "_make_way", noted)
    assert [each.ids for each in all_at_once(rig, requests)] == alone
    assert sum(gave_way) > 200
    assert cache.stats().done.reused_tokens == sum(gave_way)  # nothing was read twice
    rig.scheduler.close()


def test_scores_run_beside_streams(rig: Rig) -> None:
    base, tails = tokens(90), [tokens(n, n) for n in (3, 700, 5, 40)]
    request = ScoreRequest(base, [(tail[:-1], tail[1:]) for tail in tails])
    expected = []
    for tail in tails:
        sequence = rig.core.native.new_sequence()
        rig.core.native.forward([(sequence, base, 0)])
        expected.append(rig.core.native.score([(sequence, tail[:-1], tail[1:])]))
        rig.core.native.free(sequence)
    stream = rig.submit(asks(tokens(10), 60))
    stream.until(Output)
    got = rig.submit(request).result()
    for left, right in zip(got, expected, strict=True):
        np.testing.assert_array_equal(left, right)
    stream.result()
    assert rig.cache.stats().in_use == 0


def test_an_error_of_one_request_hurts_no_other(rig: Rig) -> None:
    alone = rig.solo(asks(tokens(12), 30)).ids

    class Broken:
        def propose(self, context: Sequence[int], most: int) -> list[int]:
            raise RuntimeError("no guess")

        def observe(self, drafted: int, accepted: int, cost: StepCost | None) -> None:
            pass

    good = rig.submit(asks(tokens(12), 30))
    beyond = rig.submit(asks([*tokens(5), 10**6], 3))  # no such token: the core refuses the whole batch
    broken = rig.submit(GenerateRequest(tokens(9), SamplingParams(max_tokens=5), drafter=Broken()))
    with pytest.raises(_native.NativeError, match="not in the vocabulary"):
        beyond.result()
    with pytest.raises(RuntimeError, match="no guess"):
        broken.result()
    assert good.result().ids == alone
    assert rig.cache.stats().in_use == 0


def test_a_failure_of_the_thread_is_told_to_all_and_not_for_ever(rig: Rig) -> None:
    alone = rig.solo(asks(tokens(12), 3)).ids
    failing = Gate(rig.core)
    heard = [rig.submit(asks(tokens(12, i), 50)) for i in range(3)]
    assert failing.reached.wait(60)

    def fail(batch: list[Any]) -> None:
        raise MemoryError("none left")

    rig.core.before = fail
    failing.open()
    for each in heard:
        with pytest.raises(EngineFailedError, match="MemoryError: none left"):
            each.result()
    rig.core.before = lambda batch: None
    assert rig.solo(asks(tokens(12), 3)).ids == alone


def test_closing_ends_requests_and_the_thread(rig: Rig) -> None:
    before = threading.active_count()
    heard = [rig.submit(asks(tokens(300, i), 1500)) for i in range(3)]
    heard[0].until(Output)
    assert threading.active_count() == before + 1
    rig.scheduler.close()
    assert threading.active_count() == before
    for each in heard:
        with pytest.raises(EngineClosedError):
            each.result()
    assert rig.solo(asks(tokens(12), 3)).usage.generated_tokens == 3


def test_a_forked_process_is_told_to_open_its_own(rig: Rig) -> None:
    rig.solo(asks(tokens(12), 3))
    child = os.fork()
    if child == 0:
        try:
            rig.scheduler.close()  # as an inherited finalizer would
            rig.submit(asks(tokens(12), 3))
        except EngineClosedError as error:
            os._exit(7 if "forked" in str(error) else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert rig.solo(asks(tokens(12), 3)).usage.generated_tokens == 3


class Oracle:
    """Drafts what it was told is the output, with every so many tokens wrong."""

    def __init__(self, prompt: int, output: Sequence[int], wrong: int) -> None:
        self._prompt, self._output, self._wrong = prompt, list(output), wrong
        self.observed: list[tuple[int, int]] = []

    def propose(self, context: Sequence[int], most: int) -> list[int]:
        at = len(context) - self._prompt
        guesses = self._output[at : at + min(most, 5)]
        return [
            (token + 1) % 250 if (at + i) % self._wrong == self._wrong - 1 else token
            for i, token in enumerate(guesses)
        ]

    def observe(self, drafted: int, accepted: int, cost: StepCost | None) -> None:
        self.observed.append((drafted, accepted))


@pytest.mark.parametrize("params", [{}, {"temperature": 0.9, "seed": 3}, {"repeat_penalty": 1.3}])
def test_drafts_change_no_token(rig: Rig, params: dict[str, Any]) -> None:
    prompt = tokens(150)
    plain = rig.solo(asks(prompt, 60, **params))
    rig.scheduler.close()
    rig.core.batches.clear()
    oracle = Oracle(len(prompt), plain.ids, wrong=7)
    request = asks(prompt, 60, **params)
    got: Generation = rig.solo(GenerateRequest(request.prompt, request.params, drafter=oracle))
    assert (got.ids, got.text, got.finish) == (plain.ids, plain.text, plain.finish)
    assert got.usage.drafted_tokens == sum(drafted for drafted, _ in oracle.observed) > 30
    assert got.usage.accepted_tokens == sum(right for _, right in oracle.observed) > 30
    assert len(rig.core.batches) < 35
    again = rig.solo(asks([*prompt, *plain.ids[:-1]], 1, **params))  # what is kept is right
    assert again.usage.reused_tokens == len(prompt) + 58
    with suppress(LongleafError):
        rig.scheduler.close()
