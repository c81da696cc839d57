"""Whether pages of KV cache can be packed without loss: `python -m bench.page_compression --document FILE`.

Reads the document's first tokens with a model, takes its pages as the cache holds them and says how small
zlib (its fastest level) and xz make them, with the bytes of an element in planes of their own, and how fast.
The entropy is that of single bytes of a plane: what a coder that knows no neighbours could reach.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import argparse
import lzma
import time
import zlib

import numpy as np
from numpy.typing import NDArray

from longleaf import _native
from longleaf.engine.models.store import resolve
from longleaf.engine.prompt.tokenizer import load_tokenizer

WIDTH = {"f32": 4, "f16": 2, "bf16": 2, "q8": 1, "q4": 1}  # bytes of an element


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--document", type=Path, required=True, help="UTF-8 text")
    parser.add_argument("--tokens", type=int, default=2048)
    parser.add_argument("--model", default="gemma-3-270m")
    parser.add_argument("--types", nargs="+", default=["f16", "q8"], choices=sorted(WIDTH))
    options = parser.parse_args()
    gguf = _native.Gguf(str(resolve(options.model, offline=True).path))
    text = options.document.read_text(encoding="utf-8")
    ids = load_tokenizer(gguf).encode(text)[: options.tokens]
    for kv_type in options.types:
        model = _native.Model(gguf, ctx_size=options.tokens, kv_type_k=kv_type, kv_type_v=kv_type)
        sequence = model.new_sequence()
        model.forward([(sequence, ids, 0)])
        pages = [planes(data, WIDTH[kv_type]) for _, _, data in model.export_pages(sequence)[::3]]
        whole = sum(map(len, pages))
        start = time.process_time()
        packed = [zlib.compress(page, 1) for page in pages]
        packing = time.process_time() - start
        start = time.process_time()
        for page in packed:
            zlib.decompress(page)
        unpacking = time.process_time() - start
        small = sum(map(len, packed))
        few = pages[:32]
        best = sum(len(lzma.compress(page)) for page in few) / sum(map(len, few))
        print(
            f"{options.model} {kv_type}: {len(pages)} pages of {len(pages[0])} bytes: "
            f"zlib {small / whole:.3f} at {whole / packing / 1e6:.0f} MB/s, "
            f"back at {whole / unpacking / 1e6:.0f} MB/s; xz {best:.3f}; "
            f"entropy {entropies(pages, WIDTH[kv_type])} of 8 bits"
        )


def planes(page: bytes, width: int) -> bytes:
    return np.frombuffer(page, np.uint8).reshape(-1, width).T.tobytes()


def entropies(pages: list[bytes], width: int) -> str:
    """Of each plane, the lowest bytes first."""
    parts: list[NDArray[np.uint8]] = [np.frombuffer(page, np.uint8).reshape(width, -1) for page in pages]
    texts = []
    for plane in range(width):
        count = np.bincount(np.concatenate([part[plane] for part in parts]), minlength=256)
        share = count[count > 0] / count.sum()
        texts.append(f"{-(share * np.log2(share)).sum():.2f}")
    return ", ".join(texts)


if __name__ == "__main__":
    main()
