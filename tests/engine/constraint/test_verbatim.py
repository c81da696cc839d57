"""Output that stands in the source at the place given, whatever the tokens."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from longleaf import _native
from longleaf.engine.constraint.constraint import allows
from longleaf.engine.constraint.verbatim import (
    Place,
    Verbatim,
    VerbatimError,
    VerbatimSource,
    word_ends,
    word_starts,
)
from longleaf.engine.engine import Engine
from longleaf.engine.prompt.tokenizer import Tokenizer, load_tokenizer
from tests.support.real_models import real_model
from tests.support.stepper import run

LAW = (
    "18.2 Governing law. This Agreement is governed by the laws of the State of\nDelaware, without regard to "
    "its conflict rules. “Delaware Courts” means the courts of that State – §1(a)."
)
WORDS = st.sampled_from(
    ["the", "State", "of", "Ohio", "Ohioan", " ", "\n", ". ", "é", "日本", "–", "\x07", "\ud800", "(a)"]
)


@pytest.fixture(scope="module", params=["smollm2-135m-instruct", "gemma-3-270m"])
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    return load_tokenizer(_native.Gguf(str(real_model(request.param).path)))


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(real_model("gemma-3-270m"), ctx_size=1024)


def choices(constraint: Verbatim, tokenizer: Tokenizer) -> list[int]:
    bits = np.unpackbits(constraint.allowed().view(np.uint8), bitorder="little")[: tokenizer.n_vocab]
    return np.flatnonzero(bits).tolist()


def check_random_walk(source: VerbatimSource, tokenizer: Tokenizer, seed: int) -> tuple[Place, bool]:
    """Follows the masks at random and checks each place; the last, and whether an answer may end there."""
    rng, constraint, said = np.random.default_rng(seed), source.constraint(), list[int]()
    written = source.text.encode("utf-8", "replace").decode()
    for _ in range(60):
        if constraint.finished():
            break
        if forced := constraint.forced():
            token = forced[0]
        else:
            token = int(rng.choice(choices(constraint, tokenizer)))
            if token in tokenizer.eog_ids:
                break
        constraint.accept(token)
        said.append(token)
        place = constraint.place() or Place(0, 0)
        whole = tokenizer.decode(said).rstrip("�")
        assert written[place.start : place.end] in (whole, whole.removeprefix(" "))
    else:
        return constraint.place() or Place(0, 0), False
    return constraint.place() or Place(0, 0), True


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(WORDS, min_size=1, max_size=30).map("".join), st.integers(0, 99))
def test_whatever_is_said_stands_at_its_place(tokenizer: Tokenizer, text: str, seed: int) -> None:
    try:
        source = VerbatimSource(tokenizer, text)
    except VerbatimError:
        assert not any(c.isalnum() or c in "–(.)" for c in text) or "\x07" in text or "\ud800" in text
        return
    place, whole = check_random_walk(source, tokenizer, seed)
    assert place.start in word_starts(text)
    assert not whole or place.end in word_ends(text)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_answers_begin_and_end_where_they_may(tokenizer: Tokenizer, data: st.DataObject) -> None:
    offsets = st.lists(st.integers(0, len(LAW)), min_size=1, max_size=4)
    starts, ends = data.draw(offsets), data.draw(offsets)
    if not any(start < end for start in starts for end in ends):
        with pytest.raises(VerbatimError, match="no place"):
            VerbatimSource(tokenizer, LAW, starts=starts, ends=ends)
        return
    source = VerbatimSource(tokenizer, LAW, starts=starts, ends=ends)
    place, whole = check_random_walk(source, tokenizer, data.draw(st.integers(0, 99)))
    assert place.start in starts
    assert not whole or place.end in ends


@pytest.mark.parametrize(
    "answer", ["Delaware", "the State of\nDelaware", "“Delaware Courts”", "§1(a).", "18.2"]
)
@pytest.mark.parametrize("space", ["", " "])
def test_an_answer_may_begin_inside_a_token_or_with_a_space_of_its_own(
    tokenizer: Tokenizer, answer: str, space: str
) -> None:
    constraint = VerbatimSource(tokenizer, LAW).constraint()
    for token in tokenizer.encode(space + answer, add_bos=False):
        if not constraint.forced():
            assert allows(constraint.allowed(), [token])[0]
        constraint.accept(token)
    place = constraint.place()
    assert place is not None and LAW[place.start : place.end] == answer


def test_the_rest_of_a_span_is_forced_once_it_is_the_only_one(engine: Engine) -> None:
    sentences = [(0, LAW.index(" This")), (LAW.index("This"), LAW.index(" “")), (LAW.index("“"), len(LAW))]
    source = VerbatimSource(
        engine.tokenizer, LAW, starts=[start for start, _ in sentences], ends=[end for _, end in sentences]
    )
    constraint = source.constraint()
    prompt = f"{LAW}\n\nThe sentence that names the governing law:"
    result = run(engine, engine.tokenizer.encode(prompt), 100, constraint=constraint)
    place = constraint.place()
    assert place is not None and (place.start, place.end) in [
        (a, b) for a, _ in sentences for _, b in sentences
    ]
    assert engine.tokenizer.decode(result.ids).lstrip() == LAW[place.start : place.end]
    assert result.finish == "stop"
    assert result.steps <= 4 < len(result.ids) / 2


def test_an_answer_that_runs_out_of_tokens_still_has_its_place(engine: Engine) -> None:
    constraint = VerbatimSource(engine.tokenizer, LAW, starts=[0], ends=[len(LAW)]).constraint()
    result = run(engine, engine.tokenizer.encode("Quote:"), 5, constraint=constraint)
    assert result.finish == "length"
    place = constraint.place()
    assert place is not None and LAW[place.start : place.end] == engine.tokenizer.decode(result.ids).lstrip()


def test_what_cannot_be_said_is_refused(tokenizer: Tokenizer) -> None:
    for text in ("", "  \n "):
        with pytest.raises(VerbatimError, match="no place"):
            VerbatimSource(tokenizer, text)
    with pytest.raises(VerbatimError, match="outside the 3 characters"):
        VerbatimSource(tokenizer, "abc", starts=[4])
    constraint = VerbatimSource(tokenizer, "Ohio").constraint()
    with pytest.raises(VerbatimError, match="does not follow"):
        constraint.accept(tokenizer.encode("Delaware", add_bos=False)[0])
