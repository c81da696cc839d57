"""When a contract was made and from when it works: the dates of its preamble, cover and signatures.

The same date is written several times and other agreements are dated too, so a candidate is judged by the
words around it ("dated as of", "this 16th day of", "(the "Effective Date")") and by where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from longleaf.app.facts.document_text import Passages, Sentence, plain, unnumbered
from longleaf.app.text.entities import DateMention, find_dates


@dataclass(frozen=True, slots=True)
class DateCandidate:
    mention: DateMention | None  # offsets in the whole text; None where the text names no day
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
    r"and)?(?:(?!\b(?:to|until|through|after|anniversary|prior|before|following)\b)[^.;()]){0,40}$|"
    r"\"effective\s+date\"?\s*[):]?\s*(?:of\s+this\s+agreement\s+)?(?:shall\s+)?(?:means?|is|be|"
    r"shall\s+be)?:?\s*(?:the\s+)?$|"
    r"\beffective\s+date\b(?:(?!\b(?:to|until|through|after|anniversary|prior|before|following)\b)[^.;]){0,60}$|"
    r"\b(?:commenc\w+|begin\w*|starts?|takes?\s+effect|ha(?:s|ve)\s+effect|in(?:to)?\s+effect|in(?:to)?\s+force)\s+(?:at\s+[\d:]+\s*[ap]\.?m\.?,?\s+|as\s+and\s+)?(?:with\s+effect\s+from|on|as\s+of|"
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
    r"\b(?:date|day\s+and\s+year|date\s+and\s+year|day)\s+(?:first\s+)?(?:above\s+)?(?:(?:written|"
    r"stated|set\s+forth|mentioned|appearing|indicated|named|given)\s*)?"
    r"(?:first\s+|herein\s*)?(?:above|hereof|stated|written|set\s+forth|in\s+the\s+(?:first|opening|introductory)\s+\w+)|"
    r"\bdate\s+(?:hereof|of\s+this\s+(?:\w+\s+)?(?:agreement|contract|amendment|lease|letter)|of\s+the\s+agreement)|"
    r"\bdate\s+(?:set\s+forth|stated|given|shown|written)\s+(?:in|on)\s+the\s+(?:first|opening|introductory|preamble|cover)",
    re.IGNORECASE,
)
_SUBJECT = (
    r"(?:\b(?:this|the|said|our)\s+(?:[\w-]+\s+){0,4}?(?:agreement|contract|amendment|lease|letter|memorandum|venture|"
    r"addendum|undertaking|term|deed)\b|\bterm\s+of\s+(?:this|the)\b|\binitial\s+term\b|\b[Aa]greement\b|"
    r"\bobligations\s+hereunder\b|\"?effective\s+date\"?|\bit\b)"
)
_BECOMES_EFFECTIVE = re.compile(
    rf"{_SUBJECT}[^.;]{{0,140}}\b(?:(?:becomes?|be|is|are)\s+(?:\w+\s+){{0,3}}?(?:effective|in(?:to)?\s+(?:effect|force))|"
    r"takes?\s+effect|(?:comes?|enters?|goes)\s+into\s+(?:effect|force)|(?:commences?|begins?|starts?|dates?|runs?)\s+"
    r"(?:\w+\s+){0,3}?(?:as\s+of|on|upon|from|when|with))\b|"
    rf"{_SUBJECT}[^.;]{{0,60}}\b(?:shall|will)\s+(?:commence|begin|be\s+effective|become\s+effective|start)\b|"
    r"\beffective\s+(?:as\s+of|on|from|upon|when)\b|"
    r"\b(?:obligations|rights)\b[^.;]{0,60}\bbegins?\b[^.;]{0,120}\beffective\b|"
    r"\"?effective\s+date\"?[^.;]{0,40}(?:means?|is|be|:)\s",
    re.IGNORECASE,
)
_BY_EVENT = re.compile(
    r"\b(?:effective(?:\s+date)?|effect|force|commence\w*|begins?)\b[^.;]{0,90}\b(?:upon|on|as\s+of|from|when|after|"
    r"means?|once|date)\b[^.;]{0,90}\b(?:sign(?:s|ed|ing|atures?|atory)?|execut(?:ion|ed|es|ing)|approv\w+|last\s+(?:of\s+the\s+)?"
    r"(?:date|party|parties)|both\s+parties|closing|completion|delivery|receipt)\b",
    re.IGNORECASE,
)
# Other things become effective too: changes, notices, the end of the contract.
_OTHER_EFFECT = re.compile(
    r"\b(?:terminat\w+|expir(?:ation|es?)\s+(?:of|shall)|(?:no|any|each|all|an)\s+(?:\w+\s+)?(?:amendments?|modif\w+|changes?|"
    r"waivers?|notices?|assignments?|price|orders?)|amendments?\s+(?:to|of)\s+this|waivers?|notices?|assignments?|changes?|"
    r"renewals?|extensions?|consents?|survives?|claims?|remed(?:y|ies)|transfers?|counterparts?|registration\s+statement|"
    r"facsimile|resignation|removal|withdrawal|merger|increase|price)\b[^.;]{0,110}\b(?:effective|effect|force)\b|"
    r"\bforce\s+and\s+effect\s+as\b|\b(?:full\s+)?force\s+and\s+effect\b(?![^.;]*\bfrom\b)|\bforce\s+majeure\b",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:^|\n|\s)\(?\"?(?:agreement\s+)?(?:effective|commencement|start)\s+date\"?\)?(?:\s+of\s+(?:this\s+|the\s+)?"
    r"(?:agreement|contract))?(?:\s*\([^)]{0,40}\))?\s*[:\-–—]\s*(?:the\s+)?$|"
    r"(?:^|\n)\s*effective(?:\s+(?:as\s+of|from|on))?\s*:\s*$",
    re.IGNORECASE,
)
_DEFINED = re.compile(
    r"\"(?:the\s+)?(?:agreement\s+)?(?:effective|commencement|start)\s+date\"\s*(?:of\s+this\s+\w+\s+)?(?:shall\s+)?(?:means?|is|be|"
    r"refers?\s+to)\b[^.;]{0,40}$|\beffective\s+date\s+(?:of\s+(?:this|the)\s+(?:[\w-]+\s+){0,3})?(?:shall\s+be|is|will\s+be)\s+"
    r"(?:deemed\s+to\s+be\s+)?(?:the\s+)?$",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"\b(?:term|period|duration)\b[^.;]{0,60}(?:\bfrom|\bbeginning|\bcommencing|:)\s+(?:on\s+|and\s+including\s+)?(?:the\s+)?$",
    re.IGNORECASE,
)


def agreement_dates(passages: Passages, preamble: tuple[int, int] | None) -> list[DateCandidate]:
    """Candidates for the date a contract was made, best first."""
    text = passages.text
    head = text[: max(4000, (preamble[1] + 200) if preamble else 0)][:30_000]
    found: list[DateCandidate] = []
    for mention in passages.dates:
        if mention.start >= len(head):
            break
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
        if not inside and _EFFECTIVE_BEFORE.search(before):
            score -= 3  # from when it works, not when it was made
        elif re.search(r"\beffective\s+(?:as\s+of|from|on|date)\s*(?:the\s+)?$", before, re.IGNORECASE):
            score -= 0.75  # "made on X and effective as of Y": X is the date
        elif _EFFECTIVE_AFTER.match(after):
            score += 0.25
        elif not inside and (_DEFINED.search(before) or _LABEL.search(before)):
            score -= 3
        score -= mention.start / 50_000
        if score > 1:
            found.append(DateCandidate(mention, score))
    if not found:
        return _signature_dates(passages)
    return sorted(found, key=lambda c: -c.score)


def _signature_dates(passages: Passages) -> list[DateCandidate]:
    """Dates beside signatures; what several sign on different days is made on the last of them."""
    text = passages.text
    found: list[DateCandidate] = []
    begin = int(len(text) * 0.4)
    for match in _SIGNATURE.finditer(text, begin):
        for mention in find_dates(text[match.start() : match.start() + 300], passages.date_order)[:1]:
            if not mention.complete:
                continue
            placed = mention.moved(match.start())
            before, _ = _around(text, placed)
            witness = match.group(0).lower().startswith("in")
            if not witness and not re.search(
                r"(?:dated?|signed|this|on)\s*:?\s*(?:as\s+of\s+)?(?:the\s+)?$", before, re.IGNORECASE
            ):
                continue
            if _OTHER_PAPER.search(before):
                continue
            found.append(DateCandidate(placed, 1.5 + 0.5 * witness - placed.start / len(text)))
    return sorted(found, key=lambda c: (-round(c.score), -_ordinal(c.mention)))


def _ordinal(mention: DateMention | None) -> int:
    if mention is None or mention.year is None or mention.month is None or mention.day is None:
        return 0
    return date(mention.year, mention.month, mention.day).toordinal()


def effective_dates(
    passages: Passages, preamble: tuple[int, int] | None, made: Sequence[DateCandidate]
) -> list[DateCandidate]:
    """Candidates for the date a contract takes effect, best first; the text must tie a date to that."""
    text = passages.text
    found: list[DateCandidate] = []
    for mention in passages.dates:
        before, after = _around(text, mention)
        if _SOURCE_LINE.search(before[-80:]):
            continue
        inside = mention.start < (preamble[1] + 200 if preamble else 3000)
        score = _blank_penalty(mention)
        labelled = bool(_LABEL.search(text[max(0, mention.start - 80) : mention.start]))
        defined = bool(_EFFECTIVE_AFTER.match(after)) or labelled or bool(_DEFINED.search(before))
        if defined:
            score += 3
        sentence = passages.sentence_at(mention.start)
        if _EFFECTIVE_BEFORE.search(before) or _PERIOD.search(before):
            about = sentence is not None and re.search(
                rf"{_SUBJECT}|\"effective date\"|\bhereof\b|\bhereunder\b", sentence.plain, re.IGNORECASE
            )
            score += 2 if about else 0.5
        if not defined and _OTHER_PAPER.search(before):
            score -= 2
        if not defined and sentence and _OTHER_EFFECT.search(_clause_before(passages, sentence, mention)):
            score -= 2
        score += 0.75 if inside else 0
        score -= mention.start / max(len(text), 1)
        if score >= (1.4 if sentence and _BECOMES_EFFECTIVE.search(sentence.plain) else 1.5):
            found.append(DateCandidate(mention, score))
    if not any(c.score >= 2.5 for c in found):
        found += _by_reference(passages, made)
    return sorted(found, key=lambda c: -c.score)


def _by_reference(passages: Passages, made: Sequence[DateCandidate]) -> list[DateCandidate]:
    """The date an effect refers to ("as of the date first written above", "upon the last signature") if the
    document gives it, and the sentence itself if not."""
    for sentence in passages.sentences:
        body = sentence.plain
        if not _BECOMES_EFFECTIVE.search(body) or len(body) > 2500:
            continue
        if _OTHER_EFFECT.search(body):
            continue
        where = (sentence.start, sentence.end)
        if _ABOVE_WRITTEN.search(body):
            return [DateCandidate(made[0].mention if made else None, 1.95, where)]
        if _BY_EVENT.search(body):
            signed = _signature_dates(passages) if re.search(r"\bsign|\bexecut|\blast\b", body) else []
            if not signed and re.search(
                r"\bdate\s+of\s+(?:its|the|this)?\s*(?:execution|signing|signature)\b", body
            ):
                signed = list(made)
            return [DateCandidate(signed[0].mention if signed else None, 1.8, where)]
    for sentence in passages.sentences:  # a label or definition with a date that is not understood
        if re.match(
            r"\(?\"?(?:the\s+)?effective\s+date\"?\)?\s*(?::\s*\S|(?:shall\s+)?(?:means?|be)\s)",
            unnumbered(sentence.plain),
            re.IGNORECASE,
        ):
            inside = [m for m in passages.dates if sentence.start <= m.start < sentence.end]
            return [DateCandidate(inside[0] if inside else None, 1.6, (sentence.start, sentence.end))]
    return []


def _clause_before(passages: Passages, sentence: Sentence, mention: DateMention) -> str:
    """The words of the sentence up to the date, from the last semicolon on."""
    return plain(passages.text[sentence.start : mention.start]).rsplit(";", 1)[-1]


def _blank_penalty(mention: DateMention) -> float:
    return 0.0 if mention.complete else -0.4 if mention.day or mention.month else -0.6


def _around(text: str, mention: DateMention) -> tuple[str, str]:
    before = plain(text[max(0, mention.start - 220) : mention.start]) + " "
    return before, plain(text[mention.end : mention.end + 80])
