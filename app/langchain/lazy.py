"""What is made when it is first needed and belongs to one process."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Lazy(Generic[T]):
    """Made once for each key, however many threads ask. A copy, pickled or not, and a forked process begin
    without it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[tuple[int, Hashable], T] = {}  # by process and key

    def get(self, make: Callable[[], T], key: Hashable = None) -> T:
        with self._lock:
            ours = os.getpid(), key
            if ours not in self._made:
                self._made[ours] = make()
            return self._made[ours]

    def __reduce__(self) -> tuple[type[Lazy[T]], tuple[()]]:
        return Lazy, ()
