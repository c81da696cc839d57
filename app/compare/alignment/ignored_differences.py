"""Differences between two runs of words that are none: spacing, hyphens at line ends, capitals of titles."""

from __future__ import annotations

import re
from collections.abc import Sequence

from longleaf.app.compare.alignment.token_stream import UNKNOWN, Word

_IGNORED = re.compile(r"[\s_'°-]+")
_BLANK = frozenset(("_", "*", "|"))


def same_text(old: Sequence[Word], new: Sequence[Word]) -> bool:
    """Whether two runs differ only by what layout decides."""
    if not old and not new:
        return True
    if all(word.key in _BLANK for word in (*old, *new)):
        return True
    a, b = _letters(old), _letters(new)
    if a == b and a:
        return True
    if (UNKNOWN in a or UNKNOWN in b) and _fits(a, b):
        return True
    if a.casefold() != b.casefold() or not a:
        return False
    # A title in capitals is the same title; "party" for "Party" is not the same word.
    return _shouts(a) or _shouts(b)


def _fits(a: str, b: str) -> bool:
    """Whether two texts are one but for letters that a font could not show: up to three letters each."""
    if UNKNOWN in a and UNKNOWN in b:
        return a.replace(UNKNOWN, "") == b.replace(UNKNOWN, "")
    holed, whole = (a, b) if UNKNOWN in a else (b, a)
    pattern = "[^0-9]{1,3}".join(map(re.escape, holed.split(UNKNOWN)))
    return re.fullmatch(pattern, whole) is not None


def same_word(old: Word, new: Word) -> bool:
    """Whether two words that are equal but for their case are one."""
    return old.key == new.key or _shouts(old.key) or _shouts(new.key)


def _shouts(text: str) -> bool:
    return text.isupper() and sum(map(str.isalpha, text)) > 1


def _letters(words: Sequence[Word]) -> str:
    """The words without the spaces, blanks and hyphens between letters. Between digits both count."""
    out: list[str] = []
    for word in words:
        key = word.key
        if out and out[-1][-1:].isdigit() and key[:1].isdigit():
            out.append(" ")
        out.append(_joined(key))
    return "".join(out)


def _joined(key: str) -> str:
    kept = []
    for i, character in enumerate(key):
        if _IGNORED.fullmatch(character):
            around = key[i - 1 : i] + key[i + 1 : i + 2]
            if not any(map(str.isdigit, around)):
                continue
        kept.append(character)
    return "".join(kept)
