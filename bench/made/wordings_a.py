# ruff: noqa: E501 (sentences)
"""First batch of wordings, which the patterns were tuned on. All of it was written for this project.

`{A}` and `{B}` are the parties' roles, `{NA}` and `{NB}` their names, `{DATE}` the date made, `{D2}` a later day.
"""

from __future__ import annotations

PREAMBLES = (
    'THIS {TITLE} (this "Agreement") is made and entered into as of {DATE}, by and between {NA}, a Delaware '
    'corporation with its principal office at 410 Foundry Street, Dayton, Ohio ("{A}"), and {NB}, a limited '
    'liability company organized under the laws of Nevada ("{B}").',
    "This {TITLE} is dated {DATE}\n\nBETWEEN:\n\n(1) {NA}, a company incorporated in Ohio whose registered office "
    'is at 12 Mill Lane, Akron (the "{A}"); and\n\n(2) {NB}, having its seat at 9 Harbor Way, Reno (the "{B}").',
    'AGREEMENT made this {DAYOF}, between {NA} (hereinafter called "{A}") and {NB} (hereinafter called "{B}").',
    'This {TITLE} ("Agreement") is entered into on {DATE} between {NA}, a corporation, located at 77 Orchard '
    'Avenue, Boise, Idaho (hereinafter referred to as "{A}"), and {NB}, located at 4 Pier Road, Tacoma, '
    'Washington (hereinafter referred to as "{B}").',
    'WITNESSETH, this {TITLE}, executed the {DAYOF}, by {NA} of Toledo, Ohio ("{A}") and {NB} of Mesa, Arizona '
    '("{B}").',
    "Date of Agreement: {DATE}\n\n{A}: {NA}\n\n{B}: {NB}\n\nThe {A} and the {B} named above agree as follows.",
)
PREAMBLES_UNDATED = (
    'THIS {TITLE} (this "Agreement") is by and between {NA}, an Iowa corporation ("{A}"), and {NB}, a Texas '
    'corporation ("{B}").',
    'This {TITLE} is concluded between {NA} (the "{A}") and {NB} (the "{B}"), which are called the parties.',
)
# (text, what it means): "made" takes the date made, "own" takes {D2}, "" names no calendar day.
EFFECTIVE = (
    ("Effective Date: {D2}", "own"),
    ('"Effective Date" means {D2}.', "own"),
    ("This Agreement shall take effect on {D2} and binds the parties from that day.", "own"),
    ("This Agreement is effective as of the date first above written.", "made"),
    ("This Agreement shall become effective on the date on which the last of the parties signs it.", ""),
    ("The effective date of this Agreement shall be {D2DAYOF}.", "own"),
    ('This Agreement shall commence on {D2} (the "Commencement Date").', "own"),
    ('"Effective Date" shall mean the date of this Agreement.', "made"),
)
NOT_EFFECTIVE = (
    "Each change order becomes effective when both project managers have initialed it.",
    "A notice is effective on the day it is delivered to the address given below.",
    "The {A} filed a registration statement that was declared effective on June 3, 2004.",
    "The Master Purchase Terms dated as of August 9, 2001 remain in force between the parties.",
)
EXPIRATION = (
    ("The term of this Agreement shall end on {END}.", "own"),
    (
        "This Agreement shall remain in force for a period of four (4) years from the date of its signature.",
        "",
    ),
    ("Unless terminated earlier under this Article, this Agreement shall expire on {END}.", "own"),
    ("The initial term of this Agreement is thirty-six months.", ""),
    ("This Agreement shall continue in effect until {END}, when it shall end without notice.", "own"),
)
RENEWAL = (
    "This Agreement shall automatically renew for successive periods of one year each.",
    "At the end of the initial term, this Agreement may be extended by the {B} for two further periods of twelve "
    "months.",
    "The {A} has the option to renew this Agreement for an additional term of three (3) years.",
    "On each anniversary the term is prolonged by one more year unless the parties agree otherwise in writing.",
    "The parties may renew this Agreement for additional one-year terms by mutual written agreement.",
)
NOT_RENEWAL = (
    "The {B} shall keep all permits in force and shall pay for the renewal of its licenses.",
    "Any extension of the time for delivery must be agreed in writing.",
    "The {A} shall pay the fees for the renewal of the patents listed in Annex C.",
)
NOTICE = (
    "This Agreement shall renew automatically for further terms of one year unless either party gives the other "
    "notice of non-renewal at least ninety (90) days before the end of the then current term.",
    "The term is extended from year to year, provided that neither party has notified the other, not less than "
    "sixty days prior to its expiry, that it does not wish to extend it.",
    "Each renewal takes place automatically unless the {B} elects not to renew by written notice delivered at least "
    "six months before expiration of the term.",
)
MINIMUM = (
    "The {B} shall purchase at least 12,000 units of the Products in each calendar year.",
    "In every contract year the {B} agrees to order from the {A} Products worth no less than $450,000.",
    "The {B} shall pay the {A} a guaranteed minimum royalty of $75,000 per year.",
    "If purchases in a year fall short of the Annual Minimum set out in Schedule 2, the {B} shall pay the "
    "difference within thirty days.",
    "The {B} commits to a monthly minimum spend of $20,000 during the term.",
    "The minimum order quantity for each purchase order is 500 cases.",
)
NOT_MINIMUM = (
    "The {B} shall carry insurance with minimum limits of $1,000,000 per occurrence.",
    "The {A} shall pay its workers at least the minimum wage required by law.",
    "The {A} shall meet the minimum standards of quality set out in Section 4.2.",
    "Nothing in this Agreement obliges the {B} to purchase any minimum quantity of Products.",
    "The {A} shall give at least 30 days' notice of any change of the specifications.",
    "The {B} shall store the Products at a minimum temperature of 5 degrees.",
)
CAP = (
    (
        "In no event shall the aggregate liability of either party under this Agreement exceed $2,000,000.",
        "$2,000,000",
    ),
    (
        "The total liability of the {A} for all claims shall be limited to the fees paid by the {B} in the twelve "
        "months before the claim arose.",
        "",
    ),
    ("The {A}'s maximum liability hereunder is $350,000 in the aggregate.", "$350,000"),
    (
        "NEITHER PARTY SHALL BE LIABLE FOR MORE THAN THE AMOUNTS PAID OR PAYABLE UNDER THIS AGREEMENT, WHATEVER THE "
        "CAUSE OF ACTION.",
        "",
    ),
    (
        "Except for claims under Section 8, the {B}'s cumulative liability shall not be greater than EUR 1.250.000.",
        "EUR 1.250.000",
    ),
    ("Damages recoverable from the {A} are capped at one hundred fifty percent of the contract price.", ""),
)
EXCLUDED_ONLY = (
    "IN NO EVENT SHALL EITHER PARTY BE LIABLE FOR ANY INDIRECT, SPECIAL OR CONSEQUENTIAL DAMAGES.",
    "Neither party is responsible to the other for lost profits or loss of business, however caused.",
)
NOT_CAP = (
    "The {B} shall maintain liability insurance with limits of not less than $3,000,000.",
    "The {A} shall indemnify and hold the {B} harmless from all third-party claims arising from defects.",
    "The expenses of the {A} shall not exceed $5,000 in any month without prior approval.",
    "The annual increase of the price shall not exceed three percent.",
)
CONVENIENCE = (
    "Either party may terminate this Agreement for convenience upon sixty (60) days' written notice.",
    "The {B} may terminate this Agreement at any time, with or without cause, by giving the {A} thirty days' notice.",
    "The {A} has the right to end this Agreement without giving reasons on ninety days' prior written notice.",
    "This Agreement may be terminated by either party at any time by six months' notice in writing.",
    "The {B} may, in its sole discretion, cancel this Agreement on not less than 30 days' notice to the {A}.",
    "This Agreement is terminable at will by the {B} on written notice.",
)
NOT_CONVENIENCE = (
    "This Agreement may not be terminated for convenience by either party.",
    "Either party may terminate this Agreement on thirty (30) days' written notice if the other party commits a "
    "material breach and does not cure it.",
    "The {A} may terminate this Agreement immediately if the {B} becomes insolvent.",
    "Neither party has the right to terminate this Agreement without cause.",
    "On termination of this Agreement for any reason, the {B} shall return all materials within ten days.",
    "The {B} may cancel any purchase order at any time before shipment upon five days' notice.",
)
ASSIGNMENT = (
    "Neither party may assign this Agreement without the prior written consent of the other party.",
    "This Agreement is personal to the {B}, who shall not transfer any of its rights to another.",
    "The {A} may not assign or delegate its duties hereunder except with the approval of the {B}.",
    "No assignment of this Agreement is valid unless the other party has agreed to it in writing.",
    "Any attempt by the {B} to assign its rights without permission shall be void.",
)
NOT_ASSIGNMENT = (
    "The {A} hereby assigns to the {B} all right, title and interest in the Deliverables.",
    "The {A} shall assign a project manager to the work.",
    "A party is in default if it makes an assignment for the benefit of creditors.",
)
EXCLUSIVE = (
    "The {A} appoints the {B} as its exclusive distributor of the Products in the Territory.",
    "During the term the {B} shall purchase all of its requirements for the Products solely from the {A}.",
    "The {A} grants to the {B} the sole and exclusive right to market the Products in Canada.",
    "The {A} shall not, during the term, supply the Products to any competitor of the {B}.",
    "For as long as this Agreement lasts, the {B} will not carry or promote goods that compete with the Products.",
    "The {A} shall deal with no other reseller in the Territory.",
)
NOT_EXCLUSIVE = (
    "Repair or replacement is the {B}'s exclusive remedy for defective Products.",
    "The courts of Ohio have exclusive jurisdiction over any dispute.",
    "Exclusivity of Warranties. The warranties in this Section are in lieu of all others.",
    "The {A} grants the {B} a non-exclusive license to use the Software.",
    "The {A} remains the exclusive owner of its trademarks.",
    "This price is exclusive of taxes and freight.",
)
LAW = (
    "This Agreement shall be governed by and construed in accordance with the laws of the State of {STATE}, without "
    "regard to its conflict of laws rules.",
    "The laws of {STATE} govern this Agreement.",
    "{STATE} law applies to this Agreement and to all disputes under it.",
    "The validity and interpretation of this contract are subject to the law of the State of {STATE}.",
    "Governing law: {STATE}.",
)
NOT_LAW = (
    "Each party shall comply with the laws of the State of Florida that apply to its business.",
    "Disputes shall be settled by arbitration in Chicago, Illinois.",
    "The {A} is a corporation existing under the laws of the State of Vermont.",
)
FILLER = (
    (
        "Confidentiality",
        "Each party shall keep the other's Confidential Information secret and shall use it only for the purposes "
        "of this Agreement.",
    ),
    (
        "Notices",
        "Notices shall be in writing and sent by courier or registered mail to the addresses stated above.",
    ),
    (
        "Force Majeure",
        "Neither party is in default where an event beyond its reasonable control delays its performance.",
    ),
    ("Entire Agreement", "This document holds the whole understanding of the parties on its subject."),
    (
        "Deliveries",
        "The {A} shall deliver the goods FOB its plant in Dayton and shall pack them as set out in Section 3.1.",
    ),
    (
        "Payment",
        "The {B} shall pay each invoice within forty-five (45) days of its receipt. Late sums bear interest at 1% a "
        "month.",
    ),
    (
        "Relationship",
        "The parties are independent contractors, and nothing here makes either the agent of the other.",
    ),
    (
        "Warranty",
        "The {A} warrants that the goods conform to the specifications in Annex A for one year from delivery.",
    ),
    (
        "Default",
        "If a party breaches a material term and fails to cure within thirty days of notice, the other may terminate "
        "this Agreement.",
    ),
)
