"""What a prefix that was read before saves: `python -m bench.prefix SCENARIO --document FILE`.

    questions  cold, then other questions about the same document, in one process
    read       as questions, and leaves the document on disk
    restart    in a new process: the first question about a document that `read` left on disk, then another
    rotate     documents in turn under a budget for five of them; with a --folder they are kept on disk
    decode     tokens a second behind a document that `read` left on disk

Times are from the request to its first token; opening the model is given apart. Prints one JSON object.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import argparse
import json
import time
from typing import Any

from longleaf.engine.engine import Engine
from longleaf.engine.prefix.kv_options import KvOptions

QUESTIONS = (
    "\n\nQuestion: Which law governs this agreement?\nAnswer:",
    "\n\nQuestion: How long is the term of this agreement?\nAnswer:",
    "\n\nQuestion: Who are the parties to this agreement?\nAnswer:",
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scenario", choices=["questions", "read", "restart", "rotate", "decode"])
    parser.add_argument(
        "--document", type=Path, required=True, help="UTF-8 text, repeated if it is too short"
    )
    parser.add_argument("--tokens", type=int, default=8192, help="of the document")
    parser.add_argument("--documents", type=int, default=20, help="of rotate")
    parser.add_argument("--model", default="gemma-3-270m")
    parser.add_argument("--folder", type=Path, help="of the disk cache")
    parser.add_argument("--predict", type=int, default=1)
    options = parser.parse_args()
    print(json.dumps(globals()[f"_{options.scenario}"](options), indent=1))


def _questions(options: argparse.Namespace) -> dict[str, Any]:
    with _open(options, options.tokens + 64) as engine:
        text = _document(engine, options.document, options.tokens)
        return {
            "tokens": options.tokens,
            "asked": [_ask(engine, text, q, options.predict) for q in QUESTIONS],
        }


def _read(options: argparse.Namespace) -> dict[str, Any]:
    with _open(options, options.tokens + 512, options.folder) as engine:
        text = _document(engine, options.document, options.tokens)
        asked = [_ask(engine, text, question, 1) for question in QUESTIONS]
        start = time.perf_counter()
        engine.close()
        size = sum(path.stat().st_size for path in options.folder.rglob("*.kv"))
        return {"asked": asked, "seconds_to_be_on_disk": time.perf_counter() - start, "bytes": size}


def _restart(options: argparse.Namespace) -> dict[str, Any]:
    start = time.perf_counter()
    with _open(options, options.tokens + 512, options.folder) as engine:
        opened = time.perf_counter() - start
        text = _document(engine, options.document, options.tokens)
        asked = [_ask(engine, text, question, options.predict) for question in QUESTIONS[1:]]
    return {"seconds_to_open": opened, "asked": asked}


def _decode(options: argparse.Namespace) -> dict[str, Any]:
    with _open(options, options.tokens + 512, options.folder) as engine:
        text = _document(engine, options.document, options.tokens)
        ids = engine.tokenizer.encode(text + QUESTIONS[1])
        rates = []
        for _ in range(3):
            usage = engine.generate(ids, max_tokens=options.predict, ignore_eos=True).usage
            rates.append((usage.generated_tokens - 1) / usage.decode_seconds)
        return {"tokens": len(ids), "reused": usage.reused_tokens, "tokens_per_second": rates}


def _rotate(options: argparse.Namespace) -> dict[str, Any]:
    """Each document is asked about in two rounds, the first of them cold."""
    with _open(options, options.tokens + 64) as engine:
        budget = 5 * engine._native.kv_bytes_needed(options.tokens + 64)
    rounds = []
    with _open(options, options.tokens + 64, options.folder, budget) as engine:
        text = _document(engine, options.document, options.tokens - 8)
        for question in QUESTIONS[:2]:
            start = time.perf_counter()
            asked = [
                _ask(engine, f"Document {number}. {text}", question, 1) for number in range(options.documents)
            ]
            seconds = time.perf_counter() - start
            rounds.append({"seconds": seconds, "reused": sum(each["reused"] for each in asked)})
    return {"documents": options.documents, "tokens": options.tokens, "budget": budget, "rounds": rounds}


def _open(options: argparse.Namespace, ctx_size: int, folder: Path | None = None, budget: int = 0) -> Engine:
    kv = KvOptions(budget_bytes=budget, save_path=folder)
    return Engine.open(options.model, ctx_size=ctx_size, offline=True, kv=kv, speculate=False)


def _document(engine: Engine, path: Path, tokens: int) -> str:
    """The beginning of a text, so long that it has about so many tokens."""
    text = path.read_text(encoding="utf-8")
    ids = engine.tokenizer.encode(text, add_bos=False)
    while len(ids) < tokens:
        text = f"{text}\n{text}"
        ids = engine.tokenizer.encode(text, add_bos=False)
    return engine.tokenizer.decode(ids[: tokens - 32])


def _ask(engine: Engine, text: str, question: str, tokens: int) -> dict[str, Any]:
    usage = engine.generate(text + question, max_tokens=tokens, shared=text).usage
    return {
        "prompt": usage.prompt_tokens,
        "reused": usage.reused_tokens,
        "seconds_to_first_token": round(usage.seconds_to_first_token or 0.0, 4),
    }


if __name__ == "__main__":
    main()
