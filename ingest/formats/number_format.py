"""Numbers as a spreadsheet shows them: "1,234.50", "(12.0%)", "31-Dec-2023".

Format codes are those of ECMA-376 part 1, 18.8.31. Fractions and scientific notation are shown as General
shows them.
"""

from __future__ import annotations

import datetime
import re
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext

_TOKENS = re.compile(
    r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|General|AM/PM|A/P'
    r"|[0#?][0#?,]*(?:\.[0#?]+)?,*|\.[0#?]+|[yY]+|[mM]+|[dD]+|[hH]+|[sS]+(?:\.0+)?|.",
    re.S,
)
_EXACT = Context(prec=400)
_DATE = re.compile(r"[ymdhs]", re.I)
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
Value = (
    int | float | str | bool | datetime.datetime | datetime.date | datetime.time | datetime.timedelta | None
)


def shown(value: Value, code: str) -> str:
    """The text of a cell with that value and number format."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        sections = _sections(code)
        return _literal(sections[3], value) if len(sections) > 3 and "@" in sections[3] else value
    if isinstance(value, datetime.timedelta):
        return _elapsed(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return _date(value, _sections(code)[0])
    return _number(value, code)


def _sections(code: str) -> list[str]:
    parts, current = [], ""
    for token in _TOKENS.findall(code):
        if token == ";":
            parts.append(current)
            current = ""
        else:
            current += token
    return [*parts, current]


def _number(value: int | float, code: str) -> str:
    sections = _sections(code)
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    if value < 0 and len(sections) > 1:
        section, value, sign = sections[1], -value, ""
    elif value == 0 and len(sections) > 2:
        section, sign = sections[2], ""
    else:
        section, sign = sections[0], "-" if value < 0 else ""
        value = abs(value)
    if (
        section.strip().lower() in ("general", "", "@")
        or "/" in re.sub(r'"[^"]*"', "", section)
        or re.search("e[+-]", section, re.I)
    ):
        return sign + general(value)
    with localcontext(_EXACT):  # any double fits
        return _filled(section, value, sign)


def general(value: int | float) -> str:
    """As General shows it: up to eleven characters, without trailing zeros."""
    if isinstance(value, int) or (value == int(value) and abs(value) < 1e11):
        return str(int(value))
    text = f"{value:.10g}"
    if "e" in text:
        mantissa, exponent = f"{value:.5E}".split("E")
        return f"{mantissa.rstrip('0').rstrip('.')}E{int(exponent):+03d}"
    return text


def _filled(section: str, value: int | float, sign: str) -> str:
    tokens = _TOKENS.findall(section)
    places = [t for t in tokens if re.match(r"[0#?.]", t) and re.search("[0#?]", t)]
    percent = sum(t == "%" for t in tokens)
    number = Decimal(repr(value)) * (Decimal(100) ** percent)
    digits = ""
    if places:
        whole, _, fraction = places[0].partition(".")
        number /= Decimal(1000) ** (len(whole) - len(whole.rstrip(",")))
        if places[0].endswith(",") and fraction:
            number /= Decimal(1000) ** (len(fraction) - len(fraction.rstrip(",")))
        decimals = len(re.findall("[0#?]", fraction))
        rounded = number.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
        left, _, right = f"{rounded:f}".partition(".")
        left = left.lstrip("0").rjust(whole.count("0"), "0")
        if "," in whole.rstrip(","):
            left = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", ",", left)
        least = fraction.count("0")
        while len(right) > least and right.endswith("0"):
            right = right[:-1]
        digits = f"{left}.{right}" if right else left
        if rounded == 0:
            sign = ""
    out, used = "", False
    for token in tokens:
        if places and token == places[0] and not used:
            out, used = out + sign + digits, True
        else:
            out += _plain(token)
    out = out if places else sign + out
    # A sign stands before the currency: "-$5.00".
    return re.sub(r"^(\s*[^\d(\s-]+)-", r"-\1", out).strip()


def _plain(token: str) -> str:
    if token.startswith('"'):
        return token[1:-1]
    if token.startswith("\\"):
        return token[1:]
    if token.startswith("_"):
        return " " if token != "_)" else ""
    if token.startswith("*") or token == "General" or re.match("[0#?]", token):
        return ""
    if token.startswith("["):
        currency = re.match(r"\[\$([^-\]]*)", token)  # [$€-407]; colours and conditions show nothing
        return currency[1] if currency else ""
    return token


def _literal(section: str, text: str) -> str:
    return "".join(text if token == "@" else _plain(token) for token in _TOKENS.findall(section)).strip()


def _date(value: datetime.datetime | datetime.date | datetime.time, section: str) -> str:
    if not _DATE.search(re.sub(r'"[^"]*"|\[[^\]]*\]', "", section)):
        return value.isoformat(sep=" ") if isinstance(value, datetime.datetime) else value.isoformat()
    tokens = _TOKENS.findall(section)
    twelve = any(t in ("AM/PM", "A/P") for t in tokens)
    out = ""
    clock = False  # whether "m" after this means minutes
    for i, token in enumerate(tokens):
        low = token.lower()
        following = next((t.lower() for t in tokens[i + 1 :] if _DATE.match(t) and t[0] not in '"\\['), "")
        minutes = low[0] == "m" and (clock or following.startswith("s"))
        part = "" if token[0] in '"\\[_*' else _date_part(value, low, minutes, twelve)
        if part:
            clock = low[0] == "h" or (clock and low[0] not in "yd")
            out += part
        else:
            out += _plain(token)
    return out.strip()


def _date_part(
    value: datetime.datetime | datetime.date | datetime.time, token: str, minutes: bool, twelve: bool
) -> str:
    day = value if isinstance(value, datetime.date) else None
    time = value if isinstance(value, datetime.datetime | datetime.time) else datetime.time()
    n = len(token)
    if token in ("am/pm", "a/p"):
        return ("AM" if time.hour < 12 else "PM")[: 2 if n > 3 else 1]
    if set(token) == {"h"}:
        hour = (time.hour % 12 or 12) if twelve else time.hour
        return f"{hour:0{min(n, 2)}}"
    if token.startswith("s") and set(token) <= set("s.0"):
        return f"{time.second:0{min(len(token.split('.')[0]), 2)}}"
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


def _elapsed(value: datetime.timedelta) -> str:
    seconds = int(value.total_seconds())
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
