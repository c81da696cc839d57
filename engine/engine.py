"""One loaded model: generate, stream, batch, rank, measure perplexity; prefixes are reused unasked."""

from __future__ import annotations

import asyncio
import difflib
import math
import operator
import time
import weakref
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import aclosing, closing
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Self, Unpack

import numpy as np
from numpy.typing import NDArray

from longleaf import LongleafError, _native
from longleaf.engine.constraint.constraint import Constraint
from longleaf.engine.errors import ContextOverflowError, PromptError, SamplingError
from longleaf.engine.models.load_options import LoadOptions, MemoryNeed, NumaUse, trained_context
from longleaf.engine.models.store import ModelError, OnProgress, ResolvedModel, resolve
from longleaf.engine.prefix.cache import PrefixCache, PrefixStats
from longleaf.engine.prefix.kv_options import KvOptions, open_store
from longleaf.engine.prompt.chat_template import load_template
from longleaf.engine.prompt.tokenizer import Tokenizer, load_tokenizer
from longleaf.engine.scheduling.meter import Meter, open_meters
from longleaf.engine.scheduling.request import (
    Event,
    Failed,
    Generated,
    GenerateRequest,
    Output,
    Progress,
    Scored,
    ScoreRequest,
    Ticket,
)
from longleaf.engine.scheduling.scheduler import Limits, Scheduler
from longleaf.engine.speculation.draft_pace import StepTimes
from longleaf.engine.speculation.drafter import Drafter
from longleaf.engine.speculation.prompt_lookup import PromptLookup
from longleaf.engine.types import CandidateScore, Generation, Perplexity, SamplingOptions, SamplingParams

DEFAULT_CTX_SIZE = 8192

OnRead = Callable[[int, int], None]  # tokens read, of all


class RequestOptions(SamplingOptions, total=False):
    """Keyword arguments of every request: the sampling parameters, and how it is read and served.

    `parse_special` reads the model's special tokens in a text prompt, as rendered chat templates need; text
    of a document in such a prompt must have been through `chat.defuse`. A `priority` above 0 goes before
    others that came up to ten seconds earlier for each unit. `timeout` is in seconds, waiting included; then
    the request ends with DeadlineError. `shared` is the part of the prompt, from its beginning, that other
    prompts will begin with too (a document before its question): it is kept so that they go on from there.
    A name that is none of these is a TypeError.
    """

    parse_special: bool
    shared: str
    priority: int
    timeout: float | None


class Engine:
    """Thread-safe: requests of several threads share the model step by step."""

    def __init__(
        self,
        model: ResolvedModel,
        *,
        ctx_size: int | None = None,
        threads: int | None = None,
        limits: Limits | None = None,
        speculate: bool = True,
        kv: KvOptions | None = None,
        load: LoadOptions | None = None,
    ) -> None:
        """Maps and checks the file; raises `NativeError` naming what is wrong with it.

        `ctx_size` is in tokens; by default what the model was trained for, at most DEFAULT_CTX_SIZE. With
        `speculate`, requests without a drafter of their own draft from their own text (docs/speculation.md).
        By default no prefix is kept on disk; DiskCacheError if it should be and cannot.
        """
        kv = kv or KvOptions()
        self.model = model
        self._gguf = _native.Gguf(str(model.path))
        self.tokenizer: Tokenizer = load_tokenizer(self._gguf)
        self._trained = trained_context(self._gguf)
        self.ctx_size = ctx_size or min(self._trained or DEFAULT_CTX_SIZE, DEFAULT_CTX_SIZE)
        self._native = _native.Model(
            self._gguf,
            threads=threads or 0,
            ctx_size=self.ctx_size,
            kv_budget_bytes=kv.budget_bytes,
            **(load or LoadOptions()).native(),
            kv_type_k=kv.type_k,
            kv_type_v=kv.type_v,
        )
        if self.tokenizer.n_vocab != self._native.n_vocab:
            raise ModelError(
                f"{model.path}: its vocabulary has {self.tokenizer.n_vocab} tokens, but its weights are for "
                f"{self._native.n_vocab}; the file is damaged or was put together wrongly"
            )
        self.template = load_template(self._gguf, self.tokenizer)  # None for a base model
        self._prefixes = PrefixCache(self._native, store=open_store(model, self._native, kv))
        self._limits = limits or Limits()
        self._speculate = speculate
        self.step_times = StepTimes()  # for drafters
        self._scheduler = Scheduler(self._native, self._prefixes, self.tokenizer, self._limits)
        # Also when the program ends: a thread inside the core must not outlive the interpreter.
        weakref.finalize(self, self._scheduler.close)

    @classmethod
    def open(
        cls,
        model: str | Path,
        *,
        ctx_size: int | None = None,
        threads: int | None = None,
        limits: Limits | None = None,
        speculate: bool = True,
        offline: bool = False,
        progress: OnProgress | None = None,
        kv: KvOptions | None = None,
        load: LoadOptions | None = None,
    ) -> Self:
        """A catalogue name, a GGUF path or `hf:org/repo/file.gguf`; pulled first if it is not here yet."""
        found = resolve(str(model), offline=offline, progress=progress)
        return cls(
            found, ctx_size=ctx_size, threads=threads, limits=limits, speculate=speculate, kv=kv, load=load
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends all requests with EngineClosedError, joins the thread that steps the model, frees prefixes.

        The engine can be used again; it starts cold, but for what it kept on disk.
        """
        if self._scheduler.forked:  # the original's thread, locks and files are not ours
            return
        self._scheduler.close()
        self._prefixes.clear()

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def isa(self) -> str:
        return str(self._native.isa)

    @property
    def threads(self) -> int:
        return int(self._native.threads)

    @property
    def memory(self) -> MemoryNeed:
        """What the model takes, the KV cache as of one prompt that fills the context."""
        return MemoryNeed(ctx_size=self.ctx_size, **self._native.memory_need)

    @property
    def placement_trouble(self) -> str:
        """What the system refused of placing and locking memory, for people; empty if nothing."""
        return str(self._native.placement_trouble)

    def numa_use(self) -> NumaUse:
        """Asks the system where the weights and the pages of KV cache in use lie; waits for a step to end.

        Afterwards `placement_trouble` says so if much of them lies where it should not.
        """
        return NumaUse(**self._native.numa_use())

    def prefix_stats(self) -> PrefixStats:
        """What is cached of earlier prompts."""
        return self._prefixes.stats()

    def generate(
        self,
        prompt: str | Sequence[int],
        *,
        constraint: Constraint | None = None,
        drafter: Drafter | None = None,
        progress: OnRead | None = None,
        **options: Unpack[RequestOptions],
    ) -> Generation:
        """The whole continuation; the parameters are those of `stream`.

        As nobody reads along, its steps may take in larger pieces of other prompts.
        """
        request = self._request(prompt, constraint, drafter, options)
        *_, last = self._events(request, options, progress)
        assert isinstance(last, Generated)
        return last.generation

    def stream(
        self,
        prompt: str | Sequence[int],
        *,
        constraint: Constraint | None = None,
        drafter: Drafter | None = None,
        progress: OnRead | None = None,
        **options: Unpack[RequestOptions],
    ) -> Generator[str, None, Generation]:
        """Yields text once it is sure (whole characters, no part of a stop string); returns the Generation.

        The request is queued by the first `next` and cancelled by `close`. RequestError and its kinds tell
        what became of a request that could not be finished.
        """
        request = self._request(prompt, constraint, drafter, options, streamed=True)
        with closing(self._events(request, options, progress)) as events:
            for event in events:
                if isinstance(event, Output) and event.text:
                    yield event.text
                if isinstance(event, Generated):
                    return event.generation
        raise AssertionError("the scheduler ended a generation without its result")

    async def agenerate(
        self,
        prompt: str | Sequence[int],
        *,
        constraint: Constraint | None = None,
        drafter: Drafter | None = None,
        progress: OnRead | None = None,
        **options: Unpack[RequestOptions],
    ) -> Generation:
        """`generate` for asyncio; cancelling the task cancels the request."""
        request = await asyncio.to_thread(self._request, prompt, constraint, drafter, options)
        async with aclosing(self._aevents(request, options, progress)) as events:
            async for event in events:
                if isinstance(event, Generated):
                    return event.generation
        raise AssertionError("the scheduler ended a generation without its result")

    async def astream(
        self,
        prompt: str | Sequence[int],
        *,
        constraint: Constraint | None = None,
        drafter: Drafter | None = None,
        progress: OnRead | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncGenerator[str | Generation]:
        """`stream` for asyncio: yields the text and, last, the Generation. `aclose` cancels the request."""
        request = await asyncio.to_thread(self._request, prompt, constraint, drafter, options, streamed=True)
        async with aclosing(self._aevents(request, options, progress)) as events:
            async for event in events:
                if isinstance(event, Output) and event.text:
                    yield event.text
                if isinstance(event, Generated):
                    yield event.generation

    def batch(
        self,
        prompts: Sequence[str | Sequence[int]],
        *,
        progress: OnRead | None = None,
        **options: Unpack[RequestOptions],
    ) -> list[Generation]:
        """Continues all prompts side by side; the results in their order.

        `progress` is told how many are finished. If one fails the others are cancelled and its error is
        raised.
        """
        requests = [self._request(prompt, None, None, options) for prompt in prompts]
        # No more than can run, and as many to follow them as may wait, so that a large batch fills no queue.
        most = self._limits.running + min(self._limits.running, self._limits.waiting)
        events: SimpleQueue[tuple[int, Event]] = SimpleQueue()
        tickets: list[Ticket] = []
        results: dict[int, Generation] = {}
        meters = open_meters()
        try:
            while len(results) < len(requests):
                while len(tickets) < min(len(requests), len(results) + most):
                    index = len(tickets)
                    emit = lambda event, index=index: events.put((index, event))  # noqa: E731
                    tickets.append(self._submit(requests[index], options, emit))
                index, event = events.get()
                _note(event, meters)
                if isinstance(event, Generated):
                    results[index] = event.generation
                    if progress:
                        progress(len(results), len(requests))
        finally:
            self._abandon(*tickets)
        return [results[index] for index in range(len(requests))]

    def rank(
        self,
        prefix: str,
        candidates: Sequence[str],
        *,
        parse_special: bool = False,
        priority: int = 0,
        timeout: float | None = None,
        progress: OnRead | None = None,
    ) -> list[CandidateScore]:
        """Log-likelihood of each candidate right after `prefix`, which is read once and forked for each.

        Raises PromptError, and RequestError and its kinds.

        Texts are tokenized joined, as the model would meet them, and scored from the first token in which any
        two of them (or the prefix alone) differ. `n_tokens` counts the scored tokens.
        """
        if not candidates:
            return []
        if not all(candidates):
            raise PromptError("an empty candidate cannot be ranked")
        alone = self._prompt_ids(prefix, parse_special)
        joined = [self._prompt_ids(prefix + candidate, parse_special) for candidate in candidates]
        shared = min(_common(alone, ids) for ids in joined)
        shared = min(shared, *(len(ids) - 1 for ids in joined))
        if shared < 1:
            raise PromptError("the prefix of a ranking must hold at least one token")
        self._check_fits(max(map(len, joined)), 0)
        # The last shared token is given to each fork, so that its logits score the first own token.
        tails = [(ids[shared - 1 : -1], ids[shared:]) for ids in joined]
        options: RequestOptions = {"priority": priority, "timeout": timeout}
        scores = self._score(ScoreRequest(joined[0][: shared - 1], tails), options, progress)
        for meter in open_meters():
            meter.count_prompt(sum(len(ids) - shared for ids in joined) + 1)
        return [
            CandidateScore(logprob=float(np.sum(each, dtype=np.float64)), n_tokens=len(ids) - shared)
            for each, ids in zip(scores, joined, strict=True)
        ]

    def perplexity(self, text: str, *, ctx: int = 512, progress: OnRead | None = None) -> Perplexity:
        """llama.cpp's method: consecutive chunks of `ctx` tokens, the second half of each scored.

        A BOS replaces the first token of each chunk when the model adds one. Raises LongleafError when the
        text is shorter than one chunk.
        """
        ids = self.tokenizer.encode(text)
        chunks = len(ids) // ctx if ctx >= 4 else 0
        if chunks:
            self._check_fits(ctx, 0)
        else:
            raise LongleafError(
                f"perplexity needs one chunk of {ctx} tokens (4 or more) at least; "
                f"the text has {len(ids)} tokens"
            )
        start = time.perf_counter()
        bos = self.tokenizer.bos_id if self.tokenizer.add_bos else None
        first = ctx // 2
        tails = []
        for chunk in (ids[at : at + ctx] for at in range(0, chunks * ctx, ctx)):
            inputs = [bos if bos is not None else chunk[0], *chunk[1:-1]]
            tails.append((inputs, [-1] * first + chunk[first + 1 :]))
        scores = self._score(ScoreRequest([], tails), {}, progress)
        total = -sum(float(np.sum(each, dtype=np.float64)) for each in scores)
        scored = chunks * (ctx - first - 1)
        return Perplexity(math.exp(total / scored), scored, time.perf_counter() - start)

    # -- requests ----------------------------------------------------------------------------------------

    def _request(
        self,
        prompt: str | Sequence[int],
        constraint: Constraint | None,
        drafter: Drafter | None,
        options: RequestOptions,
        *,
        streamed: bool = False,
    ) -> GenerateRequest:
        if unknown := options.keys() - RequestOptions.__annotations__.keys():
            name = min(unknown)
            near = difflib.get_close_matches(name, RequestOptions.__annotations__, n=1)
            raise TypeError(f"a request has no option {name!r}" + (f"; is it {near[0]!r}?" if near else ""))
        if math.isnan(options.get("timeout") or 0):
            raise SamplingError("timeout must be a number of seconds or None, not nan")
        sampling = {key: value for key, value in options.items() if key in SamplingOptions.__annotations__}
        params = SamplingParams(**sampling)  # type: ignore[arg-type]
        ids = self._prompt_ids(prompt, options.get("parse_special", False))
        self._check_fits(len(ids), params.max_tokens)
        if params.stop and constraint is not None:
            raise SamplingError("a constrained output takes no stop texts: they would cut it anywhere")
        if beyond := [token for token in params.logit_bias if token >= self.tokenizer.n_vocab]:
            raise SamplingError(
                f"logit_bias is for token {beyond[0]}, but the vocabulary has {self.tokenizer.n_vocab} tokens"
            )
        if drafter is None and self._speculate:
            drafter = PromptLookup(self.step_times)
        shared = 0
        if beginning := options.get("shared"):
            shared = _common(self._prompt_ids(beginning, options.get("parse_special", False)), ids)
        return GenerateRequest(ids, params, constraint, drafter, shared=shared, streamed=streamed)

    def _prompt_ids(self, prompt: str | Sequence[int], parse_special: bool) -> list[int]:
        if isinstance(prompt, str):
            ids = self.tokenizer.encode(prompt, parse_special=parse_special)
        elif isinstance(prompt, bytes):
            raise TypeError("a prompt is a text or a list of token ids, not bytes")
        else:
            ids = [operator.index(token) for token in prompt]  # TypeError for what is no whole number
        if not ids:
            raise PromptError("the prompt holds no token")
        if not 0 <= min(ids) <= max(ids) < self.tokenizer.n_vocab:
            wrong = next(token for token in ids if not 0 <= token < self.tokenizer.n_vocab)
            raise PromptError(
                f"the prompt has token {wrong}, but those of the model are 0 to {self.tokenizer.n_vocab - 1}"
            )
        return ids

    def _check_fits(self, prompt: int, new: int) -> None:
        if prompt + new > self.ctx_size:
            raise ContextOverflowError(
                f"{prompt} tokens of prompt and {new} to generate do not fit the context of {self.ctx_size}; "
                f"raise --ctx-size (the model was trained for {self._trained}) "
                "or give less text"
            )
        needed, budget = self._native.kv_bytes_needed(prompt + new), self._native.kv_budget_bytes
        if needed > budget:
            kv = self._native.kv_stats()
            raise ContextOverflowError(
                f"{prompt} tokens of prompt and {new} to generate need {needed:,} bytes of KV cache: "
                f"{kv['bytes_per_token']:,} a token in {kv['global_layers']} layers, and a window of "
                f"{kv['window_tokens']:,} tokens in {kv['window_layers']}; the budget is {budget:,}. Raise "
                "--kv-budget, choose smaller --cache-type-k and --cache-type-v, or give less text"
            )

    def _submit(
        self, request: GenerateRequest | ScoreRequest, options: RequestOptions, emit: Callable[[Event], None]
    ) -> Ticket:
        return self._scheduler.submit(
            request, emit, priority=options.get("priority", 0), timeout=options.get("timeout")
        )

    def _events(
        self, request: GenerateRequest | ScoreRequest, options: RequestOptions, progress: OnRead | None
    ) -> Generator[Event]:
        """What becomes of a request, its result last; raises the error it ends with. Cancelled by `close`."""
        events: SimpleQueue[Event] = SimpleQueue()
        meters = open_meters()
        ticket = self._submit(request, options, events.put)
        try:
            while True:
                self._scheduler.check_process()  # the generator may have come along into a forked one
                event = events.get()
                _note(event, meters, progress)
                yield event
                if isinstance(event, Generated | Scored):
                    return
        finally:
            self._abandon(ticket)

    async def _aevents(
        self, request: GenerateRequest, options: RequestOptions, progress: OnRead | None
    ) -> AsyncGenerator[Event]:
        """`_events` for asyncio."""
        loop = asyncio.get_running_loop()
        events: asyncio.Queue[Event] = asyncio.Queue()

        def emit(event: Event) -> None:
            try:
                loop.call_soon_threadsafe(events.put_nowait, event)
            except RuntimeError:  # the loop is closed: nobody listens any more
                ticket.cancelled = True

        meters = open_meters()
        ticket = self._submit(request, options, emit)
        event: Event | None = None
        try:
            while not isinstance(event, Generated):
                event = await events.get()
                _note(event, meters, progress)
                yield event
        finally:
            ticket.cancel()
            while not isinstance(event, Generated | Failed) and not loop.is_closed():
                event = await events.get()

    def _score(
        self, request: ScoreRequest, options: RequestOptions, progress: OnRead | None
    ) -> list[NDArray[np.float32]]:
        *_, last = self._events(request, options, progress)
        assert isinstance(last, Scored)
        return last.scores

    def _abandon(self, *tickets: Ticket) -> None:
        """Cancels requests that still run, and waits until their pages are given back.

        Not where that could wait for itself: the collector may run a generator's end on the scheduler's
        thread, or on one that holds the lock of the prefixes. Nor in a forked process.
        """
        running = [ticket for ticket in tickets if not ticket.ended.is_set()]
        for ticket in running:
            ticket.cancel()
        if self._scheduler.forked or self._scheduler.on_own_thread() or self._prefixes.locked_here():
            return
        for ticket in running:
            ticket.ended.wait()


def _note(event: Event, meters: Sequence[Meter], progress: OnRead | None = None) -> None:
    """Counts and reports what became of a request; raises the error it ends with."""
    for meter in meters:
        meter.count(event)
    if isinstance(event, Failed):
        raise event.error
    if isinstance(event, Progress) and progress:
        progress(event.done, event.total)


def _common(left: Sequence[int], right: Sequence[int]) -> int:
    """Length of the common prefix."""
    limit = min(len(left), len(right))
    for index in range(limit):
        if left[index] != right[index]:
            return index
    return limit
