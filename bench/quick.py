"""Speed of the machine at hand in two minutes: `python -m bench.quick`, or `make bench-quick`.

Reading 2,048 tokens and writing from nothing, for each model that is on disk and each instruction set worth
it. A set that is slower than another shows here; `longleaf bench` has every other point.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import time

from longleaf.engine.bench import Bench, BenchRow, instruction_sets, measure
from longleaf.engine.models.catalogue import load_catalogue
from longleaf.engine.models.load_options import LoadOptions
from longleaf.engine.models.store import show

SECONDS = 110
PROMPT, STEPS = 2048, 16


def rows_of(path: Path, isa: str) -> list[BenchRow]:
    bench = Bench(path, ctx_size=PROMPT + STEPS, load=LoadOptions(isa=isa))
    return list(measure(bench, prompts=[PROMPT], generations=[STEPS], depths=[0], runs=1))


def main() -> None:
    start = time.perf_counter()
    sets = [name for name in instruction_sets() if name != "avx512bw"]
    on_disk = [
        (info.size, name, info.path)
        for name, entry in load_catalogue().items()
        if entry.kind == "llm" and (info := show(name)).path is not None
    ]
    if not on_disk:
        sys.exit("no model is on this machine: run 'longleaf models pull --defaults'")
    print("| model | set | prefill 2,048, tok/s | of the limit | decode, tok/s | of the limit |")
    print("|---|---|---|---|---|---|")
    for _, name, path in sorted(on_disk):
        for isa in sets:
            if path is None or time.perf_counter() - start > SECONDS * 0.8:
                print(f"left out, two minutes are over: {name} on {isa}", file=sys.stderr)
                continue
            cells = [
                f"{row.tokens_per_second:,.1f} | {row.roofline_share:.0%} of {row.limit}"
                for row in rows_of(path, isa)
            ]
            print(f"| {name} | {isa} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
