"""The document as one run of text and its sentences, each of which knows its heading and its pages."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from longleaf.app.facts.contracts.date_order import is_two_ways, read_order
from longleaf.app.text.entities import DateMention, DateOrder, find_dates
from longleaf.app.text.entities.text import words
from longleaf.app.text.pages import body_runs
from longleaf.ingest.document import Document, Span

_ABBREVIATIONS = frozenset(
    words(
        """
        inc corp co ltd no nos sec sect art mr mrs ms dr st ave blvd vs v jr sr llc lp plc approx par
        para ex exh fig dept bldg ste rev cf viz etc bhd sdn pte pty jan feb mar apr jun jul aug sept
        sep oct nov dec tel messrs prof rd ft e.g i.e u.s u.k p.o a.m p.m n.a s.a l.p l.l.c b.v n.v
        p.r.c d.c u.s.c s.p.a rs re mio mrd mill mln tsd kr fr sfr nr nrs núm ca abs ziff lit bzw ggf inkl
        zzgl max min p.a kč zł
        """
    )
)
_END = re.compile(r"[.?!;:][\"”’')\]]*\s+|\n[ \t]*\n\s*")
_NUMBERED = re.compile(
    r"(?:section|article|clause|schedule|exhibit|annex|appendix)\s+[\dIVXA-Z]+|\(?(?:[ivx]{1,5}|"
    r"[a-z]|\d{1,2})\)\s|"
    r"\d{1,2}(?:\.\d{1,2})*\.?\s+\S|[A-Z]\.\s|[•●▪·]",
    re.IGNORECASE,
)
_SENTENCE_START = re.compile(r"[\"“‘'(\[]*(?:[A-Z0-9•●▪·_]|\((?:[ivx]+|[a-z]|\d+)\)|[a-z][.)]\s)")
_LABELLED = 60  # characters after a label that are still its value
_LONG = 500  # characters: a longer sentence may also end at a semicolon
_HEADING_WORDS = 9
_BULLETS = frozenset("•●▪·◦‣")
_HEADING_REACH = 15  # sentences a heading without numbering is believed to rule
_VERBS = re.compile(r"\b(?:shall|will|may|must|is|are|has|have|agrees?|means?|was|were|be)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Characters `start:end` of `Passages.text`; `heading` is the nearest title above it, or ""."""

    index: int
    start: int
    end: int
    plain: str  # one space for all white space, straight quotes: what patterns are matched on
    heading: str
    stem: str = ""  # of an item of a list: the words before the list, as "either party may terminate"
    stem_at: tuple[int, int] | None = None  # the sentence that holds them


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int  # in the whole text
    page_index: int
    page_start: int
    length: int


@dataclass(frozen=True)
class Passages:
    """The running text of a document: page blocks in reading order without headers and footers."""

    document: Document
    text: str
    pieces: tuple[_Piece, ...]

    @cached_property
    def _starts(self) -> list[int]:
        return [piece.start for piece in self.pieces]

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        return tuple(_sentences(self.text))

    @cached_property
    def _read_order(self) -> tuple[DateOrder, bool]:
        return read_order(self.text)

    @property
    def date_order(self) -> DateOrder:
        """Whether 03/04/2025 has its day or its month first in this document; "" if nothing shows it."""
        return self._read_order[0]

    def date_doubt(self, mention: DateMention) -> str:
        """What is to be said of a date that can be read in two ways and that nothing proves."""
        if not is_two_ways(mention) or self._read_order[1]:
            return ""
        return (
            f"{self.date_order} read first, not proven"
            if self.date_order
            else "day or month first is not clear"
        )

    @cached_property
    def dates(self) -> tuple[DateMention, ...]:
        return tuple(find_dates(self.text, self.date_order))

    def spans(self, start: int, end: int) -> list[Span]:
        """The page spans that characters `start:end` rest on; adjoining blocks of a page are one span."""
        found: list[Span] = []
        index = max(bisect.bisect_right(self._starts, start) - 1, 0)
        for piece in self.pieces[index:]:
            if piece.start >= end:
                break
            lo, hi = max(start - piece.start, 0), min(end - piece.start, piece.length)
            if lo >= hi:
                continue
            span = Span(piece.page_index, piece.page_start + lo, piece.page_start + hi)
            last = found[-1] if found else None
            if last and last.page_index == span.page_index and self._adjoin(last, span):
                found[-1] = Span(span.page_index, last.start, span.end)
            else:
                found.append(span)
        return found

    def _adjoin(self, left: Span, right: Span) -> bool:
        if right.start < left.end:
            return False
        page = next(p for p in self.document.pages if p.page_index == left.page_index)
        return not page.text[left.end : right.start].strip()

    def ranges(self, spans: Iterable[Span]) -> list[tuple[int, int]]:
        """Where page spans stand in the whole text."""
        found: list[tuple[int, int]] = []
        for span in spans:
            for piece in self.pieces:
                if piece.page_index != span.page_index:
                    continue
                lo = max(span.start, piece.page_start)
                hi = min(span.end, piece.page_start + piece.length)
                if lo < hi:
                    found.append((piece.start + lo - piece.page_start, piece.start + hi - piece.page_start))
        return found

    def sentences_in(self, start: int, end: int) -> Iterable[Sentence]:
        """The sentences of which at least half stands in `start:end`."""
        for sentence in self.sentences:
            inside = min(sentence.end, end) - max(sentence.start, start)
            if inside * 2 >= sentence.end - sentence.start:
                yield sentence

    def sentence_at(self, position: int) -> Sentence | None:
        """The sentence that holds that character, or the last one before it."""
        index = bisect.bisect_right([s.start for s in self.sentences], position) - 1
        return self.sentences[index] if index >= 0 else None


def passages(document: Document) -> Passages:
    pieces: list[_Piece] = []
    text, ended = "", False
    for page in document.pages:
        kinds = {(block.start, block.end): block.kind for block in page.blocks}
        for start, end in body_runs(page):
            apart = kinds.get((start, end)) in ("heading", "table")
            if text:
                # No sentence runs into or out of a heading or a table.
                text += "\n\n" if apart or ended else "\n"
            ended = apart
            pieces.append(_Piece(len(text), page.page_index, start, end - start))
            text += page.text[start:end]
    return Passages(document, text.translate(_SPACES), tuple(pieces))


def plain(text: str) -> str:
    """One space for all white space, straight quotes and hyphens, "non- exclusive" joined."""
    return re.sub(r"\b([Nn]on-|NON-) (?=\w)", r"\1", " ".join(text.translate(_STRAIGHT).split()))


_SPACES = str.maketrans(dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f", " "))
_STRAIGHT = str.maketrans("“”„‘’‚´`–—‐‑", "\"\"\"'''''----")


_NUMBERING = re.compile(
    r"(?:(?:section|article|clause)\s+[\dIVX]+(?:\.\d+)*[.:)]?\s+|\d{1,3}(?:\.\d{1,3})*[.)]?\s+(?=[A-Z(\"])|"
    r"\(?(?:[ivxIVX]{1,5}|[a-zA-Z]|\d{1,2})[.)]\s+)",
    re.IGNORECASE,
)


def unnumbered(body: str) -> str:
    """Without the numbers of sections and items before it ("12.1 (a) Either party ...")."""
    for _ in range(3):
        match = _NUMBERING.match(body)
        if not match or match.end() >= len(body):
            break
        body = body[match.end() :]
    return body


_LIST_BEGINS = re.compile(r":\s*(?=$|\(?[a-zivx\d]{1,4}[.)]\s)|\s(?=\((?:a|i|1|A|I)\)\s)")
_LIST_GOES_ON = re.compile(r"(?:[;:,]|[;,]\s+(?:and|or|and/or))$")
_ITEM = re.compile(r"\(?(?:[ivxIVX]{1,5}|[a-zA-Z]|\d{1,2}(?:\.\d+)*)[.)]?\s|[a-z•●▪·-]")


def _sentences(text: str) -> Iterable[Sentence]:
    index = 0
    heading, heading_at = "", 0
    stem, stem_at, goes_on = "", (0, 0), False
    for start, end in _borders(text):
        body = plain(text[start:end])
        if not body:
            continue
        if is_heading(body):
            title = re.sub(
                r"^(?:(?:section|article)\s+)?[\dIVX]*(?:\.\d+)*[.)]?\s*", "", body, flags=re.IGNORECASE
            )
            # "ARTICLE 9" and its title often stand on lines of their own.
            near = index - heading_at <= 1 and len(heading) < 60
            heading = f"{heading} {title}".strip(" .:") if near else title.strip(" .:")
            heading_at = index
        ruled = heading if index - heading_at <= _HEADING_REACH else ""
        if stem and not (goes_on and _ITEM.match(body)):
            stem = ""
        yield Sentence(index, start, end, body, ruled, stem, stem_at if stem else None)
        goes_on = bool(_LIST_GOES_ON.search(body))
        begins = _LIST_BEGINS.search(body) if goes_on and not stem else None
        if begins:
            stem, stem_at = unnumbered(body[: begins.start()])[-300:], (start, end)
        index += 1


def is_heading(body: str) -> bool:
    """Whether a piece of text is a title: short, no verb, numbered or capitalised."""
    every = body.split()
    if body[:1] in _BULLETS or ";" in body:  # an item of a list
        return False
    if not every or len(every) > _HEADING_WORDS or len(body) > 90 or _VERBS.search(body):
        return False
    if re.search(r":\s+\S", body):  # "Expiration Date: May 1, 2006" says something
        return False
    letters = [w for w in every if w[0].isalpha() and len(w) > 3]
    if not letters:
        return False
    return all(w[0].isupper() for w in letters) and not body.rstrip().endswith(",")


def _borders(text: str) -> Iterable[tuple[int, int]]:
    start = 0
    for match in _END.finditer(text):
        if match.start() < start:
            continue
        if not match.group(0).strip() or _ends_sentence(text, start, match):
            yield from _lines(text, start, match.end())
            start = match.end()
    if start < len(text):
        yield from _lines(text, start, len(text))


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    mark = text[match.start()]
    body = text[start : match.start()]
    following = text[match.end() : match.end() + 40]
    if not following:
        return True
    if mark == ":":
        line = following.split("\n")[0].strip()
        above = "\n" in match.group(0) and is_heading(plain(line)) and (line.isupper() or line[:1].isdigit())
        if "\n" in body.strip() or not is_heading(body.strip()):
            return above
        # "Governing law: Ohio." is one; "Term: This Agreement begins ..." is a title and its sentence.
        labelled = re.split(r"\n|[.;]\s", text[match.end() : match.end() + 80])[0]
        return above or len(labelled) > _LABELLED or bool(_VERBS.search(labelled))
    if mark == ";":
        return len(body) > _LONG or ("\n" in match.group(0) and bool(_NUMBERED.match(following)))
    if not _SENTENCE_START.match(following):
        return False
    if mark == ".":
        word = body.split()[-1].lower() if body.split() else ""
        word = word.lstrip("(\"“'[")
        if (
            re.fullmatch(r"(?:section|article)?\s*(?:[\divx]+(?:\.\d+)*|[a-z])", word)
            and len(body.strip()) < 14
        ):
            return False  # the number of a section, its title follows
        if re.fullmatch(r"(?:section|sec|article|art|exhibit|no|nos)", word):
            return False
        if word in _ABBREVIATIONS or re.fullmatch(r"(?:[a-z]\.)*[a-z]", word):
            tail = match.group(0)
            return "\n" in tail and bool(_NUMBERED.match(following))
    return True


def _lines(text: str, start: int, end: int) -> Iterable[tuple[int, int]]:
    """Cuts titles that stand on lines of their own off the sentence below them."""
    while start < end:
        line_end = text.find("\n", start, end)
        if line_end < 0:
            break
        line = text[start:line_end].strip()
        rest = text[line_end:end].strip()
        if not rest or not line:
            break
        joined = line.split()[-1].lower() in {"of", "and", "the", "by", "to", "for", "a", "in", "with", "or"}
        capitals = line.isupper() or bool(
            re.match(r"(?:section|article)?\s*[\dIVX]+(?:\.\d+)*[.)]?\s", line, re.IGNORECASE)
        )
        if not (capitals and is_heading(plain(line))) or joined or rest[0].islower() or line.endswith(","):
            break
        yield start, line_end
        start = line_end + 1
    trimmed = len(text[start:end]) - len(text[start:end].lstrip())
    body_end = start + len(text[start:end].rstrip())
    if start + trimmed < body_end:
        yield start + trimmed, body_end
