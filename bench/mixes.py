"""Random mixes of requests on a real model: every greedy and sampled output against its solo run.

python -m bench.mixes [-m MODEL] [--mixes 200] [--seed 0]

Prints what the mixes held, as JSON; fails at the first output that differs.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict

from longleaf import _native
from longleaf.engine.models.store import resolve
from longleaf.engine.prefix.cache import PrefixCache
from longleaf.engine.prompt.tokenizer import load_tokenizer
from longleaf.engine.scheduling.scheduler import Limits, Scheduler
from tests.support.mixes import Solo, Tally, assert_nothing_left, random_mix, run_mix


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-m", "--model", default="gemma-3-270m")
    parser.add_argument("--mixes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="of the first mix")
    options = parser.parse_args()
    gguf = _native.Gguf(str(resolve(options.model, offline=True).path))
    native, by_hand = (_native.Model(gguf, ctx_size=2048) for _ in range(2))
    tokenizer, cache = load_tokenizer(gguf), PrefixCache(native)
    scheduler = Scheduler(native, cache, tokenizer, Limits(running=8))
    solo, total, start = Solo(by_hand, tokenizer.eog_ids), Tally(), time.perf_counter()
    for seed in range(options.seed, options.seed + options.mixes):
        total.add(run_mix(random_mix(seed, tokenizer.n_vocab), scheduler, solo, seed))
    scheduler.close()
    assert_nothing_left(native, cache)
    seconds = round(time.perf_counter() - start)
    print(json.dumps({"model": options.model, "mixes": options.mixes, "seconds": seconds, **asdict(total)}))


if __name__ == "__main__":
    main()
