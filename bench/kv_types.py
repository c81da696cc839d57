"""What the types of K and V cost in answers: `python -m bench.kv_types TYPES… --document FILE`.

TYPES are K/V pairs such as f16/f16 q8/q8 q8/q4; the first is what the others are compared with. For each:
how many of 200 greedy tokens equal those of the first type before the two part, and whether the first type's
text is kept word for word; facts recalled of ten that are planted in the document at even depths, asked one
by one; and the bytes of KV cache the document takes. Perplexity is `longleaf perplexity`'s to measure.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import argparse
import json
from typing import Any

from longleaf.engine.engine import Engine
from longleaf.engine.kv_options import KvOptions

PLACES = ["Lisbon", "Oslo", "Vienna", "Dublin", "Athens", "Prague", "Warsaw", "Geneva", "Madrid", "Berlin"]
CODES = (7421, 3096, 5842, 1937, 8265, 4618, 9073, 2754, 6389, 1520)
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
            found = [
                recalls(engine, document, place, code) for place, code in zip(PLACES, CODES, strict=True)
            ]
            used = engine.prefix_stats().kv
            plain = engine.tokenizer.encode(text)[: options.tokens // 3]
            ids = engine.generate(plain, max_tokens=GREEDY, ignore_eos=True).ids
        expected = expected or ids
        same = [mine == theirs for mine, theirs in zip(ids, expected, strict=True)]
        row = {
            "types": types,
            "greedy_equal": same.index(False) if False in same else GREEDY,
            "recalled": sum(found),
            "missed_at": [place for place, each in zip(PLACES, found, strict=True) if not each],
            "bytes_per_token": used["bytes_per_token"],
            "page_bytes": used["page_bytes"],
        }
        rows.append(row)
        print(json.dumps(row), flush=True)


def planted(engine: Engine, text: str, tokens: int) -> str:
    """A text of about so many tokens, with a fact at each tenth of it."""
    ids = engine.tokenizer.encode(text, add_bos=False)
    part = (tokens - 24 * len(PLACES)) // len(PLACES)
    return "".join(
        f"{engine.tokenizer.decode(ids[index * part : (index + 1) * part])}\n{_fact(place)} {code}.\n"
        for index, (place, code) in enumerate(zip(PLACES, CODES, strict=True))
    )


def recalls(engine: Engine, document: str, place: str, code: int) -> bool:
    answer = engine.generate(f"{document}\n{_fact(place)}", shared=document, max_tokens=8)
    return answer.text.strip().startswith(str(code))


def _fact(place: str) -> str:
    return f"The access code of the vault in {place} is"


if __name__ == "__main__":
    main()
