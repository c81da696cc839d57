"""Puts the sample annual report together: words from report_text and notes, figures from figures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from reportlab.platypus import CondPageBreak, Flowable, NextPageTemplate, PageBreak, Spacer

from sample_docs import figures as fig
from sample_docs import layout, notes
from sample_docs import report_more as more
from sample_docs import report_text as words
from sample_docs.figures import REGIONS, SEGMENT_INCOME, SEGMENT_REVENUE, SEGMENTS, YEARS, Year
from sample_docs.layout import CAPTION, COLUMN, H1, H2, H3, REPORT, bullets, figures, grid

HEADS = ("", *(str(year) for year in YEARS))
THOUSANDS = "In thousands of US dollars"


def text(line: str, style: layout.ParagraphStyle = REPORT) -> Flowable:
    return layout.text(line, style)


def millions(thousands: int) -> str:
    return f"${thousands / 1000:,.1f} million"


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} percent"


def growth(now: int, before: int) -> str:
    return percent(now - before, before)


def moved(now: int, before: int) -> str:
    return f"{'rose' if now >= before else 'fell'} by {percent(abs(now - before), before)}"


def build(path: Path) -> Path:
    books = fig.accounts()
    now, before, _ = (books[year] for year in YEARS)
    doc = layout.Sample(
        path,
        title=f"{words.COMPANY} Annual Report 2025",
        author=words.COMPANY,
        header=f"{words.COMPANY}  |  Annual Report 2025",
        file_labels=True,
    )
    fill = {
        "growth": growth(now.revenue, before.revenue),
        "revenue": millions(now.revenue),
        "net": millions(now.net_income),
        "eps": f"${now.eps_diluted}",
        "eps_before": f"${before.eps_diluted}",
        "ocf": millions(now.flow["operating"]),
        "capex": millions(-now.flow["capex"]),
        "repaid": millions(-now.flow["repaid"]),
        "returned": millions(-now.flow["dividends"] - now.flow["buybacks"]),
        "cash": millions(now.sheet["cash"]),
        "grid_growth": growth(*SEGMENT_REVENUE["Grid Sensing"][:2]),
        "restructuring": millions(now.restructuring),
        "research": millions(now.research),
        "research_share": percent(now.research, now.revenue),
        "research_before": millions(before.research),
    }
    story: list[Flowable] = [
        Spacer(1, 190),
        text(words.COMPANY, layout.TITLE),
        text("Annual Report 2025", layout.SUBTITLE),
        text("For the fiscal year ended December 31, 2025", layout.SUBTITLE),
        *layout.turn("one"),
        text("Contents", layout.ParagraphStyle("plain", parent=H1)),
        layout.contents(doc),
        *_letter(fill),
        *_highlights(books),
        *_part("About This Report", words.FORWARD_LOOKING),
        NextPageTemplate("two"),
        PageBreak(),
        layout.Mark("D"),
        *_business(books, fill),
        *_cases(),
        *_sustainability(),
        *_risks(),
        *_sites(),
        *_shares(),
        *_discussion(books),
        *_statements(books),
        *notes.build(books, _part),
        *_governance(),
        *_history(books),
        *_subsidiaries(),
        *_glossary(),
    ]
    doc.multiBuild(story)
    return path


def _part(
    title: str, paragraphs: Iterable[str], template: str = "one", style: layout.ParagraphStyle = REPORT
) -> list[Flowable]:
    return [*layout.turn(template), text(title, H1), *(text(line, style) for line in paragraphs)]


def _letter(fill: dict[str, str]) -> list[Flowable]:
    return _part(
        "Letter from the Chief Executive Officer",
        (line.format(**fill) for line in words.LETTER),
        "two",
        COLUMN,
    )


def _highlights(books: dict[int, Year]) -> list[Flowable]:
    rows: list[tuple[str, tuple[int | str, ...]]] = [
        ("Revenue", tuple(books[y].revenue for y in YEARS)),
        ("Gross profit", tuple(books[y].gross_profit for y in YEARS)),
        ("Operating income", tuple(books[y].operating_income for y in YEARS)),
        ("Net income", tuple(books[y].net_income for y in YEARS)),
        ("Basic earnings per share", tuple(f"$ {books[y].eps}" for y in YEARS)),
        ("Diluted earnings per share", tuple(f"$ {books[y].eps_diluted}" for y in YEARS)),
        ("Dividends paid per share", tuple(f"$ {dividend(books[y]):.2f}" for y in YEARS)),
        ("Cash flow from operating activities", tuple(books[y].flow["operating"] for y in YEARS)),
        ("Capital expenditure", tuple(books[y].flow["capex"] for y in YEARS)),
        ("Cash and cash equivalents", tuple(books[y].sheet["cash"] for y in YEARS)),
        ("Total debt", tuple(books[y].total_debt for y in YEARS)),
    ]
    return [
        *_part("Financial Highlights", ()),
        text(f"{THOUSANDS}, except amounts per share", CAPTION),
        figures(HEADS, rows, dollars=("Revenue", "Net income")),
        *bullets(
            (
                "Revenue passed one billion two hundred million dollars for the first time.",
                "Grid Sensing became our third-largest segment by revenue and our second-largest by income.",
                f"Net debt fell to {millions(books[2025].total_debt - books[2025].sheet['cash'])}.",
                "The dividend was raised for the twelfth year in a row.",
            )
        ),
    ]


def dividend(book: Year) -> float:
    return -book.flow["dividends"] / book.basic_shares


def _business(books: dict[int, Year], fill: dict[str, str]) -> list[Flowable]:
    out: list[Flowable] = [
        text("Business", H1),
        text("Overview", H2),
        *(text(line, COLUMN) for line in words.OVERVIEW),
    ]
    captions = {
        "what": "What it makes",
        "customers": "Customers",
        "products": "New in 2025",
        "competition": "Competition",
        "outlook": "What lies ahead",
    }
    for name in SEGMENTS:
        revenue, income = SEGMENT_REVENUE[name], SEGMENT_INCOME[name]
        out += [*layout.turn("two"), text(f"Segment: {name}", H1)]
        out.append(
            text(
                f"In 2025 {name} had revenue of {millions(revenue[0])}, {percent(revenue[0], books[2025].revenue)} of the whole, "
                f"and segment income of {millions(income[0])}.",
                COLUMN,
            )
        )
        for key, caption in captions.items():
            out += [text(caption, H3), text(words.SEGMENT_TEXT[name][key], COLUMN)]
        out.append(text("Product families", H3))
        rest = revenue[0]
        for family, share, about in more.FAMILIES[name]:
            part = round(revenue[0] * share / 100)
            rest -= part
            out.append(text(f"{family}, {millions(part)} of revenue. {about}", COLUMN))
        out.append(text(f"Other products and licenses brought {millions(rest)}.", COLUMN))
    out += [*layout.turn("two"), text("How We Work", H1)]
    for title, lines in words.BUSINESS:
        out += [text(title, H2), *(text(line.format(**fill), COLUMN) for line in lines)]
    return out


def _risks() -> list[Flowable]:
    out = _part(
        "Risk Factors",
        (
            "The risks described here are those that we think could most harm our business, our results or the value of our "
            "shares. They are not in order of weight, and others may exist that we do not know of.",
        ),
    )
    for title, event, harm, answer in words.RISKS:
        out += [text(title, H2), text(event), text(harm), text(answer)]
    out += _part(
        "How Risks Are Managed",
        (
            "Each risk has an owner who reports to the chief executive every quarter on how it develops and on what is being done. The Audit "
            "Committee looks at all risks twice a year and at two of them in depth. The table shows the owner, what is watched, and how "
            "we judge the risk to have moved in the course of 2025.",
        ),
    )
    out.append(grid((("Risk", "Owner", "What is watched", "In 2025"), *more.RISK_WATCH), (120, 130, 150, 68)))
    return out


def _sites() -> list[Flowable]:
    return [
        *_part(
            "Properties",
            (
                "Our main sites on December 31, 2025 are listed below. They are in good repair and suit our needs.",
            ),
        ),
        grid((("Place", "Use", "Square feet", "Held"), *words.SITES), (130, 200, 70, 68)),
        text(
            "We also lease about forty smaller offices and calibration rooms. The first hall at Tallis Ferry was in use at about 95 "
            "percent of its capacity throughout the year; the second, opened in September, at about 30 percent."
        ),
        *(text(f"{place}. {about}") for place, about in more.SITE_TEXT),
        text("Legal Proceedings", H2),
        *(text(line) for line in words.LEGAL),
    ]


def _cases() -> list[Flowable]:
    out: list[Flowable] = []
    for title, *lines in more.CASES:
        out += _part(title, lines, "two", COLUMN)
    return out + _part("Our History", (f"{year}. {line}" for year, line in more.HISTORY), "two", COLUMN)


def _shares() -> list[Flowable]:
    return [
        *_part("The Market for Our Shares", more.SHARES),
        text("Dollars per share", CAPTION),
        figures(("", "Highest", "Lowest", "Dividend"), more.PRICES),
        *(text(line) for line in more.SHARES_AFTER),
    ]


def _sustainability() -> list[Flowable]:
    out = _part("Sustainability", ())
    for title, line in more.SUSTAINABILITY:
        out += [text(title, H2), text(line)]
    power = sum(row[1] for row in more.USE)
    renewable = round(sum(row[1] * row[2] for row in more.USE) / power)
    rows: list[tuple[str, list[int | str]]] = [
        (name, [mwh, f"{part}%", water, waste]) for name, mwh, part, water, waste in more.USE
    ]
    rows.append(
        (
            "All sites",
            [power, f"{renewable}%", sum(row[3] for row in more.USE), sum(row[4] for row in more.USE)],
        )
    )
    return [
        *out,
        PageBreak(),
        text("Use of energy and water", H2),
        text(
            "Electricity in megawatt-hours, water in thousands of cubic meters, waste in tonnes; 2025",
            CAPTION,
        ),
        figures(("Site", "Electricity", "Renewable", "Water", "Waste"), rows, totals=("All sites",)),
    ]


def _discussion(books: dict[int, Year]) -> list[Flowable]:
    now, before, _ = (books[year] for year in YEARS)
    out = _part(
        "Management’s Discussion and Analysis",
        (
            "This part explains how our results and our position came about. It should be read together with the consolidated "
            "financial statements and their notes.",
            f"Revenue for 2025 was {millions(now.revenue)}, {growth(now.revenue, before.revenue)} more than the {millions(before.revenue)} "
            f"of 2024. Organic growth was 8.6 percent; exchange rates added the rest. Operating income "
            f"{moved(now.operating_income, before.operating_income)} to {millions(now.operating_income)}, and net income "
            f"{moved(now.net_income, before.net_income)} to {millions(now.net_income)}, or ${now.eps_diluted} per diluted share.",
            "Orders received were $1,256.2 million, so the ratio of book to bill was 1.05. The backlog rose to $412.6 million.",
        ),
    )
    out += [text("Consolidated Results", H2), text(THOUSANDS, CAPTION)]
    out.append(
        figures(
            HEADS,
            [
                ("Revenue", [books[y].revenue for y in YEARS]),
                ("Cost of revenue", [-books[y].cost_of_revenue for y in YEARS]),
                ("Gross profit", [books[y].gross_profit for y in YEARS]),
                ("Research and development", [-books[y].research for y in YEARS]),
                ("Selling, general and administrative", [-books[y].selling for y in YEARS]),
                ("Amortization of intangible assets", [-books[y].amortization for y in YEARS]),
                ("Restructuring", [-books[y].restructuring for y in YEARS]),
                ("Operating income", [books[y].operating_income for y in YEARS]),
                ("Gross margin", [f"{100 * books[y].gross_profit / books[y].revenue:.1f}%" for y in YEARS]),
                (
                    "Operating margin",
                    [f"{100 * books[y].operating_income / books[y].revenue:.1f}%" for y in YEARS],
                ),
            ],
            totals=("Gross profit", "Operating income"),
            dollars=("Revenue",),
        )
    )
    out += [
        text(line)
        for line in (
            f"Gross profit {moved(now.gross_profit, before.gross_profit)} to {millions(now.gross_profit)}, and the gross margin rose "
            f"from {percent(before.gross_profit, before.revenue)} to {percent(now.gross_profit, now.revenue)}. Automation in Flow "
            "Measurement and cheaper sensors in Grid Sensing contributed about equally; higher prices of materials took back about "
            "half a point.",
            f"Research and development {moved(now.research, before.research)} to {millions(now.research)}. Most of the increase went to "
            "Grid Sensing and to the successor of the Larkfield family.",
            f"Selling, general and administrative expenses {moved(now.selling, before.selling)} to {millions(now.selling)}, less than revenue, "
            "although we added people in sales and raised pay by four percent on average.",
            f"Restructuring cost {millions(now.restructuring)} in 2025, for closing the shop in Brandle, and {millions(before.restructuring)} in "
            "2024, for joining the two sales forces in Germany.",
        )
    ]
    out += [text("Interest and Taxes", H2)]
    out += [
        text(line)
        for line in (
            f"Interest expense fell from {millions(before.interest_expense)} to {millions(now.interest_expense)} because we repaid debt. "
            f"Interest income rose from {millions(before.interest_income)} to {millions(now.interest_income)}.",
            f"The provision for income taxes was {millions(now.tax)}, or {percent(now.tax, now.pretax)} of income before taxes, after "
            f"{percent(before.tax, before.pretax)} in 2024. The rate of 2024 was low because an open year was settled in our favor.",
        )
    ]
    out += [*layout.turn("one"), text("Results by Segment", H1)]
    for at, name in enumerate(SEGMENTS):
        revenue, income = SEGMENT_REVENUE[name], SEGMENT_INCOME[name]
        if at and at % 2 == 0:
            out.append(PageBreak())
        out += [
            text(f"{name}: results", H2),
            text(THOUSANDS, CAPTION),
            figures(
                HEADS,
                [
                    ("Revenue", revenue),
                    ("Segment income", income),
                    ("Segment margin", [f"{100 * i / r:.1f}%" for i, r in zip(income, revenue, strict=True)]),
                ],
                dollars=("Revenue",),
            ),
            text(
                f"Revenue of {name} {moved(revenue[0], revenue[1])} to {millions(revenue[0])}, and in 2024 it "
                f"{moved(revenue[1], revenue[2])}. {words.SEGMENT_TEXT[name]['why']}"
            ),
            text(
                f"Segment income {moved(income[0], income[1])} to {millions(income[0])}, a margin of {percent(income[0], revenue[0])} after "
                f"{percent(income[1], revenue[1])}. {words.SEGMENT_TEXT[name]['margin']}"
            ),
        ]
    out += [PageBreak(), text("Revenue by Region", H1), text(THOUSANDS, CAPTION)]
    regions = {y: fig.shares(books[y].revenue, fig.REGION_SHARE[y]) for y in YEARS}
    out.append(
        figures(
            HEADS,
            [
                *((region, [regions[y][at] for y in YEARS]) for at, region in enumerate(REGIONS)),
                ("Total revenue", [books[y].revenue for y in YEARS]),
            ],
            totals=("Total revenue",),
            dollars=("Total revenue",),
        )
    )
    for at, region in enumerate(REGIONS):
        out.append(
            text(
                f"In {region if region != REGIONS[-1] else 'the rest of the world'} revenue {moved(regions[2025][at], regions[2024][at])} to {millions(regions[2025][at])}. {_region_note(region)}"
            )
        )
    out += [CondPageBreak(220), text("Quarters", H1), text(f"{THOUSANDS}; not audited", CAPTION)]
    quarters = {y: fig.shares(books[y].revenue, fig.QUARTER_SHARE[y]) for y in (2025, 2024)}
    out.append(
        figures(
            ("", "First", "Second", "Third", "Fourth", "Year"),
            [(f"Revenue {y}", [*quarters[y], books[y].revenue]) for y in (2025, 2024)]
            + [
                (
                    f"Net income {y}",
                    [*fig.shares(books[y].net_income, fig.QUARTER_SHARE[y]), books[y].net_income],
                )
                for y in (2025, 2024)
            ],
        )
    )
    out += [
        text(
            "The fourth quarter is usually our strongest, because public customers spend what is left of their budgets and network "
            "operators complete projects before the winter."
        )
    ]
    for title, line in more.QUARTERS:
        out += [text(title, H2), text(line)]
    cut = {name: fig.shares(SEGMENT_REVENUE[name][0], fig.QUARTER_SHARE[2025]) for name in SEGMENTS}
    out += [text(f"{THOUSANDS}; revenue by segment, not audited", CAPTION)]
    out.append(
        figures(
            ("2025", "First", "Second", "Third", "Fourth", "Year"),
            [
                *((name, [*cut[name], SEGMENT_REVENUE[name][0]]) for name in SEGMENTS),
                ("Total revenue", [*(sum(cut[name][q] for name in SEGMENTS) for q in range(4)), now.revenue]),
            ],
            totals=("Total revenue",),
        )
    )
    out += _part(
        "Liquidity and Capital Resources",
        (
            f"Operating activities provided {millions(now.flow['operating'])} in 2025 and {millions(before.flow['operating'])} in 2024. The "
            "increase came from higher net income; receivables grew with the revenue of the fourth quarter.",
            f"Capital expenditure was {millions(-now.flow['capex'])}, of which about $21 million was for the second hall in Tallis Ferry. "
            f"Free cash flow, which we define as cash flow from operating activities less capital expenditure, was "
            f"{millions(now.flow['operating'] + now.flow['capex'])}.",
            f"We repaid {millions(-now.flow['repaid'])} of the term loan, paid dividends of {millions(-now.flow['dividends'])} or "
            f"${dividend(now):.2f} a share, and bought back shares for {millions(-now.flow['buybacks'])}.",
            f"Cash and cash equivalents were {millions(now.sheet['cash'])} at the end of 2025, after {millions(before.sheet['cash'])} a year "
            f"earlier. About {millions(61_300)} was held outside the United States and could be brought home without material tax.",
            f"Total debt was {millions(now.total_debt)} at the end of 2025, after {millions(before.total_debt)}. In addition we have a revolving "
            "credit line of $200 million, open until May 2029, of which nothing was drawn.",
            "We believe that our cash, the flow of cash from operations and the credit line will be enough for our needs for the next "
            "twelve months and for the foreseeable time after that.",
        ),
    )
    out += [text("Cash flows", H2), text(THOUSANDS, CAPTION)]
    out.append(
        figures(
            HEADS,
            [
                ("Operating activities", [books[y].flow["operating"] for y in YEARS]),
                ("Investing activities", [books[y].flow["investing"] for y in YEARS]),
                ("Financing activities", [books[y].flow["financing"] for y in YEARS]),
                ("Change in cash", [books[y].flow["change"] for y in YEARS]),
            ],
            totals=("Change in cash",),
        )
    )
    out += [text("Payments that we are bound to make", H2), text(THOUSANDS, CAPTION)]
    loan = (now.sheet["current_debt"], 50_000, 90_000, 150_000)
    out.append(
        figures(
            ("Due in", "2026", "2027", "2028 to 2029", "Later", "Total"),
            [
                ("Borrowings", [*loan, sum(loan)]),
                ("Interest at current rates", [17_200, 14_900, 21_400, 9_800, 63_300]),
                ("Leases", [12_840, 11_060, 15_920, 12_310, 52_130]),
                ("Firm purchases", [84_600, 13_700, 4_200, 0, 102_500]),
            ],
        )
    )
    out += _part(
        "Critical Accounting Estimates",
        (
            "Some amounts in the accounts rest on judgments about things that cannot be known exactly. The following matter most.",
            "Revenue of long projects. In Grid Sensing we recognize revenue as work proceeds, measured by cost. If we had judged the cost "
            "still to come to be five percent higher for every open project, revenue of 2025 would have been $4.1 million lower.",
            "Goodwill. We test goodwill of each segment every October. In 2025 the value of each segment exceeded its carrying amount by at "
            "least forty percent, except for Laboratory Systems, where the margin was 23 percent. A discount rate one point higher "
            "would have reduced that margin to 11 percent.",
            "Inventories. We write stock down when more than two years of use are on hand, unless there is a reason to expect more use. "
            "Write-downs came to $6.2 million in 2025.",
            "Warranties. We estimate the cost of repairs under warranty from the experience of five years and add known special cases, such "
            "as the pressure cells described in the letter to shareholders.",
            "Income taxes. We recognize the benefit of a tax position only if it is more likely than not to be upheld. Positions not "
            "recognized amounted to $9.4 million at the end of 2025.",
        ),
    )
    out += _part(
        "Outlook for 2026",
        (
            "For fiscal 2026 we expect revenue of between $1,270 million and $1,310 million, which would be growth of six to nine "
            "percent. We expect an operating margin of between 17.0 and 17.8 percent and diluted earnings per share of between "
            "$2.42 and $2.58.",
            "Capital expenditure should be about $62 million. We expect a tax rate of about 25 percent and free cash flow of between "
            "$165 million and $180 million.",
            "This outlook assumes that exchange rates stay as they were on January 31, 2026, that tariffs do not change, and that no "
            "company is bought or sold. It assumes further that Grid Sensing grows by eighteen to twenty-two percent, Flow Measurement by four to "
            "six, Services by eight to ten, and that revenue of Laboratory Systems stays about level.",
            "The main risks to this outlook are further cuts in research budgets, delays of large grid projects, and the price of steel.",
        ),
    )
    return out


def _region_note(region: str) -> str:
    return {
        "United States": "Water utilities and two large grid projects made up for weaker demand from universities.",
        "Canada and Mexico": "A tender for meters in Ontario was won again, at slightly lower prices.",
        "Europe": "Grid projects in Denmark and service contracts in Austria and Germany grew most.",
        "Asia and Pacific": "The Australian grid project began in March and accounts for most of the increase.",
        "Rest of the world": "Sales there, mostly through distributors, depend on single orders and vary from year to year.",
    }[region]


def _statements(books: dict[int, Year]) -> list[Flowable]:
    now = books[2025]
    out = _part(
        "Report of the Independent Auditor",
        (
            f"To the shareholders and the board of {words.COMPANY}",
            "We have audited the consolidated balance sheets of the company on December 31, 2025 and 2024, the related statements of income, of "
            "comprehensive income, of cash flows and of changes in equity for each of the three years that ended on December 31, 2025, "
            "and the notes. In our opinion they present fairly, in all material respects, the position of the company and the results of its "
            "operations and cash flows, in conformity with accounting principles generally accepted in the United States.",
            "The company’s management is responsible for these statements. Our task is to express an opinion on them. We planned and "
            "performed our audits so as to obtain reasonable assurance that they are free of material misstatement, whether due to "
            "error or fraud, and examined evidence on a test basis.",
            "Critical audit matter. The revenue of long projects in Grid Sensing depends on estimates of the cost still to come. We tested "
            "the controls over these estimates, compared earlier estimates with the outcome, and spoke with engineers in charge of "
            "eleven projects.",
            "Harcourt Pell LLP, Burlington, Vermont, February 20, 2026. We have served as the company’s auditor since 2011.",
        ),
    )
    out += _part("Management’s Report on Internal Control", more.CONTROL)
    out += [
        *_part("Consolidated Statements of Income", ()),
        text(f"{THOUSANDS}, except amounts per share; years ended December 31", CAPTION),
    ]
    out.append(
        figures(
            HEADS,
            [
                (
                    "Revenue from products",
                    [books[y].revenue - SEGMENT_REVENUE["Services"][YEARS.index(y)] for y in YEARS],
                ),
                ("Revenue from services", list(SEGMENT_REVENUE["Services"])),
                ("Total revenue", [books[y].revenue for y in YEARS]),
                ("Cost of revenue", [-books[y].cost_of_revenue for y in YEARS]),
                ("Gross profit", [books[y].gross_profit for y in YEARS]),
                ("Research and development", [-books[y].research for y in YEARS]),
                ("Selling, general and administrative", [-books[y].selling for y in YEARS]),
                ("Amortization of intangible assets", [-books[y].amortization for y in YEARS]),
                ("Restructuring", [-books[y].restructuring for y in YEARS]),
                ("Operating income", [books[y].operating_income for y in YEARS]),
                ("Interest expense", [-books[y].interest_expense for y in YEARS]),
                ("Interest income", [books[y].interest_income for y in YEARS]),
                ("Other income (expense), net", [books[y].other for y in YEARS]),
                ("Income before income taxes", [books[y].pretax for y in YEARS]),
                ("Provision for income taxes", [-books[y].tax for y in YEARS]),
                ("Net income", [books[y].net_income for y in YEARS]),
                ("Earnings per share", []),
                ("Basic", [f"$ {books[y].eps}" for y in YEARS]),
                ("Diluted", [f"$ {books[y].eps_diluted}" for y in YEARS]),
                ("Weighted average shares, in thousands", []),
                ("Basic shares", [books[y].basic_shares for y in YEARS]),
                ("Diluted shares", [books[y].diluted_shares for y in YEARS]),
            ],
            totals=(
                "Total revenue",
                "Gross profit",
                "Operating income",
                "Income before income taxes",
                "Net income",
            ),
            dollars=("Total revenue", "Net income"),
        )
    )
    out += [
        text("Consolidated Statements of Comprehensive Income", H2),
        text(THOUSANDS, CAPTION),
        figures(
            HEADS,
            [
                ("Net income", [books[y].net_income for y in YEARS]),
                ("Translation of foreign currencies", [books[y].translation for y in YEARS]),
                ("Comprehensive income", [books[y].net_income + books[y].translation for y in YEARS]),
            ],
            totals=("Comprehensive income",),
        ),
        text("The accompanying notes are an integral part of these statements.", CAPTION),
    ]
    out += [*_part("Consolidated Balance Sheets", ()), text(f"{THOUSANDS}; December 31", CAPTION)]
    names = {
        "cash": "Cash and cash equivalents", "receivables": "Accounts receivable, net", "inventories": "Inventories",
        "prepaid": "Prepaid expenses and other", "property": "Property, plant and equipment, net",
        "leases": "Operating lease assets", "goodwill": "Goodwill", "intangibles": "Intangible assets, net",
        "other_assets": "Other assets", "payables": "Accounts payable", "accrued": "Accrued expenses",
        "deferred_revenue": "Deferred revenue", "current_debt": "Current part of long-term debt", "long_debt": "Long-term debt",
        "lease_debt": "Lease liabilities", "deferred_tax": "Deferred income taxes", "other_debts": "Other liabilities",
        "paid_in": "Common stock and paid-in capital", "retained": "Retained earnings", "treasury": "Treasury stock, at cost",
        "accumulated_other": "Accumulated other comprehensive loss",
    }  # fmt: skip
    pair = (2025, 2024)

    def rows(keys: Iterable[str]) -> list[tuple[str, list[int | str]]]:
        return [(names[key], [books[y].sheet[key] for y in pair]) for key in keys]

    def total(name: str, keys: Iterable[str]) -> tuple[str, list[int | str]]:
        keys = tuple(keys)
        return (name, [sum(books[y].sheet[key] for key in keys) for y in pair])

    current, owed = fig.ASSETS[:4], fig.LIABILITIES[:4]
    out.append(
        figures(
            ("", "2025", "2024"),
            [
                ("Assets", []),
                *rows(current),
                total("Total current assets", current),
                *rows(fig.ASSETS[4:]),
                total("Total assets", fig.ASSETS),
                ("Liabilities and equity", []),
                *rows(owed),
                total("Total current liabilities", owed),
                *rows(fig.LIABILITIES[4:]),
                total("Total liabilities", fig.LIABILITIES),
                *rows(fig.EQUITY),
                total("Total equity", fig.EQUITY),
                total("Total liabilities and equity", (*fig.LIABILITIES, *fig.EQUITY)),
            ],
            totals=(
                "Total current assets",
                "Total assets",
                "Total current liabilities",
                "Total liabilities",
                "Total equity",
                "Total liabilities and equity",
            ),
            dollars=("Total assets", "Total liabilities and equity"),
        )
    )
    out.append(text("The accompanying notes are an integral part of these statements.", CAPTION))
    flows = {
        "net_income": "Net income", "depreciation": "Depreciation", "amortization": "Amortization of intangible assets",
        "stock_comp": "Compensation in shares", "tax_deferred": "Deferred income taxes", "receivables": "Accounts receivable",
        "inventories": "Inventories", "prepaid": "Prepaid expenses and other", "other_assets": "Other assets",
        "payables": "Accounts payable", "accrued": "Accrued expenses", "deferred_revenue": "Deferred revenue",
        "other_debts": "Other liabilities",
    }  # fmt: skip
    out += [
        *_part("Consolidated Statements of Cash Flows", ()),
        text(f"{THOUSANDS}; years ended December 31", CAPTION),
    ]
    out.append(
        figures(
            HEADS,
            [
                ("Operating activities", []),
                *((name, [books[y].flow[key] for y in YEARS]) for key, name in flows.items()),
                ("Net cash provided by operating activities", [books[y].flow["operating"] for y in YEARS]),
                ("Investing activities", []),
                ("Capital expenditure", [books[y].flow["capex"] for y in YEARS]),
                ("Businesses and intangible assets bought", [books[y].flow["acquired"] for y in YEARS]),
                ("Net cash used in investing activities", [books[y].flow["investing"] for y in YEARS]),
                ("Financing activities", []),
                ("Proceeds from stock options", [books[y].flow["options"] for y in YEARS]),
                ("Repayment of debt", [books[y].flow["repaid"] for y in YEARS]),
                ("Dividends paid", [books[y].flow["dividends"] for y in YEARS]),
                ("Purchases of treasury stock", [books[y].flow["buybacks"] for y in YEARS]),
                ("Net cash used in financing activities", [books[y].flow["financing"] for y in YEARS]),
                ("Change in cash and cash equivalents", [books[y].flow["change"] for y in YEARS]),
                ("Cash and cash equivalents, January 1", [books[y].flow["opening_cash"] for y in YEARS]),
                ("Cash and cash equivalents, December 31", [books[y].sheet["cash"] for y in YEARS]),
            ],
            totals=(
                "Net cash provided by operating activities",
                "Net cash used in investing activities",
                "Net cash used in financing activities",
                "Cash and cash equivalents, December 31",
            ),
            dollars=("Cash and cash equivalents, December 31",),
        )
    )
    out += [*_part("Consolidated Statements of Changes in Equity", ()), text(THOUSANDS, CAPTION)]
    lines: list[tuple[str, list[int | str]]] = []
    for y in reversed(YEARS):
        book, move = books[y], fig.MOVES[y]
        after = [book.sheet[key] for key in fig.EQUITY]
        opening = [
            after[0] - move["stock_comp"] - move["options"],
            after[1] - book.net_income + move["dividends"],
            after[2] + move["buybacks"],
            after[3] - move["translation"],
        ]
        changes = {
            f"Net income {y}": (0, book.net_income, 0, 0),
            f"Dividends {y}": (0, -move["dividends"], 0, 0),
            f"Compensation in shares {y}": (move["stock_comp"], 0, 0, 0),
            f"Stock options used {y}": (move["options"], 0, 0, 0),
            f"Treasury stock bought {y}": (0, 0, -move["buybacks"], 0),
            f"Translation {y}": (0, 0, 0, move["translation"]),
        }
        lines.append((f"Balance, January 1, {y}", [*opening, sum(opening)]))
        lines += [(name, [*row, sum(row)]) for name, row in changes.items()]
        assert [a + sum(row[i] for row in changes.values()) for i, a in enumerate(opening)] == after
    closing = [now.sheet[key] for key in fig.EQUITY]
    lines.append(("Balance, December 31, 2025", [*closing, sum(closing)]))
    out.append(
        figures(
            ("", "Paid-in", "Retained", "Treasury", "Other", "Total"),
            lines,
            totals=("Balance, December 31, 2025", *(f"Balance, January 1, {y}" for y in YEARS)),
        )
    )
    return out


def _governance() -> list[Flowable]:
    out = _part("Corporate Governance", words.GOVERNANCE)
    out.append(text("Members of the Board", H2))
    for name, age, since, role, past in words.DIRECTORS:
        out.append(
            text(f"{name}, {age}, {role}, has been a member since {since}. {name.split()[-1]} {past}.")
        )
    out += _part("Report of the Audit Committee", more.AUDIT_COMMITTEE)
    out += [*_part("Compensation of Executives", words.COMPENSATION), text(f"{THOUSANDS}; 2025", CAPTION)]
    out.append(
        figures(
            ("", "Salary", "Bonus", "Shares", "Total"),
            [(name, [*row, sum(row)]) for name, row in words.PAY],
            wide=230,
        )
    )
    return out


def _subsidiaries() -> list[Flowable]:
    return [
        *_part(
            "Subsidiaries",
            ("The company owns, directly or through others, all shares of the subsidiaries listed here.",),
        ),
        grid((("Name", "Seat", "Purpose"), *more.SUBSIDIARIES), (210, 150, 108)),
    ]


def _history(books: dict[int, Year]) -> list[Flowable]:
    earlier = {
        2022: (934_610, 84_205, 1.38), 2021: (861_275, 75_410, 1.24), 2020: (792_340, 58_925, 0.97), 2019: (818_055, 69_880, 1.15),
        2018: (776_490, 64_315, 1.06), 2017: (731_820, 57_240, 0.95), 2016: (694_155, 51_965, 0.86),
    }  # fmt: skip
    rows: list[tuple[str, list[int | str]]] = [
        (str(y), [books[y].revenue, books[y].net_income, f"$ {books[y].eps_diluted}"]) for y in YEARS
    ]
    rows += [(str(y), [revenue, net, f"$ {eps:.2f}"]) for y, (revenue, net, eps) in earlier.items()]
    return [
        *_part("Ten Years at a Glance", ()),
        text(f"{THOUSANDS}, except amounts per share", CAPTION),
        figures(("Year", "Revenue", "Net income", "Diluted earnings per share"), rows, wide=120),
        text("Information for Shareholders", H2),
        text(
            "The annual meeting will be held at 10 a.m. on May 14, 2026 in Cold Spring, Vermont. Shareholders of record on March 20, 2026 may "
            "vote. Dividends are usually paid in the last week of March, June, September and December."
        ),
        text(
            "Our transfer agent keeps the register of shareholders and answers questions about certificates and the plan under which "
            "dividends can be put into new shares. Copies of this report are sent free of charge on request to the secretary of the company."
        ),
    ]


def _glossary() -> list[Flowable]:
    return _part("Glossary", (f"{term}. {meaning}" for term, meaning in words.GLOSSARY), "two", COLUMN)
