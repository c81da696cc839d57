"""LangChain's standard tests on the real models, and what they do not ask."""

from __future__ import annotations

import asyncio
import copy
import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from langchain_core.embeddings import Embeddings
from langchain_core.exceptions import OutputParserException
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, SystemMessage, ToolMessage
from langchain_core.retrievers import BaseRetriever
from langchain_tests.integration_tests import (
    ChatModelIntegrationTests,
    EmbeddingsIntegrationTests,
    RetrieversIntegrationTests,
)
from langchain_tests.unit_tests import ChatModelUnitTests, EmbeddingsUnitTests
from pydantic import BaseModel, ValidationError

from longleaf.app import gaps
from longleaf.app.langchain import ChatLongleaf, LongleafEmbeddings, LongleafLoader, LongleafRetriever
from longleaf.app.langchain import loader as loading
from longleaf.app.langchain.chat import ChatOptionError
from longleaf.app.langchain.engines import shared_engine
from longleaf.app.langchain.messages import MessageError, engine_messages
from longleaf.app.langchain.tools import ToolChoiceError, closed
from longleaf.app.library.documents import LibraryError
from longleaf.app.workspace import Workspace
from longleaf.engine.embedding.embedder import DEFAULT_EMBEDDER
from longleaf.engine.errors import DeadlineError
from longleaf.engine.prompt.chat_template import Message
from longleaf.ingest import IngestError
from tests.support.real_models import real_model

OTHER_MODEL = "gemma-3-270m"
CHAT: dict[str, Any] = {"model": "smollm2-135m-instruct", "ctx_size": 2048, "offline": True}
CLAUSES = {
    "Governing Law": "This Agreement is governed by the laws of the State of Delaware.",
    "Assignment": "Neither party may assign its rights without the prior written consent of the other.",
    "Payment": "The Buyer pays each invoice within 45 days; late amounts bear interest of 1.5% a month.",
    "Termination": "Either party may terminate this Agreement without cause upon ninety days' notice.",
}
WEATHER = {
    "name": "get_weather",
    "description": "Get the weather at a location.",
    "parameters": {
        "type": "object",
        "properties": {"location": {"type": "string"}},
        "required": ["location"],
    },
}

Details = Literal[
    "audio_input", "audio_output", "reasoning_output", "cache_read_input", "cache_creation_input"
]


@pytest.fixture(scope="module", autouse=True)
def engines() -> Iterator[None]:
    """Holds the engines, so that each test's chat model finds them loaded."""
    names = (CHAT["model"], OTHER_MODEL)
    held = [shared_engine(real_model(name).name, CHAT["ctx_size"], None, True) for name in names]
    yield
    for engine in held:
        engine.close()


class _Chat:
    @property
    def chat_model_class(self) -> type[ChatLongleaf]:
        return ChatLongleaf

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return CHAT

    @property
    def supports_json_mode(self) -> bool:
        return True

    @property
    def supports_anthropic_inputs(self) -> bool:
        return True


class TestChatUnit(_Chat, ChatModelUnitTests):
    pass


class TestChatIntegration(_Chat, ChatModelIntegrationTests):
    """Not asked: pictures, sound and PDFs, which the models cannot read, and recorded HTTP: there is none."""

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {**CHAT, "max_tokens": 64}

    @property
    def model_override_value(self) -> str:
        return OTHER_MODEL

    @property
    def supported_usage_metadata_details(self) -> dict[Literal["invoke", "stream"], list[Details]]:
        return {"invoke": ["cache_read_input"], "stream": ["cache_read_input"]}

    def invoke_with_cache_read_input(self, *, stream: bool = False) -> AIMessage:
        model = ChatLongleaf(**self.chat_model_params)
        messages = [SystemMessage("You answer in one word. " * 20), HumanMessage("Hello")]
        model.invoke(messages)
        if not stream:
            return model.invoke(messages)
        full: AIMessageChunk | None = None
        for chunk in model.stream(messages):
            assert isinstance(chunk, AIMessageChunk)
            full = chunk if full is None else full + chunk
        assert full is not None and full.usage_metadata is not None
        assert full.usage_metadata["input_token_details"]["cache_read"] > 64
        return full


class _Embeddings:
    @property
    def embeddings_class(self) -> type[Embeddings]:
        real_model(DEFAULT_EMBEDDER)
        return LongleafEmbeddings

    @property
    def embedding_model_params(self) -> dict[str, Any]:
        return {"offline": True}


class TestEmbeddingsUnit(_Embeddings, EmbeddingsUnitTests):
    pass


class TestEmbeddingsIntegration(_Embeddings, EmbeddingsIntegrationTests):
    pass


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Library with two documents."""
    real_model("gemma-3-270m")
    real_model(DEFAULT_EMBEDDER)
    folder = tmp_path_factory.mktemp("library")
    with Workspace(folder / "library.db", offline=True) as workspace:
        for name, clauses in (("a.md", CLAUSES), ("b.md", {"Notices": "Notices must be in writing."})):
            file = folder / name
            file.write_text("\n\n".join(f"# {title}\n\n{text}" for title, text in clauses.items()))
            workspace.store(file)
    return folder / "library.db"


class TestRetriever(RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def _in_library(self, library: Path) -> None:
        self._library = library

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return LongleafRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"library": self._library, "offline": True}

    @property
    def retriever_query_example(self) -> str:
        return "Which party may give notice of termination or assign this Agreement?"


# -- what the standard tests do not ask -------------------------------------------------------------------


class Invoice(BaseModel):
    number: int
    note: str


def test_streams_batches_and_tasks_say_the_same() -> None:
    model = ChatLongleaf(**CHAT, max_tokens=12)
    question = "Name a colour."
    whole = model.invoke(question)
    streamed = "".join(str(chunk.content) for chunk in model.stream(question))
    assert streamed == whole.content
    assert [each.content for each in model.batch([question, question])] == [whole.content] * 2
    assert whole.response_metadata["finish_reason"] in ("stop", "length")
    assert whole.response_metadata["model_name"] == CHAT["model"]


def test_a_structured_answer_that_was_cut_is_an_error_and_not_an_object() -> None:
    model = ChatLongleaf(**CHAT, max_tokens=6)
    with pytest.raises(OutputParserException, match="cut at max_tokens"):
        model.with_structured_output(Invoice).invoke("Invoice 17, paid.")
    with pytest.raises(OutputParserException, match="cut at max_tokens"):
        list(model.with_structured_output(Invoice).stream("Invoice 17, paid."))
    told = model.with_structured_output(Invoice, include_raw=True).invoke("Invoice 17, paid.")
    assert isinstance(told, dict)
    assert told["parsed"] is None and "cut at max_tokens" in str(told["parsing_error"])
    assert told["raw"].response_metadata["finish_reason"] == "length"


def test_a_call_that_was_cut_is_an_invalid_call() -> None:
    model = ChatLongleaf(**CHAT, max_tokens=3).bind_tools([WEATHER], tool_choice="any")
    message = model.invoke("What is the weather in Rome?")
    assert message.tool_calls == []
    assert "cut at max_tokens" in str(message.invalid_tool_calls[0]["error"])


def test_tools_are_used_for_what_they_are_for() -> None:
    model = ChatLongleaf(**CHAT, max_tokens=40).bind_tools([WEATHER])
    assert model.invoke("What is the weather in San Francisco, CA?").tool_calls
    assert not model.invoke("Hello, how are you?").tool_calls
    assert not model.bind(tool_choice="none").invoke("What is the weather in San Francisco, CA?").tool_calls


def test_a_tool_choice_that_is_no_tool_is_refused() -> None:
    model = ChatLongleaf(**CHAT)
    with pytest.raises(ToolChoiceError, match=r"'get_rain'.*get_weather"):
        model.bind_tools([WEATHER], tool_choice="get_rain")


def test_an_option_that_is_not_known_is_refused_and_one_that_is_counts() -> None:
    model = ChatLongleaf(**CHAT, max_tokens=10)
    with pytest.raises(ChatOptionError, match=r"no option temprature; it takes .*temperature"):
        model.invoke("Hello", temprature=0.3)
    with pytest.raises(ChatOptionError, match="logprobs"):
        model.bind(logprobs=3).invoke("Hello")
    with pytest.raises(ValidationError, match="temprature"):
        ChatLongleaf(**CHAT, temprature=0.3)
    plain = model.invoke("Hello").content
    (first, *_) = model.get_token_ids(str(plain))
    assert model.invoke("Hello", logit_bias={first: -100.0}).content != plain
    kept = ChatLongleaf(**CHAT, max_tokens=10, repeat_penalty=1e-3).invoke("Hello").content
    assert model.bind(repeat_penalty=1e-3).invoke("Hello").content == kept != plain


def test_a_copy_of_a_model_that_was_used_can_be_used() -> None:
    model = ChatLongleaf(**CHAT, max_tokens=4)
    said = model.invoke("Hello").content
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert other.invoke("Hello").content == said
    real_model(DEFAULT_EMBEDDER)
    embeddings = LongleafEmbeddings(offline=True)
    vector = embeddings.embed_query("Hello")
    for another in (pickle.loads(pickle.dumps(embeddings)), copy.deepcopy(embeddings)):
        assert another.embed_query("Hello") == vector


def test_a_forked_process_loads_its_own_engine() -> None:
    model = ChatLongleaf(**CHAT, max_tokens=4, timeout=60)
    said = model.invoke("Hello").content
    child = os.fork()
    if child == 0:
        code = 2
        try:
            again = model.invoke("Hello").content, ChatLongleaf(**CHAT, max_tokens=4).invoke("Hello").content
            code = 0 if again == (said, said) else 1
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_time_and_cancelling_count_while_it_is_found_out_whether_a_tool_is_wanted() -> None:
    model = ChatLongleaf(**CHAT)
    engine = shared_engine(CHAT["model"], CHAT["ctx_size"], None, True)
    question = "Is it raining in Rome or in any other town? " * 120
    with pytest.raises(DeadlineError):
        model.bind_tools([WEATHER]).invoke(question, timeout=0.05)
    assert engine.prefix_stats().in_use == 0

    async def leave() -> None:
        task = asyncio.create_task(model.bind_tools([WEATHER]).ainvoke("Soon? " + question))
        while engine.prefix_stats().in_use == 0:
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert engine.prefix_stats().in_use == 0

    asyncio.run(leave())


def test_a_call_that_is_asked_for_needs_a_tool() -> None:
    model = ChatLongleaf(**CHAT)
    for choice in ("any", "required", True):
        with pytest.raises(ToolChoiceError, match="no tools are given"):
            model.bind_tools([], tool_choice=choice)


def test_messages_become_turns() -> None:
    call = {"name": "f", "args": {"x": "é"}, "id": "1", "type": "tool_call"}
    messages = [
        SystemMessage("Be kind."),
        HumanMessage(["One.", {"type": "text", "text": "Two."}]),
        HumanMessage("Three."),
        AIMessage("", tool_calls=[call]),
        ToolMessage("4", tool_call_id="1", name="f", status="error"),
    ]
    assert engine_messages(messages, "Use f.") == [
        Message("system", "Be kind.\n\nUse f."),
        Message("user", "One.\nTwo.\n\nThree."),
        Message("assistant", '{"name": "f", "arguments": {"x": "é"}}'),
        Message("user", "The result of f failed: 4"),
    ]
    for block in (
        {"type": "image_url", "image_url": {"url": "x"}},
        {"type": "document"},
        {"text": "no type"},
    ):
        with pytest.raises(MessageError, match=f"a {block.get('type')} block"):
            engine_messages([HumanMessage([block])])
    blocks = [
        {"type": "reasoning", "reasoning": "Hm."},
        {"type": "text-plain", "text": "Five.", "mime_type": "text/plain"},
    ]
    assert engine_messages([AIMessage(blocks)]) == [Message("assistant", "Five.")]


def test_objects_are_closed_where_they_name_their_properties() -> None:
    schema = {"type": "object", "properties": {"properties": {"type": "object"}, "a": {"$ref": "#/$defs/A"}}}
    schema["$defs"] = {"A": {"type": "object", "properties": {}, "additionalProperties": True}}
    made = closed(schema)
    assert made["additionalProperties"] is False
    assert made["properties"]["properties"] == {"type": "object"}
    assert made["$defs"]["A"]["additionalProperties"] is True
    assert closed({"anyOf": [schema]})["anyOf"][0]["additionalProperties"] is False


def test_passages_say_where_they_are_from(library: Path) -> None:
    retriever = LongleafRetriever(library=library, offline=True, k=1, files=["a.md"])
    (found,) = retriever.invoke("Which law governs?")
    assert "Delaware" in found.page_content
    assert found.metadata["source"] == "a.md"
    assert found.metadata["headings"] == ["Governing Law"]
    assert found.metadata["page_index_start"] == 0
    with pytest.raises(LibraryError, match=r"c\.md: not in the Library"):
        LongleafRetriever(library=library, offline=True, files=["c.md"]).invoke("law")
    with pytest.raises(LibraryError, match=r"there is no Library .*none\.db"):
        LongleafRetriever(library=library.with_name("none.db"), offline=True).invoke("law")
    assert not library.with_name("none.db").exists()
    for k in (0, -1):
        with pytest.raises(ValueError, match=f"k must be at least 1, not {k}"):
            retriever.invoke("law", k=k)
    with pytest.raises(TypeError, match="search_kwargs"):
        retriever.invoke("law", search_kwargs={"k": 1})
    with pytest.raises(ValidationError, match="top_k"):
        LongleafRetriever(library=library, top_k=1)  # type: ignore[call-arg]
    assert pickle.loads(pickle.dumps(retriever)).invoke("Which law governs?") == [found]
    questions = ["Which law governs?", "Who pays?", "May it be assigned?"] * 4
    many = LongleafRetriever(library=library, offline=True, k=1, files=["a.md"]).batch(questions)
    assert [passages[0].page_content for passages in many] == [
        LongleafRetriever(library=library, offline=True, k=1, files=["a.md"]).invoke(each)[0].page_content
        for each in questions[:3]
    ] * 4


def test_files_are_loaded_by_page_and_by_passage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.md"
    file.write_text("\n\n".join(f"# {title}\n\n{text}" for title, text in CLAUSES.items()))
    (page,) = LongleafLoader(file).load()
    assert all(text in page.page_content for text in CLAUSES.values())
    assert (page.metadata["page"], page.metadata["total_pages"], page.metadata["gaps"]) == (0, 1, [])
    real_model("gemma-3-270m")
    (part,) = LongleafLoader(file, context_tokens=2000, offline=True).load()
    assert part.page_content.startswith(f"Document: {file}") and part.metadata["last_page"] == 0
    with pytest.raises(ValueError, match="not both"):
        LongleafLoader(file, chunk_tokens=40, context_tokens=2000)
    asked: list[object] = []
    monkeypatch.setattr(loading, "gap_reports", lambda of: asked.append(of) or gaps.gap_reports(of))
    passages = LongleafLoader(file, chunk_tokens=40, offline=True).load()
    assert len(asked) == 1  # of a document, not of each of its passages
    assert [each.metadata["headings"] for each in passages] == [[title] for title in CLAUSES]
    with pytest.raises(IngestError):
        LongleafLoader(tmp_path / "none.pdf").load()
