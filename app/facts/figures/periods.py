"""Which column of a table is of the period that is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from longleaf.app.facts.figures.column_heads import Column
from longleaf.app.facts.figures.figure_tables import Table
from longleaf.app.facts.figures.statements import Report


@dataclass(frozen=True, slots=True)
class Period:
    """`year` 0 is the newest; `months` 0 the report's own length; `back` so many years before."""

    year: int = 0
    months: int = 0
    date: str = ""
    back: int = 0

    def before(self, years: int = 1) -> Period:
        if self.year:
            return Period(self.year - years, self.months, "", self.back)
        return Period(0, self.months, self.date, self.back + years)

    def __str__(self) -> str:
        if self.date:
            return self.date
        if self.year:
            return str(self.year)
        return "the newest period" if not self.back else f"{self.back} year before the newest period"


def columns_for(report: Report, table: Table, period: Period, *, instant: bool) -> list[int]:
    """The columns of that period; several where the table has more than one of them."""
    amounts = [i for i, column in enumerate(table.columns) if column.kind == "amount" and column.year]
    if not amounts:
        return []
    chosen = (
        _of_date(table, amounts, period.date) if period.date else _of_year(report, table, amounts, period)
    )
    if instant:
        return _end_of(table, chosen)
    return _of_length(report, table, chosen, period.months)


def _of_date(table: Table, amounts: list[int], date: str) -> list[int]:
    return [i for i in amounts if table.columns[i].date == date]


def _of_year(report: Report, table: Table, amounts: list[int], period: Period) -> list[int]:
    years = {i: report.year(table.columns[i]) for i in amounts}
    if not period.year:
        newest = max(years.values())
        return [i for i, year in years.items() if year == newest - period.back]
    chosen = [i for i, year in years.items() if year == period.year]
    if not chosen and period.year > max(years.values()):
        # Asked for by the calendar year it ends in, or by the year that the quarter belongs to.
        chosen = [i for i in amounts if table.columns[i].year == period.year]
    return chosen


def _end_of(table: Table, chosen: list[int]) -> list[int]:
    """Of several days of one year the last."""
    days = {i: table.columns[i].date for i in chosen}
    if len(chosen) < 2 or not all(days.values()):
        return chosen
    return [i for i in chosen if days[i] == max(days.values())]


def _of_length(report: Report, table: Table, chosen: list[int], months: int) -> list[int]:
    lengths = {table.columns[i].months for i in chosen}
    if months:
        exact = [i for i in chosen if table.columns[i].months == months]
        unsaid = [i for i in chosen if table.columns[i].months == 0]
        return exact or (unsaid if months == (12 if report.annual else 3) else [])
    if report.annual and 12 not in lengths and lengths - {0}:
        return []  # a quarter of a report that has the year
    if len(lengths) > 1:
        wanted = 12 if 12 in lengths else min(lengths - {0}, default=0)
        return [i for i in chosen if table.columns[i].months == wanted]
    return chosen


def period_words(column: Column) -> str:
    """A column's period for people: "year ended 2022-12-31"."""
    length = {3: "quarter ", 6: "six months ", 9: "nine months ", 12: "year "}.get(column.months, "")
    if column.date:
        return f"{length}ended {column.date}" if length else column.date
    return f"{length}{column.year}"
