"""What the prefix cache did, in one process or in all that shared a folder."""

from __future__ import annotations

import json
from dataclasses import asdict, astuple, dataclass, fields
from pathlib import Path

from longleaf.engine.atomic_files import read_json, write_whole
from longleaf.engine.prefix.folder import locked


@dataclass(slots=True)
class Counters:
    """What was done, by this process or by all."""

    requests: int = 0
    hits: int = 0  # requests of which some tokens were known, in memory or on disk
    reused_tokens: int = 0
    computed_tokens: int = 0  # of prompts, not known
    spills: int = 0  # segments written
    spilled_bytes: int = 0
    failed_spills: int = 0
    restores: int = 0  # prefixes read back
    restored_tokens: int = 0
    evictions: int = 0  # prefixes dropped from memory
    damaged: int = 0  # files removed because they were not intact
    pruned: int = 0  # files removed to keep the limit

    def plus(self, other: Counters, sign: int = 1) -> Counters:
        return Counters(
            *(mine + sign * theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True))
        )


def read_counters(root: Path) -> Counters:
    """What all processes did so far; zeros if nothing is known."""
    told = read_json(root / "counters.json")
    names = [each.name for each in fields(Counters)]
    if not isinstance(told, dict) or not all(isinstance(told.get(name), int) for name in names):
        return Counters()
    return Counters(**{name: told[name] for name in names})


def add_counters(root: Path, new: Counters) -> None:
    """Raises OSError."""
    with locked(root):
        total = read_counters(root).plus(new)
        write_whole(root / "counters.json", json.dumps(asdict(total)))
