"""Native sequences without a model: pages of token ids, shared, copied on write, under a budget."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, TypeVar

from longleaf import _native

PAGE = 4  # tokens
SLACK = 1  # pages that a windowed layer keeps behind what is seen

Method = TypeVar("Method", bound=Callable[..., Any])


def _one_at_a_time(method: Method) -> Method:
    @wraps(method)
    def locked(self: FakeKv, *args: Any, **options: Any) -> Any:
        with self._lock:
            return method(self, *args, **options)

    return locked  # type: ignore[return-value]


@dataclass(eq=False)
class _Page:
    tokens: list[int]
    owners: int = 1


@dataclass(eq=False)
class _Layer:
    pages: list[_Page] = field(default_factory=list)
    first: int = 0  # block of pages[0]


@dataclass(eq=False)
class _Sequence:
    layers: list[_Layer]
    length: int = 0


class FakeKv:
    """Behaves as `_native.Model` does to a PrefixCache; `held` reads the tokens back out of the pages.

    Layer 0 sees all; with a `window` there is a layer 1 that sees only so many tokens, the last one included.
    """

    def __init__(self, budget_pages: int, *, window: int = 0) -> None:
        self.budget = budget_pages
        self.computed = 0  # tokens that went through `forward`
        self.windows = [0, window] if window else [0]
        self._sequences: dict[int, _Sequence] = {}
        self._next = 0
        self._lock = threading.RLock()

    @property
    @_one_at_a_time
    def pages(self) -> int:
        """In use, a shared one counted once."""
        layers = [layer for sequence in self._sequences.values() for layer in sequence.layers]
        return len({id(page) for layer in layers for page in layer.pages})

    @property
    def sequences(self) -> int:
        return len(self._sequences)

    def kv_stats(self) -> dict[str, int]:
        return {
            "page_tokens": PAGE,
            "page_bytes": 4 * PAGE,
            "global_layers": 1,
            "window_layers": len(self.windows) - 1,
            "window_tokens": max(self.windows),
        }

    @_one_at_a_time
    def new_sequence(self) -> int:
        return self._add(_Sequence([_Layer() for _ in self.windows]))

    @_one_at_a_time
    def fork(self, seq: int) -> int:
        source = self._sequences[seq]
        for layer in source.layers:
            for page in layer.pages:
                page.owners += 1
        layers = [_Layer(list(layer.pages), layer.first) for layer in source.layers]
        return self._add(_Sequence(layers, source.length))

    @_one_at_a_time
    def can_truncate(self, seq: int, n: int) -> bool:
        sequence = self._sequences[seq]
        return n <= sequence.length and all(
            _oldest_block(window, n) >= layer.first or n == 0
            for window, layer in zip(self.windows, sequence.layers, strict=True)
        )

    @_one_at_a_time
    def truncate(self, seq: int, n: int) -> None:
        assert self.can_truncate(seq, n)
        sequence = self._sequences[seq]
        for layer in sequence.layers:
            keep = max(_blocks(n) - layer.first, 0)
            for page in layer.pages[keep:]:
                page.owners -= 1
            del layer.pages[keep:]
            layer.first = layer.first if n else 0
        sequence.length = n

    @_one_at_a_time
    def free(self, seq: int) -> None:
        self.truncate(seq, 0)
        del self._sequences[seq]

    @_one_at_a_time
    def forward(self, batch: Sequence[tuple[int, Sequence[int], int]]) -> None:
        for seq, tokens, _ in batch:
            sequence = self._sequences[seq]
            self._reserve(sequence, len(tokens))
            for token in tokens:
                self._append(sequence, token)
            for window, layer in zip(self.windows, sequence.layers, strict=True):
                while layer.first + SLACK < _oldest_block(window, sequence.length):
                    layer.pages.pop(0).owners -= 1
                    layer.first += 1
            self.computed += len(tokens)

    @_one_at_a_time
    def held(self, seq: int) -> list[int]:
        """The tokens, of which every layer's pages must tell the same."""
        sequence = self._sequences[seq]
        tokens = [token for page in sequence.layers[0].pages for token in page.tokens][: sequence.length]
        for window, layer in zip(self.windows[1:], sequence.layers[1:], strict=True):
            assert layer.first <= _oldest_block(window, sequence.length)
            seen = [token for page in layer.pages for token in page.tokens]
            start = layer.first * PAGE
            assert seen[: sequence.length - start] == tokens[start:]
        return tokens

    @_one_at_a_time
    def export_pages(self, seq: int, first: int = 0) -> list[tuple[int, int, bytes]]:
        return [
            (number, layer.first + index, struct.pack(f"{PAGE}i", *(page.tokens + [-1] * PAGE)[:PAGE]))
            for number, layer in enumerate(self._sequences[seq].layers)
            for index, page in enumerate(layer.pages)
            if layer.first + index >= first
        ]

    @_one_at_a_time
    def import_sequence(self, length: int, pages: Sequence[tuple[int, int, bytes]]) -> int:
        given = {(layer, block): bytes(data) for layer, block, data in pages}
        sequence = _Sequence([_Layer() for _ in self.windows], length)
        if self.pages + len(given) > self.budget:
            raise _native.KvFullError(f"{len(given)} pages needed")
        for number, (window, layer) in enumerate(zip(self.windows, sequence.layers, strict=True)):
            blocks = sorted(block for at, block in given if at == number)
            layer.first = blocks[0] if blocks else 0
            if blocks != list(range(layer.first, _blocks(length))) or layer.first > _oldest_block(
                window, length
            ):
                raise _native.NativeError(f"layer {number}: blocks {blocks} of {length} tokens")
            for block in blocks:
                if len(given[number, block]) != 4 * PAGE:
                    raise _native.NativeError("a page of another size")
                layer.pages.append(_Page(list(struct.unpack(f"{PAGE}i", given[number, block]))))
        return self._add(sequence)

    def _add(self, sequence: _Sequence) -> int:
        self._next += 1
        self._sequences[self._next] = sequence
        return self._next

    def _reserve(self, sequence: _Sequence, tokens: int) -> None:
        needed = 0
        for layer in sequence.layers:
            needed += _blocks(sequence.length + tokens) - layer.first - len(layer.pages)
            needed += sequence.length % PAGE > 0 and layer.pages[-1].owners > 1
        if self.pages + needed > self.budget:
            raise _native.KvFullError(f"{needed} pages needed")

    def _append(self, sequence: _Sequence, token: int) -> None:
        used = sequence.length % PAGE
        for layer in sequence.layers:
            if used == 0:
                layer.pages.append(_Page([]))
            elif layer.pages[-1].owners > 1:
                layer.pages[-1].owners -= 1
                layer.pages[-1] = _Page(list(layer.pages[-1].tokens))
            del layer.pages[-1].tokens[used:]
            layer.pages[-1].tokens.append(token)
        sequence.length += 1


def _blocks(tokens: int) -> int:
    return -(-tokens // PAGE)


def _oldest_block(window: int, tokens: int) -> int:
    """The first block that the token behind `tokens` tokens sees."""
    return 0 if window == 0 or tokens < window else (tokens - window + 1) // PAGE
