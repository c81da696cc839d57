"""What a change is said to mean."""

from __future__ import annotations

import pytest

from longleaf.app.compare.meaning import defined_terms, read_change

PAY = "The buyer shall pay $500 within thirty (30) days after the invoice."


def changed(old: str, new: str) -> tuple[str, str]:
    deleted = [w for w in old.split() if w not in new.split()]
    inserted = [w for w in new.split() if w not in old.split()]
    meaning = read_change("changed", old, new, deleted, inserted)
    return meaning.class_, meaning.reason


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("$500", "$5,000", "amount: “$500” → “$5,000”"),
        ("thirty (30) days", "sixty (60) days", "duration: “thirty (30) days” → “sixty (60) days”"),
        ("shall pay", "may pay", "duty: “shall” → “may”"),
        ("shall pay", "shall not pay", "negation: “not” is new"),
        ("after the invoice", "after the invoice unless the goods are spoilt", "condition: “unless” is new"),
    ],
)
def test_figures_duties_and_conditions_are_substantive(old: str, new: str, what: str) -> None:
    class_, reason = changed(PAY, PAY.replace(old, new))
    assert class_ == "substantive"
    assert what in reason


@pytest.mark.parametrize(
    ("old", "new", "class_"),
    [
        ("invoice.", "invoice", "clerical"),
        ("invoice", "Invoice", "clerical"),
        ("invoice", "invoyce", "clerical"),
        ("after the invoice", "after invoice", "wording"),
        ("buyer", "customer", "wording"),
    ],
)
def test_spelling_is_clerical_and_other_words_are_wording(old: str, new: str, class_: str) -> None:
    assert changed(PAY, PAY.replace(old, new))[0] == class_


def test_words_of_another_law_or_party_are_substantive() -> None:
    law = "This contract is governed by the laws of Delaware."
    assert changed(law, law.replace("Delaware", "Texas"))[0] == "substantive"
    party = "The goods are made by Alder Works, Inc. at its mill."
    assert "Birch Works, Inc" in changed(party, party.replace("Alder", "Birch"))[1]


def test_what_costs_money_weighs_more() -> None:
    amount = read_change("changed", PAY, PAY.replace("$500", "$600"), ["$500"], ["$600"])
    wording = read_change("changed", PAY, PAY.replace("buyer", "customer"), ["buyer"], ["customer"])
    assert amount.weight > wording.weight


def test_clauses_that_only_got_another_place_or_number_are_clerical() -> None:
    assert read_change("moved", PAY, PAY, [], []).class_ == "clerical"
    assert read_change("renumbered", f"1. {PAY}", f"2. {PAY}", ["1"], ["2"]).class_ == "clerical"
    assert read_change("added", "", PAY, [], [PAY]).class_ == "substantive"


def test_terms_in_quotes_are_definitions() -> None:
    assert defined_terms("Anna (the “Seller”) and Ben (the “Buyer”)", "") == ["Seller", "Buyer"]
