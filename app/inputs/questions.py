"""A text file with a question a line."""

from __future__ import annotations

from pathlib import Path

from longleaf import LongleafError


class QuestionsError(LongleafError):
    """A file of questions that cannot be read or has none."""


def read_questions(path: Path) -> list[str]:
    """Its questions in order; empty lines and those that begin with "#" are none. Raises QuestionsError."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionsError(f"{path}: cannot be read as UTF-8 text ({error})") from error
    found = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not found:
        raise QuestionsError(f"{path}: has no question; write one a line")
    return found
