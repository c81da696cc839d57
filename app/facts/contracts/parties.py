"""Who the parties of a contract are: from its preamble, from labelled lines, else from its signatures.

A preamble names each party once ("between Acme, Inc., a Delaware corporation ("Supplier"), and ..."). The
grammar used here: a party's name is a run of capitalised words that ends in a legal form, or that begins a
part of the preamble which a defined term closes. Names inside a description ("a subsidiary of X", "formerly
known as X", "c/o X") are not parties.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from longleaf.app.text.entities import find_dates, find_places, fold
from longleaf.app.text.entities.names import LEGAL_FORM, name_start
from longleaf.app.text.entities.text import words


@dataclass(frozen=True, slots=True)
class Party:
    """Characters `start:end` of the text; `name` has its white space folded; `role` is its defined term."""

    start: int
    end: int
    name: str
    role: str = ""
    role_end: int = 0  # where the text that gives the role ends, if it is near


_PREAMBLE_REACH = 20_000  # characters: covers and tables of contents stand before the preamble
_PREAMBLE_LENGTH = 9_000
_INTRODUCTION = re.compile(
    r"\b(?:entered\s+into|made|executed)\b(?:\s+(?:as\s+of|on|"
    r"this)[^;:()]{0,40})?,?\s+by(?=\s+(?!and\b)(?:the\s+)?[A-Z])|"
    r"\b(?:by\s+and\s+(?:between|among(?:st)?)|(?:made\s+|entered\s+into\s+)?(?:between|"
    r"among(?:st)?)(?:\s+and\s+among)?|"
    r"b\s?e\s?t\s?w\s?e\s?e\s?n)\b(?!\s+the\s+parties\b)(?:\s+and\s+(?:between|among)\b)?",
    re.IGNORECASE,
)
_SIGNATORIES = re.compile(
    r"\b(?:between|among)\s+(?:and\s+among\s+)?(?:each\s+of\s+)?(?:the\s+)?(?:undersigned|"
    r"(?:parties|persons|entities|companies)\s+"
    r"(?:signatory|whose\s+(?:names|signatures)|(?:who\s+are|that\s+are|which\s+are)?\s*(?:listed|"
    r"named|identified|set\s+forth|specified)))",
    re.IGNORECASE,
)
_AGREEMENT = re.compile(
    r"\b(?:agreement|amendment|contract|lease|deed|license|addendum|indenture|memorandum|"
    r"undertaking|schedule|"
    r"schedule\s+form|order)\b",
    re.IGNORECASE,
)
_END_OF_PREAMBLE = re.compile(
    r"\b(?:WHEREAS|Whereas|RECITALS?|Recitals?:?\s*\n|W\s?I\s?T\s?N\s?E\s?S\s?S\s?E\s?T\s?H|"
    r"WITNESSES|BACKGROUND|Background\s*\n|"
    r"NOW,?\s+THEREFORE|IN\s+CONSIDERATION|In\s+consideration|PREAMBLE|TABLE\s+OF\s+CONTENTS|"
    r"(?:hereby\s+)?agrees?\s+as\s+follows|AGREE\s+AS\s+FOLLOWS|ARTICLE\s+(?:I|1|ONE)\b|"
    r"(?:is|are)\s+(?:entered\s+into|made)\s+(?:with\s+)?(?:reference|on\s+the\s+basis))|"
    r"\n\s*(?:1|I|A)[.)]\s+[A-Z]"
)
_DEFINITION = re.compile(
    r"\(\s*(?P<lead>[^()\"“”„]{0,90})[\"“”„](?P<term>[^\"“”„()]{1,60})[\"“”„][^()]{0,200}\)|"
    r"(?:hereinafter|herein|hereafter)\s*(?:collectively\s+)?(?:called|referred\s+to\s+as|"
    r"the)?:?\s*(?:the\s+)?\(?[\"“”„]"
    r"(?P<term2>[^\"“”„()]{1,60})[\"“”„]\)?|"
    r"\((?:hereinafter|herein|hereafter)\s+(?:called|"
    r"referred\s+to\s+as)\s+(?:the\s+)?(?P<term3>[\w .&-]{2,40})\)",
    re.IGNORECASE,
)
_COLLECTIVE = re.compile(
    r"\b(?:collectively|individually|each(?:,|\s+a)|together|jointly|the\s+parties|singularly|both)\b",
    re.IGNORECASE,
)
_DOCUMENT_TERM = re.compile(
    r"^(?:this\s+|the\s+)?(?:[\w-]+\s+){0,3}(?:agreement|amendment|contract|date|term|lease|"
    r"license|addendum|products?|"
    r"services?|territory|effective|closing|order|schedule|parties|party|act|plan|program|venture)$",
    re.IGNORECASE,
)
# Words before a name that make it part of another party's description.
_DESCRIPTION = re.compile(
    r"(?:\bsubsidiar(?:y|ies)|\bdivision|\baffiliates?|\bunit|\bbranch|\bmember|\bsuccessor|"
    r"\bparent|\bf/?k/?a|\bformerly|\bknown\s+as|"
    r"\bd/?\s?b/?\s?a|\bdoing\s+business|\bbehalf|\btrading\s+as|\blaws?|\bgeneral\s+partner|"
    r"\bowned|\bcontrolled|"
    r"\bmanaged|\bc/o|\bcare\s+of|\battention|\battn|\boffices?|\bcopy|\bmerge[dr]?\s+with|"
    r"\bassignee|\btrustee|"
    r"\bregistered|\bshares?|\bstock|\blisted|\bthrough|\bpredecessor|\binto|\bby\s+its|"
    r"\bnamely)\b[^;()]{0,34}$",
    re.IGNORECASE,
)
# What may follow a name in a preamble: how a party is described.
_DESCRIPTOR = re.compile(
    r"\s*,?\s*\(?\s*(?:an?\s+(?:\w+[\s-]+){0,8}?(?:corporation|company|partnership|individual|"
    r"person|resident|citizen|trust|"
    r"association|institution|university|firm|entity|organi[sz]ation|body|bank|agency|"
    r"sole\s+proprietor)|an?\s+[A-Z]\w+|"
    r"(?:duly\s+)?(?:organi[sz]ed|incorporated|existing|registered|formed|established)|having|"
    r"with\s+(?:its|his|her|an?|"
    r"offices?|principal)|whose|located|residing|of\s+\d|hereinafter|hereafter|acting|a/k/a|"
    r"d/?b/?a|f/?k/?a|for\s+itself|"
    r"collectively|company\s+(?:number|no)|(?:the\s+)?[\"“”„])",
    re.IGNORECASE,
)
_CAP_WORD = re.compile(
    r"(?:[A-Z][\w&'’./®™-]*|[a-z](?:\.[a-z])+\.?|\d+[A-Z]\w*|[a-z]+[A-Z]\w*|\w+\.com)[.,]?$"
)
_LINKS = frozenset(
    {"of", "the", "de", "la", "del", "du", "von", "van", "der", "for", "&", "and", "y", "e", "in"}
)
_STOP_WORDS = frozenset(
    words(
        """
        this agreement whereas address attention tel fax telephone email suite floor street avenue road
        p.o box exhibit article section parties party between by the company date effective dated
        hereinafter registered legal business representative each witnesseth source page confidential
        building room
        """
    )
)
_ROLES = (
    r"party\s+[A-Z1-9]|seller|buyer|purchaser|supplier|customer|client|vendor|lessor|lessee|"
    r"landlord|tenant|licensor|"
    r"licensee|franchisor|franchisee|distributor|reseller|consultant|contractor|company|owner|"
    r"manufacturer|provider|"
    r"borrower|lender|agent|principal|guarantor|sponsor|investor|trustee|employer|employee|executive"
)
_LABELLED = re.compile(
    rf"(?:^|\n)[ \t]*(?:the\s+)?(?P<role>{_ROLES})[ \t]*[:：][ \t]*(?P<name>[^\n]{{3,120}})", re.IGNORECASE
)


def find_parties(text: str) -> list[Party]:
    """The parties in order of naming; empty if neither preamble, labels nor signatures name any."""
    best: list[Party] = []
    best_score = 0.0
    for region, score in _preambles(text):
        found = _distinct(_in_preamble(text, *region))
        if len(found) < 2:
            score -= 2
        score += 0.5 * min(len(found), 3) + 0.5 * sum(1 for party in found[:3] if party.role)
        if found and score > best_score + 0.01:
            best, best_score = found, score
    labelled = _distinct(_labelled(text[:_PREAMBLE_REACH]))
    by_letter = {p.role.lower(): p for p in reversed(labelled) if p.role.lower().startswith("party ")}
    if len(by_letter) >= 2:
        return sorted(by_letter.values(), key=lambda p: p.start)
    if _SIGNATORIES.search(text[:_PREAMBLE_REACH]):
        bodies = _distinct(_signing_bodies(text))
        if len(bodies) >= 2:
            return bodies
    if len(best) >= 2:
        return best
    if len(labelled) >= 2:
        return labelled
    bodies = _distinct(_signing_bodies(text))
    known = {_key(p.name) for p in best}
    if best or len(bodies) >= 2:
        return best + [p for p in bodies if _key(p.name) not in known]
    return _distinct(_signing_persons(text)) + bodies


def preamble(text: str) -> tuple[int, int] | None:
    """Where the best preamble stands, from the start of its sentence to its end."""
    best: tuple[float, tuple[int, int]] | None = None
    for region, score in _preambles(text):
        found = _distinct(_in_preamble(text, *region))
        score += 0.5 * min(len(found), 3) + 0.5 * sum(1 for party in found[:3] if party.role)
        if found and (best is None or score > best[0] + 0.01):
            best = (score, region)
    return best[1] if best else None


def _preambles(text: str) -> Iterator[tuple[tuple[int, int], float]]:
    """Regions that may be a preamble, from the introducing word on, and how much they look like one."""
    head = text[: max(_PREAMBLE_REACH, len(text) // 5)]
    candidates = list(_INTRODUCTION.finditer(head))
    # "Collectible Co. ("CCC") and Pivot Co. ("PSS"), by this Agreement associate themselves": no "between".
    for match in candidates[:40]:
        before = head[max(0, match.start() - 400) : match.start()]
        after = text[match.end() : match.end() + _PREAMBLE_LENGTH]
        ending = _END_OF_PREAMBLE.search(after, 10)
        length = ending.start() if ending else min(len(after), 1500)
        score = 0.0
        if _AGREEMENT.search(before):
            score += 1
        if re.search(
            r"\b(?:this|the)\b[^.;]{0,120}\b(?:agreement|amendment|contract|schedule|lease)\b",
            before,
            re.IGNORECASE,
        ):
            score += 1
        if re.search(r"\b(?:made|entered|dated|effective|executed|date|day)\b", before, re.IGNORECASE):
            score += 1
        if ending:
            score += 0.5
        score -= match.start() / len(head)
        if not re.match(
            r"\s*[:,]?\s*(?:\(?[a-z1-9]{1,3}[.)]|[\"“(]|the\s+|on\s|[A-Z]|[a-z]+[.A-Z]|_{3})", after
        ):
            continue
        yield (match.end(), match.end() + length), score
    for definition in list(_DEFINITION.finditer(head[:6000]))[:1]:
        start = max(head.rfind("\n\n", 0, definition.start()), 0)
        ending = _END_OF_PREAMBLE.search(text, definition.end())
        end = min(ending.start() if ending else definition.end() + 1500, definition.end() + 3000)
        yield (start, end), 0.5


_OF_PLACE = re.compile(r"[ \t]+of[ \t]+[A-Z]\w+(?:[ \t]+[A-Z]\w+)?", re.IGNORECASE)


def _in_preamble(text: str, start: int, end: int) -> Iterator[Party]:
    region = text[start:end]
    dates = [(m.start, m.end) for m in find_dates(region)]
    previous = 0
    spans: list[tuple[int, int]] = []
    definitions = list(_DEFINITION.finditer(region))
    # What comes after the collective definition ("collectively, the Parties") describes, it names no one.
    stop = len(region)
    for definition in definitions:
        if _is_closing(definition):
            stop = definition.start()
            break
    legal: list[tuple[int, int]] = []
    floor = 0
    for match in LEGAL_FORM.finditer(region, 0, stop):
        if match.start() < floor or not _is_form(match.group(0), region, match):
            continue
        begin = name_start(region, match.start(), floor)
        if begin is None:
            continue
        end = match.end()
        if re.fullmatch(r"corporation|company", match.group(0), re.IGNORECASE):
            of = re.match(
                r"[ \t]+of[ \t]+[A-Z]\w+(?:[ \t]+[A-Z]\w+)?", region[end : min(end + 40, stop)], re.IGNORECASE
            )
            if of and of.group(0).split()[1][0].isupper():  # "Motors Corporation of America"
                end += of.end()
        floor = end
        if _DESCRIPTION.search(region[max(0, begin - 60) : begin]) or _in_address(region, begin, end):
            continue
        if re.search(r"\ban?\s+$", region[max(0, begin - 4) : begin]):
            continue  # "a Delaware Corporation" describes
        legal.append((begin, end))
    spans.extend(legal)
    for definition in definitions:
        if definition.start() > stop:
            break
        term = _term(definition)
        if _COLLECTIVE.search(definition["lead"] or "") or _DOCUMENT_TERM.match(term.strip(" .,")):
            if not any(lo <= definition.start() < hi for lo, hi in spans):
                previous = (
                    max(previous, definition.end()) if _DOCUMENT_TERM.match(term.strip(" .,")) else previous
                )
            continue
        inside = [(lo, hi) for lo, hi in legal if previous <= lo < definition.start()]
        antecedent = _antecedent(region, previous, definition.start(), term)
        if antecedent and not any(lo < antecedent[1] and antecedent[0] < hi for lo, hi in legal):
            # A name without legal form: only where the part has none, or where it is plainly described.
            if not inside or antecedent[0] > inside[-1][1]:
                spans.append(antecedent)
            elif antecedent[0] < inside[0][0] and _DESCRIPTOR.match(region, antecedent[1]):
                spans.append(antecedent)
                spans = [s for s in spans if s not in inside]
        previous = definition.end()
    spans.extend(_undescribed(region, spans, stop, previous))
    for lo, hi in sorted(spans):
        if any(a < hi and lo < b for a, b in dates) or _is_place(region[lo:hi]):
            continue
        role = _role(definitions, spans, hi)
        term = _term(role).strip(" .,") if role else ""
        end_of_role = start + role.end() if role and role.end() - hi < 400 else 0
        yield Party(start + lo, start + hi, _tidy(region[lo:hi]), term if end_of_role else "", end_of_role)


def _role(definitions: list[re.Match[str]], spans: list[tuple[int, int]], end: int) -> re.Match[str] | None:
    """The defined term of the name that ends at `end`: the next one, if no other name stands between."""
    for definition in definitions:
        if definition.start() < end or any(end <= start < definition.start() for start, _ in spans):
            continue
        term = _term(definition).strip(" .,")
        if _COLLECTIVE.search(definition["lead"] or "") or _DOCUMENT_TERM.match(term):
            continue
        return definition
    return None


def _term(definition: re.Match[str]) -> str:
    return str(definition["term"] or definition["term2"] or definition["term3"])


def _is_place(name: str) -> bool:
    return any(m.start == 0 and m.end == len(name) for m in find_places(name))


def _is_closing(definition: re.Match[str]) -> bool:
    term = (_term(definition)).strip(" .,")
    return bool(re.fullmatch(r"(?:the\s+)?part(?:y|ies)", term, re.IGNORECASE))


def _is_form(form: str, text: str, match: re.Match[str]) -> bool:
    """Short forms ("AG", "SA", "Company") are words unless capitalised as forms are."""
    if form.lower() in {"company", "limited"}:
        before = text[: match.start()].rstrip()
        return (
            form[0].isupper()
            and bool(before)
            and before[-1] not in '"“('
            and not re.search(r"\b(?:the|each|such|liability|private|stock|holding)$", before, re.IGNORECASE)
        )
    if (
        form.isalpha()
        and len(form) <= 3
        and form.upper() in {"SA", "AG", "SE", "AB", "LP", "NV", "BV", "SAS", "OY", "ASA"}
    ):
        return form.isupper() or form in {"Oy"}
    if form.lower() == "corporation" and form[0].islower():  # "XIMAGE corporation whose address is"
        return bool(re.search(r"(?<!\ban )(?<!\ba )\b[A-Z]{3,}\s+$", text[: match.start()][-30:]))
    return form[0].isupper() or form.lower().startswith(("inc", "llc", "ltd", "plc", "mbh"))


_STREET = re.compile(
    r"\d.*\b(?:floor|suite|street|st|road|rd|avenue|ave|blvd|boulevard|building|drive|lane|plaza|place)\b|"
    r"\b(?:floor|suite|street|road|avenue|boulevard)\b.*\d",
    re.IGNORECASE | re.DOTALL,
)


def _in_address(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - 40) : start]
    return bool(
        re.search(r"\b(?:at|address(?:\s+is|:)?|No\.|Suite|Floor)\s[^,;()]{0,12}$", before)
        or _STREET.search(text[start:end])
    )


def _antecedent(region: str, start: int, end: int, term: str) -> tuple[int, int] | None:
    """The name without a legal form that the definition at `end` defines, in `start:end` of the region."""
    choices: list[tuple[float, tuple[int, int]]] = []
    starts = [start] + [
        m.end() for m in re.finditer(r"(?:\band\b|;|-\s+and\s+-|\n\s*\n)\s*", region[start:end])
    ]
    starts = [s if i == 0 else s + start for i, s in enumerate(starts)]
    defined = set(fold(term).split())
    for begin in starts:
        run = _run(region, begin, end)
        if run is None:
            continue
        name = region[run[0] : run[1]]
        score = 0.0
        if defined & set(fold(name).split()):
            score += 2
        if _DESCRIPTOR.match(region, run[1]):
            score += 1
        if not region[run[1] : end].strip(" ,\n"):
            score += 1.5
        elif run[1] < end - 500:
            score -= 1
        if run[0] - begin <= 1:
            score += 0.25
        score += 0.25 if len(name.split()) > 1 else 0
        choices.append((score, run))
    choices = [c for c in choices if c[0] >= 1]
    return max(choices, key=lambda c: c[0])[1] if choices else None


def _run(region: str, start: int, end: int) -> tuple[int, int] | None:
    """The run of capitalised words at `start`, past separators and articles."""
    lead = re.compile(
        r"(?:[\s,;:.\-–—•]|\band\b|\bby\b|\bbetween\b|\bamong\b|\bboth\b|\b[Tt]he\s(?=[A-Z])|\bTHE\s|"
        r"\b(?:Dr|Mr|Mrs|Ms|Messrs)\.?\s(?=[A-Z])|"
        r"\(?(?:[ivx]+|[a-z]|\d{1,2})[.)]\s|"
        r"\bon the (?:one|other) hand,?|\bthe following(?:\s+\w+)?\s+parties:?)*"
    )
    match = lead.match(region, start, end)
    first = match.end() if match else start
    position = first
    last = first
    for word in re.finditer(r"\S+", region[first:end]):
        token = word.group(0)
        if first + word.start() > last and region[last : first + word.start()].count("\n") > 1:
            break
        bare = token.rstrip(",.;")
        if token.lower() in _LINKS and last > first:
            continue
        if not _CAP_WORD.match(token) or bare.lower() in _STOP_WORDS or "(" in token:
            break
        if (
            "\n" in region[last : first + word.start()]
            and region[first:last].isupper() != bare.isupper()
            and last > first
        ):
            break
        last = (
            first
            + word.start()
            + len(bare if not re.fullmatch(r"(?:[A-Z]\.)+,?|Jr\.|Sr\.", token) else token.rstrip(","))
        )
        if token.endswith((",", ";")):
            break
    if last <= position or len(region[position:last]) < 3:
        return None
    name = region[position:last]
    if len(name.split()) > 9 or fold(name) in _STOP_WORDS or find_dates(name):
        return None
    return position, last


def _undescribed(
    region: str, spans: list[tuple[int, int]], stop: int, previous: int
) -> Iterator[tuple[int, int]]:
    """Persons and bodies without legal form in a list of names ("..., LLC and Jane Roe")."""
    for _, hi in [*spans]:
        position = hi
        for _ in range(12):
            link = re.match(
                r"(?:,?\s+as\s+(?:the\s+)?[A-Z]\w+)?\s*,?\s*(?:and|,)\s+(?:[Tt]he\s+)?", region[position:stop]
            )
            if not link:
                break
            run = _run(region, position + link.end(), stop)
            if (
                run is None
                or run[0] != position + link.end()
                or any(a < run[1] and run[0] < b for a, b in spans)
            ):
                break
            named = region[run[0] : run[1]].split()
            after = region[run[1] : run[1] + 40]
            ends = re.match(r"\s*(?:\(|,?\s*and\s|$|\.|,?\s*as\s+[A-Z]|,\s+(?:an\s+individual|[A-Z]))", after)
            if not 2 <= len(named) <= 5 or not ends or any(w.lower() in _STOP_WORDS for w in named):
                break
            yield run
            position = run[1]
    # The last one: "and Jane Roe, an individual residing at ..."
    for match in re.finditer(r"(?:^|\band\s+|;\s*)(?=[A-Z])", region[:stop]):
        run = _run(region, match.end(), stop)
        if run is None or any(a < run[1] and run[0] < b for a, b in spans):
            continue
        if re.match(
            r"\s*,?\s*(?:\([^)]*\)\s*,?\s*)?(?:an?\s+(?:\w+\s+){0,3}(?:individual|natural\s+person|"
            r"resident|citizen))",
            region[run[1] :],
        ):
            yield run


def _labelled(text: str) -> Iterator[Party]:
    for match in _LABELLED.finditer(text):
        line = match["name"]
        base = match.start("name")
        form = next((f for f in LEGAL_FORM.finditer(line) if _is_form(f.group(0), line, f)), None)
        if form:
            begin = name_start(line, form.start())
            if begin is not None:
                yield Party(base + begin, base + form.end(), _tidy(line[begin : form.end()]), match["role"])
            continue
        run = _run(line, 0, len(line))
        if run and len(line[run[0] : run[1]].split()) >= 2 and match["role"].lower().startswith("party"):
            yield Party(base + run[0], base + run[1], _tidy(line[run[0] : run[1]]), match["role"])


_BY_LINE = re.compile(r"\n[ \t_]*(?:By|BY|Per)[ \t]*:", re.ASCII)
_SIGNED = re.compile(r"(?:^|\n)[ \t]*/s/[ \t]*(?P<name>[^\n]{3,60})", re.IGNORECASE)
_NOT_A_BODY = re.compile(
    r"(?:Name|Title|Date|By|Its|Attest|Witness|Position|Address|IN\s+WITNESS|For\s+and\s+on|"
    r"Signed|Sign|Print|Page|"
    r"Source|Party|The)\b|[-_=*]{3}|\W*$|\d+$|/s/|\[",
    re.IGNORECASE,
)


def _signing_bodies(text: str) -> Iterator[Party]:
    """The names above the "By:" lines of the signatures; a name may take two lines."""
    first = len(text) // 2
    witness = [
        m.start() for m in re.finditer(r"IN\s+WITNESS|For\s+and\s+on\s+behalf|/s/", text, re.IGNORECASE)
    ]
    late = [position for position in witness if position >= first]
    for match in _BY_LINE.finditer(text, max(0, late[0] - 300) if late else first):
        lines: list[tuple[int, int]] = []
        end = match.start()
        while end > 0 and len(lines) < 2:
            start = text.rfind("\n", 0, end) + 1
            line = text[start:end]
            end = start - 1
            if not line.strip():
                if lines and not text[lines[0][0] : lines[0][1]].split("(")[0].isupper():
                    break
                continue
            behalf = re.match(
                r"\s*(?:signed\s+)?for\s+and\s+\W?on\s+behalf\s+of:?\s*(?=\S)", line, re.IGNORECASE
            )
            if behalf:
                lines.insert(0, (start + behalf.end(), start + len(line)))
                break
            if _NOT_A_BODY.match(line.strip()) or not _CAP_WORD.match(line.split()[0].rstrip(",.")):
                break
            lines.insert(0, (start, start + len(line)))
        if not lines:
            continue
        begin = (
            lines[0][0]
            if len(lines) == 1 or text[lines[0][0] : lines[0][1]].strip().isupper()
            else lines[-1][0]
        )
        block = text[begin : lines[-1][1]]
        forms = [f for f in LEGAL_FORM.finditer(block) if _is_form(f.group(0), block, f)]
        if not forms and not 2 <= len(block.split()) <= 8:
            continue
        if len(forms) > 1 and "\n" in block[: forms[-1].start()]:  # two bodies, one a line
            begin, forms = lines[-1][0], []
            block = text[begin : lines[-1][1]]
            forms = list(LEGAL_FORM.finditer(block))
        length = forms[-1].end() if forms else len(re.split(r"[(,]", block.rstrip())[0].rstrip())
        lead = len(block) - len(block.lstrip())
        yield Party(begin + lead, begin + length, _tidy(block[lead:length]))


def _signing_persons(text: str) -> Iterator[Party]:
    for match in _SIGNED.finditer(text):
        name = match["name"]
        parts = name.split()
        half = len(parts) // 2
        if len(parts) % 2 == 0 and parts[:half] == parts[half:]:  # signed and printed on one line
            name = name[: name.index(parts[0], len(parts[0]))]
        run = _run(name, 0, len(name))
        if run and 2 <= len(name[run[0] : run[1]].split()) <= 5:
            base = match.start("name")
            yield Party(base + run[0], base + run[1], _tidy(name[run[0] : run[1]]))


def _tidy(name: str) -> str:
    return " ".join(name.split()).strip(" ,;:")


def _key(name: str) -> str:
    """A name without its legal form and article, folded: how parties are told apart."""
    bare = LEGAL_FORM.sub(" ", name)
    return fold(bare).removeprefix("the ") or fold(name)


def _distinct(parties: Iterator[Party]) -> list[Party]:
    found: dict[str, Party] = {}
    for party in sorted(parties, key=lambda p: p.start):
        key = fold(party.name).removeprefix("the ")
        if key and key not in found:
            found[key] = party
    return list(found.values())
