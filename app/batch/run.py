"""The run itself: which documents there are, which of them are due, and several of them at a time."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from longleaf import LongleafError
from longleaf.app.batch.options import BatchOptions
from longleaf.app.batch.process import process
from longleaf.app.batch.schema import Item, ItemStatus
from longleaf.app.batch.state import forget_others, keep, kept, run_id
from longleaf.app.inputs.folders import expand
from longleaf.app.inputs.sources import documents_in
from longleaf.app.library.indexing import reader_version
from longleaf.app.text.printable import plain_text
from longleaf.app.workspace import Reading, Workspace, code_version
from longleaf.ingest.errors import UnreadKindError

OnItem = Callable[[Item, int, int], None]  # an item, files done, files in all


@dataclass(frozen=True, slots=True)
class Found:
    """The files of the folders, and what is passed over with the reason."""

    files: list[Path]
    passed_over: list[Item]


@dataclass(slots=True)
class _Run:
    workspace: Workspace
    options: BatchOptions
    output: Path
    again: bool  # what failed is tried again
    standard: Reading | None
    key: str  # of all that results depend on besides the document
    before: dict[str, tuple[str, Item]]  # what earlier runs kept, by name
    stop: threading.Event = field(default_factory=threading.Event)


def find(paths: Iterable[Path], output: Path) -> Found:
    """All files below the folders; those that the run writes itself are no inputs."""
    passed: list[Item] = []
    own = output.resolve()

    def tell(path: Path, why: str) -> None:
        passed.append(Item(name=plain_text(str(path)), status="skipped", reason=why))

    files = [path for path in expand(paths, tell) if not path.resolve().is_relative_to(own)]
    return Found(list(dict.fromkeys(files)), passed)


def run(
    workspace: Workspace,
    found: Found,
    options: BatchOptions,
    output: Path,
    *,
    again: bool = False,
    limit: int | None = None,
    deadline: datetime | None = None,
    on_item: OnItem | None = None,
) -> list[Item]:
    """Every document with what came of it, in order of name. What an earlier run did is not done again.

    `again` tries what failed before once more; at most `limit` files are begun, and none after `deadline`:
    the rest is pending. An interruption loses nothing that was done. Raises LongleafError if the standard
    cannot be read.
    """
    standard = workspace.read(options.standard) if options.standard else None
    key = " ".join((options.key(), code_version(), reader_version(), workspace.model, workspace.ocr))
    state = _Run(workspace, options, output, again, standard, key, kept(workspace.library, run_id(output)))
    items: dict[str, Item] = {each.name: each for each in found.passed_over}
    waiting = iter(found.files)
    begun = done = 0
    with ThreadPoolExecutor(max_workers=options.workers) as pool:
        running: dict[Future[list[Item]], Path] = {}
        try:
            while True:
                while len(running) < options.workers and (path := next(waiting, None)) is not None:
                    late = deadline is not None and datetime.now() >= deadline
                    due = limit is None or not _is_kept(path, state)
                    if late or (limit is not None and due and begun >= limit):
                        items[plain_text(str(path))] = _pending(
                            path, "the time is up" if late else "the limit is reached"
                        )
                        done += 1
                        continue
                    begun += due
                    running[pool.submit(_file, path, state)] = path
                if not running:
                    break
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    del running[future]
                    done += 1
                    for item in future.result():
                        items[item.name] = item
                        if on_item:
                            on_item(item, done, len(found.files))
        except BaseException:
            state.stop.set()
            raise
    # A ZIP that was not reached keeps what earlier runs made of its members.
    unreached = tuple(f"{name}/" for name, item in items.items() if item.status == "pending")
    inside = {name for name in state.before if name.startswith(unreached)}
    forget_others(workspace.library, run_id(output), set(items) | inside)
    return [items[name] for name in sorted(items)]


def _file(path: Path, state: _Run) -> list[Item]:
    """The documents of one file, each kept as soon as it is done."""
    items: list[Item] = []
    name = plain_text(str(path))
    try:
        with documents_in(path, name) as documents:
            for document in documents:
                if state.stop.is_set():
                    items.append(_pending(path, "interrupted"))
                    break
                if document.path is None:
                    item = Item(name=document.name, status="failed", reason=document.problem)
                    keep(state.workspace.library, run_id(state.output), "", item)
                else:
                    item = _document(document.path, document.name, state)
                items.append(item)
    except LongleafError as error:
        status: ItemStatus = "skipped" if isinstance(error, UnreadKindError) else "failed"
        items.append(Item(name=name, status=status, reason=str(error).removeprefix(f"{name}: ")))
        keep(state.workspace.library, run_id(state.output), "", items[-1])
    return items


def _document(path: Path, name: str, state: _Run) -> Item:
    key = _key(path, state)
    if key and _is_same(name, key, state):
        return state.before[name][1]
    item = process(state.workspace, path, name, state.options, state.output, state.standard)
    keep(state.workspace.library, run_id(state.output), key, item)
    return item


def _is_kept(path: Path, state: _Run) -> bool:
    name = plain_text(str(path))
    return name in state.before and _is_same(name, _key(path, state), state)


def _is_same(name: str, key: str, state: _Run) -> bool:
    """Whether the item was made of the same bytes by the same code and options, and its files are there."""
    if name not in state.before or state.before[name][0] != key:
        return False
    item = state.before[name][1]
    if item.status == "failed" and state.again:
        return False
    return all((state.output / each).is_file() for each in item.result.outputs)


def _key(path: Path, state: _Run) -> str:
    """Empty for a file that cannot be read: it is tried each time."""
    try:
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
    return f"{content} {state.key}"


def _pending(path: Path, why: str) -> Item:
    return Item(name=plain_text(str(path)), status="pending", reason=why)


def counts(items: Iterable[Item]) -> dict[str, int]:
    """How many there are of each status, each of them named."""
    found = dict.fromkeys(("done", "done_with_gaps", "failed", "skipped", "pending"), 0)
    for item in items:
        found[item.status] += 1
    return found


def each_fact(items: Iterable[Item]) -> Iterator[tuple[str, str]]:
    """Name and title of every key fact, in the order in which they first come."""
    seen: dict[str, str] = {}
    for item in items:
        for fact in item.result.facts:
            seen.setdefault(fact.name, fact.title)
    yield from seen.items()
