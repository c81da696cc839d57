"""`read_document`: a file to a Document."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import stat
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from longleaf.ingest.document import Annotation, AnnotationKind, Document, Gap, Page, Section, Span
from longleaf.ingest.errors import IngestError
from longleaf.ingest.formats.detect import Format, detect
from longleaf.ingest.formats.flow import Flow, take
from longleaf.ingest.formats.typeset import LEADING, typeset
from longleaf.ingest.ocr.recognize import engine_name
from longleaf.ingest.page_selection import parse_pages
from longleaf.ingest.pdf.file_structure import Structure
from longleaf.ingest.pdf.headers_footers import find_headers_footers
from longleaf.ingest.pdf.ligatures import repair_ligatures
from longleaf.ingest.pdf.lines import Y0, Y1
from longleaf.ingest.pdf.normalise import doubtful, inked
from longleaf.ingest.pdf.page_lines import NO_LINES, RawPage, Recognized
from longleaf.ingest.structure.page_text import Hyphens, compose
from longleaf.ingest.structure.sections import find_sections
from longleaf.ingest.worker.page_frames import parse_page
from longleaf.ingest.worker.pool import Choose, Limits, Progress, Reading, read_pages, recognize_pages
from longleaf.ingest.worker.whole_file import run

Ocr = Literal["auto", "off", "force"]

_DOUBTFUL_SHARE = 0.02
_OCR_DOUBTFUL_SHARE = 0.2  # a page with fewer is better read as it is than guessed anew
_SURE = 0.8
_SCAN_SHARE = 0.5
_SCAN_CHARACTERS = 100
_STAMPED_SHARE = 0.8
_STAMP_EDGE = 0.1  # of the page's height, at the top and at the bottom


def read_document(
    path: str | Path,
    *,
    name: str | None = None,
    pages: Collection[int] | str | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
    ocr: Ocr = "auto",
) -> Document:
    """Reads a file of any of the formats in docs/ingest.md. `progress(done, total)` is called by page.

    `pages` are the 0-based indexes wanted, or what `parse_pages` understands ("3-5,iv"); None is all. `name`
    is how the user calls the file; its ending tells text formats apart. `ocr` says for which pages of a PDF
    the text is recognized in the page's picture: those that cannot be read otherwise, if the extra is there
    ("auto"), none ("off"), or all ("force", an error without the extra).

    The file is parsed in processes of their own. Raises IngestError if the file as a whole cannot be read, or
    a wanted page does not exist; what fails on a page is a Gap of the document.
    """
    path = Path(path)
    name = name or path.name
    limits = limits or Limits()
    descriptor = open_file(path)
    try:
        digest = _check_and_hash(descriptor, name)
        kind = detect(descriptor, name)
        choose = _chooser(pages, name)
        if kind == "zip":
            raise IngestError(f"{name}: is a ZIP folder; its members are documents of their own")
        if kind == "pdf":
            return _read_pdf(descriptor, name, digest, choose, progress, limits, ocr)
        if kind == "text":
            return _document(name, digest, _read_text(descriptor, name, choose, progress, limits), LEADING)
        return _read_flow(descriptor, kind, name, digest, choose, progress, limits)
    finally:
        os.close(descriptor)


def _read_pdf(
    descriptor: int,
    name: str,
    digest: str,
    choose: Choose,
    progress: Progress | None,
    limits: Limits,
    ocr: Ocr,
) -> Document:
    if ocr == "force" and not engine_name():
        raise IngestError(f"{name}: its text cannot be recognized: install longleaf[ocr] or tesseract")
    reading = read_pages(descriptor, name, choose, progress, limits)
    if ocr != "off" and engine_name():
        unread = [i for i, raw in reading.pages.items() if ocr == "force" or _needs_ocr(raw)]
        if unread:
            recognized = recognize_pages(descriptor, name, unread, progress, limits)
            for i in unread:
                if i not in recognized:
                    reading.gaps.append(Gap("page_failed", "recognizing its text (OCR) failed, twice", i))
                # Where a picture has no words either, what the file says stays, and its gap with it.
                elif recognized[i].lines.text.strip():
                    reading.pages[i] = recognized[i]
    return _document(name, digest, reading)


def _is_scan(raw: RawPage, ink: int) -> bool:
    """Whether a page is a picture: with hardly any text, or with what courts stamp on its edges only."""
    if raw.image_share >= _SCAN_SHARE and ink < _SCAN_CHARACTERS:
        return True
    if raw.image_share < _STAMPED_SHARE:
        return False
    edge = _STAMP_EDGE * raw.height
    table = raw.lines.table
    return bool(((table[:, Y1] < edge) | (table[:, Y0] > raw.height - edge)).all())


def _needs_ocr(raw: RawPage) -> bool:
    """Whether a page is a picture, or its text is one that nobody can read."""
    text = raw.lines.text
    ink = inked(text)
    if _is_scan(raw, ink):
        return True
    if not ink:
        return raw.drawn
    return max(doubtful(text), raw.unmapped) / ink > _OCR_DOUBTFUL_SHARE


def format_of(path: str | Path, name: str | None = None) -> Format:
    """What a file will be read as: "pdf", "docx", ... Raises IngestError if it cannot be read."""
    descriptor = open_file(Path(path))
    try:
        if not os.fstat(descriptor).st_size:
            raise IngestError(f"{name or path}: the file is empty (0 bytes)")
        return detect(descriptor, name or Path(path).name)
    finally:
        os.close(descriptor)


def open_file(path: Path) -> int:
    """A descriptor of the file, for reading. Raises IngestError for what is no file or cannot be opened."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # else a pipe without a writer holds us
    except FileNotFoundError:
        what = "is a link to a file that is not there" if path.is_symlink() else "no such file"
        raise IngestError(f"{path}: {what}") from None
    except OSError as error:
        raise IngestError(f"{path}: cannot be read ({error.strerror})") from error
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IngestError(f"{path}: is a folder, not a file")
    raise IngestError(f"{path}: is a pipe or a device, not a file; save it as a file and use that")


def _check_and_hash(descriptor: int, name: str) -> str:
    digest = hashlib.sha256()
    offset = 0
    while block := os.pread(descriptor, 1 << 20, offset):
        digest.update(block)
        offset += len(block)
    if not offset:
        raise IngestError(f"{name}: the file is empty (0 bytes)")
    return digest.hexdigest()


def _read_text(
    descriptor: int, name: str, choose: Choose, progress: Progress | None, limits: Limits
) -> Reading:
    pages: dict[int, RawPage] = {}
    labels: list[str] = []
    metadata: dict[str, str] = {}
    gaps: list[Gap] = []
    for head, body in run("flow", descriptor, "text", name, limits.whole):
        if head.get("end"):
            metadata = {str(k): str(v) for k, v in head["metadata"].items()}
            gaps = [Gap(kind, str(detail)) for kind, detail in head["gaps"]]
            break
        page = parse_page(head, body)
        pages[page.page_index] = page
        labels.append(str(head["label"]))
    wanted = choose(len(labels), lambda: labels)
    if wanted is not None:
        pages = {i: pages[i] for i in wanted}
    if progress is not None:
        progress(len(pages), len(pages))
    return Reading(len(labels), pages, labels, Structure(metadata=metadata), gaps)


def _read_flow(
    descriptor: int,
    kind: str,
    name: str,
    digest: str,
    choose: Choose,
    progress: Progress | None,
    limits: Limits,
) -> Document:
    flow = Flow("¶")
    try:
        for head, _ in run("flow", descriptor, kind, name, limits.whole):
            if take(flow, head):
                break
    except (KeyError, TypeError, ValueError) as error:
        raise IngestError(f"{name}: reading it as {kind} made the worker process answer nonsense") from error
    pages, annotations = typeset(flow)
    gaps = [*_changes(annotations), *flow.gaps]
    if not any(page.text.strip() for page in pages):
        gaps.insert(0, Gap("no_text", "the file holds no text"))
    for page in pages:
        ink = inked(page.text)
        if ink and doubtful(page.text) / ink > _DOUBTFUL_SHARE:
            gaps.append(_doubtful_gap(doubtful(page.text) / ink, page.page_index))
    wanted = choose(len(pages), lambda: [page.label for page in pages])
    if wanted is not None:
        pages = [page for page in pages if page.page_index in wanted]
        annotations = [a for a in annotations if a.span.page_index in wanted]
        gaps = [gap for gap in gaps if gap.page_index is None or gap.page_index in wanted]
    if progress is not None:
        progress(len(pages), len(pages))
    sections = find_sections(pages, (), name)
    levelled = tuple(_with_levels(pages, sections))
    return Document(name, digest, levelled, sections, flow.metadata, tuple(gaps), tuple(annotations))


_ACCEPTED = "the text is read with all tracked changes accepted and struck words left out"


def _changes(annotations: Sequence[Annotation]) -> list[Gap]:
    """Says that the text is one of several that the file holds, and whose remarks there are."""
    counts = Counter(a.kind for a in annotations)
    authors = ", ".join(sorted({a.author for a in annotations if a.author})[:5])
    by = f" by {authors}" if authors else ""
    named = [
        f"{n:,} {word}{'s' if n > 1 else ''}"
        for word in ("insertion", "deletion", "comment")
        if (n := counts[word])
    ]
    if not named:
        return []
    if counts["insertion"] or counts["deletion"]:
        return [Gap("changes", f"{_ACCEPTED}: {', '.join(named)}{by}")]
    return [Gap("changes", f"{', '.join(named)}{by} not part of the text")]


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


def _document(name: str, digest: str, reading: Reading, pitch: float | None = None) -> Document:
    raw_pages = [reading.pages[i] for i in sorted(reading.pages)]
    reading.pages.clear()
    repair_ligatures(raw_pages)
    headers_footers = find_headers_footers(raw_pages)
    hyphens = Hyphens(raw_pages)
    gaps = [*_within(reading.structure), *reading.gaps]
    composed: list[Page] = []
    annotations: list[Annotation] = []
    for raw in raw_pages:
        label, marked = reading.labels[raw.page_index], headers_footers.get(raw.page_index, {})
        page = compose(raw, label, marked, hyphens, pitch)
        gaps += _page_gaps(raw, page)
        if raw.page_index in reading.damaged:
            gaps.append(Gap("doubtful_text", _DAMAGED, raw.page_index))
        composed.append(page)
        annotations += _notes(raw, page)
        raw.lines = NO_LINES  # a long file would be held twice
    gaps.sort(key=lambda gap: -1 if gap.page_index is None else gap.page_index)
    sections = find_sections(composed, reading.structure.outline, name)
    pages = tuple(_with_levels(composed, sections))
    metadata = reading.structure.metadata
    return Document(name, digest, pages, sections, metadata, tuple(gaps), tuple(annotations))


def _within(structure: Structure) -> list[Gap]:
    """What the file holds that does not stand on its pages."""
    gaps = []
    if structure.assembled:
        detail = "the file is an XFA form, which Adobe's viewers put together: its contents were not read; "
        gaps.append(Gap("truncated", detail + "print it to a PDF there"))
    if count := len(structure.attached):
        names = ", ".join(structure.attached[:5]) + (", ..." if count > 5 else "")
        files = "1 file is" if count == 1 else f"{count:,} files are"
        gaps.append(Gap("truncated", f"{files} attached to the PDF and not read: {names}"))
    return gaps


def _notes(raw: RawPage, page: Page) -> list[Annotation]:
    """The page's notes, each with the characters that stand in the place it marks.

    A note beside the text is about the line at its height; without one its span is empty.
    """
    if not raw.notes:
        return []
    found = []
    middle = (page.boxes[:, :2] + page.boxes[:, 2:]) / 2
    for note in raw.notes:
        x0, y0, x1, y1 = note.place
        in_height = (middle[:, 1] >= y0) & (middle[:, 1] <= y1)
        inside = np.flatnonzero(in_height & (middle[:, 0] >= x0) & (middle[:, 0] <= x1))
        if note.kind == "deletion":
            start = end = _where_it_stood(middle, note.place)
        else:
            inside = inside if len(inside) else np.flatnonzero(in_height)
            start, end = (int(inside[0]), int(inside[-1]) + 1) if len(inside) else (0, 0)
        span = Span(page.page_index, start, end)
        text = note.text
        if note.kind == "mark":
            text = f"{text}: {' '.join(page.text[start:end].split())}" if end > start else text
        kind: AnnotationKind = "deletion" if note.kind == "deletion" else "note"
        found.append(Annotation(kind, text, note.author, note.date, span))
    return found


def _where_it_stood(middle: NDArray[np.float64], place: tuple[float, float, float, float]) -> int:
    """The place in the text of words that are gone from it: after what stands before them on their line."""
    _, y0, x1, y1 = place
    before = np.flatnonzero((middle[:, 1] >= y0) & (middle[:, 1] <= y1) & (middle[:, 0] < x1))
    if len(before):
        return int(before[-1]) + 1
    below = np.flatnonzero(middle[:, 1] > y1)
    return int(below[0]) if len(below) else len(middle)


_UNSEEN = (
    "that nobody sees left out: without ink, in the colour of the ground, under something opaque or in a "
    "hidden layer; anyone can copy them out of the file"
)


def _page_gaps(raw: RawPage, page: Page) -> list[Gap]:
    index = raw.page_index
    gaps = []
    if raw.left_out:
        gaps.append(Gap("truncated", f"{raw.left_out:,} characters beyond the limit were left out", index))
    if raw.outside:
        gaps.append(
            Gap("truncated", f"{raw.outside:,} characters beyond the page's edges were left out", index)
        )
    if raw.unseen:
        counted = "1 character" if raw.unseen == 1 else f"{raw.unseen:,} characters"
        gaps.append(Gap("hidden", f"{counted} {_UNSEEN}", index))
    notes = sum(note.kind != "deletion" for note in raw.notes)
    if struck := len(raw.notes) - notes:
        count = "1 run of words is" if struck == 1 else f"{struck} runs of words are"
        gaps.append(Gap("changes", f"{count} struck out on the page and left out of its text", index))
    if notes:
        count = "1 note is" if notes == 1 else f"{notes} notes are"
        gaps.append(Gap("changes", f"{count} not part of the page's text (annotations)", index))
    ink = inked(page.text)
    if raw.recognized:
        gaps.append(_recognized_gap(raw.recognized, index))
    elif _is_scan(raw, ink):
        advice = "" if engine_name() else "; to have it recognized install longleaf[ocr] or tesseract"
        gaps.append(Gap("scanned", f"the page is an image with {ink} characters of text{advice}", index))
    elif not ink and raw.drawn:
        gaps.append(Gap("no_text", "something is drawn on the page, but no text", index))
    elif ink and (share := min(max(doubtful(page.text), raw.unmapped) / ink, 1.0)) > _DOUBTFUL_SHARE:
        gaps.append(_doubtful_gap(share, index))
    return gaps


def _recognized_gap(lines: Sequence[Recognized], page_index: int) -> Gap:
    mean = sum(line.confidence for line in lines) / len(lines)
    unsure = sum(line.confidence < _SURE for line in lines)
    detail = f"the page is an image; its text was recognized (OCR by {engine_name()}), confidence {mean:.0%}"
    return Gap("recognized", f"{detail}, {unsure} lines doubtful" if unsure else detail, page_index)


def _doubtful_gap(share: float, page_index: int) -> Gap:
    return Gap("doubtful_text", f"{share:.0%} of the characters have no known meaning", page_index)


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
