"""The forward pass: equal to the NumPy oracle, whatever the batch, the chunks and the threads."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from longleaf import _native
from tests.support.gguf_maker import ARCHITECTURES, ROPE_SCALINGS, WEIGHT_TYPES, tiny_model, write_model
from tests.support.kernel_sets import EXACT, ROUNDING, SETS
from tests.support.native_model import all_logits, open_model
from tests.support.oracle import Oracle, expected_logits

Array = NDArray[np.float32]


def some_tokens(n: int, n_vocab: int, seed: int = 0) -> list[int]:
    return [int(token) for token in np.random.default_rng(seed).integers(0, n_vocab, n)]


@pytest.fixture(scope="module")
def gemma(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Has all that a forward pass can have: windows, two rope bases, norms everywhere, a tied head."""
    folder = tmp_path_factory.mktemp("gemma")
    return write_model(folder / "m.gguf", tiny_model("gemma3", "Q8_0", n_ctx=4096, sliding_window=100))


@pytest.mark.parametrize("scaling", ROPE_SCALINGS)
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_logits_equal_the_oracle(tmp_path: Path, architecture: str, scaling: str) -> None:
    path = write_model(tmp_path / "m.gguf", tiny_model(architecture, rope_scaling=scaling))
    model = open_model(path, kv_type_k="f32", kv_type_v="f32")
    assert model.architecture == architecture
    tokens = some_tokens(150, model.n_vocab)
    expected = Oracle(path, np.float64).logits(tokens)
    got = all_logits(model, tokens)
    assert np.abs(got - expected).max() < 2e-4 * np.abs(expected).max()


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("weight_type", WEIGHT_TYPES)
def test_every_weight_type_on_every_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, isa: str, weight_type: str
) -> None:
    monkeypatch.setenv("LONGLEAF_ISA", isa)
    path = write_model(tmp_path / "m.gguf", tiny_model("llama", weight_type, n_layer=1))
    model = open_model(path)
    assert model.isa == isa
    tokens = some_tokens(30, model.n_vocab)
    expected, slack = expected_logits(path, tokens, isa, np.float64)
    # Keys and values in f16, and products of 16-bit integers, are the largest error.
    close = max(3e-3 * np.abs(expected).max(), slack)
    assert np.abs(all_logits(model, tokens) - expected).max() < close


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("kv_type", ["f16", "bf16", "q8", "q4", "f32"])
def test_chunks_threads_and_neighbours_change_no_bit(
    gemma: Path, monkeypatch: pytest.MonkeyPatch, isa: str, kv_type: str
) -> None:
    monkeypatch.setenv("LONGLEAF_ISA", isa)
    model = open_model(gemma, kv_type_k=kv_type, kv_type_v=kv_type)
    n = 300 if isa in ("scalar", "amx-emulated") else 1300
    tokens = some_tokens(n, model.n_vocab)
    whole = all_logits(model, tokens)
    assert np.isfinite(whole).all()
    for chunk in (1, 7, 64, 512):
        sequence = model.new_sequence()
        last = n if chunk > 1 else 120
        parts = [
            model.forward([(sequence, tokens[i : min(i + chunk, last)], min(chunk, last - i))])
            for i in range(0, last, chunk)
        ]
        np.testing.assert_array_equal(np.concatenate(parts), whole[:last])
        model.free(sequence)
    # One token at a time behind a long prefix: attention split over threads by segments.
    sequence = model.new_sequence()
    model.forward([(sequence, tokens[:-3], 0)])
    for i in range(n - 3, n):
        np.testing.assert_array_equal(model.forward([(sequence, tokens[i : i + 1], 1)])[0], whole[i])
    for threads in (1, 3):
        other = open_model(gemma, kv_type_k=kv_type, kv_type_v=kv_type, threads=threads)
        assert other.threads == threads
        np.testing.assert_array_equal(all_logits(other, tokens[:200]), whole[:200])
    # Beside sequences of other lengths, in another order.
    others = [some_tokens(m, model.n_vocab, m) for m in (1, 5, 90)]
    alone = [all_logits(model, t) for t in others]
    handles = [model.new_sequence() for _ in range(4)]
    batch = [(h, t, len(t)) for h, t in zip(handles, [others[0], tokens[:333], *others[1:]], strict=True)]
    together = model.forward(batch)
    rows = np.split(together, np.cumsum([len(t) for _, t, _ in batch])[:-1])
    np.testing.assert_array_equal(rows[1], whole[: len(rows[1])])
    for got, want in zip([rows[0], *rows[2:]], alone, strict=True):
        np.testing.assert_array_equal(got, want)


def test_a_batch_may_hold_more_rows_than_the_context(gemma: Path) -> None:
    model = open_model(gemma, ctx_size=64)
    tokens = some_tokens(60, model.n_vocab)
    whole = all_logits(model, tokens)
    got = model.forward([(model.new_sequence(), tokens, 60) for _ in range(10)])
    for rows in np.split(got, 10):
        np.testing.assert_array_equal(rows, whole)


def test_only_the_wanted_rows_come_back(gemma: Path) -> None:
    model = open_model(gemma)
    tokens = some_tokens(70, model.n_vocab)
    whole = all_logits(model, tokens)
    a, b, c = (model.new_sequence() for _ in range(3))
    got = model.forward([(a, tokens, 2), (b, np.array(tokens[:10], np.int32), 0), (c, tokens[:20], 3)])
    np.testing.assert_array_equal(got, np.concatenate([whole[-2:], whole[17:20]]))
    assert model.forward([(b, [], 0)]).shape == (0, model.n_vocab)
    assert [model.length(s) for s in (a, b, c)] == [70, 10, 20]


def test_scores_are_the_log_softmax_of_the_logits(gemma: Path) -> None:
    model = open_model(gemma)
    tokens = some_tokens(90, model.n_vocab)
    targets = [-1 if i % 3 == 0 else t for i, t in enumerate([*tokens[1:], 0])]
    logits = all_logits(model, tokens).astype(np.float64)
    shifted = logits - logits.max(-1, keepdims=True)
    expected = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    a, b = model.new_sequence(), model.new_sequence()
    got = model.score([(a, tokens, targets), (b, tokens[:5], targets[:5])])
    assert got.shape == (95,)
    for i, target in enumerate(targets):
        assert got[i] == pytest.approx(0 if target < 0 else expected[i, target], abs=1e-5)
    np.testing.assert_array_equal(got[90:], got[:5])


def test_forks_and_truncation_equal_fresh_sequences(gemma: Path) -> None:
    model = open_model(gemma)
    vocab = model.n_vocab
    prefix = some_tokens(100, vocab, 1)  # ends within a page, so that forks must copy it
    tails = [some_tokens(40, vocab, seed) for seed in (2, 3, 4)]
    fresh = [all_logits(model, prefix + tail)[100:] for tail in tails]
    base = model.new_sequence()
    model.forward([(base, prefix, 0)])
    forks = [model.fork(base) for _ in tails]
    got = model.forward([(fork, tail, 40) for fork, tail in zip(forks, tails, strict=True)])
    np.testing.assert_array_equal(got, np.concatenate(fresh))
    # The shared prefix is untouched, also after its owner went on and after it was freed.
    np.testing.assert_array_equal(model.forward([(base, tails[2], 40)]), fresh[2])
    again = model.fork(forks[0])
    model.truncate(again, 100)
    model.free(base)
    model.free(forks[0])
    np.testing.assert_array_equal(model.forward([(again, tails[1], 40)]), fresh[1])
    model.truncate(again, 64)
    model.truncate(again, 30)
    np.testing.assert_array_equal(model.forward([(again, prefix[30:] + tails[0], 40)]), fresh[0])


def test_pages_are_counted_shared_and_given_back(gemma: Path) -> None:
    page = 7 * 2 * 64 * (32 * 2 + 2)  # layers, K and V, tokens, head size in f16 and a scale
    model = open_model(gemma, kv_budget_bytes=4 * page)
    tokens = some_tokens(64, model.n_vocab)
    a = model.new_sequence()
    model.forward([(a, tokens * 3, 0)])
    b = model.fork(a)  # no page
    model.forward([(b, tokens, 0)])
    with pytest.raises(
        _native.KvFullError, match=r"1 more tokens need 7 pages \(57.75 KiB\), 0 of 28 are free"
    ):
        model.forward([(a, tokens[:1], 1)])
    assert model.length(a) == 192
    model.free(b)
    assert model.forward([(a, tokens[:1], 1)]).shape == (1, model.n_vocab)
    c = model.new_sequence()
    with pytest.raises(_native.KvFullError):
        model.forward([(a, tokens[:40], 0), (c, tokens, 0)])
    assert (model.length(a), model.length(c)) == (193, 0)
    model.truncate(a, 0)
    model.forward([(c, tokens * 4, 0)])
    with pytest.raises(_native.NativeError, match="too small"):
        open_model(gemma, kv_budget_bytes=page - 1)
    with pytest.raises(_native.NativeError, match="available"):
        open_model(gemma, kv_budget_bytes=1 << 60)


def test_a_failed_call_changes_no_sequence(gemma: Path) -> None:
    model = open_model(gemma, ctx_size=128)
    vocab = model.n_vocab
    a = model.new_sequence()
    model.forward([(a, some_tokens(100, vocab), 0)])
    for batch, message in (
        ([(a, some_tokens(29, vocab), 0)], "100 tokens; 29 more do not fit into the context of 128"),
        ([(a, [vocab], 1)], "not in the vocabulary"),
        ([(a, [-1], 1)], "not in the vocabulary"),
        ([(a, [1], 2)], "2 rows of logits wanted of 1"),
        ([(a, [1], 1), (a, [1], 1)], "twice"),
        ([(a + 99, [1], 1)], "no sequence"),
        ([(a, [[1, 2]], 1)], "one-dimensional"),
        ([(a, ["x"], 1)], "list of ints"),
    ):
        with pytest.raises(_native.NativeError, match=message):
            model.forward(batch)  # type: ignore[arg-type]
    with pytest.raises(_native.NativeError, match="as many targets"):
        model.score([(a, [1, 2], [1])])
    with pytest.raises(_native.NativeError, match="target"):
        model.score([(a, [1, 2], [1, -2])])
    with pytest.raises(_native.NativeError, match="cannot truncate"):
        model.truncate(a, 101)
    assert model.length(a) == 100
    model.free(a)
    with pytest.raises(_native.NativeError, match="no sequence"):
        model.length(a)


def test_two_python_threads_get_what_each_would_alone(gemma: Path) -> None:
    model = open_model(gemma)
    prompts = [some_tokens(60, model.n_vocab, seed) for seed in range(4)]
    alone = [all_logits(model, prompt) for prompt in prompts]
    results: dict[int, Array] = {}

    def work(index: int) -> None:
        for _ in range(5):
            results[index] = all_logits(model, prompts[index])

    workers = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for i, expected in enumerate(alone):
        np.testing.assert_array_equal(results[i], expected)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threads": -1}, "thread count"),
        ({"threads": 1 << 20}, "thread count"),
        ({"ctx_size": 1 << 20}, "trained for 4096"),
        ({"kv_type_k": "q9"}, "q9.*there are: f16"),
    ],
)
def test_options_out_of_range_are_refused(gemma: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(_native.NativeError, match=message):
        open_model(gemma, **options)


def test_an_unknown_set_is_refused_by_name(gemma: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONGLEAF_ISA", "amx9")
    with pytest.raises(_native.NativeError, match=r"amx9.*scalar"):
        open_model(gemma)


def test_exact_refuses_a_set_that_rounds(gemma: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_model(gemma, exact=True).isa in EXACT
    for isa in ROUNDING:
        assert open_model(gemma, isa=isa).isa == isa
        monkeypatch.setenv("LONGLEAF_ISA", isa)
        assert open_model(gemma).isa == isa
        with pytest.raises(_native.NativeError, match=f"{isa}' rounds products.*had by: {', '.join(EXACT)}"):
            open_model(gemma, exact=True)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"architecture": "mamba"}, 'unknown architecture "mamba"'),
        ({"extra": {"general.type": "adapter"}}, "an adapter .LoRA., not a model"),
        ({"extra": {"general.type": "mmproj"}}, "a projector"),
        ({"extra": {"split.count": 3, "split.no": 1}}, "part 2 of 3 of a split model"),
        ({"extra": {"general.type": "imatrix"}}, "an importance matrix"),
        ({"extra": {"general.type": "vocab"}}, "a vocabulary without weights"),
        ({"n_head_kv": 3}, "head_count_kv is 3, which does not divide"),
        ({"extra": {"llama.attention.value_length": 16}}, "value_length differs"),
        ({"extra": {"llama.rope.scaling.type": "su"}}, 'rope.scaling.type is "su"'),
        ({"extra": {"llama.expert_count": 8}}, "mixtures of experts"),
        ({"norm_eps": float("nan")}, "layer_norm_rms_epsilon"),
        ({"freq_base": 0.0}, "rope.freq_base"),
        ({"n_ctx": 0}, "context_length is 0"),
    ],
)
def test_hyperparameters_that_make_no_sense(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    path = write_model(tmp_path / "m.gguf", tiny_model(**{"architecture": "llama", **changes}))
    with pytest.raises(_native.NativeError, match=message) as raised:
        open_model(path)
    assert str(path) in str(raised.value)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_flipped_bytes_give_an_error_or_numbers_never_a_crash(tmp_path: Path, architecture: str) -> None:
    path = write_model(tmp_path / "m.gguf", tiny_model(architecture, "Q4_0", n_layer=1))
    intact = path.read_bytes()
    rng = np.random.default_rng(ARCHITECTURES.index(architecture))
    refused = 0
    for _ in range(300):
        damaged = bytearray(intact)
        # Mostly in the metadata and the tensor table, which begin the file.
        for _ in range(int(rng.integers(1, 6))):
            damaged[int(rng.integers(0, 8_000 if rng.random() < 0.8 else len(damaged)))] = int(
                rng.integers(0, 256)
            )
        path.write_bytes(damaged)
        try:
            model = open_model(path)
            assert model.forward([(model.new_sequence(), [1, 2, 3], 3)]).shape == (3, model.n_vocab)
        except _native.NativeError as error:
            assert str(error)
            refused += 1
    assert refused > 0


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_best_tokens_are_those_of_the_full_logits(tmp_path: Path, architecture: str) -> None:
    model = open_model(write_model(tmp_path / "m.gguf", tiny_model(architecture, "Q8_0")))
    tokens = some_tokens(20, model.n_vocab)
    whole = all_logits(model, tokens)
    ids, logits = model.forward_top(
        [(model.new_sequence(), tokens, 20), (model.new_sequence(), tokens, 0)], 4
    )
    expected = np.argsort(-whole, axis=1, kind="stable")[:, :4]
    np.testing.assert_array_equal(ids, expected)
    np.testing.assert_array_equal(logits, np.take_along_axis(whole, expected, 1))
    sequences = [model.new_sequence() for _ in range(2)]
    mixed = model.forward_both([(sequences[0], tokens, 7)], [(sequences[1], tokens, 20)], 4)
    for got, wanted in zip(mixed, (whole[-7:], ids, logits), strict=True):
        np.testing.assert_array_equal(got, wanted)
    for k in (0, model.n_vocab + 1):
        with pytest.raises(_native.NativeError, match="best tokens"):
            model.forward_top([(model.new_sequence(), tokens, 1)], k)
