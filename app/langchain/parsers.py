"""Structured answers as objects; one that was cut by max_tokens is an error, not an object with holes."""

from __future__ import annotations

from typing import Any

from langchain_core.exceptions import OutputParserException
from langchain_core.messages import BaseMessage
from langchain_core.output_parsers import BaseOutputParser, JsonOutputParser, PydanticOutputParser
from langchain_core.outputs import ChatGeneration, Generation
from langchain_core.utils.pydantic import is_basemodel_subclass


class _JsonParser(JsonOutputParser):
    def parse_result(self, result: list[Generation], *, partial: bool = False) -> Any:
        check_whole(result)
        return super().parse_result(result, partial=partial)


class _PydanticParser(PydanticOutputParser[Any]):
    def parse_result(self, result: list[Generation], *, partial: bool = False) -> Any:
        check_whole(result)
        return super().parse_result(result, partial=partial)


def parser_for(schema: dict[str, Any] | type) -> BaseOutputParser[Any]:
    """A pydantic class gives its instances; everything else dicts."""
    if isinstance(schema, type) and is_basemodel_subclass(schema):
        return _PydanticParser(pydantic_object=schema)
    return _JsonParser()


def check_whole(result: list[Generation]) -> None:
    """LangChain's own parsers close what is cut, so that it looks like an answer."""
    for generation in result:
        message: BaseMessage | None = generation.message if isinstance(generation, ChatGeneration) else None
        if message is not None and message.response_metadata.get("finish_reason") == "length":
            raise OutputParserException(
                "the answer was cut at max_tokens before it was whole; raise max_tokens or ask for less",
                llm_output=generation.text,
            )
