"""Timed prefills and decode steps at given depths, with llama-bench's meaning.

A prefill point appends P tokens behind `depth` others in one go; a generation point takes single-token greedy
steps there. Ids are random, as llama-bench's: the least favourable text for a screened output head.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from longleaf import _native
from longleaf.engine.models.load_options import LoadOptions, RopeScaling, trained_context

PREFILL_CHUNK = 512  # tokens a step, as the scheduler takes them when nobody else waits
MOST_RUNS = 3
ENOUGH_SECONDS = 5.0  # a point that took this long in all is not run again


@dataclass(frozen=True, slots=True)
class BenchRow:
    """One point. `seconds` is the median of the runs; `roofline_share` is the time that the counted
    operations and bytes would take at the probed rates, over `seconds`; `limit` is what binds at those."""

    prompt_tokens: int
    generated_tokens: int
    depth: int
    seconds: float
    tokens_per_second: float
    roofline_share: float
    limit: str  # "memory", "tiles", "integer units" or "float units"
    peak_rss_bytes: int
    isa: str
    threads: int
    runs: int
    seconds_min: float
    seconds_max: float


@dataclass(frozen=True, slots=True)
class Ideal:
    seconds: float
    limit: str


def instruction_sets() -> list[str]:
    """Those of this machine that are worth timing, the default first: `scalar` would take minutes."""
    return [name for name in _native.kernel_sets() if name != "scalar"] or ["scalar"]


class Bench:
    """A model opened for timing: no tokenizer, and no prefix reused but the depth asked for.

    Where `ctx_size` is beyond what the model was trained for and `load` says nothing of it, positions are
    stretched (`stretched` tells): random ids lose nothing by it, and it takes no time.
    """

    def __init__(
        self,
        path: Path,
        *,
        ctx_size: int,
        threads: int | None = None,
        load: LoadOptions | None = None,
        type_k: str = "f16",
        type_v: str = "f16",
    ) -> None:
        file = _native.Gguf(str(path))
        load = load or LoadOptions()
        trained = trained_context(file)
        self.stretched = load.rope is None and trained is not None and ctx_size > trained
        if self.stretched:
            load = replace(load, rope=RopeScaling("linear"))
        self._native = _native.Model(
            file, threads=threads or 0, ctx_size=ctx_size, kv_type_k=type_k, kv_type_v=type_v, **load.native()
        )
        self.isa = str(self._native.isa)
        self.ctx_size = ctx_size
        self.placement_trouble = str(self._native.placement_trouble)
        self.threads = int(self._native.threads)
        self.n_vocab = int(self._native.n_vocab)

    def prefill(self, base: int | None, ids: Sequence[int]) -> int:
        """Appends `ids` to a fork of `base` (or an empty sequence), computing the logits of the last."""
        sequence = self._native.new_sequence() if base is None else self._native.fork(base)
        for at in range(0, len(ids), PREFILL_CHUNK):
            chunk = ids[at : at + PREFILL_CHUNK]
            self._native.forward([(sequence, chunk, int(at + len(chunk) == len(ids)))])
        return sequence

    def decode(self, sequence: int, first: int, steps: int) -> None:
        """Greedy single-token steps, the first of them given `first`."""
        token = first
        for _ in range(steps):
            token = int(self._native.forward_top([(sequence, [token], 1)], 1)[0][0, 0])

    def free(self, sequence: int) -> None:
        self._native.free(sequence)

    def rates(self) -> dict[str, float]:
        return self._native.rates()

    def ideal(self, rates: dict[str, float], depth: int, prompt: int, generated: int) -> Ideal:
        """What the counted operations and bytes of a point would take at the probed rates."""
        if prompt:
            return _ideal(rates, self._native.cost(depth, prompt, 1))
        steps = [_ideal(rates, self._native.cost(depth + i, 1, 1)) for i in range(generated)]
        return Ideal(sum(step.seconds for step in steps), steps[-1].limit)


def measure(
    bench: Bench,
    *,
    prompts: Sequence[int],
    generations: Sequence[int],
    depths: Sequence[int],
    runs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[BenchRow]:
    """A row for every depth and every prompt and generation length, as each is done; zeros are left out.

    Each point runs MOST_RUNS times, or until ENOUGH_SECONDS are spent on it, or just `runs` times.
    """
    opened = _peak_rss()
    rates = bench.rates()
    _forget_peak()  # which the probe's buffer has raised
    points = [(prompt, 0) for prompt in prompts if prompt] + [(0, n) for n in generations if n]
    rng = np.random.default_rng(0)
    few = min(32, bench.ctx_size)
    bench.free(bench.prefill(None, rng.integers(bench.n_vocab, size=few).tolist()))  # first touches
    for d, depth in enumerate(depths):
        base = bench.prefill(None, rng.integers(bench.n_vocab, size=depth).tolist()) if depth else None
        for p, (prompt, generated) in enumerate(points):
            if progress:
                progress(d * len(points) + p, len(depths) * len(points))
            seconds: list[float] = []
            while len(seconds) < (runs or MOST_RUNS) and (runs or sum(seconds) < ENOUGH_SECONDS):
                ids = rng.integers(bench.n_vocab, size=max(prompt, 1)).tolist()
                seconds.append(_run(bench, base, ids, prompt, generated))
            middle = statistics.median(seconds)
            ideal = bench.ideal(rates, depth, prompt, generated)
            yield BenchRow(
                prompt_tokens=prompt,
                generated_tokens=generated,
                depth=depth,
                seconds=middle,
                tokens_per_second=(prompt or generated) / middle,
                roofline_share=ideal.seconds / middle,
                limit=ideal.limit,
                peak_rss_bytes=max(opened, _peak_rss()),
                isa=bench.isa,
                threads=bench.threads,
                runs=len(seconds),
                seconds_min=min(seconds),
                seconds_max=max(seconds),
            )
        if base is not None:
            bench.free(base)
    if progress:
        progress(len(depths) * len(points), len(depths) * len(points))


def _peak_rss() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _forget_peak() -> None:
    """proc(5), clear_refs: 5 sets the peak back to what is resident now."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _run(bench: Bench, base: int | None, ids: Sequence[int], prompt: int, generated: int) -> float:
    start = time.perf_counter()
    sequence = bench.prefill(base, ids if prompt else [])
    if generated:
        bench.decode(sequence, ids[0], generated)
    seconds = time.perf_counter() - start
    bench.free(sequence)
    return seconds


def _ideal(rates: dict[str, float], cost: dict[str, float]) -> Ideal:
    """Products at the rate of their unit, but no faster than their bytes come from memory."""
    units = (("tiles", "tile_macs"), ("integer units", "integer_macs"), ("float units", "float_macs"))
    unit, rate = next((unit, rates[name]) for unit, name in units if rates[name])
    compute = (cost["matmul_macs"] + cost["attention_macs"]) / rate
    read = (cost["weight_bytes"] + cost["kv_bytes"]) / rates["read_bytes"]
    return max(Ideal(compute, unit), Ideal(read, "memory"), key=lambda ideal: ideal.seconds)
