"""Comparisons, matrices and playbooks in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from longleaf.app.cli.output import gap_line, out
from longleaf.app.compare.schema import Change, Comparison, Matrix, PlaybookResult, WordOp
from longleaf.app.export.matrix_files import said
from longleaf.app.schema import Citation, GapReport

_OPS = {"equal": "", "delete": "red strike", "insert": "green underline"}
_CLASSES = {"substantive": "bold red", "wording": "yellow", "clerical": "dim"}
_RESULTS = {"pass": "green", "fail": "bold red", "missing": "yellow", "doubt": "yellow"}
_CONTEXT = 90  # characters shown on each side of words that differ


def comparison(made: Comparison) -> None:
    out.print(Text(f"{made.old_file} → {made.new_file}", style="bold"))
    for note in made.notes:
        out.print(Text(f"! {note}", style="bold yellow"))
    _gaps(made.gaps)
    counts = ", ".join(f"{n} {kind}" for kind, n in made.counts.items() if n)
    out.print(Text(f"\n{len(made.changes)} changes" + (f": {counts}" if counts else ""), style="bold"))
    for change in made.changes:
        _change(change)
    different = [pair for pair in made.key_facts if not pair.same]
    if different:
        out.print(Text("\nKey facts that differ", style="bold"))
        table = Table("", "old", "new", box=None, header_style="bold")
        for pair in different:
            table.add_row(
                Text(pair.title, style="bold"),
                Text(_valued(pair.old_value, pair.old)),
                Text(_valued(pair.new_value, pair.new)),
            )
        out.print(table)


def _change(change: Change) -> None:
    line = Text.assemble(
        (f"\n{change.id} ", "bold"),
        (change.kind, "bold"),
        "  ",
        (change.class_, _CLASSES[change.class_]),
        f"  {_pages(change.old)} → {_pages(change.new)}",
    )
    if change.topics:
        line.append(f"  [{', '.join(change.topics)}]", style="cyan")
    out.print(line)
    out.print(Text(f"  {change.reason}", style="dim"))
    if change.doubt:
        out.print(Text(f"  ! {change.doubt}", style="yellow"))
    out.print(Text("  ").append_text(_worded(change.words)))


def _worded(words: Sequence[WordOp]) -> Text:
    line = Text()
    for n, op in enumerate(words):
        text = op.text
        if op.op == "equal" and len(text) > 2 * _CONTEXT:
            head = text[:_CONTEXT] if n else ""
            tail = text[-_CONTEXT:] if n < len(words) - 1 else ""
            text = f"{head} … {tail}" if n or tail else text[: 2 * _CONTEXT] + " …"
        mark = {"delete": ("[-", "-]"), "insert": ("{+", "+}")}.get(op.op, ("", ""))
        if out.is_terminal:
            mark = ("", "")
        line.append(f"{mark[0]}{text}{mark[1]} ", style=_OPS[op.op])
    return line


def matrix(made: Matrix) -> None:
    _gaps(made.gaps)
    titles = {column.name: column.title for column in made.columns}
    for row in made.rows:
        out.print(Text(f"\n{row.file}", style="bold"))
        for cell in row.cells:
            line = Text.assemble("! " if cell.deviates else "  ", (f"{titles[cell.name]}: ", "bold"))
            out.print(line.append(said(cell), style="bold yellow" if cell.deviates else ""))
    against = made.standard or "what most contracts say"
    count = sum(cell.deviates for row in made.rows for cell in row.cells)
    out.print(Text(f"\n{count} values, marked !, deviate from {against}", style="dim"))


def outcomes(made: PlaybookResult) -> None:
    out.print(Text(f"{made.file} by {made.playbook}", style="bold"))
    _gaps(made.gaps)
    for outcome in made.outcomes:
        line = Text.assemble(
            "  ",
            (f"{outcome.result:<8}", _RESULTS[outcome.result]),
            (outcome.rule, "bold"),
            f": {outcome.reason}",
        )
        out.print(line)
        for citation in outcome.citations[:2]:
            quote = " ".join(citation.quote.split())
            out.print(Text(f"          p. {citation.page_label} “{quote[:160]}”", style="dim"))
    out.print(Text("  " + ", ".join(f"{n} {kind}" for kind, n in made.counts.items() if n), style="dim"))


def _gaps(gaps: Sequence[GapReport]) -> None:
    for gap in gaps:
        out.print(Text(f"! {gap.file}: {gap_line(gap)}", style="bold yellow"))


def _pages(citations: Sequence[Citation]) -> str:
    labels = list(dict.fromkeys(c.page_label for c in citations))
    if not labels:
        return "–"
    return f"p. {', '.join(labels[:3])}" + (" …" if len(labels) > 3 else "")


def _valued(value: str, citations: Sequence[Citation]) -> str:
    if not value:
        return "not found"
    return f"{value} (p. {citations[0].page_label})" if citations else value
