"""Encodings of messages as mailers write them, which is not always what their declaration says."""

from __future__ import annotations

import base64

import pytest

from longleaf.ingest.formats.charsets import decode_as, decode_iso_2022_jp
from longleaf.ingest.formats.mail import message as mail


def read(head: str | bytes, body: bytes = b"") -> tuple[str, str, list[str]]:
    """The title of a message, its text, and the kinds of its gaps."""
    raw = head.encode() if isinstance(head, str) else head
    flow = mail.read(b"From: a@example.com\nTo: b@example.com\nMIME-Version: 1.0\n" + raw + b"\n\n" + body)
    return flow.metadata["title"], "\n".join(i.words.text for i in flow.items), [g.kind for g in flow.gaps]


JIS = {  # what Python's strict decoder refuses, each as mailers and phones send it
    "NEC's row 13": (b"\x1b$B-!\x1b(B 5", "① 5"),
    "NEC's selection of IBM's": (b"\x1b$Byu\x1b(B", "﨑"),
    "half-width kana by escape": (b"\x1b(I6E\x1b(B120", "ｶﾅ120"),
    "half-width kana in eight bits": (b"\xb6\xc5120", "ｶﾅ120"),
    "half-width kana shifted out": (b"\x0e6E\x0f 7", "ｶﾅ 7"),
    "the old escape of 1978": (b"\x1b$@7@Ls\x1b(J", "契約"),
    "a set left open at the line's end": (b"\x1b$B7@Ls\nten", "契約\nten"),
    "JIS X 0212": (b"\x1b$(D0!\x1b(B", "丂"),
    "JIS X 0213": (b"\x1b$(Q.!\x1b(B", "俱"),
    "Chinese and Korean in RFC 1554": (b"\x1b$A:OM,\x1b$(C0h\x1b(B", "合同계"),
    "the yen of JIS-Roman": (b"\x1b(J\\100\x1b(B", "¥100"),
}


@pytest.mark.parametrize("name", JIS)
def test_iso_2022_jp_has_what_mailers_add_to_it(name: str) -> None:
    data, text = JIS[name]
    assert decode_iso_2022_jp(data) == text


def test_bytes_of_no_set_are_told() -> None:
    assert "\ufffd" in decode_iso_2022_jp(b"\x1b$B7\x20\x1b(B")
    assert decode_as(b"\x1b$B7\x207\x20\x1b(B", "iso-2022-jp") is None


@pytest.mark.parametrize("kind", ["text/plain", "text/html"])
def test_a_body_in_iso_2022_jp_with_extensions(kind: str) -> None:
    body = b'\x1b$B7@Ls6b3[$O-"\x1b(B30\x1b$BK|1_\x1b(B'
    body = b"<p>" + body + b"</p>" if kind == "text/html" else body
    _, text, gaps = read(f"Subject: s\nContent-Type: {kind}; charset=ISO-2022-JP", body)
    assert "契約金額は②30万円" in text and not gaps


@pytest.mark.parametrize(
    ("declared", "encoding", "text"),
    [
        ("gb2312", "gb18030", "镕先生：总价€500元，囧。"),
        ("GB_2312-80", "gbk", "朱镕基先生"),
        ("gbk", "gb18030", "㐂𠮷"),
        ("shift_jis", "cp932", "髙橋①㈱"),
        ("x-sjis", "cp932", "契約②"),
        ("ks_c_5601-1987", "cp949", "똠방각하 계약"),
        ("euc-kr", "cp949", "펲시 계약서"),
        ("big5", "cp950", "合約€碁銹"),
        ("iso-8859-1", "cp1252", "“€ 5” – it’s"),
        ("iso-8859-9", "cp1254", "“Şirket” – ğ"),
        ("tis-620", "cp874", "สัญญา…"),
    ],
)
def test_a_declared_name_stands_for_what_is_written_under_it(declared: str, encoding: str, text: str) -> None:
    head = f"Subject: s\nContent-Type: text/plain; charset={declared}\nContent-Transfer-Encoding: base64"
    _, found, gaps = read(head, base64.encodebytes(text.encode(encoding)))
    assert text in found and not gaps


def test_an_encoding_that_is_not_the_declared_one_is_told() -> None:
    body = ("Größe und Maß über Öl für Bücher. " * 5).encode("cp1252")
    _, text, gaps = read("Subject: s\nContent-Type: text/plain; charset=us-ascii", body)
    assert "Größe und Maß" in text and gaps == ["doubtful_text"]


def b(data: bytes) -> str:
    return base64.b64encode(data).decode()


def test_a_character_cut_between_two_encoded_words() -> None:
    for charset, encoding in (("gb2312", "gb18030"), ("utf-8", "utf-8"), ("shift_jis", "cp932")):
        raw = "総価格百万".encode(encoding, "replace")
        for cut in range(1, len(raw)):
            head = f"Subject: =?{charset}?B?{b(raw[:cut])}?=\n =?{charset}?b?{b(raw[cut:])}?=\nX: y"
            assert read(head, b"x")[0] == raw.decode(encoding)


def test_base64_cut_anywhere_and_quoted_printable() -> None:
    whole = b("Überweisung für Müller".encode())
    head = f"Subject: Re: =?utf-8?B?{whole[:7]}?=\n =?utf-8?B?{whole[7:]}?= (2)\nX: y"
    assert read(head, b"x")[0] == "Re: Überweisung für Müller (2)"
    head = "Subject: =?iso-8859-1*de?Q?M=FCller_&_S?= =?iso-8859-1?q?=F6hne?=\nX: y"
    assert read(head, b"x")[0] == "Müller & Söhne"


def test_encoded_words_of_people() -> None:
    jis = b"\x1b$B-j;3ED\x1b(B"
    name = f"=?iso-2022-jp?B?{b(jis)}?="
    text = read(f'Cc: "{name}" <y@example.jp>, "Roe, Ann" <r@example.com>\nSubject: s', b"x")[1]
    assert 'Cc: ㈱山田 <y@example.jp>, "Roe, Ann" <r@example.com>' in text


def test_a_header_in_escapes_that_nothing_declares() -> None:
    assert read(b"Subject: \x1b$B7@Ls=q-!\x1b(B\nX: y", b"x")[0] == "契約書①"


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        (
            "attachment;\n filename*0*=ISO-2022-JP''%1B%24%42%37%40%4C;\n"
            " filename*1*=%73%1B%28%42%2E%74;\n filename*2=xt",
            "契約.txt",
        ),
        ("attachment; filename*=gb2312''%BA%CF%CD%AC%E9F.txt", "合同镕.txt"),
        ("attachment; filename*1=e.txt; filename*0=leas", "lease.txt"),
        (f'attachment; filename="=?gb2312?B?{b("合同镕".encode("gb18030"))}?=.txt"', "合同镕.txt"),
        (r'attachment; filename="a \"b\" c.txt"', 'a "b" c.txt'),
        ("attachment; filename=deal terms.txt", "deal terms.txt"),
    ],
)
def test_names_of_attachments(disposition: str, name: str) -> None:
    parts = (
        b"--B\nContent-Type: text/plain\n\nSee attachment.\n--B\nContent-Type: text/plain; charset=utf-8\n"
        b"Content-Disposition: " + disposition.encode() + b"\n\nThe price is 7.\n--B--\n"
    )
    _, text, _ = read("Subject: s\nContent-Type: multipart/mixed; boundary=B", parts)
    assert text.endswith(f"Attachments: {name}")
