"""The gate every statement passes before it is shown: proven as it is, or replaced by its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from longleaf.app.proof.citations import cite
from longleaf.app.proof.meaning import entails
from longleaf.app.proof.verify import verify
from longleaf.app.schema import Citation, Statement, Verification
from longleaf.app.text.sentences import Sentence
from longleaf.ingest.document import Document

S = TypeVar("S", bound=Statement)


@dataclass(slots=True)
class Tally:
    """How many written statements were held against their citations, and how many failed."""

    checked: int = 0
    replaced: int = 0

    def verification(self) -> Verification:
        return Verification(checked=self.checked, replaced=self.replaced)


def plain(statement: S, documents: Sequence[Document], tally: Tally) -> S | None:
    """A statement in plain words, if its citations say it (`meaning`); None if they do not.

    A statement that fails may still be shown in its source's words: that is for the caller, who knows which.
    """
    tally.checked += 1
    misquoted = [
        problem
        for problem in verify(quote_text(statement.citations), statement.citations, documents)
        if problem.kind in ("citation", "quote")
    ]
    if misquoted:
        raise AssertionError(f"a citation does not stand in its document: {misquoted[0]}")
    if entails(statement.text, [citation.quote for citation in statement.citations]).accepted:
        return statement
    tally.replaced += 1
    return None


def quoted(document: Document, sentence: Sentence) -> Statement:
    """The sentence as it stands in the document."""
    return Statement(text=sentence.text, status="quoted", citations=cite(document, sentence.spans))


def prove(statement: S, documents: Sequence[Document], tally: Tally) -> S:
    """The statement, if its citations prove it; else the words it cites, as a quotation.

    What claims to be quoted but is put into other words ("Revenue: $5 million") is written like any other.
    A quotation is held against the pages too: one that is not there is a defect of ours, and is raised.
    """
    if statement.status in ("not_found", "computed"):
        return statement
    words = quote_text(statement.citations)
    if statement.status == "generated" or not _is_cited(statement):
        tally.checked += 1
        if not verify(statement.text, statement.citations, documents):
            return statement.model_copy(update={"status": "generated"})
        tally.replaced += 1
    else:
        words = statement.text
    status = "passage" if statement.status == "passage" else "quoted"
    shown = statement.model_copy(update={"text": words, "status": status})
    problems = verify(words, shown.citations, documents)
    misquoted = [problem for problem in problems if problem.kind in ("citation", "quote")]
    if misquoted:
        raise AssertionError(f"a citation does not stand in its document: {misquoted[0]}")
    return shown


def _is_cited(statement: Statement) -> bool:
    """Whether the text is the cited characters but for white space, places set apart by " … "."""
    quotes = _unspaced("".join(citation.quote for citation in statement.citations))
    return all(_unspaced(piece) in quotes for piece in statement.text.split(" … "))


def _unspaced(text: str) -> str:
    return "".join(text.split())


def quote_text(citations: Sequence[Citation]) -> str:
    """The cited words as one text: a sentence over a page break joined, separate places set apart."""
    text = ""
    for citation in citations:
        words = " ".join(citation.quote.split())
        runs_on = text and text[-1] not in '.!?:;"”' and not words[:1].isupper()
        text += (" " if runs_on else " … " if text else "") + words
    return text
