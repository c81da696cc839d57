"""Headers of a message as words: encoded words (RFC 2047) and parameters in pieces (RFC 2231).

Many mailers cut a character between two encoded words or two pieces: their bytes are joined before they are
decoded.
"""

from __future__ import annotations

import base64
import binascii
import quopri
import re
from itertools import groupby
from urllib.parse import unquote_to_bytes

from longleaf.ingest.formats.text import decode

_ENCODED = re.compile(r"=\?([^?\s*]+)(?:\*[^?\s]*)?\?([bBqQ])\?([^?]*)\?=")
_QUOTED = re.compile(r'"((?:\s*=\?[^?\s]+\?[bBqQ]\?[^?]*\?=\s*)+)"')
_PARAMETER = re.compile(
    r';\s*([\w!#$&+.^`|~-]+?)(?:\*(\d{1,4}))?(\*)?\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)', re.DOTALL
)


def decoded_words(raw: str) -> str:
    """The header's text with its encoded words decoded; white space between two of them is none."""
    raw = _QUOTED.sub(r"\1", raw)
    pieces: list[tuple[str, str, str]] = []  # charset, transfer encoding, text; without charset as it stands
    end = 0
    for match in _ENCODED.finditer(raw):
        between = raw[end : match.start()]
        if between.strip() or not pieces:
            pieces.append(("", "", between))
        pieces.append((match[1].lower(), match[2].upper(), match[3]))
        end = match.end()
    pieces.append(("", "", raw[end:]))
    out = []
    for charset, group in groupby(pieces, key=lambda piece: piece[0]):
        if not charset:
            out += [text for _, _, text in group]
            continue
        words = [(kind, text) for _, kind, text in group]
        out.append(decode(_word_bytes(words), charset)[0])
    return "".join(out)


def _word_bytes(words: list[tuple[str, str]]) -> bytes:
    found = b""
    for kind, run in groupby(words, key=lambda word: word[0]):
        texts = [text for _, text in run]
        if kind == "Q":
            found += b"".join(quopri.decodestring(t.encode("utf-8", "replace"), header=True) for t in texts)
            continue
        # Where Base64 itself was cut, the words make sense only together.
        whole = all(len(t.strip()) % 4 == 0 for t in texts[:-1])
        found += b"".join(map(_base64, texts if whole else ["".join(t.strip() for t in texts)]))
    return found


def _base64(text: str) -> bytes:
    bare = re.sub(r"[^A-Za-z0-9+/]", "", text)
    try:
        return base64.b64decode(bare[: len(bare) - (len(bare) % 4 == 1)] + "=" * (-len(bare) % 4))
    except (binascii.Error, ValueError):
        return text.encode("utf-8", "replace")


def has_encoded_words(raw: str) -> bool:
    return _ENCODED.search(raw) is not None


def parameter(raw: str, wanted: str, declared: str = "") -> str:
    """A parameter of a header ("filename") from all its pieces; empty if there is none.

    `declared` is the encoding of bytes that do not say theirs.
    """
    plain = ""
    pieces: dict[int, tuple[bytes, bool]] = {}
    for name, number, extended, value in _PARAMETER.findall(raw):
        if name.lower() != wanted:
            continue
        if value.startswith('"'):
            value = re.sub(r"\\(.)", r"\1", value[1:-1], flags=re.DOTALL)
        data = value.strip().encode("utf-8", "surrogateescape")
        if number or extended:
            pieces.setdefault(int(number or 0), (data, bool(extended)))
        elif not plain:
            plain = _plain_value(data, declared)
    if not pieces:
        return plain
    charset, joined = declared, b""
    for number in sorted(pieces):
        data, extended = pieces[number]
        if extended and number == min(pieces) and data.count(b"'") >= 2:
            name, _, data = data.split(b"'", 2)
            charset = name.decode("ascii", "replace") or declared
        joined += unquote_to_bytes(data) if extended else data
    return decode(joined, charset)[0]


def _plain_value(data: bytes, declared: str) -> str:
    if data.isascii():
        text = data.decode("ascii")
        return decoded_words(text) if has_encoded_words(text) else text
    return decode(data, declared)[0]
