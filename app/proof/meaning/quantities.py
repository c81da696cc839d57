"""Numbers, lengths of time and dates of a statement, held against those of its source and what they measure."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from longleaf.app.proof.meaning.amounts import amount_of, direction_of, follows, rounds_to
from longleaf.app.proof.meaning.figures import find_dates, find_numbers
from longleaf.app.proof.meaning.lexicon import classes_of, contrasts, stems_of
from longleaf.app.proof.meaning.reading import FUNCTION, tidy
from longleaf.app.text.entities import DateMention, NumberMention
from longleaf.app.text.wording import word_set

_PERIOD = r"(?:year|month|week|day|quarter|hour|minute|annum|decade)"
_TIME = re.compile(
    rf"^[\s)\-’']*(?:\(\s*[\d.]+\s*\)\s*)?[\s-]*(?P<kind>business|calendar|working|trading|consecutive|full|successive|additional)?[\s-]*(?P<unit>{_PERIOD})s?\b",
    re.IGNORECASE,
)
_FREQUENCIES = (
    (re.compile(r"\b(?:annual(?:ly)?|yearly|per (?:calendar |fiscal |contract )?year|(?:a|each|every|any) (?:calendar |fiscal |contract |license )?year|per annum|once a year|/year)\b", re.IGNORECASE), "year"),
    (re.compile(r"\b(?:quarterly|per (?:calendar |fiscal )?quarter|(?:a|each|every|any) (?:calendar |fiscal )?quarter|(?:each|every) three months)\b", re.IGNORECASE), "quarter"),
    (re.compile(r"\b(?:monthly|per (?:calendar )?month|(?:a|each|every|any) (?:calendar |further |additional |full )?month|/month)\b", re.IGNORECASE), "month"),
    (re.compile(r"\b(?:weekly|per (?:calendar )?week|(?:a|each|every|any) (?:calendar |further |additional |full )?week)\b", re.IGNORECASE), "week"),
    (re.compile(r"\b(?:daily|per (?:business |calendar )?day|(?:a|each|every) (?:business |calendar |further |additional |full )?day|per diem)\b", re.IGNORECASE), "day"),
    (re.compile(r"\b(?:hourly|per hour|(?:an|each|every) hour)\b", re.IGNORECASE), "hour"),
)  # fmt: skip
_ORDINAL = re.compile(
    r"\b(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)\b", re.IGNORECASE
)
_ORDINALS = {
    w: Decimal(i + 1)
    for i, w in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
    )
}
_NOT_COUNTED = word_set(
    "of in on at to for by or and the a an per from with as is are was were be shall will may must which that than if not prior percent million billion thousand dollar us after before following written notice advance"
)
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
    for match in re.finditer(rf"\b({'|'.join(_ORDINALS)})\s+anniversary\b", text, re.IGNORECASE):
        mention = NumberMention(match.start(), match.end(), match.group(0), _ORDINALS[match.group(1).lower()])
        found.append(Quantity(mention, "year", "", ""))
    for number in find_numbers(text):
        tail = text[number.end : number.end + 60]
        time = _TIME.match(tail)
        counted = ""
        if not time and not number.unit:
            word = re.match(r"[\s)\-]*(?:\(\s*[\d.,]+\s*\)\s*)?[\s-]*([^\W\d_]+)(?:\s+([^\W\d_]+))?", tail)
            if word and word.group(1).lower() not in _NOT_COUNTED:
                counted = (stems_of(word.group(1)) or ("",))[0]
        found.append(
            Quantity(
                number,
                time["unit"].lower() if time else "",
                (time["kind"] or "").lower() if time else "",
                counted,
            )
        )
    for match in re.finditer(
        rf"\b(?:an?|one)\s+(?:(?P<kind>business|calendar)\s+)?(?P<unit>{_PERIOD})\b(?!\s+(?:period|basis))",
        text,
        re.IGNORECASE,
    ):
        if match.group(0).lower().startswith("one"):
            continue
        mention = NumberMention(match.start(), match.end(), match.group(0), Decimal(1))
        found.append(Quantity(mention, match["unit"].lower(), (match["kind"] or "").lower(), ""))
    return sorted(found, key=lambda q: q.number.start)


def unproven_quantities(statement: str, source: str) -> list[str]:
    """Numbers, dates and frequencies of the statement that the source does not have, or has of another thing."""
    glosses = list(_glosses(statement))
    statement = re.sub(r"\b(?:a|one) year and a half\b", "18 months", statement)
    source, statement = tidy(source), tidy(statement)
    given = quantities(source)
    said = quantities(statement)
    dates = find_dates(source)
    problems = [*glosses, *_dates(statement, source, dates)]
    problems += _frequencies(statement, source)
    problems += _ordinals(statement, source)
    problems += _once(statement, source)
    problems += _bare_times(statement, source, said)
    problems += _moved(statement)
    problems += _impossible_days(statement, source)
    free: list[NumberMention] = []
    derived: list[Quantity] = []
    for quantity in said:
        number = quantity.number
        if (
            number.text.lower() == "one"
            and not number.unit
            and not quantity.time
            and re.match(r"\s*(?:in\b|of\b|another\b|[.,;]|$|alone|or)", statement[number.end :])
        ):
            continue  # a pronoun
        if _is_year(number) or _is_part_of_date(number, dates) or _is_reference(statement, number):
            if not re.search(rf"(?<![\d.]){re.escape(number.text.strip())}(?![\d])", source):
                problems.append(f"{number.text} is not there")
            continue
        matches = [g for g in given if _same(statement, quantity, source, g)]
        if matches:
            if not _article(number) and not _bound_right(statement, quantity, source, matches, given):
                problems.append(f"{number.text} stands for something else in the source")
            problems += _bounds(statement, quantity, source, matches)
            if (
                number.unit
                and all(_is_expected(source, m.number) for m in matches)
                and not _EXPECTS.search(statement)
                and _PAST.search(statement)
            ):
                problems.append(f"{number.text} is expected only")
        elif _article(number):
            if (
                re.search(r"\b(?:for|within|of|another|additional|last\w*)\s+$", statement[: number.start])
                and quantity.time
            ):
                problems.append(f"“{number.text}” is not there")
        else:
            derived.append(quantity)
            if not number.unit:
                free.append(number)
            if quantity.time and quantity.length and quantity.length[0] == 12:
                free.append(replace(number, value=Decimal(12)))
    supposed = _supposed(statement, derived, given)
    for quantity in derived:
        if (
            quantity.time
            and len(derived) > 1
            and any(d.number.unit for d in derived)
            and re.search(rf"\b{quantity.time}(?:s|ly)?\b", source, re.IGNORECASE)
        ):
            continue  # "over twelve months": a factor of another
        if quantity in supposed:
            continue
        amount = amount_of(statement, quantity.number)
        others = [n for n in free if n is not quantity.number]
        units = [g.number for g in given if not quantity.time or g.time]
        if quantity.time:
            units = [g.number for g in given if g.time == quantity.time]
        if (
            quantity.number in free
            and any(d is not quantity and d.number.unit for d in derived)
            and not quantity.time
        ):
            continue  # a factor of what is derived: "1,000 of the warrants"
        if not follows(amount, statement, units, others, source):
            problems.append(f"{quantity.number.text} is not there and does not follow")
    return list(dict.fromkeys(problems))


def _supposed(statement: str, derived: Sequence[Quantity], given: Sequence[Quantity]) -> list[Quantity]:
    """Amounts that an example supposes ("on $10,000 collected"), and those that follow from them by a share."""
    money = [d for d in derived if d.number.unit not in ("", "%")]
    for base in money:
        led = re.search(
            r"\b(?:on|for|if|with|at|of|exercising|selling|suppose|were)\b[^.;]{0,40}$",
            statement[: base.number.start],
            re.IGNORECASE,
        )
        if not led:
            continue
        for result in money:
            amount = amount_of(statement, result.number)
            if result is not base and any(
                g.number.unit == "%" and rounds_to(amount, base.number.value * g.number.value / 100)
                for g in given
            ):
                return [base, result]
    return []


_EXPECTS = re.compile(
    r"\b(?:expect\w*|anticipat\w*|forecast\w*|guidance|outlook|target\w*|plan\w*|will|would|project\w*|estimat\w*|could|may|if|should|must|shall|can|intend\w*)\b",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:was|were|had|has|have|came|totalled|amounted|rose|fell|grew)\b", re.IGNORECASE)


def _is_expected(source: str, number: NumberMention) -> bool:
    clause = re.split(r"[.;](?!\d)", source[: number.start])[-1]
    return bool(
        re.search(
            r"\b(?:expects?|anticipates?|forecasts?|guidance|outlook|target|plans?|will|would|projects?|intends?)\b",
            clause[-90:],
            re.IGNORECASE,
        )
    )


def _glosses(statement: str) -> Iterator[str]:
    """ "five (6) days" says two things."""
    for match in re.finditer(r"([a-z]+(?:[\s-][a-z]+){0,3})\s*\((\d+)\)", statement, re.IGNORECASE):
        spelled = [n for n in find_numbers(match.group(1)) if n.spelled and n.end == len(match.group(1))]
        if spelled and spelled[0].value != Decimal(match.group(2)):
            yield f"“{match.group(0)}” says two numbers"


_ONCE = re.compile(
    r"\b(at least|at most|no more than|not more than)\s+(once|twice|one|two|annually|quarterly|monthly)\b",
    re.IGNORECASE,
)


def _once(statement: str, source: str) -> Iterator[str]:
    told, theirs = _ONCE.search(statement), _ONCE.search(source)
    if told and theirs and told.group(2).lower() == theirs.group(2).lower():
        if (told.group(1).lower() == "at least") != (theirs.group(1).lower() == "at least"):
            yield f"“{told.group(0)}”: the bound is turned round"


def _bare_times(statement: str, source: str, said: Sequence[Quantity]) -> Iterator[str]:
    """Words of time that stand without a number: "the weeks ended"."""
    low = source.lower()
    for match in re.finditer(r"\b(years?|months?|weeks?|days?|quarters?|hours?)\b", statement, re.IGNORECASE):
        if any(
            q.time and q.number.start <= match.start() <= q.number.end + 22 and not _article(q.number)
            for q in said
        ):
            continue
        unit = match.group(1).lower().rstrip("s")
        like = {
            "year": "year|annual|annum|fiscal|twelve months|12 months|(?:19|20)\\d\\d",
            "quarter": "quarter|three months|three-month|13 weeks|12 weeks",
            "month": "month",
            "week": "week",
            "day": "dai?l?y|\\bday|date",
            "hour": "hour",
        }[unit]
        if not re.search(like, low):
            yield f"“{match.group(0)}” is not there"


def _moved(statement: str) -> Iterator[str]:
    """ "rose from 41% to 38%" cannot be."""

    numbers = find_numbers(statement)
    for first, second in pairwise(numbers):
        if first.unit != second.unit or not first.unit:
            continue
        if re.search(r"\bfrom\s+(?:about |approximately |a )?$", statement[: first.start]) and re.fullmatch(
            r"\s+to\s+(?:about |approximately )?", statement[first.end : second.start]
        ):
            way = direction_of(statement[max(0, first.start - 40) : first.start])
            if way and (second.value - first.value) * way < 0:
                yield f"{first.text} to {second.text} is no such move"


def told_moves(statement: str, source: str) -> frozenset[str]:
    """Stems of words for a rise or fall that two figures of the source bear out ("$5, compared with $4")."""
    way = direction_of(statement)
    numbers = find_numbers(source)
    for new, old in pairwise(numbers):
        if (
            new.unit
            and new.unit == old.unit
            and _of_before(source, old)
            and (new.value - old.value) * way > 0
        ):
            return frozenset(stems_of(statement)) & _MOVES
    return frozenset()


_MOVES = frozenset(
    stems_of(
        "rise increase grow growth climb jump higher up more gain fall drop decrease decline lower down less reduce shrink"
    )
)


def _impossible_days(statement: str, source: str) -> Iterator[str]:
    for match in re.finditer(rf"\b(?:{_MONTHS})\s+\d{{1,2}}\b", statement):
        if not re.search(re.escape(match.group(0)) + r"\b", source) and not any(
            d.start <= match.start() < d.end for d in find_dates(statement)
        ):
            yield f"{match.group(0)} is not there"


_MONTHS = "|".join(calendar.month_name[1:])


def _article(number: NumberMention) -> bool:
    return number.text.lower().startswith(("a ", "an "))


def _is_year(number: NumberMention) -> bool:
    return not number.unit and bool(re.fullmatch(r"(?:19|20)\d\d", number.text.strip()))


def _is_part_of_date(number: NumberMention, dates: Sequence[DateMention]) -> bool:
    return not number.unit and any(
        number.value == d.year and re.fullmatch(r"\d{4}", number.text.strip()) for d in dates
    )


def _is_reference(text: str, number: NumberMention) -> bool:
    before = text[max(0, number.start - 14) : number.start]
    return bool(
        re.search(
            r"\b(?:section|article|clause|paragraph|exhibit|schedule|rule|form|item|level|tier|note|part|chapter|fiscal|FY|annex|act of|step|phase)s?\s*$",
            before,
            re.IGNORECASE,
        )
    )


def _same(statement: str, said: Quantity, source: str, given: Quantity) -> bool:
    a, b = said.number, given.number
    if said.time or given.time:
        if said.kind in ("business", "working", "trading") or given.kind in (
            "business",
            "working",
            "trading",
        ):
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
            return said.counted in near or bool(
                classes_of(said.counted) & {c for s in near for c in classes_of(s)}
            )
        return True
    amount = amount_of(statement, a)
    if (a.unit and amount.step > amount_of(source, b).step) or amount.about or amount.over or amount.under:
        return rounds_to(amount, b.value)
    return False


def _dates(statement: str, source: str, given: Sequence[DateMention]) -> Iterator[str]:
    for date in find_dates(statement):
        if not any(
            all(
                p is None or p == o
                for p, o in ((date.year, g.year), (date.month, g.month), (date.day, g.day))
            )
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
            times = re.search(
                r"(?:\d|\b(?:once|twice|times|[a-z]+ed|million|thousand|dollars|hundred|fee|paid|rent|salary))\s+$",
                statement[: match.start()],
                re.IGNORECASE,
            )
            if re.match(r"an?\b", match.group(0), re.IGNORECASE) and not times:
                continue  # "for a year": a length, held as such
            if unit in plain and not there:
                continue
            if (
                unit == "quarter"
                and re.search(r"\bthree[- ]month|\bquarter", source, re.IGNORECASE)
                and not there
            ):
                continue
            yield f"“{match.group(0)}” is not there"
    if re.search(r"\btwice\b", statement) and not re.search(r"\b(?:twice|two|semi)", source, re.IGNORECASE):
        yield "“twice” is not there"


def _ordinals(statement: str, source: str) -> Iterator[str]:
    low = source.lower()
    digits = {n.value for n in find_numbers(source) if n.ordinal}
    for match in _ORDINAL.finditer(statement):
        word = match.group(1).lower()
        if word in ("first", "second") and re.search(
            r"\b(?:each|every|initial|original|first|second|two|earlier)\b", low
        ):
            continue
        if word not in low and _ORDINALS[word] not in digits:
            yield f"“{word}” is not there"
    for number in find_numbers(statement):
        if (
            number.ordinal
            and number.value not in digits
            and not any(_ORDINALS[w] == number.value for w in _ORDINALS if w in low)
        ):
            if not any(d.day == number.value for d in find_dates(source)):
                yield f"{number.text} is not there"


_AT_LEAST = re.compile(
    r"\b(?:at least|no(?:t)? (?:less|fewer|earlier|sooner) than|minimum|or more|no (?:less|fewer)|not be (?:less|fewer|earlier))\b",
    re.IGNORECASE,
)
_AT_MOST = re.compile(
    r"\b(?:at most|up to|no(?:t)? (?:more|later|greater) than|maximum|capped|not (?:to )?exceed|cannot exceed|does not exceed|within|or less|limited to|at the latest|no longer than)\b",
    re.IGNORECASE,
)
_MORE = re.compile(r"\b(?:more than|over|exceed(?:s|ing)?|in excess of|greater than|above)\b", re.IGNORECASE)
_LESS = re.compile(r"\b(?:less than|under|below|fewer than)\b", re.IGNORECASE)


_BOUND_FITS = {
    "least": {"least", "more"},
    "most": {"most", "less"},
    "more": {"more", "least"},
    "less": {"less", "most"},
}


def _bound_kind(near: str, before: str = "") -> str:
    if _AT_LEAST.search(near):
        return "least"
    if re.search(r"\bwithin\b", near, re.IGNORECASE) and re.search(
        r"\b(?:fails?|failure|not)\b[^.;]{0,60}$", before
    ):
        return "more"
    if _AT_MOST.search(near):
        return "most"
    if _MORE.search(near):
        return "more"
    return "less" if _LESS.search(near) else ""


_EARLIER = re.compile(
    r"^[\s)\w'’-]{0,22}?\b(before|prior|preceding|ahead|in advance|earlier|after|following|from|thereafter|later|of (?:receiv|receipt|learn|get))",
    re.IGNORECASE,
)
_EARLY = frozenset(("before", "prior", "preceding", "ahead", "in advance", "earlier"))


def _times_turned(statement: str, said: Quantity, source: str, matches: Sequence[Quantity]) -> Iterator[str]:
    """ "30 days before" is not "30 days after"."""
    if not said.time:
        return
    told = _EARLIER.search(statement[said.number.end : said.number.end + 40])
    theirs = [_EARLIER.search(source[m.number.end : m.number.end + 40]) for m in matches]
    known = {
        (t.group(1).lower() in _EARLY)
        for t in theirs
        if t and not re.match(r"[\s\w'’()-]*prior (?:written )?notice", source[matches[0].number.end :])
    }
    if told and known and (told.group(1).lower() in _EARLY) not in known:
        if not re.match(
            r"[\s\w'’-]*(?:prior|advance) (?:written )?notice|[\s\w'’-]*in advance",
            statement[said.number.end :],
        ):
            yield f"{said.number.text}: before and after are exchanged"


def _near(text: str, number: NumberMention) -> str:
    text = re.sub(r"\b(?:Minimum|Maximum)\b", lambda m: " " * len(m.group(0)), text)
    before = re.split(r"[;]|(?<!\d),(?!\d)", text[max(0, number.start - 50) : number.start])[-1]
    return before + " # " + text[number.end : number.end + 14]


def _bounds(statement: str, said: Quantity, source: str, matches: Sequence[Quantity]) -> Iterator[str]:
    """ "at least 30 days" is not "at most 30 days"."""
    near = _near(statement, said.number)
    kind = _bound_kind(near, statement[: said.number.start])
    theirs = {_bound_kind(_near(source, m.number), source[: m.number.start]) for m in matches}
    if (
        kind
        and theirs
        and not re.search(r"\b(?:no longer|otherwise)\b", source)
        and all(t and t not in _BOUND_FITS[kind] for t in theirs)
    ):
        yield f"{said.number.text}: the bound is turned round"
        return

    yield from _times_turned(statement, said, source, matches)
    low, high = bool(_AT_LEAST.search(near)), bool(_AT_MOST.search(near))
    if low == high:
        return
    for match in matches:
        other = _near(source, match.number)
        if (low and (_AT_LEAST.search(other) or _MORE.search(other))) or (
            high
            and (
                _AT_MOST.search(other)
                or _LESS.search(other)
                or re.search(r"\bexceed|\bmaxim|\blimit|\bcap", source, re.IGNORECASE)
            )
        ):
            return
    if matches and any(
        r.number.unit == said.number.unit
        and r not in matches
        and (_AT_LEAST if low else _AT_MOST).search(_near(source, r.number))
        for r in quantities(source)
    ):
        yield f"{said.number.text}: the bound is another"
        return
    opposite = any((_AT_MOST if low else _AT_LEAST).search(_near(source, m.number)) for m in matches)
    if opposite:
        yield f"{said.number.text}: at least and at most are exchanged"
    elif re.search(r"\b(?:at least|minimum|at most|maximum|capped)\b", near, re.IGNORECASE) and not said.time:
        yield f"{said.number.text}: a bound that is not there"


def _of_another(statement: str, said: Quantity, source: str, matches: Sequence[Quantity]) -> bool:
    """ "$45 million of wages" of "$45 million of severance"."""
    pattern = re.compile(r"\s*(?:in|of)\s+(?:(?:our|the|its|their|such|total|principal)\s+)?([a-z]{4,})")
    told = pattern.match(statement[said.number.end :])
    if not told or not said.number.unit or said.number.unit == "%":
        return False
    for match in matches:
        there = pattern.match(source[match.number.end :])
        if not there:
            return False
        one, other = stems_of(told.group(1))[0], stems_of(there.group(1))[0]
        if one == other or classes_of(one) & classes_of(other) or other in stems_of(statement):
            return False
    return True


def _per_another(statement: str, said: Quantity, source: str, matches: Sequence[Quantity]) -> bool:
    """ "$240,000 per month" of "an annual rent of $240,000"."""
    after = statement[said.number.end : said.number.end + 16]
    told = next((unit for pattern, unit in _FREQUENCIES if pattern.match(after.lstrip(" ,"))), "")
    if not told:
        return False
    for match in matches:
        near = source[max(0, match.number.start - 34) : match.number.end + 18]
        units = {unit for pattern, unit in _FREQUENCIES if pattern.search(near)}
        if not units or told in units:
            return False
    return True


def _piece(text: str, quantity: Quantity) -> tuple[int, int]:
    """Where the piece that holds the number begins and ends, between commas and conjunctions."""
    start, end = 0, len(text)
    for match in _PIECE.finditer(text):
        if match.end() <= quantity.number.start:
            start = match.end()
        elif match.start() >= quantity.number.end:
            end = match.start()
            break
    return start, end


def _pieces(text: str, quantity: Quantity) -> set[str]:
    """Stems of the words that stand with the number, between commas and conjunctions."""
    start, end = _piece(text, quantity)
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
    rivals += (
        [_nothing(m) for m in re.finditer(r"\bno\s+(?=[a-z]+)", source)]
        if said.number.unit not in ("", "%")
        else []
    )
    words = _pieces(statement, said)
    own = set().union(*(_pieces(source, m) for m in matches))
    if any(contrasts().get(w, frozenset()) & own for w in (words - own) & _MODIFIERS):
        return False
    if _stands(statement, said.number) and any(
        _stands(source, m.number) == _stands(statement, said.number) for m in matches
    ):
        rivals = []
    rivals = [r for r in rivals if not any(_is_range(source, r.number, m.number) for m in matches)]
    if _of_another(statement, said, source, matches) or _per_another(statement, said, source, matches):
        return False
    start, end = _piece(source, matches[0])
    if re.search(r"\b(?:outside|excluding|other than)\b", source[start:end]) and len(matches) == 1:
        if not re.search(
            r"\b(?:outside|exclud\w*|other|abroad|international\w*|foreign|except|without|besides|apart|beyond)\b",
            statement,
            re.IGNORECASE,
        ):
            return False
    for rival in given:
        if rival in matches or rival in rivals or _is_year(rival.number):
            continue
        theirs = _pieces(source, rival)
        if len(words & (theirs - own)) >= len(words & (own - theirs)) + 3:
            return False
    for rival in rivals:
        theirs = _pieces(source, rival)
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
        re.search(
            r"\b(?:from|compared (?:with|to)|versus|against|(?<!less )(?<!more )(?<!greater )(?<!fewer )(?<!later )than)\s+(?:about |approximately |a (?:net )?(?:loss|profit) of )?$",
            before,
            re.IGNORECASE,
        )
        or re.search(
            r"^\s*(?:in|for|at|during)?\s*(?:the\s+)?(?:prior|previous|preceding|same (?:period|quarter))\b|\ba year (?:ago|earlier)\b",
            after,
            re.IGNORECASE,
        )
    )


_MODIFIERS = frozenset(
    stems_of(
        "open close hire dismiss common preferred basic diluted domestic international gross net short long current noncurrent direct indirect "
        "internal external permanent temporary fixed variable senior junior subordinated primary secondary voluntary "
        "involuntary cash stock operating investing financing monthly quarterly oral written local national regional"
    )
)


def _of_another_year(statement: str, said: Quantity, source: str, matches: Sequence[Quantity]) -> bool:
    """Whether the year told with the number stands in the source right after another number of its kind."""
    told = re.match(
        r"\s*(?:in|for|at|as of|on|during)\s[^.;,$%]{0,40}?\b((?:19|20)\d\d)\b", statement[said.number.end :]
    )
    if not told:
        return False
    for match in re.finditer(told.group(1), source):
        before = [n for n in find_numbers(source) if n.unit == said.number.unit and n.end <= match.start()]
        if before and re.fullmatch(
            r"\s*(?:in|for|at|as of|on|during)\s[^.;,$%]{0,40}", source[before[-1].end : match.start()]
        ):
            if all(m.number.start != before[-1].start for m in matches):
                return True
    return False


def _stands(text: str, number: NumberMention) -> str:
    """ "from", "to" or a bound: how the number is led in; "" if plainly."""
    if _of_before(text, number):
        return "from"
    before = text[max(0, number.start - 24) : number.start]
    if re.search(r"\b(?:at least|no(?:t)? (?:less|fewer) than)\s+$", before):
        return "least"
    if re.search(r"\b(?:up to|at most|exceed|no(?:t)? more than|capped at|limited to)\s+$", before):
        return "most"
    return "to" if re.search(r"\bto\s+(?:about |approximately )?$", before) else ""


def _is_range(text: str, one: NumberMention, other: NumberMention) -> bool:
    first, second = sorted((one, other), key=lambda n: n.start)
    return bool(re.fullmatch(r"\s*(?:and|to|or|-|–)\s*", text[first.end : second.start]))


def _nothing(match: re.Match[str]) -> Quantity:
    return Quantity(NumberMention(match.start(), match.end(), match.group(0), Decimal(0)), "", "", "")


def _dated_right(statement: str, said: Quantity, source: str, matches: Sequence[Quantity]) -> bool:
    """Whether the date that follows the amount in the statement is the one that goes with it in the source."""
    if not said.number.unit:
        return True
    if _of_another_year(statement, said, source, matches):
        return False
    if said.number.unit == "%":
        return True
    dates = find_dates(source)
    if len({(d.year, d.month, d.day) for d in dates}) < 2:
        return True
    after = [d for d in find_dates(statement) if d.start >= said.number.end]
    numbers = [
        n for n in find_numbers(statement) if n.start >= said.number.end and n.unit == said.number.unit
    ]
    if not after or (numbers and numbers[0].start < after[0].start):
        return True
    wanted = after[0]
    for match in matches:
        order = sorted(
            dates,
            key=lambda d: abs(d.start - match.number.start) + (25 if d.start < match.number.start else 0),
        )
        for date in order[:1]:
            if all(p is None or p == o for p, o in ((wanted.year, date.year), (wanted.month, date.month))):
                return True
    return not re.search(r"\brespectively\b", source) and len(matches) == 0
