"""DOCX: the text as it stands once all tracked changes are accepted, with what was changed kept as data.

Read from the XML itself, because python-docx leaves out what tracked changes, notes, text boxes and fields
hold. Element names are those of ECMA-376 part 1, chapter 17.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from longleaf.ingest.document import BlockKind, Gap
from longleaf.ingest.formats.blocks import counted, dense_columns, superscript
from longleaf.ingest.formats.flow import Flow, Item, Remark, Words
from longleaf.ingest.formats.office.equations import linear
from longleaf.ingest.formats.office.numbering import Numbering
from longleaf.ingest.formats.office.package import Package, child, local, metadata, value
from longleaf.ingest.formats.office.symbols import of_font, shown
from longleaf.ingest.formats.typeset import line_of
from longleaf.ingest.pdf.normalise import REPLACEMENT
from longleaf.ingest.structure.page_text import is_heading_text
from longleaf.ingest.structure.table_heads import head_rows

_INSERTED = ("ins", "moveTo")
_DELETED = ("del", "moveFrom")
_OFF = ("0", "false", "off")
_INLINE = ("hyperlink", "smartTag", "sdt", "sdtContent", "fldSimple", "customXml", "dir", "bdo")
_MAX_DEPTH = 120
_SYMBOL_FONTS = re.compile(r"symbol|wingdings|webdings", re.I)


@dataclass(slots=True)
class _Style:
    name: str = ""
    based_on: str = ""
    outline: int | None = None
    number: str = ""
    level: int | None = None
    bold: bool | None = None
    hidden: bool | None = None
    struck: bool | None = None
    shaded: bool = False


@dataclass(slots=True)
class _Paragraph:
    """What a paragraph's runs add up to."""

    text: str = ""
    remarks: list[Remark] = field(default_factory=list)
    bold: int = 0  # characters
    boxes: list[Any] = field(default_factory=list)  # contents of text boxes
    notes: list[tuple[str, str, str]] = field(default_factory=list)  # kind, id and shown number
    comments: dict[str, int] = field(default_factory=dict)  # where those that are not ended yet begin
    fields: list[bool] = field(default_factory=list)  # of each open field whether its code goes on
    struck: bool = False  # by its style
    hidden: bool = False  # by its style

    def style(self, chain: list[tuple[str, _Style]]) -> None:
        self.struck = _first(s.struck for _, s in chain) or False
        self.hidden = _first(s.hidden for _, s in chain) or False


def read(file: Any, name: str) -> Flow:
    """The flow of a DOCX file. Raises IngestError naming the damaged part."""
    package = Package(file, name)
    main = package.main_part("word/document.xml")
    reader = _Reader(package, main)
    body = child(package.xml(main), "body")
    if body is not None:
        reader.body(body)
    reader.finish()
    return reader.flow


class _Reader:
    def __init__(self, package: Package, main: str) -> None:
        self.flow = Flow("¶", metadata=metadata(package))
        self._package = package
        self._relations = package.relations(main)
        self._default = ""  # the style of paragraphs that name none
        self._styles = self._read_styles()
        self._numbering = Numbering(self._part("numbering"))
        self._notes = {kind: self._by_id(kind + "s", kind) for kind in ("footnote", "endnote")}
        self._comments = self._by_id("comments", "comment")
        self._note_numbers: Counter[str] = Counter()
        self._carried: _Paragraph | None = None  # of a paragraph whose end was deleted
        self._orphans: list[Remark] = []  # of paragraphs that are gone altogether
        self._pictures = self._objects = self._hidden = 0
        self._unseen = 0  # characters
        self._section_start = 0

    def finish(self) -> None:
        flow = self.flow
        if self._carried is not None:
            self._emit(self._carried, "paragraph", 0, 0)
            self._carried = None
        if self._orphans:
            at = next((i for i in reversed(flow.items) if not i.rows), None) or flow.add("paragraph", "")
            end = len(at.words.text)
            at.words.remarks += [Remark(r.kind, end, end, r.text, r.author, r.date) for r in self._orphans]
        for count, one, more in (
            (self._pictures, "picture", "pictures"),
            (self._objects, "embedded object", "embedded objects"),
            (self._hidden, "run of hidden text", "runs of hidden text"),
        ):
            if count:
                flow.gaps.append(Gap("truncated", f"{counted(count, one, more)} not read"))
        if self._unseen:
            said = counted(self._unseen, "character that nobody sees was", "characters that nobody sees were")
            flow.gaps.append(Gap("hidden", f"{said} left out (white on white, or too small)"))
        flow.gaps += [Gap("truncated", f"left out: {said}") for said in self._package.damaged]

    # Parts

    def _part(self, kind: str) -> Any:
        """The root of the part that the document relates to by this type, or None."""
        for of, target in self._relations.values():
            if of == kind and self._package.has(target):
                return self._package.optional(target)
        return None

    def _by_id(self, part: str, name: str) -> dict[str, Any]:
        root = self._part(part)
        return {} if root is None else {value(e, "id"): e for e in root if local(e) == name}

    def _read_styles(self) -> dict[str, _Style]:
        root = self._part("styles")
        styles: dict[str, _Style] = {}
        for element in () if root is None else root:
            if local(element) != "style":
                continue
            style = _Style(value(child(element, "name")).lower(), value(child(element, "basedOn")))
            paragraph, run = child(element, "pPr"), child(element, "rPr")
            if (outline := child(paragraph, "outlineLvl")) is not None:
                style.outline = _int(value(outline), 9)
            if (numbered := child(paragraph, "numPr")) is not None:
                style.number = value(child(numbered, "numId"))
                level = child(numbered, "ilvl")
                style.level = None if level is None else _int(value(level), 0)
            style.bold = _switch(child(run, "b"))
            style.hidden = _switch(child(run, "vanish"))
            style.struck = _struck(run)
            style.shaded = _is_shaded(paragraph) or _is_shaded(run)
            styles[value(element, "styleId")] = style
            if value(element, "type") == "paragraph" and _on(value(element, "default")):
                self._default = value(element, "styleId")
        return styles

    def _chain(self, style: str) -> list[tuple[str, _Style]]:
        chain: list[tuple[str, _Style]] = []
        while style in self._styles and len(chain) < 20:
            chain.append((style, self._styles[style]))
            style = self._styles[style].based_on
        return chain

    # Blocks

    def body(self, element: Any) -> None:
        self._section_start = len(self.flow.items)
        self._blocks(element, 0)
        last = [e for e in element if local(e) == "sectPr"]
        if last:
            self._section(last[-1])

    def _blocks(self, element: Any, depth: int) -> None:
        if depth > _MAX_DEPTH:
            self._objects += 1
            return
        for block in element:
            kind = local(block)
            if kind == "p":
                self._paragraph(block)
            elif kind == "tbl":
                self._table(block, depth)
            elif kind == "sdt":
                content = child(block, "sdtContent")
                if content is not None:
                    self._blocks(content, depth + 1)
            elif kind in ("customXml", "smartTag", *_INSERTED):
                self._blocks(block, depth + 1)
            elif kind == "altChunk":
                self._objects += 1

    def _paragraph(self, element: Any) -> None:
        properties = child(element, "pPr")
        chain = self._chain(value(child(properties, "pStyle")) or self._default)
        p = self._carried or _Paragraph()
        p.style(chain)
        mark = "" if self._carried else self._mark(properties, chain)
        self._carried = None
        if mark and not p.text:
            p.text = f"{mark} "
        before = len(p.text)
        bold = next((s.bold for _, s in chain if s.bold is not None), False)
        toc = any(s.name.startswith("toc ") for _, s in chain)
        self._runs(element, p, bold=bool(bold), tab="  " if toc else " ", depth=0)
        ends = child(child(properties, "rPr"), "del")
        if ends is None:
            ends = child(child(properties, "rPr"), "moveFrom")
        if len(p.text) == before and mark and not p.text[before:].strip():
            p.text = p.text.rstrip() if ends is None else ""
        if ends is not None:
            self._carried = p if p.text.strip() or p.remarks else None
        else:
            kind, level, indent = self._kind(p, properties, chain, mark)
            self._emit(p, kind, level, indent)
        section = child(properties, "sectPr")
        if section is not None:
            self._section(section)

    def _emit(self, p: _Paragraph, kind: BlockKind, level: int, indent: int) -> None:
        words = _tidied(p)
        if words.text:
            if self._orphans:
                words.remarks = [
                    Remark(r.kind, 0, 0, r.text, r.author, r.date) for r in self._orphans
                ] + words.remarks
                self._orphans = []
            self.flow.add(kind, words, level=level, indent=indent)
        else:
            self._orphans += words.remarks
        for box in p.boxes:
            self._blocks(box, 1)
        for note in p.notes:
            self._note(*note)

    def _kind(
        self, p: _Paragraph, properties: Any, chain: list[tuple[str, _Style]], mark: str
    ) -> tuple[BlockKind, int, int]:
        text = p.text.strip()
        own = child(properties, "outlineLvl")
        outline = _int(value(own), 9) if own is not None else None
        for _, style in chain:
            if outline is None and style.outline is not None:
                outline = style.outline
            if outline is None and (named := re.fullmatch(r"heading (\d)", style.name)):
                outline = int(named[1]) - 1
        if outline is None and any(style.name == "title" for _, style in chain):
            outline = 0
        # A whole clause may have a heading's style so that its number counts on; its words are no title.
        if outline is not None and outline < 9 and 0 < len(text) <= 200:
            return "heading", outline + 1, 0
        numbered = child(properties, "numPr")
        level = _int(value(child(numbered, "ilvl")), 0) if numbered is not None else 0
        bold = p.bold > 0.9 * max(len(text) - len(mark), 1)
        if is_heading_text(text, lines=1, bold=bold, large=False):
            return "heading", 0, 0
        return ("list", 0, level) if mark else ("paragraph", 0, 0)

    def _mark(self, properties: Any, chain: list[tuple[str, _Style]]) -> str:
        number, level = "", None
        numbered = child(properties, "numPr")
        if numbered is not None:
            number = value(child(numbered, "numId"))
            own = child(numbered, "ilvl")
            level = None if own is None else _int(value(own), 0)
        for name, style in chain:
            number = number or style.number
            level = style.level if level is None else level
            if level is None and number:
                level = self._numbering.level_of_style(name)
        return self._numbering.mark(number, level or 0) if number and number != "0" else ""

    def _note(self, kind: str, which: str, mark: str) -> None:
        element = self._notes[kind].get(which)
        if element is None:
            return
        p = _Paragraph(text=f"{mark} ")
        around = [element]  # and the text boxes that are found in it
        for whole in around:
            for block in whole.iter():
                if local(block) == "p" and _owner(block, "txbxContent") is (
                    None if whole is element else whole
                ):
                    p.text += " " if p.text.strip() != mark else ""
                    self._runs(block, p, bold=False, tab=" ", depth=0)
            around += p.boxes[len(around) - 1 :]
        words = _tidied(p)
        at = self.flow.items[-1].number if self.flow.items else 1
        units = self.flow.items[-1].units if self.flow.items else 1
        self.flow.add("paragraph", words, units=units, at=at, note=True)

    def _section(self, properties: Any) -> None:
        """Puts the running headers and footers of the section that ends here at its beginning."""
        texts: list[tuple[BlockKind, str]] = []
        for element in properties:
            kind = local(element)
            if kind not in ("headerReference", "footerReference"):
                continue
            _, target = self._relations.get(value(element, "id"), ("", ""))
            root = self._package.optional(target) if target else None
            if root is None:
                continue
            role: BlockKind = "header" if kind.startswith("header") else "footer"
            outer, self.flow = self.flow, Flow("")
            orphans, self._orphans = self._orphans, []
            self._blocks(root, 0)
            found, self.flow = self.flow, outer
            self._orphans = orphans
            for item in found.items:
                rows = item.rows or [[item.words]]
                for row in rows:
                    line = "  ".join(cell.text for cell in row if cell.text.strip())
                    if line and (role, line) not in texts:
                        texts.append((role, line))
        at = self._section_start
        number = self.flow.items[at].number if at < len(self.flow.items) else 1
        self.flow.items[at:at] = [Item(role, Words(text), number, 0) for role, text in texts]
        self._section_start = len(self.flow.items)

    def _table(self, element: Any, depth: int) -> None:
        rows: list[list[Words]] = []
        heads = 0
        after: list[Any] = []  # tables and text boxes in cells
        notes: list[tuple[str, str, str]] = []
        for row in _descendants(element, "tr"):
            properties = child(row, "trPr")
            gone = child(properties, "del")
            cells: list[Words] = []
            skip = value(child(properties, "gridBefore"))
            cells += [Words("") for _ in range(min(_int(skip, 0), 20))]
            for cell in _descendants(row, "tc"):
                cells += self._cell(cell, depth, after, notes)
            if gone is not None:
                said = "  ".join(cell.text for cell in cells if cell.text)
                self._orphans.append(
                    Remark("deletion", 0, 0, said, value(gone, "author"), value(gone, "date"))
                )
                continue
            if (added := child(properties, "ins")) is not None:
                for cell in cells:
                    if cell.text:
                        mark = Remark(
                            "insertion",
                            0,
                            len(cell.text),
                            cell.text,
                            value(added, "author"),
                            value(added, "date"),
                        )
                        cell.remarks.append(mark)
            if not any(cell.text or cell.remarks for cell in cells):
                continue
            if _switch(child(properties, "tblHeader")) and heads == len(rows):
                heads += 1
            rows.append(cells)
        filled = [row for row in rows if sum(bool(cell.text) for cell in row)]
        if not filled:
            for row in rows:
                for cell in row:
                    self._orphans += cell.remarks
        elif max(sum(bool(cell.text) for cell in row) for row in filled) < 2 or _is_layout(filled):
            for row in filled:
                for cell in row:
                    for text in cell.text.split("\n") if not cell.remarks else [cell.text]:
                        if text.strip() or cell.remarks:
                            kind: BlockKind = (
                                "heading"
                                if is_heading_text(text, lines=1, bold=False, large=False)
                                else "paragraph"
                            )
                            self.flow.add(kind, Words(text, cell.remarks if text == cell.text else []))
        else:
            for row in filled:
                for cell in row:
                    cell.text = cell.text.replace("\n", " ")
            filled = dense_columns(filled)
            if not heads:
                heads = head_rows([line_of(row) for row in filled])
            self.flow.add("table", "", units=len(filled), rows=filled, heads=heads)
        for nested in after:
            if depth > _MAX_DEPTH:
                self._objects += 1
            elif local(nested) == "tbl":
                self._table(nested, depth + 1)
            else:  # a text box
                self._blocks(nested, depth + 1)
        for note in notes:
            self._note(*note)

    def _cell(
        self, cell: Any, depth: int, after: list[Any], notes: list[tuple[str, str, str]]
    ) -> list[Words]:
        properties = child(cell, "tcPr")
        span = min(max(_int(value(child(properties, "gridSpan")), 1), 1), 50)
        merge = child(properties, "vMerge")
        words = Words("")
        if merge is None or value(merge) == "restart":
            box = _owner(cell, "txbxContent")
            for block in cell.iter():
                kind = local(block)
                if kind not in ("p", "tbl") or _owner(block, "tc") is not cell:
                    continue
                if _owner(block, "txbxContent") is not box:
                    continue
                if kind == "tbl":
                    after.append(block)
                    continue
                p = _Paragraph()
                chain = self._chain(value(child(child(block, "pPr"), "pStyle")) or self._default)
                p.style(chain)
                mark = self._mark(child(block, "pPr"), chain)
                p.text = f"{mark} " if mark else ""
                self._runs(block, p, bold=False, tab=" ", depth=0)
                part = _tidied(p)
                notes += p.notes
                after += p.boxes
                glue = "\n" if words.text and part.text else ""
                shift = len(words.text) + len(glue)
                for r in part.remarks:
                    r.start, r.end = r.start + shift, r.end + shift
                words = Words(words.text + glue + part.text, words.remarks + part.remarks)
        return [words, *(Words("", of_left=True) for _ in range(span - 1))]

    # Runs

    def _runs(
        self, element: Any, p: _Paragraph, *, bold: bool, tab: str, depth: int, change: Any = None
    ) -> None:
        if depth > _MAX_DEPTH:
            return
        for part in element:
            kind = local(part)
            if kind == "r":
                self._run(part, p, bold, tab, depth)
            elif kind in _INSERTED:
                start = len(p.text)
                self._runs(part, p, bold=bold, tab=tab, depth=depth + 1)
                self._remark(p, "insertion", start, len(p.text), p.text[start:], part)
            elif kind in _DELETED:
                gone = "".join(_deleted(t) for t in part.iter())
                self._remark(p, "deletion", len(p.text), len(p.text), gone, part)
            elif kind == "commentRangeStart":
                p.comments[value(part, "id")] = len(p.text)
            elif kind == "commentReference":
                self._comment(p, value(part, "id"))
            elif kind == "AlternateContent":
                self._alternate(part, p, bold, tab, depth)
            elif kind == "ruby":
                if (base := child(part, "rubyBase")) is not None:
                    self._runs(base, p, bold=bold, tab=tab, depth=depth + 1)
            elif kind in ("oMath", "oMathPara"):
                p.text += linear(part)
            elif kind in _INLINE:
                self._runs(part, p, bold=bold, tab=tab, depth=depth + 1)
        for which in list(p.comments) if not depth else ():  # they end in a later paragraph
            self._comment(p, which)

    def _run(self, run: Any, p: _Paragraph, bold: bool, tab: str, depth: int) -> None:
        properties = child(run, "rPr")
        chain = self._chain(value(child(properties, "rStyle")))
        hidden = _switch(child(properties, "vanish"))
        if hidden is None:
            hidden = _first((*(s.hidden for _, s in chain), p.hidden))
        if not hidden and (_is_tiny(properties) or self._is_white_on_white(run, properties)):
            self._unseen += sum(len("".join((t.text or "").split())) for t in run if local(t) == "t")
            return
        if hidden:
            self._hidden += any(local(t) == "t" and t.text for t in run)
            return
        own = _switch(child(properties, "b"))
        if own is None:
            own = next((s.bold for _, s in chain if s.bold is not None), bold)
        start = len(p.text)
        for part in run:
            kind = local(part)
            if kind == "fldChar":
                self._field(part, p)
            elif any(p.fields):
                continue  # the code of a field, with the results of others in it
            elif kind == "t":
                fonts = child(properties, "rFonts")
                p.text += shown(part.text or "", value(fonts, "ascii") or value(fonts, "hAnsi"))
            elif kind in ("tab", "ptab"):
                p.text += tab
            elif kind in ("br", "cr"):  # of a line, column or page
                p.text += "\n"
            elif kind == "noBreakHyphen":
                p.text += "-"
            elif kind == "sym":
                p.text += _symbol(part)
            elif kind in ("footnoteReference", "endnoteReference"):
                note = kind.removesuffix("Reference")
                if value(part, "id") in self._notes[note]:
                    mark = ""
                    if not _on(value(part, "customMarkFollows")):  # else the mark is text, here and there
                        self._note_numbers[note] += 1
                        mark = superscript(str(self._note_numbers[note]))
                    p.text += mark
                    p.notes.append((note, value(part, "id"), mark))
            elif kind == "commentReference":
                self._comment(p, value(part, "id"))
            elif kind == "AlternateContent":
                self._alternate(part, p, bold, tab, depth)
            elif kind in ("drawing", "pict"):
                self._drawing(part, p)
            elif kind == "object":
                self._objects += 1
            elif kind == "ruby" and (base := child(part, "rubyBase")) is not None:
                self._runs(base, p, bold=bold, tab=tab, depth=depth + 1)
        struck = _struck(properties)
        if struck is None:
            struck = _first((*(s.struck for _, s in chain), p.struck))
        if struck and p.text[start:].strip():
            self._strike(p, start)
        elif own:
            p.bold += len(p.text) - start

    def _is_white_on_white(self, run: Any, properties: Any) -> bool:
        """Whether a run is white and nothing around it says that it stands on another ground."""
        if not _WHITE.fullmatch(value(child(properties, "color"))):
            return False
        styles = [value(child(properties, "rStyle"))]
        if child(properties, "highlight") is not None or _is_shaded(properties):
            return False
        for outer in run.iterancestors():
            kind = local(outer)
            own = child(outer, {"p": "pPr", "tc": "tcPr", "tbl": "tblPr"}.get(kind, ""))
            # A shape may have any ground, and a page; the style of a table gives its rows theirs.
            unknown = kind in ("txbxContent", "txBody") or child(own, "tblStyle") is not None
            if unknown or _is_shaded(own) or (kind == "document" and child(outer, "background") is not None):
                return False
            styles.append(value(child(own, "pStyle")))
        return not any(style.shaded for name in styles for _, style in self._chain(name))

    def _strike(self, p: _Paragraph, start: int) -> None:
        """What was struck by formatting is a deletion without author; runs that follow each other are one."""
        gone, p.text = p.text[start:], p.text[:start]
        last = p.remarks[-1] if p.remarks else None
        if last is not None and (last.kind, last.start, last.author, last.date) == (
            "deletion",
            start,
            "",
            "",
        ):
            last.text += gone
        else:
            p.remarks.append(Remark("deletion", start, start, gone))

    def _field(self, element: Any, p: _Paragraph) -> None:
        kind = value(element, "fldCharType")
        if kind == "begin":
            data = child(element, "ffData")
            if (box := child(data, "checkBox")) is not None:
                checked = _switch(child(box, "checked"))
                p.text += "☒" if (_switch(child(box, "default")) if checked is None else checked) else "☐"
            elif (choices := child(data, "ddList")) is not None:
                entries = [value(e) for e in choices if local(e) == "listEntry"]
                chosen = child(choices, "result")
                chosen = child(choices, "default") if chosen is None else chosen
                at = _int(value(chosen), 0)
                p.text += entries[at] if 0 <= at < len(entries) else ""
            p.fields.append(True)
        elif p.fields:
            if kind == "separate":
                p.fields[-1] = False
            else:
                p.fields.pop()

    def _alternate(self, element: Any, p: _Paragraph, bold: bool, tab: str, depth: int) -> None:
        choice = child(element, "Choice")
        if choice is None:
            choice = child(element, "Fallback")
        for part in () if choice is None else choice:
            if local(part) in ("drawing", "pict"):
                self._drawing(part, p)
            elif local(part) == "r":
                self._run(part, p, bold, tab, depth + 1)

    def _drawing(self, element: Any, p: _Paragraph) -> None:
        outer = _owner(element, "txbxContent")
        boxes = [e for e in element.iter() if local(e) == "txbxContent" and _owner(e, "txbxContent") is outer]
        p.boxes += boxes
        if boxes:
            return
        shapes = [e for e in element.iter() if local(e) == "txBody"]
        for shape in shapes:
            said = ["".join(t.text or "" for t in part.iter() if local(t) == "t") for part in shape]
            p.text += "".join(f"\n{line}" for line in said if line.strip())
        if not shapes:
            self._pictures += 1

    def _comment(self, p: _Paragraph, which: str) -> None:
        start = p.comments.pop(which, len(p.text))
        element = self._comments.pop(which, None)
        if element is None:
            return
        lines = [
            "".join(t.text or "" for t in para.iter() if local(t) == "t")
            for para in element
            if local(para) == "p"
        ]
        self._remark(p, "comment", start, len(p.text), "\n".join(lines).strip(), element)

    def _remark(self, p: _Paragraph, kind: Any, start: int, end: int, text: str, element: Any) -> None:
        if text.strip():
            p.remarks.append(
                Remark(kind, start, end, text.strip("\n"), value(element, "author"), value(element, "date"))
            )


def _tidied(p: _Paragraph) -> Words:
    """Without white space around it; remarks keep their places."""
    text = p.text.replace("\u00ad", "").replace("\u00a0", " ") if "\u00ad" not in p.text else p.text
    shift = len(text) - len(text.lstrip())
    text = text.strip()
    remarks = []
    for r in p.remarks:
        start, end = (min(max(at - shift, 0), len(text)) for at in (r.start, r.end))
        remarks.append(Remark(r.kind, start, end, r.text, r.author, r.date))
    return Words(text, remarks)


def _symbol(element: Any) -> str:
    code, font = value(element, "char"), value(element, "font")
    if not re.fullmatch(r"[0-9A-Fa-f]{1,6}", code):
        return REPLACEMENT
    if _SYMBOL_FONTS.search(font):
        return of_font(int(code, 16), font)
    return chr(int(code, 16)) if int(code, 16) < 0xD800 else REPLACEMENT


def _deleted(element: Any) -> str:
    kind = local(element)
    if kind in ("delText", "t"):
        return element.text or ""
    return {"tab": " ", "br": "\n", "noBreakHyphen": "-"}.get(kind, "")


def _struck(properties: Any) -> bool | None:
    once, twice = _switch(child(properties, "strike")), _switch(child(properties, "dstrike"))
    return once if once is not None and not twice else twice


_WHITE = re.compile(r"[Ff][0-9A-Fa-f][Ff][0-9A-Fa-f][Ff][0-9A-Fa-f]")


def _is_shaded(properties: Any) -> bool:
    """Whether they say a ground that is not white, by a fill, a pattern or the theme."""
    shade = child(properties, "shd")
    if shade is None:
        return False
    plain = value(shade, "val").lower() in ("", "clear", "nil") and not value(shade, "themeFill")
    return not plain or value(shade, "fill").lower() not in ("", "auto", "ffffff")


def _is_tiny(properties: Any) -> bool:
    """Whether a run is set in a point and a half or less."""
    size = child(properties, "sz")
    return size is not None and 0 < _int(value(size), 24) <= 3


def _first(values: Iterable[bool | None]) -> bool | None:
    return next((v for v in values if v is not None), None)


def _is_layout(rows: list[list[Words]]) -> bool:
    """Whether a table only sets text side by side: its cells are paragraphs, and long ones."""
    texts = [cell.text for row in rows for cell in row if cell.text]
    return sum(map(len, texts)) > 400 * len(texts)


def _descendants(element: Any, name: str) -> list[Any]:
    """The rows of a table, or cells of a row, through what may stand in between (controls, changes)."""
    found: list[Any] = []
    stack = [(e, 0) for e in reversed(element)]
    while stack:
        e, depth = stack.pop()
        if local(e) == name:
            found.append(e)
        elif local(e) in ("sdt", "sdtContent", "customXml", "ins", "smartTag") and depth < 20:
            stack += [(c, depth + 1) for c in reversed(e)]
    return found


def _owner(element: Any, name: str) -> Any:
    return next((a for a in element.iterancestors() if local(a) == name), None)


def _switch(element: Any) -> bool | None:
    return None if element is None else value(element).lower() not in _OFF


def _on(attribute: str) -> bool:
    return bool(attribute) and attribute.lower() not in _OFF


def _int(text: str, default: int) -> int:
    return int(text) if re.fullmatch(r"-?\d{1,6}", text) else default
