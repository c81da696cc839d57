"""Who the parties of a contract are, by legal forms, titles of persons and the names that the contract gives them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longleaf.app.facts.languages.folded import FoldedSentence
from longleaf.app.facts.languages.patterns import LanguagePatterns, compiled

_OPENING = 3500  # characters in which a contract says who makes it
_FORMS = (
    r"GmbH\s?&\s?Co\.?\s?KGa?A?|gGmbH|GmbH|mbH|AG|SE|KGaA|KG|OHG|GbR|UG(?:\s?\(haftungsbeschränkt\))?|e\.\s?K\.|e\.\s?V\.|eG|"
    r"S\.?A\.?S\.?U?\.?|S\.?A\.?R\.?L\.?|EURL|SNC|SCI|SCOP|GIE|S\.?A\.?U\.?|S\.?L\.?U\.?|S\.?L\.?L?\.?|S\.?C\.?A?\.?|S\.?A\.?(?:\sde\sC\.?\s?V\.?)?|"
    r"S\.?\s?de\s?R\.?L\.?(?:\sde\sC\.?V\.?)?|S\.?p\.?A\.?|S\.?r\.?l\.?s?\.?|S\.?n\.?c\.?|S\.?a\.?s\.?|S\.?c\.?a?\.?r\.?l\.?|"
    r"L(?:\.?)da\.?|Ltda\.?|S/A|EIRELI|B\.?V\.?|N\.?V\.?|V\.?O\.?F\.?|C\.?V\.?|Ltd\.?|Limited|LLC|LLP|PLC|Inc\.?|Corp\.?|S\.?Coop\.?"
)
_JOIN = r"(?:&|und|et|y|e|i|en|de|du|des|del|della|delle|dei|di|da|do|dos|das|la|le|les|los|las|van|von|der|den|het|d'|l')"
_WORD = r"(?:[A-ZÀ-ÖØ-Þ0-9][\w.'&/+-]*)"
_COMPANY = re.compile(
    rf"(?P<name>{_WORD}(?:\s(?:{_JOIN}\s){{0,3}}{_WORD}|,\s(?=(?:{_FORMS})(?![\w])))*?,?\s(?:{_FORMS}))(?![\w&-])"
)
_NAME = rf"{_WORD}(?:\s(?:{_JOIN}\s){{0,2}}{_WORD}){{1,4}}"
_DEFINED = re.compile(
    r"[\(（\[-]?[^()（）\"「」“”;.]{0,60}[\"“「『]\s?(?P<role>[^\"”」』]{1,40}?)\s?[\"”」』]"
)
_ROLE_REACH = 260  # characters behind a name in which the contract names its part
_LEADING = re.compile(
    r"^(?:(?:die|der|das|den|firma|zwischen|und|la|le|les|el|los|entre|et|y|tra|e|il|lo|société|societé|societ[àa]|sociedad|mercantil|empresa|"
    r"sociedade|tussen|en|de|het|a|o|as|os|from|part[eiy]s?)\s)+",
    re.IGNORECASE,
)
_EAST_ORGANISATION = r"(?:有限責任公司|有限责任公司|股份有限公司|有限公司|集团|公司|合伙企业|事务所|研究院|大学|学院|医院|銀行|银行|委员会|株式会社|合同会社|有限会社|一般社団法人|財団法人)"
_EAST_CHARACTER = r"[\u3040-\u30ff\u3400-\u9fffA-Za-z0-9・ー&.-]"
_EAST_DEFINED = re.compile(
    rf"(?P<name>(?:{_EAST_CHARACTER}|\((?=[^()]{{1,6}}\){_EAST_CHARACTER})[^()]{{1,6}}\)){{2,40}}?)\s?\(\s?(?:以下[,、]?\s?(?:简称|簡稱|称|稱)?(?:为|為)?|简称|下称)?\s?[\"「『]\s?(?P<role>[^\"」』]{{1,8}})\s?[\"」』]"
)


@dataclass(frozen=True, slots=True)
class PartyMention:
    """Characters `start:end` of the sentence hold the name and, if it is given one, its part in the contract."""

    sentence: FoldedSentence
    start: int
    end: int
    name: str
    role: str


def find_parties(sentences: Sequence[FoldedSentence], language: LanguagePatterns) -> list[PartyMention]:
    """The parties in the order of the text; [] unless there are two."""
    read = 0
    found: list[PartyMention] = []
    for sentence in sentences:
        read += len(sentence.text)
        if read > _OPENING:
            break
        found += [
            each for each in _in(sentence, language) if _key(each.name) not in {_key(p.name) for p in found}
        ]
    defined = [each for each in found if each.role]
    chosen = defined if len(defined) >= 2 else found
    return chosen if len(chosen) >= 2 else []


def _key(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _in(sentence: FoldedSentence, language: LanguagePatterns) -> Iterator[PartyMention]:
    """Those of a sentence: after a label, defined in brackets, with a legal form, or with a person's title."""
    text = sentence.text
    label = compiled(
        rf"^\s?(?:[\divx]+[.)]\s?)?(?P<role>{language.role_labels})\s?(?:\([^()]{{1,24}}\))?\s?:\s?"
    ).match(text)
    if label:
        yield from _labelled(sentence, label, language)
        return
    if language.joins_words:
        for match in _EAST_DEFINED.finditer(text):
            name = re.sub(r"^(?:と|及び|および|与|與|和|由)", "", match["name"])
            yield PartyMention(sentence, match.end("name") - len(name), match.end(), name, match["role"])
        return
    taken: list[tuple[int, int]] = []
    names = [(m.start("name"), m.end("name")) for m in _COMPANY.finditer(text)]
    for match in re.finditer(rf"(?:{language.persons})\s(?P<name>{_NAME})", text):
        if not any(low < match.end("name") and match.start("name") < high for low, high in names):
            names.append((match.start("name"), match.end("name")))
    for start, end in sorted(names):
        lead = _LEADING.match(text[start:end])
        start += lead.end() if lead else 0
        before = text[max(0, start - 40) : start]
        if any(low < end and start < high for low, high in taken) or compiled(
            rf"(?:{language.not_a_party})[^,;.]{{0,12}}$"
        ).search(before):
            continue
        taken.append((start, end))
        reach = min([low for low, _ in names if low >= end] or [len(text)])
        role = _DEFINED.search(text[end : min(end + _ROLE_REACH, reach)])
        yield PartyMention(
            sentence,
            start,
            end + (role.end() if role and role.start() < 3 else 0),
            _without_stop(text[start:end]),
            _bare_role(role["role"]) if role else "",
        )


def _labelled(
    sentence: FoldedSentence, label: re.Match[str], language: LanguagePatterns
) -> Iterator[PartyMention]:
    rest = sentence.text[label.end() :]
    company = _COMPANY.match(rest)
    person = re.match(rf"(?:(?:{language.persons})\s)?(?P<name>{_NAME}|{_WORD})", rest)
    east = re.match(r"(?P<name>[^,，、;；。(\s](?:[^,，、;；。(]|\([^()]{1,8}\)(?=\S)){1,39})", rest)
    match = east if language.joins_words else company or person
    if match and not re.fullmatch(r"[_\W]*", match["name"]):
        name = match["name"].strip()
        yield PartyMention(
            sentence, label.start("role"), label.end() + match.end("name"), name, label["role"]
        )


def _bare_role(role: str) -> str:
    return (
        re.sub(
            r"^(?:(?:der|die|das|den|le|la|les|el|los|las|il|lo|i|gli|o|a|os|as|de|het)\s|l')(?=\w)",
            "",
            role.strip(" ,.;:"),
            flags=re.IGNORECASE,
        )
        or role
    )


def _without_stop(name: str) -> str:
    """ "Mer Bleue SARL." ends a sentence, "Acme S.A." does not."""
    return (
        name.rstrip(",")
        if name.count(".") > 1 or re.search(r"(?:Inc|Ltd|Corp|Lda|Ltda)\.$", name)
        else name.rstrip(",.")
    )
