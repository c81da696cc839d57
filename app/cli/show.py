"""Briefs and answers in the terminal: gaps first, then facts as they come, each with its page."""

from __future__ import annotations

from collections.abc import Sequence

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from longleaf.app.cli.output import gap_line, out
from longleaf.app.export import phrases
from longleaf.app.export.phrases import by_topic
from longleaf.app.schema import (
    Answer,
    Brief,
    Citation,
    GapReport,
    KeyFact,
    RankedChunk,
    Statement,
    Status,
    Usage,
    Verification,
)
from longleaf.app.text.printable import plain_text

_STYLES: dict[Status, str] = {
    "quoted": "green",
    "generated": "cyan",
    "computed": "cyan",
    "passage": "yellow",
    "not_found": "yellow",
}
_MARGIN = 2
_MOST_RUNS = 12  # of pages that were searched
_PASSAGE = 240  # characters


def opening(title: str, gaps: Sequence[GapReport]) -> None:
    """What is read, and what of it cannot be."""
    out.print(Text(title, style="bold"))
    for gap in gaps:
        out.print(Text(f"! {gap_line(gap)}", style="bold yellow"))
    out.print(Text("\nKey facts", style="bold"))


def fact(fact: KeyFact) -> None:
    _statement(fact, title=fact.title)


def rest(brief: Brief, gaps_shown: int) -> None:
    """All of a brief that comes after its key facts, and the gaps that only summarizing could find."""
    for gap in brief.gaps[gaps_shown:]:
        out.print(Text(f"! {gap_line(gap)}", style="bold yellow"))
    for topic, said in by_topic(brief.overview):
        out.print(Text(f"\n{topic or 'Overview'}", style="bold"))
        for each in said:
            _statement(each)
    if brief.sections:
        out.print(Text("\nSection by section", style="bold"))
    for section in brief.sections:
        out.print(Text.assemble((section.title, "bold"), (f"  p. {phrases.page_span(section)}", "dim")))
        for statement in section.statements:
            _statement(statement)
    _footer(brief.verification, brief.usage)


def asked(answer: Answer) -> None:
    out.print(Text(f"{', '.join(answer.files)}: {answer.question}", style="bold"))


def answer(answer: Answer) -> None:
    for gap in answer.gaps:
        out.print(Text(f"! {gap_line(gap, name_file=True)}", style="bold yellow"))
    several = len(answer.files) > 1
    if answer.answer.status == "passage":
        out.print(Text("Nothing is proven; these may answer it:", style="yellow"))
    shown = answer.passages if answer.answer.status == "passage" else answer.pieces
    for statement in shown or [answer.answer]:
        _statement(statement, name_files=several)
    if answer.answer.status == "not_found" and answer.passages:
        out.print(Text(f"{phrases.PASSAGES_TITLE}:", style="dim"))
        for statement in answer.passages:
            _statement(statement, name_files=several)
    if answer.answer.working:
        _indented(Text(answer.answer.working, style="dim"), 2)
    if answer.answer.status != "not_found" and answer.not_found_in:
        out.print(Text(f"Not found in: {', '.join(answer.not_found_in)}", style="dim"))
    _footer(answer.verification, answer.usage)


def ranked(chunks: Sequence[RankedChunk]) -> None:
    """Passages as a table, best first; their first words only, as each can be a page long."""
    if not chunks:
        out.print("nothing in these files has a word of it")
        return
    several = len({chunk.file for chunk in chunks}) > 1
    columns = ["", *(["file"] if several else []), "page", "section", "passage"]
    table = Table(*columns, box=None, header_style="bold")
    for rank, chunk in enumerate(chunks, 1):
        passage = " ".join(chunk.text.split())
        table.add_row(
            str(rank),
            *([Text(chunk.file, style="dim", overflow="fold")] if several else []),
            Text(phrases.page_span(chunk), style="magenta"),
            Text(chunk.headings[-1] if chunk.headings else "", style="bold"),
            Text(f"[{chunk.reference}] " if chunk.reference else "", style="dim")
            + Text(passage if len(passage) <= _PASSAGE else f"{passage[:_PASSAGE]}…"),
        )
    out.print(table)


def _statement(statement: Statement, *, title: str = "", name_files: bool = False) -> None:
    line = Text()
    if title:
        line.append(f"{title}: ", style="bold")
    line.append(" ".join(statement.text.split()), style=_STYLES[statement.status])
    line.append(f"  [{phrases.STATUS_WORDS[statement.status]}]", style="dim")
    _indented(line, 1)
    for citation in statement.citations:
        _indented(_citation(citation, name_files, statement.text), 2)
    if statement.status == "not_found" and statement.pages_searched:
        _indented(Text(phrases.pages_searched(statement, _MOST_RUNS), style="dim"), 2)


def _citation(citation: Citation, name_file: bool, stated: str) -> Text:
    line = Text()
    if name_file:
        line.append(f"{citation.file} ", style="dim")
    line.append(f"p. {citation.page_label}", style="magenta")
    if str(citation.page_index + 1) != citation.page_label:
        line.append(f" (position {citation.page_index + 1})", style="dim")
    if citation.ocr_confidence is not None:
        line.append(f" (OCR, confidence {citation.ocr_confidence:.0%})", style="yellow")
    quote = " ".join(citation.quote.split())
    if quote != " ".join(stated.split()):
        line.append(f" “{quote}”", style="dim")
    return line


def _indented(line: Text, depth: int) -> None:
    """Wrapped with a hanging margin on a terminal; whole on one line for a pipe or a file."""
    margin = depth * _MARGIN
    if out.is_terminal:
        out.print(Padding(line, (0, 0, 0, margin)), soft_wrap=False)
    else:
        out.print(Text(" " * margin).append_text(line))


def _footer(verification: Verification, usage: Usage) -> None:
    words = f"{phrases.usage_words(usage)}. {phrases.verification_words(verification)}"
    out.print(Text(f"\n{plain_text(words)}", style="dim"))
