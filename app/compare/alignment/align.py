"""Which word of one stream is which word of the other.

Runs of words that both streams have once are found first; the heaviest of them in one order are the
backbone, longer ones off it are text that moved. What lies between is compared with ever shorter runs and at
last word by word, so that memory grows with the text's length and not with its square.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel

from longleaf.app.compare.alignment.token_stream import LIKELY, Stream

_FIRST_RUN = 8  # words of a run that is looked for in the whole text
_SHORTER = (4, 2, 1)
_EXACT = 4_000_000  # product of lengths up to which words are compared one by one
_MOVED = 8  # words that a moved run has at least
_MOVED_SHARE = 0.5  # of a paragraph that must be found elsewhere


Begins = Callable[[int, int], bool]


@dataclass(frozen=True, slots=True)
class Run:
    """Words `old:old+length` are words `new:new+length`."""

    old: int
    new: int
    length: int


@dataclass(frozen=True, slots=True)
class Alignment:
    """For each word its place in the other stream or -1, and whether it came there by a move."""

    old: list[int]
    new: list[int]
    moved: list[bool]  # by old word


def align(old: Stream, new: Stream) -> Alignment:
    ids: dict[str, int] = {}
    a = [ids.setdefault(word.key.casefold(), len(ids)) for word in old.words]
    b = [ids.setdefault(word.key.casefold(), len(ids)) for word in new.words]
    to_new, to_old = [-1] * len(a), [-1] * len(b)
    moved = [False] * len(a)
    runs = _unique_runs(a, b, range(len(a)), range(len(b)), _FIRST_RUN)
    backbone, others = _heaviest_chain(runs, _weights(old), _begins(old, new))
    for run in backbone:
        _join(to_new, to_old, run)
    for run in _moves(others, old, new, to_new, to_old):
        _join(to_new, to_old, run)
        for i in range(run.old, run.old + run.length):
            moved[i] = True
    _fill(a, b, to_new, to_old, backbone)
    return Alignment(to_new, to_old, moved)


def match_words(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The places of the words that two lists have in common, in one order."""
    ids: dict[str, int] = {}
    a = [ids.setdefault(word, len(ids)) for word in old]
    b = [ids.setdefault(word, len(ids)) for word in new]
    to_new, to_old = [-1] * len(a), [-1] * len(b)
    chain, _ = _heaviest_chain(
        _unique_runs(a, b, range(len(a)), range(len(b)), _FIRST_RUN), [float(k) for k in range(len(a) + 1)]
    )
    for run in chain:
        _join(to_new, to_old, run)
    _fill(a, b, to_new, to_old, chain)
    return [(i, j) for i, j in enumerate(to_new) if j >= 0]


def _join(to_new: list[int], to_old: list[int], run: Run) -> None:
    for k in range(run.length):
        to_new[run.old + k] = run.new + k
        to_old[run.new + k] = run.old + k


def _unique_runs(
    a: Sequence[int], b: Sequence[int], of_a: Sequence[int], of_b: Sequence[int], n: int
) -> list[Run]:
    """The longest runs around each sequence of `n` words that stands once in both lists of places.

    The places are neighbours in the lists, not necessarily in the streams; runs are given in list positions.
    """
    seq_a = [a[i] for i in of_a]
    seq_b = [b[j] for j in of_b]
    places_a, places_b = _grams(seq_a, n), _grams(seq_b, n)
    found: list[Run] = []
    ends: dict[int, int] = {}  # by diagonal: where the last run on it ends
    for gram, i in places_a.items():
        j = places_b.get(gram, -1)
        if i < 0 or j < 0 or i < ends.get(j - i, 0):
            continue
        lo = 0
        while i - lo > 0 and j - lo > 0 and seq_a[i - lo - 1] == seq_b[j - lo - 1]:
            lo += 1
        hi = n
        while i + hi < len(seq_a) and j + hi < len(seq_b) and seq_a[i + hi] == seq_b[j + hi]:
            hi += 1
        ends[j - i] = i + hi
        found.append(Run(i - lo, j - lo, lo + hi))
    found.sort(key=lambda run: (run.old, run.new))
    return found


def _grams(sequence: Sequence[int], n: int) -> dict[tuple[int, ...], int]:
    """The place of each sequence of `n` words, -1 if it has several; in order of first places."""
    places: dict[tuple[int, ...], int] = {}
    for i, gram in enumerate(zip(*(sequence[k:] for k in range(n)), strict=False)):
        places[gram] = -1 if gram in places else i
    return places


def _weights(stream: Stream) -> list[float]:
    """What each word counts, summed up to each place: a paragraph counts about as much as another one.

    So the fewest paragraphs are said to have moved, not the fewest words.
    """
    starts = [i for i, strength in enumerate(stream.border) if i == 0 or strength >= LIKELY]
    sums = [0.0]
    for start, end in zip(starts, [*starts[1:], len(stream)], strict=True):
        length = end - start
        each = min(1.0, length / 3) / length + 0.001
        for _ in range(length):
            sums.append(sums[-1] + each)
    return sums


def _begins(old: Stream, new: Stream) -> Begins:
    """Whether a paragraph begins with this word of the old, or that of the new stream."""
    return lambda i, j: old.border[i] >= LIKELY or new.border[j] >= LIKELY


def _heaviest_chain(
    runs: Sequence[Run], sums: Sequence[float], begins: Begins | None = None
) -> tuple[list[Run], list[Run]]:
    """The heaviest runs that follow each other in both streams, cut where they overlap; and all others.

    A Fenwick tree over the ends in the new stream finds the best run before each in n log n.
    """
    ends = sorted({run.new + run.length for run in runs})
    tree: list[tuple[float, int]] = [(0.0, -1)] * (len(ends) + 1)
    before = [-1] * len(runs)
    best = [0.0] * len(runs)
    waiting: list[tuple[int, int]] = []  # ends in the old stream of runs not in the tree yet
    order = sorted(range(len(runs)), key=lambda k: runs[k].old)
    waiting = sorted((runs[k].old + runs[k].length, k) for k in order)
    entered = 0
    for k in order:
        run = runs[k]
        slack = max(run.length // 2, 1)  # runs may overlap: paragraphs that begin alike
        while entered < len(waiting) and waiting[entered][0] <= run.old + slack:
            other = waiting[entered][1]
            if other != k and best[other] > 0.0:
                at = bisect_left(ends, runs[other].new + runs[other].length) + 1
                while at < len(tree):
                    tree[at] = max(tree[at], (best[other], other))
                    at += at & -at
            entered += 1
        at = bisect_left(ends, run.new + slack + 1)
        top = (0.0, -1)
        while at:
            top = max(top, tree[at])
            at -= at & -at
        best[k] = top[0] + sums[run.old + run.length] - sums[run.old]
        before[k] = top[1]
    chain: list[int] = []
    k = max(range(len(runs)), key=best.__getitem__, default=-1)
    while k >= 0:
        chain.append(k)
        k = before[k]
    on = set(chain)
    return _trimmed([runs[k] for k in reversed(chain)], begins), [
        r for k, r in enumerate(runs) if k not in on
    ]


def _trimmed(chain: Sequence[Run], begins: Begins | None) -> list[Run]:
    """Runs that overlap are cut where a paragraph begins, else where the later one does."""
    out: list[Run] = []
    for run in chain:
        cut = 0
        if out:
            last = out[-1]
            cut = max(last.old + last.length - run.old, last.new + last.length - run.new, 0)
            if cut >= last.length + run.length:
                continue
        keep = next(
            (t for t in range(min(cut, run.length - 1) + 1) if begins and begins(run.old + t, run.new + t)),
            cut,
        )
        if cut and keep < cut and cut - keep < out[-1].length:
            last = out.pop()
            out.append(Run(last.old, last.new, last.length - (cut - keep)))
            cut = keep
        if cut < run.length:
            out.append(Run(run.old + cut, run.new + cut, run.length - cut))
    return out


def _moves(
    runs: Sequence[Run], old: Stream, new: Stream, to_new: Sequence[int], to_old: Sequence[int]
) -> list[Run]:
    """The parts of runs off the backbone that are most of a paragraph, on either side."""
    free: list[Run] = []
    for run in runs:
        start = None
        for k in range(run.length + 1):
            open_ = k < run.length and to_new[run.old + k] < 0 and to_old[run.new + k] < 0
            if open_ and start is None:
                start = k
            elif not open_ and start is not None:
                if k - start >= _MOVED:
                    free.append(Run(run.old + start, run.new + start, k - start))
                start = None
    paragraphs_old, paragraphs_new = _paragraphs(old), _paragraphs(new)
    shares: dict[tuple[int, int], int] = {}
    for run in free:
        key = paragraphs_old[0][run.old + run.length // 2], paragraphs_new[0][run.new + run.length // 2]
        shares[key] = shares.get(key, 0) + run.length
    kept: list[Run] = []
    used_old: set[int] = set()
    used_new: set[int] = set()
    for run in sorted(free, key=lambda r: -r.length):
        p, q = paragraphs_old[0][run.old + run.length // 2], paragraphs_new[0][run.new + run.length // 2]
        smaller = min(paragraphs_old[1][p], paragraphs_new[1][q])
        places = range(run.old, run.old + run.length), range(run.new, run.new + run.length)
        if shares[p, q] < _MOVED_SHARE * smaller or used_old & set(places[0]) or used_new & set(places[1]):
            continue
        used_old.update(places[0])
        used_new.update(places[1])
        kept.append(run)
    return kept


def _paragraphs(stream: Stream) -> tuple[list[int], list[int]]:
    """The number of each word's paragraph, and the length of each paragraph."""
    numbers: list[int] = []
    lengths: list[int] = []
    for i, strength in enumerate(stream.border):
        if i == 0 or strength >= LIKELY:
            lengths.append(0)
        numbers.append(len(lengths) - 1)
        lengths[-1] += 1
    return numbers, lengths


def _fill(
    a: Sequence[int], b: Sequence[int], to_new: list[int], to_old: list[int], backbone: Sequence[Run]
) -> None:
    """Compares what lies between the runs of the backbone."""
    i = j = 0
    for run in [*backbone, Run(len(a), len(b), 0)]:
        of_a = [k for k in range(i, run.old) if to_new[k] < 0]
        of_b = [k for k in range(j, run.new) if to_old[k] < 0]
        _fill_gap(a, b, of_a, of_b, to_new, to_old, 0)
        i, j = run.old + run.length, run.new + run.length


def _fill_gap(
    a: Sequence[int],
    b: Sequence[int],
    of_a: Sequence[int],
    of_b: Sequence[int],
    to_new: list[int],
    to_old: list[int],
    depth: int,
) -> None:
    while depth < len(_SHORTER):
        if not of_a or not of_b:
            return
        runs = _unique_runs(a, b, of_a, of_b, _SHORTER[depth])
        sums = [float(k) for k in range(len(of_a) + 1)]
        chain, _ = _heaviest_chain(runs, sums)
        depth += 1
        if not chain or (_SHORTER[depth - 1] == 1 and len(of_a) * len(of_b) <= _EXACT):
            continue
        i = j = 0
        for run in [*chain, Run(len(of_a), len(of_b), 0)]:
            for k in range(run.length):
                to_new[of_a[run.old + k]] = of_b[run.new + k]
                to_old[of_b[run.new + k]] = of_a[run.old + k]
            _fill_gap(a, b, of_a[i : run.old], of_b[j : run.new], to_new, to_old, depth)
            i, j = run.old + run.length, run.new + run.length
        return
    if of_a and of_b and len(of_a) * len(of_b) <= _EXACT:
        for block in Indel.opcodes([a[i] for i in of_a], [b[j] for j in of_b]):
            if block.tag == "equal":
                for k in range(block.src_end - block.src_start):
                    to_new[of_a[block.src_start + k]] = of_b[block.dest_start + k]
                    to_old[of_b[block.dest_start + k]] = of_a[block.src_start + k]
