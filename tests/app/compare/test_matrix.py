"""Matrices and playbooks: what deviates, what a rule says, and files that can be read again."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import openpyxl
import pytest

from longleaf.app.compare.matrix import Contract, matrix
from longleaf.app.compare.playbook import PlaybookError, check, read_playbook
from longleaf.app.export.matrix_files import write_matrix
from longleaf.app.facts.contracts.contract import TITLES
from longleaf.app.proof.citations import cite, find_quote
from longleaf.app.schema import KeyFact
from tests.support.plain_documents import plain_document

ROOT = Path(__file__).resolve().parents[3]


def contract(name: str, **values: str) -> Contract:
    """A contract that says each value in a sentence of its own."""
    text = "\n".join(f"The {key} is {value} as agreed." for key, value in values.items())
    document = plain_document([text], name=name)
    facts = []
    for key in ("governing_law", "payment", "liability_cap", "exclusivity"):
        value = values.get(key, "")
        quote = f"The {key} is {value} as agreed."
        found = cite(document, find_quote(document, quote)) if value else []
        status = "quoted" if value else "not_found"
        facts.append(
            KeyFact(
                name=key,
                title=TITLES[key],
                text=quote if value else "Not found in the document.",
                status=status,
                citations=found,
                values=[value] if value else [],
            )
        )
    return Contract(document, facts)


CONTRACTS = [
    contract("a.pdf", governing_law="Ohio", payment="30 days", liability_cap="$900"),
    contract("b.pdf", governing_law="Ohio", payment="30 days"),
    contract("c.pdf", governing_law="Iowa", payment="30 days", liability_cap="=1+1"),
]


def test_what_most_contracts_say_is_expected_of_all() -> None:
    made = matrix(CONTRACTS)
    expected = {c.name: c.expected for c in made.columns}
    assert expected["governing_law"] == "Ohio"
    assert expected["liability_cap"] == ""  # no two agree
    deviating = [(row.file, cell.name) for row in made.rows for cell in row.cells if cell.deviates]
    assert deviating == [("c.pdf", "governing_law")]


def test_a_standard_is_what_is_expected() -> None:
    made = matrix(CONTRACTS[1:], CONTRACTS[0])
    deviating = [(row.file, cell.name) for row in made.rows for cell in row.cells if cell.deviates]
    assert deviating == [("b.pdf", "liability_cap"), ("c.pdf", "governing_law"), ("c.pdf", "liability_cap")]
    assert made.standard == "a.pdf"


def test_a_workbook_has_links_citations_filters_and_no_formulas(tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    write_matrix(matrix(CONTRACTS), tmp_path / "m.xlsx", {"a.pdf": file})
    book = openpyxl.load_workbook(tmp_path / "m.xlsx")
    sheet = book["Matrix"]
    assert sheet["B3"].value == "Ohio (p. 1)"
    assert sheet["B3"].hyperlink.target == f"{file.resolve().as_uri()}#page=1"
    assert sheet["D5"].data_type == "s"
    assert sheet["D5"].value == "=1+1 (p. 1)"
    assert sheet.auto_filter.ref == "A1:E5"
    quotes = [row[5].value for row in book["Citations"].iter_rows(min_row=2)]
    assert "The governing_law is Ohio as agreed." in quotes


def test_csv_has_a_row_for_each_contract(tmp_path: Path) -> None:
    write_matrix(matrix(CONTRACTS), tmp_path / "m.csv", {})
    text = (tmp_path / "m.csv").read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["file"] for row in rows] == ["(most)", "a.pdf", "b.pdf", "c.pdf"]
    assert rows[2]["Liability cap"] == "not found"
    assert rows[3]["deviates"] == "Governing law"
    assert rows[3]["Liability cap"].startswith("'=")


def results(text: str, tmp_path: Path, of: Contract = CONTRACTS[0]) -> list[str]:
    file = tmp_path / "rules.toml"
    file.write_text(text, encoding="utf-8")
    return [outcome.result for outcome in check(read_playbook(file, TITLES), of).outcomes]


@pytest.mark.parametrize(
    ("rule", "result"),
    [
        ('fact = "governing_law"\nany_of = ["Ohio", "Utah"]', "pass"),
        ('fact = "governing_law"\nany_of = ["Utah"]', "fail"),
        ('fact = "governing_law"\nnone_of = ["Ohio"]', "fail"),
        ('fact = "payment"\nat_most = "30 days"', "pass"),
        ('fact = "payment"\nat_most = "4 weeks"', "fail"),
        ('fact = "payment"\nat_least = "1 month"', "pass"),
        ('fact = "payment"\nat_most = "$100"', "doubt"),
        ('fact = "liability_cap"\nat_most = "$1,000"', "pass"),
        ('fact = "exclusivity"\nmust = "absent"', "pass"),
        ('fact = "exclusivity"\nmust = "present"', "missing"),
        ('contains = ["payment", "30 days"]', "pass"),
        ('contains = ["insurance"]', "missing"),
        ('contains = ["payment"]\nmust = "absent"', "fail"),
        ('says = "The payment is 30 days as agreed."', "pass"),
        ('says = "The payment is 45 business days as agreed."\nalike = 0.95', "doubt"),
        ('says = "Nobody may open a circus in the yard on Sundays."', "missing"),
    ],
)
def test_rules(rule: str, result: str, tmp_path: Path) -> None:
    assert results(f"[[rule]]\n{rule}\n", tmp_path) == [result]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[rule]\n", "line 1"),
        ("name = 'x'\n", "has no [[rule]]"),
        (
            '[[rule]]\nfact = "payment"\nmust = "present"\n\n[[rule]]\nfact = "paiment"\nmust = "present"',
            "line 6",
        ),
        ('[[rule]]\nfact = "payment"\nat_mots = "3 days"', "line 3"),
        ('[[rule]]\nfact = "payment"\nat_most = "soon"', "line 3"),
        ('[[rule]]\nname = "x"\n', "line 1: a rule needs one of"),
        ('[[rule]]\nfact = "payment"\ncontains = ["x"]', "needs one of"),
        ('[[rule]]\nfact = "payment"\n', "a rule for a fact needs one of"),
    ],
)
def test_a_wrong_playbook_is_told_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(PlaybookError, match=said.replace("[", r"\[")):
        results(text, tmp_path)


@pytest.mark.parametrize("name", ["buyer", "seller"])
def test_sample_playbooks_can_be_read(name: str) -> None:
    assert len(read_playbook(ROOT / "sample_docs" / "playbooks" / f"{name}.toml", TITLES).rules) >= 6
