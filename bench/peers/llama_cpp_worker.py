"""llama.cpp through llama-cpp-python; --option fa turns flash attention on."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import ctypes

import llama_cpp
from serve import Point, Settings, Timing, serve

BATCH = 2048


def load(settings: Settings) -> tuple[str, Point]:
    # The Llama class adds bookkeeping in Python to every step; only the C calls of a step are timed here.
    llm = llama_cpp.Llama(
        str(settings.model),
        n_ctx=settings.ctx_size,
        n_threads=settings.threads,
        n_threads_batch=settings.threads,
        n_batch=BATCH,
        flash_attn=settings.option == "fa",
        verbose=False,
    )
    memory = llama_cpp.llama_get_memory(llm.ctx)

    def decode(ids: list[int]) -> None:
        for start in range(0, len(ids), BATCH):
            part = ids[start : start + BATCH]
            tokens = (ctypes.c_int32 * len(part))(*part)  # named: the batch points into it
            batch = llama_cpp.llama_batch_get_one(tokens, len(part))
            if (code := llama_cpp.llama_decode(llm.ctx, batch)) != 0:
                raise RuntimeError(f"llama_decode returned {code}")
        llama_cpp.llama_synchronize(llm.ctx)  # llm, not its ctx alone: its end would free the context

    def point(prompt: int, generate: int) -> Timing:
        llama_cpp.llama_memory_clear(memory, True)
        start = time.perf_counter()
        decode(settings.ids[:prompt])
        middle = time.perf_counter()
        for token in settings.ids[prompt : prompt + generate]:
            decode([token])
        return Timing(middle - start, time.perf_counter() - middle)

    point(64, 4)
    return f"llama-cpp-python {llama_cpp.__version__}", point


serve(load)
