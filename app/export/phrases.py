"""How pages, statuses and gaps are named to people, the same in every export and on every screen."""

from __future__ import annotations

from collections.abc import Iterable

from longleaf.app.schema import GapReport, Statement, Status, Usage, Verification

STATUS_WORDS: dict[Status, str] = {
    "quoted": "quoted",
    "generated": "generated",
    "computed": "computed",
    "passage": "may answer",
    "not_found": "not found",
}

GAPS_TITLE = "What could not be read or was left out"


def page_name(label: str, page_index: int) -> str:
    """The printed label, with the position in the file (counted from 1) where the two differ."""
    position = str(page_index + 1)
    return f"page {label}" if label == position else f"page {label} (page {position} of the file)"


def positions(page_indexes: Iterable[int]) -> str:
    """Positions counted from 1, runs joined: 0, 1, 2, 6 is "1–3, 7"."""
    runs: list[tuple[int, int]] = []
    for index in sorted(set(page_indexes)):
        if runs and runs[-1][1] == index - 1:
            runs[-1] = (runs[-1][0], index)
        else:
            runs.append((index, index))
    return ", ".join(str(lo + 1) if lo == hi else f"{lo + 1}–{hi + 1}" for lo, hi in runs)


def pages_searched(statement: Statement) -> str:
    """What was searched for something that was not found; empty if that is not known."""
    pages = set(statement.pages_searched)
    if not pages:
        return ""
    return f"searched {'page' if len(pages) == 1 else 'pages'} {positions(pages)} of the file"


def gap_words(gap: GapReport, *, name_file: bool = True) -> str:
    where = [gap.file] if name_file else []
    if gap.page_index is not None:
        label = str(gap.page_index + 1) if gap.page_label is None else gap.page_label
        where.append(page_name(label, gap.page_index))
    return f"{', '.join(where)}: {gap.detail}" if where else gap.detail


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
    return (
        f"Model {usage.model}; {usage.prompt_tokens:,} prompt tokens, {usage.reused_tokens:,} of them "
        f"reused; {usage.generated_tokens:,} generated; {usage.seconds:.1f} s"
    )
