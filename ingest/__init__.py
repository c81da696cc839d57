"""Files to Documents and chunks.

Names are imported when first used: a worker process needs only a few of these modules and starts faster.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from longleaf.ingest.document import Annotation, Block, Box, Chunk, Document, Gap, Page, Section, Span
    from longleaf.ingest.errors import IngestError
    from longleaf.ingest.members import Member, container_kind, read_members
    from longleaf.ingest.page_selection import parse_pages
    from longleaf.ingest.read import format_of, read_document
    from longleaf.ingest.structure.chunks import make_chunks

_HOMES = {
    "parse_pages": "page_selection",
    "make_chunks": "structure.chunks",
    "IngestError": "errors",
    **dict.fromkeys(("format_of", "read_document"), "read"),
    **dict.fromkeys(("Member", "container_kind", "read_members"), "members"),
    **dict.fromkeys(
        ("Annotation", "Block", "Box", "Chunk", "Document", "Gap", "Page", "Section", "Span"), "document"
    ),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


__all__ = [
    "Annotation",
    "Block",
    "Box",
    "Chunk",
    "Document",
    "Gap",
    "IngestError",
    "Member",
    "Page",
    "Section",
    "Span",
    "container_kind",
    "format_of",
    "make_chunks",
    "parse_pages",
    "read_document",
    "read_members",
]
