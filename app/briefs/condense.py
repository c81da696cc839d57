"""A sentence of a document said shortly and in plain words, each step proven by what it was made from.

Asides, doublets and the words of ceremony go, capitals are set down, "shall" becomes "must". A condition, an
exception or a figure is never cut: `entails` refuses what loses one, and then less is changed, at last nothing.
"""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Mapping, Sequence

from longleaf.app.proof.meaning import entails
from longleaf.app.text.wording import NOT_TO_BE_CUT, words_of

_NUMBERING = re.compile(
    r"^\W*(?:(?:section|article|clause)\s+)?"
    r"(?:\(?(?:\d{1,2}(?:\.\d{1,2})*|[a-zA-Z]|[ivxIVX]{1,4})[.)]\)?\s*|\d{1,2}(?:\.\d{1,2})+\s+){1,3}(?=[A-Z“\"])"
)
_HEADING = re.compile(
    r"^(?:[A-Z][\w’'/&-]*(?:\s+(?:[A-Z][\w’'/&-]*|of|and|to|for|the|in|by|on|or)){0,6})[.:]\s+(?=[A-Z“\"])"
)
_ASIDES = tuple(
    (re.compile(pattern, re.IGNORECASE), put)
    for pattern, put in (
        (r"\s*\((?:the|each|an?|collectively|individually|as|hereinafter|hereafter|together|such|any|or|“|\"|,|\s)*[“\"][^()]*\)", ""),
        (r"\s*\((?:as (?:defined|described|set forth)|i\.e\.|e\.g\.|if any|if applicable)[^()]*\)", ""),
        (r"(?<=[a-z])\s*\(\d+\)(?=\s)", ""),
        (r"\bfor (?:the )?(?:avoidance of doubt|clarity|clarification)\s*,\s*", ""),
        (r"\b(?:it is (?:hereby )?(?:understood and )?agreed that|the parties (?:hereby )?(?:acknowledge and )?agree that)\s+", ""),
        (r"\bsubject to (?:all |the )?(?:other )?(?:terms|provisions)(?: and conditions)? (?:of|set forth in|contained in) this agreement,?\s*", ""),
        (r"\bexcept as (?:otherwise )?(?:expressly )?(?:provided|set forth|stated) (?:herein|in this agreement)\s*,\s*", ""),
        (r"\bnotwithstanding (?:anything|any other provision)[^,]{0,80},\s*", ""),
        (r",?\s*without (?:regard|reference|giving effect) to (?:any |its |the |that state[’']s )?(?:choice|conflicts?|principles)[^.;]*", ""),
        (r",?\s*\bincluding,? (?:but not limited to|without limitation),?\s[^,;.()]*(?:,\s(?:and |or )?[a-z][^,;.()]{0,40}){0,6}(?=[,;.])", ""),
        (r"\bdate hereof\b", "date of this Agreement"),
        (r"\b(?:hereby|hereunder|herein|hereto|hereof|thereof|thereto)\b\s?", ""),
        (r",?\s*\b(?:as applicable|in whole or in part|directly or indirectly|at law or in equity|of any kind)\b,?", ""),
        (r",\s*if any\b(?=[,.;)]),?", ""),
    )
)  # fmt: skip
_DOUBLETS = tuple(
    (re.compile(pattern, re.IGNORECASE), put)
    for pattern, put in (
        (r"\bindemnify,? (?:and )?(?:defend,? )?and hold harmless\b", "indemnify"),
        (r"\bdefend,? indemnify,? and hold harmless\b", "indemnify"),
        (r"\bright,? title,? and interest\b", "rights"),
        (r"\bany and all\b", "all"),
        (r"\beach and every\b", "each"),
        (r"\bnull and void\b", "void"),
        (r"\bfull force and effect\b", "force"),
        (r"\bsole and exclusive\b", "exclusive"),
        (r"\bgoverned by,? and (?:shall be )?(?:construed|interpreted)(?: and enforced)? (?:in accordance with|under),?", "governed by"),
        (r"\bcosts? and expenses?\b", "costs"),
        (r"\bdue and payable\b", "due"),
    )
)  # fmt: skip
# One who acts "must"; a thing "will".
_THINGS = "Agreement|Term|Section|Article|Products?|Goods|Services?|Notices?|Fees?|Property|Territory|Software|Date|Program|No"
_ACTS = rf"\b((?:[Pp]art(?:y|ies)|(?!(?:{_THINGS})\b)[A-Z][\w.&’'-]*|it|they|he|she)\s+)"
_PLAIN = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        (r"\b(?:shall|will) not be (?:obligated|required|obliged) to\b", "need not"),
        (r"\b(?:shall|will) (?:also )?(?:be entitled to|have the right to)\b", "may"),
        (r"\b(?:has|have) the right to\b", "may"),
        (r"\bshall not be (liable|deemed|construed|considered|responsible|affected|limited|effective)\b", r"is not \1"),
        (r"\bshall be (governed|deemed|limited|considered|construed|liable|responsible|binding|void|effective|due|payable)\b", r"is \1"),
        (r"\bshall be and remain\b", "remains"),
        (_ACTS + r"shall not\b", r"\1must not"),
        (_ACTS + r"shall\b", r"\1must"),
        (r"\bshall\b", "will"),
        (r"\b[Ii]n the event that\b", "if"),
        (r"\b[Ii]n the event of\b", "in case of"),
        (r"\bprior to\b", "before"),
        (r"\bpursuant to\b", "under"),
        (r"\bin accordance with\b", "under"),
        (r"\bset forth (?:in|on)\b", "in"),
        (r"\b[Tt]his Agreement\b", "the Agreement"),
        (r"\bthis agreement\b", "the agreement"),
    )
)  # fmt: skip
MONTHS = {name.lower(): name for name in month_name if name}
SHORT = 18  # words; a sentence of so few is left as it is
_LONG = 34


def condensed(sentence: str, terms: Mapping[str, str], keep: re.Pattern[str] | None = None) -> str:
    """The shortest proven form of a sentence; itself where none is. What matches `keep` is never cut.

    `terms`: names and defined terms by their lower case, for text set in capitals.
    """
    plain = set_down(_opened(sentence), terms)
    light = _tidy(_put(_put(plain, _ASIDES), _DOUBLETS))
    shorter = _cut_pieces(_clause_with(light, keep), keep)
    tries = [_tidy(_put(text, _PLAIN)) for text in dict.fromkeys((shorter, light))]
    tries += [shorter, light, _tidy(plain)]
    for text in dict.fromkeys(tries):
        if len(text.split()) < 4 or (keep and not keep.search(text) and keep.search(plain)):
            continue
        if text == sentence or entails(text, [sentence]).accepted:
            return text
    return sentence


def set_down(text: str, terms: Mapping[str, str]) -> str:
    """Text in capitals in small letters, but for names and defined terms; other text as it is."""
    letters = [c for c in text if c.isalpha()]
    if sum(c.isupper() for c in letters) < 0.6 * len(letters):
        return text
    low = "".join(
        terms.get(word.lower(), MONTHS.get(word.lower(), word.lower())) if word.isupper() else word
        for word in re.split(r"(\W+)", text)
    )
    return low[:1].upper() + low[1:]


def terms_of(texts: Sequence[str]) -> dict[str, str]:
    """Words that stand with a capital letter within sentences, and never small: names and defined terms."""
    capital: dict[str, str] = {}
    small: set[str] = set()
    for text in texts:
        letters = [c for c in text if c.isalpha()]
        if sum(c.isupper() for c in letters) > 0.5 * len(letters):
            continue
        for match in re.finditer(r"(?<=[a-z,] )([A-Z][a-z]+\w*)|\b([a-z]+)\b", text):
            if match.group(1):
                capital.setdefault(match.group(1).lower(), match.group(1))
            else:
                small.add(match.group(2))
    return {low: word for low, word in capital.items() if low not in small}


def _opened(text: str) -> str:
    text = _NUMBERING.sub("", " ".join(text.split()))
    heading = _HEADING.match(text)
    if heading and len(text[heading.end() :].split()) > 5:
        text = text[heading.end() :]
    return _NUMBERING.sub("", text)


def _put(text: str, forms: Sequence[tuple[re.Pattern[str], str]]) -> str:
    for pattern, put in forms:
        text = pattern.sub(put, text)
    return text


def _tidy(text: str) -> str:
    text = re.sub(r"\s+([,;.])", r"\1", re.sub(r"\s{2,}", " ", text))
    text = re.sub(r",(?:\s*,)+", ",", text).strip(" ,;")
    text = re.sub(r"\b([Mm]ust|[Mm]ay|[Ii]s) ,\s*", r"\1 ", text)
    text = text[:1].upper() + text[1:]
    return text if text[-1:] in '.!?”")' else text + "."


_JOINT = re.compile(
    r";\s*(?:and\s+|or\s+)?|,\s+(?:and|but)\s+(?=(?:the\s+|each\s+|such\s+|any\s+|no\s+)?[A-Z]?[\w’'-]+(?:\s+[\w’'-]+){0,5}\s+"
    r"(?:shall|will|may|must|is|are|has|have|agrees)\b)"
)


def _clause_with(text: str, keep: re.Pattern[str] | None) -> str:
    """Of a sentence of several clauses those that tell what is wanted; each can stand for itself."""
    if (
        keep is None
        or len(text.split()) <= SHORT
        or re.match(r"(?:If|Unless|Except|Upon|Subject|In the event|When|Where)\b", text)
    ):
        return text
    clauses = [clause.strip(" ,;") for clause in _JOINT.split(text)]
    wanted = [clause for clause in clauses if keep.search(clause)]
    if len(clauses) < 2 or not wanted or len(wanted) == len(clauses):
        return text
    if not all(
        re.search(r"\b(?:shall|will|may|must|is|are|has|have|agrees?|grants?)\b", clause) for clause in wanted
    ):
        return text
    if any(re.match(r"(?:provided|except|which|that|shall|will|may|must|\()", clause) for clause in wanted):
        return text
    return "; ".join(wanted)


def _cut_pieces(text: str, keep: re.Pattern[str] | None) -> str:
    """Without the pieces between commas that elaborate, where the sentence is long."""
    if len(text.split()) <= SHORT:
        return text
    pieces = re.split(r"(?<=[,;])\s(?!\d)", text)
    if len(pieces) < 3:
        return text
    kept = [pieces[0]]
    for number, piece in enumerate(pieces[1:], start=1):
        last = number == len(pieces) - 1
        told = keep is not None and keep.search(piece)
        binding = NOT_TO_BE_CUT.intersection(words_of(piece)) or re.search(
            r"\d|\b(?:shall|must|may|will)\b", piece
        )
        elaborates = re.match(
            r"(?:including|such as|together with|for example|whether|as well as|which|of which|being)\b",
            piece,
        )
        if told or binding or last or not elaborates:
            kept.append(piece)
    return " ".join(kept)
