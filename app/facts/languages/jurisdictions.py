"""The jurisdiction that a clause on the governing law names, by its English short name."""

from __future__ import annotations

from longleaf.app.facts.languages.patterns import LanguagePatterns, compiled
from longleaf.app.text.entities import find_places

_SURROUND = 40  # characters before what says so, in which the law may be named ("Swiss law governs")


def governing_place(text: str, says_at: int, language: LanguagePatterns) -> str:
    """The place named nearest behind `says_at`, where the clause says which law governs; "" if none is."""
    stop = compiled(language.not_in_law).search(text, says_at)
    low, high = max(0, says_at - _SURROUND), stop.start() if stop else len(text)
    found: list[tuple[int, int, str]] = []
    for name, written in language.places.items():
        edge = "" if language.joins_words else r"\b"
        match = compiled(rf"{edge}(?:{written}){edge}").search(text, low, high)
        if match:
            found.append((match.start(), -match.end(), name))
    if not found:
        found = [(m.start, -m.end, m.name) for m in find_places(text[low:high])]
    return min(found)[2] if found else ""
