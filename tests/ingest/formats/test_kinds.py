"""One built PDF a kind of difficulty: the text a person reads, its labels and boxes, and its gaps."""

from __future__ import annotations

import numpy as np
import pytest

from longleaf.ingest import Document, Page, make_chunks, read_document
from tests.support.document_checks import check_chunks, check_document
from tests.support.kinds import CJK, KINDS, OTHER, SENTENCE

TABLE = "2023  2022\nNet revenue  $ 1,234.5  $ 1,101.0\nCost of sales  (640.2)  (598.7)\n" + (
    "Gross margin  48.1 %  45.6 %\nOther, net  –  12.0"
)


def times(sentence: str, count: int) -> str:
    return (sentence * count).strip()


# For each kind its pages: the blocks of each, as (kind, text).
EXPECTED: dict[str, list[list[tuple[str, str]]]] = {
    "headings": [
        [
            ("heading", "ARTICLE 4 Payment"),
            ("heading", "4.1 Price"),
            ("paragraph", times(OTHER, 2)),
            ("heading", "4.2 Delivery"),
            ("paragraph", times(SENTENCE, 2)),
        ]
    ],
    "lists": [
        [
            ("paragraph", "The supplier shall:"),
            ("list", "(a) deliver the goods;"),
            ("list", "(b) insure them, which means"),
            ("list", "(i) against fire, and"),
            ("list", "(ii) against theft; and"),
            ("list", "(c) report each loss."),
        ]
    ],
    "ruled_table": [[("paragraph", "(in millions of dollars)"), ("table", TABLE)]],
    "unruled_table": [
        [("paragraph", times(SENTENCE, 3)), ("paragraph", "(in millions of dollars)"), ("table", TABLE)]
    ],
    "two_columns": [
        [
            ("heading", "GENERAL TERMS OF SUPPLY THAT APPLY TO EVERY ORDER"),
            ("paragraph", times(SENTENCE, 6)),
            ("paragraph", times(OTHER, 6)),
        ]
    ],
    "columns_with_table": [
        [
            ("paragraph", times(SENTENCE, 6)),
            ("paragraph", times(OTHER, 6)),
            ("table", TABLE),
            ("paragraph", times(OTHER, 6)),
            ("paragraph", times(SENTENCE, 6)),
        ]
    ],
    "raised_figures": [[("paragraph", "Revenue was 1,234¹² in all."), ("paragraph", "Par value 12/3")]],
    "footnotes": [
        [
            ("paragraph", times(SENTENCE, 4)),
            ("paragraph", "Revenue was restated1 in the second year."),
            ("paragraph", "1 See the report of the auditor."),
        ]
    ],
    "margin_headings": [
        [
            ("paragraph", "Delivery of the Goods"),
            ("paragraph", times(SENTENCE, 3)),
            ("paragraph", "Payment"),
            ("paragraph", times(OTHER, 3)),
        ]
    ],
    "form_fields": [
        [
            ("paragraph", "Name of the tenant:"),
            ("paragraph", "Jane Roe"),
            ("paragraph", "Deposit paid:"),
            ("paragraph", "$ 4,500"),
        ]
    ],
    "annotations": [[("paragraph", "The rent is due monthly. The term is five years.")]],
    "private_glyphs": [[("paragraph", "The office files zq\ue123xk\ufffd wv\ue123jj.")]],
    "spaces": [[("paragraph", "Beira Rio, Centro Reporting crude oil leak. AGREEMENT")]],
    "ligatures": [[("paragraph", "The final offer reflects a difficulty.")]],
    "soft_hyphens": [[("paragraph", "cooperates until the agreement ends.")]],
    "right_to_left": [[("paragraph", "אבג 5 דה")]],
    "circular": [[("paragraph", "Around it")]],
    "mixed_scan": [[("paragraph", "Typed words.")], [], [("paragraph", "More words.")]],
    **{name: [[("paragraph", text)]] for name, (_, _, text, _) in CJK.items()},
}
GAPS = {
    "annotations": [("changes", 0)],
    "no_unicode_map": [("doubtful_text", 0)],
    "private_glyphs": [("doubtful_text", 0)],
    "circular": [("page_failed", 1)],
    "mixed_scan": [("scanned", 1)],
}


def words(text: str) -> int:
    return len(text.split())


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document]:
    folder = tmp_path_factory.mktemp("kinds")
    found = {}
    for name, make in KINDS.items():
        (folder / f"{name}.pdf").write_bytes(make())
        found[name] = read_document(folder / f"{name}.pdf", ocr="off")
    return found


@pytest.mark.parametrize("name", KINDS)
def test_text_boxes_and_gaps(documents: dict[str, Document], name: str) -> None:
    document = documents[name]
    check_document(document)
    check_chunks(document, make_chunks(document, words, max_tokens=40), words, 40)
    if name in EXPECTED:
        assert [[(b.kind, p.text[b.start : b.end]) for b in p.blocks] for p in document.pages] == EXPECTED[
            name
        ]
    assert [(gap.kind, gap.page_index) for gap in document.gaps] == GAPS.get(name, [])
    for page in document.pages:
        placed = page.boxes[~np.isnan(page.boxes).any(axis=1)]
        assert (placed >= -1).all()
        assert (placed[:, 2] <= page.width + 1).all() and (placed[:, 3] <= page.height + 1).all()


def where(page: Page, text: str) -> tuple[float, float, float, float]:
    at = page.text.index(text)
    boxes = page.boxes[at : at + len(text)]
    return (*np.nanmin(boxes[:, :2], axis=0), *np.nanmax(boxes[:, 2:], axis=0))


def test_headings_are_sections(documents: dict[str, Document]) -> None:
    assert [s.path for s in documents["headings"].sections] == [
        ("ARTICLE 4 Payment",),
        ("ARTICLE 4 Payment", "4.1 Price"),
        ("ARTICLE 4 Payment", "4.2 Delivery"),
    ]


def test_rows_of_a_table_over_pages_keep_units_years_and_signs(documents: dict[str, Document]) -> None:
    document = documents["table_over_pages"]
    chunks = make_chunks(document, words, max_tokens=60)
    assert len(chunks) > 4
    for chunk in chunks:
        said = f"{chunk.caption}\n{chunk.text}"
        assert "(in thousands of euros, except per cent)" in said and "2023  2022" in said
    rows = [line for chunk in chunks for line in chunk.text.split("\n") if line.startswith("Country")]
    assert len(rows) == 60
    assert rows[45] == "Country 65  (1,025.5)  € 25.25"


def test_rotated_pages_read_the_same_at_the_same_place(documents: dict[str, Document]) -> None:
    pages = documents["rotated_pages"].pages
    assert [(page.width, page.height) for page in pages] == [(612, 792), (792, 612)] * 2
    for page in pages:
        assert page.text == "Termination for cause"
        assert where(page, "Termination") == pytest.approx(where(pages[0], "Termination"), abs=1)


def test_labels_are_those_printed(documents: dict[str, Document]) -> None:
    document = documents["page_labels"]
    assert [page.label for page in document.pages] == ["i", "ii", "1", "A-1"]
    assert [page.page_index for page in document.pages] == [0, 1, 2, 3]


def test_notes_say_who_wrote_them_and_what_they_are_about(documents: dict[str, Document]) -> None:
    document = documents["annotations"]
    text = document.pages[0].text
    found = [(a.kind, a.text, a.author, text[a.span.start : a.span.end]) for a in document.annotations]
    assert found == [
        ("note", "Ask for quarterly.", "Ann Ash", "The rent is due monthly."),
        ("note", "Too long!", "Ben Birch", "The term is five years."),
    ]
    assert {a.date for a in document.annotations} == {"D:20240203100000Z"}


def test_doubtful_characters_are_counted(documents: dict[str, Document]) -> None:
    assert documents["no_unicode_map"].gaps[0].detail.startswith("100%")
    assert documents["private_glyphs"].gaps[0].detail.startswith("12%")


def test_fields_stand_where_they_are_shown(documents: dict[str, Document]) -> None:
    x0, y0, x1, y1 = where(documents["form_fields"].pages[0], "Jane Roe")
    assert 200 <= x0 < x1 <= 400 and 78 <= y0 < y1 <= 102
