"""What a constrained request may say next: the protocol the scheduler steps by, and its bit masks.

A mask has one bit a token of the vocabulary, 32 to a word: token `t` is bit `t % 32`, counted from the
lowest, of word `t // 32`; shape (ceil(n_vocab / 32),). Bits past the vocabulary mean nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Constraint(Protocol):
    """One request's constraint. It sees the output only, never the prompt, and belongs to one request: a
    second one that is given it fails with SamplingError (which takes a class that allows weak references).

    The scheduler's turn for each output token, the first one included:

    1. `finished()`: end with finish "stop"; no further token could follow.
    2. `forced()`: these tokens are the output's next ones whatever the model would say. Each is accepted and
       put out as if the model had chosen it, and all of them go into the sequence with the next step, without
       logits of their own but for the last. Then turn 1 again.
    3. Else a token chosen from the model's logits, those of tokens outside `allowed()` taken as minus
       infinity before temperature and the like. An end token in the mask means that the output may end here;
       chosen, it ends the request with finish "stop" and is not accepted. Any other chosen token is accepted.

    Drafted tokens need nothing more: their rows are looked at in order, each in a turn of its own, where the
    first forced token stands for the row's choice. When the tokens run out before `finished()` or an end
    token, finish is "length": the output is a beginning, not a whole. A constrained request takes no stop
    strings, which would cut it anywhere.
    """

    def allowed(self) -> NDArray[np.uint32] | None:
        """The mask of the tokens that may come next; None if every one may. Never without any bit.

        The caller does not change it, and it holds until `accept`. Work on it begins when `accept` returns
        and goes on beside the model's step, so it should be called after that step.
        """
        ...

    def accept(self, token: int) -> None:
        """The output's next token is `token`. Raises LongleafError if it was not allowed."""
        ...

    def forced(self) -> list[int]:
        """The tokens that must come next, none of them an end token; empty if the model is to choose.

        Changes nothing: the caller accepts them one by one.
        """
        ...

    def finished(self) -> bool:
        """Whether the output is whole and nothing but an end token could follow."""
        ...


def allows(mask: NDArray[np.uint32], ids: Sequence[int] | NDArray[np.integer]) -> NDArray[np.bool_]:
    """For each of these tokens whether the mask has its bit, shape (len(ids),)."""
    tokens = np.asarray(ids, np.int64)
    bits: NDArray[np.bool_] = (mask[tokens >> 5] >> (tokens & 31).astype(np.uint32)) & 1 != 0
    return bits


def masked(logits: NDArray[np.float32], mask: NDArray[np.uint32]) -> NDArray[np.float32]:
    """A copy of a row of logits, shape (n_vocab,), with minus infinity where the mask has no bit."""
    bits = np.unpackbits(mask.astype("<u4", copy=False).view(np.uint8), bitorder="little")[: len(logits)]
    return np.where(bits != 0, logits, np.float32(-np.inf))


def mask_of(ids: Sequence[int], n_vocab: int) -> NDArray[np.uint32]:
    """The mask with the bits of just these tokens."""
    mask = np.zeros(-(-n_vocab // 32), np.uint32)
    tokens = np.asarray(ids, np.int64)
    np.bitwise_or.at(mask, tokens >> 5, np.uint32(1) << (tokens & 31).astype(np.uint32))
    return mask


def in_background(make: Callable[[], NDArray[np.uint32]]) -> Future[NDArray[np.uint32]]:
    """A mask made beside the model's step."""
    return _workers().submit(make)


@cache
def _workers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(2, thread_name_prefix="longleaf-mask")


os.register_at_fork(after_in_child=_workers.cache_clear)  # the threads stay with the parent
