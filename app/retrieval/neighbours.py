"""Chunks that were found, each with as much of its surroundings as a passage may hold.

Sections are often much shorter than a chunk may be, and what a clause says goes on under the next number.
"""

from __future__ import annotations

from collections.abc import Sequence

from longleaf.ingest.document import Chunk

PASSAGE_TOKENS = 256  # of a passage; what chunks are cut to


def grow_passages(ranked: Sequence[int], sizes: Sequence[int], borders: Sequence[int], k: int) -> list[range]:
    """The first `k` passages around the ranked positions, best first, none overlapping.

    A passage grows over its neighbours, the better ranked one first, while its `sizes` in tokens stay within
    PASSAGE_TOKENS; a size of 0 says that a chunk stands alone. None crosses one of `borders`, which are the
    positions that documents begin at. Of ranked chunks only those are joined that `k` passages can spare.
    """
    spare = len(ranked) - k
    rank = {position: order for order, position in enumerate(ranked)}
    fixed = set(borders)
    taken: set[int] = set()
    found: list[range] = []
    for position in ranked:
        if len(found) == k:
            break
        if position in taken:
            continue
        start, end, size = position, position + 1, sizes[position]
        while size:
            sides = [start - 1] if start not in fixed else []
            sides += [end] if end not in fixed else []
            fitting = [
                side
                for side in sides
                if side not in taken and sizes[side] and size + sizes[side] <= PASSAGE_TOKENS
                if spare > 0 or side not in rank
            ]
            if not fitting:
                break
            # What follows goes first if both rank alike: a heading's matter stands below it.
            side = min(fitting, key=lambda each: (rank.get(each, len(rank)), -each))
            start, end, size = min(start, side), max(end, side + 1), size + sizes[side]
            spare -= side in rank
        taken.update(range(start, end))
        found.append(range(start, end))
    return found


def join(chunks: Sequence[Chunk], hit: Chunk) -> Chunk:
    """Neighbouring chunks of a document as one, under the headings of the one that was found."""
    return Chunk(
        hit.index,
        "\n".join(chunk.text for chunk in chunks),
        hit.section_path,
        tuple(span for chunk in chunks for span in chunk.spans),
        sum(chunk.n_tokens for chunk in chunks),
        hit.caption,
    )
