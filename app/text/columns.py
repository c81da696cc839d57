"""Where the words of a page stand side by side, so that reading its lines across says nothing."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from longleaf.ingest.document import Page

_GAP = 1.0  # of the height of a line: wider than the spaces of justified text
_RAGGED = 3.0  # of the height: the gap after a short line of wrapped words, wider than any of justified text
_ALIGNED = 3.0  # points
_WORD = re.compile(r"[^\W\d_]{3,}")


def crosses_columns(page: Page, start: int, end: int) -> bool:
    """Whether characters `start:end` run over two columns of wrapped words, line by line.

    Two lines then have words, one wide gap, and words that begin at the same place, and no line has ink just
    before that place. So a list's markers, a table's figures and the gaps of justified text are no columns.
    """
    boxes = page.boxes[start:end]
    seen = np.flatnonzero(~np.isnan(boxes[:, 0]))
    inked = np.array([i for i in seen if not page.text[start + i].isspace()], dtype=np.int64)
    if len(inked) < 2:
        return False
    x0, y0, x1, y1 = boxes[inked].T
    height = float(np.median(y1 - y0))
    breaks = [0, *np.flatnonzero(np.abs(np.diff((y0 + y1) / 2)) > height / 2) + 1, len(inked)]
    columns: list[tuple[float, float]] = []  # where the right words begin, and how wide the gap before is
    for first, last in pairwise(breaks):
        gaps = np.flatnonzero(x0[first + 1 : last] - x1[first : last - 1] > _GAP * height) + first
        if len(gaps) != 1:
            continue
        left = page.text[start + inked[first] : start + inked[gaps[0]] + 1]
        right = page.text[start + inked[gaps[0] + 1] : start + inked[last - 1] + 1]
        if _WORD.search(left) and _WORD.search(right):
            columns.append((float(x0[gaps[0] + 1]), float(x0[gaps[0] + 1] - x1[gaps[0]])))
    for at, _ in columns:
        widths = [width for other, width in columns if abs(at - other) < _ALIGNED]
        in_gap = (x1 > at - _ALIGNED) & (x0 < at - _ALIGNED / 2)
        if len(widths) > 1 and max(widths) > _RAGGED * height and not in_gap.any():
            return True
    return False
