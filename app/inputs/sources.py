"""What a person names, opened up into documents: a file is one, a ZIP folder or a message may be several."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from longleaf.ingest import container_kind, read_members


@dataclass(frozen=True, slots=True)
class Source:
    """A document on disk and its name to show; without a path, why it cannot be read."""

    name: str
    path: Path | None
    problem: str = ""


@contextmanager
def documents_in(path: Path, name: str | None = None) -> Iterator[Iterator[Source]]:
    """The documents of a file, one after the other; those of a folder are on disk while the block runs.

    Raises IngestError, here or from the iterator, if the file cannot be read.
    """
    name = name or str(path)
    if container_kind(path, name) is None:
        yield iter([Source(name, path)])
        return
    with tempfile.TemporaryDirectory(prefix="longleaf-") as folder:
        yield (Source(m.name, m.path, m.problem) for m in read_members(path, Path(folder), name=name))
