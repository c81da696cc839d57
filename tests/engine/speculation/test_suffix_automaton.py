"""Where the longest repeated ending of a sequence stood before, against trying all places."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longleaf import _native


def brute_force(tokens: list[int]) -> int:
    n = len(tokens)
    return max(
        (k for end in range(1, n) for k in range(1, end + 1) if tokens[end - k : end] == tokens[n - k :]),
        default=0,
    )


@given(st.lists(st.lists(st.integers(0, 3), max_size=12), max_size=4))
def test_the_repeat_is_the_longest_and_its_place_holds_it(parts: list[list[int]]) -> None:
    automaton, tokens = _native.SuffixAutomaton(), []
    for part in parts:
        automaton.extend(part)
        tokens += part
        length, end = automaton.repeat()
        assert len(automaton) == len(tokens)
        assert length == brute_force(tokens)
        next_tokens = automaton.continuation(4)
        if length == 0:
            assert next_tokens == []
            continue
        assert end < len(tokens) and tokens[end - length : end] == tokens[-length:]
        assert (tokens[end:] + next_tokens)[:4] == next_tokens  # goes round where the sequence ends


def test_the_last_place_of_several_is_taken() -> None:
    automaton = _native.SuffixAutomaton()
    automaton.extend([1, 2, 3, 9, 1, 2, 4, 9, 9, 1, 2])
    assert automaton.repeat() == (3, 6)
    automaton.extend([5, 1, 2])
    assert automaton.repeat() == (2, 11)
    assert automaton.continuation(5) == [5, 1, 2, 5, 1]


def test_memory_grows_in_proportion() -> None:
    automaton = _native.SuffixAutomaton()
    automaton.extend(np.random.default_rng(0).integers(0, 500, 20_000).astype(np.int32))
    assert automaton.bytes < 250 * len(automaton)


def test_a_negative_token_is_refused() -> None:
    automaton = _native.SuffixAutomaton()
    with pytest.raises(_native.NativeError):
        automaton.extend([-1])
    assert len(automaton) == 0
