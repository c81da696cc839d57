"""The core by hand: a model of a file, and all its logits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longleaf import _native


def open_model(path: Path, **options: Any) -> _native.Model:
    return _native.Model(_native.Gguf(path), **{"threads": 2, **options})


def all_logits(model: _native.Model, tokens: list[int]) -> NDArray[np.float32]:
    sequence = model.new_sequence()
    try:
        return model.forward([(sequence, tokens, len(tokens))])
    finally:
        model.free(sequence)
