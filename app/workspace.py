"""Reading, summarizing and asking in one place; the Library and the models are opened when first needed."""

from __future__ import annotations

import hashlib
import os
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self, TypedDict

import longleaf
from longleaf import __version__
from longleaf.app import defaults
from longleaf.app.gaps import gap_reports, unreadable
from longleaf.app.library.documents import Library, StoredDocument
from longleaf.app.library.indexing import embed_if_small, index_file
from longleaf.app.library.runs import Run, save_run, saved_output
from longleaf.app.schema import (
    Answer,
    Brief,
    KeyFact,
    KeyFacts,
    Length,
    PageAnnotation,
    PagesOutput,
    PageText,
    RankedChunk,
    Thread,
)
from longleaf.app.text.printable import plain_text
from longleaf.app.usage import NO_MODEL
from longleaf.engine.models.store import OnProgress, resolve
from longleaf.ingest import IngestError, parse_pages, read_document
from longleaf.ingest.document import Chunk, Document, Page
from longleaf.ingest.read import Ocr

if TYPE_CHECKING:
    from longleaf.app.compare.compare import Side
    from longleaf.app.compare.playbook import Playbook
    from longleaf.app.compare.schema import Comparison, Matrix, PlaybookResult
    from longleaf.app.obligations.schema import Register
    from longleaf.app.retrieval.retriever import Retriever, ScoredChunk
    from longleaf.engine.embedding.embedder import Embedder
    from longleaf.engine.engine import Engine
    from longleaf.engine.prefix.kv_options import KvOptions
    from longleaf.engine.prompt.tokenizer import Tokenizer

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A document ready to be asked."""

    document: Document
    chunks: list[Chunk]
    stored: StoredDocument


class WorkspaceOptions(TypedDict, total=False):
    """What a Workspace is opened with."""

    library: Path | None
    model: str
    ctx_size: int | None
    threads: int | None
    offline: bool
    kv: KvOptions | None
    ocr: Ocr


class Workspace:
    """Safe to share between threads: readings are values, the Library and the engine lock themselves."""

    def __init__(
        self,
        library: Path | None = None,
        *,
        model: str = defaults.LANGUAGE_MODEL,
        ctx_size: int | None = None,
        threads: int | None = None,
        offline: bool = False,
        kv: KvOptions | None = None,
        ocr: Ocr = "auto",
    ) -> None:
        """Opens or makes the Library; models are opened when a job needs them. Raises LibraryError.

        `kv`: by default long texts that were read stay on disk for the next question.
        """
        self.ocr: Ocr = ocr
        self.library = Library(library)
        self.model = model
        # Without a model a text is still cut by a tokenizer.
        self._language_model = defaults.LANGUAGE_MODEL if model == NO_MODEL else model
        self._kv = kv
        self._ctx_size, self._threads, self._offline = ctx_size, threads, offline
        self._engine: Engine | None = None
        self._embedder: Embedder | None = None
        self._opening = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the Library, and the engine once what it read is on disk."""
        if self._engine is not None:
            self._engine.close()
        self.library.close()

    def fetch_models(self, progress: OnProgress | None = None) -> None:
        """Brings the models to this machine if they are not here. Raises ModelError, FetchError."""
        for name in (self._language_model, defaults.EMBEDDING_MODEL):
            resolve(name, offline=self._offline, progress=progress)

    def read(
        self,
        path: Path,
        *,
        name: str | None = None,
        pages: str | None = None,
        progress: Progress | None = None,
    ) -> Reading:
        """Reads a file, or finds it in the Library as it was read before; small ones are embedded too.

        `pages` selects by printed label or position, as "1-5,iv". Raises IngestError, LibraryError.
        """
        return self.reopen(self.store(path, name=name, pages=pages, progress=progress), name)

    def store(
        self,
        path: Path,
        *,
        name: str | None = None,
        pages: str | None = None,
        progress: Progress | None = None,
    ) -> StoredDocument:
        """As `read`, for what needs no more than the Library's own view of the document."""
        stored = self._index(path, name, None, progress)
        if not stored.chunk_count:
            raise IngestError(unreadable(self.library.load(stored, plain_text(name or path.name))))
        if pages is not None:
            labels = [page.label for page in self.library.load(stored).pages]
            stored = self._index(path, name, parse_pages(pages, labels), progress)
        embed_if_small(self.library, stored, self.embedder)
        return stored

    def reopen(self, stored: StoredDocument, name: str | None = None) -> Reading:
        """A document that was read before."""
        shown = None if name is None else plain_text(name)
        return Reading(self.library.load(stored, shown), self.library.chunks(stored), stored)

    def documents(self) -> list[StoredDocument]:
        """The newest reading of each file in the Library, whole files only, newest first."""
        newest = {each.sha256: each for each in self.library.documents() if " pages " not in each.parser}
        return sorted(newest.values(), key=lambda each: each.added_at, reverse=True)

    def remove(self, sha256: str) -> bool:
        """Removes a document, all that came from it, and the kept copy of its file."""
        if (kept := self.kept_file(sha256)) is not None:
            kept.unlink(missing_ok=True)
        return self.library.remove(sha256)

    def summarize(
        self,
        reading: Reading,
        *,
        length: Length = "page",
        on_fact: Callable[[KeyFact], None] | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> Brief:
        """The brief of one document; it is kept in the Library for `saved_brief`.

        With the model "none" code alone makes it, at once.
        """
        from longleaf.app.briefs.brief import summarize

        brief = summarize(
            reading.document,
            reading.chunks,
            self._search([reading]),
            None if self.model == NO_MODEL else self.engine,
            length=length,
            on_fact=on_fact,
            progress=progress,
        )
        save_run(self.library, self._run("brief", [reading], self._brief_of(length)), brief)
        return brief

    def saved_brief(self, reading: Reading, length: Length = "page") -> Brief | None:
        """The brief that this model and this version of Longleaf made of this reading before, if any."""
        found = saved_output(self.library, self._run("brief", [reading], self._brief_of(length)))
        return found if isinstance(found, Brief) else None

    def ask(self, readings: Sequence[Reading], question: str) -> Answer:
        """One answer over all the documents, kept in the Library."""
        from longleaf.app.answers.ask import ask

        question = plain_text(" ".join(question.split()))
        documents = [reading.document for reading in readings]
        answer = ask(
            documents,
            question,
            self._search(readings),
            self._model_name,
            lambda: self.engine,
            embed=self.embedder.embed,
        )
        save_run(self.library, self._run("answer", readings, question), answer)
        return answer

    def follow_up(self, readings: Sequence[Reading], thread: Thread, question: str) -> Thread:
        """The thread with one more turn: the question is made whole by what was asked before, then answered.

        The thread is kept in the Library. Its files must be those of `readings`, in their order.
        """
        from longleaf.app.answers.follow_up import standalone
        from longleaf.app.facts.contracts.parties import find_parties
        from longleaf.app.facts.document_text import passages
        from longleaf.app.library.threads import save_thread
        from longleaf.app.schema import Turn

        question = plain_text(" ".join(question.split()))
        named = [party for reading in readings for party in find_parties(passages(reading.document).text)]
        parties = [party.role or party.name for party in named]
        understood = standalone(question, [turn.understood for turn in thread.turns], parties)
        turn = Turn(question=question, understood=understood, answer=self.ask(readings, understood))
        longer = thread.model_copy(update={"turns": [*thread.turns, turn]})
        save_thread(self.library, longer)
        return longer

    def key_facts(self, reading: Reading) -> list[KeyFact]:
        """The key facts of one document, by code alone; they are kept in the Library."""
        from longleaf.app.facts import classify, key_facts

        run = self._run("facts", [reading])
        found = saved_output(self.library, run)
        if isinstance(found, KeyFacts):
            return found.key_facts
        document = reading.document
        facts = key_facts(document, reading.chunks, self._search([reading]), None, classify(document))
        save_run(self.library, run, KeyFacts(key_facts=facts))
        return facts

    def compare(self, old: Reading, new: Reading) -> Comparison:
        """What changed from the old version to the new one; needs no language model."""
        from longleaf.app.compare.comparison import compare

        return compare(_side(old), _side(new), self.key_facts(old), self.key_facts(new))

    def write_redline(
        self, old: Reading, new: Reading, output: Path, *, old_file: Path | None = None
    ) -> None:
        """Writes both versions as one: .docx with tracked changes, .html or .pdf with coloured words.

        `old_file` is the old version's own file: a DOCX keeps its styles. Raises LongleafError.
        """
        from longleaf.app.compare.redlines.redline import write_redline

        docx = old_file if " as docx" in old.stored.parser else None
        write_redline(_side(old), _side(new), output, docx)

    def matrix(self, readings: Sequence[Reading], standard: Reading | None = None) -> Matrix:
        """The key facts of many contracts side by side, with what deviates from the standard or the most."""
        from longleaf.app.compare.matrix import Contract, matrix

        contracts = [Contract(r.document, self.key_facts(r)) for r in readings]
        return matrix(contracts, Contract(standard.document, self.key_facts(standard)) if standard else None)

    def playbook(self, path: Path) -> Playbook:
        """A team's rules. Raises PlaybookError."""
        from longleaf.app.compare.playbook import read_playbook
        from longleaf.app.facts.contracts.contract import TITLES

        return read_playbook(path, TITLES)

    def check(self, reading: Reading, playbook: Playbook) -> PlaybookResult:
        """What the rules say of one contract."""
        from longleaf.app.compare.matrix import Contract
        from longleaf.app.compare.playbook import check

        return check(playbook, Contract(reading.document, self.key_facts(reading)))

    def obligations(self, reading: Reading) -> Register:
        """Who must, may and must not do what, and the days that matter. Needs no language model."""
        from longleaf.app.facts import key_facts
        from longleaf.app.obligations.calendar import calendar_of
        from longleaf.app.obligations.register import by_party, obligations
        from longleaf.app.obligations.schema import Register

        register = obligations(reading.document)
        facts = key_facts(reading.document, reading.chunks, self._search([reading]), None, "contract")
        return Register(
            file=reading.document.name,
            sha256=reading.document.sha256,
            gaps=gap_reports(reading.document),
            obligations=by_party(register),
            calendar=calendar_of(facts, register),
        )

    def search(self, stored: Sequence[StoredDocument], query: str, k: int) -> list[RankedChunk]:
        """The `k` best passages of these documents, best first; needs no language model's weights."""
        found = self._retriever.search(plain_text(" ".join(query.split())), documents=stored, k=k, wide=True)
        labels = {each.id: self.library.page_labels(each) for each in {hit.document for hit in found}}
        return [
            RankedChunk(
                file=hit.document.name,
                page_index_start=hit.chunk.page_index_start,
                page_index_end=hit.chunk.page_index_end,
                page_label_start=labels[hit.document.id][hit.chunk.page_index_start],
                page_label_end=labels[hit.document.id][hit.chunk.page_index_end],
                headings=list(hit.chunk.section_path),
                text=hit.chunk.text,
                score=hit.score,
                reference=hit.reference,
            )
            for hit in found
        ]

    def keep_file(self, source: Path | bytes, name: str) -> str:
        """Keeps a copy of a file by its content beside the Library, so that its pages can be shown later.

        Returns its sha256. The ending of `name` is kept too, for it tells text formats apart.
        """
        data = source if isinstance(source, bytes) else source.read_bytes()
        sha256 = hashlib.sha256(data).hexdigest()
        if self.kept_file(sha256) is None:
            ending = Path(name).suffix.lower()
            target = (
                self._files / f"{sha256}{ending if re.fullmatch(r'[.][a-z0-9]{1,10}', ending) else '.bin'}"
            )
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            partial = target.with_suffix(f".{os.getpid()}-{threading.get_ident()}.part")
            partial.write_bytes(data)
            partial.replace(target)
        return sha256

    def kept_file(self, sha256: str) -> Path | None:
        """The file with that content that `keep_file` keeps, if it does."""
        found = (p for p in self._files.glob(f"{sha256}.*") if p.suffix != ".part")
        return next(found, None)

    def text_page(self, sha256: str, page_index: int) -> Page | None:
        """A page of a document in the Library whose format has none to draw; None if there is no such."""
        for stored in self.documents():
            if stored.sha256 == sha256 and " as " in stored.parser:
                return self.library.page(stored, page_index)
        return None

    @property
    def _files(self) -> Path:
        return self.library.path.parent / "files"

    @property
    def engine(self) -> Engine:
        from longleaf.engine.engine import Engine
        from longleaf.engine.prefix.folder import default_root
        from longleaf.engine.prefix.kv_options import KvOptions

        with self._opening:
            if self._engine is None:
                self._engine = Engine.open(
                    self._language_model,
                    ctx_size=self._ctx_size,
                    threads=self._threads,
                    offline=self._offline,
                    kv=self._kv or KvOptions(save_path=default_root()),
                )
            return self._engine

    @property
    def embedder(self) -> Embedder:
        from longleaf.engine.embedding.embedder import load_embedder

        with self._opening:
            if self._embedder is None:
                self._embedder = load_embedder(offline=self._offline)
            return self._embedder

    def model_checksums(self) -> dict[str, str]:
        """A hash (BLAKE2b) of the files of the models in use, by name; those that code alone does without too
        count its tokens."""
        from longleaf.engine.models.content_hash import content_hash

        names = (self._language_model, defaults.EMBEDDING_MODEL)
        found = (resolve(name, offline=self._offline) for name in names)
        return {model.name: content_hash(model.path) for model in found}

    @cached_property
    def _model_name(self) -> str:
        return resolve(self._language_model, offline=self._offline).name

    def _brief_of(self, length: Length) -> str:
        return f"{length}, by code" if self.model == NO_MODEL else length

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        """What counts the tokens of chunks: reading a file does not need the model's weights."""
        from longleaf.engine.prompt.tokenizer import open_tokenizer

        return open_tokenizer(self._language_model, offline=self._offline)

    def _index(
        self, path: Path, name: str | None, pages: Sequence[int] | None, progress: Progress | None
    ) -> StoredDocument:
        return index_file(
            self.library,
            path,
            lambda text: self._tokenizer.count(text),
            tokenizer=self._model_name,
            pages=pages,
            name=name,
            progress=progress,
            ocr=self.ocr,
        )

    @cached_property
    def _retriever(self) -> Retriever:
        from longleaf.app.retrieval.retriever import Retriever

        return Retriever(self.library, self.embedder)

    def _search(self, readings: Sequence[Reading]) -> Callable[[str, int], list[ScoredChunk]]:
        stored = [reading.stored for reading in readings]
        return lambda query, k: self._retriever.search(query, documents=stored, k=k)

    def _run(
        self, kind: Literal["brief", "answer", "facts"], readings: Sequence[Reading], question: str = ""
    ) -> Run:
        return Run(
            kind=kind,
            documents=tuple(reading.stored.sha256 for reading in readings),
            model=self._model_name,
            code_version=code_version(),
            question=question,
            settings={"readings": " ".join(f"{r.stored.parser}:{r.stored.chunking}" for r in readings)},
        )


def _side(reading: Reading) -> Side:
    """As comparison takes it: all but PDF and plain text say where their paragraphs begin."""
    from longleaf.app.compare.compare import Side

    parser = reading.stored.parser
    return Side(reading.document, flow=" as " in parser and " as text" not in parser)


def read_pages(
    path: Path,
    *,
    name: str | None = None,
    pages: str | None = None,
    progress: Progress | None = None,
    ocr: Ocr = "auto",
) -> PagesOutput:
    """The texts of a file's pages, without models or Library. Raises IngestError."""
    document = read_document(path, name=plain_text(name or path.name), progress=progress, ocr=ocr)
    if pages is not None:
        wanted = set(parse_pages(pages, [page.label for page in document.pages]))
    else:
        wanted = {page.page_index for page in document.pages}
    return PagesOutput(
        file=document.name,
        sha256=document.sha256,
        page_count=len(document.pages),
        pages=[
            PageText(
                page_index=page.page_index,
                page_label=page.label,
                width=page.width,
                height=page.height,
                text=page.text,
            )
            for page in document.pages
            if page.page_index in wanted
        ],
        gaps=[
            gap
            for gap in gap_reports(document)
            if pages is None or gap.page_index is None or gap.page_index in wanted
        ],
        annotations=[
            PageAnnotation(
                kind=a.kind,
                text=a.text,
                author=a.author,
                date=a.date,
                page_index=a.span.page_index,
                start=a.span.start,
                end=a.span.end,
            )
            for a in document.annotations
            if a.span.page_index in wanted
        ],
    )


@cache
def code_version() -> str:
    """Names the code that answers, so that what other code said is not shown as this one's."""
    digest = hashlib.sha256()
    for room in ("app", "engine"):
        for file in sorted((Path(longleaf.__path__[0]) / room).rglob("*.py")):
            digest.update(file.read_bytes())
    return f"{__version__}+{digest.hexdigest()[:12]}"
