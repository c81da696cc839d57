"""BM25 over the Library's FTS5 index, with every statistic taken from the searched documents alone.

FTS5's own bm25() weighs terms over all rows of the index, so what else the Library holds would change the
ranking within a document. Here the postings of each query term are read from the index's vocabulary table
(https://www.sqlite.org/fts5.html#the_fts5vocab_virtual_table_module) and weighed by the formula of BM25F
(Robertson and Zaragoza 2009, https://doi.org/10.1561/1500000019). So no question is ever parsed as FTS5
syntax: quotes, operators and hyphens in it are harmless.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database

K1 = 2.0
B = 0.75
HEADING_WEIGHT = 3.0  # one word of a heading counts as this many of the text

_WORD = re.compile(r"[^\W_]+")
_STOP_WORDS = frozenset(
    _WORD.findall("""
    a an and any are as at be been but by can could did do does for from had has have how i if in into is it
    its me my of on or our shall should so such that the their them there these they this those to under up
    us was we were what when where which who whom whose why will with would you your
    """)
)


def query_terms(db: Database, query: str) -> list[str]:
    """The terms of a question as the index knows them, in order; stop words only if there is nothing else."""
    words = _WORD.findall(query.encode("utf-8", "replace").decode())
    telling = [word for word in words if word.lower() not in _STOP_WORDS] or words
    return stem(db, [" ".join(telling)])[0]


def stem(db: Database, texts: Sequence[str]) -> list[list[str]]:
    """The index terms of each text, in order, made by the index's own tokenizer."""
    db.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.question USING"
        " fts5(words, tokenize='porter unicode61 remove_diacritics 2')"
    )
    db.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.question_terms USING fts5vocab('question', 'instance')"
    )
    db.execute("DELETE FROM temp.question")
    db.conn.executemany("INSERT INTO temp.question(rowid, words) VALUES (?, ?)", enumerate(texts))
    terms: list[list[str]] = [[] for _ in texts]
    for doc, term in db.execute("SELECT doc, term FROM temp.question_terms ORDER BY doc, offset"):
        terms[doc].append(term)
    return terms


def word_count(text: str) -> int:
    """The length of a text for BM25. Numbers do not count, else a statement's table would be a long text."""
    return sum(1 for word in _WORD.findall(text) if not word.isdigit())


def bm25(
    db: Database, terms: Mapping[str, float], ids: NDArray[np.int64], lengths: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The score of each chunk. `ids` ascend; `lengths` are the chunks' words; `terms` have weights."""
    scores = np.zeros(len(ids))
    if not len(ids):
        return scores
    norm = K1 * (1 - B + B * lengths / max(lengths.mean(), 1.0))
    for term, weight in terms.items():
        frequency = np.zeros(len(ids))
        for places, in_heading, counts in _postings(db, term, ids):
            frequency[places] += counts * (HEADING_WEIGHT if in_heading else 1.0)
        containing = np.count_nonzero(frequency)
        idf = np.log(1 + (len(ids) - containing + 0.5) / (containing + 0.5))
        scores += weight * idf * frequency / (frequency + norm)
    return scores


def _postings(
    db: Database, term: str, ids: NDArray[np.int64]
) -> Iterable[tuple[NDArray[np.int64], bool, NDArray[np.float64]]]:
    rows = db.execute(
        "SELECT doc, col = 'heading', count(*) FROM terms WHERE term = ? AND doc BETWEEN ? AND ?"
        " GROUP BY doc, col",
        (term, int(ids[0]), int(ids[-1])),
    ).fetchall()
    table = np.array(rows, np.int64).reshape(-1, 3)
    places = np.minimum(np.searchsorted(ids, table[:, 0]), len(ids) - 1)
    wanted = ids[places] == table[:, 0]
    for in_heading in (False, True):
        chosen = wanted & (table[:, 1] == in_heading)
        yield places[chosen], in_heading, table[chosen, 2].astype(np.float64)
