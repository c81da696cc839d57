"""Timed prefills and decode steps at given depths, with llama-bench's meaning, and the share of the machine's rates.

A prefill point appends P tokens behind `depth` others in one go; a generation point takes single-token greedy
steps there. Ids are random, as llama-bench's: the least favourable text for a screened output head.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from longleaf import _native
from longleaf.engine.engine import PREFILL_CHUNK
from longleaf.engine.models import OnProgress, resolve

MOST_RUNS = 3
ENOUGH_SECONDS = 5.0  # a point that took this long in all is not run again


@dataclass(frozen=True, slots=True)
class BenchRow:
    """One point. `seconds` is the median of the runs; `roofline_share` the time that the counted operations and
    bytes would take at the probed rates, over `seconds`."""

    prompt_tokens: int
    generated_tokens: int
    depth: int
    seconds: float
    tokens_per_second: float
    roofline_share: float
    peak_rss_bytes: int
    isa: str
    threads: int
    runs: int
    seconds_min: float
    seconds_max: float


class Bench:
    """A model opened for timing: no tokenizer, no prefix reuse beyond the depth given."""

    def __init__(self, path: Path, *, ctx_size: int, threads: int | None = None) -> None:
        self._native = _native.Model(_native.Gguf(str(path)), threads=threads or 0, ctx_size=ctx_size)
        self.isa = str(self._native.isa)
        self.threads = int(self._native.threads)
        self.n_vocab = int(self._native.n_vocab)

    def prefill(self, base: int | None, ids: Sequence[int]) -> int:
        """Appends `ids` to a fork of `base` (or an empty sequence); the logits of the last are computed."""
        sequence = self._native.new_sequence() if base is None else self._native.fork(base)
        for at in range(0, len(ids), PREFILL_CHUNK):
            chunk = ids[at : at + PREFILL_CHUNK]
            self._native.forward([(sequence, chunk, int(at + len(chunk) == len(ids)))])
        return sequence

    def decode(self, sequence: int, first: int, steps: int) -> None:
        token = first
        for _ in range(steps):
            token = int(np.argmax(self._native.forward([(sequence, [token], 1)])[0]))

    def free(self, sequence: int) -> None:
        self._native.free(sequence)
