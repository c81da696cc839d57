"""Where the words of a page stand side by side, so that reading its lines across says nothing."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from longleaf.ingest.document import Page

_GAP = 1.0  # of the height of a line: wider than the spaces of justified text
_ALIGNED = 3.0  # points
_WORD = re.compile(r"[^\W\d_]{3,}")


def crosses_columns(page: Page, start: int, end: int) -> bool:
    """Whether characters `start:end` run over two columns of wrapped words, line by line.

    Two lines then have words, a wide gap, and words that begin at the same place. A list's markers and the
    figures of a table are no words.
    """
    boxes = page.boxes[start:end]
    seen = np.flatnonzero(~np.isnan(boxes[:, 0]))
    inked = np.array([i for i in seen if not page.text[start + i].isspace()], dtype=np.int64)
    if len(inked) < 2:
        return False
    x0, y0, x1, y1 = boxes[inked].T
    height = float(np.median(y1 - y0))
    middle = (y0 + y1) / 2
    breaks = [0, *np.flatnonzero(np.abs(np.diff(middle)) > height / 2) + 1, len(inked)]
    columns: list[float] = []
    for first, last in pairwise(breaks):
        for gap in np.flatnonzero(x0[first + 1 : last] - x1[first : last - 1] > _GAP * height) + first:
            left, right = inked[first], inked[last - 1] + 1
            middle_left, middle_right = inked[gap] + 1, inked[gap + 1]
            if _WORD.search(page.text[start + left : start + middle_left]) and _WORD.search(
                page.text[start + middle_right : start + right]
            ):
                at = float(x0[gap + 1])
                if any(abs(at - other) < _ALIGNED for other in columns):
                    return True
                columns.append(at)
    return False
