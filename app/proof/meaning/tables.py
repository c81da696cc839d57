"""Rows of figures: which figure stands under which period, in which scale, and what a statement says of them."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from longleaf.app.proof.meaning.amounts import Amount, amount_of, direction_of, rounds_to
from longleaf.app.proof.meaning.figures import find_dates, find_numbers
from longleaf.app.proof.meaning.lexicon import classes_of, contrasts, stems_of
from longleaf.app.proof.meaning.stems import stem
from longleaf.app.text.wording import word_set

_CELL = r"(?:\(?\s?[$€£]?\s?\(?\s?\d[\d,]*(?:\.\d+)?\s?\)?\s?%?\)?|[—–]|-(?=\s|$))"
_ROW = re.compile(
    rf"^(?P<label>\S.*?[A-Za-z)\]’'%:.*]|\S)\s{{1,}}(?P<cells>[$€£]?\s*{_CELL}(?:\s+[$€£]?\s*{_CELL})*)\s*$"
)
_ONE = re.compile(_CELL)
_SCALE = re.compile(r"\b(?P<scale>thousand|million|billion)s?\b", re.IGNORECASE)
_SCALES = {"thousand": Decimal(1000), "million": Decimal(10**6), "billion": Decimal(10**9)}
_PER_SHARE = re.compile(r"\bper\b.{0,30}\bshare\b|\bEPS\b|\bearnings per\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_name) if name} | {
    name.lower(): i for i, name in enumerate(calendar.month_abbr) if name
}
_ANY_MONTH = re.compile(
    r"\b(?:" + "|".join([*calendar.month_name[1:], *calendar.month_abbr[1:]]) + r")\b\.?", re.IGNORECASE
)
_PERIOD_END = re.compile(r"\b(?:" + "|".join(calendar.month_name[1:]) + r")$", re.IGNORECASE)
_HEADING = re.compile(
    r"\b(?:ended|ending|in (?:thousand|million|billion)s|except|unaudited|as of|as at|fiscal years?|quarters?|months|weeks)\b|^(?:"
    + "|".join(calendar.month_name[1:])
    + r")\b",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(r"\b(" + "|".join(calendar.month_name[1:]) + r")\.?\s+(\d{1,2}),?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Period:
    year: int | None
    month: int | None = None
    day: int | None = None

    def fits(self, other: Period) -> bool:
        return all(
            a is None or b is None or a == b
            for a, b in ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        )


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    group: str
    values: tuple[Decimal | None, ...]
    percent: bool


@dataclass(frozen=True, slots=True)
class Table:
    heading: str
    scale: Decimal
    currency: bool
    periods: tuple[Period, ...]
    rows: tuple[Row, ...]


def table_of(source: str) -> Table | None:
    """The table that a source is; None for prose."""
    lines = [line.rstrip() for line in source.splitlines() if line.strip()]
    rows: list[Row] = []
    heading: list[str] = []
    group = ""
    for line in lines:
        match = _ROW.match(line.strip())
        cells = _cells(match["cells"]) if match else []
        headed = match is not None and _is_heading(match["label"], match["cells"], bool(rows))
        if match is None or not cells or headed or len(match["label"].split()) > 16:
            if rows or (
                heading
                and not _YEAR.search(line)
                and not _SCALE.search(line)
                and len(line.split()) < 9
                and _had_years(heading)
            ):
                group = line.strip(" :")
            else:
                heading.append(line)
            continue
        rows.append(Row(match["label"].strip(" :$"), group, tuple(cells), "%" in match["cells"]))
    if not rows or not heading:
        return None
    top = "\n".join(heading)
    columns = max(len(row.values) for row in rows)
    if any(len(re.findall(r"[a-z]{2,}", line)) > 25 for line in lines):
        return None
    scale = _SCALE.search(top)
    return Table(
        top,
        _SCALES[scale["scale"].lower()] if scale else Decimal(1),
        "$" in source,
        tuple(_periods(heading, columns)),
        tuple(rows),
    )


def _had_years(heading: Sequence[str]) -> bool:
    return any(_YEAR.search(line) or re.search(r"\d/\d", line) for line in heading)


def _is_heading(label: str, cells: str, after_rows: bool) -> bool:
    numbers = re.findall(r"\d[\d,.]*", cells)
    years = all(_YEAR.fullmatch(n.strip(",.")) for n in numbers) if numbers else False
    if years or _PERIOD_END.search(label):
        return True
    return not after_rows and bool(
        _HEADING.search(label)
        or (all(_YEAR.fullmatch(n.strip(",.")) for n in numbers[1:]) and len(numbers) > 2)
    )


def _cells(text: str) -> list[Decimal | None]:
    cells: list[Decimal | None] = []
    for match in _ONE.finditer(text):
        digits = re.search(r"\d[\d,]*(?:\.\d+)?", match.group(0))
        if not digits:
            cells.append(Decimal(0))
            continue
        value = Decimal(digits.group(0).replace(",", ""))
        cells.append(-value if "(" in match.group(0) and ")" in match.group(0) else value)
    return cells


def _periods(heading: Sequence[str], columns: int) -> list[Period]:
    text = "\n".join(heading)
    dates = [Period(d.year, d.month, d.day) for d in find_dates(text) if d.year]
    if len(dates) == columns:
        return dates
    for line in reversed(heading):
        years = [int(y) for y in _YEAR.findall(line)]
        if len(years) == columns or (len(years) > 1 and len(years) < columns):
            days = [
                (_MONTHS[m.group(1).lower()], int(m.group(2)))
                for other in heading
                for m in _MONTH_DAY.finditer(other)
            ]
            if len(days) == len(years):
                return [Period(y, m, d) for y, (m, d) in zip(years, days, strict=True)]
            if len(days) == 1:
                return [Period(y, *days[0]) for y in years]
            return [Period(y) for y in years]
    return dates[:columns]


# --- what a statement says of a row ---------------------------------------------------------------------

_NEGATIVE_WORDS = re.compile(
    r"\b(?:loss(?:es)?|lost|credit|benefit|negative|deficit|outflow|refund|release|gain|minus|reversal|income)\b",
    re.IGNORECASE,
)
_NIL = re.compile(r"\b(?:none|nil|nothing|no|zero)\b", re.IGNORECASE)
_PRIOR = re.compile(
    r"\b(?:(?:the )?(?:prior|previous|preceding)(?:[ -](?:year|fiscal year|period|quarter)\w*)|(?:a |the |one )?year (?:earlier|ago|before)|last year|the year before)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"(?:\bby|\b(?:rise|increase|growth|gain|drop|decrease|decline|fall|reduction|change|difference|swing)\s+(?:of|was|is)|\b(?:up|down|rose|grew|fell|increased|decreased|declined|dropped|climbed))\s*(?:about|around|approximately|roughly|nearly|almost|more than|over|less than|just over|just under|some|an?)?\s*$",
    re.IGNORECASE,
)
_CHANGE_AFTER = re.compile(
    r"^\s*(?:more|less|higher|lower|greater|fewer|above|below|increase|decrease|rise|decline|drop|growth|better|smaller|larger)\b",
    re.IGNORECASE,
)
_TABLE_WORDS = frozenset(
    stem
    for word in """be come stand amount total reach equal report record post rise increase grow climb jump gain fall drop
    decrease decline lower higher up down more less about approximately roughly nearly almost over around year fiscal
    quarter week month ended end period million billion thousand dollar percent company group from to compared against
    versus than after before prior previous earlier same time none nil nothing zero no cost charge expense make made generate
    show change by between respectively only just also level figure number unchanged flat double triple half doubled halved
    tripled loss negative credit benefit increase worth value its whole amount all in sum combined together average per each
    another high highest low lowest most least further slight slightly sharply strongly year-on-year business operations earn
    earned lose lost have has had declared paid run ran spend spent used provide provided bring brought difference
    first second third two three four five both turn turned swing swung profit income positive mark marked past last one
    bigger smaller larger narrow widen ago account share percentage point date day sink sank shrink shrank pay
    exceed exceeded twice times remain remained equivalent available hold held own owned owe owed carry carried total totalled""".split()
    for stem in stems_of(word)
)
_STOP = word_set(
    "there a an the of and or in on at to for by with from as it its their was were is are be been that which while but had has have this these our we not both"
)


def unproven(table: Table, statement: str) -> list[str]:
    """What a statement says that a table of figures does not show; None if it is not about the table."""
    rows = _rows_meant(table, statement)
    if not rows:
        return ["the row that it tells of is not there"]
    if re.search(r"\b(?:not|never|(?<!year )before|until|unless|if)\b", statement):
        return ["it says more than a table shows"]
    problems = [*_times(table, statement), *_foreign_words(table, rows, statement)]
    if problems:
        return problems
    if not table.periods:
        return ["the columns of the table have no period"]
    for group in rows:
        failed = _figures(table, group, statement)
        if not failed:
            return []
    return failed


def _rows_meant(table: Table, statement: str) -> list[list[Row]]:
    """Rows of which all telling words stand in the statement, the longest label first."""
    margin = re.search(r"\b(gross|operating|net|profit)\s+(?:profit\s+)?margin\b", statement, re.IGNORECASE)
    if margin:
        return _margin_rows(table, margin.group(1).lower())
    said = set(stems_of(statement))

    said_classes = {c for s in said for c in classes_of(s)}
    best: list[tuple[int, Row]] = []
    for row in table.rows:
        label = [s for s in stems_of(re.sub(r"\([^)]*\)|/", " ", row.label)) if s not in _STOP]
        missing = [s for s in label if s not in said and not (classes_of(s) & said_classes and s not in _KEY)]
        optional = [s for s in missing if s in _OPTIONAL]
        if row.group and not _MEASURE.search(row.label) and not said & (set(stems_of(row.group)) - _STOP):
            continue
        spare = 1 if len(label) >= 4 and not set(missing) & _KEY else 0
        if label and len(missing) - len(optional) <= spare and len(missing) < max(len(label), 1):
            best.append((len(label) - len(missing), row))
    best.sort(key=lambda pair: -pair[0])
    if not best:
        return []
    top = best[0][0]
    rows = [row for size, row in best if size == top]
    if len(best) > 1 and _covers_several(statement):
        return [[row for _, row in best[:2]], *([r] for r in rows)]
    return [[r] for r in rows]


_MEASURE = re.compile(
    r"\b(?:revenue|income|profit|loss|expense|cost|cash|asset|charge|sale|debt|tax|earning|share|liabilit|equity|receivable|payable|inventor|margin|dividend|fee|premium|amorti[sz]ation|depreciation|impairment|goodwill|interest|marketing|research|development|administrative|provision|borrowing|note|investment|capital|securities|loan|deposit|reward|benefit|claim|compensation|proceed|purchase|repurchase|payment|rate|total|net)",
    re.IGNORECASE,
)
_KEY = frozenset(
    s
    for w in "revenue income profit loss sales cash debt asset liability earnings operating net gross cost expense interest equity share dividend tax".split()
    for s in stems_of(w)
)
_OPTIONAL = frozenset(
    s
    for w in "used provided total net activities obligations declared consolidated attributable company other expense".split()
    for s in stems_of(w)
)


def _times(table: Table, statement: str) -> list[str]:
    """Lengths of time that the heading does not have: "three weeks ended" of three months."""
    low = table.heading.lower()
    problems = []
    for match in re.finditer(r"\b(?:(\w+)[\s-]+)?(months?|weeks?|quarters?|days?)\b", statement.lower()):
        unit = match.group(2).rstrip("s")
        if match.group(1) in ("prior", "previous", "last", "a") and unit in ("month", "week", "day"):
            problems.append(f"“{match.group(0)}” is not in the heading")
        if match.group(1) in ("prior", "previous", "same", "the", "a"):
            if unit not in low and not (unit == "quarter" and re.search(r"three months|1[23] weeks", low)):
                problems.append(f"“{match.group(0)}” is not in the heading")
            continue
        if not re.search(rf"\b{match.group(1)}[\s-]+{unit}|{unit}", low) or (
            match.group(1)
            and re.fullmatch(r"\d+|two|three|five|six|nine|twelve|thirteen", match.group(1))
            and not re.search(rf"\b{match.group(1)}\b", low)
        ):
            if not (unit == "quarter" and re.search(r"three months|1[23] weeks|quarter", low)):
                problems.append(f"“{match.group(0)}” is not in the heading")
    if re.search(r"\b(?:fiscal|financial) (?:months?|weeks?)\b", statement.lower()):
        problems.append("the period is another")
    return problems


def _margin_rows(table: Table, kind: str) -> list[list[Row]]:
    """The profit and the revenue that a margin is made of."""
    wanted = {
        "gross": r"^gross (?:profit|margin)",
        "operating": r"^operating (?:income|profit)",
        "net": r"^net (?:income|earnings)",
        "profit": r"^net (?:income|earnings)",
    }
    profits = [r for r in table.rows if re.search(wanted[kind], r.label, re.IGNORECASE)]
    revenues = [
        r for r in table.rows if re.search(r"^(?:total |net )*(?:revenues?|sales)\b", r.label, re.IGNORECASE)
    ]
    revenues.sort(key=lambda r: not r.label.lower().startswith("total"))
    return [[profits[0], revenues[0]]] if profits and revenues else []


def _foreign_words(table: Table, rows: Sequence[Sequence[Row]], statement: str) -> list[str]:
    known = set(stems_of(table.heading)) | {"fiscal"}
    for group in rows:
        for row in group:
            known |= set(stems_of(f"{row.label} {row.group}"))
    classes = {c for s in known for c in classes_of(s)}
    bare = re.sub(r"[$€£]?\d[\d,./]*%?|['’]s\b", " ", statement)
    bare = _ANY_MONTH.sub(" ", bare)
    problems = []
    plain: list[str] = []
    known.add("ther")
    names = {stem(w.lower()) for w in re.findall(r"(?<=[a-z,] )[A-Z][A-Za-z]+", bare)}
    for stem_ in stems_of(bare):
        if stem_ in known or stem_ in _STOP or stem_ in _TABLE_WORDS or stem_ in _MONTHS:
            continue
        if contrasts().get(stem_, frozenset()) & known:
            problems.append(f"“{stem_}” is not what the row tells of")
        elif not classes_of(stem_) & classes:
            # A word that names another thing weighs first.
            telling = stem_ in names or stem_ in _KEY or _MEASURE.match(stem_)
            (problems if telling else plain).append(f"“{stem_}” is not in the table")
    return problems + plain


def _figures(table: Table, rows: Sequence[Row], statement: str) -> list[str]:
    row = rows[0]
    scale = Decimal(1) if row.percent or _PER_SHARE.search(row.label) else table.scale
    values = [v * scale if v is not None else None for v in row.values]
    mentions = list(_periods_said(table, statement))
    wrong = [text for _, _, column, text in mentions if column is None]
    if wrong:
        return [f"the table has no column for {wrong[0]}"]
    taken = [(start, end) for start, end, _, _ in mentions]
    numbers = [
        amount_of(statement, n)
        for n in find_numbers(statement)
        if not any(s < n.end and n.start < e for s, e in taken)
        and not n.ordinal
        and not _is_count(statement, n.start, n.end)
    ]
    columns = [
        c
        for s, _, c, text in mentions
        if c is not None and not _PRIOR.fullmatch(text) and not _is_base(statement, s)
    ]
    bases = [c for s, _, c, text in mentions if c is not None and _is_base(statement, s)]
    newest = min(columns) if columns else max(min(bases) - 1, 0) if bases else 0

    older = _older(table, newest, [*columns, *bases])

    if _covers_several(statement) or len(rows) > 1:
        return _combined(table, rows, statement, numbers, columns)
    problems = []
    problems += _direction(_without_label(statement, row), values, newest, older)
    levels = 0
    changed = False
    for amount in numbers:
        before, after = statement[: amount.start], statement[amount.end :]
        if (
            _CHANGE.search(before)
            or _CHANGE_AFTER.search(after)
            or (
                changed
                and re.search(r"\bor\s+(?:about |around |roughly |approximately |nearly |almost )?$", before)
            )
        ):
            changed = True
            problems += _change(statement, amount, values, newest, older, row, scale)
            continue
        levels += 1
        column = _column_for(statement, amount, mentions, newest, older)
        value = values[column] if column is not None and column < len(values) else None
        if value is None:
            problems.append(f"{amount.text}: no figure for its period")
            continue
        if not _same_money(table, amount, value, scale, row):
            problems.append(f"{amount.text} is not the figure of its row and period")
            continue
        problems += _sign(statement, row, value, values, amount)
    for match in _NIL.finditer(statement):
        if match.group(0).lower() == "no" and re.match(
            r"\s+(?:change|longer|more|less)", statement[match.end() :]
        ):
            continue
        near = [c for s, _, c, _ in mentions if s >= match.start() and c is not None] or columns
        column = near[0] if near else 0
        if column >= len(values) or values[column] != 0:
            problems.append("none is not what the table shows")
        levels += 1
    if not numbers and not levels and not direction_of(statement) and not _multiple(statement):
        problems.append("it tells no figure of the table")
    problems += _growth(statement, values, newest, older)
    return problems


def _same_money(table: Table, amount: Amount, value: Decimal, scale: Decimal, row: Row) -> bool:
    if row.percent != (amount.unit == "%"):
        return False
    if rounds_to(amount, value) and (amount.unit or scale == 1):
        return True
    # A bare figure, as the table prints it: "1,910,197"
    return not amount.unit and abs(amount.value) == abs(value / scale) and bool(re.search(r"\d", amount.text))


def _is_count(statement: str, start: int, end: int) -> bool:
    """ "12 weeks", "three months", "the three years": no figures of the row."""
    tail = statement[end : end + 12].lstrip(" -").lower()
    return bool(re.match(r"(?:week|month|year|quarter|day|fiscal|segment|of the|times)", tail))


def _periods_said(table: Table, statement: str) -> Iterator[tuple[int, int, int | None, str]]:
    """Periods of the statement in order, with their columns; None if the table has none such."""
    taken: list[tuple[int, int]] = []
    found: list[tuple[int, int, int | None, str]] = []
    for date in find_dates(statement):
        column = next(
            (
                i
                for i, p in enumerate(table.periods)
                if p.fits(Period(date.year, date.month, date.day)) and p.year == date.year
            ),
            None,
        )
        if column is not None and date.month and table.periods[column].month is None:
            months = [
                m for name, m in _MONTHS.items() if re.search(rf"\b{name}\b", table.heading, re.IGNORECASE)
            ]
            if months and date.month not in months:
                column = None
        found.append((date.start, date.end, column, date.text))
        taken.append((date.start, date.end))
    for match in _YEAR.finditer(statement):
        if any(s <= match.start() < e for s, e in taken) or statement[match.start() - 1 : match.start()] in (
            "$",
            ",",
        ):
            continue
        column = next((i for i, p in enumerate(table.periods) if p.year == int(match.group(0))), None)
        found.append((match.start(), match.end(), column, match.group(0)))
    found.sort()
    for match in _PRIOR.finditer(statement):
        stated = [c for _, _, c, _ in found if c is not None]
        newest = min(stated) if stated else 0
        older = _older(table, newest, [])
        found.append((match.start(), match.end(), older, match.group(0)))
    yield from sorted(found, key=lambda item: item[0])


def _older(table: Table, newest: int, columns: Sequence[int]) -> int | None:
    others = [c for c in columns if c != newest]
    if others:
        return others[0]
    year = table.periods[newest].year if newest < len(table.periods) else None
    for i, period in enumerate(table.periods):
        if (
            year
            and period.year == year - 1
            and (
                period.month == table.periods[newest].month
                or period.month is None
                or abs((period.month or 0) - (table.periods[newest].month or 0)) in (1, 11)
            )
        ):
            return i
    ahead = newest + 1
    if len(table.periods) == 2 and ahead < 2:
        return ahead
    return None


def _column_for(
    statement: str,
    amount: Amount,
    mentions: Sequence[tuple[int, int, int | None, str]],
    newest: int,
    older: int | None,
) -> int | None:
    before = statement[max(0, amount.start - 28) : amount.start].lower()
    columns = [(s, e, c) for s, e, c, _ in mentions if c is not None]
    after = [(s, c) for s, _, c in columns if s >= amount.end]
    if after:
        start, column = after[0]
        between = statement[amount.end : start]
        if (
            not re.search(
                r"[$€£]?\d|[;]|,\s*(?:and|while|but|compared|from|against|up|down|after)\b", between
            )
            and len(between) < 45
        ):
            if not (re.search(r"\bfrom\s+\S{0,12}\s*$", before) and re.search(r"\bto\b", between)):
                return column
    if re.search(
        r"\b(?:from|compared with|compared to|against|versus|than|after|up from|down from)\s+(?:about |around |a |an |loss of |profit of |approximately |roughly )*$",
        before,
    ):
        return older
    preceding = [(e, c) for _, e, c in columns if e <= amount.start]
    if len({c for _, _, c in columns}) <= 1:
        return newest
    if re.search(r"\bto\s+(?:about |around |approximately |roughly )*$", before):
        return newest
    if preceding:
        return preceding[-1][1]
    return newest


def _without_label(statement: str, row: Row) -> str:
    for word in re.findall(r"[A-Za-z]+", row.label):
        statement = re.sub(rf"\b{word}\b", " ", statement, flags=re.IGNORECASE)
    return statement


def _direction(statement: str, values: Sequence[Decimal | None], newest: int, older: int | None) -> list[str]:
    up = direction_of(statement)
    if not up:
        return []
    new = values[newest] if newest < len(values) else None
    old = values[older] if older is not None and older < len(values) else None
    if new is None or old is None:
        return ["a change, and no earlier figure"]
    if all(v is not None and v <= 0 for v in values):
        new, old = abs(new), abs(old)
    if (new - old) * up <= 0:
        return ["it rose" if new > old else "it did not rise or fall as told"]
    return []


def _change(
    statement: str,
    amount: Amount,
    values: Sequence[Decimal | None],
    newest: int,
    older: int | None,
    row: Row,
    scale: Decimal,
) -> list[str]:
    new = values[newest] if newest < len(values) else None
    old = values[older] if older is not None and older < len(values) else None
    if new is None or old is None:
        return [f"{amount.text}: a change, and no earlier figure"]
    if amount.unit == "%" and row.percent:
        return (
            []
            if re.search(r"\bpoints?\b", statement) and rounds_to(amount, new - old)
            else [f"{amount.text} is not the change"]
        )
    if amount.unit == "%":
        right = old != 0 and rounds_to(amount, (abs(new) - abs(old)) / abs(old) * 100)
    else:
        right = rounds_to(amount, new - old) or (not amount.unit and rounds_to(amount, (new - old) / scale))
    return [] if right else [f"{amount.text} is not the change"]


def _sign(
    statement: str, row: Row, value: Decimal, values: Sequence[Decimal | None], amount: Amount
) -> list[str]:
    clause = re.split(
        r"[;,]|\b(?:and|while|but|from|compared|after)\b", statement[max(0, amount.start - 60) : amount.start]
    )[-1]
    clause += re.split(
        r"[;,]|\b(?:and|while|but|in|from|compared|after)\b", statement[amount.end : amount.end + 30]
    )[0]
    for word in re.findall(r"\w+", re.sub(r"\([^)]*\)|/.*", " ", f"{row.label} {row.group}")):
        clause = re.sub(rf"\b{re.escape(word)}\b", " ", clause, flags=re.IGNORECASE)
    whole = statement
    known = [v for v in values if v]
    mixed = any(v > 0 for v in known) and any(v < 0 for v in known)
    labelled = bool(
        re.search(
            r"loss|used|expense|paid|cost|repurchase|payment|provision|tax|charge|deficit|purchase|dividend",
            row.label,
            re.IGNORECASE,
        )
    )
    losses = (
        bool(re.search(r"\b(?:loss|losses|lost|negative|deficit|outflow|minus)\b", clause, re.IGNORECASE))
        or amount.value < 0
    )
    credit = bool(re.search(r"\b(?:credit|benefit|gain|reversal|release|income)\b", clause, re.IGNORECASE))
    turned = re.search(r"\(\s*(loss|expense|used|deficit)", row.label, re.IGNORECASE)
    if turned:
        negative = bool(
            re.search(
                r"\b(?:loss|lost|expense|used|cost|outflow|negative|deficit|charge)\b",
                re.split(
                    r"[;,]|\b(?:against|while|but|compared|after)\b",
                    statement[max(0, amount.start - 60) : amount.start],
                )[-1]
                + statement[amount.end : amount.end + 12],
                re.IGNORECASE,
            )
        )
        return [] if negative == (value < 0) else [f"{amount.text}: the sign is another"]
    if mixed and value < 0:
        charge = bool(
            re.search(r"charge|provision|expense|cost|tax", f"{row.label} {row.group}", re.IGNORECASE)
        )
        if charge and not (credit or losses):
            return [f"{amount.text}: the figure is a credit"]
        if not charge and not losses:
            return [f"{amount.text}: the figure is negative"]
    if (
        not mixed
        and value < 0
        and not labelled
        and not losses
        and not re.search(r"loss|used|spent|outflow", whole, re.IGNORECASE)
    ):
        return [f"{amount.text}: the figure is negative"]
    if value > 0 and losses and not re.search(r"loss|deficit", f"{row.label} {row.group}", re.IGNORECASE):
        return [f"{amount.text}: the figure is positive"]
    if value > 0 and losses and mixed:
        return [f"{amount.text}: the figure is positive"]
    return []


def _is_base(statement: str, at: int) -> bool:
    """ "compared with the same period of 2022": the year is the one compared with."""
    return bool(re.search(r"\b(?:compared (?:with|to)|versus|against|than)\b[^.;\d]{0,40}$", statement[:at]))


def _covers_several(statement: str) -> bool:
    return bool(
        re.search(
            r"\b(?:combined|together|sum|in total|altogether|average\w*|over the (?:two|three|four|five)|in all|margin|of (?:total|net) (?:revenue|sales)\w*|ratio)\b|% of\b|percent of\b",
            statement,
            re.IGNORECASE,
        )
    )


def _combined(
    table: Table, rows: Sequence[Row], statement: str, numbers: Sequence[Amount], columns: Sequence[int]
) -> list[str]:
    """Sums, averages and shares over periods or over two rows."""
    if not numbers:
        return ["it tells no figure of the table"]
    problems = []
    for amount in numbers:
        if not any(rounds_to(amount, value) for value in _totals(table, rows, statement, amount, columns)):
            problems.append(f"{amount.text} does not follow from the table")
    return problems


def _totals(
    table: Table, rows: Sequence[Row], statement: str, amount: Amount, columns: Sequence[int]
) -> Iterator[Decimal]:
    scale = table.scale
    chosen = sorted(set(columns)) or [0]
    if len(chosen) == 1 and len(rows) == 1:
        chosen = list(range(len(rows[0].values)))
    if len(rows) == 1:
        if _PER_SHARE.search(rows[0].label) or rows[0].percent:
            scale = Decimal(1)
        if chosen and re.search(r"\b(?:between|from|through|to)\b", statement) and len(chosen) == 2:
            chosen = list(range(min(chosen), max(chosen) + 1))
        values = [rows[0].values[c] for c in chosen if c < len(rows[0].values)]
        known = [v * scale for v in values if v is not None]
        if re.search(r"\baverage", statement, re.IGNORECASE):
            yield sum(known, Decimal(0)) / max(len(known), 1)
        else:
            yield sum(known, Decimal(0))
        return
    column = chosen[0]
    pair = [row.values[column] for row in rows[:2] if column < len(row.values)]
    if len(pair) < 2 or pair[0] is None or pair[1] is None:
        return
    first, second = pair[0], pair[1]
    if amount.unit == "%":
        low, high = sorted((abs(first), abs(second)))
        if high:
            yield low / high * 100
    elif re.search(
        r"\b(?:more|less|higher|lower|difference|exceed\w*|left|net|above|below|between)\b", statement
    ):
        yield (first - second) * scale
    elif re.search(
        r"\b(?:combined|together|sum|in total|total\w*|altogether|in all)\b", statement, re.IGNORECASE
    ):
        yield (first + second) * scale
    else:
        yield first * scale
        yield second * scale


_MULTIPLES = ((re.compile(r"\bmore than (?:doubled|twice)\b", re.IGNORECASE), Decimal(2), Decimal(3)),
              (re.compile(r"\b(?:nearly|almost|about) (?:doubled|twice)\b", re.IGNORECASE), Decimal("1.8"), Decimal(2)),
              (re.compile(r"\bmore than tripled\b", re.IGNORECASE), Decimal(3), Decimal(4)),
              (re.compile(r"\b(?:more than halved)\b", re.IGNORECASE), Decimal("0.3"), Decimal("0.5")),
              (re.compile(r"(?<!than )\b(?:doubled)\b", re.IGNORECASE), Decimal("1.9"), Decimal("2.15")),
              (re.compile(r"(?<!than )\b(?:halved)\b", re.IGNORECASE), Decimal("0.45"), Decimal("0.55")))  # fmt: skip


def _multiple(statement: str) -> bool:
    return any(pattern.search(statement) for pattern, _, _ in _MULTIPLES)


def _growth(statement: str, values: Sequence[Decimal | None], newest: int, older: int | None) -> list[str]:
    for pattern, low, high in _MULTIPLES:
        if pattern.search(statement):
            new = values[newest] if newest < len(values) else None
            old = values[older] if older is not None and older < len(values) else None
            if not new or not old or not low <= abs(new) / abs(old) <= high:
                return ["it did not grow so many times"]
            return []
    return []
