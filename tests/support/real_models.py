"""The default models, for tests: from the model cache, never the network."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from longleaf.engine.models.store import ModelError, ResolvedModel, resolve

GOLDENS = Path(__file__).parents[2].parent / "shared" / "goldens"
EVAL = Path(__file__).parents[2].parent / "shared" / "eval"


def real_model(name: str) -> ResolvedModel:
    """Skips the test when the model was not pulled, except in CI, where that is a failure."""
    try:
        return resolve(name, offline=True)
    except ModelError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"{error}")
