"""Longleaf itself, as `longleaf bench` times it; --option names the instruction set, or is empty."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2])]

from serve import Point, Settings, Timing, serve


def load(settings: Settings) -> tuple[str, Point]:
    if settings.option:
        os.environ["LONGLEAF_ISA"] = settings.option
    from longleaf import __version__
    from longleaf.engine.bench import Bench

    bench = Bench(settings.model, ctx_size=settings.ctx_size, threads=settings.threads)

    def point(prompt: int, generate: int) -> Timing:
        ids = settings.ids[: prompt + generate]
        start = time.perf_counter()
        sequence = bench.prefill(None, ids[:prompt])
        middle = time.perf_counter()
        bench.decode(sequence, ids[prompt], generate)
        end = time.perf_counter()
        bench.free(sequence)
        return Timing(middle - start, end - middle)

    point(64, 4)
    return f"longleaf {__version__} ({bench.isa})", point


serve(load)
