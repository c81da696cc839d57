"""Paragraphs of plain text, and the lines that a page says it holds, whatever way the text was broken."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longleaf.ingest import Document, read_document
from longleaf.ingest.formats.text import pages
from tests.support.document_checks import check_document

DUTIES = [f"The Supplier shall {duty}." for duty in (
    "deliver the Goods on time", "insure the Goods", "keep records", "not assign this Agreement",
    "train its staff", "pay damages of 5%", "indemnify the Buyer", "comply with the law")]  # fmt: skip
PROSE = [
    "This Agreement is made between the Supplier and the Buyer, and it binds their successors and permitted "
    "assigns for as long as any of the obligations that it creates is outstanding between the parties to it.",
    "Neither party may assign its rights without the consent of the other, which consent may not be withheld "
    "without reason; a change of control is an assignment for the purposes of this paragraph alone.",
    "Notices are given in writing to the address that stands beside the name of the party, by courier or by "
    "registered mail, and are deemed received on the third business day after the day they were sent.",
]


def read(tmp_path: Path, text: str) -> Document:
    (tmp_path / "a.txt").write_bytes(text.encode())
    document = read_document(tmp_path / "a.txt")
    check_document(document)
    return document


def blocks(document: Document) -> list[str]:
    return [page.text[b.start : b.end] for page in document.pages for b in page.blocks]


@pytest.mark.parametrize("gap", ["\n\n", "\n \t\n", "\r\n\r\n", "\n\n\n", "\n\n\n\n"])
def test_paragraphs_of_one_line_stay_their_own(tmp_path: Path, gap: str) -> None:
    assert blocks(read(tmp_path, gap.join(DUTIES))) == DUTIES


@pytest.mark.parametrize("width", [60, 72, 80, 100, 120, 132, 150])
@pytest.mark.parametrize("spacing", ["\n", "\n\n"])
def test_wrapped_paragraphs_are_joined_and_parted(tmp_path: Path, width: int, spacing: str) -> None:
    """Paragraphs of one line and of several between each other, single and double spaced."""
    mixed = [PROSE[0], DUTIES[0], *DUTIES[3:5], PROSE[1], PROSE[2]]
    wrapped = [spacing.join(textwrap.wrap(p, width, break_on_hyphens=False)) for p in mixed]
    assert blocks(read(tmp_path, f"{spacing}\n".join(wrapped))) == mixed


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_lines_that_were_not_wrapped_are_paragraphs(tmp_path: Path, gap: str) -> None:
    # The second is as wide as our setting, so that nothing but its line end parts it from the next.
    mixed = [
        PROSE[0],
        "Every one of these words " * 4 + "goes on",
        PROSE[1],
        "And so does this one.",
        PROSE[2],
    ]
    assert blocks(read(tmp_path, gap.join(mixed))) == mixed


def test_numbered_clauses_stay_their_own(tmp_path: Path) -> None:
    clauses = [f"{i}. {duty}" for i, duty in enumerate(DUTIES, 1)]
    assert blocks(read(tmp_path, "\n".join(clauses))) == clauses
    assert blocks(read(tmp_path, "\n\n".join(clauses))) == clauses


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("One.\n", ["line 1"]),
        ("One.\nTwo.", ["lines 1–2"]),
        ("One.\nTwo.\n", ["lines 1–2"]),
        ("One.\n\n\n", ["lines 1–3"]),
        ("x\n" * 70, ["lines 1–66", "lines 67–70"]),
        ("x\n" * 700 + "\fy\n" * 1, ["1, lines 1–660", "1, lines 661–700", "2"]),
        ("x\n" * 3 + "\f" + "y\n" * 700, ["1", "2, lines 4–663", "2, lines 664–703"]),
    ],
)
def test_labels_count_lines_as_an_editor_does(text: str, labels: list[str]) -> None:
    assert [label for _, label in pages(text)] == labels


@given(st.lists(st.text("aB1 .\t", max_size=200), max_size=150), st.sampled_from(["", "\n"]))
def test_every_word_is_kept_whatever_the_lines_are(lines: list[str], end: str) -> None:
    text = "\n".join(lines) + end
    got = "".join(page.lines.text for page, _ in pages(text))
    assert sorted("".join(got.split())) == sorted("".join(text.split()))
