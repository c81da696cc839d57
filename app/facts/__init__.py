"""Key facts: chosen among spans of the text by pattern, place and likelihood, or said to be absent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from longleaf.app.facts import by_language, report
from longleaf.app.facts.contracts import by_type, contract
from longleaf.app.facts.document_text import passages
from longleaf.app.facts.finding import Search, key_fact, not_found
from longleaf.app.facts.kind import classify, document_type
from longleaf.app.facts.ranking import Ranker
from longleaf.app.schema import KeyFact, Kind
from longleaf.app.text.language import READ, document_languages
from longleaf.engine.engine import Engine
from longleaf.ingest.document import Chunk, Document

__all__ = ["Search", "classify", "document_type", "iter_key_facts", "key_facts"]

Progress = Callable[[int, int], None]  # facts done, facts in all


def iter_key_facts(
    document: Document, chunks: Sequence[Chunk], search: Search, engine: Engine | None, kind: Kind
) -> Iterator[KeyFact]:
    """The key facts of a document as they are ready, in a fixed order, each found or "not found".

    Those of every contract or report come first, then those of its sort of document.

    `search(query, k)` is the retriever over this document's chunks. Without an engine the points of
    the patterns decide alone. Of a language that is not read there are none.
    """
    text = passages(document)
    spoken = document_languages(document)
    if spoken.main not in READ or (spoken.main != "en" and kind == "report"):
        return  # what is not looked for is not said to be absent; the document's gaps say why
    titles: Mapping[str, str]
    if kind == "report":
        titles, found = report.TITLES, report.find_report_facts(text, search)
    else:
        titles, found = (
            by_language.TITLES,
            by_language.find_contract_facts(text, search, Ranker(engine), spoken),
        )
    for name, finding in found:
        yield key_fact(text, finding) if finding else not_found(text, name, titles[name])
    if spoken.main != "en":
        return
    sort = document_type(document, kind)
    titles = by_type.titles(sort)
    for name, finding in by_type.find_typed_facts(text, sort):
        yield key_fact(text, finding) if finding else not_found(text, name, titles[name])


def key_facts(
    document: Document,
    chunks: Sequence[Chunk],
    search: Search,
    engine: Engine | None,
    kind: Kind,
    progress: Progress | None = None,
) -> list[KeyFact]:
    """All of `iter_key_facts`; `progress(done, total)` is called after each."""
    found: list[KeyFact] = []
    english = document_languages(document).main == "en"
    total = len(report.TITLES if kind == "report" else contract.TITLES if english else by_language.TITLES)
    total += len(by_type.titles(document_type(document, kind))) if english else 0
    for fact in iter_key_facts(document, chunks, search, engine, kind):
        found.append(fact)
        if progress:
            progress(len(found), total)
    return found
