"""The concepts of concepts.py and the statements of a report, in index terms, and how much they weigh."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from longleaf.app.concepts import CONCEPTS, OPENING
from longleaf.app.statements import Statement

NAMED_WEIGHT = 1.2  # of the ranking of a statement's pages, beside 1 for the ranking by words
IMPLIED_WEIGHT = 0.9
# Of a word that a concept adds, beside 1 for a word of the question; the second when only the question's
# meaning says which concept it is about, as its own words will hardly find anything then.
ADDED_WEIGHT = 0.6
MEANT_WEIGHT = 1.0

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
        sales; cost revenue; ebit; ebitda; sg&a; sga; selling general administrative; research
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
        expenditure; capital spending; depreciation; amortization; d&a; ebitda; dividends paid; pay
        dividends; repurchase; buyback; change cash; investing activities; financing activities;
        investing financing; retention ratio; payout ratio; capital intensive
        """,
    ),
)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The concepts in index terms: phrases that give one away, and what a passage on it is likely to say."""

    concepts: tuple[tuple[tuple[frozenset[str], ...], tuple[str, ...]], ...]
    opening: tuple[frozenset[str], ...]
    needs: tuple[tuple[Statement, float, tuple[frozenset[str], ...]], ...]

    def statements(self, question: Sequence[str]) -> dict[Statement, float]:
        """The financial statements that a question is answered from, and how surely."""
        asked = frozenset(question)
        found: dict[Statement, float] = {}
        for statement, weight, phrases in self.needs:
            if any(phrase <= asked for phrase in phrases):
                found[statement] = max(found.get(statement, 0.0), weight)
        return found

    def weighted_terms(self, question: Sequence[str], meant: Sequence[int] = ()) -> dict[str, float]:
        """The terms of a question and those of the concepts it names, with their weights.

        `meant` are places of concepts that it is near to by meaning.
        """
        asked = frozenset(question)
        weights = dict.fromkeys(question, 1.0)
        by_name = [said for phrases, said in self.concepts if any(phrase <= asked for phrase in phrases)]
        for said in by_name:
            for term in said:
                weights.setdefault(term, ADDED_WEIGHT)
        for place in meant:
            for term in self.concepts[place][1]:
                weights.setdefault(term, ADDED_WEIGHT if by_name else MEANT_WEIGHT)
        return weights

    def asks_opening(self, question: Sequence[str], meant: Sequence[int] = ()) -> bool:
        """Whether the first lines of a document are likely to answer."""
        asked = frozenset(question)
        return any(phrase <= asked for phrase in self.opening) or any(
            CONCEPTS[place].opens for place in meant[:1]
        )


def make_lexicon(stem: Callable[[Sequence[str]], list[list[str]]]) -> Lexicon:
    """The lexicon as an index knows it; `stem` gives the index terms of each text."""

    def phrases(given: str) -> tuple[frozenset[str], ...]:
        return tuple(map(frozenset, stem(given.split(";"))))

    said = stem([concept.said for concept in CONCEPTS])
    concepts = [(phrases(concept.named), tuple(words)) for concept, words in zip(CONCEPTS, said, strict=True)]
    needs = [(statement, weight, phrases(given)) for statement, weight, given in _STATEMENTS]
    return Lexicon(tuple(concepts), phrases(OPENING), tuple(needs))
