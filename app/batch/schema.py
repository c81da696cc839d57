"""What a batch run says of each file, and of all of them."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from longleaf.app.obligations.schema import Register
from longleaf.app.schema import SCHEMA_VERSION, Answer, GapReport, KeyFact

ItemStatus = Literal["done", "done_with_gaps", "failed", "skipped", "pending"]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ItemResult(_Model):
    """What was made of one document. `outputs` are paths below the output folder."""

    kind: str = ""
    sha256: str = ""
    page_count: int = 0
    gaps: list[GapReport] = []
    facts: list[KeyFact] = []
    register_: Register | None = Field(default=None, alias="register")
    answers: list[Answer] = []
    outputs: list[str] = []

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Item(_Model):
    """One file, or one document in a ZIP or a message, by the name it is shown under."""

    name: str
    status: ItemStatus
    reason: str = Field(default="", description="of what failed or was skipped")
    seconds: float = 0.0
    result: ItemResult = ItemResult()


class BatchReport(_Model):
    """`run.json`: what was asked, what came of it, and with which versions."""

    schema_version: int = SCHEMA_VERSION
    version: str
    do: list[str]
    models: dict[str, str] = Field(description="checksum of each model that was used, by its name")
    counts: dict[str, int]
    seconds: float
    items: list[Item]
