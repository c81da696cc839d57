"""Continuous batching: one thread steps the model for all requests.

A step holds one row, or the drafts to check, of every request that is past its prompt, and fills up with
prompt tokens as `PrefillBudget` allows: half of them for the oldest request that still reads, half for the
one with the least left. Requests join and leave between any two steps. What each gets does not depend on the
others, because the core computes every row alike whatever stands beside it.

The scheduler's state belongs to its thread. Callers only put messages into its mailbox, a queue that may be
written to from anywhere, signal handlers and finalizers included.
"""

from __future__ import annotations

import bisect
import itertools
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

import numpy as np
from numpy.typing import NDArray

from longleaf import LongleafError, _native
from longleaf.engine.errors import (
    DeadlineError,
    EngineClosedError,
    EngineFailedError,
    QueueFullError,
)
from longleaf.engine.prefix.cache import PrefixCache
from longleaf.engine.prefix.tree import common_prefix
from longleaf.engine.prompt.tokenizer import Tokenizer
from longleaf.engine.scheduling.prefill_budget import STEP_ROWS, PrefillBudget
from longleaf.engine.scheduling.request import (
    Event,
    Failed,
    GenerateRequest,
    RequestCancelledError,
    ScoreRequest,
    Ticket,
)
from longleaf.engine.scheduling.sampling import Row
from longleaf.engine.scheduling.task import GenerateTask, ScoreTask, Slice, StepResult, Task
from longleaf.engine.speculation.drafter import StepCost

SHARED_WORTH_WAITING = 64  # tokens of a prompt that another request is reading just now


@dataclass(frozen=True, slots=True)
class Limits:
    """ValueError if nothing could run, or a step could not hold a token of each."""

    running: int = 32  # requests stepped together
    waiting: int = 1024  # requests behind them; one more is refused

    def __post_init__(self) -> None:
        if not 1 <= self.running <= STEP_ROWS or self.waiting < 0:
            raise ValueError(
                f"running must be between 1 and {STEP_ROWS} and waiting at least 0, "
                f"not {self.running} and {self.waiting}"
            )


@dataclass(slots=True, eq=False)
class _Plan:
    task: Task
    slices: list[Slice]
    tokens: int = field(init=False)
    wanted: int = field(init=False)  # rows of logits
    whole: bool = field(init=False)  # of all of them

    def __post_init__(self) -> None:
        self.tokens = sum(len(each.tokens) for each in self.slices)
        self.wanted = sum(each.wanted for each in self.slices)
        self.whole = self.wanted > 0 and self.task.candidates is None


class Scheduler:
    """Thread-safe. The thread starts with a request, the first or the next after `close`, which ends it."""

    def __init__(
        self, native: _native.Model, cache: PrefixCache, tokenizer: Tokenizer, limits: Limits
    ) -> None:
        self._native = native
        self._cache = cache
        self._tokenizer = tokenizer
        self._limits = limits
        self._mailbox: SimpleQueue[Task | None] = SimpleQueue()
        self._lifecycle = threading.RLock()  # a finalizer may close while its thread holds it
        self._thread: threading.Thread | None = None
        self._process = os.getpid()
        self._closing = False
        self._waiting: list[Task] = []  # by key
        self._running: list[Task] = []  # by key
        self._pairs: dict[tuple[int, int], int] = {}  # common prefix of a waiting and a running request
        self._known: dict[int, int] = {}  # tokens of waiting prompts in the cache
        self._full = False  # KV pages ran out: nobody joins before somebody has left
        self._budget = PrefillBudget()

    # -- for callers -------------------------------------------------------------------------------------

    def submit(
        self,
        request: GenerateRequest | ScoreRequest,
        emit: Callable[[Event], None],
        *,
        priority: int = 0,
        timeout: float | None = None,
    ) -> Ticket:
        """Queues a request; all that becomes of it is emitted, on the scheduler's thread."""
        self.check_process()
        ticket = Ticket(emit, priority, timeout, self._wake)
        task: Task
        if isinstance(request, GenerateRequest):
            task = GenerateTask(request, ticket, self._tokenizer, self._native, self._cache)
        else:
            task = ScoreTask(request, ticket, self._native, self._cache)
        with self._lifecycle:
            if self._thread is None:
                thread = threading.Thread(target=self._run, name="longleaf-engine", daemon=True)
                thread.start()  # RuntimeError if the system has none left, or the program is ending
                self._thread = thread
            self._mailbox.put(task)
        return ticket

    def close(self) -> None:
        """Ends every request with EngineClosedError, joins the thread and forgets all prefixes."""
        if self.forked:
            return
        with self._lifecycle:
            thread = self._thread
            if thread is None:
                return
            self._closing = True
            self._wake()
        if thread is not threading.current_thread():  # a finalizer may run there
            thread.join()

    @property
    def forked(self) -> bool:
        """Whether this is the copy of a scheduler in a forked process, whose thread was left behind."""
        return os.getpid() != self._process

    def check_process(self) -> None:
        """Raises EngineClosedError in a forked process."""
        if self.forked:
            raise EngineClosedError(
                "this engine was opened before the process was forked; the copy has no thread to step it: "
                "open an engine in the new process"
            )

    def on_own_thread(self) -> bool:
        return threading.current_thread() is self._thread

    def _wake(self) -> None:
        self._mailbox.put(None)

    # -- the thread --------------------------------------------------------------------------------------

    def _run(self) -> None:
        end: LongleafError = EngineClosedError("the engine was closed before the request was finished")
        try:
            while True:
                self._receive()
                if self._closing:
                    break
                self._drop_ended()
                self._admit()
                self._step()
        except BaseException as error:
            end = EngineFailedError(f"the engine's thread failed: {type(error).__name__}: {error}")
            end.__cause__ = error
        finally:
            self._stop(end)

    def _stop(self, end: LongleafError) -> None:
        with self._lifecycle:
            self._thread = None
            self._closing = False
            left = [*self._running, *self._waiting, *self._arrived()]
            self._running, self._waiting, self._full = [], [], False
            self._pairs, self._known = {}, {}
        for task in left:
            try:
                task.leave()
            except Exception as error:  # after a failure of the core; the others must hear of the end
                end = EngineFailedError(f"{end}; giving back the pages of a request failed: {error}")
        for task in left:
            each = type(end)(str(end))  # one for each caller: raising writes into an exception
            each.__cause__ = end.__cause__
            self._tell(task, Failed(each))
        self._cache.clear()

    def _arrived(self) -> list[Task]:
        tasks: list[Task] = []
        while True:
            try:
                message = self._mailbox.get_nowait()
            except Empty:
                return tasks
            if message is not None:
                tasks.append(message)

    def _receive(self) -> None:
        """Takes in what came; waits for it when there is nothing else to do."""
        first = None if self._running or self._waiting else self._mailbox.get()
        for task in ([first] if first else []) + self._arrived():
            if len(self._running) + len(self._waiting) < self._limits.running + self._limits.waiting:
                bisect.insort(self._waiting, task, key=_key)
                continue
            full = QueueFullError(
                f"{len(self._running)} requests are running and {len(self._waiting)} waiting, as many "
                "as may; try again when some are finished"
            )
            self._finish(task, Failed(full))

    def _drop_ended(self) -> None:
        """Ends what was cancelled and what is late."""
        now = time.perf_counter()
        for task in [*self._running, *self._waiting]:
            deadline = task.ticket.deadline
            if task.ticket.cancelled:
                self._end(task, Failed(RequestCancelledError("the request was cancelled")))
            elif deadline is not None and now > deadline:
                state = "running" if task in self._running else "waiting for its turn"
                late = DeadlineError(
                    f"the {task.ticket.timeout:.3g} s of the request are over; it was {state}. "
                    "Give it more time or ask for less"
                )
                self._end(task, Failed(late))

    def _end(self, task: Task, event: Event) -> None:
        if task in self._running:
            self._running.remove(task)
            self._full = False
        else:
            self._waiting.remove(task)
        self._finish(task, event)

    def _finish(self, task: Task, event: Event) -> None:
        """Gives the pages back first: whoever hears of the end finds them free."""
        task.leave()
        self._pairs = {pair: n for pair, n in self._pairs.items() if task.key[1] not in pair}
        self._known.pop(task.key[1], None)
        self._tell(task, event)

    def _tell(self, task: Task, event: Event) -> None:
        task.ticket.emit(event)
        task.ticket.ended.set()

    def _admit(self) -> None:
        for task in self._waiting[: self._limits.running]:
            if len(self._running) >= self._limits.running or (self._full and self._running):
                return
            if self._shares(task):
                continue
            self._waiting.remove(task)
            bisect.insort(self._running, task, key=_key)
            try:
                task.start()
            except _native.KvFullError as error:
                self._make_way(task, error)
            except Exception as error:
                self._end(task, Failed(error))
            else:
                if task.done:
                    self._end(task, task.done)

    def _shares(self, task: Task) -> bool:
        """Puts what a running request has read of this one's prompt into the cache.

        True if it is still reading what both begin with: then it is read once when this one waits.
        """
        waits = False
        for other in self._running:
            common = self._common(task, other)
            if common < SHARED_WORTH_WAITING or other.sequence is None:
                continue
            if common < self._cached(task) + SHARED_WORTH_WAITING:
                continue
            if len(other.sequence.tokens) < common:
                waits = waits or other.reading
            elif self._native.can_truncate(other.sequence.handle, common):
                self._cache.mark(other.sequence)
                del self._known[task.key[1]]
        return waits

    def _cached(self, task: Task) -> int:
        """Tokens of a waiting prompt in the cache, as of its arrival or the last mark made for it."""
        if task.key[1] not in self._known:
            self._known[task.key[1]] = self._cache.match(task.ids[:-1].tolist())
        return self._known[task.key[1]]

    def _common(self, waiting: Task, running: Task) -> int:
        """Tokens that both prompts begin with; never the last of the waiting one, whose logits are needed."""
        pair = (waiting.key[1], running.key[1])
        if pair not in self._pairs:
            self._pairs[pair] = common_prefix(waiting.ids[:-1], running.ids)
        return self._pairs[pair]

    # -- a step ------------------------------------------------------------------------------------------

    def _step(self) -> None:
        start = time.perf_counter()
        streams = [task for task in self._running if not task.reading]
        each = STEP_ROWS // max(1, len(streams))
        decode = [plan for task in streams if (plan := self._planned(task, each))]
        decode_rows = sum(plan.tokens for plan in decode)
        streamed = any(plan.task.streamed for plan in decode)
        prompt = self._reading(self._budget.tokens(decode_rows, streamed=streamed))
        prompt_tokens = sum(plan.tokens for plan in prompt)
        plans = decode + prompt
        if not plans:
            return
        scoring = [plan for plan in plans if plan.slices[0].targets is not None]
        self._attempt([plan for plan in plans if plan not in scoring], prompt_tokens)
        self._attempt(scoring, prompt_tokens)
        self._budget.observe(decode_rows, prompt_tokens, time.perf_counter() - start)

    def _reading(self, tokens: int) -> list[_Plan]:
        """Shares out a step's prompt tokens: half to the oldest request, half to the one soonest done."""
        readers = [task for task in self._running if task.reading]
        if not readers or tokens <= 0:
            return []
        oldest, soonest = readers[0], min(readers, key=lambda task: task.left())
        shares = {id(soonest): min(soonest.left(), tokens - tokens // 2)} if soonest is not oldest else {}
        plans: list[_Plan] = []
        tokens -= sum(shares.values())
        for task in readers:
            share = shares.get(id(task), 0)
            most = share or min(tokens, task.left())
            if most > 0 and (plan := self._planned(task, self._up_to_fork(task, most))):
                plans.append(plan)
                if not share:
                    tokens -= plan.tokens
        return plans

    def _up_to_fork(self, task: Task, most: int) -> int:
        """Stops where a waiting request goes on differently: windowed layers can be forked only there."""
        at = len(task.sequence.tokens) if task.sequence else 0
        for other in self._waiting[: self._limits.running]:
            common = self._common(other, task)
            if at < common < at + most:
                most = common - at
        return most

    def _planned(self, task: Task, most: int) -> _Plan | None:
        try:
            return _Plan(task, task.plan(most))
        except Exception as error:
            self._end(task, Failed(error))
            return None

    def _attempt(self, plans: list[_Plan], prompt_tokens: int) -> None:
        """Runs the plans in one call of the core. If it refuses, others give way, or each runs by itself."""
        while plans := [plan for plan in plans if plan.task in self._running]:
            try:
                results = self._call(plans, prompt_tokens)
            except _native.KvFullError as error:
                if not self._cache.make_room():
                    self._make_way(self._running[-1], error)
            except _native.NativeError as error:
                if len(plans) == 1:
                    self._end(plans[0].task, Failed(error))
                    return
                for plan in plans:
                    self._attempt([plan], prompt_tokens)
                return
            else:
                for plan, result in zip(plans, results, strict=True):
                    self._deliver(plan.task, result)
                return

    def _call(self, plans: list[_Plan], prompt_tokens: int) -> list[StepResult]:
        """Plans with targets are scored, others give rows of logits; never both in one call."""
        rows: list[list[Row]] = [[] for _ in plans]
        scores: Iterator[NDArray[np.float32]] = iter(())
        start = time.perf_counter()
        if plans[0].slices[0].targets is not None:
            slices = [each for plan in plans for each in plan.slices]
            flat = self._native.score([(s.handle, s.tokens, s.targets or []) for s in slices])
            scores = iter(np.split(flat, np.cumsum([len(s.tokens) for s in slices])[:-1]))
        else:
            rows = self._rows(plans)
        seconds = time.perf_counter() - start
        wanted = sum(plan.wanted for plan in plans)
        cost = None if prompt_tokens else StepCost(seconds, wanted, len(plans))
        return [
            StepResult(rows=own, scores=list(itertools.islice(scores, len(plan.slices))), cost=cost)
            for plan, own in zip(plans, rows, strict=True)
        ]

    def _rows(self, plans: list[_Plan]) -> list[list[Row]]:
        """Of every plan; only the best logits where these do: the core need not read the whole head then."""
        whole = [plan for plan in plans if plan.whole]
        best = [plan for plan in plans if not plan.whole]
        count = max((plan.task.candidates or 1 for plan in best), default=1)
        logits, ids, top = self._native.forward_both(
            _batch(whole), _batch(best), min(count, self._native.n_vocab)
        )
        of_whole, of_best = map(Row, logits), map(Row, top, ids)
        return [list(itertools.islice(of_whole if plan.whole else of_best, plan.wanted)) for plan in plans]

    def _deliver(self, task: Task, result: StepResult) -> None:
        try:
            task.take(result)
        except Exception as error:
            self._end(task, Failed(error))
        else:
            if task.done:
                self._end(task, task.done)

    def _make_way(self, task: Task, error: _native.KvFullError) -> None:
        """A request gives its pages back and waits until another has left; one alone can only fail."""
        if len(self._running) == 1:
            self._end(task, Failed(self._cache.exhausted(error)))
            return
        self._running.remove(task)
        task.leave()
        bisect.insort(self._waiting, task, key=_key)
        self._full = True


def _batch(plans: list[_Plan]) -> list[tuple[int, list[int], int]]:
    return [(each.handle, each.tokens, each.wanted) for plan in plans for each in plan.slices]


def _key(task: Task) -> tuple[float, int]:
    return task.key
