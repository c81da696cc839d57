"""The parent's side of a worker that reads one file whole: formats without pages, and members of folders.

Unlike a PDF's pages these cannot be tried one by one: a worker that dies or takes too long is an error.
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import time
from collections.abc import Iterator
from typing import Any

from .errors import IngestError
from .pool import worker_command, worker_environment
from .wire import FrameReader, WireError

Frame = tuple[dict[str, Any], bytes]


def run(role: str, descriptor: int, kind: str, name: str, seconds: float) -> Iterator[Frame]:
    """The frames that the worker sends, to the one that says "end".

    Raises IngestError if the worker says what is wrong with the file, dies, sends nonsense, or is silent for
    longer than `seconds`.
    """
    process = subprocess.Popen(
        [*worker_command(role, descriptor), kind, name],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=(descriptor,),
        env=worker_environment(),
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        for head, body in _frames(process, name, kind, seconds):
            if "error" in head:
                raise IngestError(str(head["error"]))
            yield head, body
            if head.get("end"):
                return
    except WireError as error:
        raise IngestError(f"{name}: reading it made the worker process answer nonsense") from error
    finally:
        process.kill()
        process.wait()
        with contextlib.suppress(BrokenPipeError):
            process.stdout.close()


def _frames(process: subprocess.Popen[bytes], name: str, kind: str, seconds: float) -> Iterator[Frame]:
    assert process.stdout is not None
    reader = FrameReader()
    deadline = time.monotonic() + seconds
    while True:
        ready, _, _ = select.select([process.stdout], [], [], max(deadline - time.monotonic(), 0))
        if not ready:
            raise IngestError(
                f"{name}: reading it as {kind} took longer than {seconds:.0f} s; it may be damaged"
            )
        data = os.read(process.stdout.fileno(), 1 << 20)
        if not data:
            raise IngestError(
                f"{name}: reading it as {kind} ended the worker process (memory limit or crash); it may be "
                "damaged: get or export it again"
            )
        for found in reader.feed(data):
            yield found
            deadline = time.monotonic() + seconds  # the caller's own work on a frame does not count
