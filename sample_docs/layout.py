"""How the samples look: styles, page templates with running headers, printed page labels, outline, tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_RIGHT
from reportlab.lib.pagesizes import LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    ActionFlowable,
    BaseDocTemplate,
    Flowable,
    Frame,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Table,
    TableStyle,
)
from reportlab.platypus.tableofcontents import TableOfContents

WIDTH, HEIGHT = LETTER
MARGIN = 72.0
GUTTER = 18.0
INK = colors.HexColor("#1c2733")
RULE = colors.HexColor("#9aa7b4")

BODY = ParagraphStyle(
    "body", fontName="Times-Roman", fontSize=10.5, leading=13.6, alignment=TA_JUSTIFY, spaceAfter=6
)
REPORT = ParagraphStyle("report", parent=BODY, fontSize=12, leading=17, spaceAfter=9)
COLUMN = ParagraphStyle("column", parent=BODY, fontSize=11, leading=15, spaceAfter=7)
CLAUSE = ParagraphStyle("clause", parent=BODY, leftIndent=18)
LIST = ParagraphStyle("list", parent=BODY, leftIndent=18, bulletIndent=6)
TITLE = ParagraphStyle(
    "title", fontName="Helvetica-Bold", fontSize=24, leading=30, alignment=TA_CENTER, textColor=INK
)
SUBTITLE = ParagraphStyle("subtitle", parent=TITLE, fontName="Helvetica", fontSize=13, leading=18)
H1 = ParagraphStyle(
    "h1",
    fontName="Helvetica-Bold",
    fontSize=15,
    leading=19,
    spaceBefore=10,
    spaceAfter=8,
    textColor=INK,
    keepWithNext=1,
)
H2 = ParagraphStyle("h2", parent=H1, fontSize=11.5, leading=14.5, spaceBefore=8, spaceAfter=4)
H3 = ParagraphStyle("h3", parent=H2, fontName="Helvetica-BoldOblique", fontSize=10.5, leading=13.5)
ARTICLE = ParagraphStyle("article", parent=H1, fontSize=11.5, leading=15, spaceBefore=10, spaceAfter=4)
CAPTION = ParagraphStyle(
    "caption", parent=BODY, fontName="Times-Italic", fontSize=9.5, keepWithNext=1, spaceAfter=3
)
NUMBER_CELL = ParagraphStyle("number", fontName="Helvetica", fontSize=8.5, leading=11, alignment=TA_RIGHT)


@dataclass(frozen=True)
class LabelRun:
    """Page labels from `first_page` (1-based position) on: `style` is "r", "D" or None, counted from `start`."""

    first_page: int
    style: str | None
    start: int
    prefix: str = ""


def roman(number: int) -> str:
    digits = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
    out = ""
    for value, text in digits:
        while number >= value:
            out, number = out + text, number - value
    return out


class Sample(BaseDocTemplate):  # type: ignore[misc]
    """A document whose pages carry running headers and printed labels that agree with its PDF page labels.

    A `Mark` flowable starts a new run of labels; headings of level 1 and 2 go to the outline and,
    if the document has one, to the table of contents.
    """

    def __init__(self, path: Path, *, title: str, author: str, header: str, file_labels: bool) -> None:
        super().__init__(
            str(path), pagesize=LETTER, title=title, author=author, invariant=1, pageCompression=1
        )
        self.header = header
        self.file_labels = file_labels
        self.section = ""
        self.runs: list[LabelRun] = []
        self.runs_before: list[
            LabelRun
        ] = []  # of the pass before: the contents come ahead of the pages they list
        column = (WIDTH - 2 * MARGIN - GUTTER) / 2
        height = HEIGHT - 2 * MARGIN
        whole = Frame(MARGIN, MARGIN, WIDTH - 2 * MARGIN, height, 0, 0, 0, 0, id="whole")
        left = Frame(MARGIN, MARGIN, column, height, 0, 0, 0, 0, id="left")
        right = Frame(MARGIN + column + GUTTER, MARGIN, column, height, 0, 0, 0, 0, id="right")
        self.addPageTemplates(
            [
                PageTemplate(id="cover", frames=[whole]),
                PageTemplate(id="one", frames=[whole], onPageEnd=self._running),
                PageTemplate(id="two", frames=[left, right], onPageEnd=self._running),
            ]
        )

    def beforeDocument(self) -> None:
        self.runs_before = self.runs
        self.runs = [LabelRun(1, "r" if self.file_labels else "D", 1)]
        self.section = ""
        self._keys = 0

    def label(self, page: int, *, before: bool = False) -> str:
        runs = [run for run in (self.runs_before if before else self.runs) if run.first_page <= page]
        if not runs:
            return ""
        run = max(runs, key=lambda run: run.first_page)
        number = page - run.first_page + run.start
        return run.prefix + (roman(number) if run.style == "r" else str(number))

    def _running(self, canvas: Canvas, _doc: object) -> None:
        canvas.saveState()
        canvas.setFont("Helvetica", 8)
        canvas.setFillColor(INK)
        canvas.drawString(MARGIN, HEIGHT - 46, self.header)
        if self.section and self.file_labels:
            canvas.drawRightString(WIDTH - MARGIN, HEIGHT - 46, self.section)
        canvas.setStrokeColor(RULE)
        canvas.setLineWidth(0.5)
        canvas.line(MARGIN, HEIGHT - 52, WIDTH - MARGIN, HEIGHT - 52)
        canvas.drawCentredString(WIDTH / 2, 40, self.label(canvas.getPageNumber()))
        canvas.restoreState()

    def afterFlowable(self, flowable: Flowable) -> None:
        level = {"h1": 0, "article": 0, "h2": 1}.get(getattr(getattr(flowable, "style", None), "name", ""))
        if level is None:
            return
        text = flowable.getPlainText()
        if level == 0:
            self.section = text
        self._keys += 1
        key = f"h{self._keys}"
        self.canv.bookmarkPage(key)
        self.canv.addOutlineEntry(text, key, level=level, closed=level == 0)
        self.notify("TOCEntry", (level, escape(text), self.page, key))

    def afterPage(self) -> None:
        if self.file_labels or len(self.runs) > 1:
            for run in self.runs:
                style = {"r": "ROMAN_LOWER", "D": "ARABIC", None: None}[run.style]
                self.canv.addPageLabel(run.first_page - 1, style, run.start, run.prefix or None)


class Mark(ActionFlowable):  # type: ignore[misc]
    """Starts a run of page labels on the page that it stands on."""

    def __init__(self, style: str, prefix: str = "") -> None:
        super().__init__()
        self.run = (style, prefix)

    def apply(self, doc: Sample) -> None:
        style, prefix = self.run
        doc.runs.append(LabelRun(doc.page, style, 1, prefix))


def contents(doc: Sample) -> TableOfContents:
    top = ParagraphStyle("toc1", fontName="Helvetica-Bold", fontSize=9.5, leading=14, spaceBefore=3)
    sub = ParagraphStyle("toc2", fontName="Helvetica", fontSize=9, leading=11.5, leftIndent=14)
    return TableOfContents(
        levelStyles=[top, sub], dotsMinLevel=0, formatter=lambda page: doc.label(int(page), before=True)
    )


def turn(template: str) -> list[Flowable]:
    """Ends the page and goes on with pages of `template`."""
    return [NextPageTemplate(template), PageBreak()]


def text(words: str, style: ParagraphStyle = BODY, **kwargs: Any) -> Paragraph:
    return Paragraph(escape(words), style, **kwargs)


def bullets(items: Sequence[str]) -> list[Flowable]:
    return [text(item, LIST, bulletText="•") for item in items]


def money(amount: int) -> str:
    """Whole thousands with separators; negative amounts in parentheses, zero as a dash."""
    return "—" if amount == 0 else f"({-amount:,})" if amount < 0 else f"{amount:,}"


def grid(rows: Sequence[Sequence[str]], widths: Sequence[float] | None = None) -> Table:
    """A ruled table of words, its first row the heads."""
    head = ParagraphStyle("head", fontName="Helvetica-Bold", fontSize=8.5, leading=10.5)
    cell = ParagraphStyle("cell", parent=head, fontName="Helvetica")
    data = [[text(word, head if i == 0 else cell) for word in row] for i, row in enumerate(rows)]
    style = TableStyle(
        [
            ("GRID", (0, 0), (-1, -1), 0.4, RULE),
            ("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#e8edf2")),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ]
    )
    return Table(data, colWidths=widths, style=style, spaceBefore=6, spaceAfter=8, repeatRows=1)


def figures(
    heads: Sequence[str],
    rows: Sequence[tuple[str, Sequence[int | str]]],
    *,
    totals: Sequence[str] = (),
    dollars: Sequence[str] = (),
    wide: float = 0.0,
    show: Callable[[int], str] = money,
) -> Table:
    """A statement: labels on the left, figures right-aligned, a rule above each row named in `totals`.

    A row without figures is a caption. Rows named in `dollars` show the currency sign.
    """
    label = ParagraphStyle(
        "label", fontName="Helvetica", fontSize=8.5, leading=10.5, leftIndent=8, firstLineIndent=-8
    )
    bold = ParagraphStyle("bold", parent=label, fontName="Helvetica-Bold")
    columns = len(heads) - 1
    whole = WIDTH - 2 * MARGIN
    first = wide or whole - columns * min(76.0, whole * 0.62 / columns)
    data: list[list[Any]] = [[text(heads[0], bold), *heads[1:]]]
    style: list[tuple[Any, ...]] = [
        ("FONT", (1, 0), (-1, -1), "Helvetica", 8.5),
        ("FONT", (1, 0), (-1, 0), "Helvetica-Bold", 8.5),
        ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
        ("VALIGN", (0, 0), (-1, -1), "BOTTOM"),
        ("LINEBELOW", (0, 0), (-1, 0), 0.8, INK),
        ("TOPPADDING", (0, 0), (-1, -1), 2.4),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2.4),
        ("RIGHTPADDING", (1, 0), (-1, -1), 3),
    ]
    for i, (name, values) in enumerate(rows, start=1):
        shown = [value if isinstance(value, str) else show(value) for value in values]
        if name in dollars:
            shown = [f"$ {value}" for value in shown]
        strong = name in totals or not values
        data.append([text(name, bold if strong else label), *shown, *[""] * (columns - len(shown))])
        if name in totals:
            style.append(("LINEABOVE", (1, i), (-1, i), 0.5, INK))
            style.append(("FONT", (1, i), (-1, i), "Helvetica-Bold", 8.5))
    widths = [first, *[(whole - first) / columns] * columns]
    return Table(data, colWidths=widths, style=TableStyle(style), spaceBefore=4, spaceAfter=10, repeatRows=1)
