"""The answers people and programs get: stable, documented, exported as JSON Schema.

`longleaf summarize --json` prints a `Brief`, `longleaf ask --json` an `Answer`, `longleaf pages --json`
a `PagesOutput`, `longleaf search --json` a list of `RankedChunk`. Offsets are characters into the page text
that `longleaf pages` prints.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

SCHEMA_VERSION = 1

Status = Literal["quoted", "generated", "computed", "passage", "not_found"]
Kind = Literal["contract", "report"]
Length = Literal["short", "page", "full"]  # of a brief


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Citation(_Model):
    """Where a statement stands: `quote` is exactly characters `start:end` of the page's text."""

    file: str
    page_label: str = Field(description="the page number printed in the file, or its 1-based position")
    page_index: int = Field(description="0-based position of the page in the file")
    quote: str
    start: int
    end: int
    boxes: list[tuple[float, float, float, float]] = Field(
        description="x0, y0, x1, y1 of each quoted line; points, origin at the top left of the page"
    )
    ocr_confidence: float | None = Field(
        default=None, description="0 to 1, where the quote was recognized in a picture of the page; else null"
    )


class Statement(_Model):
    """One thing we say, and what it rests on. `not_found` has no citations but names the pages searched.

    `computed` has its formula and operands in `working`; a `passage` may say it, which is not proven.
    """

    text: str
    status: Status
    citations: list[Citation] = []
    working: str = Field(default="", description="of a computed statement: the formula with its operands")
    pages_searched: list[int] = Field(default=[], description="page_index of each page searched")
    topic: str = Field(default="", description="of a brief's first page: Money, Time, Ways out")


class KeyFact(Statement):
    name: str = Field(description="stable identifier, as governing_law")
    title: str = Field(description="for people, as Governing law")
    values: list[str] = Field(default=[], description="the bare values, as each party's name")


class KeyFacts(_Model):
    """The key facts of one document, chosen by code alone."""

    key_facts: list[KeyFact]


class SectionSummary(_Model):
    title: str
    level: int
    page_index_start: int
    page_index_end: int
    page_label_start: str
    page_label_end: str
    statements: list[Statement]


class Usage(_Model):
    model: str
    prompt_tokens: int
    reused_tokens: int
    generated_tokens: int
    seconds_to_first_token: float | None
    seconds: float


class GapReport(_Model):
    """What could not be read or did not fit, with the page if there is one."""

    kind: str
    detail: str
    file: str
    page_index: int | None = None
    page_label: str | None = None


class Verification(_Model):
    """How many generated statements were checked, and how many were replaced by a source sentence."""

    checked: int
    replaced: int


class Brief(_Model):
    schema_version: int = SCHEMA_VERSION
    file: str
    sha256: str
    kind: Kind
    document_type: str = Field(default="", description="its sort by its title, as amendment, lease or loan")
    page_count: int
    gaps: list[GapReport]
    key_facts: list[KeyFact]
    overview: list[Statement] = Field(description="the first page, by topic")
    sections: list[SectionSummary]
    verification: Verification
    usage: Usage


class Answer(_Model):
    schema_version: int = SCHEMA_VERSION
    question: str
    files: list[str]
    gaps: list[GapReport]
    answer: Statement
    pieces: list[Statement] = Field(
        default=[], description="what `answer` is put together from, where that is more than one thing"
    )
    passages: list[Statement] = Field(
        default=[], description="passages that may answer the question where nothing is proven, best first"
    )
    not_found_in: list[str] = Field(
        default=[], description="those of the files asked about in which nothing answers the question"
    )
    verification: Verification
    usage: Usage


class Turn(_Model):
    """One question of a conversation and its answer."""

    question: str = Field(description="as it was typed")
    understood: str = Field(description="as it is asked without what was said before")
    answer: Answer


class Thread(_Model):
    """A conversation over some documents, oldest turn first."""

    schema_version: int = SCHEMA_VERSION
    id: str
    files: list[str]
    sha256: list[str] = Field(description="of each of the files, in their order")
    turns: list[Turn] = []


class PageText(_Model):
    page_index: int
    page_label: str
    width: float
    height: float
    text: str


class PageAnnotation(_Model):
    """A remark on the text, or a tracked change of it; the text is as if all changes were accepted."""

    kind: str = Field(description="insertion, deletion, comment or note")
    text: str = Field(description="the words inserted or deleted, or the remark")
    author: str
    date: str
    page_index: int
    start: int
    end: int = Field(description="the same as start for deleted words: they stood there")


class PagesOutput(_Model):
    schema_version: int = SCHEMA_VERSION
    file: str
    sha256: str
    page_count: int
    pages: list[PageText]
    gaps: list[GapReport]
    annotations: list[PageAnnotation] = []


class RankedChunk(_Model):
    """A passage that retrieval found; several come best first."""

    file: str
    page_index_start: int = Field(description="0-based position of the passage's first page")
    page_index_end: int
    page_label_start: str
    page_label_end: str
    headings: list[str] = Field(description="titles of the sections it is in, the outermost first")
    text: str
    score: float = Field(description="higher is better; comparable within one search only")
    reference: str = Field(
        "", description="how a better passage refers to this one, if that is why it is here"
    )


RANKED_CHUNKS: TypeAdapter[list[RankedChunk]] = TypeAdapter(list[RankedChunk])
