"""The key facts of a report: figures from its consolidated statements, sentences for the rest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from longleaf.app.facts.contracts.clauses import Clause, heading, rank_clause, rules
from longleaf.app.facts.contracts.contract import focus, plain_quote, retrieved_sentences
from longleaf.app.facts.document_text import Passages, Sentence
from longleaf.app.facts.figures.line_items import BY_NAME, LineItem
from longleaf.app.facts.figures.operands import Missing, Operand, find_operand
from longleaf.app.facts.figures.periods import Period
from longleaf.app.facts.figures.statements import Report, report_of
from longleaf.app.facts.finding import Finding, Search
from longleaf.ingest.document import Span

_LENGTHS, _PARTS = 2, 4  # periods that end on one day; rows that make up a figure

TITLES = {
    "revenue": "Revenue",
    "net_income": "Net income",
    "eps": "Earnings per share",
    "cash": "Cash",
    "debt": "Debt",
    "segments": "Segments",
    "guidance": "Guidance",
    "risks": "Risks",
}


SEGMENTS = Clause(
    "segments",
    "Segments",
    "reportable segments, operating segments, how the company is organized",
    heading(r"\bsegments?\b|\bbusiness\b"),
    rules(
        (2.5, r"\b(?:reportable|operating|business|reporting)\s+segments?\b"),
        (
            2.0,
            r"\b(?:two|three|four|five|six|seven|eight|\d)\s+(?:\w+\s+){0,3}(?:segments|divisions|"
            r"businesses)\b|\b(?:one|single)\s+(?:\w+\s+){0,3}segment\b",
        ),
        (
            1.5,
            r"\bsegments?\b[^.]{0,60}(?::|\bare\b|\bincluding\b|\bconsist\w*\b|\bcomprised?\b|--|"
            r"\bas\s+follows\b)",
        ),
        (
            1.0,
            r"\b(?:organized|manage[sd]?|operate[sd]?|report(?:s|ed)?|conduct(?:s|"
            r"ed)?)\b[^.]{0,60}\b(?:segments?|divisions|businesses)\b",
        ),
        (1.0, r"\bsegments?\b.*(?:[A-Z][\w&'.-]*(?:\s+[A-Z&][\w&'.-]*){0,5},\s+){1,6}.*\band\s+[A-Z]"),
        (
            -2.0,
            r"\b(?:see\s+note|refer\s+to|goodwill|reporting\s+units?|eliminat\w+|reclassif\w+|recast|asc|"
            r"asu|accounting\s+standards|chief\s+operating\s+decision)\b",
        ),
        (-1.0, r"\b(?:risk|may|could)\b"),
        (-3.0, r"\bbetween\s+(?:the\s+|our\s+)?segments\b|\binter-?segment\b"),
        (-4.0, r"(?:[$(]?\d[\d,.]*\)?\s+){4,}"),
        (
            1.0,
            r"^(?:we|the\s+company|our)\b|\b(?:we|the\s+company|our\s+business)\s+(?:\w+\s+){0,2}(?:has|"
            r"have|reports?|is\s+organized|operates?)\b",
        ),
    ),
    3.0,
    most=1,
)

GUIDANCE = Clause(
    "guidance",
    "Guidance",
    "outlook and guidance for the full year, company expects revenue and earnings per share",
    heading(r"\b(?:guidance|outlook|expectations|targets)\b"),
    rules(
        (2.0, r"\b(?:guidance|outlook)\b"),
        (
            2.0,
            r"\b(?:we|the\s+company|management|it|\w+)\s+(?:now\s+|currently\s+|also\s+|"
            r"continues?\s+to\s+)?(?:expects?|anticipates?|forecasts?|projects?|targets?|estimates?)\b|"
            r"\bis\s+expected\s+to\b",
        ),
        (
            2.0,
            r"\b(?:fiscal(?:\s+year)?|full[\s-]year|for\s+the\s+year|calendar\s+year|"
            r"fy)\s*'?(?:20)?\d\d\b|\bfull[\s-]year\b|\b(?:first|second|third|"
            r"fourth)\s+quarter\s+of\s+(?:fiscal\s+)?20\d\d\b",
        ),
        (1.5, r"\d(?:\.\d+)?\s*(?:%|percent\b|percentage)|\$\s?\d"),
        (
            1.5,
            r"\b(?:revenues?|sales|earnings|eps|operating\s+(?:income|margin)|cash\s+flow|growth|"
            r"capital\s+(?:expenditures|spending))\b",
        ),
        (
            -2.5,
            r"\b(?:tax\s+provision|pension|contributions?|amortization\s+expense|benefit\s+payments|"
            r"lawsuit|litigation|unrecognized|vest\w*|accounting|hedg\w+|asu|tax\s+(?:benefit|position)s?)\b",
        ),
        (-2.0, r"\b(?:no\s+assurance|forward-looking|non-gaap|undertakes?|defined\s+as|words\s+such)\b"),
    ),
    7.0,
    most=2,
)

FACTORS = Clause(
    "risks",
    "Risks",
    "risk factors that could materially adversely affect the business, financial condition and results",
    heading(r"\brisks?\b|\bforward-looking\b|\bcautionary\b"),
    rules(
        (2.5, r"\b(?:materially?|adversely|negatively)\b[^.]{0,60}\b(?:affect|impact|harm)\w*\b"),
        (1.5, r"\b(?:could|may|might)\b"),
        (1.5, r"\brisks?\b|\bfactors\b"),
        (
            1.0,
            r"\b(?:business|financial\s+condition|results\s+of\s+operations|operating\s+results|"
            r"cash\s+flows|reputation)\b",
        ),
        (
            1.0,
            r"\b(?:competit\w+|cyber\w*|regulat\w+|pandemic|economic|supply|litigation|inflation|"
            r"interest\s+rates|credit)\b",
        ),
        (-2.0, r"\b(?:see|refer|item\s+1a|other\s+risks|not\s+the\s+only|undertake)\b"),
    ),
    5.5,
    most=3,
)


def find_report_facts(passages: Passages, search: Search) -> Iterator[tuple[str, Finding | None]]:
    """Each fact's name with what was found, None where the document does not say."""
    report = report_of(passages.document)
    yield "revenue", _figure(passages, report, "revenue", ("revenue",))
    yield "net_income", _figure(passages, report, "net_income", ("net_income", "net_income_attributable"))
    yield "eps", _figure(passages, report, "eps", ("eps_diluted", "eps_basic"))
    yield "cash", _figure(passages, report, "cash", ("cash",))
    yield "debt", _total_debt(passages, report, _figure(passages, report, "debt", ("total_debt",)))
    yield "segments", _segments(passages, search)
    yield "guidance", _guidance(passages, report, search)
    yield "risks", _risks(passages, search)


# --- figures --------------------------------------------------------------------------------------------


def _figure(passages: Passages, report: Report, name: str, lines: Sequence[str]) -> Finding | None:
    """The company's figures of the newest period, that of the year first where a quarter's stand beside it.

    A figure whose row, column or unit cannot be told is left out: none is better than a wrong one.
    """
    items = [BY_NAME[line] for line in lines]
    lengths = report.lengths(items[0].where[0])[:_LENGTHS] or [0]
    parts: list[str] = []
    values: list[str] = []
    spans: list[Span] = []
    for months in lengths:
        found = [each for item in items for each in _operands(report, item, Period(months=months))]
        for operand in {(operand.row.start, operand.row.end): operand for operand in found}.values():
            head, row = operand.spans
            amount = _amount(operand)
            label = operand.row.label if items[0].kind == "amount" else operand.row.full
            told = f"{label}: {amount} ({f'{operand.column.phrase} {operand.column.year}'.strip()})"
            if told in parts:
                continue
            parts.append(told)
            values.append(amount)
            spans.extend(span for span in (head, row) if span not in spans)
    if not values:
        return None
    return Finding(name, TITLES[name], "; ".join(parts), tuple(_ranges(passages, spans)), tuple(values))


def _operands(report: Report, item: LineItem, period: Period) -> Sequence[Operand]:
    found = find_operand(report, item, period)
    return () if isinstance(found, Missing) else found[:_PARTS]


def _amount(operand: Operand) -> str:
    digits = re.sub(r"[^\d.,]", "", operand.cell.text)
    minus = "-" if operand.shown < 0 else ""
    return f"{minus}{operand.currency}{digits} {operand.scale}".strip()


def _ranges(passages: Passages, spans: Sequence[Span]) -> list[tuple[int, int]]:
    """The passages' ranges of page spans; pieces of one span that adjoin are joined."""
    joined: list[tuple[int, int]] = []
    for span in spans:
        pieces = sorted(passages.ranges([span]))
        if pieces:
            joined.append((pieces[0][0], pieces[-1][1]))
    return joined


_TOTAL_DEBT = re.compile(
    r"\btotal\s+(?:outstanding\s+)?(?:debt|indebtedness|"
    r"borrowings)\b[^.;]{0,50}?(?P<amount>[$€£]\s?\d[\d,]*(?:\.\d+)?\s+(?:million|billion))",
    re.IGNORECASE,
)


def _total_debt(passages: Passages, report: Report, found: Finding | None) -> Finding | None:
    """Adds the sentence that says the total of the balance sheet's year, if there is one."""
    year = report.newest[:4]
    for sentence in passages.sentences:
        match = _TOTAL_DEBT.search(sentence.plain)
        if not match or not year or year not in sentence.plain or len(sentence.plain) > 400:
            continue
        amount = " ".join(match["amount"].split())
        text = plain_quote(passages, sentence.start, sentence.end)
        here = (sentence.start, sentence.end)
        if found is None:
            return Finding("debt", TITLES["debt"], text, (here,), (amount,))
        return replace(
            found, text=f"{found.text} … {text}", ranges=(*found.ranges, here), values=(*found.values, amount)
        )
    return found


# --- sentences ------------------------------------------------------------------------------------------


_FORWARD = re.compile(
    r"\b(?:expect|anticipate|forecast|project|target|see|plan|aim|reaffirm|reiterat|rais|lower|narrow"
    r"|maintain|updat)"
    r"(?:s|es|e|ing)?\b|\b(?:is|are)\s+(?:now\s+|currently\s+)?(?:expected|anticipated|projected|forecast)\b"
    r"|\b(?:outlook|guidance)\b|\bestimates?\b(?!\s+that\b[^.]*\b(?:had|was|were)\b)",
    re.IGNORECASE,
)
_PERFORMANCE = re.compile(
    r"\b(?:revenues?|sales|earnings|eps|income|profit|margins?|ebitda?|cash\s+flows?|growth|tax\s+rate|"
    r"capital\s+(?:expenditures?|spending|investments?)|capex)\b",
    re.IGNORECASE,
)
_NO_GUIDANCE = re.compile(
    r"\bperformance\s+obligations?\b|\bcontract\s+liabilit|\bto\s+be\s+(?:recogni[sz]ed|amorti[sz]ed"
    r"|reclassified|paid)\b"
    r"|\bamorti[sz]ation\s+expense\b|\b(?:benefit|lease|debt)\s+(?:payments?|maturit)|\bhad\s+(?:a|an|no)\b"
    r"|\baccounting\s+(?:standard|guidance|pronouncement)|\bASU\b|\bASC\b|\bmaterial\s+impact\b"
    r"|\bfair\s+value\b",
    re.IGNORECASE,
)
_UNDATED = re.compile(
    r"\b(?:next|coming|full)[\s-]+(?:fiscal\s+)?(?:year|quarter)|\b(?:outlook|guidance)\b", re.IGNORECASE
)
_ANY_YEAR = re.compile(r"\b(?:FY\s?'?)?(20\d\d)\b|\bFY\s?'?(\d\d)\b")


def is_guidance(text: str, newest: int, *, annual: bool, heading: str = "") -> bool:
    """Whether a sentence says what the company expects of a time that its statements do not cover.

    `newest` is the year they end in; of an annual report, what is said of that year is past. A sentence that
    names no year is of the year in its heading, as "Outlook for 2026".
    """
    if not _FORWARD.search(text) or not _PERFORMANCE.search(text) or _NO_GUIDANCE.search(text):
        return False
    years = _years(text) or _years(heading)
    if not years:
        return bool(_UNDATED.search(text))
    return max(years) > newest if annual else max(years) >= newest


def _years(text: str) -> list[int]:
    return [int(match[1] or f"20{match[2]}") for match in _ANY_YEAR.finditer(text)]


def _guidance(passages: Passages, report: Report, search: Search) -> Finding | None:
    newest = report.years.get(report.newest, int(report.newest[:4] or 0))
    return _sentences(
        passages,
        GUIDANCE,
        search,
        lambda said: is_guidance(said.plain, newest, annual=report.annual, heading=said.heading),
    )


def _sentences(
    passages: Passages, clause: Clause, search: Search, fits: Callable[[Sentence], bool] = lambda said: True
) -> Finding | None:
    retrieved = retrieved_sentences(passages, search, clause.query)
    candidates = [c for c in rank_clause(clause, passages, retrieved) if fits(c.sentence)]
    chosen = candidates[: clause.most]
    if not chosen:
        return None
    ranges = [focus(passages, clause, c) for c in sorted(chosen, key=lambda c: c.sentence.index)]
    text = " … ".join(plain_quote(passages, start, end) for start, end in ranges)
    return Finding(clause.name, clause.title, text, tuple(ranges))


_SEGMENT_LIST = re.compile(
    r"\bsegments?\b(?:\s*\([^)]*\))?,?\s*(?:outlined\s+below)?(?::|-|\bare:?|\b(?:as\s+follows|"
    r"including|consisting\s+of|comprised\s+of|namely):?)\s*(?P<list>.+)$"
)
_TABULAR = re.compile(r"(?:[$(]?\d[\d,.]*\)?\s+){3,}")  # rows of figures, not a list of names
_ITEM = re.compile(r"(?:[•●▪·*]|\d\)|\([a-z\d]\))\s*")
_LISTED = re.compile(
    r"(?:^|[\s:;])(?:[•●▪·*]|\d\)|\([a-z\d]\))\s*(?:[Oo]ur\s+)?"
    r"(?P<name>[A-Z](?:(?!,\s*(?:which|including|consisting|comprised|and)\b)[^;.(:•●▪·]){1,60}?)"
    r"(?=\s*(?:[;.(:•●▪·]|,\s*(?:which|including|consisting|comprised|and)\b|$))"
)
_NUMBERS = dict(
    zip(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], range(2, 11), strict=True)
)
_COUNT = re.compile(rf"\b({'|'.join(_NUMBERS)})\b[^.;:]{{0,40}}\bsegments\b", re.IGNORECASE)
_FOLLOWING = 8  # sentences after the one that announces the segments


def _segments(passages: Passages, search: Search) -> Finding | None:
    """The sentence that says which segments there are, with the list that follows it."""
    retrieved = retrieved_sentences(passages, search, SEGMENTS.query)
    candidates = rank_clause(SEGMENTS, passages, retrieved)
    if not candidates:
        return None
    best = candidates[0].sentence
    start, end = focus(passages, SEGMENTS, candidates[0])
    if _ITEM.match(best.plain):  # one of the list: the sentence that opens it says what they are
        before = passages.sentences[max(0, best.index - _FOLLOWING) : best.index]
        opening = next((s for s in reversed(before) if not _ITEM.match(s.plain)), None)
        if opening is None or ":" not in opening.plain:
            return None
        best, start, end = opening, opening.start, opening.end
    listed = [m["name"].strip() for m in _LISTED.finditer(best.plain)]
    names = listed or _segment_names(best.plain)
    if listed or len(names) < 2:
        names = listed
        count = 0
        for sentence in passages.sentences[best.index + 1 : best.index + 1 + _FOLLOWING]:
            if sentence.heading != best.heading or _TABULAR.search(sentence.plain):
                break
            more = [m["name"].strip() for m in _LISTED.finditer(sentence.plain)]
            if not more and (names or len(best.plain) >= 120 or count >= 4 or best.plain.endswith(":")):
                break
            names += more
            end, count = sentence.end, count + 1
    said = _COUNT.search(best.plain)
    if len(names) < 2 or (said and len(names) != _NUMBERS[said[1].lower()]):
        names = []  # not all of them, or more: the words of the report stand alone
    return Finding(
        "segments", TITLES["segments"], plain_quote(passages, start, end), ((start, end),), tuple(names)
    )


def _segment_names(text: str) -> list[str]:
    match = _SEGMENT_LIST.search(text)
    if not match:
        return []
    listed = re.sub(r"\([^)]*\)", "", match["list"]).split(". ")[0]
    names = [
        re.sub(r"^(?:and|our|the|[•●▪·\d)]+)\s+", "", n.strip(" .;:•"))
        for n in re.split(r",|;|\band\b(?=\s+[A-Z])|•", listed)
    ]
    names = [n.strip() for n in names]
    if any(n and not n[0].isupper() for n in names):
        names = [n for n in names if n and n[0].isupper()]
    return [n for n in names if 2 <= len(n) <= 50 and len(n.split()) <= 6]


_RISK_SECTION = re.compile(r"\brisk\s+factors?\b", re.IGNORECASE)
_RISKS_SHOWN = 5


def _risks(passages: Passages, search: Search) -> Finding | None:
    """The headings under "Risk Factors", which state the risks; else the sentences that do."""
    headings = [
        section
        for section in passages.document.sections
        if any(_RISK_SECTION.search(title) for title in section.path[:-1])
        and not _RISK_SECTION.search(section.title)
        and len(section.title.split()) >= 7
    ]
    headings = sorted(
        {section.title: section for section in reversed(headings)}.values(),
        key=lambda section: (section.start.page_index, section.start.start),
    )
    if len(headings) < 3:
        return _sentences(passages, FACTORS, search)
    ranges = _ranges(passages, [section.start for section in headings[:_RISKS_SHOWN]])
    text = " … ".join(plain_quote(passages, start, end) for start, end in ranges)
    return Finding("risks", TITLES["risks"], text, tuple(ranges))
