"""The process that draws one page of an untrusted file.

Arguments: descriptor of the file, page index, wanted width and largest number of pixels. It writes one line
of JSON (`width`, `height`, and `problem` if there is one) and then the pixels, three bytes each, red first.
"""

from __future__ import annotations

import io
import json
import os
import sys
from typing import Any

MEMORY = 1 << 30


def main() -> None:
    descriptor, page_index, width, max_pixels = map(int, sys.argv[1:5])
    from longleaf.ingest import process_limits

    process_limits.die_with_parent()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get among the pixels
    import pypdfium2

    process_limits.confine(MEMORY)
    head, pixels = _draw(pypdfium2, descriptor, page_index, width, max_pixels)
    out.write(json.dumps(head).encode() + b"\n" + pixels)
    out.flush()
    os._exit(0)  # nothing to tidy up, and a damaged heap may not survive tidying


def _draw(
    pdfium: Any, descriptor: int, page_index: int, width: int, max_pixels: int
) -> tuple[dict[str, Any], bytes]:
    def problem(words: str) -> tuple[dict[str, Any], bytes]:
        return {"width": 0, "height": 0, "problem": words}, b""

    try:
        document = pdfium.PdfDocument(io.FileIO(descriptor, closefd=False))
    except pdfium.PdfiumError:
        return problem("the file cannot be opened as a PDF")
    if not 0 <= page_index < len(document):
        return problem(f"there is no such page, the file has {len(document)}")
    try:
        document.init_forms()
        page = document[page_index]
        page_width, page_height = page.get_size()
        if not (0 < page_width < 1e6 and 0 < page_height < 1e6):
            return problem(f"its size of {page_width:g} by {page_height:g} points cannot be drawn")
        scale = min(width / page_width, (max_pixels / (page_width * page_height)) ** 0.5 * 0.999)
        if min(page_width, page_height) * scale < 1:
            return problem(f"its size of {page_width:g} by {page_height:g} points cannot be drawn")
        bitmap = page.render(scale=scale, rev_byteorder=True, force_bitmap_format=pdfium.raw.FPDFBitmap_BGR)
    except (pdfium.PdfiumError, MemoryError):
        return problem("pdfium cannot draw it")
    row = bitmap.width * 3
    data = bytes(bitmap.buffer)
    lines = (data[i * bitmap.stride : i * bitmap.stride + row] for i in range(bitmap.height))
    return {"width": bitmap.width, "height": bitmap.height}, b"".join(lines)
