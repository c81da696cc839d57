"""Prompts over long documents: what stays the same first, so that its KV cache serves every question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .document import Chunk
from .errors import IngestError

_PATH_MARK = " > "


@dataclass(frozen=True, slots=True)
class Context:
    """`prefix` (instructions and document) is the same bytes for every question; `suffix` is the question.

    `left_out` are the chunks that did not fit, in document order: say so to the reader.
    """

    prefix: str
    suffix: str
    included: tuple[Chunk, ...]
    left_out: tuple[Chunk, ...]
    n_tokens: int

    @property
    def text(self) -> str:
        return self.prefix + self.suffix


def build_context(
    instructions: str,
    chunks: Sequence[Chunk],
    question: str,
    count_tokens: Callable[[str], int],
    *,
    limit: int,
    reserve: int = 512,
) -> Context:
    """Instructions, then as many chunks as fit in their given order, then the question.

    `limit` is the most tokens of the whole; `reserve` of them are kept for the question, so that which chunks
    fit does not depend on it. Raises IngestError if the instructions or the question alone do not fit.
    """
    suffix = f"\n\n{question.strip()}"
    question_tokens = count_tokens(suffix)
    if question_tokens > reserve:
        raise IngestError(f"the question has {question_tokens} tokens; {reserve} are kept for it: shorten it")
    budget = limit - reserve
    head = instructions.strip()
    used = count_tokens(head)
    if used > budget:
        raise IngestError(f"the instructions have {used} tokens; {budget} fit before the question")
    parts = [head]
    kept = 0
    for i, chunk in enumerate(chunks):
        part = _with_path(chunk, chunks[i - 1] if i else None)
        size = count_tokens(part) + 1
        if used + size > budget:
            break
        parts.append(part)
        used += size
        kept += 1
    # Counts of parts only nearly add up; what the model will see decides.
    while kept and count_tokens("\n\n".join(parts)) > budget:
        parts.pop()
        kept -= 1
    prefix = "\n\n".join(parts)
    total = count_tokens(prefix + suffix)
    return Context(prefix, suffix, tuple(chunks[:kept]), tuple(chunks[kept:]), total)


def _with_path(chunk: Chunk, previous: Chunk | None) -> str:
    """The chunk under its section path, unless the one before has the same or the text begins with it."""
    if (
        previous is not None
        and previous.section_path == chunk.section_path
        and chunk.index == previous.index + 1
    ):
        return chunk.text
    path = _PATH_MARK.join(chunk.section_path)
    return chunk.text if chunk.text.startswith(path) else f"[{path}]\n{chunk.text}"
