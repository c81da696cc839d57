"""Verbatim: output that stands word for word in a given source, so that every answer has an exact place.

Kept are the places where what was said so far ends in the source, in bytes: where its tokens begin and end
plays no part, and an answer may begin inside one, or without the space that its token has. Such a set of
places is what a state of a suffix automaton stands for; kept itself, it can be limited to chosen starts and
ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from longleaf import LongleafError
from longleaf.engine.constraint.constraint import in_background, mask_of
from longleaf.engine.constraint.token_bytes import token_bytes
from longleaf.engine.prompt.tokenizer import Tokenizer

_SPACE = b" "
_MOST_FORCED = 256  # bytes looked ahead for what is forced


class VerbatimError(LongleafError):
    """A source that nothing can be said from, or an output that left it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Characters of the source, `end` not included."""

    start: int
    end: int


class VerbatimSource:
    """A text, and where an answer may begin and end in it. One serves any number of requests."""

    def __init__(
        self,
        tokenizer: Tokenizer,
        text: str,
        *,
        starts: Iterable[int] | None = None,
        ends: Iterable[int] | None = None,
    ) -> None:
        """`starts` and `ends` are offsets of characters; by default the beginnings and ends of words.

        Raises VerbatimError if no answer is possible.
        """
        self.text = text
        self._token_bytes = token_bytes(tokenizer)
        self._data = np.frombuffer(text.encode("utf-8", "replace"), np.uint8)
        self._bytes = self._data.tobytes()
        self._at = _byte_offsets(text)  # byte of each character, and one past the last
        n = len(self._data)
        self._ends = np.zeros(n + 1, bool)
        self._ends[self._at[_checked(word_ends(text) if ends is None else ends, text)]] = True
        writable = np.array([bytes([byte]) in self._token_bytes.ids for byte in range(256)])
        barrier = _next(
            np.append(~writable[self._data], True)
        )  # from each byte on, the next that no token writes
        self._next_end = np.append(_next(self._ends)[1:], n + 1)  # behind each offset
        self._onward = self._next_end <= barrier  # whether an end can be reached
        self._viable = self._ends | self._onward
        begins = self._at[_checked(word_starts(text) if starts is None else starts, text)]
        self.starts = begins[self._onward[begins]]
        if not len(self.starts):
            raise VerbatimError("the source has no place where an answer could begin and end")

    def constraint(self) -> Verbatim:
        """For one request."""
        return Verbatim(self)

    # -- for Verbatim ----------------------------------------------------------------------------------------

    @cached_property
    def opening(self) -> NDArray[np.uint32]:
        """The tokens an answer may begin with; a space before it is none of it."""
        tokens = self._tokens(self.starts) | self._tokens(self.starts, _SPACE)
        return mask_of(sorted({*tokens, *self._space()}), self._token_bytes.n_vocab)

    @cached_property
    def opening_behind_space(self) -> NDArray[np.uint32]:
        return mask_of(sorted(self._tokens(self.starts)), self._token_bytes.n_vocab)

    def is_space(self, token: int) -> bool:
        return self._token_bytes.written[token] == _SPACE

    def moved(self, places: NDArray[np.int64], token: int) -> tuple[NDArray[np.int64], int]:
        """The places behind the token, and how many bytes of the source it is."""
        data = self._token_bytes.written[token]
        return self._after(places, data), len(data)

    def moved_behind_space(self, places: NDArray[np.int64], token: int) -> tuple[NDArray[np.int64], int]:
        data = self._token_bytes.written[token].removeprefix(_SPACE)
        return self._after(places, data), len(data)

    def may_end(self, places: NDArray[np.int64]) -> NDArray[np.bool_]:
        return self._ends[places]

    def goes_on(self, places: NDArray[np.int64]) -> NDArray[np.bool_]:
        return self._onward[places]

    def following(self, places: NDArray[np.int64]) -> NDArray[np.uint32]:
        """The tokens that may follow at these places, end tokens among them."""
        tokens = self._tokens(places[self.goes_on(places)])
        if self.may_end(places).any():
            tokens |= set(self._token_bytes.ends)
        return mask_of(sorted(tokens), self._token_bytes.n_vocab)

    def forced(self, places: NDArray[np.int64]) -> list[int]:
        """The tokens up to where the places differ, or one of them may end."""
        if self.may_end(places).any():
            return []
        places = places[self.goes_on(places)]
        most = min(int((self._next_end[places] - places).min()), _MOST_FORCED)
        first = int(places[0])
        same = 0
        while same < most and (self._data[places + same] == self._data[first + same]).all():
            same += 1
        tokens = self._token_bytes.spell(self._bytes[first : first + same]) or []
        # Where the places part, or the look ended, the last token could have been a longer one.
        return tokens if self._ends[places + same].any() else tokens[:-1]

    def place(self, place: int, length: int) -> Place:
        """The characters of the `length` bytes before `place`; one that was cut is left out."""
        start = int(np.searchsorted(self._at, place - length))
        return Place(start, int(np.searchsorted(self._at, place, side="right")) - 1)

    def _space(self) -> list[int]:
        return [self._token_bytes.ids[_SPACE]] if _SPACE in self._token_bytes.ids else []

    def _after(self, places: NDArray[np.int64], data: bytes) -> NDArray[np.int64]:
        places = places[places + len(data) <= len(self._data)] if data else places[:0]
        for i, byte in enumerate(data):
            places = places[self._data[places + i] == byte]
        places = places + len(data)
        return places[self._viable[places]]

    def _tokens(self, places: NDArray[np.int64], before: bytes = b"") -> set[int]:
        """The tokens that write `before` and at least one byte of the source from one of the places."""
        longest, tokens = self._token_bytes.longest, set[int]()
        for place in places.tolist():
            window = before + self._bytes[place : place + longest]
            for token, length in self._token_bytes.beginnings(window):
                if length > len(before) and self._viable[place + length - len(before)]:
                    tokens.add(token)
        return tokens


class Verbatim:
    """A Constraint: one request's way through a source."""

    def __init__(self, source: VerbatimSource) -> None:
        self._source = source
        self._places: NDArray[np.int64] | None = None  # None until something of the source is said
        self._spaced = False  # whether a space stands before it
        self._length = 0  # bytes said
        self._forced: list[int] = []
        self._mask: Future[NDArray[np.uint32]] | None = in_background(lambda: source.opening)

    def place(self) -> Place | None:
        """Where the output so far stands, the first of several places; None before there is any."""
        if self._places is None:
            return None
        ended = self._places[self._source.may_end(self._places)]
        return self._source.place(int((ended if len(ended) else self._places)[0]), self._length)

    def allowed(self) -> NDArray[np.uint32]:
        if self._mask is None:
            raise VerbatimError("no choice is left here: tokens are forced, or the source is at its end")
        return self._mask.result()

    def accept(self, token: int) -> None:
        if self._places is None and not self._spaced and self._source.is_space(token):
            self._spaced = True
            self._mask = in_background(lambda: self._source.opening_behind_space)
            return
        places, length = self._moved(token)
        if not len(places):
            raise VerbatimError(f"token {token} does not follow in the source")
        self._places, self._length = places, self._length + length
        self._forced = self._forced[1:] if self._forced[:1] == [token] else []
        self._mask = None
        if not self._forced and not self.finished():
            self._forced = self._source.forced(places)
            if not self._forced:
                self._mask = in_background(lambda: self._source.following(places))

    def _moved(self, token: int) -> tuple[NDArray[np.int64], int]:
        if self._places is not None:
            return self._source.moved(self._places, token)
        places, length = self._source.moved(self._source.starts, token)
        if len(places) or self._spaced:
            return places, length
        return self._source.moved_behind_space(self._source.starts, token)

    def forced(self) -> list[int]:
        return list(self._forced)

    def finished(self) -> bool:
        return self._places is not None and not self._source.goes_on(self._places).any()


def word_starts(text: str) -> list[int]:
    """Offsets of the characters that begin a word or stand alone, such as an opening quotation mark."""
    return [
        i
        for i, c in enumerate(text)
        if not c.isspace() and (i == 0 or not (c.isalnum() and text[i - 1].isalnum()))
    ]


def word_ends(text: str) -> list[int]:
    """Offsets behind the characters that end a word or stand alone, such as a full stop."""
    return [
        i + 1
        for i, c in enumerate(text)
        if not c.isspace() and (i + 1 == len(text) or not (c.isalnum() and text[i + 1].isalnum()))
    ]


def _byte_offsets(text: str) -> NDArray[np.int64]:
    """The UTF-8 byte at which each character begins, and one past the last; a lone surrogate is "?"."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    surrogate = (points >= 0xD800) & (points < 0xE000)
    lengths = 1 + (points >= 0x80).astype(np.int64) + (points >= 0x800) + (points >= 0x10000)
    return np.concatenate([[0], np.cumsum(np.where(surrogate, 1, lengths))])


def _checked(offsets: Iterable[int], text: str) -> NDArray[np.int64]:
    found = np.unique(np.array(list(offsets), np.int64))
    if len(found) and (found[0] < 0 or found[-1] > len(text)):
        raise VerbatimError(f"an offset of {found[0]} to {found[-1]} is outside the {len(text)} characters")
    return found


def _next(flags: NDArray[np.bool_]) -> NDArray[np.int64]:
    """For each index the next at which the flag is set, itself included; len(flags) if there is none."""
    indexes = np.where(flags, np.arange(len(flags)), len(flags))
    return np.minimum.accumulate(indexes[::-1])[::-1]
