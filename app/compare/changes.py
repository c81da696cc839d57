"""What happened to each clause: its kind, and the words that differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from rapidfuzz.distance import Indel

from longleaf.app.compare.alignment.clauses import Clause, Pairing
from longleaf.app.compare.alignment.headers_footers import shape_of
from longleaf.app.compare.alignment.ignored_differences import same_text, same_word
from longleaf.app.compare.alignment.labels import KEYWORDS, is_label_word, label_length, label_of
from longleaf.app.compare.alignment.token_stream import Stream, Word

ChangeKind = Literal["changed", "added", "removed", "moved", "renumbered", "split", "merged"]

_MOST = 25_000_000  # product of lengths up to which two clauses are compared word by word


@dataclass(frozen=True, slots=True)
class Hunk:
    """Words `old_start:old_end` were replaced by words `new_start:new_end` of the streams."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


@dataclass(slots=True)
class RawChange:
    """`old` and `new` are ranges of words; `hunks` the differences within them, in order.

    `cuts` are the words with which a paragraph begins that the other version has not: of the new version
    where one was split, of the old where two were merged. `references` are clauses that only name the
    new number, `followed` the differences in them.
    """

    kind: ChangeKind
    old: tuple[int, int] | None
    new: tuple[int, int] | None
    hunks: list[Hunk] = field(default_factory=list)
    cuts: list[int] = field(default_factory=list)
    references: list[tuple[tuple[int, int], tuple[int, int]]] = field(default_factory=list)
    followed: list[Hunk] = field(default_factory=list)


def find_changes(
    old: Stream, new: Stream, pairings: Sequence[Pairing], furniture: frozenset[str] = frozenset()
) -> list[RawChange]:
    """`furniture`: the shapes of running headers and footers, which are no words of a clause."""
    compared = [
        (pairing, [h for h in _hunks_of(old, new, pairing) if not _is_furniture(old, new, h, furniture)])
        for pairing in pairings
    ]
    renamed = _renamed(old, new, compared)
    changes: list[RawChange] = []
    adapted: list[tuple[RawChange, list[Hunk]]] = []
    for pairing, hunks in compared:
        change = _change(old, new, pairing, hunks, renamed, furniture)
        if change is None:
            continue
        if change.kind == "renumbered" and not _own_label(old, change):
            adapted.append((change, hunks))
        else:
            changes.append(change)
    _attach(changes, adapted, old)
    return changes


def _is_furniture(old: Stream, new: Stream, hunk: Hunk, furniture: frozenset[str]) -> bool:
    """Whether only one version has these words, and either has them as a header or footer."""
    if hunk.old_start < hunk.old_end and hunk.new_start < hunk.new_end:
        return False
    side, start, end = old, hunk.old_start, hunk.old_end
    if start == end:
        side, start, end = new, hunk.new_start, hunk.new_end
    shape = shape_of(" ".join(word.key for word in side.words[start:end]))
    if not any(map(str.isalpha, shape)):
        # A number is one of a page only if it stands alone between two blocks.
        around = {side.block[i] for i in (start - 1, end) if 0 <= i < len(side)}
        if not around.isdisjoint(side.block[start:end]):
            return False
    return bool(shape) and not furniture.isdisjoint((shape, f"{shape}0", f"0{shape}"))


def _range(clauses: Sequence[Clause]) -> tuple[int, int] | None:
    return (clauses[0].start, clauses[-1].end) if clauses else None


def _hunks_of(old: Stream, new: Stream, pairing: Pairing) -> list[Hunk]:
    if not pairing.old or not pairing.new:
        return []
    (a, b), (c, d) = (pairing.old[0].start, pairing.old[-1].end), (pairing.new[0].start, pairing.new[-1].end)
    hunks = list(differences(old.words, new.words, a, b, c, d))
    if hunks and _same_table(old, new, (a, b), (c, d)):
        return []
    return hunks


def differences(old: Sequence[Word], new: Sequence[Word], a: int, b: int, c: int, d: int) -> list[Hunk]:
    """Where words `a:b` and `c:d` differ, layout aside."""
    keys_old = [word.key.casefold() for word in old[a:b]]
    keys_new = [word.key.casefold() for word in new[c:d]]
    if len(keys_old) * len(keys_new) > _MOST:
        return [Hunk(a, b, c, d)]
    found: list[Hunk] = []
    for block in Indel.opcodes(keys_old, keys_new):
        i, j = a + block.src_start, c + block.dest_start
        if block.tag == "equal":
            for k in range(block.src_end - block.src_start):
                if not same_word(old[i + k], new[j + k]):
                    _add(found, Hunk(i + k, i + k + 1, j + k, j + k + 1))
        else:
            _add(found, Hunk(i, a + block.src_end, j, c + block.dest_end))
    return [h for h in found if not same_text(old[h.old_start : h.old_end], new[h.new_start : h.new_end])]


def _add(found: list[Hunk], hunk: Hunk) -> None:
    """Hunks that touch are one."""
    if found and found[-1].old_end == hunk.old_start and found[-1].new_end == hunk.new_start:
        last = found.pop()
        hunk = Hunk(last.old_start, hunk.old_end, last.new_start, hunk.new_end)
    found.append(hunk)


def _same_table(old: Stream, new: Stream, a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether a table holds the same words in another order: its cells wrapped in another way."""
    if all(t < 0 for t in old.table[slice(*a)]) and all(t < 0 for t in new.table[slice(*b)]):
        return False
    keys_old, keys_new = (
        Counter(word.key.casefold() for word in stream.words[slice(*part)])
        for stream, part in ((old, a), (new, b))
    )
    return keys_old == keys_new


def _renamed(old: Stream, new: Stream, compared: Sequence[tuple[Pairing, list[Hunk]]]) -> dict[str, str]:
    """Which label became which, by the labels of clauses that are the same."""
    found: dict[str, str] = {}
    for pairing, _ in compared:
        if pairing.old and pairing.new:
            a = label_of(old, pairing.old[0].start, pairing.old[-1].end).text.split()
            b = label_of(new, pairing.new[0].start, pairing.new[-1].end).text.split()
            if a and b and a[-1] != b[-1]:
                found.setdefault(a[-1], b[-1])
    return found


def _change(
    old: Stream,
    new: Stream,
    pairing: Pairing,
    hunks: list[Hunk],
    renamed: dict[str, str],
    furniture: frozenset[str],
) -> RawChange | None:
    a, b = _range(pairing.old), _range(pairing.new)
    if a is None or b is None:
        kind: ChangeKind = "added" if a is None else "removed"
        if _is_furniture(old, new, Hunk(*(a or (0, 0)), *(b or (0, 0))), furniture):
            return None  # the other version has it, as a header
        return RawChange(kind, a, b, hunks)
    if pairing.moved:
        return RawChange("moved", a, b, _readable(hunks))
    if pairing.cut:
        cuts = [clause.start for clause in (pairing.old if len(pairing.old) > 1 else pairing.new)[1:]]
        return RawChange("merged" if len(pairing.old) > 1 else "split", a, b, hunks, cuts)
    if not hunks:
        return None
    if all(_is_numbering(old, new, h, a, b, renamed) for h in hunks):
        return RawChange("renumbered", a, b, hunks)
    return RawChange("changed", a, b, _readable(hunks))


def _readable(hunks: Sequence[Hunk]) -> list[Hunk]:
    """Differences a word apart are one: "thirty (30" became "sixty (60"."""
    out: list[Hunk] = []
    for hunk in hunks:
        last = out[-1] if out else None
        near = last is not None and 0 < hunk.old_start - last.old_end == hunk.new_start - last.new_end <= 1
        if last is not None and near:
            out[-1] = Hunk(last.old_start, hunk.old_end, last.new_start, hunk.new_end)
        else:
            out.append(hunk)
    return out


def says_something(old: Stream, new: Stream, change: RawChange) -> bool:
    """Whether there is a word at all in what came or went: stray marks and page numbers are none."""
    if change.kind not in ("added", "removed"):
        return True
    side, part = (new, change.new) if change.old is None else (old, change.old)
    if part is None:
        return False
    keys = [word.key for word in side.words[slice(*part)]]
    if any(sum(map(str.isalpha, key)) > 1 for key in keys):
        return True
    return len(keys) > 1 and any(key[0].isdigit() for key in keys)


def _is_numbering(
    old: Stream,
    new: Stream,
    hunk: Hunk,
    a: tuple[int, int],
    b: tuple[int, int],
    renamed: dict[str, str],
) -> bool:
    """Whether only a label differs, or a reference to a clause whose label became the one now named."""
    olds = [word.key for word in old.words[hunk.old_start : hunk.old_end]]
    news = [word.key for word in new.words[hunk.new_start : hunk.new_end]]
    label_old = label_length([word.key for word in old.words[a[0] : min(a[0] + 6, a[1])]])[0]
    label_new = label_length([word.key for word in new.words[b[0] : min(b[0] + 6, b[1])]])[0]
    if hunk.old_end <= a[0] + label_old and hunk.new_end <= b[0] + label_new and label_old and label_new:
        return True
    if len(olds) != 1 or len(news) != 1 or not (is_label_word(olds[0]) and is_label_word(news[0])):
        return False
    if _became(olds[0], renamed) == news[0].casefold():
        return _is_reference(old, hunk.old_start)
    # "(b)" that became "(c)" within the clause, at the beginning of an item.
    return _in_brackets(old, hunk.old_start) and _in_brackets(new, hunk.new_start) and not olds[0].isdigit()


def _became(label: str, renamed: dict[str, str]) -> str:
    label = label.casefold()
    if label in renamed:
        return renamed[label]
    parts = label.split(".")
    for n in range(len(parts) - 1, 0, -1):
        head = ".".join(parts[:n])
        if head in renamed:
            return ".".join([renamed[head], *parts[n:]])
    return ""


def _is_reference(stream: Stream, at: int) -> bool:
    before = [word.key.casefold() for word in stream.words[max(at - 8, 0) : at]]
    return any(key in KEYWORDS for key in before)


def _in_brackets(stream: Stream, at: int) -> bool:
    return 0 < at < len(stream) - 1 and stream.words[at - 1].key == "(" and stream.words[at + 1].key == ")"


def _own_label(old: Stream, change: RawChange) -> bool:
    """Whether the clause's own label differs, not only references in it."""
    if change.old is None:
        return False
    length = label_length([word.key for word in old.words[change.old[0] : change.old[0] + 6]])[0]
    return any(h.old_start < change.old[0] + length or _in_brackets(old, h.old_start) for h in change.hunks)


def _attach(changes: list[RawChange], adapted: Sequence[tuple[RawChange, list[Hunk]]], old: Stream) -> None:
    """Clauses in which only a reference follows a new label belong to the clause that has it."""
    by_label: dict[str, RawChange] = {}
    for change in changes:
        if change.old and change.new:
            text = label_of(old, *change.old).text.split()
            if text:
                by_label.setdefault(text[-1], change)
    for change, hunks in adapted:
        for hunk in hunks:
            label = old.words[hunk.old_start].key.casefold()
            home = by_label.get(label)
            parts = label.split(".")
            while home is None and len(parts) > 1:
                parts.pop()
                home = by_label.get(".".join(parts))
            if home is not None and change.old and change.new:
                home.references.append((change.old, change.new))
                home.followed += change.hunks
                break
        else:
            changes.append(change)
