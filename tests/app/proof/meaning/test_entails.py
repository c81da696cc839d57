from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from bench.entailment import read_rows
from longleaf.app.proof.meaning import entails

ROWS = [
    row
    for name in ("statements.txt", "statements_two.txt")
    for row in read_rows(Path(__file__).parent / name)
]


def test_true_statements_are_accepted_and_false_ones_refused_with_a_reason() -> None:
    right: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for row in ROWS:
        verdict = entails(row["statement"], [row["source"]])
        assert verdict.accepted == (not verdict.reasons)
        true = row["label"] == "supported"
        for kind in ("all", row["kind"]):
            right[row["label"], kind].append(verdict.accepted == true)
    shares = {key: sum(found) / len(found) for key, found in right.items()}
    assert shares["supported", "all"] >= 0.80
    assert shares["unsupported", "all"] >= 0.96
    low = {kind: share for (label, kind), share in shares.items() if label == "unsupported" and share < 0.8}
    assert not low


LOAN = "Lender shall pay Borrower $2,000 within thirty (30) days after closing, unless Borrower is in breach."


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("Lender must pay Borrower $3,000 within 30 days after closing, unless Borrower breaches.", "$3,000"),
        (
            "Borrower must pay Lender $2,000 within 30 days after closing, unless it is in breach.",
            "borrower",
        ),
        ("Lender must pay Borrower $2,000 within 30 days after closing.", "condition"),
        ("Lender need not pay Borrower $2,000 within 30 days after closing, unless in breach.", "need not"),
        ("Guarantor must pay Borrower $2,000 within 30 days, unless Borrower is in breach.", "guarantor"),
    ],
)
def test_a_refusal_names_what_is_not_proven(statement: str, reason: str) -> None:
    verdict = entails(statement, [LOAN])
    assert not verdict.accepted
    assert reason in " ".join(verdict.reasons).lower()


def test_nothing_cited_or_said_proves_nothing() -> None:
    assert not entails("Anything.", []).accepted
    assert not entails(" … ", [LOAN]).accepted


def test_a_sentence_proves_itself_and_its_like_in_other_words() -> None:
    assert entails(LOAN, [LOAN]).accepted
    said = "Unless Borrower is in breach, Lender has to pay it $2,000 within 30 days of closing."
    assert entails(said, [LOAN]).accepted
