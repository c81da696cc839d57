"""The files that people mean when they name folders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

SUFFIXES = (".pdf", ".docx", ".xlsx", ".html", ".htm", ".md", ".txt", ".eml", ".zip")


def expand(paths: Iterable[Path]) -> Iterator[Path]:
    """Files as they were given, and for each folder the files under it that can be read, in order of path.

    Hidden files and folders below it are passed over. A folder without any stays itself, so that reading it
    says what is wrong.
    """
    for path in paths:
        inside = sorted(_readable(path)) if path.is_dir() else []
        yield from inside or [path]


def _readable(folder: Path) -> Iterator[Path]:
    for file in folder.rglob("*"):
        hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
        if not hidden and file.suffix.lower() in SUFFIXES and file.is_file():
            yield file
