"""Both versions side by side on pages, words that differ in colour."""

from __future__ import annotations

import io
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from longleaf.app.compare.redlines.redline import Row

_FONT, _BOLD = "Vera", "VeraBd"  # come with reportlab and hold the Latin letters
_MARGIN, _NARROW = 40.0, 56.0
_LONG = 3000  # characters of one cell; a longer one goes on in the next row, as a row cannot break


def redline_pdf(old_name: str, new_name: str, rows: Sequence[Row]) -> bytes:
    from reportlab.lib import colors
    from reportlab.lib.pagesizes import A4, landscape
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Table, TableStyle

    for font in (_FONT, _BOLD):
        registerFont(TTFont(font, f"{font}.ttf"))
    body = ParagraphStyle("body", fontName=_FONT, fontSize=7.5, leading=10.5)
    head = ParagraphStyle("head", parent=body, fontName=_BOLD)
    small = ParagraphStyle("small", parent=body, fontSize=6.5, textColor=colors.HexColor("#55606b"))
    data = [["", Paragraph(escape(old_name), head), Paragraph(escape(new_name), head)]]
    differing: list[int] = []
    for row in rows:
        pages = "→".join(dict.fromkeys(p for p in (row.old_page, row.new_page) if p))
        first = True
        for old, new in _cut(row):
            if row.kind:
                differing.append(len(data))
            mark = f"{row.kind}<br/>p. {escape(pages)}" if row.kind else f"p. {escape(pages)}"
            data.append([Paragraph(mark if first else "", small), Paragraph(old, body), Paragraph(new, body)])
            first = False
    width, height = landscape(A4)
    column = (width - 2 * _MARGIN - _NARROW) / 2
    style = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEABOVE", (0, 1), (-1, -1), 0.3, colors.HexColor("#d5dce3")),
        *(("BACKGROUND", (0, n), (-1, n), colors.HexColor("#fbfaf4")) for n in differing),
    ]
    table = Table(
        data, colWidths=[_NARROW, column, column], style=TableStyle(style), repeatRows=1, splitInRow=1
    )
    out = io.BytesIO()
    SimpleDocTemplate(
        out,
        pagesize=(width, height),
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=_MARGIN,
        bottomMargin=_MARGIN,
        title=f"{old_name} → {new_name}",
    ).build([table])
    return out.getvalue()


def _cut(row: Row) -> list[tuple[str, str]]:
    """The marked-up text of both cells, in pieces that fit on a page."""
    cells = [_pieces(row.old, "#8c1d12", "strike"), _pieces(row.new, "#14551c", "u")]
    longest = max(map(len, cells))
    old, new = (cell + [""] * (longest - len(cell)) for cell in cells)
    return list(zip(old, new, strict=True))


def _pieces(runs: Sequence[tuple[str, bool]], colour: str, tag: str) -> list[str]:
    made, size = [""], 0
    for text, same in runs:
        for at in range(0, len(text), _LONG):
            part = text[at : at + _LONG]
            if size + len(part) > _LONG:
                made.append("")
                size = 0
            plain = escape(part)
            made[-1] += plain if same else f'<font color="{colour}"><{tag}>{plain}</{tag}></font>'
            size += len(part)
    return made
