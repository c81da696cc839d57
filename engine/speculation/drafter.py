"""Several tokens a step: a drafter guesses what comes next, and one step of the model checks every guess.

The model's own choice stands at each position, so the output is what it would be without drafts: the same
tokens when greedy, and when sampled the same for the same seed, for each row is drawn from once, in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class StepCost:
    """What one step of the model took, all requests in it together."""

    seconds: float
    rows: int  # of logits, drafted ones included
    requests: int  # that took part


class Drafter(Protocol):
    """One request's source of guesses: asked before each of its decode steps, and told what came of it."""

    def propose(self, context: Sequence[int], most: int) -> list[int]:
        """At most `most` tokens likely to follow `context`; empty to draft nothing in this step.

        `context` is prompt and output so far, the last chosen token included. Between the calls of one
        request it only grows: a drafter may keep what it knows of the beginning. The caller keeps `most`
        below what the context, max_tokens and the KV cache's windows leave room for.
        """
        ...

    def observe(self, drafted: int, accepted: int, cost: StepCost | None) -> None:
        """What the step after the last `propose` gave: `accepted` of `drafted` tokens were right.

        Also called for a step without drafts, with zeros: it is what drafts are measured against. `cost` is
        None if the step held prefill tokens too and is not comparable. Drafts make the step longer for every
        request in it; they are worth it while all requests together get more tokens a second.
        """
        ...
