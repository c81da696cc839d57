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
def opened(path: Path) -> tuple[_native.Model, _native.Tokenizer]:
    gguf = _native.Gguf(path)
    return _native.Model(gguf), _native.Tokenizer(gguf)


@pytest.mark.parametrize("name", MODELS)
def test_perplexity_is_that_of_the_f32_reference(name: str) -> None:
    """llama.cpp's method: consecutive chunks, a BOS for the first token, the second half of each scored."""
    reference = golden("perplexity.json")["f32_reference"][name]["contract_a.txt"][str(CONTEXT)]
    ids = golden(f"{name}.contract_a.special.ids.json")
    model, tokenizer = opened(real_model(MODELS[name]).path)
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
    assert math.exp(total / count) == pytest.approx(reference, rel=0.002)


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
