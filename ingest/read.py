"""`read_document`: a file to a Document."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from . import pdf
from .compose import Hyphens, compose
from .document import Document, Gap, Page, Section
from .errors import IngestError
from .furniture import find_furniture
from .normalise import doubtful
from .pages import RawPage
from .sections import find_sections

_DOUBTFUL_SHARE = 0.02
_SCAN_SHARE = 0.5
_SCAN_CHARACTERS = 100

Progress = Callable[[int, int], None]


def read_document(
    path: str | Path,
    *,
    name: str | None = None,
    pages: Collection[int] | None = None,
    progress: Progress | None = None,
) -> Document:
    """Reads a PDF. `pages` are the 0-based indexes wanted (all, if None); `progress(done, total)` by page.

    Raises IngestError if the file as a whole cannot be read; what fails on a page is a Gap of the document.
    """
    path = Path(path)
    name = name or path.name
    data = _bytes(path, name)
    raw_pages, structure, gaps = pdf.read_pages(data, name, pages, progress)
    furniture = find_furniture(raw_pages)
    hyphens = Hyphens(raw_pages)
    composed = [
        compose(raw, structure.labels[raw.page_index], furniture.get(raw.page_index, {}), hyphens)
        for raw in raw_pages
    ]
    gaps += [gap for raw, page in zip(raw_pages, composed, strict=True) for gap in _page_gaps(raw, page)]
    gaps.sort(key=lambda gap: -1 if gap.page_index is None else gap.page_index)
    sections = find_sections(composed, structure.outline, name)
    return Document(
        name,
        hashlib.sha256(data).hexdigest(),
        tuple(_with_levels(composed, sections)),
        sections,
        structure.metadata,
        tuple(gaps),
    )


def _bytes(path: Path, name: str) -> bytes:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise IngestError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise IngestError(f"{path}: is a folder, not a PDF file") from None
    except OSError as error:
        raise IngestError(f"{path}: cannot be read ({error.strerror})") from error
    if not data:
        raise IngestError(f"{name}: the file is empty (0 bytes)")
    if b"%PDF-" not in data[:1024]:
        raise IngestError(f"{name}: not a PDF file (no %PDF- in its first 1,024 bytes)")
    return data


def _page_gaps(raw: RawPage, page: Page) -> list[Gap]:
    ink = len(page.text) - sum(map(str.isspace, page.text))
    if raw.image_share >= _SCAN_SHARE and ink < _SCAN_CHARACTERS:
        return [Gap("scanned", f"the page is an image with {ink} characters of text", raw.page_index)]
    if not ink:
        return (
            [Gap("no_text", "something is drawn on the page, but no text", raw.page_index)]
            if raw.drawn
            else []
        )
    share = doubtful(page.text) / ink
    if share > _DOUBTFUL_SHARE:
        return [Gap("doubtful_text", f"{share:.0%} of the characters have no known meaning", raw.page_index)]
    return []


def _with_levels(pages: Sequence[Page], sections: Sequence[Section]) -> list[Page]:
    levels = {(s.start.page_index, s.start.start): s.level for s in sections}
    out = []
    for page in pages:
        blocks = tuple(
            dataclasses.replace(
                block, level=levels.get((page.page_index, block.start), max(levels.values()) + 1)
            )
            if block.kind == "heading"
            else block
            for block in page.blocks
        )
        out.append(dataclasses.replace(page, blocks=blocks))
    return out
