"""Brings files from outside: wheels through pip, single files from a Hugging Face hub.

Both are resumable: what is complete is kept in the caller's partial folder and found there again.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from longleaf import LongleafError

Report = Callable[[int], None]  # bytes of the current download that have arrived


class FetchError(LongleafError):
    """A download failed: says of what, why, and what to do."""


def fetch_wheel(requirement: str, folder: Path, report: Report) -> Path:
    """The wheel of a pinned requirement in `folder`, downloaded by pip unless it is already there.

    Only the wheel itself: no dependencies, and never a source distribution, whose build would run its code.
    pip's own configuration (index, mirrors, find-links, proxies) applies.
    """
    existing = _find_wheel(requirement, folder)
    if existing is not None:
        return existing
    if importlib.util.find_spec("pip") is None:
        raise FetchError(
            f"cannot download {requirement}: this Python ({sys.executable}) has no pip. Run "
            f"'{sys.executable} -m ensurepip' (or 'uv pip install pip'), or download the wheel elsewhere "
            f"and put it into {folder}"
        )
    folder.mkdir(parents=True, exist_ok=True)
    # pip writes here first, so that a wheel found in `folder` is always a whole one.
    with tempfile.TemporaryDirectory(dir=folder, prefix="pip-") as scratch:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
        command += ["--no-cache-dir", "--disable-pip-version-check", "--no-input", "--progress-bar=off"]
        command += ["--dest", scratch, requirement]
        with _watch(Path(scratch), report):
            # TMPDIR puts pip's unfinished download where it is watched and cleaned up.
            run = subprocess.run(
                command,
                env={**os.environ, "TMPDIR": scratch},
                capture_output=True,
                text=True,
                errors="replace",
            )
        if run.returncode != 0:
            reasons = [line for line in run.stderr.splitlines() if line.startswith("ERROR")]
            reason = "\n  ".join(reasons or run.stderr.strip().splitlines()[-3:])
            raise FetchError(
                f"pip could not download {requirement}:\n  {reason}\n"
                "Check the network and pip's configuration ('pip config list'), or point PIP_FIND_LINKS at a "
                "folder that has this wheel."
            )
        found = _find_wheel(requirement, Path(scratch))
        if found is None:
            raise FetchError(f"pip downloaded no wheel for {requirement}")
        return found.replace(folder / found.name)


def _find_wheel(requirement: str, folder: Path) -> Path | None:
    name, version = requirement.split("==")
    # Wheel file names escape runs of "-_." to "_":
    # https://packaging.python.org/en/latest/specifications/binary-distribution-format/
    prefix = re.sub(r"[-_.]+", "_", name).lower() + "-" + version.replace("-", "_") + "-"
    for wheel in sorted(folder.glob("*.whl")):
        if wheel.name.lower().startswith(prefix.lower()):
            return wheel
    return None


def fetch_from_hub(repo: str, filename: str, folder: Path, report: Report, on_size: Report) -> Path:
    """A file of a Hugging Face repository, in `folder`, checked against the hub's checksum.

    Follows HF_ENDPOINT, HF_TOKEN and HF_HUB_OFFLINE. `on_size` is told the file's size once it is known.
    """
    import huggingface_hub as hub  # slow to import, and only needed here
    from huggingface_hub.utils.tqdm import (
        are_progress_bars_disabled,
        disable_progress_bars,
        enable_progress_bars,
    )

    endpoint = os.environ.get("HF_ENDPOINT") or None
    what = f"hf:{repo}/{filename}"
    bars = not are_progress_bars_disabled()
    disable_progress_bars()  # `report` is the progress
    try:
        url = hub.hf_hub_url(repo, filename, endpoint=endpoint)
        meta = hub.get_hf_file_metadata(url, endpoint=endpoint)
        if meta.size is not None:
            on_size(meta.size)
        with _watch(folder, report):
            path = Path(
                hub.hf_hub_download(
                    repo, filename, revision=meta.commit_hash, local_dir=folder, endpoint=endpoint
                )
            )
    except Exception as error:  # the errors of its HTTP libraries, old and new, share no base
        raise FetchError(f"cannot download {what}: {error}") from error
    finally:
        if bars:
            enable_progress_bars()
    if meta.etag and not _matches_etag(path, meta.etag):
        path.unlink()
        shutil.rmtree(folder / ".cache", ignore_errors=True)
        raise FetchError(
            f"{what}: the file that came does not match the hub's checksum {meta.etag}; try again"
        )
    return path


def _matches_etag(path: Path, etag: str) -> bool:
    """Large files have their sha256 as etag, small ones git's blob id; other servers' etags say nothing."""
    if re.fullmatch(r"[0-9a-f]{64}", etag):
        return sha256_of(path) == etag
    if re.fullmatch(r"[0-9a-f]{40}", etag):
        content = path.read_bytes()
        return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest() == etag
    return True


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _watch(folder: Path, report: Report) -> Iterator[None]:
    """Reports the size of what is being written below `folder` five times a second."""
    done = threading.Event()

    def look() -> None:
        while not done.wait(0.2):
            report(_size_below(folder))

    thread = threading.Thread(target=look, name="longleaf-download-progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _size_below(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            if path.is_file():
                total += path.stat().st_size
        except OSError:  # renamed or removed since it was listed
            continue
    return total
