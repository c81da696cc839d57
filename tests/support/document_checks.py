"""What must hold of every Document and its chunks, whatever the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from longleaf.ingest import Chunk, Document


def check_document(document: Document) -> None:
    """Offsets, boxes, blocks, sections and gaps fit together."""
    indexes = [page.page_index for page in document.pages]
    assert indexes == sorted(set(indexes))
    for page in document.pages:
        assert page.label
        assert page.boxes.shape == (len(page.text), 4)
        placed = page.boxes[~np.isnan(page.boxes).any(axis=1)]
        assert (placed[:, 0] <= placed[:, 2]).all() and (placed[:, 1] <= placed[:, 3]).all()
        missing = np.isnan(page.boxes).any(axis=1)
        assert all(page.text[i].isspace() for i in np.flatnonzero(missing))
        end = 0
        for block in page.blocks:
            assert not page.text[end : block.start].strip()
            assert end <= block.start < block.end <= len(page.text)
            end = block.end
        assert not page.text[end:].strip()
    assert document.sections
    pages = {page.page_index: page for page in document.pages}
    starts = [(section.start.page_index, section.start.start) for section in document.sections]
    assert starts == sorted(starts)
    for section in document.sections:
        assert section.path[-1] == section.title != ""
        assert section.page_index_start == section.start.page_index <= section.page_index_end
        if document.pages:
            assert 0 <= section.start.start <= section.start.end <= len(pages[section.start.page_index].text)
    body = [(p.page_index, b.start) for p in document.pages for b in p.blocks if is_body(b.kind)]
    assert not body or starts[0] <= body[0]


def is_body(kind: str) -> bool:
    return kind not in ("header", "footer")


def check_chunks(
    document: Document, chunks: Sequence[Chunk], count: Callable[[str], int], max_tokens: int
) -> None:
    """Each body character that is no space is in exactly one chunk, in order, within the limit of tokens."""
    texts = {page.page_index: page.text for page in document.pages}
    covered: Counter[tuple[int, int]] = Counter()
    paths = {section.path for section in document.sections}
    last = (-1, -1)
    for i, chunk in enumerate(chunks):
        assert chunk.index == i
        assert chunk.text == "\n".join(texts[s.page_index][s.start : s.end] for s in chunk.spans)
        assert chunk.text.strip() == chunk.text != ""
        assert chunk.n_tokens == count(chunk.text)
        assert chunk.n_tokens <= max_tokens or len(chunk.text) == 1
        assert chunk.section_path in paths
        for span in chunk.spans:
            assert last <= (span.page_index, span.start)
            last = (span.page_index, span.end)
            covered.update((span.page_index, at) for at in range(span.start, span.end))
        assert chunk.locate(0, len(chunk.text)) == chunk.spans
    assert set(covered.values()) <= {1}
    wanted = {
        (page.page_index, at)
        for page in document.pages
        for block in page.blocks
        if is_body(block.kind)
        for at in range(block.start, block.end)
        if not page.text[at].isspace()
    }
    inked = {(page, at) for page, at in covered if not texts[page][at].isspace()}
    assert inked == wanted
