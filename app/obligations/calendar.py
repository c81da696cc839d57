"""Days that matter: those the contract names, and those that follow from its term, renewal and notice."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from longleaf.app.obligations.schema import CalendarEntry, Obligation
from longleaf.app.schema import Citation, KeyFact
from longleaf.app.text.entities import find_durations, find_numbers

_UNIT = re.compile(r"(year|month|week|day)s?", re.IGNORECASE)
_FROM_START = re.compile(
    r"\b(?:from|after|following|of|on)\s+(?:and\s+(?:including\s+)?after\s+)?(?:the\s+)?(?:date\s+(?:hereof|of\s+this)|"
    r"effective\s+date|commencement\s+date|date\s+first)",
    re.IGNORECASE,
)
_BEFORE_END = re.compile(
    r"(?:prior\s+to|before|in\s+advance\s+of|preceding)\s+(?:the\s+)?(?:\w+\s+){0,4}?(?:end|expir\w+|anniversary|"
    r"renewal|termination|conclusion|last\s+day|then)",
    re.IGNORECASE,
)
_BUSINESS = re.compile(r"\b(?:business|working|banking)\b", re.IGNORECASE)


def calendar_of(facts: Sequence[KeyFact], register: Sequence[Obligation]) -> list[CalendarEntry]:
    """All of them in order of date; what cannot be told for certain is left out."""
    known = {fact.name: fact for fact in facts if fact.status != "not_found"}
    found = [*_of_term(known), *_named(register)]
    return sorted(found, key=lambda entry: entry.date)


def _named(register: Sequence[Obligation]) -> Iterator[CalendarEntry]:
    for each in register:
        for day in each.dates:
            if len(day) == 10:
                yield CalendarEntry(
                    date=day,
                    title=f"{each.party or '(nobody named)'} {each.modal} {each.action}",
                    citations=each.citations,
                )


def _of_term(known: Mapping[str, KeyFact]) -> Iterator[CalendarEntry]:
    start = _day(known.get("effective_date")) or _day(known.get("agreement_date"))
    started = (
        known.get("effective_date") if _day(known.get("effective_date")) else known.get("agreement_date")
    )
    if start and started:
        yield CalendarEntry(
            date=start.isoformat(), title="The agreement takes effect", citations=started.citations
        )
    end, working, rests_on = _end(known, start, started)
    if end is None:
        return
    yield CalendarEntry(date=end.isoformat(), title="The term ends", working=working, citations=rests_on)
    notice = known.get("notice") or known.get("renewal")
    length = _notice_length(notice.text) if notice else None
    if notice and length:
        last = _plus(end, -length[0], length[1])
        yield CalendarEntry(
            date=last.isoformat(),
            title="Last day to give notice that the term is not renewed",
            working=f"{end.isoformat()} (end of the term) − {length[2]} = {last.isoformat()}",
            citations=[*notice.citations, *rests_on],
        )


def _end(
    known: Mapping[str, KeyFact], start: date | None, started: KeyFact | None
) -> tuple[date | None, str, list[Citation]]:
    expiration = known.get("expiration_date")
    named = _day(expiration)
    if named and expiration:
        return named, "", expiration.citations
    term = known.get("term") or expiration
    if term is None or start is None or started is None or not _FROM_START.search(term.text):
        return None, "", []
    lengths = [
        found
        for d in find_durations(term.text)
        if (found := _length(d.text)) and found[1] in ("year", "month")
    ]
    if not lengths or len({each[:2] for each in lengths}) > 1:
        return None, "", []  # several lengths: which one is the first term is not certain
    count, unit, said = lengths[0]
    end = _plus(start, count, unit)
    return (
        end,
        f"{start.isoformat()} (start) + {said} = {end.isoformat()}",
        [*term.citations, *started.citations],
    )


def _notice_length(text: str) -> tuple[int, str, str] | None:
    """How long before the end of the term notice is due; None where that is not plain."""
    found: list[tuple[int, str, str]] = []
    for duration in find_durations(text):
        around = text[duration.end : duration.end + 110]
        if _BEFORE_END.search(around) and not _BUSINESS.search(duration.text):
            length = _length(duration.text)
            if length:
                found.append(length)
    return found[0] if len({each[:2] for each in found}) == 1 else None


def _length(text: str) -> tuple[int, str, str] | None:
    unit = _UNIT.search(text)
    numbers = {int(n.value) for n in find_numbers(text) if n.value == int(n.value)}
    if not unit or len(numbers) != 1:
        return None
    return numbers.pop(), unit[1].lower(), " ".join(text.split())


def _day(fact: KeyFact | None) -> date | None:
    for value in fact.values if fact else ():
        if re.fullmatch(r"\d{4}-\d\d-\d\d", value):
            return date.fromisoformat(value)
    return None


def _plus(day: date, count: int, unit: str) -> date:
    if unit in ("day", "week"):
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    months = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))
