"""What a job spent: the tokens of every request made while a `measure()` block is open in this context."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from longleaf.engine.types import Usage


class Meter:
    """Adds up the requests of one job. Not shared between threads: each context has its own."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._first: float | None = None
        self._prompt = self._reused = self._generated = 0

    def count_prompt(self, tokens: int, reused: int) -> None:
        self._prompt += tokens
        self._reused += reused

    def count_output(self, tokens: int) -> None:
        """Generated tokens; 0 for a request that only scored candidates."""
        if self._first is None:
            self._first = time.perf_counter() - self._start
        self._generated += tokens

    def usage(self) -> Usage:
        """So far; the time to the first token is that to the first token generated or candidate scored."""
        return Usage(
            prompt_tokens=self._prompt,
            reused_tokens=self._reused,
            generated_tokens=self._generated,
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
