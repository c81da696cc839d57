"""How worker and parent talk: frames of a JSON head and raw bytes. No pickle: the worker is not trusted.

A frame is two little-endian uint32, the sizes of head and body in bytes, then head (JSON) and body.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import Any

_SIZES = struct.Struct("<II")
_MAX_HEAD = 64 << 20
_MAX_BODY = 1 << 30


class FrameError(Exception):
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
                raise FrameError("frame too large")
            end = _SIZES.size + head_size + body_size
            if len(self._buffer) < end:
                return
            split = _SIZES.size + head_size
            with memoryview(self._buffer) as view:
                head, body = bytes(view[_SIZES.size : split]), bytes(view[split:end])
            del self._buffer[:end]
            try:
                parsed = json.loads(head.decode())
            except (ValueError, RecursionError) as error:
                raise FrameError("head is not JSON") from error
            if not isinstance(parsed, dict):
                raise FrameError("head is not an object")
            yield parsed, body
