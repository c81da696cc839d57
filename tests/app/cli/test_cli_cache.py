"""`longleaf cache` on a folder that holds prefixes of a model that only remembers token ids."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from longleaf.app.cli.cache import cache
from longleaf.app.cli.options import kv_cache
from longleaf.engine.prefix.kv_options import KvOptions
from tests.engine.prefix.test_prefix_disk import DOCUMENT, files, read_once


@pytest.fixture
def root(tmp_path: Path) -> Path:
    read_once(tmp_path, DOCUMENT, shared=400, window=32)
    read_once(tmp_path, DOCUMENT + [12] * 400, shared=800, window=32)
    return tmp_path


def run(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(cache, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result.output


def told(*arguments: object, code: int = 0) -> Any:
    return json.loads(run(*arguments, "--json", code=code))


def test_list_shows_the_chain(root: Path) -> None:
    first, second = sorted(told("list", "--slot-save-path", root), key=lambda each: each["first_token"])
    assert (first["first_token"], first["tokens"]) == (0, 400)
    assert (second["first_token"], second["tokens"]) == (400, 400)
    assert second["parent"] == first["key"]
    assert "0–400" in run("list", "--slot-save-path", root)


def test_stats_count_what_is_kept_and_what_was_saved(root: Path) -> None:
    stats = told("stats", "--slot-save-path", root)
    assert stats["segments"] == 2
    assert stats["tokens"] == 800
    assert stats["global_bytes"] == 800 * 4
    assert 2 * 32 * 4 <= stats["window_bytes"] < 2 * 48 * 4
    assert stats["bytes"] == sum(path.stat().st_size for path in files(root))
    assert (stats["spills"], stats["restores"], stats["restored_tokens"]) == (2, 1, 400)
    assert (stats["reused_tokens"], stats["computed_tokens"]) == (400, 800)
    assert "400 (33% of all asked for)" in run("stats", "--slot-save-path", root)


def test_verify_removes_what_is_damaged_and_says_so(root: Path) -> None:
    assert told("verify", "--slot-save-path", root) == {"checked": 2, "damaged": []}
    path = files(root)[0]
    data = bytearray(path.read_bytes())
    data[5000] ^= 4
    path.write_bytes(data)
    assert told("verify", "--slot-save-path", root, code=1)["damaged"][0]["file"] == str(path)
    assert not path.exists()


def test_prune_keeps_to_the_size_given(root: Path) -> None:
    assert told("prune", "--slot-save-path", root) == {"files": 0, "bytes": 0}
    assert told("prune", "--slot-save-path", root, "--max-size", 0)["files"] == 2
    assert files(root) == []
    assert told("prune", "--slot-save-path", root / "nowhere") == {"files": 0, "bytes": 0}


def test_the_options_of_an_engine_come_as_one_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONGLEAF_CACHE", str(tmp_path))
    given: list[KvOptions] = []

    @click.command()
    @kv_cache
    def command(kv: KvOptions) -> None:
        given.append(kv)

    CliRunner().invoke(command, [], catch_exceptions=False)
    CliRunner().invoke(command, ["--kv-budget", "64", "--slot-save-size", "0"], catch_exceptions=False)
    assert given[0] == KvOptions(save_path=tmp_path / "prefixes")
    assert (given[1].budget_bytes, given[1].save_limit) == (64 << 20, 0)
