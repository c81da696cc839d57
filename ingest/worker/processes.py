"""The parent's side of worker processes: starting one and ending it.

They are forked from a process that is kept for this (see `fork_server`), never from this one, which may have
threads; so it makes no difference which thread calls and what the main module is.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass

from longleaf.ingest.errors import IngestError


@dataclass(slots=True, eq=False)
class Process:
    """A worker: descriptors to ask it through `requests` and to read its `answers`."""

    requests: int
    answers: int
    _pidfd: int

    def end(self) -> None:
        """Kills it and closes the descriptors."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        ended = select.poll()
        ended.register(self._pidfd, select.POLLIN)
        ended.poll()
        for descriptor in (self._pidfd, self.requests, self.answers):
            os.close(descriptor)


def start(role: str, descriptor: int, *arguments: str) -> Process:
    """Starts a worker on the open file `descriptor`. Raises IngestError if no process can be started."""
    theirs_in, requests = os.pipe()
    answers, theirs_out = os.pipe()
    try:
        pidfd = _fork_server.order([role, *arguments], [descriptor, theirs_in, theirs_out])
    except BaseException:
        os.close(requests)
        os.close(answers)
        raise
    finally:
        os.close(theirs_in)
        os.close(theirs_out)
    return Process(requests, answers, pidfd)


def stop() -> None:
    """Ends the process that workers are forked from, and the workers. The next `start` makes a new one."""
    _fork_server.stop()


def fork_server_pid() -> int | None:
    """The process that workers are forked from, if there is one: its times hold those of ended workers."""
    return _fork_server.pid


def fork_server_code() -> str:
    """What the fork server's interpreter runs: with this process's import path."""
    path = [p for p in sys.path if p]
    return f"import sys; sys.path[:] = {path!r}; from longleaf.ingest.worker.fork_server import main; main()"


class _ForkServer:
    """The handle of the process; one for all threads. After a fork of ours the child starts its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._owner = 0

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    def order(self, order: list[str], descriptors: list[int]) -> int:
        """The pidfd of a new worker. A fork server that has ended, idle or killed, is replaced once."""
        message = json.dumps(order).encode()
        with self._lock:
            for _ in range(2):
                control = self._open()
                try:
                    socket.send_fds(control, [message], descriptors)
                    answer, received, _, _ = socket.recv_fds(control, 16, 1)
                    if answer and received:
                        return received[0]
                except (BrokenPipeError, ConnectionResetError):
                    pass
                except BaseException:  # the answer may still come: nobody may take it for theirs
                    self._close()
                    raise
                self._close()
        raise IngestError("no worker process can be started: too little memory, or too many processes")

    def stop(self) -> None:
        with self._lock:
            self._close()

    def _open(self) -> socket.socket:
        if self._control is not None and self._owner == os.getpid():
            return self._control
        if self._control is not None:
            self._control.close()  # a copy of our parent's
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", fork_server_code(), str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                # One thread a worker: there are as many workers as processors.
                env={
                    **os.environ,
                    "OPENBLAS_NUM_THREADS": "1",
                    "OMP_NUM_THREADS": "1",
                    "MALLOC_ARENA_MAX": "1",
                },
                start_new_session=True,  # Ctrl-C is the parent's to handle
            )
        self._control, self._owner = ours, os.getpid()
        return ours

    def _close(self) -> None:
        if self._control is None or self._process is None or self._owner != os.getpid():
            return
        self._control.close()
        self._process.kill()
        self._process.wait()
        self._control = self._process = None


_fork_server = _ForkServer()
atexit.register(stop)
