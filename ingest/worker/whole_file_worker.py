"""The worker's side of formats that are read whole. Nothing may be imported once the process is confined."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from encodings import aliases
from typing import Any

from longleaf.ingest.formats.flow import Flow, frames
from longleaf.ingest.worker import framing

_SAMPLES = {
    "markdown": b"# T\n\n| a | b |\n|---|---|\n| 1 | *2* |\n\n1. x\n   - ~~y~~\n\n<p>z</p>\n",
    "html": b"<!doctype html><title>t</title><table><tr><th>a<th>b<tr><td>1<td>2</table>",
    "mail": b"Subject: =?utf-8?q?t?=\nFrom: a@b.c\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n"
    b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html; charset=utf-8\n\n<p>x</p>\n"
    b"--b\nContent-Type: message/rfc822\n\nSubject: t\n\nx\n--b--\n",
    "text": b"\x93quoted\x94 text of no particular encoding \xe9\xe8\n" * 3,
}
_PACKAGES = {
    "docx": {"word/document.xml": b"<d><body><p><r><t>x</t></r></p></body></d>"},
    "xlsx": {
        "xl/workbook.xml": b"<w xmlns:r='r'><sheets><sheet name='s' r:id='i'/></sheets></w>",
        "xl/_rels/workbook.xml.rels": b"<r><Relationship Id='i' Type='t/worksheet' Target='s.xml'/></r>",
        "xl/s.xml": b"<s><row><c><v>1.5</v></c></row></s>",
    },
}


def warm_up(kind: str) -> None:
    """Runs the format's parser once on something made, so that what it imports late is there."""
    codecs.lookup("cp437")  # of names in a ZIP
    if kind in ("text", "html", "markdown", "mail"):
        for encoding in set(aliases.aliases.values()):
            try:
                codecs.lookup(encoding)
            except LookupError:  # of another platform
                continue
        from longleaf.ingest.formats.text import decode

        decode(_SAMPLES["text"])
    if kind == "zip":
        list(member_frames(_zipped({"a": b"b"}), "zip", ""))
    elif kind in ("docx", "xlsx"):
        list(flow_frames(_zipped(_PACKAGES[kind]), kind, ""))
    else:
        list(flow_frames(io.BytesIO(_SAMPLES[kind]), kind, ""))
        if kind == "mail":
            list(member_frames(io.BytesIO(_SAMPLES[kind]), kind, ""))


def _zipped(parts: dict[str, bytes]) -> io.BytesIO:
    import zipfile

    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as folder:
        for name, data in parts.items():
            folder.writestr(name, data)
    return made


def flow_frames(file: Any, kind: str, name: str) -> Iterator[bytes]:
    """The frames of a file: pages for plain text, else a flow. The last one says so."""
    if kind == "text":
        yield from _text_frames(file)
        return
    for head in frames(_flow(file, kind, name)):
        yield framing.frame(head)


def member_frames(file: Any, kind: str, name: str) -> Iterator[bytes]:
    """A frame for each member: its name, and its bytes or what is wrong with it."""
    from longleaf.ingest.formats.archive import members

    for shown, held in members(file, kind, name):
        if isinstance(held, str):
            yield framing.frame({"member": shown, "problem": held})
        else:
            yield framing.frame({"member": shown}, held)
    yield framing.frame({"end": True})


def _text_frames(file: Any) -> Iterator[bytes]:
    from longleaf.ingest.formats import text
    from longleaf.ingest.worker.page_frames import page_frame_bytes

    found, metadata, gaps = text.read(file.read())
    for page, label in found:
        yield page_frame_bytes(page, label=label)
    yield framing.frame({"end": True, "metadata": metadata, "gaps": [[gap.kind, gap.detail] for gap in gaps]})


def _flow(file: Any, kind: str, name: str) -> Flow:
    if kind == "docx":
        from longleaf.ingest.formats.office import docx

        return docx.read(file, name)
    if kind == "xlsx":
        from longleaf.ingest.formats.office import xlsx

        return xlsx.read(file, name)
    data = file.read()
    if kind == "html":
        from longleaf.ingest.formats.web import html

        return html.read(data)
    if kind == "markdown":
        from longleaf.ingest.formats.web import markdown

        return markdown.read(data)
    from longleaf.ingest.formats.mail import message as mail

    return mail.read(data)
