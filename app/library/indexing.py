"""Files into the Library: read and cut once, embedded once, whatever happens in between."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection
from functools import cache
from importlib.metadata import version
from itertools import groupby
from pathlib import Path

import longleaf.ingest
from longleaf import __version__
from longleaf.app.library.documents import Library, StoredDocument, embedded_text
from longleaf.app.text.printable import plain_text
from longleaf.engine.embedding.embedder import Embedder
from longleaf.ingest import format_of, make_chunks, read_document
from longleaf.ingest.ocr.recognize import engine_name
from longleaf.ingest.read import Ocr

EMBED_AT_ONCE = 256  # chunks; docs/retrieval.md has the measurement behind it
_BATCH = 32  # chunks embedded between two writes

Progress = Callable[[int, int], None]


def index_file(
    library: Library,
    path: str | Path,
    count_tokens: Callable[[str], int],
    *,
    tokenizer: str,
    max_tokens: int = 256,
    pages: Collection[int] | None = None,
    name: str | None = None,
    progress: Progress | None = None,
    ocr: Ocr = "auto",
) -> StoredDocument:
    """The stored document of a file; it is read only if these bytes were not read in the same way before.

    `tokenizer` names what `count_tokens` counts with; `pages` are 0-based. Raises IngestError, LibraryError.
    """
    path = Path(path)
    name = plain_text(name or path.name)
    parser = _parser(format_of(path, name), pages, ocr)
    chunking = f"{tokenizer}:{max_tokens}"
    document = None
    if (sha256 := _sha256(path)) is not None:
        stored = library.find(sha256, parser=parser, chunking=chunking, name=name)
        if stored is not None:
            return stored
        document = library.find_document(sha256, parser=parser, name=name)
    if document is None:
        document = read_document(path, name=name, pages=pages, progress=progress, ocr=ocr)
    chunks = make_chunks(document, count_tokens, max_tokens=max_tokens)
    return library.add(document, chunks, parser=parser, chunking=chunking)


def embed_document(
    library: Library,
    stored: StoredDocument,
    embedder: Embedder,
    *,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> int:
    """Embeds the chunks that have no vector yet, for about `seconds` at most; returns how many are left."""
    missing = library.without_vector(stored, embedder.name)
    deadline = None if seconds is None else time.monotonic() + seconds
    for start in range(0, len(missing), _BATCH):
        if deadline is not None and time.monotonic() >= deadline:
            return len(missing) - start
        batch = missing[start : start + _BATCH]
        vectors = embedder.embed([embedded_text(chunk) for _, chunk in batch])
        library.add_vectors(stored, embedder.name, [position for position, _ in batch], vectors)
        if progress:
            progress(stored.chunk_count - len(missing) + start + len(batch), stored.chunk_count)
    return 0


def embed_if_small(
    library: Library, stored: StoredDocument, embedder: Embedder, progress: Progress | None = None
) -> int:
    """Embeds a document that is quickly embedded; returns how many chunks are left without a vector."""
    left = stored.chunk_count - library.vector_count(stored, embedder.name)
    if 0 < left <= EMBED_AT_ONCE:
        return embed_document(library, stored, embedder, progress=progress)
    return left


@cache
def reader_version() -> str:
    """Names the code that reads files, so that a document read by other code is read again."""
    digest = hashlib.sha256(version("pypdfium2").encode())
    for file in sorted(Path(next(iter(longleaf.ingest.__path__))).rglob("*.py")):
        digest.update(file.read_bytes())
    return f"{__version__}+{digest.hexdigest()[:12]}"


def _parser(kind: str, pages: Collection[int] | None, ocr: Ocr) -> str:
    """The same bytes may be read as Markdown or as text, by the file's name; scans with or without OCR."""
    reader = reader_version() if kind == "pdf" else f"{reader_version()} as {kind}"
    if kind == "pdf" and ocr != "off" and (engine := engine_name()):
        reader += f" with ocr {ocr} by {engine}"
    if pages is None:
        return reader
    runs = []
    for _, group in groupby(enumerate(sorted(set(pages))), lambda pair: pair[1] - pair[0]):
        run = [page for _, page in group]
        runs.append(f"{run[0]}-{run[-1]}")
    return f"{reader} pages {','.join(runs)}"


def _sha256(path: Path) -> str | None:
    """None if the file cannot be read: reading it will say why."""
    if not path.is_file():  # a pipe or a device may have no end
        return None
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
