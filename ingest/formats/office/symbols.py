"""What the characters of the fonts Symbol and Wingdings show; a file names them by their place in the font.

https://www.unicode.org/Public/MAPPINGS/VENDORS/ADOBE/symbol.txt
"""

from __future__ import annotations

import re

from longleaf.ingest.pdf.normalise import REPLACEMENT, symbol

_SYMBOL = {
    **{0x41 + i: c for i, c in enumerate("ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ")},
    **{0x61 + i: c for i, c in enumerate("αβχδεφγηιϕκλμνοπθρστυϖωξψζ")},
    **{i: chr(i) for i in range(0x20, 0x40)}, **{0x5B: "[", 0x5D: "]", 0x7B: "{", 0x7C: "|", 0x7D: "}"},
    0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2A: "∗", 0x2D: "−", 0x40: "≅", 0x5C: "∴", 0x5E: "⊥", 0x7E: "∼",
    0xA2: "′", 0xA3: "≤", 0xA5: "∞", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°",
    0xB1: "±", 0xB2: "″", 0xB3: "≥", 0xB4: "×", 0xB5: "∝", 0xB6: "∂", 0xB7: "•", 0xB8: "÷", 0xB9: "≠",
    0xBA: "≡", 0xBB: "≈", 0xBC: "…", 0xC5: "⊕", 0xC6: "∅", 0xC7: "∩", 0xC8: "∪", 0xC9: "⊃", 0xCA: "⊇",
    0xCC: "⊂", 0xCD: "⊆", 0xCE: "∈", 0xCF: "∉", 0xD0: "∠", 0xD1: "∇", 0xD2: "®", 0xD3: "©", 0xD4: "™",
    0xD5: "∏", 0xD6: "√", 0xD7: "⋅", 0xD8: "¬", 0xD9: "∧", 0xDA: "∨", 0xDB: "⇔", 0xDC: "⇐", 0xDE: "⇒",
    0xE5: "∑", 0xF2: "∫",
}  # fmt: skip
_WINGDINGS = {
    0x20: " ", 0x28: "☎", 0x2A: "✉", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x72: "❒",
    0x75: "◆", 0x76: "❖", 0x77: "⬥", 0x78: "☒", 0x9F: "•", 0xA1: "○", 0xA7: "▪", 0xA8: "◻", 0xD8: "➢",
    0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒",
    0xFE: "☑",
}  # fmt: skip
_PLACES = re.compile("[\uf000-\uf0ff]")


def shown(text: str, font: str) -> str:
    """The text with its characters of the private-use page F000 as they are shown in that font."""
    return _PLACES.sub(lambda m: of_font(ord(m[0]), font), text) if _PLACES.search(text) else text


def of_font(code: int, font: str) -> str:
    """A character by its place in a font, 0xF0.. or 0x..; U+FFFD if the font or the place is not known."""
    name = font.strip().lower()
    if name == "symbol":
        return _SYMBOL.get(code & 0xFF, REPLACEMENT)
    if name == "wingdings":
        return _WINGDINGS.get(code & 0xFF, REPLACEMENT)
    return symbol(0xF000 | code & 0xFF)
