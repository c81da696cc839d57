"""Fits the numbers of app/answers/scoring.py: `python -m bench.fit_answers`.

The questions are those of bench/own_questions.tsv, written for this on shared contracts that the questions of
shared/eval/questions do not use. Leaving out one file at a time tells how it does on other files. Those of
bench/own_topics.tsv, each put to every file, are only counted.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.eval_data import EVAL, remembering
from longleaf.app.answers.passages import pieces_of
from longleaf.app.answers.question import understand
from longleaf.app.answers.respond import DEPTH, evidence, fused
from longleaf.app.answers.scoring import FEATURES, Embed, Scored, features_of
from longleaf.app.answers.windows import window
from longleaf.app.workspace import Reading, Workspace

OWN = Path(__file__).parent / "own_questions.tsv"
TOPICS = Path(__file__).parent / "own_topics.tsv"
RIDGE_RANK, RIDGE_ANSWERS, STEPS, LEAST_SPREAD = 5.0, 10.0, 300, 0.05

Row = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Own:
    file: str
    kind: str
    question: str
    pages: frozenset[int]
    patterns: tuple[str, ...]
    topic: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    own: Own
    scored: Scored
    right: NDArray[np.bool_]  # whether the window around each place answers


def own_questions() -> list[Own]:
    found = []
    for line in OWN.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        file, kind, question, *rest = line.split("\t")
        pages = frozenset(int(p) for p in rest[0].split(",")) if rest else frozenset[int]()
        found.append(Own(file, kind, question, pages, tuple(rest[1].split("&&")) if rest else ()))
    return found


def topic_questions() -> list[Own]:
    """Each question on a topic put to each file in which it is clear whether the topic is there."""
    files = sorted({own.file for own in own_questions()})
    found = []
    for line in TOPICS.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        questions, _, places = line.partition("\t")
        entries = places.split(";") if places else []
        unclear = {entry[1:] for entry in entries if entry.startswith("!")}
        there = dict(entry.split("=", 1) for entry in entries if "=" in entry)
        for question in questions.split("|"):
            for file in files:
                if file not in unclear:
                    patterns = (there[file],) if file in there else ()
                    found.append(
                        Own(file, "topic" if patterns else "absent", question, frozenset(), patterns, True)
                    )
    return found


def answers(own: Own, text: str, pages: set[int]) -> bool:
    folded = " ".join(text.split())
    if not own.patterns or (own.pages and not pages & own.pages):
        return False
    return all(re.search(pattern, folded, re.IGNORECASE) for pattern in own.patterns)


def case(workspace: Workspace, reading: Reading, own: Own, embed: Embed) -> Case:
    question = understand(own.question, "contract")
    hits = fused(*(workspace._search([reading])(text, DEPTH) for text in (question.text, question.expanded)))
    pieces = pieces_of((hit.chunk, reading.document) for hit in hits)
    scored = features_of(question, pieces, embed)
    score = np.zeros(len(pieces))
    score[scored.places] = sum(scored.features[:, FEATURES.index(name)] for name in ("around", "meaning"))
    right = []
    for place in scored.places:
        found = window(pieces, int(place), score.tolist())
        held = pieces[found.start : found.end]
        pages = {span.page_index for piece in held for span in piece.spans}
        right.append(answers(own, " ".join(piece.text for piece in held), pages))
    return Case(own, scored, np.array(right, bool))


def cases() -> list[Case]:
    found = []
    with Workspace(offline=True) as workspace:
        readings: dict[str, Reading] = {}
        embed = remembering(workspace.embedder.embed)
        for own in (*own_questions(), *topic_questions()):
            if own.file not in readings:
                file = next(p for p in (EVAL / "contracts").iterdir() if p.name.startswith(own.file))
                readings[own.file] = workspace.read(file)
            found.append(case(workspace, readings[own.file], own, embed))
    return found


def fit_ranking(found: Sequence[Case], mean: Row, spread: Row) -> Row:
    """The weights under which the right places of each question are likeliest (softmax over its places)."""
    tables = [((c.scored.features - mean) / spread, c.right) for c in found if c.right.any()]
    weights, first, second = np.zeros(len(mean)), np.zeros(len(mean)), np.zeros(len(mean))
    for step in range(1, STEPS + 1):  # Adam
        gradient = RIDGE_RANK * weights
        for x, right in tables:
            z = x @ weights
            p = np.exp(z - z.max())
            p /= p.sum()
            wanted = p * right / (p * right).sum()
            gradient -= x.T @ (wanted - p)
        first = 0.9 * first + 0.1 * gradient
        second = 0.99 * second + 0.01 * gradient**2
        weights -= 0.05 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return weights


def fit_logistic(x: NDArray[np.float64], y: Row, ridge: float) -> Row:
    """Logistic regression by Newton's method; the last number is the constant."""
    table = np.hstack([x, np.ones((len(x), 1))])
    weights = np.zeros(table.shape[1])
    penalty = np.full(table.shape[1], ridge)
    penalty[-1] = 0
    for _ in range(30):
        p = 1 / (1 + np.exp(-table @ weights))
        gradient = table.T @ (p - y) + penalty * weights
        hessian = (table.T * (p * (1 - p))) @ table + np.diag(penalty + 1e-9)
        weights -= np.linalg.solve(hessian, gradient)
    return weights


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    mean: Row
    spread: Row
    rank: Row
    answers_mean: Row
    answers_spread: Row
    answers: Row

    def scores(self, case: Case) -> Row:
        scores: Row = (case.scored.features - self.mean) / self.spread @ self.rank
        return scores

    def sure(self, case: Case) -> float:
        values = (evidence(case.scored, self.scores(case)) - self.answers_mean) / self.answers_spread
        return float(values @ self.answers[:-1] + self.answers[-1])


def fit(found: Sequence[Case]) -> Model:
    features = np.vstack([c.scored.features for c in found])
    mean, spread = features.mean(axis=0), np.maximum(features.std(axis=0), LEAST_SPREAD)
    rank = fit_ranking(found, mean, spread)
    scores = [(c.scored.features - mean) / spread @ rank for c in found]
    x = np.array([evidence(c.scored, z) for c, z in zip(found, scores, strict=True)])
    y = np.array([float(c.right[z.argmax()]) for c, z in zip(found, scores, strict=True)])
    answers_mean, answers_spread = x.mean(axis=0), np.maximum(x.std(axis=0), LEAST_SPREAD)
    return Model(
        mean,
        spread,
        rank,
        answers_mean,
        answers_spread,
        fit_logistic((x - answers_mean) / answers_spread, y, RIDGE_ANSWERS),
    )


def write(model: Model) -> None:
    lines = ['"""Numbers that bench/fit_answers.py made; see there."""', ""]
    for name in ("mean", "spread", "rank", "answers_mean", "answers_spread", "answers"):
        numbers = ", ".join(f"{value:.4f}" for value in getattr(model, name))
        lines += [f"{name.upper()} = (", f"    {numbers},", ")"]
    (Path(__file__).parents[1] / "app" / "answers" / "weights.py").write_text(
        "\n".join(lines) + "\n", encoding="utf-8"
    )


def report(found: Sequence[Case]) -> None:
    """How it does on each file when fitted to the others."""
    present: list[tuple[float, bool]] = []
    absent: list[float] = []
    for file in sorted({c.own.file for c in found}):
        model = fit([c for c in found if c.own.file != file])
        for each in found:
            if each.own.file == file and each.own.patterns:
                present.append((model.sure(each), bool(each.right[model.scores(each).argmax()])))
            elif each.own.file == file:
                absent.append(model.sure(each))
    print(
        f"{len(present)} present, {len(absent)} absent; "
        f"the first place right: {np.mean([r for _, r in present]):.2f}"
    )
    for said in (0.8, 0.85, 0.9, 0.95):
        at = float(np.quantile(absent, said))
        answered = [right for sure, right in present if sure > at]
        print(
            f"absent said {said:.2f} at {at:5.2f}: answered {len(answered) / len(present):.2f}, right "
            f"{sum(answered) / len(present):.2f}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help="write app/answers/weights.py")
    options = parser.parse_args()
    found = cases()
    fitted = [c for c in found if not c.own.topic]
    report(fitted)
    if options.write:
        write(fit(fitted))
    return 0


if __name__ == "__main__":
    sys.exit(main())
