"""What marks a clause, and the sentences of a document that carry the marks.

Every clause has rules: patterns with weights, matched on a sentence with its white space folded. Weights add
up, the heading above and the place among the retrieved chunks add to them, and a sentence below the
threshold is not the clause. What only resembles it is masked before ("non-exclusive", "exclusive remedy", "at
least ten days"), and a sentence that denies the clause ("may not be terminated for convenience") never is it.
A list is judged item by item, each with the words that introduce it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from longleaf.app.facts.document_text import Passages, Sentence, is_heading, unnumbered


@dataclass(frozen=True, slots=True)
class Clause:
    name: str
    title: str
    query: str  # what is asked of the retriever, and of the model
    heading: re.Pattern[str]
    rules: tuple[tuple[float, re.Pattern[str]], ...]
    threshold: float
    heading_weight: float = 1.5
    most: int = 2  # sentences quoted
    mask: re.Pattern[str] | None = None
    never: re.Pattern[str] | None = None
    needs: re.Pattern[str] | None = None
    words: re.Pattern[str] | None = (
        None  # one of these stands in every sentence of the clause: what is looked at
    )


@dataclass(frozen=True, slots=True)
class ClauseCandidate:
    sentence: Sentence
    score: float


def rules(*pairs: tuple[float, str]) -> tuple[tuple[float, re.Pattern[str]], ...]:
    return tuple((weight, re.compile(pattern, re.IGNORECASE)) for weight, pattern in pairs)


def heading(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


NUMBER = (
    r"(?:\w+(?:[\s-]\w+){0,3}\s*\(\s*\d+\s*\)|\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|"
    r"twelve|fifteen|eighteen|twenty(?:[\s-]four)?|thirty(?:[\s-]six)?|forty(?:[\s-](?:five|eight))?|sixty|"
    r"ninety|(?:one\s+)?hundred(?:\s+(?:and\s+)?\w+)?|\[[*\s]+\])"
)
DURATION = (
    rf"\b{NUMBER}[\s-]*(?:\(?s?\)?\s*)?(?:calendar\s+|contract\s+|consecutive\s+|additional\s+|business\s+|"
    rf"full\s+)?[\s-]?(?:year|month|day|week)(?:s|\(s\))?\b"
)
AGREEMENT = (
    r"(?:this|the|such|said)\s+(?:\w+[\s-]+){0,4}?(?:agreement|contract|venture|lease|license|"
    r"amendment|arrangement|engagement|letter|deed)\b"
)
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\b"
)
DEFINITION = r"^\s*(?:\([a-z]+\)\s*)?\"[^\"]+\"\s+(?:shall\s+)?(?:means?|has|have)\b"
PRINTED_MONEY = (
    r"(?:\$|usd|eur|gbp|chf|cad|inr|rmb|€|£|¥|us\$|rs\.?)\s?[\d\[.]|\d\s*(?:dollars|euros?|pounds)|"
    r"\bdollars\b"
)

_LISTED = re.compile(r"\.{4,}|(?:\. ){4,}")  # a line of a table of contents
_TABULAR = re.compile(r"(?:\b[\d,.]+%?\s+){12,}")
RETRIEVED_WEIGHT = 0.5
_READ = 6000  # characters of a sentence; longer ones are tables or no prose
_ITEM = re.compile(
    r"(?:(?<=[:,;—])|(?<=[:,;] and)|(?<=[:,;] or)|(?<=\w))\s(?=\((?:[a-h]|[ivx]{1,4}|\d)\)\s?\w)"
)
_HANGS = re.compile(r"(?:by|upon|on|at|in|for|with|without|immediately|if|to)\b")
_LEAD = 45  # characters of a sentence that its later parts hang on
_PART = re.compile(r";\s+(?:and\s+|or\s+|provided,?\s+)?")


def rank_clause(
    clause: Clause, passages: Passages, retrieved: Mapping[int, float] | None = None
) -> list[ClauseCandidate]:
    """Sentences that carry the clause's marks, best first.

    `retrieved` gives a sentence's index a weight of 0 to 1.
    """
    found: list[ClauseCandidate] = []
    for sentence in passages.sentences:
        body = unnumbered(sentence.plain[:_READ])
        if len(body) < 24 or is_heading(body) or _LISTED.search(body) or _TABULAR.search(body):
            continue
        if clause.words and not clause.words.search(f"{sentence.stem} {body}"):
            continue
        score = max((_marks(clause, piece) for piece in _pieces(sentence.stem, body)), default=0.0)
        if score <= 0:
            continue
        if clause.heading.search(sentence.heading):
            score += clause.heading_weight
        if retrieved:
            score += RETRIEVED_WEIGHT * retrieved.get(sentence.index, 0.0)
        if score >= clause.threshold:
            found.append(ClauseCandidate(sentence, score))
    return sorted(found, key=lambda c: (-c.score, c.sentence.index))


def _marks(clause: Clause, text: str) -> float:
    if clause.never and clause.never.search(text):
        return 0.0
    if clause.needs and not clause.needs.search(text):
        return 0.0
    if clause.mask:
        text = clause.mask.sub(" ", text)
    return sum(weight for weight, pattern in clause.rules if pattern.search(text))


def _pieces(stem: str, body: str) -> Iterator[str]:
    """The sentence, and each item of a list or part between semicolons after the words it hangs on."""
    yield f"{stem} {body}" if stem else body
    items = _ITEM.split(body)
    if len(items) > 2:
        lead = f"{stem} {items[0]}".strip()[-300:]
        for item in items[1:]:
            yield f"{lead} {item}"
        return
    parts = _PART.split(body)
    if len(parts) > 1:
        for part in parts:
            hangs = _HANGS.match(part)  # "terminable by A if ...; or by B upon notice"
            yield f"{parts[0][:_LEAD] if hangs else stem} {part}".strip()


def choose(clause: Clause, candidates: list[ClauseCandidate]) -> list[ClauseCandidate]:
    """The best sentence and those nearly as good, at most `clause.most`, in the order of the text."""
    if not candidates:
        return []
    best = candidates[0].score
    near = [c for c in candidates[: clause.most] if c.score >= best - 1.5]
    return sorted(near, key=lambda c: c.sentence.index)
