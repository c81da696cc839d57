"""The financial statements of a report: which pages hold them, and which of them a question is about.

A question on margins is answered by the income statement, whose rows share hardly a word with it. A page is a
statement's if enough of its lines begin with the row labels that such a statement has and carry figures; its
title among the first lines counts as well. Labels are those of US GAAP and IFRS filings in general.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal, get_args

Statement = Literal["income", "balance", "cash_flow"]
STATEMENTS: tuple[Statement, ...] = get_args(Statement)

_FIGURE = re.compile(r"\d")
_TITLE_LINES = 12  # a page's title stands above its table
_TITLE_ROWS = 3  # a title counts as so many rows
_ENOUGH = 6  # rows that make a page a statement's
_AS_GOOD = 0.6  # of the best page's rows: continuations and statements of parts


def _rows(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


TITLES: Mapping[Statement, re.Pattern[str]] = {
    "income": re.compile(
        r"statements? of (?:consolidated )?(?:(?:comprehensive )?(?:income|earnings|loss)|operations)"
        r"|\bincome statements?\b|profit (?:and|or) loss",
        re.IGNORECASE,
    ),
    "balance": re.compile(
        r"\bbalance sheets?\b|statements? of (?:consolidated )?financial (?:position|condition)",
        re.IGNORECASE,
    ),
    "cash_flow": re.compile(
        r"statements? of (?:consolidated )?cash ?flows?|\bcash flow statements?\b", re.IGNORECASE
    ),
}
LABELS: Mapping[Statement, tuple[re.Pattern[str], ...]] = {
    "income": _rows(
        r"(?:total |net )*(?:operating )?(?:revenues?|sales)\b",
        r"(?:total )?cost(?:s)? of (?:revenues?|sales|goods|products?|services)",
        r"gross (?:profit|margin)",
        r"(?:selling|marketing|sales and marketing|general and administrative|salaries|compensation)\b",
        r"research\b.*\bdevelopment",
        r"(?:total )?(?:operating |non-?interest )?(?:costs and )?expenses?\b",
        r"operating (?:income|profit|earnings|loss)|(?:income|earnings|profit|\(?loss\)?) from operations",
        r"(?:net )?interest (?:expense|income)",
        r"(?:income|earnings|profit|loss|\(loss\)).*\bbefore\b.*\btax|pre-?tax (?:income|earnings)",
        r"(?:provision|benefit) (?:for|from)\b.*tax|income tax(?:es)?\b|taxes on income",
        r"(?:consolidated )?(?:net (?:income|earnings|loss)|profit for the)",
        r"(?:basic|diluted)\b|(?:net )?(?:income|earnings|loss).*per (?:common )?share",
        r"(?:weighted[- ])?average\b.*shares|shares used",
        r"cash dividends declared per|dividends declared per",
    ),
    "balance": _rows(
        r"cash and (?:cash equivalents|due from)|cash, cash equivalents",
        r"(?:trade |accounts |notes |customer )*(?:and notes )?receivables?\b",
        r"(?:merchandise )?inventor(?:y|ies)\b",
        r"(?:total )?current assets",
        r"(?:net )?(?:property|premises|land)\b.*(?:plant|equipment)",
        r"goodwill\b",
        r"total assets",
        r"(?:accounts|trade) payables?\b|accounts payable",
        r"(?:total )?current liabilities",
        r"(?:long-?term (?:debt|obligations)|deposits)\b",
        r"total liabilities\b",
        r"(?:additional )?(?:paid-in capital|capital in excess)|additional paid|common (?:stock|shares)\b",
        r"(?:retained earnings|reinvested earnings|accumulated deficit)",
        r"accumulated other comprehensive",
        r"total\b.*\bequity",
        r"total liabilities and",
    ),
    "cash_flow": _rows(
        r"(?:net |total )*cash\b.*\boperati(?:ng|ons)",
        r"(?:net |total )*cash\b.*\binvesting",
        r"(?:net |total )*cash\b.*\bfinancing",
        r"depreciation\b|amortization\b",
        r"deferred (?:income )?tax|(?:provision for )?deferred",
        r"(?:stock|share|equity)[- ]based compensation",
        r"(?:capital (?:expenditures|spending)|(?:purchases?|additions?|payments?)\b.*\b(?:property|plant|"
        r"equipment|premises)|construction expenditures)",
        r"(?:cash )?dividends? paid|(?:payments? of )?(?:cash )?dividends",
        r"(?:proceeds from|issuances? of|repayments? of|payments? (?:on|of)|retirement of)\b.*"
        r"(?:debt|borrowings|notes|commercial paper)",
        r"(?:re)?purchases? of (?:treasury|common|company|shares|stock)|(?:share|stock) repurchases?"
        r"|acquisition of treasury",
        r"(?:net )?(?:\(?(?:increase|decrease|change)\)?)\b.*\bcash",
        r"cash\b.*\b(?:beginning|end|start)\b",
        r"acquisitions?\b|(?:payments? for|purchases? of) (?:business|investments?|marketable)",
        r"(?:accounts |trade )?(?:receivables?|inventories|accounts payable)\b",
    ),
}


def statement_pages(pages: Iterable[tuple[int, str]]) -> dict[Statement, list[int]]:
    """The page_index of each statement's pages, the fullest first; none for one that is not there."""
    rows: dict[Statement, dict[int, int]] = {statement: {} for statement in STATEMENTS}
    for page_index, text in pages:
        lines = [line.strip() for line in text.split("\n")]
        figures = [line for line in lines if _FIGURE.search(line)]
        if len(figures) < _ENOUGH:
            continue
        for statement in STATEMENTS:
            count = sum(any(label.match(line) for line in figures) for label in LABELS[statement])
            titled = any(TITLES[statement].search(line) for line in lines[:_TITLE_LINES])
            if count >= _ENOUGH:
                rows[statement][page_index] = count + _TITLE_ROWS * titled
    found = {}
    for statement, counts in rows.items():
        best = max(counts.values(), default=0)
        full = [page for page, count in counts.items() if count >= _AS_GOOD * best]
        if full:
            found[statement] = sorted(full, key=lambda page: (-counts[page], page))
    return found
