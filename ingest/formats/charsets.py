"""Bytes in the encoding that a message or a file declares, as the programs that declare it write it.

Names stand for more than they say (https://encoding.spec.whatwg.org/#names-and-labels): "gb2312" is written
as GB 18030, "shift_jis" as windows-31J; and mailers put into ISO-2022-JP what its standard leaves out, as the
rows that NEC and IBM added (cp50220) and the half-width kana of phones (cp50221).
"""

from __future__ import annotations

import codecs
import re

# What is tried for a declared name, in this order; other names are Python's own.
_WRITTEN_AS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("gb2312", "gb231280", "gb18030", "gbk", "xgbk", "cp936", "ms936", "windows936", "chinese", "euccn"),
        ("gb18030",),
    ),
    **dict.fromkeys(("big5", "cnbig5", "xxbig5", "cp950", "ms950", "big5hkscs"), ("cp950", "big5hkscs")),
    **dict.fromkeys(
        ("shiftjis", "sjis", "xsjis", "xmscp932", "windows31j", "cswindows31j", "cp932", "ms932", "cp943"),
        ("cp932", "shift_jis_2004"),
    ),
    **dict.fromkeys(("eucjp", "xeucjp", "eucjpms", "ujis"), ("euc_jp", "euc_jis_2004")),
    **dict.fromkeys(
        ("euckr", "ksc56011987", "ksc5601", "ksx1001", "korean", "cp949", "ms949", "windows949", "uhc"),
        ("cp949",),
    ),
    **dict.fromkeys(("iso88591", "latin1", "l1"), ("cp1252", "latin_1")),
    **dict.fromkeys(("iso88599", "latin5", "l5"), ("cp1254", "iso8859_9")),
    **dict.fromkeys(("iso885911", "tis620", "windows874"), ("cp874",)),
    **dict.fromkeys(("iso88598i", "iso88598e", "visual"), ("iso8859_8",)),
    **dict.fromkeys(("iso88596i", "iso88596e"), ("iso8859_6",)),
    **dict.fromkeys(("unicode11utf7", "csunicode11utf7"), ("utf-7",)),
    "xmacroman": ("mac_roman",),
    "xmaccyrillic": ("mac_cyrillic",),
    "hzgb2312": ("hz",),
}  # fmt: skip
_JAPANESE = ("iso2022jp", "csiso2022jp", "cp50220", "cp50221", "cp50222", "jis", "jis7", "xiso2022jp")
_MOST_DAMAGED = 0.02  # of the characters: then the bytes are in another encoding
REPLACEMENT = "\ufffd"


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def is_shifting(declared: str) -> bool:
    """Whether the encoding is written in ASCII, so that every text in it is valid UTF-8 too."""
    return _plain(declared).startswith(("iso2022", "utf7", "unicode11utf7", "hz")) or _is_japanese(declared)


def _is_japanese(declared: str) -> bool:
    return _plain(declared).startswith(_JAPANESE)


def decode_as(data: bytes, declared: str) -> tuple[str, str] | None:
    """The text and the encoding it is really in; None if the bytes are not in what is declared.

    A few bytes that are damaged become U+FFFD.
    """
    if _is_japanese(declared):
        text = decode_iso_2022_jp(data)
        return None if _is_damaged(text) else (text, "iso2022_jp")
    candidates = _WRITTEN_AS.get(_plain(declared), (declared,))
    for errors in ("strict", "replace"):
        for encoding in candidates:
            try:
                text, name = data.decode(encoding, errors), codecs.lookup(encoding).name
            except (LookupError, UnicodeError, ValueError):
                continue
            if errors == "strict" or not _is_damaged(text):
                return text, name
    return None


def _is_damaged(text: str) -> bool:
    return text.count(REPLACEMENT) > _MOST_DAMAGED * len(text)


# ISO-2022-JP and its extensions (RFC 1468, RFC 1554, RFC 2237, JIS X 0213)

_SETS = {
    b"(B": "ascii", b"(J": "roman", b"(I": "kana", b"(H": "roman", b"$@": "0208", b"$B": "0208",
    b"$(@": "0208", b"$(B": "0208", b"$(D": "0212", b"$A": "gb", b"$(A": "gb", b"$(C": "ks", b"$(O": "0213",
    b"$(Q": "0213", b"$(P": "0213-2", b".A": "latin", b".F": "greek",
}  # fmt: skip
_ESCAPE = re.compile(rb"\x1b(?:\([BJIH]|\$\([@BDACOQP]|\$[@BA]|\.[AF]|&@)")
_TWO_BYTES = ("0208", "0212", "0213", "0213-2", "gb", "ks")


def decode_iso_2022_jp(data: bytes) -> str:
    """The text; what is beyond every set becomes U+FFFD. A line's end ends a set that was left open."""
    out: list[str] = []
    current = "ascii"
    at = 0
    while at < len(data):
        escape = _ESCAPE.match(data, at) if data[at] == 0x1B else None
        if escape is not None:
            named = _SETS.get(escape[0][1:])
            if named is not None and named not in ("latin", "greek"):
                current = named
            at = escape.end()
        elif data[at] == 0x0E:  # shifted out: half-width kana until shifted in
            current, at = "kana", at + 1
        elif data[at] == 0x0F:
            current, at = "ascii", at + 1
        elif data[at] in b"\r\n":
            current = "ascii"
            out.append(chr(data[at]))
            at += 1
        elif current in _TWO_BYTES and 0x21 <= data[at] <= 0x7E:
            out.append(_two_bytes(data[at : at + 2], current))
            at += 2
        else:
            out.append(_one_byte(data[at], current))
            at += 1
    return "".join(out)


def _one_byte(byte: int, current: str) -> str:
    if current == "kana" and 0x21 <= byte <= 0x5F:
        return chr(0xFF61 + byte - 0x21)
    if 0xA1 <= byte <= 0xDF:  # half-width kana in eight bits
        return chr(0xFF61 + byte - 0xA1)
    if byte >= 0x80:
        return REPLACEMENT
    if current == "roman" and byte == 0x5C:
        return "¥"
    return chr(byte)


def _two_bytes(pair: bytes, current: str) -> str:
    if len(pair) < 2 or not 0x21 <= pair[1] <= 0x7E:
        return REPLACEMENT
    row, cell = pair
    high = bytes((row | 0x80, cell | 0x80))
    if current == "0208":
        lead = (row - 0x21) // 2 + 0x81
        trail = cell + 0x1F + (cell >= 0x60) if row % 2 else cell + 0x7E
        return _first(bytes((lead + 0x40 * (lead >= 0xA0), trail)), "cp932", "shift_jis_2004")
    if current == "gb":
        return _first(high, "gb18030")
    if current == "ks":
        return _first(high, "cp949")
    if current == "0213":
        return _first(high, "euc_jis_2004")
    return _first(b"\x8f" + high, "euc_jp" if current == "0212" else "euc_jis_2004")


def _first(data: bytes, *encodings: str) -> str:
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return REPLACEMENT
