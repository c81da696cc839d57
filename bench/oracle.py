"""A real model against the NumPy oracle, where there is no llama.cpp: `python -m bench.oracle`.

The text is of our own making. For every instruction set named, logits of all its positions are compared, then
greedy tokens, one after the other, given ours before them. The oracle computes in float32 with all weights
dequantized: four bytes a weight of memory.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import argparse

import numpy as np

from longleaf._native import Gguf, Model, Tokenizer
from longleaf.engine.models.store import resolve
from tests.support.oracle import Oracle

TEXT = (
    "This Agreement is made on 3 March 2024 between Northwind Mills, a company of Ohio, and the Harbour "
    "Board. The Supplier shall deliver 4,000 tonnes of oats a year at 212.50 dollars a tonne, payable within "
    "thirty days. def total(prices: list[float]) -> float:\n    return sum(prices)\n"
    "Either party may end it by notice of ninety days. It is governed by the laws of the State of"
)


def log_softmax(x: np.ndarray) -> np.ndarray:
    shifted = x - x.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-m", "--model", required=True)
    parser.add_argument("--isa", action="append", required=True)
    parser.add_argument("-n", type=int, default=8, help="greedy tokens")
    options = parser.parse_args()
    path = resolve(options.model).path
    file = Gguf(path)
    tokens = Tokenizer(file).encode(TEXT)
    oracle = Oracle(path)
    want = oracle.logits(tokens).astype(np.float64)
    print(f"{options.model}: {len(tokens)} tokens; distances in standard deviations of the oracle's logits")
    print("| set | largest | KL, nats | same best token | greedy tokens that are the oracle's |")
    print("|---|---|---|---|---|")
    for isa in options.isa:
        model = Model(file, ctx_size=len(tokens) + options.n + 1, isa=isa)
        sequence = model.new_sequence()
        got = model.forward([(sequence, tokens, len(tokens))])
        apart = np.abs(got - want).max() / want.std()
        mine, true = log_softmax(got.astype(np.float64)), log_softmax(want)
        kl = (np.exp(true) * (true - mine)).sum(-1).mean()
        best = (got.argmax(-1) == want.argmax(-1)).mean()
        written = [int(got[-1].argmax())]
        for _ in range(options.n - 1):
            written.append(int(model.forward([(sequence, written[-1:], 1)])[0].argmax()))
        choices = oracle.logits([*tokens, *written[:-1]], last=options.n).argmax(-1)
        same = int((choices == np.array(written)).sum())
        print(f"| {isa} | {apart:.1e} | {kl:.1e} | {best:.1%} | {same} of {options.n} |", flush=True)


if __name__ == "__main__":
    main()
