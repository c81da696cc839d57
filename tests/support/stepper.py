"""The smallest decode loop that drafts and constraints can be tested with, one request and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from longleaf.engine.constraint.constraint import Constraint, masked
from longleaf.engine.engine import Engine
from longleaf.engine.speculation.drafter import Drafter, StepCost

Choose = Callable[[NDArray[np.float32]], int]


@dataclass(frozen=True, slots=True)
class Run:
    ids: list[int]
    finish: str
    steps: int
    drafted: int
    accepted: int
    seconds: float  # of decode


def verified(drafted: Sequence[int], choose: Callable[[int], int]) -> Iterator[int]:
    """The output tokens of a step over the last token and drafts: the right drafts and one more.

    `choose(i)` is the token chosen from the logits after the last token and `i` drafts.
    """
    for i in range(len(drafted) + 1):
        token = choose(i)
        yield token
        if i < len(drafted) and token != drafted[i]:
            return


def greedy(logits: NDArray[np.float32]) -> int:
    return int(np.argmax(logits))


def run(
    engine: Engine,
    prompt: Sequence[int],
    max_tokens: int,
    *,
    choose: Choose = greedy,
    drafter: Drafter | None = None,
    constraint: Constraint | None = None,
    ignore_eos: bool = False,
) -> Run:
    native, ends = engine._native, () if ignore_eos else engine.tokenizer.eog_ids
    sequence = native.new_sequence()
    try:
        for at in range(0, len(prompt) - 1, 512):
            native.forward([(sequence, list(prompt[at : min(at + 512, len(prompt) - 1)]), 0)])
        context, pending = list(prompt), [prompt[-1]]
        steps = drafted = accepted = 0
        start = time.perf_counter()

        def made() -> int:
            return len(context) - len(prompt)

        def result(finish: str) -> Run:
            return Run(context[len(prompt) :], finish, steps, drafted, accepted, time.perf_counter() - start)

        def put(token: int) -> None:
            context.append(token)
            pending.append(token)
            if constraint:
                constraint.accept(token)

        while True:
            while constraint and not constraint.finished() and (forced := constraint.forced()):
                for token in forced:
                    if made() == max_tokens:
                        return result("length")
                    put(token)
            if constraint and constraint.finished():
                return result("stop")
            if made() == max_tokens:
                return result("length")
            drafts = drafter.propose(context, max_tokens - made() - 1) if drafter else []
            before, length = time.perf_counter(), native.length(sequence)
            rows = native.forward([(sequence, pending + drafts, len(drafts) + 1)])
            cost = StepCost(time.perf_counter() - before, len(drafts) + 1, 1)
            steps += 1
            held = length + len(pending)
            pending.clear()
            right, end = -1, False

            def choice(i: int, rows: NDArray[np.float32] = rows) -> int:
                if constraint is None:
                    return choose(rows[i])
                if constraint.finished():
                    return next(iter(engine.tokenizer.eog_ids))
                if forced := constraint.forced():
                    return forced[0]
                mask = constraint.allowed()
                return choose(rows[i] if mask is None else masked(rows[i], mask))

            for token in verified(drafts, choice):
                right += 1
                if end := token in ends:
                    break
                put(token)
            native.truncate(sequence, held + right)
            del pending[:right]
            drafted, accepted = drafted + len(drafts), accepted + right
            if drafter:
                drafter.observe(len(drafts), right, cost)
            if end:
                return result("stop")
    finally:
        native.free(sequence)
