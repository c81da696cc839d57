"""Every standard measure on three made statements of unlike layout, unit and sign; and without an operand."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import pytest

from longleaf.app.calculate import answer_figures
from longleaf.app.calculate.ratios import RATIOS
from longleaf.app.schema import Statement
from longleaf.ingest.document import Document
from tests.support.statements_maker import BEFORE, LAYOUTS, NOW, Figures, Layout


def average(key: str) -> float:
    return (NOW[key] + BEFORE[key]) / 2


def debt(of: Figures) -> int:
    return of["short_debt"] + of["long_debt"]


def net_debt(of: Figures) -> int:
    return debt(of) - of["cash"] - of["sti"]


def nopat(of: Figures) -> float:
    return of["operating_income"] * (1 - of["tax"] / of["pretax"])


N = NOW
EBITDA = N["operating_income"] + N["dna"]
FCF = N["cfo"] - N["capex"]
QUICK = N["cash"] + N["sti"] + N["receivables"]
DSO = 365 * average("receivables") / N["revenue"]
DIO = 365 * average("inventory") / N["cogs"]
DPO = 365 * average("payables") / N["cogs"]
WORKING = N["current_assets"] - N["current_liabilities"]
AVERAGE_WORKING = (WORKING + BEFORE["current_assets"] - BEFORE["current_liabilities"]) / 2
PAYOUT = N["dividends"] / N["attributable"]
ROE = N["attributable"] / average("equity")

# name: how people call it, the value (percentages as such), the line that it cannot do without
EXPECTED: dict[str, tuple[str, float, str]] = {
    "gross_margin": ("gross margin", 100 * (N["revenue"] - N["cogs"]) / N["revenue"], "cogs"),
    "operating_margin": (
        "operating profit margin",
        100 * N["operating_income"] / N["revenue"],
        "operating_income",
    ),
    "net_margin": ("net profit margin", 100 * N["net_income"] / N["revenue"], "revenue"),
    "pretax_margin": ("pretax margin", 100 * N["pretax"] / N["revenue"], "pretax"),
    "ebitda_margin": ("EBITDA % margin", 100 * EBITDA / N["revenue"], "dna"),
    "cfo_margin": ("operating cash flow margin", 100 * N["cfo"] / N["revenue"], "cfo"),
    "fcf_margin": ("free cash flow margin", 100 * FCF / N["revenue"], "capex"),
    "cogs_margin": ("COGS % margin", 100 * N["cogs"] / N["revenue"], "cogs"),
    "sga_margin": ("SG&A ratio", 100 * N["sga"] / N["revenue"], "sga"),
    "rnd_margin": ("R&D intensity", 100 * N["rnd"] / N["revenue"], "rnd"),
    "dna_margin": ("depreciation and amortization margin", 100 * N["dna"] / N["revenue"], "dna"),
    "operating_ratio": (
        "operating expense ratio",
        100 * N["operating_expenses"] / N["revenue"],
        "operating_expenses",
    ),
    "capex_intensity": ("capex intensity", 100 * N["capex"] / N["revenue"], "capex"),
    "effective_tax_rate": ("effective tax rate", 100 * N["tax"] / N["pretax"], "tax"),
    "ebitda": ("EBITDA", EBITDA, "operating_income"),
    "nopat": ("NOPAT", round(nopat(N)), "tax"),
    "current_ratio": ("current ratio", N["current_assets"] / N["current_liabilities"], "current_assets"),
    "quick_ratio": ("quick ratio", QUICK / N["current_liabilities"], "receivables"),
    "cash_ratio": ("cash ratio", (N["cash"] + N["sti"]) / N["current_liabilities"], "cash"),
    "cfo_ratio": ("operating cash flow ratio", N["cfo"] / N["current_liabilities"], "current_liabilities"),
    "working_capital": ("net working capital", WORKING, "current_liabilities"),
    "working_capital_turnover": (
        "working capital turnover",
        N["revenue"] / AVERAGE_WORKING,
        "current_assets",
    ),
    "defensive_interval": (
        "defensive interval",
        365 * QUICK / (N["operating_expenses"] - N["dna"]),
        "receivables",
    ),
    "working_capital_to_assets": (
        "working capital to total assets",
        100 * WORKING / N["total_assets"],
        "total_assets",
    ),
    "dso": ("days sales outstanding", DSO, "receivables"),
    "dio": ("days inventory outstanding (DIO)", DIO, "inventory"),
    "dpo": ("DPO", DPO, "payables"),
    "ccc": ("cash conversion cycle", DIO + DSO - DPO, "payables"),
    "operating_cycle": ("operating cycle", DIO + DSO, "inventory"),
    "inventory_turnover": ("inventory turnover ratio", N["cogs"] / average("inventory"), "inventory"),
    "receivables_turnover": ("receivables turnover", N["revenue"] / average("receivables"), "receivables"),
    "payables_turnover": ("payables turnover", N["cogs"] / average("payables"), "payables"),
    "asset_turnover": ("asset turnover", N["revenue"] / average("total_assets"), "total_assets"),
    "fixed_asset_turnover": ("fixed asset turnover ratio", N["revenue"] / average("ppe"), "ppe"),
    "equity_turnover": ("equity turnover", N["revenue"] / average("equity"), "revenue"),
    "roa": ("return on assets", 100 * N["net_income"] / average("total_assets"), "total_assets"),
    "roe": ("return on equity", 100 * ROE, "equity"),
    "roic": (
        "return on invested capital",
        100 * nopat(N) / ((debt(N) + N["equity"] + debt(BEFORE) + BEFORE["equity"]) / 2),
        "pretax",
    ),
    "roce": (
        "return on capital employed",
        100 * N["operating_income"] / (N["total_assets"] - N["current_liabilities"]),
        "operating_income",
    ),
    "cash_roa": ("cash return on assets", 100 * N["cfo"] / average("total_assets"), "cfo"),
    "debt_to_equity": ("debt to equity ratio", debt(N) / N["equity"], "equity"),
    "debt_to_assets": ("debt to assets ratio", debt(N) / N["total_assets"], "total_assets"),
    "debt_to_capital": ("debt to capital ratio", 100 * debt(N) / (debt(N) + N["equity"]), "equity"),
    "debt_to_ebitda": ("debt to EBITDA", debt(N) / EBITDA, "dna"),
    "net_debt": ("net debt", net_debt(N), "cash"),
    "net_debt_to_ebitda": ("net debt to EBITDA", net_debt(N) / EBITDA, "cash"),
    "net_debt_to_equity": ("net gearing", net_debt(N) / N["equity"], "cash"),
    "liabilities_to_assets": (
        "liabilities to assets ratio",
        100 * N["total_liabilities"] / N["total_assets"],
        "total_assets",
    ),
    "liabilities_to_equity": ("liabilities to equity", N["total_liabilities"] / N["equity"], "equity"),
    "equity_ratio": ("equity ratio", 100 * N["equity"] / N["total_assets"], "total_assets"),
    "equity_multiplier": ("equity multiplier", N["total_assets"] / N["equity"], "total_assets"),
    "interest_coverage": (
        "interest coverage",
        N["operating_income"] / N["interest_expense"],
        "interest_expense",
    ),
    "ebitda_coverage": ("EBITDA coverage", EBITDA / N["interest_expense"], "interest_expense"),
    "cfo_to_debt": ("cash flow to debt ratio", 100 * N["cfo"] / debt(N), "cfo"),
    "long_term_debt_to_equity": ("long-term debt to equity", N["long_debt"] / N["equity"], "long_debt"),
    "capitalization_ratio": (
        "capitalization ratio",
        100 * N["long_debt"] / (N["long_debt"] + N["equity"]),
        "long_debt",
    ),
    "fixed_to_assets": ("fixed assets to total assets", 100 * N["ppe"] / N["total_assets"], "ppe"),
    "fcf": ("free cash flow", FCF, "capex"),
    "fcf_conversion": ("free cash flow conversion", 100 * FCF / N["net_income"], "cfo"),
    "capex_to_cfo": ("capex to operating cash flow", 100 * N["capex"] / N["cfo"], "capex"),
    "capex_coverage": ("capex coverage ratio", N["cfo"] / N["capex"], "capex"),
    "capex_to_dna": ("capex to depreciation", N["capex"] / N["dna"], "dna"),
    "payout": ("dividend payout ratio", 100 * PAYOUT, "dividends"),
    "retention": ("retention ratio", 100 * (1 - PAYOUT), "dividends"),
    "dividend_cover": ("dividend cover", 1 / PAYOUT, "dividends"),
    "total_payout": (
        "total payout ratio",
        100 * (N["dividends"] + N["repurchases"]) / N["attributable"],
        "repurchases",
    ),
    "earnings_quality": ("cash flow to net income ratio", N["cfo"] / N["net_income"], "cfo"),
    "sustainable_growth": ("sustainable growth rate", 100 * (1 - PAYOUT) * ROE, "dividends"),
    "revenue_per_share": ("revenue per share", N["revenue"] / N["shares"], "shares"),
    "cfo_per_share": ("operating cash flow per share", N["cfo"] / N["shares"], "shares"),
    "fcf_per_share": ("free cash flow per share", FCF / N["shares"], "shares"),
    "book_value_per_share": ("book value per share", N["equity"] / N["shares"], "shares"),
}


@cache
def made(layout: Layout, without: tuple[str, ...] = ()) -> Document:
    return layout.make(without)


def ask(document: Document, question: str) -> Statement | None:
    return answer_figures([document], question, lambda query, k: [])


def figure_of(answer: Statement) -> float:
    """The result: what stands after the last equals sign of the working."""
    found = re.search(r"−?\$?[\d,]+(?:\.\d+)?", answer.working.rsplit("=", 1)[1])
    assert found, answer.working
    return float(found.group(0).replace("−", "-").replace("$", "").replace(",", ""))


def test_the_table_has_every_standard_measure() -> None:
    assert set(EXPECTED) == {ratio.name for ratio in RATIOS}
    assert len(EXPECTED) >= 60


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@pytest.mark.parametrize("name", EXPECTED)
def test_a_measure_is_right_in_every_layout(name: str, layout: Layout) -> None:
    words, value, _ = EXPECTED[name]
    answer = ask(made(layout), f"What was the {words} in fiscal {layout.year}?")
    assert answer is not None and answer.status == "computed", answer
    decimals = (
        len(answer.working.rsplit(".", 1)[1].rstrip(" %days"))
        if "." in answer.working.rsplit("=", 1)[1]
        else 0
    )
    assert figure_of(answer) == pytest.approx(value, abs=0.51 * 10**-decimals), answer.working
    assert answer.citations
    pages = {page.page_index: page.text for page in made(layout).pages}
    for citation in answer.citations:
        assert pages[citation.page_index][citation.start : citation.end] == citation.quote


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@pytest.mark.parametrize("name", EXPECTED)
def test_a_measure_is_refused_without_an_operand(name: str, layout: Layout) -> None:
    words, _, needed = EXPECTED[name]
    without = {"equity": ("equity", "total_equity"), "net_income": ("net_income", "attributable")}.get(
        needed, (needed,)
    )
    answer = ask(made(layout, without), f"What was the {words} in fiscal {layout.year}?")
    assert answer is not None and answer.status == "not_found", answer
    assert answer.text.startswith("Not computed") and " needs " in answer.text
    assert not answer.working and not answer.citations


Expect = Callable[[], float]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@pytest.mark.parametrize(
    ("question", "value"),
    [
        (
            "By how much did revenue grow in percent from fiscal 2021 to fiscal 2022?",
            100 * (N["revenue"] / BEFORE["revenue"] - 1),
        ),
        ("What is the year-over-year change in capex?", 100 * (N["capex"] / BEFORE["capex"] - 1)),
        (
            "What is the inventory turnover? Inventory turnover is defined as: cost of sales / year-end "
            "inventories.",
            N["cogs"] / N["inventory"],
        ),
        (
            "What is the leverage index? Define leverage index as (total liabilities - cash) / total "
            "equity. Round to three decimals.",
            (N["total_liabilities"] - N["cash"]) / N["total_equity"],
        ),
        (
            "What is the DPO? DPO is defined as: 365 * (average accounts payable between FY2021 and "
            "FY2022) / (FY2022 COGS + change in inventory between FY2021 and FY2022).",
            365 * average("payables") / (N["cogs"] + N["inventory"] - BEFORE["inventory"]),
        ),
        (
            "What is the two year average of capex as a % of revenue? Round to one decimal place.",
            50 * (N["capex"] / N["revenue"] + BEFORE["capex"] / BEFORE["revenue"]),
        ),
        ("What was the ratio of long-term debt to total assets?", N["long_debt"] / N["total_assets"]),
        (
            "What was operating income plus depreciation and amortization, less capital expenditures, for "
            "2022?",
            EBITDA - N["capex"],
        ),
    ],
)
def test_formulas_of_the_question(question: str, value: float, layout: Layout) -> None:
    answer = ask(made(layout), question)
    assert answer is not None and answer.status == "computed", answer
    assert figure_of(answer) == pytest.approx(value, abs=0.051 if value < 100 else 0.51)
