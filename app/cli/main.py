"""The `longleaf` command and its way with errors."""

from __future__ import annotations

import sys

import click

from longleaf import LongleafError, __version__
from longleaf.app.cli import documents, engine, models
from longleaf.app.cli.output import err


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="longleaf")
def cli() -> None:
    """Read whole contracts and reports on this machine, and answer with proof."""


for command in (
    documents.summarize,
    documents.ask,
    documents.pages,
    documents.ui,
    documents.library,
    documents.schema,
    models.models,
    engine.tokenize,
    engine.perplexity,
    engine.generate,
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
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output went away: not an error of ours
        sys.exit(0)
