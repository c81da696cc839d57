"""Briefs and answers as documents for people: Markdown and DOCX. JSON is `model_dump_json`.

Both are written from one outline: what could not be read first, then the statements, each with numbers
that point to the list of references at the end. Quotes longer than `QUOTE_LIMIT` are cut there, and say so;
the JSON has them whole.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import docx
from docx.document import Document as Docx
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from docx.text.paragraph import Paragraph

from longleaf.app.export import phrases
from longleaf.app.output_file import check_suffix, write_file
from longleaf.app.schema import Answer, Brief, Citation, KeyFact, Statement, Thread

Result = Brief | Answer | Thread
QUOTE_LIMIT = 400
SUFFIXES = (".md", ".json", ".docx")
_REPLACEMENT = "\ufffd"


@dataclass(frozen=True, slots=True)
class _Item:
    text: str
    note: str  # the status, and the pages searched for what was not found
    references: tuple[int, ...]
    name: str = ""  # of a key fact


@dataclass(frozen=True, slots=True)
class _Section:
    title: str
    level: int
    items: tuple[_Item, ...]
    pages: str = ""


@dataclass(frozen=True, slots=True)
class _Outline:
    title: str
    intro: tuple[str, ...]
    gaps: tuple[str, ...]
    sections: tuple[_Section, ...]
    references: tuple[str, ...]
    closing: tuple[str, ...]


class _References:
    """Numbers citations from 1 in the order of their first use; the same characters get the same number."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int, int, int], int] = {}
        self.lines: list[str] = []

    def number(self, citation: Citation) -> int:
        key = (citation.file, citation.page_index, citation.start, citation.end)
        if key not in self._numbers:
            self._numbers[key] = len(self._numbers) + 1
            page = phrases.page_name(citation.page_label, citation.page_index)
            self.lines.append(f"{citation.file}, {page}: “{_clip(_line(citation.quote))}”")
        return self._numbers[key]

    def item(self, statement: Statement) -> _Item:
        note = phrases.STATUS_WORDS[statement.status]
        text = statement.text
        if statement.status == "not_found":
            note = ", ".join(filter(None, (note, phrases.pages_searched(statement))))
        name = ""
        if isinstance(statement, KeyFact):
            name = statement.title
            text = fact_words(statement)
        return _Item(text, note, tuple(dict.fromkeys(map(self.number, statement.citations))), name)


def fact_words(fact: KeyFact) -> str:
    """The bare values, followed by the statement where it says more than they do."""
    values = "; ".join(fact.values)
    if not values or values == fact.text:
        return fact.text
    return f"{values}: {fact.text}" if fact.text else values


def to_markdown(result: Result) -> str:
    """GitHub-flavoured Markdown; references are footnotes. Nothing in the text can act as markup."""
    outline = _outline(result)
    lines = [f"# {escape_markdown(outline.title)}", ""]
    for paragraph in outline.intro:
        lines += [escape_markdown(paragraph), ""]
    if outline.gaps:
        lines += [f"## {phrases.GAPS_TITLE}", "", *(f"- {escape_markdown(gap)}" for gap in outline.gaps), ""]
    for section in outline.sections:
        heading = escape_markdown(section.title + (f" ({section.pages})" if section.pages else ""))
        lines += [f"{'#' * min(section.level + 1, 6)} {heading}", ""]
        if any(item.name for item in section.items):
            lines += ["| Fact | In the document | Status |", "| --- | --- | --- |"]
            lines += [
                f"| {escape_markdown(item.name)} | {_marked(item)} | {escape_markdown(item.note)} |"
                for item in section.items
            ]
        else:
            lines += [f"- {_marked(item)} ({escape_markdown(item.note)})" for item in section.items]
        lines.append("")
    for paragraph in outline.closing:
        lines += [escape_markdown(paragraph), ""]
    lines += [f"[^{n}]: {escape_markdown(line)}" for n, line in enumerate(outline.references, start=1)]
    return "\n".join(lines).rstrip() + "\n"


def to_docx(result: Result) -> bytes:
    """A Word document; each reference number is a link to its entry under the last heading."""
    outline = _outline(result)
    document = docx.Document()
    document.core_properties.title = _line(outline.title)[:255]
    document.core_properties.author = "Longleaf"
    document.core_properties.comments = ""
    document.add_heading(_line(outline.title), level=0)
    for paragraph in outline.intro:
        document.add_paragraph(_line(paragraph))
    if outline.gaps:
        document.add_heading(phrases.GAPS_TITLE, level=1)
        for gap in outline.gaps:
            document.add_paragraph(_line(gap), style="List Bullet")
    for section in outline.sections:
        pages = f" ({section.pages})" if section.pages else ""
        document.add_heading(_line(section.title + pages), level=min(section.level, 9))
        if any(item.name for item in section.items):
            _fact_table(document, section.items)
        else:
            for item in section.items:
                bullet = document.add_paragraph(style="List Bullet")
                _write_item(bullet, item)
                _write_note(bullet, f" ({item.note})")
    if outline.references:
        document.add_heading("References", level=1)
        for number, line in enumerate(outline.references, start=1):
            _bookmark(document.add_paragraph(f"{number}. {line}"), number)
    for paragraph in outline.closing:
        _write_note(document.add_paragraph(), _line(paragraph))
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def write_brief(result: Result, path: Path) -> None:
    """Writes the format that the name's ending tells. Raises ExportError."""
    check_suffix(path, SUFFIXES)
    suffix = path.suffix.lower()
    if suffix == ".docx":
        data = to_docx(result)
    else:
        text = to_markdown(result) if suffix == ".md" else result.model_dump_json(indent=1) + "\n"
        data = text.encode()
    write_file(path, data)


def _outline(result: Result) -> _Outline:
    references = _References()
    if isinstance(result, Thread):
        return _conversation(result, references)
    if isinstance(result, Answer):
        title = result.question
        intro: tuple[str, ...] = (f"Asked of {', '.join(result.files)}.",)
        if result.answer.status != "not_found" and result.not_found_in:
            intro += (f"Not found in {', '.join(result.not_found_in)}.",)
        sections = _answered(result, references, "Answer")
    else:
        title = f"Brief of {result.file}"
        pages = "1 page" if result.page_count == 1 else f"{result.page_count} pages"
        intro = (f"A {result.kind} of {pages}.",)
        sections = [
            _Section(topic or "Overview", 1, tuple(map(references.item, said)))
            for topic, said in phrases.by_topic(result.overview)
        ]
        sections.append(_Section("Key facts", 1, tuple(map(references.item, result.key_facts))))
        if result.sections:
            sections.append(_Section("Section by section", 1, ()))
        for part in result.sections:
            first = phrases.page_name(part.page_label_start, part.page_index_start)
            last = phrases.page_name(part.page_label_end, part.page_index_end)
            span = first if part.page_index_start == part.page_index_end else f"{first} to {last}"
            items = tuple(map(references.item, part.statements))
            sections.append(_Section(part.title, part.level + 1, items, span))
    return _Outline(
        title,
        intro,
        tuple(map(phrases.gap_words, result.gaps)),
        tuple(sections),
        tuple(references.lines),
        (phrases.verification_words(result.verification), phrases.usage_words(result.usage)),
    )


def _answered(result: Answer, references: _References, title: str) -> list[_Section]:
    """The answer; what it is put together from where that is more; passages that may answer."""
    answer = references.item(result.answer)
    working = (_Item(result.answer.working, "working", ()),) if result.answer.working else ()
    sections = [_Section(title, 1, (answer, *working))]
    if result.passages:
        sections.append(_Section(phrases.PASSAGES_TITLE, 2, tuple(map(references.item, result.passages))))
    return sections


def _conversation(thread: Thread, references: _References) -> _Outline:
    sections: list[_Section] = []
    gaps: dict[str, None] = {}
    for turn in thread.turns:
        asked = turn.question if turn.question == turn.understood else f"{turn.question} ({turn.understood})"
        sections += _answered(turn.answer, references, asked)
        gaps.update(dict.fromkeys(map(phrases.gap_words, turn.answer.gaps)))
    return _Outline(
        f"Questions on {', '.join(thread.files)}",
        (),
        tuple(gaps),
        tuple(sections),
        tuple(references.lines),
        (),
    )


# --- text ---

# CommonMark lets every ASCII punctuation mark be escaped; these are the ones that can begin markup, a table
# cell, a link, mathematics or an entity within a line.
_INLINE = re.compile(r"([\\`*_{}\[\]<>|#~$&!^@])")
# ... and these only at the beginning of a line.
_AT_START = re.compile(r"^([-+=:]|\d{1,9}[.)])")
_AUTOLINK = re.compile(r"(?i)\b(https?|ftp|mailto|xmpp)(:)|\b(www)(\.)")
# Characters that XML 1.0 cannot hold (section 2.2), and lone surrogates that UTF-8 cannot.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape_markdown(text: str) -> str:
    """One line that every Markdown renderer shows as the words of `text`, whatever they are."""
    line = _INLINE.sub(r"\\\1", _line(text))
    line = _AUTOLINK.sub(lambda m: (m[1] or m[3]) + "\\" + (m[2] or m[4]), line)
    return _AT_START.sub(lambda m: m[1][:-1] + "\\" + m[1][-1], line)


def _line(text: str) -> str:
    return " ".join(_NOT_XML.sub(_REPLACEMENT, text).split())


def _clip(text: str) -> str:
    if len(text) <= QUOTE_LIMIT:
        return text
    return text[:QUOTE_LIMIT].rsplit(" ", 1)[0] + f" […, {len(text)} characters in all]"


def _marked(item: _Item) -> str:
    return escape_markdown(item.text) + "".join(f"[^{number}]" for number in item.references)


# --- DOCX ---


def _fact_table(document: Docx, items: Sequence[_Item]) -> None:
    table = document.add_table(rows=1, cols=3, style="Table Grid")
    for cell, head in zip(table.rows[0].cells, ("Fact", "In the document", "Status"), strict=True):
        cell.paragraphs[0].add_run(head).bold = True
    for item in items:
        name, text, note = table.add_row().cells
        name.paragraphs[0].add_run(_line(item.name)).bold = True
        _write_item(text.paragraphs[0], item)
        _write_note(note.paragraphs[0], item.note)


def _write_item(paragraph: Paragraph, item: _Item) -> None:
    paragraph.add_run(_line(item.text))
    for number in item.references:
        _link(paragraph, number)


def _write_note(paragraph: Paragraph, words: str) -> None:
    run = paragraph.add_run(words)
    run.font.size = Pt(9)
    run.font.color.rgb = RGBColor(0x59, 0x63, 0x6E)


def _link(paragraph: Paragraph, number: int) -> None:
    """A superscript number that leads to the reference's bookmark (ECMA-376 part 1, 17.16.22)."""
    run = paragraph.add_run(f"[{number}]")
    run.font.superscript = True
    link = OxmlElement("w:hyperlink")
    link.set(qn("w:anchor"), f"reference_{number}")
    link.append(run._r)
    paragraph._p.append(link)


def _bookmark(paragraph: Paragraph, number: int) -> None:
    start, end = OxmlElement("w:bookmarkStart"), OxmlElement("w:bookmarkEnd")
    for mark in (start, end):
        mark.set(qn("w:id"), str(number))
    start.set(qn("w:name"), f"reference_{number}")
    paragraph._p.insert(0, start)
    paragraph._p.append(end)
