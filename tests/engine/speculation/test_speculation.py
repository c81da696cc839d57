"""Drafts: what they may never change, and when they are taken."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from queue import SimpleQueue

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from longleaf import _native
from longleaf.engine.engine import Engine
from longleaf.engine.models.store import ModelError
from longleaf.engine.prefix.cache import PrefixCache
from longleaf.engine.prompt.tokenizer import load_tokenizer
from longleaf.engine.scheduling.request import Event, Failed, Generated, GenerateRequest
from longleaf.engine.scheduling.sampling import Row, choose
from longleaf.engine.scheduling.scheduler import Limits, Scheduler
from longleaf.engine.speculation.draft_model import DraftModel
from longleaf.engine.speculation.draft_pace import MOST_DRAFTS, DraftPace, StepTimes
from longleaf.engine.speculation.drafter import Drafter, StepCost
from longleaf.engine.speculation.prompt_lookup import PromptLookup
from longleaf.engine.types import SamplingParams
from tests.support.gguf_maker import tiny_model, write_model
from tests.support.real_models import real_model
from tests.support.stepper import run, verified

LEARNING = 5.0  # steps that it may cost to learn what rows cost, once for a model
TEXT = (
    "The Supplier shall deliver the Products to the Buyer at the place named in Exhibit B. The Buyer shall "
    "inspect the Products within ten days. Repeat the text above word for word.\n\n"
    "The Supplier shall deliver the Products"
)


@pytest.fixture(scope="module", params=["smollm2-135m-instruct", "gemma-3-270m"])
def engine(request: pytest.FixtureRequest) -> Engine:
    return Engine(real_model(request.param), ctx_size=512)


class AlwaysDrafts:
    """Prompt lookup without a pace, so that as much as possible is drafted."""

    def __init__(self) -> None:
        self._text = _native.SuffixAutomaton()

    def propose(self, context: list[int], most: int) -> list[int]:
        self._text.extend(context[len(self._text) :])
        return self._text.continuation(min(most, 6))

    def observe(self, drafted: int, accepted: int, cost: StepCost | None) -> None:
        pass


def test_greedy_output_is_the_same_token_for_token(engine: Engine) -> None:
    prompt = engine.tokenizer.encode(TEXT)
    plain = run(engine, prompt, 40)
    for drafter in (AlwaysDrafts(), PromptLookup()):
        drafted = run(engine, prompt, 40, drafter=drafter)
        assert (drafted.ids, drafted.finish) == (plain.ids, plain.finish)
    drafted = run(engine, prompt, 40, drafter=AlwaysDrafts())
    assert drafted.accepted > 0 and drafted.steps < plain.steps


def draws(params: SamplingParams) -> Callable[[NDArray[np.float32]], int]:
    positions = count()
    return lambda logits: choose(Row(logits), params, (), next(positions))


def test_an_engine_drafts_unasked_and_says_the_same(engine: Engine) -> None:
    plain = run(engine, engine.tokenizer.encode(TEXT), 40)
    for _ in range(2):  # the second request knows what steps cost
        generation = engine.generate(TEXT, max_tokens=40)
        assert list(generation.ids) == plain.ids
    drafted = engine.generate(TEXT, max_tokens=40, drafter=AlwaysDrafts())
    assert list(drafted.ids) == plain.ids
    assert drafted.usage.drafted_tokens >= drafted.usage.accepted_tokens > 0
    assert engine.step_times.age(1) is not None


def test_sampled_output_is_the_same_for_a_seed(engine: Engine) -> None:
    prompt = engine.tokenizer.encode(TEXT)

    def sampler() -> Callable[[NDArray[np.float32]], int]:
        return draws(SamplingParams(temperature=0.8, seed=7))

    plain = run(engine, prompt, 30, choose=sampler())
    drafted = run(engine, prompt, 30, choose=sampler(), drafter=AlwaysDrafts())
    assert drafted.drafted > 0
    assert drafted.ids == plain.ids


class Guesses:
    """Drafts any of a few tokens, three at a time."""

    def __init__(self, tokens: list[int], seed: int) -> None:
        self._tokens, self._rng = tokens, np.random.default_rng(seed)

    def propose(self, context: Sequence[int], most: int) -> list[int]:
        return self._rng.choice(self._tokens, min(most, 3)).tolist()

    def observe(self, drafted: int, accepted: int, cost: StepCost | None) -> None:
        assert 0 <= accepted <= drafted


def test_sampled_output_has_the_distribution_of_the_model(tmp_path: Path) -> None:
    """Chi-square over the first three of five tokens, drafted at random, side by side in the scheduler."""
    gguf = _native.Gguf(write_model(tmp_path / "m.gguf", tiny_model("llama", "Q8_0")))
    native, tokenizer = _native.Model(gguf, threads=1), load_tokenizer(gguf)
    prompt, few, n = [5, 80, 17, 200], [20, 60, 110, 170, 230], 2000
    barred = {token: -math.inf for token in range(tokenizer.n_vocab) if token not in few}

    def chances(behind: list[int]) -> NDArray[np.float64]:
        sequence = native.new_sequence()
        logits = native.forward([(sequence, prompt + behind, 1)])[0][few].astype(np.float64) / 2
        native.free(sequence)
        weights: NDArray[np.float64] = np.exp(logits - logits.max())
        return weights / weights.sum()

    first = chances([])
    expected = np.zeros((5, 5, 5))
    for i, a in enumerate(few):
        second = chances([a])
        for j, b in enumerate(few):
            expected[i, j] = n * first[i] * second[j] * chances([a, b])
    scheduler = Scheduler(native, PrefixCache(native), tokenizer, Limits(waiting=n))
    events: SimpleQueue[Event] = SimpleQueue()
    for seed in range(n):
        params = SamplingParams(max_tokens=3, temperature=2.0, seed=seed, ignore_eos=True, logit_bias=barred)
        scheduler.submit(GenerateRequest(prompt, params, drafter=Guesses(few, seed)), events.put)
    met, accepted, drafted = np.zeros((5, 5, 5)), 0, 0
    while met.sum() < n:
        event = events.get(timeout=60)
        assert not isinstance(event, Failed), event
        if isinstance(event, Generated):
            met[*map(few.index, event.generation.ids)] += 1
            accepted += event.generation.usage.accepted_tokens
            drafted += event.generation.usage.drafted_tokens
    scheduler.close()
    assert n / 10 < accepted < drafted / 2
    statistic = float(((met - expected) ** 2 / expected).sum())
    assert expected.min() > 3 and statistic < 192  # 124 degrees of freedom: chance passes 1 in 10,000


# -- the pace ---------------------------------------------------------------------------------------------


def measured(seconds: Callable[[int], float], rows: range = range(1, 34)) -> StepTimes:
    times = StepTimes()
    for n in reversed(rows):  # the step without drafts last: it may not be long ago
        for _ in range(3):
            times.record(StepCost(seconds(n), n, 1))
    return times


def test_one_slow_step_does_not_end_drafting() -> None:
    times = measured(lambda rows: 1 + 0.1 * rows, range(1, 5))
    times.record(StepCost(100.0, 8, 1))
    assert 1.3 < times.seconds(8) < 2
    assert 1.3 < times.seconds(16) < 4
    for _ in range(3):
        times.record(StepCost(100.0, 8, 1))
    assert times.seconds(8) == 100


def test_likely_drafts_are_taken_as_long_as_rows_are_cheap() -> None:
    assert DraftPace(measured(lambda rows: 1 + 0.01 * rows)).best([0.99] * 40) == MOST_DRAFTS
    assert DraftPace(measured(lambda rows: 1.0 if rows <= 4 else 3.0)).best([0.7] * 40) == 3
    assert DraftPace(measured(lambda rows: float(rows))).best([0.9] * 40) == 0
    assert DraftPace(measured(lambda rows: 1 + 0.1 * rows)).best([0.05] * 40) == 0


def test_nothing_is_drafted_before_a_step_without_drafts_was_measured() -> None:
    assert DraftPace(StepTimes()).best([1.0] * 8) == 0


def test_the_time_to_make_drafts_counts() -> None:
    pace = DraftPace(measured(lambda rows: 1 + 0.01 * rows))
    assert pace.best([0.8] * 8, seconds_each=0.05) > 1
    assert pace.best([0.8] * 8, seconds_each=1.0) == 0


def test_drafts_that_slow_down_other_requests_more_than_they_win_are_not_taken() -> None:
    def seconds(rows: int) -> float:
        return 1 + 0.3 * (rows - 1)

    alone, many = DraftPace(measured(seconds)), DraftPace(measured(seconds))
    many.observe(0, 0, StepCost(seconds(16), 16, 16))
    assert alone.best([0.6] * 4) > 0
    assert many.best([0.6] * 4) == 0


@settings(deadline=None)
@given(
    st.floats(0.01, 1.5),  # what a row costs, of a step
    st.integers(1, 12),  # rows after which it costs more
    st.floats(0, 1.5),
    st.integers(2, 40),  # different tokens: from a text that repeats itself all the time to hardly
    st.integers(0, 2**32),
)
def test_drafting_is_never_more_than_3_percent_slower(
    row: float, cheap: int, more: float, tokens: int, seed: int
) -> None:
    def seconds(rows: int) -> float:
        return 1 + row * (rows - 1) + (more * (rows - cheap) if rows > cheap else 0)

    rng = np.random.default_rng(seed)
    text = rng.integers(0, tokens, 600).tolist()
    drafter, at, spent = PromptLookup(), 100, 0.0
    while at < len(text):
        drafts = drafter.propose(text[:at], len(text) - at - 1)
        new = list(verified(drafts, lambda i, at=at: text[at + i]))  # type: ignore[misc]
        cost = StepCost(seconds(len(drafts) + 1), len(drafts) + 1, 1)
        spent += cost.seconds
        at += len(new)
        drafter.observe(len(drafts), len(new) - 1, cost)
    assert spent <= 1.03 * 500 + LEARNING


# -- the draft model --------------------------------------------------------------------------------------


def test_a_draft_model_gives_the_same_output_in_fewer_steps(engine: Engine) -> None:
    draft = DraftModel.open(engine.name, engine.tokenizer, ctx_size=512, offline=True)
    times = measured(lambda rows: 100.0)  # so slow a target that drafts always pay
    drafter: Drafter = draft.drafter(times)
    prompt = engine.tokenizer.encode(TEXT)
    plain = run(engine, prompt, 24)
    drafted = run(engine, prompt, 24, drafter=drafter)
    assert drafted.ids == plain.ids
    assert drafted.accepted == drafted.drafted > 0  # the model is its own draft model
    served = engine.generate(TEXT, max_tokens=24, drafter=draft.drafter(times))
    assert list(served.ids) == plain.ids
    assert served.usage.accepted_tokens == served.usage.drafted_tokens > 0


def test_a_draft_model_reads_a_prompt_by_pieces_and_drafts_within_its_own_context(tmp_path: Path) -> None:
    model, small = (
        write_model(tmp_path / f"{n_ctx}.gguf", tiny_model("llama", "Q8_0", n_ctx=n_ctx))
        for n_ctx in (2048, 1300)
    )
    prompt = np.random.default_rng(0).integers(10, 250, 1250).tolist()
    with Engine.open(model, threads=1, speculate=False) as engine:
        draft = DraftModel.open(str(small), engine.tokenizer, ctx_size=engine.ctx_size, threads=1)
        times = measured(lambda rows: 100.0)
        drafter = draft.drafter(times)
        read = []
        while not (drafts := drafter.propose(prompt, 8)):
            read.append(draft.native.length(drafter._handle))
        assert read == [512, 1024] and len(drafts) == 8
        plain = engine.generate(prompt, max_tokens=100, ignore_eos=True)
        drafted = engine.generate(prompt, max_tokens=100, ignore_eos=True, drafter=draft.drafter(times))
        assert drafted.ids == plain.ids
        assert 20 < drafted.usage.accepted_tokens == drafted.usage.drafted_tokens <= 50


def test_a_draft_model_of_another_vocabulary_is_refused_naming_the_first_difference(engine: Engine) -> None:
    other = {"gemma-3-270m": "smollm2-135m-instruct", "smollm2-135m-instruct": "gemma-3-270m"}[engine.name]
    real_model(other)
    with pytest.raises(ModelError, match=r"token 0 is '<.*>'.* in it and '<.*>'.* in the model"):
        DraftModel.open(other, engine.tokenizer, ctx_size=512, offline=True)
