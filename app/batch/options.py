"""What a batch shall do with each document."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from longleaf import LongleafError

PARTS = ("brief", "facts", "obligations", "compare", "ask")


class BatchError(LongleafError):
    """A batch that cannot be begun or gone on with."""


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """`standard` is what each document is compared with; `questions` are asked of each."""

    do: tuple[str, ...]
    standard: Path | None = None
    questions: tuple[str, ...] = ()
    workers: int = 2

    def key(self, content: str, code: str) -> str:
        """Changes with everything that the result of a document depends on."""
        standard = hashlib.sha256(self.standard.read_bytes()).hexdigest() if self.standard else ""
        whole = [content, code, sorted(self.do), standard, list(self.questions)]
        return hashlib.sha256(json.dumps(whole).encode()).hexdigest()


def parse_do(text: str) -> BatchOptions:
    """ "brief,facts,ask:QUESTIONS.txt" as options. Raises BatchError."""
    do: list[str] = []
    standard: Path | None = None
    questions: tuple[str, ...] = ()
    for part in filter(None, (each.strip() for each in text.split(","))):
        name, _, argument = part.partition(":")
        if name not in PARTS:
            raise BatchError(f"--do {part}: is none of {', '.join(PARTS)}")
        if (name in ("compare", "ask")) != bool(argument):
            needs = "needs a file, as " + name + ":FILE" if name in ("compare", "ask") else "takes no file"
            raise BatchError(f"--do {name}: {needs}")
        if name == "compare":
            standard = _file(argument)
        elif name == "ask":
            questions = _questions(_file(argument))
        do.append(name)
    if not do:
        raise BatchError(f"--do names nothing to be done: give some of {', '.join(PARTS)}")
    return BatchOptions(tuple(dict.fromkeys(do)), standard, questions)


def _file(name: str) -> Path:
    path = Path(name)
    if not path.is_file():
        raise BatchError(f"--do: {path} is no file")
    return path


def _questions(path: Path) -> tuple[str, ...]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BatchError(f"{path}: cannot be read as UTF-8 text ({error})") from error
    found = tuple(line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#"))
    if not found:
        raise BatchError(f"{path}: has no question; write one a line")
    return found
