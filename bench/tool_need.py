"""When tools are used, the choice being the model's: `python -m bench.tool_need [--model M]`.

Twenty messages, half of which need one of the tools offered. Prints, for several values of SHYNESS, how many
of each half are met.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import argparse
import json
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import HumanMessage

from longleaf.app.defaults import CHAT_MODEL
from longleaf.app.langchain.messages import engine_messages
from longleaf.app.langchain.tool_need import SHYNESS, call_odds
from longleaf.app.langchain.tools import instructions
from longleaf.engine.engine import Engine
from longleaf.engine.prompt.chat_template import prompt_for


def tool(name: str, description: str, **properties: str) -> dict[str, Any]:
    parameters = {
        "type": "object",
        "properties": {key: {"type": value} for key, value in properties.items()},
        "required": list(properties),
    }
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


WEATHER = tool("get_weather", "Get the weather at a location.", location="string")
ADD = tool("add", "Takes two integers and returns their sum.", a="integer", b="integer")
SEARCH = tool("search_contracts", "Search the contract library for clauses.", query="string")
MAIL = tool("send_email", "Send an email to a person.", to="string", body="string")
NEEDED = (
    ("What is the weather in San Francisco, CA?", WEATHER),
    ("What is 1 + 2", ADD),
    ("Add 17 and 25 please.", ADD),
    ("Is it raining in Oslo today?", WEATHER, SEARCH),
    ("Find the governing law clause in our contracts.", SEARCH),
    ("Which contracts mention arbitration?", SEARCH, WEATHER),
    ("Tell Bob by email that the meeting is at noon.", MAIL),
    ("Send a mail to anna@example.org saying hi.", MAIL, WEATHER),
    ("Will it be sunny in Paris tomorrow?", WEATHER),
    ("sum of 5 and 9?", ADD, WEATHER),
)
NOT_NEEDED = (
    ("Hello, how are you?", WEATHER),
    ("Write a poem about the sea.", WEATHER),
    ("Who wrote Hamlet?", ADD),
    ("Tell me a joke about cats.", SEARCH),
    ("What is the capital of France?", MAIL),
    ("Thanks, that was helpful!", ADD, WEATHER),
    ("Translate 'good morning' into French.", WEATHER),
    ("What is photosynthesis?", SEARCH),
    ("Explain recursion.", MAIL),
    ("Hi", ADD),
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-m", "--model", default=CHAT_MODEL)
    options = parser.parse_args(arguments)
    with Engine.open(options.model, offline=True) as engine:
        needed = [odds(engine, message, tools) for message, *tools in NEEDED]
        not_needed = [odds(engine, message, tools) for message, *tools in NOT_NEEDED]
    for shyness in sorted({0.0, 2.0, 3.0, SHYNESS, 4.0, 5.0}):
        called = sum(each >= -shyness for each in needed)
        let_be = sum(each < -shyness for each in not_needed)
        print(json.dumps({"shyness": shyness, "called where needed": called, "answered where not": let_be}))
    return 0


def odds(engine: Engine, message: str, tools: Sequence[dict[str, Any]]) -> float:
    told = engine_messages([HumanMessage(message)], instructions(tools, "auto"))
    return call_odds(engine, prompt_for(engine.template, engine.tokenizer, told))


if __name__ == "__main__":
    raise SystemExit(main())
