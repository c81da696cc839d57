"""Who should choose between close candidates of an answer: `python -m bench.close_candidates -m NAME`.

Of the questions of bench/not_found.py that no key fact answers, those are taken whose best candidates are
close in score, some with labelled words and some without. Printed is how often the choice has them: by the
score alone, with the model's gain in likelihood as app/answers/ask.py weighs it, and where the model, after
reading the candidates, writes its answer verbatim: a whole candidate, or any words of one.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import median

from bench.cuad_questions import QUESTIONS
from bench.eval_data import EVAL
from bench.not_found import is_right, read_contract, remembering
from longleaf.app.answers.ask import best_by_gain, close_to_best, scored_candidates
from longleaf.app.answers.candidates import Candidate
from longleaf.app.answers.fact_questions import asked_fact, known_fact
from longleaf.app.answers.relevance import Embed
from longleaf.app.defaults import LANGUAGE_MODEL
from longleaf.engine.constraint.verbatim import VerbatimSource
from longleaf.engine.embedding.embedder import load_embedder
from longleaf.engine.engine import Engine
from longleaf.engine.prompt.chat_template import Message, prompt_for

CLOSE = 0.10  # twice what app/answers/ask.py takes for close, for more cases
READ = 600  # characters of a candidate
TELLING = 24  # tokens written


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-m", "--model", default=LANGUAGE_MODEL)
    parser.add_argument("--contracts", type=int, default=40)
    options = parser.parse_args(arguments)
    embed = remembering(load_embedder(offline=True).embed)
    right: defaultdict[str, list[bool]] = defaultdict(list)
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    lines = (EVAL / "contracts" / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    with Engine.open(options.model, offline=True, ctx_size=2048) as engine:
        for line in lines[: options.contracts]:
            contract = json.loads(line)
            spans = {label["category"]: label["spans"] for label in contract["labels"]}
            for question, candidates, scores, good in close_sets(contract["file"], spans, embed):
                right["the score"].append(good[0])
                for way, choose in WAYS.items():
                    started = time.perf_counter()
                    right[way].append(good[choose(engine, question, candidates, scores)])
                    seconds[way].append(time.perf_counter() - started)
            print(contract["file"][:60], file=sys.stderr, flush=True)
    for way, results in right.items():
        took = f", {median(seconds[way]):.2f} s" if way in seconds else ""
        print(f"{way}: {sum(results)}/{len(results)}{took}")
    return 0


def close_sets(
    file: str, spans: dict[str, list[str]], embed: Embed
) -> Iterator[tuple[str, list[Candidate], list[float], list[bool]]]:
    """Questions with their close candidates, the best score first, their scores, and which are right."""
    document, search = read_contract(file)
    for category, question in QUESTIONS.items():
        asked = asked_fact(question, document)
        fact = known_fact(question, asked, search) if asked else None
        if not spans[category] or (fact and fact.status != "not_found"):
            continue
        candidates, scores = scored_candidates([document], question, search, embed)
        close = close_to_best(scores, CLOSE)
        good = [is_right([candidates[i].text], spans[category]) for i in close]
        if len(set(good)) == 2:
            yield question, [candidates[i] for i in close], [scores[i] for i in close], good


def whole(engine: Engine, question: str, candidates: Sequence[Candidate], scores: Sequence[float]) -> int:
    return written(engine, question, candidates, whole=True)


def words(engine: Engine, question: str, candidates: Sequence[Candidate], scores: Sequence[float]) -> int:
    return written(engine, question, candidates, whole=False)


WAYS = {
    "with the gain in likelihood": best_by_gain,
    "a candidate written verbatim": whole,
    "words written verbatim": words,
}


def written(engine: Engine, question: str, candidates: Sequence[Candidate], *, whole: bool) -> int:
    """Which candidate the model writes, or words of which."""
    texts = [candidate.text[:READ] for candidate in candidates]
    text = "\n".join(texts)
    starts = [sum(len(each) + 1 for each in texts[:i]) for i in range(len(texts))]
    ends = [start + len(each) for start, each in zip(starts, texts, strict=True)]
    source = VerbatimSource(
        engine.tokenizer, text, starts=starts if whole else None, ends=ends if whole else None
    )
    constraint = source.constraint()
    prompt = f"{text}\n\nQuestion: {question}\nAnswer:"
    rendered = prompt_for(engine.template, engine.tokenizer, [Message("user", prompt)])
    engine.generate(
        rendered.text, parse_special=rendered.parse_special, max_tokens=TELLING, constraint=constraint
    )
    place = constraint.place()
    assert place is not None  # it may not end before it has begun
    return max(i for i, start in enumerate(starts) if start <= place.start)


if __name__ == "__main__":
    sys.exit(main())
