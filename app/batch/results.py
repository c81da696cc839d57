"""The files of a batch that tell of all its documents: matrix, register, answers, run.json and a report."""

from __future__ import annotations

import html
import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

from longleaf import __version__
from longleaf.app.batch.options import BatchOptions
from longleaf.app.batch.run import counts, each_fact
from longleaf.app.batch.schema import BatchReport, Item
from longleaf.app.compare.comparison import value_of
from longleaf.app.export.answer_table import write_answers
from longleaf.app.export.register_files import write_registers
from longleaf.app.export.tables import Cell, Sheet, csv_table, workbook
from longleaf.app.obligations.calendar import calendar_of
from longleaf.app.output_file import write_file
from longleaf.app.schema import KeyFact

STATUS_WORDS = {
    "done": "done",
    "done_with_gaps": "done, with gaps",
    "failed": "failed",
    "skipped": "skipped",
    "pending": "not reached",
}
_SOON = timedelta(days=90)
_OWN = frozenset(("parties", "agreement_date", "effective_date", "expiration_date", "term"))
_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#1c2733}"
    "table{border-collapse:collapse;width:100%}h2{margin-top:2rem}"
    "td{border-bottom:1px solid #d5dbe1;padding:.3rem .5rem;text-align:left;vertical-align:top}"
)
_FIXED = ("File", "Status", "Why", "Kind", "Pages", "Gaps")


def write_results(
    items: Sequence[Item],
    options: BatchOptions,
    output: Path,
    models: dict[str, str],
    seconds: float,
    today: date,
) -> BatchReport:
    """Writes them all, each whole, and returns what run.json says. The same numbers stand in all of them."""
    report = BatchReport(
        version=__version__,
        do=list(options.do),
        models=models,
        counts=counts(items),
        seconds=round(seconds, 1),
        items=list(items),
    )
    titles = dict(each_fact(items))
    head = [*_FIXED, *titles.values()]
    rows = [[*_about(item), *_values(item, titles)] for item in items]
    write_file(output / "matrix.xlsx", workbook([Sheet("Matrix", head, rows, dict(_links(items, titles)))]))
    write_file(output / "matrix.csv", csv_table(head, rows))
    _write_parquet(head, rows, output / "matrix.parquet")
    if registers := [item.result.register_ for item in items if item.result.register_ is not None]:
        write_registers(registers, output / "obligations.xlsx")
        write_registers(registers, output / "obligations.ics")
    if answers := [answer for item in items for answer in item.result.answers]:
        write_answers(answers, output / "answers.xlsx")
    write_file(output / "report.html", _page(report, titles, today).encode())
    write_file(output / "run.json", report.model_dump_json(by_alias=True, indent=1).encode())
    return report


def _about(item: Item) -> list[Cell]:
    pages: Cell = item.result.page_count or None
    gaps = "; ".join(gap.detail for gap in item.result.gaps)
    return [item.name, STATUS_WORDS[item.status], item.reason, item.result.kind, pages, gaps]


def _values(item: Item, titles: dict[str, str]) -> Iterator[Cell]:
    facts = {fact.name: fact for fact in item.result.facts}
    for name in titles:
        yield said(facts[name]) if name in facts else None


def said(fact: KeyFact) -> str:
    """Its value; what the document does not say is told as such."""
    return value_of(fact) or "not found"


def _links(items: Sequence[Item], titles: dict[str, str]) -> Iterator[tuple[tuple[int, int], str]]:
    """Each value leads to its page; documents out of a ZIP or a message have no address of their own."""
    for row, item in enumerate(items):
        path = Path(item.name)
        if not path.is_file():
            continue
        facts = {fact.name: fact for fact in item.result.facts}
        for column, name in enumerate(titles):
            if name in facts and facts[name].citations:
                page = facts[name].citations[0].page_index + 1
                yield (row, len(_FIXED) + column), f"{path.resolve().as_uri()}#page={page}"


def _write_parquet(head: Sequence[str], rows: Sequence[Sequence[Cell]], path: Path) -> None:
    """Only where pyarrow is installed (longleaf[parquet])."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        path.unlink(missing_ok=True)  # an old one would tell of another run
        return
    columns = [[None if row[n] is None else str(row[n]) for row in rows] for n in range(len(head))]
    buffer = io.BytesIO()
    parquet.write_table(pyarrow.table(columns, names=list(head)), buffer)
    write_file(path, buffer.getvalue())


def _page(report: BatchReport, titles: dict[str, str], today: date) -> str:
    """One page of HTML that needs nothing else, to be mailed."""
    tell = html.escape
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><title>Longleaf batch</title>",
        f"<style>{_STYLE}</style>",
        f"<h1>{len(report.items)} documents</h1><p>",
        ", ".join(f"{count} {STATUS_WORDS[status]}" for status, count in report.counts.items()),
        f"; {report.seconds:,.0f} s. Longleaf {tell(report.version)}.</p>",
    ]
    for title, rows in (
        (
            "What was not read",
            [(i.name, f"{STATUS_WORDS[i.status]}: {i.reason}") for i in report.items if i.reason],
        ),
        (
            "Gaps",
            [(i.name, "; ".join(g.detail for g in i.result.gaps)) for i in report.items if i.result.gaps],
        ),
        ("Deadlines of the next 90 days", list(_deadlines(report.items, today))),
        ("Unlike most of the others", list(_outliers(report.items, titles))),
    ):
        parts.append(f"<h2>{title}</h2>")
        parts.append("".join(_table(rows, tell)) if rows else "<p>None.</p>")
    return "\n".join(parts) + "\n"


def _table(rows: Sequence[tuple[str, str]], tell: Callable[[str], str]) -> Iterator[str]:
    yield "<table>"
    for name, what in rows:
        yield f"<tr><td>{tell(name)}</td><td>{tell(what)}</td></tr>"
    yield "</table>"


def _deadlines(items: Sequence[Item], today: date) -> Iterator[tuple[str, str]]:
    due: list[tuple[str, str, str]] = []
    for item in items:
        register = item.result.register_
        calendar = register.calendar if register else calendar_of(item.result.facts, [])
        for entry in calendar:
            if today <= date.fromisoformat(entry.date) <= today + _SOON:
                working = f" ({entry.working})" if entry.working else ""
                due.append((entry.date, item.name, f"{entry.title}{working}"))
    for day, name, what in sorted(due):
        yield name, f"{day}: {what}"


def _outliers(items: Sequence[Item], titles: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Values of a fact that differ from what more than half of at least five documents of the kind say."""
    for kind in sorted({item.result.kind for item in items if item.result.facts}):
        of_kind = [item for item in items if item.result.kind == kind and item.result.facts]
        for name in titles:
            if name in _OWN or len(of_kind) < 5:
                continue
            values = {i.name: said(f) for i in of_kind for f in i.result.facts if f.name == name}
            most, count = Counter(values.values()).most_common(1)[0] if values else ("", 0)
            if count * 2 > len(of_kind):
                for file, value in values.items():
                    if value != most:
                        yield file, f"{titles[name]}: {value} (most: {most})"
