"""A question over one or several documents, answered with the words that answer it, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from longleaf.app.answers.candidates import Candidate, candidates_of
from longleaf.app.answers.fact_questions import AskedFact, asked_fact, known_fact
from longleaf.app.answers.relevance import Embed, likelihood_gain, relevance
from longleaf.app.calculate import answer_figures
from longleaf.app.gaps import gap_reports, page_ranges
from longleaf.app.proof.citations import cite
from longleaf.app.proof.prove import Tally, prove
from longleaf.app.retrieval.document_routing import documents_named, without_file_names
from longleaf.app.schema import Answer, KeyFact, Statement
from longleaf.app.usage import job_usage
from longleaf.engine.engine import Engine
from longleaf.engine.scheduling.meter import measure
from longleaf.ingest.document import Chunk, Document

CHUNKS = 12  # read for one answer
_DEPTH = 100  # searched when other documents' chunks are to be passed over
_RANKED, _CLOSE, _GAIN_WEIGHT = 5, 0.05, 0.03
NOT_FOUND_BELOW = 0.70  # relevance; chosen by bench/not_found.py, see docs/honesty.md
_TELLING = 5  # documents whose key facts make one answer
_CHECKED = 20  # documents each of which is looked at for the fact; a tenth of a second for each
DOUBT = 0.2  # so much more is asked of a candidate when the finder of such a key fact found none


class Hashed(Protocol):
    @property
    def sha256(self) -> str: ...


class Found(Protocol):
    """A chunk that retrieval found, and the document it is of."""

    @property
    def chunk(self) -> Chunk: ...
    @property
    def document(self) -> Hashed: ...


Search = Callable[[str, int], Sequence[Found]]


def ask(
    documents: Sequence[Document],
    question: str,
    search: Search,
    model: str,
    engine: Callable[[], Engine],
    *,
    embed: Embed | None = None,
) -> Answer:
    """The answer to `question`, quoted from the document it is about, or what was searched in vain.

    `search(query, k)` is the retriever over these documents; `embed` the embedding model it uses. `engine`
    opens the model of that name, where one is needed.
    """
    tally = Tally()
    with measure() as meter:
        asked = documents_named(question, documents)
        within = _within(asked, search, len(documents))
        bare = without_file_names(question, asked)
        telling = [fact for document in asked if (fact := asked_fact(question, document))]
        facts = _facts(question, telling, search, len(documents))
        known = _known(list(facts.values()))
        figures = answer_figures(asked, question, within)
        if figures is not None:
            answer = figures
        elif known and known.status != "not_found":
            answer = Statement(**known.model_dump(include=set(Statement.model_fields)))
        else:
            candidates, scores = scored_candidates(asked, bare, within, embed)
            if max(scores, default=0.0) >= NOT_FOUND_BELOW + (DOUBT if known else 0.0):
                answer = _quotation(_choose(question, candidates, scores, engine))
            else:
                answer = _not_found(asked)
        if figures is None:
            answer = prove(answer, documents, tally)
        lacking: Sequence[Document] = ()
        if answer.status == "not_found":
            lacking = asked
        elif 1 < len(asked) <= _CHECKED:
            cited = {citation.file for citation in answer.citations}
            rest = [document for document in asked if document.name not in cited]
            lacking = _lacking(rest, bare, facts, search(bare, _DEPTH * len(documents)), embed)
        usage = job_usage(model, meter)
    return Answer(
        question=question,
        files=[document.name for document in documents],
        gaps=[report for document in documents for report in gap_reports(document)],
        answer=answer,
        not_found_in=[document.name for document in lacking],
        verification=tally.verification(),
        usage=usage,
    )


def _facts(
    question: str, telling: Sequence[AskedFact], search: Search, among: int
) -> dict[str, KeyFact | None]:
    """The key fact asked for, of each document by its sha256; none of more documents than make one answer."""
    if len(telling) > _TELLING:
        return {}
    return {
        fact.document.sha256: known_fact(question, fact, _within([fact.document], search, among))
        for fact in telling
    }


def _known(facts: Sequence[KeyFact | None]) -> KeyFact | None:
    """Of one document found or not, of several in the words of all that have it."""
    if len(facts) == 1:
        return facts[0]
    found = [fact for fact in facts if fact is not None and fact.status != "not_found"]
    if not found:
        return None
    written = next((fact for fact in found if fact.status == "generated"), found[0])
    return written.model_copy(
        update={
            "text": " … ".join(dict.fromkeys(fact.text for fact in found)),
            "citations": [citation for fact in found for citation in fact.citations],
        }
    )


def _lacking(
    documents: Sequence[Document],
    question: str,
    facts: Mapping[str, KeyFact | None],
    hits: Sequence[Found],
    embed: Embed | None,
) -> list[Document]:
    """Those in which nothing answers, by the same measure as for one document alone; `hits` are of all."""
    lacking = []
    for document in documents:
        fact = facts.get(document.sha256)
        if fact is not None and fact.status != "not_found":
            continue
        own = [hit for hit in hits if hit.document.sha256 == document.sha256]
        scores = _scored([document], question, own[:CHUNKS], embed)[1]
        if max(scores, default=0.0) < NOT_FOUND_BELOW + (DOUBT if fact else 0.0):
            lacking.append(document)
    return lacking


def scored_candidates(
    asked: Sequence[Document], question: str, search: Search, embed: Embed | None
) -> tuple[list[Candidate], list[float]]:
    """What the best chunks offer, and how relevant each is to the question."""
    return _scored(asked, question, search(question, CHUNKS), embed)


def _scored(
    asked: Sequence[Document], question: str, hits: Sequence[Found], embed: Embed | None
) -> tuple[list[Candidate], list[float]]:
    own = {document.sha256: document for document in asked}
    candidates = candidates_of((hit.chunk, own[hit.document.sha256]) for hit in hits)
    return candidates, relevance(question, candidates, embed)


def _within(asked: Sequence[Document], search: Search, among: int) -> Search:
    """The search, with only what it finds in the documents asked about; it looks through `among`."""
    own = {document.sha256 for document in asked}
    if len(asked) == among:
        return search
    return lambda query, k: [hit for hit in search(query, _DEPTH) if hit.document.sha256 in own][:k]


def _choose(
    question: str,
    candidates: Sequence[Candidate],
    scores: Sequence[float],
    engine: Callable[[], Engine],
) -> Candidate:
    """The best of the most relevant ones; the model decides where they are close."""
    close = close_to_best(scores)
    if len(close) == 1:
        return candidates[close[0]]
    few = [candidates[i] for i in close]
    return few[best_by_gain(engine(), question, few, [scores[i] for i in close])]


def close_to_best(scores: Sequence[float], within: float = _CLOSE) -> list[int]:
    """Of the best few those within so much of the first, the best first."""
    order = sorted(range(len(scores)), key=lambda i: -scores[i])[:_RANKED]
    return [i for i in order if scores[i] >= scores[order[0]] - within]


def best_by_gain(
    engine: Engine, question: str, candidates: Sequence[Candidate], scores: Sequence[float]
) -> int:
    """The best by score and by what the question adds to each one's likelihood."""
    gains = likelihood_gain(question, candidates, engine)
    weighed = [score + _GAIN_WEIGHT * gain for score, gain in zip(scores, gains, strict=True)]
    return weighed.index(max(weighed))


def _quotation(candidate: Candidate) -> Statement:
    citations = cite(candidate.document, candidate.spans)
    return Statement(text=candidate.text, status="quoted", citations=citations)


def _not_found(searched: Sequence[Document]) -> Statement:
    """All pages with text were searched: the index holds every chunk."""
    pages = {d.name: {page.page_index for page in d.pages if page.text.strip()} for d in searched}
    where = "; ".join(f"{d.name}, pages {page_ranges(d, pages[d.name]) or 'none'}" for d in searched)
    what = "document" if len(searched) == 1 else "documents"
    return Statement(
        text=f"Not found in the {what}. Searched: {where}.",
        status="not_found",
        pages_searched=sorted(set().union(*pages.values())),
    )
