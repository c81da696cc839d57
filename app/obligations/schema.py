"""The register of obligations and the calendar, as they are printed and exported."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from longleaf.app.schema import SCHEMA_VERSION, Citation, GapReport


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Obligation(_Model):
    """Who must, may or must not do what, in the contract's words; `text` is the whole sentence."""

    id: str
    party: str = Field(description='as the contract calls it; "each party"; "" where nobody is named')
    party_name: str = Field(default="", description="its full name, where the contract's preamble gives it")
    towards: str = ""
    kind: Literal["duty", "right", "prohibition", "condition"]
    modal: str = Field(description="shall, may, shall not, need not or grants")
    action: str
    deadline: str = ""
    dates: list[str] = Field(default=[], description="ISO dates named in the deadline")
    condition: str = ""
    amounts: list[str] = []
    heading: str = ""
    text: str
    status: Literal["quoted"] = "quoted"
    citations: list[Citation]


class CalendarEntry(_Model):
    """A day that matters. `working` says how it was computed, "" where the contract names the day itself."""

    date: str = Field(description="YYYY-MM-DD")
    title: str
    working: str = ""
    citations: list[Citation]


class Register(_Model):
    schema_version: int = SCHEMA_VERSION
    file: str
    sha256: str
    gaps: list[GapReport]
    obligations: list[Obligation]
    calendar: list[CalendarEntry]


REGISTERS: TypeAdapter[list[Register]] = TypeAdapter(list[Register])
