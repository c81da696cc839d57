"""GGUF files byte by byte, sound or not, with the place of every field."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

U8, I8, U16, I16, U32, I32, F32, BOOL, STRING, ARRAY, U64, I64, F64 = range(13)
_PACKED = {U8: "<B", I8: "<b", U16: "<H", I16: "<h", U32: "<I", I32: "<i", F32: "<f", BOOL: "<B"}
_PACKED |= {U64: "<Q", I64: "<q", F64: "<d"}


@dataclass(frozen=True)
class Key:
    name: bytes
    type: int
    value: bytes  # as in the file


@dataclass(frozen=True)
class Tensor:
    name: bytes
    shape: tuple[int, ...]
    type: int
    offset: int
    n_dims: int | None = None  # what the file claims, if not the truth


@dataclass(frozen=True)
class Raw:
    data: bytes
    boundaries: tuple[int, ...]  # byte positions where a field starts
    header_bytes: int  # bytes before the tensor data


def scalar(kind: int, value: float) -> bytes:
    return struct.pack(_PACKED[kind], value)


def text(value: bytes, length: int | None = None) -> bytes:
    return struct.pack("<Q", len(value) if length is None else length) + value


def array(kind: int, items: Sequence[bytes], count: int | None = None) -> bytes:
    return struct.pack("<IQ", kind, len(items) if count is None else count) + b"".join(items)


def raw_gguf(
    keys: Sequence[Key] = (),
    tensors: Sequence[Tensor] = (),
    data: bytes = b"",
    *,
    magic: bytes = b"GGUF",
    version: bytes = struct.pack("<I", 3),
    n_keys: int | None = None,
    n_tensors: int | None = None,
    alignment: int = 32,
) -> Raw:
    fields = [
        magic,
        version,
        struct.pack("<Q", len(tensors) if n_tensors is None else n_tensors),
        struct.pack("<Q", len(keys) if n_keys is None else n_keys),
    ]
    for key in keys:
        fields += [text(key.name)[:8], key.name, struct.pack("<I", key.type), key.value]
    for tensor in tensors:
        n_dims = len(tensor.shape) if tensor.n_dims is None else tensor.n_dims
        fields += [text(tensor.name)[:8], tensor.name, struct.pack("<I", n_dims)]
        fields += [struct.pack("<Q", size) for size in tensor.shape]
        fields += [struct.pack("<I", tensor.type), struct.pack("<Q", tensor.offset)]
    fields.append(b"\0" * (-sum(map(len, fields)) % alignment))
    header = sum(map(len, fields))
    if data:
        fields.append(data)
    starts = [0]
    for part in fields:
        starts.append(starts[-1] + len(part))
    return Raw(b"".join(fields), tuple(sorted(set(starts))), header)


def sample() -> Raw:
    """A sound file with every value type and several tensors."""
    keys = [
        Key(b"general.architecture", STRING, text(b"llama")),
        Key(b"general.alignment", U32, scalar(U32, 64)),
        Key(b"a.u8", U8, scalar(U8, 200)),
        Key(b"a.i8", I8, scalar(I8, -5)),
        Key(b"a.u16", U16, scalar(U16, 60000)),
        Key(b"a.i16", I16, scalar(I16, -300)),
        Key(b"a.i32", I32, scalar(I32, -70000)),
        Key(b"a.f32", F32, scalar(F32, 1.5)),
        Key(b"a.bool", BOOL, scalar(BOOL, 1)),
        Key(b"a.u64", U64, scalar(U64, 2**40)),
        Key(b"a.i64", I64, scalar(I64, -(2**40))),
        Key(b"a.f64", F64, scalar(F64, 0.1)),
        Key(b"a.bytes", STRING, text(b"\xff\x00x")),
        Key(b"a.strings", ARRAY, array(STRING, [text(b"one"), text(b""), text("zwölf".encode())])),
        Key(b"a.floats", ARRAY, array(F32, [scalar(F32, 0.5), scalar(F32, -2.0)])),
        Key(b"a.ints", ARRAY, array(I32, [scalar(I32, -1), scalar(I32, 7)])),
        Key(b"a.bools", ARRAY, array(BOOL, [scalar(BOOL, 0), scalar(BOOL, 1)])),
        Key(b"a.empty", ARRAY, array(U8, [])),
    ]
    tensors = [
        Tensor(b"f32", (4, 2), 0, 0),
        Tensor(b"q8", (32, 2), 8, 64),
        Tensor(b"q4k", (256,), 12, 192),
    ]
    data = bytes(range(256)) * 2
    return raw_gguf(keys, tensors, data[: 192 + 144], alignment=64)
