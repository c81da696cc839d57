# ruff: noqa: E501 (sentences)
"""Fourth batch of wordings, written before the patterns of its day were read. Other facts as in the third."""

from __future__ import annotations

from bench.made.wordings_c import (
    ASSIGNMENT,
    FILLER,
    LAW,
    NOT_ASSIGNMENT,
    NOT_LAW,
    PREAMBLES,
    PREAMBLES_UNDATED,
)

__all__ = ["ASSIGNMENT", "FILLER", "LAW", "NOT_ASSIGNMENT", "NOT_LAW", "PREAMBLES", "PREAMBLES_UNDATED"]

EFFECTIVE = (
    ('"Commencement Date" means {D2}, on which day this Agreement comes into operation.', "own"),
    ("Although signed on different days, this Agreement shall have effect as and from {D2}.", "own"),
    ('The rights and duties of the parties hereunder shall begin to run on {D2} (the "Start Date").', "own"),
    ("THIS AGREEMENT SHALL BE BINDING AND IN FORCE FROM {D2}.", "own"),
    ("This Agreement enters into force upon approval by the boards of both parties.", ""),
    ("This Agreement shall take effect as of the day and year first above written.", "made"),
    ("The term of this Agreement begins at 12:01 a.m. on {D2}.", "own"),
    ("Effective Date: {D2}", "own"),
)
NOT_EFFECTIVE = (
    "The price increase shall take effect on the first day of the month after notice.",
    "Notices are effective three days after mailing.",
    "The registration statement was declared effective on March 3, 1998.",
    "An amendment hereto takes effect when both parties have signed it.",
    "Resignation of the escrow agent becomes effective when a successor is named.",
)
EXPIRATION = (
    ("The life of this Agreement shall be ten (10) years, counted from the first shipment.", ""),
    ("Unless sooner ended as herein provided, this Agreement shall run through {END}.", "own"),
    ('"Expiration Date" means {END}.', "own"),
    ("THE TERM SHALL CEASE AND DETERMINE AT THE CLOSE OF BUSINESS ON {END}.", "own"),
    ("This Agreement will stay in force until the last of the Licensed Patents has expired.", ""),
    ("The engagement is for five Contract Years, the first of which begins on the date hereof.", ""),
    ("This Agreement shall lapse on {END} without further notice.", "own"),
    ("It shall continue for an initial period of thirty-six (36) months from the Opening Date.", ""),
)
RENEWAL = (
    "{B} is granted two options to prolong this Agreement, each for three years.",
    "Thereafter this Agreement shall roll over from year to year.",
    "This Agreement will be prolonged by one year each time unless a party objects.",
    "The Term may be extended for a further period of two years if both parties so agree in writing.",
    "UPON EXPIRY OF THE INITIAL TERM THIS AGREEMENT SHALL BE RENEWED FOR LIKE PERIODS.",
    "The parties shall have the right to extend the Term for up to ___ additional years.",
)
NOT_RENEWAL = (
    "This Agreement shall not renew automatically and ends with its term.",
    "{A} may renew the domain names every year in its own name.",
    "The letter of credit shall be renewed thirty days before it expires.",
    "The time for delivery may be extended by ten days for each day of strike.",
    "{B} shall extend to {A} the courtesy of a renewal of its library card.",
    "The Bank may extend the maturity of the Note for additional periods of ninety days.",
)
NOTICE = (
    "This Agreement shall renew from year to year unless one party tells the other, not later than sixty (60) days before the anniversary, that it does not wish to go on.",
    "The Term rolls over for one year at a time, save where either party has given ninety (90) days' prior written notice that it will not renew.",
    "Renewal is automatic for successive terms of two years, provided that no notice of non-renewal has been served six months before the end of the current term.",
    "The Agreement is extended by twelve months each time if it has not been cancelled three months before it runs out.",
)
MINIMUM = (
    "{B} shall take, and if not taken pay for, 12,000 tons of product in each Contract Year.",
    "In no calendar year shall the royalties paid to {A} be less than $75,000.",
    "{B} undertakes to spend not less than $400,000 a year on advertising of the Products.",
    "Minimum Annual Quantity: 5,000 units.",
    "If purchases in a quarter fall short of 900 cases, {B} shall pay {A} the difference.",
    "{B} GUARANTEES TO {A} NET SALES OF AT LEAST $2,000,000 DURING THE FIRST YEAR.",
    "{B} agrees to order no fewer than 250 machines before the second anniversary.",
)
NOT_MINIMUM = (
    "{B} has no duty to buy any stated quantity of the Products.",
    "{B} shall keep insurance of not less than $1,000,000 per occurrence.",
    "The staff shall number at least three persons at all times.",
    "Invoices of less than $50 may be held over to the next month.",
    "Records shall be kept for no fewer than five years.",
)
CONVENIENCE = (
    "{B} shall be free to withdraw from this Agreement at any time on thirty (30) days' notice, and need give no reason.",
    "Either party may put an end to this Agreement whenever it sees fit by ninety days' written notice.",
    "EITHER PARTY MAY CANCEL THIS AGREEMENT, WITH OR WITHOUT CAUSE, ON SIXTY DAYS' NOTICE.",
    "{A} may in its sole discretion discontinue this Agreement upon 45 days' written notice to {B}.",
    "This Agreement is terminable at will by either side.",
    "{B} may, for any reason or none, terminate this Agreement by giving one month's notice.",
    "Notwithstanding anything herein, {A} has the right to terminate upon six months' prior written notice.",
)
NOT_CONVENIENCE = (
    "Neither party may terminate this Agreement without cause.",
    "{A} may terminate at once if {B} becomes insolvent.",
    "Either party may terminate on thirty days' notice if the other fails to cure a breach.",
    "The employment of any clerk may be ended by {B} at will.",
    "{A} may terminate upon notice should a change of control of {B} occur.",
)
EXCLUSIVE = (
    "{A} shall sell the Products in the Territory to no one but {B}.",
    "{B} shall obtain all its needs of the Products from {A} and from nobody else.",
    "{B} is hereby named the sole and only agent of {A} in the Territory.",
    "During the Term {A} will not appoint any other dealer in the Territory.",
    "THE RIGHTS GRANTED TO {B} IN THE FIELD ARE EXCLUSIVE, EVEN AS TO {A}.",
    "{B} will not, while this Agreement lasts, handle goods that compete with the Products.",
    "{A} grants {B} the exclusive right to market the Products within the Territory.",
)
NOT_EXCLUSIVE = (
    "The courts of the county shall have exclusive jurisdiction over any dispute.",
    "The remedies stated here are exclusive of all others.",
    "Prices are exclusive of sales tax.",
    "{A} holds exclusive title to the trademarks.",
    "{B} shall be solely responsible for the taxes of its own staff.",
    "The software is the sole and exclusive property of {A}.",
    "{A} shall have sole discretion over the design of the packages.",
)
CAP = (
    (
        "{A}'S ENTIRE LIABILITY, WHATEVER THE CAUSE, SHALL BE LIMITED TO THE PRICE PAID FOR THE GOODS IN QUESTION.",
        "",
    ),
    (
        "Under no circumstances shall {A} be bound to pay more than $250,000 on account of all claims hereunder.",
        "$250,000",
    ),
    ("The most that {B} can recover from {A} is the fees paid in the six months before the claim.", ""),
    ("The indemnity of {A} shall not go beyond $1,500,000 in all.", "$1,500,000"),
    ("Any damages payable by {A} shall be confined to a refund of the charges for the month concerned.", ""),
    ("Maximum liability of either party: $500,000.", "$500,000"),
    (
        "Neither party shall answer to the other for a sum greater than one hundred thousand dollars ($100,000).",
        "$100,000",
    ),
    ("Recovery against {A} for loss of any shipment is limited to $50 per package.", "$50"),
)
NOT_CAP = (
    "Interest shall not exceed the maximum rate allowed by law.",
    "The travel costs of the staff of {A} shall not exceed $20,000 a year.",
    "{B} shall carry liability insurance with a limit of $2,000,000.",
    "The liability of {A} for its own fraud is not limited.",
)
EXCLUDED_ONLY = (
    "Neither party is liable to the other for lost profits or other indirect loss.",
    "IN NO EVENT SHALL {A} BE LIABLE FOR SPECIAL OR CONSEQUENTIAL DAMAGES.",
    "{A} shall not answer for loss of goodwill or of business, however caused.",
)
