"""Page labels, outline, metadata and encryption, and which pages a person means."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pypdf
import pytest
from pypdf.constants import PageLabelStyle

from longleaf.ingest import IngestError, parse_pages, read_document
from longleaf.ingest.worker import processes
from tests.support.pdf_maker import lines, pdf_bytes, raw_pdf, stream

PAGE = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << >> >>"


def writer_of(tmp_path: Path, count: int) -> pypdf.PdfWriter:
    path = tmp_path / "plain.pdf"
    path.write_bytes(pdf_bytes([lambda c, i: lines(c, [f"Text of page {i}"])] * count))
    return pypdf.PdfWriter(clone_from=path)


def labels_of(writer: pypdf.PdfWriter, path: Path) -> list[str]:
    writer.write(path)
    return [page.label for page in read_document(path).pages]


def test_labels_are_printed_numbers_and_positions_where_there_are_none(tmp_path: Path) -> None:
    writer = writer_of(tmp_path, 9)
    writer.set_page_label(0, 2, style=PageLabelStyle.LOWERCASE_ROMAN, start=4)
    writer.set_page_label(3, 4, style=PageLabelStyle.DECIMAL)
    writer.set_page_label(5, 6, style=PageLabelStyle.DECIMAL, prefix="A-", start=3)
    writer.set_page_label(7, 7, style=PageLabelStyle.UPPERCASE_LETTER, start=27)
    found = labels_of(writer, tmp_path / "labelled.pdf")
    assert found[:8] == ["iv", "v", "vi", "1", "2", "A-3", "A-4", "AA"]
    assert labels_of(writer_of(tmp_path, 3), tmp_path / "unlabelled.pdf") == ["1", "2", "3"]


def test_a_chosen_page_keeps_its_own_label(tmp_path: Path) -> None:
    writer = writer_of(tmp_path, 6)
    writer.set_page_label(0, 2, style=PageLabelStyle.LOWERCASE_ROMAN)
    writer.set_page_label(3, 5, style=PageLabelStyle.DECIMAL)
    writer.write(tmp_path / "labelled.pdf")
    document = read_document(tmp_path / "labelled.pdf", pages="iii,2-3")
    assert [(p.page_index, p.label, p.text) for p in document.pages] == [
        (2, "iii", "Text of page 2"),
        (4, "2", "Text of page 4"),
        (5, "3", "Text of page 5"),
    ]
    with pytest.raises(IngestError, match="no page at position 7"):
        read_document(tmp_path / "labelled.pdf", pages=[6])


LABELS = ["i", "ii", "iii", "1", "2", "3", "A-1", "A-2", "7"]


@pytest.mark.parametrize(
    ("spec", "pages"),
    [
        ("1", [3]),
        ("ii", [1]),
        ("II", [1]),
        ("3-5,i", None),
        ("i-2", [0, 1, 2, 3, 4]),
        ("A-1", [6]),
        ("A-1-A-2", [6, 7]),
        ("A-1–A-2, 1", [3, 6, 7]),
        ("7", [8]),
        ("8", [7]),
        ("#7", [6]),
        ("A-2-", [7, 8]),
        ("-ii", [0, 1]),
        ("2,2,1-2", [3, 4]),
    ],
)
def test_pages_are_named_by_label_then_by_position(spec: str, pages: list[int] | None) -> None:
    if pages is None:  # "5" is no label, so it is the fifth page, which comes before page "3"
        with pytest.raises(IngestError, match="5 comes before 3"):
            parse_pages(spec, LABELS)
    else:
        assert parse_pages(spec, LABELS) == pages


@pytest.mark.parametrize("spec", ["", "1,,2", "x", "0", "10", "#0", "2-1", "-", "1-2-3"])
def test_pages_that_do_not_exist_are_refused(spec: str) -> None:
    with pytest.raises(IngestError):
        parse_pages(spec, LABELS)


def test_labels_printed_twice_are_chosen_by_position() -> None:
    with pytest.raises(IngestError, match="#1, #3"):
        parse_pages("1", ["1", "2", "1"])
    assert parse_pages("#3", ["1", "2", "1"]) == [2]


def test_metadata_and_outline_are_read(tmp_path: Path) -> None:
    path = tmp_path / "plain.pdf"

    def draw(canvas: Any, index: int) -> None:
        lines(canvas, [["Supply Terms", "Price Terms", "Closing Terms"][index]], size=14)
        lines(canvas, [f"Words under heading {index}."], top=120)

    path.write_bytes(pdf_bytes([draw] * 3))
    writer = pypdf.PdfWriter(clone_from=path)
    writer.add_metadata({"/Title": "Agreement", "/Author": "Jürgen Ω"})
    top = writer.add_outline_item(title="Supply Terms", page_number=0)
    writer.add_outline_item(title="Price Terms", page_number=1, parent=top)
    writer.add_outline_item(title="Closing Terms", page_number=2)
    writer.write(tmp_path / "outlined.pdf")
    document = read_document(tmp_path / "outlined.pdf")
    assert document.metadata["title"] == "Agreement"
    assert document.metadata["author"] == "Jürgen Ω"
    assert [(s.title, s.level, s.page_index_start, s.page_index_end) for s in document.sections] == [
        ("Supply Terms", 1, 0, 1),
        ("Price Terms", 2, 1, 1),
        ("Closing Terms", 1, 2, 2),
    ]
    assert document.sections[1].path == ("Supply Terms", "Price Terms")
    assert document.pages[0].blocks[0].level == 1


@pytest.mark.parametrize("algorithm", ["RC4-40", "RC4-128", "AES-128", "AES-256"])
def test_files_that_only_restrict_permissions_open(tmp_path: Path, algorithm: str) -> None:
    writer = writer_of(tmp_path, 2)
    writer.set_page_label(0, 0, style=PageLabelStyle.UPPERCASE_ROMAN, start=9)
    writer.add_metadata({"/Title": "Locked"})
    writer.encrypt("", "owner", algorithm=algorithm)
    writer.write(tmp_path / "locked.pdf")
    document = read_document(tmp_path / "locked.pdf")
    assert [page.text for page in document.pages] == ["Text of page 0", "Text of page 1"]
    assert document.pages[0].label == "IX"
    assert document.metadata["title"] == "Locked"
    assert document.gaps == ()


def test_files_that_need_a_password_say_so(tmp_path: Path) -> None:
    writer = writer_of(tmp_path, 1)
    writer.encrypt("secret", "owner", algorithm="AES-256")
    writer.write(tmp_path / "locked.pdf")
    with pytest.raises(IngestError, match=r"contract\.pdf: needs a password"):
        read_document(tmp_path / "locked.pdf", name="contract.pdf")


def test_circular_trees_end(tmp_path: Path) -> None:
    """Labels whose number tree holds itself, an outline whose entries are each other's next and first."""
    path = tmp_path / "circular.pdf"
    path.write_bytes(
        raw_pdf(
            [
                "<< /Pages 2 0 R /PageLabels 5 0 R /Outlines 6 0 R /Names << /Dests 5 0 R >> >>",
                "<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 1 >>",
                PAGE,
                stream("BT ET"),
                "<< /Kids [5 0 R 5 0 R] /Nums [0 << /S /r /P (x) >> 0 5 0 R] >>",
                "<< /First 7 0 R /Last 7 0 R >>",
                "<< /Title (A) /Next 8 0 R /First 7 0 R /Dest [3 0 R /Fit] >>",
                "<< /Title (B) /Next 7 0 R /First 7 0 R /Dest (name) >>",
            ]
        )
    )
    document = read_document(path)
    assert len(document.pages) == 1
    assert document.sections


def test_labels_are_right_where_the_file_must_be_rebuilt(tmp_path: Path) -> None:
    writer = writer_of(tmp_path, 3)
    writer.set_page_label(0, 2, style=PageLabelStyle.LOWERCASE_ROMAN)
    writer.write(tmp_path / "whole.pdf")
    whole = (tmp_path / "whole.pdf").read_bytes()
    (tmp_path / "cut.pdf").write_bytes(
        whole.replace(b"startxref", b"startXXXX").replace(b"xref\n", b"xxxx\n")
    )
    document = read_document(tmp_path / "cut.pdf")
    assert [page.label for page in document.pages] == ["i", "ii", "iii"]


def with_object_stream(places: list[tuple[int, int]], objects: bytes) -> bytes:
    """A PDF with all objects in one object stream, at the places (number, offset) that its head says."""
    head = " ".join(f"{number} {place}" for number, place in places).encode() + b" "
    held = stream(head + objects, f"/Type /ObjStm /N {len(places)} /First {len(head)}")
    before = b"%PDF-1.5\n"
    start = before + b"10 0 obj\n" + held + b"\nendobj\n"
    rows = [
        (0, 0, 0),
        *((2, 10, i) for i in range(4)),
        *[(0, 0, 0)] * 5,
        (1, len(before), 0),
        (1, len(start), 0),
    ]
    table = b"".join(struct.pack(">BHB", *row) for row in rows)
    xref = stream(table, f"/Type /XRef /Size {len(rows)} /W [1 2 1] /Root 1 0 R /Info 4 0 R")
    return start + b"11 0 obj\n" + xref + b"\nendobj\nstartxref\n%d\n%%%%EOF" % len(start)


def test_a_file_whose_objects_are_all_in_a_stream_says_the_same(tmp_path: Path) -> None:
    held = [
        b"<< /Type /Catalog /Pages 2 0 R /PageLabels << /Nums [0 << /S /r /P (A-) >>] >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
        b"<< /Title (Supply of steel) >>",
    ]
    starts = [0, *(len(b" ".join(held[:i])) + 1 for i in range(1, 4))]
    path = tmp_path / "packed.pdf"
    path.write_bytes(with_object_stream(list(enumerate(starts, 1)), b" ".join(held)))
    document = read_document(path)
    assert [page.label for page in document.pages] == ["A-i"]
    assert document.metadata == {"title": "Supply of steel"}
    assert document.gaps == ()


def test_labels_without_style_or_out_of_range_are_positions(tmp_path: Path) -> None:
    path = tmp_path / "labels.pdf"
    ranges = "0 << >> 1 << /P (Annex ) >> 2 << /S /X >> 3 << /S /D /St 0 >> 900 << /S /r >>"
    path.write_bytes(
        raw_pdf(
            [
                f"<< /Pages 2 0 R /PageLabels << /Nums [{ranges}] >> >>",
                "<< /Type /Pages /Kids [3 0 R 3 0 R 3 0 R 3 0 R] /Count 4 >>",
                PAGE,
                stream("BT ET"),
            ]
        )
    )
    labels = [page.label for page in read_document(path).pages]
    assert labels[:3] == ["1", "Annex ", "3"]
    assert all(labels)


def test_a_worker_that_dies_over_the_outline_costs_the_outline_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = processes.fork_server_code().split("; from longleaf")[0] + (
        "; import os; from longleaf.ingest.pdf import file_structure; "
        "from longleaf.ingest.worker import fork_server; mine = os.getpid(); "
        "file_structure.read_structure = lambda *_, **__: os.getpid() == mine or exit(); fork_server.main()"
    )
    monkeypatch.setattr(processes, "fork_server_code", lambda: code)
    processes.stop()
    try:
        writer = writer_of(tmp_path, 3)
        writer.set_page_label(0, 2, style=PageLabelStyle.LOWERCASE_ROMAN)
        writer.write(tmp_path / "labelled.pdf")
        document = read_document(tmp_path / "labelled.pdf")
        assert [page.text for page in document.pages] == [f"Text of page {i}" for i in range(3)]
        assert [page.label for page in document.pages] == ["1", "2", "3"]
        assert [gap.kind for gap in document.gaps] == ["truncated"]
        assert [p.page_index for p in read_document(tmp_path / "labelled.pdf", pages="2-3").pages] == [1, 2]
    finally:
        processes.stop()
