"""What a question asks for: about what, in the reader's words and the document's, and what kind of thing."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from longleaf.app.answers.wordings import CONTRACT_WORDINGS, REPORT_WORDINGS
from longleaf.app.schema import Kind
from longleaf.app.text.index_terms import split, stems
from longleaf.app.text.wording import word_set

Want = Literal["time", "amount", "count", "reason", "definition", "permission", "duty", "list", "compare"]

Phrase = tuple[str, ...]

_GAP = 2  # words that may stand between the words of a phrase
_IDLE = word_set(
    "a about actually all also altogether am an and any anybody anyone anything are as at back be been "
    "being both bring but by can clause contract agreement could deal did do does done document each "
    "either else ever every exactly for from general get gets getting give given go goes got had has "
    "have having he her him his how i if in instead into is it its itself just kind last lets like make "
    "makes many may me might more most much must my need needed needs no nor not now of off on once one "
    "or other others our out over own parties party per possible put really right said say says set "
    "shall she should side sides so some something sort still such take than that the their them then "
    "there these they thing things this those through time to too two under until up upon us use used "
    "very was way we were what when where whether which while who whom whose why will with within "
    "without would you your happen happens mean means stated state apply applies work works"
)
_TIME = re.compile(
    r"^when\b|\bwhen(?:\?|$| (?:is|are|do|does|did|must|can|could|may|will|would|was|were|should|has|"
    r"have)\b)|"
    r"\bhow (?:long|soon|quick(?:ly)?|fast|often|far ahead|late)\b|"
    r"\bhow many (?:days|weeks|months|years|hours)\b|"
    r"\b(?:what|which) (?:date|day|year|month)\b|\bdeadline\b|\bdue\b|\bhow much (?:notice|warning|time)\b|"
    r"\b(?:expiry|expiration|effective|start|end) date\b|\blength of\b|\bperiod\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"\bhow (?:much|large|big|high)\b(?! (?:notice|warning|time))|"
    r"^what(?:'s| is| are| was| were)?\b.{0,40}\b(?:prices?|fees?|costs?|rates?|amounts?|sums?|charges?|"
    r"salary|retainer|bonus|penalty|interest|percentage|budget)\b|\bin dollars\b|^(?:price|fee|cost)\b",
    re.IGNORECASE,
)
_COUNT = re.compile(r"\bhow many\b|\bnumber of\b|\bquantity\b", re.IGNORECASE)
_REASON = re.compile(
    r"\bwhy\b|\bwhat (?:drove|caused|explains?|pushed|was behind|is behind)\b|\breasons?\b", re.IGNORECASE
)
_DEFINITION = re.compile(
    r"\bcounts? as\b|\bmeant by\b|\bdefin(?:e|ed|es|ition)\b|\bmeaning of\b|"
    r"\bwhat (?:exactly )?(?:is|are) (?:an? |the )?[“\"A-Z]",
)
_PERMISSION = re.compile(
    r"^(?:and |so |but |then )?(?:can|could|may|might|is|are|does|do|did|must|will|would|has|have|should|was|"
    r"were)\b|[,:;.] ?(?:can|could|may|is|are|does|do|must|will|has|have|should)\b|\ballowed\b|\bfree to\b|"
    r"\bpermitted\b",
    re.IGNORECASE,
)
_DUTY = re.compile(
    r"\b(?:must|have to|has to|obliged|obligations?|dut(?:y|ies)|promised?|undertak\w+|responsib\w+|"
    r"supposed to)\b",
    re.IGNORECASE,
)
_LIST = re.compile(r"^(?:list|name|which|what are)\b|\bgrounds\b|\boptions\b|\bevents\b", re.IGNORECASE)
_NEXT_PART = re.compile(
    r"(?:,? and |[,;?] )"
    r"(?=(?:how|what|who|when|where|which|why|is|are|can|does|do|may|must|from when|by when)\b)",
    re.IGNORECASE,
)
_COMPARE = re.compile(
    r"\bcompare\b|\bwho\b.{0,30}\bwhom\b|\bwhich (?:party|side|of (?:these|the) two)\b|"
    r"\b(?:each|both|either) (?:party|side)s?\b|\btwo (?:companies|parties|sides)\b|\beach other\b|"
    r"\bhow many each\b",
    re.IGNORECASE,
)
_WANTS: tuple[tuple[Want, re.Pattern[str]], ...] = (
    ("time", _TIME),
    ("amount", _AMOUNT),
    ("count", _COUNT),
    ("reason", _REASON),
    ("definition", _DEFINITION),
    ("permission", _PERMISSION),
    ("duty", _DUTY),
    ("list", _LIST),
    ("compare", _COMPARE),
)


@dataclass(frozen=True, slots=True)
class Group:
    """One thing that a question is about: any of these stems (or runs of stems) in a text speaks of it.

    `own` are those that the question itself has; the others are how documents put it, known for a `concept`
    only, and `core` those without which nothing answers. `named` if it is a name.
    """

    own: frozenset[str]
    terms: frozenset[str]
    core: frozenset[str] = frozenset()
    concept: bool = False
    named: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    groups: tuple[Group, ...]
    wants: frozenset[Want]

    @property
    def parts(self) -> int:
        """How many things are asked for, as in "How long is the term, and who may end it?"."""
        return 1 + len(_NEXT_PART.findall(self.text))

    @property
    def expanded(self) -> str:
        """The question with the words that documents have for it, for a search."""
        return " ".join([self.text, *sorted({t for g in self.groups for t in g.terms if " " not in t})])


def understand(text: str, kind: Kind) -> Question:
    """The question, put to a document of that kind, as groups of words and the kinds of thing it wants."""
    words = split(text)
    stemmed = stem_words(words)
    used: set[int] = set()
    groups: list[Group] = []
    for phrases, terms, core in _wordings(kind):
        found = [where for phrase in phrases if (where := _places(phrase, stemmed))]
        if not found:
            continue
        places = set().union(*found)
        used |= places
        own = frozenset(stemmed[at] for at in places if words[at].lower() not in _IDLE)
        same = next((g for g in groups if own and own == g.own), None)
        if same is not None:
            groups.remove(same)
            own, terms, core = own | same.own, terms | same.terms, core | same.core
        groups.append(Group(own, terms | own, core, concept=True))
    for at, word in enumerate(words):
        named = word[:1].isupper() and at > 0
        idle = word.lower() in _IDLE and not (word.isupper() and len(word) > 1)
        if at in used or idle or not stemmed[at] or (len(word) < 2 and not word.isdigit()):
            continue
        own = frozenset([stemmed[at]])
        if not any(own == group.own for group in groups):
            groups.append(Group(own, own, named=named))
    wants = frozenset(want for want, pattern in _WANTS if pattern.search(text))
    return Question(text, tuple(groups), wants)


def _places(phrase: Sequence[str], words: Sequence[str]) -> list[int]:
    """Where the words of a phrase stand, in order and near; [] if they do not."""
    for start in range(len(words)):
        if words[start] != phrase[0]:
            continue
        places = [start]
        for wanted in phrase[1:]:
            after = range(places[-1] + 1, min(places[-1] + 2 + _GAP, len(words)))
            at = next((i for i in after if words[i] == wanted), None)
            if at is None:
                break
            places.append(at)
        else:
            return places
    return []


@cache
def _wordings(kind: Kind) -> tuple[tuple[tuple[Phrase, ...], frozenset[str], frozenset[str]], ...]:
    """The table of wordings in stems: phrases, the words for them, and the core of these."""
    table = CONTRACT_WORDINGS if kind == "contract" else REPORT_WORDINGS
    known = _stemmed(word for entry in table for text in entry for word in split(text))

    def phrases(text: str) -> list[Phrase]:
        found = (tuple(known[word] for word in split(part)) for part in text.split(","))
        return [phrase for phrase in found if phrase]

    return tuple(
        (
            tuple(phrases(asked)),
            frozenset(" ".join(phrase) for phrase in phrases(said)),
            frozenset(" ".join(phrase) for phrase in phrases(core[0] if core else said)),
        )
        for asked, said, *core in table
    )


def stem_words(words: Sequence[str]) -> list[str]:
    known = _stemmed(words)
    return [known[word] for word in words]


def stem_texts(texts: Sequence[str]) -> list[list[str]]:
    """The stems of each text's words, in order."""
    cut = [split(text) for text in texts]
    known = _stemmed(word for words in cut for word in words)
    return [[known[word] for word in words] for words in cut]


def _stemmed(words: Iterable[str]) -> dict[str, str]:
    with sqlite3.connect(":memory:") as db:
        found = stems(db, words)
    db.close()
    return {word: " ".join(terms) for word, terms in found.items()}
