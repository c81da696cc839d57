"""What commands print: JSON and results on stdout; progress, licences and errors on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from longleaf.app.text.printable import plain_text
from longleaf.engine.models.store import OnProgress, Progress
from longleaf.engine.models.store import show as model_info

if TYPE_CHECKING:
    from pydantic import BaseModel

    from longleaf.app.schema import GapReport

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(value: object) -> None:
    """One JSON value, written plainly: no colours, no wrapping."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=1) + "\n")
    sys.stdout.flush()


def print_results(results: Sequence[BaseModel], several: bool) -> None:
    """As JSON: a list if several were asked for, else the one that there is."""
    plain = [result.model_dump(mode="json") for result in results]
    print_json(plain if several else plain[0])


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar of done/total on stderr, only when that is a terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bars(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def gap_line(gap: GapReport, *, name_file: bool = False) -> str:
    """What could not be read, and where; it may quote the file."""
    from longleaf.app.export.phrases import gap_words  # with pydantic, which many commands do without

    return plain_text(gap_words(gap, name_file=name_file))


def reading_bar(name: str) -> AbstractContextManager[Callable[[int, int], None]]:
    """`counting` for the pages of a document, known by the last part of its name."""
    return counting(f"reading {plain_text(Path(name).name)}")


@contextmanager
def pulling() -> Iterator[OnProgress]:
    """A bar of bytes for each model under way; the licence line of each is printed first."""
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeElapsedColumn())
    with Bars(*columns, console=err, disable=not err.is_terminal) as bars:
        tasks: dict[str, TaskID] = {}

        def show(progress: Progress) -> None:
            if progress.model not in tasks:
                err.print(model_info(progress.model).licence_line)
                tasks[progress.model] = bars.add_task(progress.model, total=None)
            bars.update(tasks[progress.model], completed=progress.done, total=progress.total or None)

        yield show


@contextmanager
def waiting(what: str) -> Iterator[Callable[[str], None]]:
    """A spinner on stderr that says what is under way, only when that is a terminal."""
    if not err.is_terminal:
        yield lambda text: None
        return
    with err.status(what) as status:
        yield lambda text: status.update(text)
