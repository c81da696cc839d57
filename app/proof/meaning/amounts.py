"""Amounts as a statement rounds them, and sums, differences, products and shares that follow from others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from longleaf.app.text.entities import NumberMention

_ABOUT = re.compile(
    r"(?:about|around|approximately|roughly|some|circa|nearly|almost|close to|just (?:over|under)|more or less)\s*(?:a\s+)?[$€£]?\s*$",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"(?<!not )(?<!no )(?:more than|over|above|just over|exceeded|exceeds?|at least)\s*[$€£]?\s*$",
    re.IGNORECASE,
)
_UNDER = re.compile(
    r"(?<!not )(?<!no )(?:less than|under|below|just under|nearly|almost)\s*[$€£]?\s*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of a statement with the fineness it is given in."""

    value: Decimal
    unit: str
    step: Decimal  # worth of its last digit
    about: bool
    over: bool
    under: bool
    start: int
    end: int
    text: str


def amount_of(text: str, number: NumberMention) -> Amount:
    digits = re.search(r"\d[\d,]*(?:\.(\d+))?", number.text)
    written = Decimal(digits.group(0).replace(",", "")) if digits else number.value
    scale = abs(number.value / written) if written else Decimal(1)
    step = scale * Decimal(10) ** -(len(digits.group(1)) if digits and digits.group(1) else 0)
    before = text[max(0, number.start - 30) : number.start]
    return Amount(
        number.value,
        number.unit,
        step,
        bool(_ABOUT.search(before)),
        bool(_OVER.search(before)),
        bool(_UNDER.search(before)),
        number.start,
        number.end,
        number.text,
    )


def rounds_to(said: Amount, true: Decimal) -> bool:
    """Whether `true` may be given as what is said: rounded to its last digit, or told as more or less."""
    value, true = abs(said.value), abs(true)
    if said.over:
        return value < true <= value * Decimal("1.1")
    if said.under and not said.about:
        return value > true >= value * Decimal("0.9")
    slack = said.step / 2
    if said.about:
        coarse = said.step
        while coarse and value % (coarse * 10) == 0 and coarse * 10 <= value:
            coarse *= 10
        slack = max(slack, min(coarse / 2, value * Decimal("0.02")))
    return abs(value - true) <= slack


_SUM = re.compile(
    r"\b(?:total\w*|together|add\w* up|adds?|combined|in all|altogether|sum\w*|overall|both|aggregate\w*|comes? to|amounts? to|as a whole)\b",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"\b(?:fell|falls?|rose|rises?|dropp?\w*|increas\w*|decreas\w*|declin\w*|grew|grow\w*|differ\w*|remain\w*|left|another|need\w*|more|less|fewer|sav\w*|net|lower|higher|gain\w*|shrank|short|above|below|balance|apart|between|ahead|gap|up|down|beyond|unused|available|still)\b",
    re.IGNORECASE,
)
_PRODUCT = re.compile(
    r"\b(?:cost\w*|percent|of|per|times|each|for|over|year\w*|months?|annual\w*|quarter\w*|worth|amount\w*|total\w*|come\w*|pay\w*|earn\w*|receiv\w*|make\w*|would|buy\w*|twice|owe\w*|charge\w*|fee\w*)\b|%",
    re.IGNORECASE,
)
_AVERAGE = re.compile(
    r"\b(?:average\w*|mean|per (?:year|month|quarter|share|unit|store)|each|apiece)\b", re.IGNORECASE
)
_DOWN = re.compile(
    r"\b(?:fell|falls?|fall|dropp?\w*|decreas\w*|declin\w*|lower|less|down|shrank|reduc\w*|fewer|lost|slipp\w*|cut)\b",
    re.IGNORECASE,
)
_UP = re.compile(
    r"\b(?:rose|rises?|rise|increas\w*|grew|grow\w*|higher|more|up|gain\w*|climb\w*|jump\w*|improv\w*|larger)\b",
    re.IGNORECASE,
)


def direction_of(text: str) -> int:
    """1 if it tells of a rise, -1 of a fall, 0 of neither or of both."""
    up, down = bool(_UP.search(text)), bool(_DOWN.search(text))
    return 0 if up == down else 1 if up else -1


def follows(
    said: Amount,
    statement: str,
    given: Sequence[NumberMention],
    extra: Sequence[NumberMention],
    source: str = "",
) -> bool:
    """Whether the amount follows from the given ones by a calculation that the statement's words tell of.

    `given` are the source's numbers in order; `extra` those of the statement that stand for nothing cited
    ("1,000 of the warrants"), which may be a factor.
    """
    return any(rounds_to(said, value) for value in _results(said, statement, given, extra, source))


def _results(
    said: Amount, statement: str, given: Sequence[NumberMention], extra: Sequence[NumberMention], source: str
) -> Iterator[Decimal]:
    of_them = bool(re.search(r"\bof (?:them|which|whom)\b", source))
    if re.search(r"\bmonthly\b", statement, re.IGNORECASE) and re.search(
        r"\bannual|\byear", source, re.IGNORECASE
    ):
        yield from (n.value / 12 for n in given if n.unit == said.unit)
    if re.search(r"\bquarterly\b", statement, re.IGNORECASE) and re.search(
        r"\bannual|\byear", source, re.IGNORECASE
    ):
        yield from (n.value / 4 for n in given if n.unit == said.unit)
    same = [n.value for n in given if n.unit == said.unit]
    same = same[:12]
    plain = [n.value for n in [*given, *extra] if not n.unit and n.value > 1]
    percents = [n.value for n in given if n.unit == "%"]
    up = direction_of(statement)
    if _SUM.search(statement):
        for size in (2, 3, 4):
            for chosen in combinations(same, size):
                yield sum(chosen, Decimal(0))
    if _DIFFERENCE.search(statement) or (not said.unit and of_them):
        for first, second in combinations(same, 2):
            # The older figure stands second ("compared with $332 million"); a rise or fall must be one.
            if said.unit == "%" and not _POINTS.search(statement):
                continue
            if up == 0 or _is_level(statement) or (first - second) * up > 0:
                yield first - second
    if said.unit == "%":
        money = [n for n in given if n.unit not in ("%", "")]
        for new, old in combinations(money, 2):
            if new.unit != old.unit or not new.value or not old.value:
                continue
            change = (new.value - old.value) / old.value * 100
            if up and change * up > 0:
                yield change
            if not up:
                low, high = sorted((abs(new.value), abs(old.value)))
                yield low / high * 100
    elif _PRODUCT.search(statement):
        for value in same:
            if re.search(r"\beach\b", statement, re.IGNORECASE) and re.search(
                r"\b(?:rest|remain\w*|balance)\b", source
            ):
                yield from ((value - other) / factor for other in same for factor in plain if other < value)
            for factor in [*plain, *_factors(statement)]:
                yield value * factor
                if _AVERAGE.search(statement):
                    yield value / factor
            for percent in percents:
                if re.search(r"%|percent|half|third|quarter|of the", statement) or said.unit or said.about:
                    yield value * percent / 100
                    if re.search(r"\b(?:remain\w*|rest|other|left)\b", statement):
                        yield value * (100 - percent) / 100
    if said.unit == "%" and re.search(r"\b(?:remain\w*|rest|other|left|outside|balance)\b", statement):
        yield from (100 - percent for percent in percents)


_POINTS = re.compile(r"\bpoints?\b", re.IGNORECASE)
_LEVEL = re.compile(
    r"\b(?:remain\w*|left|another|need\w*|net|balance|differ\w*|gap|available|unused|still|short)\b",
    re.IGNORECASE,
)


def _is_level(statement: str) -> bool:
    return bool(_LEVEL.search(statement))


def _factors(statement: str) -> list[Decimal]:
    factors = []
    if re.search(r"\b(?:year|annual\w*|yearly|twelve months|12 months)\b", statement, re.IGNORECASE):
        factors += [Decimal(12), Decimal(4), Decimal(2), Decimal(52)]
    if re.search(r"\bquarter\w*\b", statement, re.IGNORECASE):
        factors += [Decimal(3), Decimal(13)]
    if re.search(r"\b(?:twice|double\w*|both|each)\b", statement, re.IGNORECASE):
        factors.append(Decimal(2))
    return factors
