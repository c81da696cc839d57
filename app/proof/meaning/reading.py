"""A text read for its meaning: words with stems, who does what, how it is bound, and under which condition."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from longleaf.app.proof.meaning.lexicon import classes_of, phrases_in
from longleaf.app.proof.meaning.stems import stem
from longleaf.app.text.wording import word_set

# --- modality -------------------------------------------------------------------------------------------

_BE = r"(?:is|are|was|were|be|been|being|am|shall be|will be|must be|may be)"
_HAVE = r"(?:has|have|had|having|shall have|will have|reserves?|retains?|shall retain|enjoys?|possess(?:es)?)"
_ADV = r"(?:(?!not\b)\w+ly\s+|also\s+|thereafter\s+|then\s+|in turn\s+|always\s+|at all times\s+|at any time\s+|at its option\s+|further\s+|still\s+|,\s*[^,.;]{1,60},\s*)?"
_RIGHT = (
    r"(?:the|an?|its|their|his|full|no)?\s*(?:(?:\w+ive|sole|absolute|full|unrestricted|irrevocable|further|\w+ary)\s+"
    r"(?:and\s+\w+\s+)?)?(?:right|option|opportunity|power|authority|discretion|privilege|freedom|ability)"
    r"(?:,?\s*(?:power|authority|right|or|and|but not the obligation|upon [^,]{1,40}),?)*"
)
# In this order; each is put for the words by a mark that stands as one word.
_MODALITIES = tuple(
    (mark, re.compile(rf"\b(?:{form})(?!\w)", re.IGNORECASE))
    for mark, form in (
        ("mMAY unable", r"(?:may|might|could)\s+(?:not\s+be\s+able|be\s+unable)\s+to|(?:may|might|could)\s+(?:fail|not\s+have\s+the\s+ability)\s+to"),
        (
            "mNOTREQ",
            rf"(?:shall|will|must|may|can|does|do|did|{_BE})\s+{_ADV}not\s+{_ADV}(?:be\s+)?(?:obligated|obliged|required|bound|have|need|necessary|responsible)"
            r"\s+(?:to|for)|need\s+not|needn['’]t|(?:has|have|had|shall have|will have|under|be under|with|there is)\s+no\s+(?:obligation|duty|requirement|responsibility|need)\s+"
            r"(?:whatsoever\s+)?(?:to|for)|without\s+(?:any\s+)?obligation\s+to|"
            r"(?:shall|will|must|may|is|are)\s+in no (?:event|way|case)\s+be\s+(?:obligated|required|obliged)\s+to",
        ),
        (
            "mMUSTNOT",
            rf"(?:may|can|shall|will|must|could|might|should)\s+{_ADV}(?:not|never)(?:\s+{_ADV}be\s+(?:permitted|allowed|entitled|authorized)\s+to)?"
            rf"|cannot|can['’]?not|can['’]t|won['’]t|{_BE}\s+(?:not\s+{_ADV}(?:permitted|allowed|entitled|authorized|authorised|free)\s+to"
            r"|(?:strictly\s+|expressly\s+)?(?:prohibited|barred|precluded|restricted|banned|excluded)\s+from|forbidden\s+(?:to|from))"
            rf"|{_HAVE}\s+(?:no|not the)\s+(?:right|authority|power|option)(?:\s*,?\s*(?:or|and)\s+(?:right|authority|power),?)*\s*(?:to(?:,\s*and\s+will\s+not,)?)"
            r"|(?:agrees?|undertakes?|covenants?|promises?|agreed)\s+not\s+to|(?:shall|will|must|agrees?\s+to)\s+refrain\s+from"
            r"|(?:may|shall|will|can|must)\s+(?:in\s+no\s+(?:event|case|circumstances?)|under\s+no\s+circumstances|at\s+no\s+time)"
            r"|not\s+to\s+be",
        ),
        (
            "mMAY",
            rf"(?:may|can|could|might)|{_BE}\s+{_ADV}(?:entitled|permitted|allowed|free|authorized|authorised|able|at liberty|eligible)\s+to|(?:remains?|stays?)\s+entitled\s+to"
            rf"|{_HAVE}\s+{_RIGHT}\s+(?:to|of)(?!\s+(?:the|an?|such)\b)|{_BE}\s+(?:given|granted)\s+{_RIGHT}\s+to|{_BE}\s+exercisable",
        ),
        (
            "mMUST",
            rf"(?:shall|must)(?:\s+be\s+(?:required|obligated|obliged|bound|responsible)\s+(?:to|for))?"
            rf"|{_BE}\s+(?:\w+ly\s+)?(?:required|obligated|obliged|bound|under an? (?:obligation|duty))\s+to|(?:has|have|needs?)\s+to"
            r"|(?:hereby\s+|further\s+|each\s+)?(?:agrees?|undertakes?|covenants?|commits?|promises?)\s+to(?!\s+(?:an?|the|such)\b)"
            r"|(?:is|are)\s+(?:solely\s+)?responsible\s+for",
        ),
        ("mPLAN", rf"(?:plans?|intends?|expects?|aims?|hopes?)\s+to|{_BE}\s+(?:expected|planned|intended|projected|scheduled)\s+to"),
        ("mWILL", r"(?:will|would|going to)"),
    )
)  # fmt: skip
_MARKS = frozenset(mark.split()[0] for mark, _ in _MODALITIES)
_MARK_WORD = re.compile(r"\b[Mm](?:NOTREQ|MUSTNOT|MAY|MUST|PLAN|WILL)\b")
_MONTH_MAY = re.compile(r"\bMay(?=\s+\d)|(?<=\d )May\b|(?<=of )May\b|(?<=in )May\b")

# --- conditions -----------------------------------------------------------------------------------------

_CONDITIONS = (
    ("unless", r"unless(?:\s+and\s+until)?|except(?:\s+(?:that|as|if|when|where|for|to the extent|with|in|by|upon|under|insofar))*|excepting|save(?:\s+(?:that|as|for))|other than|apart from|aside from|absent|but not(?! (?:more|less|later|limited|earlier|in excess))|excluding"),
    ("only", r"only(?:\s+(?:if|when|with|after|on|upon|by|for|in|to|once|where|from|as))?|solely|exclusively|but only"),
    ("if", r"(?<!even )(?<!as )if(?!\s+any\s*[,.;)])|in the event(?:\s+(?:that|of))?|in case(?:\s+of)?|provided(?:,?\s*however,?)?(?:,?\s*that)|providing that|on (?:the )?condition that|so long as|as long as|to the extent(?:\s+that)?|insofar as|where possible|whenever|subject to|contingent (?:up)?on|conditioned (?:up)?on|assuming"),
    ("without", r"without"),
    ("until", r"until|till|pending"),
    ("upon", r"(?<!binding )(?<!bind )(?<!based )(?<!agreed )(?<!imposed )(?<!rely )(?<!conferred )(?<!placed )(?<!judgment )upon|once(?! (?:in|per|a|an|every|each)\b)|when|as soon as|following|immediately after|after|where"),
)  # fmt: skip
_CONDITION = re.compile("|".join(rf"(?P<{name}>\b(?:{form})\b)" for name, form in _CONDITIONS), re.IGNORECASE)

_WORD = re.compile(
    r"[$€£¥]?\d[\d,]*(?:\.\d+)?%?|[^\W\d_]+(?:\.[^\W\d_])+\.?|[^\W_]+(?:[&'’-][^\W_]+)*|[;:,.()]"
)
_SENTENCE_END = re.compile(
    r"(?<=[a-z\d)”\"’%])[.;!?]+[\"”’)]*\s+(?=[A-Z\"“•(\d])|\n+(?=[A-Z•(])|(?<=;)\s+|\s*•\s*"
)

FUNCTION = word_set("""a an the this that these those such said of and to in on at by for from with as into onto upon per via than
    is are was were be been being am has have had do does did it its it's their theirs them they his her hers him he
    she who whom whose which what where when while i we us our ours you whatever whoever anyone towards toward once roughly approximately around nearly almost up down your yours itself himself themselves hereby
    herein hereof hereto hereunder thereof therein thereto thereunder therefrom therefor thereafter hereafter hereinafter
    there here then so if or nor but also any all each every both either other another not no neither none nothing
    never without unless except until only after before during within under about between among through throughout
    against over out off up down shall must may can could will would should might cannot need needs one ones same
    however therefore thus hence whether because since although though even just well as yet too very more most less
    least than et al respective respectively applicable certain otherwise whatsoever thing things way ways
    time subject provided accordance pursuant respect regard terms set forth case event herewith there's further
    furthermore moreover i.e e.g etc including include included includes already still again rather instead party
    parties agreement contract section article""")
# Plain verbs and nouns that say little of their own. What they add is told by the words around them.
LIGHT = frozenset(
    stem(word)
    for word in """last long hand pass back add there accord due first account reach want begin wait bring deal make take give get have keep go come put do use need let see work set run bring hold leave turn look
    stand become remain stay apply mean cover happen carry show call ask help allow act serve base involve concern
    relate place part point matter kind sort form basis amount number level order side person people anyone
    someone everything anything something people today now currently together possible able first main certain
    company business parties its own line account step current full whole entire relevant both also per
    """.split()
)

_PARTY_WORDS = word_set("""company licensee licensor buyer seller purchaser vendor supplier customer client distributor reseller dealer agent
    manufacturer contractor subcontractor consultant provider employer employee executive lessor lessee landlord tenant
    lender borrower guarantor franchisor franchisee promoter sponsor owner operator developer publisher investor holder
    shareholder stockholder trustee issuer recipient discloser assignor assignee transferor transferee grantor grantee
    affiliate subsidiary parent bank corporation association university institute party parties user member partner
    director officer board committee manager servicer administrator underwriter affiliates artist author composer
    professional athlete driver carrier shipper insurer insured indemnitor indemnitee principal broker we you management
    programmer broadcaster network advertiser merchant processor depositor obligor obligee creditor debtor pledgor
    participant claimant respondent host hospital physician sublicensee sublicensor franchise supplier's joint-venture
    arbitrator arbitrators court auditor auditors stockholders shareholders customers employees""")
_THINGS = word_set("""information agreement agreements product products term terms goods software service services date notice property
    materials material period territory area fee fees price work works documentation data premises equipment project program
    programs site system shares stock notes note loan deposit rent lease option options trademarks marks mark patents technology
    know-how specifications section article exhibit schedule act law code state states year quarter fiscal benefit account
    revenue sales income segment receipts royalty royalties order orders plan policy event content title interest territories
    inventions invention license licence closing effectiveness facility samples batch invoice image name likeness channel""")
_MONTH_NAMES = frozenset(m.lower() for m in calendar.month_name if m) | {"mai"}
_ROLE_PREPOSITIONS = word_set("to from by with for of against upon on between among")


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    stem: str
    start: int
    end: int
    sentence: int
    capital: bool
    mark: str = ""  # modality

    @property
    def is_content(self) -> bool:
        return not self.mark and self.text[:1].isalnum() and self.text.lower() not in FUNCTION


@dataclass(frozen=True, slots=True)
class Frame:
    """Who does something, how it is bound. `agent` is "" if no actor is named."""

    agent: str
    verb: int  # index of the word; -1 if none follows
    modality: str
    negative: bool
    passive: bool
    sentence: int
    at: int
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    kind: str
    marker: str
    start: int  # words
    end: int
    sentence: int
    leads: bool  # opens its sentence


@dataclass(slots=True)
class Reading:
    text: str  # with marks of modality
    plain: str
    words: list[Word]
    frames: list[Frame] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    classes: list[set[int]] = field(default_factory=list)
    phrase_classes: set[int] = field(default_factory=set)
    phrases: list[tuple[int, int, frozenset[int]]] = field(default_factory=list)
    actors: dict[int, str] = field(default_factory=dict)  # index of the last word of the mention
    aliases: dict[str, str] = field(default_factory=dict)
    swallowed: set[str] = field(default_factory=set)  # stems of the words that a mark of modality stands for

    @property
    def stems(self) -> set[str]:
        return {word.stem for word in self.words} | self.swallowed

    def sentence_words(self, sentence: int) -> list[int]:
        return [i for i, word in enumerate(self.words) if word.sentence == sentence]


def tidy(text: str) -> str:
    """Glosses of numbers taken off ("thirty (30)"), white space made one, joined words parted."""
    text = re.sub(r"[‐‑]", "-", text)
    text = re.sub(r"\s*\(\s*\d+\s*\)(?=\s*(?:%|percent|[a-z’']))", " ", text)
    text = re.sub(r"(?m)^\s*[•*▪–-]\s+", "", text)
    text = re.sub(r"\b(its|their|his|her|your|our|each) own\b", r"\1", text)
    text = re.sub(r"\b([Nn])on[- ](?=[a-z])", r"\1on", text)
    return re.sub(r"[ \t]+", " ", text).strip()


_NO_CLASS = FUNCTION - word_set(
    "include included includes including other another agreement contract party parties whole again instead own need"
)
_PHRASE_MARKS = {"mMUSTNOT": "not", "mNOTREQ": "not"}


def read(text: str, names: frozenset[str] | None = None) -> Reading:
    """`names`: words that are names; a capital letter that opens a sentence tells nothing by itself."""
    text = plain = _MONTH_MAY.sub("Mai", tidy(text))
    swallowed: set[str] = set()
    for mark, pattern in _MODALITIES:
        for match in pattern.finditer(text):
            swallowed.update(stem(w.lower()) for w in re.findall(r"[A-Za-z]{4,}", match.group(0)))
        text = pattern.sub(f" {mark} ", text)
    breaks = [match.end() for match in _SENTENCE_END.finditer(text)]
    words: list[Word] = []
    sentence = 0
    for match in _WORD.finditer(text):
        while breaks and match.start() >= breaks[0]:
            breaks.pop(0)
            sentence += 1
        raw = match.group(0)
        parts = raw.split("-") if "-" in raw and not raw[0].isdigit() and raw.islower() else [raw]
        for part in parts:
            bare = re.sub(r"['’]s?$", "", part)
            mark = part if part in _MARKS else ""
            low = bare.lower().replace(".", "") if not bare[:1].isdigit() else bare
            words.append(
                Word(
                    part,
                    mark or stem(low),
                    match.start(),
                    match.end(),
                    sentence,
                    part[:1].isupper(),
                    mark,
                )
            )
    reading = Reading(text, plain, words)
    reading.swallowed = swallowed
    stems = [_PHRASE_MARKS.get(word.mark, word.stem) for word in words]
    reading.classes = [
        set(classes_of(s)) if word.text.lower() not in _NO_CLASS else set()
        for s, word in zip(stems, words, strict=True)
    ]
    reading.phrase_classes.update(c for word in swallowed for c in classes_of(word))
    for start, end, numbers in phrases_in(stems):
        reading.phrase_classes |= numbers
        reading.phrases.append((start, end, numbers))
    _find_aliases(reading)
    _find_actors(reading, names)
    reading.conditions = list(_conditions(reading))
    reading.frames = list(_frames(reading))
    return reading


def _find_aliases(reading: Reading) -> None:
    """ "Acme Industrial Supply, Inc. (the “Company”)": both names are one actor."""
    for match in re.finditer(
        r"((?:[A-Z][\w&.’'-]*,?\s+){1,6})\((?:the|hereinafter|hereafter|collectively|individually|an?|each|,|\s|or|as|referred|to|“[^”]*”|\"[^\"]*\")*[“\"](\w[^”\"]{1,40})[”\"]\)",
        reading.text,
    ):
        name = match.group(1).replace(",", "").strip().lower().split()
        reading.aliases[match.group(2).lower()] = " ".join(name)


def actor_key(words: Sequence[str]) -> str:
    key = " ".join(re.sub(r"['’]s?$", "", word.lower()) for word in words)
    if key.endswith("parties") and key != "parties":
        return key
    return key


def names_of(reading: Reading) -> frozenset[str]:
    """Words that stand with a capital letter within a sentence, or are all capitals."""
    words = reading.words
    return frozenset(
        word.text
        for i, word in enumerate(words)
        if word.capital
        and (
            (i and words[i - 1].sentence == word.sentence and words[i - 1].text not in ":.")
            or word.text[1:2].isupper()
            or i in reading.actors
        )
    )


def _find_actors(reading: Reading, names: frozenset[str] | None) -> None:
    words = reading.words
    at = 0
    while at < len(words):
        word = words[at]
        low = re.sub(r"['’]s?$", "", word.text.lower())
        if word.mark:
            at += 1
            continue
        starts = at == 0 or words[at - 1].sentence != word.sentence
        if low in _PARTY_WORDS and not (word.capital and at + 1 < len(words) and _joins(words, at)):
            start = at
            if at and words[at - 1].text.lower() in (
                "other", "either", "each", "both", "neither", "receiving", "disclosing", "defaulting", "injured",
                "indemnified", "indemnifying", "breaching", "non-breaching", "terminating", "no",
            ):  # fmt: skip
                start = at - 1
            reading.actors[at] = actor_key([w.text for w in words[start : at + 1]])
            at += 1
            continue
        named = (
            word.capital
            and low not in _THINGS
            and (low not in FUNCTION or (low == "party" and _joins(words, at)))
            and low not in _MONTH_NAMES
            and word.text[0].isalpha()
        )
        if named and (
            not starts
            or word.text[1:2].isupper()
            or (word.text in names if names is not None else _again(words, at) or _followed(words, at))
        ):
            end = at
            while _joins(words, end):
                end += 1
            if words[end].text.lower() not in _THINGS:
                reading.actors[end] = actor_key([w.text for w in words[at : end + 1]])
            at = end + 1
            continue
        at += 1


def _again(words: Sequence[Word], at: int) -> bool:
    return any(
        other.text == words[at].text and i and words[i - 1].sentence == other.sentence
        for i, other in enumerate(words)
        if i != at
    )


def _followed(words: Sequence[Word], at: int) -> bool:
    """At the beginning of a sentence: a capital letter is a name's if a verb follows it."""
    nxt = words[at + 1] if at + 1 < len(words) else None
    if nxt is None or words[at].text[-1:] in ",.:":
        return False
    return bool(nxt.mark) or nxt.text.lower() in ("is", "are", "was", "has", "and") or (
        nxt.text.islower() and nxt.text.endswith("s") and len(nxt.text) > 3
    ) or (nxt.capital and nxt.text[0].isalpha())  # fmt: skip


def _joins(words: Sequence[Word], at: int) -> bool:
    """Whether the next word belongs to the same name."""
    if at + 1 >= len(words) or words[at].text.endswith(("'s", "’s")):
        return False
    nxt = words[at + 1]
    return (
        nxt.capital
        and not nxt.mark
        and nxt.text[0].isalpha()
        and nxt.sentence == words[at].sentence
        and nxt.text.lower() not in FUNCTION
    ) or (len(nxt.text) == 1 and nxt.text.isupper() and nxt.text.isalpha())


def _conditions(reading: Reading) -> Iterator[Condition]:
    words = reading.words
    starts = [w.start for w in words]
    found = []
    for match in _CONDITION.finditer(reading.text):
        kind = match.lastgroup or ""
        index = next((i for i, s in enumerate(starts) if s >= match.start()), None)
        if index is None:
            continue
        found.append((index, kind, match.group(0).lower(), match.end()))
    for number, (index, kind, marker, text_end) in enumerate(found):
        sentence = words[index].sentence
        stop = found[number + 1][0] if number + 1 < len(found) else len(words)
        body = next((i for i in range(index, len(words)) if words[i].start >= text_end), len(words))
        end = body
        while end < len(words) and words[end].sentence == sentence:
            if end >= stop and end > body:
                break
            if words[end].text in ",;:." and end > body:
                break
            end += 1
        body_words = sum(w.is_content for w in words[body:end])
        if (
            body_words < 2
            and kind in ("if", "upon", "unless")
            and end < len(words)
            and words[end].text == ","
            and words[end].sentence == sentence
        ):
            end += 1
            while end < len(words) and words[end].sentence == sentence and words[end].text not in ",;:":
                end += 1
        mid = words[index - 1].text if index else ""
        before_mid = words[index - 2].text if index > 1 else ""
        apart = mid == "," or (mid.lower() in ("and", "or", "but") and before_mid == ",")
        leads = (
            (
                apart
                and end < len(words)
                and words[end].text == ","
                and index > 0
                and mid.lower() in ("and", "or", "but")
            )
            or index == 0
            or words[index - 1].sentence != sentence
            or words[index - 1].text in ":;"
        )
        yield Condition(kind, marker, body, end, sentence, leads)


def _frames(reading: Reading) -> Iterator[Frame]:
    words = reading.words
    last: Frame | None = None
    for at, word in enumerate(words):
        low = word.text.lower()
        modality = word.mark[1:] if word.mark else ""
        if not modality:
            modality = _plain_modality(reading, at)
            if not modality:
                by = _by_whom(reading, at)
                if by:
                    yield Frame(by, at, "PART", False, True, word.sentence, at, "")
                continue
        if modality == "MUST" and at and words[at - 1].mark:
            continue
        verb, passive = _verb(words, at + (1 if word.mark or low in _AUXILIARIES else 0))
        negative = _is_negative(words, at, verb)
        subject = subject_of(reading, at)
        joined = words[at - 1].text.lower() in (",", "and", "or", "but", "also", "then") if at else False
        if not subject and joined and last is not None and last.sentence == word.sentence:
            subject = last.subject
        agent = _by_agent(reading, verb) if passive and verb >= 0 else subject
        last = Frame(agent, verb, modality, negative, passive, word.sentence, at, subject)
        yield last


_AUXILIARIES = word_set("is are was were has have had did does do")
_COMMON_VERBS = frozenset(
    stem(v)
    for v in """pay reimburse sell buy keep hold own grant provide give deliver bear bind agree need require license
    remain renew end expire begin start continue last indemnify insure warrant represent acknowledge retain reserve
    appoint engage cover include mean govern apply survive ship invoice notify tell inform terminate cancel supply
    make manufacture receive get obtain owe use lease rent lend borrow assign transfer maintain perform meet fall rise
    grow increase decrease decline drop total amount come stand count draw support store help answer permit let allow
    prohibit forbid bar limit cap restrict exclude earn report record post generate issue repurchase acquire purchase
    undertake promise guarantee refund credit deduct share split lose win promote market distribute publish develop
    design train install test file register protect defend prosecute return destroy disclose run operate manage
    oversee host appear attend endorse control determine decide set choose name elect nominate vote approve accept
    reject review inspect audit visit contribute invest fund finance waive release cease stop discontinue pledge
    cooperate consult advise assist comply follow observe enter sign execute form create establish consist comprise
    contain license sublicense cost pass vest revert flow accrue inure belong arise exist stay relate drive cause harm hurt
    constitute earn become stop fail wish want breach violate know learn believe elect exceed lose close join leave find go
    take show see turn seek intend collect deduct admit distribute hand prepay repay calculate set""".split()
)
_MOVING = frozenset(
    stem(w)
    for w in word_set(
        "increase decrease decline improve weaken strengthen narrow widen expand climb jump drop total amount expire "
        "result remain continue grow rise fall benefit"
    )
)
_PLAINLY_PAST = word_set(
    "rose fell grew went came gave took knew saw wrote chose drew began ran became broke bore shrank sank slid"
)
_IRREGULAR_PAST = word_set("""paid gave got took made kept held sold bought sent spent lost rose fell grew knew saw went came left led met bore
    began ran found said told thought broke chose drew built sought won withdrew became stood understood brought set cut
    put let shown known given taken sold held kept made paid borne written drawn withheld chosen broken undertaken
    withdrawn grown fallen risen seen gone done won lent bound sought taught dealt read sent""")


def _plain_modality(reading: Reading, at: int) -> str:
    """Present or past of a verb without a modal word."""
    words = reading.words
    word = words[at]
    low = word.text.lower()
    if word.capital:
        return ""
    before = words[at - 1] if at else None
    if low in ("has", "have", "had"):
        nxt = words[at + 1].text.lower() if at + 1 < len(words) else ""
        if nxt in ("not", "already", "been", "also", "never", "since") and at + 2 < len(words):
            nxt = words[at + 2].text.lower() if nxt != "been" else nxt
        if nxt == "been" or nxt.endswith("ed") or nxt in _IRREGULAR_PAST:
            return "PAST"
        return "PRES" if low != "had" else "PAST"
    if low in ("was", "were", "did"):
        return "PAST"
    if low in ("is", "are", "does", "do"):
        return "PRES"
    if before is None or before.mark or before.text.lower() in _AUXILIARIES | {"be", "been", "being", "to"}:
        return ""
    subject = at - 1 in reading.actors or before.text.lower() in (
        "it", "they", "he", "she", "which", "who", "we", "also", "then", "hereby", "further",
    )  # fmt: skip
    noun = before.text.lower() in (
        "agreement",
        "contract",
        "party",
        "parties",
        "section",
        "article",
        "undersigned",
    )
    if not subject and not before.is_content and not noun:
        return ""
    if low in _PLAINLY_PAST:
        return "PAST"
    if low.endswith("ed") or low in _IRREGULAR_PAST:
        nxt = words[at + 1].text.lower() if at + 1 < len(words) else ""
        if subject and (
            before.text.lower() in ("we", "they", "it", "you", "he", "she")
            or nxt not in ("by", "in", "under", "hereunder", "herein", "pursuant")
        ):
            return "PAST"
        return ""
    if before.text.lower() in ("we", "they", "you") and word.stem in _COMMON_VERBS:
        return "PRES"
    after = words[at + 1].text.lower() if at + 1 < len(words) else "."
    led = before.text.islower() or after in FUNCTION
    if low.endswith(("ed", "rew", "ell")) and word.stem in _MOVING and before.is_content:
        return "PAST"
    if word.stem in _COMMON_VERBS and not low.endswith("ions") and (subject or (low.endswith("s") and led)):
        if low.endswith("s") or (before.text.lower().endswith("s") and at - 1 in reading.actors):
            if not low.endswith("ings"):
                return "PRES"
    return ""


_NO_VERBS = word_set(
    "in on at by for from with as into to of under about between among through over out off up down the a an any all "
    "its their this that such those if or and but so than not no more less subject due per within without before "
    "after during until unless only there it they which who when where because since also here same other another "
    "both either each neither most least very too still again then one two three four five six seven eight nine ten "
    "his her our your my once twice"
)


def _predicate(words: Sequence[Word], at: int, index: int) -> int:
    """ "is in default", "is due": the word that tells what is so; -1 if none is near."""
    if words[at - 1].text.lower() not in ("is", "are", "was", "were", "be"):
        return -1
    for ahead in range(index, min(index + 3, len(words))):
        if words[ahead].is_content and words[ahead].text[0].isalpha() and words[ahead].text.islower():
            return ahead
    return -1


def _verb(words: Sequence[Word], at: int) -> tuple[int, bool]:
    passive = False
    index = at
    if at + 1 < len(words) and words[at].text == ",":  # "may, by written notice, terminate"
        closing = next((i for i in range(at + 1, min(at + 24, len(words))) if words[i].text == ","), -1)
        if closing > 0 and not any(w.mark for w in words[at:closing]):
            index = closing + 1
    start = index
    while index < len(words) and index < start + 9:
        low = words[index].text.lower()
        if low in ("be", "been", "being") or (
            index == at and words[at - 1].text.lower() in ("is", "are", "was", "were")
        ):
            passive = True
        if low in (
            "be",
            "been",
            "being",
            "have",
            "has",
            "had",
            "not",
            "also",
            "to",
            "no",
            ",",
            "and",
            "or",
            "either",
            "thereby",
            "then",
            "further",
            "still",
            "only",
            "both",
            "already",
            "again",
            "just",
            "all",
            "each",
            "so",
            "yet",
        ) or low.endswith("ly"):
            index += 1
            continue
        if words[index].mark:
            return -1, passive
        break
    if index >= len(words) or not words[index].text[0].isalpha():
        return -1, passive
    if words[at - 1].mark in ("mMAY", "mMUSTNOT") and words[index].text.lower() in (
        "the",
        "a",
        "an",
        "its",
        "any",
        "such",
    ):
        index += 1  # "entitled to the Royalty"
        if index >= len(words):
            return -1, passive
    if words[index].text.lower() in _NO_VERBS:
        return _predicate(words, at, index), False
    low = words[index].text.lower()
    participle = low.endswith("ed") or low in _IRREGULAR_PAST
    return index, passive and participle


_BOUNDING = word_set("less more later fewer earlier longer sooner greater least than")


def _is_negative(words: Sequence[Word], at: int, verb: int) -> bool:
    if words[at].mark in ("mMUSTNOT",):
        return True
    after = {
        w.text.lower()
        for i, w in enumerate(words[at + 1 : max(verb, at) + 1], start=at + 1)
        if i + 1 >= len(words) or words[i + 1].text.lower() not in _BOUNDING
    }
    if after & {"not", "never"}:
        return True
    if verb >= 0 and verb + 2 < len(words) and words[verb + 2].text.lower() in _BOUNDING:
        return False
    if (
        verb >= 0
        and verb + 1 < len(words)
        and words[verb + 1].text.lower() in ("no", "nothing", "none", "not", "neither")
    ):
        return True
    index = at - 1
    while index >= 0 and words[index].sentence == words[at].sentence:
        if words[index].mark or words[index].text in ";:":
            return False
        low = words[index].text.lower()
        if low in ("no", "neither", "none", "nothing") and words[index + 1].text.lower() not in _BOUNDING:
            return words[max(index - 1, 0)].text.lower() not in ("with", "if", "under", "of")
        index -= 1
    return False


def _by_whom(reading: Reading, at: int) -> str:
    """ "advertising approved in advance by Franchisor": who does it, of a participle."""
    low = reading.words[at].text.lower()
    if not (low.endswith("ed") or low in _IRREGULAR_PAST) or reading.words[at].capital:
        return ""
    return _by_agent(reading, at, reach=5)


def _by_agent(reading: Reading, verb: int, reach: int = 12) -> str:
    words = reading.words
    for index in range(verb + 1, min(verb + reach, len(words))):
        if words[index].mark or words[index].sentence != words[verb].sentence:
            break
        if words[index].text.lower() == "by":
            for ahead in range(index + 1, min(index + 8, len(words))):
                if ahead in reading.actors:
                    return reading.actors[ahead]
                if words[ahead].text in ",;." or (words[ahead].is_content and words[ahead].text.islower()):
                    break
            return ""
    return ""


def _is_object_of_gerund(words: Sequence[Word], start: int) -> bool:
    """ "Losing key employees could": the subject is the losing."""
    for index in range(start - 1, max(start - 4, -1), -1):
        word = words[index]
        if word.text in ",;:" or word.sentence != words[start].sentence:
            return False
        low = word.text.lower()
        if (
            low.endswith("ing")
            and len(low) > 5
            and low not in ("following", "during", "including", "foregoing")
        ):
            return True
    return False


_PLACE_PREPOSITIONS = word_set("in at under within into near over during per as than like")


def subject_of(reading: Reading, at: int) -> str:
    """The actor that is the subject of a verb; "?" for a pronoun, "" if it is a thing or unknown."""
    words = reading.words
    index = at - 1
    while index >= 0 and words[index].sentence == words[at].sentence:
        word = words[index]
        low = word.text.lower()
        if word.mark:
            return ""
        if index in reading.actors:
            start = _mention_start(reading, index)
            before = words[start - 1].text.lower() if start else ""
            before2 = words[start - 2].text.lower() if start > 1 else ""
            articles = ("the", "such", "any", "each", "its", "an", "a", "their", "both", "either", "other")
            preposition = before if before not in articles else before2
            if (preposition in _ROLE_PREPOSITIONS or preposition in _PLACE_PREPOSITIONS) and start:
                index = start - (1 if before == preposition else 2) - 1
                if (
                    preposition == "of"
                    and index >= 0
                    and words[index].text.lower() in ("each", "all", "both", "either", "any", "one")
                ):
                    return (
                        reading.actors[start + len(reading.actors[index + 1].split()) - 1]
                        if index + 1 in reading.actors
                        else "?"
                    )
                continue
            if word.text.endswith(("'s", "’s", "s’", "s'")):
                return ""
            if _is_object_of_gerund(words, start):
                return ""
            return reading.actors[index]
        if low in ("it", "they", "he", "she", "who", "which", "that", "what"):
            return "?"
        if low in ("we", "you"):
            return low
        if word.text in ";:":
            return ""
        if word.text == ",":
            opening = next((i for i in range(index - 1, max(index - 18, -1), -1) if words[i].text == ","), -1)
            if opening < 0 or words[opening].sentence != word.sentence:
                return ""
            index = opening - 1
            continue
        if word.is_content and word.text[0].isalpha() and not low.endswith("ly"):
            return _behind_preposition(reading, index)
        index -= 1
    return ""


def _behind_preposition(reading: Reading, index: int) -> str:
    """A thing stands before the verb: of a phrase ("Seller in its discretion"), or as the subject."""
    words = reading.words
    steps = 0
    while (
        index >= 0
        and steps < 5
        and words[index].text.lower()
        not in (
            "in",
            "at",
            "for",
            "upon",
            "with",
            "under",
            "during",
            "from",
            "after",
            "by",
            "on",
            "or",
            "and",
        )
    ):
        if words[index].text in ",;:" or words[index].mark:
            return ""
        index -= 1
        steps += 1
    if (
        index - 1 in reading.actors
        and words[index - 1].sentence == words[min(index, len(words) - 1)].sentence
    ):
        start = _mention_start(reading, index - 1)
        before = words[start - 1].text.lower() if start else ""
        before2 = words[start - 2].text.lower() if start > 1 else ""
        if before not in _ROLE_PREPOSITIONS and before2 not in _ROLE_PREPOSITIONS:
            return reading.actors[index - 1]
    return ""


def _mention_start(reading: Reading, end: int) -> int:
    length = len(reading.actors[end].split())
    return max(0, end - length + 1)
