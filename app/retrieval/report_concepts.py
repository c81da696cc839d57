"""What reports call the things people ask about."""

from __future__ import annotations

from longleaf.app.retrieval.concept import Concept

REPORT_CONCEPTS: tuple[Concept, ...] = (
    Concept(
        "income statement; revenue; sales; operating income; net income; margin; ebitda; earnings; profit",
        "consolidated statements income operations earnings revenue cost operating net",
        (
            "How profitable was the company?",
            "How did sales and profit develop?",
        ),
    ),
    Concept(
        "gross margin; gross profit",
        "gross profit cost sales goods sold",
        ("What part of sales is left after the cost of goods?",),
    ),
    Concept(
        "balance sheet; working capital; liability; payable; inventory; assets; property plant; debt; cash",
        "consolidated balance sheets total current assets liabilities",
        (
            "What does the company own and owe?",
            "Can the company pay its short-term bills?",
        ),
    ),
    Concept(
        "cash flow; cashflow; capital expenditure; capex; depreciation; dividends; investing financing",
        "consolidated statements cash flows operating investing financing activities provided",
        (
            "How much cash came in and went out?",
            "What was invested in plant and equipment?",
        ),
    ),
    Concept(
        "segment; business line; line business; lines business; business unit; division",
        "segment reportable segments net results organized operating",
        (
            "Which part of the business did best?",
            "How did the divisions perform?",
            "Which segments does the company report on?",
            "Into which divisions is the business organized?",
        ),
    ),
    Concept(
        "tax rate",
        "effective income tax rate provision",
        ("What share of income goes to taxes?",),
    ),
    Concept(
        "geography; geographies; countries; regions; abroad; international",
        "countries regions united states europe international geographic operations",
        (
            "Where in the world is the company active?",
            "How do domestic and foreign sales compare?",
        ),
    ),
    Concept(
        "legal; litigation; lawsuit; court cases; proceedings; investigations",
        "legal proceedings litigation claims lawsuits contingencies",
        (
            "Is the company being sued?",
            "What legal disputes are pending?",
            "What lawsuits and investigations is it dealing with?",
        ),
    ),
    Concept(
        "acquisition; acquire; companies buy; bought; takeover; merger",
        "acquisition acquired purchase goodwill business",
        (
            "Which businesses were taken over?",
            "What did the company acquire?",
        ),
    ),
    Concept(
        "restructuring; layoffs",
        "restructuring plan charges severance",
        ("What did reorganizing the company cost?",),
    ),
    Concept(
        "guidance; outlook; forecast; expected; expects",
        "outlook guidance expects full year fiscal",
        (
            "What does management expect for next year?",
            "Was the forecast changed?",
        ),
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
        (
            "What are the figures without special items?",
            "How large was growth apart from currency effects?",
        ),
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
        "employees; employ; headcount; workforce; staff; workers; union; personnel; colleagues",
        "employees employed workforce human capital full time people union bargaining",
        (
            "How many people work for the company?",
            "What is the number of staff?",
            "Which part of the workforce is in a trade union?",
        ),
    ),
    Concept(
        "auditor; internal control",
        "registered public accounting firm opinion internal control audited",
        ("Who audited the accounts?",),
    ),
    Concept(
        "customers; customer concentration; largest customer; biggest customer",
        "customers percent net sales largest represented accounted affiliates",
        (
            "Does the company depend on a few customers?",
            "Who is the biggest customer?",
            "Which buyers account for a large part of sales?",
        ),
    ),
    Concept(
        "covenant; borrow; credit facility; maturity; notes due",
        "credit agreement facility borrowings senior notes maturity covenants",
        (
            "When do the debts fall due?",
            "Which loans does the company have?",
            "maturities of debt outstanding",
        ),
    ),
    Concept(
        "repurchase; buyback",
        "repurchase program shares repurchased authorized",
        (
            "Did the company buy back shares?",
            "What was spent on its own stock?",
        ),
    ),
    Concept(
        "properties; headquarters; head office; facilities; factories; factory; stores; shops; floor "
        "space; square feet; real estate; buildings",
        "properties headquarters facilities square feet owned leased located manufacturing stores offices",
        (
            "Where are the company's buildings and plants?",
            "Does the company own its head office?",
            "How many stores does it have?",
            "In how many countries are its factories?",
        ),
    ),
    Concept(
        "goodwill; impairment; impaired; write down; wrote down; write off; written",
        "goodwill impairment reporting unit fair value carrying charge test",
        (
            "Was goodwill written down?",
            "Were assets impaired?",
        ),
    ),
    Concept(
        "intangible; patents; trademarks; brands",
        "intangible assets amortization patents trademarks licenses estimated useful lives",
        (
            "What intangible assets does the company have?",
            "Which patents and brands does it own?",
        ),
    ),
    Concept(
        "lease; leases; rent; rental",
        "operating lease liabilities right of use assets lease cost term discount",
        (
            "What does the company owe on leases?",
            "How much rent does it pay?",
        ),
    ),
    Concept(
        "stock-based compensation; share-based compensation; stock option; restricted stock; equity awards",
        "stock based compensation options restricted units awards vesting granted",
        ("What shares and options are given to employees?",),
    ),
    Concept(
        "revenue recognition; recognize revenue; performance obligation; deferred revenue; contract "
        "liability",
        "revenue recognized performance obligations contract liabilities deferred transaction price",
        ("When does the company count a sale as revenue?",),
    ),
    Concept(
        "accounting policy; accounting policies; critical accounting; estimates",
        "critical accounting policies estimates judgments assumptions",
        ("Which estimates and judgments matter most in the accounts?",),
    ),
    Concept(
        "fair value; level 3; measured fair",
        "fair value hierarchy level inputs measured recurring",
        ("How are assets measured at fair value?",),
    ),
    Concept(
        "market risk; interest rate risk; currency risk; exchange risk; commodity",
        "market risk interest rate foreign currency exchange commodity hypothetical change",
        ("What would a change in interest rates or currencies cost?",),
    ),
    Concept(
        "obligations; commitments; off-balance; purchase obligations",
        "contractual obligations commitments purchase payments due",
        ("What payments is the company committed to?",),
    ),
    Concept(
        "competition; competitors; compete; rivals",
        "competition compete competitors competitive products market",
        (
            "Who are its competitors?",
            "How does it compete?",
        ),
    ),
    Concept(
        "raw materials; supply chain; vendors",
        "raw materials suppliers supply sources components",
        (
            "Where do its raw materials come from?",
            "On which suppliers does it depend?",
        ),
    ),
    Concept(
        "research development; r&d",
        "research development expenses technology",
        ("How much is spent on research?",),
    ),
    Concept(
        "seasonal; seasonality; backlog",
        "seasonal seasonality quarter backlog orders",
        (
            "Does business vary with the seasons?",
            "How many orders are not filled yet?",
        ),
    ),
    Concept(
        "executive officers; chief executive; ceo; cfo; directors; management team; leadership",
        "executive officers president chief financial officer age position director",
        (
            "Who leads the company?",
            "Who is the chief executive?",
        ),
    ),
    Concept(
        "subsequent events; after year end; post balance",
        "subsequent events",
        ("What happened after the end of the year?",),
    ),
    Concept(
        "earnings per share; eps",
        "basic diluted earnings per share weighted average shares outstanding",
        ("How much was earned on each share?",),
    ),
    Concept(
        "shares outstanding; shareholders; stockholders record; stock price; ticker",
        "holders record common stock outstanding shares traded symbol market",
        (
            "How many shares are there?",
            "How many shareholders does it have?",
        ),
    ),
    Concept(
        "climate; sustainability; emissions; environmental; esg",
        "climate environmental sustainability emissions greenhouse goals",
        ("What does the company do about climate change?",),
    ),
    Concept(
        "cybersecurity; cyber; data breach; security breach; hackers",
        "cybersecurity security breaches data information systems attacks",
        ("How is the company protected from hackers?",),
    ),
    Concept(
        "capital ratio; tier 1; cet1; regulatory capital",
        "capital ratio tier common equity risk weighted assets basel requirements",
        ("Is the bank well capitalized?",),
    ),
    Concept(
        "products; services; business model; brands",
        "products services business overview customers offer provide",
        (
            "What does the company sell?",
            "What is its business?",
        ),
    ),
    Concept(
        "liquidity; sources cash; cash needs",
        "liquidity capital resources cash credit facilities sufficient",
        ("Has the company enough cash for its needs?",),
    ),
)
