"""How many prompt tokens go along with running streams, on simulated machines."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longleaf.engine.scheduling.prefill_budget import (
    LEAST_CHUNK,
    LONGEST_STEP,
    MEASURE_EVERY,
    STEP_ROWS,
    PrefillBudget,
)


@settings(max_examples=60, deadline=None)
@given(
    step=st.floats(1e-3, 0.2),
    token=st.floats(0.01, 0.5),  # of a step without prompt tokens
    rows=st.integers(1, 32),
    deeper=st.floats(0, 1e-4),  # more for each token read before
    noise=st.floats(0, 0.15),
    seed=st.integers(0, 100),
)
def test_no_step_takes_five(
    step: float, token: float, rows: int, deeper: float, noise: float, seed: int
) -> None:
    budget, rng, read, alone_in_a_row = PrefillBudget(), random.Random(seed), 0, 0
    for _ in range(200):
        tokens = budget.tokens(rows, streamed=True)
        assert tokens == 0 or LEAST_CHUNK <= tokens <= STEP_ROWS - rows
        alone_in_a_row = 0 if tokens else alone_in_a_row + 1
        assert alone_in_a_row < 2  # the prompt goes on
        seconds = step * (1 + tokens * token * (1 + read * deeper)) * (1 + noise * (2 * rng.random() - 1))
        if token * LEAST_CHUNK * (1 + read * deeper) < 2:  # else not even the least chunk is that short
            assert seconds < 5 * step
        budget.observe(rows, tokens, seconds)
        read += tokens


def test_a_slow_machine_for_a_moment_makes_no_long_steps() -> None:
    budget, rng = PrefillBudget(), random.Random(0)
    for _ in range(2000):
        tokens = budget.tokens(1, streamed=True)
        assert 1 + tokens / 20 < 5
        disturbed = tokens == 0 and rng.random() < 0.2
        budget.observe(1, tokens, 6 if disturbed else 1 + tokens / 20)


def test_steps_are_filled_where_nobody_reads_along() -> None:
    budget = PrefillBudget()
    assert budget.tokens(0, streamed=False) == STEP_ROWS
    assert budget.tokens(20, streamed=False) == STEP_ROWS - 20
    assert budget.tokens(STEP_ROWS, streamed=False) == LEAST_CHUNK
    assert budget.tokens(1, streamed=True) == 0  # first the time without prompt tokens


@pytest.mark.parametrize("tokens_a_step", [5, 40, 200])
def test_chunks_are_as_large_as_the_time_allows(tokens_a_step: int) -> None:
    budget, chunks = PrefillBudget(), []
    for _ in range(3 * MEASURE_EVERY):
        tokens = budget.tokens(2, streamed=True)
        budget.observe(2, tokens, 1 + tokens / tokens_a_step)
        chunks.append(tokens)
    assert 0 < chunks.count(0) <= 4  # decode is timed alone now and then
    allowed = (LONGEST_STEP - 1) * tokens_a_step
    assert all(allowed - LEAST_CHUNK <= tokens <= allowed for tokens in chunks[12:] if tokens)
