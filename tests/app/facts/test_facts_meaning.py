# ruff: noqa: E501 (sentences)
"""A value is the whole truth of its quote: dates by reference, caps that are none, sentences that rest on another."""

from __future__ import annotations

import pytest

from longleaf.app.facts import key_facts
from longleaf.app.facts.document_text import passages, unnumbered
from longleaf.app.schema import KeyFact
from tests.support.plain_documents import plain_document

HEAD = 'SUPPLY AGREEMENT\n\nThis Supply Agreement is made on {date} between Fenwick Ropes {form} ("Seller") and Ostler Sails {form} ("Buyer").\n\n'


def facts(body: str, date: str = "March 9, 2004", form: str = "Inc.") -> dict[str, KeyFact]:
    document = plain_document([HEAD.format(date=date, form=form) + body])
    return {f.name: f for f in key_facts(document, (), lambda query, k: [], None, "contract")}


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("Effective Date: April 2, 2004", "2004-04-02"),
        ('1. "Effective Date" means April 2, 2004.', "2004-04-02"),
        ("1. This Agreement takes effect on the 2nd day of April, 2004.", "2004-04-02"),
        ("1. This Agreement is effective as of the date first above written.", "2004-03-09"),
        ('1. "Effective Date" shall mean the date of this Agreement.', "2004-03-09"),
        ("1. The term of this Agreement shall commence on the date hereof.", "2004-03-09"),
        ("1. This Agreement comes into force with effect from 2-Apr-04.", "2004-04-02"),
    ],
)
def test_the_effective_date_by_label_definition_or_reference(body: str, value: str) -> None:
    assert facts(body)["effective_date"].values == [value]


def test_an_effect_without_a_day_is_quoted() -> None:
    body = "1. This Agreement shall become effective upon the last signature below."
    fact = facts(body)["effective_date"]
    assert fact.status == "quoted" and fact.values == [] and "last signature" in fact.text


@pytest.mark.parametrize(
    "body",
    [
        "1. No amendment shall be effective unless it is signed by both parties.",
        "1. Termination of this Agreement is effective on the day the notice arrives.",
        "1. The License of Terns Ltd. dated as of May 6, 2001 stays in effect.",
    ],
)
def test_what_else_is_effective_gives_no_date(body: str) -> None:
    assert facts(body)["effective_date"].status == "not_found"


def test_slash_dates_are_read_as_the_document_shows() -> None:
    found = facts("1. This Agreement starts on 05/06/2004 and expires on 28/05/2007.", "02/04/2004")
    assert found["agreement_date"].values == ["2004-04-02"] and "(" not in found["agreement_date"].title
    assert found["effective_date"].values == ["2004-06-05"]


@pytest.mark.parametrize(
    ("form", "values", "doubt"),
    [
        ("Inc.", ["2004-02-04"], "month read first, not proven"),
        ("plc", ["2004-04-02"], "day read first, not proven"),
        ("S.A.", ["2004-04-02"], "day read first, not proven"),
    ],
)
def test_a_slash_date_that_nothing_proves_is_told_as_doubtful(
    form: str, values: list[str], doubt: str
) -> None:
    fact = facts("1. Term.", "02/04/2004", form)["agreement_date"]
    assert fact.values == values and doubt in fact.title


def test_a_slash_date_between_homes_has_no_value() -> None:
    fact = facts("1. Ostler is a Delaware corporation.", "02/04/2004", "plc")["agreement_date"]
    assert fact.status == "quoted" and fact.values == [] and "not clear" in fact.title


def test_excluded_damages_are_told_to_be_no_cap() -> None:
    fact = facts("9. In no event is Seller liable for indirect or consequential damages.")["liability_cap"]
    assert fact.status == "quoted" and fact.values == [] and "no cap" in fact.title


@pytest.mark.parametrize(
    ("amount", "body"),
    [
        ("Rs. 3,40,00,000", "The total liability of Seller shall not exceed Rs. 3,40,00,000 in a year."),
        ("1,5 Mio. EUR", "The total liability of Seller shall not exceed 1,5 Mio. EUR in a year."),
        ("CHF 2'500'000.--", "The total liability of Seller shall not exceed CHF 2'500'000.-- in a year."),
        ("EUR 1 500 000", "The total liability of Seller shall not exceed EUR 1 500 000 in a year."),
    ],
)
def test_a_cap_has_its_whole_sum(amount: str, body: str) -> None:
    fact = facts(f"9. {body}")["liability_cap"]
    assert fact.values == [amount] and body in fact.text and fact.title == "Liability cap"


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ("4.2 Under Section 3.1, Buyer shall purchase at least 700 coils per year.", ["700 coils"]),
        ("4.2 As Schedule 2 says, Buyer shall meet the minimum purchase quantity of Section 6.", []),
        ("4.2 Buyer shall pay a guaranteed minimum fee of $8,000 each year.", ["$8,000"]),
    ],
)
def test_numbers_of_sections_are_no_quantities(body: str, values: list[str]) -> None:
    assert facts(body)["minimum_commitment"].values == values


def test_a_sentence_brings_the_one_it_rests_on() -> None:
    first = "Either party may assign this Agreement to an affiliate."
    second = "Otherwise, neither party may assign this Agreement without the written consent of the other."
    fact = facts(f"8. {first} {second}")["assignment"]
    assert first in fact.text and second in fact.text


def test_an_item_of_a_list_brings_the_words_before_it() -> None:
    body = "10. This Agreement may be terminated:\n\n(a) by mutual consent;\n\n(b) by Buyer upon forty days' written notice for any reason; or\n\n(c) by Seller if Buyer is insolvent."
    fact = facts(body)["termination_for_convenience"]
    assert "may be terminated:" in fact.text and "forty days' written notice" in fact.text
    assert "insolvent" not in fact.text


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("exclusivity", "12. Exclusivity of Warranties. The warranties above are in lieu of all others."),
        ("exclusivity", "12. Seller has the exclusive right, but not the duty, to prosecute infringers."),
        ("exclusivity", "12. Buyer has no right to any exclusive territory."),
        ("termination_for_convenience", "12. This Agreement may not be terminated for convenience."),
        ("termination_for_convenience", "12. If the permit lapses, Buyer may at its discretion terminate this Agreement upon ten days' notice."),
        ("minimum_commitment", "12. Nothing obliges Buyer to purchase any minimum quantity of goods."),
        ("liability_cap", "12. Nothing in this Agreement limits the liability of Seller for fraud."),
    ],
)  # fmt: skip
def test_what_denies_a_clause_or_only_resembles_it_is_not_it(name: str, body: str) -> None:
    assert facts(body)[name].status == "not_found"


@pytest.mark.parametrize(
    "body",
    [
        "Governing law: Oregon.",
        "12. Governing law: Oregon.",
        "12. All disputes are decided under Oregon law.",
    ],
)
def test_a_law_named_by_label(body: str) -> None:
    assert facts(body)["governing_law"].values == ["Oregon"]


def test_the_law_to_be_obeyed_does_not_govern() -> None:
    assert (
        facts("12. Seller shall comply with the laws of the State of Texas that apply to it.")[
            "governing_law"
        ].status
        == "not_found"
    )


def test_section_numbers_are_no_part_of_a_sentence() -> None:
    assert unnumbered("12.1 (a) Either party") == "Either party" and unnumbered("I agree") == "I agree"


def test_the_items_of_a_list_know_their_stem() -> None:
    found = passages(
        plain_document(["Buyer may:\n\n(a) sell;\n\n(b) let the goods.\n\nSeller pays."])
    ).sentences
    first, *items, last = [s.stem for s in found]
    assert first == last == "" and items and set(items) == {"Buyer may"}


def test_a_term_of_which_only_the_beginning_is_said_has_no_expiration() -> None:
    body = "1. The term of this Agreement begins at 12:01 a.m. on May 4, 2009."
    found = facts(body)
    assert found["effective_date"].values == ["2009-05-04"]
    assert found["expiration_date"].status == "not_found"
    ended = facts(body.replace("2009.", "2009 and lasts three years."))
    assert ended["expiration_date"].status != "not_found"


def test_an_effect_as_and_from_a_day_is_the_effective_date() -> None:
    body = "1. Although signed later, this Agreement shall have effect as and from May 4, 2009."
    assert facts(body)["effective_date"].values == ["2009-05-04"]
