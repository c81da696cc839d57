"""What a document is searched by: its postings, the chunks of its financial statements, its references."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from longleaf.app.library.word_index import FIELD_WEIGHTS, WordIndex, index_words
from longleaf.app.text.cross_references import Reference, references
from longleaf.app.text.statement_pages import STATEMENTS, Statement, statement_pages
from longleaf.ingest.document import Chunk

_NUMBER = np.dtype("<u4")


@dataclass(frozen=True, slots=True, eq=False)
class SearchIndex:
    """`statements` has the positions of the chunks on each page of a statement, its fullest page first;
    `references` where a chunk sends its reader, by its position."""

    words: WordIndex
    statements: dict[Statement, tuple[tuple[int, ...], ...]]
    references: dict[int, tuple[Reference, ...]]


def make_index(
    db: sqlite3.Connection, pages: Iterable[tuple[int, str]], chunks: Sequence[Chunk]
) -> SearchIndex:
    """The index of chunks cut from pages, given as (page_index, text)."""
    on_page: dict[int, list[int]] = {}
    for place, chunk in enumerate(chunks):
        for page_index in dict.fromkeys(span.page_index for span in chunk.spans):
            on_page.setdefault(page_index, []).append(place)
    statements = {
        statement: tuple(tuple(on_page[page]) for page in found if page in on_page)
        for statement, found in statement_pages(pages).items()
    }
    return SearchIndex(index_words(db, chunks), statements, references(chunks))


def pack_index(index: SearchIndex) -> tuple[str, bytes, str, str]:
    words = index.words
    numbers = [words.starts, words.places, words.lengths]
    parts = [np.array([len(array) for array in numbers]), *numbers]
    raw = b"".join(part.astype(_NUMBER).tobytes() for part in parts) + words.counts.tobytes()
    leads = {position: [(r.text, r.target) for r in found] for position, found in index.references.items()}
    return "\n".join(words.terms), raw, json.dumps(index.statements), json.dumps(leads)


def unpack_index(terms: str, raw: bytes, statements: str, leads: str, chunk_count: int) -> SearchIndex:
    """What was packed. Raises ValueError if it is damaged."""
    found = json.loads(statements)
    names = terms.split("\n") if terms else []
    sizes = np.frombuffer(raw, _NUMBER, 3).tolist() if len(raw) >= 12 else [0, 0, 0]
    n_places = sizes[1]
    n_numbers = 3 + sum(sizes)
    if sizes[0] != len(names) + 1 or sizes[2] != chunk_count or len(raw) != 4 * n_numbers + 3 * n_places:
        raise ValueError("the search index has not the sizes that were stored")
    starts, places, lengths = np.split(np.frombuffer(raw, _NUMBER, n_numbers)[3:], np.cumsum(sizes[:2]))
    counts = np.frombuffer(raw, np.uint8, offset=4 * n_numbers).reshape(n_places, len(FIELD_WEIGHTS))
    if (
        (np.diff(starts.astype(np.int64)) < 0).any()
        or starts[-1] != n_places
        or (places >= chunk_count).any()
    ):
        raise ValueError("the search index points outside the document")
    words = WordIndex({term: i for i, term in enumerate(names)}, starts, places, counts, lengths)
    pages = {name: tuple(tuple(page) for page in found.get(name, ())) for name in STATEMENTS if name in found}
    if any(not 0 <= place < chunk_count for on in pages.values() for page in on for place in page):
        raise ValueError("the search index points outside the document")
    followed = {
        int(position): tuple(Reference(str(text), int(target)) for text, target in found)
        for position, found in json.loads(leads).items()
    }
    ends = {place for position, found in followed.items() for place in (position, *(r.target for r in found))}
    if any(not 0 <= place < chunk_count for place in ends):
        raise ValueError("the search index points outside the document")
    return SearchIndex(words, pages, followed)
