"""The GGUF reader: what it reads, and what it says to files that lie."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from longleaf import LongleafError
from longleaf._native import Gguf, NativeError
from tests.support.gguf_maker import ARCHITECTURES, tiny_model, write_model
from tests.support.raw_gguf import (
    ARRAY,
    BOOL,
    F32,
    I32,
    STRING,
    U8,
    U32,
    U64,
    Key,
    Raw,
    Tensor,
    array,
    raw_gguf,
    sample,
    scalar,
    text,
)
from tests.support.real_models import real_model

FOUR_FLOATS = struct.pack("<4f", 1.0, -2.0, 0.5, 3.0)


def opened(path: Path, raw: Raw | bytes) -> Gguf:
    path.write_bytes(raw if isinstance(raw, bytes) else raw.data)
    return Gguf(path)


def refusal(path: Path, raw: Raw | bytes) -> str:
    with pytest.raises(NativeError) as caught:
        opened(path, raw)
    message = str(caught.value)
    assert str(path) in message
    return message


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file.gguf"


def test_every_kind_of_value(path: Path) -> None:
    file = opened(path, sample())
    assert {key: file.get(key) for key in file.keys()} == {  # noqa: SIM118
        "general.architecture": "llama",
        "general.alignment": 64,
        "a.u8": 200,
        "a.i8": -5,
        "a.u16": 60000,
        "a.i16": -300,
        "a.i32": -70000,
        "a.f32": 1.5,
        "a.bool": True,
        "a.u64": 2**40,
        "a.i64": -(2**40),
        "a.f64": 0.1,
        "a.bytes": "�\0x",
        "a.strings": ["one", "", "zwölf"],
        "a.floats": [0.5, -2.0],
        "a.ints": [-1, 7],
        "a.bools": [False, True],
        "a.empty": [],
    }
    assert file.get("absent") is None
    assert file.tensors() == [
        ("f32", "F32", (4, 2), 32),
        ("q8", "Q8_0", (32, 2), 68),
        ("q4k", "Q4_K", (256,), 144),
    ]
    assert file.dequantize("f32").shape == (2, 4)
    with pytest.raises(NativeError, match="no tensor"):
        file.dequantize("absent")


def test_version_2_is_read(path: Path) -> None:
    raw = raw_gguf([Key(b"a", U8, b"\1")], version=struct.pack("<I", 2))
    assert opened(path, raw).get("a") == 1


def test_errors_are_ours() -> None:
    assert issubclass(NativeError, LongleafError)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (raw_gguf(magic=b"PK\3\4"), 'byte 0: not a GGUF file: it starts with "PK'),
        (raw_gguf(version=struct.pack(">I", 3)), "byte 4: a big-endian GGUF file"),
        (raw_gguf(version=struct.pack("<I", 1)), "byte 4: GGUF version 1 is no longer read"),
        (raw_gguf(version=struct.pack("<I", 0)), "GGUF version 0 is unknown"),
        (raw_gguf(version=struct.pack("<I", 4)), "GGUF version 4 is unknown"),
        (raw_gguf(n_keys=2**63), "byte 16: the header claims 9223372036854775808 metadata keys"),
        (raw_gguf(n_tensors=2**63), "byte 8: the header claims 9223372036854775808 tensors"),
        (raw_gguf(n_keys=3), "claims 3 metadata keys, more than fit"),
        (raw_gguf([Key(b"a", 13, b"\0" * 8)]), "byte 33: the type of a metadata value 13 is unknown"),
        (raw_gguf([Key(b"", U8, b"\0")], alignment=64), "byte 24: a metadata key is empty"),
        (raw_gguf([Key(b"k\xc0\x80", U8, b"\0")]), r'a metadata key "k\xc0\x80" is not UTF-8'),
        (raw_gguf([Key(b"k" * 65536, U8, b"\0")]), "has 65536 bytes, the limit is 65535"),
        (raw_gguf([Key(b"a", U8, b"\0"), Key(b"a", U8, b"\0")]), 'metadata key "a" is there twice'),
        (raw_gguf([Key(b"a", BOOL, b"\2")]), 'byte 37: the value of "a" is neither true nor false'),
        (raw_gguf([Key(b"a", STRING, text(b"x", 2**64 - 1))]), "the file ends inside a metadata string"),
        (raw_gguf([Key(b"a", STRING, text(b"x", 1000))]), "1000 bytes expected"),
        (raw_gguf([Key(b"a", ARRAY, array(U64, [], 2**61))]), "claims 2305843009213693952 elements"),
        (raw_gguf([Key(b"a", ARRAY, array(STRING, [], 2**60))]), "claims 1152921504606846976 elements"),
        (raw_gguf([Key(b"a", ARRAY, array(ARRAY, [], 2**60))]), "claims 1152921504606846976 elements"),
        (raw_gguf([Key(b"a", ARRAY, array(99, []))]), "the element type of a metadata array 99 is unknown"),
        (
            raw_gguf([Key(b"a", ARRAY, array(ARRAY, [array(ARRAY, [array(ARRAY, [array(ARRAY, [])])])]))]),
            None,
        ),
        (
            raw_gguf([Key(b"a", ARRAY, b"".join(array(ARRAY, [], 1) for _ in range(1000)))], alignment=64),
            "nested too deeply",
        ),
        (raw_gguf([Key(b"general.alignment", U32, scalar(U32, 0))]), "not a positive multiple of 8"),
        (raw_gguf([Key(b"general.alignment", U32, scalar(U32, 12))]), "not a positive multiple of 8"),
        (
            raw_gguf([Key(b"general.alignment", F32, scalar(F32, 32))]),
            "has the type float32, expected an integer",
        ),
        (
            raw_gguf(
                [Key(b"general.alignment", U32, scalar(U32, 2**31))], [Tensor(b"t", (4,), 0, 0)], FOUR_FLOATS
            ),
            "the file ends before its tensor data",
        ),
    ],
)
def test_unsound_metadata(path: Path, raw: Raw, message: str | None) -> None:
    if message is None:
        assert opened(path, raw).keys() == ["a"]
    else:
        assert message in refusal(path, raw)


@pytest.mark.parametrize(
    ("tensors", "message"),
    [
        ([Tensor(b"t", (4,), 0, 0)], None),
        ([Tensor(b"t", (), 0, 0, n_dims=0)], "has 0 dimensions"),
        ([Tensor(b"t", (4, 1, 1, 1, 1), 0, 0)], "has 5 dimensions, expected 1 to 4"),
        ([Tensor(b"t", (4,), 0, 0, n_dims=2**32 - 1)], "has 4294967295 dimensions"),
        ([Tensor(b"t", (4, 0), 0, 0)], "has a dimension of 0"),
        ([Tensor(b"t", (2**32, 2**32), 0, 0)], "more values than can be counted"),
        ([Tensor(b"t", (2**62,), 0, 0)], "more bytes than can be counted"),
        ([Tensor(b"t", (2**60,), 0, 0)], "but the file has"),
        ([Tensor(b"t", (5,), 0, 0)], 'tensor "t" needs 20 bytes'),
        ([Tensor(b"t", (4,), 0, 2**64 - 32)], "but the file has"),
        ([Tensor(b"t", (1,), 0, 8)], "not a multiple of the alignment 32"),
        ([Tensor(b"t", (31,), 8, 0)], "not a multiple of the 32 in a block of Q8_0"),
        ([Tensor(b"t", (128,), 12, 0)], "not a multiple of the 256 in a block of Q4_K"),
        ([Tensor(b"t", (4,), 23, 0)], "type 23 (IQ4_XS), which Longleaf does not read"),
        ([Tensor(b"t", (4,), 4, 0)], "type 4 (unknown)"),
        ([Tensor(b"t", (4,), 2**32 - 1, 0)], "type 4294967295"),
        ([Tensor(b"t", (2,), 0, 0), Tensor(b"u", (2,), 0, 0)], 'tensor "u" overlaps tensor "t"'),
        ([Tensor(b"t" * 65, (4,), 0, 0)], "has 65 bytes, the limit is 64"),
        ([Tensor(b"t\xff", (4,), 0, 0)], r'"t\xff" is not UTF-8'),
        ([Tensor(b"", (4,), 0, 0)], "a tensor name is empty"),
    ],
)
def test_unsound_tensors(path: Path, tensors: list[Tensor], message: str | None) -> None:
    raw = raw_gguf(tensors=tensors, data=FOUR_FLOATS)
    if message is None:
        assert opened(path, raw).dequantize("t").tolist() == [1.0, -2.0, 0.5, 3.0]
    else:
        assert message in refusal(path, raw)


def test_tensor_named_twice(path: Path) -> None:
    raw = raw_gguf(tensors=[Tensor(b"t", (4,), 0, 0), Tensor(b"t", (4,), 0, 32)], data=FOUR_FLOATS * 3)
    assert 'tensor "t" is there twice' in refusal(path, raw)


def test_cut_at_every_byte_of_the_header_and_every_tensor(path: Path) -> None:
    raw = sample()
    assert len(opened(path, raw).tensors()) == 3
    for length in range(raw.header_bytes):
        refusal(path, raw.data[:length])
    for length in (raw.header_bytes, raw.header_bytes + 100, len(raw.data) - 1):
        assert "but the file has" in refusal(path, raw.data[:length])


def test_what_is_not_a_file(tmp_path: Path) -> None:
    fifo, empty = tmp_path / "fifo", tmp_path / "empty.gguf"
    os.mkfifo(fifo)
    empty.touch()
    for path, message in [
        (tmp_path, "is a directory"),
        (tmp_path / "absent.gguf", "No such file"),
        (fifo, "not a regular file"),
        (Path("/dev/zero"), "not a regular file"),
        (empty, "is empty"),
    ]:
        with pytest.raises(NativeError, match=message):
            Gguf(path)


def test_names_that_cannot_be_printed_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"bad\xff\nname.gguf")
    path.write_bytes(b"nonsense")
    with pytest.raises(NativeError, match=r"bad\\xff\\x0aname.gguf"):
        Gguf(path)
    path.write_bytes(sample().data)
    assert Gguf(path).path == path


def test_nested_arrays_are_kept_but_not_converted(path: Path) -> None:
    nested = array(ARRAY, [array(I32, [scalar(I32, 1)])])
    file = opened(path, raw_gguf([Key(b"nested", ARRAY, nested), Key(b"after", U8, b"\5")]))
    assert file.get("after") == 5
    with pytest.raises(NativeError, match="array of array"):
        file.get("nested")


def test_a_number_too_large_for_its_use_is_named(path: Path) -> None:
    file = opened(path, raw_gguf([Key(b"huge", U64, scalar(U64, 2**64 - 1))]))
    with pytest.raises(NativeError, match='"huge" is larger than a signed 64-bit integer'):
        file.get("huge")


def test_a_file_cut_short_while_open_is_an_error_not_a_crash(path: Path) -> None:
    write_model(path, tiny_model("llama"))
    file = Gguf(path)
    os.truncate(path, 4096)
    for name, *_ in file.tensors():
        if name == "token_embd.weight":
            with pytest.raises(NativeError, match="cut short while it was in use"):
                file.dequantize(name)
    other = path.with_name("other.gguf")
    write_model(other, tiny_model("llama"))
    assert Gguf(other).dequantize("output_norm.weight").shape == (128,)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_models_of_the_writer_are_read(path: Path, architecture: str) -> None:
    file = Gguf(write_model(path, tiny_model(architecture)))
    assert file.get("general.architecture") == architecture
    assert len(file.get("tokenizer.ggml.tokens")) == file.get(f"{architecture}.vocab_size")


@pytest.mark.parametrize("name", ["gemma-3-270m", "smollm2-135m-instruct"])
def test_real_vocabulary(name: str) -> None:
    file = Gguf(real_model(name).path)
    tokens = file.get("tokenizer.ggml.tokens")
    assert len(tokens) == {"gemma-3-270m": 262144, "smollm2-135m-instruct": 49152}[name]
    assert all(isinstance(token, str) for token in tokens)


def test_random_and_damaged_files_in_bounded_memory() -> None:
    """In a process of its own, so that a crash or a large allocation is seen and does no harm."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.native.gguf_fuzz"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all properties hold" in done.stdout
