"""The paragraphs that both versions agree on, and which of one is which of the other.

A border counts if both versions have it, or if the one that has it is surer than the one that has not; where
both are sure a paragraph was split, or two were merged.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from rapidfuzz.distance import Indel

from longleaf.app.compare.alignment.align import Alignment
from longleaf.app.compare.alignment.ignored_differences import same_text
from longleaf.app.compare.alignment.labels import Label, label_of
from longleaf.app.compare.alignment.token_stream import LIKELY, NEVER, SURE, Stream
from longleaf.app.text.pages import page_of

_SHARE = 0.4  # of the shorter paragraph that must be in the longer one
_RUN = 3  # words in a row that count as the same text
_SHORT = 8  # words up to which any word counts
_ALIKE = 0.5  # likeness of two paragraphs at the same place that are one, rewritten
_ALIKE_MOVED = 0.6
_COMPARED = 20  # leftovers of one side that each leftover of the other is compared with
_COMMON = 30  # leftovers that share three words beyond which these say nothing
_STOPS = frozenset(".;:!?)")
_CELLS = "  "  # stands between two cells
_PART = 6  # words a part of a split paragraph has at least


@dataclass(frozen=True, slots=True)
class Clause:
    """Words `start:end` of a stream."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(slots=True)
class Pairing:
    """Clauses of the old version and those of the new that say the same; one side may be empty."""

    old: list[Clause] = field(default_factory=list)
    new: list[Clause] = field(default_factory=list)
    moved: bool = False
    cut: bool = False  # the border between the several clauses of one side is sure


def pair_clauses(old: Stream, new: Stream, alignment: Alignment) -> list[Pairing]:
    """In the order of the new version, what was removed where it stood."""
    _settle_noise(old, new, alignment)
    cuts_old, split_old = _cuts(old, new, alignment.old)
    cuts_new, split_new = _cuts(new, old, alignment.new)
    clauses_old, clauses_new = _between(cuts_old, len(old)), _between(cuts_new, len(new))
    edges = _edges(old, new, clauses_old, clauses_new, alignment)
    pairings = _components(clauses_old, clauses_new, edges)
    for pairing in pairings:
        pairing.cut = _is_cut(pairing, old, new, split_old, split_new)
        pairing.moved = _has_moved(pairing, alignment)
    pairings = [part for pairing in pairings for part in _untangled(pairing, alignment)]
    pairings = _ordered(_leftovers(old, new, pairings))
    return _rejoined(old, new, pairings)


def _settle_noise(old: Stream, new: Stream, alignment: Alignment) -> None:
    """Words that differ only in spacing or hyphens are the same words."""
    i = j = 0
    n, m = len(old), len(new)
    while i < n:
        if alignment.old[i] >= 0:
            i += 1
            continue
        start = i
        while i < n and alignment.old[i] < 0:
            i += 1
        j = alignment.old[start - 1] + 1 if start else 0
        end = alignment.old[i] if i < n else m
        if start and alignment.old[start - 1] < 0:
            continue
        if not (j < end <= j + 40 and i - start <= 40):
            continue
        if any(alignment.new[k] >= 0 for k in range(j, end)):
            continue
        if same_text(old.words[start:i], new.words[j:end]):
            for k in range(start, i):
                alignment.old[k] = min(j + k - start, end - 1)
            for k in range(j, end):
                alignment.new[k] = min(start + k - j, i - 1)


def _cuts(mine: Stream, other: Stream, to_other: Sequence[int]) -> tuple[list[int], set[int]]:
    """Where clauses of a stream begin, and which of these borders the other stream surely has not."""
    cuts: list[int] = []
    split: set[int] = set()
    for i, own in enumerate(mine.border):
        if i == 0:
            cuts.append(0)
            continue
        theirs: list[int] = []
        if to_other[i] > 0:
            theirs.append(other.border[to_other[i]])
        if to_other[i - 1] >= 0 and to_other[i - 1] + 1 < len(other):
            theirs.append(other.border[to_other[i - 1] + 1])
        joined = to_other[i] > 0 and to_other[i - 1] == to_other[i] - 1
        if not theirs:
            cut = own >= LIKELY
        elif own == SURE and joined and max(theirs) == NEVER:
            cut = True
            split.add(i)
        elif not joined and own == SURE:
            cut = True
        else:
            cut = own + max(theirs) > 0
        if cut:
            cuts.append(i)
    return cuts, split


def _between(cuts: Sequence[int], length: int) -> list[Clause]:
    return [Clause(a, b) for a, b in zip(cuts, [*cuts[1:], length], strict=True) if b > a]


def _edges(
    old: Stream,
    new: Stream,
    clauses_old: Sequence[Clause],
    clauses_new: Sequence[Clause],
    alignment: Alignment,
) -> list[tuple[int, int]]:
    """Which clauses share enough of their words, in runs, to be the same."""
    number_new = [0] * len(new)
    for q, clause in enumerate(clauses_new):
        for k in range(clause.start, clause.end):
            number_new[k] = q
    edges = []
    for p, clause in enumerate(clauses_old):
        shared: dict[int, int] = defaultdict(int)
        single: dict[int, int] = defaultdict(int)
        run = 0
        last = (-2, -1)
        for i in range(clause.start, clause.end + 1):
            j = alignment.old[i] if i < clause.end else -1
            q = number_new[j] if j >= 0 else -1
            if j >= 0 and q == last[1] and j in (last[0], last[0] + 1):
                run += 1
            else:
                if last[1] >= 0 and run >= _RUN:
                    shared[last[1]] += run
                run = 1 if j >= 0 else 0
            if j >= 0:
                single[q] += 1
            last = (j, q)
        for q, count in single.items():
            shorter = min(len(clause), len(clauses_new[q]))
            if shorter <= _SHORT:
                enough = count >= 0.6 * shorter and count >= 0.5 * min(len(clause), 3)
            else:
                enough = shared[q] >= _SHARE * shorter
            if enough:
                edges.append((p, q))
    return edges


def _components(
    clauses_old: Sequence[Clause], clauses_new: Sequence[Clause], edges: Sequence[tuple[int, int]]
) -> list[Pairing]:
    by_old: dict[int, list[int]] = defaultdict(list)
    by_new: dict[int, list[int]] = defaultdict(list)
    for p, q in edges:
        by_old[p].append(q)
        by_new[q].append(p)
    seen_old: set[int] = set()
    seen_new: set[int] = set()
    found: list[Pairing] = []
    for p in range(len(clauses_old)):
        if p in seen_old:
            continue
        olds, news, todo = {p}, set(), [p]
        while todo:
            for q in by_old[todo.pop()]:
                news.add(q)
                fresh = [x for x in by_new[q] if x not in olds]
                olds.update(fresh)
                todo += fresh
        seen_old |= olds
        seen_new |= news
        found.append(Pairing([clauses_old[x] for x in sorted(olds)], [clauses_new[x] for x in sorted(news)]))
    found += [Pairing([], [clause]) for q, clause in enumerate(clauses_new) if q not in seen_new]
    return found


def _is_cut(pairing: Pairing, old: Stream, new: Stream, split_old: set[int], split_new: set[int]) -> bool:
    """Whether the parts are paragraphs of their own; what is cut within a sentence is an address or title."""
    several, side, split = (pairing.new, new, split_new)
    if len(pairing.old) > 1:
        several, side, split = (pairing.old, old, split_old)
    parts = [c for c in several if len(c) >= _PART]
    return len(parts) > 1 and all(
        c.start in split and side.words[c.start - 1].key in _STOPS for c in parts[1:]
    )


def _has_moved(pairing: Pairing, alignment: Alignment) -> bool:
    words = sum(len(c) for c in pairing.old)
    moved = sum(alignment.moved[i] for c in pairing.old for i in range(c.start, c.end))
    return moved * 2 > words or (moved > 0 and moved * 2 > sum(len(c) for c in pairing.new))


def _untangled(pairing: Pairing, alignment: Alignment) -> list[Pairing]:
    """Neighbours on one side of a pairing are one clause that layout cut; what is not is taken apart."""
    if all(a.end == b.start for side in (pairing.old, pairing.new) for a, b in pairwise(side)):
        return [pairing]
    if len(pairing.new) == 1:
        cut = _cut_by(pairing.new[0], pairing.old, alignment.old)
        made = [Pairing([p], [q]) for p, q in zip(pairing.old, cut, strict=False)]
    elif len(pairing.old) == 1:
        cut = _cut_by(pairing.old[0], pairing.new, alignment.new)
        made = [Pairing([p], [q]) for p, q in zip(cut, pairing.new, strict=False)]
    else:
        made = []
    if not made:
        return _apart(pairing)
    for part in made:
        part.moved = _has_moved(part, alignment)
    return made


def _cut_by(whole: Clause, parts: Sequence[Clause], places: Sequence[int]) -> list[Clause]:
    """A clause cut where several of the other version begin in it, in their order; empty if they overlap."""
    ranges = []
    for part in parts:
        found = [j for i in range(part.start, part.end) if whole.start <= (j := places[i]) < whole.end]
        ranges.append((min(found, default=-1), max(found, default=-1) + 1))
    order = sorted(range(len(parts)), key=lambda n: ranges[n])
    if ranges[order[0]][0] < 0 or any(ranges[a][1] > ranges[b][0] for a, b in pairwise(order)):
        return []
    starts = [whole.start, *(ranges[n][0] for n in order[1:]), whole.end]
    cut = {n: Clause(a, b) for n, (a, b) in zip(order, pairwise(starts), strict=True)}
    return [cut[n] for n in range(len(parts))]


def _apart(pairing: Pairing) -> list[Pairing]:
    """One to one by length; what is left over stands alone."""
    old = sorted(pairing.old, key=len, reverse=True)
    new = sorted(pairing.new, key=len, reverse=True)
    made = [Pairing([p], [q], pairing.moved) for p, q in zip(old, new, strict=False)]
    made += [Pairing([p], []) for p in old[len(made) :]]
    made += [Pairing([], [q]) for q in new[len(made) :]]
    return made


def _leftovers(old: Stream, new: Stream, pairings: list[Pairing]) -> list[Pairing]:
    """Pairs what is left on both sides: at the same place a rewritten clause, elsewhere one that moved."""
    settled = [p for p in pairings if p.old and p.new]
    gone = [p for p in pairings if not p.new]
    come = [p for p in pairings if not p.old]
    if not gone or not come:
        return pairings
    anchors = sorted((p.old[0].start, p.new[0].start) for p in settled if not p.moved)
    of_old, of_new = [a for a, _ in anchors], [b for _, b in anchors]
    gaps_old = [_gap(of_old, p.old[0].start) for p in gone]
    gaps_new = [_gap(of_new, q.new[0].start) for q in come]
    keys_old = [_keys(old, p.old[0]) for p in gone]
    keys_new = [_keys(new, q.new[0]) for q in come]
    labels_old = [label_of(old, p.old[0].start, p.old[0].end) for p in gone]
    labels_new = [label_of(new, q.new[0].start, q.new[0].end) for q in come]
    found: list[tuple[float, int, int, bool]] = []
    for x, ys in enumerate(_candidates(keys_old, keys_new, gaps_old, gaps_new, labels_old, labels_new)):
        for y in ys:
            here = gaps_old[x] == gaps_new[y]
            shorter, longer = sorted((len(keys_old[x]), len(keys_new[y])))
            alike = Indel.normalized_similarity(keys_old[x], keys_new[y])
            if here:
                a, b = labels_old[x], labels_new[y]
                named = bool(a.text) and a.text == b.text and shorter > 4
                same = named and bool(a.caption) and a.caption == b.caption
                if alike >= _ALIKE or same or (named and alike >= 0.3):
                    found.append((alike + 0.3 + 0.3 * same, x, y, False))
            elif alike >= _ALIKE_MOVED and shorter >= 2 and shorter * 3 >= longer:
                found.append((alike, x, y, True))
    used_x: set[int] = set()
    used_y: set[int] = set()
    made: list[Pairing] = []
    for _, x, y, moved in sorted(found, reverse=True):
        if x not in used_x and y not in used_y:
            used_x.add(x)
            used_y.add(y)
            made.append(Pairing(gone[x].old, come[y].new, moved))
    left = [p for x, p in enumerate(gone) if x not in used_x]
    return settled + made + left + [q for y, q in enumerate(come) if y not in used_y]


def _rejoined(old: Stream, new: Stream, pairings: list[Pairing]) -> list[Pairing]:
    """Joins what was removed, or added, in one piece that a page or column break seems to cut."""
    out: list[Pairing] = []
    for pairing in pairings:
        last = out[-1] if out else None
        if last is not None and not (last.new or pairing.new) and _goes_on(old, last.old, pairing.old):
            last.old += pairing.old
        elif last is not None and not (last.old or pairing.old) and _goes_on(new, last.new, pairing.new):
            last.new += pairing.new
        else:
            out.append(pairing)
    return out


def _goes_on(side: Stream, before: Sequence[Clause], here: Sequence[Clause]) -> bool:
    if before[-1].end != here[0].start:
        return False
    return _at_break(side, here[0].start) or _is_one_row(side, before[-1], here[0])


def _is_one_row(side: Stream, before: Clause, here: Clause) -> bool:
    """Whether two neighbouring lines of a table may be of one row: one of them is of a single cell."""
    tables = side.table[before.end - 1], side.table[here.start]
    if tables[0] < 0 or tables[0] != tables[1]:
        return False
    for clause in (before, here):
        span = side.lines(clause.start, clause.end)[0]
        if _CELLS not in page_of(side.document, span.page_index).text[span.start : span.end]:
            return True
    return False


def _at_break(stream: Stream, at: int) -> bool:
    """Whether a page or a column ends before a word, and nothing shows that a paragraph does."""
    (page_a, block_a), (page_b, block_b) = stream.block[at - 1], stream.block[at]
    if stream.border[at] >= SURE:
        return False
    if page_a != page_b:
        return True
    page = page_of(stream.document, page_a)
    return page.blocks[block_b].box.y1 < page.blocks[block_a].box.y1


def _gap(starts: Sequence[int], at: int) -> int:
    return bisect_left(starts, at)


def _candidates(
    keys_old: Sequence[list[str]],
    keys_new: Sequence[list[str]],
    gaps_old: Sequence[int],
    gaps_new: Sequence[int],
    labels_old: Sequence[Label],
    labels_new: Sequence[Label],
) -> Iterator[list[int]]:
    """For each old leftover the few new ones it can be: neighbours, of one label, or with common words."""
    grams: dict[tuple[str, ...], list[int]] = defaultdict(list)
    by_gap: dict[int, list[int]] = defaultdict(list)
    by_label: dict[tuple[int, str], list[int]] = defaultdict(list)
    for y, keys in enumerate(keys_new):
        for gram in set(_parts(keys)):
            grams[gram].append(y)
        by_gap[gaps_new[y]].append(y)
        by_label[gaps_new[y], labels_new[y].text].append(y)
    for x, keys in enumerate(keys_old):
        shared: Counter[int] = Counter()
        for gram in set(_parts(keys)):
            if len(grams.get(gram, ())) <= _COMMON:
                shared.update(grams.get(gram, ()))
        chosen = dict.fromkeys(y for y, _ in shared.most_common(_COMPARED))
        if len(by_gap[gaps_old[x]]) <= _COMPARED:
            chosen |= dict.fromkeys(by_gap[gaps_old[x]])
        if labels_old[x].text:
            chosen |= dict.fromkeys(by_label[gaps_old[x], labels_old[x].text][:_COMPARED])
        yield list(chosen)


def _parts(keys: list[str]) -> Iterator[tuple[str, ...]]:
    """Neighbouring words of a clause, by threes; a shorter clause is one part."""
    if len(keys) < 3:
        return iter([tuple(keys)])
    return zip(keys, keys[1:], keys[2:], strict=False)


def _keys(stream: Stream, clause: Clause) -> list[str]:
    return [word.key.casefold() for word in stream.words[clause.start : clause.end]]


def _ordered(pairings: list[Pairing]) -> list[Pairing]:
    """By place in the new version; what was removed follows what stood before it."""
    anchors = sorted((p.old[-1].start, p.new[0].start) for p in pairings if p.old and p.new and not p.moved)
    olds = [a for a, _ in anchors]

    def place(p: Pairing) -> tuple[float, int]:
        if p.new:
            return float(p.new[0].start), 0
        k = bisect_left(olds, p.old[0].start)
        return (anchors[k - 1][1] + 0.5 if k else -1.0), p.old[0].start

    return sorted(pairings, key=place)
