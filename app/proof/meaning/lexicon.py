"""Classes of words and phrases that may stand for one another, and pairs that never may."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from longleaf.app.proof.meaning.stems import stem

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|%")

Phrase = tuple[str, ...]


def stems_of(phrase: str) -> Phrase:
    words = (re.sub(r"['’]s?$", "", part) for part in _WORD.findall(phrase.lower()))
    return tuple(stem(word) for part in words for word in part.split("-"))


@cache
def _classes() -> tuple[dict[str, frozenset[int]], dict[str, dict[Phrase, frozenset[int]]]]:
    """Class numbers of single stems; and of phrases, by their first stem."""
    single: dict[str, set[int]] = {}
    longer: dict[str, dict[Phrase, set[int]]] = {}
    text = files(__package__).joinpath("paraphrases.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    for number, line in enumerate(lines):
        for member in line.split(";"):
            phrase = stems_of(member)
            if len(phrase) == 1:
                single.setdefault(phrase[0], set()).add(number)
            elif phrase:
                longer.setdefault(phrase[0], {}).setdefault(phrase, set()).add(number)
    return (
        {word: frozenset(numbers) for word, numbers in single.items()},
        {
            first: {phrase: frozenset(numbers) for phrase, numbers in phrases.items()}
            for first, phrases in longer.items()
        },
    )


def classes_of(word_stem: str) -> frozenset[int]:
    return _classes()[0].get(word_stem, frozenset())


def phrases_in(stems: Sequence[str]) -> list[tuple[int, int, frozenset[int]]]:
    """Phrases of more than one word: start, end, and their classes."""
    longer = _classes()[1]
    found = []
    for at, word in enumerate(stems):
        for phrase, numbers in longer.get(word, {}).items():
            if tuple(stems[at : at + len(phrase)]) == phrase:
                found.append((at, at + len(phrase), numbers))
    return found


# Words of which one never stands for another of its line: the statement may not say one where the source says
# only another. Stems are taken, so each line covers whole families.
_CONTRASTS = """
higher lower
increase decrease
increase reduce
increase decline
increase fall
rise fall
rise drop
rise decline
grow decline
grow shrink
grow fall
up down
more less
most least
more fewer
above below
over under
maximum minimum
earlier later
earliest latest
before after
prior after
first last
begin end
start end
profit loss
income loss
gain loss
income expense
revenue expense
revenue cost
asset liability
gross net
buy sell
purchase sell
lend borrow
debit credit
include exclude
including excluding
inside outside
domestic international
import export
public private
permanent temporary
common preferred
basic diluted
short long
current noncurrent
direct indirect
internal external
landlord tenant
lessor lessee
licensor licensee
buyer seller
purchaser seller
employer employee
lender borrower
franchisor franchisee
assignor assignee
transferor transferee
grantor grantee
mortgagor mortgagee
indemnitor indemnitee
consignor consignee
vendor customer
supplier customer
plaintiff defendant
majority minority
enforceable unenforceable
exclusive nonexclusive
valid invalid
legal illegal
revocable irrevocable
reasonable unreasonable
favorable unfavorable
accept reject
approve reject
approve refuse
grant refuse
grant deny
oral written
verbal written
voluntary involuntary
mandatory optional
fixed variable
active inactive
paid unpaid
early late
monthly quarterly
monthly yearly
monthly weekly
quarterly yearly
daily weekly
daily monthly
weekly yearly
daily yearly
hour day
hour week
january february march april may june july august september october november december
north south
east west
dollar euro won yen yuan pound rupee franc
buyer licensor
primary secondary
senior junior
senior subordinated
strengthen weaken
improve worsen
cash stock
operating investing financing
segment company
local national regional
open close
hire dismiss

commercial professional
transport inspection
joint several
""".strip().splitlines()


@cache
def contrasts() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in _CONTRASTS:
        words = [stem(word) for word in line.split()]
        for word in words:
            table.setdefault(word, set()).update(other for other in words if other != word)
    return {word: frozenset(others) for word, others in table.items()}
