"""Pages of a document: by their index, and what of their text is no running header or footer."""

from __future__ import annotations

from longleaf.ingest.document import Document, Page


def page_of(document: Document, page_index: int) -> Page:
    """The page with that index; a document read with `--pages` holds only some."""
    if page_index < len(document.pages) and document.pages[page_index].page_index == page_index:
        return document.pages[page_index]
    for page in document.pages:
        if page.page_index == page_index:
            return page
    raise IndexError(f"{document.name} has no page with index {page_index}")


def body_runs(page: Page) -> list[tuple[int, int]]:
    """Character ranges of the page's blocks other than running headers and footers, in reading order."""
    if not page.blocks:
        return [(0, len(page.text))] if page.text.strip() else []
    return [(b.start, b.end) for b in page.blocks if b.kind not in ("header", "footer") and b.end > b.start]
