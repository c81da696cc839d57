# ruff: noqa: E501 (sentences)
"""Third batch of wordings, in the manner of filed exhibits, written when the patterns were done. Keys as in the first."""

from __future__ import annotations

PREAMBLES = (
    'This {TITLE} is made as of {DATE} (the "Signing Date"), between {NA}, with offices at 2200 Lakeview Drive, Tulsa, Oklahoma 74101 ("{A}") and {NB}, with offices at 15 Quarry Street, Provo, Utah ("{B}").',
    'EXHIBIT 10.4\n\n{TITLE}\n\nThis {TITLE} (hereinafter, the "Agreement") has been executed on {DATE} by and between:\n\n{NA}, a company duly organized and existing under the laws of Delaware (hereinafter "{A}"),\n\nand\n\n{NB}, a company duly organized under the laws of Ontario (hereinafter "{B}").',
    'Agreement, dated this {DAYOF}, by and among {NA} (the "{A}") and {NB} (the "{B}"; and together with the {A}, the "Parties").',
    'KNOW ALL MEN BY THESE PRESENTS that this {TITLE}, made on {DATE}, is entered into by {NA} ("{A}") and {NB} ("{B}").',
    '{TITLE}\n\nAgreement Date: {DATE}\n\nThe parties to this agreement are {NA} ("{A}") and {NB} ("{B}").',
)
PREAMBLES_UNDATED = (
    'THIS {TITLE} is entered into between {NA} ("{A}") and {NB} ("{B}"), each acting through its authorized officer.',
    'The undersigned, {NA} ("{A}") and {NB} ("{B}"), hereby agree to the following terms of this {TITLE}.',
)
EFFECTIVE = (
    (
        '1.4 "Effective Date" shall have the meaning of {D2}, being the first day on which orders may be placed.',
        "own",
    ),
    ("The Agreement is to take effect beginning {D2}.", "own"),
    (
        "This Agreement shall be deemed to have commenced on {D2} notwithstanding the date of its execution.",
        "own",
    ),
    ("The initial term shall commence on the date hereof.", "made"),
    ("This Agreement shall not become effective until it has been signed by both parties.", ""),
    ("EFFECTIVE DATE OF AGREEMENT: {D2}", "own"),
    ("This Agreement shall be effective from the {D2DAYOF} onward.", "own"),
    (
        "This Agreement is effective on the date of its execution as set out at the head of this Agreement.",
        "made",
    ),
)
NOT_EFFECTIVE = (
    "Termination under this Article is effective upon the date stated in the notice.",
    "The waiver of a breach shall be effective only if it is in writing.",
    "A new forecast becomes effective on the first day of the next quarter.",
    "The Escrow Agreement became effective on February 11, 1999.",
)
EXPIRATION = (
    ("Subject to earlier termination, this Agreement shall have a term ending at midnight on {END}.", "own"),
    ("The duration of this Agreement shall be seven (7) years.", ""),
    ("This Agreement shall terminate automatically on {END}.", "own"),
    ("The term hereof shall be for a period of eighteen (18) months commencing upon signature.", ""),
    ("This Agreement remains valid up to and including {END}.", "own"),
)
RENEWAL = (
    "Following the initial term, this Agreement will renew for additional terms of twelve months unless cancelled.",
    "The parties may, by written agreement, extend the term hereof for another five years.",
    "{B} may renew this Agreement on the same terms for one further period of three years.",
    "This Agreement shall be extended automatically for successive one-year periods.",
    "At the expiration of the term, this Agreement shall continue on a month-to-month basis.",
)
NOT_RENEWAL = (
    "The option granted in Section 3 may not be renewed after it lapses.",
    "{A} shall file all renewals of the trademark registrations.",
    "Renewals of the insurance policies shall be sent to {B}.",
)
NOTICE = (
    "Unless a party provides the other with written notice of its intent not to renew at least 120 days before the end of the current term, the term shall renew for two more years.",
    "The Agreement automatically extends for one-year periods, subject to each party's right to decline an extension by notice given no later than sixty (60) days before the anniversary of the Signing Date.",
    "Either party may prevent renewal by notifying the other in writing ninety (90) days before the term expires, failing which this Agreement is renewed for one year.",
)
MINIMUM = (
    "{B} hereby commits to purchase from {A} in each calendar quarter not less than 250 metric tons of Product.",
    "The parties agree upon the following minimum purchase quantities: Year 1 - 2,000 units; Year 2 - 3,500 units.",
    "{B} shall pay to {A} Minimum Annual Royalties of $40,000 for each license year.",
    "{B} shall order a minimum of five (5) machines during the first contract year.",
    "To keep its territory, {B} must achieve net sales of at least $2,500,000 per annum.",
    "If in any month the fees due are less than $9,000, {B} shall pay {A} $9,000 for that month as a minimum monthly fee.",
)
NOT_MINIMUM = (
    "{A} shall maintain a net worth of at least $10,000,000.",
    "No minimum purchases are required of {B} hereunder.",
    "The notice shall be given at least sixty (60) days before the date set in Section 12.3.",
    "A quorum consists of at least three members of the steering committee.",
    "{B} shall use packaging that meets the minimum requirements of Exhibit 4.",
    "The policy shall have limits of not less than $1,000,000 for each accident.",
)
CAP = (
    (
        "{A}'s liability for any and all claims, losses or damages shall in no event be greater than $1,500,000.",
        "$1,500,000",
    ),
    (
        "IN NO EVENT SHALL {A} BE LIABLE TO {B} IN AN AMOUNT THAT EXCEEDS THE PRICE PAID FOR THE UNIT GIVING RISE TO THE CLAIM.",
        "",
    ),
    (
        "The maximum aggregate amount for which either party is responsible under Article 9 is $5 million.",
        "$5 million",
    ),
    (
        "Liability for delay is limited to five percent of the value of the order and is subject to an overall ceiling equal to the order value.",
        "",
    ),
    ("{B}'s sole recovery shall not exceed, in total, the amounts it has paid hereunder.", ""),
    ("The total obligation of {A} to indemnify or compensate {B} is capped at US$ 750,000.", "US$ 750,000"),
)
EXCLUDED_ONLY = (
    "NEITHER PARTY WILL BE LIABLE TO THE OTHER FOR SPECIAL, EXEMPLARY OR CONSEQUENTIAL LOSS, EVEN IF WARNED OF IT.",
    "{A} shall have no liability for loss of profits or goodwill suffered by {B}.",
)
NOT_CAP = (
    "The fee for additional services shall not exceed $10,000 without approval.",
    "{A} shall be liable for all damage caused by its employees on {B}'s premises.",
    "{A} shall carry commercial general liability insurance up to $2,000,000.",
    "Nothing herein limits the liability of a party for fraud.",
)
CONVENIENCE = (
    "This Agreement may be terminated by {B}, at its convenience, upon forty-five (45) days prior written notice.",
    "Each party is free to terminate this Agreement at any time upon three months' notice to the other.",
    "{A} may elect to terminate this Agreement for any or no reason on giving ninety days' notice.",
    "After the first year, either party may terminate this Agreement by giving the other at least 180 days' written notice.",
    "{B} may terminate this Agreement in its sole and absolute discretion by written notice to {A}.",
    "Either {A} or {B} shall have the right to terminate this Agreement without cause on 60 days' notice.",
)
NOT_CONVENIENCE = (
    "{B} may terminate this Agreement only for cause as described in Section 11.",
    "Upon sixty days' notice of termination for breach, {A} may recover its equipment.",
    "{A} may terminate the license of any end user who breaches its terms.",
    "If the regulatory approval is withdrawn, either party may terminate this Agreement on written notice.",
    "{B} may suspend deliveries at any time on five days' notice.",
    "Neither party may cancel this Agreement before its expiration date.",
)
ASSIGNMENT = (
    "{B} shall not assign, sell, transfer or encumber this Agreement in whole or in part without {A}'s prior written approval.",
    "This Agreement may not be assigned by either party except to a purchaser of all of its assets.",
    "Neither party shall have the right to assign its rights hereunder absent the written consent of the other.",
    "No right or interest in this Agreement shall be assigned by {B} without permission.",
    "{A} may freely assign this Agreement, but {B} may do so only with {A}'s consent.",
)
NOT_ASSIGNMENT = (
    "{A} agrees to assign to {B} all patents arising from the project.",
    "Each party shall assign a contact person.",
    "{A} shall transfer the samples to {B} by refrigerated truck.",
)
EXCLUSIVE = (
    "Subject to the terms hereof, {A} hereby appoints {B}, and {B} accepts appointment, as {A}'s sole and exclusive sales agent in Texas.",
    "During the term of this Agreement {B} agrees that it shall not manufacture, market or sell any product competitive with the Products.",
    "{A} shall not grant to any other person the right to distribute the Products in the Territory.",
    "{B} shall buy one hundred percent (100%) of its requirements of resin from {A}.",
    "{B} shall have the exclusive right to sell the Products to hospitals.",
    "The executive shall devote his services exclusively to {A} and shall not work for any competing business.",
)
NOT_EXCLUSIVE = (
    "The remedies provided in this Section are the sole and exclusive remedies of {B}.",
    "{B}'s rights in the Territory are non-exclusive, and {A} may appoint others.",
    "Each party submits to the exclusive jurisdiction of the courts of Delaware.",
    "{A} has exclusive control of the defense and settlement of any claim.",
    "All drawings are and remain the sole and exclusive property of {A}.",
    "{B} shall not disclose the Confidential Information to any third party.",
)
LAW = (
    "THIS AGREEMENT SHALL BE CONSTRUED UNDER AND GOVERNED BY THE LAWS OF THE STATE OF {STATE}.",
    "The parties agree that {STATE} law shall control the interpretation of this Agreement.",
    "This Agreement and performance hereunder shall be governed by {STATE} law.",
    "Applicable Law: This Agreement is subject to the laws of {STATE}.",
    "The rights of the parties hereunder shall be determined in accordance with the laws of the State of {STATE}.",
)
NOT_LAW = (
    "{A} warrants that the Products meet the safety laws of the State of California.",
    "Any hearing shall be held in Boston, Massachusetts.",
    "{B} is a limited partnership formed under the laws of Wyoming.",
)
FILLER = (
    ("Audit", "{A} may inspect the records of {B} once a year, at least ten days after a written request."),
    ("Headings", "The headings in this Agreement are for reference only and have no legal effect."),
    ("Taxes", "{B} shall pay all sales taxes, and {A} shall pay all taxes on its income."),
    ("Invoices", "{A} shall send invoices monthly. They are payable net thirty days."),
    (
        "Shipment",
        "All Products are shipped FCA {A}'s warehouse as provided in Section 7.2 of this Agreement.",
    ),
    (
        "Cure",
        "A party in material breach has thirty (30) days after notice to cure it; failing this, the other may terminate this Agreement.",
    ),
    (
        "Publicity",
        "Neither party shall issue a press release about this Agreement without the other's review.",
    ),
    ("Amendment", "This Agreement may be amended only in a writing signed by both parties."),
)
