"""Numbers and sums of money, in digits and in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from longleaf.app.text.entities.dates import find_dates
from longleaf.app.text.entities.text import overlaps, words

_UNITS = {
    word: number
    for number, word in enumerate(
        words(
            """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
"""
        )
    )
}
_TENS = {
    word: 10 * number
    for number, word in enumerate(
        words(
            """
    twenty thirty forty fifty sixty seventy eighty ninety
"""
        ),
        start=2,
    )
} | {"fourty": 40}
_SCALES = {
    "hundred": Decimal(100),
    "thousand": Decimal(1_000),
    "million": Decimal(1_000_000),
    "billion": Decimal(1_000_000_000),
    "trillion": Decimal(1_000_000_000_000),
}
_SCALE_SIGNS = {"mm": "million", "m": "million", "bn": "billion", "b": "billion", "k": "thousand"}
_WORD = "|".join(sorted([*_UNITS, *_TENS, *_SCALES], key=len, reverse=True))
SPELLED = re.compile(rf"\b(?:{_WORD})(?:(?:[\s-]+|\s+and\s+)(?:{_WORD}))*\b", re.IGNORECASE)

_CURRENCIES = {
    "$": "USD",
    "us$": "USD",
    "u.s.$": "USD",
    "u.s. $": "USD",
    "us $": "USD",
    "usd": "USD",
    "usd$": "USD",
    "c$": "CAD",
    "cad": "CAD",
    "cdn$": "CAD",
    "a$": "AUD",
    "aud": "AUD",
    "hk$": "HKD",
    "hkd": "HKD",
    "s$": "SGD",
    "nt$": "TWD",
    "€": "EUR",
    "eur": "EUR",
    "£": "GBP",
    "gbp": "GBP",
    "¥": "JPY",
    "jpy": "JPY",
    "rmb": "CNY",
    "cny": "CNY",
    "chf": "CHF",
    "₹": "INR",
    "inr": "INR",
    "nis": "ILS",
}
_CURRENCY_WORDS = (
    (re.compile(r"(?:u\.?\s?s\.?|united states|american)\s+dollars?|dollars?", re.IGNORECASE), "USD"),
    (re.compile(r"euros?", re.IGNORECASE), "EUR"),
    (re.compile(r"pounds(?:\s+sterling)?", re.IGNORECASE), "GBP"),
    (re.compile(r"yen", re.IGNORECASE), "JPY"),
    (re.compile(r"(?:rmb|renminbi|yuan)", re.IGNORECASE), "CNY"),
    (re.compile(r"(?:USD|EUR|GBP|CAD|AUD|JPY|CHF|HKD|INR)\b"), ""),
)
_CURRENCY = (
    r"(?P<currency>"
    + "|".join(
        (r"(?<![A-Za-z])" if key[0].isalpha() else "") + re.escape(key)
        for key in sorted(_CURRENCIES, key=len, reverse=True)
    )
    + ")"
)
_DIGITS = r"(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_NUMBER = re.compile(
    rf"(?P<open>\()?(?P<minus>(?<![\w)])[-−–]\s?)?(?:{_CURRENCY}\s*)?(?P<paren>\()?(?<![\d.]){_DIGITS}"
    r"(?P<ordinal>\s?(?:st|nd|rd|th)\b)?"
    r"(?:[\s-]*(?P<scale>hundred|thousand|million|billion|trillion)\b|\s?(?P<sign>mm|bn|[mbk])\b)?"
    r"(?P<percent>\s?%|\s?per\s?cent\b|\s?percent\b)?(?P<close>\))?",
    re.IGNORECASE,
)

# "one million dollars ($1,000,000)" explains, "a loss of ($1,000,000)" is negative.
_GLOSSED = re.compile(rf"\b(?:{_WORD}|dollars?|euros?|pounds|percent|cents?|[A-Z]{{3}})\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NumberMention:
    """A number as written. `unit` is "%", a currency code ("USD") or ""; `spelled` is "thirty", not 30."""

    start: int
    end: int
    text: str
    value: Decimal
    unit: str = ""
    spelled: bool = False
    ordinal: bool = False


def find_numbers(text: str, *, spelled: bool = True) -> list[NumberMention]:
    """All numbers of a text in order, in digits and (if `spelled`) in words, without those of dates."""
    taken = [(m.start, m.end) for m in find_dates(text)]
    found = [m for m in _digit_numbers(text) if not overlaps(m.start, m.end, taken)]
    if spelled:
        taken += [(m.start, m.end) for m in found]
        found += [m for m in _spelled_numbers(text) if not overlaps(m.start, m.end, taken)]
    return sorted(found, key=lambda m: m.start)


def find_amounts(text: str) -> list[NumberMention]:
    """The numbers of a text that are sums of money, in order."""
    return [m for m in find_numbers(text) if m.unit not in ("", "%")]


def _digit_numbers(text: str) -> Iterator[NumberMention]:
    for match in _NUMBER.finditer(text):
        before = text[match.start("digits") - 1 : match.start("digits")]
        after = text[match.end() : match.end() + 1]
        if (before.isalpha() and not match["currency"]) or (after.isalpha() and not match["sign"]):
            continue  # part of a name: "B2B", "10b5"
        try:
            value = Decimal(match["digits"].replace(",", ""))
        except InvalidOperation:  # pragma: no cover - the pattern admits only decimals
            continue
        currency = _CURRENCIES.get(re.sub(r"\s+", " ", match["currency"] or "").lower(), "")
        scale = match["scale"]
        if match["sign"] and currency:  # "$5M"; without a currency "5 m" is a length
            scale = _SCALE_SIGNS[match["sign"].lower()]
        end = match.end()
        if match["sign"] and not currency:
            end = match.end("ordinal") if match["ordinal"] else match.end("digits")
        if scale:
            value *= _SCALES[scale.lower()]
        start = match.start("digits")
        if match["currency"]:
            start = match.start("currency")
        closed = bool(match["close"]) and end == match.end()
        gloss = _GLOSSED.search(text, max(0, match.start() - 40), match.start())
        accounting = closed and (match["paren"] or (match["open"] and currency and not gloss))
        if match["minus"] or accounting:  # ($1,234) and $(1,234) are negative; (30) after a word is a gloss
            value = -value
            start = match.start()
        elif closed:
            end -= 1
        unit = "%" if match["percent"] else currency or _currency_word(text, end)
        yield NumberMention(start, end, text[start:end], value, unit, ordinal=bool(match["ordinal"]))


def _currency_word(text: str, end: int) -> str:
    tail = text[end : end + 30].lstrip(") \n")
    for pattern, code in _CURRENCY_WORDS:
        match = pattern.match(tail)
        if match:
            return code or match.group(0)
    return ""


def _spelled_numbers(text: str) -> Iterator[NumberMention]:
    for match in SPELLED.finditer(text):
        total, group = Decimal(0), Decimal(0)
        for word in re.split(r"[\s-]+", match.group(0).lower()):
            if word in _UNITS:
                group += _UNITS[word]
            elif word in _TENS:
                group += _TENS[word]
            elif word == "hundred":
                group = (group or Decimal(1)) * 100
            elif word != "and":
                total += (group or Decimal(1)) * _SCALES[word]
                group = Decimal(0)
        unit = "%" if re.match(r"\s?per\s?cent", text[match.end() : match.end() + 10]) else ""
        unit = unit or _currency_word(text, match.end())
        yield NumberMention(match.start(), match.end(), match.group(0), total + group, unit, spelled=True)
