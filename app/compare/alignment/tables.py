"""Tables: where the words of a cell wrap is no difference.

A table is read line by line as it is seen, so a cell of several lines is spread over as many of them, and in
another setting its words come in another order. Words that only moved a few places within a table are the
same words; what is left differs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from longleaf.app.compare.alignment.align import Alignment
from longleaf.app.compare.alignment.token_stream import Stream
from longleaf.app.compare.changes import Hunk, RawChange

_NEAR = 40  # words within which a table's word may stand elsewhere
_BESIDE = 12  # words of a piece that stands beside a table, and may be of it

Occurrence = tuple[int, int]  # a place in the new version, and the word's own number


def settle_tables(
    old: Stream, new: Stream, alignment: Alignment, changes: Sequence[RawChange]
) -> list[RawChange]:
    """The changes without those of tables that only set the same words in another way."""
    tabular = [change for change in changes if _is_tabular(old, new, alignment, change)]
    if not tabular:
        return list(changes)
    near = _nearest_new(alignment, len(old))
    gone: dict[str, list[Occurrence]] = defaultdict(list)
    come: dict[str, list[Occurrence]] = defaultdict(list)
    for change in tabular:
        olds, news = _differing(change)
        for i in olds:
            gone[old.words[i].key.casefold()].append((near[i], i))
        for j in news:
            come[new.words[j].key.casefold()].append((j, j))
    real_old: set[int] = set()
    real_new: set[int] = set()
    for key in gone.keys() | come.keys():
        left_old, left_new = _unpaired(sorted(gone[key]), sorted(come[key]))
        real_old |= left_old
        real_new |= left_new
    places_old = {i: (old.words[i].key.casefold(), near[i]) for i in real_old}
    places_new = {j: (new.words[j].key.casefold(), j) for j in real_new}
    _pair_broken(places_old, places_new)
    _pair_broken(places_new, places_old)
    real_old, real_new = set(places_old), set(places_new)
    kept = []
    for change in changes:
        if not any(change is other for other in tabular):
            kept.append(change)
            continue
        olds, news = _differing(change)
        if not (real_old & set(olds) or real_new & set(news)):
            continue
        if change.old and change.new and change.kind != "moved":
            change.hunks = [
                h
                for h in change.hunks
                if real_old & set(range(h.old_start, h.old_end))
                or real_new & set(range(h.new_start, h.new_end))
            ]
        kept.append(change)
    return kept


def _pair_broken(whole: dict[int, tuple[str, int]], broken: dict[int, tuple[str, int]]) -> None:
    """Takes out words that the other version has in pieces: a narrow cell breaks them without a hyphen."""
    for number, (word, place) in sorted(whole.items()):
        if not word[:1].isalpha() or len(word) < 5:
            continue
        near = [(n, key) for n, (key, at) in sorted(broken.items()) if abs(at - place) <= _NEAR]
        used: list[int] = []
        rest = word
        while rest:
            piece = next(((n, key) for n, key in near if n not in used and rest.startswith(key)), None)
            if piece is None:
                break
            used.append(piece[0])
            rest = rest[len(piece[1]) :].lstrip("-")
        if not rest and len(used) > 1:
            del whole[number]
            for n in used:
                del broken[n]


def _holds(hunk: Hunk, olds: set[int], news: set[int]) -> bool:
    return any(i in olds for i in range(hunk.old_start, hunk.old_end)) or any(
        j in news for j in range(hunk.new_start, hunk.new_end)
    )


def _is_tabular(old: Stream, new: Stream, alignment: Alignment, change: RawChange) -> bool:
    """Whether a change is of a table, or a short piece beside one in either version."""
    sides = ((old, new, change.old, alignment.old), (new, old, change.new, alignment.new))
    for side, other, part, places in sides:
        if part is None:
            continue
        if any(table >= 0 for table in side.table[slice(*part)]):
            return True
        if part[1] - part[0] > _BESIDE:
            continue
        there = next((places[i] for i in range(part[0] - 1, -1, -1) if places[i] >= 0), 0)
        beside = side.table[max(part[0] - _NEAR, 0) : part[1] + _NEAR]
        beside += other.table[max(there - 1, 0) : there + 2]
        if any(table >= 0 for table in beside):
            return True
    return False


def _differing(change: RawChange) -> tuple[list[int], list[int]]:
    """The words that a change takes away and brings."""
    if change.old and change.new and change.kind != "moved":
        return (
            [i for h in change.hunks for i in range(h.old_start, h.old_end)],
            [j for h in change.hunks for j in range(h.new_start, h.new_end)],
        )
    return list(range(*change.old)) if change.old else [], list(range(*change.new)) if change.new else []


def _nearest_new(alignment: Alignment, length: int) -> list[int]:
    """For each old word where it would stand in the new version."""
    places = []
    last = 0
    for i in range(length):
        if alignment.old[i] >= 0 and not alignment.moved[i]:
            last = alignment.old[i]
        places.append(last)
    return places


def _unpaired(gone: Sequence[Occurrence], come: Sequence[Occurrence]) -> tuple[set[int], set[int]]:
    """Occurrences of one word that have none near them on the other side."""
    left_old: set[int] = set()
    left_new: set[int] = set()
    i = j = 0
    while i < len(gone) and j < len(come):
        apart = gone[i][0] - come[j][0]
        if abs(apart) <= _NEAR:
            i, j = i + 1, j + 1
        elif apart < 0:
            left_old.add(gone[i][1])
            i += 1
        else:
            left_new.add(come[j][1])
            j += 1
    left_old.update(number for _, number in gone[i:])
    left_new.update(number for _, number in come[j:])
    return left_old, left_new
