"""What ranking the best chunks anew by the model's likelihood of the question brings, and what it takes.

    python -m bench.reranking LIBRARY [--model NAME] [--every N]

LIBRARY is one that `bench.retrieval --library` made. The first 20 chunks of a question are ordered by the log
probability of the question after the chunk, alone and fused with the retriever's order by reciprocal rank;
every Nth label of the contracts and all questions on filings, each in its own document.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from functools import partial
from pathlib import Path

import click
import numpy as np

from bench.eval_data import labels, questions
from bench.retrieval import KS, QUESTIONS, TOKENIZER, Hits, _label_hits, _page_hits
from longleaf.app.defaults import LANGUAGE_MODEL
from longleaf.app.library.documents import Library, StoredDocument
from longleaf.app.retrieval.retriever import Retriever, ScoredChunk
from longleaf.engine.embedding.embedder import load_embedder
from longleaf.engine.engine import Engine

_CHUNKS = 20
_OFFSET = 10
_WEIGHTS = (0.25, 0.5, 1.0)


def reordered(found: list[ScoredChunk], likelihoods: list[float]) -> dict[str, list[ScoredChunk]]:
    """The chunks as found, by likelihood, and by both."""
    by_likelihood = sorted(range(len(found)), key=lambda i: -likelihoods[i])
    rank = {i: r for r, i in enumerate(by_likelihood)}
    orders = {"as found": list(range(len(found))), "likelihood alone": by_likelihood}
    for weight in _WEIGHTS:
        gain = [1 / (_OFFSET + i) + weight / (_OFFSET + rank[i]) for i in range(len(found))]
        orders[f"fused, weight {weight}"] = sorted(range(len(found)), key=lambda i: -gain[i])
    return {name: [found[i] for i in order] for name, order in orders.items()}


@click.command()
@click.argument("path", type=click.Path(path_type=Path, exists=True))
@click.option("--model", default=LANGUAGE_MODEL)
@click.option("--every", default=8, show_default=True)
def main(path: Path, model: str, every: int) -> None:
    library, engine = Library(path), Engine.open(model)
    stored = {d.name: d for d in library.documents() if d.chunking.startswith(f"{TOKENIZER}:")}
    tasks: dict[str, list[tuple[str, StoredDocument, Hits]]] = {
        "contracts": [
            (QUESTIONS[c.category], stored[c.file.name], partial(_label_hits, c))
            for c in list(labels())[::every]
        ],
        "filings": [(q.question, stored[q.file.name], partial(_page_hits, q)) for q in questions()],
    }
    retriever = Retriever(library, load_embedder())
    for what, searches in tasks.items():
        hits: dict[str, list[list[bool]]] = defaultdict(list)
        seconds = []
        for question, document, judge in searches:
            found = retriever.search(question, documents=[document], k=_CHUNKS, by=("words",))
            start = time.perf_counter()
            likelihoods = [
                engine.rank(f"{hit.chunk.text}\n\nQuestion:", [f" {question}"])[0].logprob for hit in found
            ]
            seconds.append(time.perf_counter() - start)
            for name, order in reordered(found, likelihoods).items():
                hits[name].append(judge(order))
            print(f"\r{what} {len(seconds)}/{len(searches)}", end="", file=sys.stderr, flush=True)
        for name, judged in hits.items():
            recall = "  ".join(f"@{k} {v:.3f}" for k, v in zip(KS, np.mean(judged, axis=0), strict=True))
            print(f"{what:10} {len(judged):4}  {name:20} {recall}")
        print(
            f"{what:10} seconds a question for the likelihoods: {np.median(seconds):.1f} (median)", flush=True
        )


if __name__ == "__main__":
    main()
