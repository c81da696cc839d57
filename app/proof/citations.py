"""Citations: exact characters of a page, where they stand on it, and how to find a quote again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from longleaf.app.schema import Citation
from longleaf.app.text.pages import body_runs, page_of
from longleaf.ingest.document import Document, Page, Span

_HYPHENS = "-\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_SINGLE_QUOTES = "'`\u00b4\u2018\u2019\u201a\u201b\u2032"
_DOUBLE_QUOTES = '"\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb'
_DOTS = {"\u2026": "..."}
_LINES_LOOKED_BACK = 3  # a superscript opens a line of its own; the words after it return to the one before
_PAGES_A_QUOTE_MAY_CROSS = 3

LineBox = tuple[float, float, float, float]


def cite(document: Document, spans: Sequence[Span]) -> list[Citation]:
    """One citation for each span, in order; white space at the ends is left out, empty spans vanish.

    Raises IndexError for a span outside its page: offsets are ours, so a wrong one is a defect.
    """
    citations: list[Citation] = []
    for span in spans:
        page = page_of(document, span.page_index)
        if not 0 <= span.start <= span.end <= len(page.text):
            raise IndexError(
                f"{document.name}: {span} is outside the {len(page.text)} characters of its page"
            )
        start, end = _trim(page.text, span.start, span.end)
        if start == end:
            continue
        citations.append(
            Citation(
                file=document.name,
                page_label=page.label,
                page_index=page.page_index,
                quote=page.text[start:end],
                start=start,
                end=end,
                boxes=line_boxes(page, start, end),
                ocr_confidence=_ocr_confidence(page, start, end),
            )
        )
    return citations


def _ocr_confidence(page: Page, start: int, end: int) -> float | None:
    """The least confidence of the blocks that the characters are in; None if they are the file's own text."""
    blocks = [b for b in page.blocks if b.start < end and b.end > start and b.confidence is not None]
    return min((round(b.confidence, 3) for b in blocks if b.confidence is not None), default=None)


def line_boxes(page: Page, start: int, end: int) -> list[LineBox]:
    """Boxes of the characters `start:end`, joined to one for each visual line, in reading order.

    Characters without a place (NaN rows) and white space are skipped; boxes are cut to the page.
    """
    lines: list[list[float]] = []
    rows = np.asarray(page.boxes[start:end], dtype=np.float64)
    for character, row in zip(page.text[start:end], rows, strict=True):
        if character.isspace() or not np.isfinite(row).all():
            continue
        box = [float(value) for value in row]
        if box[2] < box[0] or box[3] < box[1]:
            continue
        for line in reversed(lines[-_LINES_LOOKED_BACK:]):
            if _on_one_line(line, box):
                line[:] = [*map(min, line[:2], box[:2]), *map(max, line[2:], box[2:])]
                break
        else:
            lines.append(box)
    clipped = (
        (max(x0, 0.0), max(y0, 0.0), min(x1, page.width), min(y1, page.height)) for x0, y0, x1, y1 in lines
    )
    return [(round(a, 2), round(b, 2), round(c, 2), round(d, 2)) for a, b, c, d in clipped if c > a and d > b]


def find_quote(document: Document, text: str, near: int | None = None) -> list[Span]:
    """Where the document says `text`: one span, or one a page if it runs over a page break.

    Exact places win over those found with white space, line-end hyphens, dashes and quote marks folded; among
    equals the page nearest to page_index `near`, else the first. Letters and digits are never approximated:
    what is not there gives an empty list.
    """
    wanted = text.strip()
    if not wanted:
        return []
    pages = sorted(document.pages, key=lambda page: (abs(page.page_index - (near or 0)), page.page_index))
    for page in pages:
        for found in re.finditer(re.escape(wanted), page.text):
            if _at_word_borders(page.text, found.start(), found.end()):
                return [Span(page.page_index, found.start(), found.end())]
    pattern = _folded_pattern(wanted)
    if pattern is None:
        return []
    for page in pages:
        for found in pattern.finditer(page.text):
            if _at_word_borders(page.text, found.start(), found.end()):
                return [Span(page.page_index, found.start(), found.end())]
    return _find_over_page_breaks(document, pattern, near or 0)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _on_one_line(line: Sequence[float], box: Sequence[float]) -> bool:
    overlap = min(line[3], box[3]) - max(line[1], box[1])
    smaller = min(line[3] - line[1], box[3] - box[1])
    return overlap >= smaller / 2 if smaller > 0 else line[1] <= box[1] <= line[3]


def _at_word_borders(text: str, start: int, end: int) -> bool:
    """Whether `start:end` does not cut a word or number: "1" is not found in "21" nor in "1,000"."""
    before, after = text[max(start - 2, 0) : start], text[end : end + 2]
    if before and text[start].isalnum() and before[-1].isalnum():
        return False
    if after and text[end - 1].isalnum() and after[0].isalnum():
        return False
    if text[start].isdigit() and len(before) == 2 and before[0].isdigit() and before[1] in ".,":
        return False
    return not (text[end - 1].isdigit() and len(after) == 2 and after[0] in ".," and after[1].isdigit())


def _folded_pattern(text: str) -> re.Pattern[str] | None:
    """A pattern for the same letters and digits, whatever the line breaks, hyphens and quote marks.

    Only between letters may white space or a hyphen come or go ("agree-\\nment"); between digits it must
    not, since "5-10" is not "510" and the columns "1 2" are not "12".
    """
    for dots, plain in _DOTS.items():
        text = text.replace(dots, plain)
    text = re.sub(rf"(?<=[^\W\d_])([{_HYPHENS}])\s*\n\s*(?=[^\W\d_])", r"\1", text)
    tokens = re.findall(r"\s+|.", text)
    if not any(token.isalnum() for token in tokens):
        return None
    parts: list[str] = []
    for position, token in enumerate(tokens):
        before = tokens[position - 1] if position else ""
        after = tokens[position + 1] if position + 1 < len(tokens) else ""
        if token.isspace():
            parts.append(r"\s+" if before.isdigit() and after.isdigit() else r"\s*")
            continue
        if before.isalpha() and token.isalpha():
            parts.append(rf"\s*(?:[{_HYPHENS}]\s*)?")
        elif before and not before.isspace() and not (before.isalnum() and token.isalnum()):
            parts.append(r"\s*")
        if token in _HYPHENS:
            optional = "?" if before.isalpha() and after.isalpha() else ""
            parts.append(f"[{_HYPHENS}]{optional}")
        elif token in _SINGLE_QUOTES:
            parts.append(f"[{_SINGLE_QUOTES}]")
        elif token in _DOUBLE_QUOTES:
            parts.append(f"(?:[{_DOUBLE_QUOTES}]|[{_SINGLE_QUOTES}]{{2}})")
        else:
            parts.append(re.escape(token))
    return re.compile("".join(parts))


def _find_over_page_breaks(document: Document, pattern: re.Pattern[str], near: int) -> list[Span]:
    """The folded quote in the running text of neighbouring pages, without their headers and footers."""
    best: list[Span] = []
    for first in range(len(document.pages) - 1):
        pieces: list[tuple[Page, int, int]] = []
        for page in document.pages[first : first + _PAGES_A_QUOTE_MAY_CROSS]:
            pieces.extend((page, start, end) for start, end in body_runs(page))
        joined = "\n".join(page.text[start:end] for page, start, end in pieces)
        found = pattern.search(joined)
        if found is None or not _at_word_borders(joined, found.start(), found.end()):
            continue
        spans = list(_spans_of(pieces, found.start(), found.end()))
        if not best or abs(spans[0].page_index - near) < abs(best[0].page_index - near):
            best = spans
    return best


def _spans_of(pieces: Iterable[tuple[Page, int, int]], start: int, end: int) -> Iterable[Span]:
    """Maps `start:end` of the joined pieces back, one span for blocks of a page that adjoin."""
    base = 0
    pending: Span | None = None
    for page, piece_start, piece_end in pieces:
        low, high = max(start - base, 0), min(end - base, piece_end - piece_start)
        base += piece_end - piece_start + 1
        if low >= high:
            continue
        span = Span(page.page_index, piece_start + low, piece_start + high)
        gap = (
            page.text[pending.end : span.start] if pending and pending.page_index == page.page_index else "x"
        )
        if pending and not gap.strip() and span.start >= pending.end:
            pending = Span(page.page_index, pending.start, span.end)
            continue
        if pending:
            yield pending
        pending = span
    if pending:
        yield pending
