"""HTML: what a reader sees of it. Scripts and hidden parts go; menus and page frames are furniture."""

from __future__ import annotations

import re
from typing import Any

import lxml.etree
import lxml.html

from longleaf.ingest.document import BlockKind, Gap
from longleaf.ingest.formats.blocks import counted, dense_columns, join_cells, numeral
from longleaf.ingest.formats.flow import Flow, Remark, Words
from longleaf.ingest.formats.text import decode
from longleaf.ingest.formats.typeset import line_of
from longleaf.ingest.formats.web.css import (
    Colour,
    Styles,
    colour,
    ground,
    is_alike,
    is_gone,
    is_struck,
    is_unseen,
)
from longleaf.ingest.structure.page_text import is_heading_text
from longleaf.ingest.text.list_markers import BULLETS, is_marker
from longleaf.ingest.text.sentences import words as listed

_MAX_DEPTH = 180
_UNSEEN = listed(
    "script style template noscript svg math head iframe object embed audio video canvas datalist map area "
    "link meta title param source track"
)
_BLOCKS = listed(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section "
    "summary table ul caption tr td th thead tbody tfoot option"
)
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.I)
_XML_ENCODING = re.compile(rb"<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.:-]{2,40})", re.I)
_STYLES = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}


def read(data: bytes, declared: str = "") -> Flow:
    """The flow of an HTML file; `declared` is the encoding that a mail's header names."""
    for pattern in (_CHARSET, _XML_ENCODING):
        if not declared and (match := pattern.search(data[:4096])):
            declared = match[1].decode("ascii", "replace")
    text, encoding, guessed = decode(data, declared)
    flow = Flow("¶", metadata={"encoding": encoding})
    if guessed:
        flow.gaps.append(
            Gap("doubtful_text", f"the file does not say its encoding; it was read as {encoding}")
        )
    add_html(flow, text)
    return flow


def add_html(flow: Flow, text: str) -> None:
    """Adds what the HTML shows to a flow."""
    parser = lxml.html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    text = text.replace("\0", "\ufffd")
    try:
        root = lxml.html.document_fromstring(
            text.encode("utf-8", "replace"), parser=parser, ensure_head_body=True
        )
    except lxml.etree.ParserError:  # it holds no element and no word, as a comment
        return
    if any(entry.type == lxml.etree.ErrorTypes.ERR_RESOURCE_LIMIT for entry in parser.error_log):
        flow.gaps.append(Gap("truncated", "its elements are nested too deep: what follows was not read"))
    title = root.findtext("head/title") or ""
    if title.strip():
        flow.metadata.setdefault("title", " ".join(title.split()))
    reader = _Reader(flow, _main(root), Styles(root))
    reader.block(root.find("body"), 0)
    reader.end()
    reader.frames += len(list(root.iter("frame")))  # they stand beside the body
    if reader.unseen:
        said = counted(reader.unseen, "character that nobody sees was", "characters that nobody sees were")
        flow.gaps.append(Gap("hidden", f"{said} left out (in the colour of the ground, or too small)"))
    if reader.pictures:
        flow.gaps.append(Gap("truncated", f"{counted(reader.pictures, 'picture')} not read"))
    if reader.frames:
        flow.gaps.append(
            Gap(
                "truncated",
                f"{counted(reader.frames, 'embedded page or object', 'embedded pages or objects')} not read",
            )
        )


def _main(root: Any) -> Any:
    """The one element that the page itself calls its main text, or None."""
    for path in (".//main", ".//*[@role='main']", ".//article"):
        found = root.findall(path)
        if len(found) == 1 and len(" ".join(found[0].itertext())) > 200:
            return found[0]
    return None


class _Reader:
    def __init__(self, flow: Flow, main: Any, styles: Styles) -> None:
        self._flow = flow
        self._main = main
        self._styles = styles
        self._ink: Colour = (0, 0, 0)
        self._paper: Colour | None = (255, 255, 255)
        self._around = set(map(id, main.iterancestors())) if main is not None else set()
        self._text: list[str] = []
        self._remarks: list[Remark] = []
        self._kind: BlockKind = "paragraph"
        self._level = self._indent = 0
        self._furniture: BlockKind | None = None
        self._verbatim = False
        self._bold = False
        self._light = False  # whether any of the open block's words are not bold
        self.pictures = self.frames = 0
        self.unseen = 0  # characters

    def end(self) -> None:
        """Closes the open block."""
        joined = "".join(self._text)
        said = _tidied(joined, self._remarks, verbatim=self._verbatim)
        bold = not self._light
        self._text, self._remarks, self._light = [], [], False
        if said.text or said.remarks:
            kind = self._furniture or self._kind
            if kind == "paragraph" and not self._verbatim and _heads(said.text, bold):
                kind = "heading"
            if kind == "heading" and not said.text:
                kind = "paragraph"
            level = self._level if kind == "heading" else 0
            units = 0 if self._furniture else 1
            self._flow.add(kind, said, units=units, level=level, indent=self._indent)

    def block(self, element: Any, depth: int) -> None:
        """An element that begins and ends a block, and all that is in it."""
        tag = _tag(element)
        if self._skips(element, tag):
            return
        if is_struck(self._styles.of(element)):
            self.end()
            self._change(element, tag, depth)
            self.end()
            return
        self.end()
        saved = self._kind, self._level, self._furniture, self._verbatim, self._indent
        if tag == "table" and self._table(element, depth):
            return
        if tag in ("nav", "menu") or (tag in ("header", "footer") and not _in_main(element)):
            self._furniture = "footer" if tag == "footer" else "header"
        elif self._main is not None and not self._furniture:
            if element is self._main or id(element) in self._around:
                self._furniture = None
            elif not any(a is self._main for a in element.iterancestors()):
                self._furniture = "header"
        if re.fullmatch("h[1-6]", tag):
            self._kind, self._level = "heading", int(tag[1])
        elif tag in ("ul", "ol", "dir"):
            self._list(element, tag, depth)
            self._kind, self._level, self._furniture, self._verbatim, self._indent = saved
            return
        elif tag == "pre":
            self._verbatim = True
        elif tag in ("dd", "blockquote"):
            self._indent += 1
        self._inside(element, depth)
        self.end()
        self._kind, self._level, self._furniture, self._verbatim, self._indent = saved

    def _inside(self, element: Any, depth: int) -> None:
        if depth > _MAX_DEPTH:
            self._say(" ".join(element.itertext()))
            return
        style = self._styles.of(element)
        around = self._bold, self._ink, self._paper
        self._bold = _is_bold(element, self._bold, style)
        self._ink = colour(style.get("color") or element.get("color")) or self._ink
        self._paper = ground(element, style, self._paper)
        self._say(element.text)
        for child in element:
            tag = _tag(child)
            if tag in _BLOCKS:
                self.block(child, depth + 1)
            elif not self._skips(child, tag):
                self._inline(child, tag, depth + 1)
            self._say(child.tail)
        self._bold, self._ink, self._paper = around

    def _inline(self, element: Any, tag: str, depth: int) -> None:
        if tag == "br":
            self._text.append("\v")  # a line break that is no white space of the source
        elif tag == "img":
            self.pictures += 1
        elif tag in ("input", "textarea", "select"):
            self._field(element, tag)
        elif tag in ("ins", "del", "s", "strike") or is_struck(self._styles.of(element)):
            self._change(element, tag, depth)
        elif tag == "sup" and (element.text or "").strip().isdigit() and not len(element):
            from longleaf.ingest.formats.blocks import superscript

            self._text.append(superscript(element.text.strip()))
        else:
            self._inside(element, depth)

    def _change(self, element: Any, tag: str, depth: int) -> None:
        date = element.get("datetime") or ""
        start = sum(map(len, self._text))
        if tag != "ins":
            gone = " ".join(" ".join(element.itertext()).split())
            if gone:
                self._remarks.append(Remark("deletion", start, start, gone, "", date))
            return
        self._inside(element, depth)
        end = sum(map(len, self._text))
        said = " ".join("".join(self._text)[start:end].split())
        if said and end > start:
            self._remarks.append(Remark("insertion", start, end, said, "", date))

    def _field(self, element: Any, tag: str) -> None:
        if tag == "textarea":
            self._text.append(element.text or "")
        elif tag == "select":
            options = list(element.iter("option"))
            if element.get("multiple") is None:  # one is shown, the first if none is chosen
                chosen = [o for o in options if o.get("selected") is not None]
                options = chosen[-1:] or options[:1]
            self._text.append(", ".join(" ".join("".join(o.itertext()).split()) for o in options))
        elif (kind := (element.get("type") or "text").lower()) in ("checkbox", "radio"):
            self._text.append("☐ " if element.get("checked") is None else "☒ ")
        elif kind in ("text", "email", "number", "date", "tel", "url", "submit", "button"):
            self._text.append(element.get("value") or "")

    def _list(self, element: Any, tag: str, depth: int) -> None:
        number = _number(element.get("start"), 1)
        style = _STYLES.get(element.get("type") or "1", "decimal")
        self._indent += 1
        self._say(element.text)
        for child in element:
            if _tag(child) != "li":
                if _tag(child) in _BLOCKS:
                    self.block(child, depth + 1)
                elif not self._skips(child, _tag(child)):
                    self._inline(child, _tag(child), depth + 1)
            elif not self._skips(child, "li"):
                self.end()
                number = _number(child.get("value"), number)
                saved = self._kind, self._level
                self._kind, self._level = "list", 0
                own = (child.text or "").lstrip()[:1]
                mark = (
                    f"{numeral(number, style)}. "
                    if tag == "ol"
                    else ""
                    if own and own in BULLETS[:12]
                    else "• "
                )
                self._text.append(mark)
                number += 1
                if depth > _MAX_DEPTH:
                    self._text.append(" ".join(child.itertext()))
                else:
                    self._item(child, depth + 1)
                self.end()
                self._kind, self._level = saved
            self._say(child.tail)
        self.end()
        self._indent -= 1

    def _item(self, element: Any, depth: int) -> None:
        """A list's item; its first paragraph stands beside the mark."""
        first = True
        self._say(element.text)
        for child in element:
            tag = _tag(child)
            alone = "".join(self._text).strip(" .") in ("", "•") or len("".join(self._text)) <= 6
            if tag in ("p", "div", "span") and first and alone and not self._skips(child, tag):
                self._inside(child, depth)
                if tag != "span":
                    self._text.append("\v")
                first = False
            elif tag in _BLOCKS:
                self.block(child, depth + 1)
                first = False
            elif not self._skips(child, tag):
                self._inline(child, tag, depth + 1)
            self._say(child.tail)

    def _table(self, element: Any, depth: int) -> bool:
        """Adds a table of data; False for one that only lays out the page."""
        rows, cells = _rows(element)
        if not rows or depth > _MAX_DEPTH or element.find(".//table") is not None:
            return False
        texts = [len(" ".join("".join(c.itertext()).split())) for row in cells for c in row]
        filled = [n for n in texts if n]
        columns = max((sum("".join(c.itertext()).strip() != "" for c in row) for row in cells), default=0)
        if columns < 2 or (filled and sum(filled) / len(filled) > 300):
            return False
        for stray in _strays(element):
            self._say(stray)
            self.end()
        caption = next((c for c in element if _tag(c) == "caption"), None)
        if caption is not None:
            self.block(caption, depth + 1)
        found: list[list[Words]] = []
        shown: list[Any] = []  # the elements of these rows
        heads = 0
        held: dict[int, int] = {}  # how many more rows a cell from above takes of a column
        for row, own in zip(rows, cells, strict=True):
            if self._skips(row, "tr"):
                continue
            line: list[Words] = []
            below = {column: count - 1 for column, count in held.items() if count > 1}
            for cell in own:
                while len(line) in held:
                    line.append(Words(""))
                start = len(line)
                line += self._cell(cell, depth)
                down = min(_number(cell.get("rowspan"), 1), 1000) - 1
                below |= dict.fromkeys(range(start, len(line)), down) if down > 0 else {}
            held = below
            if not any(cell.text for cell in line):
                continue
            in_head = _tag(row.getparent()) == "thead" or all(_tag(c) == "th" for c in own)
            if in_head and heads == len(found):
                heads += 1
            found.append(join_cells(line))
            shown.append(row)
        if found and all(map(_is_item, found)):
            self._add_items(found, [_all_bold(row, self._bold, self._styles) for row in shown])
        elif found:
            self._add_table(found, heads)
        return True

    def _add_items(self, rows: list[list[Words]], bold: list[bool]) -> None:
        """A table that only sets marks ("•", "(a)", "Item 1.") beside their text."""
        for row, is_bold in zip(rows, bold, strict=True):
            mark, words = (cell for cell in row if cell.text)
            text = f"{mark.text} {words.text}"
            for r in words.remarks:
                r.start, r.end = r.start + len(mark.text) + 1, r.end + len(mark.text) + 1
            kind: BlockKind = "heading" if _heads(text, is_bold) else "list"
            said = Words(text, mark.remarks + words.remarks)
            self._flow.add(self._furniture or kind, said, indent=self._indent)

    def _add_table(self, rows: list[list[Words]], heads: int) -> None:
        from longleaf.ingest.structure.table_heads import head_rows

        rows = dense_columns(rows)
        if not heads:
            heads = head_rows([line_of(row) for row in rows])
        if self._furniture:
            for row in rows:
                self._flow.add(self._furniture, "  ".join(cell.text for cell in row if cell.text), units=0)
        else:
            self._flow.add("table", "", units=len(rows), rows=rows, heads=min(heads, len(rows)))

    def _cell(self, cell: Any, depth: int) -> list[Words]:
        if self._skips(cell, _tag(cell)):
            return []
        inner = _Reader(Flow(""), None, self._styles)
        inner._ink, inner._paper = self._ink, self._paper
        struck = is_struck(self._styles.of(cell))
        for outer in reversed(list(cell.iterancestors("table", "thead", "tbody", "tr"))):
            style = self._styles.of(outer)
            struck = struck or is_struck(style)
            inner._ink = colour(style.get("color") or outer.get("color")) or inner._ink
            inner._paper = ground(outer, style, inner._paper)
        if struck:
            inner._change(cell, "s", depth + 1)
        else:
            inner._inside(cell, depth + 1)
        inner.end()
        self.pictures += inner.pictures
        self.unseen += inner.unseen
        text, remarks = "", []
        for item in inner._flow.items:
            parts = [w for row in item.rows for w in row] or [item.words]
            for words in parts:
                if not words.text and not words.remarks:
                    continue
                text += " " if text and words.text else ""
                for r in words.remarks:
                    r.start, r.end = r.start + len(text), r.end + len(text)
                    remarks.append(r)
                text += words.text.replace("\n", " ")
        span = min(max(_number(cell.get("colspan"), 1), 1), 50)
        return [Words(text, remarks), *(Words("", of_left=True) for _ in range(span - 1))]

    def _skips(self, element: Any, tag: str) -> bool:
        if tag in ("iframe", "object", "embed"):
            self.frames += 1
        if element.tag == "ix:header":  # of a filing: facts that are not shown
            return True
        style = self._styles.of(element)
        if tag in _UNSEEN or element.get("hidden") is not None or is_gone(style):
            return True
        if is_unseen(style):
            self.unseen += sum(map(len, "".join(element.itertext()).split()))
            return True
        return False

    def _say(self, text: str | None) -> None:
        if text:
            if self._paper is not None and is_alike(self._ink, self._paper) and not text.isspace():
                self.unseen += sum(map(len, text.split()))
                text = " "
            self._text.append(text)
            self._light |= not self._bold and not text.isspace()


def _is_bold(element: Any, around: bool, style: dict[str, str]) -> bool:
    """Whether an element's own words are bold, inside words that are or are not."""
    if weight := style.get("font-weight"):
        return weight in ("bold", "bolder", "600", "700", "800", "900")
    return around or _tag(element) in ("b", "strong")


def _all_bold(element: Any, around: bool, styles: Styles) -> bool:
    bold = _is_bold(element, around, styles.of(element))
    texts = [element.text, *(child.tail for child in element)]
    own = bold or not any(text and text.strip() for text in texts)
    return own and all(_all_bold(child, bold, styles) for child in element)


def _heads(text: str, bold: bool) -> bool:
    return is_heading_text(text, lines=text.count("\n") + 1, bold=bold, large=False)


def _rows(table: Any) -> tuple[list[Any], list[list[Any]]]:
    """The rows of a table and the cells of each; cells that stand in no row make one of their own."""
    rows: list[Any] = []
    cells: list[list[Any]] = []
    for cell in table.iter("td", "th"):
        around = next(a for a in cell.iterancestors() if _tag(a) in ("table", "td", "th"))
        if around is not table:
            continue
        parent = cell.getparent()
        if not rows or rows[-1] is not parent:
            rows.append(parent)
            cells.append([])
        cells[-1].append(cell)
    return rows, cells


def _strays(table: Any) -> list[str]:
    """Words of a table that stand in no cell, which a browser shows before it."""
    found: list[str | None] = []
    for element in table.iter("table", "thead", "tbody", "tfoot", "tr"):
        found += [element.text, *(child.tail for child in element)]
    return [text for text in found if text and text.strip()]


def _is_item(row: list[Words]) -> bool:
    """Whether a row is a mark and words beside it."""
    said = [cell.text for cell in row if cell.text]
    return len(said) == 2 and is_marker(said[0]) and sum(map(str.isalpha, said[1])) > 0.5 * len(said[1])


def _tidied(text: str, remarks: list[Remark], *, verbatim: bool) -> Words:
    """White space as a browser shows it, remarks moved along. Works by position: each kept character knows
    where it came from."""
    kept: list[str] = []
    origin: list[int] = []
    for i, c in enumerate(text):
        if c == "\v":
            c = "\n"
        elif verbatim and c == "\n":
            pass
        elif c.isspace():
            c = " "
        if c == " " and (not kept or (kept[-1] in " \n" and not verbatim)):
            continue
        if c == "\n":
            while kept and kept[-1] == " ":
                kept.pop()
                origin.pop()
            if not kept or kept[-1] == "\n":
                continue
        kept.append(c)
        origin.append(i)
    while kept and kept[-1] in " \n":
        kept.pop()
        origin.pop()
    moved = []
    for r in remarks:
        start = sum(1 for o in origin if o < r.start)
        end = sum(1 for o in origin if o < r.end)
        moved.append(Remark(r.kind, start, max(start, end), r.text, r.author, r.date))
    return Words("".join(kept), moved)


def _tag(element: Any) -> str:
    tag = element.tag
    return (
        tag.lower().rsplit(":", 1)[-1]
        if isinstance(tag, str) and tag.count(":") and tag not in _BLOCKS
        else (tag.lower() if isinstance(tag, str) else "#")
    )


def _in_main(element: Any) -> bool:
    return any(_tag(a) in ("main", "article", "section") for a in element.iterancestors())


def _number(value: str | None, default: int) -> int:
    return int(value) if value and re.fullmatch(r"-?\d{1,6}", value.strip()) else default
