"""`longleaf summarize|pages|ui|library|schema`: what people do with documents."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from longleaf import LongleafError
from longleaf.app.cli import options
from longleaf.app.cli.output import (
    err,
    gap_line,
    out,
    print_json,
    print_results,
    pulling,
    reading_bar,
    waiting,
)
from longleaf.app.text.printable import plain_text
from longleaf.ingest.read import Ocr

if TYPE_CHECKING:
    from longleaf.app.schema import Length
    from longleaf.app.workspace import Workspace, WorkspaceOptions

FILE = click.Path(path_type=Path)
Result = TypeVar("Result")


def for_each(files: Iterable[Path], action: Callable[[Path, str], Result]) -> tuple[list[Result], bool, bool]:
    """Runs `action` on the path and the name of each document; a folder, a ZIP or a message may hold several.

    One that fails is named on stderr and does not stop the others; so is what is passed over in a folder.
    Returns the results, whether any failed, and whether more than one document was asked for.
    """
    from longleaf.app.inputs.folders import expand
    from longleaf.app.inputs.sources import documents_in

    results: list[Result] = []
    failed, count = False, 0

    def tell(error: object) -> None:
        nonlocal failed
        err.print("\n".join(map(plain_text, f"error: {error}".split("\n"))), markup=False)
        failed = True

    def passed_over(path: Path, why: str) -> None:
        err.print(plain_text(f"{path}: passed over: {why}"), markup=False)

    for file in expand(files, passed_over):
        count += 1
        try:
            with documents_in(file) as documents:
                for number, document in enumerate(documents):
                    count += number > 0 or file.suffix.lower() == ".zip"
                    try:
                        if document.path is None:
                            tell(f"{document.name}: {document.problem}")
                        else:
                            results.append(action(document.path, document.name))
                    except LongleafError as error:
                        tell(error)
        except LongleafError as error:
            tell(error)
    return results, failed, count > 1


def check_output(
    output: Path, files: Sequence[Path], suffixes: Sequence[str], *, several: bool = False
) -> None:
    """An output is no input, also by another name; unless `several`, it is that of one document."""
    from longleaf.app.output_file import check_suffix

    try:
        check_suffix(output, suffixes)
    except LongleafError as error:
        raise click.UsageError(str(error)) from error
    if not several and (len(files) > 1 or files[0].suffix.lower() == ".zip" or files[0].is_dir()):
        raise click.UsageError("--output takes one file at a time")
    if output.exists() and any(file.exists() and output.samefile(file) for file in files):
        raise click.UsageError(f"--output {output} is the file to be read; write to another name")


def check_asked(files: Sequence[Path], text: str, what: str) -> None:
    """What comes last on the command line is the question: where it was left out, a file stands there."""
    if os.path.exists(text):  # noqa: PTH110  # Path.exists raises for a text too long for a name
        raise click.UsageError(f"the {what} is missing: it comes last, and {text} is a file")
    if not files:
        raise click.UsageError(f"no FILE is given: the files come first, and {text!r} last, as the {what}")
    if not text.strip():
        raise click.UsageError(f"the {what} is empty")


@contextmanager
def opened(opening: WorkspaceOptions) -> Iterator[Workspace]:
    """A Workspace with its models on this machine."""
    from longleaf.app.workspace import Workspace

    with Workspace(**opening) as workspace:
        with pulling() as progress:
            workspace.fetch_models(progress)
        yield workspace


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@options.workspace(engine=True)
@options.pages
@options.as_json
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to a .md, .json or .docx file.",
)
@click.option(
    "--length",
    type=click.Choice(["short", "page", "full"]),
    default="page",
    show_default=True,
    help="The head of the first page, the whole page, or the page and every section.",
)
def summarize(
    files: tuple[Path, ...],
    opening: WorkspaceOptions,
    pages: str | None,
    as_json: bool,
    output: Path | None,
    length: Length,
) -> None:
    """A brief of each FILE: what is missing, key facts and one page by topic, all with citations.

    What is said in other words than the file's is proven by code from what it cites. With -m none no model is
    used, and the brief is there at once.

    A FILE is a PDF, DOCX, XLSX, HTML, Markdown, text or EML file; of a folder, a ZIP, and of what is attached
    to a message, each document gets its own. With --json and several documents a list of briefs is printed.
    """
    from longleaf.app.cli import show
    from longleaf.app.export.markdown_docx import SUFFIXES, write_brief
    from longleaf.app.gaps import gap_reports
    from longleaf.app.schema import Brief

    if output:
        check_output(output, files, SUFFIXES)
    live = not as_json and output is None

    def brief_of(file: Path, name: str) -> Brief:
        with reading_bar(name) as bar:
            reading = workspace.read(file, name=name, pages=pages, progress=bar)
        gaps = gap_reports(reading.document)
        if live:
            show.opening(f"{plain_text(name)} · {len(reading.document.pages)} pages", gaps)
        with waiting("summarizing") as status:
            brief = workspace.summarize(
                reading, length=length, on_fact=show.fact if live else None, progress=status
            )
        if live:
            show.rest(brief, len(gaps))
        if output:
            write_brief(brief, output)
            err.print(f"wrote {output}", markup=False)
        return brief

    with opened(opening) as workspace:
        briefs, failed, several = for_each(files, brief_of)
    if as_json and briefs:
        print_results(briefs, several)
    sys.exit(1 if failed else 0)


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@options.pages
@options.ocr
@options.as_json
def pages(files: tuple[Path, ...], pages: str | None, ocr: Ocr, as_json: bool) -> None:
    """The text of each page as Longleaf reads it; citations give offsets into it.

    With --json and several documents a list is printed.
    """
    from longleaf.app.schema import PagesOutput
    from longleaf.app.workspace import read_pages

    unread = False

    def read(file: Path, name: str) -> PagesOutput:
        nonlocal unread
        with reading_bar(name) as bar:
            result = read_pages(file, name=name, pages=pages, progress=bar, ocr=ocr)
        for gap in result.gaps:
            err.print(gap_line(gap, name_file=True), markup=False)
        if not as_json:
            for page in result.pages:
                out.print(
                    f"--- page {page.page_label} (position {page.page_index + 1})", style="bold", markup=False
                )
                sys.stdout.write(page.text + "\n")
        if not any(page.text.strip() for page in result.pages):
            err.print(f"error: {result.file}: no page of it could be read", markup=False)
            unread = True
        return result

    results, failed, several = for_each(files, read)
    if as_json and results:
        print_results(results, several)
    sys.exit(1 if failed or unread else 0)


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@options.model()
@options.library
@options.offline
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True)
def ui(file: Path | None, model: str, library: Path | None, offline: bool, host: str, port: int) -> None:
    """Review briefs in the browser, beside the pages they rest on."""
    check_free(host, port)
    command = [
        sys.executable,
        "-m",
        "longleaf.ui.launch",
        "--host",
        host,
        "--port",
        str(port),
        "--model",
        model,
    ]
    command += ["--library", str(library)] if library else []
    command += ["--offline"] if offline else []
    command += [str(file)] if file else []
    sys.exit(subprocess.run(command, check=False).returncode)


def check_free(host: str, port: int) -> None:
    """Raises LongleafError if nothing can listen there."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise LongleafError(
            f"cannot listen on port {port} of {host} ({error.strerror}); choose others by --port and --host"
        ) from error


@click.command()
@click.argument(
    "name",
    type=click.Choice(["brief", "answer", "pages", "search", "compare", "matrix", "playbook"]),
    default="brief",
)
def schema(name: str) -> None:
    """JSON Schema of what --json prints: of summarize (brief), ask (answer), pages, search or compare.

    For compare --matrix it is matrix, for compare --against PLAYBOOK.toml playbook.
    """
    from pydantic import TypeAdapter

    from longleaf.app.compare.schema import Comparison, Matrix, PlaybookResult
    from longleaf.app.schema import RANKED_CHUNKS, Answer, Brief, PagesOutput

    outputs: dict[str, TypeAdapter[Any]] = {
        "brief": TypeAdapter(Brief),
        "answer": TypeAdapter(Answer),
        "pages": TypeAdapter(PagesOutput),
        "search": RANKED_CHUNKS,
        "compare": TypeAdapter(Comparison),
        "matrix": TypeAdapter(Matrix),
        "playbook": TypeAdapter(PlaybookResult),
    }
    print_json(outputs[name].json_schema())


@click.group()
def library() -> None:
    """The documents that were read."""


@library.command("list")
@options.library
@options.as_json
def library_list(library: Path | None, as_json: bool) -> None:
    """Every document of the library."""
    from rich.table import Table

    from longleaf.app.workspace import Workspace

    with Workspace(library) as workspace:
        documents = workspace.documents()
    if as_json:
        print_json(
            [
                {"sha256": d.sha256, "name": d.name, "pages": d.page_count, "added": d.added_at}
                for d in documents
            ]
        )
        return
    table = Table("sha256", "name", "pages", "added", box=None)
    for document in documents:
        table.add_row(document.sha256[:12], document.name, str(document.page_count), document.added_at[:16])
    out.print(table)


@library.command("rm")
@click.argument("documents", nargs=-1, required=True)
@options.library
def library_rm(documents: tuple[str, ...], library: Path | None) -> None:
    """Remove documents, by the beginning of their sha256 (8 or more characters), and what came from them."""
    from longleaf.app.workspace import Workspace

    failed = False
    with Workspace(library) as workspace:
        for prefix in documents:
            matches = {d.sha256 for d in workspace.documents() if d.sha256.startswith(prefix.lower())}
            if len(prefix) < 8 or len(matches) != 1:
                why = f"{len(matches)} documents begin with that" if len(prefix) >= 8 else "is too short"
                err.print(
                    f"error: {prefix}: {why}; give 8 or more characters of a sha256 that library list shows",
                    markup=False,
                )
                failed = True
                continue
            workspace.remove(matches.pop())
            out.print(f"{prefix}: removed", markup=False)
    sys.exit(1 if failed else 0)
