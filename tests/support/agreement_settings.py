"""The sample agreement set in other ways: DOCX, two columns, another font and page size, scanned."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import docx
import pypdfium2
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Spacer, Table

from sample_docs import agreement
from sample_docs.layout import text

Rows = list[list[str]]


def parts(name: str) -> Iterator[str | Rows]:
    """The agreement's paragraphs and tables in order."""
    terms = agreement.VERSIONS[name]
    yield agreement.TITLE.upper()
    yield terms["dates"]
    yield from agreement.PARTIES
    yield agreement.PARTIES_TAIL
    yield "Background"
    yield from (f"{mark}. {words}" for mark, words in zip("ABC", agreement.RECITALS, strict=True))
    yield "The Parties therefore agree as follows."
    for number, article in enumerate(agreement.ARTICLES, start=1):
        yield f"Article {number}. {article.title}"
        for part, (caption, words) in enumerate(article.clauses, start=1):
            clause = words.format(**terms)
            joined = f"“{caption}” {clause}" if number == 1 else f"{caption}. {clause}"
            yield f"{number}.{part} {joined}"
    yield "Signed by the authorized representatives of the Parties, to take effect on the Effective Date."
    yield [
        [line.format(company=c, person=p, role=r) for c, p, r in agreement.SIGNATURES]
        for line in ("{company}", "By: ______________", "Name: {person}", "Title: {role}")
    ]
    for code, title, intro, rows in agreement.EXHIBITS:
        yield f"{code}. {title}"
        yield intro
        yield [list(row) for row in rows]


def paragraphs(name: str) -> list[str]:
    return [part for part in parts(name) if isinstance(part, str)]


def as_docx(name: str, path: Path, content: Sequence[str | Rows] | None = None) -> Path:
    made = docx.Document()
    made.sections[0].header.paragraphs[0].text = agreement.HEADER
    for part in content or parts(name):
        if isinstance(part, str):
            made.add_paragraph(part)
            continue
        table = made.add_table(rows=0, cols=len(part[0]))
        for row in part:
            for cell, words in zip(table.add_row().cells, row, strict=True):
                cell.text = words
    made.save(str(path))
    return path


def as_pdf(
    name: str,
    path: Path,
    *,
    columns: int,
    font: str,
    points: float,
    size: tuple[float, float] = LETTER,
    content: Sequence[str | Rows] | None = None,
) -> Path:
    margin, gutter = 60.0, 22.0
    width, height = size
    column = (width - 2 * margin - gutter * (columns - 1)) / columns
    body = ParagraphStyle(
        "body", fontName=font, fontSize=points, leading=1.25 * points, spaceAfter=0.5 * points
    )
    cell = ParagraphStyle("cell", parent=body, spaceAfter=0, fontSize=points - 1, leading=1.2 * points)

    def running(canvas: Canvas, _: object) -> None:
        canvas.setFont("Helvetica", 7)
        canvas.drawRightString(width - margin, height - 30, "Kestrel Bay and Northmoor, confidential")
        canvas.drawString(margin, 28, f"Page {canvas.getPageNumber()}")

    frames = [
        Frame(margin + n * (column + gutter), margin, column, height - 2 * margin, 0, 0, 0, 0)
        for n in range(columns)
    ]
    story: list[Flowable] = []
    for part in content or parts(name):
        if isinstance(part, str):
            story.append(text(part, body))
            continue
        rows = [[text(words, cell) for words in row] for row in part]
        grid = [("GRID", (0, 0), (-1, -1), 0.4, colors.grey), ("VALIGN", (0, 0), (-1, -1), "TOP")]
        story += [
            Table(rows, style=grid, colWidths=[column / len(part[0])] * len(part[0])),
            Spacer(1, points),
        ]
    made = BaseDocTemplate(str(path), pagesize=size, invariant=1)
    made.addPageTemplates([PageTemplate(frames=frames, onPage=running)])
    made.build(story)
    return path


def as_scan(pdf: Path, path: Path, dpi: int = 150, pages: int | None = None) -> Path:
    """Pictures of a PDF's pages, without a letter of text."""
    source = pypdfium2.PdfDocument(pdf)
    canvas = Canvas(str(path), invariant=1)
    for page in list(source)[:pages]:
        picture = io.BytesIO()
        page.render(scale=dpi / 72).to_pil().convert("L").save(picture, "PNG")
        canvas.setPageSize(page.get_size())
        from reportlab.lib.utils import ImageReader

        canvas.drawImage(ImageReader(io.BytesIO(picture.getvalue())), 0, 0, *page.get_size())
        canvas.showPage()
    canvas.save()
    source.close()
    return path


SETTINGS = {
    "docx": lambda name, folder: as_docx(name, folder / f"{name}.docx"),
    "two columns": lambda name, folder: as_pdf(
        name, folder / f"{name}-two.pdf", columns=2, font="Times-Roman", points=9.5
    ),
    "font and page": lambda name, folder: as_pdf(
        name, folder / f"{name}-a4.pdf", columns=1, font="Helvetica", points=12, size=A4
    ),
}
