"""The bytes of pages of codes, read in NumPy by what native/kv/page_format.h and key_basis.h say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from longleaf import _native
from tests.support.gguf_maker import tiny_model, write_model
from tests.support.oracle import Oracle

PAGE = 64
Array = NDArray[np.float64]
Bytes = NDArray[np.uint8]


LEVELS = np.array([-63, -48, -37, -29, -22, -15, -9, -3, 3, 9, 15, 22, 29, 37, 48, 63])


def groups(kv_type: str, keys: bool, dims: int) -> list[tuple[int, int, bool]]:
    """(first, end, whether codes are a byte) of every group of dimensions."""
    if kv_type == "q8":
        return [(at, min(at + 32, dims), True) for at in range(0, dims, 32)]
    fine = dims // 8 // 4 * 4 if keys and dims > 64 else 0
    end = dims if keys else -(-dims // 32) * 32
    rest = [(at, min(at + 32, end), False) for at in range(fine, end, 32)]
    return [(0, fine, True), *rest] if fine else rest


def read_part(data: Bytes, kv_type: str, keys: bool, dims: int) -> tuple[Array, int]:
    """(64 tokens, dims) and the bytes they take."""
    parts = groups(kv_type, keys, dims)
    fine = sum(end - first for first, end, is_fine in parts if is_fine) if keys else 0
    end = parts[-1][1]
    levels = np.empty((PAGE, end))
    if keys:
        panel_bytes = fine * 16 + (end - fine) * 8
        codes = data[: 4 * panel_bytes].reshape(4, panel_bytes)
        for panel in range(4):
            wide = codes[panel, : fine * 16].view(np.int8).reshape(-1, 16, 2)
            levels[16 * panel : 16 * panel + 16, :fine] = wide.transpose(1, 0, 2).reshape(16, -1)
            narrow = codes[panel, fine * 16 :].reshape(-1, 16, 2)
            rows = np.concatenate([narrow & 15, narrow >> 4], axis=2)  # 4 i, 4 i + 1, 4 i + 2, 4 i + 3
            levels[16 * panel : 16 * panel + 16, fine:] = LEVELS[rows.transpose(1, 0, 2).reshape(16, -1)]
        used = codes.size
    elif kv_type == "q8":
        codes = data[: PAGE * dims].view(np.int8).reshape(-1, PAGE // 2, 16, 2)
        levels[:] = codes.transpose(1, 3, 0, 2).reshape(PAGE, end)
        used = codes.size
    else:
        codes = data[: PAGE * end // 2].reshape(-1, 1, PAGE // 2, 16, 2)
        pairs = np.concatenate([codes & 15, codes >> 4], axis=1)
        levels[:] = LEVELS[pairs.transpose(2, 4, 0, 1, 3).reshape(PAGE, end)]
        used = codes.size
    bytes_each = (len(parts) + 1) // 2
    packed = data[used : used + bytes_each * PAGE]
    used += packed.size
    by_token = (
        packed.reshape(4, bytes_each, 16).transpose(0, 2, 1).reshape(PAGE, -1)
        if keys
        else packed.reshape(bytes_each, PAGE).T
    )
    multipliers = np.stack([by_token & 15, by_token >> 4], axis=2).reshape(PAGE, -1)
    for index, (first, last, _) in enumerate(parts):
        levels[:, first:last] *= multipliers[:, index, None]
    scales = (data[used : used + 2 * PAGE].view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return (levels * scales[:, None])[:, :dims], used + 2 * PAGE


def block_of(n: int) -> int:
    return n & -n


def rotated(x: Array) -> Array:
    """By the Walsh-Hadamard matrix of the largest power of two that divides the last axis."""
    n = x.shape[-1]
    matrix = np.ones((1, 1))
    while len(matrix) < block_of(n):
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return ((x.reshape(-1, len(matrix)) @ matrix) / np.sqrt(len(matrix))).reshape(x.shape)


def in_basis(keys: Array, some_queries: Array, some_keys: Array, fine: int, even: float) -> Array:
    """Keys (tokens, dims) as pages hold them; the basis comes of some queries (n, heads, dims) and keys."""
    dims = keys.shape[1]

    def energy(x: Array) -> Array:
        squares = (x.reshape(-1, dims) ** 2).sum(axis=0)
        even = np.tile((squares[: dims // 2] + squares[dims // 2 :]) / 2, 2)
        return np.maximum(even, 1e-4 * even.mean())

    of_queries, of_keys = energy(some_queries), energy(some_keys)
    falling = np.argsort(-of_queries * of_keys, kind="stable")
    shrunk = keys * of_queries ** (0.5 - even) / of_keys**even

    def dealt(order: NDArray[np.intp]) -> Array:
        """Spread over the blocks that are rotated, then rotated."""
        blocks = len(order) // block_of(len(order))
        return rotated(shrunk[:, np.concatenate([order[block::blocks] for block in range(blocks)])])

    parts = [part for part in (falling[:fine], falling[fine:]) if len(part)]
    return np.concatenate([dealt(part) for part in parts], axis=1)


@pytest.mark.parametrize(("kv_type", "noise"), [("q8", 0.008), ("q4", 0.11)])
@pytest.mark.parametrize(
    ("head_dim", "n_head", "n_head_kv"), [(64, 4, 2), (80, 2, 2), (128, 2, 1), (256, 4, 1)]
)
def test_pages_hold_the_keys_and_values_of_the_oracle(
    tmp_path: Path, kv_type: str, noise: float, head_dim: int, n_head: int, n_head_kv: int
) -> None:
    shape = {"head_dim": head_dim, "n_head": n_head, "n_head_kv": n_head_kv}
    path = write_model(tmp_path / "m.gguf", tiny_model("qwen3", "F32", n_layer=1, **shape))
    oracle = Oracle(path, np.float64)
    n_vocab = len(oracle.weights["token_embd.weight"])
    spread = [index * 2654435761 % n_vocab for index in range(512)]
    measured_q, measured_k, _ = (each[1:] for each in oracle.first_layer(spread))
    tokens = [int(token) for token in np.random.default_rng(3).integers(5, 280, 100)]
    _, keys, values = oracle.first_layer(tokens)

    model = _native.Model(_native.Gguf(path), threads=2, kv_type_k=kv_type, kv_type_v=kv_type)
    sequence = model.new_sequence()
    model.forward([(sequence, tokens, 1)])
    group = n_head // n_head_kv
    even = {"q8": 0.25, "q4": 0.38}[kv_type]
    fine = groups(kv_type, True, head_dim)[0][1] if kv_type == "q4" and head_dim > 64 else 0
    for _, block, page in model.export_pages(sequence):
        data, at = np.frombuffer(page, np.uint8), 0
        here = slice(PAGE * block, min(PAGE * block + PAGE, len(tokens)))
        for head in range(n_head_kv):
            of_group = measured_q[:, head * group : (head + 1) * group] / np.sqrt(head_dim)
            for is_keys, expected in (
                (True, in_basis(keys[here, head], of_group, measured_k[:, head], fine, even)),
                (False, rotated(values[here, head])),
            ):
                stored, used = read_part(data[at:], kv_type, is_keys, head_dim)
                at += used
                error = np.linalg.norm(stored[: len(expected)] - expected) / np.linalg.norm(expected)
                assert noise / 30 < error < noise, (block, head, is_keys)
        assert at == len(data)
