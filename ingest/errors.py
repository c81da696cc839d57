"""What can go wrong with a file as a whole. What goes wrong with one page is a `Gap`, not an error."""

from __future__ import annotations

from longleaf import LongleafError


class IngestError(LongleafError):
    """A file could not be read: says which file, what is wrong with it and what to do."""


class UnreadKindError(IngestError):
    """A file of a kind that is not read; there need be nothing wrong with it."""
