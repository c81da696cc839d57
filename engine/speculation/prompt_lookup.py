"""Drafts without a model: what followed the longest repeated ending of the text where it stood before."""

from __future__ import annotations

from collections.abc import Sequence

from longleaf import _native
from longleaf.engine.speculation.draft_pace import MOST_DRAFTS, DraftPace, StepTimes
from longleaf.engine.speculation.drafter import StepCost

# Chance that the next token is the one after the earlier place, by the length of the repeat: where a request
# starts from, as measured over answers (docs/speculation.md). What it meets itself soon counts more.
_SHORT = (0.0, 0.1, 0.25, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.75, 0.8, 0.8, 0.85, 0.85, 0.9, 0.9)
_CHANCES = (*_SHORT, *(0.96,) * 16, 0.985)
_LONGEST = len(_CHANCES) - 1  # repeats longer than this are counted with it
_KEPT = 0.97  # of the weight of what was met before, with each token: some 30 tokens count
_PRIOR = 3.0  # tokens that the starting chance stands for


class PromptLookup:
    """A Drafter over prompt and output of one request, kept in a suffix automaton (0.13 KB a token).

    Whether its guess was right is known for every token, drafted or not, so nothing needs to be tried to
    learn that drafts would pay again.
    """

    def __init__(self, times: StepTimes | None = None) -> None:
        """`times` is best shared by all requests of a model."""
        self._pace = DraftPace(times or StepTimes())
        self._text = _native.SuffixAutomaton()
        self._right = [0.0] * (_LONGEST + 1)
        self._met = [0.0] * (_LONGEST + 1)
        self._guess: list[int] = []
        self._length = 0  # of the repeat that the guess follows

    def propose(self, context: Sequence[int], most: int) -> list[int]:
        new = context[len(self._text) :]
        self._learn(new)
        self._text.extend(new)
        self._length, _ = self._text.repeat()
        self._guess = self._text.continuation(MOST_DRAFTS)
        if most < 1 or not self._guess:
            return []
        lengths = range(self._length, self._length + min(most, MOST_DRAFTS))
        chances = (self._chance(min(length, _LONGEST)) for length in lengths)
        return self._guess[: self._pace.best(chances)]

    def observe(self, drafted: int, accepted: int, cost: StepCost | None) -> None:
        self._pace.observe(drafted, accepted, cost)

    def _learn(self, new: Sequence[int]) -> None:
        for i, (guess, token) in enumerate(zip(self._guess, new, strict=False)):
            length = min(self._length + i, _LONGEST)
            self._met[length] = _KEPT * self._met[length] + 1
            self._right[length] = _KEPT * self._right[length] + (guess == token)
            if guess != token:
                break

    def _chance(self, length: int) -> float:
        return (self._right[length] + _PRIOR * _CHANCES[length]) / (self._met[length] + _PRIOR)
