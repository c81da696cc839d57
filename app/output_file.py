"""Files of results: their endings are checked first, and each is written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from longleaf import LongleafError


class ExportError(LongleafError):
    """A file that cannot be written, or has a name whose ending tells no format."""


def check_suffix(path: Path, suffixes: Sequence[str]) -> None:
    """Raises ExportError unless the name ends in one of the suffixes."""
    if path.suffix.lower() not in suffixes:
        raise ExportError(f"{path}: its ending must be one of {', '.join(suffixes)}")


def write_file(path: Path, data: bytes) -> None:
    """Writes all of it or leaves what was there. Raises ExportError."""
    try:
        write_whole(path, data)
    except OSError as error:
        raise ExportError(f"{path}: cannot be written ({error.strerror})") from error


def write_whole(path: Path, data: bytes) -> None:
    """Writes all of it or leaves what was there: to a new file beside it, which then takes its place."""
    path = path.resolve()  # a link stays one
    if path.exists() and not path.is_file():  # a pipe or a device takes what comes
        path.write_bytes(data)
        return
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", suffix=".part", dir=path.parent)
    partial = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        partial.chmod(mode)
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
