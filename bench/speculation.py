"""Prompt lookup against plain decoding: `python -m bench.speculation [--model M] [--tasks 0-4 | --free]`.

Ten extractive tasks over the sample documents, greedy: the same tokens both ways, the steps and the seconds
of decode. `--free`: free text, sampled, which must not become slower. Both ways take turns, so that a change
of the machine's speed meets both. Build the documents first: `python sample_docs/make.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import argparse
import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from longleaf.app.defaults import LANGUAGE_MODEL
from longleaf.engine.engine import Engine
from longleaf.engine.prompt.chat_template import Message, prompt_for
from longleaf.engine.speculation.draft_pace import StepTimes
from longleaf.engine.speculation.prompt_lookup import PromptLookup
from longleaf.engine.types import Generation
from longleaf.ingest import read_document

TOKENS = 128  # generated for a task


@dataclass(frozen=True, slots=True)
class Task:
    file: str
    instruction: str
    opening: str  # of the answer; the passage it is from is on the page that holds it


AGREEMENT, REPORT = "supply_agreement_v1.pdf", "annual_report.pdf"
TASKS = (
    Task(AGREEMENT, "List the two parties as the agreement names them.", "Kestrel Bay Polymers LLC, a"),
    Task(AGREEMENT, "Quote the article on term and renewal.", "2.1 Initial Term."),
    Task(AGREEMENT, "Quote the article on price and payment.", "5.1 Price."),
    Task(AGREEMENT, "Quote the article on confidentiality.", "8.1 Duty."),
    Task(AGREEMENT, "Quote the article on the limitation of liability.", "11.1 Excluded Losses."),
    Task(AGREEMENT, "Quote the clauses on assignment.", "16.1 Assignment."),
    Task(AGREEMENT, "Repeat the table of products and prices.", "Product  Code  Form"),
    Task(AGREEMENT, "Repeat the table of specifications.", "Property  Method"),
    Task(REPORT, "Repeat the table of contents.", "Letter from the Chief Executive Officer"),
    Task(
        REPORT,
        "Quote the letter of the chief executive officer.",
        "Letter from the Chief Executive Officer\n",
    ),
)
FREE = (
    "Once upon a time, in a village by the sea,",
    "The best way to spend a rainy Sunday is",
    "Dear Ms. Alvarez, thank you for your letter about",
    "Three things that nobody tells you about gardening:",
    "In the year 2140 the first ships left for",
    "My grandmother used to say that a kitchen",
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-m", "--model", default=LANGUAGE_MODEL)
    parser.add_argument("--tasks", default="0-9", help="FIRST-LAST of the ten tasks")
    parser.add_argument("--free", action="store_true", help="free text instead")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--samples", type=Path, default=Path("build/samples"))
    options = parser.parse_args(arguments)
    times = StepTimes()
    with Engine.open(options.model, offline=True, ctx_size=4096, speculate=False) as engine:
        rows = []
        if options.free:
            prompts = [engine.tokenizer.encode(text) for text in FREE]
            temperature, names = 1.0, [text[:30] for text in FREE]
        else:
            first, last = map(int, options.tasks.split("-"))
            tasks = TASKS[first : last + 1]
            prompts = [prompt(engine, task, options.samples) for task in tasks]
            temperature, names = 0.0, [task.instruction[:40] for task in tasks]
        engine.generate(prompts[0], max_tokens=8)  # the first run of a process is slower
        for name, ids in zip(names, prompts, strict=True):
            for _ in range(options.rounds):
                plain, drafted = both(engine, ids, times, temperature)
                rows.append((plain, drafted))
                print(json.dumps({"task": name, **figures([(plain, drafted)])}), flush=True)
        print(json.dumps({"model": engine.name, "all": figures(rows)}))
        print(
            json.dumps(
                {"step seconds by rows": {n: round(times.seconds(n), 5) for n in (1, 2, 4, 8, 16, 32)}}
            )
        )
    return 0


def prompt(engine: Engine, task: Task, samples: Path) -> list[int]:
    """The page with the passage and the one after it, the instruction, and the beginning of the answer."""
    pages = [page.text for page in read_document(samples / task.file).pages]
    at = next(i for i, text in enumerate(pages) if task.opening in text)
    source = "\n".join(pages[at : at + 2])
    rendered = prompt_for(
        engine.template,
        engine.tokenizer,
        [Message("user", f"{source}\n\n{task.instruction}")],
        answer_start=task.opening.rstrip(),
    )
    return engine.tokenizer.encode(rendered.text, parse_special=rendered.parse_special)


def both(
    engine: Engine, ids: list[int], times: StepTimes, temperature: float
) -> tuple[Generation, Generation]:
    engine.generate(ids, max_tokens=1)  # so that the prompt is read by neither
    plain = engine.generate(ids, max_tokens=TOKENS, ignore_eos=True, temperature=temperature, seed=3)
    drafted = engine.generate(
        ids, max_tokens=TOKENS, ignore_eos=True, temperature=temperature, seed=3, drafter=PromptLookup(times)
    )
    if plain.ids != drafted.ids:
        raise SystemExit("drafts changed the output")
    return plain, drafted


def figures(runs: Sequence[tuple[Generation, Generation]]) -> dict[str, float | int]:
    """The first token of a run comes with the prompt; the others took the steps and seconds given."""
    plain = sum(one.usage.decode_seconds for one, _ in runs)
    drafted = sum(two.usage.decode_seconds for _, two in runs)
    steps = sum(one.usage.generated_tokens - 1 for one, _ in runs)
    fewer = steps - sum(two.usage.accepted_tokens for _, two in runs)
    ratios = [one.usage.decode_seconds / two.usage.decode_seconds for one, two in runs]
    return {
        "steps": steps,
        "steps drafted": fewer,
        "fewer": round(steps / fewer, 2),
        "drafts right": round(
            sum(two.usage.accepted_tokens for _, two in runs)
            / max(sum(two.usage.drafted_tokens for _, two in runs), 1),
            2,
        ),
        "seconds": round(plain, 3),
        "seconds drafted": round(drafted, 3),
        "faster": round(plain / drafted, 3),
        "median faster": round(statistics.median(ratios), 3),
    }


if __name__ == "__main__":
    raise SystemExit(main())
