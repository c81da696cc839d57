"""Follow-up questions are made whole by what was asked before; a question of its own stays as it is."""

from __future__ import annotations

import pytest

from longleaf.app.answers.follow_up import standalone

PARTIES = ["Supplier", "Buyer"]


@pytest.mark.parametrize(
    ("before", "question", "expected"),
    [
        ("What was revenue in 2022?", "And in 2021?", "What was revenue in 2021?"),
        ("What was revenue in fiscal 2022?", "what about FY2020?", "What was revenue in FY2020?"),
        ("What was revenue in Q2 2023?", "and Q3 2023", "What was revenue in Q3 2023?"),
        ("What was capital expenditure?", "and for 2019?", "What was capital expenditure in 2019?"),
        ("What was revenue in 2022?", "And gross margin?", "What was the gross margin in 2022?"),
        ("What must Supplier deliver?", "What about Buyer?", "What must Buyer deliver?"),
        ("What must Supplier deliver?", "and the other party?", "What must Buyer deliver?"),
        ("What must Supplier deliver?", "By when?", "By when must Supplier deliver?"),
        ("Can Buyer terminate early?", "Why?", "Why can Buyer terminate early?"),
        ("Can Buyer terminate early?", "How much notice?", "How much notice can Buyer terminate early?"),
        ("Which law governs?", "and termination?", "What does it say about termination?"),
        (
            "Who may assign the agreement?",
            "Does it need consent?",
            "Does it need consent? (Who may assign the agreement?)",
        ),
    ],
)
def test_a_follow_up_is_made_whole(before: str, question: str, expected: str) -> None:
    assert standalone(question, [before], PARTIES) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Which law governs the agreement?",
        "How long does the warranty on the delivered goods last after acceptance by Buyer?",
        "What was net income in 2020?",
        "Is Supplier insured?",
    ],
)
def test_a_question_of_its_own_stays(question: str) -> None:
    assert standalone(question, ["What was revenue in 2022?"], PARTIES) == question


def test_the_first_question_has_nothing_to_lean_on() -> None:
    assert standalone("And in 2021?", []) == "And in 2021?"


def test_follow_ups_follow_each_other() -> None:
    asked = ["What was revenue in 2022?"]
    for question in ("And in 2021?", "and gross profit?", "2020?"):
        asked.append(standalone(question, asked))
    assert asked[1:] == [
        "What was revenue in 2021?",
        "What was the gross profit in 2021?",
        "What was the gross profit in 2020?",
    ]


def test_the_other_party_of_three_is_not_guessed() -> None:
    said = standalone("and the other party?", ["What must Supplier deliver?"], [*PARTIES, "Guarantor"])
    assert "Buyer" not in said and "Guarantor" not in said
