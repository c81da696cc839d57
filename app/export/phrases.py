"""How pages, statuses and gaps are named to people, the same in every export and on every screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from longleaf.app.schema import (
    GapReport,
    RankedChunk,
    SectionSummary,
    Statement,
    Status,
    Usage,
    Verification,
)

STATUS_WORDS: dict[Status, str] = {
    "quoted": "quoted",
    "generated": "generated",
    "computed": "computed",
    "passage": "may answer",
    "not_found": "not found",
}

PASSAGES_TITLE = "These passages may answer it"
GAPS_TITLE = "What could not be read or was left out"


def by_topic(statements: Sequence[Statement]) -> list[tuple[str, list[Statement]]]:
    """A first page's statements under what they tell of, in their order."""
    return [(topic, list(said)) for topic, said in groupby(statements, key=lambda each: each.topic)]


def page_name(label: str, page_index: int) -> str:
    """The printed label, with the position in the file (counted from 1) where the two differ."""
    position = str(page_index + 1)
    return f"page {label}" if label == position else f"page {label} (page {position} of the file)"


def page_span(part: SectionSummary | RankedChunk) -> str:
    """Printed labels of the first and last page, joined: "iii–v"; one label if it is one page."""
    if part.page_index_start == part.page_index_end:
        return part.page_label_start
    return f"{part.page_label_start}–{part.page_label_end}"


def positions(page_indexes: Iterable[int]) -> str:
    """Positions counted from 1, runs joined: 0, 1, 2, 6 is "1–3, 7"."""
    runs: list[tuple[int, int]] = []
    for index in sorted(set(page_indexes)):
        if runs and runs[-1][1] == index - 1:
            runs[-1] = (runs[-1][0], index)
        else:
            runs.append((index, index))
    return ", ".join(str(lo + 1) if lo == hi else f"{lo + 1}–{hi + 1}" for lo, hi in runs)


def pages_searched(statement: Statement, most_runs: int | None = None) -> str:
    """What was searched for something that was not found; empty if that is not known.

    Of more than `most_runs` runs of pages the first are named and the others counted.
    """
    pages = set(statement.pages_searched)
    if not pages:
        return ""
    runs = positions(pages).split(", ")
    named = ", ".join(runs[:most_runs])
    more = "" if len(runs[:most_runs]) == len(runs) else f" and {len(runs[most_runs:])} more runs"
    return f"searched {'page' if len(pages) == 1 else 'pages'} {named}{more} of the file"


def gap_words(gap: GapReport, *, name_file: bool = True) -> str:
    where, what = [gap.file] if name_file else [], gap.detail
    if gap.page_index is not None and gap.page_label is not None:
        where.append(page_name(gap.page_label, gap.page_index))
    elif gap.page_index is not None:  # what is printed on the page is not known
        what += f" (page {gap.page_index + 1} of the file)"
    return f"{', '.join(where)}: {what}" if where else what


def verification_words(verification: Verification) -> str:
    if not verification.checked:
        return "No generated statement had to be checked: all that is shown is quoted."
    statements = "statement" if verification.checked == 1 else "statements"
    return (
        f"{verification.checked} generated {statements} checked against the text, "
        f"{verification.replaced} replaced by a source sentence."
    )


def usage_words(usage: Usage) -> str:
    if not usage.prompt_tokens:
        return f"No model was needed; {usage.seconds:.1f} s"
    first = usage.seconds_to_first_token
    return (
        f"Model {usage.model}; {usage.prompt_tokens:,} prompt tokens, {usage.reused_tokens:,} of them "
        f"reused; {usage.generated_tokens:,} generated"
        + ("" if first is None else f", the first after {first:.1f} s")
        + f"; {usage.seconds:.1f} s in all"
    )
