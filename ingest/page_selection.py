"""Which pages a person means by "3-5,iv": printed labels first, then positions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from longleaf.ingest.errors import IngestError

_DASHES = re.compile(r"[-‐‑–—]")


def parse_pages(spec: str, labels: Sequence[str]) -> list[int]:
    """The 0-based page indexes that `spec` names, in document order, each once. `labels` has one a page.

    Items are separated by commas; an item is a page or a range "first-last", either end of which may be left
    out ("5-"). A page is named by its printed label, in any case unless that is ambiguous; a number that is
    no label is a 1-based position; "#7" is always one. Raises IngestError for what names no page or several.
    """
    chosen: set[int] = set()
    items = [item.strip() for item in spec.split(",")]
    for item in items:
        if not item:
            raise IngestError(f"pages {spec!r}: an item is empty; write pages as 3-5,iv")
        chosen.update(_item(item, labels))
    return sorted(chosen)


def _item(item: str, labels: Sequence[str]) -> range:
    page = _page(item, labels)
    if page is not None:
        return range(page, page + 1)
    for dash in _DASHES.finditer(item):
        left, right = item[: dash.start()].strip(), item[dash.end() :].strip()
        if not left and not right:
            continue
        first = _page(left, labels) if left else 0
        last = _page(right, labels) if right else len(labels) - 1
        if first is None or last is None:
            continue
        if last < first:
            raise IngestError(f"pages {item!r}: {right or 'the end'} comes before {left}")
        return range(first, last + 1)
    shown = ", ".join([*labels[:4], "..."] if len(labels) > 5 else labels)
    raise IngestError(f"pages {item!r}: no such page; the file has {len(labels)} pages, labelled {shown}")


def _page(token: str, labels: Sequence[str]) -> int | None:
    """The index of the page a token names; None if there is none."""
    if token.startswith("#"):
        return _position(token[1:], labels)
    for fold in (str, str.casefold):
        found = [i for i, label in enumerate(labels) if fold(label) == fold(token)]
        if len(found) > 1:
            places = ", ".join(f"#{i + 1}" for i in found[:5])
            raise IngestError(
                f"page {token!r} is printed on {len(found)} pages; choose by position: {places}"
            )
        if found:
            return found[0]
    return _position(token, labels)


def _position(digits: str, labels: Sequence[str]) -> int | None:
    if not re.fullmatch(r"[0-9]{1,9}", digits):
        return None
    position = int(digits)
    return position - 1 if 1 <= position <= len(labels) else None
