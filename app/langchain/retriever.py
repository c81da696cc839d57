"""`LongleafRetriever`: passages of the Library's documents behind LangChain's interface."""

from __future__ import annotations

from pathlib import Path

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field, PrivateAttr

from longleaf.app.langchain.lazy import Lazy
from longleaf.app.library.documents import LibraryError
from longleaf.app.workspace import Workspace


class LongleafRetriever(BaseRetriever):
    """The best passages, best first, by words and meaning; each with its file, pages and headings.

    Searches what `longleaf` has read into the Library: all of it, or the named `files`. Raises LibraryError;
    ValueError for a `k` below 1.
    """

    model_config = ConfigDict(extra="forbid")

    library: Path | None = None  # its database; the user's own by default
    files: list[str] | None = None  # names of documents in it
    k: int = Field(default=4, ge=1)  # passages
    offline: bool = False

    _workspace: Lazy[Workspace] = PrivateAttr(default_factory=Lazy)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        if k is not None and k < 1:
            raise ValueError(f"k must be at least 1, not {k}")
        workspace = self._workspace.get(self._opened)
        documents = workspace.documents()
        if self.files is not None:
            known = {document.name for document in documents}
            if missing := [name for name in self.files if name not in known]:
                raise LibraryError(
                    f"{', '.join(missing)}: not in the Library {workspace.library.path}; "
                    "read it in first: longleaf search FILE QUESTION --library ..."
                )
            documents = [document for document in documents if document.name in self.files]
        found = workspace.search(documents, query, self.k if k is None else k)
        return [
            Document(hit.text, metadata={"source": hit.file, **hit.model_dump(exclude={"file", "text"})})
            for hit in found
        ]

    def _opened(self) -> Workspace:
        if self.library is not None and not self.library.is_file():
            raise LibraryError(
                f"there is no Library {self.library}; read files into it first: "
                f"longleaf search FILE QUESTION --library {self.library}"
            )
        return Workspace(self.library, offline=self.offline)
