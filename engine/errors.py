"""Errors that more than one module of the engine raises or catches."""

from __future__ import annotations

from longleaf import LongleafError


class ChatTemplateError(LongleafError):
    """A chat template that is not valid, asks for too much, or refuses the messages."""


class MessagesRefusedError(ChatTemplateError):
    """The template called raise_exception: it says what it does not accept."""
