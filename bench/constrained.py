"""Constrained outputs by the thousand: `python -m bench.constrained [--model M] [--kind json|verbatim] [-n
1000]`.

json: five schemas in turn, about passages of the sample documents, sampled at temperature 0.8; each output
must parse and validate. verbatim: questions about the same passages; each answer must stand at the place
given. Prints what failed. Build the documents first: `python sample_docs/make.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import jsonschema

from longleaf.app.defaults import LANGUAGE_MODEL
from longleaf.engine.constraint.constraint import Constraint
from longleaf.engine.constraint.grammar import Grammar, json_schema
from longleaf.engine.constraint.verbatim import VerbatimSource
from longleaf.engine.engine import Engine
from longleaf.engine.prompt.chat_template import Message, prompt_for
from longleaf.engine.types import Generation
from longleaf.ingest import make_chunks, read_document

MAX_TOKENS = 96
AT_ONCE = 16  # requests side by side
PASSAGE_TOKENS = 128


def closed(properties: dict[str, Any], required: Sequence[str] | None = None) -> dict[str, Any]:
    wanted = list(properties if required is None else required)
    return {"type": "object", "properties": properties, "required": wanted, "additionalProperties": False}


TEXT: dict[str, Any] = {"type": "string"}
SCHEMAS: dict[str, dict[str, Any]] = {
    "clause": closed(
        {"title": TEXT, "kind": {"enum": ["duty", "right", "definition", "other"]}, "summary": TEXT}
    ),
    "amounts": closed(
        {"amounts": {"type": "array", "items": closed({"value": {"type": "number"}, "unit": TEXT})}}
    ),
    "dates": closed(
        {
            "dates": {
                "type": "array",
                "maxItems": 4,
                "items": {"type": "string", "pattern": "^[0-9]{4}-(0[1-9]|1[0-2])-[0-3][0-9]$"},
            },
            "certain": {"type": "boolean"},
        }
    ),
    "parties": {
        "type": "array",
        "minItems": 1,
        "maxItems": 3,
        "items": closed(
            {"name": TEXT, "address": {"type": ["string", "null"]}, "signs": {"type": "boolean"}}, ["name"]
        ),
    },
    "nested": {
        "$defs": {
            "node": closed({"heading": TEXT, "parts": {"type": "array", "items": {"$ref": "#/$defs/node"}}})
        },
        "$ref": "#/$defs/node",
    },
}
QUESTIONS = (
    "Who is named?",
    "What must be done?",
    "How much is it?",
    "When?",
    "What is the most important sentence?",
)


@dataclass(frozen=True, slots=True)
class Outcome:
    kind: str
    problem: str | None
    finish: str
    tokens: int


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-m", "--model", default=LANGUAGE_MODEL)
    parser.add_argument("--kind", choices=("json", "verbatim"), default="json")
    parser.add_argument("-n", type=int, default=1000)
    parser.add_argument("--samples", type=Path, default=Path("build/samples"))
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    with Engine.open(options.model, offline=True, ctx_size=2048) as engine:
        texts = passages(engine, options.samples)
        if options.kind == "json":
            grammars = {name: json_schema(engine.tokenizer, schema) for name, schema in SCHEMAS.items()}
            run = partial(json_output, engine, texts, grammars)
        else:
            sources = {text: VerbatimSource(engine.tokenizer, text) for text in texts}
            run = partial(verbatim_answer, engine, texts, sources)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            outcomes = list(pool.map(run, range(options.n)))
    problems = Counter((each.kind, each.problem) for each in outcomes if each.problem)
    for (kind, problem), count in problems.most_common():
        print(json.dumps({"kind": kind, "problem": problem, "count": count}))
    print(
        json.dumps(
            {
                "model": options.model,
                "outputs": len(outcomes),
                "right": sum(each.problem is None for each in outcomes),
                "by kind": Counter(each.kind for each in outcomes if each.problem is None),
                "ended by themselves": sum(each.finish == "stop" for each in outcomes),
                "tokens": sum(each.tokens for each in outcomes),
                "seconds": round(time.perf_counter() - start, 1),
            }
        )
    )
    return 1 if problems else 0


def passages(engine: Engine, samples: Path) -> list[str]:
    found = []
    for name in ("supply_agreement_v1.pdf", "annual_report.pdf"):
        document = read_document(samples / name)
        found += [
            chunk.text for chunk in make_chunks(document, engine.tokenizer.count, max_tokens=PASSAGE_TOKENS)
        ]
    return found


def json_output(engine: Engine, texts: Sequence[str], grammars: dict[str, Grammar], number: int) -> Outcome:
    name = list(SCHEMAS)[number % len(SCHEMAS)]
    constraint = grammars[name].constraint(MAX_TOKENS)
    prompt = f"{texts[number % len(texts)]}\n\nThe same as JSON ({name}):"
    result = generate(engine, prompt, number, constraint)
    return Outcome(name, json_problem(result.text, SCHEMAS[name]), result.finish, len(result.ids))


def json_problem(text: str, schema: dict[str, Any]) -> str | None:
    try:
        jsonschema.validate(json.loads(text), schema)
    except (ValueError, jsonschema.ValidationError) as error:
        return f"{type(error).__name__}: {text[:80]!r}"
    return None


def verbatim_answer(
    engine: Engine, texts: Sequence[str], sources: dict[str, VerbatimSource], number: int
) -> Outcome:
    text, question = texts[number % len(texts)], QUESTIONS[number % len(QUESTIONS)]
    constraint = sources[text].constraint()
    result = generate(engine, f"{text}\n\nQuestion: {question}\nAnswer:", number, constraint)
    place = constraint.place()
    found = place is not None and text[place.start : place.end] == result.text.removeprefix(" ")
    problem = None if found else f"{result.text[:80]!r} is not at {place}"
    return Outcome(question, problem, result.finish, len(result.ids))


def generate(engine: Engine, prompt: str, number: int, constraint: Constraint) -> Generation:
    rendered = prompt_for(engine.template, engine.tokenizer, [Message("user", prompt)])
    return engine.generate(
        rendered.text,
        parse_special=rendered.parse_special,
        max_tokens=MAX_TOKENS,
        temperature=0.8,
        seed=number,
        constraint=constraint,
    )


if __name__ == "__main__":
    raise SystemExit(main())
