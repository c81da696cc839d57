"""Plain values the engine takes and hands out."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypedDict

from longleaf.engine.errors import SamplingError

MOST_LOGPROBS = 100
_MOST_PENALTY = 1e9


class SamplingOptions(TypedDict, total=False):
    """The fields of `SamplingParams`, as keyword arguments."""

    max_tokens: int
    temperature: float
    top_k: int
    top_p: float
    min_p: float
    repeat_penalty: float
    presence_penalty: float
    frequency_penalty: float
    repeat_last_n: int
    seed: int
    stop: Sequence[str]
    logprobs: int | None
    logit_bias: Mapping[int, float]
    ignore_eos: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingParams:
    """How the next tokens are chosen and when they end. Names are llama-server's, but everything starts off.

    SamplingError, in words for people, if a value makes no sense.
    """

    max_tokens: int = 128
    temperature: float = 0.0  # 0 is greedy: the best token, of equals the one with the lowest id
    top_k: int = 0  # keep the k best tokens; 0 keeps all
    top_p: float = 1.0  # keep the fewest best tokens whose probabilities reach p together; 1 keeps all
    min_p: float = 0.0  # keep tokens at least p times as probable as the best; 0 keeps all
    repeat_penalty: float = 1.0  # logits of tokens seen are divided by it, or multiplied when negative
    presence_penalty: float = 0.0  # taken off the logit of a token seen
    frequency_penalty: float = 0.0  # taken off for every time a token was seen
    repeat_last_n: int = 64  # tokens, of prompt and output, the penalties look at; -1 all
    seed: int = 0  # the same seed, prompt and parameters give the same output, whatever else runs
    stop: Sequence[str] = ()  # texts that end the output; they are not part of it
    logprobs: int | None = None  # alternatives given with each token's log-probability; None gives none
    logit_bias: Mapping[int, float] = field(default_factory=lambda: MappingProxyType({}))  # added by id
    ignore_eos: bool = False  # end tokens are never chosen

    def __post_init__(self) -> None:
        for name in ("max_tokens", "top_k", "repeat_last_n", "seed"):
            object.__setattr__(self, name, _whole(name, getattr(self, name)))
        _at_least("max_tokens", self.max_tokens, 1)
        _at_least("temperature", self.temperature, 0)
        _at_least("top_k", self.top_k, 0)
        _within("top_p", self.top_p, 0, 1)
        _within("min_p", self.min_p, 0, 1)
        if self.top_p == 0:
            raise SamplingError("top_p must be above 0, or no token is left; top_k=1 gives the best one")
        # So far and no further: the sums of all samplers stay finite numbers.
        _within("repeat_penalty", self.repeat_penalty, 1 / _MOST_PENALTY, _MOST_PENALTY)
        _within("presence_penalty", self.presence_penalty, -_MOST_PENALTY, _MOST_PENALTY)
        _within("frequency_penalty", self.frequency_penalty, -_MOST_PENALTY, _MOST_PENALTY)
        _at_least("repeat_last_n", self.repeat_last_n, -1)
        _within("seed", self.seed, 0, 2**64 - 1)
        if isinstance(self.stop, str) or not all(isinstance(text, str) for text in self.stop):
            raise SamplingError(f"stop must be a list of texts, not {self.stop!r}")
        if not all(self.stop):
            raise SamplingError("an empty stop text would end every output at once")
        object.__setattr__(self, "stop", tuple(self.stop))
        if self.logprobs is not None:
            object.__setattr__(self, "logprobs", _whole("logprobs", self.logprobs))
            _within("logprobs", self.logprobs, 0, MOST_LOGPROBS)
        for token, bias in self.logit_bias.items():
            if _whole("a token of logit_bias", token) < 0:
                raise SamplingError(f"logit_bias is for token {token}, but token ids start at 0")
            if math.isnan(bias) or bias == math.inf:
                raise SamplingError(f"logit_bias of token {token} is {bias}; a number or -inf is needed")
        object.__setattr__(self, "logit_bias", MappingProxyType(dict(self.logit_bias)))

    @property
    def plain(self) -> bool:
        """Whether the order of a row's logits is left as the model gives it."""
        penalties = self.repeat_penalty != 1 or self.presence_penalty != 0 or self.frequency_penalty != 0
        return not self.logit_bias and not (penalties and self.repeat_last_n != 0)

    @property
    def candidates(self) -> int | None:
        """How many of a row's best logits are enough to choose by; None if all are needed.

        Besides those that may not be chosen: end tokens with `ignore_eos`.
        """
        if not self.plain or self.logprobs is not None:
            return None
        return 1 if self.temperature == 0 else self.top_k or None


def _whole(name: str, value: int) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise SamplingError(f"{name} must be a whole number, not {value!r}") from None


def _at_least(name: str, value: float, least: float) -> None:
    if not least <= value < math.inf:
        raise SamplingError(f"{name} must be at least {least}, not {value}")


def _within(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise SamplingError(f"{name} must be between {least} and {most}, not {value}")


@dataclass(frozen=True, slots=True)
class TokenLogprob:
    """Natural-log probability of a token by the model itself: before bias, penalties and temperature."""

    token: int
    logprob: float
    best: tuple[tuple[int, float], ...]  # (id, log-probability) of the likeliest tokens, likeliest first


@dataclass(frozen=True, slots=True)
class Usage:
    prompt_tokens: int
    reused_tokens: int  # of the prompt, found in the KV cache
    generated_tokens: int
    drafted_tokens: int  # guessed by a drafter and checked by the model
    accepted_tokens: int  # of these, part of the output
    queue_seconds: float  # until the first step for the request
    prefill_seconds: float
    decode_seconds: float
    seconds_to_first_token: float | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Generation:
    text: str
    ids: tuple[int, ...]  # generated only
    finish: str  # "stop" (end token, stop string or constraint at its end) or "length"
    usage: Usage
    logprobs: tuple[TokenLogprob, ...] | None = None  # one for each id, if asked for


@dataclass(frozen=True, slots=True)
class CandidateScore:
    """Natural-log likelihood of a continuation after a shared prefix, summed over its tokens."""

    logprob: float
    n_tokens: int


@dataclass(frozen=True, slots=True)
class Perplexity:
    perplexity: float
    tokens: int  # scored
    seconds: float
