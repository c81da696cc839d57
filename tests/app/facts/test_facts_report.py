"""Figures of statements: the current column, the unit, the period; and nothing where they cannot be told."""

from __future__ import annotations

import pytest

from longleaf.app.facts import key_facts
from longleaf.app.facts.statements import report_of
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


def test_segments_are_not_a_table_of_their_figures() -> None:
    first = "Business\nWe report four segments. Flow and Grid make meters. Services repairs them."
    note = (
        "Note 5. Segments\nSales between segments are small and are made at market prices.\n"
        "Flow 471,905 94,662 18,173\nGrid 263,480 60,331 8,870\nServices 168,750 42,477 6,059"
    )
    text = facts(plain_document([first, note]))["segments"].text
    assert "We report four segments." in text and "Flow and Grid" in text
    assert "471,905" not in text
