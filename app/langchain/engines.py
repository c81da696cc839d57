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


class HeldEngines:
    """The engines one chat model uses, so that they stay loaded. A copy of it, pickled or not, holds none."""

    def __init__(self) -> None:
        self._held: dict[_Key, Engine] = {}

    def get(self, model: str, ctx_size: int | None, threads: int | None, offline: bool) -> Engine:
        """As `shared_engine`."""
        key = (os.getpid(), model, ctx_size, threads, offline)
        if key not in self._held:
            self._held[key] = shared_engine(model, ctx_size, threads, offline)
        return self._held[key]

    def __reduce__(self) -> tuple[type[HeldEngines], tuple[()]]:
        return HeldEngines, ()
