"""The weights of a BERT encoder out of an ONNX file: what embedder.py hands to the native encoder.

Only the parts of ONNX's protobuf that hold weights are read (fields of ModelProto, GraphProto, NodeProto and
TensorProto, https://github.com/onnx/onnx/blob/main/onnx/onnx.proto), every length checked. A weight is known
by the bias that is added to its product, as exporters keep the names of biases but not those of weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longleaf import LongleafError

_TYPES: dict[int, np.dtype[Any]] = {1: np.dtype("<f4"), 3: np.dtype("i1"), 7: np.dtype("<i8")}
_EPSILON = 1e-12  # of BERT's layer norms
_HEAD_WIDTH = 32
_PARTS = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "attention_out",
    "intermediate.dense": "up",
    "output.dense": "down",
    "attention.output.LayerNorm": "attention_norm",
    "output.LayerNorm": "out_norm",
}
Tensors = dict[str, NDArray[np.float32] | NDArray[np.int8]]


class OnnxError(LongleafError):
    """An ONNX file that is damaged or is not an int8 BERT."""


@dataclass(frozen=True, slots=True)
class BertWeights:
    tensors: Tensors
    heads: int
    layers: int
    inner: int
    epsilon: float = _EPSILON


@dataclass(frozen=True, slots=True)
class _Node:
    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def read_bert(path: Path) -> BertWeights:
    """Raises OnnxError naming what is missing or damaged, OSError if the file cannot be read."""
    return parse_bert(memoryview(path.read_bytes()), str(path))


def parse_bert(data: memoryview, name: str) -> BertWeights:
    """The weights in an ONNX file's bytes; `name` is for errors. Raises OnnxError."""
    try:
        graph = next(
            value for number, value in _fields(data) if number == 7 and isinstance(value, memoryview)
        )
        parts = [(number, value) for number, value in _fields(graph) if isinstance(value, memoryview)]
        nodes = [_node(value) for number, value in parts if number == 1]
        return _weights(nodes, dict(_tensor(value) for number, value in parts if number == 5))
    except (ValueError, KeyError, IndexError, StopIteration, OverflowError, MemoryError) as error:
        raise OnnxError(f"{name} is not an int8 BERT in ONNX ({error!r})") from error


def _weights(nodes: list[_Node], values: dict[str, NDArray[np.generic]]) -> BertWeights:
    prefix = next(name for name in values if name.endswith("embeddings.LayerNorm.weight"))
    prefix = prefix[: -len("embeddings.LayerNorm.weight")]

    def float32(name: str) -> NDArray[np.float32]:
        return np.ascontiguousarray(values[name], np.float32)

    embeddings = f"{prefix}embeddings."
    positions = f"{embeddings}position_embeddings.weight"
    tensors: Tensors = {
        "words": np.ascontiguousarray(values[f"{embeddings}word_embeddings.weight_q"], np.int8),
        "word_scales": float32(f"{embeddings}word_embeddings.weight_scale").reshape(-1),
        "positions": float32(f"{positions}_q") * float32(f"{positions}_scale")
        + float32(f"{embeddings}token_type_embeddings.weight")[0],
        "norm.weight": float32(f"{embeddings}LayerNorm.weight"),
        "norm.bias": float32(f"{embeddings}LayerNorm.bias"),
    }
    added = {name: node for node in nodes if node.kind == "Add" for name in node.inputs}
    layers = 0
    for node in nodes:
        if node.kind == "MatMul" and f"{node.inputs[1]}_q" in values:
            bias = next(name for name in added[node.outputs[0]].inputs if name in values)
            layer, part = _place(bias.removesuffix(".bias"), prefix)
            name = f"layers.{layer}.{part}"
            tensors[f"{name}.weight"] = np.ascontiguousarray(values[f"{node.inputs[1]}_q"], np.int8)
            tensors[f"{name}.scale"] = float32(f"{node.inputs[1]}_scale").reshape(-1)
            tensors[f"{name}.bias"] = float32(bias)
            layers = max(layers, layer + 1)
    for name in values:
        if name.startswith(f"{prefix}encoder.") and ".LayerNorm." in name:
            stem, _, kind = name.rpartition(".")
            layer, part = _place(stem, prefix)
            tensors[f"layers.{layer}.{part}.{kind}"] = float32(name)
    width = tensors["words"].shape[1]
    inner = tensors["layers.0.up.bias"].shape[0]
    return BertWeights(tensors, width // _HEAD_WIDTH, layers, inner)


def _place(name: str, prefix: str) -> tuple[int, str]:
    found = re.fullmatch(r"encoder\.layer\.(\d{1,3})\.(.+)", name.removeprefix(prefix))
    if not found:
        raise ValueError(f"{name} is no part of a layer")
    return int(found[1]), _PARTS[found[2]]


def _fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """(number, value) of each field of a protobuf message; groups do not occur in ONNX."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        wire = key & 7
        if wire == 0:
            value, at = _varint(data, at)
            yield key >> 3, value
            continue
        if wire == 2:
            size, at = _varint(data, at)
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
        else:
            raise ValueError(f"wire type {wire}")
        if size > len(data) - at:
            raise ValueError("a field is longer than what it is in")
        yield key >> 3, data[at : at + size]
        at += size


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
    raise ValueError("a number has no end")


def _node(data: memoryview) -> _Node:
    texts: dict[int, list[str]] = {1: [], 2: [], 4: []}
    for number, value in _fields(data):
        if number in texts and isinstance(value, memoryview):
            texts[number].append(bytes(value).decode())
    return _Node("".join(texts[4]), tuple(texts[1]), tuple(texts[2]))


def _tensor(data: memoryview) -> tuple[str, NDArray[np.generic]]:
    """Name and values of a tensor kept as raw bytes; others, and other types, come empty."""
    name, kind, shape, raw = "", 0, list[int](), memoryview(b"")
    for number, value in _fields(data):
        if number == 1:
            shape += [value] if isinstance(value, int) else _packed(value)
        elif number == 2 and isinstance(value, int):
            kind = value
        elif number == 8 and isinstance(value, memoryview):
            name = bytes(value).decode()
        elif number == 9 and isinstance(value, memoryview):
            raw = value
    if kind not in _TYPES:
        return name, np.empty(0)
    return name, np.frombuffer(raw, _TYPES[kind]).reshape(shape)


def _packed(data: memoryview) -> list[int]:
    numbers, at = [], 0
    while at < len(data):
        number, at = _varint(data, at)
        numbers.append(number)
    return numbers
