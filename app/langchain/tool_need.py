"""Whether the model would call a tool, when that is left to it."""

from __future__ import annotations

from longleaf.engine.engine import Engine, RequestOptions
from longleaf.engine.prompt.chat_template import Prompt
from longleaf.engine.types import MOST_LOGPROBS, Generation

# Small models are shy of calls even where they are told to make them: one is made unless its beginning is so
# much less likely than the best (natural logarithm). Chosen by bench/tool_need.py on twenty messages.
SHYNESS = 4.7


def wants_tool(engine: Engine, prompt: Prompt, *, answered: bool, timeout: float | None) -> bool:
    """From the chance that the answer begins as a call does. Once a tool has `answered`, shyness counts no
    more."""
    return _wants(call_odds(engine, prompt, timeout), answered)


async def awants_tool(engine: Engine, prompt: Prompt, *, answered: bool, timeout: float | None) -> bool:
    """`wants_tool` for asyncio; cancelling the task cancels the request."""
    first = await engine.agenerate(prompt.text, **_first_token(prompt, timeout))
    return _wants(_odds(engine, first), answered)


def call_odds(engine: Engine, prompt: Prompt, timeout: float | None = None) -> float:
    """Log-probability of the likeliest token that begins a call less that of the likeliest of all."""
    return _odds(engine, engine.generate(prompt.text, **_first_token(prompt, timeout)))


def _first_token(prompt: Prompt, timeout: float | None) -> RequestOptions:
    return {
        "parse_special": prompt.parse_special,
        "max_tokens": 1,
        "ignore_eos": True,
        "logprobs": MOST_LOGPROBS,
        "timeout": timeout,
    }


def _odds(engine: Engine, first: Generation) -> float:
    assert first.logprobs is not None
    best = first.logprobs[0].best
    calls = [logprob for token, logprob in best if engine.tokenizer.written_bytes(token).startswith(b"{")]
    return max(calls, default=best[-1][1]) - best[0][1]


def _wants(odds: float, answered: bool) -> bool:
    return odds >= (0.0 if answered else -SHYNESS)
