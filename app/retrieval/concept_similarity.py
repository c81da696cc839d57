"""How near a question is to each concept by meaning, and how passages on a concept read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from longleaf.app.retrieval.concepts import CONCEPTS
from longleaf.engine.embedding.embedder import Embedder


@dataclass(frozen=True, slots=True, eq=False)
class ConceptVectors:
    """Unit vectors of the ways to ask for concepts, shape (ways, dim), and which concept each belongs to;
    and those of how passages on a concept read, shape (passages, dim), by its place in CONCEPTS."""

    vectors: NDArray[np.float32]
    concepts: NDArray[np.int64]
    reads: Mapping[int, NDArray[np.float32]]

    def closeness(self, question: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosine of a question's unit vector to the nearest way to ask for each of CONCEPTS."""
        closeness = np.full(len(CONCEPTS), -1.0, np.float32)
        np.maximum.at(closeness, self.concepts, self.vectors @ question)
        return closeness


def load_concept_vectors(embedder: Embedder) -> ConceptVectors:
    """Embeds every example; a fraction of a second."""
    ways = [(place, way) for place, concept in enumerate(CONCEPTS) for way in concept.asked]
    reads = [(place, text) for place, concept in enumerate(CONCEPTS) for text in concept.reads]
    vectors = embedder.embed([text for _, text in ways + reads])
    of_reads: dict[int, list[int]] = {}
    for row, (place, _) in enumerate(reads, len(ways)):
        of_reads.setdefault(place, []).append(row)
    return ConceptVectors(
        vectors[: len(ways)],
        np.array([place for place, _ in ways]),
        {place: vectors[rows] for place, rows in of_reads.items()},
    )
