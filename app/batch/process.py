"""One document of a batch: read, then whatever the options ask for, its files written whole."""

from __future__ import annotations

import re
import time
from hashlib import sha256
from pathlib import Path

from longleaf import LongleafError
from longleaf.app.batch.options import BatchOptions
from longleaf.app.batch.schema import Item, ItemResult, ItemStatus
from longleaf.app.export.markdown_docx import write_brief
from longleaf.app.facts import classify
from longleaf.app.gaps import gap_reports
from longleaf.app.output_file import write_file
from longleaf.app.workspace import Reading, Workspace
from longleaf.ingest.errors import UnreadKindError


def process(
    workspace: Workspace, path: Path, name: str, options: BatchOptions, output: Path, standard: Reading | None
) -> Item:
    """Never raises a LongleafError: what fails is told in the item."""
    began = time.monotonic()
    try:
        result = _result(workspace, path, name, options, output, standard)
    except UnreadKindError as error:
        return Item(name=name, status="skipped", reason=_reason(error, name))
    except LongleafError as error:
        return Item(name=name, status="failed", reason=_reason(error, name), seconds=_since(began))
    status: ItemStatus = "done_with_gaps" if result.gaps else "done"
    return Item(name=name, status=status, seconds=_since(began), result=result)


def _result(
    workspace: Workspace, path: Path, name: str, options: BatchOptions, output: Path, standard: Reading | None
) -> ItemResult:
    reading = workspace.read(path, name=name)
    kind = classify(reading.document)
    outputs: list[str] = []
    gaps = gap_reports(reading.document)
    if "brief" in options.do:
        brief = workspace.summarize(reading)
        outputs.append(f"briefs/{file_name(name)}.md")
        write_brief(brief, _parent(output / outputs[-1]))
        gaps = brief.gaps
    if standard is not None:
        comparison = workspace.compare(standard, reading)
        outputs.append(f"compare/{file_name(name)}.json")
        write_file(
            _parent(output / outputs[-1]), comparison.model_dump_json(by_alias=True, indent=1).encode()
        )
        outputs.append(f"compare/{file_name(name)}.html")
        workspace.write_redline(standard, reading, _parent(output / outputs[-1]))
    return ItemResult(
        kind=kind,
        sha256=reading.stored.sha256,
        page_count=len(reading.document.pages),
        gaps=gaps,
        facts=workspace.key_facts(reading) if {"facts", "brief"} & set(options.do) else [],
        register=workspace.obligations(reading)
        if "obligations" in options.do and kind == "contract"
        else None,
        answers=[workspace.ask([reading], question) for question in options.questions],
        outputs=outputs,
    )


def file_name(name: str) -> str:
    """A name of a file that tells the document's and is no other document's."""
    safe = re.sub(r"[^\w.-]+", "_", name).strip("._")[-80:] or "document"
    return f"{safe}-{sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"


def _parent(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _reason(error: LongleafError, name: str) -> str:
    return str(error).removeprefix(f"{name}: ")


def _since(began: float) -> float:
    return round(time.monotonic() - began, 3)
