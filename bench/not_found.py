"""When an answer should be "not found": `python -m bench.not_found`.

Each CUAD category is asked of each shared contract as one natural question; the lawyers' labels say whether
the contract has the clause. Prints, for the threshold in app/answers/ask.py and for others, how often a
clause that is there is answered, how often with the labelled words, and how often an absent one is said to
be absent. The best threshold is also chosen on one half of the contracts and tried on the other.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bench.cuad_questions import QUESTIONS
from bench.eval_data import EVAL, covered, remembering
from bench.search import memory_search
from longleaf.app.answers.ask import DOUBT, MAY
from longleaf.app.answers.fact_questions import asked_fact, known_fact
from longleaf.app.answers.question import understand
from longleaf.app.answers.respond import Embed, respond
from longleaf.engine.embedding.embedder import load_embedder
from longleaf.ingest import Chunk, Document, make_chunks, read_document

_CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Hit:
    chunk: Chunk
    document: Document


@dataclass(frozen=True, slots=True)
class Case:
    file: str
    category: str
    present: bool
    score: float  # how sure the best place answers, in log odds; infinite if a key fact answers
    right: bool  # it holds labelled words, or is part of them


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--contracts", type=int, default=40)
    parser.add_argument("--cases", action="store_true", help="print every case")
    options = parser.parse_args(arguments)
    embed = remembering(load_embedder(offline=True).embed)
    found = []
    lines = (EVAL / "contracts" / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines[: options.contracts]:
        contract = json.loads(line)
        spans = {label["category"]: label["spans"] for label in contract["labels"]}
        found += cases(contract["file"], spans, embed)
        print(f"{contract['file'][:60]}: {len(found)} cases", file=sys.stderr, flush=True)
    if options.cases:
        for case in found:
            print(json.dumps([case.file[:30], case.category, case.present, round(case.score, 3), case.right]))
    summary = {f"{at:.2f}": rates(found, at) for at in np.arange(-2.0, 3.0, 0.25)}
    halves = [[case for i, case in enumerate(_files(found)) if i % 2 == half] for half in (0, 1)]
    split = [[case for case in found if case.file in half] for half in halves]
    crossed = [{"chosen": (at := best_threshold(split[i])), **rates(split[1 - i], at)} for i in (0, 1)]
    print(json.dumps({"at": MAY, **rates(found, MAY)}))
    print(json.dumps({"best": best_threshold(found), "crossed": crossed, "by threshold": summary}, indent=1))
    return 0


def read_contract(file: str) -> tuple[Document, Callable[[str, int], list[Hit]]]:
    """A shared contract, and the search over it."""
    document = read_document(EVAL / "contracts" / file)
    search = memory_search(make_chunks(document, lambda text: len(text) // _CHARACTERS_A_TOKEN + 1))
    return document, lambda query, k: [Hit(scored.chunk, document) for scored in search(query, k)]


def cases(file: str, spans: dict[str, list[str]], embed: Embed) -> list[Case]:
    document, hits = read_contract(file)
    made = []
    for category, question in QUESTIONS.items():
        present = bool(spans[category])
        asked = asked_fact(question, document)
        fact = known_fact(question, asked, hits) if asked else None
        if fact and fact.status != "not_found":
            right = is_right([c.quote for c in fact.citations], spans[category])
            made.append(Case(file, category, present, float("inf"), right))
            continue
        response = respond(understand(question, "contract"), [document], hits, embed)
        right = is_right([place.text for place in response.places[:1]], spans[category])
        made.append(Case(file, category, present, response.sure - (DOUBT if fact else 0.0), right))
    return made


def is_right(said: Sequence[str], spans: Sequence[str]) -> bool:
    """Whether what is said holds a labelled span, or is part of one."""
    return any(covered(span, said) or any(covered(text, [span]) for text in said) for span in spans)


def rates(found: Sequence[Case], threshold: float) -> dict[str, float]:
    present = [case for case in found if case.present]
    absent = [case for case in found if not case.present]
    answered = [case for case in present if case.score >= threshold]
    return {
        "present": len(present),
        "answered": round(len(answered) / len(present), 3),
        "answered with labelled words": round(sum(c.right for c in answered) / len(present), 3),
        "absent": len(absent),
        "absent and said so": round(sum(c.score < threshold for c in absent) / len(absent), 3),
    }


def best_threshold(found: Sequence[Case]) -> float:
    """Where being right about presence and about absence, both weighing the same, is best."""

    def balance(at: float) -> float:
        got = rates(found, at)
        return got["answered with labelled words"] + got["absent and said so"]

    return round(float(max(np.arange(-3.0, 4.0, 0.05), key=balance)), 2)


def _files(found: Sequence[Case]) -> list[str]:
    return list(dict.fromkeys(case.file for case in found))


if __name__ == "__main__":
    sys.exit(main())
