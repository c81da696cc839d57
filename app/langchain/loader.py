"""`LongleafLoader`: files as LangChain Documents, read as Longleaf reads them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document

from longleaf.app import defaults
from longleaf.app.contexts.prompts import contexts_of
from longleaf.app.export.phrases import gap_words
from longleaf.app.gaps import gap_reports
from longleaf.app.inputs.sources import documents_in
from longleaf.engine.prompt.tokenizer import open_tokenizer
from longleaf.ingest import IngestError, make_chunks, read_document
from longleaf.ingest import document as ingest


class LongleafLoader(BaseLoader):
    """One Document a page, one a passage of whole sentences of at most `chunk_tokens` tokens, or one a part
    of at most `context_tokens`: cut between sections, each after the same outline and definitions.

    Metadata: `source`, `page` (0-based), `page_label` (as printed), `total_pages`, `gaps` (what could not be
    read there), and of a passage or part `headings`, `last_page`. The first Document of a file also has the
    gaps of the whole file and, by passages, those of pages without any.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        chunk_tokens: int | None = None,
        context_tokens: int | None = None,
        model: str = defaults.LANGUAGE_MODEL,
        offline: bool = False,
    ) -> None:
        """`model` is the one whose tokens are counted."""
        if chunk_tokens is not None and context_tokens is not None:
            raise ValueError("give chunk_tokens or context_tokens, not both")
        self._path = Path(path)
        self._chunk_tokens, self._context_tokens = chunk_tokens, context_tokens
        self._model, self._offline = model, offline

    def lazy_load(self) -> Iterator[Document]:
        """Raises IngestError for a file that cannot be read, also for one inside a ZIP folder."""
        with documents_in(self._path) as sources:
            for source in sources:
                if source.path is None:
                    raise IngestError(f"{source.name}: {source.problem}")
                yield from self._documents(read_document(source.path, name=source.name))

    def _documents(self, document: ingest.Document) -> Iterator[Document]:
        parts = list(self._parts(document))
        there = {index for index, _, _ in parts}
        reports = gap_reports(document)
        labels = {page.page_index: page.label for page in document.pages}
        for number, (index, text, metadata) in enumerate(parts):
            gaps = [
                gap_words(gap, name_file=False)
                for gap in reports
                if gap.page_index == index or (number == 0 and gap.page_index not in there)
            ]
            yield Document(
                text,
                metadata={
                    "source": document.name,
                    "page": index,
                    "page_label": labels[index],
                    "total_pages": len(document.pages),
                    "gaps": gaps,
                    **metadata,
                },
            )

    def _parts(self, document: ingest.Document) -> Iterator[tuple[int, str, dict[str, Any]]]:
        if self._chunk_tokens is None and self._context_tokens is None:
            for page in document.pages:
                yield page.page_index, page.text, {}
            return
        count = open_tokenizer(self._model, offline=self._offline).count
        if self._context_tokens is not None:
            for context in contexts_of(document, make_chunks(document, count), count, self._context_tokens):
                headings = list(context.chunks[0].section_path)
                metadata = {"headings": headings, "last_page": context.page_index_end}
                yield context.page_index_start, context.text, metadata
            return
        assert self._chunk_tokens is not None
        for chunk in make_chunks(document, count, max_tokens=self._chunk_tokens):
            headings = list(chunk.section_path)
            metadata = {"headings": headings, "last_page": chunk.page_index_end}
            yield chunk.page_index_start, chunk.text, metadata
