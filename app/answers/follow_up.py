"""Follow-up questions made whole: "And in 2021?", "what about the other party?", "by when?", "why?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LEADS = re.compile(r"^(?:(?:and|but|so|ok(?:ay)?|then|also|now|well|hm+|thanks)\b[\s,.]*)+", re.IGNORECASE)
_ABOUT = re.compile(
    r"^(?:(?:what|how)\s+about|same\s+(?:question\s+)?(?:for|in|with)|what\s+of|(?:is\s+it\s+)?the\s+same\s+(?:for|in|with)|"
    r"for|in|as\s+of|under)\s+(?P<what>[^?]{2,80})\??$",
    re.IGNORECASE,
)
_WH = re.compile(
    r"^(?P<wh>(?:by|until|since|from|to|on|for|under|with|in)?\s*(?:what|which|whose|who(?:m|ever)?|when|where|why|how)"
    r"(?:\s+(?:much|many|long|often|soon|far|come|not|conditions?|circumstances|else|notice|date|page|section|terms))*|"
    r"says\s+who|are\s+there\s+(?:any\s+)?exceptions|is\s+there\s+(?:a|any)\s+(?:cap|limit|exception|deadline)s?)\s*(?:then|exactly)?\?*$",
    re.IGNORECASE,
)
_QUESTION_WORD = re.compile(
    r"^(?:(?:by|until|since|from|to|on|for|under|with|in)\s+)?(?:what|which(?:\s+\w+)?|who(?:m)?|when|where|why|how(?:\s+(?:much|many|long|often))?)\s+"
    r"(?=(?:must|shall|should|can|could|may|will|would|is|are|was|were|do|does|did|has|have)\b)",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"\b(?:it|its|they|them|their|that|this|those|these|there|he|she|his|her|same)\b", re.IGNORECASE
)
_SAYS_ABOUT = re.compile(r"What does it say about (?P<what>.+)\?$")
_VERB = r"(?:must|shall|should|can|could|may|will|would|is|are|was|were|do|does|did|has|have)\b"
_FIGURE = re.compile(
    r"\b(?:revenue|sales|income|margin|ratio|growth|cash|debt|assets|earnings|expenses?|profit)\b",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"\b(?:(?:the\s+)?(?:first|second|third|fourth|1st|2nd|3rd|4th)\s+quarter\s+(?:of\s+)?(?:19|20)\d\d|Q[1-4]\s*(?:of\s+)?(?:FY\s?)?(?:19|20)?\d\d|"
    r"(?:fiscal\s+(?:year\s+)?|FY\s?|calendar\s+year\s+)?(?:19|20)\d\d|FY\s?\d\d|(?:last|this|the\s+(?:prior|previous|same|current))\s+(?:year|quarter))\b",
    re.IGNORECASE,
)
_OTHER_PARTY = re.compile(r"\bthe\s+other\s+(?:party|side|one)\b", re.IGNORECASE)
_FILLER = frozenset(["the", "a", "an", "of", "in", "for", "to", "and", "or", "its", "their"])


def standalone(question: str, before: Sequence[str], parties: Sequence[str] = ()) -> str:
    """The question as it would be asked without what was said before; itself where it stands alone.

    `before` are the earlier questions of the thread as they were understood, oldest first; `parties` the
    names and terms of the parties, by which "the other party" is known.
    """
    said = " ".join(question.split())
    if not before:
        return said
    last = before[-1]
    bare = _LEADS.sub("", said) or said
    if _OTHER_PARTY.search(bare) and len(bare.split()) <= 8:
        other = _with_other_party(last, parties)
        if other:
            return other
    word = _WH.match(bare)
    if word:
        return _asked_again(bare.rstrip("?").strip(), last)
    about = _ABOUT.match(bare)
    what = about["what"] if about else bare.rstrip("?").strip() if _is_scrap(bare) else ""
    if what:
        return _about(what.strip(" ."), last, parties, with_preposition=bare if about else "")
    if _POINTING.search(bare) and len(bare.split()) <= 12:
        return f"{_sentence(bare)} ({last})"
    return said


def _is_scrap(text: str) -> bool:
    """Whether it is no question of its own: a few words without a verb."""
    words = text.rstrip("?").split()
    return len(words) <= 5 and not re.search(
        r"\b(?:is|are|was|were|do|does|did|can|could|may|must|shall|should|will|would|has|have|had|what|who|when|where|"
        r"which|why|how|explain|show|list|tell|give|summari[sz]e|compare|define|find)\b",
        text,
        re.IGNORECASE,
    )


def _asked_again(word: str, last: str) -> str:
    """ "By when?" after "What must Supplier deliver?": "By when must Supplier deliver?"."""
    topic = _SAYS_ABOUT.match(last)
    if topic:
        return f"{_sentence(word)}: {topic['what']}?"
    rest = _QUESTION_WORD.sub("", last)
    if rest != last:
        return _sentence(f"{word} {rest}")
    if re.match(_VERB, last, re.IGNORECASE):
        return _sentence(f"{word} {last[0].lower()}{last[1:]}")
    return f"{_sentence(word)}? ({last})"


def _about(what: str, last: str, parties: Sequence[str], with_preposition: str) -> str:
    period = _PERIOD.search(what)
    if period and len(_PERIOD.sub("", what).split()) <= 2:
        there = list(_PERIOD.finditer(last))
        if there:
            return last[: there[-1].start()] + period[0] + last[there[-1].end() :]
        return f"{last.rstrip(' ?.')} in {period[0]}?"
    named = _party(what, parties)
    others = {party for party in parties if _fold(party) != _fold(named)} if named else set()
    for other in sorted(others, key=len, reverse=True):
        found = re.search(rf"\b{re.escape(other)}\b", last, re.IGNORECASE)
        if found:
            return last[: found.start()] + what + last[found.end() :]
    kept = [m[0] for m in _PERIOD.finditer(last)]
    when = f" in {kept[-1]}" if kept and not period else ""
    if _is_figure(last):
        return f"What was {_with_article(what)}{when}?"
    if re.match(r"(?:for|under|in)\s", with_preposition, re.IGNORECASE):
        return f"{last.rstrip(' ?.')}, {with_preposition.rstrip('?')}?"
    return f"What does it say about {what}{when}?"


def _is_figure(question: str) -> bool:
    return bool(_PERIOD.search(question) or _FIGURE.search(question))


def _with_article(what: str) -> str:
    return what if re.match(r"(?:the|its|their|total|net)\b", what, re.IGNORECASE) else f"the {what}"


def _party(what: str, parties: Sequence[str]) -> str:
    folded = _fold(what)
    return next((p for p in parties if _fold(p) == folded), "")


def _with_other_party(last: str, parties: Sequence[str]) -> str:
    """The question before with the one party it names exchanged for the only other one."""
    named = [p for p in parties if re.search(rf"\b{re.escape(p)}\b", last, re.IGNORECASE)]
    rest = [p for p in parties if p not in named]
    if len(named) != 1 or len(rest) != 1:
        return ""
    return re.sub(rf"\b{re.escape(named[0])}\b", lambda _: rest[0], last, flags=re.IGNORECASE)


def _fold(text: str) -> str:
    return " ".join(w for w in re.findall(r"\w+", text.lower()) if w not in _FILLER)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
