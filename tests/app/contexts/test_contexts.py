"""A document in parts with one beginning: nothing lost, none too long, cut between sections, read once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longleaf import LongleafError
from longleaf.app.contexts.generate_by_part import generate_by_part
from longleaf.app.contexts.prompts import Context, contexts_of
from longleaf.engine.engine import Engine
from longleaf.engine.prompt.tokenizer import open_tokenizer
from longleaf.ingest import Document, Section, make_chunks
from tests.support.plain_documents import heading, plain_document, plain_page
from tests.support.real_models import real_model

MODELS = ("gemma-3-270m", "smollm2-135m-instruct")
DEFINED = "“Affiliate” means a company under common control. “Lot” means 40 tonnes of steel."


def count(text: str) -> int:
    return len(text.split())


def agreement(sizes: list[list[int]], *, labels: str = "") -> Document:
    """An article and page for each list, with a section of so many sentences for each number."""
    pages, sections = [], []
    for a, article in enumerate(sizes, 1):
        texts = [f"ARTICLE {a}"]
        for s, sentences in enumerate(article, 1):
            texts.append(f"{a}.{s} Matter")
            texts += [f"The supplier bears risk {a} {s} {n}." for n in range(sentences)]
        page = plain_page("\n".join(texts), a - 1, f"{labels}{a}")
        pages.append(page)
        top = heading(f"ARTICLE {a}", 1, page, a - 1)
        sections.append(top)
        sections += [
            heading(f"{a}.{s} Matter", 2, page, a - 1, [top.title]) for s in range(1, len(article) + 1)
        ]
    return plain_document(pages, sections=sections)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def check(document: Document, contexts: list[Context], budget: int) -> None:
    chunks = make_chunks(document, count, max_tokens=30)
    assert [c.text for context in contexts for c in context.chunks] == [c.text for c in chunks]
    assert len({context.prefix for context in contexts}) == 1
    labels = [page.label for page in document.pages]
    for context in contexts:
        assert count(context.text) <= budget
        body = squeezed(context.body)
        assert all(squeezed(chunk.text) in body for chunk in context.chunks)
        first, last = context.page_index_start, context.page_index_end
        assert context.pages == (labels[first] if first == last else f"{labels[first]}–{labels[last]}")


@given(
    st.lists(st.lists(st.integers(0, 12), min_size=1, max_size=5), min_size=1, max_size=5),
    st.integers(90, 400),
)
def test_parts_hold_everything_once_and_fit(sizes: list[list[int]], budget: int) -> None:
    document = agreement(sizes)
    chunks = make_chunks(document, count, max_tokens=30)
    check(document, contexts_of(document, chunks, count, budget, "Read."), budget)


def test_borders_are_those_of_the_highest_sections_that_leave_no_part_half_empty() -> None:
    document = agreement([[4, 4]] * 4, labels="A-")
    chunks = make_chunks(document, count, max_tokens=30)
    contexts = contexts_of(document, chunks, count, 200)
    check(document, contexts, 200)
    assert [context.chunks[0].section_path[0] for context in contexts] == ["ARTICLE 1", "ARTICLE 3"]
    assert [context.pages for context in contexts] == ["A-1–A-2", "A-3–A-4"]
    narrow = contexts_of(document, chunks, count, 100)
    check(document, narrow, 100)
    ends = [(a.chunks[-1].section_path, b.chunks[0].section_path) for a, b in pairwise(narrow)]
    assert all(left != right for left, right in ends)
    assert [context.pages for context in narrow] == ["A-1", "A-2", "A-3", "A-4"]


def test_a_section_longer_than_a_part_is_cut_between_passages() -> None:
    document = agreement([[40]])
    chunks = make_chunks(document, count, max_tokens=30)
    contexts = contexts_of(document, chunks, count, 120)
    check(document, contexts, 120)
    assert len(contexts) > 2
    assert contexts[0].body.startswith("[ARTICLE 1]\n[page 1]\nARTICLE 1\n1.1 Matter\n")
    assert all(context.body.startswith("[ARTICLE 1 > 1.1 Matter]\n[page 1]\n") for context in contexts[1:])


def test_the_beginning_has_instructions_outline_and_definitions_in_their_share() -> None:
    page = plain_page(f"1. Terms\n{DEFINED}\n2. Price\nThe price is fixed.", 0, "iv")
    sections: list[Section] = [heading("1. Terms", 1, page, 0), heading("2. Price", 1, page, 0)]
    document = plain_document([page], sections=sections)
    chunks = make_chunks(document, count)
    (whole,) = contexts_of(document, chunks, count, 600, "  Answer briefly.\n")
    assert whole.prefix == (
        "Answer briefly.\n\nDocument: plain.pdf, 1 pages\n\n"
        "Outline:\n1. Terms (page iv)\n2. Price (page iv)\n\n"
        "Definitions:\n“Affiliate” means a company under common control.\n“Lot” means 40 tonnes of steel.\n\n"
        "Part of the text:\n\n"
    )
    (short,) = contexts_of(document, chunks, count, 72)
    assert "(1 more)" in short.prefix and "“Lot”" not in short.prefix.split("Part of")[0]


def test_a_budget_without_room_says_so() -> None:
    document = agreement([[4]])
    with pytest.raises(LongleafError, match="too few for a part"):
        contexts_of(document, make_chunks(document, count), count, 12)


@pytest.mark.parametrize("name", MODELS)
def test_parts_begin_with_the_same_tokens(name: str) -> None:
    tokenizer = open_tokenizer(str(real_model(name).path), offline=True)
    document = agreement([[6, 6], [6, 6]])
    contexts = contexts_of(document, make_chunks(document, tokenizer.count), tokenizer.count, 250, "Read.")
    assert len(contexts) > 1
    beginning = tokenizer.encode(contexts[0].prefix.rstrip())
    assert all(tokenizer.encode(context.text)[: len(beginning)] == beginning for context in contexts)


@pytest.fixture(scope="module", params=MODELS)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with Engine(real_model(request.param), ctx_size=360, threads=2) as engine:
        yield engine


def test_the_beginning_is_read_once_and_parts_again_for_no_other_prompt(engine: Engine) -> None:
    document = agreement([[12, 12], [12, 12], [12]])
    first = list(generate_by_part(engine, document, "Who bears it?", instructions="Read.", max_tokens=4))
    assert len(first) > 2
    beginning = engine.tokenizer.count(first[0].context.prefix.rstrip())
    for part in first:
        assert part.generation.usage.prompt_tokens + 4 <= engine.ctx_size
        assert beginning <= part.generation.usage.reused_tokens < part.generation.usage.prompt_tokens
    again = list(generate_by_part(engine, document, "What then?", instructions="Read.", max_tokens=4))
    for part in again:
        body = engine.tokenizer.count(part.context.text)
        assert part.generation.usage.reused_tokens >= body - 1
    with pytest.raises(LongleafError, match="too few"):
        next(generate_by_part(engine, document, "What then?", max_tokens=350))
