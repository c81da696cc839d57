"""Options that several commands share, named as llama-server's where they mean the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from longleaf.app import defaults

Command = TypeVar("Command", bound=Callable[..., Any])


def model() -> Callable[[Command], Command]:
    return click.option(
        "-m",
        "--model",
        "model",
        default=defaults.LANGUAGE_MODEL,
        show_default=True,
        envvar="LONGLEAF_MODEL",
        help="Catalogue name, path of a GGUF, or hf:ORG/REPO/FILE.gguf.",
    )


def ctx_size(default: int | None = None) -> Callable[[Command], Command]:
    return click.option(
        "-c",
        "--ctx-size",
        "--ctx",
        "ctx_size",
        type=click.IntRange(4, 2**31 - 1),
        default=default,
        show_default=default is not None,
        help="Context length in tokens.",
    )


threads = click.option(
    "-t",
    "--threads",
    type=click.IntRange(1, 1024),
    default=None,
    help="Threads [default: one a usable core].",
)
offline = click.option(
    "--offline", is_flag=True, envvar="LONGLEAF_OFFLINE", help="Never connect to a network."
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON (see: longleaf schema).")
pages = click.option(
    "--pages",
    metavar="SPEC",
    default=None,
    help="Only these pages, by printed label or position, as 1-5,iv,12-.",
)
library = click.option(
    "--library",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="The library's SQLite file [default: $LONGLEAF_LIBRARY, else in the XDG data folder].",
)
