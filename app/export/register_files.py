"""A register of obligations as a file: XLSX, CSV, JSON, or ICS for the days in it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from longleaf.app.export.phrases import page_name
from longleaf.app.export.tables import Cell, Sheet, csv_table, workbook
from longleaf.app.obligations.schema import REGISTERS, CalendarEntry, Register
from longleaf.app.output_file import check_suffix, write_file
from longleaf.app.schema import Citation

SUFFIXES = (".xlsx", ".csv", ".json", ".ics")
_HEAD = (
    "File",
    "Party",
    "Full name",
    "Towards",
    "Kind",
    "Modal",
    "What",
    "By when",
    "Dates",
    "Condition",
    "Amounts",
    "Section",
    "Page",
    "Sentence",
)
_DAYS = ("File", "Date", "What", "Working", "Page", "Sentence")


def write_registers(registers: Sequence[Register], path: Path) -> None:
    """Writes all of them to one file, in the format that the name's ending tells. Raises ExportError."""
    check_suffix(path, SUFFIXES)
    makers = {".xlsx": _xlsx, ".csv": _csv, ".json": _json, ".ics": _ics}
    write_file(path, makers[path.suffix.lower()](registers))


def _xlsx(registers: Sequence[Register]) -> bytes:
    duties = [row for register in registers for row in _rows(register)]
    days = [_day_row(register.file, entry) for register in registers for entry in register.calendar]
    return workbook([Sheet("Obligations", _HEAD, duties), Sheet("Calendar", _DAYS, days)])


def _csv(registers: Sequence[Register]) -> bytes:
    return csv_table(_HEAD, [row for register in registers for row in _rows(register)])


def _json(registers: Sequence[Register]) -> bytes:
    return REGISTERS.dump_json(list(registers), indent=1)


def _rows(register: Register) -> list[list[Cell]]:
    return [
        [
            register.file,
            o.party,
            o.party_name,
            o.towards,
            o.kind,
            o.modal,
            o.action,
            o.deadline,
            ", ".join(o.dates),
            o.condition,
            ", ".join(o.amounts),
            o.heading,
            _pages(o.citations),
            o.text,
        ]
        for o in register.obligations
    ]


def _day_row(file: str, entry: CalendarEntry) -> list[Cell]:
    quotes = " … ".join(citation.quote for citation in entry.citations)
    return [file, entry.date, entry.title, entry.working, _pages(entry.citations), quotes]


def _pages(citations: Sequence[Citation]) -> str:
    return ", ".join(dict.fromkeys(page_name(c.page_label, c.page_index) for c in citations))


def _ics(registers: Sequence[Register]) -> bytes:
    from icalendar import Calendar, Event

    book = Calendar()
    book.add("prodid", "-//Longleaf//obligations//EN")
    book.add("version", "2.0")
    for register in registers:
        for entry in register.calendar:
            event = Event()
            event.add(
                "uid",
                hashlib.sha256(f"{register.sha256} {entry.date} {entry.title}".encode()).hexdigest()[:32],
            )
            event.add("dtstamp", datetime.now(UTC))
            event.add("dtstart", date.fromisoformat(entry.date))
            event.add("summary", entry.title[:200])
            quotes = "\n".join(
                f"“{c.quote}” ({page_name(c.page_label, c.page_index)})" for c in entry.citations
            )
            event.add("description", "\n".join(filter(None, (register.file, entry.working, quotes))))
            book.add_component(event)
    return bytes(book.to_ical())
