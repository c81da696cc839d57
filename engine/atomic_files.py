"""Files that are written whole or not at all, whichever process reads them meanwhile."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

_MOST_JSON = 1 << 20  # bytes


@contextmanager
def new_file(partial: Path) -> Iterator[BinaryIO]:
    """A file under a temporary name that ends with ".partial", locked until the block ends; removed if that
    fails. Raises OSError."""
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb", buffering=1 << 20) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def write_whole(path: Path, text: str) -> None:
    """Whole or not at all. Raises OSError."""
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}.partial")
    with new_file(partial) as file:
        file.write(text.encode())
        file.flush()
        partial.replace(path)


def read_json(path: Path) -> object:
    """What a small file holds; None if it is not there or makes no sense."""
    try:
        with path.open("rb") as file:
            return json.loads(file.read(_MOST_JSON))
    except (OSError, ValueError, RecursionError):
        return None


def sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
