"""Which of several documents a question is about, by the names, years and quarters in it."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from longleaf.app.text.salience import matter
from longleaf.ingest.document import Document

FIRST_PAGES = 2
_ABBREVIATION = 3  # letters from which the beginning of a name stands for it ("JPM" for "JPMorgan")
_COVER_SHARE = 0.3  # of a word that only the first pages have, beside 1 for what the document is called by
_REGISTRANT_LINES = 2  # above "(Exact name of registrant as specified in its charter)"
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_QUARTER = re.compile(
    r"(?<![a-z])q([1-4])(?!\d)|\b(first|second|third|fourth)[- ](?:fiscal )?quarter", re.IGNORECASE
)
_SHORT = re.compile(r"\d[a-z]|[a-z]\d")  # names of a digit and a letter, as "3M"
_MONTHS = "january february march april may june july august september october november december"
_MONTH = re.compile(rf"\b({_MONTHS.replace(' ', '|')})\s+(?:\d{{1,2}},?\s+)?((?:19|20)\d\d)\b", re.IGNORECASE)
_INITIALS = re.compile(r"[a-z](?:&[a-z])+")  # "J&J"
_LEGAL_FORMS = frozenset(["inc", "incorporated", "co", "company", "corp", "corporation", "plc", "ltd", "the"])
_FISCAL = re.compile(r"\bFY ?'?(\d\d)(?!\d)")  # "FY22"
_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4"}
_SYMBOL = re.compile(
    r"\((?:NYSE|NASDAQ|Nasdaq|AMEX|ASX|LSE|TSX)[^():]*:\s*([A-Z.]{1,6})"  # a press release's "(NYSE: ABC)"
    r"|\s([A-Z]{2,5})\s+(?:The )?(?:New York Stock Exchange|N(?:asdaq|ASDAQ)|NYSE)"  # a cover's table
)


@dataclass(frozen=True, slots=True)
class Naming:
    """What tells a document from others.

    `called` are the words of its name, in order (file name, title, registrant, trading symbols), `company`
    those of its registrant without its legal form, `symbols` its trading symbols; `cover` all words of its
    first pages; `years` and `quarters` those of its name, else of the period on its cover; `ends` is the
    month in which that period ends ("december 2022"), or "".
    """

    called: tuple[str, ...]
    company: tuple[str, ...]
    symbols: tuple[str, ...]
    cover: frozenset[str]
    years: frozenset[str]
    quarters: frozenset[str]
    ends: str


def naming(name: str, title: str, opening: str) -> Naming:
    """Of a document by its file's name, its title if it has one, and the text of its first pages."""
    stem = PurePath(name).stem.replace("_", " ")
    lines = [line for line in opening.split("\n") if line.strip("_ ")]
    charter = next((i for i, line in enumerate(lines) if "exact name of registrant" in line.lower()), 0)
    registrant = lines[max(charter - _REGISTRANT_LINES, 0) : charter]
    symbols = [symbol for pair in _SYMBOL.findall(opening) for symbol in pair if symbol]
    called = _split(" ".join([stem, title, *registrant, *symbols]))
    period = re.search(
        rf"(?:year|period|quarter|months)s?\s+ended\s+[^\n]{{0,40}}|{_MONTH.pattern}\s+quarter",
        opening,
        re.IGNORECASE,
    )
    dated = stem if _YEAR.search(stem) else period.group() if period else ""
    return Naming(
        tuple(called),
        tuple(word for word in _split(" ".join(registrant[-1:])) if word not in _LEGAL_FORMS),
        tuple(_split(" ".join(symbols))),
        frozenset(_split(opening)),
        frozenset(_YEAR.findall(dated)),
        _quarters(stem),
        next(iter(_months(period.group())), "") if period else "",
    )


def documents_named(question: str, documents: Sequence[Document]) -> list[Document]:
    """The documents that the question names; all if none is told apart."""
    if len(documents) < 2:
        return list(documents)
    namings = [
        naming(
            document.name,
            document.metadata.get("title", ""),
            "\n".join(page.text for page in document.pages[:FIRST_PAGES]),
        )
        for document in documents
    ]
    return [documents[place] for place in named(question, namings)]


def named(question: str, documents: Sequence[Naming]) -> list[int]:
    """The places of the documents that the question names, in order; all if none is told apart.

    Only words that some documents have and others lack decide, rare ones most. A document is meant if it has
    most of the names, or one that those do not have ("compare Acme and Globex"). Of several of one name,
    those of the latest year and of the quarter in the question are meant.
    """
    documents = _sharing_names(documents)
    asked = _names(question, frozenset(word for document in documents for word in document.called))
    weights, matched = _matches(asked, documents, cover=True)
    if not any(weights):  # "what does acme owe?": any word may be a name, if it is what a file is called by
        weights, matched = _matches(set(matter(question)), documents, cover=False)
    best = max(weights, default=0.0)
    chosen = list(range(len(documents)))
    if best > 0:
        chosen = [place for place, weight in enumerate(weights) if weight >= best - 1e-9]
        known = frozenset().union(*(matched[place] for place in chosen))
        rest = [place for place in range(len(documents)) if matched[place] - known]
        while rest:
            top = max(weights[place] for place in rest)
            more = [place for place in rest if weights[place] >= top - 1e-9]
            chosen += more
            known = known.union(*(matched[place] for place in more))
            rest = [place for place in rest if place not in more and matched[place] - known]
    return sorted(_of_period(question, documents, chosen, matched))


def _matches(
    words: set[str], documents: Sequence[Naming], *, cover: bool
) -> tuple[list[float], list[frozenset[str]]]:
    """How well the words name each document, and which of them it is called by."""
    weights = [0.0] * len(documents)
    matched: list[set[str]] = [set() for _ in documents]
    for word in sorted(words):
        called = [_is_called(document.called, word) for document in documents]
        has = [
            own or (cover and word in document.cover) for own, document in zip(called, documents, strict=True)
        ]
        if not 0 < sum(has) < len(documents):
            continue
        rarity = math.log(len(documents) / sum(has))
        for place, document_has in enumerate(has):
            if document_has:
                weights[place] += rarity * (1.0 if called[place] else _COVER_SHARE)
                matched[place] |= {word} if called[place] else set()
    return weights, [frozenset(words) for words in matched]


def _of_period(
    question: str, documents: Sequence[Naming], chosen: Sequence[int], matched: Sequence[frozenset[str]]
) -> list[int]:
    """Of the chosen documents of one name, those that fit the question's period best."""
    years = set(_YEAR.findall(question)) | {"20" + digits for digits in _FISCAL.findall(question)}
    quarters = _quarters(question)
    months = _months(question)
    if not years and not quarters:
        return list(chosen)
    # The period tells filings of one company apart better than a word that only some of their covers have.
    alike = {matched[place] for place in chosen if matched[place]}
    chosen = [place for place in range(len(documents)) if place in chosen or matched[place] in alike]

    def fit(place: int) -> float:
        document = documents[place]
        latest = max(years, default="")
        if document.ends in months:  # "the quarter ended December 31, 2022" may be of fiscal 2023
            return 4.0
        score = 2.0 if latest in document.years else 1.0 if years & document.years else 0.0
        if quarters:
            return score + bool(quarters & document.quarters)
        return score - 0.5 * bool(document.quarters - {"4"})  # a year as a whole is asked about

    best: dict[frozenset[str], float] = {}
    for place in chosen:
        best[matched[place]] = max(best.get(matched[place], -1.0), fit(place))
    return [place for place in chosen if fit(place) >= best[matched[place]]]


def without_file_names(question: str, documents: Sequence[Document]) -> str:
    """The question without the names that tell its document: every page of "Acme's report" is about Acme."""
    return without_names(question, [naming(document.name, "", "") for document in documents])


def without_names(question: str, documents: Sequence[Naming]) -> str:
    """The question without the capitalised words that a document is called by."""

    def keep(match: re.Match[str]) -> str:
        word = re.sub(r"['’]s?$", "", match.group())
        called = any(_is_called(document.called, word.lower()) for document in documents)
        return "" if called and any(c.isupper() for c in word) else match.group()

    kept = re.sub(r"[^\W\d_][\w&]*(?:['’]s?)?|\d[A-Za-z]\b", keep, question)
    return " ".join(kept.split()) if re.search(r"\w", kept) else question


def _names(question: str, called: Collection[str]) -> set[str]:
    """Capitalised words, without endings of the genitive, months, and words that only open a sentence.

    What opens one is a name if a document is `called` so.
    """
    names: set[str] = set()
    for match in re.finditer(r"[^\W_][\w&'’-]*", question):
        word = match.group(0)
        opens = match.start() == 0 or question[: match.start()].rstrip()[-1:] in ".?!:"
        bare = re.sub(r"['’]s?$", "", word).lower()
        if any(c.isupper() for c in word) and (
            not opens or sum(c.isupper() for c in word) > 1 or bare in called
        ):
            names |= set(re.findall(r"[^\W\d_]{2,}", bare))
            names |= {bare} if _SHORT.fullmatch(bare) or _INITIALS.fullmatch(bare) else set()
    return names.difference(_MONTHS.split())


def _quarters(text: str) -> frozenset[str]:
    return frozenset(digit or _ORDINALS[word.lower()] for digit, word in _QUARTER.findall(text))


def _months(text: str) -> list[str]:
    """The months with their years in a text, "december 2022"."""
    return [f"{month} {year}".lower() for month, year in _MONTH.findall(text)]


def _sharing_names(documents: Sequence[Naming]) -> list[Naming]:
    """A company's former name or trading symbol, which not each of its filings says, names all of them."""

    def of_company(one: Naming) -> Iterator[str]:
        for other in documents:
            common = min(len(one.company), len(other.company))
            registered = common and one.company[:common] == other.company[:common]
            # A press release has no registrant on its cover, but may be called by one.
            if registered or one.called[:1] == other.company[:1] or other.called[:1] == one.company[:1]:
                yield from other.symbols
                yield from other.company

    return [replace(each, called=each.called + tuple(of_company(each))) for each in documents]


def _split(text: str) -> list[str]:
    """Words in lower case; "2022Q4" and "ACME_2022" are several, "3M" is one."""
    words: list[str] = []
    for word in re.findall(r"[^\W_]{2,}", text.lower()):
        if _SHORT.fullmatch(word):
            words.append(word)
        else:
            words += re.findall(r"\d{2,}|[^\W\d_]{2,}|(?<![^\W_])[^\W_](?=\d)", word)
    return words


def _is_called(called: Sequence[str], word: str) -> bool:
    if word in called:
        return True
    if _INITIALS.fullmatch(word):
        return any(_abbreviates(word.replace("&", ""), called[start:]) for start in range(len(called)))
    if len(word) < _ABBREVIATION:
        return False
    return any(known.startswith(word) for known in called) or any(
        _abbreviates(word, called[start:]) for start in range(len(called))
    )


def _abbreviates(word: str, called: Sequence[str]) -> bool:
    """Whether a word is made of the beginnings of two or more names that follow each other ("AmEx")."""
    reached = {0}  # letters that the names so far can account for
    for count, name in enumerate(called[:4], 1):
        longest = min(len(name), len(word))
        reached = {
            done + taken
            for done in reached
            for taken in range(1, longest + 1)
            if word.startswith(name[:taken], done)
        }
        if count > 1 and len(word) in reached:
            return True
    return False
