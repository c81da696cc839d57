from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longleaf.app.proof.citations import cite
from longleaf.app.proof.verify import verify
from longleaf.app.schema import Citation
from longleaf.ingest.document import Block, BlockKind, Box, Span
from tests.support.plain_documents import plain_document, plain_page


def quoted(*texts: str) -> list[Citation]:
    document = plain_document(texts)
    return cite(document, [Span(i, 0, len(text)) for i, text in enumerate(texts)])


PAY = (
    "Acme Industrial Supply, Inc. shall pay Borealis GmbH a fee of $5 million within thirty (30) days after "
    "March 3, 2021, and interest of 1.5% per month on any late amount, but not more than 12% per year."
)
TERMINATE = (
    "Either Party may terminate this Agreement for convenience upon sixty (60) days' prior written notice, "
    "unless the Minimum Commitment has not been met."
)
LICENCE = (
    'Licensor hereby grants to Licensee a non-exclusive, non-transferable license (the "License") to use the '
    "Northern Lights Software in the State of New York for a period of three (3) years."
)
RESULTS = (
    "Total revenue rose 8% to $4,584.8 million in fiscal 2022, compared with $4,245.0 million in fiscal "
    "2021, and net income increased to $612.4 million, or $2.15 per diluted share, as of December 31, 2022."
)


@pytest.mark.parametrize("text", [PAY, TERMINATE, LICENCE, RESULTS])
def test_a_sentence_proves_itself(text: str) -> None:
    assert verify(text, quoted(text), wording=True) == []


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Acme Industrial Supply, Inc. shall pay Borealis GmbH a fee of $5,000,000 within 30 days", PAY),
        ("a fee of 5 million dollars", PAY),
        ("interest of 1.5 percent per month", PAY),
        ("interest of one and a half percent per month", PAY.replace("1.5%", "one and a half percent")),
        ("after 3 March 2021", PAY),
        ("after 2021-03-03", PAY),
        ("within 30 days after 3/3/2021", PAY),
        ("a license for 3 years", LICENCE),
        ("a non exclusive, non-transferable license", LICENCE),
        ("net income of $612,400,000", RESULTS),
        ("$2.15 per diluted share in 2022", RESULTS),
        ("ACME INDUSTRIAL SUPPLY INC", PAY),
    ],
)
def test_other_forms_of_the_same_fact_pass(text: str, source: str) -> None:
    assert verify(text, quoted(source)) == []


@pytest.mark.parametrize(
    ("text", "source", "kind"),
    [
        ("a fee of $5 billion", PAY, "number"),
        ("a fee of $500,000", PAY, "number"),
        ("a fee of €5 million", PAY, "number"),
        ("a fee of 5 million", PAY, "number"),  # the unit is lost
        ("within 30 months after March 3, 2021", PAY, "number"),
        ("within thirty (13) days", PAY, "number"),
        ("within thirteen (30) days", PAY, "number"),
        ("within 30 business days", PAY, "number"),
        ("interest of 1.5% per year", PAY.replace("12% per year", "12% in all"), "number"),
        ("interest of 15% per month", PAY, "number"),
        ("interest of 1.5 per month", PAY, "number"),
        ("after March 3, 2022", PAY, "date"),
        ("after March 13, 2021", PAY, "date"),
        ("after May 3, 2021", PAY, "date"),
        ("in May", PAY, "date"),
        ("Acme Industrial Supply, LLC shall pay", PAY, "name"),
        ("Acme Borealis shall pay", PAY, "name"),
        ("Bxrealis GmbH shall be paid", PAY, "name"),
        ("in the State of New Jersey", LICENCE, "name"),
        ("Ohio law", LICENCE, "name"),
        ("Licensor grants an exclusive license", LICENCE, "negation"),
        ("Either Party may not terminate this Agreement for convenience", TERMINATE, "negation"),
        ("Either Party shall terminate this Agreement for convenience", TERMINATE, "negation"),
        ("Either Party terminates this Agreement for convenience", TERMINATE, "negation"),
        ("unless the Minimum Commitment has been met", TERMINATE, "negation"),
        ("interest on any late amount, but more than 12% per year", PAY, "negation"),
        ("terminate upon 60 days' subsequent written notice after convenience", TERMINATE, "negation"),
        ("total revenue fell 8%", RESULTS, "negation"),
        ("net income decreased to $612.4 million", RESULTS, "negation"),
        ("either party is liable", "Neither party is liable.", "negation"),
        ("party shall be liable", "No party shall be liable.", "negation"),
        ("Buyer will pay Seller", "We do not expect that Buyer will pay Seller.", "negation"),
        ("Seller may terminate", "If Buyer does not pay, Seller may terminate.", "negation"),
        ('the "Licence Fee" is due', LICENCE, "quote"),
    ],
)  # fmt: skip
def test_what_the_citation_does_not_show_is_found(text: str, source: str, kind: str) -> None:
    assert kind in {problem.kind for problem in verify(text, quoted(source))}


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Borealis GmbH shall pay Acme Industrial Supply, Inc. a fee of $5 million", PAY),
        ("Acme Industrial Supply, Inc. shall pay interest of 12% per year", PAY),
        ("Licensee grants to Licensor a non-exclusive license", LICENCE),
        ("Net income rose 8% in fiscal 2022", RESULTS),
        ("Total revenue was $4,245.0 million in fiscal 2022", RESULTS),
        ("The fee is payable to Seller by Buyer.", "The fee is payable by Seller to Buyer."),
        (
            "Seller indemnifies Buyer.",
            "Seller, except where Buyer is at fault, indemnifies no one but Buyer.",
        ),
        ("Buyer shall pay Seller.", "Buyer shall, unless the goods are late, pay Seller."),
        ("Either Party may terminate this Agreement for convenience.", TERMINATE),
        ("Revenue rose 8%.", "On an adjusted basis, revenue rose 8%."),
        ("Seller may terminate.", "If Buyer pays late, Seller may terminate."),
    ],
)
def test_wording_finds_what_no_list_of_words_can(text: str, source: str) -> None:
    assert verify(text, quoted(source), wording=True) != []


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Total revenue rose 8% to $4,584.8 million in fiscal 2022.", RESULTS),
        ("Licensor hereby grants to Licensee a non-exclusive, non-transferable license to use the Northern "
         "Lights Software in the State of New York for a period of three years.", LICENCE),
        ("Buyer may end the term.", "Buyer (and any Affiliate) may end the term, in each month."),
        ("Buyer shall pay Seller.", "Buyer shall, on demand of the bank, pay Seller."),
    ],
)  # fmt: skip
def test_a_shortened_sentence_passes_wording(text: str, source: str) -> None:
    assert verify(text, quoted(source), wording=True) == []


def test_nothing_cited_proves_nothing() -> None:
    assert [problem.kind for problem in verify("Anything.", [])] == ["citation"]


def test_quotes_and_labels_are_held_against_the_page() -> None:
    document = plain_document([PAY, TERMINATE])
    (good,) = cite(document, [Span(1, 0, len(TERMINATE))])
    assert verify(TERMINATE, [good], [document]) == []
    for change in ({"start": 1}, {"page_index": 0}, {"page_label": "3"}, {"page_index": 5}):
        bad = good.model_copy(update=change)
        assert {p.kind for p in verify(TERMINATE, [bad], [document])} & {"quote", "citation"}


def test_a_sentence_over_a_page_break_is_read_as_one() -> None:
    citations = quoted("The term ends on March", "3, 2021 after five", "(5) years.")
    assert verify("The term ends on March 3, 2021 after 5 years.", citations) == []


def test_a_table_row_may_be_cited_beside_its_heading() -> None:
    heading = "STATEMENTS OF INCOME\n(In millions, except per share data)\nYears Ended 2022"
    table = quoted(heading, "Subscription  $  16,388", "Total revenue  17,606  15,785")
    assert verify("Total revenue: $17,606 million (Years Ended 2022)", table) == []
    assert verify("Total revenue: $17,606 thousand (Years Ended 2022)", table) != []
    assert verify("Total revenue: $17,607 million (Years Ended 2022)", table) != []
    assert verify("Total revenue: $17,606 million (Years Ended 2023)", table) != []


def test_the_sign_of_a_table_may_stand_in_another_row() -> None:
    text = "(In millions)\nSubscription  $ 16,388\nTotal revenue  17,606"
    kinds: list[tuple[BlockKind, bool]] = [("table", True), ("paragraph", False)]
    for kind, proven in kinds:
        block = Block(kind, 14, len(text), Box(0, 0, 1, 1))
        document = plain_document([plain_page(text, 0, blocks=[block])])
        row = text.index("Total")
        citations = cite(document, [Span(0, 0, 13), Span(0, row, len(text))])
        assert (verify("Total revenue: $17,606 million", citations, [document]) == []) is proven
        assert verify("Total revenue: €17,606 million", citations, [document]) != []


def test_table_figures_take_the_scale_and_sign_of_their_heading() -> None:
    table = quoted("(in thousands, except per share data)\nTotal revenue $ 5,854,430 4,795,511")
    assert verify("Total revenue was $5,854,430 thousand.", table) == []
    assert verify("Total revenue was $5,854.43 million.", table) == []
    assert verify("Total revenue was $4,795.511 million.", table) == []
    assert verify("Total revenue was $5,854,430.", quoted("Total revenue 5,854,430")) != []


TRUE_STATEMENTS = [
    PAY,
    TERMINATE,
    LICENCE,
    RESULTS,
    "The initial term is five (5) years from January 15, 2019 and renews for one (1) year periods.",
    "The governing law is that of the State of Delaware, and the courts of Wilmington have jurisdiction.",
    "On 30 June 2020 cash and cash equivalents were €1.2 billion and total debt was €650 million.",
]
UNITS = [
    ("days", "months"), ("month", "week"), ("year", "quarter"), ("years", "days"), ("million", "billion"),
    ("$", "€"), ("%", " days"), ("€", "£"), ("billion", "thousand"),
]  # fmt: skip
MONTHS = ["January", "March", "June", "December", "May", "August"]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_changing_any_digit_of_a_true_statement_is_found(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TRUE_STATEMENTS))
    digits = [m.start() for m in re.finditer(r"\d", text)]
    if not digits:
        return
    at = data.draw(st.sampled_from(digits))
    other = data.draw(st.sampled_from([d for d in "0123456789" if d != text[at]]))
    assert verify(text[:at] + other + text[at + 1 :], quoted(text), wording=True) != []


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_changing_any_letter_of_a_name_is_found(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TRUE_STATEMENTS))
    name = data.draw(st.sampled_from(list(re.finditer(r"(?<!^)\b[A-Z][a-z]+(?: [A-Z][a-z]+)*", text))))
    letters = [i for i in range(name.start(), name.end()) if text[i].isalpha()]
    at = data.draw(st.sampled_from(letters))
    other = data.draw(st.sampled_from([c for c in "abcdefgh" if c != text[at].lower()]))
    other = other.upper() if text[at].isupper() else other
    assert verify(text[:at] + other + text[at + 1 :], quoted(text)) != []


@pytest.mark.parametrize("text", TRUE_STATEMENTS)
def test_changing_any_unit_or_month_is_found(text: str) -> None:
    changed = [text.replace(old, new, 1) for old, new in UNITS if old in text]
    changed += [text.replace(old, new, 1) for old in MONTHS if old in text for new in MONTHS if new != old]
    for wrong in changed:
        assert verify(wrong, quoted(text)) != [], wrong


@pytest.mark.parametrize("text", TRUE_STATEMENTS)
def test_adding_or_dropping_not_is_found_anywhere(text: str) -> None:
    for match in re.finditer(r"\b(?:shall|may|is|are|was|were|has)\b", text):
        negated = text[: match.end()] + " not" + text[match.end() :]
        assert verify(negated, quoted(text)) != [], negated
        assert verify(text, quoted(negated)) != [], negated
