"""Conditions and exceptions, scope and words like "only": what a statement loses of them or adds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from longleaf.app.proof.meaning.lexicon import classes_of
from longleaf.app.proof.meaning.reading import Condition, Frame, Reading, Word
from longleaf.app.proof.meaning.stems import stem
from longleaf.app.text.wording import word_set

_BOILERPLATE = re.compile(
    r"\b(?:without (?:regard|limitation|prejudice)|conflicts? of laws?|terms and conditions|terms hereof|otherwise (?:provided|stated|specified|set forth|expressly)|provided (?:herein|for in this)|"
    r"permitted (?:herein|hereunder)|set forth (?:herein|in this)|in accordance with this|provisions (?:of this|hereof)|(?:the )?terms of this|"
    r"applicable law|limitation|as provided|stated herein|unreasonably (?:withheld|delayed)|unreasonably withhold)\b",
    re.IGNORECASE,
)
_RESTRICTING = frozenset(("unless", "only", "if", "without", "until"))
_EVENT = re.compile(
    r"\b(?:notice|approval|consent|request|receipt|payment|occurrence|breach|default|failure|demand|delivery)\b",
    re.IGNORECASE,
)


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
        if (
            condition.marker == "upon"
            and not condition.leads
            and _ON_NOTICE.search(" ".join(w.text for w in source.words[condition.start : condition.end]))
        ):
            continue
        body = source.words[condition.start : condition.end]
        text = " ".join(w.text for w in body)
        whole = f"{condition.marker} {text}"
        if _BOILERPLATE.search(whole) or not content(body):
            if condition.kind != "only":
                continue
        if (
            condition.kind == "only"
            and condition.marker == "only"
            and re.search(r"\bnot only\b", source.text)
        ):
            continue
        if not _governs(condition, said, source):
            continue
        outside = {w.stem for i, w in enumerate(source.words) if not condition.start <= i < condition.end}
        own = [w for w in body if w.stem not in outside]
        share = overlap(own or body, said) if content(own) else overlap(body, said)
        if _CAP.search(whole) and _CAP.search(said.text):
            continue
        digits = {w.text for w in body if w.text[0].isdigit()}
        if digits and digits <= {w.text for w in said.words}:
            share = max(share, 0.5)

        shown = (
            _with_or_without(low)
            if condition.kind == "without"
            else condition.kind in markers or bool(_EXPRESSED[_group(condition.kind)].search(low))
        )
        if (share >= 0.2 and shown) or share >= 0.6:
            if condition.kind != "only" or _ONLY_SAID.search(low):
                continue
        if condition.kind == "only" and _ONLY_SAID.search(low):
            continue
        yield f"the condition “{whole[:60].strip()}” is left out"


# Words by which a statement tells that something is supposed, not so.
_SUPPOSING = re.compile(
    r"\b(?:if|unless|when|whenever|where|should|in case|in the event|on|upon|after|once|until|till|provided|long as|only|"
    r"except|without|subject|failing|absent|who|that|which|whose|with|before|extent|depends|condition\w*|whether|any|no|not|"
    r"would|could|might)\b",
    re.IGNORECASE,
)
_MOSTLY = 0.75


def supposed(said: Reading, source: Reading) -> Iterator[str]:
    """What the source only supposes ("if Buyer fails to pay") and the statement tells as so."""
    for condition in _joined(source.conditions):
        body = content(source.words[condition.start : condition.end])
        own = {w.text.lower() for w in source.words[condition.start : condition.end]}
        rest = " ".join(w.text for w in said.words if w.text.lower() not in own)
        event = condition.kind == "if" or condition.marker == "unless"
        if not event or len(body) < 2 or _SUPPOSING.search(rest):
            continue
        if sum(w.stem in said.stems for w in body) >= _MOSTLY * len(body):
            text = " ".join(w.text for w in source.words[condition.start : condition.end])
            yield f"“{condition.marker} {text[:60].strip()}” is told as if it were so"


_ON_NOTICE = re.compile(r"\b(?:notice|request|demand)\b", re.IGNORECASE)
_CAP = re.compile(
    r"\b(?:exceed\w*|cap\w*|limit\w*|up to|at most|maximum|no more than|not more than)\b", re.IGNORECASE
)


def _with_or_without(low: str) -> bool:
    """Whether "not without consent" is kept, as "not … without", "only with", "needs" or the like."""
    if re.search(r"\b(?:without|unless|except|until|only|need\w*|requir\w*|takes|subject|free|no)\b", low):
        return True
    return not re.search(r"\bnot\b|mmustnot|\bneither\b|\bnor\b", low) and bool(
        re.search(r"\b(?:with|if|once|after)\b", low)
    )


def _joined(conditions: Sequence[Condition]) -> Iterator[Condition]:
    """A condition within a condition ("if it does so without Cause") is one with it."""
    last: Condition | None = None
    for condition in conditions:
        if (
            last
            and last.leads
            and last.sentence == condition.sentence
            and condition.start - last.end <= len(condition.marker.split())
        ):
            last = replace(last, end=condition.end)
            continue
        if last:
            yield last
        last = condition
    if last:
        yield last


_ONLY_SAID = re.compile(
    r"\b(?:only|solely|exclusive\w*|sole|just|nothing (?:but|else)|no other|limited|restricted|alone|unless|without|except|not for|not any|nobody|not use)\b|mMUSTNOT",
    re.IGNORECASE,
)
_EXPRESSED = {
    "unless": re.compile(r"\b(?:adjusted|stop|prevent|avoid|takes|unless|except|only|without|other than|apart from|aside|besides|save|otherwise|but|until|as long as|if|not|need|excluding|outside)\b|mMUSTNOT"),
    "if": re.compile(r"\b(?:if|when|where|once|should|unless|provided|as long as|so long as|only|subject|upon|after|in case|whenever|on|with|until|while)\b"),
    "upon": re.compile(r"\b(?:if|when|where|once|upon|after|on|at|with|as soon as|following|by|unless|until)\b"),
}  # fmt: skip


def _group(kind: str) -> str:
    return {"only": "unless", "without": "unless", "until": "unless"}.get(kind, kind)


def _is_leading_event(condition: Condition) -> bool:
    return condition.kind == "upon" and (
        condition.leads or condition.marker in ("upon", "once", "as soon as")
    )


def _governs(condition: Condition, said: Reading, source: Reading) -> bool:
    """Whether the statement tells what the condition binds."""
    frames = [f for f in source.frames if f.sentence == condition.sentence and f.verb >= 0]
    outside = [f for f in frames if not condition.start <= f.at < condition.end]
    piece = _piece_before(condition, source)
    if not condition.leads and len(piece) >= 2:
        stems = said.stems
        low, high = min(source.words.index(w) for w in piece), condition.start
        least = 0.51 if any(low <= f.at < high for f in source.frames) else 0.5
        return (
            sum(w.stem in stems for w in piece) / len(piece) >= least
            or sum(w.stem in stems or bool(classes_of(w.stem) & _all_classes(said)) for w in piece)
            / len(piece)
            >= 0.7
        )
    if condition.leads:
        bound = [f for f in outside if f.at >= condition.end]
    else:
        earlier = [f for f in outside if f.at < condition.start]
        bound = earlier[-1:]
        if not bound:
            bound = outside[:1]
    if not bound:
        words = [
            source.words[i]
            for i in source.sentence_words(condition.sentence)
            if not condition.start <= i < condition.end
        ]
        return overlap(words, said) >= 0.4
    return any(_is_told(frame, said, source) for frame in bound)


def _all_classes(reading: Reading) -> set[int]:
    return set().union(*reading.classes) | reading.phrase_classes if reading.classes else set()


def _piece_before(condition: Condition, source: Reading) -> list[Word]:
    """Content words from the last comma or conjunction to the condition."""
    words = source.words
    first = condition.start - len(condition.marker.split())
    piece: list[Word] = []
    for index in range(first - 1, -1, -1):
        word = words[index]
        if (
            word.sentence != condition.sentence
            or word.text in ",;:"
            or word.text.lower() in ("and", "or", "but")
        ):
            break
        if word.is_content:
            piece.append(word)
    return piece


def _is_told(frame: Frame, said: Reading, source: Reading) -> bool:
    """Whether the statement tells of what a frame of the source says: its verb, or most of its object."""
    words = source.words
    end = frame.verb + 1
    while (
        end < len(words)
        and words[end].sentence == frame.sentence
        and not words[end].mark
        and words[end].text not in ",;:"
        and words[end].text.lower() != "and"
        and end < frame.verb + 9
    ):
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
    return (verb_told and (not objects or told >= 1 or len(objects) == 0)) or (
        bool(objects) and told / len(objects) >= 0.6
    )


# --- what is added --------------------------------------------------------------------------------------

_ANY_CONDITION = re.compile(
    r"\b(?:if|unless|except|only|solely|provided|subject to|until|upon|when|where|once|after|following|in the event|in case|without|as long as|so long as|"
    r"to the extent|during|while|other than|exclusive\w*|sole|pending|conditioned|contingent|whenever|absent|prior to|before|by|on|with|any|should|within|apart|excluding|not|no|nor|limited|required|requirement|following|condition)\b|mMUSTNOT",
    re.IGNORECASE,
)


_NOS = word_set("misses miss missed lacks not no never neither nor none fails fail failure without unable")


def _parity(reading: Reading, condition: Condition) -> bool:
    words = reading.words
    denied = condition.kind == "unless"
    for i in range(condition.start, condition.end):
        low = words[i].text.lower()
        nxt = words[i + 1].text.lower() if i + 1 < len(words) else ""
        if words[i].mark == "mMUSTNOT" or (
            low in _NOS and nxt not in ("less", "more", "later", "earlier", "only", "fewer")
        ):
            denied = not denied
    return denied


def _denied_conditions(said: Reading, source: Reading) -> Iterator[str]:
    """ "if there is not a sale" is not "if there is a sale"."""
    for condition in said.conditions:
        if condition.kind not in ("if", "unless", "upon"):
            continue
        body = said.words[condition.start : condition.end]
        if len(content(body)) < 2 or re.search(
            r"\b(?:or not|whether|no longer|otherwise)\b", f"{source.plain} {said.plain}"
        ):
            continue
        stems = {w.stem for w in content(body)}
        best, most = None, 0.0
        for other in source.conditions:
            theirs = {w.stem for w in content(source.words[other.start : other.end])}
            share = len(stems & theirs) / len(stems)
            if share > most:
                best, most = other, share
        if (
            best
            and most >= 0.6
            and best.kind in ("if", "unless", "upon")
            and _parity(said, condition) != _parity(source, best)
        ):
            if {condition.kind, best.kind} != {"if", "unless"} or _parity(said, condition) == (
                condition.kind == "unless"
            ):
                if condition.kind == best.kind:
                    yield f"“{condition.marker} {' '.join(w.text for w in body)[:50]}”: the source denies it"


def added(said: Reading, source: Reading) -> Iterator[str]:
    low = source.text.lower()
    yield from _denied_conditions(said, source)
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
            elif (condition.kind == "until" and not _ENDS.search(source.text)) or (
                condition.kind in ("if", "unless")
                and not _HAS_CONDITION[_group(condition.kind)].search(source.text)
            ):
                yield f"“{condition.marker}” is not in the source"


_ENDS = re.compile(
    r"\b(?:until|till|through|expir\w*|end\w*|term\w*|period|unless|before|prior|to|within|by)\b",
    re.IGNORECASE,
)
_HAS_CONDITION = {
    "if": re.compile(r"\b(?:if|in the event|in case|provided|subject|so long as|as long as|to the extent|when|where|upon|once|after|on condition|contingent|unless|should|only|except|until|during|following|whenever|absent|without|any|on|whether|while|conditional|less than|exceed\w*|satisf\w*|restricted to|any time|for|with|fails?|at|event|elects?|otherwise|which|shall be|is)\b", re.IGNORECASE),
    "unless": re.compile(r"\b(?:unless|except\w*|other than|only|until|without|not|no|otherwise|excluding|absent|save|provided|subject|if|apart|nor|exclu\w*|but|than|sooner|earlier|limited|none|outside|instead)\b|mMUSTNOT|mNOTREQ", re.IGNORECASE),
}  # fmt: skip

_SCOPES = {
    "only": re.compile(r"\b(?:only|sole\w*|(?<!non)exclusive\w*|unless|except\w*|save|until|no other|nothing|none|(?<!not )limited|restricted|other than|single|alone|neither|prohibited)\b|\bno [a-z]+ mM|mMUSTNOT", re.IGNORECASE),
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


_TIMES = re.compile(
    r"\b(before|prior to|preceding|ahead of|after|following|upon|once|since)\s+(?:the\s+|any\s+|its\s+|such\s+|an?\s+|each\s+|this\s+|end of\s+|date of\s+|(?:\w+\s+)?\w+['’]s\s+)*([a-z]{4,})",
    re.IGNORECASE,
)
_BEFORE = frozenset(("before", "prior to", "preceding", "ahead of"))


def _exchanged_times(said: Reading, source: Reading) -> Iterator[str]:
    """ "after disclosure" where the source has "before disclosure" only."""
    theirs: dict[str, set[bool]] = {}
    for match in _TIMES.finditer(source.plain):
        theirs.setdefault(stem(match.group(2).lower()), set()).add(match.group(1).lower() in _BEFORE)
    for match in _TIMES.finditer(said.plain):
        known = theirs.get(stem(match.group(2).lower()))
        if known and (match.group(1).lower() in _BEFORE) not in known:
            yield f"“{match.group(0)}”: the source has it the other way round"


_WITH = re.compile(
    r"\b(with|without)\s+(?:(?:any|the|its|prior|such|a|an|written|first|\w+['’]s)\s+)*([a-z]{4,})",
    re.IGNORECASE,
)


def _with_for_without(said: Reading, source: Reading) -> Iterator[str]:
    """ "with Cause" is not "without Cause", unless the one is forbidden and the other allowed."""
    theirs: dict[str, set[str]] = {}
    for match in _WITH.finditer(source.plain):
        theirs.setdefault(stem(match.group(2).lower()), set()).add(match.group(1).lower())
        joined = re.match(
            r"\s+(?:or|and)\s+(?:any\s+)?([a-z]{4,})", source.plain[match.end() :], re.IGNORECASE
        )
        if joined:
            theirs.setdefault(stem(joined.group(1).lower()), set()).add(match.group(1).lower())
    for match in _WITH.finditer(said.plain):
        known = theirs.get(stem(match.group(2).lower()))
        if known and match.group(1).lower() not in known:
            source_denies = bool(
                re.search(
                    r"mMUSTNOT|\b(?:no|neither|not|nor|unless|except|only|prohibited|requires?)\b",
                    source.text,
                    re.IGNORECASE,
                )
            )
            said_denies = bool(re.search(r"mMUSTNOT|\b(?:neither|not|nor|no)\b", said.text, re.IGNORECASE))
            if source_denies == said_denies:
                yield f"“{match.group(0)}”: the source has it the other way round"


_UP_WORDS = frozenset(
    stem(w)
    for w in word_set(
        "higher increase rise grow growth strong gain improve more up wide expand climb jump rose grew increased larger greater"
    )
)
_DOWN_WORDS = frozenset(
    stem(w)
    for w in word_set(
        "lower decrease fall decline drop weak reduce less down narrow shrink fell fewer smaller reduction"
    )
)


def _turned(said: Reading, source: Reading) -> Iterator[str]:
    """ "lower freight costs" where the source's freight costs increased."""
    theirs = list(_moves(source))
    for noun, up in _moves(said):
        ways = {way for other, way in theirs if other == noun}
        if ways and up not in ways:
            yield f"“{noun}”: the source says that it moved the other way"


def _moves(reading: Reading) -> Iterator[tuple[str, bool]]:
    words = reading.words
    for i, word in enumerate(words):
        if word.stem not in _UP_WORDS and word.stem not in _DOWN_WORDS:
            continue
        if i + 1 < len(words) and words[i + 1].text.lower() == "than":
            continue
        after = (
            range(i + 1, i + 8)
            if i + 1 < len(words) and words[i + 1].text.lower() == "in"
            else (i + 1, i + 2)
        )
        for j in (i - 2, i - 1, *after):
            if (
                0 <= j < len(words)
                and words[j].sentence == word.sentence
                and words[j].is_content
                and not any(w.text in ",;" for w in words[min(i, j) : max(i, j)])
            ):
                if words[j].stem not in _UP_WORDS | _DOWN_WORDS:
                    yield words[j].stem, word.stem in _UP_WORDS


def _is_not_exclusive(text: str) -> bool:
    told = list(_SCOPES["only"].finditer(text))
    return bool(told) and all(
        re.match(r"exclusiv|sole", match.group(0), re.IGNORECASE)
        and re.search(r"\bnot\b[^.;,]{0,50}$", text[: match.start()])
        for match in told
    )


def _unlike_near(match: re.Match[str], said: str, source: str) -> bool:
    """Whether the source names the thing that the statement tells all of, but not all of it."""
    noun = re.match(
        r"(?:\s+(?:of|the|its|other|such|their|such)){0,2}\s+([a-z]{3,})", said[match.end() :], re.IGNORECASE
    )
    if not noun or noun.group(1).lower() in ("parties", "party", "the"):
        return False
    root = re.escape(noun.group(1).lower().rstrip("s"))
    there = list(re.finditer(rf"\b{root}", source, re.IGNORECASE))
    return bool(there) and not any(
        re.search(
            r"\b(?:all|any|every|each|entire|whole|no|full|both|total|such)\b",
            source[max(0, t.start() - 60) : t.start()],
            re.IGNORECASE,
        )
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
        if match and name == "only" and _is_not_exclusive(source.plain):
            yield f"“{match.group(0)}”: the source says that it is not exclusive"
        if match and not _SCOPES[name].search(source.text):
            yield f"“{match.group(0)}” is not in the source"
    yield from _exchanged_times(said, source)
    yield from _turned(said, source)
    yield from _with_for_without(said, source)

    absolute = re.search(
        r"\b(?:whether or not|in (?:every|all|any) (?:cases?|events?)|whatever|in no case|never|ever|under any circumstances|in any case|for any reason|always|without exception|no matter what|unconditional\w*|any purpose|freely|absolutely|entirely|at all)\b",
        said.text,
        re.IGNORECASE,
    )
    if absolute and not re.search(rf"\b{absolute.group(0)}\b", source.text, re.IGNORECASE):
        if any(
            c.kind in ("unless", "only", "if") or c.marker.startswith(("upon", "provided"))
            for c in source.conditions
        ):
            yield f"“{absolute.group(0)}”: the source has an exception"
