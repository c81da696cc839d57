"""Drafts and their check."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from longleaf.engine.speculation import verified


@given(st.lists(st.integers(0, 2)), st.data())
def test_right_drafts_and_one_more_are_taken(drafted: list[int], data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, 2), min_size=len(drafted) + 1, max_size=len(drafted) + 1))
    asked: list[int] = []

    def choose(row: int) -> int:
        asked.append(row)
        return chosen[row]

    output = list(verified(drafted, choose))
    right = next((i for i, (d, c) in enumerate(zip(drafted, chosen, strict=False)) if d != c), len(drafted))
    assert output == chosen[: right + 1]
    assert asked == list(range(right + 1))
