"""Bit masks over the vocabulary."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from longleaf.engine.constraint.constraint import allows, masked


@given(st.integers(1, 100).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1)))))
def test_a_mask_says_the_same_token_by_token_and_over_a_row(case: tuple[int, set[int]]) -> None:
    n_vocab, tokens = case
    mask = np.zeros(-(-n_vocab // 32), np.uint32)
    for token in tokens:
        mask[token // 32] |= np.uint32(1 << token % 32)
    expected = [token in tokens for token in range(n_vocab)]
    assert allows(mask, range(n_vocab)).tolist() == expected
    row = masked(np.arange(n_vocab, dtype=np.float32), mask)
    assert np.isfinite(row).tolist() == expected
    assert row[expected].tolist() == sorted(tokens)
