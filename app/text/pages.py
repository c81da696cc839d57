"""Pages of a document: by their index, and what of their text is no running header or footer."""

from __future__ import annotations

import re

from longleaf.ingest.document import Document, Page

# "12", "- 12 -", "iv", "Page 3 of 20", "A-4"
_PAGE_NUMBER = re.compile(
    r"\s*(?:page\s+)?[-–—]?\s*(?:[A-Z]-)?(?:\d{1,3}|[ivxl]{1,6})\s*[-–—]?(?:\s+of\s+\d{1,4})?\s*",
    re.IGNORECASE,
)
_LAST_LINE = re.compile(r"\n[ \t]*[-–—]?[ \t]*(?P<number>\d{1,3})[ \t]*[-–—]?\s*$")


def page_of(document: Document, page_index: int) -> Page:
    """The page with that index; a document read with `--pages` holds only some."""
    if page_index < len(document.pages) and document.pages[page_index].page_index == page_index:
        return document.pages[page_index]
    for page in document.pages:
        if page.page_index == page_index:
            return page
    raise IndexError(f"{document.name} has no page with index {page_index}")


def body_runs(page: Page) -> list[tuple[int, int]]:
    """Character ranges of the page's blocks but running headers, footers and page numbers, in order."""
    if not page.blocks:
        return [(0, len(page.text))] if page.text.strip() else []
    body = [(b.start, b.end) for b in page.blocks if b.kind not in ("header", "footer") and b.end > b.start]
    edges = {body[0], body[-1]} if body else set()
    kept = [run for run in body if run not in edges or not _PAGE_NUMBER.fullmatch(page.text, *run)]
    if not kept:
        return body
    last = kept[-1]
    number = _LAST_LINE.search(page.text, *last)
    if number and number["number"] in (page.label, str(page.page_index + 1)):
        kept[-1] = (last[0], number.start())
    return kept
