"""The register of obligations: who, what kind, by when, under which condition; and the days that follow."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from longleaf.app.export.register_files import write_registers
from longleaf.app.obligations.calendar import calendar_of
from longleaf.app.obligations.register import by_party, obligations
from longleaf.app.obligations.schema import Obligation, Register
from longleaf.app.output_file import ExportError
from longleaf.app.schema import Citation, KeyFact
from longleaf.ingest import read_document

PREAMBLE = (
    "This Services Agreement is made as of March 1, 2021 by and between Quillon Works, Inc., a Delaware "
    "corporation "
    '("Provider"), and Tamber Mills LLC, an Ohio limited liability company ("Client").\n\n'
)


def register(tmp_path: Path, body: str) -> list[Obligation]:
    path = tmp_path / "contract.txt"
    path.write_text(PREAMBLE + body)
    return obligations(read_document(path))


def told(tmp_path: Path, body: str) -> list[tuple[str, str, str]]:
    return [(o.party, o.kind, o.action) for o in register(tmp_path, body)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Provider shall host the Portal.", [("Provider", "duty", "host the Portal")]),
        ("The Client agrees to pay all fees.", [("Client", "duty", "pay all fees")]),
        ("Client may audit the books.", [("Client", "right", "audit the books")]),
        ("Client may not resell the Portal.", [("Client", "prohibition", "resell the Portal")]),
        ("Client is entitled to inspect the site.", [("Client", "right", "be entitled to inspect the site")]),
        ("Provider is not required to keep copies.", [("Provider", "right", "keep copies")]),
        (
            "Neither party may assign this Agreement.",
            [("each party", "prohibition", "assign this Agreement")],
        ),
        ("Neither party shall be liable for delay.", [("each party", "right", "be liable for delay")]),
        (
            "Provider shall host the Portal and Client shall pay the fees.",
            [("Provider", "duty", "host the Portal"), ("Client", "duty", "pay the fees")],
        ),
        (
            "Provider, at its own expense, shall repair the Portal and shall not charge for it.",
            [("Provider", "duty", "repair the Portal"), ("Provider", "prohibition", "charge for it")],
        ),
        ("All reports shall be delivered by Provider.", [("Provider", "duty", "be delivered by Provider")]),
        ("Client shall receive a credit of $500.", [("Client", "right", "receive a credit of $500")]),
        (
            "Provider shall (a) keep records; (b) answer calls; and (c) train users.",
            [
                ("Provider", "duty", "keep records"),
                ("Provider", "duty", "answer calls"),
                ("Provider", "duty", "train users"),
            ],
        ),
        ("If Provider is late, it shall pay a fee.", [("Provider", "duty", "pay a fee")]),
        (
            "Client is responsible for backing up its data.",
            [("Client", "duty", "be responsible for backing up its data")],
        ),
    ],
)
def test_who_must_may_and_must_not(
    tmp_path: Path, sentence: str, expected: list[tuple[str, str, str]]
) -> None:
    if "it shall" in sentence:  # a pronoun needs a sentence that names whom it means
        sentence = "Provider shall host the Portal. " + sentence
        expected = [("Provider", "duty", "host the Portal"), *expected]
    assert told(tmp_path, sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        'The word "Portal" shall mean the website.',
        "This Agreement shall be governed by the laws of Ohio.",
        "Any services that Provider may offer are listed in Exhibit A.",
        "Provider represents that it has the right to enter into this Agreement.",
        "The headings shall be deemed to be for convenience.",
        "This clause shall survive termination.",
        "The remedies which Client may have are cumulative.",
        "Either party may, at will, it was said in May 2020.",
        "Such provision shall be held invalid.",
    ],
)
def test_what_binds_nobody_is_left_out(tmp_path: Path, sentence: str) -> None:
    assert [o for o in register(tmp_path, sentence) if o.party not in ("each party",)] == []


def test_by_when_how_much_under_which_condition_and_towards_whom(tmp_path: Path) -> None:
    (found,) = register(
        tmp_path,
        "If an invoice is not disputed, Client shall pay Provider $12,500 within thirty (30) days after "
        "receipt of it.",
    )
    assert (found.party, found.party_name, found.towards) == ("Client", "Tamber Mills LLC", "Provider")
    assert found.amounts == ["$12,500"]
    assert found.deadline.startswith("within thirty (30) days after receipt")
    assert found.condition == "If an invoice is not disputed"
    assert found.text.startswith("If an invoice") and found.citations[0].quote.startswith("If an invoice")


def test_an_item_of_a_list_has_the_party_of_its_opening(tmp_path: Path) -> None:
    found = register(
        tmp_path,
        "2. Duties\n\nDuring the term Provider shall:\n\n(a) maintain the servers of the Portal in Ohio;\n\n"
        "(b) notify Client of each outage without delay.\n",
    )
    assert [(o.party, o.action) for o in found] == [
        ("Provider", "maintain the servers of the Portal in Ohio"),
        ("Provider", "notify Client of each outage without delay"),
    ]
    assert [c.quote.split()[0] for c in found[1].citations] == ["During", "(b)"], "its opening is cited too"


def test_dates_sort_within_a_party(tmp_path: Path) -> None:
    found = by_party(
        register(
            tmp_path,
            "Provider shall finish the Portal by June 30, 2022. Provider shall give a plan by May 2, 2021. "
            "Client may visit the site.",
        )
    )
    assert [(o.party, o.dates) for o in found] == [
        ("Client", []), ("Provider", ["2021-05-02"]), ("Provider", ["2022-06-30"]),
    ]  # fmt: skip


def fact(name: str, text: str, *values: str) -> KeyFact:
    cited = Citation(file="c", page_label="1", page_index=0, quote=text, start=0, end=len(text), boxes=[])
    return KeyFact(name=name, title=name, text=text, status="quoted", citations=[cited], values=list(values))


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (
            [
                fact("expiration_date", "until December 31, 2025", "2025-12-31"),
                fact("notice", "unless notice is given ninety (90) days prior to the end of the term"),
            ],
            {"2025-12-31": "", "2025-10-02": "2025-12-31 (end of the term) − ninety (90) days = 2025-10-02"},
        ),
        (
            [
                fact("effective_date", "as of February 29, 2020", "2020-02-29"),
                fact("term", "continues for three (3) years from the Effective Date"),
                fact(
                    "renewal",
                    "renews unless a party objects at least 2 months before the expiration of it",
                ),
            ],
            {
                "2020-02-29": "",
                "2023-02-28": "2020-02-29 (start) + three (3) years = 2023-02-28",
                "2022-12-28": "2023-02-28 (end of the term) − 2 months = 2022-12-28",
            },
        ),
        (
            [
                fact("effective_date", "as of February 29, 2020", "2020-02-29"),
                fact("term", "continues for one year from the Effective Date and then for two years"),
            ],
            {"2020-02-29": ""},  # which length is the first term is not certain
        ),
    ],
)
def test_days_follow_from_term_renewal_and_notice(facts: list[KeyFact], expected: dict[str, str]) -> None:
    found = calendar_of(facts, [])
    assert {entry.date: entry.working for entry in found} == expected
    assert [entry.date for entry in found] == sorted(expected)
    assert all(entry.citations for entry in found)


def test_files(tmp_path: Path) -> None:
    import icalendar
    import openpyxl

    found = register(tmp_path, "Provider shall deliver =SUM(A1) reports by May 2, 2021.")
    whole = Register(
        file="c.txt", sha256="0" * 64, gaps=[], obligations=found, calendar=calendar_of([], found)
    )
    for ending in ("xlsx", "csv", "json", "ics"):
        write_registers([whole], tmp_path / f"r.{ending}")
    book = openpyxl.load_workbook(tmp_path / "r.xlsx")
    assert [c.value for c in book["Obligations"][2]][1:7] == [
        "Provider", "Quillon Works, Inc.", None, "duty", "shall", found[0].action,
    ]  # fmt: skip
    assert (tmp_path / "r.csv").read_text(encoding="utf-8-sig").count("Provider") >= 1
    assert json.loads((tmp_path / "r.json").read_text())[0]["obligations"][0]["party"] == "Provider"
    events = icalendar.Calendar.from_ical((tmp_path / "r.ics").read_bytes()).walk("VEVENT")
    assert [event["DTSTART"].dt for event in events] == [date(2021, 5, 2)]
    with pytest.raises(ExportError, match="ending"):
        write_registers([whole], tmp_path / "r.pdf")
