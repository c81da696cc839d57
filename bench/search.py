"""A retriever over chunks in memory (BM25), so that a measurement needs no Library."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from longleaf.app.facts import Search
from longleaf.ingest import Chunk

# Robertson and Zaragoza 2009, https://doi.org/10.1561/1500000019
_K1, _B = 1.2, 0.75


@dataclass(frozen=True, slots=True)
class Scored:
    chunk: Chunk
    score: float


def _terms(text: str) -> list[str]:
    return [word.rstrip("s") for word in re.findall(r"[a-z0-9]+", text.lower()) if len(word) > 2]


def memory_search(chunks: Sequence[Chunk]) -> Search:
    counts = [Counter(_terms(chunk.text)) for chunk in chunks]
    lengths = [sum(count.values()) for count in counts]
    mean = sum(lengths) / max(len(lengths), 1) or 1.0
    holding = Counter(term for count in counts for term in count)

    def search(query: str, k: int) -> list[Scored]:
        scored = []
        for chunk, count, length in zip(chunks, counts, lengths, strict=True):
            score = 0.0
            for term in set(_terms(query)):
                if count[term]:
                    rarity = math.log(1 + (len(chunks) - holding[term] + 0.5) / (holding[term] + 0.5))
                    score += (
                        rarity * count[term] * (_K1 + 1) / (count[term] + _K1 * (1 - _B + _B * length / mean))
                    )
            if score:
                scored.append(Scored(chunk, score))
        return sorted(scored, key=lambda s: (-s.score, s.chunk.index))[:k]

    return search
