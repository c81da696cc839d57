"""The frame in which a worker sends a page, and the way back, which believes nothing."""

from __future__ import annotations

import math
from dataclasses import astuple
from itertools import accumulate
from typing import Any

import numpy as np

from longleaf.ingest.pdf.lines import LINE_FIELDS, Lines
from longleaf.ingest.pdf.page_lines import Note, RawPage, Recognized
from longleaf.ingest.worker.framing import FrameError, frame


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
        "unseen": page.unseen,
        "text": len(text),
        "chars": len(page.lines.text),
        "lines": len(page.lines.table),
        "recognized": [astuple(line) for line in page.recognized],
        **more,
    }
    arrays = (page.lines.boxes, page.lines.starts, page.lines.table)
    # The arrays come first, so that their numbers are aligned where they arrive.
    return frame(head, b"".join([*(a.tobytes() for a in arrays), text]))


def parse_page(head: dict[str, Any], body: bytes) -> RawPage:
    """The page of a frame; every count is checked against the bytes that came."""
    try:
        text_size, chars, n = int(head["text"]), int(head["chars"]), int(head["lines"])
        ends = list(accumulate((16 * chars, 4 * (n + 1), 4 * LINE_FIELDS * n, text_size)))
        text = body[ends[2] :].decode()
        if min(text_size, chars, n) < 0 or ends[3] != len(body) or len(text) != chars:
            raise FrameError("page frame does not add up")
        boxes = np.frombuffer(body, np.float32, 4 * chars).reshape(chars, 4)
        starts = np.frombuffer(body, np.int32, n + 1, ends[0])
        table = np.frombuffer(body, np.float32, LINE_FIELDS * n, ends[1]).reshape(n, LINE_FIELDS)
        if (
            starts[0] != 0
            or starts[-1] != chars
            or (starts[1:] < starts[:-1]).any()
            or not np.isfinite(table).all()
        ):
            raise FrameError("page frame has bad lines")
        width, height = float(head["width"]), float(head["height"])
        share = float(head["image_share"])
        if not all(map(math.isfinite, (width, height, share))):
            raise FrameError("page frame has no size")
        lines = Lines(text, boxes, starts, table)
        page = int(head["page"])
        counts = (int(head[key]) for key in ("left_out", "unmapped", "outside", "unseen"))
        left_out, unmapped, outside, unseen = counts
        notes = tuple(_note(*note) for note in head["notes"])
        recognized = tuple(Recognized(*map(float, line)) for line in head["recognized"])
        if not all(0 <= r.confidence <= 1 for r in recognized):
            raise FrameError("page frame has odd confidences")
        drawn = bool(head["drawn"])
        return RawPage(
            page, width, height, lines, share, drawn, left_out, notes, unmapped, recognized, outside, unseen
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise FrameError(f"bad page frame: {error}") from error


def _note(place: Any, text: Any, author: Any, date: Any, kind: Any) -> Note:
    x0, y0, x1, y1 = map(float, place)
    if kind not in ("note", "mark", "deletion"):
        raise FrameError("page frame has an odd note")
    return Note((x0, y0, x1, y1), str(text), str(author), str(date), kind)
