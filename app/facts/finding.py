"""What the finders agree on: a fact before it has pages, and how it becomes a `KeyFact`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from longleaf.app.facts.document_text import Passages
from longleaf.app.proof.citations import cite
from longleaf.app.schema import KeyFact
from longleaf.ingest.document import Chunk

NOT_FOUND = "Not found in the document."


class Retrieved(Protocol):
    """A chunk the retriever found; the order of a result is what counts."""

    @property
    def chunk(self) -> Chunk: ...


Search = Callable[[str, int], Sequence[Retrieved]]


@dataclass(frozen=True, slots=True)
class Finding:
    """`text` is shown; it is quoted from `ranges` (characters of the passages), which prove it."""

    name: str
    title: str
    text: str
    ranges: tuple[tuple[int, int], ...]
    values: tuple[str, ...] = ()


def key_fact(passages: Passages, finding: Finding) -> KeyFact:
    spans = [span for start, end in finding.ranges for span in passages.spans(start, end)]
    return KeyFact(
        name=finding.name,
        title=finding.title,
        text=finding.text,
        status="quoted",
        citations=cite(passages.document, spans),
        values=list(finding.values),
    )


def not_found(passages: Passages, name: str, title: str) -> KeyFact:
    """All pages that have text were searched: the finders read every sentence, not only retrieved chunks."""
    searched = [page.page_index for page in passages.document.pages if page.text.strip()]
    return KeyFact(name=name, title=title, text=NOT_FOUND, status="not_found", pages_searched=searched)
