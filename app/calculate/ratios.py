"""The standard measures: what they are called, how each is computed, and how its result is given.

A formula names line items and other measures; "average X" is the mean of the year's end and the one before,
"change in X" the year's value less that of the year before, "prior X" that of the year before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Unit = Literal["percent", "times", "days", "amount", "per_share"]


@dataclass(frozen=True, slots=True)
class Ratio:
    """`better` is +1 where more is better, -1 where less is, 0 where it depends."""

    name: str
    title: str
    asked: re.Pattern[str]
    formula: str
    unit: Unit
    better: int = 0


def _ratio(name: str, title: str, asked: str, formula: str, unit: Unit, better: int = 0) -> Ratio:
    return Ratio(
        name, title, re.compile(rf"(?<![\w-])(?:{asked})(?![\w-])", re.IGNORECASE), formula, unit, better
    )


_M = r"(?: %| percent(?:age)?| pct)?[- ](?:profit )?(?:margins?|rate)(?: profile| rate| percentage| %)?"
_TURN = r"turnover(?: ratio| rate)?"

RATIOS: tuple[Ratio, ...] = (
    # --- margins ---
    _ratio(
        "gross_margin",
        "Gross margin",
        rf"gross(?: profit)?{_M}|gross profitability",
        "gross_profit / revenue",
        "percent",
        1,
    ),
    _ratio(
        "operating_margin",
        "Operating margin",
        rf"(?:unadjusted )?(?:operating(?: income| profit)?|ebit|income from operations){_M}|return on sales",
        "operating_income / revenue",
        "percent",
        1,
    ),
    _ratio(
        "net_margin",
        "Net profit margin",
        rf"net(?: profit| income| earnings)?{_M}|(?:after-tax )?profit margins?(?: ratio)?",
        "net_income / revenue",
        "percent",
        1,
    ),
    _ratio(
        "pretax_margin",
        "Pretax margin",
        rf"(?:pre-?tax|before-tax)(?: income| profit| earnings)?{_M}",
        "pretax_income / revenue",
        "percent",
        1,
    ),
    _ratio(
        "ebitda_margin", "EBITDA margin", rf"(?:unadjusted )?ebitda{_M}", "ebitda / revenue", "percent", 1
    ),
    _ratio(
        "cfo_margin",
        "Operating cash flow margin",
        rf"(?:operating cash ?flow|cash from operations|cash ?flow){_M}",
        "cfo / revenue",
        "percent",
        1,
    ),
    _ratio(
        "fcf_margin", "Free cash flow margin", rf"(?:free cash ?flow|fcf){_M}", "fcf / revenue", "percent", 1
    ),
    _ratio(
        "cogs_margin",
        "Cost of revenue to revenue",
        rf"(?:cogs|cost of (?:goods sold|sales|revenues?)){_M}|cost (?:of sales|of goods sold"
        rf"|of revenue) ratio",
        "cogs / revenue",
        "percent",
        -1,
    ),
    _ratio(
        "sga_margin",
        "SG&A to revenue",
        rf"(?:sg ?& ?a(?: expenses?)?|selling, general and administrative(?: expenses?)?){_M}"
        rf"|sg ?& ?a(?: expense)? ratio",
        "sga / revenue",
        "percent",
        -1,
    ),
    _ratio(
        "rnd_margin",
        "R&D to revenue",
        rf"(?:r ?& ?d(?: expenses?)?|research and development(?: expenses?)?){_M}|(?:r ?& ?d"
        rf"|research and development) intensity",
        "rnd / revenue",
        "percent",
    ),
    _ratio(
        "dna_margin",
        "Depreciation and amortization to revenue",
        rf"(?:depreciation and amortization|d ?& ?a)(?: expenses?)?{_M}",
        "dna / revenue",
        "percent",
    ),
    _ratio(
        "operating_ratio",
        "Operating expense ratio",
        r"operating (?:expense )?ratio|opex ratio",
        "operating_expenses / revenue",
        "percent",
        -1,
    ),
    _ratio(
        "capex_intensity",
        "Capital expenditure to revenue",
        rf"capex{_M}|capital (?:expenditures?|spending) (?:intensity|ratio)|capital intensity(?: ratio)?"
        rf"|capex (?:intensity|ratio)",
        "capex / revenue",
        "percent",
    ),
    _ratio(
        "effective_tax_rate",
        "Effective tax rate",
        r"effective (?:income )?tax rates?|tax rate|tax burden|rate of (?:income )?tax",
        "income_tax / pretax_income",
        "percent",
    ),
    # --- profit measures ---
    _ratio("ebitda", "EBITDA", r"(?:unadjusted )?ebitda", "operating_income + dna", "amount", 1),
    _ratio(
        "nopat",
        "NOPAT",
        r"nopat|net operating profit after tax(?:es)?",
        "operating_income * (1 - effective_tax_rate)",
        "amount",
        1,
    ),
    # --- liquidity ---
    _ratio(
        "current_ratio",
        "Current ratio",
        r"(?:current|working capital|liquidity) ratio",
        "current_assets / current_liabilities",
        "times",
        1,
    ),
    _ratio(
        "quick_ratio",
        "Quick ratio",
        r"(?:quick|acid[- ]test)(?: ratio)?",
        "(cash + opt short_term_investments + receivables) / current_liabilities",
        "times",
        1,
    ),
    _ratio(
        "cash_ratio",
        "Cash ratio",
        r"cash (?:ratio|coverage of current liabilities)",
        "(cash + opt short_term_investments) / current_liabilities",
        "times",
        1,
    ),
    _ratio(
        "cfo_ratio",
        "Operating cash flow ratio",
        r"(?:operating cash ?flow|cash from operations|ocf|cfo|cash ?flow) ratio",
        "cfo / current_liabilities",
        "times",
        1,
    ),
    _ratio(
        "working_capital",
        "Working capital",
        r"(?:net )?working capital|nwc",
        "current_assets - current_liabilities",
        "amount",
        1,
    ),
    _ratio(
        "working_capital_turnover",
        "Working capital turnover",
        rf"(?:net )?working capital {_TURN}",
        "revenue / average (current_assets - current_liabilities)",
        "times",
        1,
    ),
    _ratio(
        "defensive_interval",
        "Defensive interval",
        r"defensive interval(?: ratio)?",
        "365 * (cash + opt short_term_investments + receivables) / (operating_expenses - dna)",
        "days",
        1,
    ),
    _ratio(
        "working_capital_to_assets",
        "Working capital to total assets",
        r"working capital to (?:total )?assets(?: ratio)?",
        "working_capital / total_assets",
        "percent",
        1,
    ),
    # --- efficiency ---
    _ratio(
        "dso",
        "Days sales outstanding",
        r"days'? (?:of )?(?:sales|receivables?)(?: outstanding)?(?: \(dso\))?|dso|(?:receivables"
        r"|average) collection period|receivable days|days receivables?",
        "365 * average receivables / revenue",
        "days",
        -1,
    ),
    _ratio(
        "dio",
        "Days inventory outstanding",
        r"days'? (?:of |in |sales (?:of|in) )?inventor(?:y|ies)(?: outstanding| on hand)?(?: \(dio\))?|dio"
        r"|dsi|days sales in inventory|inventory days|inventory (?:holding )?period",
        "365 * average inventory / cogs",
        "days",
        -1,
    ),
    _ratio(
        "dpo",
        "Days payable outstanding",
        r"days'? (?:of )?(?:accounts )?payables?(?: outstanding)?(?: \(dpo\))?|dpo|payables? days"
        r"|(?:average )?payment period",
        "365 * average payables / cogs",
        "days",
    ),
    _ratio(
        "ccc",
        "Cash conversion cycle",
        r"cash conversion cycle(?: \(ccc\))?|ccc|operating cash cycle",
        "dio + dso - dpo",
        "days",
        -1,
    ),
    _ratio("operating_cycle", "Operating cycle", r"operating cycle", "dio + dso", "days", -1),
    _ratio(
        "inventory_turnover",
        "Inventory turnover",
        rf"inventor(?:y|ies) {_TURN}|stock turn"
        r"|how many times .{0,40}\b(?:sold|turn(?:ed|s)?(?: over)?|cycled?)\b.{0,20}\binventor(?:y|ies)",
        "cogs / average inventory",
        "times",
        1,
    ),
    _ratio(
        "receivables_turnover",
        "Receivables turnover",
        rf"(?:accounts )?receivables? {_TURN}|ar {_TURN}",
        "revenue / average receivables",
        "times",
        1,
    ),
    _ratio(
        "payables_turnover",
        "Payables turnover",
        rf"(?:accounts )?payables? {_TURN}|ap {_TURN}",
        "cogs / average payables",
        "times",
    ),
    _ratio(
        "asset_turnover",
        "Asset turnover",
        rf"(?:total )?assets? {_TURN}",
        "revenue / average total_assets",
        "times",
        1,
    ),
    _ratio(
        "fixed_asset_turnover",
        "Fixed asset turnover",
        rf"(?:net )?(?:fixed[- ]assets?|pp ?& ?e|property,? plant,? and equipment) {_TURN}",
        "revenue / average ppe",
        "times",
        1,
    ),
    _ratio("equity_turnover", "Equity turnover", rf"equity {_TURN}", "revenue / average equity", "times", 1),
    # --- returns ---
    _ratio(
        "roa",
        "Return on assets",
        r"return on (?:average )?(?:total )?assets(?: \(roa\))?|roa",
        "net_income / average total_assets",
        "percent",
        1,
    ),
    _ratio(
        "roe",
        "Return on equity",
        r"return on (?:average )?(?:common |shareholders'? |stockholders'? )?equity(?: \(roe\))?|roe",
        "net_income_attributable / average equity",
        "percent",
        1,
    ),
    _ratio(
        "roic",
        "Return on invested capital",
        r"return on (?:invested )?capital(?: \(roic\))?|roic",
        "nopat / average (total_debt + equity)",
        "percent",
        1,
    ),
    _ratio(
        "roce",
        "Return on capital employed",
        r"return on capital employed(?: \(roce\))?|roce",
        "operating_income / (total_assets - current_liabilities)",
        "percent",
        1,
    ),
    _ratio(
        "cash_roa",
        "Cash return on assets",
        r"cash return on (?:total )?assets|(?:operating )?cash flow to (?:total )?assets",
        "cfo / average total_assets",
        "percent",
        1,
    ),
    # --- leverage and coverage ---
    _ratio(
        "debt_to_equity",
        "Debt to equity",
        r"(?:total )?debt[- ]to[- ](?:shareholders'? |stockholders'? |total )?equity(?: ratio)?"
        r"|d/e(?: ratio)?|gearing(?: ratio)?|financial gearing",
        "total_debt / equity",
        "times",
        -1,
    ),
    _ratio(
        "debt_to_assets",
        "Debt to assets",
        r"(?:total )?debt[- ]to[- ](?:total )?assets?(?: ratio)?|debt ratio",
        "total_debt / total_assets",
        "times",
        -1,
    ),
    _ratio(
        "debt_to_capital",
        "Debt to capital",
        r"(?:total )?debt[- ]to[- ](?:total )?capital(?:ization)?(?: ratio)?",
        "total_debt / (total_debt + equity)",
        "percent",
        -1,
    ),
    _ratio(
        "debt_to_ebitda",
        "Debt to EBITDA",
        r"(?:gross |total )?(?:debt[- ](?:to[- ])?|debt/)ebitda(?: ratio)?|(?:gross )?leverage(?: ratio)?",
        "total_debt / ebitda",
        "times",
        -1,
    ),
    _ratio(
        "net_debt",
        "Net debt",
        r"net (?:financial )?(?:debt|borrowings|indebtedness)",
        "total_debt - cash - opt short_term_investments",
        "amount",
        -1,
    ),
    _ratio(
        "net_debt_to_ebitda",
        "Net debt to EBITDA",
        r"net (?:debt[- ](?:to[- ])?|debt/)ebitda(?: ratio)?|net leverage(?: ratio)?",
        "net_debt / ebitda",
        "times",
        -1,
    ),
    _ratio(
        "net_debt_to_equity",
        "Net debt to equity",
        r"net (?:debt[- ]to[- ]|debt/)equity(?: ratio)?|net gearing",
        "net_debt / equity",
        "times",
        -1,
    ),
    _ratio(
        "liabilities_to_assets",
        "Liabilities to assets",
        r"(?:total )?liabilities[- ]to[- ](?:total )?assets?(?: ratio)?",
        "total_liabilities / total_assets",
        "percent",
        -1,
    ),
    _ratio(
        "liabilities_to_equity",
        "Liabilities to equity",
        r"(?:total )?liabilities[- ]to[- ](?:total |shareholders'? )?equity(?: ratio)?",
        "total_liabilities / equity",
        "times",
        -1,
    ),
    _ratio(
        "equity_ratio",
        "Equity ratio",
        r"equity(?:[- ]to[- ](?:total )?assets?)?(?: ratio)",
        "equity / total_assets",
        "percent",
        1,
    ),
    _ratio(
        "equity_multiplier",
        "Equity multiplier",
        r"equity multiplier|financial leverage(?: ratio)?",
        "total_assets / equity",
        "times",
    ),
    _ratio(
        "interest_coverage",
        "Interest coverage",
        r"interest (?:coverage|cover)(?: ratio)?|times interest earned(?: ratio)?",
        "operating_income / interest_expense",
        "times",
        1,
    ),
    _ratio(
        "ebitda_coverage",
        "EBITDA interest coverage",
        r"ebitda (?:interest )?(?:coverage|cover)(?: ratio)?|ebitda[- ]to[- ]interest(?: ratio)?",
        "ebitda / interest_expense",
        "times",
        1,
    ),
    _ratio(
        "cfo_to_debt",
        "Operating cash flow to debt",
        r"(?:operating )?cash ?flow[- ]to[- ](?:total )?debt(?: ratio)?",
        "cfo / total_debt",
        "percent",
        1,
    ),
    _ratio(
        "long_term_debt_to_equity",
        "Long-term debt to equity",
        r"long[- ]term debt[- ]to[- ](?:total )?equity(?: ratio)?",
        "long_term_debt / equity",
        "times",
        -1,
    ),
    _ratio(
        "capitalization_ratio",
        "Long-term debt to capitalization",
        r"capitali[sz]ation ratio|long[- ]term debt[- ]to[- ]capitali[sz]ation(?: ratio)?",
        "long_term_debt / (long_term_debt + equity)",
        "percent",
        -1,
    ),
    _ratio(
        "fixed_to_assets",
        "Fixed assets to total assets",
        r"fixed assets?[- ]to[- ](?:total )?assets(?: ratio)?",
        "ppe / total_assets",
        "percent",
    ),
    # --- cash flow and payout ---
    _ratio(
        "fcf",
        "Free cash flow",
        r"(?:unadjusted )?free cash ?flows?(?: \(fcf\))?|fcf",
        "cfo - capex",
        "amount",
        1,
    ),
    _ratio(
        "fcf_conversion",
        "Free cash flow conversion",
        r"(?:free cash ?flow|fcf|cash) conversion(?: rate| ratio)?",
        "fcf / net_income",
        "percent",
        1,
    ),
    _ratio(
        "capex_to_cfo",
        "Capital expenditure to operating cash flow",
        r"capex[- ]to[- ](?:operating )?cash ?flow(?: ratio)?",
        "capex / cfo",
        "percent",
    ),
    _ratio(
        "capex_coverage",
        "Capital expenditure coverage",
        r"cap(?:ital )?ex(?:penditures?)? coverage(?: ratio)?",
        "cfo / capex",
        "times",
        1,
    ),
    _ratio(
        "capex_to_dna",
        "Capital expenditure to depreciation",
        r"(?:capex|capital expenditures?)[- ]to[- ](?:depreciation(?: and amortization)?"
        r"|d ?& ?a)(?: ratio)?|reinvestment ratio",
        "capex / dna",
        "times",
    ),
    _ratio(
        "payout",
        "Dividend payout ratio",
        r"dividend[- ]pay-?out(?: ratio)?|pay-?out ratio",
        "dividends_paid / net_income_attributable",
        "percent",
    ),
    _ratio(
        "retention",
        "Retention ratio",
        r"(?:earnings )?(?:retention|plowback) (?:ratio|rate)",
        "1 - dividends_paid / net_income_attributable",
        "percent",
    ),
    _ratio(
        "dividend_cover",
        "Dividend cover",
        r"dividend cover(?:age)?(?: ratio)?",
        "net_income_attributable / dividends_paid",
        "times",
        1,
    ),
    _ratio(
        "total_payout",
        "Total payout ratio",
        r"total (?:shareholder )?pay-?out(?: ratio)?",
        "(dividends_paid + repurchases) / net_income_attributable",
        "percent",
    ),
    _ratio(
        "earnings_quality",
        "Cash flow to net income",
        r"(?:operating )?cash ?flow[- ]to[- ]net income(?: ratio)?|quality of (?:earnings|income)(?: ratio)?",
        "cfo / net_income",
        "times",
        1,
    ),
    _ratio(
        "sustainable_growth",
        "Sustainable growth rate",
        r"sustainable growth(?: rate)?",
        "retention * roe",
        "percent",
        1,
    ),
    # --- per share ---
    _ratio(
        "revenue_per_share",
        "Revenue per share",
        r"(?:revenues?|sales) per share",
        "revenue / shares_diluted",
        "per_share",
        1,
    ),
    _ratio(
        "cfo_per_share",
        "Operating cash flow per share",
        r"(?:operating )?cash ?flow per share",
        "cfo / shares_diluted",
        "per_share",
        1,
    ),
    _ratio(
        "fcf_per_share",
        "Free cash flow per share",
        r"(?:free cash ?flow|fcf) per share",
        "fcf / shares_diluted",
        "per_share",
        1,
    ),
    _ratio(
        "book_value_per_share",
        "Book value per share",
        r"book value per share|bvps",
        "equity / shares_diluted",
        "per_share",
        1,
    ),
)
BY_NAME = {ratio.name: ratio for ratio in RATIOS}
