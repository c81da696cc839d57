"""What an answer is cut from: the sentences of the chunks that were found, in the clauses they stand in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from longleaf.app.answers.rows import row_of
from longleaf.app.text.sentences import Sentence, sentences_of
from longleaf.ingest.document import Chunk, Document, Span

_SCRAP = re.compile(
    r"\.{4,}|(?:\.\s){4,}|_{4,}|/s/|table of contents|intentionally (?:omitted|left blank)|"
    r"in witness (?:where|there)of|^\W*page\b[^a-z]*\d|\bAtt(?:n|ention):|\b(?:Fax|Tel|Telephone)\b[.:]",
    re.IGNORECASE,
)
_LETTER = re.compile(r"[^\W\d_]")
_MARK = re.compile(
    r"\W*(?:(?:section|article|item)\s+)?(?:\d+(?:\.\d+)*|[a-z]{1,4}|[IVX]+)?\W*", re.IGNORECASE
)
_SHORT = 40  # characters: what is shorter and no sentence belongs to what follows it


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A sentence with what stands before it (a number, a title), or a table row with its heads.

    `rank` is that of its chunk, 0 the best; `clause` numbers the runs of pieces under one heading; `heading`
    is the title that they stand under.
    """

    document: Document
    text: str
    spans: tuple[Span, ...]
    rank: int
    clause: int
    heading: str
    is_row: bool = False


def pieces_of(found: Iterable[tuple[Chunk, Document]]) -> list[Piece]:
    """The pieces of the chunks, in reading order of each document; the chunks come best first."""
    ranked = [(chunk, document, rank) for rank, (chunk, document) in enumerate(found)]
    ranked.sort(key=lambda each: (each[1].sha256, each[0].index))
    pieces: list[Piece] = []
    clause = 0
    before: tuple[str, int, tuple[str, ...]] = ("", -2, ())
    for chunk, document, rank in ranked:
        here = (document.sha256, chunk.index, chunk.section_path)
        if not (here[0] == before[0] and here[1] == before[1] + 1 and here[2] == before[2]):
            clause += 1
        before = here
        heading = chunk.section_path[-1] if chunk.section_path else ""
        pieces += _of_chunk(document, chunk, rank, clause, heading)
    return pieces


def _of_chunk(document: Document, chunk: Chunk, rank: int, clause: int, heading: str) -> list[Piece]:
    pieces: list[Piece] = []
    held: list[Sentence] = []  # numbers and titles that go with the next sentence
    for sentence in sentences_of(document, [chunk]):
        if sentence.kind == "table":
            pieces += _joined(document, held, rank, clause, heading)
            held = []
            if (row := row_of(document, sentence)) is not None:
                pieces.append(Piece(document, row.text, row.spans, rank, clause, heading, is_row=True))
            continue
        if _SCRAP.search(sentence.text):
            continue
        held.append(sentence)
        if not _goes_with_next(sentence.text):
            pieces += _joined(document, held, rank, clause, heading)
            held = []
    pieces += _joined(document, held, rank, clause, heading)
    return pieces


def _goes_with_next(text: str) -> bool:
    return len(text) < _SHORT and (
        bool(_MARK.fullmatch(text)) or (text[-1] in ".:" and len(text.split()) < 7)
    )


def _joined(document: Document, held: list[Sentence], rank: int, clause: int, heading: str) -> list[Piece]:
    if not held:
        return []
    text = " ".join(sentence.text for sentence in held)
    if not _LETTER.search(text):
        return []
    return [
        Piece(document, text, joined_spans(s for each in held for s in each.spans), rank, clause, heading)
    ]


def joined_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans with those that follow each other on a page made one, white space between them included."""
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last and last.page_index == span.page_index and 0 <= span.start - last.end <= 4:
            joined[-1] = Span(last.page_index, last.start, span.end)
        else:
            joined.append(span)
    return tuple(joined)
