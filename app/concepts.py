"""What contracts and reports call the things people ask about.

A question uses a reader's words ("can they quit early?"), a clause or statement its own ("terminate upon
ninety days' notice"). The gain is in docs/retrieval.md.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Concept:
    """`named` are phrases that give it away, when all words of one are in a question; `said` the words that a
    passage on it is likely to have; `asked` ways to ask for it, to which a question is compared by meaning.
    `opens` a document: its first lines answer, though a clause may have more of the words.
    """

    named: str
    said: str
    asked: tuple[str, ...]
    opens: bool = False


CONCEPTS: tuple[Concept, ...] = (
    # contracts
    Concept(
        "parties; party to; between whom",
        "between among inc corporation company llc hereinafter referred",
        ("Who are the contracting parties?", "Between which companies was this made?", "Who signed it?"),
        opens=True,
    ),
    Concept(
        "title agreement; name agreement; type contract",
        "agreement between entered dated",
        ("What is the contract called?", "What type of agreement is it?"),
        opens=True,
    ),
    Concept(
        "date agreement; date contract; date made; dated; signed",
        "dated entered made day witness executed",
        ("When was the contract signed?", "What date does the agreement bear?", "When was it concluded?"),
        opens=True,
    ),
    Concept(
        "effective; in force; into force",
        "effective commence date",
        ("When does the contract come into force?", "From what date is it effective?", "When does it start?"),
        opens=True,
    ),
    Concept(
        "expire; expiration; initial term; how long; duration; term agreement; end date",
        "term commence continue period years expire expiration unless terminated",
        ("How long does the contract last?", "When does the agreement end?", "What is the term?"),
    ),
    Concept(
        "renew; renewal; extend; extension; prolong",
        "renew renewal automatically successive additional term unless notice",
        (
            "Is the term extended automatically?",
            "Can the contract be renewed?",
            "What notice stops it from renewing?",
        ),
    ),
    Concept(
        "law; jurisdiction; court; governing",
        "governed construed accordance laws state jurisdiction conflict",
        ("Which country's law applies?", "Under which law is the contract interpreted?"),
    ),
    Concept(
        "assign; transfer",
        "assign assignment transfer consent successors",
        (
            "Can a party transfer the contract to a third party?",
            "May rights and duties be assigned?",
            "Can somebody else take over the agreement?",
        ),
    ),
    Concept(
        "liability; liable; damages",
        "liable liability event exceed aggregate indirect incidental consequential punitive damages limit",
        (
            "How much can a party be made to pay in damages at most?",
            "Is liability limited?",
            "Which losses are excluded?",
        ),
    ),
    Concept(
        "terminate; cancel; end agreement; quit; walk away",
        "terminate termination notice cause convenience",
        (
            "Can a party get out of the contract early?",
            "Can it be ended without a reason?",
            "On what grounds can the contract be terminated?",
        ),
    ),
    Concept(
        "license; licence; licensed",
        "grants license right exclusive royalty sublicense",
        ("What may the licensee use?", "What rights of use are granted?", "Can the license be sublicensed?"),
    ),
    Concept(
        "audit; inspect; books; records",
        "audit books records inspect examine accountant",
        ("Can a party check the other's books?", "Is there a right to inspect records?"),
    ),
    Concept(
        "insurance; insure; insured",
        "insurance coverage policy insured",
        ("What insurance is required?", "Who has to insure what?"),
    ),
    Concept(
        "exclusive; exclusivity; only supplier; sole",
        "exclusive exclusively sole solely",
        ("Is a party tied to the other alone?", "May a party work with others too?"),
    ),
    Concept(
        "compete; competition; competitor; rival",
        "compete competing competitive competitor engage directly indirectly",
        ("Can a party do business with competitors?", "Is a party barred from a competing business?"),
    ),
    Concept(
        "minimum; at least; least",
        "minimum purchase quantity order guaranteed annual",
        ("What quantity must be purchased at least?", "Is there a guaranteed minimum payment?"),
    ),
    Concept(
        "warranty; guarantee; defects",
        "warrants warranty defects period months conform",
        ("How long are defects covered?", "What guarantees are given for the products?"),
    ),
    Concept(
        "share revenue; share profit; royalty; commission; percentage",
        "royalty percent percentage share revenues profits commission",
        ("What cut of the proceeds is paid?", "Are profits split?", "What royalties are due?"),
    ),
    Concept(
        "control; merger; merge; acquired; taken over; takeover",
        "control merger consolidation acquisition sale substantially assets",
        ("What if one of the companies is bought?", "What are the consequences of a merger or sale?"),
    ),
    Concept(
        "first refusal; first offer; first negotiation",
        "first refusal offer negotiation",
        ("Does somebody have a right to be asked first?", "Is there a preemptive right to buy?"),
    ),
    Concept(
        "solicit; hire; poach; recruit",
        "solicit employ hire induce employees customers",
        ("Can a party lure away the other's workers?", "May customers be enticed away?"),
    ),
    Concept(
        "disparage; reputation; defame",
        "disparage derogatory reputation goodwill",
        ("May a party say bad things about the other?", "Are negative statements forbidden?"),
    ),
    Concept(
        "intellectual property; invention; own work; owns",
        "ownership title interest inventions work property belong exclusively",
        ("Who owns what is created?", "Whose property are the results?"),
    ),
    Concept(
        "after termination; after expiration; survive; after end",
        "upon termination expiration cease return survive thereafter",
        ("What happens when the contract has ended?", "Which duties outlive the agreement?"),
    ),
    Concept(
        "pay; price; fee; invoice",
        "pay payment invoice fee price payable days",
        ("How much is charged?", "When are invoices due?", "Can prices be raised?"),
    ),
    Concept(
        "confidential; secret",
        "confidential information disclose",
        ("What must be kept secret?", "How is confidential information protected?"),
    ),
    Concept("notice", "notice written days prior", ("How must notice be given?",)),
    Concept(
        "sue; challenge; contest",
        "challenge contest validity sue claim assist",
        ("Has a party promised not to go to court?", "May the validity of rights be disputed?"),
    ),
    Concept(
        "limit use; volume; restriction use; maximum",
        "exceed maximum additional limit",
        ("What is the highest permitted amount?", "What if usage goes over the limit?"),
    ),
    Concept(
        "liquidated; early termination; penalty",
        "liquidated damages penalty fee early termination",
        ("Is a contractual penalty owed?", "What does it cost to end the contract early?"),
    ),
    Concept(
        "third party beneficiary; third party enforce",
        "third party beneficiary",
        ("Do outsiders have rights under the contract?",),
    ),
    Concept(
        "perpetual; irrevocable; forever",
        "perpetual irrevocable",
        ("Is the license for an unlimited time?", "Can the license be revoked?"),
    ),
    Concept(
        "affiliate; group companies; subsidiary",
        "affiliates subsidiaries",
        ("Are subsidiaries covered too?",),
    ),
    Concept(
        "source code; escrow",
        "source code escrow deposit release",
        ("Is the program's source deposited with an agent?",),
    ),
    Concept(
        "indemnify; indemnity; hold harmless",
        "indemnify indemnification hold harmless defend claims",
        ("Who covers third party claims?",),
    ),
    Concept(
        "favored; favoured; best price",
        "most favored favorable terms price customer lower less",
        ("Are the best prices guaranteed?",),
    ),
    # reports
    Concept(
        "income statement; revenue; sales; operating income; net income; margin; ebitda; earnings; profit",
        "consolidated statements income operations earnings revenue cost operating net",
        ("How profitable was the company?", "How did sales and profit develop?"),
    ),
    Concept(
        "gross margin; gross profit",
        "gross profit cost sales goods sold",
        ("What part of sales is left after the cost of goods?",),
    ),
    Concept(
        "balance sheet; working capital; liability; payable; inventory; assets; property plant; debt; cash",
        "consolidated balance sheets total current assets liabilities",
        ("What does the company own and owe?", "Can the company pay its short-term bills?"),
    ),
    Concept(
        "cash flow; cashflow; capital expenditure; capex; depreciation; dividends; investing financing",
        "consolidated statements cash flows operating investing financing activities provided",
        ("How much cash came in and went out?", "What was invested in plant and equipment?"),
    ),
    Concept(
        "segment; business line; business unit; division",
        "segment reportable segments net results",
        ("Which part of the business did best?", "How did the divisions perform?"),
    ),
    Concept("tax rate", "effective income tax rate provision", ("What share of income goes to taxes?",)),
    Concept(
        "geography; geographies; countries; regions; abroad; international",
        "countries regions united states europe international geographic operations",
        ("Where in the world is the company active?", "How do domestic and foreign sales compare?"),
    ),
    Concept(
        "legal; litigation; lawsuit; court cases; proceedings; investigations",
        "legal proceedings litigation claims lawsuits contingencies",
        ("Is the company being sued?", "What legal disputes are pending?"),
    ),
    Concept(
        "acquisition; acquire; companies buy; bought; takeover; merger",
        "acquisition acquired purchase goodwill business",
        ("Which businesses were taken over?", "What did the company acquire?"),
    ),
    Concept(
        "restructuring; layoffs",
        "restructuring plan charges severance",
        ("What did reorganizing the company cost?",),
    ),
    Concept(
        "guidance; outlook; forecast; expected; expects",
        "outlook guidance expects full year fiscal",
        ("What does management expect for next year?", "Was the forecast changed?"),
    ),
    Concept(
        "securities registered; exchange trade; listed exchange; stock exchange",
        "title class trading symbol exchange registered section 12 b notes due",
        ("On which exchange are the shares listed?",),
    ),
    Concept(
        "derivative; hedge; notional; swaps",
        "notional swaps forwards cross currency interest rate hedges",
        ("How are currency and interest risks hedged?",),
    ),
    Concept(
        "pension; retiree; retired; benefit payments",
        "expected benefit payments pension postretirement health",
        ("What will former employees be paid?",),
    ),
    Concept(
        "capital intensive",
        "property plant equipment capital expenditures total assets",
        ("Does the business need much capital?",),
    ),
    Concept(
        "dividend",
        "dividends declared per share paid quarterly",
        ("What was paid out to shareholders?",),
    ),
    Concept(
        "accounts payable; days payable; suppliers",
        "accounts payable cost sales inventories",
        ("How long does the company take to pay suppliers?",),
    ),
    Concept(
        "adjusted; non-gaap; core; organic; constant currency; comparable",
        "reconciliation non gaap adjusted comparable excluding items",
        ("What are the figures without special items?", "How large was growth apart from currency effects?"),
    ),
    Concept(
        "retention; retain; loyal; churn; attrition",
        "retention retain loyalty attrition rates",
        ("Do customers stay with the company?",),
    ),
    Concept(
        "risk; risks",
        "risk factors adversely affect material could",
        ("What could hurt the business?",),
    ),
    Concept(
        "employees; headcount; workforce",
        "employees workforce human capital full time",
        ("How many people work for the company?",),
    ),
    Concept(
        "auditor; internal control",
        "registered public accounting firm opinion internal control audited",
        ("Who audited the accounts?",),
    ),
    Concept(
        "customers; customer concentration",
        "customers percent net sales largest",
        ("Does the company depend on a few customers?",),
    ),
    Concept(
        "covenant; borrow; credit facility; maturity; notes due",
        "credit agreement facility borrowings senior notes maturity covenants",
        ("When do the debts fall due?", "Which loans does the company have?"),
    ),
    Concept(
        "repurchase; buyback",
        "repurchase program shares repurchased authorized",
        ("Did the company buy back shares?",),
    ),
)

# What is asked of the first lines of a contract, where a clause has no words of its own for it.
OPENING = """
parties; party to; between whom; title agreement; name agreement; type contract; date agreement;
date contract; date made; dated; signed; effective
"""
