"""What could not be read, in the form that is shown, with printed page labels."""

from __future__ import annotations

import re

from longleaf.app.schema import GapReport
from longleaf.app.text.language import NAMES, READ, document_languages
from longleaf.ingest.document import Document

_WORTH_SAYING = 0.15  # of the text in another language


def gap_reports(document: Document) -> list[GapReport]:
    """What the document's language keeps from being read, then what of its pages could not be."""
    labels = {page.page_index: page.label for page in document.pages}
    return _language_gaps(document) + [
        GapReport(
            kind=gap.kind,
            detail=gap.detail,
            file=document.name,
            page_index=gap.page_index,
            page_label=labels.get(gap.page_index) if gap.page_index is not None else None,
        )
        for gap in document.gaps
    ]


def page_ranges(document: Document, page_indexes: set[int]) -> str:
    """Printed labels of pages, runs of one style joined: "iii–v, 1–40, A-1"."""
    runs: list[list[str]] = []
    last, last_style = -2, ""
    for page in document.pages:
        if page.page_index not in page_indexes:
            continue
        style = re.sub(r"\d+$|^[ivxlcdm]+$", "", page.label.lower())
        style = f"{style}{'1' if page.label[-1:].isdigit() else 'i'}"
        if page.page_index == last + 1 and style == last_style:
            runs[-1] = [runs[-1][0], page.label]
        else:
            runs.append([page.label])
        last, last_style = page.page_index, style
    return ", ".join("–".join(dict.fromkeys(run)) for run in runs)


def unreadable(document: Document) -> str:
    """Why a document without a word of text cannot be read, naming the first few pages and their gaps."""
    labels = {page.page_index: page.label for page in document.pages}
    reasons = []
    for gap in document.gaps[:3]:
        where = "" if gap.page_index is None else f"page {labels.get(gap.page_index, gap.page_index + 1)}: "
        reasons.append(where + gap.detail)
    more = len(document.gaps) - len(reasons)
    reasons += [f"and {more:,} more like it"] if more > 0 else []
    why = "; ".join(reasons) or "its pages are blank"
    return f"{document.name}: no page of it could be read ({why})"


def _language_gaps(document: Document) -> list[GapReport]:
    languages = document_languages(document)
    details = []
    main = languages.main
    if main not in READ:
        details.append(
            (
                "language_not_read",
                f"the document is in {NAMES[main]}, which Longleaf does not read: key facts are not looked "
                "for, and questions only find passages that share their words",
            )
        )
    elif main != "en":
        details.append(
            (
                "language_partly_read",
                f"the document is in {NAMES[main]}: of contracts in it Longleaf reads the key facts; "
                "other questions only find passages that share their words",
            )
        )
    for code, share in languages.shares[1:]:
        if code not in READ and share >= _WORTH_SAYING:
            details.append(
                (
                    "language_not_read",
                    f"about {share:.0%} of the text is in {NAMES[code]}, which Longleaf does not read",
                )
            )
    return [
        GapReport(kind=kind, detail=detail, file=document.name, page_index=None, page_label=None)
        for kind, detail in details
    ]
