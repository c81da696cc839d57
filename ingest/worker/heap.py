"""The C library's heap before a fork. Elsewhere than on Linux with glibc 2.33 or later nothing is done."""

from __future__ import annotations

import ctypes

_LARGEST = 1 << 16  # larger ones the C library may take from elsewhere
_SMALLEST = 1 << 5


class _Info(ctypes.Structure):
    """mallinfo2(3)."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in [
            "arena",
            "ordblks",
            "smblks",
            "hblks",
            "hblkhd",
            "usmblks",
            "fsmblks",
            "uordblks",
            "fordblks",
            "keepcost",
        ]
    ]


def fill_gaps() -> None:
    """Takes for good what is free between the memory in use.

    A child would be given it first, and has to copy each page of it that it touches. What comes from the end
    of the heap it need not copy.
    """
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "mallinfo2"):
        return
    libc.mallinfo2.restype = _Info
    libc.sbrk.argtypes, libc.sbrk.restype = (ctypes.c_ssize_t,), ctypes.c_void_p
    libc.malloc.argtypes, libc.malloc.restype = (ctypes.c_size_t,), ctypes.c_void_p
    end = libc.sbrk(0) - libc.mallinfo2().keepcost  # of what is in use: the rest is free to the end
    size = _LARGEST
    while size >= _SMALLEST:
        if (libc.malloc(size) or end) >= end:
            size //= 2
