"""Small valid GGUF models: random weights, real structure.

Written with the `gguf` package, which shares no code with the native reader. K-quants and IQ4_NL, which that
package cannot quantize, get random blocks whose scales give the values a wanted spread.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from gguf import GGMLQuantizationType, GGUFWriter, RopeScalingType, dequantize, quantize
from gguf.constants import GGML_QUANT_SIZES
from numpy.typing import NDArray

from tests.support.gguf_read import read_gguf
from tests.support.tiny_vocab import Vocab, bpe_vocab, spm_vocab

WEIGHT_TYPES = (
    "F32", "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0",
    "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "IQ4_NL",
)  # fmt: skip
ARCHITECTURES = ("llama", "qwen2", "qwen3", "gemma3")
ROPE_SCALINGS = ("none", "linear", "yarn", "llama3")

# Of each block: offset of its f16 scale, offset of its f16 minimum scale and the ratio of the two that
# centres the values on zero.
_SCALE_AT = {"Q3_K": 108, "Q6_K": 208, "IQ4_NL": 0, "Q2_K": 80, "Q4_K": 0, "Q5_K": 0}
_MIN_AT = {"Q2_K": (82, 1.5), "Q4_K": (2, 7.5), "Q5_K": (2, 15.5)}


@dataclass(frozen=True)
class TinyModel:
    """What to write. Rows must fit the block size of the weight type: 256 for the K types, else 32."""

    architecture: str = "llama"
    weight_type: str = "F32"
    rope_scaling: str = "none"  # "llama3" writes a rope_freqs tensor
    n_layer: int = 2
    n_embd: int = 128
    n_head: int = 4
    n_head_kv: int = 2
    head_dim: int = 32
    n_ff: int = 160
    n_ctx: int = 1024
    sliding_window: int = 64  # gemma3 only
    freq_base: float = 10000.0
    norm_eps: float = 1e-5
    tied: bool = False  # no output.weight: the embedding is used
    vocab: str = ""  # "spm" or "bpe"; by default what the architecture has in the wild
    seed: int = 0
    extra: dict[str, int | float | str | bool] = field(
        default_factory=dict
    )  # more metadata, key as it stands


def tiny_model(architecture: str, weight_type: str = "F32", **changes: object) -> TinyModel:
    """Sizes that suit the architecture and the block size of the weight type."""
    large_blocks = weight_type.endswith("_K")
    wide_heads = architecture in ("qwen3", "gemma3")  # head_dim * n_head is not n_embd there
    sizes: dict[str, object] = {
        "n_embd": 256 if large_blocks else 96 if wide_heads else 128,
        "head_dim": (128 if wide_heads else 64) if large_blocks else 32,
        "n_ff": 512 if large_blocks else 160,
        "n_head_kv": 1 if architecture == "gemma3" else 2,
        "n_layer": 7
        if architecture == "gemma3"
        else 2,  # so that global and windowed layers follow each other
        "tied": architecture == "gemma3",
        "norm_eps": 1e-6 if architecture in ("gemma3", "qwen2", "qwen3") else 1e-5,
        "freq_base": 1e6 if architecture in ("gemma3", "qwen2", "qwen3") else 10000.0,
    }
    return TinyModel(architecture, weight_type, **{**sizes, **changes})  # type: ignore[arg-type]


def write_model(path: Path, model: TinyModel) -> Path:
    """Writes the file and returns its path."""
    writer = GGUFWriter(path, model.architecture)
    vocab = _vocab(model)
    _add_hyperparameters(writer, model, len(vocab.tokens))
    _add_vocab(writer, vocab)
    for name, values in _tensors(model, len(vocab.tokens)):
        is_weight = values.ndim == 2
        blocks, kind = pack(values, model.weight_type if is_weight else "F32", _seed(model.seed, name))
        writer.add_tensor(name, blocks, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def write_f32_copy(source: Path, path: Path) -> Path:
    """The same model with every tensor dequantized to F32, metadata byte for byte."""
    stored = read_gguf(source)
    tensors = list(stored.tensors.values())
    alignment = stored.fields.get("general.alignment", 32)
    head = [struct.pack("<4sIQQ", b"GGUF", 3, len(tensors), len(stored.fields)), stored.metadata]
    offset = 0
    for tensor in tensors:
        name = tensor.name.encode()
        head.append(struct.pack("<Q", len(name)) + name + struct.pack("<I", len(tensor.shape)))
        head.append(struct.pack(f"<{len(tensor.shape)}QIQ", *tensor.shape, 0, offset))
        offset += 4 * math.prod(tensor.shape)
        offset += -offset % alignment
    with path.open("wb") as file:
        file.write(b"".join(head))
        for tensor in tensors:
            file.write(b"\0" * (-file.tell() % alignment))
            file.write(tensor.values().tobytes())
    return path


def pack(
    values: NDArray[np.float32], weight_type: str, seed: int = 0
) -> tuple[NDArray[np.generic], GGMLQuantizationType]:
    """The values in a weight type; random blocks of their spread where `gguf` cannot quantize."""
    kind = GGMLQuantizationType[weight_type]
    if weight_type == "F32":
        return values, kind
    if weight_type == "F16":
        return values.astype(np.float16), kind
    if weight_type in _SCALE_AT:
        return random_blocks(values.shape, weight_type, float(values.std()), seed), kind
    return quantize(values, kind), kind


def random_blocks(shape: tuple[int, ...], weight_type: str, spread: float, seed: int) -> NDArray[np.uint8]:
    """Random blocks for a K type or IQ4_NL whose values have mean about 0 and standard deviation `spread`."""
    kind = GGMLQuantizationType[weight_type]
    block_size, block_bytes = GGML_QUANT_SIZES[kind]
    if shape[-1] % block_size:
        raise ValueError(f"rows of {shape[-1]} values do not fit blocks of {block_size} ({weight_type})")
    rng = np.random.default_rng(seed)
    n_blocks = int(np.prod(shape)) // block_size
    blocks = rng.integers(0, 256, (n_blocks, block_bytes), dtype=np.uint8)
    _put_scales(blocks, weight_type, 1.0)
    _put_scales(blocks, weight_type, spread / float(dequantize(blocks, kind).std()))
    return blocks.reshape(*shape[:-1], -1)


def _put_scales(blocks: NDArray[np.uint8], weight_type: str, scale: float) -> None:
    def put(at: int, value: float) -> None:
        blocks[:, at : at + 2] = np.frombuffer(np.float16(value).tobytes(), np.uint8)

    put(_SCALE_AT[weight_type], scale)
    if weight_type in _MIN_AT:
        at, ratio = _MIN_AT[weight_type]
        put(at, scale * ratio)


def _vocab(model: TinyModel) -> Vocab:
    is_qwen = model.architecture.startswith("qwen")
    if (model.vocab or ("bpe" if is_qwen else "spm")) == "spm":
        return spm_vocab()
    return bpe_vocab("qwen2" if is_qwen else "llama-bpe")


def _seed(seed: int, name: str) -> int:
    return zlib.crc32(f"{seed} {name}".encode())


def _add_hyperparameters(writer: GGUFWriter, model: TinyModel, n_vocab: int) -> None:
    writer.add_context_length(model.n_ctx)
    writer.add_embedding_length(model.n_embd)
    writer.add_block_count(model.n_layer)
    writer.add_feed_forward_length(model.n_ff)
    writer.add_head_count(model.n_head)
    writer.add_head_count_kv(model.n_head_kv)
    writer.add_layer_norm_rms_eps(model.norm_eps)
    writer.add_rope_freq_base(model.freq_base)
    writer.add_vocab_size(n_vocab)
    if model.architecture == "llama":
        writer.add_rope_dimension_count(model.head_dim)
    if model.architecture in ("qwen3", "gemma3"):
        writer.add_key_length(model.head_dim)
        writer.add_value_length(model.head_dim)
    if model.architecture == "gemma3":
        writer.add_sliding_window(model.sliding_window)
    if model.rope_scaling in ("linear", "yarn"):
        writer.add_rope_scaling_type(RopeScalingType(model.rope_scaling))
        writer.add_rope_scaling_factor(4.0)
        writer.add_rope_scaling_orig_ctx_len(model.n_ctx // 4)
    for key, value in model.extra.items():
        _add_metadata(writer, key, value)


def _add_metadata(writer: GGUFWriter, key: str, value: int | float | str | bool) -> None:
    match value:
        case bool():
            writer.add_bool(key, value)
        case int():
            writer.add_uint32(key, value)
        case float():
            writer.add_float32(key, value)
        case str():
            writer.add_string(key, value)


def _add_vocab(writer: GGUFWriter, vocab: Vocab) -> None:
    writer.add_tokenizer_model(vocab.model)
    writer.add_tokenizer_pre(vocab.pre)
    writer.add_token_list([token.encode() for token in vocab.tokens])
    writer.add_token_types([int(kind) for kind in vocab.types])
    if vocab.scores:
        writer.add_token_scores(list(vocab.scores))
    if vocab.merges:
        writer.add_token_merges(list(vocab.merges))
    if vocab.bos is not None:
        writer.add_bos_token_id(vocab.bos)
    writer.add_eos_token_id(vocab.eos)
    writer.add_add_bos_token(vocab.bos is not None)


def _tensors(model: TinyModel, n_vocab: int) -> Iterator[tuple[str, NDArray[np.float32]]]:
    rng = np.random.default_rng(model.seed)
    q_dim, kv_dim = model.n_head * model.head_dim, model.n_head_kv * model.head_dim

    def weight(n_out: int, n_in: int, gain: float = 1.0) -> NDArray[np.float32]:
        return rng.normal(0, gain / np.sqrt(n_in), (n_out, n_in)).astype(np.float32)

    def near_one(n: int) -> NDArray[np.float32]:
        return rng.normal(1, 0.2, n).astype(np.float32)

    def bias(n: int) -> NDArray[np.float32]:
        return rng.normal(0, 0.5, n).astype(np.float32)

    # Gemma multiplies the embedding by sqrt(n_embd); a smaller one keeps its logits in the same range.
    embedding_gain = 1.0 if model.architecture == "gemma3" else np.sqrt(model.n_embd)
    yield "token_embd.weight", weight(n_vocab, model.n_embd, embedding_gain)
    if model.rope_scaling == "llama3":
        yield "rope_freqs.weight", llama3_factors(model)
    for i in range(model.n_layer):
        yield f"blk.{i}.attn_norm.weight", near_one(model.n_embd)
        # Gains above one make attention sharp enough for a wrong position or window to show.
        yield f"blk.{i}.attn_q.weight", weight(q_dim, model.n_embd, 1.5)
        yield f"blk.{i}.attn_k.weight", weight(kv_dim, model.n_embd, 1.5)
        yield f"blk.{i}.attn_v.weight", weight(kv_dim, model.n_embd)
        yield f"blk.{i}.attn_output.weight", weight(model.n_embd, q_dim)
        if model.architecture == "qwen2":
            for part, size in (("q", q_dim), ("k", kv_dim), ("v", kv_dim)):
                yield f"blk.{i}.attn_{part}.bias", bias(size)
        if model.architecture in ("qwen3", "gemma3"):
            yield f"blk.{i}.attn_q_norm.weight", near_one(model.head_dim)
            yield f"blk.{i}.attn_k_norm.weight", near_one(model.head_dim)
        if model.architecture == "gemma3":
            yield f"blk.{i}.post_attention_norm.weight", near_one(model.n_embd)
            yield f"blk.{i}.post_ffw_norm.weight", near_one(model.n_embd)
        yield f"blk.{i}.ffn_norm.weight", near_one(model.n_embd)
        yield f"blk.{i}.ffn_gate.weight", weight(model.n_ff, model.n_embd)
        yield f"blk.{i}.ffn_up.weight", weight(model.n_ff, model.n_embd)
        yield f"blk.{i}.ffn_down.weight", weight(model.n_embd, model.n_ff)
    yield "output_norm.weight", near_one(model.n_embd)
    if not model.tied:
        yield "output.weight", weight(n_vocab, model.n_embd)


def llama3_factors(
    model: TinyModel, factor: float = 8.0, low: float = 1.0, high: float = 4.0
) -> NDArray[np.float32]:
    """What converters store for Llama 3.1's rope scaling: each pair's frequency is divided by its factor.

    Frequencies of long wavelengths are divided by `factor`, short ones kept, those between blended (Llama 3.1
    model card, `rope_scaling` of type "llama3").
    """
    frequency = model.freq_base ** (-np.arange(0, model.head_dim, 2) / model.head_dim)
    original_context = model.n_ctx // 4
    turns = original_context * frequency / (2 * np.pi)
    blend = np.clip((turns - low) / (high - low), 0, 1)
    return (1 / ((1 - blend) / factor + blend)).astype(np.float32)
