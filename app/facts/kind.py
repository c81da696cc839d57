"""What a document is: a contract or a report of a company's results, and which sort of either."""

from __future__ import annotations

import re

from longleaf.app.facts.languages import LANGUAGES
from longleaf.app.facts.languages.patterns import compiled
from longleaf.app.schema import Kind
from longleaf.app.text.language import document_languages
from longleaf.ingest.document import Document

_HEAD = 60_000  # characters read; what a document is shows early
_REPORT_WORDS = 4  # of a report in another language than English
_CONTRACT = re.compile(
    r"\b(?:shall|hereto|hereof|herein|hereunder|hereby|hereinafter|whereas|witnesseth|party|"
    r"parties|agreement|licensee|licensor|"
    r"notwithstanding|pursuant|covenants?|indemnify|assigns|undersigned)\b",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"\b(?:fiscal|quarter|revenues?|net\s+sales|net\s+income|earnings|per\s+share|diluted|"
    r"consolidated|balance\s+sheets?|cash\s+flows?|"
    r"operating\s+(?:income|margin)|gaap|segments?|shareholders|stockholders|year[- ]over[- ]year|"
    r"outlook|guidance|10-k|10-q|"
    r"annual\s+report|quarterly\s+report|risk\s+factors|results\s+of\s+operations|net\s+loss|dividends?)\b",
    re.IGNORECASE,
)
_CONTRACT_TITLE = re.compile(
    r"\b(?:agreement|contract|amendment|lease|deed|addendum|license|memorandum\s+of\s+understanding)\b",
    re.IGNORECASE,
)
_REPORT_TITLE = re.compile(
    r"\bform\s+(?:10-?[kq]|20-?f|8-?k|6-?k)\b|\bannual\s+report\b|\bquarterly\s+report\b|"
    r"\bearnings\s+(?:release|results)\b|\breports?\s+(?:\w+\s+){0,4}(?:results|earnings)\b|"
    r"\bfinancial\s+(?:statements|results|report)\b",
    re.IGNORECASE,
)
# The cover of a filing says what it is; the forms named in a contract's footer ("Source: X, 10-K") do not.
_FORM = re.compile(
    r"\bform\s+(?P<form>10-?[kq]|20-?f|40-?f|11-?k)(?:/a|t)?\b|\bschedule\s+(?P<schedule>14a)\b",
    re.IGNORECASE,
)
_COVER = re.compile(
    r"\bcommission\s+file\s+(?:number|no)|\bpursuant\s+to\s+section\s+(?:13|15|14)\b|\bexact\s+name\s+of\s+registrant|"
    r"\bsecurities\s+exchange\s+act\s+of\s+1934\b",
    re.IGNORECASE,
)
_FORMS = {"10k": "annual report", "10q": "quarterly report", "20f": "annual report", "40f": "annual report"}

# Titles, the more telling first: an amendment to a lease is an amendment.
_TITLES = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        (
            "proxy statement",
            r"\bproxy\s+statement\b|\bnotice\s+of\s+(?:the\s+)?(?:\d+\s+)?annual\s+meeting\b",
        ),
        (
            "amendment",
            r"\bamend(?:ment|ing)\b(?!\s+and\s+restated)|\baddendum\b|\bsupplement(?:al)?\s+(?:no\b|to\b|agreement)|"
            r"\bside\s+letter\b|\bmodification\s+agreement\b",
        ),
        ("power of attorney", r"\bpower\s+of\s+attorney\b"),
        ("statement of work", r"\bstatement\s+of\s+work\b|\bwork\s+order\b|\btask\s+order\b|\bSOW\b"),
        (
            "non-disclosure agreement",
            r"\bnon-?\s?disclosure\b|\bconfidentiality\s+(?:and\s+\S+\s+)?agreement\b|\bNDA\b",
        ),
        ("release", r"\b(?:general\s+|mutual\s+)*release\b(?!\s+date)|\bsettlement\s+agreement\b"),
        ("lease", r"\b(?:sub-?)?lease\b|\btenancy\s+agreement\b|\brental\s+agreement\b"),
        (
            "loan",
            r"\b(?:loan|credit|facility|bridge)\s+(?:and\s+\w+\s+)?agreement\b|\bpromissory\s+note\b|"
            r"\b(?:convertible|demand|term|secured)\s+(?:\w+\s+)?note\b|\bnote\s+purchase\s+agreement\b|\bindenture\b",
        ),
        ("license", r"\b(?:sub-?)?licen[cs](?:e|ing)\b"),
    )
)
_TITLE_LINES = 40
_TITLE_WORDS = 14
_SENTENCE = re.compile(
    r"\b(?:shall|will|is|are|was|were|has|have|dated|between|whereas)\b|[.;]\s*$", re.IGNORECASE
)
_THIS = re.compile(
    r"\b(?:this|the\s+following)\s+(?P<title>(?:[\w&,'’-]+\s+){0,8}?(?:agreement|lease|amendment|addendum|note|release|"
    r"license|order|power\s+of\s+attorney|statement\s+of\s+work))\b",
    re.IGNORECASE,
)


def classify(document: Document) -> Kind:
    """By its cover, else by the words of its first pages; a title decides where the words do not."""
    text = _head(document)
    foreign = LANGUAGES.get(document_languages(document).main)
    if foreign is not None:
        return "report" if len(compiled(foreign.report).findall(text)) >= _REPORT_WORDS else "contract"
    head = text[:3000]
    if filed_form(text):
        return "report"
    contract = float(len(_CONTRACT.findall(text)))
    report = float(len(_REPORT.findall(text)))
    size = max(len(text) / 1000, 1.0)
    contract = contract / size + (4 if _CONTRACT_TITLE.search(head) else 0)
    report = report / size + (4 if _REPORT_TITLE.search(head) else 0)
    return "report" if report > contract else "contract"


def filed_form(text: str) -> str:
    """The sort of filing whose cover the text begins with; "" if it is none."""
    cover = text[:6000]
    form = _FORM.search(cover)
    if form is None or not _COVER.search(cover):
        return ""
    if form["schedule"]:
        return "proxy statement"
    return _FORMS.get(form["form"].lower().replace("-", ""), "annual report")


def document_type(document: Document, kind: Kind) -> str:
    """The sort of document by its title, as "amendment" or "lease"; else "contract" or "report"."""
    text = _head(document)
    filed = filed_form(text)
    if filed or kind == "report":
        early = text[:3000]
        if filed:
            return filed
        if re.search(r"\bproxy\s+statement\b", early, re.IGNORECASE):
            return "proxy statement"
        return "report"
    lines = [" ".join(line.split()) for line in text[:6000].split("\n") if line.strip()][:_TITLE_LINES]
    for line in lines:
        if len(line.split()) > _TITLE_WORDS or _SENTENCE.search(line):
            continue
        for name, pattern in _TITLES:
            if pattern.search(line) and _is_title(line):
                return name
        if _is_title(line) and _CONTRACT_TITLE.search(line):
            return "contract"
    match = _THIS.search(text[:6000])
    if match:
        for name, pattern in _TITLES:
            if pattern.search(match["title"]):
                return name
    return "contract"


def _is_title(line: str) -> bool:
    """Mostly capitals, or each long word capitalised."""
    words = [word for word in re.findall(r"[A-Za-z]+", line) if len(word) > 3]
    return (
        bool(words)
        and all(word[0].isupper() for word in words)
        and not re.match(r"source\b", line, re.IGNORECASE)
    )


def _head(document: Document) -> str:
    text = ""
    for page in document.pages:
        text += page.text + "\n"
        if len(text) > _HEAD:
            break
    return text
