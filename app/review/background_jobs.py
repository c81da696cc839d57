"""Long work beside a screen: one worker thread, so the engine is never used by two at once.

A job goes on when the page that asked for it is reloaded or closed; whoever asks for the same thing meanwhile
gets the same job.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from longleaf import LongleafError

Result = TypeVar("Result")
_log = logging.getLogger(__name__)


class Cancelled(BaseException):
    """Raised inside a job at its next report after `cancel`; not an Exception, so no code catches it."""


@dataclass(eq=False)
class Job(Generic[Result]):
    """What is known of some work. Written by the worker thread, read by any."""

    key: tuple[str, ...]
    stage: str = "waiting for its turn"
    done: int = 0
    total: int = 0  # 0: not known
    partial: list[Any] = field(default_factory=list)
    result: Result | None = None
    error: str = ""
    cancelled: bool = False
    asked_at: float = field(default_factory=time.monotonic)
    _finished: threading.Event = field(default_factory=threading.Event)
    _stop: threading.Event = field(default_factory=threading.Event)

    @property
    def finished(self) -> bool:
        return self._finished.is_set()

    @property
    def seconds(self) -> float:
        """Since it was asked for."""
        return time.monotonic() - self.asked_at

    def wait(self, seconds: float | None = None) -> bool:
        """Whether the job is finished, after waiting for it at most so long."""
        return self._finished.wait(seconds)

    def cancel(self) -> None:
        self._stop.set()

    def report(self, stage: str, done: int = 0, total: int = 0) -> None:
        """Called by the work itself, often. Ends it if the job was cancelled."""
        if self._stop.is_set():
            raise Cancelled
        self.stage, self.done, self.total = stage, done, total

    def run(self, work: Callable[[Job[Result]], Result]) -> None:
        try:
            self.report("starting")
            self.result = work(self)
        except Cancelled:
            self.cancelled = True
        except LongleafError as error:
            self.error = str(error)
        except Exception as error:
            self.error = f"unexpected error, please report it: {type(error).__name__}: {error}"
            _log.exception("%s failed", " ".join(self.key))
        finally:
            self._finished.set()


class JobQueue:
    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="longleaf-job")
        self._open: dict[tuple[str, ...], Job[Any]] = {}
        self._lock = threading.Lock()

    def submit(self, key: tuple[str, ...], work: Callable[[Job[Result]], Result]) -> Job[Result]:
        """Puts work in the queue; work of the same key that is waiting or running is joined instead."""
        with self._lock:
            job = self._open.get(key)
            if job is None or job.finished or job._stop.is_set():
                job = self._open[key] = Job(key)
                self._worker.submit(self._run, job, work)
            return job

    def close(self) -> None:
        """Cancels what is waiting or running, and returns when the thread has ended."""
        with self._lock:
            for job in self._open.values():
                job.cancel()
        self._worker.shutdown(wait=True)

    def _run(self, job: Job[Result], work: Callable[[Job[Result]], Result]) -> None:
        try:
            job.run(work)
        finally:
            with self._lock:
                if self._open.get(job.key) is job:
                    del self._open[job.key]
