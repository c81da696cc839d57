"""Two documents compared: the changes with their places in both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from longleaf.app.compare.alignment.align import Alignment, align
from longleaf.app.compare.alignment.clauses import Pairing, pair_clauses
from longleaf.app.compare.alignment.headers_footers import BlockId, find_furniture, one_sided
from longleaf.app.compare.alignment.tables import settle_tables
from longleaf.app.compare.alignment.token_stream import Stream, stream
from longleaf.app.compare.changes import RawChange, find_changes, says_something
from longleaf.app.compare.schema import WordOp
from longleaf.app.compare.unread import Unread, set_aside
from longleaf.ingest.document import Document


@dataclass(frozen=True, slots=True)
class Side:
    """`flow`: the file itself says where its paragraphs begin, as a DOCX does."""

    document: Document
    flow: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    old: Stream
    new: Stream
    alignment: Alignment
    pairings: list[Pairing]
    changes: list[RawChange]
    unread: list[Unread]
    alike: float = 1.0  # share of the shorter text's words that the other has in the same order


def compare_texts(old: Side, new: Side) -> Compared:
    """In the order of the new version."""
    furniture = find_furniture(old.document, new.document)
    shapes = furniture[0].shapes | furniture[1].shapes
    a = stream(old.document, furniture[0].left_out, flow=old.flow)
    b = stream(new.document, furniture[1].left_out, flow=new.flow)
    alignment = align(a, b)
    # What only one version has and proves to be furniture once both lie side by side.
    stray_a = one_sided(old.document, _unmatched(a, alignment.old), shapes)
    stray_b = one_sided(new.document, _unmatched(b, alignment.new), shapes)
    if stray_a or stray_b:
        a = stream(old.document, furniture[0].left_out | stray_a, flow=old.flow)
        b = stream(new.document, furniture[1].left_out | stray_b, flow=new.flow)
        alignment = align(a, b)
    alike = sum(place >= 0 for place in alignment.old) / max(min(len(a), len(b)), 1)
    pairings = pair_clauses(a, b, alignment)
    changes = settle_tables(a, b, alignment, find_changes(a, b, pairings, shapes))
    changes, unread = set_aside(a, b, alignment, changes)
    changes = [change for change in changes if says_something(a, b, change)]
    return Compared(a, b, alignment, pairings, changes, unread, min(alike, 1.0))


def _unmatched(side: Stream, to_other: Sequence[int]) -> set[BlockId]:
    """Blocks hardly a word of which is in the other version."""
    words = Counter(side.block)
    matched = Counter(block for block, place in zip(side.block, to_other, strict=True) if place >= 0)
    return {block for block, count in words.items() if matched[block] <= 0.34 * count}


def word_ops(compared: Compared, change: RawChange) -> list[WordOp]:
    """The words of a change: what both have is given as the new version prints it."""
    old, new = compared.old, compared.new
    if change.old is None or change.new is None:
        side, part = (new, change.new) if change.old is None else (old, change.old)
        if part is None:
            return []
        return [WordOp(op="insert" if side is new else "delete", text=side.text(*part))]
    new_text, new_at = new.placed_text(*change.new)
    old_text, old_at = old.placed_text(*change.old)
    ops: list[WordOp] = []
    done = 0  # of the new text
    for hunk in change.hunks:
        a, b = (old_at[k - change.old[0]] for k in (hunk.old_start, hunk.old_end))
        c, d = (new_at[k - change.new[0]] for k in (hunk.new_start, hunk.new_end))
        deleted, inserted = old_text[a:b].rstrip(), new_text[c:d].rstrip()
        for op, text in (("equal", new_text[done:c]), ("delete", deleted), ("insert", inserted)):
            if text:
                ops.append(WordOp.model_validate({"op": op, "text": text}))
        done = c + len(inserted)
    if new_text[done:]:
        ops.append(WordOp(op="equal", text=new_text[done:]))
    return ops


def kinds(changes: Sequence[RawChange]) -> dict[str, int]:
    names = ("changed", "added", "removed", "moved", "renumbered", "split", "merged")
    return {name: sum(change.kind == name for change in changes) for name in names}
