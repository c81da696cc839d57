"""Longleaf: reads whole contracts and reports on a CPU server and answers with proof.

The names below are what ordinary use needs (docs/python.md). They are imported when first used: a worker
process or a command that needs few of them starts at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from longleaf.app.export.markdown_docx import write_brief
    from longleaf.app.schema import Answer, Brief
    from longleaf.app.workspace import Workspace
    from longleaf.engine.engine import Engine
    from longleaf.ingest.document import Document
    from longleaf.ingest.read import read_document

    __version__: str


class LongleafError(Exception):
    """Root of every error Longleaf raises on purpose.

    The message is for a person: what was wrong, where (file, page, byte), and what to do.
    """


_HOMES = {
    "Answer": "app.schema",
    "Brief": "app.schema",
    "Document": "ingest.document",
    "Engine": "engine.engine",
    "Workspace": "app.workspace",
    "read_document": "ingest.read",
    "write_brief": "app.export.markdown_docx",
}

if not TYPE_CHECKING:  # a type checker shall see that a name is not there

    def __getattr__(name: str) -> object:
        from importlib import import_module, metadata

        if name in _HOMES:
            return getattr(import_module(f".{_HOMES[name]}", __name__), name)
        if name != "__version__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            return metadata.version("longleaf")
        except metadata.PackageNotFoundError:  # run from the source tree, not installed
            return "0+unknown"


def __dir__() -> list[str]:
    return __all__


__all__ = [
    "Answer",
    "Brief",
    "Document",
    "Engine",
    "LongleafError",
    "Workspace",
    "__version__",
    "read_document",
    "write_brief",
]
