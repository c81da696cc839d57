"""Tables: what their rows mean stands above them, and every chunk of rows says it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from longleaf.ingest import make_chunks, read_document
from longleaf.ingest.structure.table_heads import head_rows
from tests.support.document_checks import check_chunks, check_document
from tests.support.pdf_maker import lines, make_pdf


@pytest.mark.parametrize(
    ("rows", "heads"),
    [
        (["2023  2022", "Net sales  $ 1,234.5  $ 1,101.0"], 1),
        (["Years ended December 31,", "2023  2022", "Current assets:", "Cash  12  (3)"], 2),
        (["Net sales  –  12.1 %"], 0),
        (["Name  Title", "Ann Ash  Chair", "Ben Birch  Clerk"], 1),
        ([f"Line {i}" for i in range(9)] + ["a  7"], 0),
    ],
)
def test_column_heads_end_where_values_begin(rows: list[str], heads: int) -> None:
    assert head_rows(rows) == heads


def words(text: str) -> int:
    return len(text.split())


def test_every_chunk_of_a_table_over_two_pages_says_its_caption_and_heads(tmp_path: Path) -> None:
    def draw(canvas: Any, index: int) -> None:
        if index == 0:
            lines(canvas, ["Sales by region"], font="Times-Bold", top=60)
            lines(canvas, ["(in millions of euros)"], top=76)
            for x, year in ((350, "2023"), (450, "2022")):
                lines(canvas, [year], x=x, top=110)
        for i in range(40):
            top = 124 + 15 * i if index == 0 else 72 + 15 * i
            number = 40 * index + i
            lines(canvas, [f"Region {chr(65 + number % 26)}{number}"], top=top)
            lines(canvas, [f"({number}.5)"], x=350, top=top)
            lines(canvas, [f"{1000 + number:,}"], x=450, top=top)

    document = read_document(make_pdf(tmp_path / "made.pdf", [draw, draw]))
    check_document(document)
    chunks = make_chunks(document, words, max_tokens=60)
    check_chunks(document, chunks, words, 60)
    assert "2023  2022" in chunks[0].text and not chunks[0].caption
    assert len(chunks) > 4
    for chunk in chunks[1:]:
        assert chunk.caption == "Sales by region\n(in millions of euros)\n2023  2022"
        assert words(chunk.caption) + chunk.n_tokens <= 60
    assert {chunk.page_index_start for chunk in chunks} == {0, 1}
