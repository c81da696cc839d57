"""Chunks a second of the native encoder, with onnxruntime beside it, and how near the vectors are.

    python -m bench.encoder [--chunks 200] [--library FILE]

The chunks are taken evenly from the documents of a library (that of bench/retrieval.py by default).
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import time

import click
import numpy as np

from longleaf.app.library.documents import Library, embedded_text
from longleaf.engine.embedding.embedder import load_embedder
from longleaf.engine.models.store import cache_root, resolve


@click.command()
@click.option("--chunks", "count", default=200, show_default=True)
@click.option("--library", "path", type=Path, help="where the documents are [cache/bench/retrieval.db]")
def main(count: int, path: Path | None) -> None:
    import onnxruntime
    from tokenizers import Tokenizer

    library = Library(path or cache_root() / "bench" / "retrieval.db")
    stored = [each for each in library.documents() if each.chunking.startswith("gemma")]
    every = [embedded_text(chunk) for each in stored for chunk in library.chunks(each)]
    texts = every[:: max(len(every) // count, 1)][:count]
    embedder = load_embedder()
    embedder.embed(texts[:2])
    start = time.perf_counter()
    vectors = embedder.embed(texts)
    native = len(texts) / (time.perf_counter() - start)

    model = resolve("minilm-l6-v2-int8")
    tokenizer = Tokenizer.from_file(str(next(file for file in model.files if file.name == "tokenizer.json")))
    tokenizer.no_padding()
    tokenizer.enable_truncation(model.context_length or 256)
    session = onnxruntime.InferenceSession(str(model.path), providers=["CPUExecutionProvider"])
    ids = [np.array([tokenizer.encode(text).ids], np.int64) for text in texts]
    start = time.perf_counter()
    reference = [
        session.run(
            None, {"input_ids": i, "attention_mask": np.ones_like(i), "token_type_ids": np.zeros_like(i)}
        )[0][0].mean(axis=0)
        for i in ids
    ]
    other = len(texts) / (time.perf_counter() - start)
    cosines = [v @ r / np.linalg.norm(r) for v, r in zip(vectors, reference, strict=True)]
    click.echo(f"{len(texts)} chunks, {np.mean([i.size for i in ids]):.0f} tokens each")
    click.echo(f"native      {native:6.1f} chunks/s")
    click.echo(f"onnxruntime {other:6.1f} chunks/s")
    click.echo(f"1 - cosine: mean {1 - np.mean(cosines):.1e}, most {1 - np.min(cosines):.1e}")


if __name__ == "__main__":
    main()
