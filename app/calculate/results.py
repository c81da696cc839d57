"""The kinds of answers that figures give: a value, its change, its average, a yes or a no."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from longleaf.app.calculate.calculator import Calculator, MissingOperand
from longleaf.app.calculate.formula import Item, Node, Value, parse
from longleaf.app.calculate.question import Asked
from longleaf.app.calculate.ratios import BY_NAME as RATIOS
from longleaf.app.calculate.telling import converted, loose, lower, plain, sources, told_change, when
from longleaf.app.calculate.wording import for_working, rounded, shown, title_of, unit_of
from longleaf.app.facts.figures.line_items import BY_NAME
from longleaf.app.facts.figures.operands import Operand
from longleaf.app.facts.figures.periods import Period

Result = tuple[str, str]


def _measures(asked: Asked) -> Iterator[tuple[str, Node, str]]:
    for name, node in zip(asked.names, asked.nodes, strict=True):
        yield name, node, title_of(name, node)


def _value(asked: Asked, calculator: Calculator, period: Period) -> Result:
    texts, workings = [], []
    periods = [replace(period, year=year) for year in asked.years] if len(asked.years) > 1 else [period]
    for name, node, title in _measures(asked):
        for one in periods:
            before = len(calculator.used)
            value = calculator.value(node, one)
            used = calculator.used[before:]
            unit = unit_of(name, node)
            text = shown(
                value.value, unit, used, scale=asked.scale, decimals=asked.decimals, percent=asked.percent
            )
            if len(used) == 1 and isinstance(node, Item) and node.name in BY_NAME:
                texts.append(
                    f"{used[0].row.label or title} ({when(used)}): {converted(used[0], text, asked)}"
                )
                if asked.scale and asked.scale != used[0].scale:
                    workings.append(f"{plain(used[0])} {used[0].scale} = {for_working(text)}")
            else:
                texts.append(f"{title} ({when(used)}): {text}. {sources(used)}")
                workings.append(f"{value.working} = {for_working(text)}")
    return "; ".join(texts), "\n".join(workings)


def _two_values(
    asked: Asked, calculator: Calculator, node: Node, period: Period
) -> tuple[Value, Value, list[Operand], list[Operand]]:
    before = len(calculator.used)
    last = calculator.value(node, period)
    between = len(calculator.used)
    earlier = replace(period, year=min(asked.years)) if len(asked.years) > 1 else period.before()
    if len(asked.years) > 1 and period.year < max(asked.years):
        earlier = replace(earlier, year=earlier.year - 1)
    first = calculator.value(node, earlier)
    return first, last, calculator.used[before:between], calculator.used[between:]


def _change(asked: Asked, calculator: Calculator, period: Period) -> Result:
    texts, workings = [], []
    for name, node, title in _measures(asked):
        first, last, new, old = _two_values(asked, calculator, node, period)
        text, working = told_change(asked, name, node, title, first, last, new, old)
        texts.append(text)
        workings.append(working)
    return "; ".join(texts), "\n".join(workings)


def _direction(asked: Asked, calculator: Calculator, period: Period) -> Result:
    name, node, title = next(_measures(asked))
    first, last, new, old = _two_values(asked, calculator, node, period)
    text, working = told_change(asked, name, node, title, first, last, new, old)
    up = last.value > first.value
    better = RATIOS[name].better if name in RATIOS else 1
    if re.search(r"\bimprov|\bbetter\b", asked.words, re.IGNORECASE) and better < 0:
        up = last.value < first.value
    if re.search(r"\bworse|\bdeteriorat|\bweaken", asked.words, re.IGNORECASE) and better < 0:
        up = last.value < first.value
    agrees = up == (asked.wanted > 0) and last.value != first.value
    return (
        f"{'Yes' if agrees else 'No'}: {text[0].lower() + text[1:] if not text[:2].isupper() else text}",
        working,
    )


def _sign(asked: Asked, calculator: Calculator, period: Period) -> Result:
    name, node, title = next(_measures(asked))
    value = calculator.value(node, period)
    text = shown(
        value.value, unit_of(name, node), calculator.used, scale=asked.scale, decimals=asked.decimals
    )
    agrees = (value.value > 0) == (asked.wanted > 0) and value.value != 0
    kind = "positive" if value.value > 0 else "negative" if value.value < 0 else "nought"
    working = f"{value.working} = {for_working(text)}"
    return (
        f"{'Yes' if agrees else 'No'}: {title} is {kind}: {text} ({when(calculator.used)}). "
        f"{sources(calculator.used)}",
        working,
    )


def _average(asked: Asked, calculator: Calculator, period: Period) -> Result:
    texts, workings = [], []
    for name, node, title in _measures(asked):
        if len(asked.years) > 1:
            periods = [replace(period, year=year) for year in sorted(asked.years)]
            if len(asked.years) == 2:
                periods = [
                    replace(period, year=year) for year in range(min(asked.years), max(asked.years) + 1)
                ]
        else:
            periods = [period.before(back) for back in range((asked.span or 3) - 1, -1, -1)]
        before = len(calculator.used)
        values = [calculator.value(node, one) for one in periods]
        used = calculator.used[before:]
        unit = unit_of(name, node)
        mean = sum((value.value for value in values), Decimal(0)) / len(values)
        text = shown(mean, unit, used, scale=asked.scale, decimals=asked.decimals, percent=asked.percent)
        each = ", ".join(
            shown(value.value, unit, used, scale=asked.scale, percent=asked.percent) for value in values
        )
        texts.append(
            f"Average {lower(title)} of {len(values)} years to {when(used)}: {text} ({each}). {sources(used)}"
        )
        workings.append(
            f"({' + '.join(_product(value.working) for value in values)}) / {len(values)} = "
            f"{for_working(text)}"
        )
    return "; ".join(texts), "\n".join(workings)


def _product(working: str) -> str:
    return f"({working})" if re.search(r" [+−] ", working) else working


def _cagr(asked: Asked, calculator: Calculator, period: Period) -> Result:
    _, node, title = next(_measures(asked))
    years = max(asked.years) - min(asked.years) if len(asked.years) > 1 else asked.span
    if not years:
        return "", ""
    earlier = replace(period, year=min(asked.years)) if len(asked.years) > 1 else period.before(years)
    before = len(calculator.used)
    last = calculator.value(node, period)
    first = calculator.value(node, earlier)
    used = calculator.used[before:]
    if first.value <= 0 or last.value <= 0:
        raise ZeroDivisionError("a growth rate needs two positive figures")
    rate = (last.value / first.value) ** (Decimal(1) / years) - 1
    text = shown(rate, "percent", used, decimals=asked.decimals, percent=True)
    working = f"({loose(last.working)} / {loose(first.working)})^(1/{years}) − 1 = {for_working(text)}"
    return (
        f"Compound annual growth of {lower(title)} over {years} years to {when(used)}: {text}. "
        f"{sources(used)}",
        working,
    )


def _steady(asked: Asked, calculator: Calculator, period: Period) -> Result:
    name, node, title = next(_measures(asked))
    unit = unit_of(name, node)
    values: list[tuple[Value, list[Operand]]] = []
    for back in range(3):
        before = len(calculator.used)
        try:
            value = calculator.value(node, period.before(back) if back else period)
        except MissingOperand:
            if back < 2:
                raise
            del calculator.used[before:]
            break
        values.append((value, calculator.used[before:]))
    figures = ", ".join(f"{shown(value.value, unit, used)} ({when(used)})" for value, used in values)
    moves = [
        abs(a[0].value - b[0].value) if unit == "percent" else abs(a[0].value - b[0].value) / abs(b[0].value)
        for a, b in pairwise(values)
    ]
    most = rounded(max(moves) * 100, 1)
    what = "percentage points" if unit == "percent" else "%"
    working = "; ".join(
        f"{value.working} = {for_working(shown(value.value, unit, used))}" for value, used in values
    )
    head = ""
    if asked.limit:
        steady = max(moves) * 100 <= Decimal(asked.limit)
        head = "Yes: " if steady == (asked.wanted > 0) else "No: "
    return (
        f"{head}{title} moved by at most {most} {what} a year: {figures}. {sources(calculator.used)}",
        working,
    )


def _most_cash(asked: Asked, calculator: Calculator, period: Period) -> Result:
    found = []
    for name in ("cfo", "cfi", "cff"):
        value = calculator.value(Item(name), period)
        found.append((value.value, title_of(name, Item(name)), calculator.used[-1]))
    found.sort(key=lambda one: one[0], reverse=True)
    told = [
        f"{title.removeprefix('Cash from ')} {shown(value, 'amount', [operand], scale=asked.scale)}"
        for value, title, operand in found
    ]
    best = found[0][1].removeprefix("Cash from ")
    working = " > ".join(plain(operand) for _, _, operand in found)
    return (
        f"{best.capitalize()} brought in the most cash ({when(calculator.used)}): {', '.join(told)}. "
        f"{sources(calculator.used)}",
        working,
    )


_INTENSITY = (
    ("Capital expenditures to revenue", "capex / revenue"),
    ("Net property, plant and equipment to total assets", "ppe / total_assets"),
    ("Net income to total assets at the year's end", "net_income / total_assets"),
)


def _intensity(asked: Asked, calculator: Calculator, period: Period) -> Result:
    """A judgement, for which the figures are given."""
    told, workings = [], []
    problem: MissingOperand | None = None
    for title, formula in _INTENSITY:
        before = len(calculator.used)
        try:
            value = calculator.value(parse(formula), period)
        except MissingOperand as error:
            problem = error
            del calculator.used[before:]
            continue
        text = shown(value.value, "percent", calculator.used)
        told.append(f"{title}: {text}")
        workings.append(f"{value.working} = {for_working(text)}")
    if not told and problem:
        raise problem
    return (
        f"Figures by which to judge it ({when(calculator.used)}): {'; '.join(told)}. "
        f"{sources(calculator.used)}",
        "\n".join(workings),
    )


def _liquidity(asked: Asked, calculator: Calculator, period: Period) -> Result:
    _, node, title = next(_measures(asked))
    value = calculator.value(node, period)
    text = shown(value.value, "times", calculator.used, decimals=asked.decimals)
    above = value.value >= 1
    mark = "at or above" if above else "below"
    return (
        f"{'Yes' if above else 'No'}, by the usual mark of 1.0: {lower(title)} is {text} "
        f"({when(calculator.used)}), {mark} it. {sources(calculator.used)}",
        f"{value.working} = {text}",
    )


def _paid(asked: Asked, calculator: Calculator, period: Period) -> Result:
    _, node, title = next(_measures(asked))
    value = calculator.value(node, period)
    text = shown(value.value, "amount", calculator.used, scale=asked.scale)
    return (
        f"{'Yes' if value.value > 0 else 'No'}: {lower(title)} {text} ({when(calculator.used)}). "
        f"{sources(calculator.used)}",
        f"{value.working} = {text}",
    )


RESULTS: dict[str, Callable[[Asked, Calculator, Period], Result]] = {
    "value": _value,
    "change": _change,
    "average": _average,
    "cagr": _cagr,
    "direction": _direction,
    "sign": _sign,
    "steady": _steady,
    "most_cash": _most_cash,
    "intensity": _intensity,
    "liquidity": _liquidity,
    "paid": _paid,
}
