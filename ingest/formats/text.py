"""Plain text: its encoding found, form feeds as pages, each line where a typewriter would set it.

The lines go the same way as those of a PDF: columns, tables and running headers are told by place.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from longleaf.ingest.document import Gap
from longleaf.ingest.formats.charsets import decode_as, is_shifting
from longleaf.ingest.formats.typeset import LEADING, MARGIN, PITCH
from longleaf.ingest.pdf.characters import BREAK_LINE, BREAK_NONE, BREAK_SPACE, Glyphs
from longleaf.ingest.pdf.lines import lay_out
from longleaf.ingest.pdf.normalise import normalise
from longleaf.ingest.pdf.page_lines import RawPage

_LINES = 66  # a page of a file without form feeds: what a line printer put on one
_LONGEST = 20_000  # characters of one page; a "line" may be a whole book
_TAB = 8
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
# Marks that the SEC's archive set into texts until 2001: where pages, tables and their columns begin.
_PAGE_MARK = re.compile(r"^<PAGE>.*$", re.MULTILINE)
_COLUMN_MARKS = re.compile(r"^[ \t]*<S>[ \t<>SC]*\n", re.MULTILINE)
_MARKS = re.compile(
    r"^</?(?:SEC-DOCUMENT|SEC-HEADER|DOCUMENT|TYPE|SEQUENCE|FILENAME|DESCRIPTION|TEXT|TABLE|CAPTION|FN|F\d{1,2})>",
    re.MULTILINE,
)
_WIDEST = (
    160  # columns that any printer or mailer wraps at; a longer line is a paragraph that was not wrapped
)
_WRAP = 110  # where such a line is broken for its place on the page, not in its text


def decode(data: bytes, declared: str = "") -> tuple[str, str, bool]:
    """The text, the encoding it was read in, and whether that encoding is only a guess.

    A byte order mark decides, then UTF-8 if all of it is valid, then what the file declares, then statistics
    over its bytes; what cannot be read in it becomes U+FFFD.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace"), encoding, False
    sample = data[:65536]
    for encoding, zeros, others in (
        ("utf-16-le", sample[1::2], sample[::2]),
        ("utf-16-be", sample[::2], sample[1::2]),
    ):
        if len(sample) > 1 and zeros.count(0) > 0.4 * len(zeros) and others.count(0) < 0.02 * len(others) + 1:
            return data.decode(encoding, "replace"), encoding, False
    declared = declared.strip().strip("'\"").lower()
    if not is_shifting(declared) and (b"\x1b$" in sample or b"\x1b(I" in sample):
        declared = "iso-2022-jp"
    if is_shifting(declared) and (found := decode_as(data, declared)):
        return *found, False
    try:
        return data.decode("utf-8"), "utf-8", False
    except UnicodeDecodeError as error:
        # One damaged byte in a long UTF-8 file does not make it another encoding.
        valid = len(re.findall(rb"[\xc2-\xf4][\x80-\xbf]+", sample))
        invalid = sum(byte >= 0x80 for byte in sample) - sum(
            map(len, re.findall(rb"[\xc2-\xf4][\x80-\xbf]+", sample))
        )
        if valid > 20 * max(invalid, 1) and error.start >= 0:
            return data.decode("utf-8", "replace"), "utf-8", False
    if declared and (found := decode_as(data, declared)):
        return *found, False
    from charset_normalizer import from_bytes

    # windows-1252 covers most of what is left in the West, so it wins unless another is clearly better.
    best = from_bytes(sample, cp_isolation=None).best()
    encoding = best.encoding if best is not None else "cp1252"
    latin = ("latin_1", "ascii", "iso8859_15", "cp1250")
    if (encoding in latin and not _has_central_european(sample)) or _has_lone_letters(encoding, sample):
        encoding = "cp1252"
    return data.decode(encoding, "replace"), encoding, True


def _has_lone_letters(encoding: str, sample: bytes) -> bool:
    """Whether an East Asian encoding was guessed for words that have single letters beyond ASCII in them."""
    if not encoding.startswith(("big5", "cp932", "cp949", "cp950", "euc", "gb", "johab", "shift")):
        return False
    runs = re.findall(rb"[\x80-\xff]+", sample)
    return sum(len(run) == 1 for run in runs) > 0.7 * len(runs) and len(b"".join(runs)) < 0.2 * len(sample)


def _has_central_european(sample: bytes) -> bool:
    return any(sample.count(bytes([byte])) > 2 for byte in (0xB3, 0xB9, 0x9C, 0xBF, 0x9F, 0xE6, 0xEA))


def pages(text: str) -> Iterator[tuple[RawPage, str]]:
    """The pages of a text with their labels: its form feeds' numbers, or the lines they hold."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _PAGE_MARK.search(text) or text.lstrip().startswith(("<DOCUMENT>", "<SEC-DOCUMENT>")):
        text = _MARKS.sub("", _COLUMN_MARKS.sub("", _PAGE_MARK.sub("\f", text)))
    sheets = text.split("\f")
    if len(sheets) > 1 and not sheets[-1].strip():
        sheets.pop()
    by_feed = len(sheets) > 1
    double, wrapped = _is_double_spaced(text), is_wrapped(text)
    page_index = 0
    number = 1  # of the line
    for sheet_index, sheet in enumerate(sheets):
        lines = sheet.removesuffix("\n").split("\n")
        runs = list(_runs(lines, 10 * _LINES if by_feed else _LINES))
        for start, end in runs:
            if by_feed and len(runs) == 1:
                label = str(sheet_index + 1)
            else:
                first, last = number + start, number + end - 1
                label = f"line {first}" if first == last else f"lines {first}–{last}"
                label = f"{sheet_index + 1}, {label}" if by_feed else label
            yield _page(page_index, lines[start:end], double, wrapped), label
            page_index += 1
        number += sheet.count("\n")


def _is_double_spaced(text: str) -> bool:
    """Whether an empty line stands between the lines of one paragraph, as in drafts and pleadings."""
    lines = [line.strip() for line in text.split("\n")]
    near = sum(bool(above and below) for above, below in pairwise(lines))
    apart = [(a, c) for a, b, c in zip(lines, lines[1:], lines[2:], strict=False) if a and c and not b]
    going_on = sum(below[0].islower() and len(above) > 45 for above, below in apart)
    return 3 * near < len(apart) and going_on > 0.4 * len(apart)


def is_wrapped(text: str) -> bool:
    """Whether lines end where a line was full, and not only where a paragraph ends."""
    lengths = [len(line) for line in text.split("\n")]
    return sum(n for n in lengths if n > _WIDEST) < 0.5 * sum(lengths)


def _runs(lines: list[str], most: int) -> Iterator[tuple[int, int]]:
    """Cuts lines into pages, at the last empty line of the second half if there is one."""
    start = 0
    while start < len(lines):
        end, size = start, 0
        while (
            end < len(lines) and end - start < most and (end == start or size + len(lines[end]) <= _LONGEST)
        ):
            size += len(lines[end])
            end += 1
        if end < len(lines):
            blank = [i for i in range(start + (end - start) // 2, end) if not lines[i].strip()]
            end = blank[-1] + 1 if blank else end
        yield start, end
        start = end


def _page(page_index: int, lines: list[str], double: bool, wrapped: bool) -> RawPage:
    codes: list[int] = []
    columns: list[int] = []
    rows: list[float] = []
    before: list[int] = []
    row = 0.0
    widest = blank = 0
    for line in lines:
        line = line.expandtabs(_TAB) if len(line) <= _LONGEST else line
        blank = 0 if line.strip() else blank + 1
        if double and blank == 1:
            continue
        for piece in _broken(line):
            gap = BREAK_LINE
            for column, character in enumerate(piece):
                if character.isspace():
                    gap = max(gap, BREAK_SPACE)
                    continue
                codes.append(ord(character))
                columns.append(column)
                rows.append(row)
                before.append(gap)
                gap = BREAK_NONE
            widest = max(widest, len(piece))
            row += 1
        if len(line) > _WIDEST or not wrapped:
            row += 0.5  # its end is that of a paragraph
    x0 = MARGIN + PITCH * np.array(columns, np.float64)
    y0 = MARGIN + LEADING * np.array(rows, np.float64)
    boxes = np.stack((x0, y0 + 1, x0 + PITCH, y0 + LEADING - 1), axis=1)
    n = len(codes)
    glyphs = Glyphs(
        np.array(codes, np.uint32),
        boxes.reshape(n, 4),
        np.array(before, np.uint8),
        np.zeros(n, np.int8),
        np.zeros(n, np.uint8),
    )
    width = 2 * MARGIN + PITCH * max(widest, 90)
    height = 2 * MARGIN + LEADING * max(row, 1)
    return RawPage(page_index, width, height, normalise(lay_out(glyphs, width, height)), 0.0, False)


def _broken(line: str) -> Iterator[str]:
    line = line.rstrip()
    if len(line) > _WIDEST:
        while len(line) > _WRAP:
            cut = line.rfind(" ", _WRAP // 2, _WRAP)
            cut = cut if cut > 0 else _WRAP
            yield line[:cut]
            line = line[cut:].lstrip(" ")
    yield line


def read(data: bytes) -> tuple[Iterator[tuple[RawPage, str]], dict[str, str], list[Gap]]:
    """The pages, the metadata and what is doubtful about the whole."""
    text, encoding, guessed = decode(data)
    gaps = []
    if guessed:
        gaps.append(Gap("doubtful_text", f"the file does not say its encoding; it was read as {encoding}"))
    return pages(text), {"encoding": encoding}, gaps
