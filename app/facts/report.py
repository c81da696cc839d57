"""The key facts of a report: figures from its consolidated statements, sentences for the rest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from longleaf.app.facts.clauses import Clause, heading, rank_clause, rules
from longleaf.app.facts.contract import focus, plain_quote, retrieved_sentences
from longleaf.app.facts.document_text import Passages
from longleaf.app.facts.finding import Finding, Search
from longleaf.app.facts.statement_tables import Cell, Row, Statement, find_statements
from longleaf.ingest.document import Span

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


def _patterns(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


# In order of preference: the first pattern that any row's label matches decides.
_REVENUE = _patterns(
    r"^total\s+net\s+(?:revenues?|sales)(?:\s*\(.*\))?$",
    r"^total\s+(?:operating\s+)?revenues?(?:,?\s+net(?:\s+of\s+interest\s+expense)?)?(?:\s*\(.*\))?$",
    r"^total\s+(?:net\s+)?sales(?:\s+and\s+(?:other\s+)?(?:operating\s+)?revenues?)?$",
    r"^total\s+(?:\w+\s+){0,3}revenues?(?:\s+and\s+other\s+income)?$",
    r"^(?:consolidated\s+)?net\s+(?:operating\s+)?(?:revenues?|sales)(?:\s*\(.*\))?$",
    r"^(?:operating\s+)?revenues?(?:,?\s+net)?(?:\s*\(.*\))?$",
    r"^sales(?:\s+to\s+customers)?(?:,?\s+net)?(?:\s*\(.*\))?$",
    r"^(?:net\s+)?(?:revenues?|sales)\b(?!.*\bcost)",
)
_NET_INCOME = _patterns(
    r"^(?:consolidated\s+)?net\s+(?:income|earnings|\(?loss\)?)(?:\s*(?:/|and|"
    r"or)?\s*\(?loss(?:es)?\)?)?(?:\s*\([a-z0-9]\))?$",
    r"^net\s+(?:\(?loss\)?|income|earnings)\s*(?:\(loss\)|\(income\)|income)?\s*(?:including\s+.*)?$",
    r"^net\s+(?:income|earnings|loss|\(loss\)).*\b(?:attributable|applicable|available)\b",
    r"^(?:profit|loss|\(loss\)/profit|profit/\(loss\))\s+for\s+the\s+(?:year|period|quarter)",
)
_ATTRIBUTABLE = _patterns(
    r"^net\s+(?:income|earnings|\(?loss\)?|\(loss\)\s*income|income\s*\(loss\)|"
    r"earnings\s*\(loss\)).*\battributable\s+to\b(?!.*\bnon-?\s?controlling)(?!.*\bper\b)"
)
_CASH = _patterns(
    r"^total\s+cash\s+and\s+cash\s+equivalents",
    r"^cash\s+and\s+(?:cash\s+|temporary\s+cash\s+)?(?:equivalents|investments)",
    r"^cash,\s+cash\s+equivalents",
    r"^cash\s+and\s+(?:cash|short-term|marketable|temporary)",
    r"^cash\s+and\s+due\s+from\s+banks",
    r"^cash$",
)
_DEBT_TOTAL = _patterns(r"^total\s+(?:debt|borrowings)\b(?!.*\bequity)")
_DEBT = re.compile(
    r"^(?!.*\b(?:securities|issuance|deferred|extinguish\w*|interest\s+(?:payable|expense)|"
    r"receivable|trading|allowance|net\s+of\s+debt|total\s+"
    r"(?:current\s+)?liabilities)\b).*\b(?:debt|borrowings|notes\s+payable|commercial\s+paper|"
    r"loans\s+payable|bonds|senior\s+notes)\b",
    re.IGNORECASE,
)
_SHARES = re.compile(
    r"\b(?:weighted|average|shares\s+(?:used|outstanding)|number\s+of\s+shares|dividends?|book\s+value)\b",
    re.IGNORECASE,
)
_PER_SHARE = re.compile(
    r"\bper\s+(?:common\s+|ordinary\s+|diluted\s+|basic\s+)*share\b|\bearnings\s+per\b|\beps\b|"
    r"\bper\s+common\s+share\b",
    re.IGNORECASE,
)
_PARTIAL = re.compile(
    r"\b(?:continuing|discontinued|adjusted|core|non-gaap|operational|cumulative)\b", re.IGNORECASE
)
_FIGURE = re.compile(r"\d")

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
    income = find_statements(passages.document, "income")
    balance = find_statements(passages.document, "balance")
    yield "revenue", _figure(passages, "revenue", income, lambda s: _first(s, _REVENUE))
    yield "net_income", _figure(passages, "net_income", income, _net_income)
    yield "eps", _figure(passages, "eps", income, _per_share)
    yield "cash", _figure(passages, "cash", balance, lambda s: _first(s, _CASH))
    yield "debt", _total_debt(passages, _figure(passages, "debt", balance, _debt), balance)
    yield "segments", _segments(passages, search)
    yield "guidance", _sentences(passages, GUIDANCE, search)
    yield "risks", _risks(passages, search)


# --- figures --------------------------------------------------------------------------------------------


def _first(statement: Statement, patterns: Sequence[re.Pattern[str]]) -> list[Row]:
    for pattern in patterns:
        for row in statement.rows:
            if pattern.search(_bare(row.label)) and any(_FIGURE.search(cell.text) for cell in row.cells):
                return [row]
    return []


def _bare(label: str) -> str:
    """A row's label without the reference to a note at its end."""
    return re.sub(
        r"\s*\((?:see\s+)?notes?\b[^)]*\)\s*$|\s*\([a-z]\)\s*$", "", label, flags=re.IGNORECASE
    ).strip()


def _net_income(statement: Statement) -> list[Row]:
    rows = _first(statement, _NET_INCOME)
    for row in _first(statement, _ATTRIBUTABLE):
        if rows and row.start > rows[0].start and "." not in "".join(c.text for c in row.cells):
            rows.append(row)
    return rows


def _per_share(statement: Statement) -> list[Row]:
    """Diluted and basic earnings per share."""
    scored: dict[str, tuple[float, Row]] = {}
    for row in statement.rows:
        both = f"{row.context} / {row.label}"
        amounts = [cell.text for cell in row.cells if "." in cell.text]
        if not amounts or _SHARES.search(row.label) or not _PER_SHARE.search(both):
            continue
        if _SHARES.search(row.context.split(" / ")[-1]) and not _PER_SHARE.search(row.label):
            continue
        kind = next((k for k in ("diluted", "basic") if k in row.label.lower()), "")
        kind = kind or next(
            (k for k in ("diluted", "basic") if k in row.context.lower().split(" / ")[-1]), ""
        )
        kind = kind or next((k for k in ("diluted", "basic") if k in row.context.lower()), "")
        score = -2.0 if _PARTIAL.search(row.label) else 0.0
        score += 1 if kind else 0
        if kind not in scored or score > scored[kind][0]:
            scored[kind] = (score, row)
    kinds: list[str] = [k for k in ("diluted", "basic") if k in scored]
    if not kinds and "" in scored:
        kinds = [""]
    return [scored[kind][1] for kind in kinds]


def _debt(statement: Statement) -> list[Row]:
    total = _first(statement, _DEBT_TOTAL)
    if total:
        return total
    rows = [
        row
        for row in statement.rows
        if _DEBT.search(row.label)
        and any(_FIGURE.search(cell.text) for cell in row.cells)
        and len(row.label) < 200
    ]
    return rows[:4]


def _figure(
    passages: Passages, name: str, statements: Sequence[Statement], choose: Callable[[Statement], list[Row]]
) -> Finding | None:
    """The rows of the first statement that has them, in the column of the current period.

    A figure whose column or unit cannot be told is left out: none is better than a wrong one.
    """
    for statement in _with_year(statements):
        parts: list[str] = []
        values: list[str] = []
        spans: list[Span] = []
        for part in statement:
            rows, current = choose(part), part.current()
            if not rows or not current:
                continue
            spans.append(part.header)
            for row in rows:
                figures = [
                    (_amount(part, c, per_share=name == "eps"), part.columns[i])
                    for i, c in _cells(part, row, current)
                ]
                if not figures:
                    continue
                label = row.label
                if name == "eps" and not _PER_SHARE.search(label):
                    label = f"{row.context.split(' / ')[-1].rstrip(':')}: {label}"
                shown = ", ".join(f"{amount} ({f'{c.period} {c.year}'.strip()})" for amount, c in figures)
                parts.append(f"{label}: {shown}")
                values.extend(amount for amount, _ in figures)
                spans.append(Span(part.page.page_index, row.start, row.end))
        if values:
            return Finding(
                name, TITLES[name], "; ".join(parts), tuple(_ranges(passages, spans)), tuple(values)
            )
    return None


def _with_year(statements: Sequence[Statement]) -> Iterator[list[Statement]]:
    """Each statement, best first; that of a quarter together with the year's where one stands beside it."""
    for statement in statements:
        together = [statement]
        if statement.kind == "income" and not statement.of_a_year():
            beside = [
                other
                for other in statements
                if other.of_a_year() and abs(other.page.page_index - statement.page.page_index) <= 2
            ]
            together = [*beside[:1], statement]
        yield together


def _cells(statement: Statement, row: Row, columns: Sequence[int]) -> Iterator[tuple[int, Cell]]:
    for column in columns[:2]:
        cell = statement.cell(row, column)
        if cell is not None and _FIGURE.search(cell.text):
            yield column, cell


def _amount(statement: Statement, cell: Cell, *, per_share: bool) -> str:
    text = re.sub(r"[()$€£\s]", "", cell.text)
    minus = "-" if cell.text.startswith("(") or cell.text.startswith("-") else ""
    scale = "" if per_share or not statement.scale else f" {statement.scale}"
    return f"{minus}{statement.currency}{text.lstrip('-')}{scale}"


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


def _total_debt(passages: Passages, found: Finding | None, balance: Sequence[Statement]) -> Finding | None:
    """Adds the sentence that says the total of the balance sheet's year, if there is one."""
    year = balance[0].columns[balance[0].current()[0]].year if balance and balance[0].current() else ""
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


def _sentences(passages: Passages, clause: Clause, search: Search) -> Finding | None:
    retrieved = retrieved_sentences(passages, search, clause.query)
    candidates = rank_clause(clause, passages, retrieved)
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
_FOLLOWING = 6  # sentences after the one that announces the segments


def _segments(passages: Passages, search: Search) -> Finding | None:
    """The sentence that says which segments there are, with the list that follows it."""
    retrieved = retrieved_sentences(passages, search, SEGMENTS.query)
    candidates = rank_clause(SEGMENTS, passages, retrieved)
    if not candidates:
        return None
    best = candidates[0].sentence
    start, end = focus(passages, SEGMENTS, candidates[0])
    names = _segment_names(best.plain)
    if len(names) < 2:
        count = 0
        for sentence in passages.sentences[best.index + 1 : best.index + 1 + _FOLLOWING]:
            if sentence.heading != best.heading or _TABULAR.search(sentence.plain):
                break
            listed = re.match(
                r"(?:[•●▪·*]|\d\)|\([a-z\d]\))\s*(?:[Oo]ur\s+)?(?P<name>[A-Z][^;,.(:]{2,50})", sentence.plain
            )
            if not listed and not (len(best.plain) < 120 and count < 4 and not best.plain.endswith(":")):
                break
            if listed:
                names.append(listed["name"].strip())
            end, count = sentence.end, count + 1
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
