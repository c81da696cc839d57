"""Plain values the engine hands out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    prompt_tokens: int
    reused_tokens: int  # of the prompt, found in the KV cache
    generated_tokens: int
    seconds_to_first_token: float | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Generation:
    text: str
    ids: tuple[int, ...]  # generated only
    finish: str  # "stop" (end token or stop string) or "length"
    usage: Usage


@dataclass(frozen=True, slots=True)
class CandidateScore:
    """Natural-log likelihood of a continuation after a shared prefix, summed over its tokens."""

    logprob: float
    n_tokens: int
