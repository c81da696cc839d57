"""Which sentences carry the matter of a text: centrality, place, title words and the verbs that bind.

Degree centrality over TF-IDF vectors (the idea of LexRank, Erkan and Radev 2004, without the random walk),
plus what marks an operative clause or a reported result. The weights were chosen on the labelled clauses of
the eval contracts; docs/honesty.md has the table.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from longleaf.app.schema import Kind
from longleaf.app.text.sentences import Sentence
from longleaf.app.text.wording import FUNCTION_WORDS, singular, word_set

_IDLE = FUNCTION_WORDS | word_set(
    "or any all other not no shall may will must has have had which than then there here if so but under "
    "into upon can do does did such each between including include per party parties agreement section"
)
# What lawyers look for in a commercial contract, and the verbs that bind.
_OPERATIVE = re.compile(
    r"\b(?:shall|must|will|may not|agrees? to|hereby|entitled|initial term|commenc\w+|expir\w+|"
    r"terminat\w+|renew\w*|"
    r"convenience|governed by|jurisdiction|arbitrat\w+|exclusiv\w+|non-?exclusiv\w+|compet\w+|"
    r"solicit\w*|licen[sc]es?|"
    r"sublicen[sc]\w+|perpetual|irrevocabl\w+|non-?transferabl\w+|liab\w+|consequential|indemnif\w+|"
    r"liquidated|"
    r"warrant\w*|payable|pay|royalt\w+|commission\w*|minimum|purchase|price|assign\w*|change (?:of|"
    r"in) control|"
    r"first refusal|consent|own(?:s|ed|ership)?|title|audit\w*|inspect\w*|books and records|insurance|escrow|"
    r"most favou?red|third[- ]party beneficiar\w+|disparag\w+|written notice)\b",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"\b(?:increas\w+|decreas\w+|grew|growth|declin\w+|rose|fell|higher|lower|compared|primarily|driven|"
    r"due to|"
    r"net (?:sales|income|revenues?|earnings|loss)|revenues?|operating income|cash flow|"
    r"earnings per share|dividends?|"
    r"repurchas\w+|acqui\w+|risks?|expects?|guidance|segments?|adversely|material\w*)\b",
    re.IGNORECASE,
)
_PURPOSE = re.compile(
    r"\b(?:hereby\s+(?:\w+\s+)?(?:grants?|appoints?|engages?|agrees?|retains?|licenses?|assigns?|sells?|"
    r"forms?)|"
    r"(?:shall|will|agrees?\s+to)\s+(?:\w+\s+)?(?:supply|sell|purchase|buy|provide|manufacture|develop|"
    r"distribute|"
    r"promote|market|sponsor|endorse|perform|deliver|license|pay|maintain|host|operate|contribute|cooperate)|"
    r"purpose of this|desires? to|wish(?:es)? to)\b",
    re.IGNORECASE,
)
# A condition to begin with, or what every contract has: not what this one is about.
_SIDE_MATTER = re.compile(
    r"^\W*(?:\w{1,4}[.)]\s*)?(?:if|in the event|to the extent|upon|following|should|notwithstanding|"
    r"except|within|"
    r"unless|for the purpose of this)\b|\b(?:insurance|indemnif\w+|audit\w*|inspect\w+|confidential\w*|"
    r"underpayment|"
    r"third[- ]party claims?|expiration or termination|written notice|shall not|may not|such (?:audit|"
    r"claim|notice))\b",
    re.IGNORECASE,
)
_HEADLINE = re.compile(
    r"\b(?:(?:total |net |consolidated )?(?:revenues?|sales)|net (?:income|earnings|loss)|"
    r"operating (?:income|profit)|"
    r"earnings per (?:diluted )?share|eps|cash (?:flow|provided)|free cash flow|dividends?|repurchas\w+|"
    r"guidance|"
    r"expects?|segments?|fiscal (?:year )?20\d\d|full[- ]year|compared (?:to|with)|year[- ]over[- ]year)\b",
    re.IGNORECASE,
)
# Begins with a word that points back at a sentence the reader does not see.
_POINTING = re.compile(
    r"(?:\W*\w{1,4}[.)]\s)?(?:this|these|those|they|he|she|it|its|his|her|such|further|furthermore|"
    r"in addition|as such|"
    r"moreover|however|also|accordingly|therefore|thereafter|similarly|for clarity|for example|as a result)\b"
    r"(?!\s+(?:agreement|contract|amendment|lease|license|filing|report))",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"[$€£]\s?\d|\d\s?%|\b(?:million|billion|days|months|years)\b")
_BOILERPLATE = re.compile(
    r"forward-looking|incorporated (?:herein )?by reference|counterparts?\b|"
    r"headings?\b[^.]*\b(?:convenience|reference)|"
    r"in witness whereof|duly executed|capitali[sz]ed terms|singular\b[^.]*\bplural|now,? therefore|"
    r"as set forth in|have the (?:respective )?meanings?|see (?:note|item|part|section)|accompanying notes|"
    r"(?:is|are) (?:included|contained|presented|set forth) (?:in|under)|this (?:annual|"
    r"quarterly) report on form|"
    r"indicate by check ?mark|"
    r"in certain instances|differs? from|unable to reconcile|reconciliation|"
    r"non-gaap (?:financial )?measures?|"
    r"words? of (?:any|the masculine) gender|severab\w+|generally accepted accounting principles|"
    r"critical audit",
    re.IGNORECASE,
)
_WEIGHTS = {
    "central": 0.3,
    "title": 0.8,
    "operative": 2.0,
    "figure": 0.4,
    "early": 0.5,
    "boilerplate": -1.5,
    "pointing": -0.8,
}
_CUES = 5  # more than this many different ones add nothing
_COMFORTABLE = 320  # characters; longer sentences cost the reader more than they tell
_LENGTH_WEIGHT = 0.4
_SAME = 0.6  # cosine from which two sentences say the same


def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    """Unit TF-IDF rows, shape (len(texts), words); a text without words of matter is a zero row."""
    counts = [Counter(matter(text)) for text in texts]
    frequency = Counter(word for count in counts for word in count)
    columns = {word: column for column, word in enumerate(frequency)}
    rows = np.zeros((len(texts), max(len(columns), 1)), dtype=np.float32)
    for row, count in zip(rows, counts, strict=True):
        for word, times in count.items():
            row[columns[word]] = (1 + math.log(times)) * math.log(1 + len(texts) / frequency[word])
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float32] = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    return unit


def importance(
    sentences: Sequence[Sentence], rows: NDArray[np.float32], title: str, kind: Kind
) -> list[float]:
    """A score for each sentence of one part; `rows` are their vectors."""
    centrality = rows @ rows.sum(axis=0) - 1
    peak = float(centrality.max(initial=0.0)) or 1.0
    wanted = set(matter(title))
    verbs = _OPERATIVE if kind == "contract" else _RESULT
    scores = []
    for position, (sentence, central) in enumerate(zip(sentences, centrality, strict=True)):
        text = sentence.text
        marks = {
            "central": float(central) / peak,
            "title": len(wanted & set(matter(text))) / len(wanted) if wanted else 0.0,
            "operative": min(len({m.lower() for m in verbs.findall(text)}), _CUES) / _CUES,
            "figure": 1.0 if _FIGURE.search(text) else 0.0,
            "early": 1 / (1 + position),
            "pointing": 1.0 if _POINTING.match(text) else 0.0,
            "boilerplate": 1.0 if _BOILERPLATE.search(text) else 0.0,
        }
        length = max(len(text) - _COMFORTABLE, 0) / _COMFORTABLE
        scores.append(sum(_WEIGHTS[name] * value for name, value in marks.items()) - _LENGTH_WEIGHT * length)
    return scores


def best_distinct(scores: Sequence[float], rows: NDArray[np.float32], count: int) -> list[int]:
    """The `count` highest scores whose sentences do not say the same, in the order of the text."""
    chosen: list[int] = []
    for index in sorted(range(len(scores)), key=lambda i: -scores[i]):
        if len(chosen) == count:
            break
        if all(float(rows[index] @ rows[other]) < _SAME for other in chosen):
            chosen.append(index)
    return sorted(chosen)


def matter(text: str) -> list[str]:
    return [singular(word) for word in re.findall(r"[^\W\d_]{3,}", text.lower()) if word not in _IDLE]
