"""Which language a text is in, by its script and its function words.

Function words ("der", "les", "que") are a third of any running prose and of nothing else, so that a few dozen
of each language tell which one it is. What is not prose (a table, a list of names) is in no language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from longleaf.ingest.document import Document

_WORDS = {
    "en": """
        the of and to in or by this that shall with for is be as on any which such not from at an are
        will its have has may under other
        """,
    "de": """
        der die das und des dem den von zu mit ist für auf im ein eine einer eines nicht wird werden
        durch bei nach sich oder als auch zum zur diesem dieser dieses sowie
        """,
    "fr": """
        le la les de des du et en un une est pour par sur dans que qui au aux ou ne pas sont sera il ce
        cette avec présent leur à cet elle
        """,
    "es": """
        el la los las de del y en un una es por para con que se al su o no como será este esta sus lo
        más entre cualquier
        """,
    "it": """
        il lo la gli le di del della dei delle e in un una è per con che si al alla o non come sarà dal
        dalla nel nella presente entro ne ed ai alle
        """,
    "pt": """
        o a os as de do da dos das e em um uma é por para com que se ao à ou não como será no na pelo
        pela este esta
        """,
    "nl": """
        de het een van en in is op te voor met door dat die zal worden wordt aan bij of niet als zijn
        deze dit uit tot partijen
        """,
    "pl": """
        i w z na do się nie jest oraz o od przez za po lub że niniejszej umowy dla są to przy którym
        """,
    "sv": """
        och att i det som en på är av för med till den har inte om ett ska eller detta från vid enligt
        skall
        """,
    "da": """
        og at i det som en på er af for med til den har ikke om et skal eller dette fra ved efter
        """,
    "no": """
        og at i det som en på er av for med til den har ikke om et skal eller dette fra ved etter
        """,
    "fi": """
        ja on ei se että tai sekä tämän ovat joka mukaan sopimuksen kun niin voi tässä sopimus
        """,
    "cs": """
        a v na se je že z s do o k pro za od nebo by po jsou ve dle této smlouvy není
        """,
    "hu": """
        a az és hogy nem egy is szerint vagy meg jelen felek valamint ha által alapján
        """,
    "ro": """
        și de în la a pe cu din pentru este că se nu sau prin care ale al acest prezentul
        """,
    "tr": """
        ve bir bu ile için olarak olan veya taraflar tarafından da de göre her işbu sözleşme
        """,
    "ca": """
        el la els les de del i en un una és per amb que es al seu o no com aquest aquesta
        """,
    "id": """
        yang dan di dari dengan untuk ini dalam pada atau oleh tidak akan para pihak adalah
        """,
    "vi": """
        và của các cho trong là được có không một theo này bên hợp đồng với
        """,
}
_FUNCTION = {code: frozenset(listed.split()) for code, listed in _WORDS.items()}
_SPREAD = Counter(word for known in _FUNCTION.values() for word in known)  # languages that have a word
_SCRIPTS = (
    ("ja", "\u3040-\u30ff\u31f0-\u31ff"),
    ("ko", "\uac00-\ud7af\u1100-\u11ff"),
    ("zh", "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"),
    ("ru", "\u0400-\u04ff"),
    ("el", "\u0370-\u03ff"),
    ("ar", "\u0600-\u06ff"),
    ("he", "\u0590-\u05ff"),
    ("th", "\u0e00-\u0e7f"),
    ("hi", "\u0900-\u097f"),
)
_OF_SCRIPT = tuple((code, re.compile(f"[{ranges}]")) for code, ranges in _SCRIPTS)
_KANA_SHARE = 0.05  # of the ideographs: Japanese prose has far more kana, Chinese none
_LATIN_WORD = re.compile(r"[a-zA-Z\u00c0-\u024f\u1e00-\u1eff]+")
NAMES = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "pt": "Portuguese",
    "nl": "Dutch",
    "zh": "Chinese",
    "ja": "Japanese",
    "pl": "Polish",
    "sv": "Swedish",
    "da": "Danish",
    "no": "Norwegian",
    "fi": "Finnish",
    "cs": "Czech",
    "hu": "Hungarian",
    "ro": "Romanian",
    "tr": "Turkish",
    "ca": "Catalan",
    "id": "Indonesian",
    "vi": "Vietnamese",
    "ko": "Korean",
    "ru": "a language in Cyrillic script",
    "el": "Greek",
    "ar": "a language in Arabic script",
    "he": "Hebrew",
    "th": "Thai",
    "hi": "Hindi",
    "": "a language it does not know",
}
READ = ("en", "de", "fr", "es", "it", "pt", "nl", "zh", "ja")  # those that key facts are read in
_LEAST_WORDS = 12  # below it nothing is said of a text in Latin script
_LEAST_SHARE = 0.12  # of function words, in the language that has most of them
_LONG = 80  # words of prose after which a text without function words is in a language not known
_UNKNOWN_SHARE = 0.04
_PIECE = 400  # characters, about a paragraph: what is told apart in a text of several languages
_IN_OPEN = 60_000  # characters looked at


@dataclass(frozen=True, slots=True)
class Languages:
    """The share of the text that is in each language, the greatest first; empty if nothing is prose.

    The code "" is a language that is not known.
    """

    shares: tuple[tuple[str, float], ...]

    @property
    def main(self) -> str:
        """The language of most of the text; English where nothing tells."""
        return self.shares[0][0] if self.shares else "en"

    def share(self, code: str) -> float:
        return dict(self.shares).get(code, 0.0)


def language_of(text: str) -> str | None:
    """The ISO 639-1 code of the language a text is in, "" for one not known, None if it says too little."""
    letters = Counter[str]()
    for code, pattern in _OF_SCRIPT:
        letters[code] = len(pattern.findall(text))
    words = [word.lower() for word in _LATIN_WORD.findall(text)]
    latin = sum(map(len, words))
    east = letters["ja"] + letters["zh"]
    letters["zh"] = east
    letters["ja"] = east if letters["ja"] > _KANA_SHARE * max(east, 1) else 0
    if letters["ja"]:
        letters["zh"] = 0
    code, most = letters.most_common(1)[0]
    weight = 3 if code in ("zh", "ja", "ko") else 1  # an ideograph is about half a word
    if most * weight > latin:
        return code if most >= 10 else None
    if len(words) < _LEAST_WORDS:
        return None
    return _latin(words)


def _latin(words: list[str]) -> str | None:
    counts = Counter(words)
    shares = {code: sum(counts[word] for word in known) / len(words) for code, known in _FUNCTION.items()}
    telling = {code: sum(counts[word] / _SPREAD[word] for word in known) for code, known in _FUNCTION.items()}
    best = max(shares, key=lambda code: (telling[code], code == "en"))
    if shares[best] >= _LEAST_SHARE:
        return best
    prose = sum(count for word, count in counts.items() if len(word) > 3)
    return "" if prose >= _LONG and shares[best] < _UNKNOWN_SHARE else None


def document_languages(document: Document) -> Languages:
    """The languages of a document, a paragraph at a time; of a long one those of its first pages."""
    opening: list[str] = []
    for page in document.pages:
        opening.append(page.text)
        if sum(map(len, opening)) > _IN_OPEN:
            break
    return _languages_of(tuple(opening))


@lru_cache(maxsize=256)
def _languages_of(texts: tuple[str, ...]) -> Languages:
    sizes = Counter[str]()
    for piece in (piece for text in texts for piece in _pieces(text)):
        code = language_of(piece)
        if code:
            sizes[code] += len(piece) * (3 if code in ("zh", "ja", "ko") else 1)
    if not sizes:
        code = language_of("\n".join(texts))
        return Languages(((code, 1.0),) if code is not None else ())
    total = sum(sizes.values())
    return Languages(tuple((code, size / total) for code, size in sizes.most_common()))


def _pieces(text: str) -> Iterable[str]:
    """Runs of lines of about a paragraph, cut where the script changes."""
    piece = ""
    for line in text.split("\n"):
        if (
            piece
            and (len(piece) > _PIECE or _east(piece) != _east(line) or not line.strip())
            and len(piece) > 40
        ):
            yield piece
            piece = ""
        piece += line + "\n"
    if piece.strip():
        yield piece


def _east(text: str) -> bool:
    return any("\u3040" <= character <= "\u9fff" or "\uac00" <= character <= "\ud7af" for character in text)
