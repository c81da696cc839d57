"""A team's own rules for contracts, written once as TOML, and what they say of a contract."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from rapidfuzz.distance import Indel

from longleaf import LongleafError
from longleaf.app.compare.alignment.headers_footers import find_furniture
from longleaf.app.compare.alignment.token_stream import LIKELY, Stream, stream, words_of
from longleaf.app.compare.comparison import folded, value_of
from longleaf.app.compare.matrix import Contract
from longleaf.app.compare.schema import PlaybookResult, RuleOutcome, RuleResult
from longleaf.app.gaps import gap_reports
from longleaf.app.proof.citations import cite
from longleaf.app.schema import Citation, KeyFact
from longleaf.app.text.entities import find_durations, find_numbers

_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_KEYS = frozenset(
    ("name", "fact", "any_of", "none_of", "at_most", "at_least", "must", "contains", "says", "alike")
)
_ALIKE, _DOUBTFUL = 0.9, 0.6  # likeness of a clause to the words it must have


class PlaybookError(LongleafError):
    """A playbook that cannot be read, with the line."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One of `fact`, `contains` and `says` tells what is looked at; the rest what must be true of it."""

    name: str
    fact: str = ""
    any_of: tuple[str, ...] = ()
    none_of: tuple[str, ...] = ()
    at_most: str = ""
    at_least: str = ""
    must: Literal["", "present", "absent"] = ""
    contains: tuple[str, ...] = ()
    says: str = ""
    alike: float = _ALIKE


@dataclass(frozen=True, slots=True)
class Playbook:
    name: str
    rules: tuple[Rule, ...]


def read_playbook(path: Path, facts: Mapping[str, str]) -> Playbook:
    """`facts` are the names of key facts that rules may use. Raises PlaybookError."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise PlaybookError(f"{path}: cannot be read ({why})") from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlaybookError(f"{path}: is no TOML: {error}") from error
    rules = data.get("rule")
    if not isinstance(rules, list) or not rules:
        raise PlaybookError(f"{path}: has no [[rule]]")
    lines = [
        n for n, line in enumerate(text.split("\n"), start=1) if re.match(r"\s*\[\[\s*rule\s*\]\]", line)
    ]
    lines += [1] * (len(rules) - len(lines))
    made = tuple(_rule(path, row, line, text, facts) for row, line in zip(rules, lines, strict=False))
    return Playbook(str(data.get("name") or path.name), made)


def _rule(path: Path, row: Any, line: int, text: str, facts: Mapping[str, str]) -> Rule:
    def wrong(what: str, key: str = "") -> PlaybookError:
        at = line
        for n, each in enumerate(text.split("\n")[line:], start=line + 1):
            if re.match(r"\s*\[\[", each):
                break
            if key and re.match(rf"\s*{re.escape(key)}\s*=", each):
                at = n
        return PlaybookError(f"{path}, line {at}: {what}")

    if not isinstance(row, dict):
        raise wrong("a rule is a table: write [[rule]] and its keys below it")
    for key in row:
        if key not in _KEYS:
            raise wrong(f"a rule has no {key!r}; it may have {', '.join(sorted(_KEYS))}", key)
    lists = {}
    for key in ("any_of", "none_of", "contains"):
        value = row.get(key, [])
        value = [value] if isinstance(value, str) else value
        if not isinstance(value, list) or not all(isinstance(v, str) and v.strip() for v in value):
            raise wrong(f"{key} is a list of texts", key)
        lists[key] = tuple(value)
    for key in ("name", "fact", "at_most", "at_least", "must", "says"):
        if not isinstance(row.get(key, ""), str):
            raise wrong(f"{key} is a text in quotes", key)
    looked_at = [key for key in ("fact", "contains", "says") if row.get(key)]
    if len(looked_at) != 1:
        raise wrong("a rule needs one of fact, contains and says")
    if row.get("fact") and row["fact"] not in facts:
        raise wrong(f"there is no key fact {row['fact']!r}; there are {', '.join(facts)}", "fact")
    if row.get("must", "") not in ("", "present", "absent"):
        raise wrong('must is "present" or "absent"', "must")
    for key in ("at_most", "at_least"):
        if row.get(key) and (row.get("fact", "") == "" or not _measures(row[key])):
            raise wrong(
                f'{key} is an amount, a rate or a length of time of a fact, as "$5,000,000" or "60 days"', key
            )
    alike = row.get("alike", _ALIKE)
    if isinstance(alike, bool) or not isinstance(alike, int | float) or not 0 < alike <= 1:
        raise wrong("alike is a share from 0 to 1", "alike")
    if row.get("fact") and not any(row.get(k) for k in ("any_of", "none_of", "at_most", "at_least", "must")):
        raise wrong("a rule for a fact needs one of any_of, none_of, at_most, at_least and must")
    return Rule(
        name=row.get("name") or facts.get(row.get("fact", ""), "") or f"rule in line {line}",
        fact=row.get("fact", ""),
        any_of=lists["any_of"],
        none_of=lists["none_of"],
        at_most=row.get("at_most", ""),
        at_least=row.get("at_least", ""),
        must=row.get("must", ""),
        contains=lists["contains"],
        says=row.get("says", ""),
        alike=float(alike),
    )


def check(playbook: Playbook, contract: Contract) -> PlaybookResult:
    text = stream(contract.document, find_furniture(contract.document, contract.document)[0].left_out)
    outcomes = [_outcome(rule, contract, text) for rule in playbook.rules]
    return PlaybookResult(
        file=contract.document.name,
        playbook=playbook.name,
        outcomes=outcomes,
        counts={r: sum(o.result == r for o in outcomes) for r in ("pass", "fail", "missing", "doubt")},
        gaps=gap_reports(contract.document),
    )


def _outcome(rule: Rule, contract: Contract, text: Stream) -> RuleOutcome:
    if rule.fact:
        fact = next((f for f in contract.facts if f.name == rule.fact), None)
        result, reason = _of_fact(rule, fact)
        citations = list(fact.citations) if fact else []
    elif rule.says:
        result, reason, citations = _reads_like(rule, text)
    else:
        result, reason, citations = _contains(rule, text)
    return RuleOutcome(rule=rule.name, result=result, reason=reason, citations=citations)


def _of_fact(rule: Rule, fact: KeyFact | None) -> tuple[RuleResult, str]:
    value = value_of(fact)
    if fact is None or not value:
        if rule.must == "absent":
            return "pass", "the contract has no such clause"
        return "missing", "not found in the contract"
    if rule.must == "absent":
        harmless = folded(value).startswith(("non exclusive", "not exclusive", "none"))
        return (
            ("pass", f"the contract says {value}") if harmless else ("fail", f"the contract has it: {value}")
        )
    said = folded(f"{value} {fact.text}")
    if rule.any_of and not any(_said(wanted, said) for wanted in rule.any_of):
        return "fail", f"{value} is none of {', '.join(rule.any_of)}"
    if unwanted := [w for w in rule.none_of if _said(w, said)]:
        return "fail", f"it says {', '.join(unwanted)}"
    for limit, most in ((rule.at_most, True), (rule.at_least, False)):
        if limit:
            result, reason = _within(value, fact.text, limit, most)
            if result != "pass":
                return result, reason
    return "pass", value


def _said(wanted: str, said: str) -> bool:
    return f" {folded(wanted)} " in f" {said} "


def _within(value: str, text: str, limit: str, most: bool) -> tuple[RuleResult, str]:
    """Whether what the contract says keeps to a limit; what cannot be measured the same way is in doubt."""
    (unit, bound), *_ = _measures(limit)
    measured = [(u, v) for u, v in _measures(value) if u == unit] or [
        (u, v) for u, v in _measures(text) if u == unit
    ]
    amounts = {v for _, v in measured}
    if not amounts:
        return "doubt", f"{value} cannot be measured against {limit}: read the clause"
    inside = [v <= bound if most else v >= bound for v in amounts]
    if all(inside):
        return "pass", value
    if any(inside):
        return "doubt", f"the clause names several figures, some beyond {limit}: {value}"
    return "fail", f"{value} is {'more' if most else 'less'} than {limit}"


def _measures(text: str) -> list[tuple[str, Decimal]]:
    """Each figure of a text as a unit and a number: lengths of time in days, amounts in their currency."""
    found: list[tuple[str, Decimal]] = []
    taken: list[tuple[int, int]] = []
    for duration in find_durations(text):
        numbers = find_numbers(duration.text)
        unit = next((n for n in _DAYS if re.search(rf"\b{n}", duration.text, re.IGNORECASE)), "")
        unit = unit or next((n for n in _DAYS if n in duration.text.lower()), "")
        if numbers and unit:
            found.append(("days", numbers[-1].value * _DAYS[unit]))
            taken.append((duration.start, duration.end))
    for number in find_numbers(text):
        if number.unit and not any(a <= number.start < b for a, b in taken):
            found.append((number.unit, number.value))
    return found


def _clauses(text: Stream) -> list[tuple[int, int]]:
    starts = [i for i, border in enumerate(text.border) if i == 0 or border >= LIKELY]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def _reads_like(rule: Rule, text: Stream) -> tuple[RuleResult, str, list[Citation]]:
    wanted = [word.key.casefold() for word in words_of(rule.says)]
    best, place = 0.0, (0, 0)
    for start, end in _clauses(text):
        if end - start < len(wanted) // 3:
            continue
        keys = [word.key.casefold() for word in text.words[start:end]]
        if len(keys) > 1.5 * len(wanted):  # a part of a long clause
            step = max(len(wanted) // 12, 1)
            windows = [
                (k, min(k + len(wanted), len(keys))) for k in range(0, len(keys) - len(wanted) + step, step)
            ]
        else:
            windows = [(0, len(keys))]
        for a, b in windows:
            alike = Indel.normalized_similarity(wanted, keys[a:b], score_cutoff=best)
            if alike > best:
                best, place = alike, (start + a, start + b)
    if best < _DOUBTFUL:
        return "missing", f"no clause reads like it; the nearest is alike by {best:.0%}", []
    citations = cite(text.document, text.spans(*place))
    if best >= rule.alike:
        return "pass", f"alike by {best:.0%}", citations
    return "doubt", f"the nearest clause is alike by {best:.0%}, {rule.alike:.0%} is wanted", citations


def _contains(rule: Rule, text: Stream) -> tuple[RuleResult, str, list[Citation]]:
    """Whether one clause has all the words."""
    wanted = [[word.key.casefold() for word in words_of(each)] for each in rule.contains]
    for start, end in _clauses(text):
        keys = [word.key.casefold() for word in text.words[start:end]]
        if all(_holds(keys, each) for each in wanted):
            citations = cite(text.document, text.spans(start, end))
            if rule.must == "absent":
                return "fail", "the contract has such a clause", citations
            return "pass", "the contract has such a clause", citations
    if rule.must == "absent":
        return "pass", "no clause has these words", []
    return "missing", "no clause has these words", []


def _holds(keys: Sequence[str], wanted: Sequence[str]) -> bool:
    n = len(wanted)
    return any(list(keys[i : i + n]) == list(wanted) for i in range(len(keys) - n + 1))
