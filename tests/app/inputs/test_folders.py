"""A folder is read whole: what is passed over is told, whatever it is called."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from longleaf.app.inputs.folders import expand


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "b" / ".git").mkdir(parents=True)
    (tmp_path / "b" / ".git" / "config").touch()
    for name in (
        "a.docm",
        "b/readme",
        "b/program.exe",
        "z.rtf",
        ".hidden",
        "~$a.docm",
        "Thumbs.db",
        ".DS_Store",
    ):
        (tmp_path / name).touch()
    (tmp_path / "gone").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to(tmp_path)
    return tmp_path


def test_every_file_is_handed_on_or_told(folder: Path) -> None:
    told: dict[str, str] = {}
    found = expand([folder], lambda path, why: told.setdefault(str(path.relative_to(folder)), why))
    assert [str(path.relative_to(folder)) for path in found] == [
        "a.docm", "b/program.exe", "b/readme", "gone", "z.rtf"
    ]  # fmt: skip
    assert told.keys() == {".hidden", "~$a.docm", "b/.git", "loop"}
    assert told["b/.git"] == told[".hidden"] == "hidden" and "link" in told["loop"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root opens every folder")
def test_a_folder_that_cannot_be_opened_is_told(folder: Path) -> None:
    (folder / "b").chmod(0)
    told: list[str] = []
    list(expand([folder], lambda path, why: told.append(why)))
    (folder / "b").chmod(0o700)
    assert any("cannot be opened" in why for why in told)


def test_files_and_empty_folders_stay_themselves(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    paths = [tmp_path / "missing.pdf", tmp_path / "empty"]
    assert list(expand(paths, lambda path, why: None)) == paths
