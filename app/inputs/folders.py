"""The files that people mean when they name folders."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

SUFFIXES = (".pdf", ".docx", ".xlsx", ".html", ".htm", ".md", ".txt", ".eml", ".zip")
# What systems and programs leave in folders: no document, and not worth a word.
_JUNK = {".ds_store", "thumbs.db", "desktop.ini", "__macosx", ".directory", ".localized"}


def expand(paths: Iterable[Path], passed_over: Callable[[Path, str], None]) -> Iterator[Path]:
    """Files as they were given, and for each folder all files under it, in order of path.

    A file's bytes tell whether it can be read, not its name: each is handed on, so that reading it says what
    is wrong. Hidden files and folders, links to folders and folders that cannot be opened are told to
    `passed_over` with the reason. A folder without any file stays itself.
    """
    for path in paths:
        inside = sorted(_files(path, passed_over)) if path.is_dir() else []
        yield from inside or [path]


def _files(folder: Path, passed_over: Callable[[Path, str], None]) -> Iterator[Path]:
    def told(error: OSError) -> None:
        passed_over(Path(error.filename or folder), f"the folder cannot be opened ({error.strerror})")

    for root, folders, files in os.walk(folder, onerror=told):
        here = Path(root)
        for name in sorted(folders):
            reason = "hidden" if name.startswith(".") else ""
            if (here / name).is_symlink():
                reason = "a link to another folder, which is not followed"
            if reason or name.lower() in _JUNK:
                folders.remove(name)
            if reason and name.lower() not in _JUNK:
                passed_over(here / name, reason)
        for name in sorted(files):
            if name.lower() in _JUNK:
                continue
            if name.startswith("."):
                passed_over(here / name, "hidden")
            elif name.startswith("~$"):
                passed_over(here / name, "what Office writes while a document is open")
            else:
                yield here / name
