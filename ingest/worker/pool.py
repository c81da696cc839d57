"""The parent's side of the worker processes: hands out pages, watches time, replaces what dies.

A page that ends or stalls its worker is tried once more in a fresh process, alone; the second time it becomes
a gap and the rest goes on.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import selectors
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from longleaf.ingest.document import Gap
from longleaf.ingest.errors import IngestError
from longleaf.ingest.pdf.file_structure import MAX_PAGES, Structure, page_labels, parse_structure
from longleaf.ingest.pdf.page_lines import RawPage
from longleaf.ingest.worker.framing import FrameError, FrameReader
from longleaf.ingest.worker.page_frames import parse_page
from longleaf.ingest.worker.processes import Process, start

_PAGES_PER_WORKER = 24  # below this a second process costs more than it brings
_BATCH = 8
_MAX_FAILURES = 25
_F_SETPIPE_SZ = 1031  # fcntl(2), Linux

Progress = Callable[[int, int], None]
# Given the number of pages and a function that brings their labels: the page indexes wanted, or None for all.
Choose = Callable[[int, Callable[[], Sequence[str]]], Collection[int] | None]


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds: to open a file, for one page, for labels and outline, lost on failing pages in all, between
    two signs of life of a file that is read whole, and to recognize the text of one page's picture."""

    open: float = 30.0
    page: float = 20.0
    structure: float = 15.0
    lost: float = 120.0
    whole: float = 60.0
    recognize: float = 120.0


@dataclass(slots=True)
class Reading:
    """What the workers brought: pages by index, labels of the whole file, structure, and what went wrong."""

    page_count: int
    pages: dict[int, RawPage]
    labels: Sequence[str]
    structure: Structure
    gaps: list[Gap]
    damaged: frozenset[int] = frozenset()  # indexes of pages whose content cannot be decoded whole


@dataclass(slots=True, eq=False)
class _Worker:
    process: Process
    role: str
    deadline: float
    reader: FrameReader = field(default_factory=FrameReader)
    pending: deque[int] = field(default_factory=deque)
    alone: bool = False
    opened: bool = False
    describing: bool = False  # asked for the structure, which comes before any page
    since: float = 0.0

    def ask(self, request: Any) -> None:
        with contextlib.suppress(BrokenPipeError):  # it died: the end of its output will tell
            os.write(self.process.requests, json.dumps(request).encode() + b"\n")


def read_pages(
    descriptor: int,
    name: str,
    choose: Choose,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> Reading:
    """Reads the open PDF `descriptor`. `choose` tells which pages are wanted.

    Raises IngestError if the file cannot be opened as a PDF.
    """
    job = _Job(descriptor, name, progress, limits or Limits())
    try:
        return job.run(choose)
    finally:
        job.close()


def recognize_pages(
    descriptor: int, name: str, wanted: Collection[int], progress: Progress | None, limits: Limits
) -> dict[int, RawPage]:
    """The wanted pages of a PDF as their pictures read (see `ocr`); those that fail are missing.

    Raises IngestError if the recognizer cannot be started.
    """
    slow = replace(limits, open=limits.open + limits.recognize, page=limits.recognize)
    job = _Job(descriptor, name, progress, slow, "ocr")
    try:
        return job.run(lambda count, labels: wanted).pages
    finally:
        job.close()


class _Job:
    def __init__(
        self, descriptor: int, name: str, progress: Progress | None, limits: Limits, role: str = "pages"
    ) -> None:
        self._descriptor = descriptor
        self._role = role
        self._name = name
        self._progress = progress
        self._limits = limits
        self._selector = selectors.DefaultSelector()
        self._workers: list[_Worker] = []
        self._count: int | None = None
        self._open_failures = 0
        self._queue: deque[int] = deque()
        self._total = 0
        self._done = 0
        self._failures = 0
        self._lost = 0.0
        self._pages: dict[int, RawPage] = {}
        self._gaps: list[Gap] = []
        self._unloadable: list[int] = []
        self._structure: Structure | None = None
        self._damaged: frozenset[int] = frozenset()

    def run(self, choose: Choose) -> Reading:
        self._start(self._role)
        if self._role != "pages":  # what the file says about itself is known by then
            self._structure = Structure()
        while self._count is None:
            self._step()
        self._plan(choose(self._count, self._page_labels))
        while self._busy():
            self._step()
        return self._result()

    def _page_labels(self) -> list[str]:
        """One label a page, as soon as they are known."""
        assert self._count is not None
        while any(worker.describing for worker in self._workers):
            self._step()
        printed = self._structure.labels if self._structure is not None else ()
        return page_labels(printed, min(self._count, MAX_PAGES))

    def close(self) -> None:
        for worker in list(self._workers):
            self._drop(worker)
        self._selector.close()

    # Planning

    def _plan(self, wanted: Collection[int] | None) -> None:
        assert self._count is not None
        limit = min(self._count, MAX_PAGES)
        chosen = list(range(limit)) if wanted is None else sorted({i for i in wanted if i < limit})
        if wanted is None and self._count > limit:
            detail = f"the file has {self._count:,} pages; only the first {limit:,} were read"
            self._gaps.append(Gap("truncated", detail))
        self._total = len(chosen)
        self._queue.extend(chosen)
        processors = len(os.sched_getaffinity(0))
        share = _PAGES_PER_WORKER if self._role == "pages" else 2
        wanted_workers = min(processors, 4, max(1, len(chosen) // share))
        readers = [worker for worker in self._workers if worker.role == self._role]
        readers += [self._start(self._role) for _ in range(wanted_workers - len(readers))]
        for worker in readers:
            self._assign(worker)

    def _assign(self, worker: _Worker) -> None:
        if worker.alone or len(worker.pending) > _BATCH // 2:
            return
        batch = [self._queue.popleft() for _ in range(min(_BATCH, len(self._queue)))]
        if batch:
            if not worker.pending:
                self._expect(worker)
            worker.pending.extend(batch)
            worker.ask(batch)

    def _expect(self, worker: _Worker) -> None:
        now = time.monotonic()
        worker.since = now
        if worker.describing:
            return
        worker.deadline = now + (
            self._limits.page if worker.opened else self._limits.open + self._limits.page
        )

    def _busy(self) -> bool:
        return bool(self._queue) or any(
            w.pending or w.describing or w.role == "damage" for w in self._workers
        )

    # Watching

    def _step(self) -> None:
        soonest = min((w.deadline for w in self._workers), default=0.0)
        for key, _ in self._selector.select(max(soonest - time.monotonic(), 0.0)):
            worker = key.data
            if worker not in self._workers:
                continue
            data = os.read(worker.process.answers, 1 << 20)
            try:
                if not data:
                    self._died(worker, "ended its worker process")
                    continue
                for head, body in worker.reader.feed(data):
                    self._take(worker, head, body)
            except FrameError:
                self._died(worker, "made its worker process answer nonsense")
        now = time.monotonic()
        late = [worker for worker in self._workers if worker.deadline < now]
        # An answer that waits to be read (while `progress` took its time) is not late.
        answered = {id(key.data) for key, _ in self._selector.select(0)} if late else set()
        for worker in late:
            if worker in self._workers and id(worker) not in answered:
                self._died(worker, f"took longer than {self._limits.page:.0f} s")

    def _take(self, worker: _Worker, head: dict[str, Any], body: bytes) -> None:
        if worker.role == "damage":
            try:
                self._damaged = frozenset(map(int, head["damaged"]))
            except (KeyError, TypeError, ValueError) as error:
                raise FrameError("bad list of damaged pages") from error
            self._drop(worker)
        elif "error" in head:
            raise IngestError(_open_problem(self._name, head["error"]))
        elif "count" in head:
            worker.opened = True
            if self._count is None:
                self._count = int(head["count"])
                if self._count < 1:
                    raise IngestError(f"{self._name}: the PDF has no pages; it may be damaged or truncated")
                if self._structure is None:
                    worker.describing = True
                    worker.ask("structure")
                    worker.deadline = time.monotonic() + self._limits.structure
                    return
            self._expect(worker) if worker.pending else self._rest(worker)
        elif worker.describing:
            try:
                self._structure = parse_structure(head)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise FrameError("bad structure") from error
            worker.describing = False
            if not self._structure.sound:
                self._start("damage")
            self._expect(worker) if worker.pending else self._rest(worker)
        elif worker.pending and head.get("page") == worker.pending[0]:
            page_index = worker.pending[0]
            if head.get("failed"):
                self._unloadable.append(page_index)
            else:
                self._pages[page_index] = parse_page(head, body)
            worker.pending.popleft()
            worker.alone = False
            self._advance()
            self._expect(worker) if worker.pending else self._rest(worker)
            self._assign(worker)
        else:
            raise FrameError("a page nobody asked for")

    def _rest(self, worker: _Worker) -> None:
        worker.deadline = float("inf")

    def _died(self, worker: _Worker, what: str) -> None:
        self._drop(worker)
        if worker.role == "damage":
            detail = "some page's content may be damaged in the file; which one could not be told"
            self._gaps.append(Gap("truncated", detail))
            return
        if worker.describing:
            self._queue.extendleft(reversed(worker.pending))
            if self._queue:
                self._assign(self._start(self._role))
            return
        if self._count is None:
            self._open_failures += 1
            if self._open_failures >= 2:
                raise IngestError(
                    f"{self._name}: opening it {what.replace('its', 'the')}; the file is damaged or hostile"
                )
            self._start(self._role)
            return
        if not worker.pending:
            if self._queue:
                self._assign(self._start(self._role))
            return
        suspect = worker.pending.popleft()
        self._queue.extendleft(reversed(worker.pending))
        worker.pending.clear()
        self._lost += time.monotonic() - worker.since
        if not worker.alone:
            retry = self._start(self._role)
            retry.alone = True
            retry.pending.append(suspect)
            self._expect(retry)
            retry.ask([suspect])
            return
        self._failures += 1
        self._gaps.append(Gap("page_failed", f"the page {what}, twice", suspect))
        self._advance()
        if self._failures >= _MAX_FAILURES or self._lost > self._limits.lost:
            self._give_up()
        elif self._queue:
            self._assign(self._start(self._role))

    def _give_up(self) -> None:
        for page_index in self._queue:
            detail = f"not tried: {self._failures} other pages failed and used up the time allowed"
            self._gaps.append(Gap("page_failed", detail, page_index))
            self._advance()
        self._queue.clear()

    def _advance(self) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total)

    # Processes

    def _start(self, role: str) -> _Worker:
        process = start(role, self._descriptor)
        seconds = self._limits.structure if role == "damage" else self._limits.open
        worker = _Worker(process, role, time.monotonic() + seconds)
        with contextlib.suppress(OSError):  # a smaller pipe only costs switches
            fcntl.fcntl(worker.process.answers, _F_SETPIPE_SZ, 1 << 20)
        self._workers.append(worker)
        self._selector.register(worker.process.answers, selectors.EVENT_READ, worker)
        return worker

    def _drop(self, worker: _Worker) -> None:
        if worker in self._workers:
            self._workers.remove(worker)
            self._selector.unregister(worker.process.answers)
            worker.process.end()

    # Result

    def _result(self) -> Reading:
        assert self._count is not None
        if self._structure is None:
            detail = "the file's outline and metadata could not be read; sections come from headings"
            self._gaps.append(Gap("truncated", detail))
        self._gaps += _unloadable_gaps(self._unloadable)
        labels = self._page_labels()
        structure = self._structure or Structure()
        return Reading(self._count, self._pages, labels, structure, self._gaps, self._damaged)


def _open_problem(name: str, problem: Any) -> str:
    if problem == "password":
        return f"{name}: needs a password to open; save a copy without one and use that"
    if problem == "security":
        return f"{name}: is protected by a method that pdfium does not know; save a copy without protection"
    return f"{name}: cannot be opened as a PDF: it is damaged or truncated; get or export it again"


def _unloadable_gaps(pages: Iterable[int]) -> list[Gap]:
    """One gap a page; long runs (a page tree that promises more than the file has) share one."""
    runs: list[list[int]] = []
    for page_index in sorted(pages):
        if runs and runs[-1][-1] == page_index - 1:
            runs[-1].append(page_index)
        else:
            runs.append([page_index])
    gaps = []
    for run in runs:
        if len(run) > 20:
            detail = f"{len(run):,} pages in a row cannot be loaded, to position {run[-1] + 1:,}: damaged"
            gaps.append(Gap("page_failed", detail, run[0]))
        else:
            gaps += [Gap("page_failed", "the page cannot be loaded: damaged", i) for i in run]
    return gaps


__all__ = ["MAX_PAGES", "Limits", "Progress", "Reading", "read_pages"]
