"""Answers by figures: read off the statements, or computed from them with the working and every operand cited."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from longleaf.app.calculate.calculator import Calculator, MissingOperand
from longleaf.app.calculate.formula import Item, Node, Value, parse
from longleaf.app.calculate.operands import Operand
from longleaf.app.calculate.periods import Period, period_words
from longleaf.app.calculate.question import Asked, read_question
from longleaf.app.calculate.ratios import BY_NAME as RATIOS
from longleaf.app.calculate.statements import Report, report_of
from longleaf.app.calculate.wording import for_working, rounded, shown, title_of, unit_of
from longleaf.app.facts import Search
from longleaf.app.proof.citations import cite
from longleaf.app.retrieval.document_routing import documents_named
from longleaf.app.schema import Citation, Statement
from longleaf.app.text.statement_pages import STATEMENTS
from longleaf.ingest.document import Document, Span

_COMPANIES = 5  # that make one answer


def answer_figures(documents: Sequence[Document], question: str, search: Search) -> Statement | None:
    """The answer by figures; None where the question is for something else, or nothing is to be said.

    `quoted` is a figure as it stands, `computed` has its working, `not_found` names what a formula lacks.
    """
    named = documents_named(question, documents)
    asked = read_question(question, _names(documents))
    if asked is None:
        return None
    reports = [report for document in named if (report := report_of(document)).newest]
    companies: dict[str, list[Report]] = {}
    for report in reports:
        companies.setdefault(company_key(report.document), []).append(report)
    if not companies or len(companies) > _COMPANIES:
        return None
    answers = [(own, _answer(asked, own)) for own in companies.values()]
    if len(answers) == 1:
        return answers[0][1]
    found = [(own, answer) for own, answer in answers if answer is not None]
    if not found:
        return None
    lines = [f"{own[0].document.name}: {answer.text}" for own, answer in found]
    statuses = [answer.status for _, answer in found if answer.status != "not_found"]
    return Statement(
        text="\n".join(lines),
        status="computed" if "computed" in statuses else "quoted" if statuses else "not_found",
        citations=[citation for _, answer in found for citation in answer.citations],
        working="\n".join(answer.working for _, answer in found if answer.working),
        pages_searched=sorted({page for _, answer in found for page in answer.pages_searched}),
    )


def company_key(document: Document) -> str:
    """What documents of one company have in common: the letters its file's name begins with."""
    stem = re.split(r"[\\/]", document.name)[-1]
    match = re.match(r"[^\W\d_]+(?:[ .&-]+[^\W\d_]+)*", stem)
    return (match.group(0) if match else stem).lower()


def _names(documents: Sequence[Document]) -> Callable[[str], bool]:
    """Whether a word in capitals is a company's name: the files bear it, or no table has it as a row or head."""
    stems = ["".join(ch for ch in document.name.lower() if ch.isalnum()) for document in documents]

    def is_name(word: str) -> bool:
        letters = "".join(ch for ch in word.lower() if ch.isalnum())
        if len(letters) >= 2 and any(letters in stem for stem in stems):
            return True
        return not any(letters in _row_words(document) for document in documents)

    return is_name


_WORDS: dict[str, frozenset[str]] = {}


def _row_words(document: Document) -> frozenset[str]:
    if document.sha256 not in _WORDS:
        if len(_WORDS) > 64:
            _WORDS.clear()
        texts = [
            text
            for found in report_of(document).tables
            for text in (*(row.label for row in found.table.rows), *(c.group for c in found.table.columns))
        ]
        _WORDS[document.sha256] = frozenset(re.findall(r"[a-z0-9]+", " ".join(texts).lower()))
    return _WORDS[document.sha256]


# --- one company ----------------------------------------------------------------------------------------


def _answer(asked: Asked, reports: Sequence[Report]) -> Statement | None:
    calculator = Calculator(reports, {name: node for name, node in asked.definitions.items() if name})
    period = _period(asked, reports)
    try:
        text, working = _RESULTS[asked.intent](asked, calculator, period)
    except MissingOperand as error:
        return _lacking(asked, reports, error)
    except ZeroDivisionError as error:
        return Statement(
            text=f"Not computed: the divisor is nought ({error}).",
            status="not_found",
            pages_searched=_pages(reports),
        )
    if not text:
        return None
    status = "computed" if working else "quoted"
    return Statement(text=text, status=status, citations=_citations(calculator.used), working=working)


def _period(asked: Asked, reports: Sequence[Report]) -> Period:
    newest = max(reports, key=lambda report: report.newest)
    if asked.date:
        return Period(int(asked.date[:4]), asked.months, asked.date)
    months = asked.months
    if not asked.years:
        return Period(0, months)
    year = max(asked.years)
    known = {
        newest.year(column)
        for kind in STATEMENTS
        for found in newest.statements(kind)[:1]
        for column in found.table.columns
        if column.kind == "amount" and column.year
    }
    if year not in known and year - 1 in known and not newest.annual and _of_fiscal(newest, year):
        year -= 1  # a quarter of the fiscal year that ends in the next
    return Period(year, months)


def _of_fiscal(report: Report, year: int) -> bool:
    pattern = re.compile(rf"\bfiscal\s+(?:year\s+)?{year}\b|\bFY\s?{year % 100}\b", re.IGNORECASE)
    return sum(len(pattern.findall(page.text)) for page in report.document.pages[:40]) >= 2


def _lacking(asked: Asked, reports: Sequence[Report], error: MissingOperand) -> Statement | None:
    """What a formula lacks; a plain figure that is not in the statements may stand elsewhere."""
    missing = error.missing
    plain = all(isinstance(node, Item) and node.name not in RATIOS for node in asked.nodes)
    if asked.intent == "value" and plain and not missing.reason.startswith("ambiguous"):
        return None
    name = (
        " and ".join(title_of(n, node) for n, node in zip(asked.names, asked.nodes, strict=True))
        or "The measure"
    )
    statement = _no_such_measure(asked, reports, name, missing.title)
    if statement is not None:
        return statement
    return Statement(
        text=f"Not computed: {name} needs {missing.title.lower()} of {missing.period}: {missing.reason}.",
        status="not_found",
        pages_searched=_pages(reports),
    )


_LENDER = re.compile(
    r"net interest income|provisions? for credit losses|net of interest expense|net premiums", re.IGNORECASE
)


def _no_such_measure(asked: Asked, reports: Sequence[Report], name: str, lacking: str) -> Statement | None:
    """Of a bank or insurer, whose statement of income has no such line, when the question allows for that."""
    if not asked.escape:
        return None
    for found in reports[0].statements("income")[:1]:
        telling = [row for row in found.table.rows if _LENDER.search(row.label)]
        if telling:
            page = found.table.page.page_index
            spans = [Span(page, row.start, row.end) for row in telling[:2]]
            return Statement(
                text=f"{name} is not a useful measure here: the statement of income of this company has no "
                f"{lacking.lower()}; it is led by {telling[0].label}.",
                status="computed",
                citations=cite(reports[0].document, [*spans, found.table.head]),
                working=f"{lacking}: none of the {len(found.table.rows)} rows of the statement of income",
            )
    return None


def _pages(reports: Sequence[Report]) -> list[int]:
    return sorted(
        {
            found.table.page.page_index
            for report in reports
            for found in report.tables
            if found.kind and found.score > 0
        }
    )


def _citations(used: Sequence[Operand]) -> list[Citation]:
    """Each row once, then the heads of their tables."""
    rows: dict[tuple[str, Span], Document] = {}
    heads: dict[tuple[str, Span], Document] = {}
    for operand in used:
        head, row = operand.spans
        rows[(operand.document.sha256, row)] = operand.document
        heads[(operand.document.sha256, head)] = operand.document
    return [citation for (_, span), document in (rows | heads).items() for citation in cite(document, [span])]


# --- the kinds of answers -------------------------------------------------------------------------------

Result = tuple[str, str]


def _measures(asked: Asked) -> Iterator[tuple[str, Node, str]]:
    for name, node in zip(asked.names, asked.nodes, strict=True):
        yield name, node, title_of(name, node)


def _sources(used: Sequence[Operand]) -> str:
    """The rows behind a result: "Total current assets 8,996; ... ($ million)"."""
    seen = dict.fromkeys(
        f"{operand.row.label or operand.title} {operand.cell.text} ({period_words(operand.column)})"
        for operand in used
    )
    units = dict.fromkeys(f"{operand.currency} {operand.scale}".strip() for operand in used)
    unit = ", ".join(unit for unit in units if unit)
    return "; ".join(seen) + (f"; in {unit}" if unit else "")


def _when(used: Sequence[Operand]) -> str:
    """The newest period of the figures used."""
    columns = [operand.column for operand in used]
    newest = max(columns, key=lambda column: (column.date or str(column.year), column.months))
    return period_words(newest)


def _value(asked: Asked, calculator: Calculator, period: Period) -> Result:
    texts, workings = [], []
    periods = [replace(period, year=year) for year in asked.years] if len(asked.years) > 1 else [period]
    for name, node, title in _measures(asked):
        for one in periods:
            before = len(calculator.used)
            value = calculator.value(node, one)
            used = calculator.used[before:]
            unit = unit_of(name, node)
            text = shown(
                value.value, unit, used, scale=asked.scale, decimals=asked.decimals, percent=asked.percent
            )
            plain = len(used) == 1 and value.working == _plain(used[0]) and isinstance(node, Item)
            if plain:
                texts.append(
                    f"{used[0].row.label or title} ({_when(used)}): {_converted(used[0], text, asked)}"
                )
                if asked.scale and asked.scale != used[0].scale:
                    workings.append(f"{_plain(used[0])} {used[0].scale} = {for_working(text)}")
            else:
                texts.append(f"{title} ({_when(used)}): {text}. {_sources(used)}")
                workings.append(f"{value.working} = {for_working(text)}")
    return "; ".join(texts), "\n".join(workings)


def _plain(operand: Operand) -> str:
    from longleaf.app.calculate.calculator import figure

    text = figure(operand.shown)
    return f"({text})" if operand.shown < 0 else text


def _converted(operand: Operand, text: str, asked: Asked) -> str:
    if asked.scale and asked.scale != operand.scale:
        return f"{text} ({operand.cell.text} {operand.scale})".replace(" )", ")")
    return text


def _two_values(
    asked: Asked, calculator: Calculator, node: Node, period: Period
) -> tuple[Value, Value, list[Operand], list[Operand]]:
    before = len(calculator.used)
    last = calculator.value(node, period)
    between = len(calculator.used)
    earlier = replace(period, year=min(asked.years)) if len(asked.years) > 1 else period.before()
    if len(asked.years) > 1 and period.year < max(asked.years):
        earlier = replace(earlier, year=earlier.year - 1)
    first = calculator.value(node, earlier)
    return first, last, calculator.used[before:between], calculator.used[between:]


def _change(asked: Asked, calculator: Calculator, period: Period) -> Result:
    texts, workings = [], []
    for name, node, title in _measures(asked):
        first, last, new, old = _two_values(asked, calculator, node, period)
        text, working = _told_change(asked, name, node, title, first, last, new, old)
        texts.append(text)
        workings.append(working)
    return "; ".join(texts), "\n".join(workings)


def _told_change(
    asked: Asked,
    name: str,
    node: Node,
    title: str,
    first: Value,
    last: Value,
    new: list[Operand],
    old: list[Operand],
) -> Result:
    unit = unit_of(name, node)
    difference = last.value - first.value
    verb = "rose" if difference > 0 else "fell" if difference < 0 else "did not change"
    how = {"scale": asked.scale, "percent": False}
    then, now = (shown(v.value, unit, o, **how) for v, o in ((first, old), (last, new)))  # type: ignore[arg-type]
    span = f"from {then} ({_when(old)}) to {now} ({_when(new)})"
    if unit in ("percent", "times", "days"):
        if unit == "percent":
            moved = f"{rounded(abs(difference) * 100, 1 if asked.decimals is None else asked.decimals)} percentage points"
        else:
            moved = shown(abs(difference), unit, new, decimals=asked.decimals)
        text = f"{title} {verb} {span}" + (f", by {moved}" if difference else "")
        working = f"{last.working} = {for_working(now)}; {first.working} = {for_working(then)}"
        return f"{text}. {_sources([*new, *old])}", working
    amount = shown(
        abs(difference), unit, new, scale=asked.scale, decimals=None if asked.percent else asked.decimals
    )
    a, b = last.working, first.working
    if first.value <= 0:
        text = f"{title} {verb} {span}" + (f", by {amount}" if difference else "")
        return f"{text}. {_sources([*new, *old])}", f"{a} − {_loose(b)} = {shown(difference, unit, new)}"
    share = difference / first.value
    relative = shown(share, "percent", new, decimals=asked.decimals if asked.percent else None, percent=True)
    working = f"({a} − {_loose(b)}) / {_loose(b)} = {for_working(relative)}"
    sizes = (
        f"{amount} ({relative})"
        if asked.difference and not asked.percent
        else f"{relative} ({amount})".replace("(−", "(")
    )
    if asked.difference:
        working = f"{a} − {_loose(b)} = {shown(difference, unit, new)}; {working}"
    text = (
        f"{title} {verb} by {sizes.lstrip('−')}, {span}" if difference else f"{title} did not change: {now}"
    )
    return f"{text}. {_sources([*new, *old])}", working


def _loose(working: str) -> str:
    return f"({working})" if re.search(r" [+−×/] ", working) else working


def _direction(asked: Asked, calculator: Calculator, period: Period) -> Result:
    name, node, title = next(_measures(asked))
    first, last, new, old = _two_values(asked, calculator, node, period)
    text, working = _told_change(asked, name, node, title, first, last, new, old)
    up = last.value > first.value
    better = RATIOS[name].better if name in RATIOS else 1
    if re.search(r"\bimprov|\bbetter\b", asked.words, re.IGNORECASE) and better < 0:
        up = last.value < first.value
    if re.search(r"\bworse|\bdeteriorat|\bweaken", asked.words, re.IGNORECASE) and better < 0:
        up = last.value < first.value
    agrees = up == (asked.wanted > 0) and last.value != first.value
    return (
        f"{'Yes' if agrees else 'No'}: {text[0].lower() + text[1:] if not text[:2].isupper() else text}",
        working,
    )


def _sign(asked: Asked, calculator: Calculator, period: Period) -> Result:
    name, node, title = next(_measures(asked))
    value = calculator.value(node, period)
    text = shown(
        value.value, unit_of(name, node), calculator.used, scale=asked.scale, decimals=asked.decimals
    )
    agrees = (value.value > 0) == (asked.wanted > 0) and value.value != 0
    kind = "positive" if value.value > 0 else "negative" if value.value < 0 else "nought"
    working = f"{value.working} = {for_working(text)}"
    return (
        f"{'Yes' if agrees else 'No'}: {title} is {kind}: {text} ({_when(calculator.used)}). {_sources(calculator.used)}",
        working,
    )


def _average(asked: Asked, calculator: Calculator, period: Period) -> Result:
    texts, workings = [], []
    for name, node, title in _measures(asked):
        if len(asked.years) > 1:
            periods = [replace(period, year=year) for year in sorted(asked.years)]
            if len(asked.years) == 2:
                periods = [
                    replace(period, year=year) for year in range(min(asked.years), max(asked.years) + 1)
                ]
        else:
            periods = [period.before(back) for back in range((asked.span or 3) - 1, -1, -1)]
        before = len(calculator.used)
        values = [calculator.value(node, one) for one in periods]
        used = calculator.used[before:]
        unit = unit_of(name, node)
        mean = sum((value.value for value in values), Decimal(0)) / len(values)
        text = shown(mean, unit, used, scale=asked.scale, decimals=asked.decimals, percent=asked.percent)
        each = ", ".join(
            shown(value.value, unit, used, scale=asked.scale, percent=asked.percent) for value in values
        )
        texts.append(
            f"Average {_lower(title)} of {len(values)} years to {_when(used)}: {text} ({each}). {_sources(used)}"
        )
        workings.append(
            f"({' + '.join(_product(value.working) for value in values)}) / {len(values)} = {for_working(text)}"
        )
    return "; ".join(texts), "\n".join(workings)


def _product(working: str) -> str:
    return f"({working})" if re.search(r" [+−] ", working) else working


def _lower(title: str) -> str:
    return title if title[:2].isupper() else title[0].lower() + title[1:]


def _cagr(asked: Asked, calculator: Calculator, period: Period) -> Result:
    name, node, title = next(_measures(asked))
    years = max(asked.years) - min(asked.years) if len(asked.years) > 1 else asked.span
    if not years:
        return "", ""
    earlier = replace(period, year=min(asked.years)) if len(asked.years) > 1 else period.before(years)
    before = len(calculator.used)
    last = calculator.value(node, period)
    first = calculator.value(node, earlier)
    used = calculator.used[before:]
    if first.value <= 0 or last.value <= 0:
        raise ZeroDivisionError("a growth rate needs two positive figures")
    rate = (last.value / first.value) ** (Decimal(1) / years) - 1
    text = shown(rate, "percent", used, decimals=asked.decimals, percent=True)
    working = f"({_loose(last.working)} / {_loose(first.working)})^(1/{years}) − 1 = {for_working(text)}"
    return (
        f"Compound annual growth of {_lower(title)} over {years} years to {_when(used)}: {text}. {_sources(used)}",
        working,
    )


def _steady(asked: Asked, calculator: Calculator, period: Period) -> Result:
    name, node, title = next(_measures(asked))
    unit = unit_of(name, node)
    values: list[tuple[Value, list[Operand]]] = []
    for back in range(3):
        before = len(calculator.used)
        try:
            value = calculator.value(node, period.before(back) if back else period)
        except MissingOperand:
            if back < 2:
                raise
            del calculator.used[before:]
            break
        values.append((value, calculator.used[before:]))
    figures = ", ".join(f"{shown(value.value, unit, used)} ({_when(used)})" for value, used in values)
    moves = [
        abs(a[0].value - b[0].value) if unit == "percent" else abs(a[0].value - b[0].value) / abs(b[0].value)
        for a, b in zip(values, values[1:], strict=False)
    ]
    most = rounded(max(moves) * 100, 1)
    what = "percentage points" if unit == "percent" else "%"
    working = "; ".join(
        f"{value.working} = {for_working(shown(value.value, unit, used))}" for value, used in values
    )
    head = ""
    if asked.limit:
        steady = max(moves) * 100 <= Decimal(asked.limit)
        head = "Yes: " if steady == (asked.wanted > 0) else "No: "
    return (
        f"{head}{title} moved by at most {most} {what} a year: {figures}. {_sources(calculator.used)}",
        working,
    )


def _most_cash(asked: Asked, calculator: Calculator, period: Period) -> Result:
    found = []
    for name in ("cfo", "cfi", "cff"):
        value = calculator.value(Item(name), period)
        found.append((value.value, title_of(name, Item(name)), calculator.used[-1]))
    found.sort(key=lambda one: one[0], reverse=True)
    told = [
        f"{title.removeprefix('Cash from ')} {shown(value, 'amount', [operand], scale=asked.scale)}"
        for value, title, operand in found
    ]
    best = found[0][1].removeprefix("Cash from ")
    working = " > ".join(_plain(operand) for _, _, operand in found)
    return (
        f"{best.capitalize()} brought in the most cash ({_when(calculator.used)}): {', '.join(told)}. {_sources(calculator.used)}",
        working,
    )


_INTENSITY = (
    ("Capital expenditures to revenue", "capex / revenue"),
    ("Net property, plant and equipment to total assets", "ppe / total_assets"),
    ("Net income to total assets at the year's end", "net_income / total_assets"),
)


def _intensity(asked: Asked, calculator: Calculator, period: Period) -> Result:
    """A judgement, for which the figures are given."""
    told, workings = [], []
    problem: MissingOperand | None = None
    for title, formula in _INTENSITY:
        before = len(calculator.used)
        try:
            value = calculator.value(parse(formula), period)
        except MissingOperand as error:
            problem = error
            del calculator.used[before:]
            continue
        text = shown(value.value, "percent", calculator.used)
        told.append(f"{title}: {text}")
        workings.append(f"{value.working} = {for_working(text)}")
    if not told and problem:
        raise problem
    return (
        f"Figures by which to judge it ({_when(calculator.used)}): {'; '.join(told)}. {_sources(calculator.used)}",
        "\n".join(workings),
    )


def _liquidity(asked: Asked, calculator: Calculator, period: Period) -> Result:
    name, node, title = next(_measures(asked))
    value = calculator.value(node, period)
    text = shown(value.value, "times", calculator.used, decimals=asked.decimals)
    above = value.value >= 1
    mark = "at or above" if above else "below"
    return (
        f"{'Yes' if above else 'No'}, by the usual mark of 1.0: {_lower(title)} is {text} ({_when(calculator.used)}), {mark} it. {_sources(calculator.used)}",
        f"{value.working} = {text}",
    )


def _paid(asked: Asked, calculator: Calculator, period: Period) -> Result:
    _, node, title = next(_measures(asked))
    value = calculator.value(node, period)
    text = shown(value.value, "amount", calculator.used, scale=asked.scale)
    return (
        f"{'Yes' if value.value > 0 else 'No'}: {_lower(title)} {text} ({_when(calculator.used)}). {_sources(calculator.used)}",
        f"{value.working} = {text}",
    )


_RESULTS: dict[str, Callable[[Asked, Calculator, Period], Result]] = {
    "value": _value,
    "change": _change,
    "average": _average,
    "cagr": _cagr,
    "direction": _direction,
    "sign": _sign,
    "steady": _steady,
    "most_cash": _most_cash,
    "intensity": _intensity,
    "liquidity": _liquidity,
    "paid": _paid,
}
