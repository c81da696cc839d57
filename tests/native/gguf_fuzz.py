"""Properties of the GGUF reader on damaged input, as a program.

Any bytes either open or raise NativeError. What opens can be read to the end. Neither takes memory in
proportion to what a file claims. test_gguf.py runs it, so that a crash is a failed test.
"""

from __future__ import annotations

import importlib
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from longleaf._native import Gguf, NativeError
from tests.support.raw_gguf import sample

SPARE_BYTES = 32 << 20  # what reading a file of a few hundred bytes may take at most, with room for threads
SAMPLE = sample()
FILE = os.memfd_create("longleaf-fuzz")
quick = settings(
    max_examples=400, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)


@contextmanager
def little_memory() -> Iterator[None]:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + SPARE_BYTES, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def read_to_the_end(data: bytes) -> None:
    os.ftruncate(FILE, 0)
    os.pwrite(FILE, data, 0)
    with little_memory():
        try:
            file = Gguf(f"/proc/self/fd/{FILE}")
        except NativeError:
            return
        for key in file.keys():  # noqa: SIM118
            try:
                file.get(key)
            except NativeError as error:
                assert "array of array" in str(error) or "64-bit" in str(error), error
        for name, _, shape, _ in file.tensors():
            assert file.dequantize(name).shape == tuple(reversed(shape))


@quick
@given(st.binary(max_size=400))
def any_bytes(data: bytes) -> None:
    read_to_the_end(data)


@quick
@given(st.binary(max_size=400))
def any_bytes_after_a_sound_start(data: bytes) -> None:
    read_to_the_end(SAMPLE.data[:8] + data)


@quick
@given(st.lists(st.integers(0, SAMPLE.header_bytes * 8 - 1), min_size=1, max_size=4))
def flipped_bits(bits: list[int]) -> None:
    data = bytearray(SAMPLE.data)
    for bit in bits:
        data[bit // 8] ^= 1 << bit % 8
    read_to_the_end(bytes(data))


def every_single_bit() -> None:
    for bit in range(SAMPLE.header_bytes * 8):
        data = bytearray(SAMPLE.data)
        data[bit // 8] ^= 1 << bit % 8
        read_to_the_end(bytes(data))


@quick
@given(
    st.sampled_from(SAMPLE.boundaries),
    st.sampled_from([0, 1, 2**31, 2**32 - 1, 2**60, 2**61, 2**62, 2**63 - 1, 2**63, 2**64 - 1])
    | st.integers(0, 2**64 - 1),
    st.sampled_from([4, 8]),
)
def any_number_in_any_field(at: int, value: int, size: int) -> None:
    changed = (value % 2 ** (8 * size)).to_bytes(size, "little")
    read_to_the_end(SAMPLE.data[:at] + changed + SAMPLE.data[at + size :])


@quick
@given(st.sampled_from(SAMPLE.boundaries), st.sampled_from(SAMPLE.boundaries), st.binary(max_size=16))
def pieces_left_out_or_repeated(start: int, end: int, between: bytes) -> None:
    read_to_the_end(SAMPLE.data[:start] + between + SAMPLE.data[end:])


def main() -> None:
    importlib.import_module("numpy")  # is loaded at the first use of an array, and large
    for boundary in SAMPLE.boundaries:
        read_to_the_end(SAMPLE.data[:boundary])
    every_single_bit()
    for check in (
        any_bytes,
        any_bytes_after_a_sound_start,
        flipped_bits,
        any_number_in_any_field,
        pieces_left_out_or_repeated,
    ):
        check()
    print("all properties hold")


if __name__ == "__main__":
    main()
