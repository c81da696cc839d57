"""Whether briefs and answers keep their promise, checked without the code that makes it.

`python -m bench.honesty [FILE...]` (default: the shared eval documents) summarizes each file, asks a few
questions, and holds every statement against the file again: the pages' text is read anew, once as `longleaf
pages` gives it and once straight from pdfium, labels straight from pypdf. Nothing of app/proof/verify.py or
app/proof/citations.py is used. Prints JSON; exits with 1 if anything is violated.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import argparse
import json
import re
import tempfile
import time
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pypdf
import pypdfium2

from bench.eval_data import EVAL
from longleaf.app import defaults
from longleaf.app.schema import Answer, Brief, Citation, PagesOutput, Statement
from longleaf.app.workspace import Workspace, read_pages

QUESTIONS = {
    "contract": (
        "Which law governs this agreement?",
        "How can the agreement be terminated?",
        "What is the limit of liability?",
        "Which football club does the author support?",
    ),
    "report": (
        "What was the total revenue or net sales?",
        "What are the main risks?",
        "How much cash was there at the end of the period?",
        "Which football club does the author support?",
    ),
}
_NUMBER = re.compile(r"\d+(?:[,.]\d+)*")
_CELL_LINE = 60  # characters; a longer line is no row of headings
_NOTE_MARK = re.compile(r"(?<!\S)\(?\d{1,2}\)?(?!\S)")
_NUMBER_WORDS = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|"
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|[mbtr]+illion|percent)(?=s?\b)"
)


@dataclass(slots=True)
class Report:
    statements: int = 0
    citations: int = 0
    generated: int = 0
    checked: int = 0
    replaced: int = 0
    not_found: int = 0
    seconds: float = 0.0
    violations: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Source:
    """The file read again: its pages as printed by `longleaf pages`, by pdfium, and pypdf's labels."""

    pages: PagesOutput
    texts: tuple[str, ...]
    labels: tuple[str, ...] | None


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--model", default=defaults.LANGUAGE_MODEL)
    parser.add_argument("--asks", type=int, default=2, help="questions for each file, at most 4")
    options = parser.parse_args(arguments)
    files = options.files or sorted(EVAL.glob("*/*.pdf"))
    total = Report()
    with (
        tempfile.TemporaryDirectory() as folder,
        Workspace(Path(folder) / "library.db", model=options.model, offline=True) as workspace,
    ):
        for file in files:
            report = check_file(workspace, file, options.asks)
            _add(total, report)
            print(json.dumps({"file": file.name, **_figures(report)}), flush=True)
    print(json.dumps({"files": len(files), **_figures(total)}))
    return 1 if total.violations else 0


def check_file(workspace: Workspace, file: Path, asks: int) -> Report:
    report = Report()
    reading = workspace.read(file)
    start = time.perf_counter()
    brief = workspace.summarize(reading)
    report.seconds = time.perf_counter() - start
    answers = [workspace.ask([reading], question) for question in QUESTIONS[brief.kind][:asks]]
    source = read_again(file)
    for said in (brief, *answers):
        report.checked += said.verification.checked
        report.replaced += said.verification.replaced
        for statement in statements(said):
            report.statements += 1
            report.citations += len(statement.citations)
            report.generated += statement.status == "generated"
            report.not_found += statement.status == "not_found"
            report.violations += [f"{file.name}: {fault}" for fault in faults(statement, source)]
    return report


def statements(said: Brief | Answer) -> Iterator[Statement]:
    if isinstance(said, Answer):
        yield said.answer
        return
    yield from said.key_facts
    yield from said.overview
    for section in said.sections:
        yield from section.statements


def read_again(file: Path) -> Source:
    document = pypdfium2.PdfDocument(file)
    texts = tuple(page.get_textpage().get_text_range() for page in document)
    reader = pypdf.PdfReader(file)
    labelled = "/PageLabels" in reader.trailer["/Root"]
    return Source(read_pages(file), texts, tuple(reader.page_labels) if labelled else None)


def faults(statement: Statement, source: Source) -> Iterator[str]:
    """What is wrong with a statement, in words."""
    if statement.status == "not_found":
        if statement.citations or not statement.pages_searched:
            yield f"not found, but cites or names no pages searched: {statement.text[:80]}"
        return
    if not statement.citations:
        yield f"no citation: {statement.text[:80]}"
    for citation in statement.citations:
        yield from _citation_faults(citation, source)
    quotes = " ".join(citation.quote for citation in statement.citations)
    yield from (
        f"number {number} is not cited: {statement.text[:80]}" for number in _missing(statement.text, quotes)
    )
    if statement.status == "quoted":
        source_words = _letters(quotes)
        for piece in statement.text.split(" … "):
            if _letters(piece) not in source_words:
                yield f"quoted, but not the cited words: {piece[:80]}"


def _citation_faults(citation: Citation, source: Source) -> Iterator[str]:
    page = next((p for p in source.pages.pages if p.page_index == citation.page_index), None)
    where = f"page_index {citation.page_index}: {citation.quote[:60]!r}"
    if page is None:
        yield f"no such page: {where}"
        return
    if not citation.quote.strip() or page.text[citation.start : citation.end] != citation.quote:
        yield f"quote is not the page's text: {where}"
    # Lines, and cells of a table: their order on the page is a matter of reading.
    lines = re.split(r"\n|  +", citation.quote)
    if not all(_is_in(line, source.texts[citation.page_index]) for line in lines):
        yield f"quote is not in the file's own text: {where}"
    if citation.page_label != page.page_label:
        yield f"label {citation.page_label} is not {page.page_label}: {where}"
    if source.labels and citation.page_label != source.labels[citation.page_index]:
        yield f"label {citation.page_label} is not the file's {source.labels[citation.page_index]}: {where}"
    if any(
        not (0 <= a < c <= page.width + 0.1 and 0 <= b < d <= page.height + 0.1)
        for a, b, c, d in citation.boxes
    ):
        yield f"a box is not on the page: {where}"
    if not citation.boxes:
        yield f"no box: {where}"


def _missing(text: str, quotes: str) -> list[str]:
    there = {number.replace(",", "") for number in _NUMBER.findall(quotes)}
    words = set(_NUMBER_WORDS.findall(quotes.lower()))
    missing = [n for n in _NUMBER.findall(text) if n.replace(",", "") not in there]
    return missing + [word for word in _NUMBER_WORDS.findall(text.lower()) if word not in words]


def _letters(text: str) -> str:
    """Letters and digits only: what two extractors must agree on, whatever their spaces and hyphens."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def _is_in(line: str, text: str) -> bool:
    """Whether a page's text has a line.

    Raised marks of notes may stand in another place of it, and the cells of a heading in another order.
    """
    if _letters(line) in _letters(text):
        return True
    if len(line) <= _CELL_LINE and {*map(_letters, line.split())} <= {*map(_letters, text.split())}:
        return True
    return _letters(_NOTE_MARK.sub(" ", line)) in _letters(_NOTE_MARK.sub(" ", text))


def _add(total: Report, report: Report) -> None:
    for name in ("statements", "citations", "generated", "checked", "replaced", "not_found", "seconds"):
        setattr(total, name, getattr(total, name) + getattr(report, name))
    total.violations += report.violations


def _figures(report: Report) -> dict[str, object]:
    return {name: getattr(report, name) for name in Report.__slots__} | {"seconds": round(report.seconds, 1)}


if __name__ == "__main__":
    sys.exit(main())
