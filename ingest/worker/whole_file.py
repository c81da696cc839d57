"""The parent's side of a worker that reads one file whole: formats without pages, and members of folders.

Unlike a PDF's pages these cannot be tried one by one: a worker that dies or takes too long is an error.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator
from typing import Any

from longleaf.ingest.errors import IngestError
from longleaf.ingest.worker.framing import FrameError, FrameReader
from longleaf.ingest.worker.processes import Process, start

Frame = tuple[dict[str, Any], bytes]


def run(role: str, descriptor: int, kind: str, name: str, seconds: float) -> Iterator[Frame]:
    """The frames that the worker sends, to the one that says "end".

    Raises IngestError if the worker says what is wrong with the file, dies, sends nonsense, or is silent for
    longer than `seconds`.
    """
    process = start(role, descriptor, kind, name)
    try:
        for head, body in _frames(process, name, kind, seconds):
            if "error" in head:
                raise IngestError(str(head["error"]))
            yield head, body
            if head.get("end"):
                return
    except FrameError as error:
        raise IngestError(f"{name}: reading it made the worker process answer nonsense") from error
    finally:
        process.end()


def _frames(process: Process, name: str, kind: str, seconds: float) -> Iterator[Frame]:
    reader = FrameReader()
    deadline = time.monotonic() + seconds
    while True:
        ready, _, _ = select.select([process.answers], [], [], max(deadline - time.monotonic(), 0))
        if not ready:
            raise IngestError(
                f"{name}: reading it as {kind} took longer than {seconds:.0f} s; it may be damaged"
            )
        data = os.read(process.answers, 1 << 20)
        if not data:
            raise IngestError(
                f"{name}: reading it as {kind} ended the worker process (memory limit or crash); it may be "
                "damaged: get or export it again"
            )
        for found in reader.feed(data):
            yield found
            deadline = time.monotonic() + seconds  # the caller's own work on a frame does not count
