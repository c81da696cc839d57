"""What a batch shall do with each document."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from longleaf import LongleafError
from longleaf.app.inputs.questions import QuestionsError, read_questions

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

    def key(self) -> str:
        """Changes with everything that the results depend on besides the documents and the code."""
        standard = hashlib.sha256(self.standard.read_bytes()).hexdigest() if self.standard else ""
        whole = [sorted(self.do), standard, list(self.questions)]
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
            try:
                questions = tuple(read_questions(_file(argument)))
            except QuestionsError as error:
                raise BatchError(str(error)) from error
        do.append(name)
    if not do:
        raise BatchError(f"--do names nothing to be done: give some of {', '.join(PARTS)}")
    return BatchOptions(tuple(dict.fromkeys(do)), standard, questions)


def _file(name: str) -> Path:
    path = Path(name)
    if not path.is_file():
        raise BatchError(f"--do: {path} is no file")
    return path
