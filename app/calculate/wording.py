"""Results for people: rounded as the question asks, in the unit it asks for."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from longleaf.app.calculate import ratios
from longleaf.app.calculate.calculator import figure
from longleaf.app.calculate.formula import Average, Binary, Change, Item, Node, Number
from longleaf.app.calculate.ratios import Unit
from longleaf.app.facts.figures import line_items
from longleaf.app.facts.figures.operands import SCALES, Operand

_DECIMALS = {"percent": 1, "times": 2, "days": 1, "per_share": 2}


def unit_of(name: str, node: Node) -> Unit:
    """What a measure's result is: money, money a share, days, a percentage or a plain ratio."""
    if name in ratios.BY_NAME:
        return ratios.BY_NAME[name].unit
    match node:
        case Item(item):
            if item in ratios.BY_NAME:
                return ratios.BY_NAME[item].unit
            return "per_share" if line_items.BY_NAME[item].kind == "per_share" else "amount"
        case Average(of) | Change(of):
            return unit_of("", of)
        case Binary("/", left, right):
            if unit_of("", left) == "days" or _has_days(left):
                return "days"
            return "times" if unit_of("", right) == unit_of("", left) else unit_of("", left)
        case Binary("*", left, right):
            return unit_of("", right) if isinstance(left, Number) else unit_of("", left)
        case Binary(_, left, right):
            return unit_of("", right) if isinstance(left, Number) else unit_of("", left)
    return "times"


def _has_days(node: Node) -> bool:
    match node:
        case Number(value):
            return value in (360, 365, 366)
        case Binary(_, left, right):
            return _has_days(left) or _has_days(right)
    return False


def title_of(name: str, node: Node) -> str:
    if name in ratios.BY_NAME:
        return ratios.BY_NAME[name].title
    if name in line_items.BY_NAME:
        return line_items.BY_NAME[name].title
    match node:
        case Item(item):
            return title_of(item, Number(Decimal(0)))
        case Binary(operator, left, right):
            sign = {"*": "×", "-": "−"}.get(operator, operator)
            return f"{_bracketed(left)} {sign} {_bracketed(right)}"
        case Average(of):
            return f"average {title_of('', of).lower()}"
        case Change(of):
            return f"change in {title_of('', of).lower()}"
        case Number(value):
            return figure(value)


def _bracketed(node: Node) -> str:
    title = title_of("", node)
    return f"({title})" if isinstance(node, Binary) else title


def rounded(value: Decimal, decimals: int) -> str:
    number = value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return figure(number if number else abs(number))


def shown(
    value: Decimal,
    unit: Unit,
    used: Sequence[Operand],
    *,
    scale: str = "",
    decimals: int | None = None,
    percent: bool = False,
) -> str:
    """A result in its unit: "65.4%", "1.11", "51.6 days", "$9,068 million"."""
    if unit == "percent" or (unit == "times" and percent):
        text = f"{rounded(value * 100, _DECIMALS['percent'] if decimals is None else decimals)}%"
        if unit == "percent" and decimals is not None and not percent:
            # Rounded as asked it may be meant as a plain ratio: "0.08".
            return f"{rounded(value, decimals)} ({rounded(value * 100, max(decimals, 1))}%)"
        return text
    if unit in ("times", "days"):
        text = rounded(value, _DECIMALS[unit] if decimals is None else decimals)
        return f"{text} days" if unit == "days" else text
    currency = next((operand.currency for operand in used if operand.currency), "")
    minus = "−" if value < 0 else ""
    if unit == "per_share":
        places = max((_places(operand.shown) for operand in used), default=2)
        places = max(2, min(places, 4)) if decimals is None else decimals
        return f"{minus}{currency}{rounded(abs(value), places)}"
    own = used[0].scale if used else ""
    wanted = scale or own
    number = abs(value) / SCALES[wanted]
    if decimals is None:
        decimals = max((_places(operand.shown) for operand in used), default=0)
        if wanted != own:
            decimals = 2 if SCALES[wanted] > SCALES[own] else 0
    return f"{minus}{currency}{rounded(number, decimals)}{' ' if wanted else ''}{wanted}"


def _places(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent < 0 else 0


def for_working(text: str) -> str:
    """A result as the working shows it: "65.4 %"."""
    return text.replace("%", " %")
