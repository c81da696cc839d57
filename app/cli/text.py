"""Text given on the command line: literally, from a file, or from standard input."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from longleaf import LongleafError


def read_text(file: Path | None, literal: str | None) -> str:
    """Exactly one of the two must be given. Raises LongleafError when a file cannot be read as UTF-8."""
    if (file is None) == (literal is None):
        raise click.UsageError("give the text either as a file or as --prompt, not both or neither")
    if literal is not None:
        return literal
    assert file is not None
    try:
        raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return raw.decode("utf-8")
    except OSError as error:
        raise LongleafError(f"cannot read {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise LongleafError(f"{file} is not UTF-8 text: byte {error.start} cannot be read") from error
