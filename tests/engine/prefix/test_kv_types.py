"""Every type of KV cache: near the oracle, and the same to the bit whatever stands beside a row."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from longleaf import _native
from tests.support.gguf_maker import tiny_model, write_model
from tests.support.gguf_read import read_gguf
from tests.support.kernel_sets import ROUNDING, SETS
from tests.support.native_model import all_logits, open_model
from tests.support.oracle import Oracle

# Root mean square error of a type's keys and values in the logits of a model of one layer, over the spread of
# the logits: a bound some three times what is measured, and far below what a wrong scale or place would do.
ERRORS = {"f32": 1e-5, "f16": 8e-4, "bf16": 5e-3, "q8": 2e-2, "q4": 0.3}
LOSSY = ("bf16", "q8", "q4")
Array = NDArray[np.float32]


def some_tokens(n: int, seed: int = 0) -> list[int]:
    return [int(token) for token in np.random.default_rng(seed).integers(5, 280, n)]


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize(
    ("head_dim", "n_head", "n_head_kv"), [(64, 9, 3), (128, 2, 2), (256, 4, 1), (24, 3, 1)]
)
def test_head_sizes_and_mixed_types_are_near_the_oracle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, isa: str, head_dim: int, n_head: int, n_head_kv: int
) -> None:
    monkeypatch.setenv("LONGLEAF_ISA", isa)
    path = write_model(
        tmp_path / "m.gguf",
        tiny_model("qwen3", n_layer=1, head_dim=head_dim, n_head=n_head, n_head_kv=n_head_kv),
    )
    tokens = some_tokens(150)
    expected = Oracle(path, np.float64).logits(tokens)
    pairs = [("f16", "f16"), ("q8", "bf16"), *((k, k) for k in ERRORS if k != "f16"), ("f32", "q8")]
    for keys, values in pairs:
        model = open_model(path, kv_type_k=keys, kv_type_v=values)
        error = np.sqrt(np.mean((all_logits(model, tokens) - expected) ** 2)) / expected.std()
        attention = ERRORS["bf16"] if isa in ROUNDING else 0
        assert error < max(ERRORS[keys], ERRORS[values], attention), (keys, values)
        if keys in LOSSY:  # and it is that type indeed
            assert error > ERRORS[keys] / 100, (keys, values)


@pytest.mark.parametrize(("keys", "values"), [("f16", "f16"), ("bf16", "q8"), ("q4", "q4"), ("f32", "f16")])
def test_a_prefix_read_by_many_at_once_changes_no_bit(tmp_path: Path, keys: str, values: str) -> None:
    """Forks of a document in one batch go through its pages together, beside others that do not."""
    path = write_model(tmp_path / "m.gguf", tiny_model("gemma3", "Q8_0", n_ctx=8192, sliding_window=300))
    options = {"kv_type_k": keys, "kv_type_v": values}
    model = open_model(path, **options)
    document, other = some_tokens(1300, 1), some_tokens(600, 2)
    tails = [some_tokens(n, n) for n in (1, 3, 70, 2)]
    alone = {n: all_logits(open_model(path, threads=1, **options), document + t)[len(document) :] for n, t in
             enumerate(tails)}  # fmt: skip
    other_alone = all_logits(model, other)
    base, beside = model.new_sequence(), model.new_sequence()
    model.forward([(base, document, 0), (beside, other[:-1], 0)])
    forks = [model.fork(base) for _ in tails]
    # First all at once, then one token each.
    batch: list[tuple[int, list[int], int]] = [(f, t[:-1], 0) for f, t in zip(forks, tails, strict=True)]
    model.forward(batch)
    last = model.forward(
        [*((f, t[-1:], 1) for f, t in zip(forks, tails, strict=True)), (beside, other[-1:], 1)]
    )
    for n, row in enumerate(last[:-1]):
        np.testing.assert_array_equal(row, alone[n][-1])
    np.testing.assert_array_equal(last[-1], other_alone[-1])


@pytest.mark.parametrize("tensor", ["attn_k", "attn_v", "attn_q"])
@pytest.mark.parametrize("kv_type", sorted(ERRORS))
def test_what_is_no_number_becomes_no_answer(tmp_path: Path, kv_type: str, tensor: str) -> None:
    path = write_model(tmp_path / "m.gguf", tiny_model("llama", n_layer=1))
    row = read_gguf(path).tensors[f"blk.0.{tensor}.weight"].values()[0].tobytes()
    data = path.read_bytes()
    assert data.count(row) == 1
    path.write_bytes(data.replace(row, np.full(len(row) // 4, np.nan, np.float32).tobytes()))
    model = open_model(path, kv_type_k=kv_type, kv_type_v=kv_type)
    with pytest.raises(_native.NativeError, match="no finite number"):
        model.forward([(model.new_sequence(), some_tokens(70), 1)])


def test_q8_takes_half_of_bf16_and_q4_a_quarter(tmp_path: Path) -> None:
    for head_dim in (64, 256):
        path = write_model(tmp_path / "m.gguf", tiny_model("qwen3", n_layer=1, head_dim=head_dim))
        stats = {t: open_model(path, kv_type_k=t, kv_type_v=t).kv_stats() for t in ERRORS}
        plain = 2 * 64 * 2 * head_dim * 2  # keys and values, tokens, KV heads, dimensions, two bytes
        assert stats["bf16"]["page_bytes"] <= 1.02 * plain
        assert stats["f16"]["page_bytes"] == stats["bf16"]["page_bytes"]
        assert stats["q8"]["page_bytes"] <= 0.53 * plain
        assert stats["q4"]["page_bytes"] <= 0.28 * plain
        assert stats["f32"]["page_bytes"] == 2 * plain


def test_every_pair_of_types_is_exported_and_imported(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m.gguf", tiny_model("gemma3", "Q8_0"))
    tokens = some_tokens(200)
    for keys, values in itertools.product(ERRORS, ERRORS):
        model = open_model(path, kv_type_k=keys, kv_type_v=values)
        sequence = model.new_sequence()
        model.forward([(sequence, tokens[:150], 0)])
        imported = model.import_sequence(150, model.export_pages(sequence))
        rows = model.forward([(sequence, tokens[150:], 50), (imported, tokens[150:], 50)])
        np.testing.assert_array_equal(rows[:50], rows[50:])
