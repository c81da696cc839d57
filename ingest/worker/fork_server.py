"""The process that workers are forked from. It has imported what they need, so one starts in milliseconds.

Started once a process by `processes`, which sends an order (a JSON list: role, then arguments) with three
descriptors: the file, requests to the worker, its answers. The answer is a pidfd of the worker. This process
reads no file itself. It ends when its socket does, or when it had nothing to do for a while; a worker ends
with it.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import select
import socket
import sys

from longleaf.ingest import process_limits
from longleaf.ingest.worker import process, warm_up
from longleaf.ingest.worker.heap import fill_gaps

_IDLE = 300_000  # milliseconds
_TIMES = 10  # Python takes functions for hot, and makes their code faster, after eight calls
# The C library's fork. Python's own also runs what modules want done in a child (`threading`, `random`, both
# imported by others and not used here): half a millisecond and a copy of 200 pages for each worker.
_fork = ctypes.PyDLL(None).fork


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    waiting = select.poll()
    waiting.register(control, select.POLLIN)
    workers: set[int] = set()  # a pidfd each
    orders: dict[str, int] = {}
    while (events := waiting.poll(_IDLE)) or workers:
        for pidfd in workers & {descriptor for descriptor, _ in events}:
            os.waitid(os.P_PIDFD, pidfd, os.WEXITED)
            waiting.unregister(pidfd)
            workers.remove(pidfd)
            os.close(pidfd)
        if any(descriptor == control.fileno() for descriptor, _ in events):
            order, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 3)
            if not order:
                break
            role, *arguments = json.loads(order)
            orders[role] = orders.get(role, 0) + 1
            _prepare(role, orders[role])
            child = _fork()
            if not child:
                _work([control.fileno(), *workers], role, descriptors, arguments)
            pidfd = os.pidfd_open(child)
            workers.add(pidfd)
            waiting.register(pidfd, select.POLLIN)
            for descriptor in descriptors:
                os.close(descriptor)
            socket.send_fds(control, [b"started"], [pidfd])
    os._exit(0)


def _prepare(role: str, order: int) -> None:
    """Before the first worker of a role, and more before the second, which only pays if there are many."""
    if order > 2:
        return
    if role == "pages":
        warm_up.pages(_TIMES if order > 1 else 1)
    # What is there stays there: a worker's collector neither looks at it nor copies its memory.
    gc.collect()
    gc.freeze()
    fill_gaps()


def _work(not_mine: list[int], role: str, descriptors: list[int], arguments: list[str]) -> None:
    try:
        process_limits.die_with_parent()
        for descriptor in not_mine:
            os.close(descriptor)
        file, requests, answers = descriptors
        process.run(role, file, requests, answers, *arguments)
    finally:
        os._exit(1)  # never back into the server's loop, whatever was raised
