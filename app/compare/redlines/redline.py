"""Both versions in one file: tracked changes in a DOCX, or side by side in colour as HTML or PDF."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from longleaf.app.compare.changes import RawChange
from longleaf.app.compare.compare import Compared, Side, compare_texts, word_ops
from longleaf.app.compare.redlines.docx import redline_docx
from longleaf.app.output_file import write_file

_STYLE = """
body { font: 15px/1.5 Georgia, serif; margin: 2em; color: #1c2733 }
table { border-collapse: collapse; width: 100%; table-layout: fixed }
td { vertical-align: top; padding: .35em .9em; border-top: 1px solid #e3e8ed; overflow-wrap: anywhere }
td.kind { width: 6.5em; font: 12px/1.9 sans-serif; color: #55606b }
tr.differs { background: #fbfaf4 }
del { background: #fbd9d5; color: #8c1d12 } ins { background: #d6f0d8; color: #14551c; text-decoration: none }
th { text-align: left; padding: .35em .9em; font: bold 13px sans-serif }
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A clause on both sides: runs of text, each with whether the other side has it too."""

    kind: str  # of the change; empty where there is none
    old: tuple[tuple[str, bool], ...]
    new: tuple[tuple[str, bool], ...]
    old_page: str
    new_page: str


def write_redline(old: Side, new: Side, output: Path, old_docx: Path | None) -> None:
    """The ending of `output` says the format. Raises LongleafError."""
    compared = compare_texts(old, new)
    suffix = output.suffix.lower()
    if suffix == ".docx":
        data = redline_docx(compared, old_docx)
    elif suffix == ".pdf":
        from longleaf.app.compare.redlines.pdf import redline_pdf

        data = redline_pdf(old.document.name, new.document.name, list(rows(compared)))
    else:
        data = _page(old.document.name, new.document.name, compared).encode()
    write_file(output, data)


def rows(compared: Compared) -> Iterator[Row]:
    """Every clause in the order of the new version; what moved stands at both of its places."""
    by_old = {change.old: change for change in compared.changes if change.old}
    by_new = {change.new: change for change in compared.changes if change.new}
    for pairing in compared.pairings:
        a = (pairing.old[0].start, pairing.old[-1].end) if pairing.old else None
        b = (pairing.new[0].start, pairing.new[-1].end) if pairing.new else None
        change = by_new.get(b) if b else by_old.get(a) if a else None
        if change is None:
            yield Row(
                "", _plain(compared, a, old=True), _plain(compared, b, old=False), *_pages(compared, a, b)
            )
            continue
        yield Row(change.kind, *_sides(compared, change), *_pages(compared, change.old, change.new))


def _plain(compared: Compared, part: tuple[int, int] | None, *, old: bool) -> tuple[tuple[str, bool], ...]:
    side = compared.old if old else compared.new
    return ((side.text(*part), True),) if part else ()


def _sides(
    compared: Compared, change: RawChange
) -> tuple[tuple[tuple[str, bool], ...], tuple[tuple[str, bool], ...]]:
    ops = word_ops(compared, change)
    old = tuple((op.text, op.op == "equal") for op in ops if op.op != "insert")
    new = tuple((op.text, op.op == "equal") for op in ops if op.op != "delete")
    return old if change.old else (), new if change.new else ()


def _pages(compared: Compared, old: tuple[int, int] | None, new: tuple[int, int] | None) -> tuple[str, str]:
    found = []
    for side, part in ((compared.old, old), (compared.new, new)):
        index = side.words[part[0]].page_index if part else None
        found.append(next((p.label for p in side.document.pages if p.page_index == index), ""))
    return found[0], found[1]


def _page(old_name: str, new_name: str, compared: Compared) -> str:
    body = []
    for row in rows(compared):
        cells = [
            "".join(
                html.escape(text) if same else f"<{tag}>{html.escape(text)}</{tag}>" for text, same in runs
            )
            for tag, runs in (("del", row.old), ("ins", row.new))
        ]
        pages = "→".join(dict.fromkeys(p for p in (row.old_page, row.new_page) if p))
        mark = f"{row.kind} " if row.kind else ""
        differs = ' class="differs"' if row.kind else ""
        body.append(
            f'<tr{differs}><td class="kind">{html.escape(mark)}p. {html.escape(pages)}</td>'
            f"<td>{cells[0]}</td><td>{cells[1]}</td></tr>"
        )
    title = html.escape(f"{old_name} → {new_name}")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body><table>"
        f'<colgroup><col style="width:8em"><col><col></colgroup>'
        f"<tr><th></th><th>{html.escape(old_name)}</th><th>{html.escape(new_name)}</th></tr>\n"
        + "\n".join(body)
        + "\n</table></body></html>\n"
    )
