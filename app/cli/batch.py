"""`longleaf batch`: whole folders in one run that can be ended and gone on with at any moment."""

from __future__ import annotations

import sys
import time
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from longleaf import LongleafError
from longleaf.app.cli import options
from longleaf.app.cli.documents import FILE, opened
from longleaf.app.cli.output import counting, err, out, print_json

if TYPE_CHECKING:
    from longleaf.app.batch.options import BatchOptions
    from longleaf.app.batch.run import Found
    from longleaf.app.batch.schema import BatchReport, Item
    from longleaf.app.workspace import Workspace, WorkspaceOptions

_SETTLED = 2.0  # seconds without a change before files that came are read


@click.command()
@click.argument("folders", nargs=-1, required=True, type=FILE, metavar="FOLDERS...")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the results.",
)
@click.option(
    "--do", "do", default="facts", show_default=True, metavar="PARTS",
    help="Any of brief, facts, obligations, compare:STANDARD, ask:QUESTIONS.txt, with commas between.",
)  # fmt: skip
@click.option("--retry", type=click.Choice(["failed"]), help="Try again what failed in an earlier run.")
@click.option("--limit", type=click.IntRange(min=1), help="Begin at most so many files.")
@click.option("--deadline", metavar="HH:MM", help="Begin no file after this time.")
@click.option("--watch", is_flag=True, help="Go on with files as they come, until Ctrl-C.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, with an estimate of time, and end.")
@options.workspace(engine=True)
@options.as_json
def batch(
    folders: tuple[Path, ...],
    output: Path,
    do: str,
    retry: str | None,
    limit: int | None,
    deadline: str | None,
    watch: bool,
    dry_run: bool,
    opening: WorkspaceOptions,
    as_json: bool,
) -> None:
    """Read all files of the FOLDERS and write what --do names; every file is accounted for.

    The run may be ended at any moment: begun again it goes on where it stopped, and reads only files that are
    new or changed. ZIPs and messages are opened. What failed is tried again if it changed, or with --retry
    failed.
    """
    from longleaf.app.batch.options import BatchError, parse_do
    from longleaf.app.batch.run import find

    try:
        chosen = parse_do(do)
        until = _until(deadline)
    except BatchError as error:
        raise click.UsageError(str(error)) from error
    missing = [folder for folder in folders if not folder.exists()]
    if missing:
        raise click.UsageError(f"{missing[0]}: there is no such file or folder")
    output.mkdir(parents=True, exist_ok=True)
    with opened(opening) as workspace:
        found = find(folders, output)
        if dry_run:
            _estimate(workspace, found, chosen, output)
            return
        report = _run(workspace, found, chosen, output, retry == "failed", limit, until, as_json)
        while watch:
            _wait_for_files(folders)
            report = _run(workspace, find(folders, output), chosen, output, False, limit, until, as_json)
    sys.exit(1 if report.counts["failed"] or report.counts["pending"] else 0)


def _run(
    workspace: Workspace,
    found: Found,
    chosen: BatchOptions,
    output: Path,
    again: bool,
    limit: int | None,
    until: datetime | None,
    as_json: bool,
) -> BatchReport:
    from longleaf.app.batch.results import STATUS_WORDS, write_results
    from longleaf.app.batch.run import run
    from longleaf.app.text.printable import plain_text

    began = time.monotonic()
    with counting("files") as bar:

        def tell(item: Item, done: int, total: int) -> None:
            bar(done, total)
            if item.reason and item.status != "pending":
                err.print(
                    plain_text(f"{item.name}: {STATUS_WORDS[item.status]}: {item.reason}"), markup=False
                )

        items = run(workspace, found, chosen, output, again=again, limit=limit, deadline=until, on_item=tell)
    report = write_results(
        items, chosen, output, workspace.model_checksums(), time.monotonic() - began, date.today()
    )
    if as_json:
        print_json(report.model_dump(mode="json", by_alias=True, exclude={"items"}))
    else:
        told = ", ".join(f"{count} {STATUS_WORDS[status]}" for status, count in report.counts.items())
        out.print(f"{len(report.items)} documents: {told}; results in {output}", markup=False)
    return report


def _estimate(workspace: Workspace, found: Found, chosen: BatchOptions, output: Path) -> None:
    """Of time, from what files of this run took so far by their size."""
    from longleaf.app.batch.state import kept, run_id

    sizes = {str(path): path.stat().st_size for path in found.files if path.is_file()}
    before = kept(workspace.library, run_id(output))
    timed = [
        (sizes[name], item.seconds) for name, (_, item) in before.items() if name in sizes and item.seconds
    ]
    new = sum(size for name, size in sizes.items() if name not in before)
    out.print(
        f"{len(sizes)} files of {sum(sizes.values()) / 1e6:,.1f} MB: {', '.join(chosen.do)}", markup=False
    )
    out.print(f"{len(before)} documents are done or known to fail; {new / 1e6:,.1f} MB are new", markup=False)
    if timed:
        rate = sum(seconds for _, seconds in timed) / max(sum(size for size, _ in timed), 1)
        out.print(
            f"at the rate of those: {timedelta(seconds=round(new * rate / chosen.workers))} h", markup=False
        )
    else:
        out.print("no file of this run was timed yet: --limit 20 gives a rate", markup=False)
    for item in found.passed_over:
        out.print(f"{item.name}: passed over: {item.reason}", markup=False)


def _until(text: str | None) -> datetime | None:
    """The next time the clock shows it."""
    from longleaf.app.batch.options import BatchError

    if text is None:
        return None
    try:
        clock = datetime.strptime(text, "%H:%M").time()
    except ValueError:
        raise BatchError(f"--deadline {text}: give a time of day as 07:00") from None
    until = datetime.combine(date.today(), clock)
    return until if until > datetime.now() else until + timedelta(days=1)


def _wait_for_files(folders: tuple[Path, ...]) -> None:
    """Returns when something below the folders changed and then stayed as it is for a while."""
    import threading

    try:
        from watchdog.events import FileSystemEvent, FileSystemEventHandler
        from watchdog.observers import Observer
    except ImportError as error:
        raise LongleafError("--watch needs watchdog: pip install 'longleaf[watch]'") from error

    changed = threading.Event()

    class Handler(FileSystemEventHandler):
        def on_any_event(self, event: FileSystemEvent) -> None:
            if event.event_type in ("created", "modified", "moved", "closed"):
                changed.set()

    observer = Observer()
    for folder in folders:
        observer.schedule(Handler(), str(folder if folder.is_dir() else folder.parent), recursive=True)
    observer.start()
    try:
        while not changed.wait(0.5):
            pass
        while changed.is_set():
            changed.clear()
            time.sleep(_SETTLED)
    finally:
        observer.stop()
        observer.join()
