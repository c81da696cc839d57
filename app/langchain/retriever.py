"""`LongleafRetriever`: passages of the Library's documents behind LangChain's interface."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field, PrivateAttr

from longleaf.app.library import LibraryError
from longleaf.app.workspace import Workspace


class LongleafRetriever(BaseRetriever):
    """The best passages, best first, by words and meaning; each with its file, pages and headings.

    Searches what `longleaf` has read into the Library: all of it, or the named `files`. Raises LibraryError.
    """

    library: Path | None = None  # its database; the user's own by default
    files: list[str] | None = None  # names of documents in it
    k: int = Field(default=4, ge=1)  # passages
    offline: bool = False

    _workspace: Workspace | None = PrivateAttr(default=None)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None, **_: Any
    ) -> list[Document]:
        if self._workspace is None:
            self._workspace = Workspace(self.library, offline=self.offline)
        documents = self._workspace.documents()
        if self.files is not None:
            known = {document.name for document in documents}
            if missing := [name for name in self.files if name not in known]:
                raise LibraryError(
                    f"{', '.join(missing)}: not in the Library {self._workspace.library.path}; "
                    "read it with LongleafLoader(..., library=...) or on the command line first"
                )
            documents = [document for document in documents if document.name in self.files]
        found = self._workspace.search(documents, query, self.k if k is None else k)
        return [
            Document(hit.text, metadata={"source": hit.file, **hit.model_dump(exclude={"file", "text"})})
            for hit in found
        ]
