"""Messages of many mailers: which of their parts are the message, and which of their lines are paragraphs."""

from __future__ import annotations

import base64
import textwrap
from email.message import EmailMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from pathlib import Path

import pytest

from longleaf.ingest import Document, read_document, read_members
from tests.support.document_checks import check_document

PLAIN = "The rent is 900 euros a month and is due on the first day of it."
HTML = "<html><body><p>The deposit is 1,800 euros.</p></body></html>"


def read(tmp_path: Path, data: bytes) -> Document:
    (tmp_path / "a.eml").write_bytes(data)
    document = read_document(tmp_path / "a.eml")
    check_document(document)
    return document


def said(tmp_path: Path, data: bytes) -> list[str]:
    """The blocks after subject and people."""
    texts = [p.text[b.start : b.end] for p in read(tmp_path, data).pages for b in p.blocks]
    return [text for text in texts[1:] if not text.startswith(("From:", "To:"))]


def message(*parts: MIMEText | MIMEMultipart, kind: str = "mixed") -> MIMEMultipart:
    made = MIMEMultipart(kind)
    for part in parts:
        made.attach(part)
    return made


def plain(text: str, **parameters: str) -> bytes:
    made = MIMEText(text, "plain", "utf-8")
    for name, value in parameters.items():
        made.set_param(name, value)
    return b"Subject: s\n" + made.as_bytes()


def test_text_around_an_attachment_is_read_whole_and_in_order(tmp_path: Path) -> None:
    made = message(MIMEText("Before it.\n"), MIMEText(HTML, "html"), MIMEText("After it.\n"))
    assert said(tmp_path, made.as_bytes()) == ["Before it.", "The deposit is 1,800 euros.", "After it."]


def test_a_footer_does_not_hide_the_message(tmp_path: Path) -> None:
    made = message(message(MIMEText(HTML, "html"), kind="related"), MIMEText("To leave the list write us."))
    assert said(tmp_path, made.as_bytes()) == ["The deposit is 1,800 euros.", "To leave the list write us."]


def test_of_several_versions_the_one_that_says_most_is_read_once(tmp_path: Path) -> None:
    page = f"<p>{PLAIN}</p><p>It rises by 2 % a year.</p>"
    stub = message(MIMEText("See the HTML."), MIMEText(page, "html"), kind="alternative")
    assert said(tmp_path, stub.as_bytes()) == [PLAIN, "It rises by 2 % a year."]
    equal = message(MIMEText(PLAIN), MIMEText(f"<p>{PLAIN} Unsubscribe</p>", "html"), kind="alternative")
    assert said(tmp_path, equal.as_bytes()) == [PLAIN]
    twice = message(MIMEText(PLAIN), MIMEText(f"<p>{PLAIN}</p>", "html"))
    assert said(tmp_path, twice.as_bytes()) == [PLAIN]
    named = MIMEText(f"<p>{PLAIN}</p>", "html")
    named.set_param("name", "body.html")
    assert said(tmp_path, message(named, kind="alternative").as_bytes()) == [PLAIN]


def test_parts_behind_a_boundary_that_was_not_announced_are_found(tmp_path: Path) -> None:
    data = message(MIMEText(PLAIN), MIMEText(HTML, "html")).as_bytes()
    boundary = data.split(b'boundary="', 1)[1].split(b'"', 1)[0]
    wrong = data.replace(b'boundary="' + boundary, b'boundary="another', 1)
    assert said(tmp_path, wrong) == [PLAIN, "The deposit is 1,800 euros."]
    no_parts = b"Subject: s\nContent-Type: multipart/mixed; boundary=b\n\nOnly words.\n"
    assert said(tmp_path, no_parts) == ["Only words."]


def test_encodings_written_in_ascii_are_read(tmp_path: Path) -> None:
    words = "契約書の支払期日は翌月末とする。"
    for charset in ("iso-2022-jp", "utf-7"):
        head = f"Subject: s\nContent-Type: text/plain; charset={charset}\n\n".encode()
        assert said(tmp_path, head + words.encode(charset)) == [words]
    (tmp_path / "a.txt").write_bytes(words.encode("iso-2022-jp"))
    assert read_document(tmp_path / "a.txt").pages[0].text == words


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_headers_in_bare_bytes_are_read(tmp_path: Path, encoding: str) -> None:
    data = "Subject: Miete für März\nFrom: Jörg Müller <j@example.com>\n\nx\n".encode(encoding)
    assert (
        read(tmp_path, data).pages[0].text.startswith("Miete für März\nFrom: Jörg Müller <j@example.com>\nx")
    )


@pytest.mark.parametrize("before", [b"\xef\xbb\xbf", b"\r\n\n", b"From a@b.c Mon Jan  1 00:00:00 2024\n"])
def test_what_stands_before_the_headers_does_not_end_them(tmp_path: Path, before: bytes) -> None:
    assert read(tmp_path, before + b"Subject: Rent\nFrom: a@b.c\n\nDue.\n").pages[0].text == (
        "Rent\nFrom: a@b.c\nDue."
    )


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ('"=?utf-8?B?VmVydHLDpGdlLnR4dA==?="', "Verträge.txt"),
        ("Lease of 2024.txt", "Lease of 2024.txt"),
        ("Lease of 2024.txt; size=7", "Lease of 2024.txt"),
        ('"Verträge.txt"', "Verträge.txt"),
    ],
)
def test_names_of_attachments_are_read_however_they_are_written(
    tmp_path: Path, written: str, name: str
) -> None:
    data = (
        "Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n"
        f"Content-Disposition: attachment; filename={written}\n\nThe words.\n--b--\n"
    )
    (tmp_path / "a.eml").write_bytes(data.encode())
    (tmp_path / "out").mkdir()
    names = [member.name for member in read_members(tmp_path / "a.eml", tmp_path / "out")]
    assert names == ["a.eml", f"a.eml/{name}"]


def test_what_was_not_opened_is_said(tmp_path: Path) -> None:
    for kind, words in (("pkcs7-mime", "S/MIME"), ("pgp-encrypted", "PGP"), ("ms-tnef", "winmail.dat")):
        head = f"Subject: s\nContent-Type: application/{kind}\nContent-Transfer-Encoding: base64\n\n"
        (gap,) = read(tmp_path, head.encode() + base64.b64encode(b"\x30\x80sealed")).gaps
        assert gap.kind == "truncated"
        assert words in gap.detail


def test_reports_and_encoded_messages_are_attachments_with_their_words(tmp_path: Path) -> None:
    inner = EmailMessage()
    inner["Subject"] = "Inner"
    inner.set_content("The inner words.")
    encoded = base64.encodebytes(inner.as_bytes()).decode()
    data = (
        "Subject: s\nContent-Type: multipart/report; boundary=b\n\n--b\nContent-Type: text/plain\n\nFailed.\n"
        "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\n"
        "Final-Recipient: rfc822; x@y.z\n--b\n"
        'Content-Type: message/rfc822; name="in.eml"\nContent-Transfer-Encoding: base64\n\n'
        f"{encoded}\n--b--\n"
    ).encode()
    (tmp_path / "a.eml").write_bytes(data)
    (tmp_path / "out").mkdir()
    texts = {
        member.name: read_document(member.path, name=member.name).pages[0].text
        for member in read_members(tmp_path / "a.eml", tmp_path / "out")
        if member.path is not None
    }
    assert "Final-Recipient: rfc822; x@y.z" in texts["a.eml/attachment 1.delivery-status"]
    assert texts["a.eml/in.eml"] == "Inner\nThe inner words."


LONG = (
    "The landlord repairs the roof, the walls and the drains, and the tenant repairs what is inside of them, "
    "unless the damage comes from outside or was there before the keys were handed over to the tenant."
)


@pytest.mark.parametrize("gap", ["\n\n", "\n \n", "\r\n\r\n"])
@pytest.mark.parametrize("width", [60, 72, 78, 1000])
def test_paragraphs_are_parted_by_empty_lines(tmp_path: Path, gap: str, width: int) -> None:
    paragraphs = [
        LONG,
        "Yes.",
        "The rent is due.",
        LONG.upper().lower().capitalize(),
        "Address:\nHarbor 1\nBonn",
    ]
    text = gap.join("\n".join(textwrap.wrap(p, width)) if "\n" not in p else p for p in paragraphs)
    assert said(tmp_path, plain(text)) == paragraphs


def test_lines_that_were_not_wrapped_are_paragraphs(tmp_path: Path) -> None:
    paragraphs = [LONG, LONG.replace("roof", "cellar"), "Agreed."]
    assert said(tmp_path, plain("\n".join(paragraphs))) == paragraphs


def test_flowed_lines_go_on_where_they_say_so(tmp_path: Path) -> None:
    text = "The rent is \ndue monthly.\nNot later.\n\n> So it \n> was said.\n>> Before.\n-- \nAda\nHarbor 1\n"
    expected = [
        "The rent is due monthly.\nNot later.",
        "> So it was said.",
        ">> Before.",
        "--\nAda\nHarbor 1",
    ]
    assert said(tmp_path, plain(text, format="flowed")) == expected
    assert said(tmp_path, plain("契約書 \nの期日", format="flowed", delsp="yes")) == ["契約書の期日"]
