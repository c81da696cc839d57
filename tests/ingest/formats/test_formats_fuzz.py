"""Damaged files of every format: an error that names the file, or a Document that holds together."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longleaf.ingest import IngestError, read_document
from longleaf.ingest.document import Document
from longleaf.ingest.formats.flow import Flow, take
from longleaf.ingest.formats.office.number_format import shown
from longleaf.ingest.formats.typeset import typeset
from longleaf.ingest.structure.sections import find_sections
from longleaf.ingest.worker import whole_file_worker
from longleaf.ingest.worker.framing import FrameReader
from longleaf.ingest.worker.page_frames import parse_page
from sample_docs import other_formats as made
from tests.support.document_checks import check_document

KINDS = {
    "lease.docx": "docx",
    "ledger.xlsx": "xlsx",
    "minutes.html": "html",
    "notes.md": "markdown",
    "mail.eml": "mail",
}
JUNK = [
    b"",
    b"\xff",
    b"\0",
    b"<",
    b"&",
    b"]]>",
    b"</w:p>",
    b"<w:tbl>",
    b'"',
    b"=?",
    b"|",
    b"\n---\n",
    b"-1",
    b"99999999999",
]


def mutated(data: bytes, chance: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(chance.choice((1, 3, 12))):
        at = chance.randrange(len(out) + 1)
        kind = chance.randrange(4)
        if kind == 0 and at < len(out):
            out[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            out[at : at + chance.randrange(40)] = chance.choice(JUNK)
        elif kind == 2:
            other = chance.randrange(len(out) + 1)
            out[at:at] = out[other : other + chance.randrange(200)]
        elif chance.random() < 0.3:
            del out[at:]
            out += b"\n"
    return bytes(out)


def mutated_package(data: bytes, chance: random.Random) -> bytes:
    """One part of the package damaged, the ZIP around it whole."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    name = chance.choice([n for n in parts if n.endswith(".xml") and "theme" not in n])
    parts[name] = mutated(parts[name], chance)
    return made.packed(dict(parts))


def read_here(data: bytes, kind: str) -> None:
    """As the worker and its parent do it, in this process."""
    flow = Flow("")
    reader = FrameReader()
    for data_frame in whole_file_worker.flow_frames(io.BytesIO(data), kind, "made"):
        for head, body in reader.feed(data_frame):
            if "page" in head:
                parse_page(head, body)
            elif kind != "text" and take(flow, head):
                pages, annotations = typeset(flow)
                for a in annotations:
                    assert 0 <= a.span.start <= a.span.end <= len(pages[a.span.page_index].text)
                sections = find_sections(pages, (), "made")
                check_document(
                    Document("made", "", tuple(pages), sections, flow.metadata, (), tuple(annotations))
                )


@pytest.mark.parametrize("name", KINDS)
def test_damaged_files_are_read_or_refused(name: str) -> None:
    chance = random.Random(name)
    data = made.files()[name]
    packages = name.endswith(("docx", "xlsx"))
    outcomes = set()
    for i in range(60):
        damaged = mutated_package(data, chance) if packages and i % 3 else mutated(data, chance)
        try:
            read_here(damaged, KINDS[name])
            outcomes.add("read")
        except IngestError as error:
            assert str(error).startswith("made")
            outcomes.add("refused")
    assert "read" in outcomes


@given(st.one_of(st.text(), st.text("-*#|>1.) \n`<~_[]a")))
@settings(max_examples=60, deadline=None)
def test_any_text_is_markdown_html_text_and_a_message(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    for kind in ("markdown", "html", "mail", "text"):
        read_here(data, kind)


@given(st.binary(max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_bytes_are_text(data: bytes) -> None:
    read_here(data, "text")
    read_here(data, "mail")


@given(
    st.one_of(st.floats(), st.integers(), st.text(max_size=9)),
    st.text('0#?,.%$"\\_*[]();-ymdhsGeneral@/E+', max_size=14),
)
@settings(max_examples=100, deadline=None)
def test_any_number_format_shows_something(value: float | int | str, code: str) -> None:
    assert isinstance(shown(value, code), str)


def test_elements_nested_without_end(tmp_path: Path) -> None:
    deep = {
        "a.html": b"<html>" + b"<div>" * 30_000 + b"x" + b"<ul><li>" * 5_000,
        "b.md": b"> " * 9_000 + b"x\n" + b"- " * 9_000 + b"y",
        "c.eml": b"From: a\nTo: b\nSubject: c\nContent-Type: multipart/mixed; boundary=x\n\n"
        + b"--x\nContent-Type: multipart/mixed; boundary=x\n\n" * 3_000,
        "d.docx": made.docx_package("<w:tbl><w:tr><w:tc>" * 80 + made.p("x") + "</w:tc></w:tr></w:tbl>" * 80),
    }
    for name, data in deep.items():
        (tmp_path / name).write_bytes(data)
        try:
            check_document(read_document(tmp_path / name))
        except IngestError as error:
            assert str(error).startswith(name)
