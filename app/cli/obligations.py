"""`longleaf obligations`: who must, may and must not do what, by when."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from longleaf.app.cli import options
from longleaf.app.cli.documents import FILE, check_output, for_each, opened
from longleaf.app.cli.output import err, gap_line, out, print_results, reading_bar

if TYPE_CHECKING:
    from longleaf.app.obligations.schema import Register
    from longleaf.app.workspace import WorkspaceOptions


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILES...")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write all of them to one .xlsx, .csv or .json file; or the days in them to an .ics calendar.",
)
@options.workspace(engine=False)
@options.pages
@options.as_json
def obligations(
    files: tuple[Path, ...], output: Path | None, opening: WorkspaceOptions, pages: str | None, as_json: bool
) -> None:
    """Every duty, right and prohibition of the FILES by party, with by when and under which condition.

    After them stand the days that matter: those named, and those that follow from term, renewal and notice,
    each with its working. A folder stands for the files in it.
    """
    from longleaf.app.export.register_files import SUFFIXES, write_registers

    if output is not None:
        check_output(output, files, SUFFIXES, several=True)

    def register_of(file: Path, name: str) -> Register:
        with reading_bar(name) as bar:
            reading = workspace.read(file, name=name, pages=pages, progress=bar)
        register = workspace.obligations(reading)
        if not as_json and output is None:
            _show(register)
        return register

    with opened(opening) as workspace:
        registers, failed, several = for_each(files, register_of)
    if output is not None and registers:
        write_registers(registers, output)
        err.print(f"wrote {output}", markup=False)
    if as_json and registers:
        print_results(registers, several)
    sys.exit(1 if failed else 0)


def _show(register: Register) -> None:
    out.print(register.file, style="bold", markup=False)
    for gap in register.gaps:
        err.print(gap_line(gap), markup=False)
    for party, group in groupby(register.obligations, key=lambda o: o.party):
        each = list(group)
        name = next((f" ({o.party_name})" for o in each if o.party_name and o.party_name != party), "")
        out.print(f"\n{party or 'Nobody named'}{name}", style="bold", markup=False)
        for o in each:
            page = f"p. {o.citations[0].page_label}" if o.citations else ""
            out.print(f"  {o.modal} {o.action}", markup=False)
            notes = [f"to {o.towards}" if o.towards else "", o.deadline, o.condition, page]
            out.print(f"    {o.kind} · " + " · ".join(filter(None, notes)), style="dim", markup=False)
    if register.calendar:
        out.print("\nCalendar", style="bold")
        for entry in register.calendar:
            working = f"  ({entry.working})" if entry.working else ""
            out.print(f"  {entry.date}  {entry.title}{working}", markup=False)
    if not register.obligations:
        out.print("  no sentence of it says that anybody must, may or must not do anything", markup=False)
