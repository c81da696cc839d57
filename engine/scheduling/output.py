"""The text of an output while its tokens come: whole characters only, nothing that may be a stop text."""

from __future__ import annotations

from collections.abc import Sequence

from longleaf.engine.prompt.tokenizer import StreamDecoder


class OutputText:
    def __init__(self, decoder: StreamDecoder, stop: Sequence[str]) -> None:
        self._decoder = decoder
        self._stop = stop
        self._longest = max(map(len, stop), default=0)
        self._shown = 0
        self._over = False
        self.text = ""

    def push(self, token: int) -> bool:
        """Adds a token; True if a stop text begins in the text, which then ends there."""
        searched = max(0, len(self.text) - self._longest + 1)
        self.text += self._decoder.push(token)
        found = [at for at in (self.text.find(each, searched) for each in self._stop) if at >= 0]
        if found:
            self.text = self.text[: min(found)]
            self._over = True
        return self._over

    def flush(self) -> None:
        """No token follows: what is held back is part of the text."""
        if not self._over:
            self.text += self._decoder.flush()
            self._over = True

    def take(self) -> str:
        """What has become sure since the last call."""
        sure = len(self.text) if self._over else len(self.text) - self._held_back()
        piece = self.text[self._shown : sure]
        self._shown = max(self._shown, sure)
        return piece

    def _held_back(self) -> int:
        """Characters at the end that may be the beginning of a stop text."""
        longest = 0
        for each in self._stop:
            for length in range(min(len(each) - 1, len(self.text)), longest, -1):
                if self.text.endswith(each[:length]):
                    longest = length
                    break
        return longest
