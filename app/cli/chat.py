"""`longleaf chat`: a conversation over some documents that can go on later."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from longleaf import LongleafError
from longleaf.app.cli import options
from longleaf.app.cli.documents import FILE, check_output, for_each, opened
from longleaf.app.cli.output import err, out, print_json, reading_bar, waiting
from longleaf.app.text.printable import plain_text

if TYPE_CHECKING:
    from longleaf.app.schema import Thread
    from longleaf.app.workspace import Reading, Workspace, WorkspaceOptions


@click.command()
@click.argument("files", nargs=-1, type=FILE, metavar="[FILES...]")
@click.option("--thread", "thread_id", default=None, help="Begin or go on with the thread of this name.")
@click.option("--list", "listing", is_flag=True, help="Name the threads that are kept, and end.")
@options.workspace(engine=True)
@options.as_json
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="At the end, write the thread with its citations to a .md, .json or .docx file.",
)
def chat(
    files: tuple[Path, ...],
    thread_id: str | None,
    listing: bool,
    opening: WorkspaceOptions,
    as_json: bool,
    output: Path | None,
) -> None:
    """Ask the FILES one question after the other; a follow-up may lean on what was asked before.

    "And in 2021?", "what about the other party?" and "by when?" are understood from the question before, and
    the question as it was understood is shown. An empty line or Ctrl-D ends it. The thread is kept in the
    Library: `--thread NAME` without FILES goes on with it.
    """
    from longleaf.app.export.markdown_docx import SUFFIXES, write_brief
    from longleaf.app.library.threads import saved_thread, threads
    from longleaf.app.schema import Thread

    if output:
        check_output(output, files, SUFFIXES, several=True)

    def read(file: Path, name: str) -> Reading:
        with reading_bar(name) as bar:
            return workspace.read(file, name=name, progress=bar)

    with opened(opening) as workspace:
        if listing:
            for each, changed in threads(workspace.library):
                out.print(f"{each}  {changed[:16]}", markup=False)
            return
        kept = saved_thread(workspace.library, thread_id) if thread_id else None
        if files:
            readings, failed, _ = for_each(files, read)
        elif kept is None:
            what = f"there is no thread {thread_id!r}" if thread_id else "no FILE is given"
            raise click.UsageError(f"{what}; name the FILES to ask")
        else:
            readings, failed = _again(workspace, kept), False
        if not readings:
            sys.exit(1)
        sha256 = [reading.stored.sha256 for reading in readings]
        if kept is not None and kept.sha256 != sha256:
            raise LongleafError(
                f"the thread {thread_id!r} is about {', '.join(kept.files)}; choose another name"
            )
        thread = kept or Thread(
            id=thread_id or datetime.now().strftime("%Y%m%d-%H%M%S"),
            files=[reading.document.name for reading in readings],
            sha256=sha256,
        )
        thread = _converse(workspace, readings, thread, show_turns=not as_json)
    if output:
        write_brief(thread, output)
        err.print(f"wrote {output}", markup=False)
    if as_json:
        print_json(thread.model_dump(mode="json"))
    elif thread.turns:
        err.print(f"kept as thread {thread.id}", markup=False)
    sys.exit(1 if failed else 0)


def _again(workspace: Workspace, thread: Thread) -> list[Reading]:
    """The documents of a thread out of the Library."""
    known = {stored.sha256: stored for stored in workspace.documents()}
    missing = [name for name, sha in zip(thread.files, thread.sha256, strict=True) if sha not in known]
    if missing:
        raise LongleafError(f"{', '.join(missing)}: no longer in the library; name the FILES again")
    return [workspace.reopen(known[sha], name) for name, sha in zip(thread.files, thread.sha256, strict=True)]


def _converse(workspace: Workspace, readings: list[Reading], thread: Thread, *, show_turns: bool) -> Thread:
    """Turn by turn until an empty line or the end of the input; Ctrl-C keeps what was said."""
    from longleaf.app.cli import show

    asking = sys.stdin.isatty()
    while True:
        if asking:
            err.print("[bold]›[/bold] ", end="")
        line = sys.stdin.readline()
        question = plain_text(line.strip())
        if not line or (asking and not question):
            return thread
        if not question:
            continue
        with waiting("searching"):
            thread = workspace.follow_up(readings, thread, question)
        if show_turns:
            turn = thread.turns[-1]
            if turn.understood != turn.question:
                out.print(f"({turn.understood})", style="dim", markup=False)
            show.answer(turn.answer)
            out.print()
