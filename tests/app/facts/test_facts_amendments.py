# ruff: noqa: E501 (sentences)
"""Words that a later paper changes, and the sort of a document."""

from __future__ import annotations

import pytest

from longleaf.app.answers.later_words import with_later_words
from longleaf.app.facts import classify, document_type, key_facts
from longleaf.app.facts.contracts.amendments import changed_by, changes, section_at
from longleaf.app.facts.document_text import passages
from longleaf.app.proof.citations import cite
from longleaf.app.schema import KeyFact, Statement
from longleaf.ingest.document import Document
from tests.support.plain_documents import plain_document

LEASE = plain_document(
    [
        'LEASE AGREEMENT\n\nThis Lease Agreement is made as of May 2, 2019 between Oriel Land Co. ("Landlord") and '
        'Vesper Gyms LLC ("Tenant").\n\n3. Rent. Tenant shall pay Landlord $4,100 per month.\n\n7. Deposit. Tenant '
        "shall pay a security deposit of $9,000.\n\n11. Governing Law. This Lease is governed by the laws of the State "
        "of Maine."
    ],
    name="lease.txt",
)


def amending(text: str, made: str = "June 9, 2021") -> Document:
    head = f"FIRST AMENDMENT TO LEASE\n\nThis amendment is made as of {made} between Oriel Land Co. and Vesper Gyms LLC.\n\n"
    return plain_document([head + text], name="amendment.txt")


@pytest.mark.parametrize(
    ("text", "section", "old", "new"),
    [
        (
            'Section 3 is deleted and replaced as follows: "3. Rent. Rent is $4,600."',
            "3",
            "",
            "3. Rent. Rent is $4,600.",
        ),
        ('In Section 7 the words "$9,000" are replaced by "$12,000".', "7", "$9,000", "$12,000"),
        (
            'Section 11 (Governing Law) is amended by replacing "State of Maine" with "State of Ohio".',
            "11",
            "State of Maine",
            "State of Ohio",
        ),
        ("Article 4.2 is hereby amended by substituting “ten” for “five”.", "4.2", "five", "ten"),
        (
            'Section 6 of the Lease is hereby amended and restated in its entirety to read: "6. Use."',
            "6",
            "",
            "6. Use.",
        ),
        ('Clause 8 is amended by deleting "May" and inserting "July" in its place.', "8", "May", "July"),
        ("Section 9 is deleted in its entirety.", "9", "", ""),
        ("Section 5 is replaced with the following: Tenant may sublet.", "5", "", "Tenant may sublet."),
    ],
)
def test_a_change_is_read(text: str, section: str, old: str, new: str) -> None:
    (found,) = changes(passages(amending(text)))
    assert (found.section, found.old, found.new) == (section, old, new)


@pytest.mark.parametrize(
    "text",
    [
        "Tenant shall replace broken windows.",
        'Section 3 refers to the "Rent".',
        "The Landlord deleted the old plans, as Section 2 allows.",
    ],
)
def test_what_changes_no_words_is_no_change(text: str) -> None:
    assert changes(passages(amending(text))) == []


def test_a_change_touches_the_words_of_its_section_only() -> None:
    text = passages(LEASE)
    found = changes(passages(amending('In Section 7 the words "$9,000" are replaced by "$12,000".')))
    rent, deposit = (
        text.text.index("Tenant shall pay Landlord"),
        text.text.index("Tenant shall pay a security"),
    )
    assert section_at(text, rent) == "3" and section_at(text, deposit) == "7"
    assert not list(changed_by(text, rent, rent + 40, found))
    assert list(changed_by(text, deposit, deposit + 52, found)) == found


def quoted(document: Document, words: str) -> Statement:
    text = passages(document)
    start = text.text.index(words)
    return Statement(
        text=words, status="quoted", citations=cite(document, text.spans(start, start + len(words)))
    )


def test_the_later_word_is_told_first_in_either_order_of_the_files() -> None:
    later = amending(
        'Section 3 is deleted and replaced as follows: "3. Rent. Tenant shall pay $4,600 per month."'
    )
    answer = quoted(LEASE, "Tenant shall pay Landlord $4,100 per month.")
    for documents in ([LEASE, later], [later, LEASE]):
        told = with_later_words(answer, documents)
        assert told.text.index("$4,600") < told.text.index("$4,100")
        assert [c.file for c in told.citations] == ["amendment.txt", "lease.txt"]
        quotes = " ".join(c.quote for c in told.citations)
        assert all(piece in " ".join(quotes.split()) for piece in told.text.split(" … "))


def test_an_earlier_paper_changes_nothing() -> None:
    earlier = amending('In Section 7 the words "$9,000" are replaced by "$12,000".', made="June 9, 2001")
    answer = quoted(LEASE, "Tenant shall pay a security deposit of $9,000.")
    assert with_later_words(answer, [LEASE, earlier]) is answer


def facts(document: Document) -> dict[str, KeyFact]:
    found = key_facts(document, (), lambda query, k: [], None, classify(document))
    return {fact.name: fact for fact in found}


def test_the_facts_of_an_amendment_are_its_changes() -> None:
    found = facts(
        amending(
            'Section 11 is amended by replacing "State of Maine" with "State of Ohio", whose laws apply.\n\n'
            'In Section 7 the words "$9,000" are replaced by "$12,000".'
        )
    )
    assert found["changes"].values == ["State of Ohio", "$12,000"]


def test_an_amendment_that_names_another_law_tells_it() -> None:
    found = facts(
        amending('Section 11 (Governing Law) is amended by replacing "State of Maine" with "State of Ohio".')
    )
    assert found["governing_law"].values == ["Ohio"]


TYPES = [
    ("SECOND AMENDMENT TO CREDIT AGREEMENT\n\nThis Second Amendment is made by the parties.", "amendment"),
    (
        "Mutual Non-Disclosure Agreement\n\nThis Agreement is made by the parties hereto.",
        "non-disclosure agreement",
    ),
    ("COMMERCIAL LEASE\n\nThis lease is made between the parties hereto.", "lease"),
    ("TERM LOAN AGREEMENT\n\nThe parties hereto agree.", "loan"),
    ("PROMISSORY NOTE\n\nThe undersigned hereby promises to pay to the holder.", "loan"),
    (
        "STATEMENT OF WORK NO. 3\n\nThis Statement of Work is made pursuant to the agreement.",
        "statement of work",
    ),
    ("LIMITED POWER OF ATTORNEY\n\nKnow all men that the undersigned hereby appoints.", "power of attorney"),
    ("PATENT LICENSE AGREEMENT\n\nThe parties hereto agree.", "license"),
    ("GENERAL RELEASE OF CLAIMS\n\nThe undersigned hereby agrees.", "release"),
    ("SUPPLY AGREEMENT\n\nThe parties hereto agree. The license shall end.", "contract"),
]


@pytest.mark.parametrize(("text", "name"), TYPES)
def test_the_sort_of_a_contract(text: str, name: str) -> None:
    document = plain_document([text])
    assert classify(document) == "contract" and document_type(document, "contract") == name


COVER = (
    "UNITED STATES\nSECURITIES AND EXCHANGE COMMISSION\n{form}\n{what} PURSUANT TO SECTION {section} OF THE SECURITIES "
    "EXCHANGE ACT OF 1934\nCommission file number 0-1234\n\n"
)
LEGAL = (
    "The parties hereto agree that the agreement shall be governed hereby and the parties covenant herein. "
    * 60
)


@pytest.mark.parametrize(
    ("form", "what", "name"),
    [
        ("FORM 10-K", "ANNUAL REPORT", "annual report"),
        ("Form 10-Q", "QUARTERLY REPORT", "quarterly report"),
        ("SCHEDULE 14A", "PROXY STATEMENT", "proxy statement"),
    ],
)
def test_a_filing_full_of_legal_words_is_no_contract(form: str, what: str, name: str) -> None:
    document = plain_document(
        [COVER.format(form=form, what=what, section="14" if "14A" in form else "13") + LEGAL]
    )
    assert classify(document) == "report" and document_type(document, "report") == name


def test_a_contract_filed_with_a_report_stays_a_contract() -> None:
    footer = "\nSource: ACORN INC, 10-K, 3/30/2010"
    document = plain_document([f"SUPPLY AGREEMENT\n\nThe parties hereto agree.{footer}\n" + LEGAL])
    assert classify(document) == "contract"


@pytest.mark.parametrize(
    ("text", "fact", "values"),
    [
        ("LEASE\n\nTenant shall pay base rent of $2,200 per month.", "rent", ["$2,200"]),
        (
            "LOAN AGREEMENT\n\nThe Loan shall bear interest at a rate of 7.5% per annum.",
            "interest_rate",
            ["7.5%"],
        ),
        (
            "LOAN AGREEMENT\n\nThe outstanding principal shall be due and payable in full on May 4, 2028 (the "
            '"Maturity Date").',
            "maturity",
            ["2028-05-04"],
        ),
        (
            "NON-DISCLOSURE AGREEMENT\n\nThe obligations of confidentiality shall survive for a period of three years.",
            "confidentiality_period",
            ["three years"],
        ),
        ("LICENSE AGREEMENT\n\nLicensee shall pay a royalty of 4% of net sales.", "royalty", ["4%"]),
    ],
)
def test_the_facts_that_matter_for_its_sort(text: str, fact: str, values: list[str]) -> None:
    assert facts(plain_document([text + " The parties hereto agree."]))[fact].values == values
