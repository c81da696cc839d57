"""`longleaf compare`: two versions, many contracts, or contracts against a playbook."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from longleaf import LongleafError
from longleaf.app.cli import options
from longleaf.app.cli.documents import FILE, check_output, for_each, opened
from longleaf.app.cli.output import err, print_json, reading_bar, waiting
from longleaf.app.output_file import write_file

if TYPE_CHECKING:
    from longleaf.app.workspace import Reading, Workspace, WorkspaceOptions

_REDLINES = (".docx", ".pdf", ".html", ".json")
_MATRICES = (".xlsx", ".csv", ".json")


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="OLD NEW | FILES...")
@click.option("--matrix", "as_matrix", is_flag=True, help="One row a contract, one column a key fact.")
@click.option(
    "--against",
    type=FILE,
    help="With --matrix the contract that deviations are measured against; or a playbook (.toml).",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A redline (.docx with tracked changes, .pdf, .html), a matrix (.xlsx, .csv), or either as .json.",
)
@options.workspace(engine=False)
@options.as_json
def compare(
    files: tuple[Path, ...],
    as_matrix: bool,
    against: Path | None,
    output: Path | None,
    opening: WorkspaceOptions,
    as_json: bool,
) -> None:
    """What changed from OLD to NEW, whatever their formats and layouts, with its place in both.

    With --matrix the key facts of many FILES side by side; with --against PLAYBOOK.toml each of the FILES is
    checked by a team's rules. A folder stands for the files in it.
    """
    playbook = against is not None and against.suffix.lower() == ".toml"
    _check_use(files, as_matrix, against, output, playbook)
    with opened(opening) as workspace:
        if playbook and against is not None:
            failed = _by_playbook(workspace, files, against, output, as_json)
        elif as_matrix:
            failed = _as_matrix(workspace, files, against, output, as_json)
        else:
            failed = _two(workspace, files[0], files[1], output, as_json)
    sys.exit(1 if failed else 0)


def _check_use(
    files: tuple[Path, ...], as_matrix: bool, against: Path | None, output: Path | None, playbook: bool
) -> None:
    if playbook and as_matrix:
        raise click.UsageError("--matrix takes a contract as --against, not a playbook")
    if against is not None and not as_matrix and not playbook:
        raise click.UsageError("--against takes a playbook (.toml), or with --matrix a contract")
    if not as_matrix and not playbook and len(files) != 2:
        raise click.UsageError(f"two files are compared, {len(files)} are given; for more there is --matrix")
    suffixes = (".json",) if playbook else _MATRICES if as_matrix else _REDLINES
    if output is not None:
        check_output(output, (*files, *([against] if against else [])), suffixes, several=True)


def _read(workspace: Workspace, file: Path, name: str) -> Reading:
    with reading_bar(name) as bar:
        return workspace.read(file, name=name, progress=bar)


def _two(workspace: Workspace, old: Path, new: Path, output: Path | None, as_json: bool) -> bool:
    from longleaf.app.cli import show_compare
    from longleaf.app.inputs.sources import documents_in

    with ExitStack() as stack:
        readings: list[Reading] = []
        paths: list[Path] = []
        for file in (old, new):
            try:
                documents = list(stack.enter_context(documents_in(file)))
                if len(documents) != 1 or documents[0].path is None:
                    problem = (
                        documents[0].problem if len(documents) == 1 else f"holds {len(documents)} documents"
                    )
                    raise LongleafError(f"{file}: {problem}; two single documents are compared")
                paths.append(documents[0].path)
                readings.append(_read(workspace, documents[0].path, documents[0].name))
            except LongleafError as error:
                err.print(f"error: {error}", markup=False)
        if len(readings) != 2:
            return True
        with waiting("comparing"):
            comparison = workspace.compare(readings[0], readings[1])
            if output is not None and output.suffix.lower() != ".json":
                workspace.write_redline(readings[0], readings[1], output, old_file=paths[0])
    plain = comparison.model_dump(mode="json", by_alias=True)
    if output is not None:
        if output.suffix.lower() == ".json":
            write_file(output, comparison.model_dump_json(by_alias=True, indent=1).encode())
        err.print(f"wrote {output}", markup=False)
    if as_json:
        print_json(plain)
    elif output is None:
        show_compare.comparison(comparison)
    return False


def _as_matrix(
    workspace: Workspace, files: tuple[Path, ...], against: Path | None, output: Path | None, as_json: bool
) -> bool:
    from longleaf.app.cli import show_compare
    from longleaf.app.export.matrix_files import write_matrix

    paths: dict[str, Path] = {}

    def read(file: Path, name: str) -> Reading:
        if file.exists() and str(file) == name:
            paths[name] = file
        return _read(workspace, file, name)

    readings, failed, _ = for_each(files, read)
    standard = None
    if against is not None:
        found, no_standard, _ = for_each([against], read)
        if no_standard or len(found) != 1:
            return True
        standard = found[0]
    if not readings:
        return True
    with waiting("finding key facts"):
        made = workspace.matrix(readings, standard)
    if output is not None:
        write_matrix(made, output, paths)
        err.print(f"wrote {output}", markup=False)
    if as_json:
        print_json(made.model_dump(mode="json"))
    elif output is None:
        show_compare.matrix(made)
    return failed


def _by_playbook(
    workspace: Workspace, files: tuple[Path, ...], playbook: Path, output: Path | None, as_json: bool
) -> bool:
    from longleaf.app.cli import show_compare

    rules = workspace.playbook(playbook)
    results, failed, several = for_each(
        files, lambda file, name: workspace.check(_read(workspace, file, name), rules)
    )
    plain = [result.model_dump(mode="json") for result in results]
    if output is not None and plain:
        import json

        written = json.dumps(plain if several else plain[0], ensure_ascii=False, indent=1)
        write_file(output, written.encode())
        err.print(f"wrote {output}", markup=False)
    if as_json and plain:
        print_json(plain if several else plain[0])
    elif output is None:
        for result in results:
            show_compare.outcomes(result)
    return failed
