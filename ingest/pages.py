"""A page as the worker hands it over: lines in reading order and what else stands on it."""

from __future__ import annotations

from dataclasses import dataclass

from .layout import Lines


@dataclass(slots=True, eq=False)
class RawPage:
    """`width` and `height` in points as shown; `image_share` is the part of the page images cover, 0 to 1."""

    page_index: int
    width: float
    height: float
    lines: Lines
    image_share: float
    drawn: bool  # whether anything but text is drawn
