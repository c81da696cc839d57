"""Files to Documents, chunks and contexts."""

from .chunks import make_chunks
from .document import Block, Box, Chunk, Document, Gap, Page, Section, Span
from .errors import IngestError
from .read import read_document

__all__ = [
    "Block",
    "Box",
    "Chunk",
    "Document",
    "Gap",
    "IngestError",
    "Page",
    "Section",
    "Span",
    "make_chunks",
    "read_document",
]
