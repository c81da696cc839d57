"""Numbers as a spreadsheet shows them: "1,234.50", "(12.0%)", "31-Dec-2023", "2.5E+06", "3 1/4".

Format codes are those of ECMA-376 part 1, 18.8.31. What only fills a cell's width shows nothing.
"""

from __future__ import annotations

import datetime
import operator
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Literal

_TOKENS = re.compile(
    r'"[^"]*"|\\.|_.|\*.|\[s+\]\.0+|\[[^\]]*\]|General|G/通用格式|am/pm|a/p|[eE][+-]'
    r"|[yY]+|[mM]+|[dD]+|[hH]+|[sS]+(?:\.0+)?|.",
    re.S | re.I,
)
_EXACT = Context(prec=400)
_DATE = re.compile(r"[ymdhs]", re.I)
_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)\]")
_COMPARED: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "=": operator.eq, "<>": operator.ne,
}  # fmt: skip
_FRACTION = re.compile(r"(?:([#0?]+) +)?([#0?]+) */ *([#0?]+|\d+)")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
Value = (
    int | float | str | bool | datetime.datetime | datetime.date | datetime.time | datetime.timedelta | None
)


def shown(value: Value, code: str, epoch: datetime.datetime | None = None) -> str:
    """The text of a cell with that value and number format. Numbers are days since `epoch`, if it is given,
    where the format is one of dates or times."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    sections = _sections(code)
    if isinstance(value, str):
        section = sections[3] if len(sections) > 3 else sections[-1]
        return _literal(section, value) if "@" in section else value
    if isinstance(value, datetime.timedelta):
        return _elapsed(value, sections[0])
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return _date(value, sections[0])
    return _number(value, sections, epoch)


@lru_cache(1024)
def _dates(section: str) -> Literal["", "date", "elapsed"]:
    """Whether numbers of this section are shown as a date or time, or as time that has passed."""
    tokens = _tokens(section)
    if any(re.fullmatch(r"\[(?:h+|m+|s+)\](?:\.0+)?", token, re.I) for token in tokens):
        return "elapsed"
    plain = [token for token in tokens if token[0] not in '"\\_*[' and token.lower() != "general"]
    if any(token in "0#?" for token in plain):
        return ""
    return "date" if any(_DATE.match(token) for token in plain) else ""


@lru_cache(1024)
def _sections(code: str) -> tuple[str, ...]:
    parts, current = [], ""
    for token in _tokens(code):
        if token == ";":
            parts.append(current)
            current = ""
        else:
            current += token
    return (*parts, current)


@lru_cache(1024)
def _tokens(section: str) -> tuple[str, ...]:
    return tuple(_TOKENS.findall(section))


def _number(value: int | float, sections: tuple[str, ...], epoch: datetime.datetime | None) -> str:
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    sign = "-" if value < 0 else ""
    if conditions := _conditions(sections):
        chosen = _chosen(conditions, value)
        section = sections[chosen] if chosen < len(conditions) else "General"
        # The sign goes where the section is for negative numbers only, as the second of "[>=0]0;(0)" is.
        limits = [abs(limit) + step for _, limit in conditions for step in (-0.5, 0, 0.5)]
        if all(_chosen(conditions, other) != chosen for other in (0, 1e15, *limits) if other >= 0):
            sign = ""
    elif value < 0 and len(sections) > 1:
        section, sign = sections[1], ""
    elif value == 0 and len(sections) > 2:
        section = sections[2]
    else:
        section = sections[0]
    if epoch is not None and (counted := _dates(section)):
        return _serial(value, section, counted, epoch)
    value = abs(value)
    tokens = _tokens(section)
    if section.strip() in ("", "@"):
        return sign + general(value) if len(sections) == 1 else ""
    if any(token.lower() in ("general", "g/通用格式") for token in tokens):
        whole = "".join(
            general(value) if t.lower() in ("general", "g/通用格式") else _plain(t) for t in tokens
        )
        return (sign + whole).strip()
    with localcontext(_EXACT):  # any double fits
        number = Decimal(repr(value)) * Decimal(100) ** sum(token == "%" for token in tokens)
        bare = "".join("" if t[0] in '"\\_*[' else t for t in tokens)
        if fraction := _FRACTION.search(bare):
            text, rounded = _around(tokens, _as_fraction(Fraction(number), fraction)), number
        else:
            text, rounded = _filled(tokens, number)
    # A sign stands before all else, the currency too: "-$5.00".
    return (("" if rounded == 0 else sign) + text).strip()


def _serial(value: int | float, section: str, counted: str, epoch: datetime.datetime) -> str:
    if (value < 0 and counted == "date") or abs(
        value
    ) >= 2_958_466:  # before the epoch, or after the year 9999
        return f"{'-' if value < 0 else ''}{general(abs(value))}"
    elapsed = datetime.timedelta(milliseconds=round(value * 86_400_000))  # more exact a date is not
    if counted == "elapsed":
        return _elapsed(elapsed, section)
    # 1900 had a 29 February in Lotus 1-2-3, and has it in Excel.
    early = epoch.year == 1899 and value < 60
    return _date(epoch + elapsed + datetime.timedelta(days=early), section)


@lru_cache(1024)
def _conditions(sections: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
    """What each section is for, as (">", 999.0); empty if none says so. One that does not is for the rest."""
    found = [_CONDITION.search(section) for section in sections[:3]]
    return tuple((m[1], float(m[2])) if m else ("<>", float("nan")) for m in found) if any(found) else ()


def _chosen(conditions: tuple[tuple[str, float], ...], value: float) -> int:
    fits = (i for i, (compared, limit) in enumerate(conditions) if _COMPARED[compared](value, limit))
    return next(fits, len(conditions))


def _around(tokens: tuple[str, ...], text: str) -> str:
    """A text in place of all that stands from a section's first digit place to its last."""
    places = [i for i, token in enumerate(tokens) if token in "/#?" or token.isdigit()]
    before, after = tokens[: places[0]], tokens[places[-1] + 1 :]
    return "".join(map(_plain, before)) + text + "".join(map(_plain, after))


def general(value: int | float) -> str:
    """As General shows it: up to eleven characters, without trailing zeros; whole numbers in full."""
    if isinstance(value, int) or (value == int(value) and abs(value) < 1e15):
        return str(int(value))
    text = f"{value:.10g}"
    if "e" in text:
        mantissa, exponent = f"{value:.5E}".split("E")
        return f"{mantissa.rstrip('0').rstrip('.')}E{int(exponent):+03d}"
    return text


def _filled(tokens: tuple[str, ...], number: Decimal) -> tuple[str, Decimal]:
    """The number set into the places of a section, and the number as it was rounded for them."""
    places = [i for i, token in enumerate(tokens) if token in "0#?"]
    exponent_at = next((i for i, t in enumerate(tokens) if t in ("E+", "E-", "e+", "e-")), len(tokens))
    point_at = next((i for i, t in enumerate(tokens[:exponent_at]) if t == "."), exponent_at)
    whole = [i for i in places if i < point_at]
    part = [i for i in places if point_at < i < exponent_at]
    power = [i for i in places if i > exponent_at]
    mantissa = whole + part
    grouped = False
    for i, token in enumerate(tokens[:exponent_at]):
        if token == ",":
            if whole and whole[0] < i < whole[-1]:
                grouped = True
            elif mantissa and i > mantissa[0]:
                number /= 1000
    exponent = 0
    if exponent_at < len(tokens) and number:
        step = max(len(whole), 1)
        exponent = number.adjusted() // step * step
        if _rounded(number.scaleb(-exponent), len(part)) >= Decimal(10) ** step:
            exponent += step
        number = number.scaleb(-exponent)
    rounded = _rounded(number, len(part))
    left, _, right = f"{rounded:f}".partition(".")
    digits = _set_whole([tokens[i] for i in whole], left.lstrip("0"), grouped)
    digits += _set_part([tokens[i] for i in part], right)
    filled = dict(zip(mantissa, digits, strict=True))
    filled.update(zip(power, _set_whole([tokens[i] for i in power], str(abs(exponent)), False), strict=True))
    out = ""
    for i, token in enumerate(tokens):
        if i in filled:
            out += filled[i]
        elif i == exponent_at:
            out += token[0] + ("-" if exponent < 0 else "+" if token[1] == "+" else "")
        elif token != "," or not mantissa or i > exponent_at:
            out += _plain(token)
    return out, rounded if places else Decimal(1)


def _rounded(number: Decimal, decimals: int) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)


def _set_whole(places: list[str], digits: str, grouped: bool) -> list[str]:
    """Digits from the right over places; the leftmost takes all that are left."""
    out = [""] * len(places)
    rest = len(digits)
    for k in range(len(places) - 1, -1, -1):
        from_right = len(places) - 1 - k
        taken = digits[:rest] if k == 0 else digits[max(rest - 1, 0) : rest]
        rest = 0 if k == 0 else max(rest - 1, 0)
        taken = taken or ("0" if places[k] == "0" else "")
        if grouped:
            spaced = ""
            for j, digit in enumerate(reversed(taken)):
                count = from_right + j
                spaced = digit + ("," if count and count % 3 == 0 else "") + spaced
            taken = spaced
        out[k] = taken
    return out


def _set_part(places: list[str], digits: str) -> list[str]:
    """Digits behind the point; zeros at the end stand only where the format asks for them."""
    out = []
    for k, place in enumerate(places):
        needed = place == "0" or digits[k:].strip("0") or "0" in places[k:]
        out.append(digits[k] if needed else "")
    return out


def _as_fraction(number: Fraction, places: re.Match[str]) -> str:
    whole_places, _, below = places.groups()
    whole, rest = divmod(number, 1) if whole_places else (0, number)
    if below.isdigit() and below.strip("0"):
        above, under = round(rest * int(below)), int(below)
    else:
        best = rest.limit_denominator(10 ** len(below) - 1)
        above, under = best.numerator, best.denominator
    if whole_places and above == under:
        whole, above = whole + 1, 0
    if not above:
        return str(whole)
    return f"{whole} {above}/{under}" if whole else f"{above}/{under}"


def _plain(token: str) -> str:
    if token.startswith('"'):
        return token[1:-1] if len(token) > 1 else ""
    if token.startswith("\\"):
        return token[1:]
    if token.startswith("_"):
        return " " if token != "_)" else ""
    if token.startswith("*") or token in "#?":
        return ""
    if token.startswith("["):
        currency = re.match(r"\[\$([^-\]]*)", token)  # [$€-407]; colours and conditions show nothing
        return currency[1] if currency else ""
    return token


def _literal(section: str, text: str) -> str:
    return "".join(text if token == "@" else _plain(token) for token in _tokens(section)).strip()


def _date(value: datetime.datetime | datetime.date | datetime.time, section: str) -> str:
    tokens = _tokens(section)
    if _dates(section) != "date":
        return value.isoformat(sep=" ") if isinstance(value, datetime.datetime) else value.isoformat()
    twelve = any(t.lower() in ("am/pm", "a/p") for t in tokens)
    decimals = max((len(t.partition(".")[2]) for t in tokens if t[0] in "sS"), default=0)
    if isinstance(value, datetime.datetime):
        value = _to_second(value, decimals) if any(t[0] in "sS" for t in tokens) else value
    out = ""
    clock = False  # whether "m" after this means minutes
    for i, token in enumerate(tokens):
        low = token.lower()
        following = next((t.lower() for t in tokens[i + 1 :] if _DATE.match(t) and t[0] not in '"\\['), "")
        minutes = low[0] == "m" and (clock or following.startswith("s"))
        part = "" if token[0] in '"\\[_*' else _date_part(value, token, minutes, twelve)
        if part:
            clock = low[0] == "h" or (clock and low[0] not in "yd")
            out += part
        else:
            out += _plain(token)
    return out.strip()


def _to_second(value: datetime.datetime, decimals: int) -> datetime.datetime:
    """Rounded to what is shown of a second."""
    unit = 10 ** (6 - min(decimals, 6))
    rest = value.microsecond % unit
    return value + datetime.timedelta(microseconds=unit - rest if 2 * rest >= unit else -rest)


def _date_part(
    value: datetime.datetime | datetime.date | datetime.time, written: str, minutes: bool, twelve: bool
) -> str:
    day = value if isinstance(value, datetime.date) else None
    time = value if isinstance(value, datetime.datetime | datetime.time) else datetime.time()
    token = written.lower()
    n = len(token)
    if token in ("am/pm", "a/p"):
        half = "AM" if time.hour < 12 else "PM"
        return half if n > 3 else half[0].lower() if written[0] == "a" else half[0]
    if set(token) == {"h"}:
        hour = (time.hour % 12 or 12) if twelve else time.hour
        return f"{hour:0{min(n, 2)}}"
    if token.startswith("s") and set(token) <= set("s.0"):
        return _seconds(time.second, time.microsecond, token)
    if minutes and set(token) == {"m"}:
        return f"{time.minute:0{min(n, 2)}}"
    if day is None:
        return ""
    if set(token) == {"y"}:
        return f"{day.year:04}" if n > 2 else f"{day.year % 100:02}"
    if set(token) == {"m"}:
        name = _MONTHS[day.month - 1]
        return f"{day.month:0{n}}" if n < 3 else name[:3] if n == 3 else name[0] if n == 5 else name
    if set(token) == {"d"}:
        name = _DAYS[day.weekday()]
        return f"{day.day:0{n}}" if n < 3 else name[:3] if n == 3 else name
    return ""


def _seconds(seconds: int, microseconds: int, token: str) -> str:
    whole, point, zeros = token.partition(".")
    return f"{seconds:0{min(len(whole), 2)}}{point}{f'{microseconds:06}'[: len(zeros)]}"


def _elapsed(value: datetime.timedelta, section: str) -> str:
    """Time that has passed: what stands in brackets, as [h], counts on beyond 24 or 60."""
    tokens = _tokens(section)
    decimals = max((len(t.partition(".")[2]) for t in tokens if t.lower().startswith(("s", "[s"))), default=0)
    unit = 10 ** (6 - min(decimals, 6))
    total = round(abs(value) / datetime.timedelta(microseconds=1) / unit) * unit
    seconds, microseconds = divmod(total, 1_000_000)
    counts = {"h": seconds // 3600, "m": seconds // 60, "s": seconds}
    sizes = {"h": 24, "m": 60, "s": 60}
    out = ""
    for token in tokens:
        low = token.lower()
        if counted := re.fullmatch(r"\[(h+|m+|s+)\](\.0+)?", low):
            part = f".{microseconds:06}"[: len(counted[2])] if counted[2] else ""
            out += f"{counts[low[1]]:0{len(counted[1])}}{part}"
        elif low[0] in "hm" and set(low) == {low[0]}:
            out += f"{counts[low[0]] % sizes[low[0]]:0{len(low)}}"
        elif low[0] == "s" and set(low) <= set("s.0"):
            out += _seconds(seconds % 60, microseconds, low)
        else:
            out += _plain(token)
    return ("-" if value < datetime.timedelta() and total else "") + out.strip()
