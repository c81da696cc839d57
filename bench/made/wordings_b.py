# ruff: noqa: E501 (sentences)
"""Second batch of wordings: measured once before any mending for it (docs/facts.md). Keys as in the first."""

from __future__ import annotations

PREAMBLES = (
    'THIS {TITLE} ("Agreement"), dated as of {DATE}, is entered into by {NA}, an Oregon corporation ("{A}"), and '
    '{NB}, whose address is P.O. Box 88, Salem, Oregon ("{B}"). {A} and {B} are each a "Party" and together the '
    '"Parties".',
    '{TITLE}\n\nbetween\n\n{NA}\n\nand\n\n{NB}\n\nDated {DATE}\n\nThis Agreement is made between {NA} ("{A}") and '
    '{NB} ("{B}").',
    'This agreement ("Agreement") is made on this {DAYOF} (the "Signing Date") by and among {NA}, for itself and '
    'its affiliates ("{A}"), of the first part, and {NB} ("{B}"), of the second part.',
    "IT IS HEREBY AGREED on {DATE} between {NA} as {A} and {NB} as {B}, on the terms that follow.",
    "The parties to this {TITLE}, which was signed at Denver on {DATE}, are {NA}, a corporation of the State of "
    'Colorado, hereinafter "{A}", and {NB}, hereinafter "{B}".',
)
PREAMBLES_UNDATED = (
    'By this {TITLE}, {NA} ("{A}") and {NB} ("{B}") set out the terms on which they will do business.',
    'This {TITLE} is entered into by and between {NA} ("{A}") and {NB} ("{B}") as of the date of the last '
    "signature below.",
)
EFFECTIVE = (
    ("The Agreement comes into force with effect from {D2}.", "own"),
    ('The "Effective Date" of this Agreement is {D2}.', "own"),
    ("Regardless of when it is signed, this Agreement is to be deemed effective as of {D2}.", "own"),
    ('The term "Effective Date" means the date set forth in the first paragraph hereof.', "made"),
    ("This Agreement enters into force upon signature by both parties.", ""),
    ("Commencement. The Agreement starts on {D2DAYOF}.", "own"),
    (
        "The parties' obligations begin as of the day and year first written above, on which this Agreement becomes "
        "effective.",
        "made",
    ),
    ("Effective as of: {D2}", "own"),
)
NOT_EFFECTIVE = (
    "A price change takes effect thirty days after {B} has received word of it.",
    "No amendment shall be effective unless both parties have signed it.",
    "The remedies in this Article become effective only upon a default.",
    "The plan of merger of {A} was approved on March 14, 1995 and filed on April 2, 1995.",
)
EXPIRATION = (
    ("Unless sooner ended as provided herein, the Agreement runs through {END}.", "own"),
    ("The Agreement is concluded for a fixed term of sixty (60) months.", ""),
    ("The Term shall be from the Effective Date to and including {END}.", "own"),
    ("The Agreement lasts for five years following first delivery.", ""),
    ("Expiration Date: {END}. On that day this Agreement ends of itself.", "own"),
)
RENEWAL = (
    "Upon expiry of the initial term, the Agreement renews itself for consecutive two-year terms.",
    "{B} shall be entitled to extend the term for up to two additional periods of five (5) years each.",
    "Thereafter, the Agreement shall continue from year to year until ended by either party.",
    "The term will be extended automatically by twelve months at each expiry.",
    "This Agreement is renewable for another three years at the option of {A}.",
)
NOT_RENEWAL = (
    "{A} grants no right to renew this Agreement, which ends on its expiration date.",
    "{B} shall obtain any renewal of its import permits at its own cost.",
    "Payment terms may be extended to customers of good standing.",
)
NOTICE = (
    "Thereafter this Agreement shall be renewed for terms of one (1) year each, unless one party informs the other in "
    "writing at least three months prior to the end of a term that it will not be renewed.",
    "Renewal is automatic unless {B} has given {A} sixty (60) days' advance notice of its intention not to renew.",
    "This Agreement will be extended annually unless cancelled by either party on ninety days' written notice before "
    "the anniversary date.",
)
MINIMUM = (
    "{B} undertakes to take delivery of not fewer than 800 tons of the Goods per quarter.",
    "{B}'s annual purchases must reach a minimum of one million dollars ($1,000,000).",
    "During each year of the term {B} shall spend no less than $60,000 on advertising the Goods.",
    "A minimum fee of $7,500 is payable for each month, whether or not services are used.",
    "{B} guarantees {A} royalties of at least fifty thousand dollars in every license year.",
    "Should {B} not buy the Minimum Quantity of 3,000 sets in any year, {A} may withdraw the territory.",
)
NOT_MINIMUM = (
    "{A} shall employ workers who are at least eighteen years of age.",
    "{B} has no obligation to buy any minimum volume.",
    "Each policy shall provide a minimum of $2,000,000 of coverage.",
    "Deliveries are made as provided in Section 6.2, at least two weeks after an order.",
    "The minimum notice for a meeting of the committee is five business days.",
    "{A} shall keep its records for at least seven years and in no less than two places.",
)
CAP = (
    (
        "The liability of {A}, whether in contract or in tort, is limited to direct damages not exceeding $600,000.",
        "$600,000",
    ),
    (
        "{A} shall in no case be liable to {B} for any sum above the purchase price of the Goods concerned.",
        "",
    ),
    (
        "EACH PARTY'S TOTAL LIABILITY ARISING FROM THIS AGREEMENT WILL NOT EXCEED THE GREATER OF $100,000 AND THE FEES "
        "OF THE PRECEDING YEAR.",
        "$100,000",
    ),
    ("{B} may recover from {A} no more than USD 5 million, all claims taken together.", "USD 5 million"),
    ("The parties limit the amount for which either may be held liable to CHF 2'000'000.", "CHF 2'000'000"),
    ("IN NO EVENT WILL {A}'S AGGREGATE LIABILITY BE IN EXCESS OF THE SUMS IT HAS RECEIVED FROM {B}.", ""),
)
EXCLUDED_ONLY = (
    "UNDER NO CIRCUMSTANCES IS {A} LIABLE TO {B} FOR INCIDENTAL OR PUNITIVE DAMAGES OR LOSS OF PROFIT.",
    "Each party waives any claim for consequential or exemplary damages against the other.",
)
NOT_CAP = (
    "{A}'s travel expenses are limited to $2,500 per trip.",
    "Product liability insurance of at least $5,000,000 shall be carried by {A}.",
    "Interest shall in no event exceed the highest rate allowed by law.",
    "Each member is liable to contribute no amount beyond its subscribed capital and holds limited liability units.",
)
CONVENIENCE = (
    "{B} can withdraw from this Agreement at any time by giving {A} two months' notice.",
    "Either party is entitled to terminate this Agreement on 180 days' prior notice for any reason or no reason.",
    "Notwithstanding the foregoing, {A} may end this Agreement upon ninety (90) days written notice, without liability.",
    "This Agreement may be cancelled by {B}, without cause, upon one month's written notice.",
    "Either party shall have the option of terminating this Agreement by giving not less than 120 days' notice.",
    "{B} reserves the right to discontinue this Agreement for its convenience.",
)
NOT_CONVENIENCE = (
    "{A} shall have no right to terminate for convenience during the first five years or thereafter.",
    "{B} may terminate this Agreement by written notice upon a change of control of {A}.",
    "Should {B} fail to pay, {A} may terminate this Agreement on ten days' notice.",
    "The obligations in this Article survive any termination of this Agreement.",
    "The parties may end this Agreement by mutual written consent.",
    "{A} may terminate any individual statement of work on 15 days' notice.",
)
ASSIGNMENT = (
    "The rights under this Agreement are not transferable without {A}'s written consent.",
    "{B} may assign this Agreement only to an affiliate or to a successor to its whole business.",
    "Neither this Agreement nor any right under it may be assigned, by operation of law or otherwise.",
    "{B} agrees not to sublicense or assign its interests herein unless {A} has consented beforehand.",
    "Assignment of this Agreement by either party requires the other's prior approval.",
)
NOT_ASSIGNMENT = (
    "{B} shall assign qualified personnel to the project.",
    "The filing of a petition or a general assignment for creditors is an event of default.",
    "Title transfers to {B} on delivery.",
)
EXCLUSIVE = (
    "{B} shall be the only dealer in the Goods within the Territory.",
    "{A} agrees that it will not appoint any other agent for the Goods in Ontario.",
    "The rights granted to {B} in this Article are exclusive, even as to {A}.",
    "{B} shall obtain the Goods exclusively from {A}.",
    "Throughout the term, {A} undertakes not to offer its services to any person engaged in a competing business.",
    "{A} hereby grants {B} an exclusive license under the Patents to make and sell the Goods.",
)
NOT_EXCLUSIVE = (
    "The rights and remedies herein are cumulative and not exclusive.",
    "Nothing in this Agreement makes the relationship of the parties exclusive.",
    "The venue for any action lies exclusively in the state courts of Kansas.",
    "{B}'s license is nonexclusive and may not be sublicensed.",
    "Confidential Information is and stays the exclusive property of the party that disclosed it.",
    "The express warranties above are exclusive and replace all implied ones.",
)
LAW = (
    "All questions concerning this Agreement are to be decided under {STATE} law.",
    "This instrument is to be interpreted and enforced according to the laws of {STATE}.",
    "The governing law of this Agreement is that of the State of {STATE}.",
    "The parties choose the laws of the State of {STATE} to govern their rights hereunder.",
    "This Agreement is a contract made under, and shall be construed by, the laws of {STATE}.",
)
NOT_LAW = (
    "Any suit shall be brought in the federal courts sitting in Seattle, Washington.",
    "{B} is duly organized under the laws of Iowa.",
    "{A} shall observe all laws and rules of the State of Texas on the handling of chemicals.",
)
FILLER = (
    ("Records", "{A} shall keep accurate books, which {B} may inspect once a year on ten days' notice."),
    ("Severability", "If a term of this Agreement is void, the remaining terms stay in force."),
    ("Compliance", "Both parties shall observe the laws that apply to their trade, among them export rules."),
    (
        "Prices",
        "The price of the Goods is stated in Schedule 1. {B} shall pay it within thirty days of the date of the "
        "invoice.",
    ),
    ("Title", "Title and risk pass to {B} when the Goods are handed to the first carrier in Portland."),
    ("Waiver", "A party that does not insist on a right has not given it up."),
    (
        "Breach",
        "If either party is in default and has not cured within 20 days, the other may end this Agreement.",
    ),
    ("Counterparts", "This Agreement may be signed in several copies, which are one document."),
)
