"""One loaded model: generate, stream, rank candidates, measure perplexity; prefixes are reused unasked."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from longleaf import LongleafError, _native
from longleaf.engine.chat import load_template
from longleaf.engine.meter import Meter, open_meters
from longleaf.engine.models import ModelError, OnProgress, ResolvedModel, resolve
from longleaf.engine.prefix import KvSequence, PrefixCache, PrefixStats
from longleaf.engine.sampling import next_token
from longleaf.engine.tokenizer import Tokenizer, load_tokenizer
from longleaf.engine.types import CandidateScore, Generation

PREFILL_CHUNK = 512  # tokens a step: long enough for the kernels, short enough to be interrupted
DEFAULT_CTX_SIZE = 8192

Progress = Callable[[int, int], None]


class ContextOverflowError(LongleafError):
    """A prompt and its answer do not fit the context."""


@dataclass(frozen=True, slots=True)
class Perplexity:
    perplexity: float
    tokens: int  # scored
    seconds: float


def _trained_context(file: _native.Gguf) -> int | None:
    """Tokens the model was trained for, as its file says; None if it does not (the core refuses it then)."""
    length = file.get(f"{file.get('general.architecture')}.context_length")
    return length if isinstance(length, int) else None


class Engine:
    """Thread-safe: requests of several threads share the model step by step."""

    def __init__(
        self, model: ResolvedModel, *, ctx_size: int | None = None, threads: int | None = None
    ) -> None:
        """Maps and checks the file; raises `NativeError` naming what is wrong with it.

        `ctx_size` is in tokens; by default what the model was trained for, at most DEFAULT_CTX_SIZE.
        """
        self.model = model
        self._gguf = _native.Gguf(str(model.path))
        self.tokenizer: Tokenizer = load_tokenizer(self._gguf)
        self._trained = _trained_context(self._gguf)
        self.ctx_size = ctx_size or min(self._trained or DEFAULT_CTX_SIZE, DEFAULT_CTX_SIZE)
        self._native = _native.Model(self._gguf, threads=threads or 0, ctx_size=self.ctx_size)
        if self.tokenizer.n_vocab != self._native.n_vocab:
            raise ModelError(
                f"{model.path}: its vocabulary has {self.tokenizer.n_vocab} tokens, but its weights are for "
                f"{self._native.n_vocab}; the file is damaged or was put together wrongly"
            )
        self.template = load_template(self._gguf, self.tokenizer)  # None for a base model
        self._prefixes = PrefixCache(self._native)

    @classmethod
    def open(
        cls,
        model: str | Path,
        *,
        ctx_size: int | None = None,
        threads: int | None = None,
        offline: bool = False,
        progress: OnProgress | None = None,
    ) -> Self:
        """A catalogue name, a GGUF path or `hf:org/repo/file.gguf`; pulled first if it is not here yet."""
        return cls(
            resolve(str(model), offline=offline, progress=progress), ctx_size=ctx_size, threads=threads
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Frees every kept KV cache. The engine can be used again; it starts cold."""
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

    def prefix_stats(self) -> PrefixStats:
        """What is cached of earlier prompts."""
        return self._prefixes.stats()

    def generate(
        self,
        prompt: str | Sequence[int],
        *,
        max_tokens: int,
        temperature: float = 0.0,
        stop: Sequence[str] = (),
        seed: int = 0,
        ignore_eos: bool = False,
        parse_special: bool = False,
        progress: Progress | None = None,
    ) -> Generation:
        """The whole continuation; the parameters are those of `stream`."""
        pieces = self.stream(
            prompt,
            max_tokens=max_tokens,
            temperature=temperature,
            stop=stop,
            seed=seed,
            ignore_eos=ignore_eos,
            parse_special=parse_special,
            progress=progress,
        )
        while True:
            try:
                next(pieces)
            except StopIteration as end:
                result: Generation = end.value
                return result

    def stream(
        self,
        prompt: str | Sequence[int],
        *,
        max_tokens: int,
        temperature: float = 0.0,
        stop: Sequence[str] = (),
        seed: int = 0,
        ignore_eos: bool = False,
        parse_special: bool = False,
        progress: Progress | None = None,
    ) -> Generator[str, None, Generation]:
        """Yields text once it is sure (whole characters, no part of a stop string); returns the Generation.

        `parse_special` reads the model's special tokens in a text prompt, as rendered chat templates need;
        text of a document in such a prompt must have been through `chat.defuse`.
        """
        ids = self._prompt_ids(prompt, parse_special)
        if max_tokens < 1:
            raise ValueError(f"max_tokens must be at least 1, not {max_tokens}")
        self._check_fits(len(ids), max_tokens)
        meters = (own := Meter(), *open_meters())
        rng = np.random.default_rng(seed)
        decoder = self.tokenizer.stream()
        ends = () if ignore_eos else self.tokenizer.eog_ids
        text, shown, finish, token = "", 0, "length", -1
        generated: list[int] = []
        sequence = self._prefill(ids[:-1], meters, progress)
        try:
            last = ids[-1]
            for meter in meters:
                meter.count_prompt(1, 0)
            while len(generated) < max_tokens:
                token = next_token(self._append(sequence, [last], 1)[0], temperature, rng)
                if token in ends:
                    finish = "stop"
                    break
                generated.append(token)
                for meter in meters:
                    meter.count_output(1)
                text += decoder.push(token)
                if (cut := _first_stop(text, stop)) is not None:
                    text, finish = text[:cut], "stop"
                    break
                sure = len(text) - _held_back(text, stop)
                if sure > shown:
                    yield text[shown:sure]
                    shown = sure
                last = token
            if finish == "length" or token in ends:
                text += decoder.flush()
            if len(text) > shown:
                yield text[shown:]
        finally:
            self._prefixes.release(sequence)
        return Generation(text=text, ids=tuple(generated), finish=finish, usage=own.usage())

    def rank(
        self,
        prefix: str,
        candidates: Sequence[str],
        *,
        parse_special: bool = False,
        progress: Progress | None = None,
    ) -> list[CandidateScore]:
        """Log-likelihood of each candidate right after `prefix`, which is read once and forked for each.

        Texts are tokenized joined, as the model would meet them, and scored from the first token in which any
        two of them (or the prefix alone) differ. `n_tokens` counts the scored tokens.
        """
        if not candidates:
            return []
        if not all(candidates):
            raise ValueError("an empty candidate cannot be ranked")
        meters = open_meters()
        alone = self._prompt_ids(prefix, parse_special)
        joined = [self._prompt_ids(prefix + candidate, parse_special) for candidate in candidates]
        shared = min(_common(alone, ids) for ids in joined)
        shared = min(shared, *(len(ids) - 1 for ids in joined))
        if shared < 1:
            raise ValueError("the prefix of a ranking must hold at least one token")
        self._check_fits(max(map(len, joined)), 0)
        # The last shared token is given to each fork, so that its logits score the first own token.
        base = self._prefill(joined[0][: shared - 1], meters, progress)
        try:
            totals = self._score_forks(base, [ids[shared - 1 :] for ids in joined])
        finally:
            self._prefixes.release(base)
        for meter in meters:
            meter.count_prompt(sum(len(ids) - shared for ids in joined) + 1, 0)
            meter.count_output(0)
        return [
            CandidateScore(logprob=total, n_tokens=len(ids) - shared)
            for total, ids in zip(totals, joined, strict=True)
        ]

    def perplexity(self, text: str, *, ctx: int = 512, progress: Progress | None = None) -> Perplexity:
        """llama.cpp's method: consecutive chunks of `ctx` tokens, the second half of each scored.

        A BOS replaces the first token of each chunk when the model adds one. Raises LongleafError when the
        text is shorter than one chunk.
        """
        self._check_fits(ctx, 0)
        ids = self.tokenizer.encode(text)
        chunks = len(ids) // ctx
        if ctx < 4 or chunks < 1:
            raise LongleafError(
                f"perplexity needs one chunk of {ctx} tokens (4 or more) at least; "
                f"the text has {len(ids)} tokens"
            )
        start = time.perf_counter()
        total, scored = 0.0, 0
        bos = self.tokenizer.bos_id if self.tokenizer.add_bos else None
        for index in range(chunks):
            chunk = ids[index * ctx : (index + 1) * ctx]
            inputs = [bos if bos is not None else chunk[0], *chunk[1:]]
            first = ctx // 2
            targets = [-1] * first + chunk[first + 1 :]
            with self._scratch() as sequence:
                for at in range(0, ctx - 1, PREFILL_CHUNK):
                    stop = min(at + PREFILL_CHUNK, ctx - 1)
                    scores = self._native.score([(sequence, inputs[at:stop], targets[at:stop])])
                    total -= float(np.sum(scores, dtype=np.float64))
            scored += ctx - first - 1
            if progress:
                progress(index + 1, chunks)
        return Perplexity(math.exp(total / scored), scored, time.perf_counter() - start)

    # -- sequences ---------------------------------------------------------------------------------------

    def _prompt_ids(self, prompt: str | Sequence[int], parse_special: bool) -> list[int]:
        if isinstance(prompt, str):
            ids = self.tokenizer.encode(prompt, parse_special=parse_special)
        else:
            ids = list(prompt)
        if not ids:
            raise ValueError("the prompt holds no token")
        return ids

    def _check_fits(self, prompt: int, new: int) -> None:
        if prompt + new > self.ctx_size:
            raise ContextOverflowError(
                f"{prompt} tokens of prompt and {new} to generate do not fit the context of {self.ctx_size}; "
                f"raise --ctx-size (the model was trained for {self._trained}) "
                "or give less text"
            )

    def _prefill(self, ids: list[int], meters: tuple[Meter, ...], progress: Progress | None) -> KvSequence:
        """A sequence holding just `ids`, for the caller to release."""
        sequence = self._prefixes.acquire(ids)
        for meter in meters:
            meter.count_prompt(len(ids), sequence.reused)
        try:
            while (at := len(sequence.tokens)) < len(ids):
                if progress:
                    progress(at, len(ids))
                self._append(sequence, ids[at : sequence.stop(at + PREFILL_CHUNK)], 0)
        except BaseException:
            self._prefixes.release(sequence)
            raise
        if progress and ids:
            progress(len(ids), len(ids))
        return sequence

    def _append(self, sequence: KvSequence, tokens: list[int], wanted: int) -> NDArray[np.float32]:
        """Logits after each of the last `wanted` appended tokens, shape (wanted, n_vocab)."""
        rows = self._prefixes.with_room(lambda: self._native.forward([(sequence.handle, tokens, wanted)]))
        self._prefixes.append(sequence, tokens)
        return rows

    def _score_forks(self, base: KvSequence, tails: list[list[int]]) -> list[float]:
        """Sum of log-probabilities of each tail's tokens after its first, on a fork of `base` each."""
        totals: list[float] = []
        while len(totals) < len(tails):
            group = [tails[len(totals)]]
            for tail in tails[len(totals) + 1 :]:
                if sum(map(len, group)) + len(tail) > PREFILL_CHUNK:
                    break
                group.append(tail)
            totals += self._prefixes.with_room(lambda group=group: self._score_group(base, group))  # type: ignore[misc]
        return totals

    def _score_group(self, base: KvSequence, tails: list[list[int]]) -> list[float]:
        forks: list[int] = []
        try:
            for _ in tails:
                forks.append(self._native.fork(base.handle))
            batch = [(fork, tail[:-1], tail[1:]) for fork, tail in zip(forks, tails, strict=True)]
            scores = self._native.score(batch)
        finally:
            for fork in forks:
                self._native.free(fork)
        ends = np.cumsum([len(tail) - 1 for tail in tails])
        return [float(np.sum(row, dtype=np.float64)) for row in np.split(scores, ends[:-1])]

    @contextmanager
    def _scratch(self) -> Generator[int]:
        handle = self._prefixes.with_room(self._native.new_sequence)
        try:
            yield handle
        finally:
            self._native.free(handle)


def _common(left: Sequence[int], right: Sequence[int]) -> int:
    """Length of the common prefix."""
    limit = min(len(left), len(right))
    for index in range(limit):
        if left[index] != right[index]:
            return index
    return limit


def _first_stop(text: str, stop: Sequence[str]) -> int | None:
    """Where the earliest stop string begins."""
    found = [at for at in (text.find(each) for each in stop if each) if at >= 0]
    return min(found) if found else None


def _held_back(text: str, stop: Sequence[str]) -> int:
    """Characters at the end of `text` that may be the beginning of a stop string."""
    longest = 0
    for each in stop:
        for length in range(min(len(each) - 1, len(text)), longest, -1):
            if text.endswith(each[:length]):
                longest = length
                break
    return longest
