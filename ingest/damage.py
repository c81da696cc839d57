"""Pages whose content streams are damaged: pdfium shows what it can decode and is silent on the rest.

Runs inside the worker process only, on the objects of a pypdf reader.
"""

from __future__ import annotations

import base64
import binascii
import time
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

_SECONDS = 5.0  # then the rest goes unchecked: labels and outline must not be lost over it
_BYTES = 256 << 20  # decoded, over all pages
_STEP = 1 << 20
_FLATE, _ASCII85, _HEX = (
    frozenset(names) for names in (("/FlateDecode", "/Fl"), ("/ASCII85Decode", "/A85"), ("/ASCIIHexDecode",))
)


def damaged(pages: Iterable[list[Any]]) -> Iterator[int]:
    """The positions of the pages of which a content stream cannot be decoded whole. `pages` has the streams
    of each page; one that is missing is None."""
    until, left = time.monotonic() + _SECONDS, _BYTES
    for position, streams in enumerate(pages):
        for stream in streams:
            decoded = 0 if stream is None else _decoded(stream, left)
            if stream is None or decoded is None:
                yield position
                break
            left -= decoded
        if left <= 0 or time.monotonic() > until:
            return


def _decoded(stream: Any, most: int) -> int | None:
    """How many bytes the stream decodes to, counted no further than `most`; None if it is damaged."""
    filters = stream.get("/Filter")
    names = [str(name) for name in (filters if isinstance(filters, list) else [filters])]
    data = bytes(getattr(stream, "_data", b""))
    try:
        if names[0] in _ASCII85:
            data = base64.a85decode(data.strip().removeprefix(b"<~").removesuffix(b"~>"))
            names = names[1:]
        elif names[0] in _HEX:
            data = binascii.unhexlify(b"".join(data.split()).rstrip(b">"))
            names = names[1:]
        return _inflated(data, most) if names and names[0] in _FLATE else len(data)
    except (ValueError, zlib.error):
        return None


def _inflated(data: bytes, most: int) -> int:
    """Raises zlib.error if the data or its checksum is wrong; an end that is missing is forgiven if the data
    is not, for some writers leave the checksum out."""
    inflater, size, rest = zlib.decompressobj(), 0, data
    while rest and not inflater.eof and size < most:
        size += len(inflater.decompress(rest, _STEP))
        rest = inflater.unconsumed_tail
    return size
