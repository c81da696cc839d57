"""What contracts and reports call the things people ask about.

A question uses a reader's words ("can they quit early?"), a clause or statement its own ("terminate upon
ninety days' notice"). Each concept has phrases that give it away, when all words of one are in the question,
and the words that a passage on it is likely to have. The gain is in docs/retrieval.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from longleaf.app.statements import Statement

NAMED_WEIGHT = 1.2  # of the ranking of a statement's pages, beside 1 for the ranking by words
IMPLIED_WEIGHT = 0.9
ADDED_WEIGHT = 0.6  # of a word that was added, beside 1 for a word of the question

_CONCEPTS: tuple[tuple[str, str], ...] = (
    # contracts
    ("parties; party to; between whom", "between among inc corporation company llc hereinafter referred"),
    ("title agreement; name agreement", "agreement between entered dated"),
    ("date agreement; date contract; date made; dated; signed", "dated entered made day witness executed"),
    ("effective", "effective commence date"),
    (
        "expire; expiration; initial term; how long; duration; term agreement",
        "term commence continue period years expire expiration unless terminated",
    ),
    ("renew; extend", "renew renewal automatically successive additional term unless notice"),
    ("law; jurisdiction; court", "governed construed accordance laws state jurisdiction conflict"),
    ("assign; transfer", "assign assignment transfer consent successors"),
    (
        "liability; liable",
        "liable liability event exceed aggregate indirect incidental consequential punitive damages limit",
    ),
    ("terminate; cancel; end agreement; quit", "terminate termination notice cause convenience"),
    ("license; licence", "grants license right exclusive royalty sublicense"),
    ("audit; inspect; books", "audit books records inspect examine accountant"),
    ("insurance; insure", "insurance coverage policy insured"),
    ("exclusive; exclusivity", "exclusive exclusively sole solely"),
    (
        "compete; competition; competitor",
        "compete competing competitive competitor engage directly indirectly",
    ),
    ("minimum", "minimum purchase quantity order guaranteed annual"),
    ("warranty; guarantee", "warrants warranty defects period months conform"),
    (
        "share revenue; share profit; royalty; commission",
        "royalty percent percentage share revenues profits commission",
    ),
    ("control; merger; acquired", "control merger consolidation acquisition sale substantially assets"),
    ("first refusal; first offer; first negotiation", "first refusal offer negotiation"),
    ("solicit; hire; poach", "solicit employ hire induce employees customers"),
    ("disparage; reputation", "disparage derogatory reputation goodwill"),
    (
        "intellectual property; invention; own work",
        "ownership title interest inventions work property belong exclusively",
    ),
    (
        "after termination; after expiration; survive",
        "upon termination expiration cease return survive thereafter",
    ),
    ("pay; price; fee; invoice", "pay payment invoice fee price payable days"),
    ("confidential; secret", "confidential information disclose"),
    ("notice", "notice written days prior"),
    ("sue; challenge; contest", "challenge contest validity sue claim assist"),
    ("limit use; volume; restriction use", "exceed maximum additional limit"),
    ("liquidated; early termination; penalty", "liquidated damages penalty fee early termination"),
    ("third party beneficiary; third party enforce", "third party beneficiary"),
    ("perpetual; irrevocable", "perpetual irrevocable"),
    ("affiliate", "affiliates subsidiaries"),
    # reports
    (
        "income statement; revenue; sales; operating income; net income; margin; ebitda; earnings; profit",
        "consolidated statements income operations earnings revenue cost operating net",
    ),
    ("gross margin; gross profit", "gross profit cost sales goods sold"),
    (
        "balance sheet; working capital; liability; payable; inventory; assets; property plant; debt; cash",
        "consolidated balance sheets total current assets liabilities",
    ),
    (
        "cash flow; capital expenditure; capex; depreciation; dividends; investing financing; free cash",
        "consolidated statements cash flows operating investing financing activities provided",
    ),
    ("segment; business line", "segment reportable segments net"),
    ("tax rate", "effective income tax rate provision"),
    (
        "geography; geographies; countries; regions",
        "countries regions united states europe international geographic operations",
    ),
    ("legal; litigation; lawsuit", "legal proceedings litigation claims lawsuits contingencies"),
    ("acquisition; acquire", "acquisition acquired purchase goodwill business"),
    ("restructuring", "restructuring plan charges severance"),
    ("guidance; outlook; forecast; expected", "outlook guidance expects full year fiscal"),
    (
        "securities registered; exchange trade",
        "title class trading symbol exchange registered section 12 b notes due",
    ),
    ("derivative; hedge; notional", "notional swaps forwards cross currency interest rate hedges"),
    ("pension; retiree; benefit payments", "expected benefit payments pension postretirement health"),
    ("capital intensive", "property plant equipment capital expenditures total assets"),
    ("dividend", "dividends declared per share paid quarterly"),
    ("accounts payable; days payable", "accounts payable cost sales inventories"),
)


# What is asked of the first lines of a contract, where a clause has no words of its own for it.
_OPENING = (
    "parties; party to; between whom; title agreement; name agreement; date agreement; date contract;"
    "date made; dated; signed; effective"
)


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
        liability; obligation; accounts payable; accounts receivable; receivables; inventory;
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

    def weighted_terms(self, question: Sequence[str]) -> dict[str, float]:
        """The terms of a question and those of the concepts it names, with their weights."""
        asked = frozenset(question)
        weights = dict.fromkeys(question, 1.0)
        for phrases, said in self.concepts:
            if any(phrase <= asked for phrase in phrases):
                for term in said:
                    weights.setdefault(term, ADDED_WEIGHT)
        return weights

    def asks_opening(self, question: Sequence[str]) -> bool:
        """Whether the first lines of a document are likely to answer."""
        asked = frozenset(question)
        return any(phrase <= asked for phrase in self.opening)


def make_lexicon(stem: Callable[[Sequence[str]], list[list[str]]]) -> Lexicon:
    """The lexicon as an index knows it; `stem` gives the index terms of each text."""

    def phrases(given: str) -> tuple[frozenset[str], ...]:
        return tuple(map(frozenset, stem(given.split(";"))))

    said = stem([words for _, words in _CONCEPTS])
    concepts = [(phrases(given), tuple(words)) for (given, _), words in zip(_CONCEPTS, said, strict=True)]
    needs = [(statement, weight, phrases(given)) for statement, weight, given in _STATEMENTS]
    return Lexicon(tuple(concepts), phrases(_OPENING), tuple(needs))
