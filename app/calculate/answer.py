"""Answers by figures: read off the statements, or computed from them, with the working and every operand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from longleaf.app.calculate.calculator import Calculator, MissingOperand
from longleaf.app.calculate.companies import company_key, names_of_companies, of_length, period_of
from longleaf.app.calculate.extremes import ExtremeAsked, Ranked, extreme_asked, rank
from longleaf.app.calculate.formula import Item, Value
from longleaf.app.calculate.parts import PartAsked, find_part, part_asked
from longleaf.app.calculate.question import Asked, doubted_measure, read_question
from longleaf.app.calculate.ratios import BY_NAME as RATIOS
from longleaf.app.calculate.results import RESULTS
from longleaf.app.calculate.telling import converted, plain, sources, told_change, when
from longleaf.app.calculate.wording import for_working, shown, title_of, unit_of
from longleaf.app.facts import Search
from longleaf.app.facts.figures.operands import Operand
from longleaf.app.facts.figures.periods import Period
from longleaf.app.facts.figures.statements import Report, report_of
from longleaf.app.proof.citations import cite
from longleaf.app.retrieval.document_routing import documents_named
from longleaf.app.schema import Citation, Statement, Status
from longleaf.ingest.document import Document, Span

_WHOLE = ("most_cash", "intensity")  # questions that name no measure
_COMPANIES = 5  # that make one answer


def answer_figures(documents: Sequence[Document], question: str, search: Search) -> Statement | None:
    """The answer by figures; None where the question is for something else, or nothing is to be said.

    `quoted` is a figure as it stands, `computed` has its working, `not_found` names what a formula lacks.
    """
    is_name = names_of_companies(documents)
    extreme = extreme_asked(question, is_name)
    asked = extreme.asked if extreme else read_question(question, is_name)
    if asked is None:
        return _doubted(question, documents)
    whole = asked.nodes or asked.intent in _WHOLE or extreme
    part = None if whole else part_asked(asked, is_name)
    if part is None and not whole:
        return None
    named = documents_named(question, documents)
    if not asked.quarter:  # other years of the company's stand in its other filings
        keys = {company_key(document) for document in named}
        named = [document for document in documents if company_key(document) in keys]
    reports = [report for document in named if (report := report_of(document)).newest]
    companies: dict[str, list[Report]] = {}
    for report in reports:
        companies.setdefault(company_key(report.document), []).append(report)
    if not companies or len(companies) > _COMPANIES:
        return None
    answers = []
    for own in companies.values():
        if extreme:
            answers.append((own, _extreme(extreme, own)))
        else:
            answers.append((own, _of_part(asked, part, own) if part else _answer(asked, own)))
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


# --- one company ----------------------------------------------------------------------------------------


def _answer(asked: Asked, reports: Sequence[Report]) -> Statement | None:
    reports = of_length(asked, reports)
    calculator = Calculator(reports, {name: node for name, node in asked.definitions.items() if name})
    period = period_of(asked, reports)
    try:
        text, working = RESULTS[asked.intent](asked, calculator, period)
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
    if asked.scale and any(_unit_unsaid(operand) for operand in calculator.used):
        return Statement(
            text="Not computed: the statements do not say in which unit their figures are.",
            status="not_found",
            pages_searched=_pages(reports),
        )
    status: Status = "computed" if working else "quoted"
    return Statement(text=text, status=status, citations=_citations(calculator.used), working=working)


def _unit_unsaid(operand: Operand) -> bool:
    """Whether nothing is said of thousands or millions, and the figures are too small to be whole dollars."""
    if operand.scale or not operand.currency:
        return False
    values = [
        abs(cell.value) for row in operand.table.rows for cell in row.cells if cell and cell.value is not None
    ]
    return max(values) < 10**7


def _lacking(asked: Asked, reports: Sequence[Report], error: MissingOperand) -> Statement | None:
    """What a formula lacks; a plain figure that is not in the statements may stand elsewhere."""
    missing = error.missing
    lines_only = all(isinstance(node, Item) and node.name not in RATIOS for node in asked.nodes)
    if asked.intent == "value" and lines_only and not missing.reason.startswith("ambiguous"):
        return None
    name = (
        " and ".join(title_of(n, node) for n, node in zip(asked.names, asked.nodes, strict=True))
        or "The measure"
    )
    if asked.escape and (statement := _no_such_measure(reports, name, missing.title)):
        return statement
    return Statement(
        text=f"Not computed: {name} needs {missing.title.lower()} of {missing.period}: {missing.reason}.",
        status="not_found",
        pages_searched=_pages(reports),
    )


_LENDER = re.compile(
    r"net interest income|provisions? for credit losses|net of interest expense|net premiums", re.IGNORECASE
)


def _doubted(question: str, documents: Sequence[Document]) -> Statement | None:
    """That a measure is of no use for this company, where a question for the text allows for that."""
    name = doubted_measure(question)
    reports = [report_of(document) for document in documents_named(question, documents)] if name else []
    if len(reports) != 1:
        return None
    try:
        Calculator(reports, {}).value(Item(name), Period())
    except MissingOperand as error:
        return _no_such_measure(reports, RATIOS[name].title, error.missing.title)
    except ZeroDivisionError:
        return None
    return None


def _no_such_measure(reports: Sequence[Report], name: str, lacking: str) -> Statement | None:
    """Of a bank or insurer, whose statement of income has no such line."""
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


def _of_part(asked: Asked, part: PartAsked, reports: Sequence[Report]) -> Statement | None:
    """Of a segment, a region, a line of its own: a figure that only one row gives, or the change of it."""
    reports = of_length(asked, reports)
    last = period_of(asked, reports)
    periods = [last]
    if asked.intent in ("change", "direction"):
        periods.append(replace(last, year=min(asked.years)) if len(asked.years) > 1 else last.before())
    for report in sorted(reports, key=lambda one: one.newest, reverse=True):
        used = find_part(report, part, periods)
        if used is None:
            continue
        node = Item("eps_diluted" if not used[0].scale and "." in used[0].cell.text else "revenue")
        values = [Value(operand.value, plain(operand)) for operand in used]
        title = _title_of_part(used[0], part)
        if asked.intent == "value" and part.measure and _SHARE.search(asked.words):
            calculator = Calculator(reports, {})
            try:
                whole = calculator.value(Item(part.measure), last)
            except MissingOperand as error:
                return _lacking(asked, reports, error)
            share = shown(used[0].value / whole.value, "percent", used, decimals=asked.decimals, percent=True)
            used = [*used, *calculator.used]
            text = f"{title} as a share of {used[1].row.label} ({when(used)}): {share}. {sources(used)}"
            working = f"{values[0].working} / {whole.working} = {for_working(share)}"
        elif asked.intent == "value":
            text = shown(used[0].value, unit_of("", node), used, scale=asked.scale, decimals=asked.decimals)
            working = ""
            if asked.scale and asked.scale != used[0].scale:
                working = f"{plain(used[0])} {used[0].scale} = {for_working(text)}"
            text = f"{title} ({when(used)}): {converted(used[0], text, asked)}"
        else:
            text, working = told_change(asked, "", node, title, values[1], values[0], used[:1], used[1:])
            if asked.intent == "direction":
                up = values[0].value > values[1].value
                agrees = up == (asked.wanted > 0) and values[0].value != values[1].value
                text = f"{'Yes' if agrees else 'No'}: {text}"
        status: Status = "computed" if working else "quoted"
        return Statement(text=text, status=status, citations=_citations(used), working=working)
    return None


def _extreme(extreme: ExtremeAsked, reports: Sequence[Report]) -> Statement | None:
    """The largest or smallest of all lines or parts, with those that come after it."""
    ranked = rank(extreme, reports)
    if not ranked:
        return None
    used = [operand for one in ranked for operand in one.operands]
    told = [
        f"{one.name} "
        f"{_grown(one.rank) if len(one.operands) > 1 else shown(one.operands[0].value, 'amount', used)}"
        for one in ranked
    ]
    what = "lowest" if extreme.least else "highest"
    text = f"{told[0]} is the {what} ({when(used)}); then {', '.join(told[1:6])}."
    return Statement(
        text=text,
        status="computed",
        citations=_citations(used[: 2 * len(ranked[0].operands)]),
        working=(" < " if extreme.least else " > ").join(_step(one) for one in ranked),
    )


def _grown(rate: Decimal) -> str:
    return f"{'+' if rate > 0 else ''}{shown(rate, 'percent', (), percent=True)}"


def _step(one: Ranked) -> str:
    if len(one.operands) == 1:
        return plain(one.operands[0])
    now, then = (plain(operand) for operand in one.operands)
    return f"({now} − {then}) / {then} = {for_working(_grown(one.rank))}"


_SHARE = re.compile(
    r"\b(?:share|percentage|per ?cent|proportion|portion|fraction) of\b|% of\b", re.IGNORECASE
)


def _title_of_part(operand: Operand, part: PartAsked) -> str:
    """The row's label, after the head or title that names the part where the label does not."""
    label = operand.row.label
    if part.words <= set(re.findall(r"[a-z0-9]+", label.lower())):
        return label
    over = operand.column.group or next(
        (
            line
            for line in reversed(operand.table.title)
            if part.words <= set(re.findall(r"[a-z0-9]+", line.lower()))
        ),
        "",
    )
    return f"{over}, {label}" if over else label
