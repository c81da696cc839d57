"""What all workers share: arguments and the protocol. Imports only the standard library."""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    model: Path
    ids: list[int]  # prompts are prefixes of these
    threads: int
    ctx_size: int
    option: str  # what distinguishes two contenders of one program


@dataclass(frozen=True)
class Timing:
    prefill_seconds: float
    decode_seconds: float


Point = Callable[[int, int], Timing]


def serve(load: Callable[[Settings], tuple[str, Point]]) -> None:
    """Loads once, then times points until stdin ends. `load` returns the version and the timing function."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--ids", type=Path, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--ctx-size", type=int, required=True)
    parser.add_argument("--option", default="")
    a = parser.parse_args()
    ids = json.loads(a.ids.read_text(encoding="utf-8"))
    # Programs print what they like on stdout: answers go to a copy of it, the rest to stderr.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    start = time.perf_counter()
    version, point = load(Settings(a.model, ids, a.threads, a.ctx_size, a.option))
    say(answers, {"ready": version, "load_seconds": time.perf_counter() - start})
    for line in sys.stdin:
        wanted = json.loads(line)
        timing = point(wanted["prompt"], wanted["generate"])
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        say(answers, asdict(timing) | {"peak_rss_bytes": peak})


def say(to: object, value: dict[str, object]) -> None:
    print(json.dumps(value), file=to, flush=True)  # type: ignore[call-overload]
