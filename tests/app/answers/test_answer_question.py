"""What a question is taken to ask for, in whatever words."""

from __future__ import annotations

import pytest

from longleaf.app.answers.question import Want, understand


@pytest.mark.parametrize(
    ("question", "want"),
    [
        ("By which day must the rent be in the account?", "time"),
        ("How much warning does the landlord need?", "time"),
        ("How much is the deposit?", "amount"),
        ("How many keys are handed out?", "count"),
        ("Why was the lift shut down?", "reason"),
        ("May the tenant keep a dog?", "permission"),
        ("What does the landlord have to repair?", "duty"),
        ("Who indemnifies whom?", "compare"),
        ("What counts as Common Area?", "definition"),
    ],
)
def test_what_kind_of_thing_is_wanted(question: str, want: Want) -> None:
    assert want in understand(question, "contract").wants


def test_how_much_notice_is_no_amount() -> None:
    assert "amount" not in understand("How much notice must the tenant give?", "contract").wants


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Can we walk away just because we feel like it?", "termin"),
        ("Can we walk away just because we feel like it?", "conveni"),
        ("What if the landlord goes bust?", "insolv"),
        ("Could the tenant hand over the lease to a friend?", "assign"),
        ("What does it cost to be late with the rent?", "interest"),
    ],
)
def test_a_readers_words_lead_to_those_of_contracts(question: str, word: str) -> None:
    groups = understand(question, "contract").groups
    assert any(word in group.terms for group in groups if group.concept)


def test_a_phrase_needs_its_words_in_order_and_near() -> None:
    plain = understand("The hand that signs is over the table", "contract")
    assert not any(group.concept and "assign" in group.terms for group in plain.groups)


def test_names_are_known_as_such() -> None:
    groups = understand("Must Harbour pay for the paint?", "contract").groups
    assert [group.own for group in groups if group.named] == [frozenset(["harbour"])]


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("How long is the lease, and who may end it?", 2),
        ("What is the rent and when is it due?", 2),
        ("What are the rent and the deposit?", 1),
    ],
)
def test_parts_of_a_question_are_counted(question: str, parts: int) -> None:
    assert understand(question, "contract").parts == parts
