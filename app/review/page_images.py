"""Pictures of pages, drawn by pdfium in a process of its own that a hostile file may end."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from PIL import Image

from longleaf import LongleafError
from longleaf.ingest.document import Page

MAX_PIXELS = 8_000_000
SECONDS = 30.0


class RenderError(LongleafError):
    """A page that cannot be drawn."""


@dataclass(frozen=True, slots=True)
class PageImage:
    """`width` and `height` in pixels; `media` is "image/png" or "image/svg+xml"."""

    data: bytes
    width: int
    height: int
    media: str = "image/png"


@dataclass(frozen=True, slots=True)
class Mark:
    """A rectangle on a page, as fractions of the page's width and height from the top left."""

    left: float
    top: float
    width: float
    height: float


def page_image(path: Path, page_index: int, *, width: int = 1200, seconds: float = SECONDS) -> PageImage:
    """Draws a page `width` pixels wide, or smaller if that would be more than MAX_PIXELS.

    Raises RenderError if the file cannot be read, has no such page, or takes longer than `seconds`.
    """
    where = f"{path.name}, page {page_index + 1}"
    try:
        file = path.open("rb")
    except OSError as error:
        raise RenderError(f"{where}: the file cannot be opened ({error.strerror})") from error
    boot = (
        f"import sys; sys.path[:] = {[p for p in sys.path if p]!r}; "
        "from longleaf.app.review.page_image_worker import main; main()"
    )
    with file:
        request = [str(number) for number in (file.fileno(), page_index, width, MAX_PIXELS)]
        try:
            worker = subprocess.run(
                [sys.executable, "-c", boot, *request],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pass_fds=(file.fileno(),),
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise RenderError(f"{where}: not drawn within {seconds:g} seconds") from None
    head, _, pixels = worker.stdout.partition(b"\n")
    try:
        answer = json.loads(head)
        size = (int(answer["width"]), int(answer["height"]))
    except (ValueError, TypeError, KeyError):
        reason = f"the process that drew it ended with code {worker.returncode}"
        raise RenderError(f"{where}: cannot be drawn, {reason}") from None
    if "problem" in answer:
        raise RenderError(f"{where}: {answer['problem']}")
    if min(size) < 1 or size[0] * size[1] > MAX_PIXELS or len(pixels) != size[0] * size[1] * 3:
        raise RenderError(f"{where}: cannot be drawn, the picture is not whole")
    buffer = io.BytesIO()
    Image.frombytes("RGB", size, pixels).save(buffer, "PNG", compress_level=4)
    return PageImage(buffer.getvalue(), *size)


def text_image(page: Page) -> PageImage:
    """A page's text set where its characters' boxes say, for formats that have no pages to draw."""
    lines: list[str] = []
    for text, x0, y0, x1, y1 in _runs(page):
        lines.append(
            f'<text x="{x0:.1f}" y="{y1 - 0.22 * (y1 - y0):.1f}" font-size="{0.95 * (y1 - y0):.1f}" '
            f'textLength="{x1 - x0:.1f}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
        )
    width, height = max(round(page.width), 1), max(round(page.height), 1)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="Liberation Mono, Menlo, Consolas, monospace" fill="#1c2733">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(lines)}</svg>'
    )
    return PageImage(svg.encode(), width, height, "image/svg+xml")


def _runs(page: Page) -> Iterator[tuple[str, float, float, float, float]]:
    """Words that stand beside each other on a line, with the box around them."""
    run: tuple[str, float, float, float, float] | None = None
    for character, (x0, y0, x1, y1) in zip(page.text, page.boxes.tolist(), strict=True):
        if run is not None and x0 == x0 and abs(x0 - run[3]) < 0.5 and abs(y0 - run[2]) < 0.5:
            run = (run[0] + character, run[1], run[2], x1, run[4])
            continue
        if run is not None and run[0].strip():
            yield run
        run = (character, x0, y0, x1, y1) if x0 == x0 else None
    if run is not None and run[0].strip():
        yield run


def marks(
    boxes: Iterable[tuple[float, float, float, float]], page_width: float, page_height: float
) -> tuple[Mark, ...]:
    """Boxes of a page (points, origin top left) as marks; what lies outside the page is cut off."""
    if page_width <= 0 or page_height <= 0:
        return ()
    found = []
    for x0, y0, x1, y1 in boxes:
        left, right = (min(max(x / page_width, 0.0), 1.0) for x in (x0, x1))
        top, bottom = (min(max(y / page_height, 0.0), 1.0) for y in (y0, y1))
        if right > left and bottom > top:
            found.append(Mark(left, top, right - left, bottom - top))
    return tuple(found)
