"""`longleaf ask`: one question, or a file of them, over one or many documents."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from longleaf.app.cli import options
from longleaf.app.cli.documents import FILE, check_asked, check_output, for_each, opened
from longleaf.app.cli.output import counting, err, print_json, reading_bar, waiting

if TYPE_CHECKING:
    from longleaf.app.schema import Answer
    from longleaf.app.workspace import Reading, Workspace, WorkspaceOptions


@click.command()
@click.argument("files", nargs=-1, type=FILE, metavar="FILES... QUESTION")
@click.option(
    "--questions",
    "question_file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="A text file with a question a line; each is asked of each document. # begins a remark.",
)
@options.workspace(engine=True)
@options.pages
@options.as_json
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to a .md, .json or .docx file; with --questions to .xlsx, .csv or .json.",
)
def ask(
    files: tuple[Path, ...],
    question_file: Path | None,
    opening: WorkspaceOptions,
    pages: str | None,
    as_json: bool,
    output: Path | None,
) -> None:
    """Answer QUESTION from the FILES, with the citation it rests on. A folder stands for the files in it.

    With --questions FILE no QUESTION is given, and there is an answer for each question and each document.
    """
    from longleaf.app.export import answer_table, markdown_docx
    from longleaf.app.inputs.questions import read_questions

    question = ""
    if question_file is None:
        files, question = files[:-1], str(files[-1]) if files else ""
        check_asked(files, question, "QUESTION")
    elif not files:
        raise click.UsageError("no FILE is given")
    if output:
        suffixes = answer_table.SUFFIXES if question_file else markdown_docx.SUFFIXES
        check_output(output, files, suffixes, several=True)
    questions = read_questions(question_file) if question_file else [question]

    def read(file: Path, name: str) -> Reading:
        with reading_bar(name) as bar:
            return workspace.read(file, name=name, pages=pages, progress=bar)

    with opened(opening) as workspace:
        readings, failed, _ = for_each(files, read)
        if not readings:
            sys.exit(1)
        if question_file:
            answers = _of_each(workspace, readings, questions)
        else:
            with waiting("searching"):
                answers = [workspace.ask(readings, question)]
    _tell(answers, output, as_json, several=question_file is not None)
    sys.exit(1 if failed else 0)


def _of_each(workspace: Workspace, readings: Sequence[Reading], questions: Sequence[str]) -> list[Answer]:
    answers: list[Answer] = []
    with counting("asking") as bar:
        for reading in readings:
            for question in questions:
                answers.append(workspace.ask([reading], question))
                bar(len(answers), len(readings) * len(questions))
    return answers


def _tell(answers: Sequence[Answer], output: Path | None, as_json: bool, *, several: bool) -> None:
    from longleaf.app.cli import show
    from longleaf.app.export.answer_table import write_answers
    from longleaf.app.export.markdown_docx import write_brief

    if output:
        if several:
            write_answers(answers, output)
        else:
            write_brief(answers[0], output)
        err.print(f"wrote {output}", markup=False)
    if as_json:
        plain = [answer.model_dump(mode="json") for answer in answers]
        print_json(plain if several else plain[0])
    elif not output:
        for answer in answers:
            if several:
                show.asked(answer)
            show.answer(answer)
