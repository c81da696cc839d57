"""A brief: what could not be read, the key facts, every section in a sentence or three, and an overview."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from longleaf.app.briefs.shorten import shorten
from longleaf.app.contexts.document_parts import Part, parts_of
from longleaf.app.facts import Search, classify, document_type, iter_key_facts
from longleaf.app.gaps import gap_reports
from longleaf.app.proof.citations import cite
from longleaf.app.proof.prove import Tally, prove, quoted
from longleaf.app.schema import Brief, Citation, GapReport, KeyFact, Kind, SectionSummary, Statement
from longleaf.app.text.columns import crosses_columns
from longleaf.app.text.entities import find_dates
from longleaf.app.text.language import document_languages
from longleaf.app.text.pages import page_of
from longleaf.app.text.salience import best_distinct, by_whole, importance, vectors
from longleaf.app.text.sentences import Sentence, is_quotable, sentences_of
from longleaf.app.usage import job_usage
from longleaf.engine.engine import Engine
from longleaf.engine.scheduling.meter import measure
from longleaf.ingest.document import Chunk, Document, Span

OVERVIEW_STATEMENTS = 5
_SENTENCES_BY_LENGTH = ((200, 1), (900, 2))  # tokens of a part below which it gets so many
_MOST_SENTENCES = 3


def summarize(
    document: Document,
    chunks: Sequence[Chunk],
    search: Search,
    engine: Engine,
    *,
    kind: Kind | None = None,
    progress: Callable[[str], None] | None = None,
    on_fact: Callable[[KeyFact], None] | None = None,
) -> Brief:
    """The brief of one document; `on_fact` gets each key fact as soon as it is proven.

    `kind` is found out if not given. `progress` is told in words what is under way.
    """
    tell = progress or (lambda what: None)
    tally = Tally()
    with measure() as meter:
        kind = kind or classify(document)
        facts: list[KeyFact] = []
        tell("key facts")
        unread: list[GapReport] = []
        for fact in iter_key_facts(document, chunks, search, engine, kind):
            across = next((c for c in fact.citations if is_read_across(document, c)), None)
            if across:
                unread.append(_not_understood(fact, across))
                fact = _unfound(document, fact)
            facts.append(prove(fact, [document], tally))
            tell(f"key facts: {facts[-1].title.lower()}")
            if on_fact:
                on_fact(facts[-1])
        tell("sections")
        sections, central = _sections(document, chunks, kind)
        tell("overview")
        overview = [
            prove(shorten(statement, engine), [document], tally)
            for statement in _overview(document, facts, central, kind)
        ]
        usage = job_usage(engine.name, meter)
    return Brief(
        file=document.name,
        sha256=document.sha256,
        kind=kind,
        document_type=document_type(document, kind),
        page_count=len(document.pages),
        gaps=[*gap_reports(document), *unread, *_unsummarised(document, sections)],
        key_facts=facts,
        overview=overview,
        sections=sections,
        verification=tally.verification(),
        usage=usage,
    )


def _sections(
    document: Document, chunks: Sequence[Chunk], kind: Kind
) -> tuple[list[SectionSummary], list[Sentence]]:
    """Every part with its best sentences; and all those sentences, the most telling of the whole first."""
    summaries: list[SectionSummary] = []
    best: list[Sentence] = []
    language = document_languages(document).main
    for part in parts_of(chunks):
        sentences = [s for s in sentences_of(document, part.chunks) if is_quotable(s, language)]
        rows = vectors([sentence.text for sentence in sentences])
        scores = importance(sentences, rows, part.title, kind)
        chosen = best_distinct(scores, rows, _sentence_count(part))
        best += [sentences[i] for i in chosen]
        summaries.append(_summary(document, part, [quoted(document, sentences[i]) for i in chosen]))
    return summaries, by_whole(best, kind)


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

# Facts that tell most in an overview, in this order, if they were found.
_TELLING = {
    "contract": ("term", "payment", "termination", "liability_cap", "exclusivity", "governing_law"),
    "report": ("revenue", "net_income", "eps", "guidance", "cash", "debt", "segments", "risks"),
}
_FROM_FACTS = 2
_TITLE = re.compile(
    r"(?:exhibit\s+[\d.]+\s*)?(?P<title>[^\n]*\b(?:agreement|contract|lease|amendment|licen[cs]e|addendum|deed|"
    r"memorandum)\b[^\n]*)",
    re.IGNORECASE,
)
_WORDS_OF_A_TITLE = 12


def _overview(
    document: Document, facts: Sequence[KeyFact], central: Iterable[Sentence], kind: Kind
) -> list[Statement]:
    """Who and when, the sentences that carry most of the document, then the terms most asked for."""
    found = {fact.name: fact for fact in facts if fact.status != "not_found"}
    opening = _opening(document, found) if kind == "contract" else None
    told = [found[name] for name in _TELLING[kind] if name in found and _is_sentence(found[name].text)]
    told = told[: _FROM_FACTS if kind == "contract" else OVERVIEW_STATEMENTS - 1]
    overview = [opening] if opening else []
    for sentence in central:
        if len(overview) + len(told) >= OVERVIEW_STATEMENTS:
            break
        statement = quoted(document, sentence)
        if not any(_overlap(statement, other) for other in (*overview, *told)):
            overview.append(statement)
    return overview + [Statement(**fact.model_dump(include=set(Statement.model_fields))) for fact in told]


def _opening(document: Document, found: dict[str, KeyFact]) -> Statement | None:
    """ "Supply Agreement between A and B, dated D", put together from proven facts and the title."""
    parties, title = found.get("parties"), _title(document)
    if not parties or len(parties.values) < 2 or not title:
        return None
    names = ", ".join(parties.values[:-1]) + " and " + parties.values[-1]
    text = f"{title.quote.title() if title.quote.isupper() else title.quote} between {names}"
    citations = [title, *parties.citations]
    date = found.get("agreement_date")
    written = [mention for c in date.citations for mention in find_dates(c.quote)] if date else []
    if date and written:
        text += f", dated {written[0].text}"
        citations += date.citations
    return Statement(text=f"{' '.join(text.split())}.", status="generated", citations=citations)


def _title(document: Document) -> Citation | None:
    for page in document.pages[:2]:
        for block in page.blocks:
            match = _TITLE.search(page.text, block.start, block.end) if block.kind == "heading" else None
            if match and len(match["title"].split()) <= _WORDS_OF_A_TITLE:
                return cite(document, [Span(page.page_index, *match.span("title"))])[0]
    return None


def _is_sentence(text: str) -> bool:
    return len(text.split()) >= 6


def _overlap(left: Statement, right: Statement) -> bool:
    """Whether two statements rest on some of the same characters."""
    return any(
        a.page_index == b.page_index and a.start < b.end and b.start < a.end
        for a in left.citations
        for b in right.citations
    )


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
        if not section.statements
    ]


def _pages(section: SectionSummary) -> str:
    if section.page_index_start == section.page_index_end:
        return f"page {section.page_label_start}"
    return f"pages {section.page_label_start} to {section.page_label_end}"
