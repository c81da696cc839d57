"""A clause as it is shown: its sentences with what they rest on, and the values a reader looks for in it."""

from __future__ import annotations

import re
from itertools import pairwise

from longleaf.app.facts.contracts.clause import Clause, ClauseCandidate
from longleaf.app.facts.document_text import Passages, Sentence, is_heading, plain, unnumbered
from longleaf.app.facts.finding import Finding
from longleaf.app.text.entities import find_amounts, find_durations, find_numbers

QUOTED = 700  # characters: of a longer sentence only the part that carries the marks is quoted
# A sentence that begins so says only half without the one before it.
_RESTS = re.compile(
    r"(?:otherwise|however|such|thereafter|nevertheless|in\s+(?:such|that|this)\s+(?:case|event)|if\s+so|"
    r"notwithstanding\s+the\s+foregoing|the\s+foregoing|subject\s+to\s+the\s+foregoing|"
    r"except\s+as\s+(?:provided|set\s+forth|stated)\s+(?:above|in\s+the\s+preceding)|this\s+(?:limit\w*|right|"
    r"restriction|prohibition|exclu\w+|provision|cap)\b|these\s+\w+|the\s+(?:preceding|previous|above)\s+\w+|"
    r"in\s+addition\s+to\s+the\s+foregoing|any\s+such|no\s+such|but\b|provided,?\s+(?:however|that))\b",
    re.IGNORECASE,
)


def quoted(passages: Passages, clause: Clause, chosen: list[ClauseCandidate]) -> Finding | None:
    if not chosen:
        return None
    own = [focus(passages, clause, candidate) for candidate in chosen]
    texts = [plain_quote(passages, *span) for span in own]
    best = max(range(len(chosen)), key=lambda i: chosen[i].score)
    values = values_of(clause.name, unnumbered(texts[best]))
    values = values or values_of(clause.name, " ".join(map(unnumbered, texts)))
    ranges: list[tuple[int, int]] = []
    for candidate, span in zip(chosen, own, strict=True):
        for wanted in (*_foundation(passages, candidate.sentence), span):
            if wanted not in ranges:
                ranges.append(wanted)
    text = " … ".join(plain_quote(passages, *span) for span in ranges)
    return Finding(clause.name, clause.title, text, tuple(ranges), tuple(values))


def _foundation(passages: Passages, sentence: Sentence) -> list[tuple[int, int]]:
    """What a sentence rests on: the words before its list, or the sentence before a "However, ..."."""
    if sentence.stem_at:
        return [sentence.stem_at]
    found: list[tuple[int, int]] = []
    current = sentence
    while len(found) < 2 and current.index > 0 and _RESTS.match(unnumbered(current.plain)):
        before = passages.sentences[current.index - 1]
        if is_heading(before.plain) or before.heading != current.heading or len(before.plain) > 2 * QUOTED:
            break
        found.insert(0, (before.start, before.end))
        current = before
    return found


def focus(passages: Passages, clause: Clause, candidate: ClauseCandidate) -> tuple[int, int]:
    """The sentence, or of a very long one the part between semicolons that carries most of the marks."""
    sentence = candidate.sentence
    raw = passages.text[sentence.start : sentence.end]
    if len(raw) <= QUOTED:
        return sentence.start, sentence.end
    cuts = [0, *(m.end() for m in re.finditer(r";\s|:\s(?=\([a-z0-9]+\))|,\s(?=provided)", raw)), len(raw)]
    parts = [(lo, hi) for lo, hi in pairwise(cuts) if hi - lo > 20]
    scored = [
        (sum(weight for weight, pattern in clause.rules if pattern.search(plain(raw[lo:hi]))), -lo, (lo, hi))
        for lo, hi in parts
    ]
    lo, hi = max(scored)[2] if scored else (0, len(raw))
    return sentence.start + lo, sentence.start + lo + len(raw[lo:hi].rstrip())


def plain_quote(passages: Passages, start: int, end: int) -> str:
    return " ".join(passages.text[start:end].split())


def values_of(name: str, text: str) -> list[str]:
    """What a reader looks for in the clause: its periods, sums or share."""
    if name == "liability_cap":
        return _unique([m.text for m in find_amounts(text)])
    if name == "minimum_commitment":
        return _unique([m.text for m in find_amounts(text)]) or _quantities(text)
    if name == "payment":
        return _unique([m.text for m in find_durations(text)] + [m.text for m in find_amounts(text)])
    if name == "assignment":
        consent = re.search(
            r"\b(?:prior\s+|express\s+|written\s+)*(?:consent|approval)\b", text, re.IGNORECASE
        )
        return [" ".join(consent.group(0).split())] if consent else []
    if name == "exclusivity":
        word = re.search(r"\b(?:non-?\s?)?exclusive", text, re.IGNORECASE)
        return [word.group(0).lower()] if word else []
    with_notice: list[str] = []
    without: list[str] = []
    for mention in find_durations(text):
        around = text[max(0, mention.start - 50) : mention.start], text[mention.end : mention.end + 45]
        noticed = re.match(
            r"['’s)]*\s*(?:(?!unless\b)\w+\s+){0,3}(?:prior|before|notice|advance|preceding|in\s+advance)\b",
            around[1],
            re.IGNORECASE,
        )
        noticed = noticed or re.search(r"\bnotice\s+(?:of\s+)?(?:\w+\s+){0,4}$", around[0], re.IGNORECASE)
        (with_notice if noticed else without).append(mention.text)
    if name in ("notice", "termination", "termination_for_convenience"):
        return _unique(with_notice)
    return _unique(without)


_REFERENCE = re.compile(
    r"\b(?:sections?|articles?|clauses?|schedules?|exhibits?|paragraphs?|annex(?:es)?|appendix|items?|no\.|numbers?)\s+"
    r"[\dIVXA-Z][\w.()-]*(?:\s*(?:,|and|or|to|through)\s+\d[\w.()-]*)*|\b\d+(?:\.\d+)+\b(?=\s*[A-Z(])",
    re.IGNORECASE,
)


_LEAST = re.compile(
    r"[^.;]{0,20}\b(?:minimum|at\s+least|less\s+than|fewer\s+than|guarantee\w*|commit\w*|quota|target)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\s+(?!(?:and|or|per|for|the|from|with|during|under|each|shall|will|may|is|are)\b)([A-Za-z]{3,})"
)


def _quantities(text: str) -> list[str]:
    """Counted things ("5,000 units", "10%"), without the numbers of sections, days and years."""
    bare = _REFERENCE.sub(lambda m: " " * len(m.group(0)), text)
    periods = [(m.start, m.end) for m in find_durations(bare)]
    found = []
    for number in find_numbers(bare, spelled=False):
        if not _LEAST.search(bare[max(0, number.start - 80) : number.start]) and not _LEAST.match(
            bare[number.end : number.end + 30]
        ):
            continue
        if number.ordinal or any(lo <= number.start < hi for lo, hi in periods):
            continue
        if not number.unit and re.fullmatch(r"(?:19|20)\d\d", number.text):
            continue
        counted = _COUNTED.match(bare, number.end)
        noun = f" {counted[1]}" if counted and not number.unit else ""
        found.append(number.text + noun)
    return _unique(found)


def _unique(values: list[str]) -> list[str]:
    return list(dict.fromkeys(" ".join(value.split()) for value in values))
