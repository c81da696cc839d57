"""What a caller asks of the scheduler and how it hears of it: requests, events, tickets."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from longleaf.engine.constraint.constraint import Constraint
from longleaf.engine.errors import RequestError
from longleaf.engine.speculation.drafter import Drafter
from longleaf.engine.types import Generation, SamplingParams


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """Continue a prompt. A constraint and a drafter belong to one request only."""

    prompt: list[int]  # at least one token
    params: SamplingParams
    constraint: Constraint | None = None
    drafter: Drafter | None = None
    streamed: bool = False  # somebody reads the text as it comes
    shared: int = 0  # tokens of the prompt that others will begin with too, as a document before its question


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """Score texts behind a shared base, each on a sequence of its own."""

    base: list[int]  # may be empty
    tails: list[tuple[list[int], list[int]]]  # tokens and their targets, -1 for none; equally long


@dataclass(frozen=True, slots=True)
class Started:
    prompt_tokens: int
    reused_tokens: int  # of these, found in the KV cache


@dataclass(frozen=True, slots=True)
class Progress:
    done: int
    total: int  # tokens of the prompt or base; texts, of a scoring without a base


@dataclass(frozen=True, slots=True)
class Output:
    """One step's part of a generation. The text may be empty while characters or stop texts are unsure."""

    text: str
    tokens: int
    drafted: int
    accepted: int


@dataclass(frozen=True, slots=True)
class Times:
    queue: float  # seconds, as all of these
    prefill: float
    decode: float


@dataclass(frozen=True, slots=True)
class Generated:
    generation: Generation
    times: Times


@dataclass(frozen=True, slots=True)
class Scored:
    """float32 log-probabilities, one for each target, 0 where that is -1; an array for each tail."""

    scores: list[NDArray[np.float32]]
    times: Times


@dataclass(frozen=True, slots=True)
class Failed:
    error: Exception


Event = Started | Progress | Output | Generated | Scored | Failed


@dataclass(slots=True, eq=False)
class Ticket:
    """A request's tie between its caller and the scheduler; `emit` runs on the scheduler's thread.

    The last event is Generated, Scored or Failed. After it the request holds no page of the KV cache.
    """

    emit: Callable[[Event], None]
    priority: int
    timeout: float | None  # seconds
    wake: Callable[[], None]
    submitted: float = field(default_factory=time.perf_counter)
    cancelled: bool = False
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def deadline(self) -> float | None:
        """By time.perf_counter()."""
        return None if self.timeout is None else self.submitted + self.timeout

    def cancel(self) -> None:
        """Ends the request before its next step. Never blocks, may be called anywhere, also twice."""
        self.cancelled = True
        self.wake()


class RequestCancelledError(RequestError):
    """The caller went away or asked for the end."""
