"""How long briefs are, how fast code alone makes them, and which labelled clauses they reach.

`python -m bench.briefs [--files N] [--part open|held|all] [--misses] [--length page]` makes the brief of each
shared contract without a model and counts its words, seconds and the labelled categories (CUAD) of which a
passage is cited. The parts are split by the file's name, as in bench/entailment.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Sequence

from bench.entailment import is_open
from bench.eval_data import EVAL, Label, covered, labels
from longleaf.app.schema import Brief, Statement
from longleaf.app.usage import NO_MODEL
from longleaf.app.workspace import Workspace


def shown(brief: Brief) -> list[Statement]:
    said = [*brief.overview, *brief.key_facts, *(s for part in brief.sections for s in part.statements)]
    return [statement for statement in said if statement.status != "not_found"]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--part", choices=("open", "held", "all"), default="all")
    parser.add_argument("--length", choices=("short", "page", "full"), default="page")
    parser.add_argument("--misses", action="store_true", help="print what of the open part is missed")
    options = parser.parse_args(arguments)
    parts = {"all": (True, False), "open": (True,), "held": (False,)}[options.part]
    files = [file for file in sorted((EVAL / "contracts").glob("*.pdf")) if is_open(file.name) in parts]
    by_file: dict[str, list[Label]] = defaultdict(list)
    for label in labels():
        by_file[label.file.name].append(label)
    reached: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    words, seconds, generated, statements = 0, 0.0, 0, 0
    with Workspace(model=NO_MODEL) as workspace:
        for file in files[: options.files]:
            reading = workspace.read(file)
            start = time.perf_counter()
            brief = workspace.summarize(reading, length=options.length)
            spent = time.perf_counter() - start
            said = shown(brief)
            count = sum(len(s.text.split()) for s in said)
            quotes = [citation.quote for s in said for citation in s.citations]
            hit = 0
            for label in by_file[file.name]:
                found = any(covered(span, quotes) for span in label.spans)
                hit += found
                wanted[label.category] += 1
                reached[label.category] += found
                if options.misses and not found and is_open(file.name):
                    print(f"  missed {label.category}: {label.spans[0][:300]!r}")
            words += count
            seconds += spent
            statements += len(said)
            generated += sum(s.status != "quoted" for s in said)
            pages, asked = len(reading.document.pages), len(by_file[file.name])
            line = f"{file.name[:40]:40} {pages:3} pages {count:5} words {hit:2} of {asked:2} {spent:.2f} s"
            print(line, flush=True)
    for category in sorted(wanted):
        print(f"{category:36} {reached[category]:3} of {wanted[category]:3}")
    total, asked = len(files[: options.files]), sum(wanted.values())
    print(f"words a brief {words / total:.0f}, seconds {seconds / total:.2f}")
    print(f"said in other words {generated} of {statements}")
    print(f"labelled clauses reached {sum(reached.values())} of {asked}: {sum(reached.values()) / asked:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
