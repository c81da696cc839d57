"""Who does what to whom, and how it is bound: duty, permission, prohibition, plan or fact."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from longleaf.app.proof.meaning.lexicon import classes_of, contrasts
from longleaf.app.proof.meaning.reading import LIGHT, Frame, Reading, Word
from longleaf.app.text.wording import word_set

# What a statement may say of a thing (left) where the source says it in one of these ways (right).
_FOLLOWS = {
    "MUST": {"MUST", "WILL", "PRES"},
    "WILL": {"WILL", "MUST"},
    "MAY": {"MAY"},
    "MUSTNOT": {"MUSTNOT"},
    "NOTREQ": {"NOTREQ"},
    "PLAN": {"PLAN"},
    "PAST": {"PAST"},
    "PRES": {"PRES", "MUST", "WILL", "PAST"},
}
_GIVING = re.compile(
    r"\b(?:make|allow|let|enable|release|refund|return|distribute|hand|entitle|pay|give|provide|deliver|send|sell|grant|supply|license|lease|lend|ship|transfer|furnish|disclose|notify|refund|reimburse|assign|submit|issue|award|remit|offer|return|inform)",
    re.IGNORECASE,
)
_RECEIVING = word_set("receive get obtain buy purchase borrow collect accept gain earn acquire")
_NEG_WORDS = re.compile(
    r"\b(?:not|no|nor|neither|none|nothing|never|without|unless|except|only|nobody|cannot|prohibit\w*|forbid\w*|refus\w*|fail\w*|unable|absent|lack\w*|free (?:of|from)|relieve\w*|reliev\w*|releas\w*|waiv\w*|until|sole\w*|exclusiv\w*|mMUSTNOT|mNOTREQ|non\w*|un\w+able|in\w+able|void|invalid|less|deny|denied|cease\w*|stop\w*|disclaim\w*|exclud\w*|exempt\w*|instead|rather|other than|outside|but|limited|void|null|terminat\w*|restrict\w*|bar\w*|require\w*|need\w*|necessary|subject|condition\w*|discontinu\w*|neglect\w*|excus\w*|unaffected|remain\w*|separate|decline\w*)\b",
    re.IGNORECASE,
)


_DENIES = re.compile(
    r"\b(?:not|never|cannot|no longer)\b(?!\s+(?:only|less|more|later|earlier|fewer|greater|exceed|in excess))",
    re.IGNORECASE,
)
_DENIED_SOMEHOW = re.compile(
    r"\b(?:not|no|nor|neither|none|nothing|never|without|unless|except|cannot|prohibit\w*|forbid\w*|refus\w*|fail\w*|"
    r"unable|absent|absence|lack\w*|void|invalid|only|solely|exclusiv\w*|sole|until|up to|maximum|ceas\w+|exclud\w*|"
    r"independent|other than|disclaim\w*|free (?:of|from)|waiv\w*|barred|restrict\w*|limited|non\w{4,})\b",
    re.IGNORECASE,
)


def unbound(said: Reading, source: Reading) -> Iterator[str]:
    """Frames of the statement that no frame of the source bears out."""
    if _DENIES.search(said.plain) and not _DENIED_SOMEHOW.search(source.plain):
        yield "“not”: the source denies nothing"
    for frame in said.frames:
        if _is_conceded(said, frame):
            continue

        if frame.verb < 0:
            yield from _denied_state(said, frame, source)
            continue
        acting = [f for f in source.frames if _same_verb(said, frame, source, f)]
        alike = [f for f in acting if f.modality != "PART"]
        every = [f for f in source.frames if f.verb >= 0 and f.modality != "PART"]
        matter = alike or _by_matter(said, frame, source, every)
        if frame.modality != "PART":
            yield from _polarity(said, frame, source, matter, every)
            yield from _modality(
                said, frame, source, acting, matter if frame.modality in ("MAY", "MUST") else alike, every
            )
        yield from _agent(
            said, frame, source, acting or (matter if said.words[frame.verb].stem in LIGHT else [])
        )
        yield from _passive(said, frame, source, acting)
        yield from _opposite(said, frame, source, every)
        yield from _subject(said, frame, source, alike, every)
    yield from _possessors(said, source)
    yield from _recipients(said, source)


def _denied_state(said: Reading, frame: Frame, source: Reading) -> Iterator[str]:
    """ "was not $5 million", "is not due": what is denied with "be" the source has to deny."""
    if not frame.negative:
        return
    after = [
        w for w in said.words[frame.at + 1 : frame.at + 9] if w.is_content and w.sentence == frame.sentence
    ]
    if not after:
        return
    places = [i for i, w in enumerate(source.words) if w.stem == after[0].stem or (w.text == after[0].text)]
    if places and not any(_is_denied(source, i) for i in places) and not _FAILS.search(source.plain):
        yield f"“not … {after[0].text}”: the source says that it is so"


def _is_conceded(said: Reading, frame: Frame) -> bool:
    """ "even if it knew": told as without effect."""
    before = " ".join(
        w.text.lower() for w in said.words[max(0, frame.at - 8) : frame.at] if w.sentence == frame.sentence
    )
    return bool(
        re.search(r"\b(?:even if|whether or not|even though|regardless of whether|whatever)\b[^,;]*$", before)
    )


def _same_verb(said: Reading, one: Frame, source: Reading, other: Frame) -> bool:
    if one.verb < 0 or other.verb < 0:
        return False
    a, b = said.words[one.verb], source.words[other.verb]
    if a.stem == b.stem:
        return True
    if one.modality != "PART" and other.passive and not one.passive:  # "is in default", "deemed in default"
        near = source.words[other.verb + 1 : other.verb + 4]
        if any(w.stem == a.stem and w.is_content for w in near):
            return True
    if other.modality == "PART":
        return False
    return bool(said.classes[one.verb] & source.classes[other.verb])


def _by_matter(said: Reading, frame: Frame, source: Reading, every: Sequence[Frame]) -> list[Frame]:
    """The frames that tell of the same things, where no verb is alike ("hand over" for "release")."""
    shared = [(_objects_shared(said, frame, source, f), f) for f in every]
    most = max((n for n, _ in shared), default=0)
    return [f for n, f in shared if n == most] if most >= 3 else []


def _objects_shared(said: Reading, one: Frame, source: Reading, other: Frame) -> int:
    def objects(reading: Reading, frame: Frame) -> set[str]:
        found = set()
        for word in reading.words[frame.verb + 1 : frame.verb + 14]:
            if word.sentence != frame.sentence:
                break
            if word.is_content:
                found.add(word.stem)
        return found

    return len(objects(said, one) & objects(source, other))


# --- modality and negation ------------------------------------------------------------------------------


def _modality(
    said: Reading,
    frame: Frame,
    source: Reading,
    acting: Sequence[Frame],
    alike: Sequence[Frame],
    every: Sequence[Frame],
) -> Iterator[str]:
    verb = said.words[frame.verb].text
    kinds = _kinds(source, alike) if alike else _kinds(source, every)
    wanted = _FOLLOWS[frame.modality]
    told = said.words[frame.at].text.lower()
    text = source.text
    only = bool(
        re.search(
            r"\b(?:only|unless|without|until|except|need|required?|approval|consent|as long as)\b", said.text
        )
    )
    if frame.modality == "MAY":
        if (
            "MAY" not in kinds
            and not _RIGHTS.search(_sentences(source, alike or every))
            and not (only and ("MUSTNOT" in kinds or any(_denied(source, f) for f in alike or every)))
        ):
            yield f"“{told if not said.words[frame.at].mark else 'may'} {verb}”: the source gives no permission"
        elif alike and kinds and "MAY" not in kinds and not only and not _RIGHTS.search(text):
            yield f"“may {verb}”: the source does not say so"
    elif frame.modality == "MUST" and not frame.negative and not _gives_notice(said, frame, source):
        if kinds and not kinds & wanted and not _DUTIES.search(text):
            yield f"“must {verb}”: the source makes it no duty"
        elif (not kinds & wanted and _MAY_WORDS.search(text) and not _HARD_DUTIES.search(text)) or (
            alike
            and kinds == {"MAY"}
            and not (_ONLY_FLIPS.search(said.plain) and _EXCEPTS.search(source.plain))
        ):
            yield f"“must {verb}”: the source only permits it"
        elif not alike and kinds and kinds <= {"MAY", "PAST", "PLAN"} and not only:
            yield f"“must {verb}”: the source makes it no duty"
    elif frame.modality == "WILL" and not frame.negative:
        if kinds and kinds <= {"MAY", "PAST", "PLAN"}:
            yield f"“will {verb}”: the source is not so certain"
    elif frame.modality == "NOTREQ":
        if not (_NO_DUTY.search(source.plain) or "mNOTREQ" in text):
            yield f"“need not {verb}”: the source does not free from it"
    elif frame.modality == "MUSTNOT":
        if (
            kinds
            and kinds <= {"MAY", "NOTREQ"}
            and not _restricted(source, alike or every)
            and not re.search(r"\b(?:no|not|nothing|neither|unable)\b", text)
        ):
            yield f"“must not {verb}”: the source does not forbid it"
        if alike and kinds == {"NOTREQ"}:
            yield f"“must not {verb}”: the source only does not require it"
    elif frame.modality == "PAST":
        stem_ = said.words[frame.verb].stem
        if (
            not frame.negative
            and not _is_state(said, frame)
            and not _in_condition(said, frame)
            and not _is_relative(said, frame)
            and stem_ not in _TELLING
            and not acting
            and _only_meant(stem_, source)
        ) or (
            kinds
            and not kinds & {"PAST"}
            and not (kinds == {"PRES"} and _is_state(said, frame))
            and not _in_condition(said, frame)
            and not _is_relative(said, frame)
        ):
            yield f"“{verb}”: the source does not say that it has happened"
    elif frame.modality == "PLAN":
        if (
            kinds
            and not kinds & {"PLAN"}
            and not re.search(
                r"\b(?:expect|plan|inten|anticipat|believ|target|project|guidance|forecast|outlook|seek|aim)",
                text,
                re.IGNORECASE,
            )
        ):
            yield f"“{verb}”: the source tells of no plan"
        elif re.search(r"\bplans?|intends?\b", told) and kinds == {"PAST"}:
            yield f"“{verb}”: the source says that it has happened"
    elif frame.modality == "PRES" and not frame.negative:
        if (
            alike
            and kinds
            and kinds <= {"MAY", "PLAN"}
            and not _RIGHTS.search(" ".join(w.text for w in said.words))
        ):
            yield f"“{verb}”: the source says it may be so"


def _polarity(
    said: Reading, frame: Frame, source: Reading, alike: Sequence[Frame], every: Sequence[Frame]
) -> Iterator[str]:
    """What the statement denies the source has to deny, and what it says the source may not deny."""
    word = said.words[frame.verb]
    if frame.modality == "NOTREQ" or (
        word.stem in ("need", "require", "depend", "take") and not frame.negative
    ):
        return
    negative = frame.negative or frame.modality == "MUSTNOT"
    closer = _of_like_subject(frame, alike)
    narrowed = bool(closer) and any(source.words[f.verb].stem == word.stem for f in closer)
    alike = closer or alike
    places = [i for i, w in enumerate(source.words) if w.stem == word.stem]
    supposed = _in_condition(said, frame)
    alongside = [i for i in places if any(c.start <= i < c.end for c in source.conditions) == supposed]
    own = [] if narrowed else [_is_denied(source, i) for i in alongside or places]
    own += [_denied(source, f) for f in alike if source.words[f.verb].stem == word.stem]
    turned = word.stem in _NEGATIVE_VERBS
    like = [_denied(source, f) != (source.words[f.verb].stem in _NEGATIVE_VERBS) for f in alike]
    both_unless = bool(_UNLESS.search(said.plain)) and bool(_UNLESS.search(source.plain))
    only = bool(_ONLY_FLIPS.search(said.plain))
    if word.stem == "exceed" and _AT_MOST.search(source.plain) and negative:
        return
    if negative:
        nouns = _denied_nouns(said, frame)
        if nouns and any(w.stem in nouns and _is_denied(source, i) for i, w in enumerate(source.words)):
            return
        if (own and any(own)) or (not own and any(n != turned for n in like)):
            return
        if own or like:
            if not _turned_by_only(said, source, both_unless) and (own or not _UNABLE.search(source.plain)):
                yield f"“not … {word.text}”: the source says that it is so"
            return
        if re.search(r"\bonly (?:if|in|with|by|on|when|after|upon)\b", said.plain) or not _HARD_NO.search(
            source.plain
        ):
            yield f"“not … {word.text}”: the source does not deny it"
        return
    if own and all(own):
        if (only and not both_unless and _EXCEPTS.search(source.plain)) or _sense_negative(said, frame):
            return
        yield f"“{word.text}”: the source denies it"
    elif not own and like and all(n != turned for n in like):
        if (only and not both_unless) or _sense_negative(said, frame):
            return
        yield f"“{word.text}”: the source denies it"
    elif (
        not own
        and not like
        and every
        and not _in_condition(said, frame)
        and all(_denied(source, f) for f in every)
    ):
        if not only and not _sense_negative(said, frame):
            yield f"“{word.text}”: the source says what is not so"


def _turned_by_only(said: Reading, source: Reading, both_unless: bool) -> bool:
    """ "may not supply others" of "supplies only these", "not until then" of "only then"."""
    if both_unless:
        return False
    if re.search(r"\b(?:only|solely|exclusiv\w*)\b", source.plain, re.IGNORECASE):
        if re.search(r"\b(?:other|others|else|outside|elsewhere|another)\b", said.plain):
            return True
    return bool(
        re.search(r"\b(?:until|unless|without|before|except)\b", said.plain)
        and re.search(r"\b(?:only|once|after|if|upon|subject|when|condition|requires?|must)\b", source.plain)
        and not re.search(r"\b(?:without|unless)\b", source.plain)
    )


_UNABLE = re.compile(
    r"\b(?:unable|fail\w*|prohibit\w*|prevent\w*|refus\w*|absen\w+|lack\w*|void|invalid|cease\w*)\b",
    re.IGNORECASE,
)
_UNLESS = re.compile(r"\b(?:unless|except)\b", re.IGNORECASE)
_ONLY = re.compile(
    r"\b(?:only|unless|without|until|except|needs?|required?|approval|consent|takes|exclusiv\w*|solely|sole)\b",
    re.IGNORECASE,
)
_HARD_NO = re.compile(
    r"\b(?:not|no|nor|neither|none|nothing|never|without|unless|except|cannot|prohibit\w*|forbid\w*|refus\w*|"
    r"fail\w*|unable|absent|lack\w*|free|reliev\w*|releas\w*|waiv\w*|until|non\w+|void|invalid|ceas\w+|"
    r"exclud\w*|exempt\w*|disclaim\w*|solely|only|independent)\b|mMUSTNOT|mNOTREQ",
    re.IGNORECASE,
)
_ONLY_FLIPS = re.compile(
    r"\b(?:only|unless|until|except|needs?|required?|requires|approval of|takes|exclusiv\w*|solely|sole)\b",
    re.IGNORECASE,
)
_EXCEPTS = re.compile(
    r"\b(?:unless|except\w*|without|until|other than|only|otherwise|before|prior|but|save)\b", re.IGNORECASE
)
_AT_MOST = re.compile(
    r"\b(?:up to|at most|maximum|limited|capped|no more than|not more than)\b", re.IGNORECASE
)
_FAILS = re.compile(
    r"\b(?:fail\w*|unable|refus\w*|neglect\w*|prohibit\w*|prevent\w*|absen\w+|lack\w*|waiv\w*|non\w{4,}|releas\w*|reliev\w*|void|invalid)\b",
    re.IGNORECASE,
)
_BOUND_WORDS = word_set("less more later fewer earlier longer sooner greater only")


def _of_like_subject(frame: Frame, alike: Sequence[Frame]) -> Sequence[Frame]:
    """Of several clauses with the verb, those said of the same one, or like the statement of any party."""
    if _is_definite(frame.subject):
        same = [f for f in alike if _same_actor(frame.subject, f.subject)]
    elif frame.subject in _ANY_PARTY and frame.subject:
        same = [f for f in alike if f.subject in _ANY_PARTY and f.subject]
    else:
        same = []
    return same if len(same) < len(alike) else []


def _denied_nouns(said: Reading, frame: Frame) -> set[str]:
    """ "no premium or penalty": the nouns that a "no" denies."""
    nouns: set[str] = set()
    for index in range(max(0, frame.at - 9), min(frame.verb + 6, len(said.words))):
        if said.words[index].text.lower() == "no":
            nouns.update(w.stem for w in said.words[index + 1 : index + 5] if w.is_content)
    return nouns


def _is_denied(source: Reading, at: int) -> bool:
    """Whether a word of the source stands under a denial: not, no, neither, fails to."""
    words = source.words
    for index in range(at - 1, max(at - 9, -1), -1):
        word = words[index]
        if word.sentence != words[at].sentence or word.text in ";:":
            return False
        low = word.text.lower()
        if word.mark:
            if word.mark in ("mMUSTNOT", "mNOTREQ"):
                return True
            return any(
                w.text.lower() in ("no", "neither", "nothing", "none", "nor")
                and w.sentence == word.sentence
                and words[i + 1].text.lower() not in _BOUND_WORDS
                for i, w in enumerate(words[max(0, index - 9) : index], start=max(0, index - 9))
            ) or any(
                w.text.lower() in ("not", "no", "neither", "never") for w in words[index + 1 : index + 3]
            )
        if (
            low in ("not", "never", "no", "neither", "nor", "nothing", "none", "without", "unable")
            and words[index + 1].text.lower() not in _BOUND_WORDS
        ):
            return True
        if word.stem in ("fail", "refus", "neglect", "unable") and word.is_content:
            return True
        if low in ("if", "unless", "when", "which", "who", "provided"):
            return False
    return False


def _gives_notice(said: Reading, frame: Frame, source: Reading) -> bool:
    """ "must give notice" of what may be done "upon notice"."""
    told = [w.text.lower() for w in said.words[frame.verb : frame.verb + 12]]
    if said.words[frame.verb].stem not in ("give", "notify", "provide", "send", "deliver", "giv"):
        return False
    return "notice" in told and bool(
        re.search(r"\b(?:upon|by|with|on|after|giving)\b[^.;]{0,60}\bnotice\b", source.plain)
    )


def _kinds(source: Reading, frames: Sequence[Frame]) -> set[str]:
    kinds = {f.modality for f in frames}
    if any(f.negative and f.modality == "MUST" for f in frames):
        kinds.add("MUSTNOT")
    return kinds


_TELLING = word_set(
    "rise increas grow climb jump gain fall drop decreas declin lower total amount come stand reach report record post be have lose earn make run"
)


def _in_condition(said: Reading, frame: Frame) -> bool:
    return any(c.start <= frame.at < c.end for c in said.conditions)


def _is_relative(said: Reading, frame: Frame) -> bool:
    """ "what it collected", "the fees that Customer paid": no claim that it has happened."""
    before = [
        w.text.lower() for w in said.words[max(0, frame.at - 5) : frame.at] if w.sentence == frame.sentence
    ]
    return bool(set(before) & {"what", "that", "which", "whom", "who", "whatever", "as"})


def _only_meant(word: str, source: Reading) -> bool:
    """Whether the source has the verb only as something to come ("agreed to buy"), or not at all as done."""
    places = [i for i, w in enumerate(source.words) if w.stem == word]
    done = [
        i
        for i in places
        if source.words[i].text.lower().endswith("ed") or source.words[i].text.lower() in _DONE
    ]
    if not places:
        return not any(
            w.text.lower().endswith("ed") and classes_of(w.stem) & classes_of(word) for w in source.words
        )
    return not done


_DONE = word_set(
    "paid sold bought sent lost given taken made kept held won borne drawn left met begun built brought become"
)


def _sentences(source: Reading, frames: Sequence[Frame]) -> str:
    sentences = {f.sentence for f in frames}
    return " ".join(w.text for w in source.words if w.sentence in sentences and not w.mark)


_MAY_WORDS = re.compile(r"\b(?:entitles?|options? to|right to|permitted to|allowed to)\b")
_HARD_DUTIES = re.compile(
    r"mMUST|mWILL|\b(?:oblig\w+|requir\w+|responsib\w+|dut(?:y|ies)|agree[sd]?|covenant\w*|undertak\w+|liable|payable|due)\b"
)
_RIGHTS = re.compile(
    r"\b(?:rights?|options?|entitle\w*|permi\w*|licen[cs]e\w*|discretion|authori\w*|eligible|grants?|allow\w*|"
    r"opportunity|able|elect\w*|reserves?|enable\w*|access|power|free|non-?exclusive\w*|exercis\w*)\b"
)
_DUTIES = re.compile(
    r"\b(?:oblig\w+|requir\w+|responsib\w+|dut(?:y|ies)|shall|must|agree[sd]?|covenant\w*|undertak\w+|liable|subject to|condition\w*|mMUST|mWILL|mMUSTNOT|bound|payable|due|necessary|commit\w*|ensure)\b"
)
_NO_DUTY = re.compile(
    r"mNOTREQ|\b(?:no|not|without|nor|neither|free|relieve\w*|excus\w*|waive\w*|exempt\w*|nothing)\b|mMUSTNOT"
)


def _is_state(said: Reading, frame: Frame) -> bool:
    return said.words[frame.at].text.lower() in ("was", "were", "had")


def _denied(source: Reading, frame: Frame) -> bool:
    return frame.negative or frame.modality in ("MUSTNOT", "NOTREQ")


_NEGATIVE_VERBS = word_set(
    "refus reject withhold prevent prohibit forbid exclud refrain fail lack stop cease avoid waiv reliev releas exempt "
    "bar deny declin disclaim limit cap restrict"
)
_DENYING_VERBS = _NEGATIVE_VERBS | word_set("keep remain need require depend unless")


def _sense_negative(said: Reading, frame: Frame) -> bool:
    """Whether the statement denies with another word than a negated verb: "liable to no one", "without"."""
    last = next(
        (i for i in range(max(frame.verb, 0), len(said.words)) if said.words[i].text in ",;"), len(said.words)
    )
    words = [w.text.lower() for w in said.words[max(0, frame.at - 12) : last] if w.sentence == frame.sentence]
    return bool(
        set(words)
        & {
            "no",
            "not",
            "nor",
            "neither",
            "none",
            "nothing",
            "outside",
            "instead",
            "rather",
            "than",
        }
    ) or any(
        w.stem in _DENYING_VERBS
        for i, w in enumerate(said.words)
        if i != frame.verb and w.sentence == frame.sentence and w.is_content
    )


def _restricted(source: Reading, frames: Sequence[Frame]) -> bool:
    sentences = {f.sentence for f in frames}
    return any(
        c.sentence in sentences and c.kind in ("only", "unless", "without", "until")
        for c in source.conditions
    )


# --- roles ----------------------------------------------------------------------------------------------


def _agent(said: Reading, frame: Frame, source: Reading, alike: Sequence[Frame]) -> Iterator[str]:
    agent = frame.agent
    if not _is_definite(agent):
        return
    verb = said.words[frame.verb]
    others = [(f, f.agent) for f in alike]
    known = [(f, a) for f, a in others if _is_definite(a)]
    literal = [(f, a) for f, a in known if source.words[f.verb].stem == verb.stem]
    known = literal or ([] if verb.stem in LIGHT and not frame.passive else known)
    if known:
        best = max(_objects_shared(said, frame, source, f) for f, _ in known)
        close = [(f, a) for f, a in known if _objects_shared(said, frame, source, f) >= min(best, 1)]
        if any(_same_actor(agent, a) for _, a in close):
            return
        if (
            verb.stem in _RECEIVING
            and all(not _same_actor(agent, a) for _, a in close)
            and any(_GIVING.search(source.words[f.verb].text) for f, _ in close)
        ):
            return
        if _is_among(agent, source, close):
            return
        if any(not _is_definite(a) for _, a in others) and not best:
            return
        yield f"“{frame.agent} … {verb.text}”: the source says that of {close[0][1]}"
        return
    if any(not a for _, a in others):
        yield from _goes_to(frame, verb, source, [f for f, _ in others])
        return
    agents = {f.agent for f in source.frames}
    definite = {a for a in agents if _is_definite(a)}
    if verb.stem in _RECEIVING and not frame.passive:
        givers = [
            f
            for f in source.frames
            if f.verb >= 0 and _GIVING.match(source.words[f.verb].text) and _same_actor(agent, f.agent)
        ]
        if givers and not any(f.verb >= 0 and source.words[f.verb].stem in _RECEIVING for f in source.frames):
            yield f"“{frame.agent} … {verb.text}”: in the source it gives"
            return
    if "?" in agents:
        return
    if definite and not any(_same_actor(agent, a) for a in definite) and not frame.passive:
        if verb.stem in _RECEIVING or not _is_named(agent, source):
            return
        if any(a in _ANY_PARTY for a in agents if a):
            return
        yield f"“{frame.agent} … {verb.text}”: the source says what {sorted(definite)[0]} does"


_ANY_PARTY = frozenset(
    f"{which}{noun}".strip()
    for which in ("", "either ", "neither ", "each ", "both ", "other ", "no ", "the ")
    for noun in ("party", "parties")
)


def _goes_to(frame: Frame, verb: Word, source: Reading, alike: Sequence[Frame]) -> Iterator[str]:
    """ "The injured party must pay" where the source's payment goes to the injured party."""
    for other in alike:
        if source.words[other.verb].stem != verb.stem:
            continue
        for index in range(other.verb + 1, min(other.verb + 7, len(source.words))):
            if source.words[index].text.lower() == "to" and any(
                _same_actor(frame.agent, source.actors.get(i, "")) for i in range(index + 1, index + 4)
            ):
                yield f"“{frame.agent} … {verb.text}”: in the source it is done to it"
                return


def _is_definite(agent: str) -> bool:
    return bool(agent) and agent != "?" and agent not in _ANY_PARTY


def _same_actor(one: str, other: str) -> bool:
    if not one or not other:
        return False
    a, b = set(one.split()), set(other.split())
    common = (a & b) - {"the", "party", "parties", "inc", "company"}
    if one == other or (common and (a <= b or b <= a)):
        return True
    return bool(common) and not ({"receiving", "disclosing"} & (a ^ b)) and not (a | b) & {"party", "parties"}


def _passive(said: Reading, frame: Frame, source: Reading, alike: Sequence[Frame]) -> Iterator[str]:
    """ "Seller is paid" is not "Seller pays"."""
    if frame.modality == "PART" or not _is_definite(frame.subject):
        return
    same = [
        f
        for f in alike
        if source.words[f.verb].stem == said.words[frame.verb].stem and _is_definite(f.subject or f.agent)
    ]
    if not same:
        return
    verb = said.words[frame.verb].text
    if frame.passive:
        if all(not f.passive and _same_actor(frame.subject, f.agent) for f in same):
            yield f"“{frame.subject} … {verb}”: in the source it is the one who does"
        theirs = [f.subject for f in same if f.passive and f.modality != "PART"]
        if theirs and len(theirs) == len(same) and not any(_same_actor(frame.subject, s) for s in theirs):
            yield f"“{frame.subject} … {verb}”: the source says that of {theirs[0]}"
    elif all(
        f.passive and f.modality != "PART" and not f.agent and _same_actor(frame.subject, f.subject)
        for f in same
    ):
        yield f"“{frame.subject} … {verb}”: in the source it is done to it"


def _subject(
    said: Reading, frame: Frame, source: Reading, alike: Sequence[Frame], every: Sequence[Frame]
) -> Iterator[str]:
    """ "Title passes" is not "risk of loss passes": what a verb is said of, where it is a thing."""
    same = [f for f in alike if source.words[f.verb].stem == said.words[frame.verb].stem]
    if not same or frame.modality == "PART" or frame.subject:
        return
    own = _subject_stems(said, frame)
    if not own or any(f.passive != frame.passive for f in same):
        return
    theirs = set().union(*(_subject_stems(source, f) for f in same))
    if (
        not theirs
        or own & theirs
        or {c for s in own for c in classes_of(s)} & {c for s in theirs for c in classes_of(s)}
    ):
        return
    for other in every:
        if other not in same and own & _subject_stems(source, other):
            yield f"“{said.words[frame.verb].text}”: the source says that of another thing"
            return


def _opposite(said: Reading, frame: Frame, source: Reading, every: Sequence[Frame]) -> Iterator[str]:
    """ "Demand strengthened" where the source's demand weakened and something else is stronger."""
    word = said.words[frame.verb]
    against = contrasts().get(word.stem, frozenset())
    if not against:
        return
    own = _subject_stems(said, frame) | ({frame.subject} - {""})
    of_same = [
        f
        for f in every
        if source.words[f.verb].stem in against and own & (_subject_stems(source, f) | {f.subject})
    ]
    if of_same and not any(
        source.words[f.verb].stem == word.stem and own & (_subject_stems(source, f) | {f.subject})
        for f in every
    ):
        yield f"“{word.text}”: the source says the opposite of it"


def _subject_stems(reading: Reading, frame: Frame) -> set[str]:
    stems: set[str] = set()
    for word in reversed(reading.words[max(0, frame.at - 9) : frame.at]):
        if (
            word.sentence != frame.sentence
            or word.mark
            or word.text in ",;:"
            or word.text.lower() in ("and", "but", "that", "which")
        ):
            break
        if word.is_content:
            stems.add(word.stem)
    return stems


def _is_among(agent: str, source: Reading, close: Sequence[tuple[Frame, str]]) -> bool:
    """Whether the actor is named along with the agent: "Seller and Buyer shall"."""
    for frame, other in close:
        mentions = [i for i, a in source.actors.items() if _same_actor(a, agent) and abs(frame.at - i) < 14]
        theirs = [i for i, a in source.actors.items() if a == other and abs(frame.at - i) < 14]
        for i in mentions:
            for j in theirs:
                between = [w.text.lower() for w in source.words[min(i, j) + 1 : max(i, j)]]
                if set(between) & {"and", "or", "/"} and set(between) <= {
                    "and",
                    "or",
                    ",",
                    "/",
                    "the",
                    "each",
                    "of",
                    "both",
                    "its",
                    "affiliates",
                }:
                    return True
    return False


def _is_named(agent: str, source: Reading) -> bool:
    return any(_same_actor(agent, actor) for actor in source.actors.values())


def _possessors(said: Reading, source: Reading) -> Iterator[str]:
    """ "Buyer's consent" is not "Seller's consent"."""
    theirs = list(_owned(source))
    for owner, noun in _owned(said):
        if not _is_definite(owner) or noun.stem in ("right", "behalf"):
            continue
        owners = [o for o, other in theirs if other.stem == noun.stem and _is_definite(o)]
        if owners and not any(_same_actor(owner, o) for o in owners) and _is_named(owner, source):
            yield f"“{owner}'s {noun.text}”: the source has {owners[0]}'s"


def _owned(reading: Reading) -> Iterator[tuple[str, Word]]:
    words = reading.words
    for index, actor in reading.actors.items():
        if words[index].text.endswith(("'s", "’s", "s’", "s'")):
            for word in words[index + 1 : index + 6]:
                if word.is_content and word.text not in ",;":
                    yield actor, word
                    if word.stem not in ("prior", "written", "express", "sole"):
                        break
        for size in (1, 2):
            start = index - len(actor.split()) + 1
            if start - size >= 1 and words[start - size].text.lower() in ("of", "from", "by") and size <= 2:
                if size == 2 and words[start - 1].text.lower() not in ("the", "such", "any", "each"):
                    continue
                noun = words[start - size - 1]
                if (
                    noun.is_content
                    and not noun.capital
                    and noun.text[0].isalpha()
                    and words[start - size].text.lower() in ("of", "from")
                ):
                    yield actor, noun


def _recipients(said: Reading, source: Reading) -> Iterator[str]:
    """ "pay to Buyer" is not "pay to Seller": whom a thing goes to or comes from."""
    theirs = list(_directed(source))
    for preposition, actor, verbs in _directed(said):
        if not _is_definite(actor) or not _is_named(actor, source):
            continue
        alike = [
            (a, v)
            for p, a, v in theirs
            if p == preposition and _is_definite(a) and any(_verbs_alike(x, y) for x in verbs for y in v)
        ]
        if alike and not any(_same_actor(actor, a) for a, _ in alike):
            yield f"“{preposition} {actor}”: the source has {preposition} {alike[0][0]}"


def _verbs_alike(one: Word, other: Word) -> bool:
    return one.stem == other.stem


def _directed(reading: Reading) -> Iterator[tuple[str, str, list[Word]]]:
    words = reading.words
    for index, actor in reading.actors.items():
        start = index - len(actor.split()) + 1
        for at in (start - 1, start - 2):
            if at < 1:
                continue
            low = words[at].text.lower()
            if low in ("to", "from", "by") and (
                at == start - 1 or words[start - 1].text.lower() in ("the", "such", "each", "any")
            ):
                nouns = []
                for word in reversed(words[max(0, at - 7) : at]):
                    if word.text in ",;:" or word.mark:
                        break
                    if word.is_content and word.text.islower():
                        nouns.append(word)
                if nouns and not words[index].text.endswith(("'s", "’s")):
                    yield low, actor, nouns[-3:] if len(nouns) > 3 else nouns
                break
