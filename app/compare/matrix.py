"""Many contracts side by side: each key fact's value, and which deviate from the rest or from a standard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from longleaf.app.compare.comparison import folded, value_of
from longleaf.app.compare.schema import Matrix, MatrixCell, MatrixColumn, MatrixRow
from longleaf.app.gaps import gap_reports
from longleaf.app.schema import KeyFact
from longleaf.ingest.document import Document

_MOSTLY = 0.5  # share of contracts that must agree for the others to deviate
_OWN = frozenset(
    ("parties", "agreement_date", "effective_date", "expiration_date")
)  # each contract has its own


@dataclass(frozen=True, slots=True)
class Contract:
    document: Document
    facts: Sequence[KeyFact]


def matrix(contracts: Sequence[Contract], standard: Contract | None = None) -> Matrix:
    """With a standard its values are what is expected, else those that more than half of them have."""
    everything = [*contracts, *([standard] if standard else [])]
    titles: dict[str, str] = {}
    for contract in everything:
        for fact in contract.facts:
            titles.setdefault(fact.name, fact.title)
    columns: list[MatrixColumn] = []
    rows: list[list[MatrixCell]] = [[] for _ in contracts]
    for name, title in titles.items():
        facts = [_fact(contract, name) for contract in contracts]
        values = [value_of(fact) for fact in facts]
        expected = value_of(_fact(standard, name)) if standard else _majority(name, values)
        known = standard is not None or expected != ""
        columns.append(MatrixColumn(name=name, title=title, expected=expected))
        for row, found, value in zip(rows, facts, values, strict=True):
            deviates = known and (standard is None or name not in _OWN) and folded(value) != folded(expected)
            row.append(
                MatrixCell(
                    name=name,
                    value=value,
                    deviates=deviates,
                    citations=list(found.citations) if found else [],
                )
            )
    return Matrix(
        standard=standard.document.name if standard else "",
        columns=columns,
        rows=[
            MatrixRow(file=c.document.name, page_count=len(c.document.pages), cells=cells)
            for c, cells in zip(contracts, rows, strict=True)
        ],
        gaps=[gap for contract in everything for gap in gap_reports(contract.document)],
    )


def _fact(contract: Contract | None, name: str) -> KeyFact | None:
    return next((fact for fact in contract.facts if fact.name == name), None) if contract else None


def _majority(name: str, values: Sequence[str]) -> str:
    """What more than half of the contracts say; empty if they do not agree or have each their own."""
    if name in _OWN or len(values) < 3:
        return ""
    counts = Counter(map(folded, values))
    best, count = counts.most_common(1)[0]
    if not best or count <= _MOSTLY * len(values):
        return ""
    return next(value for value in values if folded(value) == best)
