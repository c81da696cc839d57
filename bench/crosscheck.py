"""Compares logits and greedy tokens of Longleaf, llama.cpp and the NumPy oracle on the same files.

Not part of CI: it needs `llama-cpp-python`, which has to be compiled. docs/crosscheck.md has the last result
and says how to make the environment. Models with random weights of every architecture, weight type and rope
scaling are written to a temporary folder; real ones are given with --model.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import argparse
import datetime
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import chain
from typing import Any

import llama_cpp
import numpy as np
from numpy.typing import NDArray

from longleaf._native import Gguf, Model
from tests.support.gguf_maker import (
    ARCHITECTURES,
    ROPE_SCALINGS,
    WEIGHT_TYPES,
    tiny_model,
    write_f32_copy,
    write_model,
)
from tests.support.gguf_read import read_gguf
from tests.support.oracle import Oracle

Logits = NDArray[np.float32]
N_TOKENS = 300  # crosses the windows (64) and pages (64) of the random models
N_REAL_TOKENS = 700  # crosses Gemma's window (512)
N_LAST = 128  # of these positions all logits are compared
N_GREEDY = 32


@dataclass(frozen=True)
class Case:
    name: str
    path: Path
    n_tokens: int


@dataclass(frozen=True)
class Row:
    """Distances are the largest difference of a logit, in standard deviations of the oracle's logits."""

    name: str
    ours_oracle: float
    peer_oracle: float
    ours_peer: float
    kl: float  # mean KL(oracle || ours) over the positions, in nats
    peer_kl: float  # the same for llama.cpp
    top: float  # share of positions where ours and the oracle agree on the likeliest token
    peer_top: float
    greedy: int  # first tokens of N_GREEDY on which we and llama.cpp agree
    exact: int  # of our greedy tokens those the oracle also finds the likeliest, given ours before them


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", action="append", type=Path, default=[], help="a real GGUF file")
    parser.add_argument("--no-random", action="store_true", help="only the --model files")
    parser.add_argument("--write", type=Path, help="also write the table to this Markdown file")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cases = iter(()) if arguments.no_random else random_cases(Path(folder))
        rows = []
        for case in chain(cases, real_cases(arguments.model, Path(folder))):
            rows.append(compare(case))
            print(line(rows[-1]), flush=True)
    if arguments.write:
        arguments.write.write_text(document(rows))


def random_cases(folder: Path) -> Iterator[Case]:
    for architecture in ARCHITECTURES:
        for weight_type in WEIGHT_TYPES:
            for scaling in ROPE_SCALINGS if weight_type == "F32" else ("none",):
                if scaling == "llama3" and architecture != "llama":
                    continue  # llama.cpp refuses the tensor there
                model = tiny_model(architecture, weight_type, rope_scaling=scaling)
                name = f"{architecture} {weight_type}" + (f" rope {scaling}" if scaling != "none" else "")
                yield Case(name, write_model(folder / "random.gguf", model), N_TOKENS)


def real_cases(paths: Sequence[Path], folder: Path) -> Iterator[Case]:
    for path in paths:
        yield Case(path.stem, path, N_REAL_TOKENS)
        yield Case(
            f"{path.stem}, dequantized to F32", write_f32_copy(path, folder / "f32.gguf"), N_REAL_TOKENS
        )


def compare(case: Case) -> Row:
    n_vocab = read_gguf(case.path).tensors["token_embd.weight"].shape[1]
    # Ids of ordinary tokens in any of the vocabularies.
    tokens = np.random.default_rng(0).integers(5, min(n_vocab, 40000), case.n_tokens).tolist()
    n_last = min(N_LAST, case.n_tokens)

    ours, our_greedy = our_results(case.path, tokens, n_last)
    peer, peer_greedy = peer_results(case.path, tokens, n_last)
    oracle_all = Oracle(case.path).logits(tokens + our_greedy, last=n_last + N_GREEDY)
    oracle = oracle_all[:n_last]
    chosen = oracle_all[n_last - 1 : n_last - 1 + N_GREEDY].argmax(-1)

    spread = float(oracle.std())
    return Row(
        case.name,
        ours_oracle=float(np.abs(ours - oracle).max()) / spread,
        peer_oracle=float(np.abs(peer - oracle).max()) / spread,
        ours_peer=float(np.abs(ours - peer).max()) / spread,
        kl=divergence(oracle, ours),
        peer_kl=divergence(oracle, peer),
        top=float((ours.argmax(-1) == oracle.argmax(-1)).mean()),
        peer_top=float((peer.argmax(-1) == oracle.argmax(-1)).mean()),
        greedy=next((i for i in range(N_GREEDY) if our_greedy[i] != peer_greedy[i]), N_GREEDY),
        exact=int((chosen == our_greedy).sum()),
    )


def our_results(path: Path, tokens: list[int], n_last: int) -> tuple[Logits, list[int]]:
    model = Model(Gguf(path), ctx_size=1024, kv_type_k="f32", kv_type_v="f32")
    sequence = model.new_sequence()
    logits = model.forward([(sequence, tokens, n_last)])
    greedy = [int(logits[-1].argmax())]
    while len(greedy) < N_GREEDY:
        greedy.append(int(model.forward([(sequence, greedy[-1:], 1)])[-1].argmax()))
    return logits, greedy


def peer_results(path: Path, tokens: list[int], n_last: int) -> tuple[Logits, list[int]]:
    f32: Any = llama_cpp.GGML_TYPE_F32
    model = llama_cpp.Llama(
        str(path),
        n_ctx=1024,
        n_batch=1024,
        logits_all=True,
        n_threads=2,
        type_k=f32,
        type_v=f32,
        verbose=False,
    )
    model.eval(tokens)
    logits = np.array(model.scores[len(tokens) - n_last : len(tokens)], np.float32)
    greedy = [int(logits[-1].argmax())]
    while len(greedy) < N_GREEDY:
        model.eval(greedy[-1:])
        greedy.append(int(model.scores[model.n_tokens - 1].argmax()))
    model.close()
    return logits, greedy


def divergence(wanted: Logits, got: Logits) -> float:
    p, q = log_softmax(wanted), log_softmax(got)
    return float((np.exp(p) * (p - q)).sum(-1).mean())


def log_softmax(logits: Logits) -> NDArray[np.float64]:
    x = logits.astype(np.float64)
    x -= x.max(-1, keepdims=True)
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


HEADER = (
    "model",
    "ours − oracle",
    "llama.cpp − oracle",
    "ours − llama.cpp",
    "KL ours",
    "KL llama.cpp",
    "top ours",
    "top llama.cpp",
    "same greedy",
    "exact greedy",
)


def line(row: Row) -> str:
    cells = (
        row.name,
        *(f"{value:.1e}" for value in (row.ours_oracle, row.peer_oracle, row.ours_peer, row.kl, row.peer_kl)),
        *(f"{value:.1%}" for value in (row.top, row.peer_top)),
        *(f"{value}/{N_GREEDY}" for value in (row.greedy, row.exact)),
    )
    return "| " + " | ".join(cells) + " |"


INTRODUCTION = """\
# Longleaf, llama.cpp and a NumPy oracle on the same files

Result of `bench/crosscheck.py` on {date}, llama-cpp-python {peer}. Made by:

```
python -m venv PEER && CMAKE_ARGS="-DCMAKE_CXX_FLAGS='-fno-dse -fno-tree-dse'" \\
  PEER/bin/pip install llama-cpp-python=={peer} gguf numpy
.ci/dev PYTHON   # the same Python version as PEER's
PYTHONPATH=build/dev:. PEER/bin/python bench/crosscheck.py --write docs/crosscheck.md \\
  --model "$(longleaf models path gemma-3-270m)" --model "$(longleaf models path smollm2-135m-instruct)"
```

Models without a file name have random weights (`tests/support/gguf_maker.py`) and read {n_tokens} random
tokens; real ones read {n_real} random tokens. Logits of the last {n_last} positions are compared. Distances
are the largest difference of any logit in standard deviations of the oracle's logits; KL is the mean of
KL(oracle ‖ other) in nats; "top" is how often the likeliest token is the oracle's; "same greedy" is how many
greedy tokens we and llama.cpp give before we differ; "exact greedy" is how many of ours are the oracle's
choice, given ours before them.

The oracle (`tests/support/oracle.py`) computes in float32 with exactly dequantized weights. We round
activations to 16 bits for quantized weights, llama.cpp rounds them to 8 bits, to F16 or BF16 for those types,
and looks GELU (Gemma) up in a table of F16 values: its distance is that rounding, and where weights are F32
and the activation is SiLU it agrees to 1e-5. Both KV caches were set to F32 here; by default both are F16.

"""


def document(rows: Sequence[Row]) -> str:
    introduction = INTRODUCTION.format(
        date=datetime.datetime.now(datetime.UTC).date(),
        peer=version("llama-cpp-python"),
        n_tokens=N_TOKENS,
        n_real=N_REAL_TOKENS,
        n_last=N_LAST,
    )
    table = ["| " + " | ".join(HEADER) + " |", "|---" + "|---:" * (len(HEADER) - 1) + "|", *map(line, rows)]
    return introduction + "\n".join(table) + "\n"


if __name__ == "__main__":
    main()
