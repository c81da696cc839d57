"""Whether a statement is proven by what it cites. Code decides, never a model.

`verify` holds a statement against the quotes of its citations. Every number with its unit, every date, every
name, every negation, duty, permission and bound of the statement has to be in the cited text, and a negation,
permission or condition of the cited text must not be lost on the way. With `wording=True` the statement
must also be the cited sentence itself, shortened at most by whole insertions: words that keep every name
and number can still say the opposite ("Buyer pays Seller" for "Seller pays Buyer"), which no list finds.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from longleaf.app.schema import Citation
from longleaf.app.text.entities import DateMention, NumberMention, find_dates, find_names, find_numbers, fold
from longleaf.app.text.pages import page_of
from longleaf.app.text.wording import FUNCTION_WORDS, changed_sense, reworded, singular, word_set, words_of
from longleaf.ingest.document import Document

ProblemKind = Literal["citation", "quote", "date", "number", "name", "negation", "wording"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something the statement says that its citations do not show; `text` names it."""

    kind: ProblemKind
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


def verify(
    text: str,
    citations: Sequence[Citation],
    documents: Iterable[Document] = (),
    *,
    wording: bool = False,
) -> list[Problem]:
    """What of `text` its citations do not prove; an empty list means all of it.

    With `documents`, each citation's quote is also held against the page it names.
    """
    documents = list(documents)
    problems = [p for document in documents for p in _misquotes(citations, document)]
    quotes = _evidence([citation.quote for citation in citations])
    if not quotes:
        return [*problems, Problem("citation", "nothing is cited")]
    problems += _unquoted(text, quotes)
    problems += _dates(text, quotes)
    signs = {sign for document in documents for sign in _table_currencies(citations, document)}
    problems += _numbers(text, quotes, signs)
    problems += _names(text, quotes)
    problems += [
        Problem("negation", detail)
        for detail in changed_sense(text, [_SCALE_NOTE.sub(" ", quote) for quote in quotes])
    ]
    if wording:
        problems += [Problem("wording", detail) for detail in reworded(text, quotes)]
    return problems


# --- quotes ---------------------------------------------------------------------------------------------


def _misquotes(citations: Iterable[Citation], document: Document) -> list[Problem]:
    problems = []
    for citation in citations:
        if citation.file != document.name:
            continue
        try:
            page = page_of(document, citation.page_index)
        except IndexError as error:
            problems.append(Problem("citation", str(error)))
            continue
        if page.text[citation.start : citation.end] != citation.quote or not citation.quote:
            problems.append(
                Problem("quote", f"not at {citation.start}:{citation.end}: {citation.quote[:60]}")
            )
        if page.label != citation.page_label:
            problems.append(Problem("citation", f"page {citation.page_label} is labelled {page.label}"))
    return problems


def _table_currencies(citations: Iterable[Citation], document: Document) -> set[str]:
    """Currencies of the tables of which a row is cited: the sign often stands in another row."""
    signs: set[str] = set()
    for citation in citations:
        if citation.file == document.name and citation.page_index in {p.page_index for p in document.pages}:
            page = page_of(document, citation.page_index)
            for block in page.blocks:
                if block.kind == "table" and block.start <= citation.start < block.end:
                    signs |= _units(page.text[block.start : block.end])
    return signs


def _evidence(quotes: Sequence[str]) -> list[str]:
    """The quotes, a sentence that runs over a page break put together again."""
    evidence: list[str] = []
    for quote in quotes:
        runs_on = evidence and not re.search(r"[.!?:;][\"'”’)]*\s*$", evidence[-1])
        if runs_on and not quote.lstrip()[:1].isupper():  # as the next row of a table would be
            evidence[-1] += " " + quote
        else:
            evidence.append(quote)
    return [text for text in evidence if text.strip()]


def _unquoted(text: str, quotes: Sequence[str]) -> list[Problem]:
    """Words the statement puts in quotation marks must be the cited ones."""
    folded = [fold(quote) for quote in quotes]
    said = re.findall(r"[\"“]([^\"“”]+)[\"”]", text)
    return [Problem("quote", words) for words in said if not any(_holds(q, fold(words)) for q in folded)]


def _holds(folded_text: str, folded_words: str) -> bool:
    return f" {folded_words} " in f" {folded_text} "


# --- dates and numbers ----------------------------------------------------------------------------------

# What is counted or measured; the singular. A number keeps its own.
_MEASURES = word_set(
    "second minute hour day week month quarter year decade share unit point mile kilometer "
    "kilometre meter metre foot feet acre ton tonne pound kilogram gram liter litre gallon barrel watt "
    "kilowatt megawatt calendar business working consecutive cent person people employee "
    "time copy installment instalment dozen half"
)
_PERIODS = word_set(
    "daily weekly biweekly monthly bimonthly quarterly semiannual semiannually semi-annual "
    "semi-annually annual annually yearly biennial hourly twice thrice double triple half dozen "
    "anniversary fiscal calendar"
)
_ORDINALS = {
    word: str(number)
    for number, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
        start=1,
    )
}
_MONTHS = {name: number for number, name in enumerate(calendar.month_name) if name}
# "(in thousands)", "$ in millions", "($ million)"
_SCALED = r"(?:\bin\s+|[$€£]\s*)(?P<scale>thousand|million|billion)s?\b"
_SCALE_HEADER = re.compile(_SCALED, re.IGNORECASE)
_SCALE_NOTE = re.compile(
    rf"\([^()]*{_SCALED}[^()]*\)|^[^\n.]{{0,40}}{_SCALED.replace('?P<scale>', '?:')}[^\n.]{{0,80}}$",
    re.IGNORECASE | re.MULTILINE,
)
_SCALE = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_NOT_A_NOUN = word_set(
    "a an and any are as at be been but by each for from had has have if in into is it its may must nor "
    "of on or per shall that the their then this to was were which will with million billion thousand "
    "dollars dollar"
)


def _dates(text: str, quotes: Sequence[str]) -> list[Problem]:
    cited = [date for quote in quotes for date in find_dates(quote)]
    problems = [Problem("date", d.text) for d in find_dates(text) if not any(_same_date(d, c) for c in cited)]
    words = {word for quote in quotes for word in words_of(quote)}
    months = {c.month for c in cited}
    for match in re.finditer(r"\b(?:" + "|".join(_MONTHS) + r")\b", text):
        if match.group(0).lower() not in words and _MONTHS[match.group(0)] not in months:
            problems.append(Problem("date", match.group(0)))
    return problems


def _same_date(said: DateMention, cited: DateMention) -> bool:
    """Whether every part said is a part cited."""
    return all(
        part is None or part == other
        for part, other in (
            (said.year, cited.year),
            (said.month, cited.month),
            (said.day, cited.day),
        )
    )


def _numbers(text: str, quotes: Sequence[str], signs: set[str]) -> list[Problem]:
    """`signs`: currencies that stand in the cited tables, outside the quotes."""
    problems = []
    every = "\n".join(quotes)  # a table's scale and currency may be cited beside its rows
    signs = signs | _units(every)
    header = _SCALE_HEADER.search(every)
    scale = _SCALE[header["scale"].lower()] if header else 1
    cited = [(quote, number) for quote in quotes for number in find_numbers(quote)]
    dates = [date for quote in quotes for date in find_dates(quote)]
    for said in find_numbers(text):
        in_date = not said.unit and (
            any(said.value == d.year and re.fullmatch(r"\d{4}", said.text.strip()) for d in dates)
            or (said.ordinal and any(said.value == d.day for d in dates))
        )
        if not in_date and not any(
            _same_number(text, said, quote, number, signs, scale) for quote, number in cited
        ):
            problems.append(Problem("number", said.text))
    words = {word for quote in quotes for word in words_of(quote)}
    for word in words_of(text):
        spelled = _ORDINALS.get(word)
        if (
            spelled
            and word not in words
            and not any(f"{spelled}{e}" in words for e in ("st", "nd", "rd", "th"))
        ):
            problems.append(Problem("number", word))
        if (word in _PERIODS or singular(word) in _MEASURES) and not {word, singular(word)} & (
            words | {singular(w) for w in words}
        ):
            problems.append(Problem("number", word))
    return problems


def _same_number(
    text: str, said: NumberMention, quote: str, cited: NumberMention, signs: set[str], scale: int
) -> bool:
    noun, cited_noun = _noun(text, said), _noun(quote, cited)
    bare = not cited.unit and not cited_noun
    if said.ordinal != cited.ordinal and (said.ordinal or cited_noun):
        return False
    # A table's column of money: the sign stands in the heading or in the first row only.
    if said.unit != cited.unit and not (bare and said.unit not in ("", "%") and said.unit in signs):
        return False
    if said.value != cited.value:
        scalable = not cited_noun and cited.unit != "%"
        if not scalable or said.value != cited.value * scale:
            return False
    if said.unit:
        return True
    if noun in _MEASURES or cited_noun in _MEASURES:
        return noun == cited_noun
    return not noun or noun in {singular(word) for word in words_of(quote[cited.end : cited.end + 60])}


def _units(quote: str) -> set[str]:
    return {number.unit for number in find_numbers(quote)} | ({"USD"} if "$" in quote else set())


def _noun(text: str, number: NumberMention) -> str:
    """What is counted: the word after the number, past its gloss ("thirty (30) days"), singular; or ""."""
    tail = text[number.end :]
    tail = re.sub(r"^[\s)\]]*(?:\(\s*[\d.,%$\w\s-]{1,40}\)\s*)?[’'\s-]*", "", tail)
    match = re.match(r"([^\W\d_]+)", tail)
    if not match or re.match(r"^[\s]*[.;:,](?!\d)", text[number.end :]):
        return ""
    word = match.group(1).lower()
    return "" if word in _NOT_A_NOUN else singular(word)


# --- names ----------------------------------------------------------------------------------------------


def _names(text: str, quotes: Sequence[str]) -> list[Problem]:
    folded = [fold(quote) for quote in quotes]
    known = {word for quote in folded for word in quote.split()}
    problems = []
    for name in find_names(text):
        words = re.sub(r"(?: \d+)+$", "", fold(name.text))  # "Years Ended 2022": years are numbers
        if not any(_holds(quote, words) for quote in folded):
            problems.append(Problem("name", name.text))
    # A capital letter at the beginning of a sentence may be a name as well as a word.
    for match in re.finditer(r"[^\W\d_][\w&.'’-]*", text):
        word = match.group(0)
        parts = fold(word).split()
        unknown = any(c.isupper() for c in word) and not known.issuperset(parts)
        told = any(word in problem.text for problem in problems)
        if unknown and not told and word.lower() not in FUNCTION_WORDS:
            problems.append(Problem("name", word))
    return problems
