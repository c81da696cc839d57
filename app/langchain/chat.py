"""`ChatLongleaf`: a LangChain chat model that runs in this process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, closing
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Literal

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LangSmithParams, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage
from langchain_core.messages.ai import InputTokenDetails, UsageMetadata
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable, RunnableMap, RunnablePassthrough
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_json_schema, convert_to_openai_tool
from pydantic import BaseModel, ConfigDict, PrivateAttr, model_validator

from longleaf import LongleafError
from longleaf.app import defaults
from longleaf.app.langchain import tools as tool_use
from longleaf.app.langchain.engines import shared_engine
from longleaf.app.langchain.lazy import Lazy
from longleaf.app.langchain.messages import engine_messages
from longleaf.app.langchain.parsers import parser_for
from longleaf.app.langchain.tool_need import awants_tool, wants_tool
from longleaf.engine.constraint.constraint import Constraint
from longleaf.engine.constraint.grammar import json_schema
from longleaf.engine.engine import Engine, RequestOptions
from longleaf.engine.prompt.chat_template import Prompt, prompt_for
from longleaf.engine.types import Generation

_PROVIDER = "longleaf"
_SAMPLING = (
    *("max_tokens", "temperature", "top_k", "top_p", "min_p", "repeat_penalty", "presence_penalty"),
    *("frequency_penalty", "repeat_last_n", "seed"),
)
_OF_A_CALL = (*_SAMPLING, "logit_bias", "ignore_eos", "timeout", "priority", "model", "tools", "tool_choice")
_INSIDE = ("response_schema", "tell_schema")  # with_structured_output's
# What callers give any chat model, and what makes no difference to this one.
_AS_ALWAYS = ("strict", "parallel_tool_calls", "stream")
_OF_SERVERS = ("api_key", "max_retries")


class ChatOptionError(LongleafError, ValueError):
    """An option of a call that the chat model does not know."""


@dataclass(frozen=True, slots=True)
class _Question:
    """A request but for whether a tool is to be called."""

    engine: Engine
    prompt: Prompt
    options: RequestOptions
    schema: Mapping[str, Any] | None  # of the answer
    tools: Sequence[tool_use.Tool]
    choice: str
    answered: bool  # by a tool, last
    asked: float  # by time.perf_counter()

    @property
    def open(self) -> bool:
        """Whether the model is to choose between answer and call."""
        return self.choice == "auto" and self.schema is None and bool(self.tools)

    @property
    def timeout(self) -> float | None:
        """Seconds that are left."""
        given = self.options.get("timeout")
        return None if given is None else max(0.0, given - (time.perf_counter() - self.asked))

    def request(self, wants_tool: bool) -> _Request:
        calls = self.schema is None and bool(self.tools) and (self.choice not in tool_use.FREE or wants_tool)
        schema = tool_use.call_schema(self.tools, self.choice) if calls else self.schema
        options: RequestOptions = {**self.options, "timeout": self.timeout}
        constraint: Constraint | None = None
        if schema is not None:
            grammar = json_schema(self.engine.tokenizer, tool_use.closed(schema))
            constraint = grammar.constraint(options["max_tokens"])
            options["stop"] = []  # a grammar says itself where an answer ends; these could cut it anywhere
        return _Request(self.engine, self.prompt, constraint, options, calls)


@dataclass(frozen=True, slots=True)
class _Request:
    engine: Engine
    prompt: Prompt
    constraint: Constraint | None
    options: RequestOptions
    calls: bool  # whether the answer is a tool call

    def message(self, result: Generation) -> AIMessage:
        metadata = _response_metadata(self.engine, result)
        usage = _usage(result)
        if not self.calls:
            return AIMessage(result.text, usage_metadata=usage, response_metadata=metadata)
        calls, invalid = tool_use.parse_call(result.text, whole=result.finish == "stop")
        return AIMessage(
            "",
            tool_calls=calls,
            invalid_tool_calls=invalid,
            usage_metadata=usage,
            response_metadata=metadata,
        )

    def last_chunk(self, result: Generation) -> AIMessageChunk:
        """What ends a stream: the tool call if the answer is one, and what is known only now."""
        message = self.message(result)
        calls = [(call["name"], call["args"], call["id"]) for call in message.tool_calls]
        return AIMessageChunk(
            content="",
            tool_call_chunks=[
                tool_call_chunk(name=name, args=tool_use.arguments_text(args), id=identifier, index=index)
                for index, (name, args, identifier) in enumerate(calls)
            ]
            + [
                tool_call_chunk(name=call["name"], args=call["args"], id=call["id"], index=0)
                for call in message.invalid_tool_calls
            ],
            usage_metadata=message.usage_metadata,
            response_metadata=message.response_metadata,
            chunk_position="last",
        )


class ChatLongleaf(BaseChatModel):
    """A local model behind LangChain's chat interface. It is loaded with the first message.

    Requests of several threads and tasks are stepped together, and beginnings that prompts share are read
    once. Structured output and tool calls are right in form by construction; what is in them is the model's.

    A call takes the sampling parameters of the engine (but for logprobs), `timeout` and `priority` as keyword
    arguments; one that is not known raises ChatOptionError.
    """

    model_config = ConfigDict(extra="forbid")

    model: str = defaults.CHAT_MODEL  # catalogue name, path of a GGUF, or hf:ORG/REPO/FILE.gguf
    temperature: float = 0.0
    max_tokens: int = 256
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repeat_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    repeat_last_n: int = 64
    seed: int = 0
    stop: list[str] | None = None
    timeout: float | None = None  # seconds
    ctx_size: int | None = None
    threads: int | None = None
    offline: bool = False
    streaming: bool = False

    _engines: Lazy[Engine] = PrivateAttr(default_factory=Lazy)  # which stay loaded as long as they are held

    @model_validator(mode="before")
    @classmethod
    def _without_what_servers_need(cls, values: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in values.items() if name not in _OF_SERVERS}

    @property
    def _llm_type(self) -> str:
        return "longleaf-chat"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        names = ("model", *_SAMPLING, "stop", "ctx_size")
        return {name: getattr(self, name) for name in names}

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> LangSmithParams:
        params = super()._get_ls_params(stop=stop, **kwargs)
        params["ls_provider"] = _PROVIDER
        params["ls_model_name"] = kwargs.get("model", self.model)
        params["ls_temperature"] = kwargs.get("temperature", self.temperature)
        params["ls_max_tokens"] = kwargs.get("max_tokens", self.max_tokens)
        if ends := stop or self.stop:
            params["ls_stop"] = ends
        return params

    def get_token_ids(self, text: str) -> list[int]:
        return self._engine(self.model).tokenizer.encode(text, add_bos=False)

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | bool | dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """`tool_choice` "auto" leaves it to the model, "any" or a tool's name makes it call; one call an
        answer.

        Raises ToolChoiceError.
        """
        converted = [convert_to_openai_tool(tool) for tool in tools]
        choice = tool_use.tool_choice(tool_choice, converted)
        return self.bind(tools=converted, tool_choice=choice, **kwargs)

    def with_structured_output(
        self,
        schema: dict[str, Any] | type,
        *,
        method: Literal["json_schema", "function_calling", "json_mode"] = "json_schema",
        include_raw: bool = False,
        strict: bool | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, dict[str, Any] | BaseModel]:
        """Answers that validate against the schema, as its class or a dict.

        Every `method` follows the schema token by token, whatever `strict` says; "json_mode" leaves it to the
        prompt to tell the model of it. An answer that max_tokens cuts raises OutputParserException.
        """
        if kwargs:
            raise ValueError(f"with_structured_output does not know {', '.join(kwargs)}")
        wanted = convert_to_json_schema(schema)
        answering = self.bind(
            response_schema=wanted,
            tell_schema=method != "json_mode",
            ls_structured_output_format={"kwargs": {"method": method, "strict": strict}, "schema": schema},
        )
        parser = parser_for(schema)
        if not include_raw:
            return answering | parser
        parsed = RunnablePassthrough.assign(parsed=itemgetter("raw") | parser, parsing_error=lambda _: None)
        failed = RunnablePassthrough.assign(parsed=lambda _: None)
        return RunnableMap(raw=answering) | parsed.with_fallbacks([failed], exception_key="parsing_error")

    # -- what BaseChatModel calls ------------------------------------------------------------------------

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        request = self._request(messages, stop, kwargs)
        result = request.engine.generate(
            request.prompt.text, constraint=request.constraint, **request.options
        )
        return ChatResult(generations=[ChatGeneration(message=request.message(result))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        request = await self._arequest(messages, stop, kwargs)
        result = await request.engine.agenerate(
            request.prompt.text, constraint=request.constraint, **request.options
        )
        return ChatResult(generations=[ChatGeneration(message=request.message(result))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        request = self._request(messages, stop, kwargs)
        pieces = request.engine.stream(request.prompt.text, constraint=request.constraint, **request.options)
        with closing(pieces):
            while True:
                try:
                    piece = next(pieces)
                except StopIteration as end:
                    yield ChatGenerationChunk(message=request.last_chunk(end.value))
                    return
                if request.calls:  # told as a whole, at the end
                    continue
                chunk = ChatGenerationChunk(message=AIMessageChunk(content=piece))
                if run_manager:
                    run_manager.on_llm_new_token(piece, chunk=chunk)
                yield chunk

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        request = await self._arequest(messages, stop, kwargs)
        pieces = request.engine.astream(request.prompt.text, constraint=request.constraint, **request.options)
        async with aclosing(pieces):
            async for piece in pieces:
                if isinstance(piece, Generation):
                    yield ChatGenerationChunk(message=request.last_chunk(piece))
                    return
                if request.calls:
                    continue
                chunk = ChatGenerationChunk(message=AIMessageChunk(content=piece))
                if run_manager:
                    await run_manager.on_llm_new_token(piece, chunk=chunk)
                yield chunk

    def _request(
        self, messages: list[BaseMessage], stop: list[str] | None, kwargs: Mapping[str, Any]
    ) -> _Request:
        question = self._question(messages, stop, kwargs)
        return question.request(
            question.open
            and wants_tool(
                question.engine, question.prompt, answered=question.answered, timeout=question.timeout
            )
        )

    async def _arequest(
        self, messages: list[BaseMessage], stop: list[str] | None, kwargs: Mapping[str, Any]
    ) -> _Request:
        question = await asyncio.to_thread(self._question, messages, stop, kwargs)
        wants = question.open and await awants_tool(
            question.engine, question.prompt, answered=question.answered, timeout=question.timeout
        )
        return await asyncio.to_thread(question.request, wants)

    def _question(
        self, messages: list[BaseMessage], stop: list[str] | None, kwargs: Mapping[str, Any]
    ) -> _Question:
        asked = time.perf_counter()
        if unknown := kwargs.keys() - {*_OF_A_CALL, *_INSIDE, *_AS_ALWAYS}:
            raise ChatOptionError(
                f"ChatLongleaf knows no option {', '.join(sorted(unknown))}; it takes {', '.join(_OF_A_CALL)}"
            )
        engine = self._engine(kwargs.get("model", self.model))
        schema = kwargs.get("response_schema")
        tools, choice = kwargs.get("tools") or [], kwargs.get("tool_choice") or "auto"
        instructions = ""
        if schema is not None and kwargs.get("tell_schema"):
            instructions = tool_use.schema_instructions(schema)
        elif schema is None and tools and choice != "none":
            instructions = tool_use.instructions(tools, choice)
        prompt = prompt_for(engine.template, engine.tokenizer, engine_messages(messages, instructions))
        options: RequestOptions = {
            "parse_special": prompt.parse_special,
            "timeout": kwargs.get("timeout", self.timeout),
            "stop": stop or self.stop or [],
        }
        for name in (*_SAMPLING, "logit_bias", "ignore_eos", "priority"):
            if name in kwargs or hasattr(self, name):
                options[name] = kwargs.get(name, getattr(self, name, None))  # type: ignore[literal-required]
        answered = bool(messages) and isinstance(messages[-1], ToolMessage)
        return _Question(engine, prompt, options, schema, tools, choice, answered, asked)

    def _engine(self, model: str) -> Engine:
        options = model, self.ctx_size, self.threads, self.offline
        return self._engines.get(lambda: shared_engine(*options), options)


def _usage(result: Generation) -> UsageMetadata:
    usage = result.usage
    return UsageMetadata(
        input_tokens=usage.prompt_tokens,
        output_tokens=usage.generated_tokens,
        total_tokens=usage.prompt_tokens + usage.generated_tokens,
        input_token_details=InputTokenDetails(cache_read=usage.reused_tokens),
    )


def _response_metadata(engine: Engine, result: Generation) -> dict[str, Any]:
    usage = result.usage
    return {
        "model_name": engine.name,
        "model_provider": _PROVIDER,
        "finish_reason": result.finish,
        "seconds_to_first_token": usage.seconds_to_first_token,
        "seconds": usage.seconds,
    }
