"""How `ask` does on questions as lawyers and analysts put them: `python -m bench.questions`.

The questions are those of shared/eval/questions, scored by the functions of the script there, with one
Workspace for all of them. Files fall into two halves by the hash of their name: the misses of the `open` half
may be read (--misses), of the `held` half only the totals are printed.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from bench.eval_data import EVAL
from longleaf.app.schema import Answer
from longleaf.app.workspace import Reading, Workspace

QUESTIONS = EVAL / "questions"
COLUMNS = ("right", "other_page", "page_only", "wrong", "not_found", "false_answer", "error")


def half(question: dict[str, Any]) -> str:
    name = names(question)[0]
    return "open" if int(hashlib.sha1(name.encode()).hexdigest(), 16) % 2 else "held"


def names(question: dict[str, Any]) -> list[str]:
    return list(question.get("files") or [question["file"]])


def scorer() -> Any:
    """The shared scoring script as a module."""
    spec = importlib.util.spec_from_file_location("score_questions", QUESTIONS / "score_questions.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def reply(answer: Answer) -> dict[str, Any]:
    said = answer.answer
    return {
        "status": said.status,
        "text": said.text,
        "cited": [[citation.file, citation.page_index] for citation in said.citations],
    }


def print_table(verdicts: list[tuple[str, str]]) -> None:
    """Counts by kind, as (kind, verdict)."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for kind, verdict in verdicts:
        counts[kind][verdict] += 1
        if kind != "absent":
            counts["ALL present"][verdict] += 1
    print(f"{'kind':16} {'n':>4} " + " ".join(f"{c:>12}" for c in COLUMNS) + "  right%")
    for kind in sorted(counts, key=lambda k: (k == "absent", k == "ALL present", k)):
        row = counts[kind]
        n = sum(row.values())
        print(
            f"{kind:16} {n:4} "
            + " ".join(f"{row[c] or '-':>12}" for c in COLUMNS)
            + f"  {100 * row['right'] / n:5.1f}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--questions", type=Path, default=QUESTIONS / "dev.jsonl")
    parser.add_argument("--half", choices=("open", "held", "both"), default="both")
    parser.add_argument("--misses", action="store_true", help="print what the open half gets wrong")
    parser.add_argument("--kind", default="", help="only questions whose kind or id begins so")
    parser.add_argument("--library", type=Path, help="a Library with the files already stored")
    options = parser.parse_args()
    score = scorer()
    where = {path.name: path for folder in ("contracts", "reports") for path in (EVAL / folder).iterdir()}
    lines = options.questions.read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line) for line in lines if line]
    asked = [q for q in asked if options.half in ("both", half(q))]
    asked = [q for q in asked if q["kind"].startswith(options.kind) or q["id"].startswith(options.kind)]
    verdicts: dict[str, list[tuple[str, str]]] = {"open": [], "held": []}
    seconds: list[float] = []
    with Workspace(options.library, offline=True) as workspace:
        readings: dict[str, Reading] = {}
        for question in asked:
            for name in names(question):
                if name not in readings:
                    readings[name] = workspace.read(where[name])
            began = time.perf_counter()
            answer = workspace.ask([readings[name] for name in names(question)], question["question"])
            seconds.append(time.perf_counter() - began)
            verdict = score.judge(question, reply(answer))
            which = half(question)
            verdicts[which].append((question["kind"], verdict))
            if options.misses and which == "open" and verdict != "right":
                print(f"{question['id']} {question['kind']}: {verdict}\n  Q {question['question']}")
                print(
                    f"  want {question['answer'][:300]}"
                    f"  p {sorted(p for _, p in score.evidence_pages(question))}"
                )
                pages = [c.page_index for c in answer.answer.citations]
                print(f"  got  {answer.answer.text[:500]}  p {pages}", flush=True)
    for which, found in verdicts.items():
        if found:
            print(f"\n{which} half: {len(found)} questions")
            print_table(found)
    if seconds:
        ordered = sorted(seconds)
        print(f"seconds: median {ordered[len(ordered) // 2]:.2f}, most {ordered[-1]:.2f}", file=sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
