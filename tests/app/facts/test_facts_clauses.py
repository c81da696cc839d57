"""Clauses and governing law: what carries the marks of a clause, and what only looks like it."""

from __future__ import annotations

import pytest

from longleaf.app.facts import key_facts
from longleaf.app.facts.contracts import clauses
from longleaf.app.facts.contracts.clauses import Clause, choose, rank_clause
from longleaf.app.facts.contracts.law import governing_law
from longleaf.app.facts.document_text import passages
from tests.support.plain_documents import plain_document


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (
            "This Agreement shall be construed under California law.",
            "California",
        ),
        (
            "The validity and interpretation of this Agreement shall be governed by the laws of England and "
            "Wales and the parties submit to the courts of New York.",
            "England and Wales",
        ),
        (
            "GOVERNING LAW. This Agreement is governed by New York law.",
            "New York",
        ),
        (
            "17. Applicable Law. The laws of the Commonwealth of Massachusetts shall apply to this "
            "Agreement, without regard to its conflict of laws rules.",
            "Massachusetts",
        ),
        (
            "This contract shall be governed by the laws and regulations of the People’s Republic of China.",
            "China",
        ),
        (
            "The substantive laws of the State of Minnesota, U.S.A. shall govern this Agreement and any "
            "suit shall be brought in the courts of Ohio.",
            "Minnesota",
        ),
        (
            "This Agreement shall be subject to and construed in accordance with Swiss law excluding the "
            "United Nations Convention on Contracts for the International Sale of Goods.",
            "Switzerland",
        ),
        (
            "Buyer is a corporation organized and existing under the laws of the State of Nevada.",
            "",
        ),
        (
            "Supplier shall comply with all applicable laws of the United States.",
            "",
        ),
        (
            "The agreement is made under and shall be governed by and construed in accordance with the "
            "internal laws of the State of\n"
            "North Carolina, applicable to contracts made in that state.",
            "North Carolina",
        ),
        (
            "This Agreement and any dispute shall be governed by the laws of the Hong Kong Special "
            "Administrative Region.",
            "Hong Kong",
        ),
        (
            "This Agreement will be interpreted and enforced in accordance with the law of the Province of "
            "British Columbia and the federal laws of Canada applicable therein.",
            "British Columbia",
        ),
        (
            "Any controversy shall be settled by arbitration in Geneva, Switzerland under the rules of the "
            "ICC.",
            "",
        ),
        (
            "The parties agree that Delaware law governs this Agreement.",
            "Delaware",
        ),
        (
            "This Agreement shall be governed in all respects by the laws of the State of Washington, U.S.A.",
            "Washington",
        ),
    ],
)
def test_governing_law(text: str, place: str) -> None:
    found = governing_law(passages(plain_document([f"AGREEMENT\n{text}"])))
    assert (found[0].place.name if found and found[0].place else "") == place


PRESENT = [
    (
        clauses.TERM,
        "The term of this Agreement shall begin on the Effective Date and continue for three (3) years.",
    ),
    (
        clauses.TERM,
        "This Agreement shall remain in full force and effect until December 31, 2025, unless terminated.",
    ),
    (clauses.RENEWAL, "The Agreement shall automatically renew for successive one-year terms."),
    (
        clauses.RENEWAL,
        "Licensee shall have the option to extend the term for two additional periods of one year.",
    ),
    (
        clauses.NOTICE,
        "It renews unless either party gives notice of non-renewal at least sixty (60) days prior to the end "
        "of the then-current term.",
    ),
    (clauses.MINIMUM, "In each year Buyer shall purchase a minimum quantity of 5,000 units."),
    (clauses.MINIMUM, "Distributor agrees to buy at least $250,000 of Products in each Contract Year."),
    (
        clauses.CAP,
        "In no event shall either party's aggregate liability exceed the fees paid hereunder.",
    ),
    (clauses.EXCLUDED, "NEITHER PARTY SHALL BE LIABLE FOR ANY INDIRECT OR CONSEQUENTIAL DAMAGES."),
    (
        clauses.CONVENIENCE,
        "Either party may terminate this Agreement without cause upon 30 days' written notice.",
    ),
    (
        clauses.CONVENIENCE,
        "Owner may at any time, in its sole discretion, terminate this Agreement on 60 days notice.",
    ),
    (
        clauses.ASSIGNMENT,
        "Neither party may assign this Agreement without the prior written consent of the other.",
    ),
    (
        clauses.ASSIGNMENT,
        "This Agreement is personal and shall not be assigned or transferred by the Consultant.",
    ),
    (
        clauses.EXCLUSIVITY,
        "Company hereby appoints Distributor as its exclusive distributor in the Territory.",
    ),
    (clauses.EXCLUSIVITY, "Supplier shall not sell the Products to any other person in the Field."),
    (clauses.PAYMENT, "Customer shall pay each invoice within thirty (30) days of receipt."),
    (
        clauses.TERMINATION,
        "Either party may terminate this Agreement if the other party is in material breach.",
    ),
    (clauses.TERM, "This Agreement shall lapse on June 30, 2011 without any notice."),
    (clauses.RENEWAL, "Tenant has two options to prolong this Agreement, each for five years."),
    (clauses.RENEWAL, "The Term rolls over for a year each time."),
    (
        clauses.NOTICE,
        "The contract is extended by one year each time if it is not cancelled six months before it ends.",
    ),
    (clauses.MINIMUM, "If sales in a year fall short of 300 tons, Dealer shall pay Mill the difference."),
    (clauses.MINIMUM, "In no quarter shall the royalties be less than $9,000."),
    (clauses.CAP, "The most that Shipper can recover is the freight paid."),
    (clauses.CAP, "Damages payable by the Mill shall be confined to a refund of the price."),
    (clauses.CAP, "The indemnity of Lessor shall not go beyond $40,000."),
    (clauses.CONVENIENCE, "Lessor may put an end to this Agreement whenever it sees fit by 20 days' notice."),
    (clauses.EXCLUSIVITY, "Mill shall sell the yarn to no one but Dealer."),
    (clauses.EXCLUSIVITY, "Dealer is appointed the sole and only agent of Mill in Ohio."),
    (clauses.CAP, "The exposure of Mover under this Agreement is capped at the fees earned."),
    (clauses.EXCLUSIVITY, "Baker shall buy all of its flour from Miller."),
    (clauses.EXCLUSIVITY, "Agent has the sole right to sell the prints in Peru."),
    (clauses.MINIMUM, "The yearly rental shall in no event be under $7,000."),
    (
        clauses.RENEWAL,
        "This Agreement shall be renewed for terms of two years each, unless one party informs the other "
        "that it will not be renewed.",
    ),
]
ABSENT = [
    (clauses.TERM, "During the term of this Agreement the parties shall keep such information confidential."),
    (
        clauses.RENEWAL,
        "Licensee shall pay for the renewal of the patents and the extension of any trademark.",
    ),
    (clauses.NOTICE, "All notices shall be in writing and are effective three days after mailing."),
    (
        clauses.MINIMUM,
        "Contractor shall maintain insurance with minimum coverage of $1,000,000 per occurrence.",
    ),
    (
        clauses.EXCLUDED,
        "Seller shall maintain liability insurance of not less than $5,000,000 in the aggregate.",
    ),
    (
        clauses.CONVENIENCE,
        "Either party may terminate this Agreement if the other fails to cure a material breach.",
    ),
    (
        clauses.CONVENIENCE,
        "Upon termination of this Agreement for any reason, Buyer shall return all samples.",
    ),
    (clauses.ASSIGNMENT, "A party is in default if it makes an assignment for the benefit of creditors."),
    (clauses.ASSIGNMENT, "This Agreement binds the parties and their successors and permitted assigns."),
    (clauses.EXCLUSIVITY, "Licensor grants Licensee a non-exclusive license to use the Software."),
    (clauses.EXCLUSIVITY, "The courts of Ohio have exclusive jurisdiction; repair is the exclusive remedy."),
    (clauses.RENEWAL, "The time for shipment may be extended by five days for each day of frost."),
    (clauses.RENEWAL, "Lender may extend the maturity of the Note for additional periods of sixty days."),
    (clauses.RENEWAL, "This Agreement shall not renew automatically."),
    (clauses.CONVENIENCE, "The employment of any driver may be ended by Carrier at will."),
    (clauses.EXCLUSIVITY, "Dealer shall disclose the formula to no one but its officers."),
    (clauses.CAP, "Claims for travel are confined to the amounts listed in Schedule F."),
    (clauses.RENEWAL, "The grace period may be extended for an additional twenty days."),
    (clauses.RENEWAL, "Interest shall continue to accrue from month to month."),
    (
        clauses.NOTICE,
        "Lessee may exercise its right to extend by notice at least 80 days prior to the end of the term.",
    ),
]


@pytest.mark.parametrize(("clause", "text"), PRESENT)
def test_a_clause_is_found(clause: Clause, text: str) -> None:
    found = rank_clause(clause, passages(plain_document([f"The weather was fine. {text} The end came."])))
    assert [c.sentence.plain for c in choose(clause, found)] == [text]


@pytest.mark.parametrize(("clause", "text"), ABSENT)
def test_what_only_looks_like_a_clause_is_not_one(clause: Clause, text: str) -> None:
    assert rank_clause(clause, passages(plain_document([text]))) == []


def test_that_nothing_is_exclusive_is_an_answer() -> None:
    found = clauses.not_exclusive(
        passages(plain_document(["The appointment of the Agent is non-exclusive."]))
    )
    assert len(found) == 1


def test_a_table_of_contents_is_no_clause() -> None:
    text = "12. Neither party may assign this Agreement without consent .......... 14"
    assert rank_clause(clauses.ASSIGNMENT, passages(plain_document([text]))) == []


def test_the_period_of_renewal_is_told_from_the_notice_that_ends_it() -> None:
    document = plain_document(
        [
            "This agreement shall automatically renew for successive six (6) month periods unless written "
            "notice is provided of either party's intent not to renew at least three (3) months before the "
            "end of the then-current term."
        ]
    )
    facts = {f.name: f.values for f in key_facts(document, (), lambda query, k: [], None, "contract")}
    assert facts["renewal"] == ["six (6) month"]
    assert facts["notice"] == ["three (3) months"]
