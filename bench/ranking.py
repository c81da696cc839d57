"""What the model's ranking adds to the patterns: `python -m bench.ranking --model NAME`.

For each clause that CUAD labels, the best few sentences by pattern are ranked by the model as well, in two
ways: by how likely the clause's topic is after the sentence against other topics, and by how likely the
sentence is after the question against no question (both as differences of log-likelihoods, so that common
words and long sentences gain nothing). For governing law and agreement date the model also chooses alone
among all places and dates of the retrieved text: by likelihood, by its gain, and by writing one of them
verbatim. A right choice overlaps the label.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, TypeVar

from bench.facts import CATEGORIES, EVAL, Label, is_right, overlaps
from bench.search import memory_search
from longleaf.app.facts.contracts.clauses import CLAUSES, rank_clause
from longleaf.app.facts.contracts.contract import retrieved_sentences
from longleaf.app.facts.document_text import passages
from longleaf.app.facts.ranking import QUESTIONS, likelihood_gains, likelihoods
from longleaf.app.text.entities import DateMention, PlaceMention, find_dates, find_places
from longleaf.engine.constraint.verbatim import VerbatimSource
from longleaf.engine.engine import Engine
from longleaf.ingest import make_chunks, read_document

LAW_QUERY = "governing law construed under the laws of the State"
CLAUSE = "This clause of the contract is about"
TOPICS = {
    "term": " the term of the agreement",
    "renewal": " renewal of the term",
    "notice": " notice of non-renewal",
    "payment": " payment",
    "minimum_commitment": " a minimum purchase commitment",
    "liability_cap": " limitation of liability",
    "termination_for_convenience": " termination without cause",
    "termination": " termination for breach",
    "assignment": " assignment of the agreement",
    "exclusivity": " exclusive rights",
    "governing_law": " governing law",
    "confidentiality": " confidential information",
    "warranty": " warranties",
}
CHOICES = 3
CHARACTERS = 350

TELLING = 8  # tokens, which tell any two mentions apart

M = TypeVar("M", DateMention, PlaceMention)


def topic_scores(engine: Engine, sentences: Sequence[str], name: str) -> list[float]:
    topics = list(TOPICS.values())
    prior = [c.logprob for c in engine.rank(CLAUSE, topics)]
    scores = []
    for sentence in sentences:
        read = engine.rank(f"{sentence[:CHARACTERS]}\n\n{CLAUSE}", topics)
        gains = [c.logprob - p for c, p in zip(read, prior, strict=True)]
        scores.append(gains[list(TOPICS).index(name)] - math.log(sum(math.exp(g) for g in gains)))
    return scores


def question_scores(engine: Engine, sentences: Sequence[str], query: str) -> list[float]:
    texts = [" " + sentence[:CHARACTERS] for sentence in sentences]
    asked = engine.rank(f"The clause of the contract on {query}:", texts)
    plain = engine.rank("The clause of the contract:", texts)
    return [(a.logprob - b.logprob) / a.n_tokens for a, b in zip(asked, plain, strict=True)]


def best(scores: Sequence[float]) -> int:
    return max(range(len(scores)), key=lambda i: scores[i])


def run(engine: Engine, limit: int | None, *, clauses: bool) -> dict[str, Any]:
    lines = (EVAL / "contracts" / "labels.jsonl").read_text(encoding="utf-8").splitlines()[:limit]
    rows: list[dict[str, Any]] = []
    alone: dict[str, list[bool]] = defaultdict(list)
    for line in lines:
        entry = json.loads(line)
        labels = {x["category"]: Label(tuple(x["spans"]), x["answer"]) for x in entry["labels"]}
        document = read_document(EVAL / "contracts" / entry["file"])
        text = passages(document)
        search = memory_search(make_chunks(document, engine.tokenizer.count))
        for clause in CLAUSES if clauses else ():
            name = "expiration_date" if clause.name == "term" else clause.name
            if name not in CATEGORIES:
                continue
            spans = labels[CATEGORIES[name]].spans
            retrieved = retrieved_sentences(text, search, clause.query)
            found = rank_clause(clause, text, retrieved)[:CHOICES]
            sentences = [c.sentence.plain for c in found]
            if not found or (len(found) == 1 and spans):
                continue
            rows.append(
                {
                    "file": entry["file"],
                    "name": name,
                    "present": bool(spans),
                    "right": [overlaps([s], spans) for s in sentences],
                    "pattern": [c.score for c in found],
                    "topic": topic_scores(engine, sentences, clause.name),
                    "question": question_scores(engine, sentences, clause.query),
                }
            )
        choose_alone(engine, text.text, search, labels, alone)
        print(entry["file"][:50], file=sys.stderr)
    return {"model": engine.model.name, "clauses": rows, "alone": alone}


def choose_alone(
    engine: Engine, text: str, search: Any, labels: dict[str, Label], alone: dict[str, list[bool]]
) -> None:
    """The model's choice among all places of the best chunks, and all dates of the first page."""
    law = labels["Governing Law"]
    if law.spans and law.answer:
        context = "\n".join(r.chunk.text for r in search(LAW_QUERY, 2))[:2500]
        places = find_places(context)
        chosen = choices(engine, context, QUESTIONS["governing_law"], places, [p.name for p in places])
        for way, place in chosen.items():
            said = [place.name if place else ""]
            alone[f"governing_law, {way}"].append(is_right("governing_law", law, said, said))
    date = labels["Agreement Date"]
    if date.spans:
        head = text[:2500]
        dates = find_dates(head)
        made = choices(engine, head, QUESTIONS["agreement_date"], dates, [d.text for d in dates])
        for way, day in made.items():
            values, quotes = ([day.iso], [day.text]) if day else ([""], [""])
            alone[f"agreement_date, {way}"].append(is_right("agreement_date", date, values, quotes))


def choices(
    engine: Engine, context: str, question: str, mentions: Sequence[M], answers: Sequence[str]
) -> dict[str, M | None]:
    """The mention chosen in each way; None where there is none. `answers` are the mentions in words."""
    if not mentions:
        return dict.fromkeys(("the first", "by likelihood", "by gain", "written"))
    return {
        "the first": mentions[0],
        "by likelihood": mentions[best(likelihoods(engine, f"{context}\n\n{question}", answers))],
        "by gain": mentions[best(likelihood_gains(engine, context, question, answers))],
        "written": written(engine, context, question, mentions),
    }


def written(engine: Engine, context: str, question: str, mentions: Sequence[M]) -> M:
    """The mention that the model writes after the question, held to these words of the context."""
    starts, ends = [m.start for m in mentions], [m.end for m in mentions]
    constraint = VerbatimSource(engine.tokenizer, context, starts=starts, ends=ends).constraint()
    engine.generate(f"{context}\n\n{question}", max_tokens=TELLING, constraint=constraint)
    place = constraint.place()
    assert place is not None  # it may not end before it has begun
    return next(m for m in mentions if m.start == place.start)


def report(result: dict[str, Any]) -> str:
    lines = [f"model: {result['model']}"]
    for name, right in result["alone"].items():
        lines.append(f"chosen alone, {name}: {sum(right)}/{len(right)}")
    if not result["clauses"]:
        return "\n".join(lines)
    several = [r for r in result["clauses"] if r["present"] and len(r["right"]) > 1]
    open_choices = [r for r in several if any(r["right"]) and not all(r["right"])]
    lines.append(
        f"clauses with several candidates: {len(several)}; of these the order matters in {len(open_choices)}"
    )
    for kind in ("pattern", "topic", "question"):
        lines.append(f"  first is right, by {kind}: {sum(r['right'][best(r[kind])] for r in open_choices)}")
    for weight in (0.1, 0.25, 0.5, 1.0, 2.0):
        for kind in ("topic", "question"):
            scores = [
                [p + weight * m for p, m in zip(r["pattern"], r[kind], strict=True)] for r in open_choices
            ]
            right = sum(r["right"][best(s)] for r, s in zip(open_choices, scores, strict=True))
            lines.append(f"  first is right, by pattern + {weight} x {kind}: {right}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.ranking", description=__doc__)
    parser.add_argument("--model", required=True)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--alone", action="store_true", help="only the places and dates, not the clauses")
    parser.add_argument("--save", type=Path, help="write every score as JSON")
    options = parser.parse_args(arguments)
    result = run(Engine.open(options.model), options.limit, clauses=not options.alone)
    if options.save:
        options.save.write_text(json.dumps(result, indent=1), encoding="utf-8")
    print(report(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
