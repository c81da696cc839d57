"""A small GGUF reader in Python, independent of the native one and quick on vocabularies of 262,144 tokens.

(The reader of the `gguf` package takes half a minute for Gemma.) It trusts the file: only for sound ones.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGMLQuantizationType, dequantize
from gguf.constants import GGML_QUANT_SIZES
from numpy.typing import NDArray

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}


@dataclass(frozen=True)
class StoredTensor:
    name: str
    kind: GGMLQuantizationType
    shape: tuple[int, ...]  # row length first, as in the file
    rows: NDArray[np.uint8]  # (rows, bytes of a row)

    def values(self, n_rows: int | None = None) -> NDArray[np.float32]:
        """The first rows (all by default) by the `gguf` package: (..., n_out, n_in)."""
        rows = self.rows[:n_rows]
        plain = {"F32": np.float32, "F16": np.float16}.get(self.kind.name)
        values = rows.view(plain) if plain else dequantize(rows, self.kind)
        shape = self.shape[::-1] if n_rows is None else values.shape
        return values.astype(np.float32).reshape(shape)


@dataclass(frozen=True)
class StoredModel:
    fields: dict[str, Any]
    metadata: bytes  # the fields as in the file
    tensors: dict[str, StoredTensor]


def read_gguf(path: str | Path) -> StoredModel:
    with Path(path).open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    at = 4

    def take(code: str) -> Any:
        nonlocal at
        (value,) = struct.unpack_from("<" + code, data, at)
        at += struct.calcsize(code)
        return value

    def text() -> str:
        nonlocal at
        length = take("Q")
        at += length
        return data[at - length : at].decode(errors="replace")

    def value(kind: int) -> Any:
        if kind == 8:
            return text()
        if kind == 9:
            element, count = take("I"), take("Q")
            return [value(element) for _ in range(count)]
        return take(_SCALARS[kind])

    take("I")  # version
    n_tensors, n_fields = take("Q"), take("Q")
    metadata_start = at
    fields = {text(): value(take("I")) for _ in range(n_fields)}
    metadata = data[metadata_start:at]
    described = [
        (text(), tuple(take("Q") for _ in range(take("I"))), GGMLQuantizationType(take("I")), take("Q"))
        for _ in range(n_tensors)
    ]
    start = at + -at % fields.get("general.alignment", 32)
    tensors = {}
    for name, shape, kind, offset in described:
        block_size, block_bytes = GGML_QUANT_SIZES[kind]
        row_bytes = shape[0] // block_size * block_bytes
        n_rows = int(np.prod(shape[1:]))
        rows = np.frombuffer(data, np.uint8, n_rows * row_bytes, start + offset).reshape(n_rows, row_bytes)
        tensors[name] = StoredTensor(name, kind, shape, rows)
    return StoredModel(fields, metadata, tensors)
