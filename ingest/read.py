"""`read_document`: a file to a Document."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import stat
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from .compose import Hyphens, compose
from .document import Document, Gap, Page, Section
from .errors import IngestError
from .furniture import find_furniture
from .ligatures import repair_ligatures
from .normalise import doubtful
from .pages import NO_LINES, RawPage
from .pool import Choose, Limits, Progress, Reading, read_pages
from .sections import find_sections
from .selection import parse_pages

_DOUBTFUL_SHARE = 0.02
_SCAN_SHARE = 0.5
_SCAN_CHARACTERS = 100


def read_document(
    path: str | Path,
    *,
    name: str | None = None,
    pages: Collection[int] | str | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> Document:
    """Reads a PDF. `progress(done, total)` is called by page.

    `pages` are the 0-based indexes wanted, or what `parse_pages` understands ("3-5,iv"); None is all.

    The file is parsed in processes of their own. Raises IngestError if the file as a whole cannot be read, or
    a wanted page does not exist; what fails on a page is a Gap of the document.
    """
    path = Path(path)
    name = name or path.name
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # else a pipe without a writer holds us
    except FileNotFoundError:
        raise IngestError(f"{path}: no such file") from None
    except OSError as error:
        raise IngestError(f"{path}: cannot be read ({error.strerror})") from error
    try:
        digest = _check_and_hash(descriptor, path, name)
        reading = read_pages(descriptor, name, _chooser(pages, name), progress, limits)
    finally:
        os.close(descriptor)
    return _document(name, digest, reading)


def _check_and_hash(descriptor: int, path: Path, name: str) -> str:
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISDIR(mode):
        raise IngestError(f"{path}: is a folder, not a PDF file")
    if not stat.S_ISREG(mode):
        raise IngestError(f"{path}: is a pipe or a device, not a PDF file; save it as a file and use that")
    digest = hashlib.sha256()
    head = os.pread(descriptor, 1024, 0)
    if not head:
        raise IngestError(f"{name}: the file is empty (0 bytes)")
    if b"%PDF-" not in head:
        raise IngestError(f"{name}: not a PDF file (no %PDF- in its first 1,024 bytes)")
    offset = 0
    while block := os.pread(descriptor, 1 << 20, offset):
        digest.update(block)
        offset += len(block)
    return digest.hexdigest()


def _chooser(pages: Collection[int] | str | None, name: str) -> Choose:
    def choose(count: int, labels: Callable[[], Sequence[str]]) -> Collection[int] | None:
        if isinstance(pages, str):
            return parse_pages(pages, labels())
        outside = sorted(i for i in pages or () if not 0 <= i < count)
        if outside:
            raise IngestError(f"{name}: has no page at position {outside[0] + 1}; it has {count} pages")
        return pages

    return choose


_DAMAGED = "the page's content is damaged in the file: text may be missing or wrong; get the file again"


def _document(name: str, digest: str, reading: Reading) -> Document:
    raw_pages = [reading.pages[i] for i in sorted(reading.pages)]
    reading.pages.clear()
    repair_ligatures(raw_pages)
    furniture = find_furniture(raw_pages)
    hyphens = Hyphens(raw_pages)
    gaps = reading.gaps
    composed: list[Page] = []
    for raw in raw_pages:
        page = compose(raw, reading.labels[raw.page_index], furniture.get(raw.page_index, {}), hyphens)
        gaps += _page_gaps(raw, page)
        if raw.page_index in reading.structure.damaged:
            gaps.append(Gap("doubtful_text", _DAMAGED, raw.page_index))
        composed.append(page)
        raw.lines = NO_LINES  # a long file would be held twice
    gaps.sort(key=lambda gap: -1 if gap.page_index is None else gap.page_index)
    sections = find_sections(composed, reading.structure.outline, name)
    pages = tuple(_with_levels(composed, sections))
    return Document(name, digest, pages, sections, reading.structure.metadata, tuple(gaps))


def _page_gaps(raw: RawPage, page: Page) -> list[Gap]:
    index = raw.page_index
    gaps = []
    if raw.left_out:
        gaps.append(Gap("truncated", f"{raw.left_out:,} characters beyond the limit were left out", index))
    if raw.notes:
        gaps.append(
            Gap("truncated", f"{raw.notes} notes (annotations) are not part of the page's text", index)
        )
    ink = len(page.text) - sum(map(str.isspace, page.text))
    if raw.image_share >= _SCAN_SHARE and ink < _SCAN_CHARACTERS:
        gaps.append(Gap("scanned", f"the page is an image with {ink} characters of text", index))
    elif not ink and raw.drawn:
        gaps.append(Gap("no_text", "something is drawn on the page, but no text", index))
    elif ink and (share := min(max(doubtful(page.text), raw.unmapped) / ink, 1.0)) > _DOUBTFUL_SHARE:
        gaps.append(Gap("doubtful_text", f"{share:.0%} of the characters have no known meaning", index))
    return gaps


def _with_levels(pages: Sequence[Page], sections: Sequence[Section]) -> list[Page]:
    """Blocks that hold a section's title only are headings of its level; others are a level deeper."""
    levels = {(s.start.page_index, s.start.start): s for s in sections if s.start.end > s.start.start}
    deepest = max((s.level for s in sections), default=0)
    out = []
    for page in pages:
        blocks = []
        for block in page.blocks:
            section = levels.get((page.page_index, block.start))
            if (
                section is not None
                and section.start.end >= block.end
                and block.kind not in ("header", "footer")
            ):
                block = dataclasses.replace(block, kind="heading", level=section.level)
            elif block.kind == "heading":
                block = dataclasses.replace(block, level=deepest + 1)
            blocks.append(block)
        out.append(dataclasses.replace(page, blocks=tuple(blocks)))
    return out
