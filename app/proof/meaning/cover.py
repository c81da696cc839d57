"""Whether every word of a statement has a word of the source behind it, and none its opposite."""

from __future__ import annotations

import re
from dataclasses import dataclass

from longleaf.app.proof.meaning.lexicon import contrasts
from longleaf.app.proof.meaning.reading import FUNCTION, LIGHT, Reading
from longleaf.app.proof.meaning.stems import stem
from longleaf.app.text.wording import word_set


@dataclass(frozen=True, slots=True)
class Cover:
    """Words of the statement by what stands behind them."""

    same: int  # the word itself, or one of its family
    alike: int  # one that may stand for it
    light: tuple[str, ...]  # plain words that say little, with nothing behind them
    bare: tuple[str, ...]  # words with nothing behind them
    names: tuple[str, ...]  # names that the source does not have
    opposed: tuple[str, ...]  # words of which the source says the opposite

    @property
    def total(self) -> int:
        return self.same + self.alike + len(self.light) + len(self.bare) + len(self.names)


_NUMBER_WORDS = word_set("""zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion
    year years month months day days week weeks hour hours annual annually yearly monthly weekly daily percent percentage points dollar dollars cent cents half twice first second third fourth fifth sixth seventh eighth ninth tenth""")


def cover(said: Reading, source: Reading, told: frozenset[str] = frozenset()) -> Cover:
    """`told`: stems that something else bears out, as figures do a rise."""
    stems = source.stems | {s for key in source.aliases for s in map(stem, key.split())}
    classes = set().union(*source.classes) | source.phrase_classes if source.classes else set()
    letters = {word.text.lower() for word in source.words}
    initials = _initials(source)
    in_phrase: set[int] = set()
    for start, end, numbers in said.phrases:
        if numbers & classes:
            in_phrase.update(range(start, end))
    same = alike = 0
    light: list[str] = []
    bare: list[str] = []
    names: list[str] = []
    opposed: list[str] = []
    for i, word in enumerate(said.words):
        if not word.is_content or not word.text[0].isalpha() or word.text.lower() in _NUMBER_WORDS:
            continue
        starts = i == 0 or said.words[i - 1].sentence != word.sentence or said.words[i - 1].text in ":“"
        low = re.sub(r"['’]s?$", "", word.text.lower())
        if (
            word.stem in stems
            or word.stem in told
            or low in letters
            or low.replace(".", "") in initials
            or _joined(low, letters)
        ):
            same += 1
            continue
        if _is_denied(said, i) and f"non{low}" in letters:
            alike += 1
            continue
        if _denies(word.text.lower(), letters) and not _is_denied(said, i):
            if _denied_there(word.text.lower(), source):
                alike += 1
            else:
                opposed.append(word.text)
            continue
        against = contrasts().get(word.stem, frozenset()) & stems
        if against and not _other_support(word.stem, said.classes[i], source, against):
            opposed.append(word.text)
            continue
        if word.capital and not starts:
            names.append(word.text)
        elif said.classes[i] & classes or i in in_phrase:
            alike += 1
        elif word.stem in LIGHT or low in FUNCTION:
            light.append(word.text)
        else:
            bare.append(word.text)
    return Cover(same, alike, tuple(light), tuple(bare), tuple(names), tuple(opposed))


_DENYING = word_set("not no neither nor never none without nothing")


def _is_denied(reading: Reading, at: int) -> bool:
    return any(w.text.lower() in _DENYING or w.mark == "mMUSTNOT" for w in reading.words[max(0, at - 4) : at])


def _denied_there(word: str, source: Reading) -> bool:
    """ "undrawn" of "no amounts drawn"."""
    return any(
        other.text.lower() in word and len(other.text) > 4 and _is_denied(source, i)
        for i, other in enumerate(source.words)
    )


def _denies(word: str, letters: set[str]) -> bool:
    """ "exclusive" where the source has "nonexclusive" only, or the other way round."""
    for prefix in ("non", "un", "in", "im", "ir", "il", "dis", "mis"):
        if prefix + word in letters and len(word) > 4:
            return True
        if word.startswith(prefix) and len(word) - len(prefix) > 4 and word[len(prefix) :] in letters:
            return True
    return False


def _joined(word: str, letters: set[str]) -> bool:
    return "-" in word and (word.replace("-", "") in letters or all(p in letters for p in word.split("-")))


def _other_support(word: str, classes: set[int], source: Reading, against: frozenset[str]) -> bool:
    """Whether a word of the source other than the opposite may stand for this one."""
    hard = contrasts().get(word, frozenset())
    for i, other in enumerate(source.words):
        if (
            other.stem not in against
            and other.stem not in hard
            and other.is_content
            and source.classes[i] & classes
        ):
            return True
    return bool(source.phrase_classes & classes)


def _initials(source: Reading) -> set[str]:
    """ "SEC" for "Securities and Exchange Commission"."""
    found: set[str] = {"us", "usa"} if "united" in source.stems else set()
    run = ""
    for word in source.words:
        if word.capital and word.text[0].isalpha():
            run += word.text[0].lower()
            for size in range(2, min(len(run), 6) + 1):
                found.add(run[-size:])
        elif word.text.lower() not in ("and", "of", "the", "for"):
            run = ""
    return found
