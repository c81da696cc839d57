"""Sets contracts of known facts into pages: `build(folder, batch)` writes PDFs and their labels.jsonl.

Every fact takes each wording of a batch in turn, and is absent in a third of the contracts, where a wording
that resembles it stands instead. The labels have the form of the shared ones (bench/facts.py reads both).
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any

from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

COUNT = 48
_NAMES = (
    ("Harrow Mills, Inc.", "Quillon Stores LLC"),
    ("Ostrava Tool Works Corp.", "Pemberly Marine Ltd."),
    ("Lindqvist Optics AB", "Saguaro Health Systems, Inc."),
    ("Bluestem Grain Company", "Tarn & Yarrow Foods, L.P."),
    ("Novaterra Biologics, Inc.", "The Kestrel Institute"),
    ("Meridian Oakes Software, LLC", "City of Larkspur"),
    ("Vantor Chemicals GmbH", "Isley Brothers Paint Co."),
    ("Corvid Media Group, Inc.", "Jonathan P. Wexler"),
)
_ROLES = (
    ("Supplier", "Customer"),
    ("Licensor", "Licensee"),
    ("Company", "Distributor"),
    ("Seller", "Buyer"),
    ("Manufacturer", "Reseller"),
    ("Provider", "Client"),
)
_TITLES = (
    "SUPPLY AGREEMENT",
    "LICENSE AGREEMENT",
    "DISTRIBUTION AGREEMENT",
    "SERVICES AGREEMENT",
    "MANUFACTURING AGREEMENT",
    "MARKETING AGREEMENT",
    "STRATEGIC ALLIANCE AGREEMENT",
)
_STATES = ("Oregon", "Minnesota", "Georgia", "Colorado", "Kansas", "Maine")


@dataclass
class _Made:
    """A contract in the making: its blocks of text, and the labelled spans and answers by category."""

    clauses: list[tuple[str, str]] = field(default_factory=list)
    labels: dict[str, tuple[list[str], str]] = field(default_factory=dict)


def build(folder: Path, wordings: ModuleType, seed: int, count: int = COUNT) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for number in range(count):
        chance = random.Random(seed * 1000 + number)
        pages, labels = _contract(wordings, number, chance)
        file = f"made_{seed}_{number:02d}.pdf"
        _typeset(folder / file, pages, number)
        rows.append({"file": file, "labels": labels})
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "labels.jsonl").write_text(lines, encoding="utf-8")
    return folder


def _contract(w: ModuleType, number: int, chance: random.Random) -> tuple[list[str], list[dict[str, Any]]]:
    made = _Made()
    roles = _ROLES[number % len(_ROLES)]
    names = _NAMES[number % len(_NAMES)]
    signed = date(chance.randint(1996, 2021), chance.randint(1, 12), chance.randint(1, 28))
    later = date(signed.year, signed.month % 12 + 1, chance.randint(1, 28)).replace(
        year=signed.year + (signed.month == 12)
    )
    end = date(later.year + chance.randint(2, 9), chance.randint(1, 12), chance.randint(1, 28))
    words = {
        "A": roles[0],
        "B": roles[1],
        "NA": names[0],
        "NB": names[1],
        "TITLE": _TITLES[number % len(_TITLES)],
        "STATE": _STATES[number % len(_STATES)],
        "DATE": _written(signed, number),
        "DAYOF": _day_of(signed),
        "D2": _written(later, number // 2),
        "D2DAYOF": _day_of(later).removeprefix("the "),
        "END": _written(end, number // 3),
    }

    def fill(text: str) -> str:
        return text.format(**words)

    def absent(fact: int) -> bool:
        return (number + fact) % 3 == 0

    def turn(forms: Any, fact: int) -> Any:
        return forms[(number // 3 * 2 + number % 3 + fact) % len(forms)]

    preambles = w.PREAMBLES
    if number % 6 == 5:
        opening = fill(turn(w.PREAMBLES_UNDATED, 0))
        made.labels["Agreement Date"] = ([], "")
    else:
        opening = fill(preambles[number % len(preambles)])
        made.labels["Agreement Date"] = ([words["DATE"], words["DAYOF"]], _american(signed))
    made.labels["Parties"] = ([*names], "")

    effective: tuple[str, str] | None = None
    undated = number % 6 == 5
    if not absent(0):
        text, kind = turn([f for f in w.EFFECTIVE if not (undated and f[1] == "made")], 0)
        effective = (fill(text), kind)
        answer = _american(later if kind == "own" else signed) if kind else ""
        made.labels["Effective Date"] = ([effective[0]], answer)
    else:
        made.labels["Effective Date"] = ([], "")
        made.clauses.append(("General", fill(turn(w.NOT_EFFECTIVE, 0))))

    text, kind = turn(w.EXPIRATION, 1)
    if absent(1):
        made.labels["Expiration Date"] = ([], "")
    else:
        made.labels["Expiration Date"] = ([fill(text)], _american(end) if kind else "")
        made.clauses.append(("Term", fill(text)))

    renewals = [] if absent(2) else [fill(turn(w.RENEWAL, 2))]
    notices = [] if absent(2) or number % 2 else [fill(turn(w.NOTICE, 2))]
    if notices:
        renewals = []
    made.labels["Renewal Term"] = (renewals + notices, "")
    made.labels["Notice Period To Terminate Renewal"] = (notices, "")
    for text in renewals + notices or [fill(turn(w.NOT_RENEWAL, 2))]:
        made.clauses.append(("Renewal" if renewals + notices else "Permits", text))

    for fact, (category, title, forms, misses) in enumerate(
        (
            ("Minimum Commitment", "Purchases", w.MINIMUM, w.NOT_MINIMUM),
            ("Termination For Convenience", "Termination", w.CONVENIENCE, w.NOT_CONVENIENCE),
            ("Anti-Assignment", "Transfer", w.ASSIGNMENT, w.NOT_ASSIGNMENT),
            ("Exclusivity", "Appointment", w.EXCLUSIVE, w.NOT_EXCLUSIVE),
            ("Governing Law", "Miscellaneous", w.LAW, w.NOT_LAW),
        ),
        start=3,
    ):
        gone = absent(fact)
        text = fill(turn(misses if gone else forms, fact))
        answer = "" if gone or category != "Governing Law" else words["STATE"]
        made.labels[category] = ([] if gone else [text], answer)
        made.clauses.append((title if not gone else "Further Terms", text))
        if not gone and number % 2:  # what resembles it stands beside it
            made.clauses.append(("Further Terms", fill(turn(misses, fact + 1))))

    if absent(8):
        if number % 2:
            text = fill(turn(w.EXCLUDED_ONLY, 8))
            made.labels["Excluded Only"] = ([text], "")
        else:
            text = fill(turn(w.NOT_CAP, 8))
        made.labels["Cap On Liability"] = ([], "")
        made.clauses.append(("Liability", text))
    else:
        text, amount = turn(w.CAP, 8)
        made.labels["Cap On Liability"] = ([fill(text)], amount)
        made.clauses.append(("Liability", fill(text)))
        if number % 2:
            made.clauses.append(("Liability", fill(turn(w.EXCLUDED_ONLY, 8))))

    made.clauses += [(title, fill(text)) for title, text in chance.sample(w.FILLER, 6)]
    chance.shuffle(made.clauses)
    paragraphs = _layout(made.clauses, number)
    if effective and number % 2 and effective[0].startswith("Effective Date:"):
        head = [words["TITLE"], effective[0], opening]
    else:
        head = [words["TITLE"], opening]
        if effective:
            paragraphs.insert(min(2, len(paragraphs)), effective[0])
    closing = [
        "IN WITNESS WHEREOF, the parties have signed this Agreement by their officers.",
        f"{names[0]}\n\nBy: ______________________\nName: R. Alder\nTitle: President",
        f"{names[1]}\n\nBy: ______________________\nName: S. Birch\nTitle: Director",
    ]
    labels = [{"category": c, "spans": spans, "answer": answer} for c, (spans, answer) in made.labels.items()]
    return [*head, "The parties agree as follows:", *paragraphs, *closing], labels


def _layout(clauses: list[tuple[str, str]], number: int) -> list[str]:
    """The clauses as contracts number them: with run-in titles, titles on their own lines, or none."""
    style = number % 4
    if style == 0:
        return [f"{n}. {title}. {text}" for n, (title, text) in enumerate(clauses, 1)]
    if style == 1:
        return [
            p
            for n, (title, text) in enumerate(clauses, 1)
            for p in (f"{n}. {title.upper()}", f"{n}.1 {text}")
        ]
    if style == 2:
        return [
            p
            for n, (title, text) in enumerate(clauses, 1)
            for p in (f"ARTICLE {n}\n{title.upper()}", f"{n}.01. {text}")
        ]
    return [f"({chr(96 + n)}) {text}" for n, (_, text) in enumerate(clauses, 1)]


def _typeset(path: Path, paragraphs: list[str], number: int) -> None:
    font = ("Times-Roman", "Helvetica", "Courier")[number % 3]
    size = 10 if font == "Courier" else 11
    canvas = Canvas(str(path), pagesize=(612, 792), invariant=1)
    y, page = 720.0, 1

    def end_page() -> None:
        canvas.setFont(font, 9)
        canvas.drawCentredString(306, 36, str(page) if number % 2 else f"- {page} -")
        if number % 3 == 0:
            canvas.drawString(72, 24, "Source: HARROW MILLS INC, 10-K, 3/31/2009")
        canvas.showPage()

    for paragraph in paragraphs:
        for part in paragraph.split("\n"):
            for line in simpleSplit(part, font, size, 468) or [""]:
                if y < 72:
                    end_page()
                    y, page = 720.0, page + 1
                canvas.setFont(font, size)
                canvas.drawString(72, y, line)
                y -= size + 3
        y -= 9
    end_page()
    canvas.save()


_MONTHS = [
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
]


def _written(day: date, form: int) -> str:
    month = _MONTHS[day.month - 1]
    forms = (
        f"{month} {day.day}, {day.year}",
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}{_suffix(day.day)}, {day.year}",
        f"{month[:3]}. {day.day}, {day.year}" if month != "May" else f"May {day.day}, {day.year}",
        f"{day.day}-{month[:3]}-{day.year}",
        f"{day.year}-{day.month:02d}-{day.day:02d}",
    )
    return forms[form % len(forms)] if form % 2 else forms[0]


def _day_of(day: date) -> str:
    return f"the {day.day}{_suffix(day.day)} day of {_MONTHS[day.month - 1]}, {day.year}"


def _suffix(day: int) -> str:
    return "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _american(day: date) -> str:
    return f"{day.month}/{day.day}/{day.year}"
