"""Conditions and exceptions, scope and words like "only": what a statement loses of them or adds."""

from __future__ import annotations

import re
from dataclasses import replace
from collections.abc import Iterator, Sequence

from longleaf.app.proof.meaning.lexicon import classes_of
from longleaf.app.proof.meaning.reading import Condition, Frame, Reading, Word

_BOILERPLATE = re.compile(
    r"\b(?:without (?:regard|limitation|prejudice)|conflicts? of laws?|terms and conditions|terms hereof|otherwise (?:provided|stated|specified|set forth|expressly)|provided (?:herein|for in this)|"
    r"permitted (?:herein|hereunder)|set forth (?:herein|in this)|in accordance with this|provisions (?:of this|hereof)|(?:the )?terms of this|"
    r"applicable law|limitation|as provided|stated herein|unreasonably (?:withheld|delayed)|unreasonably withhold)\b",
    re.IGNORECASE,
)
_RESTRICTING = frozenset(("unless", "only", "if", "without", "until"))
_EVENT = re.compile(r"\b(?:notice|approval|consent|request|receipt|payment|occurrence|breach|default|failure|demand|delivery)\b", re.IGNORECASE)


def content(words: Sequence[Word]) -> list[Word]:
    return [w for w in words if w.is_content and w.text[0].isalnum()]


def overlap(words: Sequence[Word], other: Reading) -> float:
    """The part of the content words that the other text has, or has words for."""
    telling = content(words)
    if not telling:
        return 1.0
    stems = other.stems
    classes = set().union(*other.classes) | other.phrase_classes if other.classes else set()
    return sum(w.stem in stems or bool(classes_of(w.stem) & classes) * 0.7 for w in telling) / len(telling)


def lost(said: Reading, source: Reading) -> Iterator[str]:
    """Conditions of the source that bind what the statement says, and are not in it."""
    markers = {c.kind for c in said.conditions}
    low = said.text.lower()
    for condition in _joined(source.conditions):
        if condition.kind not in _RESTRICTING and not _is_leading_event(condition):
            continue
        body = source.words[condition.start : condition.end]
        text = " ".join(w.text for w in body)
        whole = f"{condition.marker} {text}"
        if _BOILERPLATE.search(whole) or not content(body):
            if condition.kind != "only":
                continue
        if condition.kind == "only" and condition.marker == "only" and re.search(r"\bnot only\b", source.text):
            continue
        if not _governs(condition, said, source):
            continue
        share = overlap(body, said)
        shown = condition.kind in markers or bool(_EXPRESSED[_group(condition.kind)].search(low))
        if (share >= 0.2 and shown) or share >= 0.95:
            if condition.kind != "only" or _ONLY_SAID.search(low):
                continue
        if condition.kind == "only" and _ONLY_SAID.search(low):
            continue
        yield f"the condition “{whole[:60].strip()}” is left out"


def _joined(conditions: Sequence[Condition]) -> Iterator[Condition]:
    """A condition within a condition ("if it does so without Cause") is one with it."""
    last: Condition | None = None
    for condition in conditions:
        if last and last.leads and last.sentence == condition.sentence and condition.start - last.end <= len(condition.marker.split()):
            last = replace(last, end=condition.end)
            continue
        if last:
            yield last
        last = condition
    if last:
        yield last


_ONLY_SAID = re.compile(r"\b(?:only|solely|exclusive\w*|sole|just|nothing (?:but|else)|no other|limited|restricted|alone|unless|without|except|not for|not any|nobody|not use)\b|mMUSTNOT", re.IGNORECASE)
_EXPRESSED = {
    "unless": re.compile(r"\b(?:adjusted|stop|prevent|avoid|takes|unless|except|only|without|other than|apart from|aside|besides|save|otherwise|but|until|as long as|if|not|need|excluding|outside)\b|mMUSTNOT"),
    "if": re.compile(r"\b(?:if|when|where|once|should|unless|provided|as long as|so long as|only|subject|upon|after|in case|whenever|on|with|until|while)\b"),
    "upon": re.compile(r"\b(?:if|when|where|once|upon|after|on|at|with|as soon as|following|by|unless|until)\b"),
}  # fmt: skip


def _group(kind: str) -> str:
    return {"only": "unless", "without": "unless", "until": "unless"}.get(kind, kind)


def _is_leading_event(condition: Condition) -> bool:
    return condition.kind == "upon" and (condition.leads or condition.marker in ("upon", "once", "as soon as"))


def _governs(condition: Condition, said: Reading, source: Reading) -> bool:
    """Whether the statement tells what the condition binds."""
    frames = [f for f in source.frames if f.sentence == condition.sentence and f.verb >= 0]
    outside = [f for f in frames if not condition.start <= f.at < condition.end]
    if condition.leads:
        bound = [f for f in outside if f.at >= condition.end]
    else:
        earlier = [f for f in outside if f.at < condition.start]
        bound = earlier[-1:]
        if not bound:
            bound = outside[:1]
    if not bound:
        words = [source.words[i] for i in source.sentence_words(condition.sentence) if not condition.start <= i < condition.end]
        return overlap(words, said) >= 0.4
    return any(_is_told(frame, said, source) for frame in bound)


def _is_told(frame: Frame, said: Reading, source: Reading) -> bool:
    """Whether the statement tells of what a frame of the source says: its verb, or most of its object."""
    words = source.words
    end = frame.verb + 1
    while end < len(words) and words[end].sentence == frame.sentence and not words[end].mark and words[end].text not in ",;:" and end < frame.verb + 9:
        end += 1
    telling = content(words[frame.verb : end])
    if not telling:
        return False
    stems = said.stems
    classes = set().union(*said.classes) | said.phrase_classes if said.classes else set()
    verb = words[frame.verb]
    verb_told = verb.stem in stems or bool(classes_of(verb.stem) & classes)
    objects = [w for w in telling if w is not verb]
    told = sum(w.stem in stems for w in objects)
    return (verb_told and (not objects or told >= 1 or len(objects) == 0)) or (bool(objects) and told / len(objects) >= 0.6)


# --- what is added --------------------------------------------------------------------------------------

_ANY_CONDITION = re.compile(
    r"\b(?:if|unless|except|only|solely|provided|subject to|until|upon|when|where|once|after|following|in the event|in case|without|as long as|so long as|"
    r"to the extent|during|while|other than|exclusive\w*|sole|pending|conditioned|contingent|whenever|absent|prior to|before|by|on|with|any|should|within|apart|excluding|not|no|nor|limited|required|requirement|following|condition)\b|mMUSTNOT",
    re.IGNORECASE,
)


def added(said: Reading, source: Reading) -> Iterator[str]:
    low = source.text.lower()
    for condition in said.conditions:
        body = said.words[condition.start : condition.end]
        if condition.kind == "only":
            if not _SCOPES["only"].search(low):
                yield "“only” is not in the source"
            continue
        if condition.kind in ("if", "unless", "until", "without", "upon") and content(body):
            share = overlap(body, source)
            if share < 0.4:
                yield f"the condition “{condition.marker} {' '.join(w.text for w in body)[:50]}” is not in the source"
            elif condition.kind in ("if", "unless", "until") and not _HAS_CONDITION[_group(condition.kind)].search(source.text):
                yield f"“{condition.marker}” is not in the source"


_HAS_CONDITION = {
    "if": re.compile(r"\b(?:if|in the event|in case|provided|subject|so long as|as long as|to the extent|when|where|upon|once|after|on condition|contingent|unless|should|only|except|until|during|following|whenever|absent|without|any|on|whether|while|conditional|less than|exceed\w*|satisf\w*|restricted to|any time|for|with|fails?|at|event|elects?|otherwise|which|shall be|is)\b", re.IGNORECASE),
    "unless": re.compile(r"\b(?:unless|except\w*|other than|only|until|without|not|no|otherwise|excluding|absent|save|provided|subject|if|apart|nor|exclu\w*|but|than|sooner|earlier|limited|none|outside|instead)\b|mMUSTNOT|mNOTREQ", re.IGNORECASE),
}  # fmt: skip

_SCOPES = {
    "only": re.compile(r"\b(?:only|sole\w*|(?<!non)exclusive\w*|unless|except\w*|until|no other|nothing|none|limited|restricted|other than|single|alone|neither|prohibited)\b|\bno [a-z]+ mM|mMUSTNOT", re.IGNORECASE),
    "all": re.compile(r"\b(?:all|any|every|each|entire\w*|whole|full\w*|complete\w*|no|nothing|none|total|both|any and all|whatsoever|aggregate|in part|otherwise)\b", re.IGNORECASE),
    "never": re.compile(r"\b(?:never|not|no|nor|neither|none|nothing|cannot|any time|perpetual\w*|irrevocab\w*|all times)\b|mMUSTNOT", re.IGNORECASE),
    "alone": re.compile(r"\b(?:alone|sole\w*|only|exclusive\w*|each|own|unilateral\w*|itself)\b", re.IGNORECASE),
    "worldwide": re.compile(r"\b(?:world\w*|universe|global\w*|anywhere|any country|all countries|everywhere|throughout the (?:world|universe)|international\w*)\b", re.IGNORECASE),
    "any reason": re.compile(r"\b(?:any (?:or no )?reason|any purpose|any cause|without cause|convenience|at will|with or without|no reason|in its (?:sole |absolute )*discretion|any time|(?:sole|absolute) discretion|any manner|any and all|any way|no cause|for any)\b", re.IGNORECASE),
    "always": re.compile(r"\b(?:always|all times|any time|at all|every|each|perpetual\w*|continu\w*|forever|throughout|constant\w*|ever)\b", re.IGNORECASE),
    "both": re.compile(r"\b(?:both|each|either|parties|mutual\w*|two|neither|jointly|and|together|respective\w*)\b", re.IGNORECASE),
    "only part": re.compile(r"\b(?:part\w*|portion|some|certain|pro rata|half|percent|share|not all|reduced|up to)\b|%", re.IGNORECASE),
    "first": re.compile(r"\b(?:first|initial\w*|original\w*|prior|before|commenc\w*|such)\b", re.IGNORECASE),
}  # fmt: skip
_SAID_SCOPES = (
    ("only", re.compile(r"\b(?:only|solely|exclusively|nothing but|nobody but|no one but|no one else|just)\b(?! (?:over|under))", re.IGNORECASE)),
    ("all", re.compile(r"\b(?:all|every|entire|entirely|whole|wholly|everything|everyone|in full|fully|completely|always)\b", re.IGNORECASE)),
    ("never", re.compile(r"\b(?:never|ever|in no case|in no event|under no circumstances|in any case|under any circumstances|no matter what)\b", re.IGNORECASE)),
    ("alone", re.compile(r"\b(?:alone|unilaterally|on its own|by itself|single-handedly)\b", re.IGNORECASE)),
    ("worldwide", re.compile(r"\b(?:worldwide|world|anywhere|everywhere|globally|any country)\b", re.IGNORECASE)),
    ("any reason", re.compile(r"\b(?:any (?:or no )?reason|any purpose|any cause|whatever (?:the )?reason|no reason|without (?:a |any |giving (?:a |any )?)?(?:reason|cause)|at will|any use|as it (?:likes|wishes|pleases|sees fit)|freely|unconditionally|in any way|any other)\b", re.IGNORECASE)),
    ("always", re.compile(r"\b(?:always|forever|at all times|at any time|any time|whenever it|permanently|indefinitely)\b", re.IGNORECASE)),
    ("both", re.compile(r"\bboth\b", re.IGNORECASE)),
    ("only part", re.compile(r"\b(?:part of|a portion of|some of|partly|in part|half of)\b", re.IGNORECASE)),
)  # fmt: skip


def _unlike_near(match: re.Match[str], said: str, source: str) -> bool:
    """Whether the source names the thing that the statement tells all of, but not all of it."""
    noun = re.match(r"(?:\s+(?:of|the|its|other|such|their|such)){0,2}\s+([a-z]{3,})", said[match.end() :], re.IGNORECASE)
    if not noun or noun.group(1).lower() in ("parties", "party", "the"):
        return False
    root = re.escape(noun.group(1).lower().rstrip("s"))
    there = list(re.finditer(rf"\b{root}", source, re.IGNORECASE))
    return bool(there) and not any(
        re.search(r"\b(?:all|any|every|each|entire|whole|no|full|both|total|such)\b", source[max(0, t.start() - 60) : t.start()], re.IGNORECASE)
        for t in there
    )


def widened(said: Reading, source: Reading) -> Iterator[str]:
    """Words of scope without their like in the source, and restrictions that an absolute word denies."""
    for name, pattern in _SAID_SCOPES:
        match = pattern.search(said.text)
        if match and match.group(0).lower() in source.text.lower():
            continue
        if match and name == "all" and _unlike_near(match, said.text, source.text):
            yield f"“{match.group(0)}” is not said of that in the source"
        if match and not _SCOPES[name].search(source.text):
            yield f"“{match.group(0)}” is not in the source"
    absolute = re.search(r"\b(?:in no case|never|ever|under any circumstances|in any case|for any reason|always|without exception|no matter what|unconditional\w*|any purpose|freely|absolutely|entirely|at all)\b", said.text, re.IGNORECASE)
    if absolute and not re.search(rf"\b{absolute.group(0)}\b", source.text, re.IGNORECASE):
        if any(c.kind in ("unless", "only", "if") or c.marker.startswith(("upon", "provided")) for c in source.conditions):
            yield f"“{absolute.group(0)}”: the source has an exception"
