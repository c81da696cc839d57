"""A page as the worker hands it over: lines in reading order and what else stands on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .layout import LINE_FIELDS, Lines

NO_LINES = Lines(
    "", np.zeros((0, 4), np.float32), np.zeros(1, np.int32), np.zeros((0, LINE_FIELDS), np.float32)
)


@dataclass(slots=True, eq=False)
class RawPage:
    """`width` and `height` in points as shown; `image_share` is the part of the page images cover, 0 to 1.

    `drawn` tells whether anything but text is drawn; `left_out` counts characters beyond a page's
    limit, `notes` annotations whose words the page does not show, `unmapped` characters whose
    font does not say what they mean.
    """

    page_index: int
    width: float
    height: float
    lines: Lines
    image_share: float
    drawn: bool
    left_out: int = 0
    notes: int = 0
    unmapped: int = 0
