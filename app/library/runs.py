"""Briefs and answers kept in the Library, so that the same question is answered at once the second time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Literal

from pydantic import ValidationError

from longleaf.app.library.database import LibraryError
from longleaf.app.library.documents import Library
from longleaf.app.schema import Answer, Brief, Citation, KeyFacts

Output = Brief | Answer | KeyFacts
Setting = str | int | float | bool | None
_OUTPUTS: dict[str, type[Output]] = {"brief": Brief, "answer": Answer, "facts": KeyFacts}


@dataclass(frozen=True, slots=True)
class Run:
    """All that an output depends on. Two equal runs have the same output."""

    kind: Literal["brief", "answer", "facts"]
    documents: tuple[str, ...]  # sha256 of each file, in the order given
    model: str
    code_version: str
    question: str = ""
    settings: Mapping[str, Setting] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


def save_run(library: Library, run: Run, output: Output) -> None:
    """Keeps the output in place of an older one of an equal run. The documents must be in the Library."""
    citations = [
        (position, c.file, c.page_index, c.start, c.end, c.quote)
        for position, c in enumerate(_citations(output))
    ]
    with library.file.write() as db:
        for sha256 in run.documents:
            if not db.execute("SELECT 1 FROM documents WHERE sha256 = ?", (sha256,)).fetchone():
                raise LibraryError(
                    f"cannot keep an answer on {sha256}: it is not in the library {library.path}"
                )
        db.execute("DELETE FROM runs WHERE key = ?", (run.key,))
        run_id = db.execute(
            "INSERT INTO runs(kind, question, model, settings, code_version, created_at, key)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                run.kind,
                run.question,
                run.model,
                json.dumps(dict(run.settings), sort_keys=True),
                run.code_version,
                datetime.now(UTC).isoformat(),
                run.key,
            ),
        ).lastrowid
        db.executemany(
            "INSERT INTO run_documents VALUES (?, ?, ?)",
            [(run_id, position, sha256) for position, sha256 in enumerate(run.documents)],
        )
        db.execute("INSERT INTO answers VALUES (?, ?)", (run_id, output.model_dump_json()))
        db.executemany(
            "INSERT INTO citations VALUES (?, ?, ?, ?, ?, ?, ?)", [(run_id, *row) for row in citations]
        )


def saved_output(library: Library, run: Run) -> Output | None:
    """The output kept for an equal run. One written under another schema counts as not kept."""
    with library.file.read() as db:
        row = db.execute(
            "SELECT output FROM answers a JOIN runs r ON r.id = a.run_id WHERE r.key = ?", (run.key,)
        ).fetchone()
    if row is None:
        return None
    try:
        return _OUTPUTS[run.kind].model_validate_json(row[0])
    except ValidationError:
        return None


def saved_runs(library: Library, sha256: str | None = None) -> list[Run]:
    """The runs kept, newest first; only those on one document if its sha256 is given."""
    with library.file.read() as db:
        rows = db.execute(
            "SELECT id, kind, question, model, settings, code_version FROM runs"
            " WHERE ? IS NULL OR id IN (SELECT run_id FROM run_documents WHERE sha256 = ?) ORDER BY id DESC",
            (sha256, sha256),
        ).fetchall()
        runs = []
        for run_id, kind, question, model, settings, code_version in rows:
            documents = db.execute(
                "SELECT sha256 FROM run_documents WHERE run_id = ? ORDER BY position", (run_id,)
            ).fetchall()
            runs.append(
                Run(kind, tuple(d for (d,) in documents), model, code_version, question, json.loads(settings))
            )
    return runs


def _citations(output: Output) -> Iterator[Citation]:
    if isinstance(output, Answer):
        statements = [output.answer]
    elif isinstance(output, KeyFacts):
        statements = list(output.key_facts)
    else:
        statements = [*output.key_facts, *output.overview]
        statements += [statement for section in output.sections for statement in section.statements]
    for statement in statements:
        yield from statement.citations
