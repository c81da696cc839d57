"""GGUF files with the shapes of real models and random weights, to time what is not here to download.

The mixes of weight types are those of llama.cpp's Q4_K_M (values and down projections of half the layers in
Q6_K) and Q8_0. Shapes: the models' published config.json.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/shapes.py` too

import numpy as np
from gguf import GGMLQuantizationType, GGUFWriter
from gguf.constants import GGML_QUANT_SIZES
from numpy.typing import NDArray

from tests.support.gguf_maker import random_blocks
from tests.support.tiny_vocab import bpe_vocab


@dataclass(frozen=True)
class Shape:
    architecture: str
    n_layer: int
    n_embd: int
    n_head: int
    n_head_kv: int
    head_dim: int
    n_ff: int
    n_vocab: int
    n_ctx: int
    freq_base: float
    tied: bool


SHAPES = {
    "llama-3.2-1b": Shape("llama", 16, 2048, 32, 8, 64, 8192, 128256, 131072, 500000.0, tied=True),
    "qwen2.5-1.5b": Shape("qwen2", 28, 1536, 12, 2, 128, 8960, 151936, 32768, 1000000.0, tied=True),
    "llama-3.1-8b-cut": Shape("llama", 8, 4096, 32, 8, 128, 14336, 128256, 131072, 500000.0, tied=False),
}
MIXES = ("Q4_K_M", "Q8_0")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--shape", action="append", choices=SHAPES, help="default: all")
    parser.add_argument("--mix", action="append", choices=MIXES, help="default: all")
    a = parser.parse_args()
    a.folder.mkdir(parents=True, exist_ok=True)
    for name in a.shape or SHAPES:
        for mix in a.mix or MIXES:
            path = a.folder / f"{name}.{mix}.gguf"
            write(path, SHAPES[name], mix)
            print(f"{path}  {path.stat().st_size / 1e9:.2f} GB")


def write(path: Path, shape: Shape, mix: str) -> None:
    writer = GGUFWriter(path, shape.architecture)
    writer.add_context_length(shape.n_ctx)
    writer.add_embedding_length(shape.n_embd)
    writer.add_block_count(shape.n_layer)
    writer.add_feed_forward_length(shape.n_ff)
    writer.add_head_count(shape.n_head)
    writer.add_head_count_kv(shape.n_head_kv)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(shape.freq_base)
    writer.add_vocab_size(shape.n_vocab)
    writer.add_rope_dimension_count(shape.head_dim)
    add_vocab(writer, shape)
    q_dim, kv_dim = shape.n_head * shape.head_dim, shape.n_head_kv * shape.head_dim
    add(writer, "token_embd", (shape.n_vocab, shape.n_embd), "Q6_K", mix)
    for i in range(shape.n_layer):
        down = "Q6_K" if i % 2 == 0 else "Q4_K"
        add(writer, f"blk.{i}.attn_norm", (shape.n_embd,), "F32", mix)
        add(writer, f"blk.{i}.attn_q", (q_dim, shape.n_embd), "Q4_K", mix)
        add(writer, f"blk.{i}.attn_k", (kv_dim, shape.n_embd), "Q4_K", mix)
        add(writer, f"blk.{i}.attn_v", (kv_dim, shape.n_embd), down, mix)
        add(writer, f"blk.{i}.attn_output", (shape.n_embd, q_dim), "Q4_K", mix)
        if shape.architecture == "qwen2":
            for part, size in (("q", q_dim), ("k", kv_dim), ("v", kv_dim)):
                writer.add_tensor(f"blk.{i}.attn_{part}.bias", np.zeros(size, np.float32))
        add(writer, f"blk.{i}.ffn_norm", (shape.n_embd,), "F32", mix)
        add(writer, f"blk.{i}.ffn_gate", (shape.n_ff, shape.n_embd), "Q4_K", mix)
        add(writer, f"blk.{i}.ffn_up", (shape.n_ff, shape.n_embd), "Q4_K", mix)
        add(writer, f"blk.{i}.ffn_down", (shape.n_embd, shape.n_ff), down, mix)
    add(writer, "output_norm", (shape.n_embd,), "F32", mix)
    if not shape.tied:
        add(writer, "output", (shape.n_vocab, shape.n_embd), "Q6_K", mix)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def add_vocab(writer: GGUFWriter, shape: Shape) -> None:
    """The bytes and a few merges, then fillers up to the real count."""
    vocab = bpe_vocab("qwen2" if shape.architecture == "qwen2" else "llama-bpe")
    tokens = [*vocab.tokens, *(f"filler{i}" for i in range(shape.n_vocab - len(vocab.tokens)))]
    writer.add_tokenizer_model(vocab.model)
    writer.add_tokenizer_pre(vocab.pre)
    writer.add_token_list([token.encode() for token in tokens])
    writer.add_token_types([*(int(kind) for kind in vocab.types), *[1] * (len(tokens) - len(vocab.tokens))])
    writer.add_token_merges(list(vocab.merges))
    writer.add_eos_token_id(vocab.eos)
    writer.add_add_bos_token(False)


def add(writer: GGUFWriter, name: str, shape: tuple[int, ...], weight_type: str, mix: str) -> None:
    if weight_type == "F32":
        writer.add_tensor(f"{name}.weight", np.ones(shape, np.float32))
        return
    kind = "Q8_0" if mix == "Q8_0" else weight_type
    spread = 1.0 / np.sqrt(shape[-1])
    seed = zlib.crc32(name.encode())
    blocks = q8_0_blocks(shape, spread, seed) if kind == "Q8_0" else random_blocks(shape, kind, spread, seed)
    writer.add_tensor(f"{name}.weight", blocks, raw_dtype=GGMLQuantizationType[kind])


def q8_0_blocks(shape: tuple[int, ...], spread: float, seed: int) -> NDArray[np.uint8]:
    block_size, block_bytes = GGML_QUANT_SIZES[GGMLQuantizationType.Q8_0]
    rng = np.random.default_rng(seed)
    blocks = rng.integers(0, 256, (int(np.prod(shape)) // block_size, block_bytes), dtype=np.uint8)
    scale = np.float16(spread / 74.0)  # the standard deviation of a random signed byte
    blocks[:, :2] = np.frombuffer(scale.tobytes(), np.uint8)
    return blocks.reshape(*shape[:-1], -1)


if __name__ == "__main__":
    main()
