"""The running text as patterns of any language read it, each character of which knows where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

_EAST = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
_FOLDED = str.maketrans(
    {chr(code): chr(to) for code, to in _FULL_WIDTH.items()}
    | dict.fromkeys("“”„‟«»", '"')
    | dict.fromkeys("‘’‚´`", "'")
    | dict.fromkeys("‐‑–—", "-")
    | dict.fromkeys("\u00a0\u2007\u2009\u202f", " ")
)
_MARK = (
    r"(?:§{1,2}\s?\d+\w?|(?:art(?:ikel|icle|ículo|icolo|igo)?|cl[áa]usula|clausola|clause|section|abschnitt|kapitel|ziffer)\.?\s"
    r"(?:\d+|[ivxlc]+|premier|1er|primer[ao]?|uno)(?:[ºª°.]|er)?\b|第\s?[\d一二三四五六七八九十百零〇]+\s?[条條章节節]|"
    r"\d{1,2}(?:\.\d{1,2}){0,3}[.)]?(?=\s)|[IVX]{1,5}[.)](?=\s)|"
    r"(?:primera|segunda|tercera|cuarta|quinta|sexta|s[ée]ptima|octava|novena|d[ée]cima|und[ée]cima|duod[ée]cima|"
    r"primeira|terceira|quarta|oitava|nona)(?:\s\w+)?\s?[.:-]|[一二三四五六七八九十]{1,3}、)"
)
_MARKED = re.compile(rf"\s*{_MARK}", re.IGNORECASE)
_LABEL = re.compile(r"[^\n:]{2,32}\s?:\s?\S")
_ENDED = re.compile(r"[.!?;:。！？；：]['\")）」』]*\s*$")
_HEADING = 70  # characters that a title has at most
_SHORT = 42  # characters of a line that is no wrapped one
_SHORT_EAST = 16
# Never end a sentence: the abbreviations of the languages read.
_ABBREVIATED = re.compile(
    r"(?:^|[\s(\"'])(?:[a-zà-ÿ]|nr|nrs|no|núm|num|abs|art|arts|bzw|ca|z\.\s?b|d\.\s?h|u\.\s?a|vgl|ggf|inkl|zzgl|max|min|mio|mrd|str|lit|ziff|"
    r"dr|prof|hr|fr|st|sr|sra|srta|dña|ud|uds|sig|sigg|spett|av|ave|c|ing|avv|dott|lda|ltda|cia|cía|inc|ltd|co|corp|"
    r"mr|mme|mm|p|pp|cf|ex|al|prov|cap|tel|fax|rcs|n°|n|nº|blz|jl|resp|dhr|mevr|mw|drs|excl|incl|"
    r"(?:[a-z]\.\s?)+[a-z])$",
    re.IGNORECASE,
)
_STOP = re.compile(r"[。！？；]['\")）」』]*|[.!?;]['\")]*(?=\s|$)")


@dataclass(frozen=True, slots=True)
class FoldedText:
    """`offsets[i]` is where character `i` of `text` stands in the text that was folded."""

    text: str
    offsets: tuple[int, ...]

    def raw(self, start: int, end: int) -> tuple[int, int]:
        return self.offsets[start], self.offsets[end - 1] + 1


@dataclass(frozen=True, slots=True)
class FoldedSentence:
    """Characters `start:end` of the whole text; `folded.text` is what patterns are matched on."""

    index: int
    folded: FoldedText
    heading: str

    @property
    def text(self) -> str:
        return self.folded.text


def fold_text(raw: str, start: int, end: int) -> FoldedText:
    """White space as one space, none between ideographs; full-width forms, quotes and dashes made one."""
    characters: list[str] = []
    offsets: list[int] = []
    for at in range(start, end):
        character = raw[at].translate(_FOLDED)
        if character.isspace():
            after = raw[at + 1 : at + 2]
            if (
                not characters
                or characters[-1] == " "
                or (_EAST.match(characters[-1]) and _EAST.match(after or " "))
            ):
                continue
            if (
                characters[-1] == "-"
                and raw[at] == "\n"
                and after.islower()
                and len(characters) > 1
                and characters[-2].isalpha()
            ):
                characters.pop()  # a word parted at the end of a line
                offsets.pop()
                continue
            character = " "
        characters.append(character)
        offsets.append(at)
    while characters and characters[-1] == " ":
        characters.pop()
        offsets.pop()
    return FoldedText("".join(characters), tuple(offsets))


def sentences_of(text: str) -> list[FoldedSentence]:
    """The sentences of a contract in any of the languages, each with the title it stands under."""
    found: list[FoldedSentence] = []
    heading = ""
    for start, end in _segments(text):
        title_end = _title(text, start, end)
        if title_end:
            heading = fold_text(text, start, title_end).text
            if text[start:title_end].strip():
                found.append(FoldedSentence(len(found), fold_text(text, start, title_end), heading))
            start = title_end
        for low, high in _cut(text, start, end):
            folded = fold_text(text, low, high)
            if folded.text:
                found.append(FoldedSentence(len(found), folded, heading))
    return found


def _segments(text: str) -> Iterator[tuple[int, int]]:
    """Runs of lines: broken before numbers and labels, after ended and after short lines, and at blank lines."""
    lines: list[tuple[int, int]] = []
    at = 0
    for line in text.split("\n"):
        lines.append((at, at + len(line)))
        at += len(line) + 1
    start = 0
    for (low, high), (next_low, next_high) in pairwise([*lines, (at, at)]):
        line, after = text[low:high].translate(_FOLDED), text[next_low:next_high].translate(_FOLDED)
        short = len(line.strip()) <= (_SHORT_EAST if _EAST.search(line) else _SHORT)
        begins = after.lstrip()[:1]
        if (
            next_low >= at
            or not after.strip()
            or _MARKED.match(after)
            or (_LABEL.match(after) and len(after) < 120)
            or (_ENDED.search(line) and not begins.islower())
            or (
                short
                and line.strip()
                and not line.rstrip().endswith((",", "、", "，"))
                and (begins.isupper() or _EAST.match(begins or " "))
            )
        ):
            if text[start:high].strip():
                yield start, high
            start = next_low


def _title(text: str, start: int, end: int) -> int:
    """Where the title that a segment begins with ends; 0 if it begins with none."""
    body = text[start:end].translate(_FOLDED)
    mark = _MARKED.match(body)
    if mark is None:
        line = body.strip()
        return (
            end
            if line
            and len(line) <= _SHORT
            and not _ENDED.search(line)
            and ":" not in line
            and not re.search(r"\d{4}", line)
            else 0
        )
    rest = body[mark.end() :]
    east = bool(_EAST.search(rest[:20]))
    stop = re.match(r"\s*[-:.]?\s*[(（][^()（）\n]{1,30}[)）]", rest) if east else None
    if stop is None and east:
        stop = re.match(r"\s*[^\s。，、；：:\n]{1,20}(?=[\s\n]|$)", rest)
    if stop is None:
        stop = re.match(rf"[\s.:-]*[^\n.:;。]{{2,{_HEADING}}}(?:\n|(?<!\d)[.:](?=\s)|$)", rest)
    if stop is None or (_ENDED.search(stop.group()) and not rest[stop.end() :].strip()):
        return 0  # a short sentence with a number
    return start + mark.end() + stop.end()


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    low = start
    body = text[start:end]
    for match in _STOP.finditer(body):
        high = start + match.end()
        before = body[low - start : match.start()]
        if match.group(0)[0] in ".;" and _runs_on(before, body[match.end() :], match.group(0)[0]):
            continue
        if match.group(0)[0] == "。" and before.count("（") + before.count("(") > before.count(
            "）"
        ) + before.count(")"):
            continue  # （以下「甲」という。）
        yield low, high
        low = high
    if text[low:end].strip():
        yield low, end


def _runs_on(before: str, after: str, stop: str) -> bool:
    following = after.lstrip().lstrip("(\"'„“«")[:1]
    if stop == ";":
        return len(before) < 200
    if following.islower():
        return True
    if _ABBREVIATED.search(before.translate(_FOLDED)):
        return True
    # "3. April", "§ 3.", "1. März": a number ends a sentence only if it is no ordinal.
    return (
        bool(re.search(r"(?:^|\D)\d{1,2}$", before))
        and (following.isalpha() or following.isdigit())
        and len(before.split()[-1]) <= 3
        and not re.search(r"\d\s?[€%]$", before)
    )
