"""The forward pass of the native core against the NumPy oracle, on random weights of every architecture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from longleaf._native import Gguf, Model
from tests.support.gguf_maker import ARCHITECTURES, TinyModel, tiny_model, write_model
from tests.support.kernel_sets import ROUNDING, is_float
from tests.support.oracle import Oracle, expected_logits

N_TOKENS = 200  # crosses three windows and three pages of 64
# Both compute in float32, in different orders; logits have a standard deviation of about 1. What a wrong
# position, window or norm or a rounding to 16 bits does is a hundred times larger.
CLOSE = 1e-4
# Quantized weights meet activations rounded to 16 bits: 7e-4 was the most measured (docs/crosscheck.md).
CLOSE_ROUNDED = 1.5e-3


def tokens(n: int, seed: int = 0) -> list[int]:
    return np.random.default_rng(seed).integers(5, 280, n).tolist()


def assert_like_oracle(path: Path, model: TinyModel, n: int = N_TOKENS, isa: str = "") -> None:
    want, slack = expected_logits(write_model(path, model), tokens(n), isa)
    close = CLOSE if is_float(model.weight_type) else CLOSE_ROUNDED
    atol = max(close * want.std(), slack)
    native = Model(Gguf(path), kv_type_k="f32", kv_type_v="f32", isa=isa)
    got = native.forward([(native.new_sequence(), tokens(n), n)])
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, atol=atol, rtol=0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.gguf"


# test_forward.py has all weight types with llama, and all rope scalings.
@pytest.mark.parametrize("weight_type", ["F16", "Q4_1", "Q8_0", "Q4_K", "Q6_K"])
@pytest.mark.parametrize("architecture", ["qwen2", "qwen3", "gemma3"])
@pytest.mark.parametrize("isa", ["", *ROUNDING])
def test_weight_types(path: Path, architecture: str, weight_type: str, isa: str) -> None:
    assert_like_oracle(path, tiny_model(architecture, weight_type, n_layer=2), n=80, isa=isa)


@pytest.mark.parametrize(
    "extra",
    [
        {"llama.rope.scaling.yarn_beta_fast": 8.0, "llama.rope.scaling.yarn_beta_slow": 2.0},
        {"llama.rope.scaling.factor": 32.0, "llama.rope.scaling.original_context_length": 64},
        {"llama.rope.scaling.attn_factor": 1.25},
    ],
)
def test_yarn_parameters(path: Path, extra: dict[str, float]) -> None:

    parameters = {  # by hand, so that each key is in the file once
        "llama.rope.scaling.type": "yarn",
        "llama.rope.scaling.factor": 4.0,
        "llama.rope.scaling.original_context_length": 256,
    }
    assert_like_oracle(path, tiny_model("llama", extra={**parameters, **extra}))


VARIANTS: dict[str, TinyModel] = {
    "one KV head a query head": tiny_model("llama", n_head_kv=4),
    "one KV head in all": tiny_model("llama", n_head_kv=1),
    "tied head": tiny_model("llama", tied=True),
    "tied qwen2": tiny_model("qwen2", tied=True),
    "byte-level vocabulary": tiny_model("llama", vocab="bpe"),
    "a rope of half the head": tiny_model("qwen3", extra={"qwen3.rope.dimension_count": 16}),
    "Mistral's window in every layer": tiny_model("llama", extra={"llama.attention.sliding_window": 50}),
    "a window that is no power of two": tiny_model("gemma3", sliding_window=37),
    "a window larger than the text": tiny_model("gemma3", sliding_window=1000),
    "a window of one": tiny_model("gemma3", sliding_window=1),
    "other periods of windows": tiny_model("gemma3", extra={"gemma3.attention.sliding_window_pattern": 2}),
    "two KV heads": tiny_model("gemma3", n_head_kv=2),
    "sizes that fill no vector": tiny_model(
        "llama", n_embd=72, n_head=3, n_head_kv=1, head_dim=24, n_ff=88, n_layer=3
    ),
    "heads wider than the model": tiny_model("qwen3", n_embd=64, n_head=5, n_head_kv=5, head_dim=40),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_variants(path: Path, variant: str) -> None:
    assert_like_oracle(path, VARIANTS[variant])


def test_windows_are_crossed_far_from_the_start(path: Path) -> None:
    """700 tokens, so that most keys of a windowed layer are out of sight and whole pages are skipped."""
    assert_like_oracle(path, tiny_model("gemma3", n_layer=6), n=700)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_pieces_and_batches(path: Path, architecture: str) -> None:
    """A prompt in uneven pieces, beside another sequence, after a fork and a truncation: the same logits."""
    oracle = Oracle(write_model(path, tiny_model(architecture)))
    one, two = tokens(150, seed=1), tokens(90, seed=2)
    want_one, want_two = oracle.logits(one), oracle.logits(two)
    model = Model(Gguf(path), kv_type_k="f32", kv_type_v="f32")
    first, second = model.new_sequence(), model.new_sequence()
    got: list[NDArray[np.float32]] = []
    for start, end in ((0, 1), (1, 64), (64, 65), (65, 129)):
        beside = two[start * 90 // 150 : end * 90 // 150]
        logits = model.forward([(first, one[start:end], end - start), (second, beside, 0)])
        got.append(logits)
    fork = model.fork(first)
    model.forward([(fork, two[:30], 0)])
    got.append(model.forward([(first, one[129:], 21)]))
    np.testing.assert_allclose(np.concatenate(got), want_one, atol=CLOSE * want_one.std(), rtol=0)

    model.truncate(fork, 0)
    again = model.forward([(fork, two, 90)])
    np.testing.assert_allclose(again, want_two, atol=CLOSE * want_two.std(), rtol=0)
    rest = model.forward([(second, two[model.length(second) :], 1)])
    np.testing.assert_allclose(rest[-1], want_two[-1], atol=CLOSE * want_two.std(), rtol=0)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_scores_are_log_softmax(path: Path, architecture: str) -> None:
    oracle = Oracle(write_model(path, tiny_model(architecture)), np.float64)
    ids = tokens(100, seed=3)
    logits = oracle.logits(ids)
    targets = [*ids[1:], -1]
    log_probabilities = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    want = [log_probabilities[i, target] if target >= 0 else 0.0 for i, target in enumerate(targets)]
    model = Model(Gguf(path), kv_type_k="f32", kv_type_v="f32")
    got = model.score([(model.new_sequence(), ids, targets)])
    np.testing.assert_allclose(got, want, atol=2 * CLOSE, rtol=0)
