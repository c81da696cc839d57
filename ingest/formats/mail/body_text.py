"""The plain text of a message: which of its lines a mailer broke and which its writer ended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from longleaf.ingest.formats.flow import Flow, Words
from longleaf.ingest.formats.text import is_wrapped
from longleaf.ingest.structure.page_text import is_heading_text
from longleaf.ingest.text.list_markers import MARKER

_QUOTED = re.compile(r"(?:> ?)+")
_SHORT = 55  # characters: lines of an address or a signature are not longer, nor is a mailer's line shorter


def add_plain(flow: Flow, text: str, flowed: bool, joins_words: bool) -> None:
    """Adds the paragraphs of a text. If it is `flowed` (RFC 3676) a space at a line's end says that it goes
    on; `joins_words` says that this space is not part of the text.

    A quoted paragraph begins with "> ".
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n").split("\n")
    if flowed:
        lines = list(_unfolded(lines, joins_words))
    wrapped = not flowed and is_wrapped("\n".join(lines))
    for quote, paragraph in _paragraphs(lines):
        width = max(map(len, paragraph))
        run = paragraph[0]
        for before, line in pairwise(paragraph):
            marked = MARKER.match(line) or is_heading_text(line, lines=1, bold=False, large=False)
            if marked or (not wrapped and max(len(before), len(line)) > _SHORT):
                _add(flow, quote, run)
                run = line
            else:
                full = width > _SHORT and len(before) + 1 + len(line.split(" ", 1)[0]) > 0.9 * width
                run += f"{' ' if full else chr(10)}{line}"
        _add(flow, quote, run)


def _split(line: str) -> tuple[str, str]:
    """The marks of quotation a line begins with, without spaces, and the rest."""
    match = _QUOTED.match(line)
    return (match[0].replace(" ", ""), line[match.end() :]) if match else ("", line)


def _unfolded(lines: list[str], joins_words: bool) -> Iterator[str]:
    held: tuple[str, str] | None = None  # of a line that goes on
    for line in lines:
        quote, rest = _split(line)
        rest = rest.removeprefix(" ")
        if held is not None and held[0] == quote and rest != "-- ":
            rest = held[1] + rest
        elif held is not None:
            yield f"{held[0]} {held[1]}" if held[0] else held[1]
        held = None
        if rest.endswith(" ") and rest != "-- ":
            held = (quote, rest[:-1] if joins_words else rest)
        else:
            yield f"{quote} {rest}" if quote else rest
    if held is not None:
        yield f"{held[0]} {held[1]}" if held[0] else held[1]


def _paragraphs(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Runs of lines that are quoted alike, without an empty one between them, and their marks."""
    quote, run = "", list[str]()
    for line in lines:
        marks, rest = _split(line)
        rest = " ".join(rest.split())
        if run and (not rest or marks != quote):
            yield quote, run
            run = []
        if rest:
            quote = marks
            run.append(rest)
    if run:
        yield quote, run


def _add(flow: Flow, quote: str, text: str) -> None:
    if not quote and "\n" not in text and is_heading_text(text, lines=1, bold=False, large=False):
        flow.add("heading", text)
    else:
        marked = f"{quote} {text}" if quote else text
        flow.add("list" if MARKER.match(text) else "paragraph", Words(marked))
