"""EML: the message itself; what is attached to it are documents of their own (see `archive`)."""

from __future__ import annotations

import base64
import binascii
import codecs
import email
import email.policy
import re
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage, Message
from typing import Any

from longleaf.ingest.document import Gap
from longleaf.ingest.formats.flow import Flow
from longleaf.ingest.formats.mail.body_text import add_plain
from longleaf.ingest.formats.mail.headers import decoded_words, has_encoded_words, parameter
from longleaf.ingest.formats.text import decode
from longleaf.ingest.formats.web.html import add_html

_HEADERS = ("Subject", "From", "To", "Cc", "Date")
_MAX_PARTS = 2_000
_MAX_DEPTH = 30
_SEALED = {
    "application/pkcs7-mime": "the message is signed or encrypted as a whole (S/MIME) and was not opened",
    "application/x-pkcs7-mime": "the message is signed or encrypted as a whole (S/MIME) and was not opened",
    "application/pgp-encrypted": "the message is encrypted (PGP) and was not read",
    "application/ms-tnef": "winmail.dat, which Outlook made, was not opened",
    "application/vnd.ms-tnef": "winmail.dat, which Outlook made, was not opened",
}
_ODD = (ValueError, IndexError, AttributeError, TypeError, LookupError)  # the stdlib's own on odd headers
# What stands before the first part if the boundary is not the one that was announced.
_BOUNDARY = re.compile(r"\s*--(\S[^\n]{0,100}?)[ \t]*\r?\nContent-", re.I)

_SPACED_NAME = re.compile(r";\s*filename=([^\s\";=?]+ [^\r\n\";=?]+?)\s*(?:;|$)", re.I)


class _Lenient(email.policy.EmailPolicy):
    """The standard library's policy, with a header as it came where that policy stumbles over it."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        try:
            return super().header_fetch_parse(name, value)
        except _ODD:
            return "".join(str(value).splitlines())


_POLICY = _Lenient()


def parse(data: bytes) -> EmailMessage:
    data = data.removeprefix(codecs.BOM_UTF8).lstrip(b"\r\n")  # either would end the headers
    message = email.message_from_bytes(data, policy=_POLICY)
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
    said: Counter[str] = Counter()
    for kind, body in _bodies(message):
        words = _words(body)
        # Some mailers send the same text twice, as parts that are no alternatives.
        if kind == "text/html" and said and not words - said:
            continue
        said += words
        flow.items += body.items
        flow.gaps += body.gaps
    for number, item in enumerate(flow.items, 1):
        item.number = number
    attached = [name for name, _ in attachments(message)]
    if attached:
        flow.add("paragraph", f"Attachments: {', '.join(attached)}")
    sealed = {_SEALED[t] for part, _ in _parts(message) if (t := part.get_content_type()) in _SEALED}
    flow.gaps += [Gap("truncated", detail) for detail in sorted(sealed)]
    if message.defects and not said:
        flow.gaps.append(Gap("doubtful_text", f"the message is damaged: {type(message.defects[0]).__name__}"))
    return flow


def header(message: Message, name: str) -> str:
    """A header decoded and on one line; empty if it is missing or cannot be understood."""
    raw = _raw(message, name)
    bare = raw.encode("utf-8", "surrogateescape")
    if b"\x1b" in bare:  # ISO-2022-JP, as it is
        text = decode(bare)[0]
    elif not bare.isascii():  # bytes that the header does not say the encoding of
        text = decoded_words(decode(bare, _charset(message) or "cp1252")[0])
    elif has_encoded_words(raw):
        text = decoded_words(raw)
    else:
        try:
            text = str(message[name] or "")
        except _ODD:
            text = raw
    return " ".join(text.encode("utf-8", "replace").decode().split())[:2000]


def _raw(message: Message, name: str) -> str:
    return next((str(v) for k, v in message.raw_items() if k.lower() == name.lower()), "")


def _charset(message: Message) -> str:
    """The encoding that the first of the parts declares that declare any."""
    return next((c for part in message.walk() if (c := part.get_content_charset())), "")


def attachments(message: Message) -> Iterator[tuple[str, Message]]:
    """Each attached part with the name it has in the message, or one that says what it is."""
    unnamed = 0
    for part, alternative in _parts(message):
        if _is_body(part, alternative):
            continue
        name = _filename(part)
        if part.get_content_type() == "message/rfc822":
            inner: Any = part.get_payload()
            own = header(inner[0], "Subject") if isinstance(inner, list) and inner else ""
            name = name or f"{own or 'message'}.eml"
        if not name:
            unnamed += 1
            name = f"attachment {unnamed}.{part.get_content_subtype()}"
        yield " ".join(name.split()), part


def _filename(part: Message) -> str | None:
    """The name that an attachment gives itself, also where it has spaces without quotes around it."""
    raw = _raw(part, "content-disposition")
    if spaced := _SPACED_NAME.search(raw):
        return spaced[1].strip()
    charset = part.get_content_charset("")
    name = parameter(raw, "filename", charset) or parameter(_raw(part, "content-type"), "name", charset)
    return name.strip() or None


def payload(part: Message) -> bytes:
    """The bytes of an attachment."""
    inner: Any = part.get_payload()
    if part.get_content_maintype() == "message" and isinstance(inner, list) and inner:
        if str(part.get("Content-Transfer-Encoding", "")).strip().lower() == "base64":  # forbidden, but done
            try:
                return base64.b64decode(inner[0].get_payload())
            except (binascii.Error, TypeError, ValueError):
                pass
        # Headers as they came: the new policy stumbles over those that it does not understand.
        return b"\n".join(m.as_bytes(policy=email.policy.compat32) for m in inner)
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _parts(message: Message) -> Iterator[tuple[Message, bool]]:
    """The leaf parts, attached messages whole, and whether each is one of several versions; bounded."""
    stack: list[tuple[Any, int, bool]] = [(message, 0, False)]
    for _ in range(_MAX_PARTS):
        if not stack:
            return
        part, depth, alternative = stack.pop()
        inner = _inner(part)
        if inner is None or (part.get_content_maintype() == "message" and part is not message):
            yield part, alternative
        elif depth < _MAX_DEPTH:
            alternative = part.get_content_subtype() == "alternative"
            stack += [(p, depth + 1, alternative) for p in reversed(inner)]


def _inner(part: Message) -> list[Message] | None:
    """The parts of a multipart, also of one that announces another boundary than it has; None for a leaf."""
    held: Any = part.get_payload()
    if part.is_multipart():
        return list(held)
    if part.get_content_maintype() == "multipart" and isinstance(held, str):
        found = _BOUNDARY.match(held)
        if found:
            kind = f'Content-Type: {part.get_content_type()}; boundary="{found[1]}"\n\n'
            mended = parse((kind + held).encode("utf-8", "surrogateescape"))
            held = mended.get_payload()
            return list(held) if mended.is_multipart() else None
    return None


def _is_body(part: Message, alternative: bool) -> bool:
    kind = part.get_content_type()
    if part.get_content_maintype() == "multipart":  # one that has no parts
        return True
    return (
        kind in ("text/plain", "text/html")
        and part.get_content_disposition() != "attachment"
        and (alternative or not part.get_param("name", header="content-type"))
    )


def _bodies(message: Message, depth: int = 0, alternative: bool = False) -> list[tuple[str, Flow]]:
    """The parts that are the message's words, in order, each with its type; of several versions of one the
    one that says most."""
    if message.get_content_maintype() == "message" and depth:
        return []
    inner = _inner(message) if depth < _MAX_DEPTH else None
    if inner is None:
        return [(message.get_content_type(), _body(message))] if _is_body(message, alternative) else []
    alternative = message.get_content_subtype() == "alternative"
    versions = [found for part in inner if (found := _bodies(part, depth + 1, alternative))]
    if not alternative:
        return [body for version in versions for body in version]
    sizes = [sum(sum(_words(flow).values()) for _, flow in version) for version in versions]
    for version, size in zip(versions, sizes, strict=True):
        # The plain version is what its writer wrote, unless it only says that there is another one.
        if all(kind == "text/plain" for kind, _ in version) and 2 * size >= max(sizes):
            return version
    return versions[sizes.index(max(sizes))] if versions else []


def _body(part: Message) -> Flow:
    flow = Flow("")
    data = part.get_payload(decode=True)
    declared = str(part.get_param("charset", "") or "")
    text, encoding, guessed = decode(data if isinstance(data, bytes) else b"", declared)
    if guessed:
        flow.gaps.append(
            Gap("doubtful_text", f"the message does not say its encoding; it was read as {encoding}")
        )
    if part.get_content_type() == "text/html":
        add_html(flow, text)
    else:
        flowed = str(part.get_param("format", "") or "").lower() == "flowed"
        add_plain(flow, text, flowed, str(part.get_param("delsp", "") or "").lower() == "yes")
    return flow


def _words(flow: Flow) -> Counter[str]:
    said: Counter[str] = Counter()
    for item in flow.items:
        for words in (item.words, *(cell for row in item.rows for cell in row)):
            said.update(re.findall(r"\w+", words.text.lower()))
    return said
