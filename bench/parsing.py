"""What reading a page costs, with pdfium alone and pypdf alone in the same run.

    python -m bench.parsing [FILE...] [--pages N]
    python -m bench.parsing --long 5000

Default: the filings of ../shared/eval. Processor time of all processes together, so that a busy machine
changes little: what pdfium needs for text and character boxes, asked as Python can (ctypes) and in a native
loop, what pypdf needs for text, and what Longleaf needs for the whole Document with layout, labels, outline
and its worker processes: the first file of a process, then the least of three more. Then the wall time of the
file parsed, chunked and stored with its word index (vectors are bench/retrieval.py's matter). `--long` builds
a PDF of so many pages, reads and stores it, and prints the most memory that all processes had together.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import re
import resource
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from itertools import repeat
from pathlib import Path

import numpy as np
import pypdf
import pypdfium2_raw as pdfium

from bench.eval_data import EVAL
from longleaf._native import read_characters
from longleaf.app.library.documents import Library
from longleaf.app.library.indexing import index_file
from longleaf.ingest import read_document
from longleaf.ingest.pdf.characters import TEXT_FUNCTIONS
from longleaf.ingest.worker import processes
from tests.support.pdf_maker import raw_pdf, stream

_PTR, _INT = ctypes.c_void_p, ctypes.c_int
_loose_box = ctypes.PYFUNCTYPE(_INT, _PTR, _INT, _PTR)(
    ctypes.cast(pdfium.FPDFText_GetLooseCharBox, _PTR).value or 0
)
_text = ctypes.PYFUNCTYPE(_INT, _PTR, _INT, _INT, _PTR)(ctypes.cast(pdfium.FPDFText_GetText, _PTR).value or 0)


def processor_seconds(work: Callable[[], object]) -> float:
    """Of this process, of the one that workers are forked from, and of those that end while `work` runs."""
    before = _used()
    work()
    time.sleep(0.05)  # until the last worker is waited for
    return _used() - before


def _used() -> float:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    nursery, ticks = processes.nursery_pid(), 0
    if nursery is not None:  # its own times and those of its children, proc_pid_stat(5)
        ticks = sum(map(int, Path(f"/proc/{nursery}/stat").read_text().rsplit(")", 1)[1].split()[11:15]))
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, kinds)) + ticks / os.sysconf(
        "SC_CLK_TCK"
    )


def with_pdfium(path: Path, most: int, *, native: bool = False) -> None:
    """Text and a box for every character of each page: the least that citations need."""
    pdfium.FPDF_InitLibrary()
    data = path.read_bytes()
    document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    for i in range(min(pdfium.FPDF_GetPageCount(document), most)):
        page = pdfium.FPDF_LoadPage(document, i)
        text_page = pdfium.FPDFText_LoadPage(page)
        handle = ctypes.cast(text_page, ctypes.c_void_p).value or 0
        count = pdfium.FPDFText_CountChars(text_page)
        if count > 0:
            if native:
                read_characters(TEXT_FUNCTIONS, handle, count, (0.0, 0.0, 612.0, 792.0, 0))
            else:
                codes = np.zeros(2 * count + 2, np.uint16)
                _text(handle, 0, count, codes.ctypes.data)
                boxes = np.zeros((count, 4), np.float32)
                base = boxes.ctypes.data
                deque(map(_loose_box, repeat(handle), range(count), range(base, base + boxes.nbytes, 16)), 0)
        pdfium.FPDFText_ClosePage(text_page)
        pdfium.FPDF_ClosePage(page)
    pdfium.FPDF_CloseDocument(document)


def with_pypdf(path: Path, most: int) -> None:
    reader = pypdf.PdfReader(path)
    for page in reader.pages[:most]:
        page.extract_text()


def long_pdf(pages: int) -> bytes:
    """A PDF of so many pages of dense text, with page labels; 40 texts take turns."""
    words = re.findall(
        r"\w+", "the supplier delivers each lot within thirty days and bears its risk until then"
    )
    objects: list[str | bytes] = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for k in range(40):
        lines = [" ".join(words[(i * j + k) % len(words)] for j in range(13)) for i in range(48)]
        shown = "".join(f"({line}.) Tj T* " for line in lines)
        objects.append(stream(f"BT /F1 10 Tf 13 TL 72 720 Td {shown}ET"))
    kids = []
    for i in range(pages):
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            f"/Contents {4 + i % 40} 0 R >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {pages} >>"
    return raw_pdf(objects)


class Memory(threading.Thread):
    """Watches the memory of this process and its children; `peak` is the most they had together, in bytes."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak = 0
        self.stop = threading.Event()

    def run(self) -> None:
        while not self.stop.wait(0.2):
            self.peak = max(self.peak, sum(map(_proportional, [os.getpid(), *_children()])))


def _children() -> list[int]:
    listed = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return [int(child) for file in listed for child in file.read_text().split()]


def _proportional(process: int) -> int:
    """Pages that processes share are counted once over all of them."""
    try:
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    return 1024 * int(next(line.split()[1] for line in rollup.splitlines() if line.startswith("Pss:")))


def read_long(pages: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.pdf"
        path.write_bytes(long_pdf(pages))
        memory = Memory()
        memory.start()
        start, seen = time.perf_counter(), [0]

        def progress(done: int, total: int) -> None:
            seen[0] += 1

        def work() -> None:
            with Library(Path(folder) / "library.db") as library:
                index_file(library, path, lambda text: len(text) // 4, tokenizer="4", progress=progress)

        seconds = processor_seconds(work)
        memory.stop.set()
        wall = time.perf_counter() - start
        print(
            f"{pages} pages: {1000 * seconds / pages:.2f} ms of processor time a page, {wall:.1f} s in all, "
            f"{memory.peak >> 20} MiB at most in all processes, {seen[0]} steps of progress"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--pages", type=int, default=100_000, help="of each file, at most")
    parser.add_argument("--no-pypdf", action="store_true", help="leave out the slow baseline")
    parser.add_argument(
        "--long", type=int, default=0, metavar="N", help="read a built PDF of N pages instead"
    )
    arguments = parser.parse_args()
    if arguments.long:
        read_long(arguments.long)
        return
    files = arguments.files or sorted((EVAL / "reports").glob("*.pdf"))
    most = arguments.pages
    print(
        f"{'file':<36} pages | pdfium ms a page, in a native loop | pypdf | longleaf first, then | ratios "
        "first, then, to the native loop | index: wall s, MiB"
    )
    for file in files:
        print(figures(file, most, slow=not arguments.no_pypdf), flush=True)


def figures(file: Path, most: int, *, slow: bool) -> str:
    """A row of the table: processor milliseconds a page, their ratios, wall seconds, and our own memory."""
    count = min(len(pypdf.PdfReader(file).pages), most)
    wanted = range(count) if count == most else None

    def cost(work: Callable[[], object], times: int = 3) -> float:
        # What workers used is told in hundredths of a second: short files are read several times.
        runs = max(1, 60 // count) if times > 1 else 1

        def work_often() -> None:
            for _ in range(runs):
                work()

        return 1000 / count / runs * min(processor_seconds(work_often) for _ in range(times))

    def read() -> None:
        read_document(file, pages=wanted, ocr="off")

    alone = cost(lambda: with_pdfium(file, most))
    native = cost(lambda: with_pdfium(file, most, native=True))
    old = cost(lambda: with_pypdf(file, most), 1) if slow else 0.0
    processes.stop()
    first, then = cost(read, 1), cost(read)
    with tempfile.TemporaryDirectory() as folder, Library(Path(folder) / "library.db") as library:
        start = time.perf_counter()
        index_file(library, file, lambda text: len(text) // 4, tokenizer="4", ocr="off")
        wall = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    row = f"{file.name:<36} {count:>5} | {alone:.2f} {native:.2f} | {old:.1f} | {first:.2f} {then:.2f} | "
    return f"{row}{first / alone:.2f} {then / alone:.2f} {then / native:.2f} | {wall:.2f} {peak:.0f}"


if __name__ == "__main__":
    main()
