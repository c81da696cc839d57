"""What comparisons say: stable, documented, exported as JSON Schema."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from longleaf.app.schema import SCHEMA_VERSION, Citation, GapReport

ChangeKind = Literal["changed", "added", "removed", "moved", "renumbered", "split", "merged"]
ChangeClass = Literal["substantive", "wording", "clerical"]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class WordOp(_Model):
    """A run of words that both versions have, or one only. Equal and deleted runs make up the old text."""

    op: Literal["equal", "delete", "insert"]
    text: str


class Change(_Model):
    """One clause that differs. `old_text` and `new_text` are the whole clause, empty where there is none."""

    id: str = Field(description="c1, c2, ... in the order shown")
    kind: ChangeKind
    class_: ChangeClass = Field(alias="class", serialization_alias="class")
    topics: list[str] = Field(description="names of the key facts that it touches")
    reason: str = Field(description="why it has this class")
    old_text: str
    new_text: str
    old: list[Citation]
    new: list[Citation]
    words: list[WordOp]
    doubt: str = Field(
        default="", description="why it may be no change: text recognized with little confidence"
    )

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class KeyFactPair(_Model):
    """A key fact in both versions; a value is empty where it was not found."""

    name: str
    title: str
    old_value: str
    new_value: str
    same: bool
    old: list[Citation]
    new: list[Citation]


class Comparison(_Model):
    schema_version: int = SCHEMA_VERSION
    old_file: str
    new_file: str
    notes: list[str] = Field(default=[], description="what to know first: identical, hardly alike, swapped")
    changes: list[Change]
    key_facts: list[KeyFactPair]
    counts: dict[str, int] = Field(description="changes of each kind")
    gaps: list[GapReport]


class MatrixCell(_Model):
    """A key fact of one contract; `value` is empty where it was not found."""

    name: str
    value: str
    deviates: bool = Field(description="from the standard, or from what most of the contracts say")
    citations: list[Citation]


class MatrixRow(_Model):
    file: str
    page_count: int
    cells: list[MatrixCell]


class MatrixColumn(_Model):
    name: str
    title: str
    expected: str = Field(
        description="the standard's value, or the one most contracts have; empty if none is"
    )


class Matrix(_Model):
    """One row a contract, one column a key fact."""

    schema_version: int = SCHEMA_VERSION
    standard: str = Field(
        default="", description="the file that deviations are measured against, if one is given"
    )
    columns: list[MatrixColumn]
    rows: list[MatrixRow]
    gaps: list[GapReport]


RuleResult = Literal["pass", "fail", "missing", "doubt"]


class RuleOutcome(_Model):
    rule: str
    result: RuleResult
    reason: str
    citations: list[Citation]


class PlaybookResult(_Model):
    """What a playbook's rules say of one contract, in the order of the rules."""

    schema_version: int = SCHEMA_VERSION
    file: str
    playbook: str
    outcomes: list[RuleOutcome]
    counts: dict[str, int]
    gaps: list[GapReport]
