"""A clause as an answer: the piece that answers with what belongs to it, no longer than a reader wants."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from longleaf.app.answers.passages import Piece

WORDS = 110  # of an answer; a list may be longer
_LIST_WORDS = 200
_OPENS_LIST = re.compile(r"(?::|\bfollowing[.;:]?|\bas follows[.;:]?)\s*$", re.IGNORECASE)
_ITEM = re.compile(r"\s*(?:\(?[a-z]{1,3}[.)]|\(?[ivx]{1,5}[.)]|\(?\d{1,2}\)|[·•o-])\s", re.IGNORECASE)
_GOES_BACK = re.compile(
    r"\W*(?:such|this|these|those|the foregoing|however|provided|notwithstanding|in (?:this|that|such)|"
    r"in addition|"
    r"otherwise|if so|they|he|she|it|thereafter|accordingly|therefore|said)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Window:
    """Pieces `start:end` of a document's, which are one text."""

    start: int
    end: int


def window(pieces: Sequence[Piece], best: int, scores: Sequence[float]) -> Window:
    """What to quote around the piece `best`; `scores` tell which of its neighbours matter more."""
    if pieces[best].is_row:
        return Window(best, best + 1)
    first, last = best, best + 1
    while first > 0 and _together(pieces, first - 1):
        first -= 1
    while last < len(pieces) and _together(pieces, last - 1):
        last += 1
    start, end = best, best + 1
    words = _words(pieces[best])
    if _OPENS_LIST.search(pieces[best].text):
        while end < last and words + _words(pieces[end]) <= _LIST_WORDS:
            words += _words(pieces[end])
            end += 1
        return Window(start, end)
    if _ITEM.match(pieces[best].text):  # the words that open the list go with it
        lead = next((i for i in range(best - 1, first - 1, -1) if _OPENS_LIST.search(pieces[i].text)), None)
        if lead is not None and sum(_words(p) for p in pieces[lead:best]) + words <= _LIST_WORDS:
            words += sum(_words(p) for p in pieces[lead:best])
            start = lead
    if start > first and _GOES_BACK.match(pieces[start].text) and words < WORDS:
        start -= 1
        words += _words(pieces[start])
    while True:
        sides = [i for i in (start - 1, end) if first <= i < last and words + _words(pieces[i]) <= WORDS]
        if not sides:
            return Window(start, end)
        side = max(sides, key=lambda i: (scores[i], i))
        start, end = min(start, side), max(end, side + 1)
        words += _words(pieces[side])


def _together(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the piece and the next one stand in one clause as running text."""
    a, b = pieces[at], pieces[at + 1]
    return a.clause == b.clause and not a.is_row and not b.is_row


def _words(piece: Piece) -> int:
    return len(piece.text.split())
