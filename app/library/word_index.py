"""The postings of a document: which words stand in which chunks, and how often in each field.

FTS5's vocabulary table is read at about 3 ms a term over 10,000 chunks. So the postings of each document, of
terms made by FTS5's tokenizer, are one row of the Library, kept in memory once read.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from longleaf.app.text.index_terms import split, stems, word_count
from longleaf.ingest.document import Chunk

# What one word of a chunk's headings, caption and text counts.
FIELD_WEIGHTS = np.array([3.0, 1.0, 1.0])
_MOST = 255  # times a term is counted in one field


@dataclass(frozen=True, slots=True, eq=False)
class WordIndex:
    """The postings of a document: those of term t are `starts[t]` to `starts[t + 1]`, in order of chunk.

    `places` are positions of chunks, shape (postings,); `counts` how often the term is in the headings, the
    caption and the text, shape (postings, 3); `lengths` the words of each chunk.
    """

    terms: dict[str, int]
    starts: NDArray[np.uint32]
    places: NDArray[np.uint32]
    counts: NDArray[np.uint8]
    lengths: NDArray[np.uint32]

    def postings(self, term: str) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
        """The chunks with a term, and how often it is there, by the weights of the fields."""
        number = self.terms.get(term)
        if number is None:
            return self.places[:0], np.empty(0)
        start, end = self.starts[number], self.starts[number + 1]
        return self.places[start:end], self.counts[start:end] @ FIELD_WEIGHTS


def index_words(db: sqlite3.Connection, chunks: Sequence[Chunk]) -> WordIndex:
    """The postings of chunks in order; `db` lends FTS5's tokenizer, nothing is stored in it."""
    fields = [
        [Counter(split(text)) for text in (" ".join(chunk.section_path), chunk.caption, chunk.text)]
        for chunk in chunks
    ]
    stemmed = stems(db, (word for counters in fields for counter in counters for word in counter))
    found: dict[str, dict[int, list[int]]] = {}
    for place, counters in enumerate(fields):
        for field, counter in enumerate(counters):
            for word, times in counter.items():
                for term in stemmed[word]:
                    found.setdefault(term, {}).setdefault(place, [0, 0, 0])[field] += times
    ordered = sorted(found.items())
    starts = [0, *accumulate(len(postings) for _, postings in ordered)]
    counts = np.array([c for _, postings in ordered for c in postings.values()], np.int64).reshape(-1, 3)
    return WordIndex(
        {term: number for number, (term, _) in enumerate(ordered)},
        np.array(starts, np.uint32),
        np.array([place for _, postings in ordered for place in postings], np.uint32),
        np.minimum(counts, _MOST).astype(np.uint8),
        np.array([word_count(chunk.text) for chunk in chunks], np.uint32),
    )
