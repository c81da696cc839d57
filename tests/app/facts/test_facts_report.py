"""Figures of statements: the current column, the unit, the period; and nothing where they cannot be told."""

from __future__ import annotations

import pytest

from longleaf.app.facts import key_facts
from longleaf.app.facts.figures.statements import report_of
from longleaf.app.facts.report import is_guidance
from longleaf.app.schema import KeyFact
from longleaf.ingest.document import Document
from tests.support.plain_documents import plain_document

INCOME = """ACME, INC.
CONSOLIDATED STATEMENTS OF OPERATIONS
(In thousands, except per share amounts)
Years Ended
{dates}
{years}
Revenue:
Products  $  {p}
Services  1,000  900  800
Total revenue  {revenue}
Cost of revenue  40,000  30,000  20,000
Net income (loss)  $  {income}
Net income (loss) per share:
Basic  $  0.51 $  (0.21) $  0.11
Diluted  $  0.50 $  (0.21) $  0.10
Weighted average shares, diluted  20,000  19,000  18,000"""
BALANCE = """ACME, INC.
CONSOLIDATED BALANCE SHEETS
(In thousands)
March 31, 2021  March 31, 2020
Assets
Cash and cash equivalents  $  7,654 $  6,543
Debt securities held to maturity  999  888
Total assets  $  99,000 $  88,000
Liabilities
Short-term borrowings  120  110
Long-term debt, net of current portion  45,000  44,000
Total liabilities  60,000  58,000
Total stockholders' equity  39,000  30,000"""


def income(**changes: str) -> str:
    fields = {
        "dates": "March 31,  March 31,  March 31,",
        "years": "2021  2020  2019",
        "p": "98,765 $  87,654 $  76,543",
        "revenue": "99,765  88,554  77,343",
        "income": "10,020 $  (4,010) $  2,000",
    }
    return INCOME.format(**(fields | changes))


def facts(document: Document) -> dict[str, KeyFact]:
    found = key_facts(document, [], lambda query, k: [], None, "report")
    for fact in found:
        for citation in fact.citations:
            page = document.pages[citation.page_index]
            assert page.text[citation.start : citation.end] == citation.quote
    return {fact.name: fact for fact in found}


def test_figures_carry_unit_and_period() -> None:
    found = facts(plain_document(["A cover.", income(), BALANCE]))
    assert found["revenue"].values == ["$99,765 thousand"]
    assert "2021" in found["revenue"].text
    assert found["net_income"].values == ["$10,020 thousand"]
    assert found["eps"].values == ["$0.50", "$0.51"]
    assert found["cash"].values == ["$7,654 thousand"]
    assert found["debt"].values == ["$120 thousand", "$45,000 thousand"]
    assert {c.page_index for c in found["revenue"].citations} == {1}
    assert any("(In thousands" in c.quote for c in found["revenue"].citations)


def test_the_current_column_may_be_the_last() -> None:
    page = income(
        years="2019  2020  2021",
        dates="March 31,  March 31,  March 31,",
        p="76,543 $  87,654 $  98,765",
        revenue="77,343  88,554  99,765",
        income="2,000 $  (4,010) $  (10,020)",
    )
    found = facts(plain_document([page]))
    assert found["revenue"].values == ["$99,765 thousand"]
    assert found["net_income"].values == ["-$10,020 thousand"]


def test_quarter_and_half_year_are_told_apart() -> None:
    page = """Beta Corp
Condensed Consolidated Statements of Income
(Unaudited)
Three Months Ended June 30,  Six Months Ended June 30,
($ in millions, except per share data)  2022  2021  2022  2021
Net sales  $  3,642 $  3,507 $  7,354 $  6,927
Net income  $  461 $  229 $  695 $  432
Diluted earnings per share  $  0.307 $  0.148 $  0.461 $  0.279"""
    fact = facts(plain_document([page]))["revenue"]
    assert fact.values == ["$3,642 million", "$7,354 million"]
    assert "Three Months Ended 2022" in fact.text and "Six Months Ended 2022" in fact.text


@pytest.mark.parametrize(
    "page",
    [
        "Consolidated statements of income for the years 2021 and 2020 are on page 40. Revenue was fine.",
        "INDEX\nConsolidated Statements of Income  70\nConsolidated Balance Sheets  72",
        "Statements of income of the parent company only\n2021  2020\nRevenue  5  4\nNet income  1  2",
    ],
)
def test_other_pages_are_no_statements(page: str) -> None:
    assert report_of(plain_document([page])).statements("income") == []
    fact = facts(plain_document([page]))["revenue"]
    assert fact.status == "not_found" and fact.values == [] and fact.pages_searched == [0]


def test_segments_are_named() -> None:
    text = "We have three reportable segments: Widgets, Gears & Cogs and Services. Sales rose."
    assert facts(plain_document([text]))["segments"].values == ["Widgets", "Gears & Cogs", "Services"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We have three reportable segments:\n• Widgets;\n• Gears & Cogs; and\n• Services.\nSales rose.",
         ["Widgets", "Gears & Cogs", "Services"]),
        ("We have two reportable segments: 1) Ore (ORE), which digs;\n2) Air, Sea and Rail, which moves.",
         ["Ore", "Air, Sea and Rail"]),
        ("We have two reportable segments: Print and Paper and Ink.", []),
        ("We have three reportable segments: Widgets, Gears and other matters told below.", []),
    ],
)  # fmt: skip
def test_segments_are_all_of_them_or_only_quoted(text: str, names: list[str]) -> None:
    assert facts(plain_document([text]))["segments"].values == names


def test_segments_are_not_a_table_of_their_figures() -> None:
    first = "Business\nWe report four segments. Flow and Grid make meters. Services repairs them."
    note = (
        "Note 5. Segments\nSales between segments are small and are made at market prices.\n"
        "Flow 471,905 94,662 18,173\nGrid 263,480 60,331 8,870\nServices 168,750 42,477 6,059"
    )
    text = facts(plain_document([first, note]))["segments"].text
    assert "We report four segments." in text and "Flow and Grid" in text
    assert "471,905" not in text


@pytest.mark.parametrize(
    ("text", "forward"),
    [
        ("For fiscal 2023 we expect revenue of $4.1 billion to $4.3 billion.", True),
        ("Full-year 2023 outlook: adjusted EPS of $2.10 to $2.20.", True),
        ("We now anticipate sales growth of 4% for the next fiscal year.", True),
        ("We expected revenue to grow in 2022, and it grew by 5%.", False),
        ("We estimate that currency had an unfavorable impact on revenue in 2022 of $76 million.", False),
        ("Revenue of $25 million is expected to be recognized in 2024 from performance obligations.", False),
        ("We do not expect the new accounting standard to affect earnings in 2024.", False),
        ("In fiscal 2022 we expect net sales to have been $3.0 billion.", False),
        ("Revenue grew 5% in 2022.", False),
    ],
)
def test_guidance_is_about_a_time_to_come(text: str, forward: bool) -> None:
    assert is_guidance(text, 2022, annual=True) is forward


def test_a_quarter_beside_its_year_gives_both_the_year_first() -> None:
    quarter = """Delta Corp
Condensed Consolidated Statement of Earnings
(Unaudited; in Millions Except Per Share Figures)
FOURTH QUARTER
2022  2021
Sales to customers  $23,706  $24,804
Cost of products sold  7,765  7,955
Gross Profit  15,941  16,849
Earnings before provision for taxes on income  4,201  4,836
Net earnings  $3,520  $4,736
Net earnings per share (Diluted)  $1.33  $1.77"""
    year = quarter.replace("FOURTH QUARTER", "TWELVE MONTHS").replace("$23,706", "$94,943")
    year = year.replace("$3,520", "$17,941").replace("$1.33", "$6.73")
    found = facts(plain_document([quarter, year]))
    assert found["revenue"].values == ["$94,943 million", "$23,706 million"]
    assert found["net_income"].values == ["$17,941 million", "$3,520 million"]
    assert found["eps"].values == ["$6.73", "$1.33"]


def test_a_loss_a_part_and_the_parent_are_not_the_company() -> None:
    parent = income(years="2022  2021  2020").replace("ACME, INC.", "ACME, INC. (Parent Company Only)")
    lossy = (
        income()
        .replace("Net income (loss)  $", "Net loss  $")
        .replace("Net income (loss) per", "Net loss per")
    )
    found = facts(plain_document([lossy.replace("10,020", "(10,020)"), parent.replace("99,765", "11,111")]))
    assert found["revenue"].values == ["$99,765 thousand"]
    assert found["net_income"].values == ["-$10,020 thousand"]


def test_earnings_of_what_goes_on_are_not_the_earnings_per_share() -> None:
    page = income().replace(
        "Basic  $  0.51 $  (0.21) $  0.11\nDiluted  $  0.50 $  (0.21) $  0.10",
        "Diluted earnings per share attributable to Acme shareholders\n"
        "Continuing operations  $  0.40 $  (0.31) $  0.05\n"
        "Discontinued operations  0.10  0.10  0.05\n"
        "Diluted earnings per share  $  0.50 $  (0.21) $  0.10",
    )
    assert facts(plain_document([page]))["eps"].values == ["$0.50"]
