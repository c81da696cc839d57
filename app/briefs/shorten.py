"""A long sentence made shorter: code proposes the cuts, the model picks the one that reads best.

Small models asked to summarize turn facts round (docs/honesty.md), so they are not asked to. What may be cut
is an insertion that only elaborates: "(the “Term”)", ", including X,". Nothing with a negation, a condition
or a figure goes, and each cut is verified as any written text is.
"""

from __future__ import annotations

import re

from longleaf.app.proof.verify import verify
from longleaf.app.schema import Statement
from longleaf.app.text.wording import NOT_TO_BE_CUT, words_of
from longleaf.engine.engine import Engine

LONG = 200  # characters from which a sentence is worth shortening
_WORTH = 0.9  # of its length that a cut may leave
_BRACKETS = re.compile(r"\s\([^()]*\)(?=[\s,.;:])")
_ELABORATION = re.compile(
    r",\s+(?:including|such as|for example|e\.g\.|as applicable|without limitation|among other things|"
    r"together with)"
    r"\b[^,;.()]*(?=[,;.])",
    re.IGNORECASE,
)


def shorten(statement: Statement, engine: Engine) -> Statement:
    """The best proven cut of a long quotation, as generated text; the quotation if there is none."""
    if len(statement.text) < LONG or " … " in statement.text:
        return statement
    proven = [cut for cut in cuts(statement.text) if not verify(cut, statement.citations, wording=True)]
    if not proven:
        return statement
    scores = engine.rank("In short:", [" " + cut for cut in proven])
    best = max(range(len(proven)), key=lambda i: scores[i].logprob / max(scores[i].n_tokens, 1))
    return statement.model_copy(update={"text": proven[best], "status": "generated"})


def cuts(text: str) -> list[str]:
    """The text without its elaborating brackets, without its elaborations between commas, and without "
    "both."""
    without_brackets = _cut(text, _BRACKETS)
    made = (without_brackets, _cut(text, _ELABORATION), _cut(without_brackets, _ELABORATION))
    return [cut for cut in dict.fromkeys(made) if len(cut) < _WORTH * len(text)]


def _cut(text: str, pattern: re.Pattern[str]) -> str:
    def keep(match: re.Match[str]) -> str:
        piece = match.group(0)
        told_twice = re.fullmatch(r"\s\(\d+\)", piece) is not None  # "thirty (30)"
        needed = NOT_TO_BE_CUT.intersection(words_of(piece)) or (re.search(r"\d", piece) and not told_twice)
        return piece if needed else ""

    return pattern.sub(keep, text)
