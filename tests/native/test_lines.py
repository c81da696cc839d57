"""Lines of a page are written out as a plain loop over their words does it."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longleaf._native import NativeError, write_lines

CODES = np.arange(97, 97 + 20, dtype=np.uint32)
BOXES = np.random.default_rng(7).uniform(0, 600, (20, 4))
BOLD = np.array([1, 1, 0, 1, 0] * 4, np.uint8)
WORDS = (np.array([0, 4, 5, 9, 14], np.int64), np.array([4, 5, 9, 14, 20], np.int64))
RUN = st.tuples(st.integers(0, 4), st.integers(1, 5), st.integers(0, 3)).filter(lambda r: r[0] + r[1] <= 5)
LINES = st.lists(st.tuples(st.lists(RUN, min_size=1, max_size=3), st.booleans()), max_size=5)


@given(LINES)
def test_lines_are_their_words_in_order(lines: list[tuple[list[tuple[int, int, int]], bool]]) -> None:
    runs = [run for listed, _ in lines for run in listed]
    turned = [side for _, side in lines]
    codes, boxes, starts, measures = write_lines(
        CODES, BOXES, BOLD, WORDS, runs, [len(listed) for listed, _ in lines], turned
    )
    text = "".join(map(chr, codes.tolist()))
    assert starts[0] == 0
    assert starts[-1] == len(text) == len(boxes)
    for i, (listed, side) in enumerate(lines):
        shown, ink = "", []
        for first, count, gap in listed:
            for word in range(first, first + count):
                members = range(int(WORDS[0][word]), int(WORDS[1][word]))
                shown += " " * (gap if word == first else 1) + "".join(chr(CODES[k]) for k in members)
                ink += list(members)
        assert text[starts[i] : starts[i + 1]] == shown
        placed = boxes[starts[i] : starts[i + 1]]
        spaces = np.array([c == " " for c in shown])
        assert np.isnan(placed[spaces]).all()
        assert (placed[~spaces] == BOXES[ink].astype(np.float32)).all()
        held = BOXES[ink]
        heights = held[:, 2] - held[:, 0] if side else held[:, 3] - held[:, 1]
        wanted = [*held[:, :2].min(axis=0), *held[:, 2:].max(axis=0)]
        wanted += [statistics.median_high(heights), BOLD[ink].mean()]
        assert measures[i].tolist() == np.array(wanted).astype(np.float32).tolist()


@pytest.mark.parametrize(
    ("words", "runs", "line_runs", "turned"),
    [
        (WORDS, [(4, 2, 0)], [1], [0]),
        (WORDS, [(-1, 1, 0)], [1], [0]),
        (WORDS, [(0, 1, 0)], [2], [0]),
        (WORDS, [(0, 1, 0)], [0], [0]),
        (WORDS, [(0, 1, 0)], [1], []),
        ((WORDS[0], WORDS[1] + 1), [(4, 1, 0)], [1], [0]),
        ((WORDS[0] - 1, WORDS[1]), [(0, 1, 0)], [1], [0]),
        ((WORDS[0][:2], WORDS[1]), [(0, 1, 0)], [1], [0]),
    ],
)
def test_what_does_not_exist_is_refused(
    words: tuple[np.ndarray, np.ndarray],
    runs: list[tuple[int, int, int]],
    line_runs: list[int],
    turned: list[int],
) -> None:
    with pytest.raises(NativeError):
        write_lines(CODES, BOXES, BOLD, words, runs, line_runs, turned)
