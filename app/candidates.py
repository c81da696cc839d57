"""What an answer may be: each sentence of the retrieved text, each table row with what its figures mean."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from longleaf.app.citations import page_of
from longleaf.app.sentences import Sentence, is_quotable, sentences_of
from longleaf.ingest.document import Block, Chunk, Document, Page, Span

_SCALE = re.compile(
    r"\(?[^\n()]*(?:\bin\s+|[$€£]\s*)(?:thousand|million|billion)s?\b[^\n()]*\)?", re.IGNORECASE
)
_PERIODS = re.compile(r"[^\n]*\b(?:19|20)\d\d\b[^\n]*")
_FIGURE = re.compile(r"\d")
_LABEL = re.compile(r"[^\W\d_]{3,}")
_SCALE_REACH, _PERIODS_REACH = 600, 120  # characters above a table in which they are looked for
_HEAD_LINES = 5
_NUMBERED = re.compile(
    r"(?:(?:section|article)\s+)?(?:\d+\.|\d+(?:\.\d+)+|\([a-z\d]{1,3}\)|[A-Z]\.)\s", re.IGNORECASE
)
_OPENING = re.compile(_NUMBERED.pattern + r"*(?P<title>[A-Z][^.;:\d]{2,60})[.:]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Candidate:
    """`text` is what is shown and `spans` where it stands; `rank` that of its chunk, 0 the best.

    `title` is what its paragraph opens with, as in "5.6 Late Payment. An amount ...": "Late Payment", or "".
    """

    document: Document
    sentence: Sentence
    text: str
    spans: tuple[Span, ...]
    rank: int
    title: str = ""


def candidates_of(found: Iterable[tuple[Chunk, Document]]) -> list[Candidate]:
    """Those of each chunk, the best chunk first."""
    candidates: list[Candidate] = []
    for rank, (chunk, document) in enumerate(found):
        title = ""
        for sentence in sentences_of(document, [chunk]):
            if opening := _OPENING.fullmatch(sentence.text):
                title = opening["title"]
            elif _NUMBERED.match(sentence.text):
                title = ""
            if sentence.kind == "table":
                candidates += _row(document, sentence, rank)
            elif is_quotable(sentence):
                candidates.append(Candidate(document, sentence, sentence.text, sentence.spans, rank, title))
    return candidates


def _row(document: Document, row: Sentence, rank: int) -> list[Candidate]:
    """The row with its scale ("in millions") and periods, if it has a label and a figure."""
    if not (_FIGURE.search(row.text) and _LABEL.search(row.text)):
        return []
    page = page_of(document, row.spans[0].page_index)
    head = [Span(page.page_index, start, end) for start, end in _heads(page, row.spans[0])]
    spans = (*head, *row.spans)
    text = " … ".join([*(" ".join(page.text[s.start : s.end].split()) for s in head), row.text])
    return [Candidate(document, row, text, spans, rank)]


def _heads(page: Page, row: Span) -> list[tuple[int, int]]:
    table = _block_at(page, row.start)
    if table is None:
        return []
    above = _line_start(page.text, max(0, table.start - _SCALE_REACH))
    near = _line_start(page.text, max(above, table.start - _PERIODS_REACH))
    first_lines = page.text[table.start : row.start].split("\n")[:_HEAD_LINES]
    below = min(table.start + len("\n".join(first_lines)), row.start)
    scales = [m.span() for m in _SCALE.finditer(page.text, above, below)]
    periods = [m.span() for m in _PERIODS.finditer(page.text, near, below) if _is_head(m.group(0))]
    heads = periods[-1:]
    if scales and not any(start <= scales[-1][0] and scales[-1][1] <= end for start, end in heads):
        heads.append(scales[-1])
    return sorted(heads)


def _line_start(text: str, position: int) -> int:
    """The first line start at or after the position."""
    return 0 if position == 0 else text.find("\n", position - 1) + 1 or len(text)


def _is_head(line: str) -> bool:
    """Whether a line names periods rather than giving figures: take the years away and little is left."""
    rest = re.sub(r"\b(?:19|20)\d\d\b|\b\d{1,2}(?:/\d{1,2})?(?:/\d{2,4})?\b", "", line)
    return not re.search(r"\d", rest) and len(line) <= 160


def _block_at(page: Page, position: int) -> Block | None:
    return next((block for block in page.blocks if block.start <= position < block.end), None)
