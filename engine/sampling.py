"""The next token from a row of logits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def next_token(logits: NDArray[np.float32], temperature: float, rng: np.random.Generator) -> int:
    """Greedy at temperature 0 (ties go to the lowest id), else a draw from softmax(logits / temperature)."""
    if temperature <= 0:
        return int(np.argmax(logits))
    scaled = logits.astype(np.float64) / temperature
    weights = np.exp(scaled - scaled.max())
    return int(rng.choice(len(weights), p=weights / weights.sum()))
