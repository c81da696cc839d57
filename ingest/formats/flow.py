"""Text that has no pages: what the readers of formats other than PDF hand over, in reading order.

A flow crosses from the worker to the parent as JSON, so each value here has a plain form and a way back that
checks it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from longleaf.ingest.document import AnnotationKind, BlockKind, Gap, GapKind

_ANNOTATIONS = get_args(AnnotationKind)
_KINDS = get_args(BlockKind)
_GAPS = get_args(GapKind)


@dataclass(slots=True)
class Remark:
    """An annotation of the characters `start:end` of the text it belongs to."""

    kind: AnnotationKind
    start: int
    end: int
    text: str
    author: str = ""
    date: str = ""


@dataclass(slots=True)
class Words:
    """The text of a paragraph or of a table's cell, and what is said about it; `of_left` is a place that the
    cell on its left takes too."""

    text: str
    remarks: list[Remark] = field(default_factory=list)
    of_left: bool = False


@dataclass(slots=True)
class Item:
    """One block. `rows` are the cells of a table (else empty), `heads` how many of them are column heads.

    `number` counts the flow's units (paragraphs, rows, lines) from 1, and `units` says how many this one has.
    `page` names a page that begins here. A `note` stands at the end of the page it is referred to from.
    """

    kind: BlockKind
    words: Words
    number: int
    units: int = 1
    level: int = 0
    indent: int = 0
    page: str | None = None
    rows: list[list[Words]] = field(default_factory=list)
    heads: int = 0
    note: bool = False


@dataclass(slots=True)
class Flow:
    """`unit` names what is counted: "¶", "line" or "row"."""

    unit: str
    items: list[Item] = field(default_factory=list)
    metadata: dict[str, str] = field(default_factory=dict)
    gaps: list[Gap] = field(default_factory=list)

    def add(self, kind: BlockKind, words: Words | str, *, units: int = 1, at: int = 0, **other: Any) -> Item:
        """Appends a block, numbered after the last one unless `at` says its number."""
        last = self.items[-1] if self.items else None
        number = at or (last.number + last.units if last else 1)
        words = Words(words) if isinstance(words, str) else words
        self.items.append(Item(kind, words, number, units, **other))
        return self.items[-1]


def frames(flow: Flow) -> Iterator[dict[str, Any]]:
    """The flow as heads of frames, some hundred items each, the last one with what belongs to the whole."""
    for start in range(0, len(flow.items), 200):
        yield {"items": [_plain(item) for item in flow.items[start : start + 200]]}
    gaps = [[gap.kind, gap.detail] for gap in flow.gaps]
    yield {"end": True, "unit": flow.unit, "metadata": flow.metadata, "gaps": gaps}


def take(flow: Flow, head: dict[str, Any]) -> bool:
    """Adds what a frame brings; True for the last. Raises ValueError, TypeError or KeyError on nonsense."""
    if "items" in head:
        flow.items += [_item(plain) for plain in head["items"]]
        return False
    flow.unit = str(head["unit"])[:20]
    flow.metadata = {str(k)[:100]: str(v)[:1000] for k, v in head["metadata"].items()}
    flow.gaps = [Gap(_one_of(kind, _GAPS), str(detail)) for kind, detail in head["gaps"]]
    return True


def _plain(item: Item) -> list[Any]:
    rows = [[_plain_words(cell) for cell in row] for row in item.rows]
    counts = [item.number, item.units, item.level, item.indent, item.heads]
    return [item.kind, _plain_words(item.words), counts, item.page, rows, item.note]


def _plain_words(words: Words) -> list[Any]:
    return [words.text, [[r.kind, r.start, r.end, r.text, r.author, r.date] for r in words.remarks]]


def _item(plain: Sequence[Any]) -> Item:
    kind, words, counts, page, rows, note = plain
    number, units, level, indent, heads = (min(max(int(n), 0), 10**9) for n in counts)
    cells = [[_words(cell) for cell in row] for row in rows]
    named = None if page is None else str(page)[:200]
    kind = _one_of(kind, _KINDS)
    if (kind == "table") != bool(cells) or heads > len(cells):
        raise ValueError("a table without rows, or rows without a table")
    return Item(kind, _words(words), number, units, level, indent, named, cells, heads, bool(note))


def _words(plain: Sequence[Any]) -> Words:
    text, remarks = plain
    if not isinstance(text, str):
        raise TypeError("text is no text")
    found = []
    for kind, start, end, said, author, date in remarks:
        if not 0 <= int(start) <= int(end) <= len(text):
            raise ValueError("a remark outside of its text")
        found.append(
            Remark(_one_of(kind, _ANNOTATIONS), int(start), int(end), str(said), str(author), str(date))
        )
    return Words(text, found)


def _one_of(value: Any, allowed: Sequence[Any]) -> Any:
    if value not in allowed:
        raise ValueError(f"unknown kind {value!r}")
    return value
