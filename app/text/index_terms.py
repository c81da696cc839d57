"""Text to index terms: words as SQLite's FTS5 folds them, pairs of characters where a script has no spaces.

FTS5's own tokenizer folds case and accents and takes English endings off (`porter unicode61`), so that "ÉTÉ"
is found by "ete" and "assigned" by "assignment". It takes a whole run of Chinese, Japanese or Korean for one
word; such runs are cut into overlapping pairs here, which find any word of two or more characters.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Sequence

# Han, kana and hangul: https://www.unicode.org/Public/UCD/latest/ucd/Blocks.txt
_CJK = (
    "\u1100-\u11ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_PIECE = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_DOTTED = re.compile(r"\b(?:[^\W\d_]\.){2,}")  # "U.S." is "US"
_IS_CJK = re.compile(f"[{_CJK}]")
_ASCII_WORD = re.compile(r"[^\W_]+", re.ASCII)
_STOP_WORDS = frozenset(
    _ASCII_WORD.findall("""
    a an and any are as at be been but by can could did do does for from had has have how i if in into is it
    its me my of on or our shall should so such that the their them there these they this those to under up
    us was we were what when where which who whom whose why will with would you your
    """)
)


def split(text: str) -> list[str]:
    """The words of a text in order, as they are written (compatibility forms made one, by NFKC)."""
    if "." in text:
        text = _DOTTED.sub(lambda match: match.group().replace(".", "") + " ", text)
    if text.isascii():
        return _ASCII_WORD.findall(text)
    words: list[str] = []
    for piece in _PIECE.findall(unicodedata.normalize("NFKC", text)):
        if len(piece) > 1 and _IS_CJK.match(piece):
            words += [piece[i : i + 2] for i in range(len(piece) - 1)]
        else:
            words.append(piece)
    return words


def stems(db: sqlite3.Connection, words: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The index terms of each word; none for a word of marks that FTS5 does not index."""
    known = list(dict.fromkeys(words))
    db.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING"
        " fts5(word, tokenize='porter unicode61 remove_diacritics 2')"
    )
    db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_terms USING fts5vocab('words', 'instance')")
    db.execute("DELETE FROM temp.words")
    rows = ((i, word.encode("utf-8", "replace").decode()) for i, word in enumerate(known))
    db.executemany("INSERT INTO temp.words(rowid, word) VALUES (?, ?)", rows)
    found: list[list[str]] = [[] for _ in known]
    for place, term in db.execute("SELECT doc, term FROM temp.word_terms ORDER BY doc, offset"):
        found[place].append(term)
    return {word: tuple(terms) for word, terms in zip(known, found, strict=True)}


def terms(db: sqlite3.Connection, texts: Sequence[str]) -> list[list[str]]:
    """The index terms of each text, in order."""
    cut = [split(text) for text in texts]
    stemmed = stems(db, (word for words in cut for word in words))
    return [[term for word in words for term in stemmed[word]] for words in cut]


def query_terms(db: sqlite3.Connection, query: str) -> list[str]:
    """The terms of a question, in order; stop words only if there is nothing else."""
    words = split(query)
    shouted = query.isupper()  # else "US" is no pronoun
    telling = [
        word
        for word in words
        if word.lower() not in _STOP_WORDS or (word.isupper() and len(word) > 1 and not shouted)
    ] or words
    return terms(db, [" ".join(telling)])[0]


def word_count(text: str) -> int:
    """The length of a text for BM25. Numbers do not count, else a statement's table would be a long text."""
    return sum(1 for word in split(text) if not word.isdigit())
