"""Which law governs a contract: the clause that says so and the jurisdiction it names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from longleaf.app.facts.document_text import Passages, Sentence, plain, unnumbered
from longleaf.app.text.entities import PlaceMention, find_places


@dataclass(frozen=True, slots=True)
class LawCandidate:
    sentence: Sentence
    place: PlaceMention | None  # offsets in the whole text
    score: float


_GOVERNS = re.compile(
    r"\b(?:govern(?:ed|s|ing)?|constru(?:ed|e|ction)|interpret(?:ed|ation)?|controlled|determined|"
    r"enforced|enforceable|subject\s+to|validity)\b"
    r"[^.;]{0,240}?\b(?:laws?|legislation|statutes)\b|"
    r"\b(?:laws?|legislation)\b[^.;]{0,120}?\b(?:shall|will|to|does|do)?\s*(?:governs?|controls?|"
    r"apply|be\s+applicable|applies)\b|"
    r"\b(?:governing|applicable|proper)\s+law\b|\bcontract\s+(?:made\s+)?under\s+the\s+laws?\b",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(r"\b(?:[A-Z]\.){2,}")  # "U.S.A.": its stops end no clause
# "Governing law: Ohio." and "decided under Ohio law"
_LABEL = re.compile(r"(?:governing|applicable|proper|choice\s+of)\s+law\s*[:.\-]\s*\S", re.IGNORECASE)
_UNDER = re.compile(
    r"\b(?:decided|resolved|settled|judged|determined|applied|interpreted|read|made|subject)\b[^.;]{0,60}\b(?:under|by|to|"
    r"according\s+to|in\s+accordance\s+with)\s+(?:the\s+)?(?:\w+\s+){0,4}laws?\b|\blaws?\b[^.;]{0,40}\bto\s+govern\b",
    re.IGNORECASE,
)
# What a party must obey does not govern the contract.
_OBEYED = re.compile(
    r"\b(?:compl(?:y|ies|iance)|observe|abide|obey|conform|violat\w+|pursuant)\b[^.;]{0,90}\blaws?\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"\b(?:this|the|these|said)\s+(?:\w+[\s-]+){0,4}?(?:agreement|contract|amendment|lease|"
    r"license|guaranty|terms|note|warrant|"
    r"undertaking|letter|deed|provisions|exhibit|addendum)|\bhereof\b|\bhereunder\b|"
    r"\ball\s+(?:questions|matters|disputes)",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"\b(?:govern(?:ed|s)?|construed|interpreted|enforced)\b[^.;]{0,160}\b(?:by|under|with|"
    r"to)\b[^.;]{0,80}?\blaws?\b|"
    r"\blaws?\s+of\b[^.;]{0,140}\b(?:govern|control|apply)|\blaw\b[^.;]{0,30}\bgoverns?\b",
    re.IGNORECASE,
)
_CONFLICTS = re.compile(
    r"\bconflicts?\s+of\s+laws?|\bchoice\s+of\s+law|"
    r"\bconflicts?\s+(?:or\s+choice\s+)?(?:provisions|rules|principles)",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"\b(?:governing|applicable|choice\s+of|controlling)\s+laws?\b|\blaws?\b|\bjurisdiction\b", re.IGNORECASE
)
_FORMED = re.compile(
    r"\b(?:organi[sz]ed|existing|incorporated|formed|established|registered|created|corporation|"
    r"company|partnership|entity)\b[^.;]{0,60}?"
    r"\b(?:under|pursuant\s+to|in\s+accordance\s+with|by)\s+(?:and\s+\w+\s+\w+\s+)?(?:the\s+)?laws?\b",
    re.IGNORECASE,
)
_OTHER_LAW = re.compile(
    r"\b(?:securities|tax|bankruptcy|antitrust|employment|privacy|copyright|patent|corrupt|"
    r"environmental|labor|import|export|usury|insolvency)"
    r"\s+(?:and\s+\w+\s+)?(?:laws?|act|statutes)\b|\bcompl(?:y|iance|"
    r"ies)\s+with\s+(?:all\s+)?(?:applicable\s+)?\w*\s*laws?|"
    r"\b(?:required|permitted|prohibited|allowed|extent)\s+(?:by|under)\s+(?:applicable\s+)?law",
    re.IGNORECASE,
)
_LAWS_OF = re.compile(
    r"\b(?:laws?|legislation|statutes)\b(?:\s+(?:and\s+(?:the\s+)?(?:regulations|rules|"
    r"jurisdiction|decisions)|then\s+in\s+force|in\s+force|in\s+effect|"
    r"prevailing|applicable))*(?:\s+(?:of|in)\b|\s+from)",
    re.IGNORECASE,
)
_COURTS = re.compile(
    r"\b(?:courts?|venue|arbitrat\w+|jurisdiction|located|sitting|seat|county|district)\b[^,;]{0,40}$",
    re.IGNORECASE,
)
_UNWANTED = re.compile(
    r"^\s*(?:convention|uniform\s+commercial|arbitration|federal\s+courts?)", re.IGNORECASE
)


def governing_law(passages: Passages) -> list[LawCandidate]:
    """Clauses that say which law governs, best first, each with its jurisdiction if it names one."""
    found: list[LawCandidate] = []
    total = max(len(passages.sentences), 1)
    for sentence in passages.sentences:
        body = _ABBREVIATED.sub(lambda m: m.group(0).replace(".", ""), sentence.plain)
        if not re.search(r"\blaws?\b|\blegislation\b", body, re.IGNORECASE) or len(body) < 18:
            continue
        body = unnumbered(body)
        labelled = bool(_LABEL.match(body))
        if not labelled and len(body) < 25:
            continue
        if _OBEYED.search(body) and not re.search(r"\b(?:govern|constru|interpret)", body, re.IGNORECASE):
            continue
        if (
            not labelled
            and not (_GOVERNS.search(body) or _UNDER.search(body))
            and not _HEADING.search(sentence.heading)
        ):
            continue
        score = 0.0
        if labelled or _STRONG.search(body):
            score += 2
        elif _UNDER.search(body):
            score += 1.5
        elif _GOVERNS.search(body):
            score += 1
        if _SUBJECT.search(body):
            score += 1
        if _CONFLICTS.search(body):
            score += 0.5
        if re.search(
            r"\b(?:governing|applicable|choice\s+of|controlling)\s+law|^law\b",
            sentence.heading,
            re.IGNORECASE,
        ):
            score += 1.5
        elif _HEADING.search(sentence.heading):
            score += 0.5
        if _FORMED.search(body) and not _CONFLICTS.search(body):
            score -= 2.5
        if _OTHER_LAW.search(body) and not _STRONG.search(body):
            score -= 1.5
        place = jurisdiction(passages.text, sentence)
        score += 1 if place else -1
        score -= 0.5 * sentence.index / total
        if score >= 2:
            found.append(LawCandidate(sentence, place, score))
    return sorted(found, key=lambda c: -c.score)


def jurisdiction(text: str, sentence: Sentence) -> PlaceMention | None:
    """The place whose law a clause names: after "laws of", or before "law"; not where courts sit."""
    raw = text[sentence.start : sentence.end]
    places = find_places(raw)
    if not places:
        return None
    cues = [m.end() for m in _LAWS_OF.finditer(raw)]
    best: tuple[float, PlaceMention] | None = None
    for place in places:
        before = plain(raw[max(0, place.start - 90) : place.start]) + " "
        after = plain(raw[place.end : place.end + 40])
        if _UNWANTED.match(after) or (
            place.name == "United States"
            and re.match(r"\s*(?:dollars?|federal|patent|\$)", after, re.IGNORECASE)
        ):
            continue
        score = 0.0
        gap = min((place.start - cue for cue in cues if 0 <= place.start - cue <= 80), default=None)
        if gap is not None:
            score += 3 - gap / 80
        if re.match(
            r"(?:['’]s)?\s+(?:substantive\s+|state\s+|internal\s+)?(?:laws?|legislation)\b",
            after,
            re.IGNORECASE,
        ):
            score += 2.5
        if _COURTS.search(before):
            score -= 1.5
        if _FORMED.search(before + "laws"):
            score -= 1
        if re.search(r"\bfederal\s+laws?\s+(?:of|in)\s+(?:the\s+)?$", before, re.IGNORECASE):
            score -= 2
        if place.name == "United States" and len(places) > 1:
            score -= 2  # federal law beside a state's
        score -= place.start / max(len(raw), 1) * 0.2
        if best is None or score > best[0]:
            best = (score, place)
    if best is None:
        return None
    place = best[1]
    return PlaceMention(sentence.start + place.start, sentence.start + place.end, place.text, place.name)
