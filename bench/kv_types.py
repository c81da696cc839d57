"""What the types of K and V cost in answers: `python -m bench.kv_types TYPES… --document FILE`.

TYPES are K/V pairs such as f16/f16 q8/q8 q8/q4; the first is what the others are compared with. For each:
how many of the first type's 200 greedy tokens it would choose too, given the ones before; how many of them
its own greedy text has before the two part; facts recalled of ten that are planted in the document at even
depths, asked one by one; and the bytes of KV cache a token takes. `longleaf perplexity` has the perplexity.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import argparse
import json
from typing import Any

import numpy as np

from longleaf.engine.engine import Engine
from longleaf.engine.prefix.kv_options import KvOptions

FACTS = (  # what is asked, and what follows it in the document
    ("The lighthouse keeper named his boat", "Marigold"),
    ("The auditor's parrot only speaks", "Portuguese"),
    ("The password of the wine cellar is", "7421"),
    ("The mayor of the island was born in", "Ljubljana"),
    ("The oldest tree in the courtyard is a", "mulberry"),
    ("The violin in the glass case was made by", "Petrosyan"),
    ("The night train to the coast leaves from platform", "19"),
    ("The clockmaker's daughter studies", "volcanoes"),
    ("The secret ingredient of the soup is", "cardamom"),
    ("The expedition's sled dogs answered to the whistle of", "Halvorsen"),
)
GREEDY = 200


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("types", nargs="+", help="K/V")
    parser.add_argument("--document", type=Path, required=True, help="UTF-8 text")
    parser.add_argument("--tokens", type=int, default=6144, help="of the document, facts included")
    parser.add_argument("--model", default="gemma-3-270m")
    options = parser.parse_args()
    text = options.document.read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = []
    expected: tuple[int, ...] = ()
    for types in options.types:
        type_k, type_v = types.split("/")
        kv = KvOptions(type_k=type_k, type_v=type_v)
        with Engine.open(
            options.model, ctx_size=options.tokens + 512, offline=True, kv=kv, speculate=False
        ) as engine:
            document = planted(engine, text, options.tokens)
            found = [recalls(engine, document, *fact) for fact in FACTS]
            used = engine.prefix_stats().kv
            plain = engine.tokenizer.encode(text)[: options.tokens // 3]
            ids = engine.generate(plain, max_tokens=GREEDY, ignore_eos=True).ids
            expected = expected or ids
            agreeing = agreement(engine, plain, expected)
        same = [mine == theirs for mine, theirs in zip(ids, expected, strict=True)]
        row = {
            "types": types,
            "agreement": agreeing,
            "greedy_equal": same.index(False) if False in same else GREEDY,
            "recalled": sum(found),
            "missed": [index for index, each in enumerate(found) if not each],
            "bytes_per_token": used["bytes_per_token"],
            "page_bytes": used["page_bytes"],
        }
        rows.append(row)
        print(json.dumps(row), flush=True)


def planted(engine: Engine, text: str, tokens: int) -> str:
    """A text of about so many tokens, with a fact at each tenth of it."""
    ids = engine.tokenizer.encode(text, add_bos=False)
    part = tokens // len(FACTS) - 24
    return "".join(
        f"{engine.tokenizer.decode(ids[index * part : (index + 1) * part])}\n{asked} {answer}.\n"
        for index, (asked, answer) in enumerate(FACTS)
    )


def agreement(engine: Engine, prompt: list[int], expected: tuple[int, ...]) -> int:
    """Of the expected tokens, how many are this engine's greedy choice after the expected ones before."""
    native = engine._native
    sequence = native.new_sequence()
    ids = [*prompt, *expected[:-1]]
    for at in range(0, len(prompt) - 1, 512):
        native.forward([(sequence, ids[at : min(at + 512, len(prompt) - 1)], 0)])
    rows = native.forward([(sequence, ids[len(prompt) - 1 :], len(expected))])
    native.free(sequence)
    return int(np.sum(rows.argmax(axis=1) == np.array(expected)))


def recalls(engine: Engine, document: str, asked: str, answer: str) -> bool:
    told = engine.generate(f"{document}\n{asked}", shared=document, max_tokens=8).text
    return told.strip().startswith(answer)


if __name__ == "__main__":
    main()
