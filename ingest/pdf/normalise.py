"""Characters as people type them: ligatures spelled out, control and invisible characters removed.

Every rule keeps the map back: a character that becomes several shares out its box, one that goes takes its
box with it. What cannot be repaired becomes U+FFFD and is counted as doubtful.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from longleaf.ingest.pdf.characters import STRUCK
from longleaf.ingest.pdf.lines import Lines

REPLACEMENT = "\ufffd"

# Alphabetic Presentation Forms, https://www.unicode.org/charts/PDF/UFB00.pdf
_LIGATURES = {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
}

# Windows-1252 punctuation that reached the file as C1 control codes,
# https://encoding.spec.whatwg.org/index-windows-1252.txt
_C1 = {c: bytes([c]).decode("cp1252", errors="replace") for c in range(0x80, 0xA0)}

# Symbol and Wingdings bullets and ticks in the private-use page F000 that fonts with a symbol cmap use,
# https://www.unicode.org/Public/MAPPINGS/VENDORS/ADOBE/symbol.txt
_SYMBOLS = {
    0xF0B7: "•", 0xF0A7: "▪", 0xF06E: "■", 0xF06F: "□", 0xF0A8: "◻", 0xF071: "❑", 0xF0D8: "➢", 0xF0FC: "✓",
    0xF078: "☒", 0xF0FB: "✗", 0xF0FD: "☒", 0xF0FE: "☑", 0xF0B0: "°", 0xF0B1: "±", 0xF0A3: "≤", 0xF0B3: "≥",
    0xF0D7: "⋅", 0xF06C: "●", 0xF072: "❒", 0xF075: "◆", 0xF076: "❖", 0xF0A1: "○", 0xF0E0: "→", 0xF0E8: "➔",
    0xF02D: "−", 0xF0D2: "®", 0xF0D3: "©", 0xF0D4: "™", 0xF06D: "μ", 0xF020: " ",
}  # fmt: skip


def symbol(code: int) -> str:
    """What a character of a symbol font shows, by its place in the private-use page F000."""
    return _SYMBOLS.get(code, REPLACEMENT)


_INVISIBLE = (0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E)

# Stops and brackets as they are set in columns from top to bottom, https://www.unicode.org/charts/PDF/UFE30.pdf
_UPRIGHT = {
    code: unicodedata.normalize("NFKC", chr(code))
    for code in (*range(0xFE10, 0xFE1A), *range(0xFE35, 0xFE45), 0xFE47, 0xFE48)
} | {0xFE11: "、", 0xFE12: "。"}

_TABLE: dict[int, str] = {
    **dict.fromkeys(range(32), REPLACEMENT),
    0x7F: REPLACEMENT,
    **_C1,
    **_LIGATURES,
    **_SYMBOLS,
    **_UPRIGHT,
    **dict.fromkeys(_INVISIBLE, ""),
}
_DOUBTFUL = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]")
# By code: whether it is in the table, all of which is below U+FFFF (np.isin takes ten times as long).
_WANTED = np.zeros(1 << 16, bool)
_WANTED[list(_TABLE)] = True


def normalise(lines: Lines) -> Lines:
    """The same lines with characters replaced one to none, one or many, boxes and starts following."""
    lines = _without_struck(_restore_f(lines))
    codes = np.frombuffer(lines.text.encode("utf-32-le", "surrogatepass"), np.uint32)
    soft_hyphen = (codes == 0xAD) & ~_at_line_end(lines)
    hits = _WANTED[np.minimum(codes, 0xFFFF)] | soft_hyphen
    if not hits.any():
        return lines
    pieces = [_TABLE.get(c, "") for c in codes[hits].tolist()]
    lengths = np.ones(len(codes), np.int64)
    lengths[hits] = [len(p) for p in pieces]
    found = iter(pieces)
    text = "".join(next(found) if hit else c for c, hit in zip(lines.text, hits.tolist(), strict=True))
    ends = np.concatenate(([0], np.cumsum(lengths)))
    return Lines(text, share_boxes(lines.boxes, lengths), ends[lines.starts].astype(np.int32), lines.table)


_STRUCK_RUN = re.compile(f" *{chr(STRUCK)}[{chr(STRUCK)} ]*")


def _without_struck(lines: Lines) -> Lines:
    """The same lines without struck characters, and with one space where words stood on both sides."""
    if chr(STRUCK) not in lines.text:
        return lines
    keep = np.ones(len(lines.text), bool)
    starts = lines.starts.tolist()
    for a, b in pairwise(starts):
        for run in _STRUCK_RUN.finditer(lines.text, a, b):
            spaced = run[0].startswith(" ") or run[0].endswith(" ")
            inner = spaced and a < run.start() and run.end() < b
            keep[run.start() : run.end()] = False
            if inner:
                keep[lines.text.index(" ", run.start())] = True
    ends = np.concatenate(([0], np.cumsum(keep)))
    text = "".join(c for c, kept in zip(lines.text, keep.tolist(), strict=True) if kept)
    return Lines(text, lines.boxes[keep], ends[lines.starts].astype(np.int32), lines.table)


# What stands around an f that pdfium takes for the one before it drawn again, as their boxes lie over each
# other in italics: "af ect". No two of these pieces are words beside each other.
_LOST_F = re.compile(
    r"\b(?:(?:[Dd]isaf|[Aa]f) (?=[ei](?:ct|liat|rm)|ord|idavit)|(?:[Ii]ndif|[Dd]if) (?=er|icult|us)"
    r"|[Ee]f (?=ect|icien|icac|ort|luen)|(?:[Ii]nsuf|[Ss]uf) (?=er|ic)"
    r"|(?:[Cc]oef|[Tt]raf) (?=ic)|[Bb]uf (?=er)"
    r"|[Oo]f (?=er(?:s|ed|ing|ings|ee|eror)?\b|icer|icial))"
)
_MAYBE_LOST_F = re.compile("f (?=ect|ili|irm|ord|ida|er|ic|us|ort|luen)")
_LONGEST_HEAD = 7


def _restore_f(lines: Lines) -> Lines:
    """The same lines with the second f where pdfium put a space for it."""
    places = [
        match.end() - 1
        for match in _MAYBE_LOST_F.finditer(lines.text)
        if _LOST_F.search(lines.text, max(match.start() - _LONGEST_HEAD, 0), match.end() + _LONGEST_HEAD)
    ]
    if not places:
        return lines
    text, boxes = list(lines.text), lines.boxes.copy()
    for i in places:
        text[i] = "f"
        x0, y0, x1, y1 = boxes[i - 1]
        boxes[i] = (x0 + x1) / 2, y0, max(boxes[i + 1, 0], x1), y1
        boxes[i - 1, 2] = (x0 + x1) / 2
    return Lines("".join(text), boxes, lines.starts, lines.table)


def share_boxes(boxes: NDArray[np.float32], lengths: NDArray[np.int64]) -> NDArray[np.float32]:
    """Repeats box i `lengths[i]` times, each copy an equal slice of its width, left to right."""
    out = np.repeat(boxes, lengths, axis=0)
    if (lengths > 1).any():
        count = np.repeat(lengths, lengths)
        place = np.arange(len(out)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        x0, width = out[:, 0].copy(), out[:, 2] - out[:, 0]
        out[:, 0] = np.where(count > 1, x0 + width * place / count, x0)
        out[:, 2] = np.where(count > 1, x0 + width * (place + 1) / count, out[:, 2])
    return out


def inked(text: str) -> int:
    """How many characters are no white space."""
    return sum(map(len, text.split()))


def doubtful(text: str) -> int:
    """How many characters cannot be trusted: unmapped, private-use."""
    return 0 if text.isascii() else len(_DOUBTFUL.findall(text))


def _at_line_end(lines: Lines) -> NDArray[np.bool_]:
    at_end = np.zeros(len(lines.text), bool)
    ends = lines.starts[1:] - 1
    at_end[ends[ends >= 0]] = True
    return at_end
