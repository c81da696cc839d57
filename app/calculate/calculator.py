"""Line items and measures by name, over one or several reports of a company."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from longleaf.app.calculate import ratios
from longleaf.app.calculate.formula import Node, Value, evaluate, parse
from longleaf.app.facts.figures import line_items
from longleaf.app.facts.figures.operands import Missing, Operand, find_operand
from longleaf.app.facts.figures.periods import Period
from longleaf.app.facts.figures.statements import Report
from longleaf.app.text.statement_pages import STATEMENTS


class MissingOperand(Exception):
    """A figure that a formula needs is not there, or not told apart."""

    def __init__(self, missing: Missing) -> None:
        super().__init__(str(missing))
        self.missing = missing


class Calculator:
    """Computes formulas and remembers the figures that it used, in order.

    Of several reports that have a figure it is the newest one's, which may have restated it.
    """

    def __init__(self, reports: Sequence[Report], definitions: Mapping[str, Node]) -> None:
        self._reports = sorted(reports, key=lambda report: report.newest, reverse=True)
        self._definitions = definitions
        self._open: list[str] = []
        first = [found for report in reports for kind in STATEMENTS for found in report.statements(kind)[:1]]
        self._mixed = len({found.table.scale for found in first}) > 1  # of reports in unlike units
        self._scaled = False
        self.used: list[Operand] = []

    def value(self, node: Node, period: Period) -> Value:
        """The value with its working, in the statements' unit if that is one, else with each figure's own."""
        before = len(self.used)
        self._scaled = self._mixed
        found = evaluate(node, period, self._lookup)
        if len({(operand.scale, operand.currency) for operand in self.used[before:]}) > 1:
            del self.used[before:]
            self._scaled = True
            found = evaluate(node, period, self._lookup)
        return found

    def _lookup(self, name: str, period: Period, optional: bool) -> Value:
        if name in self._definitions and name not in self._open:
            return self._measure(name, self._definitions[name], period)
        if name in ratios.BY_NAME:
            return self._measure(name, parse(ratios.BY_NAME[name].formula), period)
        item = line_items.BY_NAME[name]
        missing = Missing(item.title, period)
        for number, report in enumerate(self._reports):
            found = find_operand(report, item, period)
            if isinstance(found, Missing):
                missing = found if number == 0 or found.reason.startswith("ambiguous") else missing
                continue
            operands = [_signed(report, item.name, operand, period) for operand in found]
            self.used.extend(operands)
            return Value(
                sum((o.value for o in operands), Decimal(0)), " + ".join(self._shown(o) for o in operands)
            )
        if item.derived and name not in self._open:
            return self._measure(name, parse(item.derived), period)
        if optional:
            return Value(Decimal(0), "")
        raise MissingOperand(missing)

    def _measure(self, name: str, node: Node, period: Period) -> Value:
        self._open.append(name)
        try:
            return evaluate(node, period, self._lookup)
        finally:
            self._open.pop()

    def _shown(self, operand: Operand) -> str:
        text = figure(operand.shown)
        if self._scaled and operand.scale:
            text = f"{text} {operand.scale}"
        return f"({text})" if operand.shown < 0 else text


def figure(value: Decimal) -> str:
    """Digits in groups, with the decimals it has; a true minus sign."""
    return f"{value:,f}".replace("-", "−")


def _signed(report: Report, name: str, operand: Operand, period: Period) -> Operand:
    """An income tax with the sign of an expense: what leads from the income before it to the one after it."""
    if name != "income_tax":
        return operand
    beside = []
    for other in ("pretax_income", "net_income"):
        found = find_operand(report, line_items.BY_NAME[other], period)
        if isinstance(found, Missing) or found[0].table is not operand.table:
            return operand
        beside.append(found[0].shown)
    before, after = beside
    flipped = abs(before + operand.shown - after) < abs(before - operand.shown - after)
    if not flipped:
        return operand

    return replace(operand, shown=-operand.shown, value=-operand.value)
