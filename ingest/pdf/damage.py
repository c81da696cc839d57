"""Pages whose content streams are damaged: pdfium shows what it can decode and is silent on the rest.

Runs inside worker processes only. `is_sound` looks at the bytes of the file, which is quick; only where it
finds something, or cannot tell, pypdf takes the file apart to say which pages they are (`damaged_pages`).
"""

from __future__ import annotations

import base64
import binascii
import mmap
import re
import time
import zlib
from collections.abc import Iterator
from typing import Any

_SECONDS = 5.0  # then the rest goes unchecked
_BYTES = 256 << 20  # decoded, over all pages
_STEP = 1 << 20
_HEAD = 4096  # bytes of a stream's dictionary that are looked at
_MAX_OBJECTS = 32 << 20  # bytes of one stream of objects
_MAX_NODES = 50_000
_FLATE, _ASCII85, _HEX = (
    frozenset(names) for names in (("FlateDecode", "Fl"), ("ASCII85Decode", "A85"), ("ASCIIHexDecode",))
)
_CONTENTS = re.compile(rb"/Contents\s*(?:(\d{1,10})\s+\d+\s+R|\[([^\]]{0,50000})\]|[(<])")
_REFERENCE = re.compile(rb"(\d{1,10})\s+\d+\s+R")
_BEGIN = re.compile(rb"(?!end)...stream\r?\n", re.DOTALL)
_OBJECT = re.compile(rb"(\d{1,10})\s+\d{1,5}$")
_FIRST = re.compile(rb"/First\s+(\d{1,9})")
_FILTERS = re.compile(rb"/Filter\s*\[?((?:\s*/\w+)*)")


def is_sound(data: mmap.mmap | bytes) -> bool:
    """Whether every content stream that a file names is in it and decodes whole; `data` is not encrypted.

    False also if the bytes do not tell, for there are none or the file is written in a rare way. What is
    beyond the limits on time and size goes unchecked.
    """
    if not data:
        return False
    until, left = time.monotonic() + _SECONDS, _BYTES
    streams = list(_streams(data))
    numbers = {number for number, _, _ in streams}
    try:
        named, packed = _named(data), dict[int, bytes]()
        for _, head, start in streams:
            if b"/ObjStm" in head:
                held = _held(data, start)
                objects = _inflated(held, _MAX_OBJECTS) if b"/Filter" in head else held
                named |= _named(objects)
                packed |= _packed(objects, head)
        lists = named & packed.keys() - numbers  # or what an annotation says
        for number in lists:
            if packed[number].startswith(b"["):
                named.update(map(int, _REFERENCE.findall(packed[number])))
        named -= lists
        for number, head, start in streams:
            if number in named:
                left -= _decoded_size(_filters(head), _held(data, start), left)
                if left <= 0 or time.monotonic() > until:
                    return True
    except (ValueError, zlib.error):
        return False
    return named <= numbers


def may_hide_layers(data: mmap.mmap | bytes) -> bool:
    """Whether the file has layers (optional content) and names one that is off; True if it cannot be told."""
    if data.find(b"/OCProperties") >= 0:
        return data.find(b"/OFF") >= 0
    if data.find(b"/ObjStm") < 0:
        return False
    if data.find(b"/Encrypt") >= 0:
        return True
    try:
        for _, head, start in _streams(data):
            if b"/ObjStm" in head:
                held = _held(data, start)
                objects = _inflated(held, _MAX_OBJECTS) if b"/Filter" in head else held
                if b"/OCProperties" in objects:
                    return b"/OFF" in objects or data.find(b"/OFF") >= 0
    except (ValueError, zlib.error):
        return True
    return False


def _streams(data: mmap.mmap | bytes) -> Iterator[tuple[int, bytes, int]]:
    """Each stream's object number (-1 if it has none), its dictionary, and where its bytes begin."""
    for place in _places(data, b"stream"):
        begin = _BEGIN.match(data, place - 3)
        if begin is not None:
            at = max(data.rfind(b" obj", max(place - _HEAD, 0), place), 0)
            number = _OBJECT.search(data[max(at - 20, 0) : at])
            yield int(number[1]) if number else -1, data[at:place], begin.end()


def _named(data: mmap.mmap | bytes) -> set[int]:
    """The object numbers of what `/Contents` refers to; annotations have text there."""
    named: set[int] = set()
    for place in _places(data, b"/Contents"):
        found = _CONTENTS.match(data, place)
        if found is None:
            raise ValueError("contents are neither a reference nor text")
        one, several = found.groups()
        named.update(map(int, _REFERENCE.findall(several or b"")), [int(one)] if one else ())
    return named


def _packed(objects: bytes, head: bytes) -> dict[int, bytes]:
    """The objects in a stream of objects by number (ISO 32000-1, 7.5.7): none of them is a stream."""
    first = _FIRST.search(head)
    index = list(map(int, objects[: int(first[1])].split())) if first else []
    places = [int(first[1]) + place for place in index[1::2]] if first else []
    ends = [*places[1:], len(objects)]
    if places != sorted(places):
        raise ValueError("a stream of objects that are out of order")
    return {n: objects[a:b].lstrip() for n, a, b in zip(index[::2], places, ends, strict=True)}


def _places(data: mmap.mmap | bytes, word: bytes) -> Iterator[int]:
    """Where a word stands; a regular expression takes ten times as long to look for it."""
    place = data.find(word)
    while place >= 0:
        yield place
        place = data.find(word, place + len(word))


def _held(data: mmap.mmap | bytes, start: int) -> bytes:
    end = data.find(b"endstream", start)
    if end < 0:
        raise ValueError("a stream without an end")
    return data[start:end]


def _filters(head: bytes) -> list[str]:
    found = _FILTERS.search(head)
    if found is None:
        return []
    if not found[1]:
        raise ValueError("filters that stand elsewhere")
    return found[1].decode().replace("/", " ").split()


def damaged_pages(file: Any) -> list[int]:
    """The 0-based positions of the pages of which a content stream is missing or cannot be decoded whole."""
    import pypdf

    reader = pypdf.PdfReader(file, strict=False)
    if reader.is_encrypted:
        reader.decrypt("")
    until, left = time.monotonic() + _SECONDS, _BYTES
    found = []
    for position, page in _pages(reader.trailer["/Root"]):
        try:
            for stream in _content_streams(page):
                left -= _decoded_size(_filter_names(stream), bytes(stream._data), left)
        except (AttributeError, ValueError, zlib.error):
            found.append(position)
        if left <= 0 or time.monotonic() > until:
            break
    return found


def _decoded_size(filters: list[str], data: bytes, most: int) -> int:
    """How many bytes the data decodes to, counted no further than `most`; filters beyond the first that
    compresses are left aside. Raises ValueError or zlib.error if it is damaged."""
    if filters and filters[0] in _ASCII85:
        data = base64.a85decode(data.strip().removeprefix(b"<~").removesuffix(b"~>"))
        filters = filters[1:]
    elif filters and filters[0] in _HEX:
        data = binascii.unhexlify(b"".join(data.split()).rstrip(b">"))
        filters = filters[1:]
    return _inflated_size(data, most) if filters and filters[0] in _FLATE else len(data)


def _inflated_size(data: bytes, most: int) -> int:
    """Raises zlib.error if the data or its checksum is wrong; an end that is missing is forgiven if the data
    is not, for some writers leave the checksum out."""
    inflater, size, rest = zlib.decompressobj(), 0, data
    while rest and not inflater.eof and size < most:
        size += len(inflater.decompress(rest, _STEP))
        rest = inflater.unconsumed_tail
    return size


def _inflated(data: bytes, most: int) -> bytes:
    return zlib.decompressobj().decompress(data, most)


# The page tree as pypdf reads it. It may be circular, endless or wrong: the walk has a limit on nodes and
# remembers where it has been.


def _pages(root: Any) -> Iterator[tuple[int, Any]]:
    """Each leaf of the page tree with its 0-based position, as the reference that stands in the tree."""
    seen: set[tuple[int, int]] = set()
    stack = [_raw(root, "/Pages")]
    position = 0
    while stack and position < _MAX_NODES:
        node = stack.pop()
        mark = (int(node.idnum), int(node.generation)) if hasattr(node, "idnum") else None
        if mark is not None and mark in seen:
            continue
        kids = _resolve(_raw(node, "/Kids"))
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
    return [_resolve(one) for one in contents[:_MAX_NODES]] if isinstance(contents, list) else [contents]


def _filter_names(stream: Any) -> list[str]:
    filters = _resolve(stream.get("/Filter"))
    listed = filters if isinstance(filters, list) else [filters] if filters is not None else []
    return [str(_resolve(name)).removeprefix("/") for name in listed]


def _raw(node: Any, key: str) -> Any:
    """A dictionary's entry without following the reference: references tell where we have been."""
    node = _resolve(node)
    return dict.get(node, key) if isinstance(node, dict) else None


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
