"""Prompts in the form a model was trained on: its own chat template, or plain text for a base model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from longleaf import _native
from longleaf.engine.errors import ChatTemplateError, MessagesRefusedError
from longleaf.engine.prompt.tokenizer import Tokenizer

_WORD_JOINER = "\u2060"  # invisible and without meaning of its own

__all__ = ["ChatTemplate", "ChatTemplateError", "Message", "Prompt", "defuse", "load_template", "prompt_for"]


@dataclass(frozen=True, slots=True)
class Message:
    role: str  # "system", "user" or "assistant"
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    text: str
    parse_special: bool  # control tokens in the text are meant


class ChatTemplate:
    """The chat template of a GGUF, compiled into a sandbox."""

    def __init__(self, source: str, *, bos: str = "", eos: str = "") -> None:
        from longleaf.engine.prompt.template_sandbox import (
            compile_template,  # brings jinja2, which base models do not need
        )

        self._render = compile_template(source)
        self._tokens = {"bos_token": bos, "eos_token": eos}

    def render(self, messages: Sequence[Message], *, add_generation_prompt: bool = True) -> str:
        """The messages as the model expects them, and the beginning of its answer.

        A template that refuses a system message gets it in front of the first user message. Raises
        ChatTemplateError.
        """
        try:
            return self._rendered(messages, add_generation_prompt)
        except MessagesRefusedError:
            merged = _without_system(messages)
            if merged is None:
                raise
            return self._rendered(merged, add_generation_prompt)

    def _rendered(self, messages: Sequence[Message], add_generation_prompt: bool) -> str:
        return self._render(
            {
                "messages": [{"role": message.role, "content": message.content} for message in messages],
                "add_generation_prompt": add_generation_prompt,
                **self._tokens,
            }
        )


def load_template(gguf: _native.Gguf, tokenizer: Tokenizer) -> ChatTemplate | None:
    """The chat template in a GGUF; None for a base model. Raises ChatTemplateError if it is not valid."""
    source = gguf.get("tokenizer.chat_template")
    if not isinstance(source, str) or not source.strip():
        return None

    def name(token: int | None) -> str:
        return "" if token is None else tokenizer.token_bytes(token).decode("utf-8", "replace")

    return ChatTemplate(source, bos=name(tokenizer.bos_id), eos=name(tokenizer.eos_id))


def prompt_for(
    template: ChatTemplate | None,
    tokenizer: Tokenizer,
    messages: Sequence[Message],
    *,
    answer_start: str = "",
) -> Prompt:
    """The prompt that makes the model answer the last message.

    With a template the messages are rendered, every control token written in them made harmless first.
    Without one the model continues text: the contents, an empty line between. `answer_start` is put where the
    answer begins, after an empty line in continued text.
    """
    if template is not None:
        safe = [Message(message.role, defuse(message.content, tokenizer)) for message in messages]
        return Prompt(template.render(safe) + answer_start, parse_special=True)
    parts = [message.content.strip("\n") for message in messages]
    return Prompt("\n\n".join([*parts, answer_start] if answer_start else parts), parse_special=False)


def defuse(text: str, tokenizer: Tokenizer) -> str:
    """The text with an invisible U+2060 in each control token that is written in it.

    A document that has "<|im_end|>" in it can then be put into a rendered template, and stays text.
    """
    data = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
    joiner = _WORD_JOINER.encode()
    while spans := tokenizer.control_spans(data):
        pieces, done = [], 0
        for start, end in spans:
            name = data[start:end].decode("utf-8", "replace")
            # A name of one character, or one that the joiner cannot break, is left out.
            broken = (
                b""
                if len(name) < 2 or _WORD_JOINER in name
                else joiner.join([name[0].encode(), name[1:].encode()])
            )
            pieces += [data[done:start], broken]
            done = end
        data = b"".join([*pieces, data[done:]])
    return data.decode("utf-8", "replace")


def _without_system(messages: Sequence[Message]) -> list[Message] | None:
    """A leading system message merged into the user message after it; None if there is no such pair."""
    if len(messages) < 2 or messages[0].role != "system" or messages[1].role != "user":
        return None
    system, user, *rest = messages
    return [Message("user", f"{system.content}\n\n{user.content}"), *rest]
