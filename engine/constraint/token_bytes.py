"""Which bytes each token writes, and which tokens write given bytes."""

from __future__ import annotations

import threading
from collections import defaultdict
from weakref import WeakKeyDictionary

from longleaf.engine.prompt.tokenizer import Tokenizer

_HEAD = 3  # bytes


class TokenBytes:
    """A tokenizer's tokens as bytes. Control tokens write nothing; their names are no text."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        # Not the tokenizer itself, which would then never be collected: it is the key this is known by.
        self._native = tokenizer._native
        self.n_vocab = tokenizer.n_vocab
        self.ends = sorted(tokenizer.eog_ids)
        self.written = [tokenizer.written_bytes(token) for token in range(tokenizer.n_vocab)]
        writers: defaultdict[bytes, list[int]] = defaultdict(list)
        for token, data in enumerate(self.written):
            if data:
                writers[data].append(token)
        # Of a byte token and the ordinary token of the same character, the one that texts are read with.
        self.ids = {data: self._usual(data, tokens) for data, tokens in writers.items()}
        self.longest = max(map(len, self.ids), default=0)
        self._longest_from: dict[bytes, int] = {}  # by the first bytes
        for data in self.ids:
            head = data[:_HEAD]
            self._longest_from[head] = max(self._longest_from.get(head, 0), len(data))

    def spell(self, data: bytes) -> list[int] | None:
        """Tokens that write just these bytes: the tokenizer's own if those do; None if none do."""
        tokens = self._read(data)
        if b"".join(self.written[token] for token in tokens) == data:
            return tokens
        # A vocabulary that puts a space before every text, or a part of a character.
        tokens, at = [], 0
        while at < len(data):
            lengths = range(min(self.longest, len(data) - at), 0, -1)
            length = next((n for n in lengths if data[at : at + n] in self.ids), None)
            if length is None:
                return None
            tokens.append(self.ids[data[at : at + length]])
            at += length
        return tokens

    def beginnings(self, data: bytes) -> list[tuple[int, int]]:
        """(token, length) of each token that writes a beginning of `data`, shortest first."""
        most = max(self._longest_from.get(data[:_HEAD], 0), _HEAD - 1)
        lengths = range(1, min(most, len(data)) + 1)
        return [(self.ids[data[:n]], n) for n in lengths if data[:n] in self.ids]

    def _usual(self, data: bytes, tokens: list[int]) -> int:
        if len(tokens) == 1:
            return tokens[0]
        read = self._read(data)
        return read[0] if len(read) == 1 and read[0] in tokens else tokens[-1]

    def _read(self, data: bytes) -> list[int]:
        return self._native.encode(data.decode("utf-8", "replace"), False, False)


_known: WeakKeyDictionary[Tokenizer, TokenBytes] = WeakKeyDictionary()
_lock = threading.Lock()


def token_bytes(tokenizer: Tokenizer) -> TokenBytes:
    """Made once for a tokenizer; half a second for a large vocabulary."""
    with _lock:
        if (known := _known.get(tokenizer)) is None:
            known = _known[tokenizer] = TokenBytes(tokenizer)
        return known
