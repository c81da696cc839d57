"""How the parts of a Document are written as SQLite values, and read back equal."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from longleaf.ingest.document import Annotation, Block, Box, Gap, Span


def pack_boxes(boxes: NDArray[np.float32]) -> bytes:
    """Lossless. Neighbours share most of their coordinates, so the differences of the bit patterns of a
    column, with the bytes grouped by significance, compress far better than the numbers do."""
    bits = np.ascontiguousarray(boxes, dtype=np.float32).view(np.uint32).reshape(-1, 4)
    difference = np.diff(bits, axis=0, prepend=np.zeros((1, 4), np.uint32))
    planes = np.ascontiguousarray(difference.T).view(np.uint8).reshape(-1, 4).T
    return zlib.compress(planes.tobytes(), level=1)


def unpack_boxes(blob: bytes, length: int) -> NDArray[np.float32]:
    """The (length, 4) array that was packed. Raises ValueError if the blob is not that."""
    size = length * 16
    unpacker = zlib.decompressobj()
    try:
        raw = unpacker.decompress(blob, size + 1)
    except zlib.error as error:
        raise ValueError(f"character boxes cannot be unpacked: {error}") from error
    if len(raw) != size:
        raise ValueError(f"character boxes are {len(raw)} bytes, {size} were stored")
    planes = np.frombuffer(raw, np.uint8).reshape(4, -1).T
    difference = np.ascontiguousarray(planes).view(np.uint32).reshape(4, length).T
    bits = np.cumsum(difference, axis=0, dtype=np.uint32)
    return np.ascontiguousarray(bits).view(np.float32)


def pack_blocks(blocks: Iterable[Block]) -> str:
    return json.dumps(
        [
            [
                block.kind,
                block.start,
                block.end,
                block.level,
                *(float(side) for side in (block.box.x0, block.box.y0, block.box.x1, block.box.y1)),
                block.head_rows,
                block.confidence,
            ]
            for block in blocks
        ],
        separators=(",", ":"),
    )


def unpack_blocks(text: str) -> tuple[Block, ...]:
    return tuple(
        Block(kind, start, end, Box(*rest[:4]), level, *rest[4:])  # the last two are younger than some rows
        for kind, start, end, level, *rest in json.loads(text)
    )


def pack_spans(spans: Iterable[Span]) -> str:
    return json.dumps([[s.page_index, s.start, s.end] for s in spans], separators=(",", ":"))


def unpack_spans(text: str) -> tuple[Span, ...]:
    return tuple(Span(*numbers) for numbers in json.loads(text))


def pack_gaps(gaps: Iterable[Gap]) -> str:
    return json.dumps([[gap.kind, gap.detail, gap.page_index] for gap in gaps])


def unpack_gaps(text: str) -> tuple[Gap, ...]:
    return tuple(Gap(kind, detail, page_index) for kind, detail, page_index in json.loads(text))


def pack_annotations(annotations: Iterable[Annotation]) -> str:
    return json.dumps(
        [[a.kind, a.text, a.author, a.date, a.span.page_index, a.span.start, a.span.end] for a in annotations]
    )


def unpack_annotations(text: str) -> tuple[Annotation, ...]:
    return tuple(
        Annotation(kind, words, author, date, Span(*span))
        for kind, words, author, date, *span in json.loads(text)
    )


def pack_path(path: Iterable[str]) -> str:
    return json.dumps(list(path), ensure_ascii=False)


def unpack_path(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


def pack_vector(vector: NDArray[np.float32]) -> bytes:
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()


def unpack_vectors(blobs: Iterable[bytes], dim: int) -> NDArray[np.float32]:
    """Shape (number of blobs, dim). Raises ValueError if a blob has another size."""
    joined = list(blobs)
    if any(len(blob) != dim * 4 for blob in joined):
        raise ValueError(f"a stored vector has not {dim} numbers")
    return np.frombuffer(b"".join(joined), "<f4").reshape(-1, dim).astype(np.float32)
