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


def columns(canvas: Canvas, left: str, right: str, *, top: float = 72) -> float:
    """Two columns of prose, written line by line across both as some programs do; returns the next top."""
    below = paragraph(canvas, left, x=60, width=230, top=top)
    return max(below, paragraph(canvas, right, x=322, width=230, top=top))


def show(canvas: Canvas, operators: str, *, x: float = 72, top: float = 72, size: float = 12) -> None:
    """Text operators as they are, in Times at a place."""
    canvas.setFont("Times-Roman", size)
    text = canvas.beginText(x, canvas._pagesize[1] - top - size)
    text._code.append(operators)
    canvas.drawText(text)


def raw_pdf(objects: Sequence[str | bytes], *, root: int = 1, trailer: str = "") -> bytes:
    """A PDF of hand-written objects, numbered from 1, with a right cross-reference table."""
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        content = body.encode("latin-1") if isinstance(body, str) else body
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root {root} 0 R {trailer} >>\n".encode("latin-1")
    out += b"startxref\n%d\n%%%%EOF\n" % start
    return bytes(out)


def stream(content: str | bytes, entries: str = "") -> bytes:
    """A stream object with its length."""
    data = content.encode("latin-1") if isinstance(content, str) else content
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), entries.encode(), data)


def mapped_pdf(text: bytes, to_unicode: dict[int, str]) -> bytes:
    """One line of text whose codes the font's ToUnicode map gives the meaning of `to_unicode`."""
    rows = "\n".join(
        f"<{code:02X}> <{meaning.encode('utf-16-be').hex()}>" for code, meaning in sorted(to_unicode.items())
    )
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def /CMapType 2 def\n"
        "1 begincodespacerange <00> <FF> endcodespacerange\n"
        f"{len(to_unicode)} beginbfchar\n{rows}\nendbfchar endcmap end end"
    )
    widths = " ".join(["500"] * 256)
    return raw_pdf(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
            "/Resources << /Font << /F1 5 0 R >> >> >>",
            stream(b"BT /F1 12 Tf 72 700 Td <" + text.hex().encode() + b"> Tj ET"),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Odd /Encoding /WinAnsiEncoding "
            f"/FirstChar 0 /LastChar 255 /Widths [{widths}] /ToUnicode 6 0 R >>",
            stream(cmap),
        ]
    )
