"""How many known edits are found between two settings of one contract: `python -m bench.compare`.

The paragraphs of each shared contract are set twice, in two layouts chosen at random, with ten edits between
them and without any; what `compare` finds is held against what was done. docs/compare.md says what counts.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import argparse
import hashlib
import json
import random
import tempfile
import time
import unicodedata
from collections import Counter
from dataclasses import dataclass

from bench.eval_data import EVAL
from longleaf.app.compare.compare import Compared, Side, compare_texts
from longleaf.ingest import Document, read_document
from tests.support.typeset_pairs import Edit, Layout, edit, random_layout, score, typeset

KINDS = [
    "changed",
    "changed",
    "changed",
    "added",
    "removed",
    "moved",
    "moved_edited",
    "renumbered",
    "split",
    "merged",
]


@dataclass(frozen=True)
class Shown:
    kind: str
    old_text: str
    new_text: str
    words: tuple[str, ...] = ()


def paragraphs_of(document: Document) -> list[str]:
    """The body's paragraphs; what a page break cut is joined."""
    out: list[str] = []
    for page in document.pages:
        for block in page.blocks:
            text = unicodedata.normalize("NFKC", page.text[block.start : block.end])
            text = " ".join(text.encode("cp1252", "ignore").decode("cp1252").split())  # what base fonts have
            if block.kind in ("header", "footer", "table") or sum(map(str.isalpha, text)) < 3:
                continue
            if out and text[:1].islower() and not out[-1].endswith((".", ";", ":")):
                out[-1] += " " + text
            else:
                out.append(text)
    return out


def sources(folder: Path, cache: Path) -> dict[str, list[str]]:
    if cache.exists():
        return dict(json.loads(cache.read_text()))
    found = {}
    for path in sorted((folder / "contracts").glob("*.pdf")):
        found[path.name] = paragraphs_of(read_document(path))
        print(f"{path.name[:60]}: {len(found[path.name])} paragraphs", file=sys.stderr)
    cache.parent.mkdir(parents=True, exist_ok=True)
    cache.write_text(json.dumps(found))
    return found


def held_out(name: str) -> bool:
    return hashlib.sha256(name.encode()).digest()[0] % 3 == 0


def side(path: Path) -> Side:
    return Side(read_document(path), path.suffix in (".docx", ".html"))


def shown(compared: Compared) -> list[Shown]:
    return [
        Shown(
            c.kind,
            compared.old.text(*c.old) if c.old else "",
            compared.new.text(*c.new) if c.new else "",
            tuple(
                f"[{compared.old.text(h.old_start, h.old_end)} → {compared.new.text(h.new_start, h.new_end)}]"
                for h in c.hunks
            ),
        )
        for c in compared.changes
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--eval", type=Path, default=EVAL)
    parser.add_argument("--held-out", action="store_true", help="the contracts that were not looked at")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="part of a file name")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="show what was missed and what was wrong"
    )
    parser.add_argument("--keep", type=Path, help="keep the pairs in this folder")
    args = parser.parse_args()
    cache = Path(__file__).resolve().parents[1] / "build" / "compare_sources.json"
    kinds: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    false = pairs = false_plain = seconds = 0.0
    clean_with_false = 0
    for name, paragraphs in sources(args.eval, cache).items():
        if held_out(name) != args.held_out or args.only not in name:
            continue
        for turn in range(args.rounds):
            rng = random.Random(f"{args.seed}:{turn}:{name}")
            for with_edits in (True, False):
                pair = edit(paragraphs, rng, KINDS if with_edits else ())
                a, b = random_layout(rng), random_layout(rng)
                with tempfile.TemporaryDirectory() as temporary:
                    folder = Path(temporary)
                    if args.keep:
                        folder = args.keep / f"{name[:20]}-{turn}-{'edited' if with_edits else 'plain'}"
                        folder.mkdir(parents=True, exist_ok=True)
                    old, new = typeset(pair.old, a, folder / "old"), typeset(pair.new, b, folder / "new")
                    one, two = side(old), side(new)
                started = time.perf_counter()
                changes = shown(compare_texts(one, two))
                seconds += time.perf_counter() - started
                result = score(changes, pair.edits)
                pairs += 1
                kinds.update(e.kind for e in pair.edits)
                missed.update(e.kind for e in result.missed)
                if with_edits:
                    false += result.false
                else:
                    false_plain += result.false
                    clean_with_false += result.false > 0
                if args.verbose and (result.missed or result.wrong):
                    show(name, a, b, with_edits, result.missed, result.wrong)
    report(kinds, missed, false, false_plain, clean_with_false, pairs, seconds)


def show(name: str, a: Layout, b: Layout, edited: bool, missed: list[Edit], wrong: list[Shown]) -> None:
    print(f"\n##### {name[:50]} {'edited' if edited else 'plain'}\n  {_differs(a)}\n  {_differs(b)}")
    for e in missed:
        print(f"  MISSED {e.kind}\n     - {e.old[:300]}\n     + {e.new[:300]}")
    for c in wrong[:12]:
        print(f"  WRONG {c.kind}\n     - {c.old_text[:300]}\n     + {c.new_text[:300]}")
        print(f"     {' '.join(c.words)[:300]}")
    if len(wrong) > 12:
        print(f"  ... and {len(wrong) - 12} more")


def _differs(layout: Layout) -> str:
    plain = Layout()
    return " ".join(
        f"{n}={getattr(layout, n)}"
        for n in layout.__dataclass_fields__
        if getattr(layout, n) != getattr(plain, n)
    )


def report(
    kinds: Counter[str],
    missed: Counter[str],
    false: float,
    false_plain: float,
    clean_with_false: int,
    pairs: float,
    seconds: float,
) -> None:
    print("| kind | edits | found with this kind |\n|---|---|---|")
    for kind in sorted(kinds):
        print(f"| {kind} | {kinds[kind]} | {1 - missed[kind] / kinds[kind]:.3f} |")
    total = sum(kinds.values())
    if total:
        print(f"| all | {total} | {1 - sum(missed.values()) / total:.3f} |")
    half = pairs / 2
    print(
        f"\n{half:.0f} pairs with edits: {false / max(half, 1):.2f} false changes a pair; "
        f"{half:.0f} pairs without:"
    )
    print(f"{false_plain / max(half, 1):.2f} false changes a pair, {clean_with_false} pairs with any.")
    print(f"{seconds / max(pairs, 1):.2f} s a comparison of documents that were read.")


if __name__ == "__main__":
    main()
