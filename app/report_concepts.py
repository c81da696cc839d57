"""What reports call the things people ask about."""

from __future__ import annotations

from longleaf.app.concept import Concept

REPORT_CONCEPTS: tuple[Concept, ...] = (
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
        "employees; headcount; workforce; staff; workers; union; personnel; colleagues",
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
        ("Does the company depend on a few customers?", "Who is the biggest customer?"),
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
