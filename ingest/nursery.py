"""The process that workers are forked from. It has imported what they need, so one starts in milliseconds.

Started once a process by `processes`, which sends an order (a JSON list: role, then arguments) with three
descriptors: the file, requests to the worker, its answers. The answer is a pidfd of the worker. The nursery
reads no file itself. It ends when its socket does, or when it had nothing to do for a while; a worker ends
with it.
"""

from __future__ import annotations

import contextlib
import gc
import json
import logging
import os
import signal
import socket
import sys
from typing import Any

from . import limits, warm, worker

_IDLE = 300.0  # seconds


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    control.settimeout(_IDLE)
    logging.disable(logging.CRITICAL)
    signal.signal(signal.SIGCHLD, _reap)
    ready: set[str] = set()
    while True:
        try:
            order, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 3)
        except TimeoutError:
            if _has_workers():
                continue
            break
        if not order:
            break
        role, *arguments = json.loads(order)
        _prepare(role, ready)
        # A worker that ends at once must not be reaped before its pidfd is open.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        child = os.fork()
        if not child:
            _work(control, role, descriptors, arguments)
        pidfd = os.pidfd_open(child)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        for descriptor in descriptors:
            os.close(descriptor)
        socket.send_fds(control, [b"started"], [pidfd])
        os.close(pidfd)
    os._exit(0)


def _prepare(role: str, ready: set[str]) -> None:
    if role in ready:
        return
    ready.add(role)
    if role == "pages":
        warm.pages()
    # What is there stays there: a worker's collector neither looks at it nor copies its memory.
    gc.collect()
    gc.freeze()


def _work(control: socket.socket, role: str, descriptors: list[int], arguments: list[str]) -> None:
    try:
        limits.die_with_parent()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        control.close()
        file, requests, answers = descriptors
        worker.run(role, file, requests, answers, *arguments)
    finally:
        os._exit(1)  # never back into the nursery's loop, whatever was raised


def _reap(*_: Any) -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _has_workers() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True
