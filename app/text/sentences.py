"""The sentences and table rows of a document, each with the page characters it stands on.

They are what a brief and an answer are made of: shown as they are, so each must read as a sentence, not as a
scrap of a heading, of a table of contents or of a signature page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from longleaf.app.text.columns import crosses_columns
from longleaf.app.text.pages import page_of
from longleaf.ingest.document import BlockKind, Chunk, Document, Span
from longleaf.ingest.text.sentences import sentence_ends


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` is the spans' page text with white space folded; `kind` that of the block it begins in."""

    text: str
    spans: tuple[Span, ...]
    section_path: tuple[str, ...]
    kind: BlockKind
    order: int  # position in the document


def sentences_of(document: Document, chunks: Iterable[Chunk]) -> list[Sentence]:
    """All of them in reading order.

    Headings, running headers and footers are left out, and prose in columns that were read across.
    """
    found: list[Sentence] = []
    across: dict[tuple[int, int], bool] = {}
    for chunk in chunks:
        for start, end in _pieces(document, chunk):
            spans = chunk.locate(start, end)
            text = " ".join(chunk.text[start:end].split())
            kind = _kind_at(document, spans[0])
            if not text or kind in ("heading", "header", "footer"):
                continue
            if not any(_is_across(document, span, across) for span in spans):
                found.append(Sentence(text, spans, chunk.section_path, kind, len(found)))
    return found


def _pieces(document: Document, chunk: Chunk) -> Iterator[tuple[int, int]]:
    """Character ranges of the chunk's text: sentences of prose, lines of tables, headings apart."""
    ends = sentence_ends(chunk.text)
    borders = {0, len(chunk.text), *ends, *(match.end() for match in _EAST_END.finditer(chunk.text))}
    base = 0
    for span in chunk.spans:
        page = page_of(document, span.page_index)
        for block in page.blocks:
            low, high = max(block.start, span.start), min(block.end, span.end)
            if low >= high:
                continue
            at, to = base + low - span.start, base + high - span.start
            if block.kind in ("heading", "table", "header", "footer"):
                borders |= {at, to}
            if block.kind == "table":
                borders |= {at + m.end() for m in re.finditer(r"\n", chunk.text[at:to])}
            elif block.kind == "list":
                borders.add(at)
        base += span.end - span.start + 1
    cuts = sorted(borders)
    for start, end in pairwise(cuts):
        lead = len(chunk.text[start:end]) - len(chunk.text[start:end].lstrip())
        trimmed = start + len(chunk.text[start:end].rstrip())
        if start + lead < trimmed:
            yield start + lead, trimmed


def _is_across(document: Document, span: Span, known: dict[tuple[int, int], bool]) -> bool:
    """Whether the span is of prose in columns that were read across; `known` is by page and block."""
    page = page_of(document, span.page_index)
    for block in page.blocks:
        if block.kind == "table" or block.end <= span.start or block.start >= span.end:
            continue
        key = (span.page_index, block.start)
        if key not in known:
            known[key] = crosses_columns(page, block.start, block.end)
        if known[key]:
            return True
    return False


def _kind_at(document: Document, span: Span) -> BlockKind:
    for block in page_of(document, span.page_index).blocks:
        if block.start <= span.start < block.end:
            return block.kind
    return "paragraph"


MIN_CHARACTERS, MAX_CHARACTERS = 40, 1000
_MIN_EAST = 12  # characters, of a sentence in ideographs
_EAST_END = re.compile(r"[。！？](?![」』）)”])")
_FINITE = re.compile(
    r"\b(?:shall|will|may|must|can|is|are|was|were|has|have|had|do|does|agrees?|grants?|means?|"
    r"includes?|provides?|"
    r"represents?|warrants?|acknowledges?|applies|apply|remains?|becomes?|requires?|expires?|terminates?|"
    r"believes?|expects?|continues?|operates?|offers?|sells?|owns?|compete[sd]?|increases?|decreases?|"
    r"[a-z]{3,}ed)\b",
    re.IGNORECASE,
)
_SCRAP = re.compile(
    r"\.{4,}|(?:\.\s){4,}|_{4,}|/s/|\bs/\s|table of contents|intentionally (?:omitted|left blank)|"
    r"confidential treatment|signature page|^(?:source|exhibit|page)\b[^a-z]*\d|all rights reserved|"
    r"^\W*(?:see|refer to)\b|https?://|\bwww\.|\bwebcast\b",
    re.IGNORECASE,
)


def is_quotable(sentence: Sentence, language: str = "en") -> bool:
    """Whether it can stand alone before a reader: a whole sentence of prose of a readable length."""
    text = sentence.text
    if language != "en":
        return sentence.kind != "table" and _is_whole(text)
    if sentence.kind == "table" or not MIN_CHARACTERS <= len(text) <= MAX_CHARACTERS:
        return False
    if not re.match(r"[\"“‘'(\[]*(?:[A-Z0-9§]|[ivx]+[.)]|[a-z][.)])", text) or text[-1] not in '.;?!)"”’':
        return False
    letters = [c for c in text if c.isalpha()]
    digits = sum(c.isdigit() for c in text)
    if len(letters) < 0.6 * len(text) or digits > 0.2 * len(text) or len(text.split()) < 7:
        return False
    shouted = sum(c.isupper() for c in letters) > 0.6 * len(letters)
    if shouted and len(text.split()) < 12:  # liability clauses are set in capitals; so are titles
        return False
    return bool(_FINITE.search(text)) and not _SCRAP.search(text)


def _is_whole(text: str) -> bool:
    """Whether a text in any language looks like a sentence; its verbs are not known."""
    east = text.rstrip("」』）)”").endswith(("。", "！", "？"))
    if not (_MIN_EAST if east else MIN_CHARACTERS) <= len(text) <= MAX_CHARACTERS or _SCRAP.search(text):
        return False
    letters = sum(character.isalpha() for character in text)
    ended = east or (text[-1] in '.;?!:)"”’»' and len(text.split()) >= 7)
    return ended and letters > 0.6 * len(text) and not text.isupper()
