"""LangChain's messages in the form that chat templates know: system, user and assistant texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from langchain_core.messages import AIMessage, BaseMessage, ChatMessage, SystemMessage, ToolMessage

from longleaf import LongleafError
from longleaf.engine.prompt.chat_template import Message

# What is said elsewhere in a message, or not meant to be read.
_UNSAID = ("tool_call", "tool_call_chunk", "invalid_tool_call", "tool_use", "reasoning", "thinking")
_ROLES = ("system", "user", "assistant")


class MessageError(LongleafError):
    """A message with something in it that a text model cannot read."""


def engine_messages(messages: Sequence[BaseMessage], instructions: str = "") -> list[Message]:
    """The conversation, `instructions` put into its system message.

    Messages of one role that follow each other are joined: templates expect turns. Raises MessageError.
    """
    turns = [Message("system", instructions)] if instructions else []
    for message in messages:
        turn = Message(_role(message), _text(message))
        if turns and turn.role == "system" == turns[0].role and instructions:
            turns[0] = Message("system", f"{turn.content}\n\n{turns[0].content}")
        elif turns and turns[-1].role == turn.role:
            turns[-1] = Message(turn.role, f"{turns[-1].content}\n\n{turn.content}")
        else:
            turns.append(turn)
    return turns


def call_text(name: str, arguments: object) -> str:
    """A tool call as the model writes it."""
    return json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)


def _role(message: BaseMessage) -> str:
    if isinstance(message, SystemMessage):
        return "system"
    if isinstance(message, AIMessage):
        return "assistant"
    if isinstance(message, ChatMessage) and message.role in _ROLES:
        return message.role
    return "user"  # what people and tools say


def _text(message: BaseMessage) -> str:
    parts = [*_parts(message)]
    if isinstance(message, AIMessage):
        parts += [call_text(call["name"], call["args"]) for call in message.tool_calls]
    text = "\n".join(part for part in parts if part)
    if isinstance(message, ToolMessage):
        failed = " failed" if message.status == "error" else ""
        return f"The result of {message.name or 'the tool'}{failed}: {text}"
    return text


def _parts(message: BaseMessage) -> Iterator[str]:
    if isinstance(message.content, str):
        yield message.content
        return
    for block in message.content:
        if isinstance(block, str):
            yield block
        elif block.get("type") in ("text", "text-plain") and isinstance(block.get("text"), str):
            yield block["text"]
        elif block.get("type") not in _UNSAID:
            raise MessageError(
                f"a {block.get('type')} block is in a message, but the model reads text only; "
                "read files with LongleafLoader and put their text into the message"
            )
