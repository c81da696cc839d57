"""One prefix segment as a file: how it is written, and everything that is checked before it is believed.

A preamble (magic, place, size and digest of the table); the KV pages, the first at byte 4096; the table:
identity, parent, tokens, and layer, block, size and digest of each page. Read with plain reads, not mapped: a
file that is cut short under a mapping kills the process.
"""

from __future__ import annotations

import json
import os
import stat
import struct
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from longleaf.engine.prefix.tree import Ids

_MAGIC = b"LLeafKV1"
_PREAMBLE = struct.Struct("<8sQQ16s")  # magic, offset and size of the table, its digest
_FIRST_PAGE = 4096
_COUNTS = struct.Struct("<II")  # bytes of the head, pages
_PAGE = np.dtype([("layer", "<u4"), ("block", "<u4"), ("size", "<u4"), ("digest", "V16")])
_MOST_TABLE = 256 << 20  # bytes; a larger table is not read
_READ_AT_ONCE = 16 << 20
DIGEST_BYTES = 16

Page = tuple[int, int, bytes | memoryview]  # layer, block, bytes
Export = Callable[[int], Iterable[Page]]  # all pages from a block on


class DamagedError(Exception):
    """A file that is not what its name says. Not for people: who catches it removes the file."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A file and the tokens [start, end) it holds. Tokens before `start` and their pages are its parent's."""

    path: Path
    parent: str
    key: str
    start: int
    tokens: Ids

    @property
    def end(self) -> int:
        return self.start + len(self.tokens)


def segment_key(parent: str, start: int, tokens: Ids) -> str:
    plain = parent.encode() + struct.pack("<Q", start) + tokens.astype("<i4").tobytes()
    return blake2b(plain, digest_size=DIGEST_BYTES).hexdigest()


def file_name(parent: str, key: str) -> str:
    return f"{parent}-{key}.kv"


def write_segment(
    file: BinaryIO, identity: str, parent: str, start: int, tokens: Ids, pages: Iterable[Page]
) -> int:
    """Writes a whole segment into an empty file; its size. Raises OSError."""
    file.write(bytes(_FIRST_PAGE))
    places = []
    for layer, block, data in pages:
        places.append((layer, block, len(data), _digest(data)))
        file.write(data)
    head = json.dumps(
        {"identity": identity, "parent": parent, "start": start, "tokens": len(tokens)}
    ).encode()
    table = b"".join(
        (
            _COUNTS.pack(len(head), len(places)),
            head,
            tokens.astype("<i4").tobytes(),
            np.array(places, dtype=_PAGE).tobytes(),
        )
    )
    at = file.tell()
    file.write(table)
    size = file.tell()
    file.seek(0)
    file.write(_PREAMBLE.pack(_MAGIC, at, len(table), _digest(table)))
    file.flush()
    return size


def read_segment(path: Path, identity: str) -> Segment:
    """What a file says of itself, without its pages. Raises DamagedError or OSError."""
    with _opened(path) as descriptor:
        return _read_table(descriptor, path, identity)[0]


def read_layers(path: Path, identity: str) -> tuple[Segment, dict[int, int], int]:
    """As `read_segment`; also the bytes of pages of each layer, and how many pages there are."""
    with _opened(path) as descriptor:
        segment, table = _read_table(descriptor, path, identity)
    layers, places = np.unique(table["layer"], return_inverse=True)
    sizes = np.bincount(places, weights=table["size"], minlength=len(layers))
    return segment, {int(layer): int(size) for layer, size in zip(layers, sizes, strict=True)}, len(table)


def read_pages(path: Path, identity: str, blocks: range) -> list[Page]:
    """The pages of some blocks, each checked. Raises DamagedError or OSError."""
    with _opened(path) as descriptor:
        _, table = _read_table(descriptor, path, identity)
        ends = _FIRST_PAGE + np.cumsum(table["size"], dtype=np.int64)
        wanted = [
            (
                int(page["layer"]),
                int(page["block"]),
                int(end) - int(page["size"]),
                int(end),
                page["digest"].tobytes(),
            )
            for page, end in zip(table, ends, strict=True)
            if blocks.start <= page["block"] < blocks.stop
        ]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return [
                page
                for pages in pool.map(lambda run: _read_run(descriptor, run), _runs(wanted))
                for page in pages
            ]


def _read_table(descriptor: int, path: Path, identity: str) -> tuple[Segment, np.ndarray[Any, Any]]:
    """What an open file says of itself, and the places of its pages."""
    size = os.fstat(descriptor).st_size
    magic, at, length, digest = _PREAMBLE.unpack(_read(descriptor, 0, _PREAMBLE.size))
    if magic != _MAGIC:
        raise DamagedError("it is no file of this kind or version")
    if at + length != size or length > _MOST_TABLE or at < _FIRST_PAGE:
        raise DamagedError("its size is not what it says")
    plain = _read(descriptor, at, length)
    if _digest(plain) != digest:
        raise DamagedError("the digest of its table is wrong")
    try:
        head_size, pages = _COUNTS.unpack_from(plain)
        tokens_at = _COUNTS.size + head_size
        head = json.loads(plain[_COUNTS.size : tokens_at])
        of, parent = str(head["identity"]), str(head["parent"])
        start, count = int(head["start"]), int(head["tokens"])
        if start < 0 or count < 1:
            raise ValueError(f"{count} tokens from {start} on")
        tokens = np.frombuffer(plain, "<i4", count, tokens_at)
        table = np.frombuffer(plain, _PAGE, pages, tokens_at + 4 * count)
        key = segment_key(parent, start, tokens)
    except (struct.error, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise DamagedError(f"its table makes no sense: {error}") from error
    if of != identity:
        raise DamagedError("it is of another model, build or type of KV cache")
    if int(table["size"].sum(dtype=np.uint64)) != at - _FIRST_PAGE:
        raise DamagedError("its pages are not as long as it says")
    if path.name != file_name(parent, key):
        raise DamagedError("its name is not that of its tokens")
    return Segment(path, parent, key, start, tokens), table


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """A regular file's descriptor: a link or a pipe under such a name is not followed and not waited for."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise DamagedError("it is no regular file")
        yield descriptor
    finally:
        os.close(descriptor)


_Place = tuple[int, int, int, int, bytes]  # layer, block, first byte, last byte + 1, digest


def _runs(places: Iterable[_Place]) -> Iterator[list[_Place]]:
    """Neighbouring pages, to be read together."""
    run: list[_Place] = []
    for place in places:
        if run and (place[2] != run[-1][3] or place[3] - run[0][2] > _READ_AT_ONCE):
            yield run
            run = []
        run.append(place)
    if run:
        yield run


def _read_run(descriptor: int, run: list[_Place]) -> list[Page]:
    start = run[0][2]
    view = memoryview(_read(descriptor, start, run[-1][3] - start))
    pages: list[Page] = []
    for layer, block, first, last, digest in run:
        data = view[first - start : last - start]
        if _digest(data) != digest:
            raise DamagedError(f"the digest of block {block} of layer {layer} is wrong")
        pages.append((layer, block, data))
    return pages


def _read(descriptor: int, at: int, size: int) -> bytes:
    data = os.pread(descriptor, size, at)
    while len(data) < size:
        more = os.pread(descriptor, size - len(data), at + len(data))
        if not more:
            raise DamagedError("it ends too early")
        data += more
    return data


def _digest(data: bytes | memoryview) -> bytes:
    return blake2b(data, digest_size=DIGEST_BYTES).digest()
