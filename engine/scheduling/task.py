"""Requests as the scheduler steps them: what each wants of the next step, and what it makes of the result."""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from longleaf import LongleafError, _native
from longleaf.engine.constraint.constraint import Constraint, masked
from longleaf.engine.errors import SamplingError
from longleaf.engine.prefix.cache import KvSequence, PrefixCache
from longleaf.engine.prompt.tokenizer import Tokenizer
from longleaf.engine.scheduling.output import OutputText
from longleaf.engine.scheduling.request import (
    Event,
    Generated,
    GenerateRequest,
    Output,
    Progress,
    Scored,
    ScoreRequest,
    Started,
    Ticket,
    Times,
)
from longleaf.engine.scheduling.sampling import Row, choose, logprob_of
from longleaf.engine.speculation.drafter import StepCost
from longleaf.engine.types import Generation, TokenLogprob, Usage

MOST_DRAFTED = 32  # tokens a step; what is drafted wrongly must lie within the pages windowed layers keep
PRIORITY_SECONDS = 10.0  # a priority is worth so much earlier an arrival: the rest waits, but not for ever

_numbers = itertools.count()
_served: WeakValueDictionary[int, Constraint] = WeakValueDictionary()  # by id: need not be hashable


@dataclass(frozen=True, slots=True)
class Slice:
    """Tokens to append to one sequence in a step."""

    handle: int
    tokens: list[int]
    wanted: int = 0  # rows of logits, of the last tokens
    targets: list[int] | None = None  # score these instead


@dataclass(frozen=True, slots=True)
class StepResult:
    """What the core made of one task's slices."""

    rows: list[Row]  # one for each wanted
    scores: list[NDArray[np.float32]]  # an array for each slice with targets
    cost: StepCost | None  # None if there were prompt tokens in the step


class Task(Protocol):
    """One request between its admission and its end. The scheduler's thread alone touches it."""

    ticket: Ticket
    key: tuple[float, int]  # the order in which requests are served
    ids: NDArray[np.int32]  # the prompt: what the prefix cache and other requests may know the beginning of
    reading: bool  # still at its prompt
    streamed: bool  # no step may take long once it is past it
    sequence: KvSequence | None  # between `start` and `leave`, if it has a prompt
    candidates: int | None  # best logits that each wanted row needs; None for all
    done: Event | None  # the last event, once it is known

    def start(self) -> None:
        """Takes a sequence; also after `leave`, to go on where the task was."""

    def plan(self, most: int) -> list[Slice]:
        """The next tokens of this task, at most `most` of them (1 at least)."""

    def left(self) -> int:
        """Tokens of prompt still to be read."""

    def take(self, result: StepResult) -> None:
        """The step planned last was done."""

    def leave(self) -> None:
        """Gives all pages back; what was read may stay in the prefix cache."""


def arrival_key(ticket: Ticket) -> tuple[float, int]:
    return ticket.submitted - ticket.priority * PRIORITY_SECONDS, next(_numbers)


class _Clock:
    """When a request was taken up, and when its first token or score was there."""

    def __init__(self, ticket: Ticket) -> None:
        self._submitted = ticket.submitted
        self._started: float | None = None
        self._first: float | None = None

    def start(self) -> bool:
        """False if it was running before."""
        if self._started is not None:
            return False
        self._started = time.perf_counter()
        return True

    def first(self) -> None:
        if self._first is None:
            self._first = time.perf_counter()

    def times(self) -> Times:
        now = time.perf_counter()
        started = now if self._started is None else self._started
        first = now if self._first is None else self._first
        return Times(started - self._submitted, first - started, now - first)


class GenerateTask:
    def __init__(
        self,
        request: GenerateRequest,
        ticket: Ticket,
        tokenizer: Tokenizer,
        native: _native.Model,
        cache: PrefixCache,
    ) -> None:
        self.ticket = ticket
        self.key = arrival_key(ticket)
        self.ids = np.asarray(request.prompt, np.int32)
        self.reading = True
        self.streamed = request.streamed
        self.sequence: KvSequence | None = None
        self.done: Event | None = None
        self._params = request.params
        self._constraint = request.constraint
        self._drafter = request.drafter
        self._ends = tokenizer.eog_ids
        self._barred = tokenizer.eog_ids if request.params.ignore_eos else frozenset[int]()
        enough = None if request.constraint else request.params.candidates
        # The best one costs far less than the best few, and is seldom an end token.
        self._fewest = enough if enough is None or enough == 1 else enough + len(self._barred)
        self.candidates = self._fewest
        self._native = native
        self._cache = cache
        self._prompt = len(request.prompt)
        self._shared = request.shared
        self._context = list(request.prompt)
        self._text = OutputText(tokenizer.stream(), request.params.stop)
        self._logprobs: list[TokenLogprob] | None = None if request.params.logprobs is None else []
        self._owed: deque[int] = deque()  # forced tokens whose log-probabilities are wanted
        self._finish: str | None = None
        self._drafted = self._accepted = self._reused = self._announced = 0
        self._guesses: list[int] = []  # of the step under way
        self._again = False  # the last token goes through another step: this one's row had too few candidates
        self._known: list[int] = []  # before these, what stands in the context already
        self._clock = _Clock(ticket)

    @property
    def _generated(self) -> int:
        return len(self._context) - self._prompt

    def start(self) -> None:
        self.sequence = self._cache.acquire(self._context[:-1], shared=self._shared)
        self.reading = True
        if self._clock.start():
            _take(self._constraint)
            self._reused = self.sequence.reused
            self.ticket.emit(Started(self._prompt, self._reused))
            self.ticket.emit(Progress(self._reused, self._prompt))
            self._force()
            if self._finish:
                self._end()

    def left(self) -> int:
        assert self.sequence is not None
        return len(self._context) - len(self.sequence.tokens)

    def plan(self, most: int) -> list[Slice]:
        assert self.sequence is not None
        at = len(self.sequence.tokens)
        self._known = self._context[at : self.sequence.stop(at + most)]
        self._guesses = []
        if at + len(self._known) < len(self._context):
            return [Slice(self.sequence.handle, self._known)]
        self._guesses = self._guess(most - len(self._known))
        return [Slice(self.sequence.handle, self._known + self._guesses, 1 + len(self._guesses))]

    def _guess(self, most: int) -> list[int]:
        most = max(0, min(most, MOST_DRAFTED, self._params.max_tokens - self._generated - 1))
        if self._owed:
            return list(itertools.islice(self._owed, most))
        if self._drafter is None or self.reading:
            return []
        guesses = self._drafter.propose(self._context, most) if most else []
        if len(guesses) > most:
            raise LongleafError(f"{type(self._drafter).__name__} drafted {len(guesses)} tokens, not {most}")
        return guesses

    def take(self, result: StepResult) -> None:
        assert self.sequence is not None
        if not result.rows:
            self._cache.append(self.sequence, self._known)
            self.ticket.emit(Progress(min(len(self.sequence.tokens), self._prompt), self._prompt))
            return
        was_reading, drafting = self.reading, self._drafter is not None and not self._owed
        if was_reading and self._generated == 0:
            self.ticket.emit(Progress(self._prompt, self._prompt))
        self.reading = False
        accepted = self._verify(result.rows)
        taken = self._known + self._guesses[:accepted]
        if self._again:
            taken.pop()
        if len(taken) < len(self._known) + len(self._guesses):
            self._native.truncate(self.sequence.handle, len(self.sequence.tokens) + len(taken))
        self._cache.append(self.sequence, taken)
        drafted = len(self._guesses) if drafting else 0
        right = accepted if drafting else 0
        self._drafted += drafted
        self._accepted += right
        if self._drafter is not None and not was_reading:
            self._drafter.observe(drafted, right, result.cost)
        if self._generated:
            self._clock.first()
        if self._finish:
            self._text.flush()
        self._announce(drafted, right)
        if self._finish:
            self._end()

    def leave(self) -> None:
        if self.sequence is not None:
            give_back(self.sequence, self._native, self._cache)
            self.sequence = None

    def _verify(self, rows: list[Row]) -> int:
        """Chooses tokens while the guesses that the rows stand behind are right; how many were."""
        right = 0
        self._again, self.candidates = False, self._fewest
        while True:
            if self._only_barred(rows[right]):
                self._again, self.candidates = True, 1 + len(self._barred)
                return right
            before = len(self._context)
            self._choose(rows[right])
            self._force()
            chosen = self._context[before:]
            following = self._guesses[right : right + len(chosen)]
            same = _common(chosen, following)
            right += same
            if self._finish or same < len(chosen):
                return right

    def _only_barred(self, row: Row) -> bool:
        return row.ids is not None and len(row.ids) <= len(self._barred) and self._barred.issuperset(row.ids)

    def _choose(self, row: Row) -> None:
        full, position = row, self._generated
        if self._owed:
            token = self._owed.popleft()
        else:
            if self._constraint is not None and (mask := self._constraint.allowed()) is not None:
                row = Row(masked(row.logits, mask))
            token = choose(row, self._params, self._context, position, self._barred)
            if token in self._ends:
                self._finish = "stop"
                return
        if self._constraint is not None:
            self._constraint.accept(token)
        if self._logprobs is not None:
            assert self._params.logprobs is not None
            self._logprobs.append(logprob_of(full.logits, token, self._params.logprobs))
        self._put(token)

    def _force(self) -> None:
        """The constraint's turns until the model is to choose again."""
        while self._constraint is not None and self._finish is None and not self._owed:
            if self._constraint.finished():
                self._finish = "stop"
                return
            forced = self._constraint.forced()
            if not forced:
                return
            if self._logprobs is not None:  # they need rows of logits, so they go the way of drafts
                self._owed.extend(forced)
                return
            for token in forced:
                self._constraint.accept(token)
                self._put(token)
                if self._finish:
                    return

    def _put(self, token: int) -> None:
        self._context.append(token)
        if self._text.push(token):
            self._finish = "stop"
        elif self._generated >= self._params.max_tokens:
            whole = self._constraint is not None and self._constraint.finished()
            self._finish = "stop" if whole else "length"

    def _announce(self, drafted: int, accepted: int) -> None:
        new = self._generated - self._announced
        self._announced = self._generated
        self.ticket.emit(Output(self._text.take(), new, drafted, accepted))

    def _end(self) -> None:
        if self._generated > self._announced:
            self._text.flush()
            self._announce(0, 0)
        times = self._clock.times()
        first = times.queue + times.prefill if self._generated else None
        usage = Usage(
            prompt_tokens=self._prompt,
            reused_tokens=self._reused,
            generated_tokens=self._generated,
            drafted_tokens=self._drafted,
            accepted_tokens=self._accepted,
            queue_seconds=times.queue,
            prefill_seconds=times.prefill,
            decode_seconds=times.decode,
            seconds_to_first_token=first,
            seconds=times.queue + times.prefill + times.decode,
        )
        assert self._finish is not None
        logprobs = None if self._logprobs is None else tuple(self._logprobs)
        ids = tuple(self._context[self._prompt :])
        self.done = Generated(Generation(self._text.text, ids, self._finish, usage, logprobs), times)


class ScoreTask:
    def __init__(
        self, request: ScoreRequest, ticket: Ticket, native: _native.Model, cache: PrefixCache
    ) -> None:
        self.ticket = ticket
        self.key = arrival_key(ticket)
        self.ids = np.asarray(request.base, np.int32)
        self.reading = True  # to the end: scoring yields to running streams as reading does
        self.streamed = False
        self.sequence: KvSequence | None = None
        self.candidates: int | None = 1
        self.done: Event | None = None
        self._base = request.base
        self._tails = request.tails
        self._native = native
        self._cache = cache
        self._scores: list[list[NDArray[np.float32]]] = [[] for _ in request.tails]
        self._reading: list[int] = []  # tokens of the base in the step under way
        self._at = 0  # the first tail that is not finished
        self._offset = 0  # tokens of it that are scored
        self._forks: dict[int, int] = {}  # tail: sequence
        self._under_way: list[tuple[int, int]] = []  # (tail, tokens) of the step
        self._clock = _Clock(ticket)

    def start(self) -> None:
        self.sequence = self._cache.acquire(self._base) if self._base else None
        if self._clock.start():
            self.ticket.emit(Started(len(self._base), self.sequence.reused if self.sequence else 0))
            self._report()
        if not self._tails:
            self._end()

    def left(self) -> int:
        tails = sum(len(tokens) for tokens, _ in self._tails[self._at :]) - self._offset
        return self._base_left() + tails

    def plan(self, most: int) -> list[Slice]:
        if self.sequence is not None and self._base_left():
            at = len(self.sequence.tokens)
            self._reading = self._base[at : self.sequence.stop(at + most)]
            return [Slice(self.sequence.handle, self._reading)]
        slices: list[Slice] = []
        self._under_way = list(self._next(most))
        offset = self._offset
        for tail, n in self._under_way:
            tokens, targets = self._tails[tail]
            end = offset + n
            slices.append(Slice(self._fork(tail), tokens[offset:end], targets=targets[offset:end]))
            offset = 0
        return slices

    def _next(self, most: int) -> Iterator[tuple[int, int]]:
        """Whole tails while they fit, and a part of the first if even that does not."""
        offset = self._offset
        for tail in range(self._at, len(self._tails)):
            n = len(self._tails[tail][0]) - offset
            if n > most and tail > self._at:
                return
            yield tail, min(n, most)
            most -= n
            offset = 0
            if most <= 0:
                return

    def _fork(self, tail: int) -> int:
        if tail not in self._forks:
            self._forks[tail] = (
                self._native.fork(self.sequence.handle) if self.sequence else self._native.new_sequence()
            )
        return self._forks[tail]

    def take(self, result: StepResult) -> None:
        if not result.scores:
            assert self.sequence is not None
            self._cache.append(self.sequence, self._reading)
            self._report()
            return
        for (tail, n), part in zip(self._under_way, result.scores, strict=True):
            self._scores[tail].append(part)
            self._offset += n
            if self._offset == len(self._tails[tail][0]):
                self._native.free(self._forks.pop(tail))
                self._at, self._offset = tail + 1, 0
        self._clock.first()
        if not self._base:
            self._report()
        if self._at == len(self._tails):
            self._end()

    def _report(self) -> None:
        if self._base:
            self.ticket.emit(Progress(len(self._base) - self._base_left(), len(self._base)))
        else:
            self.ticket.emit(Progress(self._at, len(self._tails)))

    def _base_left(self) -> int:
        return len(self._base) - len(self.sequence.tokens) if self.sequence else 0

    def _end(self) -> None:
        self.done = Scored([np.concatenate(parts) for parts in self._scores], self._clock.times())

    def leave(self) -> None:
        for fork in self._forks.values():
            self._native.free(fork)
        self._forks.clear()
        if self._offset:  # the tail begun starts over
            self._scores[self._at].clear()
            self._offset = 0
        if self.sequence is not None:
            give_back(self.sequence, self._native, self._cache)
            self.sequence = None


def _take(constraint: Constraint | None) -> None:
    if constraint is None:
        return
    if id(constraint) in _served:
        raise SamplingError("this constraint has served another request already: make one for each")
    _served[id(constraint)] = constraint


def give_back(sequence: KvSequence, native: _native.Model, cache: PrefixCache) -> None:
    if native.length(sequence.handle) == len(sequence.tokens):
        cache.release(sequence)
    else:  # a step was not brought to its end
        cache.discard(sequence)


def _common(left: list[int], right: list[int]) -> int:
    return sum(
        1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False))
    )
