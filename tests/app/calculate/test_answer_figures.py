"""Questions on figures: which are answered, in which words, from which column; and which are left alone."""

from __future__ import annotations

import pytest

from longleaf.app.calculate import answer_figures
from longleaf.app.schema import Statement
from longleaf.ingest.document import Document
from tests.support.plain_documents import plain_document
from tests.support.statements_maker import BEFORE, NOW, american, retail

INCOME = """DOGWOOD, INC.
CONSOLIDATED STATEMENTS OF INCOME
(In thousands, except per share amounts)
Year Ended December 31,
{years}
Net revenue  ${revenue}
Cost of revenue  {cost}
Gross profit  {gross}
Operating income  {operating}
Net income  ${net}
Diluted earnings per share  ${eps}"""
BALANCE = """DOGWOOD, INC.
CONSOLIDATED BALANCE SHEETS
(In thousands)
December 31, {year}  December 31, {before}
Cash and cash equivalents  $ {cash}
Total current assets  {assets}
Total assets  900,000  800,000
Total current liabilities  {liabilities}
Total stockholders' equity  500,000  450,000"""
SEGMENTS = """Segment results
(In thousands)
Year Ended December 31,
2022  2021  Change
Revenue:
Gears  $  300,000 $  200,000  50%
Pulleys  160,000  200,000  (20)%
Total revenue  460,000  400,000  15%"""
BANK = """ELM BANCORP
CONSOLIDATED STATEMENTS OF INCOME
(In millions, except per share amounts)
Year Ended December 31,  2022  2021
Total interest income  5,200  4,100
Total interest expense  1,200  600
Net interest income  4,000  3,500
Provision for credit losses  400  100
Total revenues net of interest expense  7,000  6,400
Income before income taxes  2,500  2,700
Net income  $  2,000 $  2,150"""


def filing(year: int, **changes: str) -> Document:
    fields = {
        "years": f"{year}  {year - 1}",
        "revenue": "460,000  400,000",
        "cost": "276,000  250,000",
        "gross": "184,000  150,000",
        "operating": "92,000  64,000",
        "net": "69,000  48,000",
        "eps": "1.38  0.96",
        "year": str(year),
        "before": str(year - 1),
        "cash": "120,000  90,000",
        "assets": "260,000  240,000",
        "liabilities": "300,000  200,000",
    } | changes
    pages = ["Dogwood, Inc. Form 10-K", INCOME.format(**fields), BALANCE.format(**fields), SEGMENTS]
    return plain_document(pages, f"dogwood_{year}_10k.pdf")


def ask(question: str, *documents: Document) -> Statement | None:
    return answer_figures(documents or (filing(2022),), question, lambda query, k: [])


def told(question: str, *documents: Document) -> str:
    answer = ask(question, *documents)
    assert answer is not None
    return answer.text


def test_a_plain_figure_is_quoted_with_row_period_and_unit() -> None:
    answer = ask("How much cash did Dogwood have at the end of 2021?")
    assert answer is not None and answer.status == "quoted" and not answer.working
    assert answer.text == "Cash and cash equivalents (2021-12-31): $90,000 thousand"
    assert [c.page_index for c in answer.citations] == [2, 2]
    assert "90,000" in answer.citations[0].quote and "December 31, 2021" in answer.citations[1].quote


def test_a_figure_in_another_unit_is_computed() -> None:
    answer = ask("What was Dogwood's FY2022 net income in USD billions? Round to three decimal places.")
    assert answer is not None and answer.status == "computed"
    assert "$0.069 billion" in answer.text and answer.working == "69,000 thousand = $0.069 billion"


@pytest.mark.parametrize(
    ("question", "start", "working"),
    [
        (
            "Did Dogwood's gross margin improve in 2022?",
            "Yes: gross margin rose from 37.5%",
            "184,000 / 460,000 = 40.0 %",
        ),
        ("Has net income declined?", "No: net income rose by 43.8%", "(69,000 − 48,000) / 48,000 = 43.8 %"),
        (
            "Does Dogwood have positive working capital?",
            "No: Working capital is negative: −$40,000 thousand",
            "260,000 − 300,000",
        ),
        ("Did its current ratio improve?", "No: current ratio fell from 1.20", "260,000 / 300,000 = 0.87"),
        (
            "How much did revenue rise in dollars?",
            "Net revenue rose by $60,000 thousand (15.0%)",
            "460,000 − 400,000 = $60,000 thousand",
        ),
        (
            "What was the growth in operating income between 2021 and 2022 in percent?",
            "Operating income rose by 43.8%",
            "(92,000 − 64,000) / 64,000",
        ),
        (
            "Are gross margins stable (within 3% a year)?",
            "Yes: Gross margin moved by at most 2.5 percentage points",
            "150,000 / 400,000",
        ),
        (
            "Is Dogwood's current ratio healthy, is its liquidity good?",
            "No, by the usual mark of 1.0",
            "260,000 / 300,000",
        ),
    ],
)
def test_words_of_the_answer(question: str, start: str, working: str) -> None:
    answer = ask(question)
    assert answer is not None and answer.status == "computed"
    assert answer.text.replace("Revenue rose", "Net revenue rose").startswith(start), answer.text
    assert working in answer.working


def test_several_filings_of_a_company_make_one_series() -> None:
    older = filing(2020, revenue="380,000  361,000", net="40,000  35,000")
    answer = ask("What is Dogwood's revenue CAGR from FY2020 to FY2022?", older, filing(2022))
    assert answer is not None and answer.working == "(460,000 / 380,000)^(1/2) − 1 = 10.0 %"
    assert {c.file for c in answer.citations} == {"dogwood_2020_10k.pdf", "dogwood_2022_10k.pdf"}
    millions = [
        page.text.replace("(In thousands", "(In millions").replace(",000", "") for page in filing(2022).pages
    ]
    mixed = ask(
        "What is Dogwood's revenue CAGR from FY2020 to FY2022?",
        older,
        plain_document(millions, "dogwood_2022.pdf"),
    )
    assert mixed is not None and mixed.working == "(460 million / 380,000 thousand)^(1/2) − 1 = 10.0 %"
    average = ask("What is the three-year average net profit margin from 2020 to 2022?", older, filing(2022))
    assert average is not None and "40,000 / 380,000 + 48,000 / 400,000 + 69,000 / 460,000" in average.working


def test_two_companies_are_told_apart() -> None:
    text = told("Compare gross margin of Dogwood and Acorn in 2022", filing(2022), american())
    assert text.count("\n") == 1 and "dogwood" in text and "40.0%" in text
    assert f"{100 * (NOW['revenue'] - NOW['cogs']) / NOW['revenue']:.1f}%" in text


def test_a_fiscal_year_is_what_the_company_calls_it() -> None:
    document = retail()
    named = plain_document(
        [
            "Cedar. Fiscal 2021 ended January 29, 2022 and fiscal 2020 ended January 30, 2021.",
            *document.pages[1:],
        ],
        document.name,
    )
    assert f"{BEFORE['revenue']:,}" in told("What was revenue in fiscal 2020?", named)
    assert f"{NOW['revenue']:,}" in told("What was revenue in fiscal 2021?", named)
    assert f"{NOW['revenue']:,}" in told("What was revenue in fiscal 2022?", document)


def test_a_part_of_the_company_is_not_the_company() -> None:
    assert (
        told("What was the revenue of the Gears segment in 2022?")
        == "Gears (year ended 2022-12-31): $300,000 thousand"
    )
    assert told("How much did Pulleys sales fall in 2022?").startswith(
        "Pulleys fell by 20.0% ($40,000 thousand)"
    )
    assert "65.2%" in told("What share of Dogwood's revenue came from Gears in 2022?")
    assert ask("What was the revenue of the Levers segment in 2022?") is None
    assert ask("What was the operating margin of Gears in 2022?") is None


def test_what_a_formula_lacks_is_named() -> None:
    answer = ask("What was Dogwood's inventory turnover in 2022?")
    assert answer is not None and answer.status == "not_found"
    assert "inventories" in answer.text and not answer.citations and answer.pages_searched
    missing_year = ask("What was Dogwood's gross margin in 2015?")
    assert missing_year is not None and missing_year.status == "not_found" and "2015" in missing_year.text


def test_of_a_bank_a_margin_is_said_to_be_no_measure() -> None:
    bank = plain_document(["Elm Bancorp", BANK], "elm_2022_10k.pdf")
    question = "Did Elm's operating margin improve in 2022?"
    plain = ask(question, bank)
    assert plain is not None and plain.status == "not_found"
    allowed = ask(
        f"{question} If operating margin is not a useful metric for it, then state that and explain why.",
        bank,
    )
    assert allowed is not None and allowed.status == "computed"
    assert "not a useful measure" in allowed.text and allowed.citations
    drove = (
        "What drove gross margin in 2022? If gross margin is not a useful metric, state that and explain why."
    )
    of_bank = ask(drove, bank)
    assert of_bank is not None and "Gross margin is not a useful measure" in of_bank.text
    assert ask(drove) is None


def test_a_negative_base_has_no_growth_rate() -> None:
    answer = ask("How did net income grow in 2022 in percent?", filing(2022, net="69,000  (48,000)"))
    assert answer is not None and "%" not in answer.text and "%" not in answer.working
    assert "by $117,000 thousand" in answer.text


def test_the_unit_must_be_known_to_be_converted() -> None:
    pages = [
        page.text.replace("(In thousands, except per share amounts)\n", "").replace("(In thousands)\n", "")
        for page in filing(2022).pages
    ]
    answer = ask(
        "What was net income in USD millions in 2022?", plain_document(pages[:3], "dogwood_2022_10k.pdf")
    )
    assert answer is not None and answer.status == "not_found" and "unit" in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "What drove the change in gross margin in 2022?",
        "Why did revenue rise?",
        "What revenue does Dogwood expect for 2023?",
        "How is revenue recognized?",
        "What was adjusted EBITDA in 2022?",
        "Who audits the company?",
        "What are the risks to revenue?",
        "What cash salary did Dogwood pay its chief executive?",
        "Is assignment allowed?",
        "How many receivables did Dogwood have in 2022?",
        "How much did Dogwood spend on total assets in 2022?",
        "How many customers account for net sales above 10%?",
    ],
)
def test_other_questions_are_left_alone(question: str) -> None:
    assert ask(question) is None


def test_no_statements_no_answer() -> None:
    contract = plain_document(["This Agreement of May 5, 2020 is made between A and B. The price is 500."])
    assert ask("What was revenue in 2020?", contract) is None


GROUPS = """Segment results of the business
Three months ended June 30,  Corporate Lending  Retail  Total
(in millions)  2022  2021  2022  2021  2022  2021
Total net revenue  400  380  700  650  1,100  1,030
Net income  $150  $170  $120  $90  $270  $260"""


def test_the_largest_is_told_where_all_add_up() -> None:
    lines = """ELM BANCORP
CONSOLIDATED BALANCE SHEETS
(In millions)
December 31,
2022  2021
Cash and due from banks  9,000  8,000
Loans  90,000  80,000
Total assets  99,000  88,000
Customer deposits  $ 60,000  $ 55,000
Long-term debt  25,000  20,000
Other liabilities  4,000  3,500
Total liabilities  89,000  78,500
Total shareholders' equity  10,000  9,500"""
    bank = plain_document(["Elm Bancorp", BANK, lines, GROUPS], "elm_2022_10k.pdf")
    answer = ask("What was the largest liability on Elm's balance sheet in 2022?", bank)
    assert answer is not None and answer.text.startswith("Customer deposits $60,000 million is the highest")
    assert answer.working == "60,000 > 25,000 > 4,000" and answer.citations[0].page_index == 2
    wrong = plain_document(["Elm", BANK, lines.replace("4,000  3,500", "3,000  3,500")], "elm_2022_10k.pdf")
    assert ask("What was the largest liability on Elm's balance sheet in 2022?", wrong) is None
    quarter = plain_document(["Elm", BANK.replace("Year", "Quarter"), GROUPS], "elm_2022_10q.pdf")
    best = ask("Which segment had the highest net income in Q2 2022?", quarter)
    assert best is not None and best.text.startswith("Corporate Lending $150 million is the highest")


def test_the_part_that_grew_most() -> None:
    answer = ask("Which segment's revenue grew the most in 2022?")
    assert answer is not None and answer.text.startswith("Gears +50.0% is the highest")
    assert "(300,000 − 200,000) / 200,000 = +50.0 %" in answer.working
    assert told("Which segment had the lowest revenue in 2022?").startswith(
        "Pulleys $160,000 thousand is the lowest"
    )
    assert ask("Which segment had the highest headcount in 2022?") is None


def test_another_company_s_name_is_not_passed_over() -> None:
    assert told("What was Dogwood's revenue in 2022?").startswith("Net revenue")
    assert ask("What was Sycamore's revenue in 2022?") is None
    renamed = plain_document([page.text for page in filing(2022).pages], "upload.pdf")
    assert told("What was Dogwood's revenue in 2022?", renamed).startswith("Net revenue")
    assert told("What was DWD's revenue in 2022?").startswith("Net revenue")


def test_a_share_of_a_line_is_a_quotient() -> None:
    answer = ask("What percent of Dogwood's 2022 revenue was net income?")
    assert answer is not None and answer.working == "69,000 / 460,000 = 15.0 %"


def test_what_is_spent_on_equipment_is_no_balance() -> None:
    text = told("How much did Acorn spend on property and equipment in 2022?", american())
    assert text.startswith("Purchases of property, plant and equipment") and f"{NOW['capex']:,}" in text
    bought = told("How much of its own stock did Acorn repurchase in 2022?", american())
    assert f"{NOW['repurchases']:,}" in bought
