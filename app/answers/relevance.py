"""How well each candidate answers a question: words, meaning, what kind of thing is asked, and the model."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from longleaf.app.answers.candidates import Candidate
from longleaf.app.text.entities import find_dates, find_numbers, find_places
from longleaf.app.text.salience import matter
from longleaf.engine.engine import Engine

Embed = Callable[[Sequence[str]], NDArray[np.float32]]

_ENDINGS = (  # longest first
    *("ations", "ation", "ments", "ment", "ings", "ing", "ables", "able"),
    *("ions", "ion", "ies", "ed", "es", "ly", "s", "e"),
)
_EMBEDDED = 600  # characters of a candidate that are embedded
_HEADING_WEIGHT = 0.3
_STEM = 4  # letters an ending must leave


def stems(text: str) -> list[str]:
    return [_stem(word) for word in matter(text)]


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            return word[: -len(ending)]
    return word


def shared_words(question: str, candidates: Sequence[Candidate]) -> list[float]:
    """Share of the question's words, rare ones weighing more, that each candidate or its heading has; "
    "0 to 1."""
    texts = [set(stems(c.sentence.text)) for c in candidates]
    headings = [set(stems(" ".join([*c.sentence.section_path[-1:], c.title, c.text]))) for c in candidates]
    frequency = Counter(word for text in texts for word in text)
    weights = {w: math.log(1 + len(texts) / (1 + frequency[w])) for w in set(stems(question))}
    total = sum(weights.values()) or 1.0
    return [
        sum(
            weight * (1.0 if w in text else _HEADING_WEIGHT if w in heading else 0.0)
            for w, weight in weights.items()
        )
        / total
        for text, heading in zip(texts, headings, strict=True)
    ]


# What kind of thing the answer must hold, told by how the question is put.
_ASKED = (
    (re.compile(r"\bwhen\b|\b(?:what|which) (?:date|day|year)\b|\bdate of\b", re.IGNORECASE), "date"),
    (
        re.compile(r"\bhow long\b|\bduration\b|\bnotice period\b|\bhow much notice\b", re.IGNORECASE),
        "duration",
    ),
    (
        re.compile(
            r"\bhow (?:much|many)\b|\bamounts?\b|\b\bwhat (?:was|is|were|"
            r"are) (?:\w+['’]?s? ){0,4}(?:total |net )*"
            r"(?:revenues?|sales|income|earnings|eps|cash|debt|price|fee|cost|expenses?|margin|rate)\b|"
            r"\bquantity\b",
            re.IGNORECASE,
        ),
        "amount",
    ),
    (
        re.compile(r"^why\b|\bwhat (?:drove|caused|explains?)\b|\bwhat (?:was|is) the reason", re.IGNORECASE),
        "reason",
    ),
    (re.compile(r"\bwhere\b|\bwhich (?:state|country|law)|\bwhat law\b", re.IGNORECASE), "place"),
)
_REASON = re.compile(
    r"\b(?:because|due to|driven by|result(?:ed|ing)? (?:of|from)|reflect(?:s|ed|ing)?|given|primarily|"
    r"attributable|owing)\b",
    re.IGNORECASE,
)
_DURATION = re.compile(r"\b(?:day|week|month|year|quarter)s?\b", re.IGNORECASE)


_YEAR = re.compile(r"(?:19|20)\d\d")
_SHARE = re.compile(r"\bpercent|%|\b(?:growth|grow|rate|margin|increase|decrease|change)\b", re.IGNORECASE)


def asked_for(question: str) -> str | None:
    if _SHARE.search(question):  # then an amount is not what is meant
        return None
    return next((what for pattern, what in _ASKED if pattern.search(question)), None)


def holds(text: str, what: str) -> bool:
    """Whether a text has the kind of thing that is asked for."""
    if what == "date":
        return bool(find_dates(text)) or bool(_DURATION.search(text) and find_numbers(text))
    if what == "duration":
        return bool(_DURATION.search(text) and find_numbers(text))
    if what == "amount":
        return any(number.unit != "%" and not _YEAR.fullmatch(number.text) for number in find_numbers(text))
    if what == "reason":
        return bool(_REASON.search(text))
    return bool(find_places(text))


_LIKELY = 300  # characters of a candidate whose likelihood is taken
_WEIGHTS = {"meaning": 1.0, "words": 0.5, "kind": 0.15, "rank": 0.1, "label": 0.3}


def relevance(question: str, candidates: Sequence[Candidate], embed: Embed | None) -> list[float]:
    """How likely each candidate answers the question, comparable between documents; higher is better.

    Without an embedding model `meaning` is estimated by the words alone.
    """
    words = shared_words(question, candidates)
    if embed:
        texts = [
            ": ".join([*c.sentence.section_path[-1:], *filter(None, [c.title]), c.text[:_EMBEDDED]])
            for c in candidates
        ]
        rows = embed([question, *texts])
        meaning = [float(value) for value in rows[1:] @ rows[0]]
    else:
        meaning = words
    what = asked_for(question)
    wanted = set(stems(question))
    return [
        _WEIGHTS["meaning"] * meant
        + _WEIGHTS["words"] * shared
        + _WEIGHTS["rank"] / (1 + candidate.rank)
        + _WEIGHTS["label"] * _label_fit(candidate, wanted)
        + (_WEIGHTS["kind"] * (1 if holds(candidate.sentence.text, what) else -1) if what else 0.0)
        for candidate, meant, shared in zip(candidates, meaning, words, strict=True)
    ]


def _label_fit(candidate: Candidate, wanted: set[str]) -> float:
    """Of a table row, the share of its label that was asked for: "Net revenue growth" is not net revenue."""
    if candidate.sentence.kind != "table":
        return 0.0
    label = set(stems(re.split(r"[\d$€£(]", candidate.sentence.text, maxsplit=1)[0]))
    return len(label & wanted) / len(label) if label else 0.0


def likelihood_gain(question: str, candidates: Sequence[Candidate], engine: Engine) -> list[float]:
    """How much likelier the question makes each candidate, in nats a token (pointwise mutual information).

    Both prefixes are read once; each candidate is a fork of them. The gain, not the likelihood itself: that
    would prefer short and common phrases whatever is asked.
    """
    texts = [" " + candidate.text[:_LIKELY] for candidate in candidates]
    asked = engine.rank(f"Question: {question}\nThe document answers:", texts)
    unasked = engine.rank("The document says:", texts)
    return [(a.logprob - u.logprob) / max(a.n_tokens, 1) for a, u in zip(asked, unasked, strict=True)]
