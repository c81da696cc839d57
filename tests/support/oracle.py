"""A plain NumPy forward pass for every architecture, the reference the native core is held against.

It shares nothing with the native code: the file is read and dequantized by the `gguf` package, the whole
sequence is computed at once and nothing is cached. Sources: Llama (arXiv 2302.13971), RoPE (2104.09864), YaRN
(2309.00071), Qwen2 (2407.10671), Qwen3 (2505.09388), Gemma 3 (2503.19786), and the key names of the GGUF
specification.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.support.gguf_read import read_gguf
from tests.support.kernel_sets import ROUNDING, brain, cut, is_float

Array = NDArray[Any]


@dataclass(frozen=True)
class Config:
    architecture: str
    n_layer: int
    n_embd: int
    n_head: int
    n_head_kv: int
    head_dim: int
    rope_dim: int
    norm_eps: float
    freq_base: float
    scaling: str  # none, linear or yarn
    scaling_factor: float
    original_context: int
    beta_fast: float
    beta_slow: float
    attn_factor: float
    window: int  # 0: every layer sees all positions
    window_pattern: int  # every layer whose number + 1 is a multiple of this sees all positions; 0: none does

    @property
    def interleaved_rope(self) -> bool:
        """Llama files hold Q and K rows permuted: a rotated pair is (2i, 2i + 1), not (i, i + n / 2)."""
        return self.architecture == "llama"

    @property
    def is_gemma(self) -> bool:
        return self.architecture == "gemma3"


class Oracle:
    """The model of a GGUF file. All arithmetic is in `dtype`: float32, or float64 to settle an argument.

    With `rounding`, what the kernel sets promise that round: quantized weights and what they multiply are
    bf16 numbers in every product but the head's, and so are queries, keys, values and their weights.
    """

    def __init__(
        self, path: str | Path, dtype: type[np.floating[Any]] = np.float32, *, rounding: bool = False
    ) -> None:
        stored = read_gguf(path)
        self.dtype: np.dtype[np.floating[Any]] = np.dtype(dtype)
        self.config = _config(stored.fields)
        self.weights: dict[str, Array] = {
            name: tensor.values().astype(self.dtype) for name, tensor in stored.tensors.items()
        }
        self.rounding = rounding
        self.rounded: dict[str, Array] = {
            name: cut(tensor.values())
            for name, tensor in stored.tensors.items()
            if rounding and not is_float(tensor.kind.name)
        }

    def logits(self, tokens: Sequence[int], last: int | None = None) -> Array:
        """(len(tokens), n_vocab): the scores of the token after each position, or after the `last` ones."""
        config = self.config
        x = self.weights["token_embd.weight"][np.asarray(tokens)]
        if config.is_gemma:
            x = x * self.dtype.type(np.sqrt(config.n_embd))
        for layer in range(config.n_layer):
            attended = self._attention(layer, self._norm(x, f"blk.{layer}.attn_norm"))
            if config.is_gemma:
                attended = self._norm(attended, f"blk.{layer}.post_attention_norm")
            x = x + attended
            fed = self._feed_forward(layer, self._norm(x, f"blk.{layer}.ffn_norm"))
            if config.is_gemma:
                fed = self._norm(fed, f"blk.{layer}.post_ffw_norm")
            x = x + fed
        x = self._norm(x if last is None else x[-last:], "output_norm")
        head = self.weights.get("output.weight", self.weights["token_embd.weight"])
        return x @ head.T

    def greedy(self, tokens: Sequence[int], n: int) -> list[int]:
        """The n most likely next tokens, one after the other."""
        sequence = list(tokens)
        for _ in range(n):
            sequence.append(int(self.logits(sequence, last=1)[-1].argmax()))
        return sequence[len(tokens) :]

    def _norm(self, x: Array, name: str) -> Array:
        """Root-mean-square norm over the last axis. (Gemma's files hold 1 + weight already.)"""
        scale = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + self.dtype.type(self.config.norm_eps))
        return x * scale * self.weights[f"{name}.weight"]

    def _linear(self, x: Array, name: str) -> Array:
        rounded = self.rounded.get(f"{name}.weight")
        if rounded is None:
            y = x @ self.weights[f"{name}.weight"].T
        else:
            y = (brain(x) @ rounded.T).astype(self.dtype)
        bias = self.weights.get(f"{name}.bias")
        return y if bias is None else y + bias

    def _feed_forward(self, layer: int, x: Array) -> Array:
        gate = self._linear(x, f"blk.{layer}.ffn_gate")
        activation = gelu_tanh if self.config.is_gemma else silu
        return self._linear(
            activation(gate) * self._linear(x, f"blk.{layer}.ffn_up"), f"blk.{layer}.ffn_down"
        )

    def _is_windowed(self, layer: int) -> bool:
        period = self.config.window_pattern
        return self.config.window > 0 and (period == 0 or (layer + 1) % period != 0)

    def first_layer(self, tokens: Sequence[int]) -> tuple[Array, Array, Array]:
        """Queries (tokens, n_head, head_dim), keys and values (tokens, n_head_kv, head_dim) of layer 0."""
        x = self.weights["token_embd.weight"][np.asarray(tokens)]
        if self.config.is_gemma:
            x = x * self.dtype.type(np.sqrt(self.config.n_embd))
        return self._projections(0, self._norm(x, "blk.0.attn_norm"))

    def _projections(self, layer: int, x: Array) -> tuple[Array, Array, Array]:
        config = self.config

        def heads(part: str, count: int) -> Array:
            y = self._linear(x, f"blk.{layer}.attn_{part}").reshape(len(x), count, config.head_dim)
            normed = f"blk.{layer}.attn_{part}_norm"
            return self._norm(y, normed) if f"{normed}.weight" in self.weights else y

        angles, magnitude = self._rope_angles(len(x), local=config.is_gemma and self._is_windowed(layer))
        q = self._rotate(heads("q", config.n_head), angles, magnitude)
        return q, self._rotate(heads("k", config.n_head_kv), angles, magnitude), heads("v", config.n_head_kv)

    def _attention(self, layer: int, x: Array) -> Array:
        config = self.config
        n = len(x)
        q, k, v = self._projections(layer, x)
        shared = config.n_head // config.n_head_kv  # query heads that use one KV head
        k, v = np.repeat(k, shared, axis=1), np.repeat(v, shared, axis=1)
        if self.rounding:
            q, k, v = brain(q), brain(k), brain(v)
        scores = np.einsum("qhd,khd->hqk", q, k) / self.dtype.type(np.sqrt(self._score_divisor()))
        distance = np.arange(n)[:, None] - np.arange(n)[None, :]
        visible = distance >= 0
        if self._is_windowed(layer):
            visible &= distance < config.window
        weights = softmax(np.where(visible, scores, -np.inf))
        mixed = np.einsum("hqk,khd->qhd", brain(weights) if self.rounding else weights, v).astype(self.dtype)
        return self._linear(mixed.reshape(n, -1), f"blk.{layer}.attn_output")

    def _score_divisor(self) -> float:
        """Gemma 3 27B (62 layers) scales by its width per head, all others by the head's size."""
        if self.config.is_gemma and self.config.n_layer == 62:
            return self.config.n_embd / self.config.n_head
        return self.config.head_dim

    def _rope_angles(self, n: int, local: bool) -> tuple[Array, float]:
        """Angles (n, rope_dim / 2) and the factor of the rotated vectors.

        Gemma 3's windowed layers are local: trained with base 10,000 and never scaled.
        """
        config = self.config
        base = 10000.0 if local else config.freq_base
        frequency = base ** (-np.arange(0, config.rope_dim, 2) / config.rope_dim)
        factors = self.weights.get("rope_freqs.weight")
        if factors is not None and not local:
            frequency = frequency / factors
        magnitude = config.attn_factor
        if config.scaling == "linear" and not local:
            frequency = frequency / config.scaling_factor
        elif config.scaling == "yarn" and not local:
            frequency, boost = yarn(frequency, config)
            magnitude *= boost
        return np.arange(n)[:, None] * frequency[None, :], magnitude

    def _rotate(self, x: Array, angles: Array, magnitude: float) -> Array:
        """Rotates the pairs of x (n, heads, head_dim) by the angles (n, rope_dim / 2)."""
        cos = (np.cos(angles) * magnitude).astype(self.dtype)[:, None, :]
        sin = (np.sin(angles) * magnitude).astype(self.dtype)[:, None, :]
        size = self.config.rope_dim
        if self.config.interleaved_rope:
            first, second = np.arange(0, size, 2), np.arange(1, size, 2)
        else:
            first, second = np.arange(size // 2), np.arange(size // 2, size)
        out = x.copy()
        out[..., first] = x[..., first] * cos - x[..., second] * sin
        out[..., second] = x[..., first] * sin + x[..., second] * cos
        return out


def expected_logits(
    path: Path, tokens: Sequence[int], isa: str, dtype: type[np.floating[Any]] = np.float32
) -> tuple[Array, float]:
    """The logits a kernel set should give, and how far its rounding may put them from those.

    Numbers near a tie are rounded by their last bits, and queries, keys and weights with other scales: two
    results of rounding may be twice as far from each other as from the exact one.
    """
    exact = Oracle(path, dtype).logits(tokens)
    if isa not in ROUNDING:
        return exact, 0.0
    rounded = Oracle(path, dtype, rounding=True).logits(tokens)
    return rounded, 2 * float(np.abs(rounded - exact).max())


def yarn(frequency: Array, config: Config) -> tuple[Array, float]:
    """NTK-by-parts (YaRN, section 3.2) and its attention factor (section 3.4).

    Pairs that turn more than beta_fast times within the original context keep their frequency, those that
    turn less than beta_slow times are interpolated. The border pairs are rounded outwards, as in the authors'
    code.
    """

    def pair_with_turns(turns: float) -> float:
        ratio = config.original_context / (turns * 2 * np.pi)
        return float(config.rope_dim * np.log(ratio) / (2 * np.log(config.freq_base)))

    low = max(np.floor(pair_with_turns(config.beta_fast)), 0)
    high = min(np.ceil(pair_with_turns(config.beta_slow)), config.rope_dim - 1)
    ramp = np.clip((np.arange(config.rope_dim // 2) - low) / max(high - low, 0.001), 0, 1)
    scaled = frequency / config.scaling_factor * ramp + frequency * (1 - ramp)
    return scaled, 0.1 * float(np.log(config.scaling_factor)) + 1 if config.scaling_factor > 1 else 1.0


def silu(x: Array) -> Array:
    return x / (1 + np.exp(-x))


def gelu_tanh(x: Array) -> Array:
    return 0.5 * x * (1 + np.tanh(x.dtype.type(np.sqrt(2 / np.pi)) * (x + 0.044715 * x * x * x)))


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def _config(fields: dict[str, Any]) -> Config:
    architecture = str(fields["general.architecture"])

    def get(key: str, default: Any = None) -> Any:
        name = f"{architecture}.{key}"
        return fields[name] if default is None else fields.get(name, default)

    n_embd, n_head = int(get("embedding_length")), int(get("attention.head_count"))
    head_dim = int(get("attention.key_length", n_embd // n_head))
    factor = float(get("rope.scaling.factor", 1.0))
    # A file with a factor and no type is from before there were types: linear.
    scaling = str(get("rope.scaling.type", "linear"))
    return Config(
        architecture=architecture,
        n_layer=int(get("block_count")),
        n_embd=n_embd,
        n_head=n_head,
        n_head_kv=int(get("attention.head_count_kv", n_head)),
        head_dim=head_dim,
        rope_dim=int(get("rope.dimension_count", head_dim)),
        norm_eps=float(get("attention.layer_norm_rms_epsilon")),
        freq_base=float(get("rope.freq_base", 10000.0)),
        scaling=scaling if factor != 1.0 else "none",
        scaling_factor=factor,
        original_context=int(get("rope.scaling.original_context_length", get("context_length"))),
        beta_fast=float(get("rope.scaling.yarn_beta_fast", 32.0)),
        beta_slow=float(get("rope.scaling.yarn_beta_slow", 1.0)),
        attn_factor=float(get("rope.scaling.attn_factor", 1.0)),
        window=int(get("attention.sliding_window", 0)) if architecture in ("gemma3", "llama") else 0,
        # Mistral 7B v0.1, a llama, sees a window in every layer.
        window_pattern=int(get("attention.sliding_window_pattern", 6)) if architecture == "gemma3" else 0,
    )
