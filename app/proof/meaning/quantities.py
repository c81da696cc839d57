"""Numbers, lengths of time and dates of a statement, held against those of its source and what they measure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from longleaf.app.proof.meaning.amounts import amount_of, follows, rounds_to
from longleaf.app.proof.meaning.lexicon import classes_of, stems_of
from longleaf.app.proof.meaning.reading import FUNCTION, tidy
from longleaf.app.text.entities import DateMention, NumberMention, find_dates, find_numbers

_PERIOD = r"(?:year|month|week|day|quarter|hour|minute|annum|decade)"
_TIME = re.compile(
    rf"^[\s)\-’']*(?:\(\s*[\d.]+\s*\)\s*)?[\s-]*(?P<kind>business|calendar|working|trading|consecutive|full|successive|additional)?[\s-]*(?P<unit>{_PERIOD})s?\b",
    re.IGNORECASE,
)
_FREQUENCIES = (
    (re.compile(r"\b(?:annual(?:ly)?|yearly|per (?:calendar |fiscal |contract )?year|(?:a|each|every|any) (?:calendar |fiscal |contract |license )?year|per annum|once a year|/year)\b", re.IGNORECASE), "year"),
    (re.compile(r"\b(?:quarterly|per (?:calendar |fiscal )?quarter|(?:a|each|every|any) (?:calendar |fiscal )?quarter|(?:each|every) three months)\b", re.IGNORECASE), "quarter"),
    (re.compile(r"\b(?:monthly|per (?:calendar )?month|(?:a|each|every|any) (?:calendar )?month|/month)\b", re.IGNORECASE), "month"),
    (re.compile(r"\b(?:weekly|per (?:calendar )?week|(?:a|each|every|any) (?:calendar )?week)\b", re.IGNORECASE), "week"),
    (re.compile(r"\b(?:daily|per (?:business |calendar )?day|(?:a|each|every) (?:business |calendar )?day|per diem)\b", re.IGNORECASE), "day"),
    (re.compile(r"\b(?:hourly|per hour|(?:an|each|every) hour)\b", re.IGNORECASE), "hour"),
)  # fmt: skip
_ORDINAL = re.compile(r"\b(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)\b", re.IGNORECASE)
_ORDINALS = {w: Decimal(i + 1) for i, w in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split())}
_NOT_COUNTED = frozenset("of in on at to for by or and the a an per from with as is are was were be shall will may must which that than if not prior percent million billion thousand dollar us after before following written notice advance".split())
_PIECE = re.compile(r"[,;:](?!\s?\d)|\b(?:and|or|plus|while|whereas|but|versus|compared)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quantity:
    number: NumberMention
    time: str  # "day", "month"; "" if it is no length of time
    kind: str  # "business"
    counted: str  # stem of what is counted

    @property
    def length(self) -> tuple[Decimal, str] | None:
        """In days or months, if a length of time."""
        value = self.number.value
        if self.time in ("year", "annum"):
            return value * 12, "month"
        if self.time == "quarter":
            return value * 3, "month"
        if self.time == "month":
            return value, "month"
        if self.time == "week":
            return value * 7, "day"
        return (value, self.time) if self.time else None


def quantities(text: str) -> list[Quantity]:
    found = []
    for number in find_numbers(text):
        tail = text[number.end : number.end + 60]
        time = _TIME.match(tail)
        counted = ""
        if not time and not number.unit:
            word = re.match(r"[\s)\-]*(?:\(\s*[\d.,]+\s*\)\s*)?[\s-]*([^\W\d_]+)(?:\s+([^\W\d_]+))?", tail)
            if word and word.group(1).lower() not in _NOT_COUNTED:
                counted = (stems_of(word.group(1)) or ("",))[0]
        found.append(
            Quantity(number, time["unit"].lower() if time else "", (time["kind"] or "").lower() if time else "", counted)
        )
    for match in re.finditer(rf"\b(?:an?|one)\s+(?:(?P<kind>business|calendar)\s+)?(?P<unit>{_PERIOD})\b(?!\s+(?:period|basis))", text, re.IGNORECASE):
        if match.group(0).lower().startswith("one"):
            continue
        mention = NumberMention(match.start(), match.end(), match.group(0), Decimal(1))
        found.append(Quantity(mention, match["unit"].lower(), (match["kind"] or "").lower(), ""))
    return sorted(found, key=lambda q: q.number.start)


def unproven_quantities(statement: str, source: str) -> list[str]:
    """Numbers, dates and frequencies of the statement that the source does not have, or has of another thing."""
    source, statement = tidy(source), tidy(statement)
    given = quantities(source)
    said = quantities(statement)
    dates = find_dates(source)
    problems = list(_dates(statement, source, dates))
    problems += _frequencies(statement, source)
    problems += _ordinals(statement, source)
    free: list[NumberMention] = []
    derived: list[Quantity] = []
    for quantity in said:
        number = quantity.number
        if _is_part_of_date(number, dates) or _is_reference(statement, number):
            if not re.search(rf"(?<![\d.]){re.escape(number.text.strip())}(?![\d])", source):
                problems.append(f"{number.text} is not there")
            continue
        matches = [g for g in given if _same(statement, quantity, source, g)]
        if matches:
            if not _article(number) and not _bound_right(statement, quantity, source, matches, given):
                problems.append(f"{number.text} stands for something else in the source")
            problems += _bounds(statement, quantity, source, matches)
        elif _article(number):
            if re.search(r"\b(?:for|within|of|another|additional|last\w*)\s+$", statement[: number.start]) and quantity.time:
                problems.append(f"“{number.text}” is not there")
        else:
            derived.append(quantity)
            if not number.unit:
                free.append(number)
            if quantity.time and quantity.length and quantity.length[0] == 12:
                free.append(replace(number, value=Decimal(12)))
    for quantity in derived:
        if quantity.time and len(derived) > 1 and any(d.number.unit for d in derived):
            continue  # "over twelve months": a factor of another
        amount = amount_of(statement, quantity.number)
        others = [n for n in free if n is not quantity.number]
        units = [g.number for g in given if not quantity.time or g.time]
        if quantity.time:
            units = [g.number for g in given if g.time == quantity.time]
        if quantity.number in free and any(d is not quantity and d.number.unit for d in derived) and not quantity.time:
            continue  # a factor of what is derived: "1,000 of the warrants"
        if not follows(amount, statement, units, others):
            problems.append(f"{quantity.number.text} is not there and does not follow")
    return list(dict.fromkeys(problems))


def _article(number: NumberMention) -> bool:
    return number.text.lower().startswith(("a ", "an "))


def _is_part_of_date(number: NumberMention, dates: Sequence[DateMention]) -> bool:
    return not number.unit and any(
        number.value == d.year and re.fullmatch(r"\d{4}", number.text.strip()) for d in dates
    )


def _is_reference(text: str, number: NumberMention) -> bool:
    before = text[max(0, number.start - 14) : number.start]
    return bool(re.search(r"\b(?:section|article|clause|paragraph|exhibit|schedule|rule|form|item|level|tier|note|part|chapter|fiscal|FY|annex|act of|step|phase)s?\s*$", before, re.IGNORECASE))


def _same(statement: str, said: Quantity, source: str, given: Quantity) -> bool:
    a, b = said.number, given.number
    if said.time or given.time:
        if said.kind in ("business", "working", "trading") or given.kind in ("business", "working", "trading"):
            if {said.kind, given.kind} & {"business", "working", "trading"} != {said.kind, given.kind}:
                return False
        if not said.time and not a.unit:
            return a.value == b.value and said.counted in ("", "period", "term")
        return said.length is not None and said.length == given.length
    if a.unit != b.unit:
        return False
    if a.ordinal != b.ordinal:
        return False
    if a.value == b.value:
        if said.counted and given.counted and said.counted != given.counted:
            near = set(stems_of(source[b.end : b.end + 60]))
            return said.counted in near or bool(classes_of(said.counted) & {c for s in near for c in classes_of(s)})
        return True
    amount = amount_of(statement, a)
    if a.unit and amount.step > amount_of(source, b).step or amount.about or amount.over or amount.under:
        return rounds_to(amount, b.value)
    return False


def _dates(statement: str, source: str, given: Sequence[DateMention]) -> Iterator[str]:
    for date in find_dates(statement):
        if not any(
            all(p is None or p == o for p, o in ((date.year, g.year), (date.month, g.month), (date.day, g.day)))
            for g in given
        ) and not _date_follows(date, statement, source, given):
            yield f"{date.text} is not there"
    years = {d.year for d in given}
    for match in re.finditer(r"(?<![\d$,.])\b(?:19|20)\d\d\b(?![,.]\d)", statement):
        if any(d.start <= match.start() < d.end for d in find_dates(statement)):
            continue
        if match.group(0) not in source and int(match.group(0)) not in years:
            yield f"{match.group(0)} is not there"


def _date_follows(date: DateMention, statement: str, source: str, given: Sequence[DateMention]) -> bool:
    """ "until March 3, 2024" of three years from March 3, 2021."""
    if date.year is None:
        return False
    for quantity in quantities(source):
        length = quantity.length
        if length is None or length[1] != "month":
            continue
        for start in given:
            if start.year is None or start.month is None:
                continue
            months = start.year * 12 + start.month - 1 + int(length[0])
            if (months // 12, months % 12 + 1) == (date.year, date.month or months % 12 + 1) and (
                date.day is None or start.day is None or date.day in (start.day, start.day - 1)
            ):
                return bool(re.search(r"\b(?:end|expire|until|through|run|last)", statement))
    return False


def _frequencies(statement: str, source: str) -> Iterator[str]:
    there = {unit for pattern, unit in _FREQUENCIES if pattern.search(source)}
    plain = set(stems_of(source))
    for pattern, unit in _FREQUENCIES:
        match = pattern.search(statement)
        if match and unit not in there:
            times = re.search(r"(?:\d|\b(?:once|twice|times|[a-z]+ed|million|thousand|dollars|hundred|fee|paid|rent|salary))\s+$", statement[: match.start()], re.IGNORECASE)
            if re.match(r"an?\b", match.group(0), re.IGNORECASE) and not times:
                continue  # "for a year": a length, held as such
            if unit in plain and not there:
                continue
            if unit == "quarter" and re.search(r"\bthree[- ]month|\bquarter", source, re.IGNORECASE) and not there:
                continue
            yield f"“{match.group(0)}” is not there"
    if re.search(r"\btwice\b", statement) and not re.search(r"\b(?:twice|two|semi)", source, re.IGNORECASE):
        yield "“twice” is not there"


def _ordinals(statement: str, source: str) -> Iterator[str]:
    low = source.lower()
    digits = {n.value for n in find_numbers(source) if n.ordinal}
    for match in _ORDINAL.finditer(statement):
        word = match.group(1).lower()
        if word in ("first", "second") and re.search(r"\b(?:initial|original|first|second|two|earlier)\b", low):
            continue
        if word not in low and _ORDINALS[word] not in digits:
            yield f"“{word}” is not there"
    for number in find_numbers(statement):
        if number.ordinal and number.value not in digits and not any(_ORDINALS[w] == number.value for w in _ORDINALS if w in low):
            if not any(d.day == number.value for d in find_dates(source)):
                yield f"{number.text} is not there"


_AT_LEAST = re.compile(r"\b(?:at least|no(?:t)? (?:less|fewer|earlier|sooner) than|minimum|or more|no (?:less|fewer)|not be (?:less|fewer|earlier))\b", re.IGNORECASE)
_AT_MOST = re.compile(r"\b(?:at most|up to|no(?:t)? (?:more|later|greater) than|maximum|capped|not (?:to )?exceed|cannot exceed|does not exceed|within|or less|limited to|at the latest|no longer than)\b", re.IGNORECASE)
_MORE = re.compile(r"\b(?:more than|over|exceed(?:s|ing)?|in excess of|greater than|above)\b", re.IGNORECASE)
_LESS = re.compile(r"\b(?:less than|under|below|fewer than)\b", re.IGNORECASE)


def _near(text: str, number: NumberMention) -> str:
    before = re.split(r"[;]|(?<!\d),(?!\d)", text[max(0, number.start - 50) : number.start])[-1]
    return before + " # " + text[number.end : number.end + 14]


def _bounds(statement: str, said: Quantity, source: str, matches: Sequence[Quantity]) -> Iterator[str]:
    """ "at least 30 days" is not "at most 30 days"."""
    near = _near(statement, said.number)
    low, high = bool(_AT_LEAST.search(near)), bool(_AT_MOST.search(near))
    if low == high:
        return
    for match in matches:
        other = _near(source, match.number)
        if low and (_AT_LEAST.search(other) or _MORE.search(other)) or high and (_AT_MOST.search(other) or _LESS.search(other) or re.search(r"\bexceed|\bmaxim|\blimit|\bcap", source, re.IGNORECASE)):
            return
    opposite = any((_AT_MOST if low else _AT_LEAST).search(_near(source, m.number)) for m in matches)
    if opposite:
        yield f"{said.number.text}: at least and at most are exchanged"
    elif re.search(r"\b(?:at least|minimum|up to|at most|maximum|capped)\b", near, re.IGNORECASE) and not said.time:
        yield f"{said.number.text}: a bound that is not there"


def _pieces(text: str, quantity: Quantity) -> set[str]:
    """Stems of the words that stand with the number, between commas and conjunctions."""
    start, end = 0, len(text)
    for match in _PIECE.finditer(text):
        if match.end() <= quantity.number.start:
            start = match.end()
        elif match.start() >= quantity.number.end:
            end = match.start()
            break
    for other in find_numbers(text):
        if other.unit == quantity.number.unit and other.unit:
            if other.end <= quantity.number.start:
                start = max(start, other.end)
            elif other.start >= quantity.number.end:
                end = min(end, other.start)
    return {s for s in stems_of(text[start:end]) if s not in FUNCTION and not s[:1].isdigit()}


def _bound_right(
    statement: str, said: Quantity, source: str, matches: Sequence[Quantity], given: Sequence[Quantity]
) -> bool:
    """Whether the words beside the number fit the source's number better than another number of its kind."""
    rivals = [
        g
        for g in given
        if g.number.unit == said.number.unit
        and bool(g.time) == bool(said.time)
        and g not in matches
        and (g.number.unit or g.time)
        and g.number.value != said.number.value
    ]
    rivals += [_nothing(m) for m in re.finditer(r"\bno\s+(?=[a-z]+)", source)] if said.number.unit not in ("", "%") else []
    words = _pieces(statement, said)
    if all(_of_before(source, m.number) for m in matches) and _of_before(statement, said.number):
        rivals = []
    for rival in rivals:
        theirs = _pieces(source, rival)
        own = set().union(*(_pieces(source, m) for m in matches))
        for_own = len(words & (own - theirs))
        for_rival = len(words & (theirs - own))
        if for_rival > for_own and for_rival >= (1 if not for_own else 2):
            return False
    if said.number.unit not in ("", "%") and all(_of_before(source, m.number) for m in matches):
        if not _of_before(statement, said.number) and not _PAST_YEAR.search(statement):
            return False
    return _dated_right(statement, said, source, matches)


_PAST_YEAR = re.compile(r"\b(?:prior|previous|preceding|last|earlier|ago|before)\b", re.IGNORECASE)


def _of_before(text: str, number: NumberMention) -> bool:
    """Whether the figure is told as that of the time before: "from $5 million", "compared with $5 million"."""
    before = text[max(0, number.start - 26) : number.start]
    after = re.split(r"[;.](?!\d)|,(?!\d)", text[number.end : number.end + 50])[0]
    return bool(
        re.search(r"\b(?:from|compared (?:with|to)|versus|against|(?<!less )(?<!more )(?<!greater )(?<!fewer )(?<!later )than)\s+(?:about |approximately |a (?:net )?(?:loss|profit) of )?$", before, re.IGNORECASE)
        or re.search(r"^\s*(?:in|for|at|during)?\s*(?:the\s+)?(?:prior|previous|preceding|same (?:period|quarter))\b|\ba year (?:ago|earlier)\b", after, re.IGNORECASE)
    )


def _nothing(match: re.Match[str]) -> Quantity:
    return Quantity(NumberMention(match.start(), match.end(), match.group(0), Decimal(0)), "", "", "")


def _dated_right(statement: str, said: Quantity, source: str, matches: Sequence[Quantity]) -> bool:
    """Whether the date that follows the amount in the statement is the one that goes with it in the source."""
    if not said.number.unit or said.number.unit == "%":
        return True
    dates = find_dates(source)
    if len({(d.year, d.month, d.day) for d in dates}) < 2:
        return True
    after = [d for d in find_dates(statement) if d.start >= said.number.end]
    numbers = [n for n in find_numbers(statement) if n.start >= said.number.end and n.unit == said.number.unit]
    if not after or (numbers and numbers[0].start < after[0].start):
        return True
    wanted = after[0]
    for match in matches:
        order = sorted(dates, key=lambda d: abs(d.start - match.number.start) + (25 if d.start < match.number.start else 0))
        for date in order[:1]:
            if all(p is None or p == o for p, o in ((wanted.year, date.year), (wanted.month, date.month))):
                return True
    return not re.search(r"\brespectively\b", source) and len(matches) == 0
