"""Something that people ask about, and how documents put it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Concept:
    """`named` are phrases that give it away, when all words of one are in a question; `said` the words that a
    passage on it is likely to have; `asked` ways to ask for it, to which a question is compared by meaning;
    `reads` how such a passage typically reads, to which passages are compared by meaning.
    `opens` a document: its first lines answer, though a clause may have more of the words.
    """

    named: str
    said: str
    asked: tuple[str, ...]
    reads: tuple[str, ...] = ()
    opens: bool = False

    @property
    def key(self) -> str:
        return self.named.split(";")[0].strip()


def with_ways(concepts: tuple[Concept, ...], ways: Mapping[str, tuple[str, ...]]) -> tuple[Concept, ...]:
    """The concepts with further ways to ask for them, by key. Raises KeyError for a key that none has."""
    for key in ways:
        if not any(concept.key.startswith(key) for concept in concepts):
            raise KeyError(key)
    more = {
        place: ways[key]
        for place, concept in enumerate(concepts)
        for key in ways
        if concept.key.startswith(key)
    }
    return tuple(replace(c, asked=(*c.asked, *more.get(place, ()))) for place, c in enumerate(concepts))
