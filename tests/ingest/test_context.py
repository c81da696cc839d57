"""Contexts: the same first bytes for every question, and nothing left out in silence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longleaf.ingest import Chunk, IngestError, Span, build_context

CHUNKS = [
    Chunk(i, f"Clause {i} says something of its own.", ("TERMS", f"{i // 2}. Part"), (Span(i, 0, 9),), 7)
    for i in range(8)
]


def words(text: str) -> int:
    return len(text.split())


@given(st.text(max_size=80), st.text(max_size=80), st.integers(60, 200))
def test_the_prefix_does_not_depend_on_the_question(first: str, second: str, limit: int) -> None:
    a = build_context("Answer from the text.", CHUNKS, first, words, limit=limit, reserve=45)
    b = build_context("Answer from the text.", CHUNKS, second, words, limit=limit, reserve=45)
    assert a.prefix.encode() == b.prefix.encode()
    assert (a.included, a.left_out) == (b.included, b.left_out)
    assert a.text.startswith(a.prefix)
    assert a.text.endswith(first.strip())
    assert a.n_tokens == words(a.text) <= limit
    assert [*a.included, *a.left_out] == CHUNKS


def test_what_does_not_fit_is_named_and_order_is_kept() -> None:
    context = build_context("Answer.", CHUNKS, "When does it end?", words, limit=60, reserve=10)
    assert context.included
    assert context.left_out
    places = [context.prefix.index(chunk.text) for chunk in context.included]
    assert places == sorted(places)
    assert context.prefix.startswith("Answer.\n\n[TERMS > 0. Part]\nClause 0")
    assert context.prefix.count("[TERMS > 0. Part]") == 1  # the second chunk of a part needs no path


def test_what_never_fits_is_an_error() -> None:
    with pytest.raises(IngestError, match="question"):
        build_context("Answer.", CHUNKS, "why " * 50, words, limit=100, reserve=10)
    with pytest.raises(IngestError, match="instructions"):
        build_context("Answer. " * 100, CHUNKS, "Why?", words, limit=60, reserve=10)
