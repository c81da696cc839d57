"""Errors that more than one module of the engine raises or catches."""

from __future__ import annotations

from longleaf import LongleafError


class ChatTemplateError(LongleafError):
    """A chat template that is not valid, asks for too much, or refuses the messages."""


class MessagesRefusedError(ChatTemplateError):
    """The template called raise_exception: it says what it does not accept."""


class SamplingError(LongleafError, ValueError):
    """A sampling parameter that makes no sense."""


class PromptError(LongleafError, ValueError):
    """A prompt, or a text to be scored, without a token or with one that is none of the model's."""


class ContextOverflowError(LongleafError):
    """A prompt and its answer do not fit the context."""


class RequestError(LongleafError):
    """A request that was taken but could not be finished; others go on."""


class QueueFullError(RequestError):
    """As many requests wait already as may: come again later."""


class DeadlineError(RequestError):
    """The time a request was given is over."""


class EngineClosedError(RequestError):
    """The engine was closed while the request waited or ran."""


class EngineFailedError(RequestError):
    """The thread that steps the model failed; every request it had ends with this."""
