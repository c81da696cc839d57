"""Paragraphs of a DOCX as text with a place for every character, and how runs are cut to change a part."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from docx.oxml import OxmlElement
from docx.oxml.ns import qn

Element = Any  # lxml's elements, which have no types

_P, _R, _T, _RPR, _PPR = (qn(f"w:{name}") for name in ("p", "r", "t", "rPr", "pPr"))
_SKIPPED = frozenset(
    qn(f"w:{name}") for name in ("del", "moveFrom", "pPr", "rPr", "instrText", "delText", "sdtPr")
) | {"{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"}
_STANDS_FOR = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters of a paragraph from `start` on that one run shows."""

    start: int
    text: str
    run: Element


def paragraphs(root: Element) -> Iterator[Element]:
    """All paragraphs in order, those of tables and text boxes too; what is only a fallback is left out."""
    for element in root.iter(_P):
        if not any(parent.tag in _SKIPPED for parent in element.iterancestors()):
            yield element


def pieces(paragraph: Element) -> list[Piece]:
    """The runs of a paragraph with their text; each run has one piece of content after this."""
    found: list[Piece] = []
    at = 0
    for run in list(_runs(paragraph)):
        for single in _singled(run):
            text = "".join(_shown(child) for child in single)
            if text:
                found.append(Piece(at, text, single))
                at += len(text)
    return found


def text_of(paragraph: Element) -> str:
    return "".join(_shown(child) for run in _runs(paragraph) for child in run)


def _runs(element: Element) -> Iterator[Element]:
    for child in element:
        if child.tag == _R:
            yield child
        elif child.tag not in _SKIPPED and child.tag != _P:
            yield from _runs(child)


def _shown(child: Element) -> str:
    if child.tag == _T:
        return child.text or ""
    return _STANDS_FOR.get(child.tag, "")


def _singled(run: Element) -> list[Element]:
    """The run as runs that hold one thing each."""
    content = [child for child in run if child.tag != _RPR]
    if len(content) <= 1:
        return [run]
    made = [run]
    for child in content[1:]:
        other = _like(run)
        other.append(child)
        made[-1].addnext(other)
        made.append(other)
    return made


def _like(run: Element) -> Element:
    """An empty run that looks the same."""
    made = OxmlElement("w:r")
    properties = run.find(_RPR)
    if properties is not None:
        made.append(copy.deepcopy(properties))
    return made


def printable(text: str) -> str:
    """The text without what XML cannot hold."""
    return "".join(c if c >= " " or c == "\t" else " " for c in text if c not in "\ufffe\uffff")


def text_run(text: str, like: Element | None = None) -> Element:
    made = OxmlElement("w:r") if like is None else _like(like)
    for n, part in enumerate(text.split("\t")):
        if n:
            made.append(OxmlElement("w:tab"))
        if part:
            node = OxmlElement("w:t")
            node.text = part
            node.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
            made.append(node)
    return made


def runs_between(paragraph: Element, start: int, end: int) -> list[Element]:
    """Runs that show exactly the characters `start:end`; others are cut for it."""
    for at in (start, end):
        _cut(paragraph, at)
    return [p.run for p in pieces(paragraph) if start <= p.start and p.start + len(p.text) <= end]


def run_before(paragraph: Element, at: int) -> Element | None:
    """The run that ends before character `at`, cut there; None at the beginning."""
    _cut(paragraph, at)
    before = [p.run for p in pieces(paragraph) if p.start + len(p.text) <= at]
    return before[-1] if before else None


def _cut(paragraph: Element, at: int) -> None:
    for piece in pieces(paragraph):
        inside = at - piece.start
        if 0 < inside < len(piece.text):
            other = text_run(piece.text[inside:], piece.run)
            node = piece.run.find(_T)
            node.text = piece.text[:inside]
            node.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
            piece.run.addnext(other)
            return


def properties_of(paragraph: Element) -> Element:
    """The paragraph's w:pPr, made if there is none."""
    found = paragraph.find(_PPR)
    if found is None:
        found = OxmlElement("w:pPr")
        paragraph.insert(0, found)
    return found
