"""The notes to the accounts of the sample annual report; their tables tie to the statements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from reportlab.platypus import CondPageBreak, Flowable

from sample_docs import figures as fig
from sample_docs.figures import REGIONS, SEGMENT_INCOME, SEGMENT_REVENUE, SEGMENTS, YEARS, Year
from sample_docs.layout import CAPTION, H2, REPORT, figures, text

Rows = Sequence[tuple[str, Sequence[int | str]]]
HEADS = ("", *(str(year) for year in YEARS))
PAIR = (2025, 2024)
PAIR_HEADS = ("", "2025", "2024")
GOODWILL = {
    2025: {
        "Flow Measurement": 121_300,
        "Laboratory Systems": 88_400,
        "Grid Sensing": 89_910,
        "Services": 37_300,
    },
    2024: {
        "Flow Measurement": 119_640,
        "Laboratory Systems": 87_200,
        "Grid Sensing": 89_085,
        "Services": 36_890,
    },
}


def _split(total: int, parts: tuple[int, ...], names: Sequence[str]) -> dict[str, int]:
    return dict(zip(names, fig.shares(total, parts), strict=True))


def _breakdown(
    books: dict[int, Year], key: str, names: Sequence[str], parts: tuple[int, ...], total: str
) -> Rows:
    cut = {y: _split(books[y].sheet[key], parts, names) for y in PAIR}
    return [
        *((name, [cut[y][name] for y in PAIR]) for name in names),
        (total, [books[y].sheet[key] for y in PAIR]),
    ]


def build(books: dict[int, Year], part: Callable[[str, Iterable[str]], list[Flowable]]) -> list[Flowable]:
    now, before = books[2025], books[2024]
    out = part("Notes to the Consolidated Financial Statements", ())
    number = 0

    def note(title: str, *lines: str) -> None:
        nonlocal number
        number += 1
        out.extend(
            [CondPageBreak(150), text(f"Note {number}. {title}", H2), *(text(line, REPORT) for line in lines)]
        )

    def table(
        heads: Sequence[str], rows: Rows, *totals: str, caption: str = "In thousands of US dollars"
    ) -> None:
        out.extend([text(caption, CAPTION), figures(heads, rows, totals=totals)])

    note(
        "The Company and the Basis of Presentation",
        "Tamsen Valley Instruments, Inc. makes and services instruments for flow, composition and the state of power lines. The consolidated "
        "statements include the company and all subsidiaries that it controls. Transactions among them have been eliminated.",
        "The statements conform to accounting principles generally accepted in the United States. Management has to make estimates in "
        "preparing them; actual amounts may differ. Certain amounts of earlier years have been regrouped to agree with the "
        "presentation of 2025, without effect on net income.",
    )
    note(
        "Summary of Significant Accounting Policies",
        "Revenue. We recognize revenue when a customer obtains control of what we promised. For instruments this is usually on delivery; for "
        "contracts of service it is over their term; for long projects it is as work proceeds, measured by the share of the expected "
        "total cost that has been incurred.",
        "Cash and cash equivalents. These are cash and deposits with banks, and investments that mature within three months of their purchase.",
        "Receivables. Accounts receivable are shown less an allowance for losses that we expect over their life, based on experience, on the age "
        "of the amounts and on what we know about the customer.",
        "Inventories. Inventories are carried at the lower of cost, on the basis of first in, first out, and net realizable value.",
        "Property, plant and equipment. These are carried at cost less depreciation, which is charged in equal amounts over the useful life: "
        "fifteen to forty years for buildings, five to twelve years for machines, and three to five years for tools and computers.",
        "Goodwill and intangible assets. Goodwill is not amortized but tested for impairment every October and when there is reason to. Other "
        "intangible assets are amortized in equal amounts over four to fifteen years.",
        "Leases. We recognize an asset and a liability for every lease longer than twelve months, at the present value of the payments.",
        "Income taxes. Deferred taxes are recognized for differences between the accounts and the tax returns, at the rates expected to apply when "
        "the differences reverse.",
        "Currencies. Accounts of subsidiaries are kept in their own currency and translated at the rate of the balance sheet date, income and "
        "expense at average rates. The differences are part of other comprehensive income.",
        "Compensation in shares. Grants are measured at their fair value on the day of the grant and charged to expense over the time in "
        "which they vest.",
        "Shipping. The cost of shipping goods to customers is part of the cost of revenue.",
    )
    note(
        "New Accounting Rules",
        "In 2025 we adopted the rule on the disclosure of income taxes, which calls for more detail in the note on taxes. Two rules that "
        "have been issued, on the breakdown of expenses and on software for internal use, take effect in 2027 and 2028. We are studying them and "
        "do not expect an effect on net income.",
    )
    note(
        "Revenue",
        "The tables below break revenue down by the time at which it is recognized and by the place of the customer.",
    )
    point = {y: fig.shares(books[y].revenue, (712, 141)) for y in YEARS}
    table(
        HEADS,
        [
            ("At a point in time", [point[y][0] for y in YEARS]),
            ("Over time: contracts of service", [point[y][1] for y in YEARS]),
            ("Over time: long projects", [point[y][2] for y in YEARS]),
            ("Total revenue", [books[y].revenue for y in YEARS]),
        ],
        "Total revenue",
    )
    regions = {y: fig.shares(books[y].revenue, fig.REGION_SHARE[y]) for y in YEARS}
    table(
        HEADS,
        [
            *((name, [regions[y][at] for y in YEARS]) for at, name in enumerate(REGIONS)),
            ("Total revenue", [books[y].revenue for y in YEARS]),
        ],
        "Total revenue",
    )
    out.append(
        text(
            f"Deferred revenue was ${now.sheet['deferred_revenue']:,} thousand at the end of 2025 and ${before.sheet['deferred_revenue']:,} thousand a "
            "year earlier; about nine tenths of the earlier amount was recognized as revenue in 2025."
        )
    )
    note(
        "Segments",
        "The chief executive decides on the use of resources on the basis of segment income, which is operating income before amortization, "
        "restructuring and the costs of the head office. Sales between segments are small and are made at market prices.",
    )
    for year in YEARS:
        at = YEARS.index(year)
        table(
            (str(year), "Revenue", "Segment income", "Depreciation"),
            [
                *(
                    (name, [SEGMENT_REVENUE[name][at], SEGMENT_INCOME[name][at], wear])
                    for name, wear in zip(
                        SEGMENTS, fig.shares(fig.MOVES[year]["depreciation"], (420, 235, 205)), strict=True
                    )
                ),
                (
                    "All segments",
                    [
                        books[year].revenue,
                        sum(SEGMENT_INCOME[n][at] for n in SEGMENTS),
                        fig.MOVES[year]["depreciation"],
                    ],
                ),
                ("Head office", ["", books[year].corporate]),
                ("Amortization of intangible assets", ["", -books[year].amortization]),
                ("Restructuring", ["", -books[year].restructuring]),
                ("Operating income", ["", books[year].operating_income]),
            ],
            "All segments",
            "Operating income",
        )
    note(
        "Earnings per Share",
        "Diluted earnings per share take account of options and of shares that have not yet vested.",
    )
    table(
        HEADS,
        [
            ("Net income", [books[y].net_income for y in YEARS]),
            ("Average shares, basic", [books[y].basic_shares for y in YEARS]),
            (
                "Effect of options and unvested shares",
                [books[y].diluted_shares - books[y].basic_shares for y in YEARS],
            ),
            ("Average shares, diluted", [books[y].diluted_shares for y in YEARS]),
            ("Basic earnings per share", [f"$ {books[y].eps}" for y in YEARS]),
            ("Diluted earnings per share", [f"$ {books[y].eps_diluted}" for y in YEARS]),
        ],
        "Average shares, diluted",
        caption="In thousands, except amounts per share",
    )
    note(
        "Accounts Receivable",
        "No customer owed more than five percent of accounts receivable at the end of either year. Amounts more than ninety days overdue were "
        "$4.9 million in 2025 and $5.3 million in 2024.",
    )
    gross = {2025: 4_310, 2024: 4_165}
    table(
        PAIR_HEADS,
        [
            ("Accounts receivable, gross", [books[y].sheet["receivables"] + gross[y] for y in PAIR]),
            ("Allowance for expected losses", [-gross[y] for y in PAIR]),
            ("Accounts receivable, net", [books[y].sheet["receivables"] for y in PAIR]),
        ],
        "Accounts receivable, net",
    )
    note(
        "Inventories",
        "Inventories are shown after write-downs, which amounted to $6.2 million in 2025 and $5.4 million in 2024.",
    )
    table(
        PAIR_HEADS,
        _breakdown(
            books,
            "inventories",
            ("Raw materials and parts", "Work in process", "Finished goods"),
            (438, 267),
            "Inventories",
        ),
        "Inventories",
    )
    note(
        "Property, Plant and Equipment",
        "The additions of 2025 were mainly the second hall at Tallis Ferry and the automated line at Cold Spring.",
    )
    worn = {2025: 318_240, 2024: 287_615}
    gross_parts = {y: fig.shares(books[y].sheet["property"] + worn[y], (46, 352, 527)) for y in PAIR}
    table(
        PAIR_HEADS,
        [
            *(
                (name, [gross_parts[y][at] for y in PAIR])
                for at, name in enumerate(
                    ("Land", "Buildings", "Machines and equipment", "Construction in progress")
                )
            ),
            ("Cost", [books[y].sheet["property"] + worn[y] for y in PAIR]),
            ("Accumulated depreciation", [-worn[y] for y in PAIR]),
            ("Property, plant and equipment, net", [books[y].sheet["property"] for y in PAIR]),
        ],
        "Cost",
        "Property, plant and equipment, net",
    )
    out.append(
        text(
            f"Depreciation was ${fig.MOVES[2025]['depreciation']:,} thousand in 2025 and ${fig.MOVES[2024]['depreciation']:,} thousand in 2024."
        )
    )
    for year in PAIR:
        assert sum(GOODWILL[year].values()) == books[year].sheet["goodwill"], books[year].sheet["goodwill"]
    note(
        "Goodwill",
        "Goodwill changed in 2025 only through the translation of currencies. In 2024 it rose by $31.4 million when we bought Ohmfield "
        "Networks, a maker of line sensors. The test of October 2025 showed no impairment.",
    )
    table(
        PAIR_HEADS,
        [
            *((name, [GOODWILL[y][name] for y in PAIR]) for name in SEGMENTS),
            ("Goodwill", [books[y].sheet["goodwill"] for y in PAIR]),
        ],
        "Goodwill",
    )
    note(
        "Intangible Assets",
        f"Amortization was ${now.amortization:,} thousand in 2025. It should be about $18 million in 2026 and fall by about a tenth in each later year.",
    )
    table(
        PAIR_HEADS,
        _breakdown(
            books,
            "intangibles",
            ("Customer relationships", "Technology", "Trademarks and other"),
            (486, 379),
            "Intangible assets, net",
        ),
        "Intangible assets, net",
    )
    note(
        "Leases",
        "We lease offices, calibration rooms, some plants and vehicles. The cost of leases was $14.1 million in 2025 and $13.2 million in 2024. The "
        "average remaining term was 5.2 years, and the average discount rate 5.1 percent.",
    )
    interest = 52_130 - now.sheet["lease_debt"]
    table(
        ("Payments due", "Amount"),
        [
            ("2026", [12_840]),
            ("2027", [11_060]),
            ("2028", [8_970]),
            ("2029", [6_950]),
            ("Later", [12_310]),
            ("Total payments", [52_130]),
            ("Interest contained in them", [-interest]),
            ("Lease liabilities", [now.sheet["lease_debt"]]),
        ],
        "Total payments",
        "Lease liabilities",
    )
    note("Accrued Expenses", "Accrued expenses consist of the following.")
    table(
        PAIR_HEADS,
        _breakdown(
            books,
            "accrued",
            ("Pay and bonuses", "Warranties", "Taxes other than on income", "Dealer rebates", "Other"),
            (448, 141, 127, 108),
            "Accrued expenses",
        ),
        "Accrued expenses",
    )
    note(
        "Warranties",
        "Instruments carry a warranty of two years, line sensors one of five years. The special case of 2025 is the pressure cells mentioned in "
        "the letter to shareholders; the work on them was completed in November.",
    )
    warranty = {y: fig.shares(books[y].sheet["accrued"], (448, 141, 127, 108))[1] for y in PAIR}
    claims = -13_480
    table(
        ("", "2025"),
        [
            ("Balance, January 1", [warranty[2024]]),
            ("Provided in the year", [warranty[2025] - warranty[2024] - claims - 2_150]),
            ("Special case: pressure cells", [2_150]),
            ("Used for repairs", [claims]),
            ("Balance, December 31", [warranty[2025]]),
        ],
        "Balance, December 31",
    )
    note(
        "Debt",
        "The term loan bears interest at a floating rate, 5.3 percent at the end of 2025, and is repaid in yearly parts until 2029. The senior notes "
        "bear interest at 4.85 percent and fall due in March 2032. The agreements limit net debt to 3.5 times earnings before interest, taxes, "
        "depreciation and amortization. We complied with all conditions in both years.",
        "A revolving credit line of $200 million is open until May 2029. Nothing was drawn at the end of either year.",
    )
    table(
        PAIR_HEADS,
        [
            ("Term loan", [books[y].total_debt - 150_000 for y in PAIR]),
            ("Senior notes, 4.85 percent", [150_000, 150_000]),
            ("Total debt", [books[y].total_debt for y in PAIR]),
            ("Current part", [-books[y].sheet["current_debt"] for y in PAIR]),
            ("Long-term debt", [books[y].sheet["long_debt"] for y in PAIR]),
        ],
        "Total debt",
        "Long-term debt",
    )
    note(
        "Financial Instruments",
        "We sell forward part of the euros and kroner that we expect to receive within twelve months. The nominal amount of such contracts was "
        "$58.0 million at the end of 2025, and their fair value was a liability of $0.6 million. The fair value of the senior notes, "
        "from quoted prices, was $146.2 million.",
    )
    note(
        "Income Taxes",
        "The provision differs from the amount at the federal rate of 21 percent for the following reasons.",
    )
    federal = {y: round(books[y].pretax * 0.21) for y in YEARS}
    state = {2025: 6_905, 2024: 5_430, 2023: 4_610}
    foreign = {2025: 2_240, 2024: 1_730, 2023: 1_085}
    credits = {2025: -3_960, 2024: -3_415, 2023: -3_120}
    table(
        HEADS,
        [
            ("Tax at 21 percent", [federal[y] for y in YEARS]),
            ("State taxes", [state[y] for y in YEARS]),
            ("Foreign rates", [foreign[y] for y in YEARS]),
            ("Credits for research", [credits[y] for y in YEARS]),
            ("Other", [books[y].tax - federal[y] - state[y] - foreign[y] - credits[y] for y in YEARS]),
            ("Provision for income taxes", [books[y].tax for y in YEARS]),
            ("Of which current", [books[y].tax_current for y in YEARS]),
            ("Of which deferred", [books[y].tax_deferred for y in YEARS]),
        ],
        "Provision for income taxes",
    )
    note(
        "Pensions and Other Benefits",
        "Two plans, in the United States and in Denmark, promise pensions to about 1,900 people. Both are closed to new members. Other employees save "
        "in plans to which we contributed $17.6 million in 2025 and $16.1 million in 2024.",
    )
    obligations, assets = {2025: -96_420, 2024: -98_115}, {2025: 88_260, 2024: 87_035}
    table(
        PAIR_HEADS,
        [
            ("Pension obligations", [obligations[y] for y in PAIR]),
            ("Assets of the plans", [assets[y] for y in PAIR]),
            ("Shortfall, part of other liabilities", [obligations[y] + assets[y] for y in PAIR]),
        ],
        "Shortfall, part of other liabilities",
    )
    note(
        "Compensation in Shares",
        f"The expense was ${fig.MOVES[2025]['stock_comp']:,} thousand in 2025 and ${fig.MOVES[2024]['stock_comp']:,} thousand in 2024. At the end of 2025 "
        "$24.8 million of expense for grants not yet vested remained, to be recognized over 1.9 years on average.",
    )
    table(
        ("", "Shares in thousands", "Value at grant"),
        [
            ("Not vested, January 1, 2025", [1_412, "$ 31.20"]),
            ("Granted", [468, "$ 44.65"]),
            ("Vested", [-431, "$ 27.85"]),
            ("Forfeited", [-52, "$ 33.10"]),
            ("Not vested, December 31, 2025", [1_397, "$ 36.68"]),
        ],
        "Not vested, December 31, 2025",
        caption="Number of shares, and dollars per share",
    )
    note(
        "Equity",
        "The company may issue 150 million shares of common stock with a par value of $0.01. The board has allowed purchases of up to $150 million of "
        f"shares until the end of 2027. Purchases were ${fig.MOVES[2025]['buybacks']:,} thousand in 2025; $85 million remained available at year-end.",
    )
    note(
        "Restructuring",
        "The charge of 2025 is for closing the assembly shop in Brandle; that of 2024 for joining the sales forces in Germany. Of the charge of 2025, "
        "$0.7 million was unpaid at year-end.",
    )
    table(
        PAIR_HEADS,
        [
            ("Severance", [1_840, 4_950]),
            ("Moving of equipment", [905, 380]),
            ("Other", [books[y].restructuring - paid for y, paid in zip(PAIR, (2_745, 5_330), strict=True)]),
            ("Restructuring", [books[y].restructuring for y in PAIR]),
        ],
        "Restructuring",
    )
    note(
        "Acquisition",
        "On May 6, 2024 we bought all shares of Ohmfield Networks AS of Oslo, Norway, for $50.3 million in cash. Goodwill of $31.4 million, which stands for "
        "its people and for sales that we hope to make together, is not deductible for tax.",
    )
    table(
        ("", "Amount"),
        [
            ("Technology", [12_600]),
            ("Customer relationships", [6_300]),
            ("Goodwill", [31_400]),
            ("Purchase price", [50_300]),
        ],
        "Purchase price",
    )
    note(
        "Commitments and Contingencies",
        "Firm orders to suppliers amounted to $102.5 million at the end of 2025. Banks have given guarantees of $23.7 million for us, mostly for projects in "
        "Grid Sensing.",
        "We have set aside $3.8 million for the cleaning of the ground at two former sites. The cost could be higher by up to $2.5 million.",
        "Orrin Flow Technologies claims that our ultrasonic meters infringe two patents. No provision has been made, for the reasons given under "
        "Legal Proceedings.",
    )
    note(
        "Events after the Balance Sheet Date",
        "On January 28, 2026 the board raised the quarterly dividend from $0.155 to $0.175 a share. On February 9, 2026 we agreed to sell the "
        "building in Brandle for $4.4 million. We have considered events up to February 20, 2026.",
    )
    return out
