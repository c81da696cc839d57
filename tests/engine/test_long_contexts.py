"""Contexts beyond what a model was trained for, and beyond what memory holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from longleaf import _native
from longleaf.engine.engine import Engine
from longleaf.engine.models.load_options import LoadOptions, NumaUse, RopeScaling
from tests.support.gguf_maker import tiny_model, write_model

LENGTH = 65536 + 70


def tokens(n: int, n_vocab: int) -> list[int]:
    return [int(token) for token in np.random.default_rng(3).integers(3, n_vocab, n)]


def opened(path: Path, **options: Any) -> _native.Model:
    return _native.Model(_native.Gguf(path), threads=2, **options)


@pytest.mark.parametrize("kind", ["linear", "yarn"])
@pytest.mark.parametrize("architecture", ["llama", "gemma3"])
def test_stretching_by_option_equals_a_file_that_says_so(
    tmp_path: Path, architecture: str, kind: str
) -> None:
    plain = write_model(tmp_path / "plain.gguf", tiny_model(architecture, n_ctx=256))
    said = write_model(
        tmp_path / "said.gguf",
        tiny_model(
            architecture,
            n_ctx=1024,
            extra={
                f"{architecture}.rope.scaling.type": kind,
                f"{architecture}.rope.scaling.factor": 4.0,
                f"{architecture}.rope.scaling.original_context_length": 256,
            },
        ),
    )
    ids = tokens(900, 200)
    results = []
    for path, options in (
        (plain, {"rope_scaling": {"kind": kind, "frequency_scale": 0.25}}),
        (plain, {"rope_scaling": {"kind": kind}}),  # the context size asks for four times
        (said, {}),
    ):
        model = opened(path, ctx_size=1024, **options)
        results.append((model.rope, model.forward([(model.new_sequence(), ids, 5)])))
    assert results[0][0] == results[1][0] == results[2][0]
    np.testing.assert_array_equal(results[0][1], results[1][1])
    np.testing.assert_array_equal(results[0][1], results[2][1])
    short = opened(plain, ctx_size=256)
    assert short.rope != results[0][0]


def test_none_takes_back_what_the_file_says(tmp_path: Path) -> None:
    said = write_model(
        tmp_path / "m.gguf",
        tiny_model("llama", extra={"llama.rope.scaling.type": "linear", "llama.rope.scaling.factor": 4.0}),
    )
    plain = write_model(tmp_path / "plain.gguf", tiny_model("llama"))
    assert opened(said, rope_scaling={"kind": "none"}).rope == opened(plain).rope != opened(said).rope


def test_beyond_the_trained_length_it_says_what_to_do(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m.gguf", tiny_model("llama", n_ctx=8192))
    with pytest.raises(
        _native.NativeError, match=r"trained for 8192.*--rope-scaling yarn --rope-freq-scale 0.125"
    ):
        opened(path, ctx_size=65536)
    with pytest.raises(_native.NativeError, match=r"with this rope scaling for 16384"):
        opened(path, ctx_size=65536, rope_scaling={"kind": "linear", "frequency_scale": 0.5})
    for wrong, words in (
        ({"kind": "su"}, "none, linear or yarn"),
        ({"kind": "linear", "frequency_scale": -1.0}, "between"),
        ({"kind": "yarn", "ext_factor": 2.0}, "--yarn-ext-factor"),
        ({"kind": "yarn", "beta_fast": 0.0}, "--yarn-beta-fast"),
        ({"kind": "yarn", "slope": 1}, 'no "slope"'),
    ):
        with pytest.raises(_native.NativeError, match=words):
            opened(path, ctx_size=16384, rope_scaling=wrong)


@pytest.mark.parametrize("architecture", ["llama", "gemma3"])
def test_64k_tokens_run_in_a_model_trained_for_8k(tmp_path: Path, architecture: str) -> None:
    model = tiny_model(architecture, n_layer=1 if architecture == "llama" else 6, n_ctx=8192, n_ff=32)
    path = write_model(tmp_path / "m.gguf", model)
    core = opened(path, ctx_size=LENGTH, rope_scaling={"kind": "yarn"})
    ids = tokens(LENGTH, core.n_vocab)
    sequence = core.new_sequence()
    for at in range(0, LENGTH - 5, 4096):
        core.forward([(sequence, ids[at : min(at + 4096, LENGTH - 5)], 0)])
    whole = core.forward([(sequence, ids[-5:], 5)])
    assert np.isfinite(whole).all()
    assert core.length(sequence) == LENGTH
    with pytest.raises(_native.NativeError, match="do not fit into the context"):
        core.forward([(sequence, [1], 1)])
    core.truncate(sequence, LENGTH - 3)
    best, _ = core.forward_top([(sequence, ids[-3:], 3)], 1)
    np.testing.assert_array_equal(best[:, 0], whole[2:].argmax(1))


def test_what_memory_cannot_hold_is_refused_with_the_arithmetic(tmp_path: Path) -> None:
    big = tiny_model("qwen3", n_ctx=1 << 24, n_layer=2, n_head=16, n_head_kv=16, head_dim=256)
    path = write_model(tmp_path / "m.gguf", big)  # a little over 32 KiB of keys and values a token
    with pytest.raises(
        _native.NativeError, match=r"16777216 tokens does not fit.*\+ 51[0-9]\.[0-9]+ GiB of KV.*available"
    ):
        opened(path, ctx_size=1 << 24)
    model = opened(path, ctx_size=4096)
    need = model.memory_need
    assert need["kv"] == model.kv_bytes_needed(4096)
    assert 4096 * 32 * 1024 <= need["kv"] < 4096 * 33 * 1024
    assert need["weights"] > 0 and need["activations"] > 0 and need["screening"] == 0


def test_the_engine_takes_the_options_and_shows_the_memory(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m.gguf", tiny_model("llama", n_ctx=256))
    load = LoadOptions(rope=RopeScaling("yarn"), numa="distribute")
    with Engine.open(path, ctx_size=1000, threads=1, load=load) as engine:
        assert engine.generate(tokens(600, 200), max_tokens=3, ignore_eos=True).usage.generated_tokens == 3
        assert engine.memory.ctx_size == 1000
        assert "KV cache of 1,000 tokens" in str(engine.memory)
        assert engine.placement_trouble == ""
        use = engine.numa_use()
        assert use.weight_copies == 1 or len(use.homes) > 1
        assert use.weight_pages_elsewhere == use.kv_pages_elsewhere == 0


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (NumaUse([], [], 1, 0, 0, 0, 0), "lies where the system puts it"),
        (NumaUse([0, 1], [0, 1], 2, 9, 0, 8, 1), "2 copies of the weights, one a node, 0 of 9"),
        (NumaUse([0, 2], [], 1, 9, 1, 8, 0), "nodes 0, 2; weights interleaved, 1 of 9"),
        (
            NumaUse([3], [], 1, 9, 0, 8, 2),
            "nodes 3; weights, 0 of 9 pages looked at elsewhere; KV cache 2 of",
        ),
    ],
)
def test_numa_use_is_told_in_words(use: NumaUse, words: str) -> None:
    assert words in str(use)
