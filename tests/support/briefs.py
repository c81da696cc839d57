"""Briefs and answers made by hand, for tests of what is done with them."""

from __future__ import annotations

from longleaf.app.schema import (
    Answer,
    Brief,
    Citation,
    GapReport,
    KeyFact,
    SectionSummary,
    Statement,
    Usage,
    Verification,
)

USAGE = Usage(
    model="a-model",
    prompt_tokens=1200,
    reused_tokens=1000,
    generated_tokens=40,
    seconds_to_first_token=0.5,
    seconds=2.25,
)


def citation(quote: str, *, page_index: int = 0, label: str = "i", start: int = 10) -> Citation:
    return Citation(
        file="lease.pdf",
        page_label=label,
        page_index=page_index,
        quote=quote,
        start=start,
        end=start + len(quote),
        boxes=[(72.0, 90.0, 300.0, 104.0)],
    )


def brief(text: str = "The tenant pays $900.", quote: str = "The tenant pays $900 a month.") -> Brief:
    """One statement of each status, one cited twice, one gap on the first page."""
    cited = citation(quote)
    return Brief(
        file="lease.pdf",
        sha256="0" * 64,
        kind="contract",
        page_count=4,
        gaps=[GapReport(kind="scanned", detail=text, file="lease.pdf", page_index=0, page_label="i")],
        key_facts=[
            KeyFact(
                name="rent", title="Rent", text=text, values=["$900"], status="quoted", citations=[cited]
            ),
            KeyFact(
                name="exclusivity",
                title="Exclusivity",
                text="not found in the document",
                status="not_found",
                pages_searched=[0, 1, 3],
            ),
        ],
        overview=[Statement(text=text, status="generated", citations=[cited, citation(quote, start=99)])],
        sections=[
            SectionSummary(
                title=text,
                level=1,
                page_index_start=0,
                page_index_end=1,
                page_label_start="i",
                page_label_end="2",
                statements=[Statement(text=text, status="quoted", citations=[cited])],
            )
        ],
        verification=Verification(checked=1, replaced=0),
        usage=USAGE,
    )


def answer(text: str = "The tenant.", question: str = "Who pays?") -> Answer:
    return Answer(
        question=question,
        files=["lease.pdf"],
        gaps=[],
        answer=Statement(text=text, status="quoted", citations=[citation(text)]),
        verification=Verification(checked=0, replaced=0),
        usage=USAGE,
    )
