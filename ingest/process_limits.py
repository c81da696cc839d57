"""What a worker process may use. Set by the worker on itself before it touches the file."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys

_PR_SET_PDEATHSIG = 1  # prctl(2)
_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def confine(memory: int) -> None:
    """Lets this process grow by `memory` bytes, open no file or socket from now on, and die with its parent.

    Descriptors that are open stay usable. Everything the process will import must be imported before.
    """
    limit = _address_space() + memory
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def die_with_parent() -> None:
    """Asks the kernel to end this process when the one that started it ends (Linux only)."""
    if _prctl is None:
        return
    parent = os.getppid()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _address_space() -> int:
    try:
        descriptor = os.open("/proc/self/statm", os.O_RDONLY)
    except OSError:
        return 1 << 30
    pages = int(os.read(descriptor, 100).split()[0])
    os.close(descriptor)
    return pages * resource.getpagesize()
