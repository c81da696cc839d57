"""Output that a JSON Schema, an expression or a choice allows, from the real models."""

from __future__ import annotations

import json
import math
import re
import threading
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from longleaf import _native
from longleaf.engine.constraint.constraint import allows
from longleaf.engine.constraint.grammar import GrammarConstraint, GrammarError, choice, json_schema, regex
from longleaf.engine.engine import Engine
from longleaf.engine.prompt.tokenizer import Tokenizer, load_tokenizer
from tests.support.real_models import real_model
from tests.support.stepper import run

MODELS = ["smollm2-135m-instruct", "gemma-3-270m"]
PARTY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "role": {"enum": ["buyer", "supplier"]},
        "share": {"type": "number"},
        "signed": {"type": "boolean"},
    },
    "required": ["name", "role", "signed"],
    "additionalProperties": False,
}
SCHEMAS: dict[str, dict[str, Any]] = {
    "party": PARTY,
    "parties": {"type": "array", "items": PARTY, "minItems": 1, "maxItems": 3},
    "anything": {},
}


@pytest.fixture(scope="module", params=MODELS)
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    return load_tokenizer(_native.Gguf(str(real_model(request.param).path)))


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(real_model("smollm2-135m-instruct"), ctx_size=512)


def follow(constraint: GrammarConstraint, tokens: list[int]) -> bool:
    """Whether the tokens are allowed to the last and may end there."""
    for token in tokens:
        if constraint.finished():
            return False
        if forced := constraint.forced():
            if forced[0] != token:
                return False
        elif not allows(constraint.allowed(), [token])[0]:
            return False
        constraint.accept(token)
    return constraint.finished() or (not constraint.forced() and bool(ends_allowed(constraint)))


def ends_allowed(constraint: GrammarConstraint) -> bool:
    return bool(allows(constraint.allowed(), constraint._vocabulary.token_bytes.ends).all())


def drive(
    constraint: GrammarConstraint, tokenizer: Tokenizer, rng: np.random.Generator, most: int
) -> tuple[str, bool]:
    """A random output, and whether it is whole."""
    output: list[int] = []
    while len(output) < most:
        if constraint.finished():
            return tokenizer.decode(output), True
        if forced := constraint.forced():
            token = forced[0]
        else:
            mask = constraint.allowed()
            bits = np.flatnonzero(np.unpackbits(mask.view(np.uint8), bitorder="little")[: tokenizer.n_vocab])
            token = int(rng.choice(bits))
            if token in tokenizer.eog_ids:
                return tokenizer.decode(output), True
        constraint.accept(token)
        output.append(token)
    return tokenizer.decode(output), constraint.finished()


@pytest.mark.parametrize("name", SCHEMAS)
def test_random_walks_through_the_masks_give_json_that_validates(tokenizer: Tokenizer, name: str) -> None:
    grammar = json_schema(tokenizer, SCHEMAS[name])
    for seed in range(12):
        most = 150 + seed
        text, whole = drive(grammar.constraint(most), tokenizer, np.random.default_rng(seed), most)
        assert whole, text
        jsonschema.validate(json.loads(text), SCHEMAS[name])


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_models_output_validates_and_is_closed_before_the_tokens_run_out(
    engine: Engine, name: str
) -> None:
    grammar = json_schema(engine.tokenizer, SCHEMAS[name])
    prompt = engine.tokenizer.encode(
        "Northmoor Packaging, Inc. buys from Kestrel Bay Polymers LLC. As JSON: "
    )
    for most in (40, 90):
        result = run(engine, prompt, most, constraint=grammar.constraint(most))
        if result.finish == "stop":
            jsonschema.validate(json.loads(engine.tokenizer.decode(result.ids)), SCHEMAS[name])
        assert result.finish == "stop" or most == 40


def test_forced_tokens_take_no_step(engine: Engine) -> None:
    schema = {"type": "object", "properties": {"law": {"enum": ["Ohio"]}}, "required": ["law"]}
    grammar = json_schema(engine.tokenizer, {**schema, "additionalProperties": False})
    result = run(engine, engine.tokenizer.encode("JSON: "), 40, constraint=grammar.constraint())
    assert engine.tokenizer.decode(result.ids) == '{"law": "Ohio"}'
    assert (result.finish, result.steps) == ("stop", 0)


def test_masks_are_made_beside_the_models_steps(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    grammar = json_schema(engine.tokenizer, PARTY)
    made: list[str] = []
    mask = grammar._vocabulary.mask

    def noted(matcher: Any, what: str) -> Any:
        made.append(threading.current_thread().name)
        return mask(matcher, what)

    monkeypatch.setattr(grammar._vocabulary, "mask", noted)
    engine.generate("As JSON: ", max_tokens=30, constraint=grammar.constraint(30))
    assert made and all(name.startswith("longleaf-mask") for name in made)


def test_an_output_whole_with_its_last_token_is_not_called_cut(engine: Engine) -> None:
    grammar = choice(engine.tokenizer, ["the State of Delaware"])
    n = len(engine.tokenizer.encode("the State of Delaware", add_bos=False))
    for max_tokens, finish in ((n - 1, "length"), (n, "stop"), (n + 1, "stop")):
        result = engine.generate("Law:", max_tokens=max_tokens, constraint=grammar.constraint())
        assert (result.finish, len(result.ids)) == (finish, min(n, max_tokens))


def test_without_room_the_output_is_reported_as_unfinished(engine: Engine) -> None:
    grammar = json_schema(engine.tokenizer, PARTY)
    result = run(engine, engine.tokenizer.encode("JSON: "), 5, constraint=grammar.constraint(5))
    assert result.finish == "length"


TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TEXTS, min_size=1, max_size=4, unique=True), st.integers(0, 9))
def test_a_choice_is_one_of_its_texts(tokenizer: Tokenizer, texts: list[str], seed: int) -> None:
    lost = [text for text in texts if tokenizer.decode(tokenizer.encode(text, add_bos=False)) != text]
    try:
        grammar = choice(tokenizer, texts)
    except GrammarError as error:
        assert any(repr(text) in str(error) for text in lost)
        return
    text, whole = drive(grammar.constraint(), tokenizer, np.random.default_rng(seed), 100)
    assert whole and text in texts


@pytest.mark.parametrize(
    "text", ["Delaware", "New York", " leading", "trail ", "§ 3 “x”", "a\nb", "Zürich\t日本"]
)
def test_the_tokenizers_own_tokens_are_allowed(tokenizer: Tokenizer, text: str) -> None:
    grammar = regex(tokenizer, r"(?s:.)*")
    assert follow(grammar.constraint(), tokenizer.encode(text, add_bos=False))


def test_an_expression_is_matched_as_a_whole(tokenizer: Tokenizer) -> None:
    pattern = r"(January|March|May) [1-9][0-9]?, 20[0-9]{2}"
    grammar = regex(tokenizer, pattern)
    for seed in range(5):
        text, whole = drive(grammar.constraint(), tokenizer, np.random.default_rng(seed), 50)
        assert whole and re.fullmatch(pattern, text)


def test_a_token_that_is_not_allowed_is_an_error(tokenizer: Tokenizer) -> None:
    constraint = choice(tokenizer, ["yes", "no"]).constraint()
    with pytest.raises(GrammarError, match="is not allowed here"):
        constraint.accept(tokenizer.encode("maybe", add_bos=False)[0])


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "foo"}, "Invalid type: foo"),
        ({"type": "string", "pattern": "(("}, "unclosed group"),
        ({"$ref": "#/x"}, "'/x' does not exist"),
        ({"type": "array", "uniqueItems": True}, "uniqueItems"),
        ({"type": "integer", "minimum": 5, "maximum": 3}, "minimum .5. is greater than maximum .3."),
        ("[1", "no JSON object"),
        ("[1]", "no JSON object"),
        ([1], "no JSON object: it is list"),
        ("true", "no JSON object: it is bool"),
        ({"const": math.nan}, "no JSON object: Out of range float"),
        ('{"items":' * 100_000 + "{}" + "}" * 100_000, "no JSON object: maximum recursion depth"),
        ({"const": "\ud800"}, "no JSON object"),
        ({"$ref": "#"}, "it allows nothing that could be written"),
    ],
)
def test_a_schema_that_cannot_be_followed_is_refused_with_the_reason(
    tokenizer: Tokenizer, schema: Any, said: str
) -> None:
    with pytest.raises(GrammarError, match=f"the JSON Schema .*{said}"):
        json_schema(tokenizer, schema)


def test_expressions_and_choices_that_cannot_be_followed_are_refused(tokenizer: Tokenizer) -> None:
    with pytest.raises(GrammarError, match="look-around"):
        regex(tokenizer, "a(?=b)")
    with pytest.raises(GrammarError, match="allows nothing that could be written"):
        regex(tokenizer, r"[^\s\S]")
    for lone in (lambda: regex(tokenizer, "\ud800"), lambda: choice(tokenizer, ["yes", "\ud800"])):
        with pytest.raises(GrammarError, match="surrogate"):
            lone()
    with pytest.raises(GrammarError, match="not the letters of 'yes'"):
        choice(tokenizer, "yes")
    for texts in ([], ["a", ""]):
        with pytest.raises(GrammarError, match="at least one text"):
            choice(tokenizer, texts)
