"""Random mixes of requests: every output equals its solo run, every page comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from longleaf import _native
from longleaf.engine.prefix.cache import PrefixCache
from longleaf.engine.prompt.tokenizer import load_tokenizer
from longleaf.engine.scheduling.scheduler import Limits, Scheduler
from longleaf.engine.scheduling.task import Task
from tests.support.gguf_maker import tiny_model, write_model
from tests.support.mixes import Solo, Tally, assert_nothing_left, random_mix, run_mix

MIXES = 200  # of all cases together; bench/mixes.py runs them on real models


@pytest.mark.parametrize("budget", ["plenty", "tight"])
@pytest.mark.parametrize("architecture", ["gemma3", "qwen3"])
def test_every_output_equals_its_solo_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, architecture: str, budget: str
) -> None:
    changes = {"sliding_window": 100} if architecture == "gemma3" else {}
    gguf = _native.Gguf(write_model(tmp_path / "m.gguf", tiny_model(architecture, "Q8_0", **changes)))
    whole = _native.Model(gguf, threads=1, ctx_size=1024)
    native = whole
    if budget == "tight":  # room for two of the longest requests
        native = _native.Model(gguf, threads=1, ctx_size=1024, kv_budget_bytes=2 * whole.kv_bytes_needed(512))
    tokenizer, cache = load_tokenizer(gguf), PrefixCache(native)
    scheduler = Scheduler(native, cache, tokenizer, Limits(running=6))
    gave_way = 0
    make_way = scheduler._make_way

    def counted(task: Task, error: _native.KvFullError) -> None:
        nonlocal gave_way
        gave_way += 1
        make_way(task, error)

    monkeypatch.setattr(scheduler, "_make_way", counted)
    solo = Solo(whole if native is not whole else _native.Model(gguf, threads=1), tokenizer.eog_ids)
    total = Tally()
    for seed in range(MIXES // 4):
        total.add(run_mix(random_mix(seed, tokenizer.n_vocab), scheduler, solo, seed))
        if seed % 3 == 2:
            assert_nothing_left(native, cache)
    scheduler.close()
    assert_nothing_left(native, cache)
    assert (gave_way > 0) == (budget == "tight")
    assert min(total.cancelled, total.drafted, total.accepted, total.reused) > 0
