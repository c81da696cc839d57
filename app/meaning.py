"""Which concepts a question is about when it has none of the words that give them away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from longleaf.app.concepts import CONCEPTS
from longleaf.engine.embedder import Embedder

# Cosines; chosen by bench/retrieval.py on questions whose wording the lexicon does not know.
_CLOSE = 0.35
_AS_CLOSE = 0.05
_MOST = 2


@dataclass(frozen=True, slots=True, eq=False)
class Meanings:
    """Unit vectors of the ways to ask for concepts, shape (ways, dim), and which concept each belongs to."""

    vectors: NDArray[np.float32]
    concepts: NDArray[np.int64]

    def nearest(self, question: NDArray[np.float32]) -> Sequence[int]:
        """The places in CONCEPTS of the few that a question's unit vector is closest to, best first."""
        closeness = np.full(len(CONCEPTS), -1.0, np.float32)
        np.maximum.at(closeness, self.concepts, self.vectors @ question)
        best = np.argsort(-closeness, kind="stable")[:_MOST]
        floor = max(_CLOSE, float(closeness[best[0]]) - _AS_CLOSE)
        return [int(place) for place in best if closeness[place] >= floor]


def load_meanings(embedder: Embedder) -> Meanings:
    """Embeds every example; a fraction of a second."""
    ways = [(place, way) for place, concept in enumerate(CONCEPTS) for way in concept.asked]
    vectors = embedder.embed([way for _, way in ways])
    return Meanings(vectors, np.array([place for place, _ in ways]))
