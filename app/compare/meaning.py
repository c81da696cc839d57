"""What a change means, by code: which figures, duties, conditions and names differ, and how much that weighs.

Both texts are read whole and what they hold is counted, so that words that only moved within a clause are no
difference. What nothing here recognizes is wording.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from rapidfuzz.distance import DamerauLevenshtein

from longleaf.app.compare.schema import ChangeClass, ChangeKind
from longleaf.app.text.entities import (
    find_amounts,
    find_dates,
    find_durations,
    find_numbers,
    find_organisations,
    find_places,
)
from longleaf.ingest.text.sentences import words

_MOST = 3  # values named in a reason
_NEW_WORDS = 6  # words put in or taken out that make a rule of their own


@dataclass(frozen=True, slots=True)
class Finding:
    """`weight` orders changes: what costs money comes first."""

    what: str
    weight: int


@dataclass(frozen=True, slots=True)
class Meaning:
    class_: ChangeClass
    reason: str
    weight: int


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(patterns)})(?![\w-])", re.IGNORECASE)


_DUTIES = _any(
    r"(?:shall|must|will|may|should|can|could|would)(?:\s+not)?",
    r"(?:is|are)\s+(?:not\s+)?(?:required|obliged|obligated|entitled|permitted|allowed|prohibited)",
    r"agrees?\s+(?:not\s+)?to",
    "undertakes?",
)
_NEGATIONS = _any(
    *words("not no never neither nor none nothing cannot without nobody"),
    r"non-\w+",
)
_CONDITIONS = _any(
    *words("if unless except until notwithstanding conditioned contingent"),
    r"provided(?:,)?\s+(?:however(?:,)?\s+)?that",
    "subject to",
    "so long as",
    "in the event",
    "only upon",
    "to the extent",
    "other than",
)
_SCOPE = _any(
    *words(
        "all any each every some only including excluding perpetual worldwide entire both either minimum "
        "maximum jointly severally written oral prior or and/or immediately promptly directly indirectly "
        "automatically aggregate gross net knowingly willful"
    ),
    "sole(?:ly)?",
    "(?:non-?)?exclusive(?:ly)?",
    "without limitation",
    "at least",
    "at most",
    "not (?:less|more) than",
    "up to",
    "material(?:ly)?",
    "reasonabl[ey]",
    "best efforts",
    "irrevocabl[ey]",
)
_REFERENCES = re.compile(
    r"(?:sections?|articles?|clauses?|paragraphs?|exhibits?|schedules?|annex(?:es)?|appendix|appendices)\s+"
    r"(\d+(?:\.\d+)*(?:\s?\([a-z0-9]+\))*|[IVXL]+\b|[A-Z]\b)",
    re.IGNORECASE,
)
_DEFINED = re.compile(r"[“\"]([A-Z][^”\"]{1,60})[”\"]")
_TERM = re.compile(r"(?<![.\w] )(?<!^)\b[A-Z][a-z]+(?:\s+[A-Z][a-z]+)*\b")
_LITTLE = frozenset(
    words(
        "a an the of to in on at by for from with and as its their his her this that these those such said "
        "it is are be was were been has have had which who whom whose herein hereof hereto hereunder thereof "
        "thereto there here"
    )
)


def read_change(
    kind: ChangeKind, old: str, new: str, deleted: Sequence[str], inserted: Sequence[str], note: str = ""
) -> Meaning:
    """`deleted` and `inserted` are the runs of words that differ; `note` what else is to be said."""
    if kind == "renumbered":
        return Meaning("clerical", _joined(["only its number and the references to it differ", note]), 0)
    if kind in ("split", "merged") and not deleted and not inserted:
        what = "one paragraph became several" if kind == "split" else "several paragraphs became one"
        return Meaning("clerical", _joined([f"{what}, with the same words", note]), 0)
    if kind == "moved" and not deleted and not inserted:
        return Meaning("clerical", _joined(["the same words at another place", note]), 1)
    findings = list(_findings(old, new))
    if kind in ("added", "removed"):
        held = [f.what for f in findings]
        weight = 3 + max((f.weight for f in findings), default=0)
        what = "a clause that was not there" if kind == "added" else "a clause that is gone"
        return Meaning("substantive", _joined([what, *held[:_MOST], note]), weight)
    if findings:
        weight = max(f.weight for f in findings) * 2 + min(len(findings), 4)
        return Meaning("substantive", _joined([*(f.what for f in findings), note]), weight)
    return _wording(deleted, inserted, note)


def _wording(deleted: Sequence[str], inserted: Sequence[str], note: str) -> Meaning:
    olds, news = (" ".join(runs).split() for runs in (deleted, inserted))
    bare_old, bare_new = (_bare(words) for words in (olds, news))
    if bare_old == bare_new:
        return Meaning("clerical", _joined(["only punctuation or capitals differ", note]), 0)
    if len(bare_old) == len(bare_new) and all(map(_is_slip, bare_old, bare_new)):
        return Meaning("clerical", _joined(["spelling", note]), 0)
    content_old, content_new = (
        Counter(w for w in words if w not in _LITTLE) for words in (bare_old, bare_new)
    )
    differing = (content_old - content_new) + (content_new - content_old)
    if not differing:
        return Meaning("wording", _joined(["only little words differ", note]), 1)
    longest = max((len(_bare(run.split())) for run in (*deleted, *inserted)), default=0)
    if longest >= _NEW_WORDS:
        what = "words were put in" if len(bare_new) > len(bare_old) else "words were taken out or replaced"
        return Meaning("substantive", _joined([what, note]), 4)
    return Meaning("wording", _joined(["other words: " + _named(deleted, inserted), note]), 2)


def _is_slip(old: str, new: str) -> bool:
    """Whether two words differ as a misspelled one does, not as two words with meanings of their own."""
    if old == new:
        return True
    return (
        min(len(old), len(new)) >= 5
        and DamerauLevenshtein.distance(old, new) == 1
        and old[0] == new[0]
        and (old.rstrip("s") != new.rstrip("s"))
    )


def _findings(old: str, new: str) -> Iterable[Finding]:
    """Heaviest first."""
    amounts = _differing(old, new, _amounts)
    if amounts:
        yield Finding(f"amount: {amounts}", 10)
    percents = _differing(old, new, _percents)
    if percents:
        yield Finding(f"rate: {percents}", 9)
    durations = _differing(old, new, _durations)
    if durations:
        yield Finding(f"duration: {durations}", 8)
    dates = _differing(old, new, lambda text: [d.text for d in find_dates(text)])
    if dates:
        yield Finding(f"date: {dates}", 8)
    if not (amounts or percents or durations or dates):
        numbers = _differing(old, new, lambda text: [n.text for n in find_numbers(_without_references(text))])
        if numbers:
            yield Finding(f"number: {numbers}", 7)
    names = _differing(old, new, lambda text: [n.text for n in find_organisations(text)])
    if names:
        yield Finding(f"party or name: {names}", 7)
    places = _differing(old, new, lambda text: [p.text for p in find_places(text)])
    if places and not names:
        yield Finding(f"place: {places}", 6)
    for title, pattern, weight in (
        ("duty", _DUTIES, 6),
        ("negation", _NEGATIONS, 6),
        ("condition", _CONDITIONS, 5),
        ("scope", _SCOPE, 4),
    ):
        differing = _differing(old, new, partial(_matches, pattern))
        if differing:
            yield Finding(f"{title}: {differing}", weight)
    references = _differing(old, new, lambda text: [m[0] for m in _REFERENCES.finditer(text)])
    if references:
        yield Finding(f"reference: {references}", 4)
    terms = _differing(old, new, lambda text: _TERM.findall(text))
    if terms and not names and not places:
        yield Finding(f"defined term: {terms}", 4)


def _differing(old: str, new: str, find: Callable[[str], list[str]]) -> str:
    """What one text has and the other has not, as "X → Y"; empty if they have the same."""
    a, b = Counter(find(old)), Counter(find(new))
    gone, come = list((a - b).elements()), list((b - a).elements())
    return _named(gone, come) if gone or come else ""


def _named(gone: Sequence[str], come: Sequence[str]) -> str:
    def listed(values: Sequence[str]) -> str:
        shown = ", ".join(f"“{_short(v)}”" for v in values[:_MOST])
        return f"{shown} and {len(values) - _MOST} more" if len(values) > _MOST else shown

    if gone and come:
        return f"{listed(gone)} → {listed(come)}"
    return f"{listed(gone)} is gone" if gone else f"{listed(come)} is new"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57].rsplit(" ", 1)[0] + " ..."


def _matches(pattern: re.Pattern[str], text: str) -> list[str]:
    return [" ".join(match[0].lower().split()) for match in pattern.finditer(text)]


def _amounts(text: str) -> list[str]:
    return [" ".join(n.text.split()) for n in find_amounts(text)]


def _percents(text: str) -> list[str]:
    return [" ".join(n.text.split()) for n in find_numbers(text) if n.unit == "%"]


def _durations(text: str) -> list[str]:
    return [" ".join(d.text.split()) for d in find_durations(text)]


def _without_references(text: str) -> str:
    return re.sub(r"^\W*\d+(?:\.\d+)*[.)]?\s", "", _REFERENCES.sub(" ", text))


def _bare(words: Sequence[str]) -> list[str]:
    return [bare for word in words if (bare := re.sub(r"[\W_]+", "", word).casefold())]


def _joined(parts: Sequence[str]) -> str:
    return "; ".join(part for part in parts if part)


def defined_terms(old: str, new: str) -> list[str]:
    """The terms that a clause defines, in either version."""
    found = [m[1].strip(" ,.") for text in (old, new) for m in _DEFINED.finditer(text)]
    return list(dict.fromkeys(found))
