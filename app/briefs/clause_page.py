"""The first page of a contract's brief: for each thing a reader looks for what tells it, said shortly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from longleaf.app.briefs.condense import condensed
from longleaf.app.briefs.topics import PAGE_ORDER, TOPICS, Topic
from longleaf.app.proof.citations import cite
from longleaf.app.schema import KeyFact, Statement, Status
from longleaf.app.text.sentences import Sentence, is_quotable
from longleaf.ingest.document import Document

_BINDING = re.compile(
    r"\b(?:shall|must|will|may|agrees?|grants?|is|are|has|have|hereby|warrants?|represents?|entitled|cannot)\b",
    re.IGNORECASE,
)
_WHO_AND_WHEN = ("parties", "agreement_date", "effective_date")
_ENOUGH = 1.7  # points that a sentence needs to be shown
_LONGEST = 200  # words; a longer one tells too many things to be shown for one of them


@dataclass(frozen=True, slots=True)
class Told:
    topic: Topic
    sentence: Sentence


def clauses(sentences: Sequence[Sentence]) -> list[Told]:
    """For each topic the sentences that tell it best; one that tells several is taken once."""
    taken: set[int] = set()
    found: list[Told] = []
    usable = [s for s in sentences if s.kind != "table" and (is_quotable(s) or _is_clause(s))]
    for topic in TOPICS:
        ranked = sorted(
            ((points, s) for s in usable if (points := score(topic, s)) >= _ENOUGH),
            key=lambda pair: (-pair[0], pair[1].order),
        )
        for _, sentence in ranked[: topic.most]:
            if sentence.order not in taken:
                taken.add(sentence.order)
                found.append(Told(topic, sentence))
    return found


def score(topic: Topic, sentence: Sentence) -> float:
    text = sentence.text
    if len(text.split()) > _LONGEST:
        return 0.0
    hits = list(topic.tells.finditer(text))
    if not hits or (topic.never and topic.never.search(text)):
        return 0.0
    points = 1.0 + 0.3 * min(len(hits) - 1, 2)
    if topic.title and any(topic.title.search(title) for title in sentence.section_path[-2:]):
        points += 1.2
    opening = " ".join(text.split()[:8])
    if topic.title and topic.title.search(opening):
        points += 0.6
    if _BINDING.search(text):
        points += 0.8
    if hits[0].start() < 120:
        points += 0.3
    if re.search(r"\b(?:shall|may) mean\b|[”\"] means\b", text):
        points -= 0.6
    return points - min(0.9, 0.01 * max(0, len(text.split()) - 30))


def _is_clause(sentence: Sentence) -> bool:
    """A part of a list that binds: no whole sentence, but a clause of one."""
    words = sentence.text.split()
    return 8 <= len(words) <= _LONGEST and bool(_BINDING.search(sentence.text))


def statement_of(
    document: Document, sentence: Sentence, group: str, terms: Mapping[str, str], keep: re.Pattern[str] | None
) -> Statement:
    """A sentence as a short statement of the page, or as it stands where no shorter form is proven."""
    text = condensed(sentence.text, terms, keep)
    status: Status = "quoted" if text == sentence.text else "generated"
    return Statement(text=text, status=status, citations=cite(document, sentence.spans), topic=group)


def page(
    document: Document, sentences: Sequence[Sentence], terms: Mapping[str, str], facts: Sequence[KeyFact]
) -> list[Statement]:
    """Clauses in the order of the page, each place in the text once; what facts tell is not told again."""
    told = [
        statement_of(document, clause.sentence, clause.topic.group, terms, clause.topic.tells)
        for clause in clauses(sentences)
    ]
    return sorted(_distinct(told, facts), key=lambda s: PAGE_ORDER.index(s.topic))


def _distinct(told: Sequence[Statement], facts: Sequence[KeyFact]) -> Iterator[Statement]:
    seen: list[Statement] = [f for f in facts if f.status != "not_found" and f.name not in _WHO_AND_WHEN]
    for statement in told:
        if not any(overlap(statement, other) for other in seen):
            seen.append(statement)
            yield statement


def overlap(left: Statement, right: Statement) -> bool:
    """Whether two statements rest on some of the same characters."""
    return any(
        a.page_index == b.page_index and a.start < b.end and b.start < a.end
        for a in left.citations
        for b in right.citations
    )
