"""What readers of several formats need: lists' marks, headings that only look like one, cells of tables."""

from __future__ import annotations

import re
from itertools import pairwise

from longleaf.ingest.formats.flow import Words

_ROMAN = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
          (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))  # fmt: skip
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_CURRENCY = re.compile(r"(?:US)?[$€£¥]|[A-Z]{3}")
_AFTER = re.compile(r"\)?\s*%|\)|pp|bps|x")


def numeral(number: int, style: str) -> str:
    """The number in a style: "decimal", "lower-roman", "upper-roman", "lower-alpha", "upper-alpha"."""
    if style.endswith("roman") and 0 < number < 4000:
        roman, rest = "", number
        for value, letters in _ROMAN:
            while rest >= value:
                roman += letters
                rest -= value
        return roman.lower() if style.startswith("lower") else roman
    if style.endswith("alpha") and 0 < number < 1000:
        letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)  # z, aa, bb, as Word counts
        return letter if style.startswith("lower") else letter.upper()
    return str(number)


def superscript(number: str) -> str:
    """A note's number as it stands in the text: "2023¹" and not "20231"."""
    return number.translate(_SUPERSCRIPTS)


def join_cells(row: list[Words]) -> list[Words]:
    """Gives currency signs, brackets and per cent signs that stand in cells of their own to their numbers.

    Filings are set so: "$" | "1,234" | ")" . The number of cells stays, for columns are told by place.
    """
    cells = [Words(cell.text, cell.remarks, cell.of_left) for cell in row]
    filled = [i for i, cell in enumerate(cells) if cell.text.strip()]
    for here, following in pairwise(filled):
        if _CURRENCY.fullmatch(cells[here].text.strip()) and re.match(r"[(–—\d-]", cells[following].text):
            _merge(cells, here, following, " ", onto=following)
    filled = [i for i, cell in enumerate(cells) if cell.text.strip()]
    for before, here in reversed(list(pairwise(filled))):
        if _AFTER.fullmatch(cells[here].text.strip()) and re.search(r"[\d–—-]$", cells[before].text):
            _merge(cells, before, here, "", onto=before)
    return cells


def _merge(cells: list[Words], first: int, second: int, glue: str, *, onto: int) -> None:
    shift = len(cells[first].text) + len(glue)
    remarks = list(cells[first].remarks)
    for r in cells[second].remarks:
        r.start, r.end = r.start + shift, r.end + shift
        remarks.append(r)
    merged = Words(cells[first].text + glue + cells[second].text, remarks)
    cells[first], cells[second] = Words(""), Words("")
    cells[onto] = merged


def dense_columns(rows: list[list[Words]]) -> list[list[Words]]:
    """The rows with as many places as the table shows columns: those that no row fills go, and two become one
    if a cell goes over both and no row has something in each, as where "2024" stands over "$" and "1,234"."""
    width = max(map(len, rows))
    rows = [[*row, *(Words("") for _ in range(width - len(row)))] for row in rows]
    columns: list[list[int]] = []
    for c in range(width):
        if not any(row[c].text or row[c].remarks for row in rows):
            continue
        last = columns[-1] if columns else []
        spanned = last and any(all(row[k].of_left for k in range(last[-1] + 1, c + 1)) for row in rows)
        if spanned and not any(row[c].text and any(row[k].text for k in last) for row in rows):
            last.append(c)
        else:
            columns.append([c])
    return [[_one_of([row[c] for c in group]) for group in columns] for row in rows]


def _one_of(places: list[Words]) -> Words:
    return next((cell for cell in places if cell.text), next((c for c in places if c.remarks), places[0]))


def counted(number: int, one: str, more: str = "") -> str:
    """ "1 picture", "3 pictures"."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"
