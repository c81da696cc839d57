"""Text recognized so badly that a difference in it says nothing: it is told as unread, not as a change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from longleaf.app.compare.alignment.align import Alignment
from longleaf.app.compare.alignment.token_stream import Stream
from longleaf.app.compare.changes import Hunk, RawChange
from longleaf.app.text.pages import page_of

_NEAR = 200  # words that a gap has at most
_UNREAD = 0.7  # confidence of a recognized block below which its words are guesses


@dataclass(frozen=True, slots=True)
class Unread:
    """Words `start:end` of a stream (`new`: of the new version's), and how surely they were recognized."""

    new: bool
    start: int
    end: int
    confidence: float


def set_aside(
    old: Stream, new: Stream, alignment: Alignment, changes: Sequence[RawChange]
) -> tuple[list[RawChange], list[Unread]]:
    """The changes without differences in text that nobody could read, and where that text stands."""
    kept: list[RawChange] = []
    unread: list[Unread] = []
    for change in changes:
        if change.old and change.new:
            hunks: list[Hunk] = []
            for hunk in change.hunks:
                found = _unread(old, new, hunk)
                unread += found
                if not found:
                    hunks.append(hunk)
            if len(hunks) < len(change.hunks) and not hunks and change.kind != "moved":
                continue
            change.hunks = hunks
            kept.append(change)
            continue
        whole = _with_gap(alignment, change, len(old), len(new))
        found = _unread(old, new, whole)
        unread += found
        if not found:
            kept.append(change)
    return kept, list(dict.fromkeys(unread))


def _with_gap(alignment: Alignment, change: RawChange, old_length: int, new_length: int) -> Hunk:
    """What only one version has, and what the other has at that place instead."""
    if change.old:
        gap = _gap(alignment.old, *change.old, new_length)
        return Hunk(*change.old, *gap)
    if change.new:
        gap = _gap(alignment.new, *change.new, old_length)
        return Hunk(*gap, *change.new)
    return Hunk(0, 0, 0, 0)


def _gap(places: Sequence[int], start: int, end: int, length: int) -> tuple[int, int]:
    """From the place of the nearest word before to that of the nearest behind that both versions have."""
    before = next((places[i] + 1 for i in range(start - 1, -1, -1) if places[i] >= 0), 0)
    behind = next((places[i] for i in range(end, len(places)) if places[i] >= 0), length)
    return (before, behind) if before < behind <= before + _NEAR else (before, before)


def _unread(old: Stream, new: Stream, hunk: Hunk) -> list[Unread]:
    found = []
    for side, is_new, start, end in (
        (old, False, hunk.old_start, hunk.old_end),
        (new, True, hunk.new_start, hunk.new_end),
    ):
        confidence = min((_confidence(side, i) for i in range(start, end)), default=1.0)
        if confidence < _UNREAD:
            found.append(Unread(is_new, start, end, confidence))
    return found


def _confidence(side: Stream, at: int) -> float:
    page_index, number = side.block[at]
    confidence = page_of(side.document, page_index).blocks[number].confidence
    return 1.0 if confidence is None else confidence
