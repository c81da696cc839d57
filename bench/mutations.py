"""True statements made false, each in one way: what the verifier must refuse, in thousands.

`python -m bench.mutations [FILE...] [--misses]` takes the true statements of the files (default: those of the
tests) and their sources as statements of themselves, turns each round by rule, and prints how many of each
kind are refused. A rule may now and then leave a statement true; that is told by reading the misses.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from bench.entailment import read_rows
from longleaf.app.proof.meaning import entails
from longleaf.app.proof.meaning.reading import read

STATEMENTS = Path(__file__).resolve().parents[1] / "tests" / "app" / "proof" / "meaning"
_NUMBERS = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\w,]*\d)")
_WORDS = {
    "two": "three", "three": "five", "five": "seven", "nine": "six", "ten": "twenty", "twelve": "eighteen",
    "fifteen": "fifty", "twenty": "ninety", "thirty": "sixty", "sixty": "ninety", "eighty": "forty",
}  # fmt: skip
_TURNS: dict[str, list[tuple[str, str]]] = {
    "modality": [
        (r"\b(?:must|shall|has to)\b(?! not)", "may"),
        (r"\b(?:may|can)\b(?! not)", "must"),
        (r"\bcould\b", "will"),
    ],
    "negation": [
        (r"\b(must|shall|may|will|can|could)\b(?! not)", r"\1 not"),
        (r"\b(must|shall|may|can) not\b", r"\1"),
        (r"\bcannot\b", "can"),
        (r"\b(is|are|was|were)\b(?! not)", r"\1 not"),
        (r"\b(is|are) not\b", r"\1"),
        (r"\bneed not\b", "must"),
        (r"\bwithout\b", "with"),
        (r"\bNeither (.*?) nor\b", r"Either \1 or"),
    ],
    "unit": [
        (r"\bdays\b", "months"),
        (r"\bmonths\b", "weeks"),
        (r"\byears\b", "months"),
        (r"\byear\b", "month"),
        (r"\bmonthly\b", "weekly"),
        (r"\bquarter\b", "month"),
        (r"\bmillion\b", "billion"),
        (r"\bbillion\b", "million"),
        (r"\bthousand\b", "million"),
    ],
    "direction": [
        (r"\b(?:rose|grew|increased)\b", "fell"),
        (r"\b(?:fell|decreased|declined|dropped)\b", "rose"),
        (r"\bhigher\b", "lower"),
        (r"\bincrease\b", "decrease"),
        (r"\bat least\b", "at most"),
        (r"\bmore than\b", "less than"),
        (r"\bbefore\b", "after"),
        (r"\bafter\b", "before"),
        (r"\bearlier\b", "later"),
    ],
    "scope": [
        (r"\b(?:either|each|neither) party\b", "only Buyer"),
        (r"\bsolely for\b", "for purposes including"),
        (r"\ball\b", "no"),
        (r"\bnon-exclusive\b", "exclusive"),
        (r"\bboth parties\b", "one party"),
    ],
    "tense": [
        (r"\b(?:must|shall|will) (\w+?)e?\b(?= (?:the|all|its|a|any|to)\b)", r"has \1ed"),
        (r"\bhas (\w+ed)\b", r"will \1"),
        (r"\bwe entered into\b", "we plan to enter into"),
    ],
    "condition": [
        (
            r",? (?:unless|except|if|provided that|only if|without|until|so long as)\b[^.;]*(?=\.$)",
            "",
        ),
        (r"^(?:If|Unless|Except|When|Once|Upon|Subject)\b[^,]*, (\w)", r"\1"),
    ],
    "added": [
        (r"\.$", " if the Board of Trustees agrees."),
        (r"\.$", " on sixty days' notice to the Registrar."),
        (r"\.$", " after a public hearing."),
        (r"\.$", ", and pays a penalty."),
        (r"\.$", ", but only in Norway."),
    ],
}


def mutations(statement: str) -> Iterator[tuple[str, str]]:
    """Kind and text of false statements made from a true one."""
    for kind, turns in _TURNS.items():
        for pattern, put in turns:
            changed = re.sub(pattern, put, statement, count=1, flags=re.IGNORECASE)
            if changed != statement:
                yield kind, changed
    for match in list(_NUMBERS.finditer(statement))[:3]:
        digits = match.group(0)
        other = digits[:-1] + str((int(digits[-1]) + 3) % 10)
        yield "number", statement[: match.start()] + other + statement[match.end() :]
    for word, other in _WORDS.items():
        changed = re.sub(rf"\b{word}\b", other, statement, count=1, flags=re.IGNORECASE)
        if changed != statement:
            yield "number", changed
    actors = list(dict.fromkeys(_parties(statement)))
    if len(actors) >= 2:
        yield "roles", _swapped(statement, actors[0], actors[1])
    if actors:
        yield "party", re.sub(rf"\b{re.escape(actors[0])}\b", "Guarantor", statement, count=1)


def _parties(statement: str) -> list[str]:
    reading = read(statement)
    words = [reading.words[i] for i, actor in reading.actors.items() if len(actor.split()) == 1]
    return [re.sub("['’]s?$", "", word.text) for word in words if word.capital]


def _swapped(statement: str, one: str, other: str) -> str:
    parts = re.split(rf"\b({re.escape(one)}|{re.escape(other)})\b", statement)
    return "".join(other if p == one else one if p == other else p for p in parts)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args(arguments)
    files = options.files or sorted(STATEMENTS.glob("*.txt"))
    pairs = [
        (row["source"], row["statement"])
        for f in files
        for row in read_rows(f)
        if row["label"] == "supported"
    ]
    pairs += [(source, source) for source in dict.fromkeys(s for s, _ in pairs) if "\n" not in source]
    refused: Counter[str] = Counter()
    count: Counter[str] = Counter()
    for source, statement in pairs:
        if not entails(statement, [source]).accepted:
            continue
        for kind, changed in mutations(statement):
            accepted = entails(changed, [source]).accepted
            count[kind] += 1
            refused[kind] += not accepted
            if accepted and options.misses:
                print(f"{kind}: {changed}\n    {source[:200]!r}")
    for kind in sorted(count):
        print(f"{kind:12} {refused[kind]:5} of {count[kind]:5} refused  {refused[kind] / count[kind]:.3f}")
    total, right = sum(count.values()), sum(refused.values())
    print(f"{'all':12} {right:5} of {total:5} refused  {right / max(total, 1):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
