"""The engine that tests of requests share: a small random model, four at once, four waiting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from longleaf.engine.engine import Engine
from longleaf.engine.scheduling.scheduler import Limits
from tests.support.gguf_maker import tiny_model, write_model


@pytest.fixture(scope="session")
def model_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model") / "m.gguf", tiny_model("llama", "Q8_0", n_ctx=2048))


@pytest.fixture
def engine(model_path: Path) -> Iterator[Engine]:
    with Engine.open(model_path, threads=2, limits=Limits(running=4, waiting=4)) as opened:
        yield opened
