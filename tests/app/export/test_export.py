"""Exports say what the brief says, first what is missing, and no text can act as markup."""

from __future__ import annotations

import errno
import io
import os
import re
import zipfile
from pathlib import Path

import docx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from longleaf.app.export import phrases
from longleaf.app.export.markdown_docx import (
    QUOTE_LIMIT,
    escape_markdown,
    to_docx,
    to_markdown,
    write_brief,
)
from longleaf.app.output_file import ExportError
from longleaf.app.schema import Brief, Statement
from tests.support import briefs

NASTY = st.text(max_size=80) | st.text(alphabet="\\`*_{}[]()<>#+-.!|~$&^@:=1 \n\t\x00\x0b\x1fé", max_size=40)


def plain(text: str) -> str:
    """What any export may show of `text`: white space evened out, what XML cannot hold replaced."""
    shown = "".join(
        c if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff" else "\ufffd"
        for c in text
    )
    return " ".join(shown.split())


def rendered(markdown: str) -> str:
    """The words that a GitHub-flavoured renderer shows, without its tags; fails if it sees markup."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    words = ""
    for token in tokens:
        for child in token.children or []:
            assert child.type in ("text", "text_special"), child.type
            words += child.content
        assert token.type in ("paragraph_open", "inline", "paragraph_close"), token.type
    return words


@settings(max_examples=200, deadline=None)
@given(NASTY)
@example("1. item")
@example("- item")
@example("    code")
@example("=== \n---")
@example("<script>alert(1)</script> &lt; [x](javascript:1) ![i](u) `c` | a | ~~s~~ $x$ [^1]: note")
@example("line\\")
def test_escaped_text_is_shown_as_it_is(text: str) -> None:
    assert rendered(escape_markdown(text)) == plain(text)


def test_bare_addresses_do_not_become_links() -> None:
    escaped = escape_markdown("see http://example.com, www.example.com and a@example.com")
    assert "http:" not in escaped and "www." not in escaped and "a@" not in escaped


@settings(max_examples=60, deadline=None)
@given(NASTY, NASTY)
def test_markdown_keeps_its_shape_whatever_the_text(text: str, quote: str) -> None:
    expected, markdown = to_markdown(briefs.brief()), to_markdown(briefs.brief(text, quote))
    assert [line[:2] for line in markdown.split("\n")] == [line[:2] for line in expected.split("\n")]
    rows = [line for line in markdown.split("\n") if line.startswith("| ")]
    assert all(len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == 4 for row in rows)


def test_markdown_of_a_brief() -> None:
    lines = to_markdown(briefs.brief()).split("\n")
    assert lines[0] == r"# Brief of lease.pdf"
    assert lines[4] == f"## {phrases.GAPS_TITLE}"
    assert "| Rent | \\$900: The tenant pays \\$900.[^1] | quoted |" in lines
    exclusivity = "| Exclusivity | not found in the document | not found, searched pages 1–2, 4 of the file |"
    assert exclusivity in lines
    assert "- The tenant pays \\$900.[^1][^2] (generated)" in lines
    assert "[^1]: lease.pdf, page i (page 1 of the file): “The tenant pays \\$900 a month.”" in lines


def test_long_quotes_are_cut_and_say_so() -> None:
    markdown = to_markdown(briefs.brief(quote="words " * 200))
    note = next(line for line in markdown.split("\n") if line.startswith("[^1]:"))
    assert len(note) < QUOTE_LIMIT + 100 and "1199 characters in all" in note


def all_text(document: docx.document.Document) -> list[str]:
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return [paragraph.text for paragraph in document.paragraphs] + cells


@settings(max_examples=15, deadline=None)
@given(NASTY, NASTY)
@example("\x00\x08\ud800\uffff", "<w:p>&amp;")
def test_docx_reads_back_whatever_the_text(text: str, quote: str) -> None:
    found = all_text(docx.Document(io.BytesIO(to_docx(briefs.brief(text, quote)))))
    assert any(plain(text) in words for words in found)
    assert any(words.endswith(f"“{plain(quote)}”") for words in found)


def test_docx_of_a_brief() -> None:
    data = to_docx(briefs.brief())
    document = docx.Document(io.BytesIO(data))
    heads = [
        p.text for p in document.paragraphs if p.style is not None and p.style.name.startswith("Heading")
    ]
    assert heads[:3] == [phrases.GAPS_TITLE, "Overview", "Key facts"] and heads[-1] == "References"
    assert document.tables[0].rows[1].cells[0].text == "Rent"
    xml = zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml").decode()
    anchors = set(re.findall(r'w:anchor="(\w+)"', xml))
    assert anchors == set(re.findall(r'w:name="(reference_\d+)"', xml)) == {"reference_1", "reference_2"}


def test_answers_export_too() -> None:
    assert to_markdown(briefs.answer()).startswith(
        "# Who pays?\n\nAsked of lease.pdf.\n\n## Answer\n\n- The tenant.[^1]"
    )
    assert any(
        "The tenant." in words for words in all_text(docx.Document(io.BytesIO(to_docx(briefs.answer()))))
    )


@pytest.mark.parametrize(
    ("indexes", "words"), [([], ""), ([0], "1"), ([0, 1, 2, 6], "1–3, 7"), ([5, 4, 5], "5–6")]
)
def test_positions(indexes: list[int], words: str) -> None:
    assert phrases.positions(indexes) == words


def test_page_zero_has_a_name() -> None:
    assert phrases.page_name("1", 0) == "page 1"
    assert phrases.page_name("iv", 0) == "page iv (page 1 of the file)"
    gap = briefs.brief(text="a scan").gaps[0]
    assert phrases.gap_words(gap) == "lease.pdf, page i (page 1 of the file): a scan"


def test_a_gap_on_a_page_without_a_label_is_named_by_position() -> None:
    gap = briefs.brief(text="a scan").gaps[0].model_copy(update={"page_label": None})
    assert phrases.gap_words(gap) == "lease.pdf: a scan (page 1 of the file)"
    assert phrases.gap_words(gap, name_file=False) == "a scan (page 1 of the file)"


def test_of_many_runs_of_pages_the_first_are_named() -> None:
    said = Statement(text="no", status="not_found", pages_searched=[0, 1, 4, 6, 9])
    assert phrases.pages_searched(said) == "searched pages 1–2, 5, 7, 10 of the file"
    assert phrases.pages_searched(said, 2) == "searched pages 1–2, 5 and 2 more runs of the file"


def test_writing_follows_the_ending(tmp_path: Path) -> None:
    brief = briefs.brief()
    for name in ("a.md", "b.JSON", "c.docx"):
        write_brief(brief, tmp_path / name)
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == to_markdown(brief)
    assert Brief.model_validate_json((tmp_path / "b.JSON").read_bytes()) == brief
    assert docx.Document(str(tmp_path / "c.docx")).core_properties.title == "Brief of lease.pdf"
    with pytest.raises(ExportError, match=r"d\.pdf: its ending must be one of \.md, \.json, \.docx"):
        write_brief(brief, tmp_path / "d.pdf")
    with pytest.raises(ExportError, match="cannot be written"):
        write_brief(brief, tmp_path / "no" / "a.md")


def test_what_cannot_be_written_whole_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "brief.json"
    path.write_text("old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ExportError, match="No space left"):
        write_brief(briefs.brief(), path)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]
    monkeypatch.undo()
    path.chmod(0o640)
    write_brief(briefs.brief(), path)
    assert path.read_text().startswith("{") and path.stat().st_mode & 0o777 == 0o640
