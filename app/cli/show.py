"""Briefs and answers in the terminal: gaps first, then facts as they come, each with its page."""

from __future__ import annotations

from collections.abc import Sequence

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from longleaf.app.cli.output import gap_line, out
from longleaf.app.export.phrases import positions
from longleaf.app.schema import (
    Answer,
    Brief,
    Citation,
    GapReport,
    KeyFact,
    RankedChunk,
    Statement,
    Usage,
    Verification,
)
from longleaf.app.text.printable import plain_text

_STYLES = {"quoted": "green", "generated": "cyan", "not_found": "yellow"}
_MARGIN = 2
_MAX_PAGES = 12
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
        out.print(Text(f"! {plain_text(gap.detail)}", style="bold yellow"))
    if brief.overview:
        out.print(Text("\nOverview", style="bold"))
        for statement in brief.overview:
            _statement(statement)
    if brief.sections:
        out.print(Text("\nSection by section", style="bold"))
    for section in brief.sections:
        pages = section.page_label_start
        if section.page_index_end != section.page_index_start:
            pages += f"–{section.page_label_end}"
        out.print(Text.assemble((section.title, "bold"), (f"  p. {pages}", "dim")))
        for statement in section.statements:
            _statement(statement)
    _footer(brief.verification, brief.usage)


def answer(answer: Answer) -> None:
    for gap in answer.gaps:
        out.print(Text(f"! {gap.file}: {gap_line(gap)}", style="bold yellow"))
    _statement(answer.answer, name_files=len(answer.files) > 1)
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
        page = chunk.page_label_start
        if chunk.page_index_end != chunk.page_index_start:
            page += f"–{chunk.page_label_end}"
        passage = " ".join(chunk.text.split())
        table.add_row(
            str(rank),
            *([Text(chunk.file, style="dim", overflow="fold")] if several else []),
            Text(page, style="magenta"),
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
    line.append(f"  [{statement.status.replace('_', ' ')}]", style="dim")
    _indented(line, 1)
    for citation in statement.citations:
        _indented(_citation(citation, name_files, statement.text), 2)
    if statement.status == "not_found" and statement.pages_searched:
        _indented(Text(f"searched {_positions(statement.pages_searched)}", style="dim"), 2)


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


def _positions(page_indexes: Sequence[int]) -> str:
    """0-based indexes as 1-based positions, runs joined, the first few of them."""
    runs = positions(page_indexes).split(", ")
    more = f" and {len(runs) - _MAX_PAGES} more runs" if len(runs) > _MAX_PAGES else ""
    return "pages at positions " + ", ".join(runs[:_MAX_PAGES]) + more


def _footer(verification: Verification, usage: Usage) -> None:
    first = "–" if usage.seconds_to_first_token is None else f"{usage.seconds_to_first_token:.1f} s"
    model = (
        f"{usage.model}: {usage.prompt_tokens:,} prompt tokens ({usage.reused_tokens:,} reused), "
        f"{usage.generated_tokens:,} generated, first after {first}"
    )
    out.print(
        Text(
            f"\n{model if usage.prompt_tokens else 'no model was needed'}, {usage.seconds:.1f} s in all; "
            f"{verification.checked} generated statements checked, "
            f"{verification.replaced} replaced by quotes",
            style="dim",
        )
    )
