"""A page as the worker hands it over: lines in reading order and what else stands on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from longleaf.ingest.pdf.lines import LINE_FIELDS, Lines

NO_LINES = Lines(
    "", np.zeros((0, 4), np.float32), np.zeros(1, np.int32), np.zeros((0, LINE_FIELDS), np.float32)
)


@dataclass(frozen=True, slots=True)
class Note:
    """An annotation whose words the page does not show: the place it marks (x0 y0 x1 y1), what it says.

    A "deletion" has the words that are struck, which are not among the page's; a "mark" says only what is
    done to the words it marks ("highlighted").
    """

    place: tuple[float, float, float, float]
    text: str
    author: str
    date: str
    kind: Literal["note", "mark", "deletion"] = "note"


@dataclass(frozen=True, slots=True)
class Recognized:
    """A line that was recognized in the page's picture: its box as shown and the confidence, 0 to 1."""

    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float


@dataclass(slots=True, eq=False)
class RawPage:
    """`width` and `height` in points as shown; `image_share` is the part of the page images cover, 0 to 1;
    on a page with text enough it is not measured and 0.

    `drawn` tells whether anything but text is drawn; `left_out` counts characters beyond a page's
    limit, `notes` are annotations whose words the page does not show, `unmapped` counts characters whose
    font does not say what they mean, `outside` those beyond the page's edges and `unseen` those that nobody
    sees, both left out. `recognized` is there only if the text was read off the page's picture.
    """

    page_index: int
    width: float
    height: float
    lines: Lines
    image_share: float
    drawn: bool
    left_out: int = 0
    notes: tuple[Note, ...] = ()
    unmapped: int = 0
    recognized: tuple[Recognized, ...] = ()
    outside: int = 0
    unseen: int = 0
