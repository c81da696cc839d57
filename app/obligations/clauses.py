"""A sentence taken apart: each modal with the party that is its subject, and what it makes that party do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from longleaf.app.obligations.actors import PRONOUN, Actor, ActorMention, Actors
from longleaf.app.obligations.modality import Modal, modals

# Between a subject and its modal: asides in commas, adverbs, another subject joined by "and".
_BETWEEN = re.compile(
    r"(?:\s*\([^()]*\))*(?:\s*,[^;:]{0,160},)?\s*(?:\b(?:hereby|also|each|further|therefore|then|only|themselves|itself|at\s+its|jointly|"
    r"and\s+severally|severally|in\s+turn)\b\s*)*",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"(?:\s*,)?\s*(?:and|or|and/or|nor)\s+(?:also\s+|each\s+of\s+)?(?:the\s+|its\s+|their\s+|his\s+)?"
    r"(?:(?:permitted|respective)\s+)?(?!(?:by|which|that|if|when|where|to|in|on|at|for|with|from|upon|any|no|it|they|he|she)\b)"
    r"[A-Za-z]+(?:\s+(?!(?:which|that|if|it|they|not)\b)[A-Za-z]+){0,2}\s*,?\s*",
    re.IGNORECASE,
)
_EMBEDDED = re.compile(
    r"\b(?:which|who|whom|whose|where|when|whenever|if|unless|until|than|whether|while|once|because|although|whatever|"
    r"as|that|to\s+the\s+extent|in\s+the\s+event(?:\s+that)?|so\s+long\s+as|in\s+case|before|after)\s*(?:,[^,]{0,80},\s*)?$",
    re.IGNORECASE,
)
_SAID_THAT = re.compile(
    r"\b(?:agrees?|agreed|provided|ensures?|acknowledges?(?:\s+and\s+agrees?)?|understood(?:\s+and\s+agreed)?|covenants?|warrants?|"
    r"represents?|undertakes?|stipulated?|confirms?|however|condition|except|means|mutually|follows)[\s,]+(?:however\s*,?\s*)?that\s*(?:,[^,]{0,120},\s*)?$",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?:;|\b(?:and|or|but|nor)\b|\([a-z\d]{1,3}\))\s*,?\s*(?:also|further|thereafter|thereupon|hereby|then|in\s+addition)?\s*,?\s*$",
    re.IGNORECASE,
)
_BY = re.compile(
    r"\bbe\s+(?:\w+ly\s+)?(\w+(?:ed|en|de|id|ne|ld|nt|ught|pt|orne|ut|wn|un|et))\b", re.IGNORECASE
)
# What somebody must do though nobody is named; "shall be held invalid" is no act.
_ACTS = frozenset(
    [
        "paid",
        "delivered",
        "provided",
        "submitted",
        "returned",
        "shipped",
        "supplied",
        "reimbursed",
        "invoiced",
        "remitted",
        "destroyed",
        "deposited",
        "refunded",
        "sent",
        "furnished",
        "notified",
        "completed",
        "obtained",
        "filed",
        "issued",
    ]
)
_ITEM = re.compile(r"(?:^|(?<=[\s;,:]))\((?:[a-z]|[ivx]+|\d{1,2})\)\s+", re.IGNORECASE)
_PROVISO = re.compile(
    r"[;,]\s*(?:provided(?:,\s*however,?)?,?\s+that|and\s+provided\s+further)", re.IGNORECASE
)
_BORDER = re.compile(r"[;]\s*|\.\s+(?=[A-Z])")


_PRONOUN, _UNDERSTOOD = "it", ""
# What a party "shall" have from another is its right.
_RECEIVES = re.compile(
    r"\s*(?:also\s+|then\s+)?(?:receive|be\s+(?:paid|reimbursed|compensated|credited|granted|given|released|indemnified)|own\b|retain|"
    r"earn|enjoy|have\s+(?:\w+\s+)?(?:access|title|ownership|discretion|control))\b",
    re.IGNORECASE,
)
_WARRANTED = re.compile(
    r"\b(?:represents?|warrants?|representations?|warranties)\b[^;.]{0,80}\bthat\b|\bto\s+which\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ClausePart:
    """Who (None where it is not said) must, may or must not do `action`; `lead` is what stands before it."""

    actor: Actor | None
    modal: Modal
    action: str
    lead: str
    start: int  # of the subject in the sentence
    others: tuple[Actor, ...] = ()  # named in the action


def clause_parts(text: str, actors: Actors, before: Actor | None = None) -> list[ClausePart]:
    """All of one sentence; `before` is whom "it" means at its beginning."""
    mentions = actors.mentions(text)
    every = modals(text)
    subjects = [_subject(text, modal, every[:i], mentions) for i, modal in enumerate(every)]
    found: list[ClausePart] = []
    last: Actor | None = before
    previous: Actor | None = None
    for index, (modal, subject) in enumerate(zip(every, subjects, strict=True)):
        if subject is None:
            previous = None
            continue
        named_or_word, start = subject
        if isinstance(named_or_word, Actor):
            actor = named_or_word
        else:
            meant = last if named_or_word == _PRONOUN else previous
            if meant is None:
                continue
            actor = meant
        end = _end(text, index, every, subjects)
        action = modal.lead + _trimmed(text[modal.said : end])
        passive = _passive(action)
        said: Actor | None = replace(actor, negated=False) if actor.term else None
        if passive and said is None:
            said = _agent(action, mentions, modal.end, text)
        previous = said
        if len(action.split()) < 2 or (
            said is None and (passive not in _ACTS or re.search(r"\bby\s+an?\b", action))
        ):
            continue
        if (
            modal.told == "may"
            and _WARRANTED.search(text[:start])
            and re.match(r"ha(?:s|ve)\b", text[modal.start :])
        ):
            continue  # "represents that it has the right to": a warranty
        if actor.negated and re.match(r"be\s+(?:liable|responsible|required|obligated|obliged)\b", action):
            modal = replace(modal, kind="right", told="shall not")
        elif actor.negated:
            modal = modal.with_neither()
        if modal.told == "shall" and _RECEIVES.match(text[modal.end :]) and said is not None and actor.term:
            modal = replace(modal, kind="right")
        named = tuple(
            dict.fromkeys(m.actor for m in mentions if modal.end <= m.start < end and m.actor != said)
        )
        lead = text[_lead_start(text, start, found) : start]
        if said is None:  # nobody is named: what it is about is told instead
            about = text[start : modal.start].strip(" ,;")
            action = f"{about} {text[modal.start : modal.end]} {action}"
        found.append(ClausePart(said, modal, action, lead.strip(" ,;"), start, named))
        if said is not None:
            last = said
    return [item for part in found for item in _items(part)]


def _trimmed(action: str) -> str:
    return re.sub(
        r"[\s,;]+(?:and|or|but|nor|\(?[a-z\d]{1,3}\)|provided(?:,?\s*however)?,?\s*that)?[\s,;.]*$",
        "",
        action.strip(" ,;.:"),
    )


def _subject(
    text: str, modal: Modal, earlier: Sequence[Modal], mentions: Sequence[ActorMention]
) -> tuple[Actor | str, int] | None:
    """The subject of a modal and where it begins; "" for one that is understood; None if it is no party."""
    floor = earlier[-1].end if earlier else 0
    before = text[floor : modal.start]
    near = [m for m in mentions if floor <= m.start and m.end <= modal.start]
    for mention in reversed(near):
        gap = text[mention.end : modal.start]
        if _BETWEEN.fullmatch(gap) or _JOINED.fullmatch(gap):
            first = mention
            for other in reversed(near[: near.index(mention)]):  # "Supplier and Buyer shall": both
                if re.fullmatch(
                    r"\s*(?:,|and|or|nor|and/or|,\s*and)\s*(?:neither|either|both)?\s*",
                    text[other.end : first.start],
                ):
                    first = other
                else:
                    break
            actor = mention.actor
            if first is not mention:
                actor = Actor(" and ".join(dict.fromkeys((first.actor.term, mention.actor.term))))
            negated = bool(
                re.search(r"\b(?:neither|nor|no)\s+(?:the\s+)?$", text[floor : first.start], re.IGNORECASE)
            )
            if re.search(r"\bneither\b", text[floor : mention.start], re.IGNORECASE):
                negated = True
            if _is_embedded(text[floor : first.start]):
                return None
            return (replace(actor, negated=actor.negated or negated), first.start)
    pronoun = [m for m in PRONOUN.finditer(before) if _BETWEEN.fullmatch(before[m.end() :])]
    if pronoun:
        if _is_embedded(before[: pronoun[-1].start()]):
            return None
        return (_PRONOUN, floor + pronoun[-1].start())
    if earlier and _BARE.search(before):
        return (_UNDERSTOOD, modal.start)
    return (Actor(""), floor + max(before.rfind(";") + 1, 0))


def _is_embedded(before: str) -> bool:
    return bool(_EMBEDDED.search(before)) and not _SAID_THAT.search(before)


def _end(
    text: str, index: int, every: Sequence[Modal], subjects: Sequence[tuple[Actor | str, int] | None]
) -> int:
    """Where the clause of a modal ends: at the subject of the next one, or with the sentence."""
    for modal, subject in zip(every[index + 1 :], subjects[index + 1 :], strict=True):
        if subject is None or (isinstance(subject[0], Actor) and not subject[0].term):
            continue
        start = subject[1]
        between = text[every[index].end : start]
        border = [m.start() for m in re.finditer(r"[;,]\s|\.\s|\b(?:and|or|but|provided)\s", between)]
        return every[index].end + border[-1] if border and modal.start > start else start
    return len(text)


def _lead_start(text: str, start: int, found: Sequence[ClausePart]) -> int:
    borders = [m.end() for m in _BORDER.finditer(text[:start])]
    return max([0, *borders, *((part.modal.end + len(part.action)) for part in found)])


def _passive(action: str) -> str:
    match = _BY.match(action) or re.match(r"(?:\w+ly\s+)?be\s+(\w+)\b", action, re.IGNORECASE)
    return match[1].lower() if match and _BY.match(match[0]) else ""


def _agent(action: str, mentions: Sequence[ActorMention], start: int, text: str) -> Actor | None:
    """Who does what is told in the passive ("be delivered by Supplier"), if it is a party."""
    match = re.match(r"\s*(?:\w+ly\s+)?be\s+(?:\w+\s+){1,4}?by\s+(?:the\s+)?", text[start:], re.IGNORECASE)
    if not match or len(re.findall(r"\b\w+ed\b", match[0])) > 1:
        return None
    return next((m.actor for m in mentions if abs(m.start - start - match.end()) <= 4), None)


def _items(part: ClausePart) -> Iterator[ClausePart]:
    """One for each item of an enumeration of actions ("shall (a) make …; (b) sell …"), or the part."""
    marks = list(_ITEM.finditer(part.action))
    if not marks or len(part.action[: marks[0].start()].split()) > 2:
        yield part
        return
    opening = part.action[: marks[0].start()].strip(" :,")
    ends = [mark.start() for mark in marks[1:]] + [len(part.action)]
    said = [_trimmed(part.action[mark.end() : end]) for mark, end in zip(marks, ends, strict=True)]
    if not all(begins_with_verb(f"{opening} {item}".strip()) for item in said):
        yield part
        return
    for item in said:
        yield replace(part, action=f"{opening} {item}".strip())


def begins_with_verb(action: str) -> bool:
    """Whether words read on after a modal: the first is no article, preposition, noun or participle."""
    return bool(_NO_VERB.match(action)) is False and action[:1].islower()


_NO_VERB = re.compile(
    r"(?:the|an?|any|all|each|such|its|their|his|her|no|every|if|in|for|of|by|to|with|that|which|when|where|upon|other|"
    r"\w+(?:ing|tion|ment|ness|ence|ity))\b",
    re.IGNORECASE,
)
