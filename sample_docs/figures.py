"""The accounts of Tamsen Valley Instruments, an invented company: three years in which every sum adds up.

Inputs are chosen, everything else follows: the cash flow statement is derived from the income statement and
the balance sheets, so cash, equity and total assets tie by construction (and `check` says so).
Amounts are thousands of US dollars unless named otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, field

YEARS = (2025, 2024, 2023)  # in the order of the columns

SEGMENTS = ("Flow Measurement", "Laboratory Systems", "Grid Sensing", "Services")
SEGMENT_REVENUE = {
    "Flow Measurement": (471_905, 438_120, 412_350),
    "Laboratory Systems": (296_340, 301_775, 286_410),
    "Grid Sensing": (263_480, 204_660, 168_905),
    "Services": (168_750, 152_935, 141_220),
}
SEGMENT_INCOME = {
    "Flow Measurement": (94_662, 83_114, 74_223),
    "Laboratory Systems": (47_414, 51_302, 47_831),
    "Grid Sensing": (60_331, 40_385, 29_220),
    "Services": (42_477, 35_310, 29_656),
}
REGIONS = ("United States", "Canada and Mexico", "Europe", "Asia and Pacific", "Rest of the world")
REGION_SHARE = {
    2025: (462, 81, 254, 158),
    2024: (471, 84, 252, 149),
    2023: (480, 85, 249, 143),
}  # per mille; rest last
QUARTER_SHARE = {2025: (231, 246, 253), 2024: (234, 247, 251)}

COST_SHARE = {2025: 580, 2024: 590, 2023: 600}  # per mille of revenue


@dataclass
class Year:
    year: int
    revenue: int
    cost_of_revenue: int
    research: int
    selling: int
    amortization: int
    restructuring: int
    interest_expense: int
    interest_income: int
    other: int
    tax_current: int
    tax_deferred: int
    basic_shares: int  # thousands, weighted
    diluted_shares: int
    sheet: dict[str, int] = field(default_factory=dict)
    flow: dict[str, int] = field(default_factory=dict)
    translation: int = 0

    @property
    def gross_profit(self) -> int:
        return self.revenue - self.cost_of_revenue

    @property
    def operating_income(self) -> int:
        return self.gross_profit - self.research - self.selling - self.amortization - self.restructuring

    @property
    def pretax(self) -> int:
        return self.operating_income - self.interest_expense + self.interest_income + self.other

    @property
    def tax(self) -> int:
        return self.tax_current + self.tax_deferred

    @property
    def net_income(self) -> int:
        return self.pretax - self.tax

    @property
    def eps(self) -> str:
        return f"{self.net_income / self.basic_shares:.2f}"

    @property
    def eps_diluted(self) -> str:
        return f"{self.net_income / self.diluted_shares:.2f}"

    @property
    def corporate(self) -> int:
        """Costs that belong to no segment."""
        segments = sum(SEGMENT_INCOME[name][YEARS.index(self.year)] for name in SEGMENTS)
        return self.operating_income + self.amortization + self.restructuring - segments

    @property
    def total_debt(self) -> int:
        return self.sheet["current_debt"] + self.sheet["long_debt"]


ASSETS = (
    "cash",
    "receivables",
    "inventories",
    "prepaid",
    "property",
    "leases",
    "goodwill",
    "intangibles",
    "other_assets",
)
LIABILITIES = (
    "payables",
    "accrued",
    "deferred_revenue",
    "current_debt",
    "long_debt",
    "lease_debt",
    "deferred_tax",
    "other_debts",
)
EQUITY = ("paid_in", "retained", "treasury", "accumulated_other")
WORKING = (
    "receivables",
    "inventories",
    "prepaid",
    "other_assets",
    "payables",
    "accrued",
    "deferred_revenue",
    "other_debts",
)

OPENING = {
    "cash": 96_340, "receivables": 158_220, "inventories": 137_905, "prepaid": 21_480, "property": 268_310,
    "leases": 41_200, "goodwill": 302_650, "intangibles": 118_440, "other_assets": 24_115,
    "payables": 84_730, "accrued": 92_615, "deferred_revenue": 38_240, "current_debt": 30_000, "long_debt": 415_000,
    "lease_debt": 41_200, "deferred_tax": 33_910, "other_debts": 27_380,
    "retained": 284_760, "treasury": -61_500, "accumulated_other": -18_220,
}  # fmt: skip

# Year-end balances that are chosen, and the movements from which the others follow.
CHOSEN = {
    2023: {"receivables": 166_905, "inventories": 142_330, "prepaid": 22_715, "other_assets": 25_040, "payables": 88_415,
           "accrued": 95_180, "deferred_revenue": 41_365, "other_debts": 26_850, "leases": 39_850, "lease_debt": 39_850},
    2024: {"receivables": 178_640, "inventories": 149_275, "prepaid": 24_160, "other_assets": 25_910, "payables": 93_705,
           "accrued": 101_340, "deferred_revenue": 46_020, "other_debts": 27_415, "leases": 43_120, "lease_debt": 43_120},
    2025: {"receivables": 194_385, "inventories": 151_860, "prepaid": 25_330, "other_assets": 27_245, "payables": 97_260,
           "accrued": 108_955, "deferred_revenue": 52_780, "other_debts": 26_940, "leases": 45_675, "lease_debt": 45_675},
}  # fmt: skip
MOVES = {
    2023: {"capex": 46_850, "depreciation": 38_120, "goodwill": 0, "intangibles": 4_300, "stock_comp": 14_210,
           "options": 5_120, "repaid": 30_000, "dividends": 29_482, "buybacks": 20_000, "translation": -3_415},
    2024: {"capex": 52_415, "depreciation": 40_385, "goodwill": 31_400, "intangibles": 18_900, "stock_comp": 16_340,
           "options": 6_045, "repaid": 30_000, "dividends": 33_429, "buybacks": 25_000, "translation": 2_180},
    2025: {"capex": 58_930, "depreciation": 43_270, "goodwill": 0, "intangibles": 5_150, "stock_comp": 18_675,
           "options": 7_310, "repaid": 45_000, "dividends": 38_632, "buybacks": 40_000, "translation": 4_095},
}  # fmt: skip
CURRENT_DEBT = {2023: 30_000, 2024: 45_000, 2025: 50_000}


def _year(year: int) -> Year:
    at = YEARS.index(year)
    revenue = sum(SEGMENT_REVENUE[name][at] for name in SEGMENTS)
    pick = {
        2023: (76_675, 163_440, 17_630, 0, 24_310, 2_115, -1_020, 27_315, -1_180, 61_420, 62_180),
        2024: (83_960, 174_500, 18_245, 6_400, 22_870, 3_480, 645, 35_140, -2_060, 61_905, 62_740),
        2025: (93_040, 186_075, 18_910, 3_150, 19_640, 4_905, -380, 46_230, 1_415, 62_310, 63_215),
    }[year]
    cost = round(revenue * COST_SHARE[year] / 1000)
    return Year(year, revenue, cost, *pick)


def accounts() -> dict[int, Year]:
    years = {year: _year(year) for year in YEARS}
    opening = dict(OPENING)
    opening["paid_in"] = sum(opening[name] for name in ASSETS) - sum(
        opening[name] for name in (*LIABILITIES, "retained", "treasury", "accumulated_other")
    )
    before = opening
    for year in reversed(YEARS):
        book, move = years[year], MOVES[year]
        after = dict(before) | CHOSEN[year]
        after["property"] = before["property"] + move["capex"] - move["depreciation"]
        after["goodwill"] = before["goodwill"] + move["goodwill"] + move["translation"]
        after["intangibles"] = before["intangibles"] + move["intangibles"] - book.amortization
        after["current_debt"] = CURRENT_DEBT[year]
        after["long_debt"] = (
            before["long_debt"] + before["current_debt"] - move["repaid"] - CURRENT_DEBT[year]
        )
        after["deferred_tax"] = before["deferred_tax"] + book.tax_deferred
        after["paid_in"] = before["paid_in"] + move["stock_comp"] + move["options"]
        after["retained"] = before["retained"] + book.net_income - move["dividends"]
        after["treasury"] = before["treasury"] - move["buybacks"]
        after["accumulated_other"] = before["accumulated_other"] + move["translation"]
        flow = {
            "net_income": book.net_income,
            "depreciation": move["depreciation"],
            "amortization": book.amortization,
            "stock_comp": move["stock_comp"],
            "tax_deferred": book.tax_deferred,
        }
        for name in WORKING:
            change = after[name] - before[name]
            flow[name] = change if name in LIABILITIES else -change
        operating = sum(flow.values())
        investing = -move["capex"] - move["goodwill"] - move["intangibles"]
        financing = move["options"] - move["repaid"] - move["dividends"] - move["buybacks"]
        after["cash"] = before["cash"] + operating + investing + financing
        flow |= {
            "operating": operating, "capex": -move["capex"], "acquired": -move["goodwill"] - move["intangibles"],
            "investing": investing, "options": move["options"], "repaid": -move["repaid"],
            "dividends": -move["dividends"], "buybacks": -move["buybacks"], "financing": financing,
            "change": operating + investing + financing, "opening_cash": before["cash"],
        }  # fmt: skip
        book.sheet, book.flow, book.translation = after, flow, move["translation"]
        before = after
    check(years)
    return years


def check(years: dict[int, Year]) -> None:
    for book in years.values():
        assets = sum(book.sheet[name] for name in ASSETS)
        claims = sum(book.sheet[name] for name in (*LIABILITIES, *EQUITY))
        assert assets == claims, (book.year, assets, claims)
        assert book.operating_income > 0
        assert book.sheet["cash"] > 0


def shares(total: int, parts: tuple[int, ...]) -> tuple[int, ...]:
    """`total` cut by per-mille parts, the remainder last, so that the parts add up to it."""
    cut = [round(total * part / 1000) for part in parts]
    return (*cut, total - sum(cut))


if __name__ == "__main__":
    for book in accounts().values():
        print(
            book.year, book.revenue, book.gross_profit, book.operating_income, book.net_income, book.eps, book.eps_diluted,
            "tax", round(book.tax / book.pretax, 3), "corp", book.corporate, "cash", book.sheet["cash"],
            "debt", book.total_debt, "ocf", book.flow["operating"], "assets", sum(book.sheet[n] for n in ASSETS), book.sheet["paid_in"],
        )  # fmt: skip
