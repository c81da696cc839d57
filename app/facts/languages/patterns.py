"""What the engine has to know of a language to read its contracts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache


@dataclass(frozen=True, slots=True)
class ClausePatterns:
    """Marks of a clause: weights add up, the title above adds `HEADING_WEIGHT`; below the threshold it is not it."""

    heading: str
    rules: tuple[tuple[float, str], ...]
    threshold: float = 3.0


@dataclass(frozen=True, slots=True)
class LanguagePatterns:
    """Regular expressions of one language; those of dates are matched on the words just before or after one."""

    code: str
    clauses: Mapping[str, ClausePatterns]
    law: str  # what says which law governs
    law_heading: str
    not_in_law: str  # from here on, a place is no longer that of the law (courts, exclusions)
    places: Mapping[str, str]  # English short name of a jurisdiction: how the language writes it
    begins_before: str
    begins_after: str
    ends_before: str
    ends_after: str
    effective: str  # of a sentence on when the contract takes effect
    on_signing: str  # takes effect when it is signed
    signed_label: str  # "Date:" before the date of the contract
    signed_before: str
    signed_after: str
    role_labels: str  # "Seller:" before a party
    persons: str  # titles before a natural person's name
    not_a_party: str  # words just before a name that is not a party's
    numbers: Mapping[str, int]
    units: Mapping[str, str]  # regular expression of a unit of time: its English name in the singular
    questions: Mapping[str, str]  # fact: questions that ask for it
    report: str  # words of a report on results, which no contract has
    joins_words: bool = field(default=False)  # no spaces between words


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def number_words(listed: str) -> dict[str, int]:
    """ "one 1 forty_two 42": each word with what it means."""
    every = listed.split()
    return {word.replace("_", " "): int(value) for word, value in zip(every[::2], every[1::2], strict=True)}
