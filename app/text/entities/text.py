"""Small things the finders share."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Letters and digits only, lower case, one space between words: how names are compared."""
    return " ".join(
        re.findall(r"[^\W_]+", text.lower().replace("&", " and ").replace("’", "'").replace("'", ""))
    )


def words(text: str) -> list[str]:
    """A word list, written as text."""
    return text.split()


def overlaps(start: int, end: int, ranges: list[tuple[int, int]]) -> bool:
    return any(lo < end and start < hi for lo, hi in ranges)
