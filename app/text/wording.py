"""Words against words: what a statement's wording adds to, loses from, or turns round in its source.

Lists of words find flipped negations, duties and bounds; what no list finds (roles exchanged, figures of two
clauses mixed) is found by asking that the statement be cut from the source, see `reworded`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# --- negation, duty, permission, bounds -----------------------------------------------------------------

_NEGATIONS = word_set("not no never neither nor none nothing cannot without nobody")
_CONDITIONS = word_set("unless except excluding only solely if until provided otherwise notwithstanding")
_DUTIES = word_set("shall must will required obligated obliged agrees agree undertakes covenants")
_PERMISSIONS = word_set("may can could might entitled permitted allowed option")
_BOUNDS = word_set(
    "least most more less fewer greater lesser exceed exceeds exceeding minimum maximum before after "
    "prior following within above below over under up down higher lower increase increased increases "
    "decrease decreased decreases rose fell gain gains loss losses profit net gross approximately about "
    "average total each every all any either both joint jointly several severally exclusive "
    "nonexclusive sole earlier later first last"
)
_VERBS = word_set(
    "is are was were be been has have had do does did shall must will may can could would should"
)
_WORDS_OF_A_VALUE = 6
_END = "."  # of a sentence; never a word
_PREFIXES = ("non-", "non", "un", "in", "im", "ir", "il", "dis")


def changed_sense(text: str, quotes: Sequence[str]) -> list[str]:
    """Negations, conditions, duties, permissions and bounds that the statement adds or leaves out."""
    said = words_of(text)
    every: list[str] = []
    for sentence in (s for quote in quotes for s in _SENTENCE_BREAK.split(quote)):
        every += [*words_of(sentence), _END]
    region = _region(said, every)
    problems: list[str] = []
    for group in (_NEGATIONS, _CONDITIONS):
        have, want = _count(said, group), _count(region, group)
        if (have > want and have > _count(every, group)) or (have and not want):
            problems.append(f"{' '.join(w for w in said if w in group)} is not cited")
        elif have < want:
            problems.append(f"{' '.join(w for w in region if w in group)} is left out")
    duty, permission = _count(said, _DUTIES), _count(said, _PERMISSIONS)
    if duty and not _count(region, _DUTIES):
        problems.append("a duty that is not cited")
    if bool(permission) != bool(_count(region, _PERMISSIONS)):
        problems.append("a permission added or left out")
    known = set(every)
    for word in said:
        if word in _BOUNDS and word not in known:
            problems.append(word)
        for prefix in _PREFIXES:
            plain = word.removeprefix(prefix)
            opposite_cited = f"{prefix}{word}" in known and len(word) > 3
            opposite_cited = opposite_cited or (plain != word and len(plain) > 3 and plain in known)
            if opposite_cited and word not in known:
                problems.append(word)
                break
    return problems


def _count(words: Iterable[str], group: frozenset[str]) -> int:
    return sum(word in group for word in words)


def _region(said: Sequence[str], cited: Sequence[str]) -> list[str]:
    """The shortest run of the cited words that holds the most of the statement's words in their order.

    For a clause, rather than a bare value, the run begins where its sentence does.
    """
    wanted = [singular(word) for word in said if word not in FUNCTION_WORDS]
    offered = [singular(word) for word in cited]
    # best[i]: (words matched, start of the run) over the first i wanted words, up to the word at hand
    best: list[tuple[int, int]] = [(0, 0)] * (len(wanted) + 1)
    top, run = 0, (0, len(cited))
    for at, word in enumerate(offered):
        row: list[tuple[int, int]] = [(0, 0)]
        for i, want in enumerate(wanted, start=1):
            here = max(best[i], row[i - 1])
            if word == want:
                matched, start = best[i - 1]
                here = max(here, (matched + 1, start if matched else at))
            row.append(here)
        best = row
        matched, start = best[-1]
        if matched > top or (matched == top and top and at + 1 - start < run[1] - run[0]):
            top, run = matched, (start, at + 1)
    start, end = run
    # "Neither party is liable" does not say that a party is: what comes before belongs to a clause.
    if _VERBS.intersection(said) or len(wanted) > _WORDS_OF_A_VALUE:
        while start and cited[start - 1] != _END:
            start -= 1
    return list(cited[start:end])


# --- wording --------------------------------------------------------------------------------------------

# Words that carry no matter of their own; left out when a statement is laid beside its source.
FUNCTION_WORDS = word_set(
    "a an the this that these those such said of and to in on at by for from with as is are was be been "
    "it its their his her they which who hereby herein hereof hereto hereunder thereof therein thereto "
    "also"
)
# The few that may come or go without a change of what is said ("paid by" and "paid to" must not be mixed up).
_IDLE = word_set("a an the this that such said hereby herein hereof hereto hereunder also")
NOT_TO_BE_CUT = (
    _NEGATIONS
    | _CONDITIONS
    | word_set("subject when where while upon extent long case event whether but however than less except")
)
_SENTENCE_BREAK = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“(])|(?<=\))\n(?=[A-Z])")
_PIECE_BREAK = re.compile(r"[,;](?!\d)")
_INSERTION = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


def reworded(text: str, quotes: Sequence[str]) -> list[str]:
    """Sentences that are not cited ones cut by whole pieces between commas or in brackets.

    What is cut may not open the sentence nor hold a negation or a condition: "Unless X, Y" is not Y.
    """
    sources = [s for quote in quotes for s in _SENTENCE_BREAK.split(quote)]
    sources += [_INSERTION.sub(" ", source) for source in sources]
    parts = [part for part in _SENTENCE_BREAK.split(text.strip()) if _content(part)]
    if not parts:
        return [text[:80]]
    return [p[:80] for p in parts if not any(_is_cut_from(_content(p), source) for source in sources)]


def _content(text: str) -> list[str]:
    return [word for word in words_of(text) if word not in _IDLE]


def _is_cut_from(content: Sequence[str], sentence: str) -> bool:
    pieces = [piece for piece in map(_content, _PIECE_BREAK.split(sentence)) if piece]

    def matches(at: int, index: int) -> bool:
        if index == len(pieces):
            return at == len(content)
        piece = pieces[index]
        kept = list(content[at : at + len(piece)]) == piece and matches(at + len(piece), index + 1)
        return kept or (index > 0 and not NOT_TO_BE_CUT.intersection(piece) and matches(at, index + 1))

    return matches(0, 0)


def words_of(text: str) -> list[str]:
    """Words in lower case, numbers whole, "non-exclusive" and "non exclusive" as one."""
    folded = text.lower().replace("’", "'").replace("n't", " not").replace("cannot", "can not")
    folded = re.sub(r"\bnon[\s\u2010\u2011-]+(?=[a-z])", "non-", folded)
    words = re.findall(r"\$?\d+(?:,\d{3})*(?:\.\d+)?%?|non-[^\W\d_]+|[^\W_]+(?:'[^\W_]+)?", folded)
    return [word.removesuffix("'s") for word in words]


def singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
