"""Text from outside, made fit to be stored and shown."""

from __future__ import annotations

import unicodedata

_JOINERS = "\u200c\u200d"  # join letters of names in many scripts, and parts of an emoji


def plain_text(text: str) -> str:
    """The text with a question mark for each character that would steer a terminal or cannot be written.

    File names and arguments that are no UTF-8 come as half surrogate pairs, which neither SQLite nor JSON can
    hold; control and direction characters in a file name could make a terminal show another one.
    """
    return "".join(
        "?" if unicodedata.category(c) in ("Cc", "Cf", "Cs") and c not in _JOINERS else c for c in text
    )
