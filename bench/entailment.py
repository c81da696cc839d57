"""How many true statements the verifier accepts, and how many false ones it refuses, by kind.

`python -m bench.entailment [FILE] [--part open|held|all] [--misses]` (default: the shared statements). Each
line of a .jsonl file holds `source`, `statement`, `label` and `kind`; a text file is as `read_rows` says. The
parts are split by the source file's name, so that one can be worked on and the other left unread.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import argparse
import hashlib
import json
import time
from collections import Counter
from collections.abc import Sequence

from bench.eval_data import EVAL
from longleaf.app.proof.meaning.entails import entails


def is_open(file: str) -> bool:
    return int(hashlib.md5(file.encode()).hexdigest(), 16) % 2 == 0


def read_rows(file: Path) -> list[dict[str, str]]:
    """Rows of JSON Lines, or of a text: "S: source", under it "+ kind: statement" or "- kind: statement"."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    rows: list[dict[str, str]] = []
    source: list[str] = []
    open_source = False
    for line in text.splitlines():
        if line.startswith("S: "):
            source, open_source = [line[3:]], True
        elif line[:2] in ("+ ", "- "):
            open_source = False
            kind, statement = line[2:].split(": ", 1)
            label = "supported" if line[0] == "+" else "unsupported"
            rows.append({"source": "\n".join(source), "statement": statement, "kind": kind, "label": label})
        elif open_source and line.strip():
            source.append(line)
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("file", nargs="?", type=Path, default=EVAL / "statements" / "dev.jsonl")
    parser.add_argument("--part", choices=("open", "held", "all"), default="all")
    parser.add_argument("--misses", action="store_true", help="print them; of the open part only")
    options = parser.parse_args(arguments)
    rows = read_rows(options.file)
    if options.part != "all":
        rows = [row for row in rows if is_open(row["file"]) == (options.part == "open")]
    right: Counter[tuple[str, str]] = Counter()
    count: Counter[tuple[str, str]] = Counter()
    start = time.perf_counter()
    for row in rows:
        verdict = entails(row["statement"], [row["source"]])
        for kind in (row["kind"], "all"):
            count[row["label"], kind] += 1
            right[row["label"], kind] += verdict.accepted == (row["label"] == "supported")
        wrong = verdict.accepted != (row["label"] == "supported")
        if options.misses and wrong and ("file" not in row or is_open(row["file"])):
            print(f"--- {row.get('id', '')} {row['label']} {row['kind']}")
            print(f"S: {row['source']}\nT: {row['statement']}")
            print("  ", "; ".join(verdict.reasons))
    seconds = time.perf_counter() - start
    for label, kind in sorted(count):
        share = right[label, kind] / count[label, kind]
        print(f"{label:12} {kind:18} {right[label, kind]:4} of {count[label, kind]:4}  {share:.2f}")
    print(f"{1000 * seconds / max(len(rows), 1):.1f} ms a statement")
    return 0


if __name__ == "__main__":
    sys.exit(main())
