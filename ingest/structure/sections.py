"""The sections of a document: from its outline where that is good, else from its headings.

Sections partition the body: each runs from its heading to the next one's. Text before the first heading is a
section too, named by the document's first line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longleaf.ingest.document import Block, Page, Section, Span
from longleaf.ingest.pdf.file_structure import Bookmark
from longleaf.ingest.text.list_markers import is_title_case
from longleaf.ingest.text.sentences import words

_TITLE_LIMIT = 120
_TOP = re.compile(r"(?:article|exhibit|schedule|annex|appendix|attachment)\s+[\divxlca-z]+\b", re.IGNORECASE)
_PART = re.compile(r"part\s+(?:[ivx]+|\d+|one|two|three|four)\b", re.IGNORECASE)
_ITEM = re.compile(r"item\s+\d+[a-c]?\b", re.IGNORECASE)
_NOTE = re.compile(r"note\s+\d+", re.IGNORECASE)
_SECTION = re.compile(r"(?:section|§)\s*(\d+(?:\.\d+)*)", re.IGNORECASE)
_NUMBER = re.compile(r"(\d{1,3}(?:\.\d{1,3})*)(\.?\)?)(?=\s|(?<=\.)[A-Z])")
_ROMAN = re.compile(r"[IVXL]{1,6}\.(?=\s)")
_LETTER = re.compile(r"(?:\(?[A-Za-z]\)|[A-Z]\.)(?=\s)")
_BARE_LABEL = re.compile(
    r"(?:(?:article|section|part|item|exhibit|schedule|annex|appendix|note)\s+)?(?:\d+(?:\.\d+)*|[ivxlcIVXLC]+|[A-Z])"
    r"[.:]?$",
    re.IGNORECASE,
)
_LEADER = re.compile(r"(?:\.\s?){4,}\s*[\divxl]*$|\s{2,}\d{1,3}$")
# "2.1 Supply. Pursuant to ...", "Section 5. TERM: ...", "3.Fees.": number, a short title, its stop.
_RUN_IN = re.compile(
    r"((?:(?:section|article|§)\s*)?\d{1,3}(?:\.\d{1,3})*[.)]?\s+|\d{1,2}\.(?=[A-Z])|(?:article|section)\s+[IVXL]+[.:]?\s+)"
    r"([A-Z][^.:—\n]{1,90})([.:]|\s?[—–])(?=\s|$)",
    re.IGNORECASE,
)
_CONTENTS = re.compile(r"(?:table of )?contents(?: page| paragraph)?|index", re.IGNORECASE)
_NUMBERING = re.compile(
    r"^(?:(?:article|section|part|item)\s+)?(?:[\d.]+|[IVXL]+\b\.?|\(?[a-zA-Z]\))\s*", re.IGNORECASE
)
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATE = re.compile(rf"(?:{_MONTHS})\s+\d{{1,2}},?(?:\s+\d{{4}})?", re.IGNORECASE)
_NO_NAMES = words("and by or total between accumulated among with")


@dataclass(frozen=True, slots=True)
class _Heading:
    title: str
    rank: tuple[int, int]  # kind of heading, depth of its numbering: smaller is higher
    span: Span


def find_sections(pages: Sequence[Page], outline: Sequence[Bookmark], name: str) -> tuple[Section, ...]:
    """At least one section, in order, covering all pages' body text. `name` titles a document without any."""
    headings = _from_levels(pages) or _from_outline(pages, outline)
    headings = headings or _levelled(_without_contents(list(_headings(pages)), pages))
    first = _first_body(pages)
    if first is None:
        last = pages[-1].page_index if pages else 0
        start = Span(pages[0].page_index if pages else 0, 0, 0)
        return (Section(name, 1, (name,), start, start.page_index, last),)
    if not headings or (first.page_index, first.start) < (
        headings[0][0].span.page_index,
        headings[0][0].span.start,
    ):
        title = _first_words(pages, headings[0][0].span if headings else None) or name
        headings.insert(0, (_Heading(title, (0, 0), Span(first.page_index, first.start, first.start)), 1))
    return tuple(_sections(headings, pages))


def _sections(headings: Sequence[tuple[_Heading, int]], pages: Sequence[Page]) -> Iterator[Section]:
    path: list[tuple[int, str]] = []
    tops = {page.page_index: next((b.start for b in page.blocks if b.kind != "header"), 0) for page in pages}
    for i, (heading, level) in enumerate(headings):
        while path and path[-1][0] >= level:
            path.pop()
        path.append((level, heading.title))
        end = pages[-1].page_index
        for later, later_level in headings[i + 1 :]:
            if later_level <= level:
                at_top = later.span.start <= tops[later.span.page_index]
                end = max(later.span.page_index - at_top, heading.span.page_index)
                break
        yield Section(
            heading.title,
            level,
            tuple(title for _, title in path),
            heading.span,
            heading.span.page_index,
            end,
        )


def _first_body(pages: Sequence[Page]) -> Span | None:
    for page in pages:
        for block in page.blocks:
            if block.kind not in ("header", "footer"):
                return Span(page.page_index, block.start, block.end)
    return None


def _first_words(pages: Sequence[Page], before: Span | None) -> str:
    """The first body block with letters that is not a page number or the like, before a place."""
    for page in pages[:3]:
        for block in page.blocks:
            if before is not None and (page.page_index, block.start) >= (before.page_index, before.start):
                return ""
            text = _tidy(page.text[block.start : block.end])
            if block.kind not in ("header", "footer") and sum(map(str.isalpha, text)) >= 4:
                return text if len(text) <= 80 else text[:80].rsplit(" ", 1)[0]
    return ""


def _headings(pages: Sequence[Page]) -> Iterator[_Heading]:
    for page in pages:
        waiting: _Heading | None = None  # a bare "ARTICLE 2" that the next heading names
        for block in page.blocks:
            text = page.text[block.start : block.end]
            if block.kind in ("header", "footer", "table"):
                continue
            if block.kind == "heading" and _names_section(text):
                title = _tidy(text)[:_TITLE_LIMIT]
                if waiting is not None:
                    if _rank(title)[0] == _UNNUMBERED:
                        span = Span(page.page_index, waiting.span.start, block.end)
                        yield _Heading(f"{waiting.title} {title}"[:_TITLE_LIMIT], waiting.rank, span)
                        waiting = None
                        continue
                    yield waiting
                    waiting = None
                heading = _Heading(title, _rank(title), Span(page.page_index, block.start, block.end))
                if _BARE_LABEL.match(title):
                    waiting = heading
                else:
                    yield heading
                continue
            if waiting is not None:
                yield waiting
                waiting = None
            run_in = _run_in(text)
            if run_in is not None:
                end = block.start + run_in.end(2)
                title = _tidy(text[: run_in.end(2)])[:_TITLE_LIMIT]
                yield _Heading(title, _rank(title), Span(page.page_index, block.start, end))
        if waiting is not None:
            yield waiting


_UNNUMBERED = 6


def _names_section(text: str) -> bool:
    """Whether a heading names what follows: not a date, a remark in brackets, "OR", a line of contents."""
    if _LEADER.search(text) or (text.startswith("(") and text.rstrip().endswith(")")):
        return False
    named = _DATE.sub("", text)
    return sum(map(str.isalpha, named)) >= 3 and named.strip().lower() not in _NO_NAMES


def _rank(title: str) -> tuple[int, int]:
    if _PART.match(title):
        return (0, 0)
    if _TOP.match(title) or _ITEM.match(title):
        return (1, 0)
    if _NOTE.match(title):
        return (2, 0)
    if match := _SECTION.match(title):
        return (3, match[1].count("."))
    if (match := _NUMBER.match(title)) and (match[2] or "." in match[1] or int(match[1]) <= 40):
        return (3, match[1].count("."))  # "83 Tower Road" is none
    if _ROMAN.match(title):
        return (2, 1)
    if _LETTER.match(title):
        return (5, 0)
    return (_UNNUMBERED, 0 if title.isupper() else 1)


def _run_in(text: str) -> re.Match[str] | None:
    match = _RUN_IN.match(text)
    if match is None:
        return None
    return match if len(match[2].split()) <= 12 and is_title_case(match[2]) else None


def _without_contents(headings: list[_Heading], pages: Sequence[Page]) -> list[_Heading]:
    """Leaves out the headings that a table of contents lists: they come again with their text."""
    headings = _after_contents(headings)
    keys = [_key(h.title) for h in headings]
    last_at = {key: i for i, key in enumerate(keys)}
    again = [last_at[key] != i for i, key in enumerate(keys)]
    per_page = Counter(h.span.page_index for h, repeated in zip(headings, again, strict=True) if repeated)
    contents = {p for p, n in per_page.items() if n >= 4 and _is_contents(pages, p, headings)}
    return [
        h
        for h, repeated in zip(headings, again, strict=True)
        if not (repeated and h.span.page_index in contents)
    ]


def _after_contents(headings: list[_Heading]) -> list[_Heading]:
    """Drops what stands between the title "Contents" and the place where its first entries come again."""
    for i, heading in enumerate(headings):
        if not _CONTENTS.fullmatch(heading.title):
            continue
        for j in range(i + 1, min(i + 5, len(headings))):
            again = next((m for m in range(j + 1, len(headings)) if _same(headings[j], headings[m])), None)
            if again is not None and headings[again].span.page_index - heading.span.page_index <= 12:
                return headings[: i + 1] + headings[again:]
    return headings


def _same(entry: _Heading, heading: _Heading) -> bool:
    """Whether a heading is what an entry of a table of contents names, numbers aside."""
    a, b = (re.sub(r"[^a-z]", "", _NUMBERING.sub("", h.title).lower()) for h in (entry, heading))
    if min(len(a), len(b)) < 4:
        return False
    return a == b or (min(len(a), len(b)) >= 8 and (a.startswith(b) or b.startswith(a)))


def _is_contents(pages: Sequence[Page], page_index: int, headings: Sequence[_Heading]) -> bool:
    """Whether headings make up most of a page's body."""
    page = next(p for p in pages if p.page_index == page_index)
    body = sum(b.end - b.start for b in page.blocks if b.kind not in ("header", "footer"))
    heads = sum(h.span.end - h.span.start for h in headings if h.span.page_index == page_index)
    rows = sum(b.end - b.start for b in page.blocks if b.kind == "table")
    return heads + rows > 0.5 * body


def _levelled(headings: Sequence[_Heading]) -> list[tuple[_Heading, int]]:
    """Levels 1, 2, ...: the kinds of headings that the document uses, from the highest down."""
    levels = {rank: i + 1 for i, rank in enumerate(sorted({h.rank for h in headings}))}
    return [(h, levels[h.rank]) for h in headings]


def _from_levels(pages: Sequence[Page]) -> list[tuple[_Heading, int]]:
    """The headings whose level the file itself says; empty if it says too few."""
    placed = []
    others = 0
    for page in pages:
        for block in page.blocks:
            others += block.kind == "heading" and not block.level
            title = _tidy(page.text[block.start : block.end])
            if block.kind == "heading" and block.level and title:
                span = Span(page.page_index, block.start, block.end)
                placed.append((_Heading(title[:_TITLE_LIMIT], (0, 0), span), block.level))
    return placed if len(placed) >= 3 or not others else []


def _from_outline(pages: Sequence[Page], outline: Sequence[Bookmark]) -> list[tuple[_Heading, int]]:
    """The outline's entries, each at its title on its page; empty if too few of them can be placed."""
    by_index = {page.page_index: page for page in pages}
    placed: list[tuple[_Heading, int]] = []
    wanted = [b for b in outline if b.page_index in by_index and b.title.strip()]
    if len(wanted) < 3:
        return []
    found = 0
    for bookmark in wanted:
        page = by_index[bookmark.page_index]
        block = _title_block(page, bookmark.title)
        found += block is not None
        if block is not None:
            span = Span(page.page_index, block.start, block.end)
        else:
            first = next((b for b in page.blocks if b.kind not in ("header", "footer")), None)
            at = first.start if first else 0
            span = Span(page.page_index, at, at)
        placed.append((_Heading(_tidy(bookmark.title)[:_TITLE_LIMIT], (0, 0), span), bookmark.level))
    pages_named = {b.page_index for b in wanted}
    if found < 0.5 * len(wanted) or (len(pages) > 20 and len(pages_named) < 0.02 * len(pages)):
        return []
    placed.sort(key=lambda item: (item[0].span.page_index, item[0].span.start))
    return placed


def _title_block(page: Page, title: str) -> Block | None:
    key = _key(title)
    if not key:
        return None
    for block in page.blocks:
        if block.kind in ("header", "footer"):
            continue
        text = _key(page.text[block.start : min(block.end, block.start + 2 * len(title) + 40)])
        if text.startswith(key) or (len(text) > 6 and key.endswith(text)):
            return block
    return None


def _key(title: str) -> str:
    return re.sub(r"[\W_]+", "", title).lower()


def _tidy(title: str) -> str:
    return " ".join(title.split()).rstrip(" :—–")
