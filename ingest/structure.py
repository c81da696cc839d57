"""What the file says about itself: page labels, outline, metadata. Read with pypdf, inside the worker.

Walks are written here, not left to the library, because the trees of a hostile file may be circular, endless
or wrong: each has a limit on nodes and depth and remembers where it has been.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

from .damage import damaged

_MAX_NODES = 50_000
_MAX_DEPTH = 64
_MAX_BOOKMARKS = 5_000
_BLANKS = b"\0\t\n\f\r "


@dataclass(frozen=True, slots=True)
class Bookmark:
    title: str
    level: int  # 1 is the top
    page_index: int


@dataclass(frozen=True, slots=True)
class LabelRange:
    """Labels from page `start` on: prefix, then a numeral of this style ("/D", "/r", ..., "" for none)."""

    start: int
    style: str
    prefix: str
    first: int


@dataclass(frozen=True, slots=True)
class Structure:
    label_ranges: tuple[LabelRange, ...] = ()
    outline: tuple[Bookmark, ...] = ()
    metadata: dict[str, str] = field(default_factory=dict)
    damaged: frozenset[int] = frozenset()  # indexes of pages whose content cannot be decoded whole


def open_reader(file: Any) -> Any:
    """A `PdfReader` that parses of an object stream only the objects asked for, not all that it holds.

    Whatever is odd about a stream is left to pypdf.
    """
    import pypdf
    from pypdf.generic import IndirectObject, read_object

    class Reader(pypdf.PdfReader):
        def __init__(self) -> None:
            self._held: dict[int, tuple[bytes, dict[int, int]]] = {}
            super().__init__(file, strict=False)

        def _get_object_from_stream(self, indirect_reference: IndirectObject) -> Any:
            number = indirect_reference.idnum
            try:
                stream_number, _ = self.xref_objStm[number]
                if stream_number in self.xref_objStm:
                    return super()._get_object_from_stream(indirect_reference)
                if stream_number not in self._held:
                    stream: Any = IndirectObject(stream_number, 0, self).get_object()
                    self._held[stream_number] = _object_places(stream)
                data, places = self._held[stream_number]
                at = places[number]
                while at < len(data) and data[at] in _BLANKS:
                    at += 1
                stream_at = io.BytesIO(data)  # shares the bytes; a slice would copy the rest for each object
                stream_at.seek(at)
                found = read_object(stream_at, self)
            except Exception:  # pypdf raises many kinds on damaged objects
                return super()._get_object_from_stream(indirect_reference)
            self.cache_indirect_object(0, number, found)
            return found

    return Reader()


def _object_places(stream: Any) -> tuple[bytes, dict[int, int]]:
    """An object stream's data, and where in it each object begins (ISO 32000-1, 7.5.7)."""
    data, first = stream.get_data(), int(stream["/First"])
    numbers = [int(n) for n in data[:first].split()[: 2 * int(stream["/N"])]]
    if stream["/Type"] != "/ObjStm" or numbers[1::2] != sorted(set(numbers[1::2])):
        raise ValueError("odd object stream")
    return data, {n: first + offset for n, offset in zip(numbers[::2], numbers[1::2], strict=True)}


def read_structure(reader: Any) -> dict[str, Any]:
    """Labels, outline, metadata and damaged pages of an open `PdfReader`, ready for JSON.

    What is damaged of the first three is missing.
    """
    root = _get(reader.trailer, "/Root")
    return {
        "labels": [astuple(r) for r in _label_ranges(_get(root, "/PageLabels"))],
        "outline": [astuple(b) for b in _outline(root)],
        "metadata": _metadata(_get(reader.trailer, "/Info")),
        "damaged": list(damaged(_content_streams(page) for _, page in _pages(root))),
    }


def parse_structure(head: dict[str, Any]) -> Structure:
    """The structure that `read_structure` wrote, every field made to its type again."""
    ranges = tuple(LabelRange(int(a), str(b), str(c), int(d)) for a, b, c, d in head["labels"])
    outline = tuple(Bookmark(str(a), int(b), int(c)) for a, b, c in head["outline"])
    metadata = {str(k): str(v) for k, v in head["metadata"].items()}
    return Structure(ranges, outline, metadata, frozenset(int(i) for i in head["damaged"]))


def page_labels(ranges: Sequence[LabelRange], page_count: int) -> list[str]:
    """The printed label of each page (ISO 32000-1, 12.4.2); pages without one get their 1-based position."""
    labels = [str(i + 1) for i in range(page_count)]
    inside = sorted({r.start: r for r in ranges if 0 <= r.start < page_count}.values(), key=lambda r: r.start)
    for at, entry in enumerate(inside):
        end = inside[at + 1].start if at + 1 < len(inside) else page_count
        for i in range(entry.start, end):
            # A range with neither style nor prefix prints nothing: the position is the better name.
            labels[i] = entry.prefix + _numeral(entry.style, entry.first + i - entry.start) or str(i + 1)
    return labels


def _label_ranges(tree: Any) -> Iterator[LabelRange]:
    for start, entry in _number_tree(tree):
        first = _get(entry, "/St")
        number = int(first) if isinstance(first, int) and 1 <= first < 10**9 else 1
        yield LabelRange(start, str(_get(entry, "/S") or ""), _text(_get(entry, "/P"))[:100], number)


def _numeral(style: str, number: int) -> str:
    if style == "/D":
        return str(number)
    if style in ("/R", "/r"):
        roman = _roman(number)
        return roman if style == "/R" else roman.lower()
    if style in ("/A", "/a"):
        letters = chr(ord("A") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letters[:40] if style == "/A" else letters[:40].lower()
    return ""


def _roman(number: int) -> str:
    if number >= 10_000:
        return str(number)
    steps = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
             (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))  # fmt: skip
    out = ""
    for value, letters in steps:
        while number >= value:
            out += letters
            number -= value
    return out


def _number_tree(root: Any) -> Iterator[tuple[int, Any]]:
    for leaf in _tree_leaves(root, "/Nums"):
        items = list(leaf)[: 2 * _MAX_NODES]
        for key, value in zip(items[::2], items[1::2], strict=False):
            if isinstance(key, int):
                yield int(key), _resolve(value)


def _tree_leaves(root: Any, leaf_key: str) -> Iterator[Any]:
    """The leaf arrays of a name or number tree."""
    stack = [(root, 0)]
    seen: set[tuple[int, int]] = set()
    visited = 0
    while stack and visited < _MAX_NODES:
        node, depth = stack.pop()
        visited += 1
        mark = _mark(node)
        if mark is not None:
            if mark in seen:
                continue
            seen.add(mark)
        leaf = _get(node, leaf_key)
        if isinstance(leaf, list):
            yield leaf
        kids = _get(node, "/Kids")
        if isinstance(kids, list) and depth < _MAX_DEPTH:
            stack.extend((kid, depth + 1) for kid in reversed(list(kids)[:_MAX_NODES]))


def _page_indexes(root: Any) -> dict[tuple[int, int], int]:
    """Object number and generation of each page -> its 0-based position."""
    marks = ((_mark(page), position) for position, page in _pages(root))
    return {mark: position for mark, position in marks if mark is not None}


def _pages(root: Any) -> Iterator[tuple[int, Any]]:
    """Each leaf of the page tree with its 0-based position, as the reference that stands in the tree."""
    seen: set[tuple[int, int]] = set()
    stack = [_raw(root, "/Pages")]
    position = 0
    while stack and position < _MAX_NODES:
        node = stack.pop()
        mark = _mark(node)
        if mark is not None and mark in seen:
            continue
        kids = _get(node, "/Kids")
        if mark is not None:
            seen.add(mark)
        if isinstance(kids, list):
            stack.extend(reversed(list(kids)[:_MAX_NODES]))
        else:
            yield position, node
            position += 1


def _content_streams(page: Any) -> list[Any]:
    """A page's content streams; None for one that the file names and does not hold."""
    named = _raw(page, "/Contents")
    if named is None:
        return []
    contents = _resolve(named)
    streams = [_resolve(one) for one in contents[:_MAX_NODES]] if isinstance(contents, list) else [contents]
    return [stream if hasattr(stream, "_data") else None for stream in streams]


def _named_destinations(root: Any) -> dict[str, Any]:
    named: dict[str, Any] = {}
    old = _get(root, "/Dests")
    if isinstance(old, dict):
        named.update((str(k), v) for k, v in list(old.items())[:_MAX_NODES])
    for leaf in _tree_leaves(_get(_get(root, "/Names"), "/Dests"), "/Names"):
        items = list(leaf)[: 2 * _MAX_NODES]
        named.update((_text(k), v) for k, v in zip(items[::2], items[1::2], strict=False))
    return named


def _outline(root: Any) -> Iterator[Bookmark]:
    first = _raw(_get(root, "/Outlines"), "/First")
    if first is None:
        return
    indexes, named = _page_indexes(root), _named_destinations(root)
    seen: set[tuple[int, int]] = set()
    stack = [(first, 1)]
    count = 0
    while stack and count < _MAX_BOOKMARKS:
        node, level = stack.pop()
        mark = _mark(node)
        entry = _resolve(node)
        if not isinstance(entry, dict) or (mark is not None and mark in seen):
            continue
        if mark is not None:
            seen.add(mark)
        count += 1
        index = _destination(entry, indexes, named)
        title = " ".join(_text(_get(entry, "/Title")).split())
        if index is not None and title:
            yield Bookmark(title[:300], level, index)
        stack.append((_raw(entry, "/Next"), level))
        if level < _MAX_DEPTH:
            stack.append((_raw(entry, "/First"), level + 1))


def _destination(entry: Any, indexes: dict[tuple[int, int], int], named: dict[str, Any]) -> int | None:
    target = _get(entry, "/Dest")
    if target is None:
        target = _get(_get(entry, "/A"), "/D")
    for _ in range(4):  # a name may stand for a name or a dictionary
        if isinstance(target, dict):
            target = _get(target, "/D")
        elif isinstance(target, str | bytes):
            target = _resolve(named.get(_text(target)))
        else:
            break
    if not isinstance(target, list) or not target:
        return None
    page = target[0]
    if isinstance(page, int):
        return int(page) if 0 <= page < len(indexes) else None
    mark = _mark(page)
    return indexes.get(mark) if mark is not None else None


def _metadata(info: Any) -> dict[str, str]:
    if not isinstance(info, dict):
        return {}
    out: dict[str, str] = {}
    for key in ("Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate", "ModDate"):
        value = _text(_get(info, "/" + key))[:1000].strip()
        if value:
            out[key.lower()] = value
    return out


def _raw(node: Any, key: str) -> Any:
    """A dictionary's entry without following the reference: references tell where we have been."""
    node = _resolve(node)
    return dict.get(node, key) if isinstance(node, dict) else None


def _get(node: Any, key: str) -> Any:
    return _resolve(_raw(node, key))


def _resolve(node: Any) -> Any:
    """The object a reference stands for; None if it is damaged."""
    try:
        for _ in range(8):
            if not hasattr(node, "idnum"):
                return node
            node = node.get_object()
    except Exception:  # pypdf raises many kinds on damaged objects; a missing one is the same to us
        return None
    return None


def _mark(node: Any) -> tuple[int, int] | None:
    return (int(node.idnum), int(node.generation)) if hasattr(node, "idnum") else None


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    return "".join(c for c in value if c >= " ") if isinstance(value, str) else ""
