"""What is made when it is first needed and belongs to one process."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Lazy(Generic[T]):
    """Made once, however many threads ask. A copy, pickled or not, and a forked process begin without it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[int, T] = {}  # by process

    def get(self, make: Callable[[], T]) -> T:
        with self._lock:
            process = os.getpid()
            if process not in self._made:
                self._made[process] = make()
            return self._made[process]

    def __reduce__(self) -> tuple[type[Lazy[T]], tuple[()]]:
        return Lazy, ()
