"""What running requests together gains, on the default model; prints JSON.

python -m bench.batching shared     16 requests over one long prefix: decode throughput against one request's
python -m bench.batching different  16 prompts of their own: time together against time one after another
python -m bench.batching arrival    time between a stream's tokens while a 32K prompt arrives

Sequential time of `different` is measured over `--sample` of the prompts and scaled to all: they are equally
long, and nothing is shared. Run each on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import numpy as np

from longleaf.engine.engine import Engine
from longleaf.engine.scheduling.request import Event, Failed, Generated, GenerateRequest, Output
from longleaf.engine.scheduling.scheduler import Limits
from longleaf.engine.types import SamplingParams


@dataclass(frozen=True)
class Run:
    """`steady` is the rate while all requests are past their prompts and none has finished."""

    seconds: float  # from the first request to the last token
    tokens: int
    steady: float  # tokens a second


CLAUSES = (
    "The Supplier shall deliver {n} units to the Buyer within {m} days of each order.",
    "Either party may terminate this Agreement on {m} days' written notice to the other.",
    "The Buyer shall pay {n} dollars for each month in which Section {m} applies.",
    "Neither party is liable for a delay that is caused by events beyond its reasonable control.",
    "This Agreement is governed by the laws of the State of Delaware, without its rules on conflicts.",
    "All notices under Section {m} must be in writing and are effective {n} hours after they are sent.",
    "The Supplier warrants that the Products conform to Exhibit {m} for {n} days after acceptance.",
    "The Recipient shall keep the Confidential Information secret for {m} years after termination.",
)


def prompt_tokens(engine: Engine, n: int, seed: int) -> list[int]:
    """Clauses in random order with random numbers: no prompt begins like another."""
    rng = random.Random(seed)
    ids = engine.tokenizer.encode(f"{rng.randrange(10**9)}. ")
    while len(ids) < n:
        clause = rng.choice(CLAUSES).format(n=rng.randrange(10**4), m=rng.randrange(100))
        ids += engine.tokenizer.encode(f"{rng.randrange(200)}. {clause}\n", add_bos=False)
    return ids[:n]


def run(engine: Engine, prompts: Sequence[Sequence[int]], n: int) -> Run:
    stamps: list[list[float]] = [[] for _ in prompts]
    ended: SimpleQueue[Event] = SimpleQueue()
    params = SamplingParams(max_tokens=n, ignore_eos=True)

    def emitter(own: list[float]) -> Callable[[Event], None]:
        def emit(event: Event) -> None:
            if isinstance(event, Output):
                own.extend([time.perf_counter()] * event.tokens)
            elif isinstance(event, Generated | Failed):
                ended.put(event)

        return emit

    start = time.perf_counter()
    for prompt, own in zip(prompts, stamps, strict=True):
        engine._scheduler.submit(GenerateRequest(list(prompt), params), emitter(own))
    for _ in prompts:
        event = ended.get()
        assert isinstance(event, Generated), event
    assert all(len(own) == n for own in stamps)
    since, until = max(own[0] for own in stamps), min(own[-1] for own in stamps)
    within = sum(since < at <= until for own in stamps for at in own)
    end = max(own[-1] for own in stamps)
    return Run(end - start, n * len(prompts), within / (until - since) if until > since else 0.0)


def shared(engine: Engine, options: argparse.Namespace) -> dict[str, Any]:
    prefix = prompt_tokens(engine, options.prefix, 0)
    engine.generate(prefix, max_tokens=32, ignore_eos=True)  # what is made on the way is made by then
    prompts = [[*prefix, *prompt_tokens(engine, 16, seed)[1:]] for seed in range(1, options.requests + 1)]
    alone = run(engine, prompts[:1], options.new)
    together = run(engine, prompts, options.new)
    whole = [each.tokens / each.seconds for each in (alone, together)]
    return {
        "prefix_tokens": options.prefix,
        "new_tokens": options.new,
        "alone_tokens_per_second": round(alone.steady, 1),
        "together_tokens_per_second": round(together.steady, 1),
        "gain": round(together.steady / alone.steady, 2),
        "gain_with_questions_read": round(whole[1] / whole[0], 2),
    }


def different(engine: Engine, options: argparse.Namespace) -> dict[str, Any]:
    prompts = [prompt_tokens(engine, options.prompt, seed) for seed in range(options.requests)]
    sample = [run(engine, [prompt], options.new).seconds for prompt in prompts[: options.sample]]
    engine.close()
    sequential = sum(sample) / len(sample) * len(prompts)
    together = run(engine, prompts, options.new).seconds
    return {
        "prompt_tokens": options.prompt,
        "new_tokens": options.new,
        "one_request_seconds": [round(each, 2) for each in sample],
        "one_after_another_seconds": round(sequential, 1),
        "together_seconds": round(together, 1),
        "gain": round(sequential / together, 2),
    }


def arrival(engine: Engine, options: argparse.Namespace) -> dict[str, Any]:
    stream = engine.stream(prompt_tokens(engine, 200, 0), max_tokens=6000, ignore_eos=True)
    stamps: list[float] = []
    arrived = threading.Event()

    def read() -> None:
        for _ in stream:
            stamps.append(time.perf_counter())
            if arrived.is_set():
                return

    reader = threading.Thread(target=read)
    reader.start()
    while len(stamps) < 60:
        time.sleep(0.05)
    quiet = np.diff(stamps)
    long = prompt_tokens(engine, options.long, 1)
    start, at = time.perf_counter(), len(stamps)
    engine.generate(long, max_tokens=1)
    seconds = time.perf_counter() - start
    arrived.set()
    reader.join()
    stream.close()
    gaps = np.diff(stamps[at - 1 :])
    step = statistics.median(quiet)
    return {
        "long_prompt_tokens": options.long,
        "long_prompt_seconds": round(seconds, 1),
        "step_ms": round(1000 * step, 1),
        "gaps": len(gaps),
        "gap_ms": {p: round(1000 * float(np.percentile(gaps, p)), 1) for p in (50, 95, 99, 100)},
        "longest_gap_in_steps": round(float(gaps.max()) / step, 2),
        "gaps_over_five_steps": int((gaps > 5 * step).sum()),
    }


PARTS: dict[str, Callable[[Engine, argparse.Namespace], dict[str, Any]]] = {
    "shared": shared,
    "different": different,
    "arrival": arrival,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("-m", "--model", default="gemma-3-270m")
    parser.add_argument("--requests", type=int, default=16)
    parser.add_argument("--prefix", type=int, default=8192, help="tokens, of `shared`")
    parser.add_argument("--prompt", type=int, default=4096, help="tokens, of `different`")
    parser.add_argument("--long", type=int, default=32000, help="tokens, of `arrival`")
    parser.add_argument("--new", type=int, default=256)
    parser.add_argument("--sample", type=int, default=2)
    options = parser.parse_args()
    limits = Limits(running=options.requests)
    with Engine.open(options.model, ctx_size=32768, offline=True, limits=limits, speculate=False) as engine:
        print(
            json.dumps({"part": options.part, "model": engine.name, **PARTS[options.part](engine, options)})
        )


if __name__ == "__main__":
    main()
