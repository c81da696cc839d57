"""Whether a statement follows from its sources. Code decides; every refusal says what was not proven.

A table's figures are read by row, period, unit and scale (`tables`). Prose is held against the source by its
words (`cover`), its numbers and dates (`quantities`), who does what and how it is bound (`binding`), and its
conditions and scope (`conditions`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from longleaf.app.proof.meaning import tables
from longleaf.app.proof.meaning.binding import unbound
from longleaf.app.proof.meaning.conditions import added, lost, supposed, widened
from longleaf.app.proof.meaning.cover import Cover, cover
from longleaf.app.proof.meaning.quantities import told_moves, unproven_quantities
from longleaf.app.proof.meaning.reading import names_of, read


@dataclass(frozen=True, slots=True)
class Verdict:
    accepted: bool
    reasons: tuple[str, ...] = ()


def entails(statement: str, sources: Sequence[str]) -> Verdict:
    """Whether the sources say what the statement says; if not, what of it is not proven."""
    source = "\n".join(text for text in sources if text.strip())
    if not source or not re.search(r"\w", statement):
        return Verdict(False, ("nothing is cited",))
    table = tables.table_of(source)
    if table:
        reasons = tuple(tables.unproven(table, statement))
        return Verdict(not reasons, reasons)
    reasons = tuple(_prose(statement, source))
    return Verdict(not reasons, reasons)


def _prose(statement: str, source: str) -> list[str]:
    given = read(source)
    said = read(statement, names_of(given))
    covered = cover(said, given, told_moves(statement, source))
    reasons = [f"“{word}” is not in the source" for word in covered.names]
    reasons += [f"“{word}”: the source says the opposite" for word in covered.opposed]
    reasons += _bare(covered)
    reasons += unproven_quantities(statement, source)
    reasons += unbound(said, given)
    reasons += lost(said, given)
    reasons += supposed(said, given)
    reasons += added(said, given)
    reasons += widened(said, given)
    return list(dict.fromkeys(reasons))


def _bare(covered: Cover) -> list[str]:
    return [f"“{word}” is not in the source" for word in covered.bare]
