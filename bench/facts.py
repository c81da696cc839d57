"""How right the key facts are, on CUAD contracts, on our own and on filings: `python -m bench.facts`.

Every contract is read, chunked and searched as `longleaf summarize` does it. What counts as right, and why,
is said in docs/facts.md. A naive baseline runs beside: the first date, the first place, the first two
organisations, the top chunk.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import argparse
import hashlib
import json
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.made import wordings_a, wordings_b, wordings_c, wordings_d
from bench.made.contracts import build
from bench.search import memory_search
from longleaf.app.facts import Search, key_facts
from longleaf.app.facts.contracts.clauses import CAP, CLAUSES
from longleaf.app.schema import Citation, KeyFact
from longleaf.app.text.entities import find_dates, find_organisations, find_places, fold
from longleaf.app.text.entities.names import LEGAL_FORM
from longleaf.engine.engine import Engine
from longleaf.ingest import Chunk, Document, make_chunks, read_document

EVAL = Path(__file__).resolve().parents[1].parent / "shared" / "eval"
CATEGORIES = {
    "parties": "Parties",
    "agreement_date": "Agreement Date",
    "effective_date": "Effective Date",
    "expiration_date": "Expiration Date",
    "renewal": "Renewal Term",
    "notice": "Notice Period To Terminate Renewal",
    "minimum_commitment": "Minimum Commitment",
    "liability_cap": "Cap On Liability",
    "termination_for_convenience": "Termination For Convenience",
    "assignment": "Anti-Assignment",
    "exclusivity": "Exclusivity",
    "governing_law": "Governing Law",
}
OWN = (wordings_a, wordings_b, wordings_c, wordings_d)  # contracts of our own making
EXCLUDED_ONLY = "Excluded Only"  # of our own contracts: damages are excluded, and no cap is stated
FLOORS = {"governing_law": 0.80, "agreement_date": 0.70, "parties": 0.70}
NOT_FOUND_FLOOR = 0.80


@dataclass(frozen=True, slots=True)
class Label:
    spans: tuple[str, ...]
    answer: str


@dataclass(slots=True)
class Tally:
    """`present`: the label has a span. `right` of these, and what was said where the clause is absent."""

    present: int = 0
    right: int = 0
    said: int = 0  # something was found, present or absent
    absent: int = 0
    absent_right: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, file: str, present: bool, found: bool, right: bool) -> None:
        self.said += found
        if present:
            self.present += 1
            self.right += right
        else:
            self.absent += 1
            self.absent_right += not found
        if (present and not right) or (not present and found):
            self.wrong.append(file)


# --- what counts as right -------------------------------------------------------------------------------


def letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", text.lower())


def overlaps(quotes: Iterable[str], spans: Iterable[str]) -> bool:
    """A quote and a labelled span share a run of letters: 40, or the whole of the shorter one."""
    wanted = [letters(part) for span in spans for part in span.split("<omitted>")]
    for quote in map(letters, quotes):
        for span in wanted:
            size = min(len(quote), len(span), 40)
            if size < 6:
                continue
            starts = [*range(0, len(span) - size + 1, 4), len(span) - size]
            if any(span[i : i + size] in quote for i in starts):
                return True
    return False


def named_parties(label: Label) -> list[str]:
    """The labelled names: no aliases, role words, descriptions or blanks.

    CUAD's spans hold names and their aliases alike. An alias is what the answer writes in quotes, unless
    it has a legal form; a span with quotes, brackets or underscores, or that begins in lower case, is
    a definition, a blank or a description.
    """
    quoted = {fold(term) for term in re.findall(r"[\"“”]([^\"“”]+)[\"“”]", label.answer)}
    names: dict[str, str] = {}
    for span in label.spans:
        span = " ".join(span.split()).strip(" ,;")
        bare = re.sub(r"\s*\((?:formerly|f/k/a)[^)]*\)", "", span)
        if not bare or re.search(r"[\"“”_]|^\(", bare) or len(bare.split()) > 12:
            continue
        form = has_form(bare)
        if (bare[0].islower() and not form) or re.match(
            r"(?:a|an|the\s+party|formerly|each)\s", bare, re.IGNORECASE
        ):
            continue
        if fold(bare) in quoted and not form:
            continue
        names.setdefault(core(bare), bare)
    # A shorter form of another name ("Zynga" beside "Zynga Inc.", "CCGI") is an alias.
    return [
        name
        for c, name in names.items()
        if has_form(name)
        or not any(c != o and (f"{o} ".startswith(f"{c} ") or initials(o) == c) for o in names)
    ]


def has_form(name: str) -> bool:
    return any(match.start() > 0 for match in LEGAL_FORM.finditer(name))


def core(name: str) -> str:
    """A name folded, without article and legal form."""
    return fold(LEGAL_FORM.sub(" ", name)).removeprefix("the ").strip() or fold(name)


def form_at_end(name: str) -> bool:
    return any(not name[match.end() :].strip(" .,") for match in LEGAL_FORM.finditer(name))


def initials(name: str) -> str:
    return "".join(word[0] for word in name.split())


def same_party(label: str, value: str) -> bool:
    """Equal without article and legal form; or, where one has no legal form at its end, the longer name
    begins with the other, which is more than half of it."""
    a, b = core(label), core(value)
    if a.replace(" ", "") == b.replace(" ", ""):
        return True
    if all(form_at_end(name) for name in (label, value)):
        return False
    short, long = sorted((a, b), key=len)
    return bool(short) and f"{long} ".startswith(f"{short} ") and 2 * len(short.split()) > len(long.split())


def label_date(answer: str) -> str:
    """CUAD's "2/28/04", "07/[]/2013" as ISO; "" unless complete."""
    match = re.fullmatch(r"\s*(\d{1,2})/(\d{1,2})/(\d{2,4})\s*", answer)
    if not match:
        return ""
    month, day, year = (int(part) for part in match.groups())
    if year < 100:
        year += 2000 if year < 50 else 1900
    return f"{year:04d}-{month:02d}-{day:02d}"


def is_right(name: str, label: Label, values: Sequence[str], quotes: Sequence[str]) -> bool:
    if name == "parties":
        wanted = named_parties(label)
        return bool(wanted) and all(any(same_party(party, value) for value in values) for party in wanted)
    if name in ("agreement_date", "effective_date"):
        date = label_date(label.answer)
        return date in values if date else overlaps(quotes, label.spans)
    if name == "governing_law":
        places = {m.name for m in find_places(label.answer)}
        return bool(places & set(values)) if places else overlaps(quotes, label.spans)
    if name == "expiration_date" and label_date(label.answer) in values:
        return True
    return overlaps(quotes, label.spans)


# --- the naive baseline ---------------------------------------------------------------------------------


def baseline(
    document: Document, chunks: Sequence[Chunk], search: Search
) -> dict[str, tuple[list[str], list[str]]]:
    """Values and quotes of the naive answer to each fact; it never says "not found"."""
    text = "\n".join(page.text for page in document.pages)
    dates = find_dates(text[:50_000])[:1]
    places = find_places(text)[:1]
    answers = {
        "parties": ([m.text for m in find_organisations(text[:20_000])[:2]], [""]),
        "agreement_date": ([m.iso for m in dates], [m.text for m in dates]),
        "effective_date": ([m.iso for m in dates], [m.text for m in dates]),
        "governing_law": ([m.name for m in places], [m.text for m in places]),
    }
    for clause in CLAUSES:
        top = [result.chunk.text for result in search(clause.query, 1)]
        answers[clause.name] = ([], top)
    answers["expiration_date"] = answers["term"]
    return answers


# --- reports --------------------------------------------------------------------------------------------

FIGURES = ("revenue", "net_income", "eps", "cash", "debt")


def run_reports(engine: Engine | None, folder: Path, report: Callable[[str], None]) -> dict[str, Any]:
    """Figures against those read off the consolidated statements by hand (report_truth.json).

    Right: the first value is the first of the truth, with its unit, and debt has all its parts. An empty
    truth means that the filing has no such figure, and "not found" is right.
    """
    truth = json.loads((Path(__file__).parent / "report_truth.json").read_text(encoding="utf-8"))
    counts = {name: {"right": 0, "wrong": 0, "missed": 0} for name in FIGURES}
    wrong, seconds = [], []
    for file, expected in truth.items():
        document = read_document(folder / file)
        chunks = make_chunks(document, _counter(engine))
        search = memory_search(chunks)
        started = time.perf_counter()
        facts = {fact.name: fact for fact in key_facts(document, chunks, search, engine, "report")}
        seconds.append(time.perf_counter() - started)
        for name in FIGURES:
            unit = "" if name == "eps" else f" {expected['unit']}"
            wanted = [f"${figure}{unit}" for figure in expected[name]]
            values = facts[name].values
            verdict = "missed" if wanted and not values else "wrong"
            if values[:1] == wanted[:1] and set(wanted) <= set(values):
                verdict = "right"
            counts[name][verdict] += 1
            if verdict != "right":
                wrong.append({"file": file, "fact": name, "wanted": wanted, "values": values})
        report(f"{file}  {seconds[-1]:.1f} s")
    return {"reports": len(truth), "figures": counts, "not_right": wrong, "seconds": max(seconds)}


def report_table(result: dict[str, Any]) -> str:
    lines = [f"{'figure':14s}{'right':>7s}{'wrong':>7s}{'missed':>8s}   of {result['reports']} filings"]
    for name, c in result["figures"].items():
        lines.append(f"{name:14s}{c['right']:7d}{c['wrong']:7d}{c['missed']:8d}")
    lines += [f"  {w['file']} {w['fact']}: {w['values']} for {w['wanted']}" for w in result["not_right"]]
    return "\n".join(lines)


# --- the run --------------------------------------------------------------------------------------------


def half(file: str) -> str:
    """Which half a contract belongs to, by a hash of its name."""
    return "dev" if hashlib.sha256(file.encode()).digest()[0] % 2 else "held-out"


def misquoted(document: Document, citations: Iterable[Citation]) -> int:
    pages = {page.page_index: page for page in document.pages}
    return sum(pages[c.page_index].text[c.start : c.end] != c.quote for c in citations)


def run_contracts(
    engine: Engine | None,
    folder: Path,
    limit: int | None,
    report: Callable[[str], None],
    *,
    retrieval: bool = True,
) -> dict[str, Any]:
    lines = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()[:limit]
    ours: dict[str, dict[str, Tally]] = defaultdict(lambda: defaultdict(Tally))
    naive: dict[str, Tally] = defaultdict(Tally)
    seconds: list[float] = []
    bad_quotes = extra = named = 0
    rows = []
    for line in lines:
        entry = json.loads(line)
        file = entry["file"]
        labels = {x["category"]: Label(tuple(x["spans"]), x["answer"]) for x in entry["labels"]}
        document = read_document(folder / file)
        chunks = make_chunks(document, _counter(engine))
        search = memory_search(chunks)
        used = search if retrieval else lambda query, k: []
        started = time.perf_counter()
        facts = {fact.name: fact for fact in key_facts(document, chunks, used, engine, "contract")}
        seconds.append(time.perf_counter() - started)
        bad_quotes += sum(misquoted(document, fact.citations) for fact in facts.values())
        simple = baseline(document, chunks, search)
        row: dict[str, Any] = {"file": file, "half": half(file), "facts": {}}
        for name, category in CATEGORIES.items():
            label, fact = labels[category], facts[name]
            present, found = bool(label.spans), fact.status != "not_found"
            if name == "liability_cap" and EXCLUDED_ONLY in labels:  # said to be no cap, it is none said
                found = found and (bool(fact.values) or fact.title == CAP.title)
            quotes = joined(fact)
            right = found and present and is_right(name, label, fact.values, quotes)
            for group in ("all", half(file)):
                ours[group][name].add(file, present, found, right)
            values, texts = simple[name]
            said = bool(values or any(texts))
            naive[name].add(file, present, said, said and present and is_right(name, label, values, texts))
            row["facts"][name] = {"present": present, "found": found, "right": right, "values": fact.values}
        wanted = named_parties(labels["Parties"])
        named += len(facts["parties"].values)
        extra += sum(not any(same_party(p, v) for p in wanted) for v in facts["parties"].values)
        rows.append(row)
        report(f"{file[:60]}  {seconds[-1]:.1f} s")
    return {
        "contracts": len(lines),
        "model": engine.model.name if engine else None,
        "seconds_per_contract": {"mean": sum(seconds) / len(seconds), "max": max(seconds)},
        "misquoted_citations": bad_quotes,
        "party_names_not_labelled": {"count": extra, "of": named},
        "facts": {group: summary(tallies) for group, tallies in ours.items()},
        "baseline": summary(naive),
        "rows": rows,
    }


def joined(fact: KeyFact) -> list[str]:
    """The quotes, and all of them as one text: a sentence may run over a page break."""
    quotes = [citation.quote for citation in fact.citations]
    return [*quotes, " ".join(quotes)]


def summary(tallies: dict[str, Tally]) -> dict[str, Any]:
    facts = {}
    for name, t in tallies.items():
        facts[name] = {
            "present": t.present,
            "right": t.right,
            "accuracy": t.right / t.present if t.present else None,
            "precision": t.right / t.said if t.said else None,
            "absent": t.absent,
            "not_found_right": t.absent_right,
            "wrong": t.wrong,
        }
    absent = sum(t.absent for t in tallies.values())
    right = sum(t.absent_right for t in tallies.values())
    return {
        "facts": facts,
        "not_found": {"absent": absent, "right": right, "accuracy": right / max(absent, 1)},
    }


def _counter(engine: Engine | None) -> Callable[[str], int]:
    return engine.tokenizer.count if engine else lambda text: len(text) // 4 + 1


def table(result: dict[str, Any]) -> str:
    def share(numbers: dict[str, Any]) -> str:
        value = numbers["accuracy"]
        return f"{numbers['right']:3d}/{numbers['present']:<3d}" + (
            f" {value:.2f}" if value is not None else "  -  "
        )

    def absent(numbers: dict[str, Any]) -> str:
        return f"{numbers['not_found_right']:3d}/{numbers['absent']:<3d}"

    groups = result["facts"]
    head = f"{'fact':30s}{'right of present':>17s}{'precision':>11s}{'dev':>13s}{'held-out':>13s}"
    head += f"{'not found':>11s}   baseline"
    lines = [head, "-" * len(head)]
    for name in CATEGORIES:
        everything = groups["all"]["facts"][name]
        halves = [groups[g]["facts"].get(name) if g in groups else None for g in ("dev", "held-out")]
        precision = everything["precision"]
        naive = result["baseline"]["facts"][name]
        lines.append(
            f"{name:30s}{share(everything):>17s}{(f'{precision:.2f}' if precision is not None else '-'):>11s}"
            + "".join(f"{share(h) if h else '-':>13s}" for h in halves)
            + f"{absent(everything):>11s}   {share(naive)}"
        )
    lines.append("-" * len(head))
    for group in ("all", "dev", "held-out"):
        if group in groups:
            n = groups[group]["not_found"]
            lines.append(
                f"not found, where absent ({group}): {n['right']}/{n['absent']} = {n['accuracy']:.2f}"
            )
    extra = result["party_names_not_labelled"]
    timing = result["seconds_per_contract"]
    lines.append(f"party names said that are not labelled: {extra['count']} of {extra['of']}")
    lines.append(f"citations that are not the page's text: {result['misquoted_citations']}")
    lines.append(
        f"seconds a contract: mean {timing['mean']:.2f}, most {timing['max']:.2f}; "
        f"model: {result['model'] or 'none'}"
    )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.facts", description=__doc__)
    parser.add_argument("--model", help="catalogue name or GGUF path; default: patterns and retrieval alone")
    parser.add_argument("--no-model", action="store_true", help="patterns and retrieval alone")
    parser.add_argument("--no-search", action="store_true", help="patterns without the retriever")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--wrong", action="store_true", help="name the contracts each fact is wrong on")
    parser.add_argument(
        "--folder", type=Path, help="labelled contracts; default: the shared ones and our own"
    )
    parser.add_argument("--reports", action="store_true", help="measure on the filings instead")
    options = parser.parse_args(arguments)
    engine = None if options.no_model or not options.model else Engine.open(options.model)
    if options.reports:
        figures = run_reports(engine, EVAL / "reports", lambda line: print(line, file=sys.stderr))
        print(json.dumps(figures, indent=1) if options.json else report_table(figures))
        return 1 if any(c["wrong"] for c in figures["figures"].values()) else 0
    if options.folder:
        return _report(engine, options.folder, options, FLOORS, NOT_FOUND_FLOOR)
    codes = [_report(engine, EVAL / "contracts", options, FLOORS, NOT_FOUND_FLOOR)]
    with tempfile.TemporaryDirectory() as folder:
        for seed, wordings in enumerate(OWN, start=1):
            print(f"\nOur own contracts, {wordings.__name__.rpartition('.')[2]}")
            own = build(Path(folder) / str(seed), wordings, seed)
            codes.append(_report(engine, own, options, dict.fromkeys(CATEGORIES, 0.90), 0.95))
    return max(codes)


def _report(
    engine: Engine | None,
    folder: Path,
    options: argparse.Namespace,
    floors: Mapping[str, float],
    not_found: float,
) -> int:
    result = run_contracts(
        engine,
        folder,
        options.limit,
        lambda line: print(line, file=sys.stderr),
        retrieval=not options.no_search,
    )
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        print(table(result))
        if options.wrong:
            for name in CATEGORIES:
                print(name, *result["facts"]["all"]["facts"][name]["wrong"], sep="\n  ")
    facts = result["facts"]["all"]
    ok = all((facts["facts"][name]["accuracy"] or 0) >= floor for name, floor in floors.items())
    return 0 if ok and facts["not_found"]["accuracy"] >= not_found else 1


if __name__ == "__main__":
    sys.exit(main())
