"""Markdown (CommonMark with tables): what it says once set, numbered by the lines of its source."""

from __future__ import annotations

from typing import Any

from markdown_it import MarkdownIt

from longleaf.ingest.document import BlockKind, Gap
from longleaf.ingest.formats.blocks import counted
from longleaf.ingest.formats.flow import Flow, Remark, Words
from longleaf.ingest.formats.text import decode
from longleaf.ingest.formats.web.html import add_html


def read(data: bytes) -> Flow:
    text, encoding, guessed = decode(data)
    flow = Flow("line", metadata={"encoding": encoding})
    if guessed:
        flow.gaps.append(
            Gap("doubtful_text", f"the file does not say its encoding; it was read as {encoding}")
        )
    text, shift = _without_front_matter(text.replace("\r\n", "\n").replace("\r", "\n"), flow)
    parser = MarkdownIt("commonmark", {"maxNesting": 40}).enable(["table", "strikethrough"])
    _Reader(flow, shift).blocks(parser.parse(text))
    return flow


def _without_front_matter(text: str, flow: Flow) -> tuple[str, int]:
    """Takes the "---" block of metadata off the top; the text and how many lines went."""
    lines = text.split("\n")
    if lines[0].strip() != "---":
        return text, 0
    for i, line in enumerate(lines[1:200], 1):
        if line.strip() in ("---", "..."):
            for entry in lines[1:i]:
                key, colon, value = entry.partition(":")
                if colon and key.strip().isidentifier() and value.strip():
                    flow.metadata.setdefault(key.strip().lower(), value.strip().strip("\"'"))
            return "\n".join(lines[i + 1 :]), i + 1
    return text, 0


class _Reader:
    def __init__(self, flow: Flow, shift: int) -> None:
        self._flow = flow
        self._shift = shift
        self._lists: list[str] = []  # the mark of each open list: "•", or the next number and its stop
        self._mark = ""
        self._quotes = self._pictures = 0

    def blocks(self, tokens: list[Any]) -> None:
        kind: BlockKind = "paragraph"
        level = 0
        rows: list[list[Words]] | None = None
        heads = 0
        table_at = (1, 1)
        for token in tokens:
            at, units = self._lines(token)
            if token.type == "heading_open":
                kind, level = "heading", int(token.tag[1])
            elif token.type in ("bullet_list_open", "ordered_list_open"):
                first = token.attrGet("start")
                self._lists.append("•" if token.type[0] == "b" else f"{1 if first is None else first}.")
            elif token.type in ("bullet_list_close", "ordered_list_close"):
                self._lists.pop()
            elif token.type == "list_item_open":
                self._mark = self._lists[-1]
                if self._mark != "•":
                    number = int(token.info) if token.info.isdigit() else int(self._mark[:-1])
                    self._mark = f"{number}{token.markup or '.'}"
                    self._lists[-1] = f"{number + 1}."
            elif token.type in ("blockquote_open", "blockquote_close"):
                self._quotes += 1 if token.nesting == 1 else -1
            elif token.type == "table_open":
                rows, heads, table_at = [], 0, (at, units)
            elif token.type == "table_close" and rows is not None:
                self._flow.add("table", "", units=table_at[1], at=table_at[0], rows=rows, heads=heads)
                rows = None
            elif token.type == "thead_close" and rows is not None:
                heads = len(rows)
            elif token.type == "tr_open" and rows is not None:
                rows.append([])
            elif token.type == "inline":
                words = self._inline(token.children or [])
                if rows is not None:
                    rows[-1].append(words)
                    continue
                self._add(kind, words, at, units, level)
                kind, level = "paragraph", 0
            elif token.type in ("fence", "code_block"):
                self._add("paragraph", Words(token.content.rstrip("\n")), at, units, 0)
            elif token.type == "html_block":
                self._html(token.content, at, units)
        if self._pictures:
            self._flow.gaps.append(Gap("truncated", f"{counted(self._pictures, 'picture')} not read"))

    def _lines(self, token: Any) -> tuple[int, int]:
        if token.map is None:
            return 0, 1
        return token.map[0] + 1 + self._shift, max(token.map[1] - token.map[0], 1)

    def _add(self, kind: BlockKind, words: Words, at: int, units: int, level: int) -> None:
        if self._mark and kind == "paragraph":
            kind = "list"
            shift = len(self._mark) + 1
            for r in words.remarks:
                r.start, r.end = r.start + shift, r.end + shift
            words = Words(f"{self._mark} {words.text}", words.remarks)
        self._mark = ""
        indent = len(self._lists) + self._quotes
        if words.text.strip() or words.remarks:
            self._flow.add(kind, words, units=units, at=at, level=level, indent=indent)

    def _inline(self, children: list[Any]) -> Words:
        text = ""
        remarks: list[Remark] = []
        struck: int | None = None
        for child in children:
            if child.type in ("text", "code_inline"):
                text += child.content
            elif child.type == "softbreak":
                text += " "
            elif child.type == "hardbreak" or (
                child.type == "html_inline" and child.content.startswith("<br")
            ):
                text += "\n"
            elif child.type == "image":
                self._pictures += 1
            elif child.type == "s_open":
                struck = len(text)
            elif child.type == "s_close" and struck is not None:
                remarks.append(Remark("deletion", struck, struck, text[struck:]))
                text, struck = text[:struck], None
        return Words(text, remarks)

    def _html(self, content: str, at: int, units: int) -> None:
        inner = Flow("")
        add_html(inner, content)
        self._flow.gaps += inner.gaps
        for item in inner.items:
            item.number, item.units = at, units
            self._flow.items.append(item)
