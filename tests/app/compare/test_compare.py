"""Two settings of one contract: the edits between them are found, and nothing that only layout did."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from longleaf.app.compare.compare import Compared, Side, compare_texts
from longleaf.ingest import read_document
from sample_docs import make
from tests.support.agreement_settings import SETTINGS, as_docx, as_pdf, paragraphs
from tests.support.typeset_pairs import Layout, edit, random_layout, score, typeset

OLD, NEW = "supply_agreement_v1", "supply_agreement_v2"
TEN = (
    "March 3",
    "five (5)",
    "one (1)",
    "ninety (90)",
    "thirty (30)",
    "4,800,000",
    "exclusively",
    "5,000,000",
)
TEN += ("eighty (180)", "Delaware")


@dataclass(frozen=True)
class Shown:
    kind: str
    old_text: str
    new_text: str


def side(path: Path) -> Side:
    return Side(read_document(path), path.suffix in (".docx", ".html"))


def shown(compared: Compared) -> list[Shown]:
    return [
        Shown(
            c.kind,
            compared.old.text(*c.old) if c.old else "",
            compared.new.text(*c.new) if c.new else "",
        )
        for c in compared.changes
    ]


def changes(
    folder: Path, old: Sequence[str], new: Sequence[str], a: Layout | None = None, b: Layout | None = None
) -> list[Shown]:
    other = Layout(font="Helvetica", points=9, columns=2, header="Draft", footer="{page}")
    one = typeset(old, a or Layout(), folder / "old")
    two = typeset(new, b or other, folder / "new")
    return shown(compare_texts(side(one), side(two)))


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compare")
    for name in (OLD, NEW):
        make.build_agreement(name, folder)
    return folder


def assert_ten(found: Sequence[Shown]) -> None:
    assert [c.kind for c in found] == ["changed"] * 10
    assert all(any(words in c.old_text for c in found) for words in TEN)


def test_sample_agreements_have_their_ten_differences(samples: Path) -> None:
    assert_ten(shown(compare_texts(side(samples / f"{OLD}.pdf"), side(samples / f"{NEW}.pdf"))))


@pytest.mark.parametrize("setting", ["docx", "two columns", "font and page"])
def test_the_same_ten_in_another_setting(samples: Path, setting: str) -> None:
    made = SETTINGS[setting](NEW, samples)
    assert_ten(shown(compare_texts(side(samples / f"{OLD}.pdf"), side(made))))


@pytest.mark.parametrize("setting", ["docx", "two columns", "font and page"])
def test_another_setting_of_one_version_is_no_change(samples: Path, setting: str) -> None:
    made = SETTINGS[setting](OLD, samples)
    assert shown(compare_texts(side(samples / f"{OLD}.pdf"), side(made))) == []


KINDS = ("changed", "changed", "added", "removed", "moved", "moved_edited", "renumbered", "split", "merged")


@pytest.mark.parametrize("seed", range(4))
def test_edits_are_found_with_their_kinds_in_any_layout(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    pair = edit(paragraphs(OLD), rng, KINDS)
    found = changes(tmp_path, pair.old, pair.new, random_layout(rng), random_layout(rng))
    result = score(found, pair.edits)
    assert not result.missed
    assert not result.wrong


@pytest.mark.parametrize("seed", range(4))
def test_layout_is_no_change(tmp_path: Path, seed: int) -> None:
    rng = random.Random(100 + seed)
    text = paragraphs(OLD)
    assert changes(tmp_path, text, text, random_layout(rng), random_layout(rng)) == []


CLAUSES = [
    "1. Scope. The carrier moves the goods of the shipper from the mill to the port as Section 3 describes.",
    "2. Rates. The shipper pays 40 dollars for each ton. The rate is fixed for one year from the first load.",
    "3. Loading. The shipper loads the trucks at its own risk. The carrier counts the pallets. All sign.",
    "4. Delay. A truck that waits for more than two hours is paid 30 dollars for each more hour.",
    "5. Loss. The carrier answers for goods that are lost or spoilt between the mill and the port.",
]


def kinds(found: Sequence[Shown]) -> list[str]:
    return sorted(c.kind for c in found)


def test_a_sentence_that_goes_or_comes_changes_its_paragraph(tmp_path: Path) -> None:
    new = [*CLAUSES]
    new[2] = new[2].replace(" The carrier counts the pallets.", "")
    new[4] += " It insures them."
    assert kinds(changes(tmp_path, CLAUSES, new)) == ["changed", "changed"]


def test_a_clause_put_in_renumbers_those_behind_it_and_their_references(tmp_path: Path) -> None:
    inserted = (
        "2. Permits. Both hold all permits that the law of the land asks of them on the road and at sea."
    )
    new = [CLAUSES[0].replace("Section 3", "Section 4"), inserted]
    new += [f"{n}{clause[1:]}" for n, clause in enumerate(CLAUSES[1:], start=3)]
    found = changes(tmp_path, CLAUSES, new)
    assert kinds(found) == ["added", *["renumbered"] * 4]


def test_a_reference_that_follows_no_new_number_is_a_change(tmp_path: Path) -> None:
    new = [CLAUSES[0].replace("Section 3", "Section 5"), *CLAUSES[1:]]
    assert kinds(changes(tmp_path, CLAUSES, new)) == ["changed"]


def test_a_clause_rewritten_under_its_own_number_is_one_change(tmp_path: Path) -> None:
    new = [*CLAUSES]
    new[3] = (
        "4. Delay. Nothing is owed for waiting trucks unless the port itself is shut by order of the harbour."
    )
    assert kinds(changes(tmp_path, CLAUSES, new)) == ["changed"]


def test_moved_split_and_merged_paragraphs_are_called_so(tmp_path: Path) -> None:
    moved = [*CLAUSES[1:], CLAUSES[0]]
    assert kinds(changes(tmp_path, CLAUSES, moved)) == ["moved"]
    first, rest = CLAUSES[2].split(" The carrier counts", 1)
    split = [*CLAUSES[:2], first, "The carrier counts" + rest, *CLAUSES[3:]]
    assert kinds(changes(tmp_path, CLAUSES, split)) == ["split"]
    assert kinds(changes(tmp_path, split, CLAUSES)) == ["merged"]


def test_quotes_bullets_capitals_of_titles_and_blanks_are_layout(tmp_path: Path) -> None:
    old = ["SCOPE OF WORK", '• The "Carrier" moves the goods.', "By: ____________", *CLAUSES]
    new = ["Scope of Work", "– The “Carrier” moves the goods.", "By: ___", *CLAUSES]
    assert changes(tmp_path, old, new, Layout(form="docx"), Layout(form="docx")) == []


def test_a_word_written_small_is_a_change(tmp_path: Path) -> None:
    new = [CLAUSES[0].replace("Section", "section"), *CLAUSES[1:]]
    found = changes(tmp_path, CLAUSES, new, Layout(form="docx"), Layout(form="docx"))
    assert kinds(found) == ["changed"]


def test_texts_that_have_nothing_in_common(tmp_path: Path) -> None:
    other = [
        "A poem on rain",
        "Clouds hang low above grey roofs while gutters hum a song nobody learnt by heart.",
    ]
    found = changes(tmp_path, CLAUSES, other)
    assert set(kinds(found)) == {"added", "removed"}


def test_a_number_that_goes_is_no_page_number(tmp_path: Path) -> None:
    layout = Layout(size=(300, 200), points=9, margin=40, footer="{page}")
    new = [CLAUSES[0].replace("Section 3", "Section"), *CLAUSES[1:]]
    assert kinds(changes(tmp_path, CLAUSES, new, layout, layout)) == ["changed"]


def test_cells_of_a_table_are_compared_where_their_words_wrap(tmp_path: Path) -> None:
    rows = [["Product", "Price per metric ton", "Pack"], ["Oxygen barrier resin", "$3,180", "25 kg bag"]]
    rows += [["Moisture barrier resin, retort grade", "$2,270", "bin"], ["Tray film", "$990", "wide core"]]
    edited = [[*row] for row in rows]
    edited[1][1] = "$4,180"
    del edited[3]
    edited.append(["Sealing wax", "$870", "drum"])
    before = as_docx(OLD, tmp_path / "a.docx", [CLAUSES[0], rows, CLAUSES[1]])
    after = as_pdf(
        NEW, tmp_path / "b.pdf", columns=1, font="Helvetica", points=14, size=(300, 500),
        content=[CLAUSES[0], edited, CLAUSES[1]],
    )  # fmt: skip
    found = shown(compare_texts(side(before), side(after)))
    assert kinds(found) == ["added", "changed", "removed"]
    assert any("3,180" in c.old_text and "4,180" in c.new_text for c in found)
    again = as_pdf(
        OLD, tmp_path / "c.pdf", columns=1, font="Helvetica", points=14, size=(300, 500),
        content=[CLAUSES[0], rows, CLAUSES[1]],
    )  # fmt: skip
    assert shown(compare_texts(side(before), side(again))) == []
