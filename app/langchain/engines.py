"""Engines that chat models share: a model is loaded once in a process, as long as somebody uses it."""

from __future__ import annotations

import os
import threading
from weakref import WeakValueDictionary

from longleaf.engine.engine import Engine

_Key = tuple[int, str, int | None, int | None, bool]  # the process first: a forked one needs its own
_engines: WeakValueDictionary[_Key, Engine] = WeakValueDictionary()
_lock = threading.Lock()


def shared_engine(model: str, ctx_size: int | None, threads: int | None, offline: bool) -> Engine:
    """The engine of these parameters, opened if nobody holds it. Errors as of `Engine.open`."""
    key = (os.getpid(), model, ctx_size, threads, offline)
    with _lock:
        if (engine := _engines.get(key)) is None:
            engine = Engine.open(model, ctx_size=ctx_size, threads=threads, offline=offline)
            _engines[key] = engine
        return engine
