"""Tracked changes of a DOCX: to mark, and to accept or reject those of one author."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from longleaf.app.compare.redlines.docx_paragraphs import properties_of

Element = Any
_AUTHOR = qn("w:author")
_COMES = (qn("w:ins"), qn("w:moveTo"))
_GOES = (qn("w:del"), qn("w:moveFrom"))
_RANGES = tuple(
    qn(f"w:{name}")
    for name in ("moveFromRangeStart", "moveFromRangeEnd", "moveToRangeStart", "moveToRangeEnd")
)
_AFTER_MARK = tuple(qn(f"w:{name}") for name in ("sectPr", "pPrChange"))


@dataclass(slots=True)
class Marker:
    """Makes the elements of tracked changes, each with its own number."""

    author: str
    date: str  # ISO 8601, UTC
    next_id: int = 900_000
    names: dict[int, str] = field(default_factory=dict)

    def element(self, name: str) -> Element:
        made = OxmlElement(f"w:{name}")
        self.next_id += 1
        made.set(qn("w:id"), str(self.next_id))
        made.set(_AUTHOR, self.author)
        made.set(qn("w:date"), self.date)
        return made

    def wrap(self, run: Element, name: str) -> None:
        """Puts a run that goes into `w:del` or `w:moveFrom`."""
        made = self.element(name)
        run.addprevious(made)
        made.append(run)
        if name == "del":
            for node in run.iter(qn("w:t")):
                node.tag = qn("w:delText")

    def mark_paragraph(self, paragraph: Element, name: str) -> None:
        """The paragraph's end comes ("ins", "moveTo") or goes ("del", "moveFrom")."""
        properties = properties_of(paragraph)
        look = properties.find(qn("w:rPr"))
        if look is None:
            look = OxmlElement("w:rPr")
            later = next((child for child in properties if child.tag in _AFTER_MARK), None)
            if later is None:
                properties.append(look)
            else:
                later.addprevious(look)
        look.insert(0, self.element(name))

    def move_range(self, paragraphs: list[Element], side: str, name: str) -> None:
        """Encloses paragraphs as one end of the move of that name; `side` is "From" or "To"."""
        start = self.element(f"move{side}RangeStart")
        start.set(qn("w:name"), name)
        end = OxmlElement(f"w:move{side}RangeEnd")
        end.set(qn("w:id"), start.get(qn("w:id")))
        first, last = paragraphs[0], paragraphs[-1]
        properties = first.find(qn("w:pPr"))
        if properties is None:
            first.insert(0, start)
        else:
            properties.addnext(start)
        last.append(end)


def settle(root: Element, *, accept: bool, author: str | None = None) -> None:
    """Accepts or rejects all tracked changes of an author (of all, if None) in place, as Word does."""
    goes, comes = (_GOES, _COMES) if accept else (_COMES, _GOES)
    _settle_marks(root, goes, comes, author)
    for tag in goes:
        for element in list(root.iter(tag)):
            if _by(element, author) and not _is_mark(element):
                element.getparent().remove(element)
    for tag in comes:
        for element in list(root.iter(tag)):
            if _by(element, author) and not _is_mark(element):
                for node in element.iter(qn("w:delText")):
                    node.tag = qn("w:t")
                for child in list(element):
                    element.addprevious(child)
                element.getparent().remove(element)
    for tag in _RANGES:
        for element in list(root.iter(tag)):
            element.getparent().remove(element)


def _by(element: Element, author: str | None) -> bool:
    return author is None or element.get(_AUTHOR) == author


def _is_mark(element: Element) -> bool:
    return element.getparent() is not None and element.getparent().tag == qn("w:rPr")


def _settle_marks(root: Element, goes: tuple[str, ...], comes: tuple[str, ...], author: str | None) -> None:
    """A paragraph whose end goes is joined with the next one, which gives the look."""
    for tag in comes:
        for element in list(root.iter(tag)):
            if _is_mark(element) and _by(element, author):
                element.getparent().remove(element)
    going = [
        mark.getparent().getparent().getparent()
        for tag in goes
        for mark in root.iter(tag)
        if _is_mark(mark) and _by(mark, author)
    ]
    order = {id(p): n for n, p in enumerate(root.iter(qn("w:p")))}
    for paragraph in sorted(going, key=lambda p: -order[id(p)]):
        following = paragraph.getnext()
        while following is not None and following.tag != qn("w:p"):
            if following.tag in (qn("w:tbl"), qn("w:sectPr")):
                following = None
                break
            following = following.getnext()
        content = [child for child in paragraph if child.tag != qn("w:pPr")]
        if following is not None:
            at = 1 if following.find(qn("w:pPr")) is not None else 0
            for n, child in enumerate(content):
                following.insert(at + n, child)
            paragraph.getparent().remove(paragraph)
        elif not _has_text(content, goes, author):
            siblings = [s for s in paragraph.getparent() if s.tag == qn("w:p")]
            if len(siblings) > 1 or paragraph.getparent().tag != qn("w:tc"):
                paragraph.getparent().remove(paragraph)


def _has_text(content: list[Element], goes: tuple[str, ...], author: str | None) -> bool:
    """Whether something stays of a paragraph's content."""
    return any(
        child.tag == qn("w:r") or (child.tag not in (*_RANGES, *goes) and len(child)) for child in content
    )
