"""What the file says about itself: page labels, outline, metadata. Read with pdfium, inside the worker.

The outline of a hostile file may be circular or endless: its walk has a limit on entries and depth and
remembers where it has been.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass, field
from typing import Any

MAX_PAGES = 20_000
_MAX_DEPTH = 64
_MAX_BOOKMARKS = 5_000
_MAX_LABEL = 100  # characters, as the two below
_MAX_TITLE = 300
_MAX_METADATA = 1_000
_MAX_ATTACHED = 1_000
_KEYS = ("Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate", "ModDate")


@dataclass(frozen=True, slots=True)
class Bookmark:
    title: str
    level: int  # 1 is the top
    page_index: int


@dataclass(frozen=True, slots=True)
class Structure:
    """`labels` are those printed, "" for a page without; `sound` tells that no page's content is damaged;
    `attached` names the files within the file, `assembled` tells that its pages are made by XFA viewers only.
    """

    labels: tuple[str, ...] = ()
    outline: tuple[Bookmark, ...] = ()
    metadata: dict[str, str] = field(default_factory=dict)
    sound: bool = True
    attached: tuple[str, ...] = ()
    assembled: bool = False


def read_structure(document: Any, page_count: int, *, sound: bool) -> dict[str, Any]:
    """The structure of an open pdfium document, ready for JSON. What is damaged of it is missing."""
    import pypdfium2_raw as pdfium

    metadata = {key.lower(): _string(pdfium.FPDF_GetMetaText, document, key.encode()) for key in _KEYS}
    attached = [
        _name(pdfium.FPDFDoc_GetAttachment(document, i))
        for i in range(min(pdfium.FPDFDoc_GetAttachmentCount(document), _MAX_ATTACHED))
    ]
    return {
        "labels": [
            _string(pdfium.FPDF_GetPageLabel, document, i)[:_MAX_LABEL]
            for i in range(min(page_count, MAX_PAGES))
        ],
        "outline": [astuple(b) for b in _outline(document, page_count)],
        "metadata": {k: v[:_MAX_METADATA].strip() for k, v in metadata.items() if v.strip()},
        "sound": sound,
        "attached": attached,
        "assembled": pdfium.FPDF_GetFormType(document) == pdfium.FORMTYPE_XFA_FULL,
    }


def parse_structure(head: dict[str, Any]) -> Structure:
    """The structure that `read_structure` wrote, every field made to its type again."""
    outline = tuple(Bookmark(str(a), int(b), int(c)) for a, b, c in head["outline"])
    metadata = {str(k): str(v) for k, v in head["metadata"].items()}
    return Structure(
        tuple(map(str, head["labels"])),
        outline,
        metadata,
        bool(head["sound"]),
        tuple(map(str, head["attached"])),
        bool(head["assembled"]),
    )


def page_labels(printed: tuple[str, ...], page_count: int) -> list[str]:
    """The label of each page: the one printed, else its 1-based position."""
    missing = ("",) * (page_count - len(printed))
    return [label or str(i + 1) for i, label in enumerate((*printed, *missing)[:page_count])]


def _outline(document: Any, page_count: int) -> Iterator[Bookmark]:
    import pypdfium2_raw as pdfium

    seen: set[int] = set()
    stack = [(pdfium.FPDFBookmark_GetFirstChild(document, None), 1)]
    while stack and len(seen) < _MAX_BOOKMARKS:
        entry, level = stack.pop()
        mark = ctypes.cast(entry, ctypes.c_void_p).value
        if mark is None or mark in seen:
            continue
        seen.add(mark)
        target = pdfium.FPDFBookmark_GetDest(document, entry)
        if not target and (action := pdfium.FPDFBookmark_GetAction(entry)):
            target = pdfium.FPDFAction_GetDest(document, action)
        page_index = pdfium.FPDFDest_GetDestPageIndex(document, target) if target else -1
        title = " ".join(_string(pdfium.FPDFBookmark_GetTitle, entry).split())
        if 0 <= page_index < page_count and title:
            yield Bookmark(title[:_MAX_TITLE], level, page_index)
        stack.append((pdfium.FPDFBookmark_GetNextSibling(document, entry), level))
        if level < _MAX_DEPTH:
            stack.append((pdfium.FPDFBookmark_GetFirstChild(document, entry), level + 1))


def _name(attachment: Any) -> str:
    from pypdfium2_raw import FPDF_WCHAR, FPDFAttachment_GetName

    def name(buffer: Any, size: int) -> int:
        pointer = ctypes.cast(buffer, ctypes.POINTER(FPDF_WCHAR))
        return int(FPDFAttachment_GetName(attachment, pointer, size))

    return _string(name)[:_MAX_TITLE]


def _string(function: Callable[..., int], *arguments: Any) -> str:
    """What a function of pdfium writes into a buffer as UTF-16, without control characters."""
    size = min(function(*arguments, None, 0), 1 << 16)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    function(*arguments, buffer, size)
    return "".join(c for c in buffer.raw[: size - 2].decode("utf-16-le", "replace") if c >= " ")
