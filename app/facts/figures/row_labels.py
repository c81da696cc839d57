"""What a row is called, so that one pattern fits the many ways of writing it."""

from __future__ import annotations

import re

_STRAIGHT = str.maketrans("“”„‘’‚´`–—‐‑−", "\"\"\"'''''-----")
_NOTES = re.compile(
    r"\s*\((?:see\s+)?notes?\b[^()]*\)|\s*\((?:[a-z]{1,2}|\d{1,2})\)"
    r"|\s*,?\s*(?:see\s+)?\bnotes?\s+\d+(?:\s*(?:,|and)\s*\d+)*$"
    r"|(?<=[a-z)])\d(?:,\d)*$|[*†‡]+|\s*\[\d+\]",
    re.IGNORECASE,
)
# "(loss)", "(used in)": the other direction of what the row says.
_OTHER_WAY = re.compile(
    r"\s*/?\s*\((?:loss(?:es)?|expenses?|benefits?|deficit|income|gains?|decreases?|increases?|credits?"
    r"|charges?"
    r"|used\s+(?:in|for|by)|provided\s+by|benefit\s+from|provision\s+for|earnings|profit|losses)\)\s*/?\s*"
    r"|\s*/\s*(?:loss|used\s+in)\b",
    re.IGNORECASE,
)


def bare(label: str) -> str:
    """A label in lower case without notes, the other direction in brackets, and marks at its ends."""
    text = label.translate(_STRAIGHT).lower().replace("&", " and ")
    text = _NOTES.sub("", text)
    text = _OTHER_WAY.sub(" ", text)
    text = re.sub(r"\bnon-\s?", "non", text)
    text = re.sub(r"\s*,\s*(?=and\b)", " ", text)
    text = re.sub(r"\bshare-?owners?\b|\bstock-?holders?\b", "shareholders", text)
    text = re.sub(r"shareholders?'s?|shareholders?s'", "shareholders", text)
    return " ".join(text.split()).strip(" .:,;-$")


def says_loss(label: str) -> bool:
    """Whether the row gives a loss as a plain figure: "Net loss", not "Net income (loss)"."""
    text = label.lower()
    return bool(re.search(r"\bloss\b", text)) and not re.search(
        r"\b(?:income|earnings|profit|gain)s?\b|\(loss\)", text
    )
