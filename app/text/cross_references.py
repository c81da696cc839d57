"""Cross-references: which chunk "as set forth in Section 7.2(b)" or "see Note 9" sends its reader to.

A reference is resolved against the document's own headings and numbered paragraphs. What a table of contents
lists is no target; a number that two places bear, or that is another document's ("Section 13(d) of the
Exchange Act"), is left alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from longleaf.ingest.document import Chunk
from longleaf.ingest.text.list_markers import roman

_MOST = 8  # references of one chunk: a list of exhibits refers to all of them

_KINDS = (
    r"(?i:articles?|sections?|clauses?|paragraphs?|notes?|items?|exhibits?|schedules?|annex(?:es)?"
    r"|appendix|appendices|attachments?|parts?)|§{1,2}"
)
_DIGITS = r"\d{1,3}(?:\.\d{1,3})*[A-Z]?(?!\w|\.\d|,\d)"
_NUMBER = rf"(?:{_DIGITS}|[IVXL]{{1,6}}\b|[A-Z](?:-\d{{1,2}})?\b(?!\.\w))"
_SUB = r"(?:\s?\((?:[a-z]{1,3}|[A-Z]{1,2}|[ivxl]{1,5}|\d{1,2})\))*"
_ONE = re.compile(rf"(?P<number>{_NUMBER})(?P<sub>{_SUB})")
_LIST = rf"{_NUMBER}{_SUB}(?:(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or|through|to)\s+){_NUMBER}{_SUB})*"
_REFERENCE = re.compile(rf"(?<![\w.])(?P<kind>{_KINDS})\s?(?P<list>{_LIST})")
# What follows shows whether another document is meant: an Act, a Code, an agreement with a name of its own.
_ELSEWHERE = re.compile(
    r"\s*,?\s*(?:of|under|to|in)\s+(?:(?:the|such|that|said|its|our)\s+)?"
    r"(?!(?:the\s+)?(?:Agreement|Notes?|Consolidated|Financial|Condensed|Form|Annual|Quarterly|Part|Item|Section"
    r"|Article)\b)[A-Z]"
)
_OF_PART = re.compile(r"\s*,?\s*(?:of|in|under)\s+Part\s+(?P<part>[IVX]+|\d+)\b", re.IGNORECASE)
_AFTER_PART = re.compile(r"Part\s+(?P<part>[IVX]+|\d+)\s*[,—–-]\s*$", re.IGNORECASE)

_TITLE = re.compile(
    rf"(?:(?P<kind>{_KINDS})\s?(?P<number>{_NUMBER})|(?P<bare>\d{{1,3}}(?:\.\d{{1,3}})*)(?=[.)\s]))"
)
_ROMAN_TITLE = re.compile(r"(?P<bare>[IVXL]{1,6})\.(?=\s)")
_LINE = re.compile(
    rf"^(?:(?P<kind>{_KINDS})\s?(?P<number>{_NUMBER})(?=\s*(?:[.:—–]|$))"
    r"|(?P<bare>\d{1,3}(?:\.\d{1,3})+)\.?(?=\s+[A-Z“\"(]))",
    re.MULTILINE,
)
_CONTENTS = re.compile(r"(?:table of )?contents|index(?: to .*)?", re.IGNORECASE)
_NOTES = re.compile(r"\bnotes to\b.*\bstatements\b", re.IGNORECASE)
_CONTINUED = re.compile(r"\W*\(?\bcontinued\b\)?\W*$", re.IGNORECASE)
_SAME = {
    "clause": "section",
    "paragraph": "section",
    "§": "section",
    "annexe": "annex",
    "appendice": "appendix",
}
_ROMAN = frozenset("IVXL")
_MOST_BARE = 40  # "83 Tower Road" is no section
_BESIDE = 20  # characters that "Part IV, " takes before an item
_LISTS = 3  # numbers in one chunk that come again make it a table of contents

Label = tuple[str, str]  # a kind and a number, as "section", "7.2"


@dataclass(frozen=True, slots=True)
class Reference:
    """`text` is how the chunk says it, `target` the position of the chunk it leads to."""

    text: str
    target: int


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a label stands: in the title of a section, whose path it is, or before a line."""

    position: int
    path: tuple[str, ...]
    titled: bool


def references(chunks: Sequence[Chunk]) -> dict[int, tuple[Reference, ...]]:
    """The references of each chunk that has any, by its position. Positions are places in `chunks`."""
    places, contents = _places(chunks)
    found = {}
    for position, chunk in enumerate(chunks):
        if position in contents:
            continue
        leads: dict[int, Reference] = {}
        for text, label, sub, part in _said(chunk.text):
            target = _resolve(label, sub, part, chunk, chunks, places)
            if target is not None and target != position:
                leads.setdefault(target, Reference(text, target))
        if leads:
            found[position] = tuple(leads.values())[:_MOST]
    return found


def _said(text: str) -> Iterator[tuple[str, Label, str, str]]:
    """What a text refers to: its words, the label, the bracketed part ("(b)(ii)"), the Part it names."""
    for match in _REFERENCE.finditer(text):
        if _ELSEWHERE.match(text, match.end()):
            continue
        part = _OF_PART.match(text, match.end()) or _AFTER_PART.search(
            text, max(match.start() - _BESIDE, 0), match.start()
        )
        kind = _kind(match["kind"])
        for one in _ONE.finditer(match["list"]):
            label = _label(kind, one["number"])
            if label is not None:
                words = f"{match['kind']} {one[0]}" if match["kind"] != "§" else f"§ {one[0]}"
                yield (
                    " ".join(words.split()),
                    label,
                    one["sub"].replace(" ", ""),
                    part["part"] if part else "",
                )


def _kind(word: str) -> str:
    word = word.lower().strip()
    word = word[:1] if word.startswith("§") else word.removesuffix("s")
    return _SAME.get(word, word)


def _label(kind: str, number: str) -> Label | None:
    if number[0].isdigit():
        return kind, number.lower()
    if kind in ("article", "section", "part") and set(number) <= _ROMAN:
        return kind, str(roman(number))
    return None if kind in ("note", "item", "section", "part") else (kind, number.lower())


def _places(chunks: Sequence[Chunk]) -> tuple[dict[Label, list[_Place]], set[int]]:
    """Where each label stands, and the positions of tables of contents, where none does."""
    by_chunk: list[list[tuple[Label, _Place]]] = []
    before: tuple[str, ...] = ()
    for position, chunk in enumerate(chunks):
        path = chunk.section_path
        here = []
        same = True
        for depth, title in enumerate(path):
            same = same and before[depth : depth + 1] == (title,)
            if not same:
                here += [
                    (label, _Place(position, path[: depth + 1], True)) for label in _title_labels(title, path)
                ]
        for match in _LINE.finditer(chunk.text):
            label = (
                _label(_kind(match["kind"]), match["number"]) if match["kind"] else ("section", match["bare"])
            )
            if label is not None and not _is_statute(label):
                here.append((label, _Place(position, path, False)))
        by_chunk.append(here)
        before = path
    last = {label: place.position for here in by_chunk for label, place in here}
    found: dict[Label, list[_Place]] = defaultdict(list)
    contents = set()
    for position, here in enumerate(by_chunk):
        labels = {label for label, _ in here}
        again = sum(last[label] > position for label in labels)
        titled = any(_CONTENTS.fullmatch(title.strip()) for title in chunks[position].section_path)
        if titled or (again >= _LISTS and again >= 0.8 * len(labels)):
            contents.add(position)
            continue
        for label, place in here:
            found[label].append(place)
    return {label: _titled(of_label) for label, of_label in found.items()}, contents


def _is_statute(label: Label) -> bool:
    """Whether it is a number of a law's section: a line may begin with "Section 409A."."""
    whole = re.match(r"\d+", label[1])
    return label[0] == "section" and whole is not None and int(whole[0]) > _MOST_BARE


def _titled(places: list[_Place]) -> list[_Place]:
    """Titles before mere lines, and before those that say "continued"."""
    titles = [place for place in places if place.titled]
    begun = [place for place in titles if not _CONTINUED.search(place.path[-1])]
    return begun or titles[:1] or list({place.position: place for place in places}.values())


def _title_labels(title: str, path: Sequence[str]) -> Iterator[Label]:
    match = _TITLE.match(title) or _ROMAN_TITLE.match(title)
    if match is None:
        return
    if "kind" in match.groupdict() and match["kind"]:
        label = _label(_kind(match["kind"]), match["number"])
        if label is not None:
            yield label
        return
    bare = match["bare"]
    if not bare[0].isdigit():
        yield "section", str(roman(bare))
    elif "." in bare or int(bare) <= _MOST_BARE:
        in_notes = any(_NOTES.search(above) for above in path)
        yield ("note" if in_notes else "section"), bare


def _resolve(
    label: Label,
    sub: str,
    part: str,
    chunk: Chunk,
    chunks: Sequence[Chunk],
    places: dict[Label, list[_Place]],
) -> int | None:
    """The position of the one chunk that is meant, or None."""
    kind, number = label
    # A contract of "7. Term" may call it Article 7; one of "ARTICLE 7" with 7.1 and 7.2, Section 7.
    other = {"article": "section", "section": "article"}.get(kind, kind)
    found = places.get(label) or (places.get((other, number), []) if "." not in number else [])
    if part:
        wanted = _label("part", part.upper())
        found = [p for p in found if any(wanted in tuple(_title_labels(title, ())) for title in p.path)]
    if len(found) > 1:  # an exhibit with numbers of its own means them
        shared = [_shared(p.path, chunk.section_path) for p in found]
        found = [p for p, n in zip(found, shared, strict=True) if n == max(shared) > 0]
    if len(found) != 1:
        return None
    return _within(found[0], sub, chunks) if sub else found[0].position


def _shared(a: Sequence[str], b: Sequence[str]) -> int:
    """How many titles two paths have in common from the top."""
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    return n


def _within(place: _Place, sub: str, chunks: Sequence[Chunk]) -> int:
    """The chunk of a section in which its paragraph "(b)" begins; the section's first if none shows it."""
    mark = re.escape(sub[: sub.index(")") + 1])
    begins = re.compile(rf"^(?:[\d.]+\s*)?{mark}\s", re.MULTILINE)
    for position in _section(place, chunks):
        chunk = chunks[position]
        if begins.search(chunk.text) or any(begins.match(t) for t in chunk.section_path[len(place.path) :]):
            return position
    return place.position


def _section(place: _Place, chunks: Sequence[Chunk]) -> Iterable[int]:
    end = place.position
    while end < len(chunks) and chunks[end].section_path[: len(place.path)] == place.path:
        end += 1
    return range(place.position, max(end, place.position + 1))
