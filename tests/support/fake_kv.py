"""Native sequences without a model: pages of token ids, shared, copied on write, under a budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from longleaf import _native

PAGE = 4  # tokens


@dataclass(eq=False)
class _Page:
    tokens: list[int]
    owners: int = 1


@dataclass(eq=False)
class _Sequence:
    length: int = 0
    pages: list[_Page] = field(default_factory=list)


class FakeKv:
    """Behaves as `_native.Model` does to a PrefixCache; `held` reads the tokens back out of the pages."""

    def __init__(self, budget_pages: int) -> None:
        self.budget = budget_pages
        self.computed = 0  # tokens that went through `forward`
        self._sequences: dict[int, _Sequence] = {}
        self._next = 0

    @property
    def pages(self) -> int:
        """In use, a shared one counted once."""
        return len({id(page) for sequence in self._sequences.values() for page in sequence.pages})

    @property
    def sequences(self) -> int:
        return len(self._sequences)

    def new_sequence(self) -> int:
        return self._add(_Sequence())

    def fork(self, seq: int) -> int:
        source = self._sequences[seq]
        for page in source.pages:
            page.owners += 1
        return self._add(_Sequence(source.length, list(source.pages)))

    def can_truncate(self, seq: int, n: int) -> bool:
        return n <= self._sequences[seq].length

    def truncate(self, seq: int, n: int) -> None:
        sequence = self._sequences[seq]
        assert n <= sequence.length
        keep = -(-n // PAGE)
        for page in sequence.pages[keep:]:
            page.owners -= 1
        sequence.pages = sequence.pages[:keep]
        sequence.length = n

    def free(self, seq: int) -> None:
        self.truncate(seq, 0)
        del self._sequences[seq]

    def forward(self, batch: Sequence[tuple[int, Sequence[int], int]]) -> None:
        for seq, tokens, _ in batch:
            self._append(self._sequences[seq], list(tokens))

    def held(self, seq: int) -> list[int]:
        sequence = self._sequences[seq]
        return [token for page in sequence.pages for token in page.tokens][: sequence.length]

    def _add(self, sequence: _Sequence) -> int:
        self._next += 1
        self._sequences[self._next] = sequence
        return self._next

    def _append(self, sequence: _Sequence, tokens: list[int]) -> None:
        used = sequence.length % PAGE
        copies = used > 0 and sequence.pages[-1].owners > 1
        grown = -(-(sequence.length + len(tokens)) // PAGE) - len(sequence.pages)
        if self.pages + grown + copies > self.budget:
            raise _native.KvFullError(f"{grown + copies} pages needed")
        if used:
            last = sequence.pages[-1]
            if copies:
                last.owners -= 1
                last = sequence.pages[-1] = _Page(list(last.tokens))
            del last.tokens[used:]
            last.tokens += tokens[: PAGE - used]
            tokens = tokens[PAGE - used :] if used else tokens
        self.computed += len(tokens)
        sequence.length = sum(len(page.tokens) for page in sequence.pages) + len(tokens)
        sequence.pages += [_Page(tokens[at : at + PAGE]) for at in range(0, len(tokens), PAGE)]
