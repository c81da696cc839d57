"""Where a contract says what it is: its title, its preamble ("made between A and B") and its signatures.

A question on the parties or the date is answered there, in words that any other clause may have too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from longleaf.app.library.word_index import WordIndex

_FIRST = 60  # chunks among which a preamble is looked for: covers and tables of contents stand before it
# Index terms, one of each group: "This Agreement is made as of ... by and between ...".
_PREAMBLE = (
    ("agreement", "contract", "amend", "deed", "leas", "licens", "memorandum"),
    ("between", "among", "amongst"),
    ("made", "enter", "date", "execut", "effect", "conclud"),
)
_SIGNATURES = ((("wit",), ("whereof",)), (("by",), ("name",), ("titl",)))  # the first of these that is there


def preamble_places(words: WordIndex) -> list[int]:
    """The positions of the chunks with the preamble, the title and the signatures, if there are any."""
    count = len(words.lengths)
    preamble = _with_all(words, _PREAMBLE, min(_FIRST, count))[:1]
    signatures = next((found[-1:] for terms in _SIGNATURES if (found := _with_all(words, terms, count))), [])
    return list(dict.fromkeys([*preamble, *range(min(count, 1)), *signatures]))


def _with_all(words: WordIndex, groups: Sequence[Sequence[str]], before: int) -> list[int]:
    """The chunks before a position that have a term of each group."""
    has = np.ones(before, bool)
    for group in groups:
        one = np.zeros(before, bool)
        for term in group:
            places = words.postings(term)[0]
            one[places[places < before]] = True
        has &= one
    return [int(place) for place in np.flatnonzero(has)]
