"""The key facts of a contract in a language other than English: one way for all, the words of each its own.

As in English, a fact is chosen among the sentences by weighted patterns and by the title above, and is the
sentence with its exact place. What cannot be read out of the sentence for sure is not given as a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longleaf.app.facts.document_text import Passages
from longleaf.app.facts.finding import Finding
from longleaf.app.facts.languages.folded import FoldedSentence, sentences_of
from longleaf.app.facts.languages.jurisdictions import governing_place
from longleaf.app.facts.languages.parties import find_parties
from longleaf.app.facts.languages.patterns import ClausePatterns, LanguagePatterns, compiled
from longleaf.app.facts.languages.values import Value, periods, shares, sums
from longleaf.app.text.entities import DateMention, find_dates

TITLES = {
    "parties": "Parties",
    "agreement_date": "Agreement date",
    "effective_date": "Effective date",
    "expiration_date": "Expiration date",
    "term": "Term",
    "renewal": "Renewal",
    "notice": "Notice to prevent renewal",
    "price": "Price",
    "payment": "Payment",
    "minimum_commitment": "Minimum commitment",
    "liability_cap": "Liability cap",
    "termination_for_convenience": "Termination for convenience",
    "termination": "Termination",
    "assignment": "Assignment",
    "exclusivity": "Exclusivity",
    "governing_law": "Governing law",
}
HEADING_WEIGHT = 1.5
_FROM_TO = 3.0  # of a sentence with the dates that something begins and ends on
_NEARLY = 0.75  # a second sentence is quoted too if its score is within so much of the best
_MOST = 2
_BEFORE, _AFTER = 60, 24  # characters around a date that say what happens on it
_NEEDS_SUM = ("price", "liability_cap")


@dataclass(frozen=True, slots=True)
class _Dated:
    sentence: FoldedSentence
    mention: DateMention
    score: float


def find_facts(passages: Passages, language: LanguagePatterns) -> Iterator[tuple[str, Finding | None]]:
    """Each fact's name with what was found, None where no sentence says it in words that are known."""
    sentences = sentences_of(passages.text)
    chosen = {name: _choose(name, clause, sentences, language) for name, clause in language.clauses.items()}
    made = _agreement_dates(sentences, language)
    yield "parties", _parties(passages, sentences, language)
    yield "agreement_date", _date(passages, "agreement_date", made)
    yield "effective_date", _effective(passages, sentences, language, made)
    yield "expiration_date", _expiration(passages, chosen["term"], sentences, language)
    for name in list(TITLES)[4:-1]:
        yield name, _clause(passages, name, chosen[name], language)
    yield "governing_law", _law(passages, sentences, language)


# --- clauses --------------------------------------------------------------------------------------------


def _choose(
    name: str, clause: ClausePatterns, sentences: Sequence[FoldedSentence], language: LanguagePatterns
) -> list[FoldedSentence]:
    scored = []
    for sentence in sentences:
        score = sum(weight for weight, pattern in clause.rules if compiled(pattern).search(sentence.text))
        if name == "term" and _runs_from_to(sentence, language):
            score += _FROM_TO
        if score <= 0 or sentence.text == sentence.heading:
            continue
        if sentence.heading and compiled(clause.heading).search(sentence.heading):
            score += HEADING_WEIGHT
        if name in _NEEDS_SUM and not (
            sums(sentence.text) or (name == "liability_cap" and shares(sentence.text))
        ):
            continue
        if name == "notice" and not periods(sentence.text, language):
            continue
        if score >= clause.threshold:
            scored.append((-score, sentence.index, sentence))
    scored.sort(key=lambda each: each[:2])
    near = [sentence for score, _, sentence in scored[:_MOST] if score <= scored[0][0] + _NEARLY]
    return sorted(near, key=lambda sentence: sentence.index)


def _runs_from_to(sentence: FoldedSentence, language: LanguagePatterns) -> bool:
    """Whether one date of the sentence begins something and a later one ends it."""
    dates = _dates(sentence.text)
    begins = [mention.start for mention in dates if _begins(sentence, mention, language)]
    return any(
        begins and min(begins) < mention.start and _ends(sentence, mention, language) for mention in dates
    )


def _clause(
    passages: Passages, name: str, chosen: Sequence[FoldedSentence], language: LanguagePatterns
) -> Finding | None:
    if not chosen:
        return None
    values = [value for sentence in chosen for value in _values(name, sentence.text, language)]
    return _finding(passages, name, chosen, values)


def _values(name: str, text: str, language: LanguagePatterns) -> list[str]:
    if name in ("price", "minimum_commitment"):
        return _normal(sums(text))
    if name == "liability_cap":
        return _normal(sums(text)) or _normal(shares(text))
    if name == "payment":
        return _normal(periods(text, language))
    if name in ("term", "renewal", "notice", "termination_for_convenience", "termination"):
        every = periods(text, language)
        notice = [value for value in every if _is_notice(text, value, language)]
        if name in ("term", "renewal"):
            return _normal(value for value in every if value not in notice)
        return _normal(notice or (every if name == "notice" and len(every) == 1 else []))
    return []


def _is_notice(text: str, value: Value, language: LanguagePatterns) -> bool:
    """Whether a period is that of a notice, by the words around it."""
    words = compiled(language.clauses["notice"].heading)
    before = re.split(r"[,;、]", text[max(0, value.start - 40) : value.start])[-1]
    after = re.split(r"[,;、]", text[value.end : value.end + 26])[0]
    return bool(words.search(before) or words.search(after))


def _normal(values: Sequence[Value] | Iterator[Value]) -> list[str]:
    return list(dict.fromkeys(value.normal for value in values))


def _finding(
    passages: Passages, name: str, chosen: Sequence[FoldedSentence], values: Sequence[str]
) -> Finding:
    ranges = tuple(_range(sentence) for sentence in chosen)
    text = " … ".join(_quote(passages, *span) for span in ranges)
    return Finding(name, TITLES[name], text, ranges, tuple(dict.fromkeys(values)))


def _range(sentence: FoldedSentence) -> tuple[int, int]:
    return sentence.folded.raw(0, len(sentence.text))


def _quote(passages: Passages, start: int, end: int) -> str:
    return " ".join(passages.text[start:end].split())


# --- dates ----------------------------------------------------------------------------------------------


def _around(sentence: FoldedSentence, mention: DateMention) -> tuple[str, str]:
    text = sentence.text
    return text[max(0, mention.start - _BEFORE) : mention.start], text[mention.end : mention.end + _AFTER]


def _begins(sentence: FoldedSentence, mention: DateMention, language: LanguagePatterns) -> bool:
    return _stands(sentence, mention, language.begins_before, language.begins_after)


def _ends(sentence: FoldedSentence, mention: DateMention, language: LanguagePatterns) -> bool:
    return _stands(sentence, mention, language.ends_before, language.ends_after)


def _stands(sentence: FoldedSentence, mention: DateMention, words_before: str, words_after: str) -> bool:
    before, after = _around(sentence, mention)
    return bool(
        compiled(rf"(?:{words_before})\s?$").search(before)
        or compiled(rf"^\s?(?:{words_after})").search(after)
    )


def _dates(text: str) -> list[DateMention]:
    return [mention for mention in find_dates(text, "day") if mention.complete]


def _agreement_dates(sentences: Sequence[FoldedSentence], language: LanguagePatterns) -> list[_Dated]:
    """Dates on which the contract was made, the surest first."""
    found = []
    for sentence in sentences:
        for mention in _dates(sentence.text):
            before, after = _around(sentence, mention)
            score = 0.0
            if compiled(rf"(?:^|[\s,;(])(?:{language.signed_label})\s?(?:[:/-]\s?)?$").search(before):
                score = 4.0
            elif compiled(rf"(?:{language.signed_before})\s?$").search(before) or compiled(
                rf"^\s?(?:{language.signed_after})"
            ).search(after):
                score = 3.0
            elif re.fullmatch(r"[\s.,_/-]*", sentence.text[: mention.start] + sentence.text[mention.end :]):
                score = 2.0  # a line of its own, as above signatures
            if score:
                found.append(_Dated(sentence, mention, score))
    return sorted(found, key=lambda each: (-each.score, each.sentence.index))


def _date(passages: Passages, name: str, found: Sequence[_Dated]) -> Finding | None:
    if not found:
        return None
    alike = [each for each in found if each.score == found[0].score]
    of_date = {each.mention.iso: each for each in reversed(alike)}
    chosen = sorted(
        {each.sentence.index: each.sentence for each in of_date.values()}.values(), key=lambda s: s.index
    )[:_MOST]
    values = [each.mention.iso for each in found if each.sentence in chosen and each.score == found[0].score]
    return _finding(passages, name, chosen, [value for value in dict.fromkeys(values) if value])


def _effective(
    passages: Passages,
    sentences: Sequence[FoldedSentence],
    language: LanguagePatterns,
    made: Sequence[_Dated],
) -> Finding | None:
    found = []
    for sentence in sentences:
        says = compiled(language.effective).search(sentence.text)
        of_term = bool(
            sentence.heading and compiled(language.clauses["term"].heading).search(sentence.heading)
        ) or any(
            weight >= 2 and compiled(pattern).search(sentence.text)
            for weight, pattern in language.clauses["term"].rules
        )
        if not says and not of_term:
            continue
        for mention in _dates(sentence.text):
            if _begins(sentence, mention, language):
                found.append(_Dated(sentence, mention, 2.0 + bool(says)))
    found.sort(key=lambda each: (-each.score, each.sentence.index))
    if found:
        return _finding(passages, "effective_date", [found[0].sentence], [found[0].mention.iso])
    for sentence in sentences:
        if compiled(language.on_signing).search(sentence.text):
            signed = (
                made[0]
                if made and len({each.mention.iso for each in made if each.score == made[0].score}) == 1
                else None
            )
            chosen = [sentence] + ([signed.sentence] if signed and signed.sentence != sentence else [])
            return _finding(passages, "effective_date", chosen, [signed.mention.iso] if signed else [])
    return None


def _expiration(
    passages: Passages,
    term: Sequence[FoldedSentence],
    sentences: Sequence[FoldedSentence],
    language: LanguagePatterns,
) -> Finding | None:
    """When the contract ends: the date its term clause names, else the clause itself."""
    near = [s for s in sentences if s not in term and any(s.heading and s.heading == t.heading for t in term)]
    for sentence in [*term, *near]:
        for mention in _dates(sentence.text):
            if _ends(sentence, mention, language):
                return _finding(passages, "expiration_date", [sentence], [mention.iso])
    return _finding(passages, "expiration_date", term[:1], []) if term else None


# --- law and parties ------------------------------------------------------------------------------------


def _law(
    passages: Passages, sentences: Sequence[FoldedSentence], language: LanguagePatterns
) -> Finding | None:
    best: tuple[float, FoldedSentence, str] | None = None
    for sentence in sentences:
        says = compiled(language.law).search(sentence.text)
        if says is None:
            continue
        place = governing_place(sentence.text, says.start(), language)
        headed = bool(sentence.heading and compiled(language.law_heading).search(sentence.heading))
        score = 1.0 + 1.5 * headed + 1.5 * bool(place)
        if (place or headed) and (best is None or score > best[0]):
            best = score, sentence, place
    if best is None:
        return None
    return _finding(passages, "governing_law", [best[1]], [best[2]] if best[2] else [])


def _parties(
    passages: Passages, sentences: Sequence[FoldedSentence], language: LanguagePatterns
) -> Finding | None:
    parties = find_parties(sentences, language)
    if not parties:
        return None
    return Finding(
        "parties",
        TITLES["parties"],
        "; ".join(f"{party.name} ({party.role})" if party.role else party.name for party in parties),
        tuple(party.sentence.folded.raw(party.start, party.end) for party in parties),
        tuple(dict.fromkeys(party.name for party in parties)),
    )
