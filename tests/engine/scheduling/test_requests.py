"""The Engine's requests on a small random model: async, batches, sampling options, constraints, closing."""

from __future__ import annotations

import asyncio
import gc
import math
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from longleaf.engine.engine import Engine
from longleaf.engine.errors import DeadlineError, EngineClosedError, SamplingError
from longleaf.engine.scheduling.meter import measure
from longleaf.engine.types import Generation

PROMPT = [5, 80, 17, 200, 33, 91]


async def collect(pieces: AsyncGenerator[str | Generation]) -> tuple[str, Generation]:
    got = [piece async for piece in pieces]
    assert isinstance(got[-1], Generation)
    return "".join(piece for piece in got[:-1] if isinstance(piece, str)), got[-1]


def test_async_gives_what_sync_gives(engine: Engine) -> None:
    prompts = [[*PROMPT, extra] for extra in range(40, 46)]
    expected = [engine.generate(prompt, max_tokens=20, ignore_eos=True) for prompt in prompts]

    async def together() -> list[tuple[str, Generation]]:
        pieces = [engine.astream(prompt, max_tokens=20, ignore_eos=True) for prompt in prompts]
        return await asyncio.gather(*map(collect, pieces))

    with measure() as meter:
        got = asyncio.run(together())
    for (text, result), want in zip(got, expected, strict=True):
        assert text == result.text == want.text
        assert (result.ids, result.finish) == (want.ids, want.finish)
    assert meter.usage().generated_tokens == 6 * 20
    assert asyncio.run(engine.agenerate(prompts[0], max_tokens=20, ignore_eos=True)).ids == expected[0].ids


def test_cancelled_tasks_and_closed_streams_end_their_requests(engine: Engine) -> None:
    async def leave() -> None:
        stream = engine.astream(PROMPT, max_tokens=1500, ignore_eos=True)
        await anext(stream)
        assert engine.prefix_stats().in_use == 1
        await stream.aclose()
        assert engine.prefix_stats().in_use == 0
        task = asyncio.create_task(engine.agenerate(PROMPT, max_tokens=1500, ignore_eos=True))
        while engine.prefix_stats().in_use == 0:
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert engine.prefix_stats().in_use == 0
        with pytest.raises(DeadlineError):
            await engine.agenerate(PROMPT, max_tokens=1500, ignore_eos=True, timeout=0.05)

    asyncio.run(leave())


def test_a_loop_that_closes_takes_its_requests_along(engine: Engine) -> None:
    loop = asyncio.new_event_loop()
    stream = engine.astream(PROMPT, max_tokens=2000, ignore_eos=True)
    loop.run_until_complete(anext(stream))
    loop.close()
    while engine.prefix_stats().in_use:
        threading.Event().wait(0.01)
    assert engine.generate(PROMPT, max_tokens=3).usage.generated_tokens <= 3


def test_progress_that_raises_cancels(engine: Engine) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.generate(PROMPT, max_tokens=1500, ignore_eos=True, progress=stop)
    assert engine.prefix_stats().in_use == 0


def test_batches_keep_their_order_and_fill_no_queue(engine: Engine) -> None:
    prompts = [[*PROMPT, extra] for extra in range(30, 70)]
    told: list[tuple[int, int]] = []
    got = engine.batch(prompts, max_tokens=5, ignore_eos=True, progress=lambda *at: told.append(at))
    assert told == [(done, 40) for done in range(1, 41)]
    for prompt, result in zip(prompts, got, strict=True):
        assert result.ids == engine.generate(prompt, max_tokens=5, ignore_eos=True).ids
    assert engine.batch([], max_tokens=5) == []
    with pytest.raises(DeadlineError):
        engine.batch(prompts, max_tokens=500, ignore_eos=True, timeout=0.05)
    assert engine.prefix_stats().in_use == 0


def test_a_seed_gives_the_same_in_company(engine: Engine) -> None:
    def draw(seed: int) -> tuple[int, ...]:
        return engine.generate(
            PROMPT, max_tokens=30, temperature=1.2, top_p=0.9, seed=seed, ignore_eos=True
        ).ids

    alone = [draw(seed) for seed in range(4)]
    assert len(set(alone)) == 4
    together = [()] * 4

    def run(seed: int) -> None:
        together[seed] = draw(seed)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


def test_logprobs_and_bias(engine: Engine) -> None:
    plain = engine.generate(PROMPT, max_tokens=6, ignore_eos=True)
    told = engine.generate(PROMPT, max_tokens=6, ignore_eos=True, logprobs=2)
    assert told.ids == plain.ids and plain.logprobs is None and told.logprobs is not None
    for at, (token, entry) in enumerate(zip(told.ids, told.logprobs, strict=True)):
        assert entry.token == token and entry.best[0] == (token, entry.logprob)
        sequence = engine._native.new_sequence()
        context = [*PROMPT, *told.ids]
        (score,) = engine._native.score(
            [(sequence, context[: len(PROMPT) + at], [-1] * (len(PROMPT) + at - 1) + [token])]
        )[-1:]
        assert entry.logprob == pytest.approx(float(score), abs=1e-4)
        engine._native.free(sequence)
    banned = engine.generate(PROMPT, max_tokens=6, ignore_eos=True, logit_bias={plain.ids[0]: -math.inf})
    assert banned.ids[0] != plain.ids[0]
    assert engine.generate(PROMPT, max_tokens=4, ignore_eos=True, logit_bias={7: 1e4}).ids == (7, 7, 7, 7)
    with pytest.raises(SamplingError, match="the vocabulary has"):
        engine.generate(PROMPT, max_tokens=6, logit_bias={10**6: 1.0})


class Spelled:
    """A constraint: some tokens fixed, then a choice of two, then the same again, and the end."""

    def __init__(self, n_vocab: int, fixed: Sequence[int], choice: Sequence[int]) -> None:
        self._n_vocab, self._fixed, self._choice = n_vocab, list(fixed), choice
        self.output: list[int] = []

    def allowed(self) -> NDArray[np.uint32] | None:
        mask = np.zeros((self._n_vocab + 31) // 32, np.uint32)
        for token in self._choice:
            mask[token // 32] |= np.uint32(1 << token % 32)
        return mask

    def accept(self, token: int) -> None:
        assert token in (self.forced()[:1] or self._choice)
        self.output.append(token)

    def forced(self) -> list[int]:
        return self._fixed[len(self.output) % (len(self._fixed) + 1) :]

    def finished(self) -> bool:
        return len(self.output) >= 2 * (len(self._fixed) + 1)


class Guesser:
    """Drafts one list of tokens again and again."""

    def __init__(self, guesses: list[int]) -> None:
        self._guesses = guesses

    def propose(self, context: Sequence[int], most: int) -> list[int]:
        return self._guesses[:most]

    def observe(self, drafted: int, accepted: int, cost: object) -> None:
        assert 0 <= accepted <= drafted


class Ahead:
    """Drafts what follows in an output that is known."""

    def __init__(self, prompt: int, output: Sequence[int]) -> None:
        self._prompt, self._output = prompt, output

    def propose(self, context: Sequence[int], most: int) -> list[int]:
        at = len(context) - self._prompt
        return list(self._output[at : at + min(most, 9)])

    def observe(self, drafted: int, accepted: int, cost: object) -> None:
        assert 0 <= accepted <= drafted


@pytest.mark.parametrize("guesses", [None, [41, 60, 61, 62, 40], [60, 61, 9]])
@pytest.mark.parametrize("logprobs", [None, 1])
def test_constraints_are_followed_with_and_without_drafts(
    engine: Engine, guesses: list[int] | None, logprobs: int | None
) -> None:
    steps = 0

    class Counting:
        def __getattr__(self, name: str) -> object:
            return getattr(engine._native, name)

        def forward_both(self, whole: list[Any], best: list[Any], k: int) -> object:
            nonlocal steps
            steps += 1
            return engine._native.forward_both(whole, best, k)

    engine._scheduler._native = Counting()  # type: ignore[assignment]
    fixed, choice = [60, 61, 62], [40, 41]
    spelled = Spelled(engine.tokenizer.n_vocab, fixed, choice)
    drafter = Guesser(guesses) if guesses else None
    got = engine.generate(PROMPT, constraint=spelled, drafter=drafter, max_tokens=50, logprobs=logprobs)
    assert got.finish == "stop"
    assert list(got.ids) == spelled.output
    assert got.ids[:3] == got.ids[4:7] == (60, 61, 62) and {got.ids[3], got.ids[7]} <= {40, 41}
    if logprobs is None:
        assert steps == 2  # the forced tokens take none of their own
    else:
        assert got.logprobs is not None and [entry.token for entry in got.logprobs] == list(got.ids)
    short = Spelled(engine.tokenizer.n_vocab, fixed, choice)
    cut = engine.generate(PROMPT, constraint=short, drafter=drafter, max_tokens=5, logprobs=logprobs)
    assert (cut.ids, cut.finish) == (got.ids[:5], "length")
    with pytest.raises(SamplingError, match="no stop texts"):
        engine.generate(PROMPT, constraint=short, stop=["x"])


@pytest.mark.parametrize("logprobs", [None, 2])
def test_a_stop_text_within_drafts_ends_the_output_at_its_token(engine: Engine, logprobs: int | None) -> None:
    whole = engine.generate(PROMPT, max_tokens=40, ignore_eos=True)
    for at in range(3, 30, 4):
        stop = [engine.tokenizer.decode(whole.ids[at : at + 3])[1:] or "none", "zzz"]
        plain = engine.generate(PROMPT, max_tokens=40, ignore_eos=True, stop=stop, logprobs=logprobs)
        guesser = Ahead(len(PROMPT), whole.ids)
        drafted = engine.generate(
            PROMPT, max_tokens=40, ignore_eos=True, stop=stop, logprobs=logprobs, drafter=guesser
        )
        assert drafted.usage.accepted_tokens > 0
        assert (drafted.ids, drafted.text, drafted.finish) == (plain.ids, plain.text, "stop")
        assert drafted.logprobs == plain.logprobs
        assert stop[0] not in plain.text and engine.tokenizer.decode(plain.ids).startswith(plain.text)
    assert engine.prefix_stats().in_use == 0


def test_usage_tells_times(engine: Engine) -> None:
    with measure() as meter:
        usage = engine.generate(PROMPT, max_tokens=9, ignore_eos=True).usage
    assert usage.seconds == pytest.approx(usage.queue_seconds + usage.prefill_seconds + usage.decode_seconds)
    assert usage.seconds_to_first_token == pytest.approx(usage.queue_seconds + usage.prefill_seconds)
    assert meter.usage().decode_seconds == usage.decode_seconds > 0
    assert (usage.prompt_tokens, usage.reused_tokens, usage.generated_tokens) == (6, 0, 9)


def test_closing_ends_streams_and_leaves_no_thread(model_path: Path) -> None:
    before = threading.active_count()
    engine = Engine.open(model_path, threads=2)
    assert threading.active_count() == before
    stream = engine.stream(PROMPT, max_tokens=2000, ignore_eos=True)
    next(stream)
    engine.close()
    assert threading.active_count() == before
    with pytest.raises(EngineClosedError, match="closed before"):
        list(stream)
    left = engine.stream(PROMPT, max_tokens=2000, ignore_eos=True)
    next(left)
    del engine, left  # nobody closes it: the collector does
    gc.collect()
    assert threading.active_count() == before


def test_a_program_may_end_with_a_stream_open(model_path: Path) -> None:
    code = (
        "import sys; from longleaf.engine.engine import Engine\n"
        "engine = Engine.open(sys.argv[1])\n"
        "stream = engine.stream([5, 80], max_tokens=2000, ignore_eos=True)\n"
        "next(stream); print('out')"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(model_path)], capture_output=True, timeout=60, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, b"out\n", b"")
