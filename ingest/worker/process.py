"""The worker process: reads one hostile file within limits and writes frames to its standard output.

Forked by `fork_server`, with open descriptors for the file, requests and answers. Role "pages" answers
requests (lines of JSON: lists of page indexes, or "structure"), "ocr" does so from pictures of the pages;
"damage" says once which pages are damaged. Role "flow" reads a file of another format whole, "members" what a
folder or a message holds.
"""

from __future__ import annotations

import ctypes
import io
import json
import mmap
import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from longleaf.ingest import process_limits
from longleaf.ingest.worker import framing, warm_up

if TYPE_CHECKING:
    from longleaf.ingest.pdf.page_lines import RawPage

PAGES_MEMORY = 1 << 30
OCR_MEMORY = 3 << 30
DAMAGE_MEMORY = 768 << 20
FLOW_MEMORY = 1 << 30


def run(role: str, file: int, requests: int, out: int, *arguments: str) -> None:
    """Does all of the worker's work and ends the process."""
    if role in ("pages", "ocr"):
        _serve_pages(file, requests, out, recognize=role == "ocr")
    elif role == "damage":
        _serve_damage(file, out)
    else:
        _serve_whole(role, file, out, *arguments)
    os._exit(0)  # nothing to tidy up, and a damaged heap may not survive tidying


def _send(out: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(out, view) :]


def _serve_pages(descriptor: int, requests: int, out: int, *, recognize: bool) -> None:
    from longleaf.ingest.pdf import reader
    from longleaf.ingest.pdf.damage import is_sound, may_hide_layers
    from longleaf.ingest.pdf.file_structure import read_structure
    from longleaf.ingest.worker.page_frames import page_frame_bytes

    read_page: Callable[[Any, int], RawPage | None] = reader.read_page
    if recognize:
        from longleaf.ingest.ocr import recognize as recognizer

        read_page = partial(recognizer.read_page, engine=recognizer.open_engine())
    size = os.fstat(descriptor).st_size
    data = mmap.mmap(descriptor, size, access=mmap.ACCESS_COPY)
    if not recognize and may_hide_layers(data):
        read_page = partial(reader.read_page, layers=True)
    process_limits.confine(OCR_MEMORY if recognize else PAGES_MEMORY)
    document, problem = reader.open_document((ctypes.c_char * size).from_buffer(data), size)
    if document is None:
        _send(out, framing.frame({"error": problem}))
        return
    count = reader.page_count(document)
    _send(out, framing.frame({"count": count}))
    for line in io.FileIO(requests):
        request: Any = json.loads(line)
        if request == "structure":
            plain = reader.decrypted(document) if reader.is_encrypted(document) else data
            _send(out, framing.frame(read_structure(document, count, sound=is_sound(plain))))
            continue
        for page_index in request:
            page = read_page(document, page_index)
            if page is None:
                _send(out, framing.frame({"page": page_index, "failed": True}))
            else:
                _send(out, page_frame_bytes(page))


def _serve_damage(descriptor: int, out: int) -> None:
    from longleaf.ingest.pdf.damage import damaged_pages

    with mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ) as data:
        warm_up.damage(encrypted=data.find(b"/Encrypt") >= 0)
    process_limits.confine(DAMAGE_MEMORY)
    _send(out, framing.frame({"damaged": damaged_pages(io.FileIO(descriptor))}))


def _serve_whole(role: str, descriptor: int, out: int, kind: str, name: str) -> None:
    from longleaf.ingest.errors import IngestError
    from longleaf.ingest.worker import whole_file_worker

    file = io.FileIO(descriptor)
    whole_file_worker.warm_up(kind)
    process_limits.confine(FLOW_MEMORY)
    try:
        frames = whole_file_worker.flow_frames if role == "flow" else whole_file_worker.member_frames
        for data in frames(file, kind, name):
            _send(out, data)
    except IngestError as error:
        _send(out, framing.frame({"error": str(error)}))
    except MemoryError:
        words = f"{name}: reading it as {kind} needs more than {FLOW_MEMORY >> 20:,} MiB; it may be damaged"
        _send(out, framing.frame({"error": words}))
    except Exception as error:  # whatever a parser raises, this process tells of one file only and then ends
        said = " ".join(str(error).split())[:200]
        words = (
            f"{name}: reading it as {kind} failed ({type(error).__name__}: {said}); get or export it again"
        )
        _send(out, framing.frame({"error": words}))
