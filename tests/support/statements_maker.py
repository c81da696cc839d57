"""A made company's statements in three unlike layouts, each from the same kind of figures.

`american`: millions, newest year first, expenses as plain figures, one line of years under one of dates.
`european`: thousands, oldest year first, expenses in brackets, notes, lines summed by rows without a label.
`retail`: whole dates as heads, years that end in January, a column of changes, subtotals called otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from longleaf.ingest.document import Document
from tests.support.plain_documents import plain_document

Figures = Mapping[str, int]  # in the statements' unit; shares as well

NOW: Figures = {
    "revenue": 48210,
    "cogs": 30114,
    "sga": 7905,
    "rnd": 2511,
    "operating_expenses": 40530,
    "operating_income": 7680,
    "interest_expense": 412,
    "pretax": 7268,
    "tax": 1599,
    "net_income": 5669,
    "nci": 60,
    "attributable": 5609,
    "cash": 3120,
    "sti": 1415,
    "receivables": 5230,
    "inventory": 4410,
    "other_current": 905,
    "current_assets": 15080,
    "ppe": 11240,
    "goodwill": 6600,
    "other_assets": 2080,
    "total_assets": 35000,
    "payables": 3905,
    "accrued": 2210,
    "short_debt": 1150,
    "current_liabilities": 7265,
    "long_debt": 8800,
    "other_liabilities": 2935,
    "total_liabilities": 19000,
    "equity": 15600,
    "nci_equity": 400,
    "total_equity": 16000,
    "dna": 1890,
    "cfo": 8025,
    "capex": 2340,
    "cfi": -2795,
    "dividends": 1710,
    "repurchases": 2200,
    "cff": -4410,
    "shares": 1250,
}
BEFORE: Figures = {
    "revenue": 44105,
    "cogs": 28002,
    "sga": 7411,
    "rnd": 2307,
    "operating_expenses": 37720,
    "operating_income": 6385,
    "interest_expense": 433,
    "pretax": 5952,
    "tax": 1250,
    "net_income": 4702,
    "nci": 52,
    "attributable": 4650,
    "cash": 2300,
    "sti": 1200,
    "receivables": 4870,
    "inventory": 4020,
    "other_current": 830,
    "current_assets": 13220,
    "ppe": 10710,
    "goodwill": 6600,
    "other_assets": 1970,
    "total_assets": 32500,
    "payables": 3515,
    "accrued": 2105,
    "short_debt": 980,
    "current_liabilities": 6600,
    "long_debt": 9100,
    "other_liabilities": 2700,
    "total_liabilities": 18400,
    "equity": 13750,
    "nci_equity": 350,
    "total_equity": 14100,
    "dna": 1765,
    "cfo": 7011,
    "capex": 2115,
    "cfi": -2420,
    "dividends": 1540,
    "repurchases": 1400,
    "cff": -3990,
    "shares": 1275,
}


@dataclass(frozen=True)
class Layout:
    name: str
    scale: str
    year: int
    make: Callable[[Collection[str]], Document]


Line = tuple[str, str, int]  # label, key, sign it is printed with; an empty key is a heading
WIDTH, PLACE = 62, 16


def _number(value: int) -> str:
    return f"({abs(value):,})" if value < 0 else f"{value:,}"


def _table(
    lines: list[Line], years: list[Figures], without: Collection[str], changes: bool = False, factor: int = 1
) -> list[str]:
    out = []
    for label, key, sign in lines:
        if not key:
            out.append(label)
        elif key not in without:
            cells = [f"{_number(sign * year[key] * factor):>{PLACE}}" for year in years]
            if changes:
                cells.append(f"{100 * (years[0][key] - years[1][key]) / abs(years[1][key]):>{PLACE}.1f}%")
            out.append(f"{label:<{WIDTH}}" + "".join(cells))
    return out


def _heads(*columns: str) -> str:
    return " " * WIDTH + "".join(f"{column:>{PLACE}}" for column in columns)


def american(without: Collection[str] = ()) -> Document:
    years = [NOW, BEFORE]
    heads = [_heads("December 31,", "December 31,"), _heads("2022", "2021")]
    income: list[Line] = [
        ("Total net revenue", "revenue", 1),
        ("Cost of goods sold", "cogs", 1),
        ("Selling, general and administrative", "sga", 1),
        ("Research and development", "rnd", 1),
        ("Total costs and expenses", "operating_expenses", 1),
        ("Operating income", "operating_income", 1),
        ("Interest expense", "interest_expense", -1),
        ("Income before income taxes", "pretax", 1),
        ("Provision for income taxes", "tax", 1),
        ("Net income", "net_income", 1),
        ("Less: Net income attributable to noncontrolling interests", "nci", 1),
        ("Net income attributable to Acorn Industries", "attributable", 1),
        ("Weighted-average shares outstanding, diluted", "shares", 1),
    ]
    balance: list[Line] = [
        ("Assets", "", 1),
        ("Current assets:", "", 1),
        ("Cash and cash equivalents", "cash", 1),
        ("Short-term investments", "sti", 1),
        ("Accounts receivable, net of allowances of $12 and $10", "receivables", 1),
        ("Inventories", "inventory", 1),
        ("Prepaid expenses and other current assets", "other_current", 1),
        ("Total current assets", "current_assets", 1),
        ("Property, plant and equipment, net", "ppe", 1),
        ("Goodwill", "goodwill", 1),
        ("Other assets", "other_assets", 1),
        ("Total assets", "total_assets", 1),
        ("Liabilities and equity", "", 1),
        ("Current liabilities:", "", 1),
        ("Accounts payable", "payables", 1),
        ("Accrued liabilities", "accrued", 1),
        ("Current portion of long-term debt", "short_debt", 1),
        ("Total current liabilities", "current_liabilities", 1),
        ("Long-term debt", "long_debt", 1),
        ("Other liabilities", "other_liabilities", 1),
        ("Total liabilities", "total_liabilities", 1),
        ("Total Acorn Industries stockholders' equity", "equity", 1),
        ("Noncontrolling interests", "nci_equity", 1),
        ("Total equity", "total_equity", 1),
    ]
    cash: list[Line] = [
        ("Cash flows from operating activities:", "", 1),
        ("Net income", "net_income", 1),
        ("Depreciation and amortization", "dna", 1),
        ("Net cash provided by operating activities", "cfo", 1),
        ("Cash flows from investing activities:", "", 1),
        ("Purchases of property, plant and equipment", "capex", -1),
        ("Net cash used in investing activities", "cfi", 1),
        ("Cash flows from financing activities:", "", 1),
        ("Dividends paid", "dividends", -1),
        ("Repurchases of common stock", "repurchases", -1),
        ("Net cash used in financing activities", "cff", 1),
    ]
    unit = "(In millions, except per share data)"
    pages = [
        "\n".join(["ACORN INDUSTRIES", title, unit, *period, *heads, *_table(lines, years, without)])
        for title, period, lines in (
            ("CONSOLIDATED STATEMENTS OF INCOME", ["Years Ended"], income),
            ("CONSOLIDATED BALANCE SHEETS", [], balance),
            ("CONSOLIDATED STATEMENTS OF CASH FLOWS", ["Years Ended"], cash),
        )
    ]
    return plain_document(["Acorn Industries, Annual Report on Form 10-K", *pages], "acorn_2022_10k.pdf")


def european(without: Collection[str] = ()) -> Document:
    years = [BEFORE, NOW]
    head = _heads("2021", "2022")
    income: list[Line] = [
        ("Net sales (Note 2)", "revenue", 1),
        ("Cost of sales", "cogs", -1),
        ("Selling, general and administrative expenses", "sga", -1),
        ("Research and development expenses (Note 5)", "rnd", -1),
        ("Total operating expenses", "operating_expenses", -1),
        ("Operating profit", "operating_income", 1),
        ("Interest expense, net", "interest_expense", -1),
        ("Profit before tax", "pretax", 1),
        ("Income tax expense", "tax", -1),
        ("Profit for the year", "net_income", 1),
        ("Net income attributable to shareholders of Birch plc", "attributable", 1),
        ("Weighted average number of shares - diluted", "shares", 1),
    ]
    balance: list[Line] = [
        ("ASSETS", "", 1),
        ("Property, plant and equipment, net (Note 9)", "ppe", 1),
        ("Goodwill", "goodwill", 1),
        ("Other non-current assets", "other_assets", 1),
        ("Current assets", "", 1),
        ("Inventories, net", "inventory", 1),
        ("Trade receivables, net", "receivables", 1),
        ("Other current assets", "other_current", 1),
        ("Short-term investments", "sti", 1),
        ("Cash and cash equivalents", "cash", 1),
        ("Total current assets", "current_assets", 1),
        ("Total assets", "total_assets", 1),
        ("EQUITY AND LIABILITIES", "", 1),
        ("Total Birch plc shareholders' equity", "equity", 1),
        ("Non-controlling interests", "nci_equity", 1),
        ("Total equity", "total_equity", 1),
        ("Long-term debt, less current portion", "long_debt", 1),
        ("Other non-current liabilities", "other_liabilities", 1),
        ("Current liabilities", "", 1),
        ("Short-term debt", "short_debt", 1),
        ("Trade payables", "payables", 1),
        ("Accruals and other", "accrued", 1),
        ("Total current liabilities", "current_liabilities", 1),
        ("Total liabilities", "total_liabilities", 1),
    ]
    cash: list[Line] = [
        ("Net income", "net_income", 1),
        ("Depreciation, amortization and impairment", "dna", 1),
        ("Net cash flows from operating activities", "cfo", 1),
        ("Capital expenditures", "capex", -1),
        ("Net cash flows used in investing activities", "cfi", 1),
        ("Payment of dividends to shareholders", "dividends", -1),
        ("Purchase of treasury shares", "repurchases", -1),
        ("Net cash flows used in financing activities", "cff", 1),
    ]
    pages = [
        "\n".join(
            [
                title,
                "Birch plc and Subsidiaries",
                f"{when}",
                f"{unit:<{WIDTH}}{head.strip():>{2 * PLACE}}".replace("2021  ", "2021  "),
                *_table(lines, years, without, factor=1),
            ]
        )
        for title, when, unit, lines in (
            ("Consolidated Income Statement", "For the years ended June 30,", "($ in thousands)", income),
            ("Consolidated Statement of Financial Position", "At June 30,", "($ in thousands)", balance),
            (
                "Consolidated Statement of Cash Flows",
                "For the years ended June 30,",
                "($ in thousands)",
                cash,
            ),
        )
    ]
    return plain_document(["Birch plc", *pages], "birch_2022_annual_report.pdf")


def retail(without: Collection[str] = ()) -> Document:
    years = [NOW, BEFORE]
    heads = _heads("January 29, 2022", "January 30, 2021", "% Change").replace(
        "2021        % Change", "2021        % Change"
    )
    income: list[Line] = [
        ("Net revenues", "revenue", 1),
        ("Costs of goods sold", "cogs", -1),
        ("Selling, general & administrative expenses", "sga", -1),
        ("Research & development", "rnd", -1),
        ("Total costs and expenses", "operating_expenses", -1),
        ("Earnings from operations", "operating_income", 1),
        ("Interest and debt expense", "interest_expense", -1),
        ("Earnings before income taxes", "pretax", 1),
        ("Income tax expense", "tax", -1),
        ("Net earnings", "net_income", 1),
        ("Net earnings attributable to Cedar Stores, Inc.", "attributable", 1),
        ("Diluted weighted-average common shares", "shares", 1),
    ]
    balance: list[Line] = [
        ("Current assets", "", 1),
        ("Cash and cash equivalents", "cash", 1),
        ("Marketable securities", "sti", 1),
        ("Receivables, less allowance for doubtful accounts", "receivables", 1),
        ("Merchandise inventories", "inventory", 1),
        ("Other current assets", "other_current", 1),
        ("Total current assets", "current_assets", 1),
        ("Net property and equipment", "ppe", 1),
        ("Goodwill", "goodwill", 1),
        ("Other assets", "other_assets", 1),
        ("Total assets", "total_assets", 1),
        ("Current liabilities", "", 1),
        ("Accounts payable", "payables", 1),
        ("Accrued expenses", "accrued", 1),
        ("Short-term borrowings", "short_debt", 1),
        ("Total current liabilities", "current_liabilities", 1),
        ("Long-term debt", "long_debt", 1),
        ("Other long-term liabilities", "other_liabilities", 1),
        ("Total liabilities", "total_liabilities", 1),
        ("Total Cedar Stores, Inc. shareholders' equity", "equity", 1),
        ("Total equity", "total_equity", 1),
    ]
    cash: list[Line] = [
        ("Operating activities", "", 1),
        ("Net earnings", "net_income", 1),
        ("Depreciation and amortization", "dna", 1),
        ("Total cash provided by operating activities", "cfo", 1),
        ("Investing activities", "", 1),
        ("Additions to property and equipment, net of $3 and $4, respectively, of non-cash", "", 1),
        ("capital expenditures", "capex", -1),
        ("Total cash used in investing activities", "cfi", 1),
        ("Financing activities", "", 1),
        ("Cash dividends paid", "dividends", -1),
        ("Common shares repurchased", "repurchases", -1),
        ("Total cash used in financing activities", "cff", 1),
    ]
    pages = [
        "\n".join([title, "$ in millions", *period, heads, *_table(lines, years, without, changes=True)])
        for title, period, lines in (
            ("Consolidated Statements of Earnings", ["Fiscal Years Ended"], income),
            ("Consolidated Balance Sheets", [], balance),
            ("Consolidated Statements of Cash Flows", ["Fiscal Years Ended"], cash),
        )
    ]
    return plain_document(["Cedar Stores, Inc.", *pages], "cedar_stores_2022.pdf")


LAYOUTS = (
    Layout("american", "million", 2022, american),
    Layout("european", "thousand", 2022, european),
    Layout("retail", "million", 2022, retail),
)
