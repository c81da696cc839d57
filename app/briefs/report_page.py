"""The first page of a report's brief: figures against the year before, drivers, outlook and risks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from longleaf.app.briefs.clause_page import overlap, statement_of
from longleaf.app.proof.meaning import entails
from longleaf.app.proof.meaning.tables import Table, table_of
from longleaf.app.schema import KeyFact, Statement
from longleaf.app.text.sentences import Sentence, is_quotable
from longleaf.ingest.document import Document

FIGURES, DRIVERS, OUTLOOK, RISKS = "Figures", "What drove them", "Outlook", "Risks"
PAGE_ORDER = (FIGURES, DRIVERS, OUTLOOK, RISKS)
_MOST = {DRIVERS: 4, OUTLOOK: 4, RISKS: 4}
_MOVED = re.compile(r"\b(?:increas\w+|decreas\w+|grew|declin\w+|rose|fell|higher|lower)\b", re.IGNORECASE)
_TELLS = {
    DRIVERS: re.compile(
        r"\b(?:driven by|due to|attributable to|primarily|as a result of|reflect(?:s|ing|ed)|resulted from|"
        r"because of)\b",
        re.IGNORECASE,
    ),
    OUTLOOK: re.compile(
        r"\b(?:we|the company|management)\b[^.;]{0,40}\b(?:expects?|anticipates?|forecasts?|projects?)\b|"
        r"\bguidance\b|\boutlook\b",
        re.IGNORECASE,
    ),
    RISKS: re.compile(
        r"\b(?:could|may|might)\b[^.;]{0,100}\b(?:adversely|harm|negatively|materially|disrupt|impair)",
        re.IGNORECASE,
    ),
}
_HEADLINE = re.compile(
    r"\b(?:revenues?|net sales|sales|income|earnings|margin|profit|cash flow|expenses|segment|costs?)\b",
    re.IGNORECASE,
)


def page(
    document: Document, sentences: Sequence[Sentence], terms: Mapping[str, str], facts: Sequence[KeyFact]
) -> list[Statement]:
    told = [s for fact in facts if (s := against_prior_year(fact))]
    for group in (DRIVERS, OUTLOOK, RISKS):
        ranked = sorted(
            ((_score(group, s), s) for s in sentences if is_quotable(s)),
            key=lambda pair: (-pair[0], pair[1].order),
        )
        chosen: list[Statement] = []
        for points, sentence in ranked:
            if points < 2 or len(chosen) == _MOST[group]:
                break
            statement = statement_of(document, sentence, group, terms, _TELLS[group])
            if not any(overlap(statement, other) for other in (*told, *chosen)):
                chosen.append(statement)
        told += chosen
    return told


def _score(group: str, sentence: Sentence) -> float:
    text = sentence.text
    if len(text.split()) > 70 or not _TELLS[group].search(text):
        return 0.0
    points = 1.0 + min(len(_HEADLINE.findall(text)), 3) * 0.4
    if re.search(r"[$€£]\s?\d|\d\s?%", text):
        points += 0.8
    if group == DRIVERS and _MOVED.search(text):
        points += 0.8
    if group == RISKS:
        points += 0.8 if "risk" in " ".join(sentence.section_path).lower() else 0.0
        points += 0.4
    if group == OUTLOOK and re.search(r"\b(?:20\d\d|fiscal|full[- ]year|quarter|next)\b", text):
        points += 0.6
    if re.search(
        r"forward-looking|no assurance|accounting standard|unrecognized comp|in certain instances|"
        r"non-gaap financial measures",
        text,
        re.IGNORECASE,
    ):
        points -= 2.0
    return points


def against_prior_year(fact: KeyFact) -> Statement | None:
    """ "Total revenue was $17,606 million in 2022, up 11.5% from $15,785 million in 2021."."""
    if fact.status == "not_found" or not fact.citations:
        return None
    quotes = [citation.quote for citation in fact.citations]
    table = table_of("\n".join(quotes))
    if table is None or len(table.rows) != 1 or len(table.periods) < 2 or len(table.rows[0].values) < 2:
        return None
    text = _sentence(table)
    if text and entails(text, quotes).accepted:
        return Statement(
            text=text, status="computed", citations=fact.citations, topic=FIGURES, working=_working(table)
        )
    return None


def _sentence(table: Table) -> str:
    row = table.rows[0]
    new, old = row.values[0], row.values[1]
    first, second = table.periods[0], table.periods[1]
    if (
        new is None
        or old is None
        or not old
        or first.year is None
        or second.year is None
        or first.year == second.year
    ):
        return ""
    change = (new - old) / abs(old) * 100
    if new <= 0 or old <= 0:
        return ""
    label = re.sub(r"\s*\([^)]*\)", "", row.label).strip(" :")
    verb = "were" if label.lower().endswith("s") and not label.lower().endswith("ss") else "was"
    move = (
        f"up {abs(change):.1f}%" if change > 0 else f"down {abs(change):.1f}%" if change < 0 else "unchanged"
    )
    name = label[:1].upper() + label[1:]
    before = f"from {_money(table, old)} in {second.year}"
    return f"{name} {verb} {_money(table, new)} in {first.year}, {move} {before}."


def _money(table: Table, value: Decimal) -> str:
    name = {1000: " thousand", 10**6: " million", 10**9: " billion"}.get(int(table.scale), "")
    if re.search(r"per\b.*\bshare", table.rows[0].label, re.IGNORECASE):
        name = ""
    sign = "$" if table.currency else ""
    return f"{sign}{value:,}{name}"


def _working(table: Table) -> str:
    new, old = table.rows[0].values[0], table.rows[0].values[1]
    return f"({new:,} - {old:,}) / {old:,}"
