"""The register of obligations of a contract, read off its sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from longleaf.app.facts.contracts.parties import find_parties
from longleaf.app.facts.document_text import Passages, Sentence, passages
from longleaf.app.obligations.actors import EACH, Actor, Actors, actors_of
from longleaf.app.obligations.clauses import ClausePart, begins_with_verb, clause_parts
from longleaf.app.obligations.schema import Obligation
from longleaf.app.obligations.timing import timing
from longleaf.app.proof.citations import cite
from longleaf.ingest.document import Document

_SKIPPED = re.compile(r"\b(?:WHEREAS|Whereas|IN WITNESS WHEREOF|In witness whereof)\b")
_LIST_ITEM = re.compile(
    r"^(?:\((?:[a-z]{1,2}|[ivx]+|\d{1,2})\)|[a-z][.)]|[ivx]+[.)]|[•●▪·o-])\s+", re.IGNORECASE
)
_NUMBER = re.compile(
    r"^(?:(?:section|article|clause)\s+)?(?:\(?\d{1,2}(?:\.\d{1,2})*[.)]?|\([a-z]{1,2}\)|\([ivx]+\)|[A-Z]\.)\s+(?=\S)",
    re.IGNORECASE,
)
_MOST_CHARACTERS = 3000


def obligations(document: Document) -> list[Obligation]:
    """Every duty, right and prohibition that a sentence gives to somebody, in reading order."""
    text = passages(document)
    actors = actors_of(find_parties(text.text))
    found: list[Obligation] = []
    for sentence, lead, part in _parts(text, actors):
        ranges = (
            [(sentence.start, sentence.end)]
            if lead is None
            else [(lead.start, lead.end), (sentence.start, sentence.end)]
        )
        when = timing(part.action, part.lead)
        towards = _towards(part, actors)
        grant = part.modal.told == "grants"
        party, other = (part.actor, towards)
        kind = part.modal.kind
        if grant:
            party, other, kind = towards, part.actor, "right"
            if party is None:
                continue
        found.append(
            Obligation(
                id=f"o{len(found) + 1}",
                party=party.term if party else "",
                party_name=party.name if party else "",
                towards=other.term if other else "",
                kind=kind,
                modal=part.modal.told,
                action=part.action,
                deadline=when.deadline,
                dates=list(when.dates),
                condition=when.condition,
                amounts=list(when.amounts),
                heading=sentence.heading,
                text=" ".join(text.text[a:b].strip() for a, b in ranges),
                citations=cite(document, [span for a, b in ranges for span in text.spans(a, b)]),
            )
        )
    return found


def by_party(register: list[Obligation]) -> list[Obligation]:
    """Sorted as they are shown: by party (those of all parties and of none named last), then by date."""
    return sorted(
        register,
        key=lambda o: (o.party in ("", EACH), o.party == "", o.party.lower(), not o.dates, o.dates[:1]),
    )


def _parts(text: Passages, actors: Actors) -> Iterator[tuple[Sentence, Sentence | None, ClausePart]]:
    """Each part with its sentence, and for an item of a list the sentence that opens the list."""
    last: Actor | None = None
    opening: tuple[Sentence, ClausePart] | None = None
    heading = ""
    for sentence in text.sentences:
        said = _NUMBER.sub("", sentence.plain)
        if sentence.heading != heading:
            heading, last, opening = sentence.heading, None, None
        if _SKIPPED.search(said[:60]) or len(said) > _MOST_CHARACTERS:
            continue
        parts = clause_parts(said, actors, last)
        item = _LIST_ITEM.match(sentence.plain)
        if opening and item and not parts:
            action = re.sub(r"[\s,;.]+(?:and|or)?[\s,;.]*$", "", sentence.plain[item.end() :])
            if begins_with_verb(action):
                yield sentence, opening[0], replace(opening[1], action=action, others=())
                continue
        if parts and not (opening and item):
            opening = None
        if not item and not parts:
            opening = None
        for part in parts:
            colon = said.rstrip().endswith(":") or re.search(r":\s*\((?:a|i|1)\)\s", said)
            if colon and part is parts[-1]:
                opening = (sentence, part)
                if len(part.action.rstrip(":").split()) <= 3:
                    continue
            yield sentence, None, part
            if part.actor is not None:
                last = part.actor


def _towards(part: ClausePart, actors: Actors) -> Actor | None:
    """Whom it is owed to or held against: the party named in the action, or the only other one."""
    for other in part.others:
        if other.term not in (EACH, "") and not other.term.lower().startswith(
            ("the other", "such", "a party", "that")
        ):
            return other
    if part.actor is None:
        return None
    if any(other.term.lower().startswith("the other") for other in part.others):
        return actors.other_than(part.actor) or next(
            o for o in part.others if o.term.lower().startswith("the other")
        )
    return None
