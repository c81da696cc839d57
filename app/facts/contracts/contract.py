"""The key facts of a contract, in the order a reader asks for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from longleaf.app.facts.contracts import clauses
from longleaf.app.facts.contracts.amendments import changes
from longleaf.app.facts.contracts.clauses import CLAUSES, Clause, ClauseCandidate, choose, rank_clause
from longleaf.app.facts.contracts.dates import DateCandidate, agreement_dates, effective_dates
from longleaf.app.facts.contracts.law import LawCandidate, governing_law
from longleaf.app.facts.contracts.parties import Party, find_parties, preamble
from longleaf.app.facts.document_text import Passages, plain
from longleaf.app.facts.finding import Finding, Search
from longleaf.app.facts.quoting import QUOTED, focus, plain_quote, quoted
from longleaf.app.facts.ranking import Ranker
from longleaf.app.text.entities import find_dates, find_places

__all__ = ["TITLES", "find_contract_facts", "focus", "plain_quote", "retrieved_sentences"]

TITLES = {
    "parties": "Parties",
    "agreement_date": "Agreement date",
    "effective_date": "Effective date",
    "expiration_date": "Expiration date",
    **{clause.name: clause.title for clause in CLAUSES},
    "governing_law": "Governing law",
}
RETRIEVED = 8  # chunks asked of the retriever for each clause


def find_contract_facts(
    passages: Passages, search: Search, ranker: Ranker
) -> Iterator[tuple[str, Finding | None]]:
    """Each fact's name with what was found, None where the document does not say."""
    where = preamble(passages.text)
    yield "parties", _parties(find_parties(passages.text))
    made = ranker.order_dates(passages, "agreement_date", agreement_dates(passages, where))
    yield "agreement_date", _date(passages, "agreement_date", made)
    effective = ranker.order_dates(passages, "effective_date", effective_dates(passages, where, made))
    yield "effective_date", _date(passages, "effective_date", effective)
    for clause in CLAUSES:
        if clause is clauses.CAP:
            yield clause.name, _liability(passages, search)
            continue
        ranked = _ranked(passages, clause, search)
        chosen = choose(clause, ranked)
        if clause is clauses.TERM:
            ends = [c for c in ranked[:5] if c.score >= ranked[0].score - 2.5]
            yield "expiration_date", _expiration(passages, chosen, ends)
        if not chosen and clause is clauses.EXCLUSIVITY:
            chosen = clauses.not_exclusive(passages)[:1]
        yield clause.name, quoted(passages, clause, chosen)
    laws = ranker.order_laws(passages, governing_law(passages))
    yield "governing_law", _law(passages, laws) or _changed_law(passages)


def _parties(parties: list[Party]) -> Finding | None:
    if not parties:
        return None
    shown = [
        f"{p.name} ({p.role})" if p.role and not p.role.lower().startswith("party ") else p.name
        for p in parties
    ]
    return Finding(
        "parties",
        TITLES["parties"],
        "; ".join(shown),
        tuple((p.start, p.role_end or p.end) for p in parties),
        tuple(p.name for p in parties),
    )


def _date(passages: Passages, name: str, dates: list[DateCandidate]) -> Finding | None:
    if not dates:
        return None
    best = dates[0]
    ranges: list[tuple[int, int]] = []
    if best.mention:
        ranges.append(_date_phrase(passages.text, best.mention.start, best.mention.end))
    if best.sentence:
        ranges.append(best.sentence)  # "effective as of the date first written above"
    text = " … ".join(plain_quote(passages, lo, hi) for lo, hi in ranges)
    value = best.mention.iso if best.mention else ""
    doubt = passages.date_doubt(best.mention) if best.mention else ""
    title = f"{TITLES[name]} ({doubt})" if doubt else TITLES[name]
    return Finding(name, title, text, tuple(ranges), (value,) if value else ())


def _date_phrase(text: str, start: int, end: int) -> tuple[int, int]:
    """The date with the few words that say what happened on it, and the term it defines."""
    lead = re.search(
        r"(?:\b(?:is|was)\s+)?\b(?:made|entered|dated?|executed|effective|signed|commenc\w+|begin\w*|"
        r"as\s+of|this)\b[^.;()\"“”]{0,60}$",
        text[max(0, start - 70) : start],
        re.IGNORECASE,
    )
    if lead:
        start = max(0, start - 70) + lead.start()
    tail = re.match(r"\s*,?\s*\((?:the\s+)?[\"“][^()]{2,40}[\"”]\)", text[end : end + 60])
    return start, end + (tail.end() if tail else 0)


def _ranked(passages: Passages, clause: Clause, search: Search) -> list[ClauseCandidate]:
    return rank_clause(clause, passages, retrieved_sentences(passages, search, clause.query))


def _liability(passages: Passages, search: Search) -> Finding | None:
    """The cap with what is excluded beside it; damages that are only excluded are said to be no cap."""
    caps = choose(clauses.CAP, _ranked(passages, clauses.CAP, search))
    excluded = choose(clauses.EXCLUDED, _ranked(passages, clauses.EXCLUDED, search))
    if not caps:
        found = quoted(passages, clauses.EXCLUDED, excluded)
        return replace(found, values=()) if found else None
    cap = quoted(passages, clauses.CAP, caps)
    beside = [c for c in excluded if all(c.sentence.index != other.sentence.index for other in caps)][:1]
    other = quoted(passages, clauses.EXCLUDED, beside)
    if not cap or not other:
        return cap
    return replace(cap, text=f"{cap.text} … {other.text}", ranges=(*cap.ranges, *other.ranges))


def retrieved_sentences(passages: Passages, search: Search, query: str) -> dict[int, float]:
    """Sentences of the retrieved chunks: 1 for those of the best chunk, less for each one after it."""
    weights: dict[int, float] = {}
    for rank, result in enumerate(search(query, RETRIEVED)):
        for start, end in passages.ranges(result.chunk.spans):
            for sentence in passages.sentences_in(start, end):
                weights.setdefault(sentence.index, 1 - rank / RETRIEVED)
    return weights


_ENDS = re.compile(
    r"\b(?:until|through|thru|to|expir\w+|ends?|ending|terminat\w+|conclud\w+|than)\b[^.;]{0,60}$",
    re.IGNORECASE,
)


# A term of which only the beginning is said has no end to quote.
_LASTS = re.compile(
    r"\b(?:until|till|through|thru|to|expir\w*|terminat\w*|end(?:s|ed|ing)?|laps\w+|ceas\w+|continu\w+|remain\w*|last\w*|"
    r"indefinite\w*|perpetu\w*|life|duration|for|years?|months?|weeks?|days?|period|annual\w*|co-?terminous)\b",
    re.IGNORECASE,
)


def _expiration(
    passages: Passages, chosen: list[ClauseCandidate], ends: list[ClauseCandidate]
) -> Finding | None:
    """When the contract ends: the date that a clause on its term names, else the best of them itself."""
    for candidate in ends:
        sentence = candidate.sentence
        raw = passages.text[sentence.start : sentence.end]
        dates = [
            m
            for m in find_dates(raw, passages.date_order)
            if _ENDS.search(plain(raw[max(0, m.start - 90) : m.start]) + " ")
        ]
        if dates and (dates[-1].iso or dates[-1].ambiguous):
            span = focus(passages, clauses.TERM, candidate)
            if not span[0] <= sentence.start + dates[-1].start < span[1]:
                span = (sentence.start, sentence.end)
            doubt = passages.date_doubt(dates[-1])
            return Finding(
                "expiration_date",
                TITLES["expiration_date"] + (f" ({doubt})" if doubt else ""),
                plain_quote(passages, *span),
                (span,),
                (dates[-1].iso,) if dates[-1].iso else (),
            )
    chosen = [c for c in chosen if _LASTS.search(f"{c.sentence.stem} {c.sentence.plain}")]
    if not chosen:
        return None
    best = max(chosen, key=lambda c: c.score)
    span = focus(passages, clauses.TERM, best)
    return Finding("expiration_date", TITLES["expiration_date"], plain_quote(passages, *span), (span,))


def _law(passages: Passages, laws: list[LawCandidate]) -> Finding | None:
    if not laws:
        return None
    best = laws[0]
    chosen = [best]
    for other in laws[1:]:
        # A second law that a clause names for this agreement as plainly, as for an exhibit or another seat.
        if (
            other.place
            and best.place
            and other.place.name != best.place.name
            and other.score >= best.score - 0.5
        ):
            chosen.append(other)
            break
    chosen.sort(key=lambda c: c.sentence.index)
    ranges = tuple(_law_range(passages, c) for c in chosen)
    values = dict.fromkeys(c.place.name for c in [best, *chosen] if c.place)
    text = " … ".join(plain_quote(passages, *span) for span in ranges)
    return Finding("governing_law", TITLES["governing_law"], text, ranges, tuple(values))


def _changed_law(passages: Passages) -> Finding | None:
    """The law that an amendment puts in the place of another."""
    for change in changes(passages):
        said = plain_quote(passages, change.start, change.end)
        places = find_places(change.new)
        if places and re.search(r"\blaws?\b", said, re.IGNORECASE):
            where = ((change.start, change.end),)
            return Finding("governing_law", TITLES["governing_law"], said, where, (places[0].name,))
    return None


def _law_range(passages: Passages, candidate: LawCandidate) -> tuple[int, int]:
    sentence = candidate.sentence
    raw = passages.text[sentence.start : sentence.end]
    if len(raw) <= QUOTED or candidate.place is None:
        return sentence.start, min(sentence.end, sentence.start + QUOTED)
    cuts = [0, *(m.end() for m in re.finditer(r"[;:]\s", raw)), len(raw)]
    for lo, hi in pairwise(cuts):
        if lo <= candidate.place.start - sentence.start < hi:
            return sentence.start + lo, sentence.start + hi
    return sentence.start, sentence.end
