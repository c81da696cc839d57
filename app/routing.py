"""Which of several documents a question is about, by the names and years in it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import PurePath

from longleaf.app.central import matter
from longleaf.ingest.document import Document

_FIRST_PAGES = 2
_ABBREVIATION = 3  # letters from which the beginning of a name stands for it ("JPM" for "JPMorgan")


def documents_named(question: str, documents: Sequence[Document]) -> list[Document]:
    """The documents whose file name or first pages have the names in the question; all if none is told apart.

    Only words that some documents have and others lack decide, rare ones most; capitalised words of the
    question, years and fiscal periods ("FY2022", "2022Q2") count, other words do not.
    """
    if len(documents) < 2:
        return list(documents)
    names = _names(question)
    if names:
        known = [_words(document) for document in documents]
    else:  # "what does acme owe?": any word may be a name, if it is what a file is called by
        names, known = set(matter(question)), [_title_words(document) for document in documents]
    scores = [0.0] * len(documents)
    for word in sorted(names):
        has = [_has(words, word) for words in known]
        if 0 < sum(has) < len(documents):
            rarity = math.log(len(documents) / sum(has)) * (0.5 if word.isdigit() else 1.0)
            scores = [score + rarity * present for score, present in zip(scores, has, strict=True)]
    best = max(scores)
    if best <= 0:
        return list(documents)
    return [document for document, score in zip(documents, scores, strict=True) if score >= best - 1e-9]


def without_file_names(question: str, documents: Sequence[Document]) -> str:
    """The question without the names that tell its document: every page of "Acme's report" is about Acme."""
    known = set().union(*(_split(PurePath(document.name).stem) for document in documents))
    kept = re.sub(
        r"[^\W\d_][\w&]*(?:['’]s?)?",
        lambda match: "" if _is_name_of(match.group(0), known) else match.group(0),
        question,
    )
    return " ".join(kept.split()) if re.search(r"\w", kept) else question


def _is_name_of(word: str, known: set[str]) -> bool:
    return any(c.isupper() for c in word) and re.sub(r"['’]s?$", "", word).lower() in known


def _names(question: str) -> set[str]:
    names: set[str] = set()
    for match in re.finditer(r"[^\W_][\w&'’-]*", question):
        word = match.group(0)
        opens = match.start() == 0 or question[: match.start()].rstrip()[-1:] in ".?!:"
        if period := re.fullmatch(r"(?:FY|CY)?'?(\d{4})(?:Q\d)?|Q\d(?:FY)?(\d{4})", word, re.IGNORECASE):
            names.add(next(group for group in period.groups() if group))
        elif any(c.isupper() for c in word) and (not opens or sum(c.isupper() for c in word) > 1):
            names |= set(re.findall(r"[^\W\d_]{2,}", re.sub(r"['’]s?$", "", word).lower()))
    return names


def _words(document: Document) -> set[str]:
    return _title_words(document) | _split(" ".join(page.text for page in document.pages[:_FIRST_PAGES]))


def _title_words(document: Document) -> set[str]:
    return _split(f"{PurePath(document.name).stem} {document.metadata.get('title', '')}")


def _split(text: str) -> set[str]:
    """Words in lower case; "2022Q4" and "ACME_2022" are several."""
    spaced = re.sub(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])|_", " ", text)
    return {word.lower() for word in re.findall(r"[^\W_]{2,}", spaced)}


def _has(words: set[str], word: str) -> bool:
    if word in words:
        return True
    return len(word) >= _ABBREVIATION and any(known.startswith(word) for known in words)
