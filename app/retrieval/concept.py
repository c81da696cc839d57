"""Something that people ask about, and how documents put it."""

from __future__ import annotations

from dataclasses import dataclass


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
