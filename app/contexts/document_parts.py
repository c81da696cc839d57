"""The parts of a document that are summarised one by one: together they hold every chunk, once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from longleaf.ingest.document import Chunk

MAX_PARTS = 40
MIN_TOKENS = 80
MAX_TOKENS = 6000
_WHOLE_SHARE = 0.5  # a section that holds more of the document than this is its title, not a part


class ChunkRun:
    """What has consecutive chunks, and so the pages that they stand on."""

    __slots__ = ()
    chunks: tuple[Chunk, ...]

    @property
    def page_index_start(self) -> int:
        return min(chunk.page_index_start for chunk in self.chunks)

    @property
    def page_index_end(self) -> int:
        return max(chunk.page_index_end for chunk in self.chunks)


@dataclass(frozen=True, slots=True)
class Part(ChunkRun):
    """Consecutive chunks under one heading. `path` leads to it, its own title last; () before any heading."""

    title: str
    path: tuple[str, ...]
    chunks: tuple[Chunk, ...]

    @property
    def n_tokens(self) -> int:
        return sum(chunk.n_tokens for chunk in self.chunks)


def parts_of(chunks: Sequence[Chunk], max_parts: int = MAX_PARTS) -> list[Part]:
    """Sections, giant ones split along their own headings, then by length, tiny neighbours merged."""
    total = sum(chunk.n_tokens for chunk in chunks)
    limit = max(MAX_TOKENS, 2 * total // max_parts)
    parts = _split(chunks, 0, limit, max(total, 1))
    parts = [piece for part in parts for piece in _cut(part, limit)]
    return _merged(parts, max_parts)


def _split(chunks: Sequence[Chunk], depth: int, limit: int, total: int) -> list[Part]:
    parts: list[Part] = []
    for path, group in groupby(chunks, key=lambda chunk: chunk.section_path[: depth + 1]):
        held = tuple(group)
        tokens = sum(chunk.n_tokens for chunk in held)
        deeper = any(len(chunk.section_path) > depth + 1 for chunk in held)
        if deeper and len(path) == depth + 1 and (tokens > limit or tokens > _WHOLE_SHARE * total):
            parts += _split(held, depth + 1, limit, total)
        else:
            parts.append(Part(path[-1] if path else "", path, held))
    return parts


def _cut(part: Part, limit: int) -> list[Part]:
    """Pieces of a part that is too long, equal in size, at chunk borders."""
    if part.n_tokens <= limit or len(part.chunks) < 2:
        return [part]
    pieces = -(-part.n_tokens // limit)
    target, held, cut = part.n_tokens / pieces, 0, [0]
    for index, chunk in enumerate(part.chunks):
        if held >= target * len(cut) and len(cut) < pieces:
            cut.append(index)
        held += chunk.n_tokens
    cut.append(len(part.chunks))
    return [
        Part(f"{part.title} ({number} of {pieces})".strip(), part.path, part.chunks[start:end])
        for number, (start, end) in enumerate(pairwise(cut), start=1)
    ]


def _merged(parts: Sequence[Part], max_parts: int) -> list[Part]:
    """Neighbours joined, the smallest pair first, while there are too many or one is tiny."""
    merged = list(parts)
    sizes = [part.n_tokens for part in merged]
    while len(merged) > 1:
        pairs = list(range(len(merged) - 1))
        if len(merged) <= max_parts:
            pairs = [i for i in pairs if min(sizes[i], sizes[i + 1]) < MIN_TOKENS]
        if not pairs:
            break
        best = min(pairs, key=lambda i: (not _siblings(merged[i], merged[i + 1]), sizes[i] + sizes[i + 1]))
        merged[best : best + 2] = [_joined(merged[best], merged[best + 1])]
        sizes[best : best + 2] = [sizes[best] + sizes[best + 1]]
    return merged


def _siblings(left: Part, right: Part) -> bool:
    return left.path[:-1] == right.path[:-1] or left.path == right.path[:-1] or right.path == left.path[:-1]


def _joined(left: Part, right: Part) -> Part:
    keeper = left if left.n_tokens >= right.n_tokens else right
    titles = [t for t in (left.title, right.title) if t]
    first, last = (re.split(r" – ", titles[0])[0], re.split(r" – ", titles[-1])[-1]) if titles else ("", "")
    title = first if first == last else f"{first} – {last}"
    return Part(title, keeper.path if left.path != right.path else left.path, (*left.chunks, *right.chunks))
