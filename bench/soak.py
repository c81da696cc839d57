"""Thousands of mixed requests without a pause: none lost, no page kept, memory flat.

python -m bench.soak [-m MODEL] [--requests 2000] [--kv-budget 256]

Twelve callers send generations (greedy and sampled, with and without drafts), rankings, batches and streams
that they leave half-read, time out or cancel, over a few shared documents and many prompts of their own.
Prompts are read first until the KV pool is full, because its memory is taken page by page. The process's
memory is read when a quarter of the requests is done (every buffer has had its largest use by then) and after
that with every further tenth; it must stay within 2 %. Prints JSON; exits with 1 if something failed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from longleaf.engine.engine import Engine
from longleaf.engine.errors import DeadlineError
from longleaf.engine.prefix.kv_options import KvOptions
from longleaf.engine.scheduling.scheduler import Limits
from longleaf.engine.speculation.prompt_lookup import PromptLookup

CALLERS = 12
TEXT = (
    "The Supplier shall deliver the Products to the Buyer at the place named in Exhibit B within thirty days "
    "of each order. Either party may terminate this Agreement on ninety days' written notice. "
)


def resident() -> int:
    """Bytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


class Soak:
    def __init__(self, engine: Engine, requests: int) -> None:
        self.engine = engine
        self.kinds: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.memory: list[int] = []
        self._requests = requests
        self._next = 0
        self._lock = threading.Lock()
        words = TEXT.split()
        rng = random.Random(0)
        self._documents = [" ".join(rng.sample(words, len(words))) + TEXT * n for n in (1, 4, 12)]

    def fill(self) -> None:
        number = 0
        while self.engine.prefix_stats().done.evictions == 0:
            self.engine.generate(f"{number}. {TEXT * 20}", max_tokens=1)
            number += 1

    def run(self) -> None:
        callers = [threading.Thread(target=self._call) for _ in range(CALLERS)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()

    def _call(self) -> None:
        while True:
            with self._lock:
                if self._next == self._requests:
                    return
                number = self._next
                self._next += 1
                if number >= self._requests // 4 and number % (self._requests // 10) == 0:
                    self.memory.append(resident())
            rng = random.Random(number)
            kind = rng.choice(
                ["generate", "generate", "sampled", "drafted", "rank", "left", "late", "async", "batch"]
            )
            try:
                getattr(self, "_" + kind)(rng)
            except Exception as error:
                self.wrong.append(f"request {number} ({kind}): {type(error).__name__}: {error}")
            with self._lock:
                self.kinds[kind] += 1

    def _prompt(self, rng: random.Random) -> str:
        return rng.choice(self._documents) + f" Section {rng.randrange(10**6)}. The notice period is"

    def _generate(self, rng: random.Random) -> None:
        n = rng.randrange(1, 24)
        got = self.engine.generate(
            self._prompt(rng), max_tokens=n, ignore_eos=True, priority=rng.choice([0, 0, 1])
        )
        assert got.usage.generated_tokens == n

    def _sampled(self, rng: random.Random) -> None:
        self.engine.generate(
            self._prompt(rng),
            max_tokens=rng.randrange(1, 24),
            temperature=0.8,
            top_p=0.9,
            seed=rng.randrange(99),
            logprobs=rng.choice([None, 3]),
            stop=["ninety"],
        )

    def _drafted(self, rng: random.Random) -> None:
        self.engine.generate(self._prompt(rng), max_tokens=32, drafter=PromptLookup())

    def _rank(self, rng: random.Random) -> None:
        texts = [f" {rng.randrange(10**4)} days", " ninety days", " one year"]
        assert len(self.engine.rank(self._prompt(rng), texts)) == 3

    def _left(self, rng: random.Random) -> None:
        stream = self.engine.stream(self._prompt(rng), max_tokens=300, ignore_eos=True)
        for _ in range(rng.randrange(1, 8)):
            next(stream)
        stream.close()

    def _late(self, rng: random.Random) -> None:
        with suppress(DeadlineError):
            self.engine.generate(
                self._prompt(rng), max_tokens=2000, ignore_eos=True, timeout=rng.random() / 2
            )

    def _async(self, rng: random.Random) -> None:
        async def cancelled() -> None:
            task = asyncio.create_task(
                self.engine.agenerate(self._prompt(rng), max_tokens=500, ignore_eos=True)
            )
            await asyncio.wait([task], timeout=rng.random() / 2)
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled() or task.result().usage.generated_tokens == 500

        asyncio.run(cancelled())

    def _batch(self, rng: random.Random) -> None:
        prompts = [self._prompt(rng) for _ in range(3)]
        assert len(self.engine.batch(prompts, max_tokens=5)) == 3


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-m", "--model", default="gemma-3-270m")
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--kv-budget", type=int, default=256, help="MiB: few, so that requests must give way")
    options = parser.parse_args()
    start = time.perf_counter()
    limits, kv = Limits(running=8), KvOptions(budget_bytes=options.kv_budget << 20)
    with Engine.open(options.model, ctx_size=4096, offline=True, limits=limits, kv=kv) as engine:
        soak = Soak(engine, options.requests)
        soak.fill()
        soak.run()
        in_use = engine.prefix_stats().in_use
        engine.close()
        pages = engine._native.kv_stats()["pages_used"]
    growth = max(soak.memory) / soak.memory[0] - 1
    result: dict[str, Any] = {
        "model": options.model,
        "requests": sum(soak.kinds.values()),
        "kinds": dict(soak.kinds),
        "seconds": round(time.perf_counter() - start),
        "sequences_in_use": in_use,
        "pages_used": pages,
        "resident_mib": [round(each / 2**20) for each in soak.memory],
        "growth": round(growth, 4),
        "wrong": soak.wrong,
    }
    print(json.dumps(result))
    lost = result["requests"] != options.requests
    sys.exit(1 if lost or in_use or pages or soak.wrong or growth > 0.02 else 0)


if __name__ == "__main__":
    main()
