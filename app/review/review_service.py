"""What a review screen needs of a Workspace: files kept by content, long jobs, pages to look at."""

from __future__ import annotations

import tempfile
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from longleaf.app.gaps import gap_reports
from longleaf.app.inputs.sources import documents_in
from longleaf.app.library.documents import StoredDocument
from longleaf.app.review.background_jobs import Job, JobQueue
from longleaf.app.review.page_images import PageImage, RenderError, page_image, text_image
from longleaf.app.schema import Answer, Brief, Citation, GapReport, KeyFact
from longleaf.app.workspace import Reading, Workspace
from longleaf.engine.models.store import Progress
from longleaf.ingest import Document, IngestError

_KEPT = 32  # documents whose outline stays in memory


@dataclass(frozen=True, slots=True)
class PageInfo:
    """A page's printed label and its size in points."""

    label: str
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document that was read; `brief` is None until it has been summarized."""

    sha256: str
    name: str
    pages: tuple[PageInfo, ...]
    gaps: tuple[GapReport, ...]
    brief: Brief | None = None


class ReviewService:
    """Shared by all sessions of a server. Holds no file and no page image in memory."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.jobs = JobQueue()
        self._opened: OrderedDict[str, OpenDocument] = OrderedDict()
        self._lock = threading.Lock()

    def close(self) -> None:
        self.jobs.close()
        self.workspace.close()

    def documents(self) -> list[StoredDocument]:
        """The documents of the Library, newest first."""
        return self.workspace.documents()

    def keep(self, source: Path | bytes, name: str) -> list[tuple[str, str]]:
        """Keeps a copy of a file beside the Library; returns its sha256 and name.

        Of a ZIP folder or a message each document is kept; those that cannot be read are left out. Raises
        IngestError if nothing in it can be.
        """
        with tempfile.NamedTemporaryFile(prefix="longleaf-") as copy:
            if isinstance(source, bytes):
                copy.write(source)
                copy.flush()
                source = Path(copy.name)
            try:
                with documents_in(source, name) as documents:
                    kept = [(self.workspace.keep_file(d.path, d.name), d.name) for d in documents if d.path]
            except IngestError:
                kept = [(self.workspace.keep_file(source, name), name)]  # reading it will say what is wrong
        if not kept:
            raise IngestError(f"{name}: holds no document that can be read")
        return kept

    def opened(self, sha256: str) -> OpenDocument | None:
        """What is known of a document so far; None before it was read."""
        with self._lock:
            return self._opened.get(sha256)

    def start_brief(self, sha256: str, name: str) -> Job[Brief]:
        """Reads and summarizes; what was read or summarized before is taken from the Library."""
        return self.jobs.submit(("brief", sha256), lambda job: self._brief(job, sha256, name))

    def start_answer(self, sha256: str, name: str, question: str) -> Job[Answer]:
        def work(job: Job[Answer]) -> Answer:
            reading = self._read(job, sha256, name)
            job.report("Looking for the answer")
            return self.workspace.ask([reading], question)

        return self.jobs.submit(("answer", sha256, question), work)

    def page_image(self, sha256: str, page_index: int, *, width: int) -> PageImage:
        """The page as its file shows it, or set as text where the format has no pages. Raises RenderError."""
        file = self.workspace.kept_file(sha256)
        if file is not None and file.suffix == ".pdf":
            return page_image(file, page_index, width=width)
        page = self.workspace.text_page(sha256, page_index)
        if page is None:
            raise RenderError(
                "This document was read without keeping a copy of its file. Upload it to see its pages."
            )
        return text_image(page)

    def _brief(self, job: Job[Brief], sha256: str, name: str) -> Brief:
        def on_fact(fact: KeyFact) -> None:
            job.partial.append(fact)
            job.report(job.stage)

        reading = self._read(job, sha256, name)
        brief = self.workspace.saved_brief(reading, "full")
        if brief is None:
            job.report("Finding the key facts")
            brief = self.workspace.summarize(reading, length="full", on_fact=on_fact, progress=job.report)
        if (opened := self.opened(sha256)) is not None:
            self._remember(replace(opened, brief=brief))
        return brief

    def _read(self, job: Job[Brief] | Job[Answer], sha256: str, name: str) -> Reading:
        def fetched(progress: Progress) -> None:
            job.report(f"Fetching the model {progress.model}", progress.done, progress.total)

        self.workspace.fetch_models(fetched)
        job.report("Opening the model")
        file = self.workspace.kept_file(sha256)
        stored = next((each for each in self.documents() if each.sha256 == sha256), None)
        if file is None:  # read by a command, which keeps no copy
            if stored is None:
                raise RenderError(f"{name} is neither in the Library nor kept. Upload it again.")
            reading = self.workspace.reopen(stored, name)
        else:
            reading = self.workspace.read(
                file, name=name, progress=lambda done, total: job.report("Reading pages", done, total)
            )
        if self.opened(sha256) is None:
            gaps = tuple(gap_reports(reading.document))
            self._remember(OpenDocument(sha256, name, _pages(reading.document, gaps), gaps))
        return reading

    def _remember(self, document: OpenDocument) -> None:
        with self._lock:
            self._opened[document.sha256] = document
            self._opened.move_to_end(document.sha256)
            while len(self._opened) > _KEPT:
                self._opened.popitem(last=False)


def by_page(citations: Iterable[Citation]) -> list[tuple[Citation, ...]]:
    """The citations of each page, pages in the order of their first citation."""
    pages: dict[tuple[str, int], list[Citation]] = {}
    for citation in citations:
        pages.setdefault((citation.file, citation.page_index), []).append(citation)
    return [tuple(on_page) for on_page in pages.values()]


def _pages(document: Document, gaps: Iterable[GapReport]) -> tuple[PageInfo, ...]:
    """Every page by its index; one that could not be read has its place in the file all the same."""
    read = {page.page_index: PageInfo(page.label, page.width, page.height) for page in document.pages}
    failed = {gap.page_index: gap.page_label for gap in gaps if gap.page_index is not None}
    count = max([*read, *failed], default=-1) + 1
    return tuple(
        read.get(index) or PageInfo(failed.get(index) or str(index + 1), 0.0, 0.0) for index in range(count)
    )
