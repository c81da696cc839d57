"""EML: the message itself; what is attached to it are documents of their own (see `archive`)."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Iterator
from email.message import EmailMessage, Message
from typing import Any

from ..compose import is_heading_text
from ..document import Gap
from ..flow import Flow, Words
from ..markers import MARKER
from .html import add_html
from .text import decode

_HEADERS = ("Subject", "From", "To", "Cc", "Date")
_MAX_PARTS = 2_000
_MAX_DEPTH = 30


def parse(data: bytes) -> EmailMessage:
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def read(data: bytes) -> Flow:
    """The flow of a message: subject, people and date, then its words."""
    message = parse(data)
    flow = Flow("¶")
    subject = header(message, "Subject") or "(no subject)"
    flow.metadata["title"] = subject
    flow.add("heading", subject, level=1)
    lines = [f"{name}: {text}" for name in _HEADERS[1:] if (text := header(message, name))]
    if lines:
        flow.add("paragraph", "\n".join(lines))
    plain, html = _bodies(message)
    words = "\n".join(_text(part, flow) for part in plain)
    if words.strip():
        _add_plain(flow, words)
    else:
        for part in html:
            add_html(flow, _text(part, flow))
    attached = [name for name, _ in attachments(message)]
    if attached:
        flow.add("paragraph", f"Attachments: {', '.join(attached)}")
    if message.defects and not words.strip() and not html:
        flow.gaps.append(Gap("doubtful_text", f"the message is damaged: {type(message.defects[0]).__name__}"))
    return flow


def header(message: Message, name: str) -> str:
    """A header decoded and on one line; empty if it is missing or cannot be understood."""
    try:
        value = message[name]
    except (
        ValueError,
        IndexError,
        AttributeError,
        TypeError,
        LookupError,
    ):  # the stdlib's own on odd headers
        raw = next((v for k, v in message.raw_items() if k.lower() == name.lower()), "")
        value = raw
    text = "" if value is None else str(value)
    return " ".join(text.encode("utf-8", "replace").decode().split())[:2000]


def parts(message: Message) -> Iterator[Message]:
    """The leaf parts, and attached messages whole; bounded in number and depth."""
    stack: list[tuple[Any, int]] = [(message, 0)]
    for _ in range(_MAX_PARTS):
        if not stack:
            return
        part, depth = stack.pop()
        if part.get_content_type() == "message/rfc822" and part is not message:
            yield part
        elif part.is_multipart() and depth < _MAX_DEPTH:
            stack += [(p, depth + 1) for p in reversed(part.get_payload())]
        elif not part.is_multipart():
            yield part


def attachments(message: Message) -> Iterator[tuple[str, Message]]:
    """Each attached part with the name it has in the message, or one that says what it is."""
    unnamed = 0
    for part in parts(message):
        if _is_body(part):
            continue
        try:
            name = part.get_filename()
        except (ValueError, IndexError, AttributeError, TypeError, LookupError):
            name = None
        if part.get_content_type() == "message/rfc822":
            inner: Any = part.get_payload()
            own = header(inner[0], "Subject") if isinstance(inner, list) and inner else ""
            name = name or f"{own or 'message'}.eml"
        if not name:
            unnamed += 1
            name = f"attachment {unnamed}.{part.get_content_subtype()}"
        yield " ".join(name.split()), part


def payload(part: Message) -> bytes:
    """The bytes of an attachment."""
    inner: Any = part.get_payload()
    if part.get_content_type() == "message/rfc822" and isinstance(inner, list) and inner:
        return bytes(inner[0])
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _is_body(part: Message) -> bool:
    return (
        part.get_content_type() in ("text/plain", "text/html")
        and part.get_content_disposition() != "attachment"
        and not part.get_param("name", header="content-type")
    )


def _bodies(message: Message) -> tuple[list[Message], list[Message]]:
    bodies = [part for part in parts(message) if _is_body(part)]
    plain = [part for part in bodies if part.get_content_type() == "text/plain"]
    return plain, [part for part in bodies if part.get_content_type() == "text/html"]


def _text(part: Message, flow: Flow) -> str:
    data = part.get_payload(decode=True)
    declared = part.get_param("charset", "") or ""
    text, encoding, guessed = decode(data if isinstance(data, bytes) else b"", str(declared))
    if guessed:
        flow.gaps.append(
            Gap("doubtful_text", f"the message does not say its encoding; it was read as {encoding}")
        )
    return text


def _add_plain(flow: Flow, text: str) -> None:
    for paragraph in text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n").split("\n\n"):
        lines = [" ".join(line.split()) for line in paragraph.split("\n") if line.strip()]
        run: list[str] = []
        for line in lines:
            if run and (MARKER.match(line) or is_heading_text(line, lines=1, bold=False, large=False)):
                _add_lines(flow, run)
                run = []
            run.append(line)
        if run:
            _add_lines(flow, run)


def _add_lines(flow: Flow, lines: list[str]) -> None:
    # Lines as long as a mailer breaks them run on; short ones (an address, a signature) stay lines.
    text = " ".join(lines) if max(map(len, lines)) > 55 else "\n".join(lines)
    if len(lines) == 1 and is_heading_text(text, lines=1, bold=False, large=False):
        flow.add("heading", text)
    else:
        flow.add("list" if MARKER.match(text) else "paragraph", Words(text))
