"""Formulas: from words to a tree, and from the tree to a figure with its working, in decimal arithmetic."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, DivisionByZero, InvalidOperation

from longleaf.app.calculate import ratios
from longleaf.app.facts.figures import line_items
from longleaf.app.facts.figures.periods import Period


@dataclass(frozen=True, slots=True)
class Number:
    value: Decimal


@dataclass(frozen=True, slots=True)
class Item:
    """A line item or a measure by name; `optional`: nought where the statements do not have it."""

    name: str
    year: int = 0
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Binary:
    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Average:
    """The mean of two year ends: of the two years named, else of the year's and the one before."""

    of: Node
    years: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    of: Node
    years: tuple[int, ...] = ()


Node = Number | Item | Binary | Average | Change


class NotAFormula(ValueError):
    """Words that are no formula, with the first that was not understood."""


# --- reading --------------------------------------------------------------------------------------------

_NAME = re.compile(r"[a-z][a-z_]*[a-z]")
_FILLER = re.compile(
    r"(?:year-end|the|its?|their|of|for|in|at|on|a|an|that|this|company|firm|year|years|fiscal|end|ending"
    r"|year-end|period|same|reported|unadjusted|gaap|as|total"
    r"|value|amount|balance|level|both|between|from|during|consolidated|'s|s|two|respective|figures?|net)\b"
    r"|[,;:'\"]",
    re.IGNORECASE,
)
_YEAR = re.compile(
    r"(?:FY|fiscal year|fiscal|year)?\s*['’]?(?P<year>(?:19|20)\d\d)\b|FY\s*['’]?(?P<short>\d\d)\b",
    re.IGNORECASE,
)
_OPERATORS = (
    (
        re.compile(
            r"÷|/|\bdivided by\b|\bover\b|\bas an? (?:%|percent(?:age)?|share|proportion|fraction"
            r"|multiple) of\b|\bas % of\b|\brelative to\b|\bper\b|\bexpressed as an? (?:%"
            r"|percent(?:age)?) of\b",
            re.I,
        ),
        "/",
    ),
    (re.compile(r"\*|×|·|\bx\b|\btimes\b|\bmultiplied by\b", re.I), "*"),
    (re.compile(r"\+|\bplus\b|\badded to\b", re.I), "+"),
    (
        re.compile(
            r"[-−–—](?=\s|\()|\bless\b|\bminus\b|\bnet of\b|\bsubtract(?:ing|ed by)?\b|\bdeducting\b", re.I
        ),
        "-",
    ),
)
_RATIO_OF = re.compile(r"(?:the )?ratio of\b", re.IGNORECASE)


Token = tuple[str, object]


def parse(text: str) -> Node:
    """The formula that the words say. Raises NotAFormula."""
    return parse_tokens(tokens_of(text))


def parse_tokens(tokens: Sequence[Token]) -> Node:
    node, rest = _sum(tokens, 0)
    if rest != len(tokens):
        raise NotAFormula(f"left over: {tokens[rest:]}")
    return node


def tokens_of(text: str, filler: re.Pattern[str] = _FILLER) -> list[Token]:
    """The names, numbers, years and operators of a text. Raises NotAFormula at any other word."""
    text = text.translate(str.maketrans("“”’‘", "\"\"''"))
    text = re.sub(r"\[[^\]]*\]", " ", text)
    tokens: list[Token] = []
    position = 0
    ratio_of = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        if match := _RATIO_OF.match(text, position):
            ratio_of += 1
            position = match.end()
            continue
        if ratio_of and (match := re.compile(r"to\b", re.I).match(text, position)):
            tokens.append(("op", "/"))
            ratio_of -= 1
            position = match.end()
            continue
        if text[position] in "()":
            tokens.append((text[position], text[position]))
            position += 1
            continue
        if match := re.compile(r"(?:the )?(?:\(?two[- ]year\)? )?(?:average|mean)(?: of)?\b", re.I).match(
            text, position
        ):
            tokens.append(("average", None))
            position = match.end()
            continue
        if match := re.compile(r"(?:the )?(?:change|increase|difference)s? in\b", re.I).match(text, position):
            tokens.append(("change", None))
            position = match.end()
            continue
        if match := re.compile(r"opt(?=ional\b|\s)(?:ional)?", re.I).match(text, position):
            tokens.append(("optional", None))
            position = match.end()
            continue
        if found := name_at(text, position):
            name, end = found
            tokens.append(("name", name))
            position = end
            continue
        if match := _YEAR.match(text, position):
            tokens.append(("year", int(match["year"] or f"20{match['short']}")))
            position = match.end()
            continue
        if match := re.compile(r"\d[\d,]*(?:\.\d+)?").match(text, position):
            tokens.append(("number", Decimal(match.group(0).replace(",", ""))))
            position = match.end()
            continue
        for pattern, operator in _OPERATORS:
            if match := pattern.match(text, position):
                tokens.append(("op", operator))
                position = match.end()
                break
        else:
            if match := re.compile(r"and\b", re.I).match(text, position):
                tokens.append(("and", None))
                position = match.end()
            elif match := filler.match(text, position):
                position = match.end()
            else:
                raise NotAFormula(text[position:].split()[0])
    return tokens


def name_at(text: str, position: int) -> tuple[str, int] | None:
    """The longest line item or measure that the text names there."""
    best: tuple[int, int, str] | None = None
    if match := _NAME.match(text, position):
        word = match.group(0)
        if word in line_items.BY_NAME or word in ratios.BY_NAME:
            best = (match.end(), 1, word)
    for rank, known in ((2, ratios.RATIOS), (1, line_items.ITEMS)):
        for one in known:
            if found := one.asked.match(text, position):
                key = (found.end(), rank, one.name)
                if best is None or key[:2] > best[:2]:
                    best = key
    return (best[2], best[0]) if best and best[0] > position else None


Tokens = Sequence[Token]


def _sum(tokens: Tokens, at: int) -> tuple[Node, int]:
    node, at = _product(tokens, at)
    while at < len(tokens) and tokens[at][0] == "op" and tokens[at][1] in ("+", "-"):
        operator = str(tokens[at][1])
        right, at = _product(tokens, at + 1)
        node = Binary(operator, node, right)
    return node, at


def _product(tokens: Tokens, at: int) -> tuple[Node, int]:
    node, at = _factor(tokens, at)
    while at < len(tokens) and tokens[at][0] == "op" and tokens[at][1] in ("*", "/"):
        operator = str(tokens[at][1])
        right, at = _factor(tokens, at + 1)
        node = Binary(operator, node, right)
    return node, at


def _factor(tokens: Tokens, at: int) -> tuple[Node, int]:
    optional, years = False, []
    while at < len(tokens) and tokens[at][0] in ("optional", "year"):
        if tokens[at][0] == "optional":
            optional = True
        else:
            years.append(int(str(tokens[at][1])))
        at += 1
    if at >= len(tokens):
        raise NotAFormula("the formula ends early")
    kind, value = tokens[at]
    if kind == "number":
        return Number(Decimal(str(value))), at + 1
    if kind in ("average", "change"):
        of, at = _factor(tokens, at + 1)
        named, at = _years(tokens, at)
        if isinstance(of, Item) and of.year and named:
            named, of = [of.year, *named], Item(of.name, 0, of.optional)
        both = tuple(sorted(set(named)))[-2:] if len(set(named)) > 1 else ()
        return (Average(of, both) if kind == "average" else Change(of, both)), at
    if kind == "(":
        node, at = _sum(tokens, at + 1)
        named, at = _years(tokens, at)
        if at >= len(tokens) or tokens[at][0] != ")":
            raise NotAFormula("a bracket is not closed")
        return node, at + 1
    if kind == "name":
        named, after = _years(tokens, at + 1)
        if len(named) > 1 and not years:
            return Item(
                str(value), 0, optional
            ), at + 1  # "... between 2019 and 2020" is of what stands before
        years = years or named[:1]
        return Item(str(value), years[0] if years else 0, optional), after
    raise NotAFormula(str(value or kind))


def _years(tokens: Tokens, at: int) -> tuple[list[int], int]:
    named: list[int] = []
    while at < len(tokens) and (
        tokens[at][0] == "year"
        or (
            tokens[at][0] in ("and", "op")
            and named
            and at + 1 < len(tokens)
            and tokens[at + 1][0] == "year"
            and tokens[at][1] in (None, "-")
        )
    ):
        if tokens[at][0] == "year":
            named.append(int(str(tokens[at][1])))
        at += 1
    return named, at


# --- computing ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Value:
    """A figure in whole units, and the working that gave it."""

    value: Decimal
    working: str


Lookup = Callable[[str, Period, bool], Value]


def evaluate(node: Node, period: Period, lookup: Lookup) -> Value:
    """The value at a period. `lookup` gives a line item or measure by name; what it raises is passed on."""
    match node:
        case Number(value):
            return Value(value, f"{value:,}")
        case Item(name, year, optional):
            return lookup(name, _at(period, year), optional)
        case Average(of, years):
            first, last = _two(period, years)
            a, b = evaluate(of, last, lookup), evaluate(of, first, lookup)
            return Value((a.value + b.value) / 2, f"({_close(a, '+')} + {_close(b, '+')}) / 2")
        case Change(of, years):
            first, last = _two(period, years)
            a, b = evaluate(of, last, lookup), evaluate(of, first, lookup)
            return Value(a.value - b.value, f"{_close(a, '-')} − {_close(b, '-', right=True)}")
        case Binary(operator, left, right):
            a, b = evaluate(left, period, lookup), evaluate(right, period, lookup)
            return apply(operator, a, b)


def apply(operator: str, a: Value, b: Value) -> Value:
    sign = {"*": "×", "-": "−"}.get(operator, operator)
    if not b.working:
        return a
    if not a.working:
        return b
    working = f"{_close(a, operator)} {sign} {_close(b, operator, right=True)}"
    try:
        value = {
            "+": lambda: a.value + b.value,
            "-": lambda: a.value - b.value,
            "*": lambda: a.value * b.value,
            "/": lambda: a.value / b.value,
        }[operator]()
    except (DivisionByZero, InvalidOperation):
        raise ZeroDivisionError(working) from None
    return Value(value, working)


def _close(value: Value, operator: str, right: bool = False) -> str:
    """Brackets around what would else be torn apart."""
    loose = re.search(r" [+−] ", re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", "", value.working))
    divides = (
        right
        and operator == "/"
        and re.search(r" [/×] ", re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", "", value.working))
    )
    if (loose and (operator in "*/" or right)) or divides:
        return f"({value.working})"
    return value.working


def _at(period: Period, year: int) -> Period:
    return Period(year, period.months) if year else period


def _two(period: Period, years: Sequence[int]) -> tuple[Period, Period]:
    if len(years) == 2:
        return Period(years[0], period.months), Period(years[1], period.months)
    return period.before(), period
