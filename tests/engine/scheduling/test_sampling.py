"""Sampling against brute force: each sampler, their order, the draw, and what the parameters refuse."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longleaf.engine.errors import SamplingError
from longleaf.engine.scheduling.sampling import Row, choose, logprob_of, top_k, top_p, uniform
from longleaf.engine.types import SamplingOptions, SamplingParams

# Few values, so that equal logits are common.
LOGITS = st.lists(st.sampled_from([-3.0, -1.5, -0.25, 0.0, 0.5, 0.75, 2.0, 4.0]), min_size=1, max_size=40)
PARAMS = st.fixed_dictionaries(
    {
        "temperature": st.sampled_from([0.0, 0.3, 1.0, 2.5]),
        "top_k": st.integers(0, 45),
        "top_p": st.sampled_from([0.05, 0.4, 0.9, 0.999, 1.0]),
        "min_p": st.sampled_from([0.0, 0.05, 0.5, 1.0]),
        "repeat_penalty": st.sampled_from([0.8, 1.0, 1.5]),
        "presence_penalty": st.sampled_from([-0.5, 0.0, 1.0]),
        "frequency_penalty": st.sampled_from([-0.1, 0.0, 0.7]),
        "repeat_last_n": st.sampled_from([-1, 0, 1, 5, 64]),
        "seed": st.integers(0, 2**64 - 1),
        "logit_bias": st.dictionaries(st.integers(0, 0), st.sampled_from([-math.inf, -2.0, 3.0])),
    }
)


def chances(row: Sequence[float], params: SamplingParams, seen: Sequence[int]) -> dict[int, float]:
    """What is left of a row and how likely each is: token by token, in plain Python."""
    logits = {token: float(value) for token, value in enumerate(row)}
    for token, value in params.logit_bias.items():
        logits[token] += value
    window = list(seen) if params.repeat_last_n < 0 else list(seen)[len(seen) - params.repeat_last_n :]
    if 0 <= params.repeat_last_n > len(seen):
        window = list(seen)
    for token, times in Counter(window).items():
        value = logits[token]
        value = value / params.repeat_penalty if value > 0 else value * params.repeat_penalty
        logits[token] = value - times * params.frequency_penalty - params.presence_penalty
    order = sorted((token for token in logits if logits[token] > -math.inf), key=lambda t: (-logits[t], t))
    if params.temperature == 0:
        return {order[0]: 1.0}
    if params.top_k:
        order = order[: params.top_k]
    weights = [math.exp(logits[token] - logits[order[0]]) for token in order]
    if params.top_p < 1:
        reached, n = 0.0, 0
        while reached < params.top_p * sum(weights) * (1 - 1e-12):
            reached += weights[n]
            n += 1
        order = order[:n]
    order = [t for t in order if math.exp(logits[t] - logits[order[0]]) >= params.min_p * (1 - 1e-12)]
    tempered = {t: math.exp((logits[t] - logits[order[0]]) / params.temperature) for t in order}
    return {token: weight / sum(tempered.values()) for token, weight in tempered.items()}


@settings(max_examples=400, deadline=None)
@given(LOGITS, PARAMS, st.data())
def test_the_token_is_where_the_draw_falls(
    values: list[float], chosen: dict[str, Any], data: st.DataObject
) -> None:
    params = SamplingParams(**chosen)
    seen = data.draw(st.lists(st.integers(0, len(values) - 1), max_size=12))
    position = data.draw(st.integers(0, 1000))
    row = Row(np.array(values, np.float32))
    if params.logit_bias.get(0) == -math.inf and len(values) == 1:
        with pytest.raises(SamplingError, match="no token is left"):
            choose(row, params, seen, position)
        return
    expected = chances(row.logits.tolist(), params, seen)
    token = choose(row, params, seen, position)
    number, start = uniform(params.seed, position), 0.0
    for each in sorted(expected):
        if each == token:
            assert start - 1e-9 <= number < start + expected[each] + 1e-9 or params.temperature == 0
            return
        start += expected[each]
    raise AssertionError(f"{token} is not among {expected}")


@settings(max_examples=200, deadline=None)
@given(LOGITS, PARAMS)
def test_the_best_few_are_enough_where_they_are_said_to_be(
    values: list[float], chosen: dict[str, Any]
) -> None:
    plain = {"repeat_penalty": 1.0, "presence_penalty": 0.0, "frequency_penalty": 0.0, "logit_bias": {}}
    params = SamplingParams(**{**chosen, **plain})
    k = params.candidates
    logits = np.array(values, np.float32)
    if k is None:
        assert params.temperature > 0 and params.top_k == 0
        return
    order = np.lexsort((np.arange(len(logits)), -logits))[:k].astype(np.int32)
    best = choose(Row(logits[order], order), params, [], 5)
    assert best == choose(Row(logits), params, [], 5)


def test_large_nuclei_are_found_too() -> None:
    logits = np.random.default_rng(0).normal(0, 0.01, 20_000)
    ids, kept = top_p(np.arange(len(logits)), logits, 0.9)
    weights = np.sort(np.exp(logits))[::-1]
    assert len(ids) == int(np.searchsorted(np.cumsum(weights), 0.9 * weights.sum())) + 1
    assert kept.min() >= np.sort(logits)[::-1][len(ids) - 1]


def test_top_k_takes_lower_ids_of_equals() -> None:
    ids, _ = top_k(np.arange(6), np.array([1.0, 2.0, 1.0, 1.0, 3.0, 1.0]), 4)
    assert sorted(ids.tolist()) == [0, 1, 2, 4]


@pytest.mark.parametrize(
    "params",
    [
        {"temperature": 1.0},
        {"temperature": 0.6, "top_k": 5},
        {"temperature": 1.4, "top_p": 0.8},
        {"temperature": 1.0, "min_p": 0.2, "repeat_penalty": 1.2},
    ],
)
def test_draws_have_the_distribution(params: dict[str, Any]) -> None:
    """Chi-square over 8 tokens; one seed a request and one position, and one request's positions in a row."""
    logits = np.random.default_rng(3).normal(0, 1.2, 8).astype(np.float32)
    n, seen = 6000, [1, 2, 2]
    expected = chances(logits.tolist(), SamplingParams(**params), seen)
    for draws in (
        [choose(Row(logits), SamplingParams(**params, seed=seed), seen, 0) for seed in range(n)],
        [choose(Row(logits), SamplingParams(**params, seed=9), seen, position) for position in range(n)],
    ):
        met = Counter(draws)
        assert set(met) <= set(expected)
        statistic = sum((met[t] - n * p) ** 2 / (n * p) for t, p in expected.items())
        assert statistic < 30  # 7 degrees of freedom at most: chance passes it once in 10,000


@pytest.mark.parametrize("temperature", [1e-320, 5e-324, 1e308])
@pytest.mark.parametrize("bias", [0.0, 1e308, -1e308])
def test_no_parameter_leads_out_of_the_numbers(temperature: float, bias: float) -> None:
    logits = np.array([0.5, 2.0, -30.0, 1.0], np.float32)
    params = SamplingParams(
        temperature=temperature,
        top_p=1e-320,
        repeat_penalty=1e-9,
        presence_penalty=-1e9,
        frequency_penalty=-1e9,
        logit_bias={1: bias},
    )
    with np.errstate(all="raise", under="ignore"):
        assert choose(Row(logits), params, [3, 3], 0) == (1 if bias > 0 else 3)
        assert choose(Row(logits), SamplingParams(temperature=1e-320), [], 0) == 1


def test_numbers_depend_on_seed_and_position_alone() -> None:
    numbers = {(seed, at): uniform(seed, at) for seed in (0, 1, 2**64 - 1) for at in range(50)}
    assert len(set(numbers.values())) == len(numbers)
    assert all(0 <= number < 1 for number in numbers.values())
    assert all(uniform(*key) == number for key, number in numbers.items())


def test_logprobs_are_the_log_softmax() -> None:
    logits = np.array([0.5, 2.0, -1.0, 2.0, -np.inf], np.float32)
    expected = logits.astype(float) - math.log(np.exp(logits.astype(float)).sum())
    got = logprob_of(logits, 0, 3)
    assert got.token == 0 and got.logprob == pytest.approx(expected[0])
    assert [token for token, _ in got.best] == [1, 3, 0]
    assert [value for _, value in got.best] == pytest.approx([expected[1], expected[3], expected[0]])
    assert logprob_of(logits, 2, 0).best == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_tokens": 0}, "max_tokens must be at least 1, not 0"),
        ({"temperature": -0.1}, "temperature must be at least 0"),
        ({"temperature": math.nan}, "temperature must be at least 0, not nan"),
        ({"top_k": -1}, "top_k"),
        ({"top_p": 0.0}, "top_p must be above 0"),
        ({"top_p": 1.1}, "top_p must be between 0 and 1, not 1.1"),
        ({"min_p": math.nan}, "min_p"),
        ({"repeat_penalty": 0.0}, "repeat_penalty"),
        ({"presence_penalty": math.inf}, "presence_penalty"),
        ({"repeat_last_n": -2}, "repeat_last_n"),
        ({"seed": -1}, "seed"),
        ({"stop": "end"}, "a list of texts"),
        ({"stop": ["a", ""]}, "empty stop"),
        ({"stop": ["a", 5]}, "a list of texts"),
        ({"max_tokens": 2.5}, "max_tokens must be a whole number, not 2.5"),
        ({"seed": "1"}, "seed must be a whole number"),
        ({"logprobs": 1.5}, "logprobs must be a whole number"),
        ({"frequency_penalty": 1e10}, "frequency_penalty must be between"),
        ({"logit_bias": {"5": 1.0}}, "a token of logit_bias must be a whole number, not '5'"),
        ({"logprobs": 101}, "logprobs must be between 0 and 100"),
        ({"logit_bias": {-1: 0.5}}, "token -1"),
        ({"logit_bias": {1: math.nan}}, "token 1 is nan"),
    ],
)
def test_senseless_parameters_are_refused_in_words(options: SamplingOptions, message: str) -> None:
    with pytest.raises(SamplingError, match=message):
        SamplingParams(**options)


def test_parameters_are_values() -> None:
    bias, stop = {3: 1.0}, ["x"]
    params = SamplingParams(logit_bias=bias, stop=stop)
    bias[4] = 2.0
    stop.append("y")
    assert dict(params.logit_bias) == {3: 1.0} and params.stop == ("x",)
    assert SamplingOptions.__annotations__.keys() == SamplingParams.__dataclass_fields__.keys()
