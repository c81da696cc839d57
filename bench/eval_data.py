"""The shared labelled documents, and when a passage counts as found. Data: ../shared/eval/README.md."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

EVAL = Path(os.environ.get("LONGLEAF_EVAL", Path(__file__).parents[2] / "shared" / "eval"))

_SHINGLE = 5  # words
_COVERED = 0.8  # of a span's shingles
_WORD = re.compile(r"[^\W_]+")
_OMITTED = re.compile(r"<omitted>|\[\*+\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Label:
    """A clause category of one contract, with the passages that lawyers marked for it."""

    file: Path
    category: str
    spans: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    file: Path
    question: str
    pages: tuple[int, ...]  # 0-based pages of the evidence


def labels() -> list[Label]:
    found = []
    for line in (EVAL / "contracts" / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        contract = json.loads(line)
        file = EVAL / "contracts" / contract["file"]
        found += [
            Label(file, label["category"], tuple(label["spans"]))
            for label in contract["labels"]
            if label["spans"]
        ]
    return found


def questions() -> list[Question]:
    found = []
    for line in (EVAL / "reports" / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        pages = sorted({evidence["page_index"] for evidence in row["evidence"]})
        found.append(Question(EVAL / "reports" / row["file"], row["question"], tuple(pages)))
    return found


def words(text: str) -> list[str]:
    """White space, punctuation and case folded away."""
    return _WORD.findall(text.lower())


def covered(span: str, passages: Sequence[str]) -> bool:
    """Whether the passages together hold a labelled span.

    They do if at least 80 % of its runs of five words are in one of them; a span shorter than that must be in
    one as a whole. The parts around an omission in the label count as spans of which all must be covered.
    """
    folded = [words(passage) for passage in passages]
    parts = [words(part) for part in _OMITTED.split(span)]
    return all(_covered(part, folded) for part in parts if part)


def _covered(span: Sequence[str], passages: Iterable[Sequence[str]]) -> bool:
    size = min(_SHINGLE, len(span))
    wanted = list(_shingles(span, size))
    there = {shingle for passage in passages for shingle in _shingles(passage, size)}
    return sum(shingle in there for shingle in wanted) >= _COVERED * len(wanted)


def _shingles(text: Sequence[str], size: int) -> Iterable[tuple[str, ...]]:
    return (tuple(text[i : i + size]) for i in range(len(text) - size + 1))


def remembering(
    embed: Callable[[Sequence[str]], NDArray[np.float32]],
) -> Callable[[Sequence[str]], NDArray[np.float32]]:
    """The same sentences are asked about by every question."""
    known: dict[str, NDArray[np.float32]] = {}

    def embedded(texts: Sequence[str]) -> NDArray[np.float32]:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, embed(new), strict=True) if new else [])
        return np.array([known[text] for text in texts])

    return embedded
