"""The parts of a workbook (ECMA-376 part 1, chapter 18): its sheets, and their cells as they are shown.

Read from the XML itself, a row at a time: one pass gives values and tells which formulas have none, and a
part that is damaged or odd costs only what stands in it.
"""

from __future__ import annotations

import contextlib
import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from longleaf.ingest.formats.office.number_format import shown
from longleaf.ingest.formats.office.package import Package, child, local, value

_MOST_TEXTS = 4_000_000  # shared strings
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_BUILT_IN = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: '"$"#,##0_);("$"#,##0)',
    6: '"$"#,##0_);("$"#,##0)', 7: '"$"#,##0.00_);("$"#,##0.00)', 8: '"$"#,##0.00_);("$"#,##0.00)', 9: "0%",
    10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??", 14: "m/d/yyyy", 15: "d-mmm-yy", 16: "d-mmm",
    17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "m/d/yyyy h:mm",
    37: "#,##0_);(#,##0)", 38: "#,##0_);(#,##0)", 39: "#,##0.00_);(#,##0.00)", 40: "#,##0.00_);(#,##0.00)",
    41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)', 42: '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)',
    43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
    44: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)',
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sheet:
    """`kind` is the type of its part: "worksheet", "chartsheet", …; `part` is empty if the file lacks it."""

    title: str
    hidden: bool
    kind: str
    part: str


@dataclass(frozen=True, slots=True)
class Row:
    """Its texts by column (1-based); `unsaved` names cells whose formula has no value, `errors` counts
    values like "#N/A", `struck` has what is struck out of a column's text with its place in it, `unseen`
    counts characters as white as their ground."""

    number: int
    texts: dict[int, str]
    unsaved: tuple[str, ...]
    errors: int
    struck: dict[int, tuple[tuple[int, str], ...]]
    unseen: int
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class _Look:
    """How a style of cells shows its text."""

    code: str = "General"
    struck: bool = False
    unseen: bool = False


class Workbook:
    """Raises IngestError if the part that names the sheets cannot be read."""

    def __init__(self, package: Package) -> None:
        self._package = package
        main = package.main_part("xl/workbook.xml")
        root = package.xml(main)
        self._relations = package.relations(main)
        self._epoch = datetime.datetime(1899, 12, 30)
        if value(child(root, "workbookPr"), "date1904").lower() in ("1", "true", "on"):
            self._epoch = datetime.datetime(1904, 1, 1)
        self.sheets = tuple(self._sheets(root))
        self._looks = self._read_looks()
        self._struck: dict[int, tuple[tuple[int, str], ...]] = {}  # by the number of the shared text
        self._texts = self._read_texts()
        self.shown = lru_cache(65536)(self._shown)

    def _sheets(self, root: Any) -> Iterator[Sheet]:
        for element in _children(root, "sheets"):
            if local(element) == "sheet":
                # "sheetId" is another attribute; the relation's is "id" in a namespace of its own.
                kind, part = self._relations.get(value(element, "id"), ("worksheet", ""))
                part = part if self._package.has(part) else ""
                yield Sheet(
                    value(element, "name"), value(element, "state", "visible") != "visible", kind, part
                )

    def _part(self, kind: str) -> str | None:
        parts = (target for of, target in self._relations.values() if of == kind)
        return next((part for part in parts if self._package.has(part)), None)

    def _read_looks(self) -> list[_Look]:
        """What each style of cells says."""
        part = self._part("styles")
        if part is None:
            return []
        root = self._package.optional(part)
        own = {value(e, "numFmtId"): value(e, "formatCode") for e in _children(root, "numFmts")}
        fonts, fills = _children(root, "fonts"), _children(root, "fills")
        struck = [_is_struck(font) for font in fonts]
        white = [_is_white(font) for font in fonts]
        filled = [value(child(fill, "patternFill"), "patternType", "none") != "none" for fill in fills]
        filled = [
            has or child(fill, "gradientFill") is not None for has, fill in zip(filled, fills, strict=True)
        ]
        looks = []
        for xf in _children(root, "cellXfs"):
            if local(xf) != "xf":
                continue
            number, font = value(xf, "numFmtId", "0"), _int(value(xf, "fontId"))
            on_ground = _at(filled, _int(value(xf, "fillId")))
            code = own.get(number) or _BUILT_IN.get(_int(number), "General")
            looks.append(_Look(code, _at(struck, font), _at(white, font) and not on_ground))
        return looks

    def _read_texts(self) -> list[str]:
        part = self._part("sharedStrings")
        texts: list[str] = []
        if part is not None:
            for element in self._package.elements(part, "si"):
                if gone := _struck_runs(element):
                    self._struck[len(texts)] = gone
                texts.append(_text(element))
                if len(texts) >= _MOST_TEXTS:
                    break
        return texts

    def rows(self, part: str) -> Iterator[Row]:
        """The rows of a sheet that show something. Raises IngestError where the part is damaged."""
        number = 0
        for element in self._package.elements(part, "row"):
            number = _int(value(element, "r")) or number + 1
            texts: dict[int, str] = {}
            unsaved = []
            struck: dict[int, tuple[tuple[int, str], ...]] = {}
            errors = column = unseen = 0
            for cell in element:
                if local(cell) != "c":
                    continue
                attributes = cell.attrib
                reference = attributes.get("r", "")
                column = _column(reference) or column + 1
                kind = attributes.get("t", "n")
                held = child(cell, "v")
                text = (held.text or "") if held is not None else ""
                gone: tuple[tuple[int, str], ...] = ()
                if kind == "inlineStr":
                    gone = _struck_runs(child(cell, "is"))
                    text = _text(child(cell, "is"))
                elif kind == "s":
                    gone = self._struck.get(int(text), ()) if self._struck and text.isdigit() else ()
                    text = self._texts[int(text)] if _is_index(text, self._texts) else ""
                elif kind == "str":
                    text = _unescaped(text)
                elif not text and child(cell, "f") is not None:
                    unsaved.append(reference)
                errors += kind == "e"
                style = attributes.get("s", "0")
                text = self.shown(text, kind, style)
                look = self._look(style)
                if text and look.unseen:
                    unseen += sum(map(len, text.split()))
                    text, gone = "", ()
                if text and look.struck:
                    text, gone = "", ((0, text),)
                if gone:
                    struck[column] = gone
                if text or gone:
                    texts[column] = text
            if texts or unsaved or unseen:
                hidden = value(element, "hidden").lower() in ("1", "true", "on")
                yield Row(number, texts, tuple(unsaved), errors, struck, unseen, hidden)

    def _look(self, style: str) -> _Look:
        return self._looks[int(style)] if _is_index(style, self._looks) else _Look()

    def _shown(self, text: str, kind: str, style: str) -> str:
        """A cell's value, as the file holds it, in its number format, on one line."""
        code = self._look(style).code
        if kind == "b":
            text = "TRUE" if text.strip() in ("1", "true") else "FALSE" if text else ""
        elif kind == "d":
            with contextlib.suppress(ValueError):  # then it is shown as it stands
                text = shown(datetime.datetime.fromisoformat(text.strip().rstrip("Z")), code)
        elif kind == "n" and text.strip():
            with contextlib.suppress(ValueError):
                text = shown(_as_number(text), code, self._epoch)
        elif text:
            text = shown(text, code)
        return " ".join(text.split())


def _children(root: Any, name: str) -> list[Any]:
    found = child(root, name)
    return [] if found is None else list(found)


def _text(element: Any) -> str:
    """The runs of a text, without the readings that stand over Japanese words."""
    if element is None:
        return ""
    found = []
    for part in element:
        kind = local(part)
        if kind == "t":
            found.append(part.text or "")
        elif kind == "r" and not _is_struck(child(part, "rPr")):
            found += [t.text or "" for t in part if local(t) == "t"]
    return _unescaped("".join(found))


def _struck_runs(element: Any) -> tuple[tuple[int, str], ...]:
    """What is struck of a text of several runs, with its place in what stays of it on one line."""
    if element is None or not any(local(e) == "strike" for e in element.iter()):
        return ()
    before, found = "", list[tuple[int, str]]()
    for part in element:
        said = "".join(t.text or "" for t in ((part,) if local(part) == "t" else part) if local(t) == "t")
        if local(part) == "r" and _is_struck(child(part, "rPr")):
            found.append((len(" ".join(before.split())), " ".join(said.split())))
        elif local(part) in ("t", "r"):
            before += said
    return tuple((at, gone) for at, gone in found if gone)


def _is_struck(font: Any) -> bool:
    strike = child(font, "strike")
    return strike is not None and value(strike, "val", "1").lower() not in ("0", "false", "off")


def _is_white(font: Any) -> bool:
    ink = child(font, "color")
    by_theme = value(ink, "theme") == "0" and not value(ink, "tint")  # "window": white, unless set otherwise
    return ink is not None and (by_theme or value(ink, "rgb").upper()[-6:] == "FFFFFF")


def _at(values: list[bool], index: int) -> bool:
    return index < len(values) and values[index]


def _as_number(text: str) -> int | float:
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < 1e15 else number


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda m: chr(int(m[1], 16)), text) if "_x" in text else text


def _column(reference: str) -> int:
    """1 for "A7", 28 for "AB7"; 0 for what is no reference."""
    column = 0
    for letter in reference[:4]:
        if not "A" <= letter <= "Z":
            break
        column = column * 26 + ord(letter) - 64
    return column


def _is_index(text: str, into: list[Any]) -> bool:
    return text.isascii() and text.isdigit() and int(text) < len(into)


def _int(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def drawn(package: Package, part: str) -> tuple[list[str], int, int]:
    """What lies over a sheet: the paragraphs of its shapes, how many charts and how many pictures."""
    texts: list[str] = []
    charts = pictures = 0
    for kind, drawing in package.relations(part).values():
        root = package.optional(drawing) if kind == "drawing" else None
        for element in () if root is None else root.iter():
            name = local(element)
            if name == "txBody":
                for paragraph in element:
                    said = "".join(t.text or "" for t in paragraph.iter() if local(t) == "t")
                    if local(paragraph) == "p" and said.strip():
                        texts.append(" ".join(said.split()))
            charts += name == "chart"
            pictures += name == "pic"
    return texts, charts, pictures
