"""When a contract was made and from when it works: the dates of its preamble, cover and signatures.

The same date is written several times and other agreements are dated too, so a candidate is judged by the
words around it ("dated as of", "this 16th day of", "(the "Effective Date")") and by where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from longleaf.app.facts.document_text import Passages, plain
from longleaf.app.text.entities import DateMention, find_dates


@dataclass(frozen=True, slots=True)
class DateCandidate:
    mention: DateMention  # offsets in the whole text
    score: float
    sentence: tuple[int, int] | None = None  # another place that makes it this date


_MADE = re.compile(
    r"(?:\b(?:made|entered\s+into|entered|executed|dated|signed|concluded|agreement)\b[^.;:()]{0,90}|"
    r"\bas\s+of\s+(?:the\s+)?|\bthis\s+(?:the\s+)?|\bdate\s+of\s+(?:this\s+)?agreement:?\s*|"
    r"\bdated?\s*:\s*)$",
    re.IGNORECASE,
)
_EFFECTIVE_BEFORE = re.compile(
    r"\beffective\s+(?:as\s+of|from|on|date|for\s+all\s+purposes\s+as\s+of|the|this|beginning|"
    r"and)?[^.;()]{0,40}$|"
    r"\"effective\s+date\"?\s*[):]?\s*(?:of\s+this\s+agreement\s+)?(?:shall\s+)?(?:means?|is|be|"
    r"shall\s+be)?:?\s*(?:the\s+)?$|"
    r"\beffective\s+date\b[^.;]{0,60}$|"
    r"\b(?:commenc\w+|begin\w*|starts?|takes?\s+effect|in\s+effect|in\s+force)\s+(?:on|as\s+of|"
    r"from|with\s+effect\s+from)?[^.;()]{0,25}$",
    re.IGNORECASE,
)
_EFFECTIVE_AFTER = re.compile(
    r"^\s*,?\s*\(?\s*(?:which\s+is\s+|hereinafter\s+|referred\s+to\s+as\s+|herein\s+|"
    r"being\s+)*(?:the\s+)?\"?(?:effective|commencement|start)\s+date",
    re.IGNORECASE,
)
# Dates of other papers: "to the Supply Agreement dated", "that certain License dated", "patent filed on".
_OTHER_PAPER = re.compile(
    r"\b(?:that\s+certain|certain|(?:to|of|under|in|by)\s+(?:the|an?|that|"
    r"its)(?:\s+(?!this\b)[\w&-]+){0,9}\s+(?:agreement|lease|contract|license|"
    r"letter|plan|note|indenture|policy|resolution|order|deed|prospectus|statement|report|act|"
    r"amendment|permit))"
    r"(?:\s*\([^)]*\))?,?\s+(?:originally\s+)?(?:dated|made|entered|executed|effective|signed|"
    r"filed)?[^.;]{0,40}$|"
    r"\b(?:filed|recorded|issued|registered|amended|incorporated|organi[sz]ed|born|expir\w+|"
    r"terminat\w+|ending|until|through|prior\s+to|before|"
    r"after|no\s+later\s+than|on\s+or\s+about|fiscal\s+year|quarter\s+ended|year\s+ended)\b[^.;]{0,30}$",
    re.IGNORECASE,
)
_SOURCE_LINE = re.compile(
    r"\bsource:[^\n]*$|\b(?:8-K|10-K|10-Q|S-1|S-4|F-1|filed)\b[^\n]{0,20}$", re.IGNORECASE
)
_SIGNATURE = re.compile(
    r"\bin\s+witness\s+whereof\b|\bsigned\s+(?:by|this)\b|/s/|\bdated?\s*:", re.IGNORECASE
)
_ABOVE_WRITTEN = re.compile(
    r"\b(?:date|day\s+and\s+year|date\s+and\s+year)\s+(?:first\s+)?(?:above\s+)?(?:(?:written|"
    r"stated|set\s+forth|mentioned|appearing|indicated)\s*)?"
    r"(?:first\s+)?(?:above|hereof|stated|written|set\s+forth)|\bdate\s+(?:hereof|"
    r"of\s+this\s+agreement|of\s+(?:its\s+)?execution|of\s+signing)",
    re.IGNORECASE,
)
_BECOMES_EFFECTIVE = re.compile(
    r"\b(?:agreement|contract|term|amendment|venture|"
    r"obligations\s+hereunder)\b[^.;]{0,120}\b(?:becomes?|be|is|are|take|takes|comes?|commences?|"
    r"begins?|enters?)\s+"
    r"(?:\w+\s+)?(?:effective|effect|in(?:to)?\s+(?:effect|force)|as\s+of|on|upon)\b|"
    r"\b(?:agreement|term|venture)\b[^.;]{0,60}\bshall\s+(?:commence|begin|be\s+effective|"
    r"become\s+effective|start)\b",
    re.IGNORECASE,
)


def agreement_dates(passages: Passages, preamble: tuple[int, int] | None) -> list[DateCandidate]:
    """Candidates for the date a contract was made, best first."""
    text = passages.text
    head = text[: max(4000, (preamble[1] + 200) if preamble else 0)][:30_000]
    found: list[DateCandidate] = []
    for mention in find_dates(head):
        before, after = _around(text, mention)
        if _SOURCE_LINE.search(before[-80:]):
            continue
        score = _blank_penalty(mention)
        inside = preamble is not None and preamble[0] - 600 <= mention.start < preamble[1] + 150
        if _MADE.search(before):
            score += 2
        if inside:
            score += 1.5
            if preamble is not None and mention.start > preamble[0] + 1500 and "this" not in before[-20:]:
                score -= 2
        elif mention.start < 1500:
            score += 0.5  # a cover page
            if not text[mention.end : mention.end + 3].strip(" .,)") and re.search(
                r"\n\s*(?:dated?:?\s*(?:as\s+of\s+)?)?$",
                text[max(0, mention.start - 20) : mention.start],
                re.IGNORECASE,
            ):
                score += 0.75
        else:
            score -= 1
        if _OTHER_PAPER.search(before):
            score -= 2.5
        if re.search(r"\beffective\s+(?:as\s+of|from|on|date)\s*(?:the\s+)?$", before, re.IGNORECASE):
            score -= 0.75  # "made on X and effective as of Y": X is the date
        elif _EFFECTIVE_AFTER.match(after):
            score += 0.25
        score -= mention.start / 50_000
        if score > 1:
            found.append(DateCandidate(mention, score))
    if not found:
        found = _signature_dates(text)
    return sorted(found, key=lambda c: -c.score)


def _signature_dates(text: str) -> list[DateCandidate]:
    found: list[DateCandidate] = []
    begin = int(len(text) * 0.4)
    for match in _SIGNATURE.finditer(text, begin):
        window = text[match.start() : match.start() + 300]
        for mention in find_dates(window)[:1]:
            if not mention.complete:
                continue
            placed = _shift(mention, match.start())
            before, _ = _around(text, placed)
            witness = match.group(0).lower().startswith("in")
            if not witness and not re.search(
                r"(?:dated?|signed|this|on)\s*:?\s*(?:as\s+of\s+)?(?:the\s+)?$", before, re.IGNORECASE
            ):
                continue
            found.append(DateCandidate(placed, 1.5 + 0.5 * witness - placed.start / len(text)))
    return found


def effective_dates(
    passages: Passages, preamble: tuple[int, int] | None, made: Sequence[DateCandidate]
) -> list[DateCandidate]:
    """Candidates for the date a contract takes effect, best first; the text must tie a date to that."""
    text = passages.text
    found: list[DateCandidate] = []
    for mention in find_dates(text):
        before, after = _around(text, mention)
        if _SOURCE_LINE.search(before[-80:]):
            continue
        inside = mention.start < (preamble[1] + 200 if preamble else 3000)
        score = _blank_penalty(mention)
        defined = bool(_EFFECTIVE_AFTER.match(after))
        if defined:
            score += 3
        if _EFFECTIVE_BEFORE.search(before):
            sentence = passages.sentence_at(mention.start)
            about = sentence is not None and re.search(
                r"\b(?:this|the)\s+(?:\w+\s+){0,3}(?:agreement|amendment|contract|term|venture|lease)\b|"
                r"\"effective date\"",
                sentence.plain,
                re.IGNORECASE,
            )
            score += 2 if about else 0.5
        if not defined and _OTHER_PAPER.search(before):
            score -= 2
        score += 0.75 if inside else 0
        score -= mention.start / max(len(text), 1)
        if score >= 1.5:
            found.append(DateCandidate(mention, score))
    if not any(c.score >= 2 for c in found) and made:
        for sentence in passages.sentences:
            if _BECOMES_EFFECTIVE.search(sentence.plain) and _ABOVE_WRITTEN.search(sentence.plain):
                found.append(DateCandidate(made[0].mention, 1.9, (sentence.start, sentence.end)))
                break
    return sorted(found, key=lambda c: -c.score)


def _blank_penalty(mention: DateMention) -> float:
    return 0.0 if mention.complete else -0.4 if mention.day or mention.month else -0.6


def _around(text: str, mention: DateMention) -> tuple[str, str]:
    before = plain(text[max(0, mention.start - 220) : mention.start]) + " "
    return before, plain(text[mention.end : mention.end + 80])


def _shift(mention: DateMention, by: int) -> DateMention:
    return DateMention(
        mention.start + by, mention.end + by, mention.text, mention.year, mention.month, mention.day
    )
