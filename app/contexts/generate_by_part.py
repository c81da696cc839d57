"""A prompt put to a whole document: one continuation a part, each with the pages that it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Unpack

from longleaf.app.contexts.prompts import Context, contexts_of
from longleaf.engine.engine import Engine
from longleaf.engine.prefix.tree import as_ids, common_prefix
from longleaf.engine.types import Generation, SamplingOptions, SamplingParams
from longleaf.ingest import Document, make_chunks


@dataclass(frozen=True, slots=True)
class PartResult:
    context: Context
    generation: Generation


def generate_by_part(
    engine: Engine,
    document: Document,
    prompt: str,
    *,
    instructions: str = "",
    **options: Unpack[SamplingOptions],
) -> Iterator[PartResult]:
    """What the model writes after each part of the document and `prompt`, in order; nothing is verified.

    Their common beginning is read before the first part. All parts go on from its KV, and another prompt for
    the same document from that of the parts, as long as memory has it. Raises LongleafError if the context is
    too small for a part.
    """
    count = engine.tokenizer.count
    ending = f"\n\n{prompt}"
    new = options.get("max_tokens", SamplingParams().max_tokens)
    budget = engine.ctx_size - new - count(ending) - 2  # a BOS, and a token that the joint may cost
    contexts = contexts_of(document, make_chunks(document, count), count, budget, instructions)
    if len(contexts) > 1:
        # By itself, so that a model with windowed layers keeps it just where the parts go different ways.
        first, second = (engine.tokenizer.encode(context.text) for context in contexts[:2])
        engine.generate(first[: common_prefix(as_ids(first), as_ids(second))], max_tokens=1)
    for context in contexts:
        generation = engine.generate(context.text + ending, shared=context.text, **options)
        yield PartResult(context, generation)
