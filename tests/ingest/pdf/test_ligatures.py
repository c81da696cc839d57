"""Ligatures that a font maps to nothing, to one character or to several."""

from __future__ import annotations

from pathlib import Path

import pytest

from longleaf.ingest import read_document
from tests.support.document_checks import check_document
from tests.support.pdf_maker import mapped_pdf

PLAIN = {code: chr(code) for code in range(32, 127)}
WORDS = "The first officer offers five sufficient benefits; profit affected the flow."


def coded(text: str, codes: dict[str, int]) -> bytes:
    for letters in sorted(codes, key=len, reverse=True):
        text = text.replace(letters, chr(codes[letters]))
    return text.encode("latin-1")


@pytest.mark.parametrize(
    ("codes", "meanings"),
    [
        ({"fi": 233}, {233: "\0"}),
        ({"fi": 233, "fl": 234, "ff": 235}, {233: "\0", 234: "\0", 235: "\0"}),
        ({"fi": 233, "fl": 234, "ff": 235, "ffi": 236}, dict.fromkeys(range(233, 237), "\0")),
        ({"fi": 1, "fl": 2, "ffi": 3}, {1: "\ufffd", 2: "\ufffd", 3: "\ufffd"}),
        ({"fi": 233, "ff": 234}, {233: "\ue000", 234: "\ue001"}),
    ],
)
def test_words_tell_what_a_lost_ligature_is(
    tmp_path: Path, codes: dict[str, int], meanings: dict[int, str]
) -> None:
    (tmp_path / "made.pdf").write_bytes(mapped_pdf(coded(WORDS, codes), PLAIN | meanings))
    document = read_document(tmp_path / "made.pdf", ocr="off")
    check_document(document)
    assert document.pages[0].text == WORDS and not document.gaps


def test_what_makes_no_word_stays_doubtful(tmp_path: Path) -> None:
    (tmp_path / "made.pdf").write_bytes(mapped_pdf(b"The zq\xe9zq of the bx\xe9bx.", PLAIN | {0xE9: "\0"}))
    document = read_document(tmp_path / "made.pdf", ocr="off")
    assert document.pages[0].text.count("\ufffd") == 2
    assert [gap.kind for gap in document.gaps] == ["doubtful_text"]
