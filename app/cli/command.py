"""The `longleaf` command and its way with errors."""

from __future__ import annotations

import errno
import os
import sys
from typing import Any

import click

from longleaf import LongleafError, __version__
from longleaf.app.cli import ask, batch, cache, chat, compare, documents, engine, models, obligations, search
from longleaf.app.cli.output import err


class _Commands(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        """That the reader of our output went away is no error, though click and rich exit with 1 for it."""
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except (BrokenPipeError, SystemExit) as end:
            if not isinstance(end, BrokenPipeError) and not isinstance(end.__context__, BrokenPipeError):
                raise
            _drop_output()
            sys.exit(0)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            _drop_output()
            raise LongleafError("no space is left on the disk: the output is not complete") from error


def _drop_output() -> None:
    """What is still buffered for standard output goes nowhere, instead of failing again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="longleaf")
def cli() -> None:
    """Read whole contracts and reports on this machine, and answer with proof."""


for command in (
    documents.summarize,
    ask.ask,
    chat.chat,
    batch.batch,
    search.search,
    obligations.obligations,
    compare.compare,
    documents.pages,
    documents.ui,
    documents.library,
    documents.schema,
    models.models,
    cache.cache,
    engine.tokenize,
    engine.perplexity,
    engine.generate,
    engine.bench,
):
    cli.add_command(command)


def main() -> None:
    """Exit codes: 0 done, 1 some inputs failed (named), 2 wrong use, 130 interrupted."""
    try:
        cli.main(standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        err.print("interrupted; what was finished is kept")
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except LongleafError as error:
        err.print(f"error: {error}", markup=False)
        sys.exit(1)
