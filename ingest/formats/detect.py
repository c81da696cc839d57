"""Tells the format of a file by its first bytes; by its name only where text could be several things.

Runs in the parent, so it reads little, parses nothing that nests and allocates by fixed limits.
"""

from __future__ import annotations

import os
import re
import struct
from pathlib import PurePath
from typing import Literal

from longleaf.ingest.errors import IngestError, UnreadKindError

Format = Literal["pdf", "docx", "xlsx", "html", "markdown", "text", "mail", "zip"]

_HEAD = 8192
_MOST_DIRECTORY = 16 << 20  # of a ZIP: some 200,000 names
_END = b"PK\x05\x06"
_SUFFIXES: dict[str, Format] = {
    ".md": "markdown", ".markdown": "markdown", ".htm": "html", ".html": "html", ".xhtml": "html",
    ".eml": "mail", ".txt": "text", ".text": "text",
}  # fmt: skip
_HTML = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)
_HEADER = re.compile(
    r"^(?:received|from|to|subject|date|message-id|mime-version|return-path|delivered-to|reply-to|"
    r"x-[\w-]+|content-type|dkim-signature|arc-[\w-]+):",
    re.I,
)
_PICTURES = {b"\x89PNG": "PNG", b"\xff\xd8\xff": "JPEG", b"GIF8": "GIF", b"II*\0": "TIFF", b"MM\0*": "TIFF"}


def detect(descriptor: int, name: str) -> Format:
    """The format of an open file. Raises IngestError if it is none that can be read, saying what to do."""
    head = os.pread(descriptor, _HEAD, 0)
    if b"%PDF-" in head[:1024]:
        return "pdf"
    suffix = PurePath(name.lower()).suffix
    if suffix == ".pdf":
        raise IngestError(f"{name}: not a PDF file (no %PDF- in its first 1,024 bytes)")
    if head.startswith(b"PK\x03\x04") or head.startswith(_END):
        return _package(descriptor, name)
    if head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        if suffix == ".msg":
            raise UnreadKindError(f"{name}: is a message as Outlook keeps it; save it as .eml or .html")
        raise UnreadKindError(
            f"{name}: is of an old or encrypted Office format; save it as .docx, .xlsx or PDF"
        )
    if head.startswith(b"{\\rtf"):
        raise UnreadKindError(f"{name}: is an RTF file, which is not read; save it as .docx or PDF")
    for magic, kind in _PICTURES.items():
        if head.startswith(magic):
            raise UnreadKindError(f"{name}: is a picture ({kind}); save it as a PDF and read that with --ocr")
    if suffix in (".docx", ".xlsx", ".zip"):
        raise IngestError(
            f"{name}: not a {suffix[1:].upper()} file (no ZIP header): damaged, or named wrongly"
        )
    if not _is_text(head):
        raise UnreadKindError(
            f"{name}: its bytes are no text and of no known format; PDF, DOCX, XLSX, HTML, Markdown, text, "
            "EML and ZIP are read"
        )
    return _SUFFIXES.get(suffix) or _text_kind(head)


def _is_text(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        return True
    control = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in head)
    # Without a mark UTF-16 of European text has a NUL in every second byte, all at even or all at odd places.
    if head and max(head[::2].count(0), head[1::2].count(0)) > 0.4 * len(head):
        return min(head[::2].count(0), head[1::2].count(0)) < 0.02 * len(head)
    return control <= 0.01 * len(head)


def _text_kind(head: bytes) -> Format:
    text = head.replace(b"\0", b"").decode("latin-1").lstrip("\xff\xfe\xef\xbb\xbf")
    if _HTML.match(text):
        return "html"
    lines = text.splitlines()[:40]
    named = {m[0].lower() for line in lines if (m := _HEADER.match(line))}
    if (
        lines
        and _HEADER.match(lines[0])
        and len(named) >= 3
        and named & {"from:", "received:", "message-id:"}
    ):
        return "mail"
    return "text"


def _package(descriptor: int, name: str) -> Format:
    names = zip_names(descriptor, name)
    for kind, folder in (("docx", "word/"), ("xlsx", "xl/")):
        if "[Content_Types].xml" in names and any(n.startswith(folder) and n.endswith(".xml") for n in names):
            return kind  # type: ignore[return-value]
    if "[Content_Types].xml" in names and any(n.startswith(("ppt/", "xl/")) for n in names):
        raise UnreadKindError(f"{name}: is a presentation or a binary workbook; save it as a PDF or .xlsx")
    if "mimetype" in names and "META-INF/manifest.xml" in names:
        raise UnreadKindError(f"{name}: is an OpenDocument file; save it as .docx, .xlsx or PDF")
    return "zip"


def zip_names(descriptor: int, name: str) -> list[str]:
    """The names in a ZIP's directory, as it gives them. Raises IngestError if the directory is damaged."""
    size = os.fstat(descriptor).st_size
    tail = os.pread(descriptor, 66_000, max(size - 66_000, 0))
    at = tail.rfind(_END)
    damaged = IngestError(f"{name}: the ZIP directory at its end is damaged or missing; get the file again")
    if at < 0 or len(tail) - at < 22:
        raise damaged
    length, start = struct.unpack_from("<II", tail, at + 12)
    end = max(size - 66_000, 0) + at
    if length == 0xFFFFFFFF or start == 0xFFFFFFFF:  # ZIP64, of more than 65,535 members or 4 GiB
        raise IngestError(f"{name}: the ZIP is too large to be opened; unpack it and read its files")
    if length > _MOST_DIRECTORY:
        raise IngestError(f"{name}: the ZIP has too many members; unpack it and read its files")
    if length > end:
        raise damaged
    directory = os.pread(descriptor, length, end - length)
    names, offset = [], 0
    while directory.startswith(b"PK\x01\x02", offset):
        if offset + 46 > length:
            raise damaged
        flags = struct.unpack_from("<H", directory, offset + 8)[0]
        named, extra, comment = struct.unpack_from("<HHH", directory, offset + 28)
        raw = directory[offset + 46 : offset + 46 + named]
        names.append(raw.decode("utf-8" if flags & 0x800 else "cp437", "replace"))
        offset += 46 + named + extra + comment
    return names
