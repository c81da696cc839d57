"""The screened output head finds exactly what the full one would, whatever weights and activations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from longleaf import _native
from tests.support.gguf_maker import pack
from tests.support.kernel_sets import SETS
from tests.support.real_models import real_model

Array = NDArray[np.float32]


def best_of(logits: Array, k: int) -> NDArray[np.int64]:
    """Descending, ties by the lower id."""
    return np.argsort(-logits, axis=1, kind="stable")[:, :k]


def check(
    weights: Array,
    x: Array,
    k: int,
    isa: str,
    *,
    kind: str = "F32",
    softcap: float = 0.0,
    together: int = 1,
    threads: int = 1,
) -> list[int]:
    """Compares both ways; the blocks that screening left to read."""
    blocks, _ = pack(weights, kind)
    ids, best, logits, read = _native.head_test(
        kind, blocks.tobytes(), len(weights), x, k, isa, softcap, together, threads
    )
    expected = best_of(logits, k)
    np.testing.assert_array_equal(ids, expected)
    np.testing.assert_array_equal(best, np.take_along_axis(logits, expected, 1))
    return read


def likely(rows: int, columns: int, seed: int) -> tuple[Array, Array]:
    """Weights and activations as models have them: few columns matter most, some rows stand out."""
    rng = np.random.default_rng(seed)
    share = np.exp(rng.normal(0, 1.2, columns))
    weights = (rng.normal(0, 0.05, (rows, columns)) / np.sqrt(share)).astype(np.float32)
    x = (rng.normal(0, 1, (5, columns)) * share).astype(np.float32)
    for i, row in enumerate(rng.choice(rows, len(x), replace=False)):
        weights[row] += 0.01 * x[i] / np.linalg.norm(x[i]) * np.linalg.norm(weights[row]) * 40
    return weights, x


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("kind", ["F32", "F16", "BF16", "Q8_0", "Q6_K"])
def test_it_reads_few_blocks_where_one_row_stands_out(isa: str, kind: str) -> None:
    weights, x = likely(4100, 512, 1)
    assert max(check(weights, x, 1, isa, kind=kind)) <= 8
    assert max(check(weights, x, 7, isa, kind=kind)) <= 65
    check(weights, x, 3, isa, kind=kind, together=4)


@pytest.mark.parametrize("isa", SETS)
def test_many_rows_together_read_what_fewer_do(isa: str) -> None:
    weights, _ = likely(4100, 96, 4)
    rng = np.random.default_rng(11)
    x = rng.normal(0, 1, (33, 96)).astype(np.float32)
    x[::3] = weights[rng.choice(4100, 11, replace=False)] * np.float32(9)
    x[7] = 0
    read = {n: sum(check(weights, x, 3, isa, kind="Q8_0", together=n, threads=n % 2 + 1)) for n in (5, 8, 33)}
    assert len(set(read.values())) == 1
    assert read[33] < 33 * 65 / 4


@st.composite
def hostile(draw: st.DrawFn) -> tuple[Array, Array]:
    rows, columns = draw(st.integers(1, 330)), 32 * draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    scale = 2.0 ** draw(st.integers(-60, 20))
    weights = (rng.normal(0, scale, (rows, columns))).astype(np.float32)
    x = rng.normal(0, 2.0 ** draw(st.integers(-60, 20)), (3, columns)).astype(np.float32)
    spread = draw(st.sampled_from([0.0, 1.0, 4.0]))
    x *= np.exp(rng.normal(0, spread, columns)).astype(np.float32)
    for change in draw(
        st.lists(st.sampled_from(["duplicate", "near", "zero", "huge", "tiny", "spike", "negative", "same"]))
    ):
        a, b = rng.integers(0, rows, 2)
        if change == "duplicate":
            weights[a] = weights[b]
        elif change == "near":
            weights[a] = np.nextafter(weights[b], rng.choice([-1, 1]) * np.inf)
        elif change == "zero":
            weights[a], x[0, rng.integers(0, columns)] = 0, 0
        elif change == "huge":
            weights[a] *= 2.0**20
        elif change == "tiny":
            weights[a] *= np.float32(2.0**-70)
        elif change == "spike":
            weights[a, rng.integers(0, columns)] *= 1000
        elif change == "negative":  # every logit of the first row is negative
            weights -= np.abs(x[0]) * np.sign(x[0]) * np.abs(weights).max()
        else:
            weights[:] = weights[a]
    if draw(st.booleans()):
        x[1] = 0
    # Sums that overflow are an error in both ways, and another test.
    assume(float(np.abs(weights).max()) * float(np.abs(x).max()) * columns < 1e37)
    return weights, x


@pytest.mark.parametrize("isa", SETS)
@settings(max_examples=120, deadline=None)
@given(case=hostile(), softcap=st.sampled_from([0.0, 30.0, 1e-3]), data=st.data())
def test_no_weights_and_activations_deceive_it(
    isa: str, case: tuple[Array, Array], softcap: float, data: st.DataObject
) -> None:
    weights, x = case
    k = data.draw(st.integers(1, min(len(weights), 9)))
    together = data.draw(st.integers(1, 3))
    check(weights, x, k, isa, softcap=softcap, together=together)


@pytest.mark.parametrize("isa", SETS)
def test_a_softcap_that_makes_logits_equal_lets_the_lower_id_win(isa: str) -> None:
    rng = np.random.default_rng(5)
    weights = rng.normal(0, 1, (5000, 64)).astype(np.float32)
    x = weights[[100, 4000]] * np.float32(5)
    weights[40] = weights[100] * np.float32(0.8)
    blocks, _ = pack(weights, "F32")
    ids, best, _, read = _native.head_test("F32", blocks.tobytes(), 5000, x, 1, isa, 20.0)
    assert best[0, 0] == np.float32(20.0)  # saturated, as row 40 is
    assert ids[0, 0] <= 40
    assert max(read) < 79
    check(weights, x, 3, isa, softcap=20.0)


@pytest.mark.parametrize("isa", SETS)
def test_rows_of_padding_set_no_threshold(isa: str) -> None:
    """All logits are capped to one number: nothing can be left out, but there are 226 rows, not 256."""
    rng = np.random.default_rng(6)
    x = rng.normal(0, 1, (2, 160)).astype(np.float32)
    weights = (-np.sign(x[0]) * rng.uniform(1e11, 1e12, (226, 160))).astype(np.float32)
    weights[169] = -x[0] * 10
    read = check(weights, x[:1], 1, isa, softcap=30.0)
    assert read == [4]


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e30])
def test_weights_it_cannot_vouch_for_are_left_to_the_full_head(value: float) -> None:
    weights, x = likely(4100, 64, 2)
    weights[7, 3] = value
    if np.isfinite(value):
        assert set(check(weights, x, 2, SETS[0])) == {-1}
        return
    blocks, _ = pack(weights, "F32")
    with pytest.raises(_native.NativeError, match="no finite number"):
        _native.head_test("F32", blocks.tobytes(), len(weights), x, 2, SETS[0])


def test_activations_too_large_are_left_to_the_full_head() -> None:
    weights, x = likely(4100, 64, 3)
    x[2] *= np.float32(2.0**60)
    read = check(weights, x, 1, SETS[0])
    assert read[2] == 65
    assert max(read[:2]) < 65


def test_rows_without_a_winner_are_read_in_full_for_a_while() -> None:
    rng = np.random.default_rng(9)
    weights = rng.normal(0, 1, (4096, 64)).astype(np.float32)
    x = rng.normal(0, 1, (80, 64)).astype(np.float32)
    weights[:] = weights[0]
    read = check(weights, x, 1, SETS[0])
    assert read == [64] * 80


@pytest.mark.parametrize("name", ["gemma-3-270m", "smollm2-135m-instruct"])
def test_real_models_go_on_as_with_the_full_head(name: str) -> None:
    gguf = _native.Gguf(real_model(name).path)
    model = _native.Model(gguf, ctx_size=512)
    ids = _native.Tokenizer(gguf).encode(
        "This Agreement shall be governed by the laws of the State of Delaware."
    )
    full, screened = model.new_sequence(), model.new_sequence()
    for sequence in (full, screened):
        model.forward([(sequence, ids[:-1], 0)])
    assert model.screening_bytes > 0
    token = ids[-1]
    for _ in range(24):  # the copy is made after 8
        logits = model.forward([(full, [token], 1)])
        best, values = model.forward_top([(screened, [token], 1)], 3)
        np.testing.assert_array_equal(best, best_of(logits, 3))
        np.testing.assert_array_equal(values[0], logits[0, best[0]])
        token = int(best[0, 0])
