"""The concepts of concepts.py and the statements of a report, in index terms, and how much they weigh."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from longleaf.app.retrieval.concepts import CONCEPTS
from longleaf.app.text.statement_pages import Statement

NAMED_WEIGHT = 1.2  # of the ranking of a statement's pages, beside 1 for the ranking by words
IMPLIED_WEIGHT = 0.9
# Of a word that a concept adds, beside 1 for a word of the question; the second when only the question's
# meaning says which concept it is about, as its own words will hardly find anything then.
ADDED_WEIGHT = 0.6
MEANT_WEIGHT = 1.0
# Cosines; chosen by bench/retrieval.py on one half of the contracts.
CLOSE = 0.35
AS_CLOSE = 0.15
NAMED_BONUS = 0.3
MOST = 2

# Questions that one of a report's financial statements answers, though it shares few words with them: what is
# named in them outright, and what is computed from them.
_STATEMENTS: tuple[tuple[Statement, float, str], ...] = (
    (
        "income",
        NAMED_WEIGHT,
        """
        income statement; statement income; statement operations; statement earnings; p&l; profit loss
        statement
        """,
    ),
    (
        "balance",
        NAMED_WEIGHT,
        """
        balance sheet; statement financial position; statement financial condition
        """,
    ),
    (
        "cash_flow",
        NAMED_WEIGHT,
        """
        cash flow statement; statement cash flow; cashflow statement
        """,
    ),
    (
        "income",
        IMPLIED_WEIGHT,
        """
        margin; profitability; operating income; operating profit; operating earnings; profit
        operations; income operations; gross profit; gross income; net income; net earnings; net
        profit; net loss; pretax; before tax; revenue; net sales; total sales; cogs; cost goods; cost
        sales; cost revenue; ebit; ebitda; sg; sga; selling general administrative; research
        development expense; r&d; interest expense; interest coverage; tax expense; effective tax;
        earnings per share; eps; per share diluted; diluted share; operating expense; turnover; return
        assets; return equity; roa; roe; days payable; days sales; days inventory; dpo; dso; dio;
        conversion cycle; retention ratio; payout ratio; capital intensive; restructuring costs;
        restructuring charges; unadjusted
        """,
    ),
    (
        "balance",
        IMPLIED_WEIGHT,
        """
        working capital; current ratio; quick ratio; cash ratio; liquidity; current assets; current
        liabilities; short-term liabilities; short-term assets; total assets; total liabilities;
        largest liability; biggest liability; liability year end; largest obligation; biggest
        obligation; obligation year end; accounts payable; accounts receivable; receivables; inventory;
        inventories; property plant; ppe; pp&e; ppne; fixed assets; plants equipment; goodwill;
        long-term debt; total debt; net debt; debt equity; leverage; equity; book value; deposits; cash
        equivalents; turnover; return assets; return equity; roa; roe; days payable; days sales; days
        inventory; days suppliers; dpo; dso; dio; conversion cycle; capital intensive; operating cash
        flow ratio; retained earnings; intangible
        """,
    ),
    (
        "cash_flow",
        IMPLIED_WEIGHT,
        """
        cash flow; cashflow; free cash; cash operations; operating cash; cash generated; capex; capital
        expenditure; capital spending; depreciation; amortization; ebitda; dividends paid; pay
        dividends; repurchase; buyback; change cash; investing activities; financing activities;
        investing financing; retention ratio; payout ratio; capital intensive
        """,
    ),
)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The concepts in index terms: phrases that give one away, and what a passage on it is likely to say."""

    concepts: tuple[tuple[tuple[frozenset[str], ...], tuple[str, ...]], ...]
    needs: tuple[tuple[Statement, float, tuple[frozenset[str], ...]], ...]

    def statements(self, question: Sequence[str]) -> dict[Statement, float]:
        """The financial statements that a question is answered from, and how surely."""
        asked = frozenset(question)
        found: dict[Statement, float] = {}
        for statement, weight, phrases in self.needs:
            if any(phrase <= asked for phrase in phrases):
                found[statement] = max(found.get(statement, 0.0), weight)
        return found

    def about(
        self, question: Sequence[str], closeness: NDArray[np.float32] | None, among: Container[int]
    ) -> list[About]:
        """The few concepts `among` those places in CONCEPTS that a question is about, the surest first.

        `closeness` is the question's to each by meaning; without it only those count that it names.
        """
        asked = frozenset(question)
        scores: dict[int, float] = {}
        by_name: set[int] = set()
        for place, (phrases, _) in enumerate(self.concepts):
            if place not in among:
                continue
            if any(phrase <= asked for phrase in phrases):
                by_name.add(place)
            elif closeness is None:
                continue
            score = float(closeness[place]) if closeness is not None else 0.0
            scores[place] = score + NAMED_BONUS * (place in by_name)
        best = sorted(scores, key=lambda place: -scores[place])[:MOST]
        floor = max(CLOSE, scores[best[0]] - AS_CLOSE) if best and closeness is not None else 0.0
        return [About(place, place in by_name) for place in best if scores[place] >= floor]

    def weighted_terms(self, question: Sequence[str], about: Sequence[About]) -> dict[str, float]:
        """The terms of a question and those of its concepts, with their weights."""
        weights = dict.fromkeys(question, 1.0)
        added = ADDED_WEIGHT if any(concept.named for concept in about) else MEANT_WEIGHT
        for concept in about:
            for term in self.concepts[concept.place][1]:
                weights.setdefault(term, added)
        return weights


@dataclass(frozen=True, slots=True)
class About:
    """A concept by its place in CONCEPTS, and whether the question names it or only means it."""

    place: int
    named: bool


def make_lexicon(stem: Callable[[Sequence[str]], list[list[str]]]) -> Lexicon:
    """The lexicon as an index knows it; `stem` gives the index terms of each text."""

    def phrases(given: str) -> tuple[frozenset[str], ...]:
        return tuple(map(frozenset, stem(given.split(";"))))

    said = stem([concept.said for concept in CONCEPTS])
    concepts = [(phrases(concept.named), tuple(words)) for concept, words in zip(CONCEPTS, said, strict=True)]
    needs = [(statement, weight, phrases(given)) for statement, weight, given in _STATEMENTS]
    return Lexicon(tuple(concepts), tuple(needs))
