"""A Workspace without models, for tests of what stands on it: reads files for real, cites what it is told.

`facts` maps a fact's name to a quote; one that is not in the document is reported as not found.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from longleaf import LongleafError
from longleaf.app.gaps import gap_reports
from longleaf.app.proof.citations import cite
from longleaf.app.schema import (
    Answer,
    Brief,
    Citation,
    KeyFact,
    Length,
    SectionSummary,
    Statement,
    Verification,
)
from longleaf.ingest import Document, Page, Span, read_document
from tests.support.briefs import USAGE


@dataclass(frozen=True)
class FakeReading:
    document: Document


@dataclass(frozen=True)
class FakeStored:
    sha256: str
    name: str
    page_count: int
    added_at: str = "2026-01-31T12:00:00"


@dataclass
class FakeWorkspace:
    folder: Path
    facts: Mapping[str, str]
    error: str = ""  # raised by summarize
    hold: threading.Event | None = None  # summarize waits for it after the first fact
    summarized: int = 0
    briefs: dict[str, Brief] = field(default_factory=dict)
    stored: dict[str, FakeStored] = field(default_factory=dict)
    readings: dict[str, FakeReading] = field(default_factory=dict)

    def close(self) -> None:
        pass

    def documents(self) -> list[FakeStored]:
        return list(self.stored.values())

    def kept_file(self, sha256: str) -> Path | None:
        return next(self.folder.glob(f"{sha256}.*"), None)

    def keep_file(self, source: Path | bytes, name: str) -> str:
        data = source if isinstance(source, bytes) else source.read_bytes()
        sha256 = hashlib.sha256(data).hexdigest()
        (self.folder / f"{sha256}{Path(name).suffix}").write_bytes(data)
        return sha256

    def text_page(self, sha256: str, page_index: int) -> Page | None:
        reading = self.readings.get(sha256)
        if reading is None or reading.document.name.endswith(".pdf"):
            return None
        return reading.document.pages[page_index]

    def fetch_models(self, progress: object = None) -> None:
        pass

    def read(self, path: Path, *, name: str, progress: Any = None) -> FakeReading:
        document = read_document(path, name=name, progress=progress)
        self.stored[document.sha256] = FakeStored(document.sha256, name, len(document.pages))
        self.readings[document.sha256] = FakeReading(document)
        return self.readings[document.sha256]

    def reopen(self, stored: FakeStored, name: str) -> FakeReading:
        return self.readings[stored.sha256]

    def saved_brief(self, reading: FakeReading, length: Length = "page") -> Brief | None:
        return self.briefs.get(reading.document.sha256)

    def summarize(
        self,
        reading: FakeReading,
        *,
        length: Length = "page",
        on_fact: Callable[[KeyFact], None],
        progress: Callable[[str], None],
    ) -> Brief:
        self.summarized += 1
        document = reading.document
        facts = []
        for name, quote in self.facts.items():
            cited = citations_of(document, quote)
            fact = KeyFact(
                name=name,
                title=name.replace("_", " ").capitalize(),
                text=quote if cited else "not found in the document",
                values=[quote] if cited else [],
                status="quoted" if cited else "not_found",
                citations=cited,
                pages_searched=[] if cited else list(range(len(document.pages))),
            )
            facts.append(fact)
            on_fact(fact)
            progress("Weighing " + name)
            if self.hold is not None:
                while not self.hold.wait(0.01):
                    progress("Weighing " + name)
        if self.error:
            raise LongleafError(self.error)
        said = [
            Statement(text=fact.text, status="quoted", citations=fact.citations)
            for fact in facts
            if fact.citations
        ]
        sections = [
            SectionSummary(
                title=section.title,
                level=section.level,
                page_index_start=section.page_index_start,
                page_index_end=section.page_index_end,
                page_label_start=document.pages[section.page_index_start].label,
                page_label_end=document.pages[section.page_index_end].label,
                statements=said[:1],
            )
            for section in document.sections[:3]
        ]
        brief = Brief(
            file=document.name,
            sha256=document.sha256,
            kind="contract",
            page_count=len(document.pages),
            gaps=gap_reports(document),
            key_facts=facts,
            overview=said[:2],
            sections=sections,
            verification=Verification(checked=1, replaced=1),
            usage=USAGE,
        )
        self.briefs[document.sha256] = brief
        return brief

    def ask(self, readings: Sequence[FakeReading], question: str) -> Answer:
        document = readings[0].document
        quote = next(iter(self.facts.values()))
        return Answer(
            question=question,
            files=[document.name],
            gaps=[],
            answer=Statement(text=quote, status="quoted", citations=citations_of(document, quote)),
            verification=Verification(checked=0, replaced=0),
            usage=USAGE,
        )


def citations_of(document: Document, quote: str) -> list[Citation]:
    pattern = r"\s+".join(map(re.escape, quote.split()))
    for page in document.pages:
        if found := re.search(pattern, page.text):
            return cite(document, [Span(page.page_index, found.start(), found.end())])
    return []
