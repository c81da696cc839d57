"""Whether the model would call a tool, when that is left to it."""

from __future__ import annotations

from longleaf.engine.chat import Prompt
from longleaf.engine.engine import Engine
from longleaf.engine.types import MOST_LOGPROBS

# Small models are shy of calls even where they are told to make them: one is made unless its beginning is so
# much less likely than the best (natural logarithm). Chosen by bench/tool_need.py on twenty messages.
SHYNESS = 4.7


def wants_tool(engine: Engine, prompt: Prompt, *, answered: bool) -> bool:
    """From the chance that the answer begins as a call does. Once a tool has `answered`, shyness counts no
    more."""
    return call_odds(engine, prompt) >= (0.0 if answered else -SHYNESS)


def call_odds(engine: Engine, prompt: Prompt) -> float:
    """Log-probability of the likeliest token that begins a call less that of the likeliest of all."""
    first = engine.generate(
        prompt.text, parse_special=prompt.parse_special, max_tokens=1, ignore_eos=True, logprobs=MOST_LOGPROBS
    )
    assert first.logprobs is not None
    best = first.logprobs[0].best
    calls = [logprob for token, logprob in best if engine.tokenizer.written_bytes(token).startswith(b"{")]
    return max(calls, default=best[-1][1]) - best[0][1]
