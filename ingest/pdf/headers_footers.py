"""Running headers and footers: lines at the edge of pages that come back at the same height.

Two kinds: a text that repeats (digits and roman numbers aside), and a number that counts with the pages.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from longleaf.ingest.pdf.lines import TURN, X0, X1, Y0, Y1
from longleaf.ingest.pdf.page_lines import RawPage
from longleaf.ingest.text.list_markers import LABEL, roman

_EDGE_LINES = 5
_EDGE_SHARE = 0.14  # of the page height, at the top and at the bottom
_NUMBER = re.compile(r"(\d+)")
_NUMBERS = re.compile(r"\b[ivxlc]+\b|\d+")
_PAGE_NUMBER = re.compile(
    r"^\W*(?:page\W*)?(?:[a-z]{1,2}(?:[-–\s]{1,2}|(?=\d)))?(\d{1,4}|[ivxlc]{1,7})(?:\s*(?:of|/)\s*\d{1,4})?\W*$",
    re.IGNORECASE,
)
_PAGE_MARK = re.compile(r"(?:\W*page\W*|[-–—]\s*(?=\d+\s*[-–—]))(\d{1,4})\W*$", re.IGNORECASE)


@dataclass(slots=True)
class _Edge:
    page: int
    line: int
    top: bool
    y: float
    text: str
    rank: int  # how many heights stand between it and the edge
    in_margin: bool
    attached: bool  # whether it is the outermost, or close to the next line outwards


def find_headers_footers(pages: Sequence[RawPage]) -> dict[int, dict[int, str]]:
    """For each page_index the lines of running headers and footers: line number -> "header" or "footer"."""
    edges_of = {page.page_index: _edges(page) for page in pages}
    edges = [edge for page in pages for edge in edges_of[page.page_index]]
    groups: dict[tuple[bool, str], list[_Edge]] = defaultdict(list)
    for edge in edges:
        groups[edge.top, _key(edge.text)].append(edge)
    found: dict[int, dict[int, str]] = defaultdict(dict)
    for (top, key), group in groups.items():
        # Bare numbers are not told from table cells by their text; see _counting.
        if len(key.replace("#", "").strip(" -–—.|/()[]")) < 2:
            continue
        for edge in _repeated(group, len(pages)):
            found[edge.page][edge.line] = "header" if top else "footer"
    for edge in _repeated_in_part(edges):
        found[edge.page][edge.line] = "header" if edge.top else "footer"
    for edge in _counting(edges):
        found[edge.page][edge.line] = "header" if edge.top else "footer"
    kept = {page: _from_the_edge(marks, edges_of[page]) for page, marks in found.items()}
    for page, line in (*_page_marks(pages), *_bare_numbers(pages)):
        kept.setdefault(page, {}).setdefault(line, "footer")
    return kept


def _from_the_edge(marks: dict[int, str], edges: Sequence[_Edge]) -> dict[int, str]:
    """Only what has no text between it and the edge of the page: "(in millions)" under a title stays."""
    kept: dict[int, str] = {}
    for top in (True, False):
        limit = None
        side = sorted((e for e in edges if e.top == top), key=lambda e: e.y if top else -e.y)
        for edge in side:
            if edge.line not in marks and limit is None:
                limit = edge.y
            beyond = limit is not None and (edge.y > limit + 2 if top else edge.y < limit - 2)
            if edge.line in marks and not beyond:
                kept[edge.line] = marks[edge.line]
    return kept


def _edges(page: RawPage) -> list[_Edge]:
    lines = page.lines
    tops, bottoms, sides, turns = (lines.table[:, field].tolist() for field in (Y0, Y1, X0, TURN))
    upright = [i for i, turn in enumerate(turns) if turn == 0]
    by_height = sorted(upright, key=lambda i: (tops[i], sides[i]))
    edges: list[_Edge] = []
    for top, ids in ((True, by_height[:_EDGE_LINES]), (False, by_height[::-1][:_EDGE_LINES])):
        rank, reached, attached = -1, None, True
        for i in ids:
            y0, y1 = tops[i], bottoms[i]
            if reached is None or abs(y0 - reached) >= 4:
                attached = reached is None or abs(y0 - reached) < 4 * (y1 - y0)
                rank, reached = rank + 1, y0
            in_margin = y0 <= page.height * _EDGE_SHARE if top else y1 >= page.height * (1 - _EDGE_SHARE)
            if in_margin or rank <= 2:
                text = lines.text[lines.starts[i] : lines.starts[i + 1]].strip()
                edges.append(
                    _Edge(page.page_index, i, top, y0 if top else y1, text, rank, in_margin, attached)
                )
    return edges


def _key(text: str) -> str:
    return _NUMBERS.sub("#", " ".join(text.lower().split()))


def _repeated(group: list[_Edge], n_pages: int) -> list[_Edge]:
    """The members of a group of alike lines that pages share as a running title."""
    wanted = 2 if n_pages <= 3 else 3
    kept: list[_Edge] = []
    for alike in _alike(group) if len(group) >= wanted else ():
        for edge in alike if len(alike) >= wanted else ():
            at_height = {other.page for other in alike if abs(other.y - edge.y) < 6 and edge.in_margin}
            # Where pages end with their text the last lines repeat at any height, but in the same order.
            titled = len(edge.text) < 120 and not edge.text[0].islower() and edge.attached
            in_order = {
                other.page for other in alike if titled and other.rank == edge.rank and other.attached
            }
            for pages, least in ((at_height, wanted), (in_order, max(wanted, 3))):
                if len(pages) >= least and len(pages) >= 0.4 * (max(pages) - min(pages) + 1):
                    kept.append(edge)
                    break
    return kept


def _alike(group: Sequence[_Edge]) -> list[list[_Edge]]:
    """Lines of the same text; and lines in which a number, or two, count with the pages: "Page A-3", "Page
    A-4"; "Page 3 of 12 PageID 569"."""
    by_text: dict[str, list[_Edge]] = defaultdict(list)
    by_count: dict[tuple[str, ...], list[_Edge]] = defaultdict(list)
    for edge in group:
        by_text[edge.text.lower()].append(edge)
        if LABEL.match(edge.text):
            continue  # "NOTE 3", "NOTE 4" at the top of pages that follow each other begin sections
        pieces = _NUMBER.split(edge.text.lower())  # every second one is a number
        places = range(1, len(pieces), 2)
        for counting in ((i, j) for i in places for j in places if j >= i and len(pieces) < 26):
            key = list(pieces)
            for i in counting:
                key[i] = f"#{int(pieces[i][:9]) - edge.page}"
            by_count[tuple(key)].append(edge)
    return [*by_text.values(), *by_count.values()]


def _repeated_in_part(edges: Sequence[_Edge]) -> list[_Edge]:
    """Outermost lines of which a part repeats at its height: "Company | Report", then the chapter's name."""
    parts: dict[tuple[bool, str], list[_Edge]] = defaultdict(list)
    for edge in edges:
        cells = edge.text.split("  ")
        if edge.rank == 0 and edge.in_margin and len(cells) > 1:
            for cell in {c.strip().lower() for c in cells}:
                if sum(map(str.isalpha, cell)) >= 4:
                    parts[edge.top, cell].append(edge)
    kept: list[_Edge] = []
    for alike in parts.values():
        for edge in alike:
            pages = {other.page for other in alike if abs(other.y - edge.y) < 3}
            if len(pages) >= 3 and len(pages) >= 0.4 * (max(pages) - min(pages) + 1):
                kept.append(edge)
    return kept


def _page_marks(pages: Sequence[RawPage]) -> list[tuple[int, int]]:
    """Lines that say "Page 7" or "- 7 -" and nothing else, counting up by one through the file.

    Print-outs of text files have them anywhere: the pages they end are not the pages of the PDF.
    """
    marks: list[tuple[int, int, int]] = []
    for page in pages:
        starts = page.lines.starts.tolist()
        for i, (a, b) in enumerate(pairwise(starts)):
            if b - a < 24 and (match := _PAGE_MARK.match(page.lines.text[a:b])):
                marks.append((page.page_index, i, int(match[1])))
    counting = [
        (page, line)
        for k, (page, line, value) in enumerate(marks)
        if any(0 <= k + d < len(marks) and marks[k + d][2] == value + d for d in (-1, 1))
    ]
    return counting if len(counting) >= 3 else []


def _bare_numbers(pages: Sequence[RawPage]) -> list[tuple[int, int]]:
    """Numbers alone on a line in the middle of the page's width that count the pages of the original, one or
    two on each page of a print-out and three or more in all."""
    found: list[tuple[int, int, int]] = []
    for page in pages:
        lines, table = page.lines, page.lines.table
        starts = lines.starts.tolist()
        own = []
        for i, (a, b) in enumerate(pairwise(starts)):
            text = lines.text[a:b].strip() if b - a < 6 else ""
            if not text.isascii() or not text.isdigit() or len(text) > 3 or table[i, TURN]:
                continue
            x0, y0, x1, y1 = table[i, [X0, Y0, X1, Y1]].tolist()
            beside = (table[:, Y0] < y1 - 1) & (table[:, Y1] > y0 + 1)
            if abs((x0 + x1) / 2 - page.width / 2) < 0.06 * page.width and beside.sum() == 1:
                own.append((page.page_index, i, int(text)))
        found += own if len(own) <= 2 else []
    runs: list[list[tuple[int, int, int]]] = []
    for mark in found:
        last = runs[-1][-1] if runs else None
        if last is not None and mark[2] == last[2] + 1 and mark[0] - last[0] <= 2:
            runs[-1].append(mark)
        else:
            runs.append([mark])
    return [(page, line) for run in runs if len(run) >= 3 for page, line, _ in run]


def _counting(edges: list[_Edge]) -> list[_Edge]:
    """Page numbers: lone numbers whose difference from the page index is shared by neighbours."""
    numbered: list[tuple[_Edge, int]] = []
    for edge in edges:
        match = _PAGE_NUMBER.match(edge.text)
        if match and (edge.rank == 0 or edge.in_margin):
            numbered.append((edge, _value(match[1].lower())))
    counts = Counter((e.top, value - e.page) for e, value in numbered)
    neighbours = {(e.top, e.page, value) for e, value in numbered}
    kept = []
    for edge, value in numbered:
        beside = any((edge.top, edge.page + d, value + d) in neighbours for d in (-2, -1, 1, 2))
        if beside or counts[edge.top, value - edge.page] >= 3:
            kept.append(edge)
    return kept


def _value(number: str) -> int:
    return int(number) if number.isdigit() else roman(number)
