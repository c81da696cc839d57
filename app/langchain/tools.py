"""Tools: what the model is told of them, the form its calls must have, and the calls in its answers."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import InvalidToolCall, ToolCall
from langchain_core.messages.tool import invalid_tool_call, tool_call

from longleaf import LongleafError

Tool = Mapping[str, Any]  # in OpenAI's form, as convert_to_openai_tool gives it
FREE = ("auto", "none")
FORCED = ("any", "required")


class ToolChoiceError(LongleafError):
    """A tool_choice that names no tool, or is none of the known words."""


def tool_choice(choice: object, tools: Sequence[Tool]) -> str:
    """ "auto", "any", "none" or the name of the one tool to call. Raises ToolChoiceError."""
    names = [tool["function"]["name"] for tool in tools]
    if choice is None or choice is False:
        return "auto"
    if choice is True or choice in FORCED:
        if not names:
            raise ToolChoiceError(f"tool_choice {choice!r} asks for a call, but no tools are given")
        return "any"
    if isinstance(choice, Mapping):
        choice = choice.get("function", choice).get("name")
    if choice in FREE or choice in names:
        return str(choice)
    raise ToolChoiceError(
        f"tool_choice {choice!r} is neither 'auto', 'any', 'none' nor one of the tools: {', '.join(names)}"
    )


def instructions(tools: Sequence[Tool], choice: str) -> str:
    """What the model is told before the conversation."""
    listed = "\n".join(
        json.dumps(
            {key: tool["function"].get(key) for key in ("name", "description", "parameters")},
            ensure_ascii=False,
        )
        for tool in tools
    )
    when = "Call the tool that helps" if choice != "auto" else "If one of them helps, call it"
    return (
        f"These tools are there:\n{listed}\n"
        f'{when}: answer only with {{"name": TOOL, "arguments": {{ARGUMENT: VALUE}}}}.'
    )


def call_schema(tools: Sequence[Tool], choice: str) -> dict[str, Any]:
    """The JSON Schema of one call, of the chosen tool or of any."""
    called = [tool for tool in tools if choice in ("any", "auto", tool["function"]["name"])]
    return {
        "anyOf": [
            closed(
                {
                    "type": "object",
                    "properties": {
                        "name": {"const": tool["function"]["name"]},
                        "arguments": {"type": "object", **tool["function"].get("parameters", {})},
                    },
                    "required": ["name", "arguments"],
                }
            )
            for tool in called
        ]
    }


def parse_call(text: str, *, whole: bool) -> tuple[list[ToolCall], list[InvalidToolCall]]:
    """The call that an answer is; one that was cut short is told as invalid."""
    identifier = f"call_{uuid.uuid4().hex}"
    if whole:
        call = json.loads(text)
        return [tool_call(name=call["name"], args=call["arguments"], id=identifier)], []
    error = "the answer was cut at max_tokens before the call was whole"
    return [], [invalid_tool_call(name=None, args=text, id=identifier, error=error)]


_NAMED = ("properties", "patternProperties", "$defs", "definitions")  # schemas by name


def closed(schema: Any) -> Any:
    """The schema with objects that name their properties limited to these, as people mean it."""
    if isinstance(schema, list):
        return [closed(value) for value in schema]
    if not isinstance(schema, Mapping):
        return schema
    inner: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _NAMED and isinstance(value, Mapping):
            inner[key] = {name: closed(each) for name, each in value.items()}
        else:
            # Parts that hold together must each let the others' properties through.
            inner[key] = value if key == "allOf" else closed(value)
    if isinstance(inner.get("properties"), dict):
        inner.setdefault("additionalProperties", False)
    return inner


def schema_instructions(schema: Mapping[str, Any]) -> str:
    """What the model is told of the form its answer will have."""
    return f"Answer with JSON that fits this schema: {json.dumps(schema, ensure_ascii=False)}"


def arguments_text(arguments: object) -> str:
    return json.dumps(arguments, ensure_ascii=False)
