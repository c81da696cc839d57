"""The old version with tracked changes that make it the new one, as a DOCX.

A DOCX keeps its own styles; of another format the old text is set anew first. What was written is read back
both ways: rejecting all must give the old paragraphs back and accepting all the new words, or it is not used.
"""

from __future__ import annotations

import copy
import io
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import docx
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from longleaf import LongleafError
from longleaf.app.compare.alignment.align import match_words
from longleaf.app.compare.alignment.ignored_differences import same_text
from longleaf.app.compare.alignment.token_stream import Stream, Word, words_of
from longleaf.app.compare.changes import Hunk, RawChange
from longleaf.app.compare.compare import Compared
from longleaf.app.compare.redlines import docx_paragraphs as parts
from longleaf.app.compare.redlines.docx_revisions import Marker, settle
from longleaf.app.text.pages import page_of

Element = Any
AUTHOR = "Longleaf"
_NOT_COPIED = tuple(qn(f"w:{name}") for name in ("numPr", "sectPr", "rPr", "pPrChange", "pageBreakBefore"))


class RedlineError(LongleafError):
    """A redline that would not be exact."""


class _Inexact(Exception):
    """What differs cannot be placed in the file."""


@dataclass(frozen=True, slots=True)
class Place:
    """Characters `start:end` of the text of one paragraph."""

    paragraph: int
    start: int
    end: int


def redline_docx(compared: Compared, old_file: Path | None, *, date: datetime | None = None) -> bytes:
    """`old_file` is the old version if that is a DOCX. Raises RedlineError."""
    stamp = (date or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%SZ")
    for document in (_opened(old_file), _set_anew(compared)):
        if document is None:
            continue
        try:
            _mark(compared, document, stamp)
        except _Inexact:
            continue
        out = io.BytesIO()
        document.save(out)
        return out.getvalue()
    raise RedlineError("tracked changes would not give both texts back exactly: use -o NAME.html instead")


def _opened(file: Path | None) -> Any | None:
    return docx.Document(str(file)) if file else None


def _set_anew(compared: Compared) -> Any:
    """The old text in plain paragraphs, a row of a table in one with tabs."""
    made = docx.Document()
    old = compared.old
    clauses = sorted((c for p in compared.pairings for c in p.old), key=lambda c: c.start)
    for clause in clauses:
        for start, end in _rows(old, clause.start, clause.end):
            page_index, number = old.block[start]
            heading = page_of(old.document, page_index).blocks[number].kind == "heading"
            made.add_paragraph().add_run(parts.printable(old.text(start, end))).bold = heading or None
    return made


def _rows(side: Stream, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The range in one piece, or by rows where it is a table's."""
    first = start
    for i in range(start + 1, end):
        if side.table[i] >= 0 and (side.table[i], side.row[i]) != (side.table[i - 1], side.row[i - 1]):
            yield first, i
            first = i
    yield first, end


def _mark(compared: Compared, document: Any, stamp: str) -> None:
    """Marks the changes in place and proves them. Raises _Inexact."""
    body = document.element.body
    elements = list(parts.paragraphs(body))
    texts = [parts.text_of(p) for p in elements]
    there = [
        (word, Place(n, word.start, word.end)) for n, text in enumerate(texts) for word in words_of(text)
    ]
    places: list[Place | None] = [None] * len(compared.old)
    # In the order of the file: words of tables are compared column by column.
    order = sorted(range(len(compared.old)), key=lambda i: _at(compared.old.words[i]))
    matched = match_words([_key(compared.old.words[i]) for i in order], [_key(w) for w, _ in there])
    for i, j in matched:
        places[order[i]] = there[j][1]
    known = {j for _, j in matched}
    extra = Counter(_key(word) for j, (word, _) in enumerate(there) if j not in known)
    redline = _Redline(compared, places, elements, texts, Marker(AUTHOR, stamp))
    redline.apply()
    rejected, accepted = copy.deepcopy(body), copy.deepcopy(body)
    settle(rejected, accept=False, author=AUTHOR)
    settle(accepted, accept=True, author=AUTHOR)
    if [t for t in map(parts.text_of, parts.paragraphs(rejected)) if t.strip()] != [
        t for t in texts if t.strip()
    ]:
        raise _Inexact
    after = [word for p in parts.paragraphs(accepted) for word in words_of(parts.text_of(p))]
    wanted = redline.expected()
    if _same_words(wanted, after, Counter(extra)) or _same_words(
        sorted(wanted, key=_at), after, Counter(extra)
    ):
        return
    raise _Inexact


def _at(word: Word) -> tuple[int, int]:
    return word.page_index, word.start


def _key(word: Word) -> str:
    return word.key.casefold()


def _same_words(wanted: Sequence[Word], got: Sequence[Word], extra: Counter[str]) -> bool:
    """Whether two texts have the same words, layout and what only the file has aside."""
    i = j = 0
    for x, y in [*match_words([_key(w) for w in wanted], [_key(w) for w in got]), (len(wanted), len(got))]:
        if (i < x or j < y) and not same_text(wanted[i:x], got[j:y]):
            if i < x or any(not extra[_key(word)] for word in got[j:y]):
                return False
            extra.subtract(_key(word) for word in got[j:y])
        i, j = x + 1, y + 1
    return True


class _Redline:
    """Marks each change in the paragraphs of one document."""

    def __init__(
        self,
        compared: Compared,
        places: Sequence[Place | None],
        elements: list[Element],
        texts: Sequence[str],
        marker: Marker,
    ) -> None:
        self.compared = compared
        self.places = places
        self.elements = elements
        self.texts = texts
        self.marker = marker
        self.within: dict[int, list[tuple[int, int, str, str]]] = defaultdict(list)  # end, start, what, text
        self.after: dict[int, Element] = {}  # by anchor: the last paragraph put in behind it
        self.skipped: set[int] = set()  # words of the new version that the file counts by itself
        self.words_in: dict[int, int] = defaultdict(int)
        for place in places:
            if place is not None:
                self.words_in[place.paragraph] += 1
        self.moves = 0

    def apply(self) -> None:
        comes: list[tuple[int, RawChange, str]] = []
        for change in self.compared.changes:
            name = ""
            if change.kind == "moved":
                self.moves += 1
                name = f"move{self.moves}"
            if change.kind in ("removed", "moved") and change.old:
                whole = self._take_out(change.old, name)
                name = name if whole else ""
            if change.kind in ("added", "moved") and change.new:
                comes.append((change.new[0], change, name))
            if change.kind in ("changed", "renumbered", "split", "merged"):
                for hunk in change.hunks:
                    self._replace(hunk, numbered=change.kind == "renumbered")
                self._cut(change)
            for hunk in change.followed:
                self._replace(hunk, numbered=False)
        for _, change, name in sorted(comes, key=lambda item: item[0]):
            self._put_in(change, name)
        for paragraph, edits in self.within.items():
            self._edit(self.elements[paragraph], edits)

    def expected(self) -> list[Word]:
        """The new version's words without those that stand nowhere in the file: its automatic numbers."""
        unplaced = {
            self.compared.alignment.old[i]
            for i, place in enumerate(self.places)
            if place is None and self.compared.alignment.old[i] >= 0
        }
        return [
            w for j, w in enumerate(self.compared.new.words) if j not in unplaced and j not in self.skipped
        ]

    def _replace(self, hunk: Hunk, *, numbered: bool) -> None:
        olds = [p for p in self.places[hunk.old_start : hunk.old_end] if p is not None]
        if hunk.old_start < hunk.old_end and not olds:
            if not numbered:
                raise _Inexact
            self.skipped.update(range(hunk.new_start, hunk.new_end))
            return
        text = self.compared.new.text(hunk.new_start, hunk.new_end)
        if not olds:
            self._insert(hunk, text)
            return
        by_paragraph: dict[int, tuple[int, int]] = {}
        for place in olds:
            start, end = by_paragraph.get(place.paragraph, (place.start, place.end))
            by_paragraph[place.paragraph] = min(start, place.start), max(end, place.end)
        last = olds[-1].paragraph
        for paragraph, (start, end) in by_paragraph.items():
            if text and paragraph == last:
                self.within[paragraph].append((end, end, "ins", text))
            elif not text or paragraph != last:
                start, end = self._with_space(paragraph, start, end)
            self.within[paragraph].append((end, start, "del", ""))

    def _with_space(self, paragraph: int, start: int, end: int) -> tuple[int, int]:
        """A range that goes takes one of the spaces around it along."""
        text = self.texts[paragraph]
        if start and text[start - 1] == " " and (end == len(text) or not text[end].isalnum()):
            return start - 1, end
        if end < len(text) and text[end] == " ":
            return start, end + 1
        return start, end

    def _insert(self, hunk: Hunk, text: str) -> None:
        """Puts words between two others, with the spaces of the new version."""
        new = self.compared.new
        before = self.places[hunk.old_start - 1] if hunk.old_start else None
        behind = self.places[hunk.old_end] if hunk.old_end < len(self.places) else None
        if before is not None:
            glue = " " if self._apart(new, hunk.new_start) else ""
            same = behind is not None and behind.paragraph == before.paragraph
            tail = (
                " "
                if same and behind is not None and behind.start == before.end and text[-1:].isalnum()
                else ""
            )
            starts = hunk.new_start and new.border[hunk.new_start] > 0 and behind is not None and not same
            if not starts or behind is None:
                self.within[before.paragraph].append((before.end, before.end, "ins", glue + text + tail))
                return
        if behind is None:
            raise _Inexact
        glue = " " if self._apart(new, hunk.new_end) else ""
        self.within[behind.paragraph].append((behind.start, behind.start, "ins", text + glue))

    @staticmethod
    def _apart(side: Stream, at: int) -> bool:
        """Whether a space stands before a word."""
        if not 0 < at < len(side):
            return True
        a, b = side.words[at - 1], side.words[at]
        if a.page_index != b.page_index:
            return True
        between = page_of(side.document, a.page_index).text[a.end : b.start]
        return any(c.isspace() for c in between)

    def _take_out(self, part: tuple[int, int], move: str) -> bool:
        """Marks a clause as gone; whether it was of whole paragraphs, as a move needs it."""
        by_paragraph: dict[int, list[Place]] = defaultdict(list)
        for place in self.places[slice(*part)]:
            if place is not None:
                by_paragraph[place.paragraph].append(place)
        if not by_paragraph:
            raise _Inexact
        whole = all(len(found) == self.words_in[n] for n, found in by_paragraph.items())
        name = "moveFrom" if move and whole else "del"
        for n, found in by_paragraph.items():
            start, end = min(p.start for p in found), max(p.end for p in found)
            if len(found) == self.words_in[n]:
                self.within[n].append((len(self.texts[n]), 0, f"{name}+mark", ""))
            else:
                start, end = self._with_space(n, start, end)
                self.within[n].append((end, start, "del", ""))
        if move and whole:
            numbers = sorted(by_paragraph)
            self.marker.move_range([self.elements[n] for n in numbers], "From", move)
        return whole

    def _put_in(self, change: RawChange, move: str) -> None:
        """Puts the paragraphs of a clause behind the one that the new version has before it."""
        if change.new is None:
            return
        anchor = self._anchor(change.new[0])
        name = "moveTo" if move else "ins"
        made: list[Element] = []
        for start, end in self._paragraphs(change.new):
            paragraph = self._like(anchor)
            self.marker.mark_paragraph(paragraph, name)
            wrapped = self.marker.element(name)
            wrapped.append(parts.text_run(parts.printable(self.compared.new.text(start, end))))
            paragraph.append(wrapped)
            made.append(paragraph)
        if move:
            self.marker.move_range(made, "To", move)
        behind = self.after.get(anchor)
        if behind is None and anchor >= 0:
            behind = self._outside_table(self.elements[anchor], change.new[0])
        for paragraph in made:
            if behind is None:
                self.elements[0].addprevious(paragraph)
            else:
                behind.addnext(paragraph)
            behind = paragraph
        self.after[anchor] = behind

    def _paragraphs(self, part: tuple[int, int]) -> Iterator[tuple[int, int]]:
        starts = {c.start for p in self.compared.pairings for c in p.new if part[0] < c.start < part[1]}
        edges = [part[0], *sorted(starts), part[1]]
        for a, b in pairwise(edges):
            yield from _rows(self.compared.new, a, b)

    def _anchor(self, at: int) -> int:
        """The paragraph of the file behind which the clause at that new word comes; -1: it is the first."""
        best, found = -1, -1
        for pairing in self.compared.pairings:
            if not pairing.old or not pairing.new or pairing.moved or not best < pairing.new[-1].start < at:
                continue
            placed = [p for c in pairing.old for p in self.places[c.start : c.end] if p is not None]
            if placed:
                best, found = pairing.new[-1].start, placed[-1].paragraph
        return found

    def _outside_table(self, element: Element, at: int) -> Element:
        if self.compared.new.table[at] >= 0:
            return element
        tables = [parent for parent in element.iterancestors() if parent.tag == qn("w:tbl")]
        return tables[-1] if tables else element

    def _like(self, anchor: int) -> Element:
        """A new paragraph that looks like the one before it."""
        made = OxmlElement("w:p")
        properties = self.elements[anchor].find(qn("w:pPr")) if anchor >= 0 else None
        if properties is not None:
            copied = copy.deepcopy(properties)
            for child in list(copied):
                if child.tag in _NOT_COPIED:
                    copied.remove(child)
            style = copied.find(qn("w:pStyle"))
            if style is None or "eading" not in style.get(qn("w:val"), ""):
                made.append(copied)
        return made

    def _cut(self, change: RawChange) -> None:
        """Marks the paragraph ends that come or go."""
        for at in change.cuts:
            if change.kind == "split":
                old = self.compared.alignment.new[at]
                place = self.places[old] if old >= 0 else None
                if place is None:
                    raise _Inexact
                self.within[place.paragraph].append((place.start, place.start, "split", ""))
            else:
                before, behind = self.places[at - 1], self.places[at]
                if before is None or behind is None:
                    raise _Inexact
                if before.paragraph != behind.paragraph:
                    end = len(self.texts[before.paragraph])
                    glue = "" if self.texts[before.paragraph][-1:].isspace() else " "
                    self.within[before.paragraph].append((end, end, "join", glue))

    def _edit(self, paragraph: Element, edits: list[tuple[int, int, str, str]]) -> None:
        """From the end to the beginning, so that places stay what they were; what comes before what goes."""
        order = {"join": 4, "ins": 3, "split": 2, "del": 1}
        for end, start, what, text in sorted(edits, key=lambda e: (-e[0], -order.get(e[2], 0), -e[1])):
            if what in ("ins", "join"):
                self._insert_at(paragraph, end, text)
                if what == "join":
                    self.marker.mark_paragraph(paragraph, "del")
            elif what == "split":
                self._split_at(paragraph, start)
            else:
                name, _, mark = what.partition("+")
                for run in parts.runs_between(paragraph, start, end):
                    self.marker.wrap(run, name)
                if mark and _can_go(paragraph):
                    self.marker.mark_paragraph(paragraph, name)

    def _insert_at(self, paragraph: Element, at: int, text: str) -> None:
        if not text:
            return
        run = parts.run_before(paragraph, at)
        wrapped = self.marker.element("ins")
        if run is None:
            first = next(iter(parts.pieces(paragraph)), None)
            wrapped.append(parts.text_run(parts.printable(text), first.run if first else None))
            if first is not None:
                first.run.addprevious(wrapped)
            else:
                paragraph.append(wrapped)
            return
        wrapped.append(parts.text_run(parts.printable(text), run))
        inside = run.getparent()
        (inside if inside.tag in (qn("w:ins"), qn("w:moveTo")) else run).addnext(wrapped)

    def _split_at(self, paragraph: Element, at: int) -> None:
        """A paragraph of its own for what stands before that character; its end is what comes."""
        run = parts.run_before(paragraph, at)
        if run is None:
            raise _Inexact
        top = run
        while top.getparent() is not paragraph:
            top = top.getparent()
        first = OxmlElement("w:p")
        properties = paragraph.find(qn("w:pPr"))
        if properties is not None:
            first.append(copy.deepcopy(properties))
            for child in list(first[0]):
                if child.tag in (qn("w:sectPr"), qn("w:rPr")):
                    first[0].remove(child)
        for child in [c for c in paragraph if c.tag != qn("w:pPr")]:
            first.append(child)
            if child is top:
                break
        paragraph.addprevious(first)
        self.marker.mark_paragraph(first, "ins")


def _can_go(paragraph: Element) -> bool:
    """Whether a paragraph's end may go: a cell and a document keep their last one."""
    following = paragraph.getnext()
    return following is not None and following.tag == qn("w:p")
