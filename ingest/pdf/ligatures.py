"""Repairs ligatures that a font maps to nonsense: "Of\\ue000ce", "pro\\u02dbt".

Some fonts map the ligature glyphs to private-use characters or to the characters that stand at their place in
another encoding (https://github.com/py-pdf/pypdf/issues/3975, https://github.com/py-pdf/pypdf/issues/598).
Which letters such a character stands for is decided by the words it stands in, over the whole document: it is
replaced only if one reading makes words of most of them and no other reading does as well. Where a font maps
all its ligatures to nothing, one character stands for several of them: then each word decides for itself.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import product

import numpy as np

from longleaf.ingest.pdf.lines import Lines
from longleaf.ingest.pdf.normalise import share_boxes
from longleaf.ingest.pdf.page_lines import RawPage
from longleaf.ingest.text.sentences import words

_READINGS = ("fi", "fl", "ff", "ffi", "ffl", "ti", "tt", "th", "ft", "st", "ct")
_NOTHING = "\ufffd"
# Nothing, private use, and the spacing diacritics that stand at the ligatures' places in old encodings.
_MARKS = "\ufffd\ue000-\uf8ff\u02c6\u02c7\u02d8-\u02dd"
_STRANGE = re.compile(f"[{_MARKS}]")
_IN_WORD = re.compile(f"[A-Za-z]*[{_MARKS}][A-Za-z{_MARKS}]*")
_OF_F = ("fi", "fl", "ff", "ffi", "ffl")
_WORD = re.compile(r"[A-Za-z]{3,}")

# Words of contracts and reports that are likely to hold a ligature.
_COMMON = words(
    "office offices officer officers official offer offers offered offering effect effects effective "
    "effected affiliate affiliates affiliated affect affects affected difficult difficulty different "
    "difference differ sufficient insufficient efficient efficiency staff off offset suffer suffered "
    "tariff traffic affirm affirms first final finally finance financial financing find finding "
    "findings fine fined fire firm firms fiscal fit five fix fixed file filed files filing filings "
    "field fields fill filled figure figures fifth fifty fifteen profit profits profitable benefit "
    "benefits beneficial beneficiary specific specifically specified specify specification "
    "specifications confidential confidentiality confirm confirmed confirmation define defined defines "
    "definition definitions definitive identify identified identification notify notified notification "
    "modify modified modification modifications certify certified certificate certificates "
    "certification satisfy satisfied satisfaction satisfactory justified qualify qualified "
    "qualification verify verified verification indemnify indemnified indemnification significant "
    "significantly sacrifice artificial deficit deficiency infinite indefinite indefinitely refine "
    "refined classify classified classification fulfil fulfill fulfilled flow flows overflow float "
    "floating floor flat flexible flexibility fluctuation fluctuations influence conflict conflicts "
    "conflicting reflect reflects reflected reflecting inflation affluent flight the this that their "
    "there these those then than other another whether together either neither party parties with "
    "within without action section termination obligation obligations notwithstanding quantities after "
    "gift left shift draft software last cost costs interest trust best act contract contracts product "
    "products "
)


def repair_ligatures(pages: Sequence[RawPage]) -> None:
    """Replaces strange characters by the letters they stand for, where the words tell which."""
    strange: dict[str, Counter[str]] = defaultdict(Counter)
    for page in pages:
        text = page.lines.text
        if text.isascii() or not _STRANGE.search(text):
            continue
        for match in _IN_WORD.finditer(text):
            marks = set(_STRANGE.findall(match[0]))
            if len(match[0]) > 1:
                for mark in marks:
                    strange[mark][match[0]] += 1
    if not strange:
        return
    known = set(_COMMON)
    for page in pages:
        known.update(w.lower() for w in _WORD.findall(page.lines.text))
    # Fragments that the strange characters cut off are no words.
    for found in strange.values():
        for word in found:
            known.difference_update(p.lower() for p in _STRANGE.split(word) if p.lower() not in _COMMON)
    readings: dict[str, str] = {}
    for _ in range(2):  # a word with two of them can be read once the first is known
        for mark, found in strange.items():
            if mark not in readings and (reading := _reading(mark, found, known, readings)):
                readings[mark] = reading
    of_words = _read_each(strange.get(_NOTHING, Counter()), known)
    if any(letters != readings.get(_NOTHING) for each in of_words.values() for letters in each):
        readings.pop(_NOTHING, None)  # it stands for several
    if readings or of_words:
        for page in pages:
            page.lines = _replace(page.lines, readings, of_words)


def _reading(mark: str, found: Counter[str], known: set[str], readings: dict[str, str]) -> str | None:
    table = {ord(mark): letters for mark, letters in readings.items()}
    candidates = [word.translate(table) for word in found]
    candidates = [word for word in candidates if set(_STRANGE.findall(word)) == {mark}]
    hits = Counter({r: sum(word.replace(mark, r).lower() in known for word in candidates) for r in _READINGS})
    (best, most), (_, second) = hits.most_common(2)
    return best if most > second and most >= 0.5 * len(candidates) else None


def _read_each(found: Counter[str], known: set[str]) -> dict[str, tuple[str, ...]]:
    """For each word what its marks stand for, if one reading alone makes a known word of it."""
    readings = {}
    for word in found:
        pieces = word.split(_NOTHING)
        if len(pieces) > 3:
            continue
        fitting: dict[bool, list[tuple[str, ...]]] = {True: [], False: []}
        for tried in product(_OF_F, repeat=len(pieces) - 1):
            read = "".join(a + b for a, b in zip(pieces, (*tried, ""), strict=True)).lower()
            if read in known:
                fitting[read in _COMMON].append(tried)
        best = fitting[True] or fitting[False]
        if len(best) == 1:
            readings[word] = best[0]
    return readings


def _replace(lines: Lines, readings: dict[str, str], of_words: dict[str, tuple[str, ...]]) -> Lines:
    pieces = [readings.get(c, c) for c in lines.text]
    if _NOTHING not in readings and of_words and _NOTHING in lines.text:
        for match in _IN_WORD.finditer(lines.text):
            marks = (i for i in range(match.start(), match.end()) if lines.text[i] == _NOTHING)
            for i, letters in zip(marks, of_words.get(match[0], ()), strict=False):
                pieces[i] = letters
    text = "".join(pieces)
    if text == lines.text:
        return lines
    lengths = np.array([len(piece) for piece in pieces], np.int64)
    ends = np.concatenate(([0], np.cumsum(lengths)))
    return Lines(text, share_boxes(lines.boxes, lengths), ends[lines.starts].astype(np.int32), lines.table)
