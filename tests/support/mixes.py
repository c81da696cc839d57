"""Random mixes of requests through a Scheduler, each result compared with a run of the core by hand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import numpy as np

from longleaf import _native
from longleaf.engine.prefix.cache import PrefixCache
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
from longleaf.engine.scheduling.sampling import Row, choose
from longleaf.engine.scheduling.scheduler import Scheduler
from longleaf.engine.speculation.drafter import Drafter, StepCost
from longleaf.engine.speculation.prompt_lookup import PromptLookup
from longleaf.engine.types import SamplingParams


@dataclass(frozen=True)
class Wish:
    """One request of a mix, and when it comes and goes."""

    prompt: tuple[int, ...]
    params: SamplingParams
    tails: tuple[tuple[int, ...], ...]  # to score behind the prompt instead of going on with it
    drafts: str  # "", "lookup", "lucky"
    priority: int
    after: int  # steps' outputs of all requests to wait for before it is submitted
    cancel_after: int | None  # outputs of its own; 0 at once


@dataclass(frozen=True)
class Mix:
    wishes: tuple[Wish, ...]


@dataclass
class Tally:
    """What the mixes held."""

    requests: int = 0
    cancelled: int = 0
    drafted: int = 0
    accepted: int = 0
    reused: int = 0
    tokens: int = 0

    def add(self, other: Tally) -> None:
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def random_mix(seed: int, n_vocab: int, longest: int = 400) -> Mix:
    rng = random.Random(seed)
    # Few words, so that prompts repeat themselves and lookups find something.
    words = [rng.randrange(n_vocab) for _ in range(rng.choice([6, 40, n_vocab]))]
    documents = [[rng.choice(words) for _ in range(rng.randrange(1, longest))] for _ in range(3)]

    def prompt() -> tuple[int, ...]:
        document = rng.choice(documents)
        head = document[: rng.choice([0, len(document), len(document), rng.randrange(len(document) + 1)])]
        return (*head, *(rng.choice(words) for _ in range(rng.randrange(1, 20))))

    def wish() -> Wish:
        scores = rng.random() < 0.15
        tails = tuple(tuple(rng.choice(words) for _ in range(rng.randrange(2, 60))) for _ in range(4))
        sampled = rng.random() < 0.25
        return Wish(
            prompt=prompt(),
            params=SamplingParams(
                max_tokens=rng.choice([1, 2, 9, 25, 50]),
                temperature=0.9 if sampled else 0.0,
                top_k=rng.choice([0, 20]) if sampled else 0,
                repeat_penalty=rng.choice([1.0, 1.0, 1.2]),
                seed=rng.randrange(2**32),
                ignore_eos=rng.random() < 0.7,
            ),
            tails=tails if scores else (),
            drafts="" if scores else rng.choice(["", "lookup", "lucky"]),
            priority=rng.choice([0, 0, 1, -1]),
            after=rng.choice([0, 0, rng.randrange(60)]),
            cancel_after=rng.choice([0, 1, rng.randrange(1, 30)]) if rng.random() < 0.2 else None,
        )

    return Mix(tuple(wish() for _ in range(rng.randrange(2, 9))))


class Lucky:
    """Knows the output and drafts it, now and then wrongly."""

    def __init__(self, prompt: int, output: Sequence[int], seed: int) -> None:
        self._prompt, self._output, self._rng = prompt, list(output), random.Random(seed)

    def propose(self, context: Sequence[int], most: int) -> list[int]:
        at = len(context) - self._prompt
        guesses = self._output[at : at + min(most, self._rng.randrange(12))]
        return [0 if self._rng.random() < 0.15 else token for token in guesses]

    def observe(self, drafted: int, accepted: int, cost: StepCost | None) -> None:
        assert 0 <= accepted <= drafted


@dataclass
class Solo:
    """Runs requests alone and by hand: one sequence, no cache, no drafts."""

    native: _native.Model
    ends: frozenset[int]

    def output(self, prompt: tuple[int, ...], params: SamplingParams) -> tuple[int, ...]:
        sequence = self.native.new_sequence()
        try:
            context, new = list(prompt), list(prompt)
            while len(context) < len(prompt) + params.max_tokens:
                row = Row(self.native.forward([(sequence, new, 1)])[0])
                barred = self.ends if params.ignore_eos else ()
                token = choose(row, params, context, len(context) - len(prompt), barred)
                if token in self.ends:
                    break
                context.append(token)
                new = [token]
            return tuple(context[len(prompt) :])
        finally:
            self.native.free(sequence)

    def scores(self, prompt: tuple[int, ...], tail: tuple[int, ...]) -> list[float]:
        sequence = self.native.new_sequence()
        try:
            self.native.forward([(sequence, prompt, 0)])
            found: list[float] = self.native.score([(sequence, tail[:-1], tail[1:])]).tolist()
            return found
        finally:
            self.native.free(sequence)


def run_mix(mix: Mix, scheduler: Scheduler, solo: Solo, seed: int) -> Tally:
    """Submits as the mix says and checks every result; raises AssertionError naming the request."""
    events: SimpleQueue[tuple[int, Event]] = SimpleQueue()
    outputs = [solo.output(wish.prompt, wish.params) if not wish.tails else () for wish in mix.wishes]
    tickets: dict[int, Ticket] = {}
    heard = [0] * len(mix.wishes)
    waiting = sorted(range(len(mix.wishes)), key=lambda i: mix.wishes[i].after)
    total, tally, open_ = 0, Tally(), 0

    def submit(i: int) -> None:
        nonlocal open_
        wish = mix.wishes[i]
        drafter: Drafter | None = None
        if wish.drafts == "lookup":
            drafter = PromptLookup()
        elif wish.drafts == "lucky":
            drafter = Lucky(len(wish.prompt), outputs[i], seed)
        tails = [(list(tail[:-1]), list(tail[1:])) for tail in wish.tails]
        request: GenerateRequest | ScoreRequest = (
            ScoreRequest(list(wish.prompt), tails)
            if tails
            else GenerateRequest(list(wish.prompt), wish.params, drafter=drafter)
        )
        emit: Any = lambda event: events.put((i, event))  # noqa: E731
        tickets[i] = scheduler.submit(request, emit, priority=wish.priority)
        open_ += 1
        if wish.cancel_after == 0:
            tickets[i].cancel()

    while waiting or open_:
        while waiting and (not open_ or mix.wishes[waiting[0]].after <= total):
            submit(waiting.pop(0))
        i, event = events.get(timeout=120)
        wish = mix.wishes[i]
        where = f"request {i} of mix {seed}"
        match event:
            case Output():
                total, heard[i] = total + 1, heard[i] + 1
                tally.drafted += event.drafted
                tally.accepted += event.accepted
                if heard[i] == wish.cancel_after:
                    tickets[i].cancel()
            case Generated():
                assert event.generation.ids == outputs[i], where
                tally.reused += event.generation.usage.reused_tokens
                tally.tokens += len(event.generation.ids)
                open_ -= 1
            case Scored():
                for tail, scores in zip(wish.tails, event.scores, strict=True):
                    assert scores.tolist() == solo.scores(wish.prompt, tail), where
                open_ -= 1
            case Failed():
                assert isinstance(event.error, RequestCancelledError), f"{where}: {event.error}"
                assert wish.cancel_after is not None, where
                tally.cancelled += 1
                open_ -= 1
            case _:
                pass
    tally.requests += len(mix.wishes)
    return tally


def assert_nothing_left(native: _native.Model, cache: PrefixCache) -> None:
    """No request holds a sequence, and with the cache emptied no page is in use."""
    assert cache.stats().in_use == 0
    cache.clear()
    assert native.kv_stats()["pages_used"] == 0


def random_tokens(n: int, n_vocab: int, seed: int) -> list[int]:
    return [int(token) for token in np.random.default_rng(seed).integers(0, n_vocab, n)]
