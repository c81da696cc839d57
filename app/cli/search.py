"""`longleaf search`: the passages that should answer a question, ranked, and no answer made of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from longleaf.app.cli import options
from longleaf.app.cli.documents import FILE, check_asked, for_each, opened
from longleaf.app.cli.output import print_json, reading_bar

if TYPE_CHECKING:
    from longleaf.app.workspace import WorkspaceOptions


@click.command()
@click.argument("files", nargs=-1, type=FILE, metavar="FILES...")
@click.argument("query")
@click.option("-k", type=click.IntRange(min=1), default=10, show_default=True, help="Passages to list.")
@options.workspace(engine=False)
@options.pages
@options.as_json
def search(
    files: tuple[Path, ...],
    query: str,
    k: int,
    opening: WorkspaceOptions,
    pages: str | None,
    as_json: bool,
) -> None:
    """The passages of the FILEs that answer QUERY, best first. A folder stands for the files in it."""
    from longleaf.app.cli import show
    from longleaf.app.library.documents import StoredDocument

    check_asked(files, query, "QUERY")

    def store(file: Path, name: str) -> StoredDocument:
        with reading_bar(name) as bar:
            return workspace.store(file, name=name, pages=pages, progress=bar)

    with opened(opening) as workspace:
        stored, failed, _ = for_each(files, store)
        if not stored:
            sys.exit(1)
        found = workspace.search(stored, query, k)
    if as_json:
        print_json([chunk.model_dump(mode="json") for chunk in found])
    else:
        show.ranked(found)
    sys.exit(1 if failed else 0)
