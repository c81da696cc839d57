"""Tesseract (https://github.com/tesseract-ocr/tesseract), if this machine has it, as what reads pictures.

It is a program of its own, which a confined worker cannot start: a helper is forked before, which starts it
for each picture and sends back what it read. The helper sees pixels only, never the file.
"""

from __future__ import annotations

import csv
import io
import json
import os
import resource
import shutil
import struct
import subprocess
from collections.abc import Callable
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from longleaf.ingest import process_limits

Line = tuple[NDArray[np.float64], str, float]
_SECONDS = 100.0  # less than the page is given: the page fails, its worker does not stall
_MEMORY = 2 << 30
_SIZES = struct.Struct("<II")  # rows and columns of a picture
_LENGTH = struct.Struct("<I")
_LINE = 5  # the level of a word in the table; words of one line share block, paragraph and line
_STANDS_OFF = 0.16  # of a line's height: the box is tight, and `ocr` takes those that are not


def program() -> str | None:
    """The program's path, None if it is not installed."""
    return shutil.which("tesseract")


def open_engine(most_pixels: int) -> Callable[[NDArray[np.uint8]], list[Line]]:
    """A function from a picture (height, width, 3) to lines: corners (4, 2) in pixels, text, 0–1 confidence.

    Must be called before the process is confined. Raises OSError if there is no tesseract.
    """
    path = program()
    if path is None:
        raise FileNotFoundError("tesseract is not installed")
    languages = _languages(path)
    theirs_in, pictures = os.pipe()
    lines, theirs_out = os.pipe()
    if not os.fork():
        try:
            process_limits.die_with_parent()
            os.close(pictures)
            os.close(lines)
            command = [path, "stdin", "stdout", "-l", languages, "--dpi", "200", "tsv"]
            _serve(command, os.fdopen(theirs_in, "rb"), os.fdopen(theirs_out, "wb"), most_pixels)
        finally:
            os._exit(1)
    os.close(theirs_in)
    os.close(theirs_out)
    to_helper, from_helper = os.fdopen(pictures, "wb"), os.fdopen(lines, "rb")

    def recognize(picture: NDArray[np.uint8]) -> list[Line]:
        grey = picture.mean(axis=2).astype(np.uint8)
        to_helper.write(_SIZES.pack(*grey.shape) + grey.tobytes())
        to_helper.flush()
        (length,) = _LENGTH.unpack(from_helper.read(_LENGTH.size))
        return [(np.array(c, np.float64), t, s) for c, t, s in json.loads(from_helper.read(length))]

    return recognize


def _languages(path: str) -> str:
    listed = subprocess.run([path, "--list-langs"], capture_output=True, text=True, check=True, timeout=30)
    found = [line.strip() for line in listed.stdout.splitlines()[1:]]
    return "+".join(language for language in found if language and language != "osd") or "eng"


def _serve(command: list[str], pictures: BinaryIO, lines: BinaryIO, most_pixels: int) -> None:
    while head := pictures.read(_SIZES.size):
        rows, columns = _SIZES.unpack(head)
        if rows * columns > most_pixels:
            return
        data = b"P5 %d %d 255\n" % (columns, rows) + pictures.read(rows * columns)
        table = subprocess.run(
            command,
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=True,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
            preexec_fn=_bound,  # this process has one thread
        ).stdout
        answer = json.dumps(parse(table.decode("utf-8", "replace"))).encode()
        lines.write(_LENGTH.pack(len(answer)) + answer)
        lines.flush()


def _bound() -> None:
    process_limits.die_with_parent()
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def parse(table: str) -> list[tuple[list[tuple[float, float]], str, float]]:
    """The lines of tesseract's TSV output: corners, words joined by a space, their mean confidence."""
    words: dict[tuple[str, ...], list[tuple[float, float, float, float, str, float]]] = {}
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        if int(row["level"]) != _LINE or not row["text"].strip():
            continue
        left, top = float(row["left"]), float(row["top"])
        right, bottom = left + float(row["width"]), top + float(row["height"])
        line = tuple(row[key] for key in ("block_num", "par_num", "line_num"))
        word = (left, top, right, bottom, row["text"].strip(), float(row["conf"]))
        words.setdefault(line, []).append(word)
    found = []
    for of_line in words.values():
        x0, y0 = min(w[0] for w in of_line), min(w[1] for w in of_line)
        x1, y1 = max(w[2] for w in of_line), max(w[3] for w in of_line)
        off = _STANDS_OFF * (y1 - y0)
        corners = [(x0, y0 - off), (x1, y0 - off), (x1, y1 + off), (x0, y1 + off)]
        confidence = sum(max(w[5], 0.0) for w in of_line) / (100 * len(of_line))
        found.append((corners, " ".join(w[4] for w in of_line), confidence))
    return found
