"""The numbers that Word puts before paragraphs, as "2.1" or "(a)". A file holds only how to count."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from longleaf.ingest.formats.blocks import numeral
from longleaf.ingest.formats.office.package import child, local, value

_STYLES = {
    "decimal": "decimal", "lowerLetter": "lower-alpha", "upperLetter": "upper-alpha",
    "lowerRoman": "lower-roman", "upperRoman": "upper-roman",
}  # fmt: skip
_ORDINALS = {1: "st", 2: "nd", 3: "rd"}
_CARDINALS = (
    "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINAL_WORDS = {
    1: "first", 2: "second", 3: "third", 5: "fifth", 8: "eighth", 9: "ninth", 12: "twelfth",
}  # fmt: skip
_IDEOGRAPHS = ("", *"一二三四五六七八九十")
_LEGAL = ("", *"壹貳參肆伍陸柒捌玖拾")
_COUNTED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("chineseCounting", "chineseCountingThousand", "taiwaneseCounting", "taiwaneseCountingThousand",
         "japaneseCounting", "koreanCounting"), _IDEOGRAPHS,
    ),
    "ideographLegalTraditional": _LEGAL, "japaneseLegal": ("", *"壱弐参四五六七八九拾"),
    "chineseLegalSimplified": ("", *"壹贰叁肆伍陆柒捌玖拾"),
}  # fmt: skip
_SEQUENCES: dict[str, str] = {
    "ideographTraditional": "甲乙丙丁戊己庚辛壬癸", "ideographZodiac": "子丑寅卯辰巳午未申酉戌亥",
    "decimalEnclosedCircle": "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳",
    "decimalEnclosedCircleChinese": "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳",
    "decimalEnclosedParen": "⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽⑾⑿⒀⒁⒂⒃⒄⒅⒆⒇",
    "decimalEnclosedFullstop": "⒈⒉⒊⒋⒌⒍⒎⒏⒐⒑⒒⒓⒔⒕⒖⒗⒘⒙⒚⒛",
    "hebrew2": "אבגדהוזחטיכלמנסעפצקרשת", "hebrew1": "אבגדהוזחטי",
    "russianLower": "абвгдежзиклмнопрстуфхцчшщыэюя", "russianUpper": "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ",
    "ganada": "가나다라마바사아자차카타파하", "chosung": "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
    "aiueo": "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン",
    "iroha": "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス",
}  # fmt: skip
_BULLETS = {
    "\uf0b7": "•",
    "\uf0a7": "▪",
    "o": "◦",
    "\uf0d8": "➢",
    "\uf0fc": "✓",
    "\uf06e": "■",
    "\uf0a8": "◻",
}


@dataclass(slots=True)
class _Level:
    start: int = 0  # as ECMA-376 has it where a file does not say
    style: str = "decimal"
    text: str = ""
    legal: bool = False  # all numbers of the mark are shown in arabic
    restart: int | None = None  # the level after which this one begins anew; None: any higher one


@dataclass(slots=True)
class _List:
    """`counts` are shared by all lists of one definition; `starts` are the levels that this list begins anew
    where it is used first."""

    levels: dict[int, _Level]
    counts: dict[int, int]
    starts: set[int] = field(default_factory=set)


class Numbering:
    """Counts through a document; `mark` must be called for each paragraph in order."""

    def __init__(self, root: Any) -> None:
        self._lists: dict[str, _List] = {}  # by numId
        self._by_style: dict[str, int] = {}
        elements = [] if root is None else [e for e in root if local(e) in ("abstractNum", "num")]
        abstract = {value(e, "abstractNumId"): e for e in elements if local(e) == "abstractNum"}
        # A definition may only point to that of a list style.
        styled = {value(child(e, "styleLink")): key for key, e in abstract.items()}
        counts: dict[str, dict[int, int]] = {}
        for element in elements:
            if local(element) != "num":
                continue
            of = value(child(element, "abstractNumId"))
            of = styled.get(value(child(abstract.get(of), "numStyleLink"), default="-"), of)
            levels = self._levels(abstract[of]) if of in abstract else {}
            found = _List(levels, counts.setdefault(of, {}))
            for override in element:
                if local(override) != "lvlOverride":
                    continue
                at = _int(value(override, "ilvl"), 0)
                if (own := child(override, "lvl")) is not None:
                    levels[at] = _level(own)
                if (start := child(override, "startOverride")) is not None and at in levels:
                    levels[at] = replace(levels[at], start=_int(value(start), 1))
                    found.starts.add(at)
            self._lists[value(element, "numId")] = found
            for level in abstract.get(of, ()):
                if local(level) == "lvl" and (style := value(child(level, "pStyle"))):
                    self._by_style.setdefault(style, _int(value(level, "ilvl"), 0))

    def _levels(self, element: Any) -> dict[int, _Level]:
        return {_int(value(e, "ilvl"), 0): _level(e) for e in element if local(e) == "lvl"}

    def level_of_style(self, style: str) -> int | None:
        return self._by_style.get(style)

    def mark(self, number: str, level: int) -> str:
        """The mark of the next paragraph of list `number` at `level` (from 0); empty if it has none."""
        found = self._lists.get(number)
        if found is None or level not in found.levels:
            return ""
        own = found.levels[level]
        counts = found.counts
        begun = None if level in found.starts else counts.get(level)
        found.starts.discard(level)
        counts[level] = own.start if begun is None else begun + 1
        for higher in range(level):  # one that was passed over counts as used
            if higher in found.levels:
                counts.setdefault(higher, found.levels[higher].start)
        for deeper in [d for d in counts if d > level]:
            rule = found.levels[deeper].restart if deeper in found.levels else None
            if rule is None or (rule and level < rule):
                del counts[deeper]
        if own.style == "none":
            return ""
        if own.style == "bullet":
            return _BULLETS.get(
                own.text[:1], own.text if own.text and not "\ue000" <= own.text[0] <= "\uf8ff" else "•"
            )

        def shown(match: re.Match[str]) -> str:
            at = int(match[1]) - 1
            count = counts.get(at, found.levels[at].start if at in found.levels else 1)
            style = found.levels[at].style if at in found.levels and not own.legal else "decimal"
            return _shown(count, style)

        return re.sub(r"%([1-9])", shown, own.text)


def _level(element: Any) -> _Level:
    restart = child(element, "lvlRestart")
    return _Level(
        _int(value(child(element, "start")), 0),
        value(child(element, "numFmt"), default="decimal"),
        value(child(element, "lvlText")),
        child(element, "isLgl") is not None,
        None if restart is None else _int(value(restart), 0),
    )


def _shown(count: int, style: str) -> str:
    if style == "decimalZero":
        return f"{count:02}"
    if style == "ordinal":
        return f"{count}{'th' if count % 100 in (11, 12, 13) else _ORDINALS.get(count % 10, 'th')}"
    if style == "numberInDash":
        return f"- {count} -"
    if style in ("cardinalText", "ordinalText") and 0 < count < 1000:
        return _spelled(count, style == "ordinalText").capitalize()
    if style == "chicago" and count > 0:
        return "*†‡§"[(count - 1) % 4] * ((count - 1) // 4 + 1)
    if style in _COUNTED and 0 < count < 100:
        tens, ones = divmod(count, 10)
        digits = _COUNTED[style]
        return (digits[tens] if tens > 1 else "") + (digits[10] if tens else "") + digits[ones]
    if style in _SEQUENCES and 0 < count <= len(_SEQUENCES[style]):
        return _SEQUENCES[style][count - 1]
    return numeral(count, _STYLES.get(style, "decimal"))


def _spelled(count: int, ordinal: bool) -> str:
    if count >= 100:
        rest = count % 100
        hundred = f"{_CARDINALS[count // 100]} hundred"
        return f"{hundred} {_spelled(rest, ordinal)}" if rest else hundred + ("th" if ordinal else "")
    if count < 20:
        return _ORDINAL_WORDS.get(count, f"{_CARDINALS[count]}th") if ordinal else _CARDINALS[count]
    tens = _TENS[count // 10 - 2]
    if count % 10:
        return f"{tens}-{_spelled(count % 10, ordinal)}"
    return f"{tens[:-1]}ieth" if ordinal else tens


def _int(text: str, default: int) -> int:
    return int(text) if re.fullmatch(r"-?\d{1,6}", text) else default
