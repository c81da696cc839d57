"""Files that are broken or made to break us: an error that says so, or what can be read, in bounded time."""

from __future__ import annotations

import os
import random
import zlib
from pathlib import Path
from typing import Any

import pytest

from longleaf.ingest import Document, IngestError, make_chunks, read_document
from longleaf.ingest.pdf.damage import is_sound
from longleaf.ingest.worker.pool import Limits
from tests.support.document_checks import check_chunks, check_document
from tests.support.pdf_maker import lines, make_pdf, paragraph, pdf_bytes, raw_pdf, stream

SHORT = Limits(open=20.0, page=3.0, structure=20.0, lost=30.0)
CATALOG = "<< /Type /Catalog /Pages 2 0 R >>"
ONE_PAGE = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"


def page_object(media_box: str = "[0 0 612 792]", resources: str = "/Font << /F1 5 0 R >>") -> str:
    return (
        f"<< /Type /Page /Parent 2 0 R /MediaBox {media_box} /Contents 4 0 R /Resources << {resources} >> >>"
    )


def words(text: str) -> int:
    return len(text.split())


def read(tmp_path: Path, data: bytes) -> Document:
    path = tmp_path / "hostile.pdf"
    path.write_bytes(data)
    document = read_document(path, limits=SHORT)
    check_document(document)
    check_chunks(document, make_chunks(document, words, max_tokens=50), words, 50)
    return document


HELLO = stream("BT /F1 12 Tf 72 700 Td (Hello) Tj ET")


def forms(calls: str) -> bytes:
    """A page of text, then one that draws a form which draws itself as `calls` says."""
    return raw_pdf(
        [
            CATALOG,
            "<< /Type /Pages /Kids [8 0 R 3 0 R] /Count 2 >>",
            page_object(resources="/Font << /F1 5 0 R >> /XObject << /X 6 0 R >>"),
            stream("BT /F1 12 Tf 72 700 Td (Around it) Tj ET /X Do"),
            FONT,
            stream(
                calls,
                "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>",
            ),
            HELLO,
            page_object().replace("4 0 R", "7 0 R"),
        ]
    )


def test_a_form_that_draws_itself_ends_and_the_rest_is_read(tmp_path: Path) -> None:
    document = read(tmp_path, forms("/X Do"))
    assert [page.text for page in document.pages] == ["Hello", "Around it"]


def test_forms_that_multiply_cost_their_page_only(tmp_path: Path) -> None:
    document = read(tmp_path, forms("/X Do /X Do"))
    assert [page.text for page in document.pages] == ["Hello"]
    assert [(gap.kind, gap.page_index) for gap in document.gaps] == [("page_failed", 1)]


@pytest.mark.parametrize(
    "box",
    [
        "[0 0 1e30 1e30]",
        "[0 0 0 0]",
        "[612 792 0 0]",
        "[-1e9 -1e9 1e9 1e9]",
        "[nan nan nan nan]",
        "[0 0 (x) /y]",
        "[]",
        "7 0 R",
    ],
)
def test_absurd_page_sizes(tmp_path: Path, box: str) -> None:
    document = read(tmp_path, raw_pdf([CATALOG, ONE_PAGE, page_object(box), HELLO, FONT]))
    assert [page.text for page in document.pages] in ([], ["Hello"])
    assert document.pages or document.gaps


def test_characters_at_absurd_places(tmp_path: Path) -> None:
    content = stream(
        "BT /F1 1e20 Tf 1e30 -1e30 Td (far) Tj /F1 12 Tf 1 0 0 1 72 700 Tm (near) Tj /F1 0 Tf (none) Tj ET"
    )
    document = read(tmp_path, raw_pdf([CATALOG, ONE_PAGE, page_object(), content, FONT]))
    assert "near" in document.pages[0].text


def test_words_beyond_the_edges_of_the_page_are_left_out_and_counted(tmp_path: Path) -> None:
    content = stream(
        "BT /F1 12 Tf 72 700 Td (seen) Tj 1 0 0 1 700 700 Tm (right of it) Tj 1 0 0 1 72 -50 Tm (below) Tj "
        "1 0 0 1 604 400 Tm (on the edge) Tj ET"
    )
    document = read(tmp_path, raw_pdf([CATALOG, ONE_PAGE, page_object(), content, FONT]))
    assert document.pages[0].text.split("\n") == ["seen", "on"]
    (gap,) = document.gaps
    assert (gap.kind, gap.page_index) == ("truncated", 0)
    assert gap.detail.startswith("21 characters beyond the page's edges")


def test_a_content_stream_that_grows_without_end(tmp_path: Path) -> None:
    """2 GB of spaces in 2 MB: too much for a worker, but the page before it is read."""
    packer = zlib.compressobj(9)
    head = packer.compress(b"") + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(b" " * (1 << 24)) + packer.flush(zlib.Z_FULL_FLUSH)
    bomb = head + block * 128 + packer.flush()
    data = raw_pdf(
        [
            CATALOG,
            "<< /Type /Pages /Kids [6 0 R 3 0 R] /Count 2 >>",
            page_object(),
            stream(bomb, "/Filter /FlateDecode"),
            FONT,
            page_object().replace("4 0 R", "7 0 R"),
            HELLO,
        ]
    )
    document = read(tmp_path, data)
    assert document.pages[0].text == "Hello"
    assert len(document.pages) + len(document.gaps) >= 2 or document.pages[1].text == ""


def test_a_page_tree_that_promises_more_than_it_has(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        raw_pdf([CATALOG, "<< /Type /Pages /Kids [3 0 R] /Count 90000 >>", page_object(), HELLO, FONT]),
    )
    assert document.pages[0].text == "Hello"
    assert len(document.pages) < 3
    assert 1 <= len(document.gaps) < 5
    assert {gap.kind for gap in document.gaps} <= {"page_failed", "truncated"}


def test_nesting_without_end(tmp_path: Path) -> None:
    deep = "[" * 50_000 + "]" * 50_000
    document = read(
        tmp_path,
        raw_pdf(
            [
                f"<< /Type /Catalog /Pages 2 0 R /Names << /Dests {deep} >> /Outlines 6 0 R >>",
                ONE_PAGE,
                page_object(),
                HELLO,
                FONT,
                f"<< /First << /Title (x) /Dest {deep} >> >>",
            ]
        ),
    )
    assert document.pages[0].text == "Hello"


def scan(canvas: Any, index: int) -> None:
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    canvas.drawImage(ImageReader(Image.effect_noise((85, 110), 50)), 0, 0, 612, 792)


def test_scanned_pages_are_named_and_blank_ones_are_not(tmp_path: Path) -> None:
    pages = [
        lambda c, i: lines(c, ["Typed words."]),
        scan,
        lambda c, i: None,
        lambda c, i: c.rect(50, 50, 90, 90),
    ]
    document = read_document(make_pdf(tmp_path / "mixed.pdf", pages), ocr="off")
    assert [(gap.kind, gap.page_index) for gap in document.gaps] == [("scanned", 1), ("no_text", 3)]
    assert [page.text for page in document.pages] == ["Typed words.", "", "", ""]


def test_a_scan_with_a_text_layer_is_no_gap(tmp_path: Path) -> None:
    def draw(canvas: Any, index: int) -> None:
        scan(canvas, index)
        text = canvas.beginText(72, 700)
        text.setTextRenderMode(3)
        canvas.drawText(text)
        paragraph(canvas, "The words that were recognised on the scanned page stand behind its picture. " * 4)

    document = read_document(make_pdf(tmp_path / "layer.pdf", [draw]))
    assert document.gaps == ()
    assert document.pages[0].text.startswith("The words")


def good_file() -> bytes:
    return pdf_bytes(
        [lambda c, i: paragraph(c, f"Clause {i} binds the parties to this agreement. " * 20)] * 3
    )


def outcome(tmp_path: Path, data: bytes) -> str:
    """Reads what may be unreadable: "read" or the message of the error, which must name the file."""
    try:
        read(tmp_path, data)
    except IngestError as error:
        assert "hostile.pdf" in str(error)
        return str(error)
    return "read"


def test_truncated_files_are_read_as_far_as_they_go_or_refused(tmp_path: Path) -> None:
    data = good_file()
    results = [outcome(tmp_path, data[: len(data) * part // 8]) for part in range(8)]
    assert "empty" in results[0]
    assert all(result == "read" or "damaged" in result or "no pages" in result for result in results[1:])


def test_files_with_flipped_bits_never_break_the_reader(tmp_path: Path) -> None:
    data = good_file()
    chance = random.Random(2)
    for _ in range(8):
        flipped = bytearray(data)
        for _ in range(chance.choice((1, 10, 100))):
            flipped[chance.randrange(len(flipped))] ^= 1 << chance.randrange(8)
        outcome(tmp_path, bytes(flipped))


@pytest.mark.parametrize("damage", ["none", "data", "checksum", "no checksum", "missing", "indirect"])
def test_a_page_with_a_damaged_stream_is_named(tmp_path: Path, damage: str) -> None:
    words_shown = "".join(f"({random.Random(i).randbytes(9).hex()}) Tj " for i in range(60))
    packed = bytearray(zlib.compress(f"BT /F1 12 Tf 72 700 Td {words_shown} ET".encode()))
    if damage == "data":
        packed[len(packed) // 2] ^= 0x55
    elif damage == "checksum":
        packed[-1] ^= 1
    elif damage == "no checksum":
        del packed[-4:]
    pages = "<< /Type /Pages /Kids [6 0 R 3 0 R] /Count 2 >>"
    good = page_object().replace("4 0 R", "7 0 R")
    content: str | bytes = stream(bytes(packed), "/Filter /FlateDecode")
    if damage == "missing":
        content = "null"
    elif damage == "indirect":  # only pypdf can tell what the filters are, and that all is well
        content = stream(bytes(packed), "/Filter 8 0 R")
    file = raw_pdf([CATALOG, pages, page_object(), content, FONT, good, HELLO, "/FlateDecode"])
    named = [gap.page_index for gap in read(tmp_path, file).gaps if "damaged" in gap.detail]
    assert named == ([1] if damage in ("data", "checksum", "missing") else [])
    assert is_sound(file) == (damage in ("none", "no checksum"))


@pytest.mark.parametrize("flipped", [False, True])
def test_lists_of_content_streams_are_followed_and_remarks_are_not(flipped: bool) -> None:
    packed = bytearray(zlib.compress(b"BT (some words that are shown on the page) Tj ET"))
    packed[len(packed) // 2] ^= 0x55 * flipped
    held = b"5 0 6 8 [7 0 R] (a remark)"
    data = (
        b"1 0 obj <</Type/Page/Contents 5 0 R>> endobj 2 0 obj <</Type/Annot/Contents 6 0 R>> endobj "
        b"3 0 obj <</Type/ObjStm/N 2/First 8>>stream\n" + held + b"\nendstream endobj "
        b"7 0 obj <</Filter/FlateDecode>>stream\n" + bytes(packed) + b"\nendstream endobj"
    )
    assert is_sound(data) == (not flipped)
    assert not is_sound(data.replace(b"7 0 obj", b"8 0 obj"))
    assert not is_sound(b"")  # a copy without encryption that failed
    assert not is_sound(data.replace(b"5 0 6 8", b"5 8 6 0"))


@pytest.mark.parametrize("head", [b"", b"%PDF-1.7\n"])
def test_garbage_is_refused(tmp_path: Path, head: bytes) -> None:
    result = outcome(tmp_path, head + random.Random(3).randbytes(5000))
    assert ("damaged" in result) if head else ("not a PDF" in result)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IngestError, match="is a folder"):
        read_document(tmp_path)
    with pytest.raises(IngestError, match="no such file"):
        read_document(tmp_path / "missing.pdf")
    os.mkfifo(tmp_path / "pipe.pdf")
    for endless in (tmp_path / "pipe.pdf", Path("/dev/zero")):
        with pytest.raises(IngestError, match="is a pipe or a device"):
            read_document(endless)
