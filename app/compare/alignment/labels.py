"""What a clause is called: its number or letter, and the caption that follows; and references to labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from longleaf.app.compare.alignment.token_stream import Stream
from longleaf.ingest.text.sentences import words

KEYWORDS = frozenset(
    words(
        "article articles section sections clause clauses paragraph paragraphs exhibit exhibits schedule "
        "schedules annex annexes appendix appendices part parts item items attachment attachments recital "
        "recitals subsection subsections note notes § §§"
    )
)
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3})*(?:\.?[a-z])?$|\d{1,3}-\d{1,3}$", re.IGNORECASE)
_LETTER = re.compile(r"(?:[a-z]{1,2}|[ivxlc]{1,6})$", re.IGNORECASE)
_ROMAN = re.compile(r"[ivxlc]{1,7}$", re.IGNORECASE)
_CAPTION = 8  # words
_STOPS = frozenset(".:)")


@dataclass(frozen=True, slots=True)
class Label:
    """Words `start:end` of a clause are its label; `text` is it without keyword and brackets."""

    text: str
    end: int  # in words of the stream
    caption: str


def label_of(stream: Stream, start: int, end: int) -> Label:
    keys = [word.key for word in stream.words[start : min(start + 16, end)]]
    length, text = label_length(keys)
    caption: list[str] = []
    for key in keys[length : length + _CAPTION + 1]:
        if key in (".", ":"):
            break
        caption.append(key.casefold())
    else:
        if len(keys) - length > _CAPTION:
            caption = caption[:3]
    return Label(text, start + length, " ".join(caption))


def label_length(keys: Sequence[str]) -> tuple[int, str]:
    """How many of these first words of a clause are its label, and what it says; 0 and "" if none is."""
    if not keys:
        return 0, ""
    at = 0
    if keys[0].casefold() in KEYWORDS:
        if len(keys) < 2 or not (_NUMBER.match(keys[1]) or _ROMAN.match(keys[1]) or len(keys[1]) == 1):
            return 0, ""
        end = 2 + (len(keys) > 2 and keys[2] in _STOPS)
        return end, f"{keys[0].casefold()} {keys[1].casefold()}"
    if keys[0] == "(":
        if len(keys) > 2 and keys[2] == ")" and (_LETTER.match(keys[1]) or _NUMBER.match(keys[1])):
            return 3, keys[1].casefold()
        return 0, ""
    stopped = len(keys) > at + 1 and keys[at + 1] in _STOPS
    if _NUMBER.match(keys[0]) and (stopped or "." in keys[0] or (len(keys) > 1 and keys[1][:1].isupper())):
        return 1 + stopped, keys[0].casefold()
    if stopped and _LETTER.match(keys[0]) and (len(keys[0]) == 1 or _ROMAN.match(keys[0])):
        return 2, keys[0].casefold()
    return 0, ""


def is_label_word(key: str) -> bool:
    """Whether a word can be all of a label: "4.2", "iv", "b"."""
    return bool(_NUMBER.match(key) or (_LETTER.match(key) and (len(key) == 1 or _ROMAN.match(key))))
