"""BM25 over the postings of single documents, so that every statistic is of the searched documents alone.

FTS5's own bm25() weighs terms over all rows of its table, so what else the Library holds would change the
ranking within a document. The formula is BM25F (Robertson and Zaragoza 2009,
https://doi.org/10.1561/1500000019).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from longleaf.app.library.word_index import WordIndex

K1 = 2.0
B = 0.75


def bm25(indexes: Sequence[WordIndex], weights: Mapping[str, float]) -> NDArray[np.float64]:
    """The score of each chunk of all documents, in order. `weights` are those of the terms looked for."""
    lengths = np.concatenate([index.lengths for index in indexes]).astype(np.float64)
    offsets = list(accumulate((len(index.lengths) for index in indexes), initial=0))
    scores = np.zeros(len(lengths))
    norm = K1 * (1 - B + B * lengths / max(float(lengths.mean()), 1.0))
    for term, weight in weights.items():
        places, frequency = _joined(indexes, offsets, term)
        idf = np.log(1 + (len(scores) - len(places) + 0.5) / (len(places) + 0.5))
        scores[places] += weight * idf * frequency / (frequency + norm[places])
    return scores


def _joined(
    indexes: Iterable[WordIndex], offsets: Sequence[int], term: str
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    places, frequencies = [np.empty(0, np.int64)], [np.empty(0)]
    for index, offset in zip(indexes, offsets, strict=False):
        if term in index.terms:
            found, frequency = index.postings(term)
            places.append(found.astype(np.int64) + offset)
            frequencies.append(frequency)
    return np.concatenate(places), np.concatenate(frequencies)
