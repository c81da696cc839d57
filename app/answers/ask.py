"""A question over one or several documents, answered with the words that answer it, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from longleaf.app.answers.fact_questions import AskedFact, asked_fact, known_fact
from longleaf.app.answers.later_words import with_later_words
from longleaf.app.answers.question import Question, understand
from longleaf.app.answers.respond import Response, Search, respond, statement
from longleaf.app.answers.scoring import Embed
from longleaf.app.answers.unread_languages import not_answered
from longleaf.app.calculate import answer_figures
from longleaf.app.facts import classify
from longleaf.app.gaps import gap_reports, page_ranges
from longleaf.app.proof.prove import Tally, prove
from longleaf.app.retrieval.document_routing import documents_named, without_file_names
from longleaf.app.schema import Answer, KeyFact, Statement
from longleaf.app.usage import job_usage
from longleaf.engine.engine import Engine
from longleaf.engine.scheduling.meter import measure
from longleaf.ingest.document import Document

_DEPTH = 300  # searched when other documents' chunks are to be passed over
# Log odds that the best place answers; how they were chosen is in docs/answers.md.
SURE = 1.4  # quoted
MAY = 0.55  # shown as passages that may answer; below it, not found
NEAR = -0.6  # beside "not found", passages are shown from here on
DOUBT = 0.8  # so much more is asked when the finder of such a key fact found none
_ALSO = 0.7  # a second place is quoted too if its score is within so much of the first
_TELLING = 5  # documents that are asked one by one
_CHECKED = 20  # documents each of which is looked at for the answer; a fifth of a second for each


@dataclass(frozen=True, slots=True)
class _Outcome:
    answer: Statement
    pieces: Sequence[Statement] = ()
    passages: Sequence[Statement] = ()
    lacking: Sequence[Document] = ()


@dataclass(frozen=True, slots=True)
class _Asked:
    """The documents a question is about, and what looks in them."""

    documents: Sequence[Document]
    question: str
    search: Search
    among: int
    embed: Embed | None
    facts: dict[str, KeyFact | None] = field(default_factory=dict)

    def respond(self, documents: Sequence[Document]) -> Response:
        return respond(
            self.understood(documents[0]), documents, _within(documents, self.search, self.among), self.embed
        )

    def understood(self, document: Document) -> Question:
        return understand(self.question, classify(document))

    def needed(self, document: Document) -> float:
        """How sure one must be of a place in that document.

        A report's figures are found by what finds figures; where that found none, text must be surer.
        """
        fact = self.facts.get(document.sha256)
        figure = {"amount", "count"} & self.understood(document).wants and classify(document) == "report"
        return (SURE if figure else MAY) + (DOUBT if fact is not None else 0.0)


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
        named = documents_named(question, documents)
        telling = [fact for document in named if (fact := asked_fact(question, document))]
        facts = _facts(question, telling, search, len(documents))
        asked = _Asked(named, without_file_names(question, named), search, len(documents), embed, facts)
        figures = answer_figures(documents, question, search)
        outcome = _told_last(_outcome(asked), named) if figures is None else _by_figures(figures, asked)
        every = (outcome.answer, *outcome.pieces, *outcome.passages)
        shown = [each if each is figures else prove(each, documents, tally) for each in every]
        pieces = len(outcome.pieces)
        usage = job_usage(model, meter)
    return Answer(
        question=question,
        files=[document.name for document in documents],
        gaps=[report for document in documents for report in gap_reports(document)],
        answer=shown[0],
        pieces=shown[1 : 1 + pieces],
        passages=shown[1 + pieces :],
        not_found_in=[document.name for document in outcome.lacking],
        verification=tally.verification(),
        usage=usage,
    )


def _told_last(outcome: _Outcome, documents: Sequence[Document]) -> _Outcome:
    """The outcome with what later papers change of it; a paper cited for that does not lack it."""
    answer = with_later_words(outcome.answer, documents)
    if answer is outcome.answer:
        return outcome
    cited = {citation.file for citation in answer.citations}
    lacking = [document for document in outcome.lacking if document.name not in cited]
    return replace(outcome, answer=answer, lacking=lacking)


def _by_figures(figures: Statement, asked: _Asked) -> _Outcome:
    """What the statements say; where a formula lacks a figure, with what the text may say of it."""
    if figures.status != "not_found":
        return _Outcome(figures)
    return _Outcome(figures, passages=_outcome(asked).passages, lacking=asked.documents)


def _outcome(asked: _Asked) -> _Outcome:
    known = _known(list(asked.facts.values()))
    if known is not None and known.status != "not_found":
        answer = Statement(**known.model_dump(include=set(Statement.model_fields)))
        return _Outcome(answer, lacking=_lacking(asked, answer))
    unread = not_answered(asked.documents)
    if unread is not None:
        nearest = [statement([place], "passage") for place in asked.respond(asked.documents).places]
        return _Outcome(unread, passages=nearest, lacking=asked.documents)
    if 1 < len(asked.documents) <= _TELLING:
        return _of_each(asked)
    response = asked.respond(asked.documents)
    if not response.places or response.sure < asked.needed(asked.documents[0]):
        near = response.places if response.sure >= NEAR else ()
        passages = [statement([place], "passage") for place in near]
        return _Outcome(_not_found(asked.documents), passages=passages, lacking=asked.documents)
    outcome = _answered(asked, response)
    return _Outcome(outcome.answer, outcome.pieces, outcome.passages, _lacking(asked, outcome.answer))


def _answered(asked: _Asked, response: Response) -> _Outcome:
    """The first place with what it leans on, and those as good; in doubt, passages that may answer."""
    question = asked.understood(asked.documents[0])
    several = "compare" in question.wants or question.parts > 1
    sure = response.sure >= SURE
    reach = 2 * _ALSO if several or not sure else _ALSO
    places = [place for place in response.places if place.score >= response.places[0].score - reach]
    if sure and not several:
        places = places[:2]
    quoted = {piece for place in places for piece in place.pieces}
    leans_on = [place for place in response.leans_on if not quoted.intersection(place.pieces)]
    places = [places[0], *leans_on, *places[1:]]
    parts = [statement([place], "quoted" if sure else "passage") for place in places]
    whole = statement(places, "quoted" if sure else "passage")
    if sure:
        return _Outcome(whole, pieces=parts if len(parts) > 1 else ())
    return _Outcome(whole, passages=parts)


def _of_each(asked: _Asked) -> _Outcome:
    """What each of a few documents says, one piece for each that answers."""
    pieces: list[Statement] = []
    lacking: list[Document] = []
    near: list[Statement] = []
    for document in asked.documents:
        response = asked.respond([document])
        if response.places and response.sure >= asked.needed(document):
            pieces.append(statement(response.places[:1], "quoted" if response.sure >= SURE else "passage"))
        else:
            lacking.append(document)
            if response.places and response.sure >= NEAR:
                near.append(statement(response.places[:1], "passage"))
    if not pieces:
        return _Outcome(_not_found(asked.documents), passages=near, lacking=lacking)
    answer = Statement(
        text=" … ".join(piece.text for piece in pieces),
        status="quoted" if any(piece.status == "quoted" for piece in pieces) else "passage",
        citations=[citation for piece in pieces for citation in piece.citations],
    )
    return _Outcome(answer, pieces=pieces if len(pieces) > 1 else (), lacking=lacking)


def _lacking(asked: _Asked, answer: Statement) -> list[Document]:
    """Those of a few documents that are not cited and in which nothing answers by the same measure."""
    if not 1 < len(asked.documents) <= _CHECKED:
        return []
    cited = {citation.file for citation in answer.citations}
    lacking = []
    for document in asked.documents:
        fact = asked.facts.get(document.sha256)
        if document.name in cited or (fact is not None and fact.status != "not_found"):
            continue
        if asked.respond([document]).sure < asked.needed(document):
            lacking.append(document)
    return lacking


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


def _within(asked: Sequence[Document], search: Search, among: int) -> Search:
    """The search, with only what it finds in the documents asked about; it looks through `among`."""
    own = {document.sha256 for document in asked}
    if len(asked) == among:
        return search
    return lambda query, k: [hit for hit in search(query, _DEPTH) if hit.document.sha256 in own][:k]


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
