"""The worker process: reads one hostile file within limits and writes frames to its standard output.

Started as `python -c "...; main()" ROLE FD`: it reads the PDF from descriptor FD. Role "pages" answers
requests on standard input (lists of page indexes, or "labels"); role "structure" answers once.
"""

from __future__ import annotations

import ctypes
import io
import json
import logging
import mmap
import os
import sys
from typing import Any

from . import limits, warm, wire

PAGES_MEMORY = 1 << 30
STRUCTURE_MEMORY = 768 << 20


def main() -> None:
    role, descriptor = sys.argv[1], int(sys.argv[2])
    limits.die_with_parent()
    logging.disable(logging.CRITICAL)
    out = os.dup(1)
    os.dup2(2, 1)  # what a library prints must not get between the frames
    if role == "pages":
        _serve_pages(descriptor, out)
    else:
        _serve_structure(descriptor, out)
    os._exit(0)  # nothing to tidy up, and a damaged heap may not survive tidying


def _send(out: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(out, view) :]


def _serve_pages(descriptor: int, out: int) -> None:
    from . import pdf

    warm.pages()
    size = os.fstat(descriptor).st_size
    data = mmap.mmap(descriptor, size, access=mmap.ACCESS_COPY)
    limits.confine(PAGES_MEMORY)
    document, problem = pdf.open_document((ctypes.c_char * size).from_buffer(data), size)
    if document is None:
        _send(out, wire.frame({"error": problem}))
        return
    count = pdf.page_count(document)
    _send(out, wire.frame({"count": count}))
    for line in sys.stdin:
        request: Any = json.loads(line)
        if request == "labels":
            labels = [pdf.page_label(document, i) for i in range(min(count, 20_000))]
            _send(out, wire.frame({"labels": labels}))
            continue
        for page_index in request:
            page = pdf.read_page(document, page_index)
            if page is None:
                _send(out, wire.frame({"page": page_index, "failed": True}))
            else:
                _send(out, wire.page_frame_bytes(page))


def _serve_structure(descriptor: int, out: int) -> None:
    import pypdf

    from .structure import read_structure

    with mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ) as data:
        warm.structure(encrypted=data.find(b"/Encrypt") >= 0)
    limits.confine(STRUCTURE_MEMORY)
    reader = pypdf.PdfReader(io.FileIO(descriptor), strict=False)
    if reader.is_encrypted:
        reader.decrypt("")
    if "/Root" not in reader.trailer:
        os._exit(1)  # pypdf found nothing to read: the parent asks pdfium
    _send(out, wire.frame(read_structure(reader)))
