"""Running headers, footers and page numbers that stand among a page's body, by what both versions show.

What ingest took for a header, or what comes again at the edges of many pages, is left out. What only one
version has and either version shows as a header elsewhere, or stands apart at a page's edge, is left out too:
a line that one layout prints on each page is no change.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from longleaf.ingest.document import Block, Document, Page

BlockId = tuple[int, int]  # a page's index and the number of the block there

_PAGE_NUMBER = re.compile(
    r"[\W_]*(?:page|p\.|pg\.?)?[\W_]*(?:\d{1,4}|[ivxl]{1,6}|[a-z]-\d{1,3})[\W_]*(?:(?:of|/)[\W_]*\d{1,4}[\W_]*)?$",
    re.IGNORECASE,
)
_LONGEST = 160  # characters a running line has at most
_APART = 12  # words of a line at the edge that only one version has
_TELLING = 20  # letters of a running line that can be recognized in the other version's body
_FEW = 8  # words of a line that counts pages
_EDGE = 0.09  # of the page's height


@dataclass(frozen=True, slots=True)
class Furniture:
    """`left_out`: headers, footers and the like; `shapes`: what they say."""

    left_out: frozenset[BlockId]
    shapes: frozenset[str]


def find_furniture(old: Document, new: Document) -> tuple[Furniture, Furniture]:
    """What runs along the pages of each version. What the other prints in its body stays in."""
    found = []
    for document, other in ((old, new), (new, old)):
        repeated = _repeated(document.pages)
        body = "\n".join(
            shape_of(page.text[block.start : block.end])
            for page in other.pages
            for block in page.blocks
            if block.kind not in ("header", "footer")
        )
        left_out: set[BlockId] = set()
        shapes: set[str] = set()
        for page in document.pages:
            for n, block in enumerate(page.blocks):
                ruled = block.kind in ("header", "footer")
                if not ruled and (page.page_index, n) not in repeated:
                    continue
                lines = [shape_of(line) for line in page.text[block.start : block.end].split("\n")]
                shapes.update(filter(None, lines))
                if any(len(line) < _TELLING or line not in body for line in lines):
                    left_out.add((page.page_index, n))
        found.append(Furniture(frozenset(left_out), frozenset(shapes)))
    return found[0], found[1]


def _repeated(pages: Sequence[Page]) -> frozenset[BlockId]:
    """Blocks at the edges of pages that are page numbers, or come again on many pages."""
    edges = [
        (page.page_index, n, shape)
        for page in pages
        for n, block in _outermost(page)
        if (shape := _shape(page, block)) and block.end - block.start <= _LONGEST and _at_edge(page, block)
    ]
    shapes = Counter(shape for _, _, shape in edges)
    enough = max(3, 0.4 * len(pages)) if len(pages) > 2 else 2
    return frozenset(
        (page_index, n)
        for page_index, n, shape in edges
        if (shape == "0" and len(pages) > 1) or shapes[shape] >= enough
    ) | frozenset(
        (page.page_index, n) for page in pages for n, block in _outermost(page, 1) if _counts(page, block)
    )


def _counts(page: Page, block: Block) -> bool:
    """Whether a short line that stands apart at the edge has the page's own number."""
    tokens = page.text[block.start : block.end].split()
    number = str(page.page_index + 1)
    ends = {token.strip("-–— .") for token in (tokens[:2] + tokens[-3:])}
    return number in ends and len(tokens) <= _FEW and _at_edge(page, block) and _stands_apart(page, block)


def one_sided(document: Document, unmatched: set[BlockId], shapes: frozenset[str]) -> set[BlockId]:
    """Those of the blocks that the other version has not which are furniture after all."""
    found: set[BlockId] = set()
    for page in document.pages:
        outermost = {n for n, _ in _outermost(page, 1)}
        for n, block in enumerate(page.blocks):
            if (page.page_index, n) not in unmatched:
                continue
            text = page.text[block.start : block.end]
            apart = n in outermost and len(text.split()) <= _APART and _stands_apart(page, block)
            if shape_of(text) in shapes or (apart and _at_edge(page, block)):
                found.add((page.page_index, n))
    return found


def shape_of(text: str) -> str:
    """A line without spaces, marks and the value of its numbers."""
    if _PAGE_NUMBER.match(" ".join(text.split())):
        return "0"
    letters = re.sub(r"[\W_]+", "", text.casefold())
    return re.sub(r"\d+", "0", letters) if any(map(str.isalpha, letters)) else " ".join(text.split())


def _shape(page: Page, block: Block) -> str:
    return shape_of(page.text[block.start : block.end])


def _outermost(page: Page, count: int = 2) -> list[tuple[int, Block]]:
    """The blocks nearest to the upper and to the lower edge, other than headers and footers."""
    body = [
        (n, b) for n, b in enumerate(page.blocks) if b.kind not in ("header", "footer") and b.end > b.start
    ]
    tops = sorted(body, key=lambda item: item[1].box.y0)
    bottoms = sorted(body, key=lambda item: -item[1].box.y1)
    return list({n: (n, b) for n, b in (*tops[:count], *bottoms[:count])}.values())


def _at_edge(page: Page, block: Block) -> bool:
    return block.box.y1 <= _EDGE * page.height + 12 or block.box.y0 >= (1 - _EDGE) * page.height - 12


def _stands_apart(page: Page, block: Block) -> bool:
    """Whether more than the usual space parts it from the rest of the page."""
    height = block.box.y1 - block.box.y0
    others = [b for b in page.blocks if b is not block and b.end > b.start]
    gaps = [
        max(b.box.y0 - block.box.y1, block.box.y0 - b.box.y1)
        for b in others
        if b.kind not in ("header", "footer")
    ]
    return bool(gaps) and min(gaps) > 0.9 * height
