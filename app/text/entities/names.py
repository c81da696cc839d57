"""Organisations and other proper names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from longleaf.app.text.entities.text import overlaps, words

# Legal forms that end an organisation's name.
LEGAL_FORM = re.compile(
    r"(?<![\w.])(?:"
    r"Incorporated|Inc\b\.?|Corporation|Corp\b\.?|Company,?\s+(?:Limited|Ltd\b\.?|LLC|L\.L\.C\.|Inc\b\.?)|"
    r"Co\b\.?,?\s*(?:Ltd\b\.?|Limited|LLC|L\.L\.C\.|Inc\b\.?|KG)|Company|Limited\s+Partnership|Limited|Ltd\b\.?|"
    r"LLC|L\.\s?L\.\s?C\.?|LLP|L\.\s?L\.\s?P\.?|L\.\s?P\.?|LP|PLC|P\.L\.C\.|GmbH(?:\s*&\s*Co\b\.?\s*KGa?A?)?|mbH|AG|SE|"
    r"S\.?A\.?\s+de\s+C\.?\s?V\b\.?|S\.\s?A\.(?:\s?S\.|\s?R\.\s?L\.)?|S\.p\.A\.|SpA|S\.?[àa]?\s?r\.?l\.|SAS|SARL|SA|N\.\s?V\.|NV|B\.\s?V\.|BV|"
    r"Pty\b\.?(?:\s*Ltd\b\.?|\s*Limited)?|Pte\b\.?(?:\s*Ltd\b\.?|\s*Limited)?|"
    r"Pvt\b\.?(?:\s*Ltd\b\.?|\s*Limited)?|Sdn\b\.?\s*Bhd\b\.?|Berhad|Bhd\b\.?|K\.\s?K\.|"
    r"A/S|ASA|AB(?:\s*\(publ\))?|Oyj|Oy|ApS|Tbk|S\.?A\.?\s+de\s+C\.?\s?V\b\.?|"
    r"Sp\.?\s*z\.?\s*o\.?\s?[o0]\.?(?:[o0]\.?)?|N\.\s?A\.|Co\b\.)(?!\w)",
    re.IGNORECASE,
)
# Words that make a run of capitalised words the name of a body, where no legal form follows.
_BODY = re.compile(
    r"\b(?:Trust|University|Bank|Foundation|Association|Institute|College|Funds?|Partnership|Society|Authority|"
    r"Ministry|Agency|Commission|Council|Union|Hospital|Church|Group|Partners|Holdings|Enterprises|Associates|"
    r"Industries|Systems|Technologies|Technology|Pharmaceuticals|Laboratories|Bancorp|Telecom)\b",
    re.IGNORECASE,
)
_CAP = r"(?:[A-Z0-9][\w&'’/+®™-]*(?:\.[A-Za-z]\w*)*|[a-z](?:\.[a-z])+\.?|[a-z]+(?:[A-Z]|\.com)[\w.]*)"
_WORDS = re.compile(r"[^\s,;:()“”\"]+|[,;:()“”\"]")
_CAPITALISED = re.compile(rf"{_CAP}\.?$")
_LINKS = frozenset(
    words(
        """
    of the de du la des der von van & y do da e di
"""
    )
)
# Capitalised words that begin sentences or defined terms and name nobody.
_COMMON = frozenset(
    words(
        """
    a all also although an and any april article as at august be because before between both but by cash
    company contract days december do during each either every except exhibit february first for friday
    from further he her his however i if in including it its january july june march may monday months
    neither net no none not november october of on one or other our party parties per prior quarter
    saturday schedule second section september several she since so some such sunday than that the their
    then there these they third this those through thursday to total tuesday two under unless until upon
    we wednesday were what when where which while who will with within without would year years you
    agreement effective date term provided notwithstanding whereas now therefore either thereafter item
    note notes table page among amongst both
"""
    )
)
_NAME = re.compile(rf"(?<![\w]){_CAP}(?:[ \t]+(?:{_CAP}|(?:of|&|de|van|von)(?=[ \t]+[A-Z])))*")


@dataclass(frozen=True, slots=True)
class NameMention:
    start: int
    end: int
    text: str


def find_organisations(text: str) -> list[NameMention]:
    """Names that end in a legal form ("Inc.", "GmbH") or hold a noun of bodies ("Bank of X"), in order."""
    found: list[NameMention] = []
    floor = 0
    for match in LEGAL_FORM.finditer(text):
        if match.start() < floor or not match.group(0)[0].isupper():
            continue
        start = name_start(text, match.start(), floor)
        if start is not None:
            found.append(NameMention(start, match.end(), text[start : match.end()]))
            floor = match.end()
    taken = [(m.start, m.end) for m in found]
    for mention in find_names(text):
        if (
            _BODY.search(mention.text)
            and " " in mention.text
            and not overlaps(mention.start, mention.end, taken)
        ):
            found.append(mention)
    return sorted(found, key=lambda m: m.start)


def name_start(text: str, form: int, floor: int = 0) -> int | None:
    """Where the name that ends with a legal form at `form` begins, not before `floor`; None if nothing does.

    Walks left over capitalised words, links ("of", "&") and bracketed places; stops at other words, at
    punctuation (one comma may stand before the legal form) and at words that only begin sentences.
    """
    lower = max(floor, form - 120)
    words = list(_WORDS.finditer(text, lower, form))
    start: int | None = None
    index = len(words) - 1
    if index >= 0 and words[index].group(0) == ",":
        index -= 1
    bracket = False
    while index >= 0:
        word = words[index].group(0)
        if word == ")" and not bracket:
            bracket = True
        elif word == "(" and bracket:
            bracket = False
        elif bracket:
            if not word[0].isalnum():
                return start
        elif word.lower() in _LINKS:
            if start is None:
                return None
        elif _CAPITALISED.match(word) and "\n\n" not in text[words[index].end() : start or form]:
            if word.endswith(".") and len(word) > 4 and "." not in word[:-1]:
                break  # a sentence's end
            if word.lower().rstrip(".,'’") in _COMMON - {
                "company",
                "first",
                "second",
                "third",
                "cash",
                "net",
            }:
                break
            start = words[index].start()
        else:
            break
        index -= 1
    return start


def find_names(text: str) -> list[NameMention]:
    """Proper names: runs of capitalised words that are more than the capital a sentence or title begins with.

    A single capitalised word that begins a sentence is left out unless the text also has it elsewhere in
    capitals, for nothing there tells a name from a word.
    """
    found = []
    for match in _NAME.finditer(text):
        start, end = match.start(), match.end()
        words = match.group(0).split()
        while words and words[0].lower().strip(".,'’") in _COMMON:
            start += len(words[0])
            while start < end and text[start].isspace():
                start += 1
            words = words[1:]
        while words and words[-1].lower().strip(".,'’") in _COMMON | {"of", "&"}:
            end = start + text[start:end].rstrip().rfind(words[-1])
            words = words[:-1]
        value = text[start:end].rstrip(" .,'’")
        if not any(c.isalpha() for c in value) or len(value) < 2 or value[0].isdigit():
            continue
        if len(words) == 1 and start == match.start() and _begins_sentence(text, start):
            elsewhere = re.search(rf"(?<=[a-z,;] ){re.escape(value)}\b", text)
            if not elsewhere and not any(c.isupper() for c in value[1:]):
                continue
        found.append(NameMention(start, start + len(value), value))
    return found


def _begins_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \t\n\"'“‘(")
    return not before or before[-1] in ".!?:;•"
