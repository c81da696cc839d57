"""What contracts and reports call the things people ask about.

A question uses a reader's words ("can they quit early?"), a clause or statement its own ("terminate upon
ninety days' notice"). Each concept has phrases that give it away, when all words of one are in the question,
and the words that a passage on it is likely to have. The gain is in docs/retrieval.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The concepts in index terms: phrases that give one away, and what a passage on it is likely to say."""

    concepts: tuple[tuple[tuple[frozenset[str], ...], tuple[str, ...]], ...]
    opening: tuple[frozenset[str], ...]

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
    return Lexicon(tuple(concepts), phrases(_OPENING))
