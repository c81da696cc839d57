"""A whole document as prompts: parts that each fit a context, cut between sections, with one beginning.

Every part begins with the same text: instructions, the outline of the whole, definitions. So a part can be
read without the others, and what the model keeps of the beginning (its KV) is computed once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from longleaf import LongleafError
from longleaf.app.contexts.document_parts import ChunkRun
from longleaf.app.gaps import page_ranges
from longleaf.app.text.pages import page_of
from longleaf.ingest import Chunk, Document, Section
from longleaf.ingest.text.sentences import sentence_ends

CountTokens = Callable[[str], int]

_SHARE = 8  # outline and definitions may take so much of the budget each: one part in eight
_LONGEST_DEFINITION = 400  # characters
_DEFINITION = re.compile(
    r"[\"“](?P<term>[A-Z][^\"”\n]{0,60})[\"”][^.;]{0,40}?\s(?:shall\s+)?"
    r"(?:means?|refers?\s+to|ha(?:s|ve)\s+the\s+meanings?)\b"
)
_NO_BORDER = 1 << 20


@dataclass(frozen=True, slots=True)
class Context(ChunkRun):
    """`prefix` is the same text in all parts of a document; `body` is this part's chunks in reading order.

    `pages` are the printed labels of the body's pages ("iii–v, 1–40").
    """

    prefix: str
    body: str
    chunks: tuple[Chunk, ...]
    pages: str

    @property
    def text(self) -> str:
        return self.prefix + self.body


def contexts_of(
    document: Document,
    chunks: Sequence[Chunk],
    count_tokens: CountTokens,
    budget: int,
    instructions: str = "",
) -> list[Context]:
    """The document in parts of at most `budget` tokens each, which together hold each chunk once.

    `chunks` are the document's, cut with the same `count_tokens`. A part ends where a section ends, if any
    does in the second half of what fits; the highest section counts most. Raises LongleafError if the budget
    leaves no room for a chunk beside the beginning.
    """
    prefix = _prefix(document, chunks, count_tokens, budget, instructions)
    contexts: list[Context] = []
    start = 0
    while start < len(chunks):
        end = _fitting(document, chunks, start, prefix, count_tokens, budget)
        end = _border(chunks, start, end)
        held = tuple(chunks[start:end])
        indexes = {span.page_index for chunk in held for span in chunk.spans}
        contexts.append(Context(prefix, _body(document, held), held, page_ranges(document, indexes)))
        start = end
    return contexts


def _fitting(
    document: Document,
    chunks: Sequence[Chunk],
    start: int,
    prefix: str,
    count_tokens: CountTokens,
    budget: int,
) -> int:
    """The end of the longest run of chunks from `start` that fits."""
    low = high = start
    held = 0
    while high < len(chunks) and held <= budget:  # the sum of counts is about the count of the whole
        held += chunks[high].n_tokens
        high += 1
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens(prefix + _body(document, chunks[start:middle])) <= budget:
            low = middle
        else:
            high = middle - 1
    if low == start:
        raise LongleafError(
            f"{document.name}: {budget:,} tokens are too few for a part of it: "
            f"its beginning takes {count_tokens(prefix):,} and the next passage does not fit beside; "
            "raise --ctx-size, or give shorter instructions"
        )
    return low


def _border(chunks: Sequence[Chunk], start: int, end: int) -> int:
    """Where to cut at best: between the highest sections in the second half of `start:end`, the last one."""
    if end == len(chunks):
        return end
    sizes = [chunk.n_tokens for chunk in chunks[start:end]]
    half, before = sum(sizes) / 2, 0
    best, best_depth = end, _depth(chunks, end)
    for at, size in enumerate(sizes[:-1], start + 1):
        before += size
        if (
            before >= half
            and (depth := _depth(chunks, at)) <= best_depth
            and (depth < best_depth or at > best)
        ):
            best, best_depth = at, depth
    return best


def _depth(chunks: Sequence[Chunk], at: int) -> int:
    """How many headings the chunks on both sides of a border share; more than any if it cuts a section."""
    left, right = chunks[at - 1].section_path, chunks[at].section_path
    if left == right:
        return _NO_BORDER
    return next(
        (i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right))
    )


def _body(document: Document, chunks: Sequence[Chunk]) -> str:
    """The chunks' text, with the headings above the first one, each page's label and the heads of tables."""
    lines = [f"[{' > '.join(chunks[0].section_path)}]"] if chunks else []
    page_index, caption = -1, ""
    for chunk in chunks:
        if chunk.page_index_start != page_index:
            lines.append(f"[page {page_of(document, chunk.page_index_start).label}]")
        if chunk.caption and chunk.caption != caption:
            lines.append(chunk.caption)
        lines.append(chunk.text)
        page_index, caption = chunk.page_index_end, chunk.caption
    return "\n".join(lines)


# The beginning


def _prefix(
    document: Document, chunks: Sequence[Chunk], count_tokens: CountTokens, budget: int, instructions: str
) -> str:
    parts = [instructions.strip()] if instructions.strip() else []
    parts.append(f"Document: {document.name}, {len(document.pages):,} pages")
    outline = _outline(document, count_tokens, budget // _SHARE)
    definitions = _listed(list(_definitions(chunks)), count_tokens, budget // _SHARE)
    parts += [f"Outline:\n{outline}"] if outline else []
    parts += [f"Definitions:\n{definitions}"] if definitions else []
    return "\n\n".join([*parts, "Part of the text:"]) + "\n\n"


def _outline(document: Document, count_tokens: CountTokens, most: int) -> str:
    """The sections down to the deepest level of which all fit."""
    shown = ""
    for level in sorted({section.level for section in document.sections}):
        lines = [_entry(document, section) for section in document.sections if section.level <= level]
        listed = _listed(lines, count_tokens, most)
        if shown and listed.count("\n") + 1 < len(lines):
            break
        shown = listed
    return shown


def _entry(document: Document, section: Section) -> str:
    label = page_of(document, section.page_index_start).label
    return f"{'  ' * (section.level - 1)}{section.title} (page {label})"


def _definitions(chunks: Sequence[Chunk]) -> Iterator[str]:
    """The sentences that say what a term means, each term's first."""
    seen: set[str] = set()
    for chunk in chunks:
        start = 0
        for end in [*sentence_ends(chunk.text), len(chunk.text)]:
            found = _DEFINITION.search(chunk.text, start, end)
            if found and found["term"] not in seen:
                line = max(
                    chunk.text.rfind("\n", start, found.start()) + 1, start
                )  # a heading may stand above
                sentence = " ".join(chunk.text[line:end].split())
                if len(sentence) <= _LONGEST_DEFINITION:
                    seen.add(found["term"])
                    yield sentence
            start = end


def _listed(lines: Sequence[str], count_tokens: CountTokens, most: int) -> str:
    """The first lines that fit, and how many do not."""
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens(_with_rest(lines, middle)) <= most:
            low = middle
        else:
            high = middle - 1
    return _with_rest(lines, low) if low else ""


def _with_rest(lines: Sequence[str], count: int) -> str:
    rest = len(lines) - count
    return "\n".join([*lines[:count], *([f"({rest:,} more)"] if rest else [])])
