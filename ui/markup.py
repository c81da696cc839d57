"""The page's own HTML, styled by style.css. Every text that comes from a document goes through `escape`."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape

from longleaf.app.export import phrases
from longleaf.app.review.page_images import Mark, PageImage
from longleaf.app.schema import KeyFact, SectionSummary, Statement, Status


def title(name: str, meta: str) -> str:
    return f'<div class="ll-title">{escape(name)}</div><div class="ll-meta">{escape(meta)}</div>'


def heading(words: str, note: str = "") -> str:
    return f'<div class="ll-head">{escape(words)} <small>{escape(note)}</small></div>'


def gaps(lines: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<div class="ll-gaps" role="alert"><b>{phrases.GAPS_TITLE}</b><ul>{items}</ul></div>'


def badge(status: Status) -> str:
    return f'<span class="ll-badge ll-{status}">{phrases.STATUS_WORDS[status]}</span>'


def fact_name(fact: KeyFact) -> str:
    return f'<div class="ll-fact">{escape(fact.title)}</div>{badge(fact.status)}'


def fact_value(fact: KeyFact) -> str:
    if fact.status == "not_found":
        return statement(fact, with_badge=False)
    values = "; ".join(fact.values)
    if not values or values == fact.text:
        return f'<div class="ll-text ll-clause">{escape(fact.text)}</div>'
    shown = f'<div class="ll-value">{escape(values)}</div>'
    if fact.text:
        shown += f'<div class="ll-text ll-clause">{escape(fact.text)}</div>'
    return shown


def statement(said: Statement, *, with_badge: bool = True) -> str:
    mark = f" {badge(said.status)}" if with_badge else ""
    if said.status == "not_found":
        searched = phrases.pages_searched(said)
        words = escape(said.text) + (f" ({escape(searched)})" if searched else "")
        return f'<div class="ll-none">{words}{mark}</div>'
    return f'<div class="ll-text">{escape(said.text)}{mark}</div>'


def section_title(section: SectionSummary) -> str:
    return f"{section.title} (p. {phrases.page_span(section)})"


def position(label: str, page_index: int, page_count: int) -> str:
    return (
        f'<div class="ll-where" data-page-index="{page_index}" data-page-label="{escape(label)}">'
        f"Page <b>{escape(label)}</b> <span>({page_index + 1} of {page_count})</span></div>"
    )


def quote(words: str) -> str:
    return f'<div class="ll-quote">{escape(words)}</div>'


def busy(stage: str, seconds: float) -> str:
    """A bar for work whose length is not known."""
    words = escape(stage[:1].upper() + stage[1:])
    return f'<div class="ll-busy">{words} <span>{seconds:.0f} s</span><div class="ll-bar"><i></i></div></div>'


def waiting(words: str) -> str:
    return f'<div class="ll-wait">{escape(words)}</div>'


def sheet(image: PageImage, marks: Sequence[Mark], description: str, *, whole: bool) -> str:
    """The page with its marks on top; `whole` fits it into the window, else it takes the column's width."""
    boxes = "".join(
        f'<div class="ll-mark" title="cited words" style="left:{m.left:.4%};top:{m.top:.4%};'
        f'width:{m.width:.4%};height:{m.height:.4%}"></div>'
        for m in marks
    )
    ratio = f"{image.width} / {image.height}"
    fit = f"height: calc(100vh - 13rem); min-height: 24rem; max-width: 100%; aspect-ratio: {ratio}"
    size = fit if whole else f"width: 100%; aspect-ratio: {ratio}"
    data = base64.b64encode(image.data).decode()
    return (
        f'<div class="ll-sheet"><div class="ll-page" style="{size}">'
        f'<img alt="{escape(description)}" src="data:{image.media};base64,{data}">{boxes}</div></div>'
    )
