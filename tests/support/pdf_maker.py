"""PDFs made for tests: text at known places, so that what is read can be compared with what was written."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

LETTER = (612.0, 792.0)

Draw = Callable[[Canvas, int], None]


def make_pdf(path: Path, pages: Sequence[Draw], *, size: tuple[float, float] = LETTER) -> Path:
    """Writes a PDF with one page a drawing function, each called with the canvas and the page index."""
    path.write_bytes(pdf_bytes(pages, size=size))
    return path


def pdf_bytes(pages: Sequence[Draw], *, size: tuple[float, float] = LETTER) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=size, invariant=1)
    for index, draw in enumerate(pages):
        draw(canvas, index)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def lines(
    canvas: Canvas,
    texts: Sequence[str],
    *,
    x: float = 72,
    top: float = 72,
    size: float = 11,
    leading: float = 14,
    font: str = "Times-Roman",
) -> float:
    """Draws one line a text from `top` points below the upper edge; returns the next line's top."""
    height = canvas._pagesize[1]
    canvas.setFont(font, size)
    for text in texts:
        canvas.drawString(x, height - top - size, text)
        top += leading
    return top


def paragraph(
    canvas: Canvas,
    text: str,
    *,
    x: float = 72,
    top: float = 72,
    width: float = 468,
    size: float = 11,
    leading: float = 14,
    font: str = "Times-Roman",
) -> float:
    """Draws text broken into lines of at most `width` points; returns the next line's top."""
    broken: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and canvas.stringWidth(longer, font, size) > width:
            broken.append(line)
            longer = word
        line = longer
    return lines(canvas, [*broken, line], x=x, top=top, size=size, leading=leading, font=font)
