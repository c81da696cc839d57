"""How worker and parent talk: frames of a JSON head and raw bytes. No pickle: the worker is not trusted.

A frame is two little-endian uint32, the sizes of head and body in bytes, then head (JSON) and body.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .pages import Note, RawPage

_SIZES = struct.Struct("<II")
_MAX_HEAD = 64 << 20
_MAX_BODY = 1 << 30


class WireError(Exception):
    """What arrived is not a frame, or a frame that does not fit together."""


def frame(head: dict[str, Any], body: bytes = b"") -> bytes:
    packed = json.dumps(head).encode()
    return _SIZES.pack(len(packed), len(body)) + packed + body


class FrameReader:
    """Puts frames together from bytes as they arrive."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[dict[str, Any], bytes]]:
        self._buffer += data
        while len(self._buffer) >= _SIZES.size:
            head_size, body_size = _SIZES.unpack_from(self._buffer)
            if head_size > _MAX_HEAD or body_size > _MAX_BODY:
                raise WireError("frame too large")
            end = _SIZES.size + head_size + body_size
            if len(self._buffer) < end:
                return
            split = _SIZES.size + head_size
            with memoryview(self._buffer) as view:
                head, body = bytes(view[_SIZES.size : split]), bytes(view[split:end])
            del self._buffer[:end]
            try:
                parsed = json.loads(head)
            except (ValueError, RecursionError) as error:
                raise WireError("head is not JSON") from error
            if not isinstance(parsed, dict):
                raise WireError("head is not an object")
            yield parsed, body


def page_frame_bytes(page: RawPage, **more: str) -> bytes:
    """The frame of a page; `more` is added to its head."""
    text = page.lines.text.encode()
    head = {
        "page": page.page_index,
        "width": page.width,
        "height": page.height,
        "image_share": page.image_share,
        "drawn": page.drawn,
        "left_out": page.left_out,
        "notes": [astuple(note) for note in page.notes],
        "unmapped": page.unmapped,
        "outside": page.outside,
        "text": len(text),
        "chars": len(page.lines.text),
        "lines": len(page.lines.table),
        "recognized": [astuple(line) for line in page.recognized],
        **more,
    }
    arrays = (page.lines.boxes, page.lines.starts, page.lines.table)
    return frame(head, text + b"".join(a.tobytes() for a in arrays))


def parse_page(head: dict[str, Any], body: bytes) -> RawPage:
    """The page of a frame; every count is checked against the bytes that came."""
    import numpy as np

    from .layout import LINE_FIELDS, Lines
    from .pages import RawPage, Recognized

    try:
        text_size, chars, n = int(head["text"]), int(head["chars"]), int(head["lines"])
        text = body[:text_size].decode()
        sizes = [text_size, 16 * chars, 4 * (n + 1), 4 * LINE_FIELDS * n]
        if min(text_size, chars, n) < 0 or sum(sizes) != len(body) or len(text) != chars:
            raise WireError("page frame does not add up")
        at = text_size
        boxes = np.frombuffer(body, np.float32, 4 * chars, at).reshape(chars, 4)
        at += sizes[1]
        starts = np.frombuffer(body, np.int32, n + 1, at)
        at += sizes[2]
        table = np.frombuffer(body, np.float32, LINE_FIELDS * n, at).reshape(n, LINE_FIELDS)
        if (
            starts[0] != 0
            or starts[-1] != chars
            or (starts[1:] < starts[:-1]).any()
            or not np.isfinite(table).all()
        ):
            raise WireError("page frame has bad lines")
        width, height = float(head["width"]), float(head["height"])
        share = float(head["image_share"])
        if not all(map(math.isfinite, (width, height, share))):
            raise WireError("page frame has no size")
        lines = Lines(text, boxes, starts, table)
        page = int(head["page"])
        left_out, unmapped, outside = (int(head[key]) for key in ("left_out", "unmapped", "outside"))
        notes = tuple(_note(*note) for note in head["notes"])
        recognized = tuple(Recognized(*map(float, line)) for line in head["recognized"])
        if not all(0 <= r.confidence <= 1 for r in recognized):
            raise WireError("page frame has odd confidences")
        drawn = bool(head["drawn"])
        return RawPage(
            page, width, height, lines, share, drawn, left_out, notes, unmapped, recognized, outside
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise WireError(f"bad page frame: {error}") from error


def _note(place: Any, text: Any, author: Any, date: Any) -> Note:
    from .pages import Note

    x0, y0, x1, y1 = map(float, place)
    return Note((x0, y0, x1, y1), str(text), str(author), str(date))
