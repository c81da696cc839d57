"""Numbers and sums of money, in digits and in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from longleaf.app.text.entities.dates import find_dates
from longleaf.app.text.entities.money_words import (
    AFTER,
    CODES,
    POINTS_GROUP,
    SCALE_LETTERS,
    SCALE_WORDS,
    SCALES,
    SIGNS,
)
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
_WORD = "|".join(sorted([*_UNITS, *_TENS, *SCALES], key=len, reverse=True))
SPELLED = re.compile(rf"\b(?:{_WORD})(?:(?:[\s-]+|\s+and\s+)(?:{_WORD}))*\b", re.IGNORECASE)

_CURRENCIES = SIGNS | {code.lower(): code for code in CODES}
_CURRENCY = (
    r"(?P<currency>"
    + "|".join(
        (r"(?<![A-Za-z])" if key[0].isalpha() else "") + re.escape(key)
        for key in sorted(_CURRENCIES, key=len, reverse=True)
    )
    + ")"
)
# Groups by comma (also as lakh and crore), point, apostrophe or one space; one more separator for decimals.
_DIGITS = (
    r"(?P<digits>\d{1,3}(?:,\d{2,3})*,\d{3}(?!\d)(?:\.\d+)?|"
    r"\d{1,3}(?:\.\d{3}){2,}(?![.\d])(?:,\d{1,2}(?!\d))?|\d{1,3}(?:\.\d{3})+,\d{1,2}(?!\d)|"
    r"\d{1,3}(?:['’]\d{3})+(?!\d)(?:\.\d{1,2}(?!\d))?|"
    r"\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+[.,]\d{1,2}(?!\d)|"
    r"\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?![\d,.]*\d)|"
    r"\d+,\d{1,2}(?![\d,])|\d+(?:\.\d+)?|\.\d+)"
)
_SCALE = "|".join(sorted(map(re.escape, SCALE_WORDS), key=len, reverse=True))
_LETTERS = "|".join(sorted(SCALE_LETTERS, key=len, reverse=True))
_NUMBER = re.compile(
    rf"(?P<open>\()?(?P<minus>(?<![\w)])[-−–]\s?)?(?:{_CURRENCY}\s*)?(?P<paren>\()?(?<![\d.]){_DIGITS}"
    r"(?P<even>[.,]\s?(?:-{1,2}|–|—)|/-)?(?P<ordinal>\s?(?:st|nd|rd|th)\b)?"
    rf"(?:[\s-]{{0,3}}(?P<scale>{_SCALE})(?![A-Za-z])|\s?(?P<sign>{_LETTERS})\b)?"
    r"(?P<percent>\s?%|\s?per\s?cent\b|\s?percent\b)?(?P<close>\))?",
    re.IGNORECASE,
)
_SPACE_GROUPS = re.compile(r"\d{1,3}([ \u00a0\u2009\u202f])\d{3}")

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
    position = 0
    while match := _NUMBER.search(text, position):
        position = max(match.end(), position + 1)
        before = text[match.start("digits") - 1 : match.start("digits")]
        after = text[match.end() : match.end() + 1]
        if (before.isascii() and before.isalpha() and not match["currency"]) or (
            after.isascii() and after.isalpha() and not match["sign"] and not _after(text, match.end())[0]
        ):
            continue  # part of a name: "B2B", "10b5"
        digits, currency = match["digits"], _currency(match["currency"])
        end = match.end()
        if _SPACE_GROUPS.match(digits) and not _is_one_number(text, match, currency):
            digits = re.split(r"[ \u00a0\u2009\u202f]", digits)[0]  # figures that stand side by side
            position = match.start("digits") + len(digits)
            start = match.start("currency") if match["currency"] else match.start("digits")
            yield NumberMention(start, position, text[start:position], Decimal(digits), currency)
            continue
        if re.fullmatch(r"\d+,\d{1,2}", digits) and not (
            currency or match["scale"] or match["percent"] or _after(text, end)[0]
        ):
            digits = digits.split(",")[0]  # "pages 10,11"
            start, position = match.start("digits"), match.start("digits") + len(digits)
            yield NumberMention(start, position, digits, Decimal(digits))
            continue
        scale = SCALE_WORDS[match["scale"].lower()] if match["scale"] else None
        if match["scale"] and match["scale"].lower() == "mil" and not currency:
            scale, end = None, match.end("ordinal") if match["ordinal"] else match.end("digits")
        beside = currency or (match["sign"] and _after(text, match.end("sign"))[0])
        if match["sign"] and beside:  # "$5M"; without a currency "5 m" is a length
            scale = SCALE_LETTERS[match["sign"].lower()]
        if match["sign"] and not beside:
            end = match.end("ordinal") if match["ordinal"] else match.end("digits")
        after_unit, unit_end = _after(text, end)
        value = _value(digits, currency or after_unit, scaled=scale is not None)
        if scale:
            value *= scale
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
        if match["percent"]:
            unit = "%"
        elif currency:
            unit = currency
        else:
            unit = after_unit
            if unit and text[end:unit_end].strip(") \n") and not closed and text[end : end + 1] != ")":
                end = unit_end  # "1.250,50 EUR": the currency is part of the amount as written
        yield NumberMention(start, end, text[start:end], value, unit, ordinal=bool(match["ordinal"]))
        position = max(position, end)


def _currency(written: str | None) -> str:
    return _CURRENCIES.get(re.sub(r"\s+", " ", written or "").lower(), "")


def _is_one_number(text: str, match: re.Match[str], currency: str) -> bool:
    """Whether digits parted by spaces are one number, rather than the columns of a table."""
    space = _SPACE_GROUPS.match(match["digits"])
    groups = re.split(r"[ \u00a0\u2009\u202f]", match["digits"])
    if any(re.match(r"0\d\d", group) for group in groups[1:]):
        return True  # no figure of its own begins so
    if space is not None and space[1] != " ":
        return True
    if re.match(r"[ \t]+[\d$(]", text[match.end("digits") :]):
        return False
    if currency == "USD" and "$" in (match["currency"] or ""):
        return len(groups) > 2 and text[match.start("digits") - 1] == "$"
    return bool(currency or match["scale"] or _after(text, match.end())[0])


def _value(digits: str, currency: str, *, scaled: bool) -> Decimal:
    """What digits mean, whatever parts their thousands and decimals."""
    bare = re.sub(r"[ '’\u00a0\u2009\u202f]", "", digits)
    if re.fullmatch(r"\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?", bare):
        bare = bare.replace(",", "")
    elif re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}", bare):
        bare = bare.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", bare) and currency in POINTS_GROUP and not scaled:
        bare = bare.replace(".", "")
    else:
        bare = bare.replace(",", ".")
    return Decimal(bare)


_CODE_AFTER = re.compile(rf"(?:{'|'.join(sorted(CODES))})\b")


def _after(text: str, end: int) -> tuple[str, int]:
    """The currency named after a number, and where its name ends; ("", end) if none is."""
    tail = text[end : end + 40]
    skipped = len(tail) - len(tail.lstrip(") \n\u00a0\u202f"))
    tail = tail[skipped:]
    code = _CODE_AFTER.match(tail)
    if code:
        return code.group(0), end + skipped + code.end()
    for pattern, name in AFTER:
        match = pattern.match(tail)
        # "$" after a number is the next column's, unless nothing follows it.
        if match and not (match.group(0) in "$€£₹" and re.match(r"\s?[\d(]", tail[match.end() :])):
            return name, end + skipped + match.end()
    return "", end


def _currency_word(text: str, end: int) -> str:
    return _after(text, end)[0]


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
                total += (group or Decimal(1)) * SCALES[word]
                group = Decimal(0)
        unit = "%" if re.match(r"\s?per\s?cent", text[match.end() : match.end() + 10]) else ""
        unit = unit or _currency_word(text, match.end())
        yield NumberMention(match.start(), match.end(), match.group(0), total + group, unit, spelled=True)
