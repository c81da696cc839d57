"""The members of a ZIP folder and the attachments of a message, each as bytes with a name to show.

Names are shown and never used as paths. Everything is bounded: members, bytes of one and of all.
"""

from __future__ import annotations

import contextlib
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from longleaf.ingest.errors import IngestError
from longleaf.ingest.formats.mail import message as mail

MOST_MEMBERS = 2_000
MOST_BYTES = 256 << 20  # of one member
_JUNK = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")


def members(file: Any, kind: str, name: str) -> Iterator[tuple[str, bytes | str]]:
    """Each member's name with its bytes, or with the reason why it is not read.

    Raises IngestError if the file as a whole cannot be read.
    """
    if kind == "mail":
        for shown, part in mail.attachments(mail.parse(file.read())):
            yield clean(shown), mail.payload(part)
        return
    try:
        folder = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise IngestError(f"{name}: the ZIP directory is damaged ({error}); get the file again") from error
    count = 0
    for info in folder.infolist():
        if info.is_dir() or any(part in _JUNK for part in PurePosixPath(info.filename).parts):
            continue
        count += 1
        shown = clean(_name(info))
        if count > MOST_MEMBERS:
            yield shown, f"not read: only the first {MOST_MEMBERS:,} members are"
            return
        yield shown, _unpacked(folder, info)


def _name(info: zipfile.ZipInfo) -> str:
    """The member's name; many programs write UTF-8 without the flag that says so."""
    if not info.flag_bits & 0x800:
        with contextlib.suppress(UnicodeError):
            return info.filename.encode("cp437").decode("utf-8")
    return info.filename


def _unpacked(folder: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes | str:
    if stat.S_ISLNK(info.external_attr >> 16):
        return "is a link, not a file; put the file itself into the folder"
    if info.flag_bits & 1:
        return "is encrypted; unpack it with its password and read that"
    try:
        with folder.open(info) as member:
            data = member.read(MOST_BYTES + 1)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        ValueError,
        NotImplementedError,
        RuntimeError,
    ) as error:
        return f"is damaged in the ZIP ({error}); get the folder again"
    if len(data) > MOST_BYTES:
        return f"is larger than {MOST_BYTES >> 20} MiB once unpacked, which is not read"
    return data


def clean(name: str) -> str:
    """The name without what would lead out of the folder: "../a/./b" is "a/b", "C:\\\\x" is "x"."""
    parts = name.replace("\\", "/").split("/")
    kept = [part for part in parts if part not in ("", ".", "..") and not part.endswith(":")]
    return "/".join(kept)[:500] or "unnamed"
