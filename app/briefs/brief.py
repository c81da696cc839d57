"""A brief: what could not be read, the key facts, a first page by topic, and at full length the sections."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from longleaf.app.briefs import clause_page, report_page
from longleaf.app.briefs.clause_page import overlap
from longleaf.app.briefs.condense import condensed, terms_of
from longleaf.app.briefs.topics import WHAT
from longleaf.app.contexts.document_parts import Part, parts_of
from longleaf.app.facts import Search, classify, document_type, iter_key_facts
from longleaf.app.gaps import gap_reports
from longleaf.app.proof.citations import cite
from longleaf.app.proof.prove import Tally, prove
from longleaf.app.schema import (
    Brief,
    Citation,
    GapReport,
    KeyFact,
    Kind,
    Length,
    SectionSummary,
    Statement,
)
from longleaf.app.text.columns import crosses_columns
from longleaf.app.text.entities import find_dates
from longleaf.app.text.language import document_languages
from longleaf.app.text.pages import page_of
from longleaf.app.text.salience import best_distinct, importance, vectors
from longleaf.app.text.sentences import Sentence, is_quotable, sentences_of
from longleaf.app.usage import NO_MODEL, job_usage
from longleaf.engine.engine import Engine
from longleaf.engine.scheduling.meter import measure
from longleaf.ingest.document import Chunk, Document, Span

SHORT_PAGE = 6  # statements
_SENTENCES_BY_LENGTH = ((900, 1),)  # tokens of a part below which it gets so many
_MOST_SENTENCES = 2  # with the title of each of 40 parts, 120 lines at most


def summarize(
    document: Document,
    chunks: Sequence[Chunk],
    search: Search,
    engine: Engine | None,
    *,
    kind: Kind | None = None,
    length: Length = "page",
    progress: Callable[[str], None] | None = None,
    on_fact: Callable[[KeyFact], None] | None = None,
) -> Brief:
    """The brief of one document; `on_fact` gets each key fact as soon as it is proven.

    `kind` is found out if not given. `length`: "short" is the head of the page, "page" the page, "full" has
    the sections too. `progress` is told in words what is under way. Without an engine code alone decides.
    """
    tell = progress or (lambda what: None)
    tally = Tally()
    with measure() as meter:
        kind = kind or classify(document)
        sentences = sentences_of(document, chunks)
        terms = terms_of([sentence.text for sentence in sentences])
        facts: list[KeyFact] = []
        tell("key facts")
        unread: list[GapReport] = []
        for fact in iter_key_facts(document, chunks, search, engine, kind):
            across = next((c for c in fact.citations if is_read_across(document, c)), None)
            if across:
                unread.append(_not_understood(fact, across))
                fact = _unfound(document, fact)
            facts.append(_once(_shortly(prove(fact, [document], tally), terms, tally), facts))
            tell(f"key facts: {facts[-1].title.lower()}")
            if on_fact:
                on_fact(facts[-1])
        tell("first page")
        overview = _page(document, sentences, terms, facts, kind)
        tally.checked += sum(statement.status != "quoted" for statement in overview)
        if length == "short":
            overview = overview[:SHORT_PAGE]
        sections: list[SectionSummary] = []
        silent: list[SectionSummary] = []
        if length == "full":
            tell("sections")
            sections, silent = _sections(document, chunks, kind, terms, [*facts, *overview])
    return Brief(
        file=document.name,
        sha256=document.sha256,
        kind=kind,
        document_type=document_type(document, kind),
        page_count=len(document.pages),
        gaps=[*gap_reports(document), *unread, *_unsummarised(document, silent)],
        key_facts=facts,
        overview=overview,
        sections=sections,
        verification=tally.verification(),
        usage=job_usage(engine.name if engine else NO_MODEL, meter),
    )


def _shortly(fact: KeyFact, terms: Mapping[str, str], tally: Tally) -> KeyFact:
    """A fact that stands in whole sentences, each said shortly; its values and citations stay."""
    if fact.status != "quoted" or not _is_sentence(fact.text):
        return fact
    pieces = fact.text.split(" … ")
    short = [condensed(p, terms, _DECISIVE) if _is_sentence(p) and _VERB.search(p) else p for p in pieces]
    if short == pieces:
        return fact
    tally.checked += 1
    return fact.model_copy(update={"text": " … ".join(short), "status": "generated"})


def _once(fact: KeyFact, before: Sequence[KeyFact]) -> KeyFact:
    """A fact that stands in the same words as one before is told by its value, or by naming the other."""
    if fact.status == "not_found" or not _is_sentence(fact.text):
        return fact
    same = next((f for f in before if f.text == fact.text), None)
    if same is None:
        return fact
    if fact.values:
        return fact.model_copy(update={"text": "; ".join(fact.values), "status": "generated"})
    return fact.model_copy(update={"text": f"Told under {same.title.lower()}.", "status": "generated"})


def _page(
    document: Document,
    sentences: Sequence[Sentence],
    terms: Mapping[str, str],
    facts: Sequence[KeyFact],
    kind: Kind,
) -> list[Statement]:
    found = {fact.name: fact for fact in facts if fact.status != "not_found"}
    if kind == "report":
        return report_page.page(document, sentences, terms, facts)
    opening = _opening(document, found)
    said = [opening] if opening else []
    return [*said, *clause_page.page(document, sentences, terms, facts)]


def _sections(
    document: Document,
    chunks: Sequence[Chunk],
    kind: Kind,
    terms: Mapping[str, str],
    told: Sequence[Statement],
) -> tuple[list[SectionSummary], list[SectionSummary]]:
    """Every part in its most telling sentences, told once; and the parts without a whole sentence."""
    summaries: list[SectionSummary] = []
    silent: list[SectionSummary] = []
    language = document_languages(document).main
    for part in parts_of(chunks):
        sentences = [s for s in sentences_of(document, part.chunks) if is_quotable(s, language)]
        rows = vectors([sentence.text for sentence in sentences])
        scores = importance(sentences, rows, part.title, kind)
        statements: list[Statement] = []
        for index in best_distinct(scores, rows, _sentence_count(part) + 2):
            statement = clause_page.statement_of(document, sentences[index], "", terms, None)
            if len(statements) < _sentence_count(part) and not any(overlap(statement, t) for t in told):
                statements.append(statement)
        summaries.append(_summary(document, part, statements))
        if not sentences:
            silent.append(summaries[-1])
    return summaries, silent


def _sentence_count(part: Part) -> int:
    return next((count for limit, count in _SENTENCES_BY_LENGTH if part.n_tokens < limit), _MOST_SENTENCES)


def _summary(document: Document, part: Part, statements: list[Statement]) -> SectionSummary:
    return SectionSummary(
        title=part.title or "Before the first heading",
        level=max(len(part.path), 1),
        page_index_start=part.page_index_start,
        page_index_end=part.page_index_end,
        page_label_start=page_of(document, part.page_index_start).label,
        page_label_end=page_of(document, part.page_index_end).label,
        statements=statements,
    )


# --- overview -------------------------------------------------------------------------------------------

_VERB = re.compile(
    r"\b(?:shall|will|may|must|can|is|are|was|were|has|have|agrees?|grants?|expects?|provides?)\b",
    re.IGNORECASE,
)
_DECISIVE = re.compile(r"\d|\b(?:not|no|only|unless|except|without|consent|notice)\b", re.IGNORECASE)
_TITLE = re.compile(
    r"(?:exhibit\s+[\d.]+\s*)?(?P<title>[^\n]*\b(?:agreement|contract|lease|amendment|licen[cs]e|addendum|deed|"
    r"memorandum)\b[^\n]*)",
    re.IGNORECASE,
)
_WORDS_OF_A_TITLE = 12
_TITLE_REACH = 600  # characters of a block


def _opening(document: Document, found: Mapping[str, KeyFact]) -> Statement | None:
    """ "Supply Agreement between A and B, dated D", put together from proven facts and the title."""
    parties, title = found.get("parties"), _title(document)
    if not title:
        return None
    if not parties or len(parties.values) < 2:
        return Statement(text=title.quote, status="quoted", citations=[title], topic=WHAT)
    names = ", ".join(parties.values[:-1]) + " and " + parties.values[-1]
    text = f"{title.quote.title() if title.quote.isupper() else title.quote} between {names}"
    citations = [title, *parties.citations]
    date = found.get("agreement_date")
    written = [mention for c in date.citations for mention in find_dates(c.quote)] if date else []
    if date and written:
        text += f", dated {written[0].text}"
        citations += date.citations
    return Statement(text=f"{' '.join(text.split())}.", status="generated", citations=citations, topic=WHAT)


def _title(document: Document) -> Citation | None:
    for kinds in (("heading",), ("heading", "paragraph", "list")):
        for page in document.pages[: 2 if kinds == ("heading",) else 1]:
            for block in page.blocks:
                end = min(block.end, block.start + _TITLE_REACH)  # a line of megabytes is no title
                match = _TITLE.search(page.text, block.start, end) if block.kind in kinds else None
                if match and len(match["title"].split()) <= _WORDS_OF_A_TITLE:
                    return cite(document, [Span(page.page_index, *match.span("title"))])[0]
    return None


def _is_sentence(text: str) -> bool:
    return len(text.split()) >= 6


# --- gaps -----------------------------------------------------------------------------------------------


_CELLS_OF_PROSE = re.compile(r"[^\W\d_]{3,}[^\W\d_ ]*[,;:.]? {2,}[^\W\d_]{2,}")


def is_read_across(document: Document, citation: Citation) -> bool:
    """Whether a quotation runs over several columns of wrapped prose, line by line, and so says nothing."""
    page = page_of(document, citation.page_index)
    block = next((b for b in page.blocks if b.start <= citation.start < b.end), None)
    if block and block.kind != "table":
        return crosses_columns(page, citation.start, citation.end)
    lines = citation.quote.split("\n")
    return (
        block is not None and len(lines) > 2 and sum(bool(_CELLS_OF_PROSE.search(line)) for line in lines) > 1
    )


def _not_understood(fact: KeyFact, citation: Citation) -> GapReport:
    return GapReport(
        kind="table_not_understood",
        detail=f"a table of wrapped text may tell the {fact.title.lower()}; its columns cannot be told apart",
        file=citation.file,
        page_index=citation.page_index,
        page_label=citation.page_label,
    )


def _unfound(document: Document, fact: KeyFact) -> KeyFact:
    searched = [page.page_index for page in document.pages if page.text.strip()]
    return KeyFact(
        name=fact.name,
        title=fact.title,
        text="Not found in the document.",
        status="not_found",
        pages_searched=searched,
    )


def _unsummarised(document: Document, sections: Iterable[SectionSummary]) -> list[GapReport]:
    """Sections of which nothing is shown, for they hold no whole sentence: tables, lists, signatures."""
    return [
        GapReport(
            kind="not_summarized",
            detail=f"“{section.title}” ({_pages(section)}) holds no whole sentences, as tables and "
            "signature pages do, and is not summarized",
            file=document.name,
            page_index=section.page_index_start,
            page_label=section.page_label_start,
        )
        for section in sections
    ]


def _pages(section: SectionSummary) -> str:
    if section.page_index_start == section.page_index_end:
        return f"page {section.page_label_start}"
    return f"pages {section.page_label_start} to {section.page_label_end}"
