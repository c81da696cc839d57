"""The two default models against what llama.cpp gives (shared/goldens)."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from longleaf import _native
from tests.support.kernel_sets import ROUNDING
from tests.support.real_models import GOLDENS, real_model

MODELS = {"gemma3": "gemma-3-270m", "SmolLM2": "smollm2-135m-instruct"}
PROMPTS = ("short_en", "list", "contract_2k", "contract_9k", "zh", "code")
CONTEXT = 512


def golden(name: str) -> Any:
    path = GOLDENS / name
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return json.loads(path.read_text())


@cache
def opened(path: Path, isa: str = "") -> tuple[_native.Model, _native.Tokenizer]:
    gguf = _native.Gguf(path)
    return _native.Model(gguf, isa=isa), _native.Tokenizer(gguf)


def perplexity(name: str, ids: list[int], isa: str = "") -> float:
    """llama.cpp's method: consecutive chunks, a BOS for the first token, the second half of each scored."""
    model, tokenizer = opened(real_model(MODELS[name]).path, isa)
    total, count = 0.0, 0
    for start in range(0, len(ids) - CONTEXT + 1, CONTEXT):
        chunk = ids[start : start + CONTEXT]
        targets = [-1] * (CONTEXT // 2) + chunk[CONTEXT // 2 + 1 :] + [-1]
        if tokenizer.add_bos:
            chunk = [tokenizer.bos_id, *chunk[1:]]
        sequence = model.new_sequence()
        total -= float(np.sum(model.score([(sequence, chunk, targets)]), dtype=np.float64))
        count += CONTEXT // 2 - 1
        model.free(sequence)
    return math.exp(total / count)


@pytest.mark.parametrize("name", MODELS)
def test_perplexity_is_that_of_the_f32_reference(name: str) -> None:
    reference = golden("perplexity.json")["f32_reference"][name]["contract_a.txt"][str(CONTEXT)]
    ids = golden(f"{name}.contract_a.special.ids.json")
    assert perplexity(name, ids) == pytest.approx(reference, rel=0.002)


@pytest.mark.parametrize("isa", ROUNDING)
@pytest.mark.parametrize("name", MODELS)
def test_rounding_costs_next_to_no_perplexity(name: str, isa: str) -> None:
    ids = golden(f"{name}.contract_a.special.ids.json")[: 2 * CONTEXT]
    assert perplexity(name, ids, isa) == pytest.approx(perplexity(name, ids), rel=0.002)


@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize("name", MODELS)
def test_greedy_continuations_are_those_of_llama_cpp(name: str, prompt: str) -> None:
    goldens = golden("greedy.json")
    model, tokenizer = opened(real_model(MODELS[name]).path)
    # llama.cpp's program takes one newline off the end of a prompt read from a file; "code" alone has one.
    ids = tokenizer.encode(goldens["prompts"][prompt].removesuffix("\n"))
    sequence = model.new_sequence()
    logits = model.forward([(sequence, ids, 1)])
    tokens: list[int] = []
    for _ in range(48):
        tokens.append(int(logits[0].argmax()))
        logits = model.forward([(sequence, tokens[-1:], 1)])
    model.free(sequence)
    # The stored text may end within a character and has two newlines added.
    expected = goldens["continuations"][f"{name}/{prompt}"].rstrip("\n\ufffd")
    got = tokenizer.decode(tokens).decode(errors="ignore")
    first_16 = tokenizer.decode(tokens[:16]).decode(errors="ignore")
    assert expected.startswith(first_16.rstrip("\n"))
    assert got.startswith(expected)


@pytest.mark.parametrize("isa", ROUNDING)
@pytest.mark.parametrize("prompt", ["list", "code"])
@pytest.mark.parametrize("name", MODELS)
def test_rounding_turns_a_continuation_only_where_two_tokens_are_nearly_equal(
    name: str, prompt: str, isa: str
) -> None:
    """Rounding to bf16 errs by 0.00158 of a number (root mean square over a binade), a product by sqrt(2) of
    that. On their way to the logits, errors add up over the four products of a layer that stand behind each
    other: attention's values and output, up and down. Five deviations hold for every logit of a vocabulary
    (measured: four); two logits may err towards each other.
    """
    ids = opened(real_model(MODELS[name]).path)[1].encode(golden("greedy.json")["prompts"][prompt])
    exact, rounding = opened(real_model(MODELS[name]).path)[0], opened(real_model(MODELS[name]).path, isa)[0]
    bound = 2 * 5 * 0.00158 * math.sqrt(2) * math.sqrt(4 * exact.n_layer)
    sequences = {model: model.new_sequence() for model in (exact, rounding)}
    step = ids
    for _ in range(16):
        true, near = (model.forward([(sequences[model], step, 1)])[0] for model in (exact, rounding))
        step = [int(near.argmax())]
        assert np.abs(near - true).max() < bound / 2 * true.std()
        assert true.max() - true[step[0]] < bound * true.std()
        if step[0] != true.argmax():
            break
    for model, sequence in sequences.items():
        model.free(sequence)
