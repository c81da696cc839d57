"""Periods, sums and shares in any of the languages read, each as one normal form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from longleaf.app.facts.languages.patterns import LanguagePatterns
from longleaf.app.text.entities import find_amounts, find_dates

_DIGITS = {c: n for n, c in enumerate("〇一二三四五六七八九")} | {c: n for n, c in enumerate("零壹贰叁肆伍陆柒捌玖")} | {
    "两": 2, "兩": 2, "壱": 1, "弐": 2, "参": 3, "貳": 2, "叄": 3, "陸": 6, "伍": 5}  # fmt: skip
_POWERS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_MYRIADS = {"万": 10**4, "萬": 10**4, "億": 10**8, "亿": 10**8}
EAST = "".join([*_DIGITS, *_POWERS, *_MYRIADS])
_EAST_SUM = re.compile(
    rf"(?P<before>人民币|人民幣|RMB|金|日本円)?\s?(?P<number>[\d,.]*\d\s?[万萬億亿千百]{{1,2}}|[{EAST}]{{1,20}})\s?(?P<after>日本円|人民币|美元|欧元|港元|円|圆|圓|元)"
)
_EAST_UNITS = {
    "円": "JPY",
    "日本円": "JPY",
    "元": "CNY",
    "圆": "CNY",
    "圓": "CNY",
    "人民币": "CNY",
    "美元": "USD",
    "欧元": "EUR",
    "港元": "HKD",
}
_SHARE = re.compile(
    r"(\d{1,3}(?:[.,]\d{1,3})?)\s?(?:%|prozent|v\.\s?h\.|pour\s?cent|por\s?cien(?:to)?|per\s?cento|por\s?cento|procent|パーセント)",
    re.IGNORECASE,
)
_EAST_SHARE = re.compile(rf"百分之([{EAST}]+)")


@dataclass(frozen=True, slots=True)
class Value:
    """`normal` is the same for the same sum, share or period in every language."""

    start: int
    end: int
    normal: str


def east_number(text: str) -> int | None:
    """ "三百五十万", "伍佰万", "二〇二五"."""
    if all(character in _DIGITS for character in text):
        return int("".join(str(_DIGITS[c]) for c in text))
    total, group, digit = 0, 0, 0
    for character in text:
        if character in _DIGITS:
            digit = _DIGITS[character]
        elif character in _POWERS:
            group += (digit or 1) * _POWERS[character]
            digit = 0
        elif character in _MYRIADS:
            total += ((group + digit) or 1) * _MYRIADS[character]
            group, digit = 0, 0
        else:
            return None
    return total + group + digit


def sums(text: str) -> list[Value]:
    """Sums of money, as "EUR 1,234.50"."""
    found = []
    for match in _EAST_SUM.finditer(text):
        number = match["number"]
        plain = re.fullmatch(r"([\d,.]+)\s?([万萬億亿千百]+)", number)
        if plain:
            scale = 1
            for character in plain[2]:
                scale *= _POWERS.get(character) or _MYRIADS[character]
            value = Decimal(plain[1].replace(",", "")) * scale
        else:
            whole = east_number(number)
            if whole is None:
                continue
            value = Decimal(whole)
        found.append(Value(match.start(), match.end(), f"{_EAST_UNITS[match['after']]} {_decimal(value)}"))
    for mention in find_amounts(text):
        if not any(v.start < mention.end and mention.start < v.end for v in found):
            unit = (
                "CNY"
                if mention.unit == "JPY" and re.search("人民币|元", text) and "円" not in text
                else mention.unit
            )
            found.append(Value(mention.start, mention.end, f"{unit} {_decimal(abs(mention.value))}"))
    return sorted(found, key=lambda value: value.start)


def _decimal(value: Decimal) -> str:
    whole = f"{value:,.2f}"
    return whole.removesuffix(".00")


def shares(text: str) -> list[Value]:
    found = [Value(m.start(), m.end(), f"{m[1].replace(',', '.')} %") for m in _SHARE.finditer(text)]
    for match in _EAST_SHARE.finditer(text):
        number = east_number(match[1])
        if number is not None:
            found.append(Value(match.start(), match.end(), f"{number} %"))
    return sorted(found, key=lambda value: value.start)


def periods(text: str, language: LanguagePatterns) -> list[Value]:
    """Periods of time, as "3 months"."""
    dates = [(m.start, m.end) for m in find_dates(text)]
    found = []
    for start, end, number, unit in _periods(text, language):
        if any(low < end and start < high for low, high in dates):
            continue
        found.append(Value(start, end, f"{number} {unit}{'s' if number != 1 else ''}"))
    return found


def _periods(text: str, language: LanguagePatterns) -> Iterator[tuple[int, int, int, str]]:
    for match in _period(language).finditer(text):
        word = match["number"].lower()
        number = int(match["gloss"] or 0) or (
            int(word) if word.isdigit() else language.numbers.get(re.sub(r"\s+", " ", word))
        )
        if number is None:
            number = east_number(word)
        if number is None:
            continue
        unit = next(name for at, name in enumerate(language.units.values()) if match[f"unit{at}"])
        yield match.start(), match.end(), number, unit


@cache
def _compile_period(
    code: str, numbers: tuple[str, ...], units: tuple[str, ...], joined: bool
) -> re.Pattern[str]:
    number = "|".join(
        re.escape(word).replace(r"\ ", r"\s") for word in sorted(numbers, key=len, reverse=True)
    )
    spelled = f"[{EAST}]{{1,4}}" if joined else rf"\b(?:{number})"
    unit = "|".join(f"(?P<unit{at}>{pattern})" for at, pattern in enumerate(units))
    between = r"\s?" if joined else r"[\s-]{0,2}"
    return re.compile(
        rf"(?P<number>(?<![\d.,§第])\d{{1,4}}|{spelled}){between}(?:\(\s?(?P<gloss>\d{{1,4}})\s?\)|\([^()\d]{{2,24}}\))?\s?"
        rf"(?:{unit})",
        re.IGNORECASE,
    )


def _period(language: LanguagePatterns) -> re.Pattern[str]:
    return _compile_period(
        language.code, tuple(language.numbers), tuple(language.units), language.joins_words
    )
