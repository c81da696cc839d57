"""`longleaf search`: the passages that should answer a question, ranked, and no answer made of them."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from longleaf.app.cli import options
from longleaf.app.cli.documents import FILE, for_each
from longleaf.app.cli.output import print_json, pulling, reading_bar
from longleaf.ingest.read import Ocr


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.argument("query")
@click.option("-k", type=click.IntRange(min=1), default=10, show_default=True, help="Passages to list.")
@options.model()
@options.pages
@options.ocr
@options.library
@options.offline
@options.as_json
def search(
    files: tuple[Path, ...],
    query: str,
    k: int,
    model: str,
    pages: str | None,
    ocr: Ocr,
    library: Path | None,
    offline: bool,
    as_json: bool,
) -> None:
    """The passages of the FILEs that answer QUERY, best first. A folder stands for the files in it."""
    from longleaf.app.cli import show
    from longleaf.app.files import expand
    from longleaf.app.library import StoredDocument
    from longleaf.app.workspace import Workspace

    if not query.strip():
        raise click.UsageError("the query is empty")

    def store(file: Path, name: str) -> StoredDocument:
        with reading_bar(name) as bar:
            return workspace.store(file, name=name, pages=pages, progress=bar)

    with Workspace.open(library, model=model, offline=offline, ocr=ocr) as workspace:
        with pulling() as progress:
            workspace.fetch_models(progress)
        stored, failed, _ = for_each(expand(files), store)
        if not stored:
            sys.exit(1)
        found = workspace.search(stored, query, k)
    if as_json:
        print_json([chunk.model_dump(mode="json") for chunk in found])
    else:
        show.ranked(found)
    sys.exit(1 if failed else 0)
