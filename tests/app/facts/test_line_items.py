"""Rows of statements in many companies' manners: which of them is a line item, and which is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from longleaf.app.facts.figures.line_items import BY_NAME
from longleaf.app.facts.figures.operands import Missing, find_operand
from longleaf.app.facts.figures.periods import Period
from longleaf.app.facts.figures.statements import report_of
from longleaf.ingest.document import Document
from tests.support.plain_documents import plain_document

INDUSTRIAL = """Consolidated Statement of Income
Years ended December 31
(Millions, except per share amounts)  2018  2017  2016
Net sales  $ 32,765  $ 31,657  $ 30,109
Operating expenses
Cost of sales  16,682  16,055  15,118
Selling, general and administrative expenses  7,602  6,626  6,311
Research, development and related expenses  1,821  1,870  1,764
Gain on sale of businesses  (547)  (586)  (111)
Total operating expenses  25,558  23,965  23,082
Operating income  7,207  7,692  7,027
Other expense (income), net  207  144  (26)
Income before income taxes  7,000  7,548  7,053
Provision for income taxes  1,637  2,679  1,995
Net income including noncontrolling interest  $ 5,363  $ 4,869  $ 5,058
Less: Net income attributable to noncontrolling interest  14  11  8
Net income attributable to Fir Industries  $ 5,349  $ 4,858  $ 5,050
Earnings per share attributable to Fir Industries common shareholders — basic  $ 9.09  $ 8.13  $ 8.35
Earnings per share attributable to Fir Industries common shareholders — diluted  $ 8.89  $ 7.93  $ 8.16"""
INDUSTRIAL_BALANCE = """Consolidated Balance Sheet
At December 31
(Dollars in millions, except per share amount)  2018  2017
Assets
Current assets
Cash and cash equivalents  $ 2,853  $ 3,053
Marketable securities — current  380  1,076
Accounts receivable — net of allowances of $95 and $103  5,020  4,911
Inventories
Finished goods  2,120  1,915
Work in process  1,292  1,218
Raw materials and supplies  954  901
Total inventories  4,366  4,034
Prepaids  741  937
Total current assets  13,709  14,277
Property, plant and equipment  24,873  24,914
Less: Accumulated depreciation  (16,135)  (16,048)
Property, plant and equipment — net  8,738  8,866
Goodwill  10,051  10,513
Total assets  $ 36,500  $ 37,987
Liabilities
Current liabilities
Short-term borrowings and current portion of long-term debt  $ 1,211  $ 1,853
Accounts payable  2,266  1,945
Total current liabilities  7,244  7,687
Long-term debt  13,411  12,096
Total liabilities  26,652  26,365
Total Fir Industries shareholders' equity  9,796  11,563
Noncontrolling interest  52  59
Total equity  $ 9,848  $ 11,622"""
STORES = """Grove Stores Inc.
Consolidated Statements of Income
Fiscal Years Ended January 31,
(Amounts in millions, except per share data)  2018  2017  2016
Revenues:
Net sales  $ 495,761  $ 481,317  $ 478,614
Membership and other income  4,582  4,556  3,516
Total revenues  500,343  485,873  482,130
Costs and expenses:
Cost of sales  373,396  361,256  360,984
Operating, selling, general and administrative expenses  106,510  101,853  97,041
Operating income  20,437  22,764  24,105
Interest:
Debt  1,978  2,044  2,027
Finance, capital lease and financing obligations  352  323  521
Interest income  (152)  (100)  (81)
Interest, net  2,178  2,267  2,467
Income before income taxes  15,123  20,497  21,638
Provision for income taxes  4,600  6,204  6,558
Consolidated net income  10,523  14,293  15,080
Consolidated net income attributable to noncontrolling interest  (661)  (650)  (386)
Consolidated net income attributable to Grove  $ 9,862  $ 13,643  $ 14,694"""
RESORT = """HAZEL RESORTS
CONSOLIDATED STATEMENTS OF OPERATIONS
(In thousands, except per share data)
Year Ended December 31,
2018  2017  2016
Revenues
Casino  $ 5,753,150  $ 5,611,671  $ 5,116,421
Rooms  2,212,573  2,152,741  2,035,655
Food and beverage  1,959,021  1,871,679  1,655,505
9,924,744  9,636,091  8,807,581
Expenses
Casino  3,199,775  3,061,000  2,800,000
General and administrative  1,764,638  1,559,575  1,379,013
4,964,413  4,620,575  4,179,013
Operating income  1,469,486  1,712,527  2,079,199
Interest expense, net of amounts capitalized  (769,513)  (668,745)  (694,773)
Net income  583,894  2,088,065  1,236,000"""
FOODS = """Ivy Foods, Inc. and Subsidiaries
Consolidated Statements of Earnings
(In Millions, Except per Share Data)
Fiscal Year
2019  2018  2017
Net sales  $ 16,865.2  $ 15,740.4  $ 15,619.8
Cost of sales  11,108.4  10,304.8  10,052.0
Selling, general, and administrative expenses  2,935.8  2,850.1  2,888.8
Operating profit  2,515.9  2,419.9  2,492.1
Interest, net  521.8  373.7  295.1
Net earnings, including earnings of noncontrolling interests  1,786.2  2,163.0  1,701.1
Net earnings attributable to Ivy Foods  $ 1,752.7  $ 2,131.0  $ 1,657.5
Earnings per share - basic  $ 2.92  $ 3.69  $ 2.82
Earnings per share - diluted  $ 2.90  $ 3.64  $ 2.77"""
FOODS_BALANCE = """Ivy Foods, Inc. and Subsidiaries
Consolidated Balance Sheets
(In Millions, Except Par Value)
May 26, 2019  May 27, 2018
Cash and cash equivalents  $ 450.0  $ 399.0
Receivables  1,679.7  1,684.2
Inventories  1,559.3  1,642.2
Total current assets  4,186.5  4,123.7
Land, buildings, and equipment  3,787.2  4,047.2
Total assets  $ 30,111.2  $ 30,624.0
Accounts payable  $ 2,854.1  $ 2,746.2
Current portion of long-term debt  1,396.5  1,600.1
Notes payable  1,468.7  1,549.8
Total current liabilities  7,087.1  7,341.9
Long-term debt  11,624.8  12,668.7
Total equity  7,367.7  6,492.4"""
FOODS_CASH = """Ivy Foods, Inc. and Subsidiaries
Consolidated Statements of Cash Flows
(In Millions)
Fiscal Year
2019  2018  2017
Net earnings, including earnings of noncontrolling interests  $ 1,786.2  $ 2,163.0  $ 1,701.1
Depreciation and amortization  620.1  618.8  603.6
Net cash provided by operating activities  2,807.0  2,841.0  2,415.2
Purchases of land, buildings, and equipment  (537.6)  (622.7)  (684.4)
Proceeds from disposal of land, buildings, and equipment  14.3  1.4  4.2
Net cash used by investing activities  (556.5)  (8,685.4)  (646.2)
Dividends paid  (1,181.7)  (1,139.7)  (1,135.1)
Purchases of common stock for treasury  (1.1)  (601.6)  (1,651.5)
Net cash used by financing activities  (2,176.4)  5,445.5  (1,645.1)"""
DEVICES = """Juniper Devices
CONSOLIDATED STATEMENTS OF OPERATIONS
(In millions)
Years ended
September 25,  September 26,
2021  2020
Net sales:
Products  $ 297,392  $ 220,747
Services  68,425  53,768
Total net sales  365,817  274,515
Cost of sales:
Products  192,266  151,286
Services  20,715  18,273
Total cost of sales  212,981  169,559
Gross margin  152,836  104,956
Total operating expenses  43,887  38,668
Operating income  108,949  66,288
Provision for income taxes  14,527  9,680
Net income  $ 94,680  $ 57,411"""
PAGES: dict[str, list[str]] = {
    "industrial": [INDUSTRIAL, INDUSTRIAL_BALANCE],
    "stores": [STORES],
    "resort": [RESORT],
    "foods": [FOODS, FOODS_BALANCE, FOODS_CASH],
    "devices": [DEVICES],
}


def document(name: str) -> Document:
    return plain_document(["A cover.", *PAGES[name]], f"{name}.pdf")


@pytest.mark.parametrize(
    ("name", "line", "figures"),
    [
        ("industrial", "revenue", "32,765"),
        ("industrial", "cogs", "16,682"),
        ("industrial", "rnd", "1,821"),
        ("industrial", "sga", "7,602"),
        ("industrial", "operating_expenses", "25,558"),
        ("industrial", "operating_income", "7,207"),
        ("industrial", "net_income", "5,363"),
        ("industrial", "net_income_attributable", "5,349"),
        ("industrial", "eps_diluted", "8.89"),
        ("industrial", "eps_basic", "9.09"),
        ("industrial", "inventory", "4,366"),
        ("industrial", "receivables", "5,020"),
        ("industrial", "ppe", "8,738"),
        ("industrial", "short_term_investments", "380"),
        ("industrial", "total_debt", "1,211 13,411"),
        ("industrial", "equity", "9,796"),
        ("industrial", "total_equity", "9,848"),
        ("stores", "revenue", "500,343"),
        ("stores", "net_sales", "495,761"),
        ("stores", "cogs", "373,396"),
        ("stores", "interest_expense", "2,178"),
        ("stores", "net_income", "10,523"),
        ("stores", "net_income_attributable", "9,862"),
        ("resort", "revenue", "9,924,744"),
        ("resort", "ga", "1,764,638"),
        ("resort", "interest_expense", "(769,513)"),
        ("foods", "net_income", "1,786.2"),
        ("foods", "net_income_attributable", "1,752.7"),
        ("foods", "eps_diluted", "2.90"),
        ("foods", "interest_expense", "521.8"),
        ("foods", "ppe", "3,787.2"),
        ("foods", "capex", "(537.6)"),
        ("foods", "repurchases", "(1.1)"),
        ("foods", "dividends_paid", "(1,181.7)"),
        ("foods", "total_debt", "1,396.5 1,468.7 11,624.8"),
        ("devices", "revenue", "365,817"),
        ("devices", "cogs", "212,981"),
        ("devices", "gross_profit", "152,836"),
        ("devices", "income_tax", "14,527"),
    ],
)
@pytest.mark.parametrize("placed", [True, False])
def test_a_line_is_its_row(name: str, line: str, figures: str, placed: bool) -> None:
    made = document(name)
    if not placed:  # as of a file that has no pages: figures are told by their order
        pages = tuple(replace(page, boxes=np.full_like(page.boxes, np.nan)) for page in made.pages)
        made = replace(made, pages=pages, sha256=f"{made.sha256} unplaced")
    found = find_operand(report_of(made), BY_NAME[line], Period())
    assert not isinstance(found, Missing), found
    assert " ".join(operand.cell.text.replace("$", "").strip() for operand in found) == figures


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("stores", "rnd"),
        ("stores", "inventory"),
        ("resort", "cogs"),
        ("resort", "income_tax"),
        ("foods", "sbc"),
        ("foods", "short_term_investments"),
        ("devices", "eps_diluted"),
        ("devices", "dividends_paid"),
        ("industrial", "interest_expense"),
        ("industrial", "deferred_revenue"),
    ],
)
def test_no_other_row_is_taken(name: str, line: str) -> None:
    assert isinstance(find_operand(report_of(document(name)), BY_NAME[line], Period()), Missing)
