"""How results are told: the periods and rows behind a figure, and a change between two of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from longleaf.app.calculate.calculator import figure
from longleaf.app.calculate.formula import Node, Value
from longleaf.app.calculate.question import Asked
from longleaf.app.calculate.wording import for_working, rounded, shown, unit_of
from longleaf.app.facts.figures.operands import Operand
from longleaf.app.facts.figures.periods import period_words


def sources(used: Sequence[Operand]) -> str:
    """The rows behind a result: "Total current assets 8,996; ... ($ million)"."""
    seen = dict.fromkeys(
        f"{operand.row.label or operand.title} {operand.cell.text} ({period_words(operand.column)})"
        for operand in used
    )
    units = dict.fromkeys(f"{operand.currency} {operand.scale}".strip() for operand in used)
    unit = ", ".join(unit for unit in units if unit)
    return "; ".join(seen) + (f"; in {unit}" if unit else "")


def when(used: Sequence[Operand]) -> str:
    """The newest period of the figures used."""
    columns = [operand.column for operand in used]
    newest = max(columns, key=lambda column: (column.date or str(column.year), column.months))
    return period_words(newest)


def plain(operand: Operand) -> str:
    text = figure(operand.shown)
    return f"({text})" if operand.shown < 0 else text


def converted(operand: Operand, text: str, asked: Asked) -> str:
    if asked.scale and asked.scale != operand.scale:
        return f"{text} ({operand.cell.text} {operand.scale})".replace(" )", ")")
    return text


def told_change(
    asked: Asked,
    name: str,
    node: Node,
    title: str,
    first: Value,
    last: Value,
    new: list[Operand],
    old: list[Operand],
) -> tuple[str, str]:
    unit = unit_of(name, node)
    difference = last.value - first.value
    verb = "rose" if difference > 0 else "fell" if difference < 0 else "did not change"
    how = {"scale": asked.scale, "percent": False}
    then, now = (shown(v.value, unit, o, **how) for v, o in ((first, old), (last, new)))  # type: ignore[arg-type]
    span = f"from {then} ({when(old)}) to {now} ({when(new)})"
    if unit in ("percent", "times", "days"):
        if unit == "percent":
            places = 1 if asked.decimals is None else asked.decimals
            moved = f"{rounded(abs(difference) * 100, places)} percentage points"
        else:
            moved = shown(abs(difference), unit, new, decimals=asked.decimals)
        text = f"{title} {verb} {span}" + (f", by {moved}" if difference else "")
        working = f"{last.working} = {for_working(now)}; {first.working} = {for_working(then)}"
        return f"{text}. {sources([*new, *old])}", working
    amount = shown(
        abs(difference), unit, new, scale=asked.scale, decimals=None if asked.percent else asked.decimals
    )
    a, b = last.working, first.working
    if first.value <= 0:
        text = f"{title} {verb} {span}" + (f", by {amount}" if difference else "")
        return f"{text}. {sources([*new, *old])}", f"{a} − {loose(b)} = {shown(difference, unit, new)}"
    share = difference / first.value
    relative = shown(share, "percent", new, decimals=asked.decimals if asked.percent else None, percent=True)
    working = f"({a} − {loose(b)}) / {loose(b)} = {for_working(relative)}"
    sizes = (
        f"{amount} ({relative})"
        if asked.difference and not asked.percent
        else f"{relative} ({amount})".replace("(−", "(")
    )
    if asked.difference:
        working = f"{a} − {loose(b)} = {shown(difference, unit, new)}; {working}"
    text = (
        f"{title} {verb} by {sizes.lstrip('−')}, {span}" if difference else f"{title} did not change: {now}"
    )
    return f"{text}. {sources([*new, *old])}", working


def loose(working: str) -> str:
    return f"({working})" if re.search(r" [+−×/] ", working) else working


def lower(title: str) -> str:
    return title if title[:2].isupper() else title[0].lower() + title[1:]
