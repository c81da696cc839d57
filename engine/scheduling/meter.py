"""What a job spent: the tokens of every request made while a `measure()` block is open in this context."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from longleaf.engine.scheduling.request import Event, Generated, Output, Scored, Started
from longleaf.engine.types import Usage


class Meter:
    """Adds up the requests of one job. Not shared between threads: each context has its own."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._first: float | None = None
        self._prompt = self._reused = self._generated = self._drafted = self._accepted = 0
        self._queue = self._prefill = self._decode = 0.0

    def count(self, event: Event) -> None:
        """Takes in what the scheduler tells of a request."""
        match event:
            case Started():
                self._prompt += event.prompt_tokens
                self._reused += event.reused_tokens
            case Output():
                if event.tokens:
                    self._mark_first()
                self._generated += event.tokens
                self._drafted += event.drafted
                self._accepted += event.accepted
            case Generated() | Scored():
                if isinstance(event, Scored):
                    self._mark_first()
                self._queue += event.times.queue
                self._prefill += event.times.prefill
                self._decode += event.times.decode

    def count_prompt(self, tokens: int) -> None:
        """Prompt tokens besides those a request begins with: the texts it scores."""
        self._prompt += tokens

    def _mark_first(self) -> None:
        if self._first is None:
            self._first = time.perf_counter() - self._start

    def usage(self) -> Usage:
        """So far; the time to the first token is that to the first token generated or candidate scored.

        Queue, prefill and decode times are sums over the finished requests, which may have run side by side.
        """
        return Usage(
            prompt_tokens=self._prompt,
            reused_tokens=self._reused,
            generated_tokens=self._generated,
            drafted_tokens=self._drafted,
            accepted_tokens=self._accepted,
            queue_seconds=self._queue,
            prefill_seconds=self._prefill,
            decode_seconds=self._decode,
            seconds_to_first_token=self._first,
            seconds=time.perf_counter() - self._start,
        )


_meters: ContextVar[tuple[Meter, ...]] = ContextVar("longleaf_meters", default=())


@contextmanager
def measure() -> Iterator[Meter]:
    """A meter that sees every engine request made inside the block. Blocks nest."""
    meter = Meter()
    token = _meters.set((*_meters.get(), meter))
    try:
        yield meter
    finally:
        _meters.reset(token)


def open_meters() -> tuple[Meter, ...]:
    return _meters.get()
