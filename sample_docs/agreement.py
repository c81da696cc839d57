"""The text of the sample supply agreement and the ten terms in which its two versions differ.

Everybody and everything named here is invented. `terms` holds whole clauses, so a difference between
the versions never leaks into a second place.
"""

from __future__ import annotations

from dataclasses import dataclass

TITLE = "Supply Agreement"
HEADER = "Supply Agreement: Kestrel Bay Polymers LLC and Northmoor Packaging, Inc."


@dataclass(frozen=True)
class Article:
    title: str
    clauses: tuple[tuple[str, str], ...]  # (caption, text); text may be a "{term}" to fill in


VERSIONS: dict[str, dict[str, str]] = {
    "supply_agreement_v1": {
        "dates": "This Supply Agreement (this “Agreement”) is made and entered into as of March 3, 2025 (the "
        "“Effective Date”) by and between the two companies named below.",
        "term": "This Agreement begins on the Effective Date and, unless it is terminated earlier as Article 13 "
        "allows, continues for an initial term of five (5) years (the “Initial Term”).",
        "renewal": "At the end of the Initial Term this Agreement renews automatically for successive periods of "
        "one (1) year each (each a “Renewal Term”), on the same terms and conditions, until one of the Parties "
        "gives a notice of non-renewal.",
        "notice": "A Party that does not wish this Agreement to renew must give the other Party written notice of "
        "non-renewal at least ninety (90) days before the end of the Initial Term or of the Renewal Term then "
        "running. A notice given later than that has no effect on the renewal next due.",
        "payment": "Buyer shall pay each undisputed invoice in United States dollars, by wire transfer to the "
        "account stated on the invoice, within thirty (30) days after the date on which Buyer receives the invoice.",
        "minimum_commitment": "In each Contract Year Buyer shall order, accept and pay for Products with a total "
        "Price of not less than $4,800,000 (the “Minimum Commitment”).",
        "exclusivity": "During the Term Buyer shall purchase exclusively from Supplier all of the Products that "
        "Buyer requires for its plants in the Territory, and shall not buy goods of the same kind from anyone else, "
        "except in the quantity and for the time in which Supplier cannot deliver.",
        "liability_cap": "Except for the matters listed in Section 11.3, the total liability of either Party "
        "arising out of or relating to this Agreement, whatever its legal ground, shall not exceed $5,000,000 in "
        "the aggregate.",
        "termination": "Either Party may terminate this Agreement for convenience, without cause and without "
        "penalty, by giving the other Party not less than one hundred eighty (180) days’ prior written notice.",
        "governing_law": "This Agreement, and every dispute that arises out of it, is governed by and construed in "
        "accordance with the laws of the State of Delaware, without regard to its rules on conflicts of laws. The "
        "United Nations Convention on Contracts for the International Sale of Goods does not apply.",
    },
    "supply_agreement_v2": {
        "dates": "This Supply Agreement (this “Agreement”) is made and entered into as of June 16, 2025 (the "
        "“Effective Date”) by and between the two companies named below.",
        "term": "This Agreement begins on the Effective Date and, unless it is terminated earlier as Article 13 "
        "allows, continues for an initial term of three (3) years (the “Initial Term”).",
        "renewal": "At the end of the Initial Term this Agreement renews automatically for successive periods of "
        "two (2) years each (each a “Renewal Term”), on the same terms and conditions, until one of the Parties "
        "gives a notice of non-renewal.",
        "notice": "A Party that does not wish this Agreement to renew must give the other Party written notice of "
        "non-renewal at least sixty (60) days before the end of the Initial Term or of the Renewal Term then "
        "running. A notice given later than that has no effect on the renewal next due.",
        "payment": "Buyer shall pay each undisputed invoice in United States dollars, by wire transfer to the "
        "account stated on the invoice, within forty-five (45) days after the date on which Buyer receives the "
        "invoice.",
        "minimum_commitment": "In each Contract Year Buyer shall order, accept and pay for Products with a total "
        "Price of not less than $3,600,000 (the “Minimum Commitment”).",
        "exclusivity": "The supply and purchase of Products under this Agreement is non-exclusive. Subject to the "
        "Minimum Commitment, Buyer may buy goods of the same kind from anyone else, and Supplier may sell the "
        "Products to any other customer.",
        "liability_cap": "Except for the matters listed in Section 11.3, the total liability of either Party "
        "arising out of or relating to this Agreement, whatever its legal ground, shall not exceed $7,500,000 in "
        "the aggregate.",
        "termination": "Either Party may terminate this Agreement for convenience, without cause and without "
        "penalty, by giving the other Party not less than one hundred twenty (120) days’ prior written notice.",
        "governing_law": "This Agreement, and every dispute that arises out of it, is governed by and construed in "
        "accordance with the laws of the State of New York, without regard to its rules on conflicts of laws. The "
        "United Nations Convention on Contracts for the International Sale of Goods does not apply.",
    },
}

PARTIES = (
    "Kestrel Bay Polymers LLC, a limited liability company organized under the laws of Oregon, with its principal "
    "office at 2210 Harbor Street, Astoria, Oregon 97103 (“Supplier”); and",
    "Northmoor Packaging, Inc., a corporation organized under the laws of Minnesota, with its principal office at "
    "48 Granary Road, Duluth, Minnesota 55802 (“Buyer”).",
)
PARTIES_TAIL = "Supplier and Buyer are each called a “Party” and together the “Parties”."

RECITALS = (
    "Supplier makes barrier resins and compounded films for food packaging at its plants in Astoria and Longview.",
    "Buyer makes trays, lids and pouches and needs a dependable source of such resins and films for its plants.",
    "The Parties have traded with each other on single purchase orders and now wish to set out, in one document, the "
    "terms on which Supplier will make and sell, and Buyer will order and buy, the Products.",
)

ARTICLES: tuple[Article, ...] = (
    Article(
        "Definitions",
        (
            (
                "Affiliate",
                "means, for a Party, any person that controls it, is controlled by it or stands under common control "
                "with it, where control is the power to direct management through ownership of more than half of the "
                "votes.",
            ),
            (
                "Contract Year",
                "means each period of twelve consecutive months that begins on the Effective Date or on one of its "
                "anniversaries.",
            ),
            (
                "Forecast",
                "means the written estimate of Buyer’s needs described in Section 3.5, in the form of Exhibit C.",
            ),
            (
                "Price",
                "means, for each Product, the price for one metric ton stated in Exhibit A, as adjusted under "
                "Section 5.2.",
            ),
            (
                "Products",
                "means the resins and films listed in Exhibit A, made in conformity with the Specifications, and any "
                "other goods that the Parties add to Exhibit A by a signed amendment.",
            ),
            (
                "Purchase Order",
                "means a written order for Products placed by Buyer under Section 3.6, on paper or through the "
                "electronic ordering system that Supplier maintains.",
            ),
            (
                "Specifications",
                "means the technical requirements for each Product set out in Exhibit B, including the methods by "
                "which they are tested.",
            ),
            (
                "Term",
                "means the Initial Term together with every Renewal Term.",
            ),
            (
                "Territory",
                "means the United States of America and Canada.",
            ),
        ),
    ),
    Article(
        "Term and Renewal",
        (
            ("Initial Term", "{term}"),
            ("Renewal", "{renewal}"),
            ("Notice of Non-Renewal", "{notice}"),
            (
                "Orders in Hand",
                "The end of the Term does not cancel a Purchase Order that Supplier accepted before it. The terms of "
                "this Agreement go on applying to such a Purchase Order until it has been performed.",
            ),
        ),
    ),
    Article(
        "Supply and Purchase",
        (
            (
                "Agreement to Supply",
                "Supplier shall make, sell and deliver to Buyer the Products that Buyer orders, and Buyer shall take "
                "and pay for them, in each case as this Agreement provides. Terms printed on an order form, an "
                "acknowledgment or an invoice do not become part of any sale, even if nobody objects to them.",
            ),
            ("Minimum Commitment", "{minimum_commitment}"),
            (
                "Shortfall",
                "If the total Price of the Products that Buyer ordered in a Contract Year falls short of the Minimum "
                "Commitment, Buyer shall, as Supplier’s only remedy, pay Supplier one fifth of the difference. Products "
                "that Supplier failed to deliver, or that Buyer rightly rejected, count as ordered and accepted.",
            ),
            ("Exclusivity", "{exclusivity}"),
            (
                "Forecasts",
                "Before the tenth day of each calendar month Buyer shall send Supplier a Forecast for the following "
                "twelve months. The first three months of a Forecast bind Buyer to order, and Supplier to hold capacity "
                "for, the quantities stated; the remaining nine months are given in good faith and bind nobody.",
            ),
            (
                "Purchase Orders",
                "Buyer shall order by Purchase Orders that state the Product, the quantity, the plant of delivery and a "
                "delivery date not earlier than twenty-one days after the order. Supplier shall accept every Purchase "
                "Order that agrees with the binding part of the Forecast, and is taken to have accepted any Purchase "
                "Order that it does not reject in writing, with reasons, within five business days.",
            ),
            (
                "Allocation",
                "If Supplier cannot make enough of a Product for all of its customers, it shall give Buyer at least the "
                "share of what it makes that Buyer’s orders bore to all orders in the six months before the shortage, "
                "and shall tell Buyer in writing how it reckoned that share.",
            ),
            (
                "Safety Stock",
                "Supplier shall keep, in a warehouse within one day’s drive of the Duluth plant, finished Products equal "
                "to the average of two weeks of Buyer’s orders over the preceding quarter, and shall turn that stock "
                "over so that no Product in it is older than six months.",
            ),
        ),
    ),
    Article(
        "Delivery, Title and Risk",
        (
            (
                "Delivery",
                "Supplier shall deliver the Products carriage paid to the plant named in the Purchase Order. Delivery is "
                "complete when the carrier has unloaded the Products and Buyer’s receiving clerk has signed for them.",
            ),
            (
                "Title and Risk",
                "Title to the Products, and the risk that they are lost or damaged, pass to Buyer when delivery is "
                "complete. Nothing in this Section limits Buyer’s right to reject Products that do not conform.",
            ),
            (
                "Late Delivery",
                "If a delivery is more than seven days late for a reason that is neither Buyer’s fault nor an event "
                "described in Article 14, Buyer may deduct from its Price one percent for each full week of delay, up to "
                "eight percent, or may cancel the delayed part of the Purchase Order if the delay exceeds forty days.",
            ),
            (
                "Packing and Documents",
                "Each lot must be packed in sealed, moisture-proof bags or on wrapped cores, marked with the Product, "
                "the lot and the date of manufacture, and accompanied by a packing list and a certificate of analysis.",
            ),
        ),
    ),
    Article(
        "Price and Payment",
        (
            (
                "Price",
                "Buyer shall pay the Price for each Product delivered. The Price includes packing, carriage and "
                "insurance in transit, and excludes sales and use taxes, which Supplier shall show separately.",
            ),
            (
                "Adjustment",
                "On each anniversary of the Effective Date the Price of each Product moves up or down by the percentage "
                "by which the published index of feedstock costs named in Exhibit A changed over the preceding twelve "
                "months, but never by more than four percent in a single Contract Year.",
            ),
            (
                "Invoices",
                "Supplier shall invoice Buyer on or after the day of delivery. An invoice must state the Purchase Order, "
                "the lots delivered, the Price and the taxes due, and must be sent to Buyer’s accounts office.",
            ),
            ("Payment Terms", "{payment}"),
            (
                "Disputed Amounts",
                "If Buyer disputes an invoice in good faith it shall say so, with its reasons, before the invoice falls "
                "due, pay the part that is not in dispute, and work with Supplier to settle the rest without delay.",
            ),
            (
                "Late Payment",
                "An undisputed amount that is paid late bears simple interest at one percent a month, or at the highest "
                "rate the law permits if that is lower, from the due date until the day it is paid.",
            ),
            (
                "Records",
                "Supplier shall keep complete records of its Prices and their adjustment for three years. Once in a "
                "Contract Year an independent accountant, bound to secrecy and paid by Buyer, may examine them. If the "
                "accountant finds that Buyer was charged too much, Supplier shall refund the excess.",
            ),
        ),
    ),
    Article(
        "Quality, Inspection and Recall",
        (
            (
                "Quality System",
                "Supplier shall run a documented quality system at each plant that makes Products, let Buyer audit it "
                "twice a year during working hours, and correct without delay any failing that an audit brings to light.",
            ),
            (
                "Changes",
                "Supplier shall not change the raw materials, the process or the place of manufacture of a Product in a "
                "way that could affect the Specifications unless Buyer has agreed to it in writing beforehand.",
            ),
            (
                "Inspection",
                "Buyer may inspect and test each lot within fifteen business days after delivery and may reject, by "
                "written notice, any lot that does not meet the Specifications. A defect that such an inspection could "
                "not have shown may be notified within ten business days after Buyer discovers it.",
            ),
            (
                "Rejected Products",
                "Supplier shall, as Buyer chooses, replace a rejected lot within fourteen days or credit its Price, and "
                "shall bear the cost of taking it back. If the Parties do not agree whether a lot conforms, an "
                "independent laboratory chosen by both shall test it, and the Party found wrong shall pay the laboratory.",
            ),
            (
                "Recall",
                "If goods that contain Products must be recalled because the Products did not conform, Supplier shall "
                "reimburse the reasonable cost of the recall to the extent that the non-conformity caused it. Each "
                "Party shall help the other with the tracing of lots and with any report to an authority.",
            ),
        ),
    ),
    Article(
        "Warranties",
        (
            (
                "Product Warranty",
                "Supplier warrants that each Product, for twelve months after its delivery, conforms to the "
                "Specifications, is free from defects in material and workmanship, and may lawfully be used in contact "
                "with food in the Territory.",
            ),
            (
                "Title Warranty",
                "Supplier warrants that it passes good title to the Products, free from any lien or other right of a "
                "third person.",
            ),
            (
                "Mutual Warranties",
                "Each Party warrants that it has the power to make this Agreement, that the person who signs for it is "
                "authorized to do so, and that performing this Agreement breaks no other contract to which it is bound.",
            ),
            (
                "No Other Warranties",
                "Except as stated in this Agreement, neither Party gives any warranty, express or implied, and each "
                "disclaims the implied warranties of merchantability and of fitness for a particular purpose.",
            ),
        ),
    ),
    Article(
        "Confidentiality",
        (
            (
                "Duty",
                "A Party that receives information from the other which is marked confidential, or which a sensible "
                "person would take to be so, shall keep it secret, use it only to perform this Agreement, and show it "
                "only to those employees and advisers who need it and are bound to keep it secret.",
            ),
            (
                "Exceptions",
                "The duty does not cover information that is or becomes public without a breach, that the receiving "
                "Party already knew or worked out by itself, or that it had from a third person free to disclose it.",
            ),
            (
                "Compelled Disclosure",
                "A Party may disclose what a court or an authority orders it to disclose, if it tells the other Party "
                "promptly, where that is lawful, and discloses no more than is ordered.",
            ),
            (
                "Survival",
                "The duties in this Article continue after the end of the Term for as long as the information remains "
                "secret, and in any event until the fourth anniversary of the day on which the Term ended.",
            ),
        ),
    ),
    Article(
        "Intellectual Property",
        (
            (
                "Ownership",
                "Each Party keeps all rights in the inventions, know-how, marks and designs that it owned before the "
                "Effective Date or creates apart from this Agreement. No license is granted except as this Article says.",
            ),
            (
                "Joint Work",
                "If the Parties develop a new grade of Product together, they shall first agree in writing who owns the "
                "results; until they do, neither may use them outside the Parties’ dealings with each other.",
            ),
            (
                "Marks",
                "Neither Party may use the name or the marks of the other in advertising or in a press release unless "
                "the other has approved the exact wording in writing.",
            ),
        ),
    ),
    Article(
        "Indemnification",
        (
            (
                "By Supplier",
                "Supplier shall indemnify, defend and hold harmless Buyer and its officers and employees from claims of "
                "third persons for death, bodily injury or damage to property to the extent caused by a Product that did "
                "not conform or by the negligence of Supplier, and from claims that a Product infringes a patent.",
            ),
            (
                "By Buyer",
                "Buyer shall indemnify, defend and hold harmless Supplier and its officers and employees from claims of "
                "third persons for death, bodily injury or damage to property to the extent caused by the negligence of "
                "Buyer or by a use of the Products that the Specifications do not allow.",
            ),
            (
                "Procedure",
                "The Party that seeks indemnity shall tell the other promptly of the claim, leave it the conduct of the "
                "defense, and give it reasonable help at its cost. Neither Party shall settle a claim in a way that "
                "admits fault of the other without the other’s written consent.",
            ),
        ),
    ),
    Article(
        "Limitation of Liability",
        (
            (
                "Excluded Losses",
                "Neither Party is liable to the other for indirect, special or punitive damages, or for lost profits, "
                "that arise out of this Agreement, even if it was told that such losses could occur.",
            ),
            ("Cap on Liability", "{liability_cap}"),
            (
                "Matters Not Limited",
                "Sections 11.1 and 11.2 do not limit a Party’s duty to indemnify under Article 10, its liability for "
                "breach of Article 8, for fraud or for willful misconduct, or Buyer’s duty to pay for Products delivered.",
            ),
        ),
    ),
    Article(
        "Insurance",
        (
            (
                "Cover",
                "During the Term and for two years afterwards each Party shall maintain, with insurers of good standing, "
                "commercial general liability insurance, including products liability, of at least $2,000,000 for each "
                "occurrence, and insurance for its workers as the law of the place of work requires.",
            ),
            (
                "Certificates",
                "On request a Party shall show the other a certificate of its insurance, and shall tell the other in "
                "good time before the insurance is cancelled or materially reduced.",
            ),
        ),
    ),
    Article(
        "Termination",
        (
            ("Termination for Convenience", "{termination}"),
            (
                "Termination for Breach",
                "A Party may terminate this Agreement by written notice if the other commits a material breach and does "
                "not cure it within forty days after a notice that describes the breach and demands its cure.",
            ),
            (
                "Insolvency",
                "A Party may terminate this Agreement at once by written notice if the other becomes insolvent, makes a "
                "general assignment for the benefit of its creditors, or is the subject of a bankruptcy petition that is "
                "not dismissed within seventy-five days.",
            ),
            (
                "Consequences",
                "When this Agreement ends Supplier shall perform the Purchase Orders it has accepted, Buyer shall pay "
                "for Products delivered and for finished Products made under the binding part of the Forecast, and each "
                "Party shall return or destroy the other’s confidential information. If this Agreement ends during a "
                "Contract Year, the Minimum Commitment for that year is reduced in proportion to the time remaining.",
            ),
            (
                "Survival",
                "Articles 7, 8, 10, 11, 17 and 19, and every right that arose before the end of this Agreement, survive "
                "it.",
            ),
        ),
    ),
    Article(
        "Force Majeure",
        (
            (
                "Excuse",
                "A Party is not liable for a delay or failure to perform, other than a failure to pay money, that is "
                "caused by an event beyond its reasonable control, such as fire, flood, war, an act of government, a "
                "strike not limited to its own workers, or the failure of a public utility.",
            ),
            (
                "Duties",
                "The affected Party shall tell the other without delay what has happened and how long it is likely to "
                "last, do what it reasonably can to limit the effects, and resume performance as soon as it is able.",
            ),
            (
                "Long Delay",
                "If the event lasts longer than four months, the other Party may cancel the Purchase Orders affected by "
                "it by written notice, without liability on either side.",
            ),
        ),
    ),
    Article(
        "Compliance with Law",
        (
            (
                "Laws",
                "Each Party shall comply with the laws that apply to its performance, including those on food contact "
                "materials, the environment, the safety of workers, sanctions and bribery.",
            ),
            (
                "Conduct of Suppliers",
                "Supplier shall not use forced labor or the labor of children, shall require the same of those from whom "
                "it buys raw materials, and shall answer within a reasonable time Buyer’s questions on these matters.",
            ),
            (
                "Substances",
                "Supplier shall tell Buyer in writing before any substance listed by an authority in the Territory as "
                "of very high concern is present in a Product above one tenth of one percent by weight.",
            ),
        ),
    ),
    Article(
        "Assignment and Subcontracting",
        (
            (
                "Assignment",
                "Neither Party may assign this Agreement, or any right or duty under it, without the prior written "
                "consent of the other Party, which shall not be unreasonably withheld, except that a Party may assign "
                "this Agreement as a whole to an Affiliate or to a person that acquires substantially all of its business.",
            ),
            (
                "Subcontracting",
                "Supplier may use subcontractors for carriage and warehousing. It remains liable for what they do and "
                "fail to do as if it had acted itself.",
            ),
            (
                "Successors",
                "This Agreement binds and benefits the Parties and their permitted successors and assigns.",
            ),
        ),
    ),
    Article(
        "Governing Law and Disputes",
        (
            ("Governing Law", "{governing_law}"),
            (
                "Negotiation",
                "The Parties shall first try to settle a dispute by talks between their plant managers and, if these "
                "have not settled it within twenty business days, between their chief executives.",
            ),
            (
                "Courts",
                "A dispute that is not settled by talks shall be decided by the state and federal courts that sit in the "
                "state whose law governs this Agreement. Each Party submits to their jurisdiction and waives trial by "
                "jury to the extent that the law allows it to do so.",
            ),
            (
                "Interim Relief",
                "Nothing in this Article keeps a Party from asking a court for an order to prevent harm that money could "
                "not make good.",
            ),
        ),
    ),
    Article(
        "Notices",
        (
            (
                "Form",
                "A notice under this Agreement must be in writing and be delivered by hand, by registered mail or by a "
                "courier that records delivery, to the address of the Party stated at the head of this Agreement, marked "
                "for the attention of its general counsel. A copy by electronic mail is welcome but is not itself notice.",
            ),
            (
                "When Given",
                "A notice is given on the day on which it is delivered or on which delivery is refused. A Party may "
                "change its address by a notice to the other.",
            ),
        ),
    ),
    Article(
        "General",
        (
            (
                "Entire Agreement",
                "This Agreement, with its Exhibits, is the whole agreement of the Parties on its subject and takes the "
                "place of all earlier understandings, written or spoken. If an Exhibit conflicts with the body of this "
                "Agreement, the body prevails.",
            ),
            (
                "Amendment and Waiver",
                "This Agreement may be changed only by a document signed by both Parties. A right is waived only in "
                "writing, and a waiver on one occasion is not a waiver on another.",
            ),
            (
                "Severability",
                "If a provision of this Agreement is held invalid, the rest remains in force and the Parties shall "
                "replace the invalid provision by a valid one that comes closest to its purpose.",
            ),
            (
                "Independent Parties",
                "The Parties are independent contractors. Nothing in this Agreement makes one the partner, agent or "
                "employee of the other.",
            ),
            (
                "Counterparts",
                "This Agreement may be signed in counterparts and by electronic signature, each of which is an original "
                "and all of which together are one instrument.",
            ),
        ),
    ),
)

SIGNATURES = (
    ("Kestrel Bay Polymers LLC", "Ingrid Solheim", "Managing Member"),
    ("Northmoor Packaging, Inc.", "Desmond A. Okafor", "President and Chief Executive Officer"),
)

PRODUCTS = (
    ("Product", "Code", "Form", "Price per metric ton", "Pack"),
    ("Oxygen barrier resin", "KB-110", "Pellets", "$3,180", "25 kg bag"),
    ("Oxygen barrier resin, retort grade", "KB-112", "Pellets", "$3,465", "25 kg bag"),
    ("Moisture barrier resin", "KB-140", "Pellets", "$2,270", "25 kg bag"),
    ("Peelable sealing compound", "KB-205", "Pellets", "$2,940", "500 kg bin"),
    ("Five-layer lidding film", "KB-310", "Film, 60 µm", "$4,725", "1,200 mm core"),
    ("Seven-layer pouch film", "KB-320", "Film, 90 µm", "$5,160", "1,200 mm core"),
    ("Antifog tray film", "KB-335", "Film, 45 µm", "$4,390", "800 mm core"),
)

SPECIFICATIONS = (
    ("Property", "Method", "KB-110", "KB-140", "KB-310"),
    ("Density, g/cm³", "Pycnometer, 23 °C", "1.17–1.20", "0.94–0.96", "1.01–1.04"),
    ("Melt flow, g/10 min", "2.16 kg, 190 °C", "3.5–4.5", "5.0–6.5", "not tested"),
    ("Moisture, % by weight", "Loss on drying", "max. 0.25", "max. 0.10", "max. 0.15"),
    ("Oxygen rate, cm³/m² a day", "Coulometric, 65 % r.h.", "max. 0.6", "not tested", "max. 1.2"),
    ("Vapor rate, g/m² a day", "Gravimetric, 38 °C", "not tested", "max. 1.5", "max. 3.0"),
    ("Gels larger than 0.4 mm, per m²", "Optical counter", "max. 4", "max. 6", "max. 3"),
    ("Seal strength, N/15 mm", "Peel at 180°", "not tested", "not tested", "12–20"),
    ("Overall migration, mg/dm²", "10 days, 40 °C", "max. 5", "max. 5", "max. 5"),
)

EXHIBITS = (
    (
        "Exhibit A",
        "Products and Prices",
        "The Products and their Prices on the Effective Date are listed below. The index of feedstock costs for "
        "Section 5.2 is the annual average of the Pacific Feedstock Survey, series 14.",
        PRODUCTS,
    ),
    (
        "Exhibit B",
        "Specifications",
        "Each lot is tested before release. The limits below hold for every lot; a grade not shown is held to the "
        "limits of the grade that stands before it in Exhibit A.",
        SPECIFICATIONS,
    ),
    (
        "Exhibit C",
        "Form of Forecast",
        "Buyer shall fill in one form for each plant, in metric tons, and send it before the tenth day of the month. "
        "Months one to three are binding, months four to twelve are not.",
        (
            ("Product", "Months 1–3", "Months 4–6", "Months 7–9", "Months 10–12"),
            *((name, "", "", "", "") for name, *_ in PRODUCTS[1:]),
        ),
    ),
)
