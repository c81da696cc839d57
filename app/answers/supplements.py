"""What a quotation leans on: the definition of a term that is asked about, the section it is subject to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from longleaf.app.answers.passages import Piece
from longleaf.app.answers.question import Question, stem_texts

_DEFINED = re.compile(
    r"[“\"](?P<term>[A-Z][^”\"\n]{2,50})[”\"]\s*(?:\([^)]{0,60}\)\s*)?"
    r"(?:(?:shall\s+)?(?:mean|be\b|refer|have the meaning)|means|is\b|refers\s+to|has\s+the\s+meaning)"
)
_LEANS = re.compile(
    r"\b(?:subject\s+to|except\s+as\s+(?:otherwise\s+)?(?:provided|set\s+forth|specified)\s+in|notwithstanding)\s+"
    r"(?:the\s+provisions\s+of\s+)?(?:Sections?|Articles?|Clauses?|Paragraphs?)\s+(?P<number>\d+(?:\.\d+)*)",
    re.IGNORECASE,
)
_WORDS = 80  # of one supplement


def supplements(question: Question, quoted: Sequence[Piece], pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Pieces that the quoted ones cannot be understood without, at most one of each kind."""
    text = " ".join(piece.text for piece in quoted)
    others = [p for p in pieces if p not in quoted and p.document is quoted[0].document and not p.is_row]
    others = [p for p in others if len(p.text.split()) <= _WORDS]
    definition = next(_definitions(question, text, others), None)
    if definition is not None:
        yield definition
    for match in _LEANS.finditer(text):
        section = next((p for p in others if _begins(p, match["number"])), None)
        if section is not None and section is not definition:
            yield section
            return


def _definitions(question: Question, text: str, others: Sequence[Piece]) -> Iterator[Piece]:
    """Where a term of the text that has a word of the question's own is defined."""
    asked = {stem for group in question.groups for stem in group.own}
    for piece in others:
        for match in _DEFINED.finditer(piece.text):
            term = " ".join(match["term"].split()).rstrip(",.")
            if term in text and asked & set(stem_texts([term])[0]):
                yield piece


def _begins(piece: Piece, number: str) -> bool:
    start = rf"(?:(?:section|article|clause)\s+)?{re.escape(number)}(?![\d.]*\d)"
    return bool(re.match(start, piece.text, re.IGNORECASE) or re.match(start, piece.heading, re.IGNORECASE))
