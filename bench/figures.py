"""How right answers by figures are, without any model: `python bench/figures.py [--shown]`.

Two sets on the shared filings: questions in analysts' words, judged as `score_questions.py` judges them, and
those of FinanceBench, of which is told whether the answer holds the gold answer's figures and cites its page;
what is no figure must be read. "Left" are questions that are left to the reader of the text.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import argparse
import importlib.util
import json
import re
import time
from collections import Counter, defaultdict
from functools import cache
from types import ModuleType
from typing import Any

from longleaf.app.calculate import answer_figures
from longleaf.app.schema import Statement
from longleaf.ingest import Document, read_document

EVAL = Path(__file__).resolve().parents[1].parent / "shared" / "eval"
ALSO_READ = ("ratio", "change", "figure", "absent", "guidance", "list", "policy", "why")


@cache
def document(name: str) -> Document:
    return read_document(EVAL / "reports" / name)


def judge_of(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("score_questions", folder / "score_questions.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def reply(answer: Statement) -> dict[str, Any]:
    cited = [[citation.file, citation.page_index] for citation in answer.citations]
    return {"status": answer.status, "text": answer.text, "cited": cited}


def analysts(shown: bool, seconds: list[float]) -> None:
    judge = judge_of(EVAL / "questions").judge
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for line in (EVAL / "questions" / "dev.jsonl").read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        names = question.get("files") or [question["file"]]
        if not all((EVAL / "reports" / name).exists() for name in names):
            continue
        answer = timed([document(name) for name in names], question["question"], seconds)
        verdict = "left" if answer is None else judge(question, reply(answer))
        counts[question["kind"]][verdict] += 1
        if shown and answer is not None:
            print(f"{verdict:12} {question['question']}\n    {answer.text}")
    heads = ("right", "other_page", "page_only", "wrong", "not_found", "false_answer", "left")
    print(f"{'kind':12}" + "".join(f"{head:>13}" for head in heads))
    for kind in sorted(counts, key=lambda kind: ALSO_READ.index(kind) if kind in ALSO_READ else 99):
        print(f"{kind:12}" + "".join(f"{counts[kind][head] or '-':>13}" for head in heads))


def financebench(shown: bool, seconds: list[float]) -> None:
    counts: Counter[str] = Counter()
    for line in (EVAL / "reports" / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        answer = timed([document(question["file"])], question["question"], seconds)
        if answer is None:
            counts["left"] += 1
            continue
        wanted = {abs(number) for number in numbers(str(question["answer"]))}
        has = wanted & {abs(number) for number in numbers(answer.text)}
        pages = {item["page_index"] for item in question["evidence"]}
        on_page = bool(pages & {citation.page_index for citation in answer.citations})
        verdict = f"{'figure' if has else 'no figure of gold'}, {'its page' if on_page else 'other page'}"
        counts[verdict] += 1
        if shown:
            print(f"{verdict}: {question['question']}\n    gold: {question['answer']}\n    {answer.text}")
    print("FinanceBench:", ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common()))


def numbers(text: str) -> set[float]:
    return {
        float(found.replace(",", "")) for found in re.findall(r"\d[\d,]*(?:\.\d+)?", text) if found.strip(",")
    }


def timed(documents: list[Document], question: str, seconds: list[float]) -> Statement | None:
    began = time.perf_counter()
    answer = answer_figures(documents, question, lambda query, k: [])
    seconds.append(time.perf_counter() - began)
    return answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shown", action="store_true", help="print each answer")
    shown = parser.parse_args().shown
    seconds: list[float] = []
    analysts(shown, seconds)
    financebench(shown, seconds)
    mean = sum(seconds) / len(seconds)
    print(
        f"{len(seconds)} questions, mean {mean:.2f} s, most {max(seconds):.2f} s (a document's tables are "
        f"read once)"
    )


if __name__ == "__main__":
    main()
