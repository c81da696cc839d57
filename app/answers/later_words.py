"""What a later paper says of the words an answer cites: told first, then the words it changes."""

from __future__ import annotations

from collections.abc import Sequence

from longleaf.app.facts.contracts.amendments import Change, changed_by, changes
from longleaf.app.facts.contracts.dates import agreement_dates
from longleaf.app.facts.contracts.parties import preamble
from longleaf.app.facts.document_text import Passages, passages
from longleaf.app.proof.citations import cite
from longleaf.app.schema import Citation, Statement
from longleaf.ingest.document import Document, Span

_MOST = 20  # documents read for changes of each other


def with_later_words(answer: Statement, documents: Sequence[Document]) -> Statement:
    """The answer, with every change of its words that another of the documents, not an earlier one, makes."""
    if answer.status == "not_found" or not 1 < len(documents) <= _MOST:
        return answer
    texts = {document.name: passages(document) for document in documents}
    changing = {name: found for name, text in texts.items() if (found := changes(text))}
    if not changing:
        return answer
    made = {name: _made(text) for name, text in texts.items()}
    later: dict[tuple[str, int], Change] = {}
    for citation in answer.citations:
        text = texts.get(citation.file)
        if text is None:
            continue
        for start, end in text.ranges([Span(citation.page_index, citation.start, citation.end)]):
            for name, found in changing.items():
                if name == citation.file or (made[name] and made[name] < made[citation.file]):
                    continue
                for change in changed_by(text, start, end, found):
                    later[name, change.start] = change
    if not later:
        return answer
    order = sorted(later, key=lambda key: made[key[0]], reverse=True)
    first: list[Citation] = []
    words: list[str] = []
    for name, start in order:
        change = later[name, start]
        first += cite(texts[name].document, texts[name].spans(change.start, change.end))
        words.append(" ".join(texts[name].text[change.start : change.end].split()))
    rest = [c for c in answer.citations if not any(_within(c, other) for other in first)]
    kept = [
        piece
        for piece in answer.text.split(" … ")
        if not any(piece in word or word in piece for word in words)
    ]
    return answer.model_copy(update={"text": " … ".join([*words, *kept]), "citations": [*first, *rest]})


def _made(text: Passages) -> str:
    """The day a paper was made, as ISO; "" if it does not say."""
    found = agreement_dates(text, preamble(text.text))
    return found[0].mention.iso if found and found[0].mention else ""


def _within(citation: Citation, other: Citation) -> bool:
    return (
        citation.file == other.file
        and citation.page_index == other.page_index
        and citation.start < other.end
        and other.start < citation.end
    )
