"""Passages around chunks that were found."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longleaf.app.library.documents import Library
from longleaf.app.retrieval.neighbours import PASSAGE_TOKENS, grow_passages
from longleaf.app.retrieval.retriever import Retriever
from longleaf.ingest.document import Chunk, Span
from tests.support.plain_documents import plain_document


@given(st.data())
def test_passages_are_the_ranked_chunks_and_neighbours_that_fit(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(0, 300), min_size=1, max_size=30))
    positions = st.integers(0, len(sizes) - 1)
    ranked = data.draw(st.lists(positions, unique=True))
    borders = data.draw(st.sets(positions)) | {0, len(sizes)}
    k = data.draw(st.integers(1, 10))
    found = grow_passages(ranked, sizes, sorted(borders), k)
    every = [position for run in found for position in run]
    assert len(found) <= k and len(every) == len(set(every))
    left = iter(ranked)
    for run in found:
        assert next(position for position in left if position in run) in run  # in the order of their best
        assert len(run) == 1 or (sum(sizes[p] for p in run) <= PASSAGE_TOKENS and all(sizes[p] for p in run))
        assert not borders & set(run[1:])
    assert len(found) == min(k, len(ranked))


@pytest.mark.parametrize(
    ("ranked", "sizes", "found"),
    [
        ([2], [100, 100, 60, 100, 100], [range(2, 4)]),  # what follows goes first
        ([2, 1], [100, 100, 60, 100, 100], [range(1, 3)]),  # but a better ranked one before it
        ([1, 2, 4], [0, 50, 50, 0, 200], [range(1, 3), range(4, 5)]),  # rows of a table stand alone
        ([0], [300, 10], [range(0, 1)]),
    ],
)
def test_a_passage_grows_over_what_ranks_best(
    ranked: list[int], sizes: list[int], found: list[range]
) -> None:
    assert grow_passages(ranked, sizes, [0, len(sizes)], len(found)) == found


CONTRACT = (
    ("Exhibit 10.1", "Exhibit 10.1"),
    ("TABLE OF CONTENTS", "1. Dates of delivery 2. Signed orders 3. Agreement on dates"),
    ("Supply", "This Supply Contract is made as of May 2, 2020 by and between Alpha Inc. and Beta LLC."),
    *(
        (f"{i}. Delivery", f"Goods {i} are delivered on the date that is signed for in the order.")
        for i in range(9)
    ),
    ("Signatures", "IN WITNESS WHEREOF, this is executed by the undersigned."),
)


def stored_contract(library: Library) -> Retriever:
    texts = [text for _, text in CONTRACT]
    chunks = [
        Chunk(i, text, (title,), (Span(i, 0, len(text)),), 120) for i, (title, text) in enumerate(CONTRACT)
    ]
    library.add(plain_document(texts, "a.pdf"), chunks, parser="p", chunking="c")
    return Retriever(library)


def test_a_question_on_the_date_leads_to_preamble_title_and_signatures(tmp_path: Path) -> None:
    library = Library(tmp_path / "library.db")
    found = stored_contract(library).search("When was it signed?", documents=library.documents(), k=4)
    assert {0, 2, len(CONTRACT) - 1} <= {hit.chunk.index for hit in found}


def test_a_passage_is_cited_where_its_chunks_are(tmp_path: Path) -> None:
    library = Library(tmp_path / "library.db")
    found = stored_contract(library).search("witness whereof", documents=library.documents(), k=1, wide=True)
    chunk = found[0].chunk
    assert chunk.section_path == ("Signatures",)
    assert chunk.text == "\n".join(text for _, text in CONTRACT[-2:])
    assert [span.page_index for span in chunk.spans] == [len(CONTRACT) - 2, len(CONTRACT) - 1]
    assert chunk.locate(len(chunk.text) - 5, len(chunk.text))[0].page_index == len(CONTRACT) - 1
