"""Worker processes may crash, stall, grow or lie: one page is lost at most, and that is said."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from longleaf.ingest import Document, IngestError, read_document
from longleaf.ingest.worker import pool, processes
from longleaf.ingest.worker.pool import Limits
from tests.support.document_checks import check_document
from tests.support.pdf_maker import lines, make_pdf

# A worker that misbehaves on some pages: `{fault}` is run with the page index `i` in scope before each page.
FAULTY = """
import fcntl, os, sys, time
from longleaf.ingest.pdf import reader
from longleaf.ingest.worker import fork_server
real = reader.read_page
def answers():
    return [fd for fd in range(3, 12) if writable(fd)]
def writable(fd):
    try:
        return fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY
    except OSError:
        return False
def read_page(document, i):
    {fault}
    return real(document, i)
reader.read_page = read_page
fork_server.main()
"""


@pytest.fixture
def twelve_pages(tmp_path: Path) -> Path:
    return make_pdf(tmp_path / "twelve.pdf", [lambda c, i: lines(c, [f"Words of page {i}."])] * 12)


@pytest.fixture(autouse=True)
def own_fork_server() -> Iterator[None]:
    """Each test has a server that was started in it, and leaves none to the next."""
    processes.stop()
    yield
    processes.stop()


def faulty(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    code = processes.fork_server_code().split("; from longleaf")[0] + "\n" + FAULTY.format(fault=fault)
    monkeypatch.setattr(processes, "fork_server_code", lambda: code)


def failed_pages(document: Document) -> list[int | None]:
    assert all(gap.kind == "page_failed" for gap in document.gaps)
    return [gap.page_index for gap in document.gaps]


@pytest.mark.parametrize(
    "fault",
    [
        "i in (3, 8) and os.abort()",
        "i in (3, 8) and time.sleep(600)",
        "x = bytearray(6 << 30) if i in (3, 8) else None",
        "i in (3, 8) and 1 / 0",
    ],
    ids=["crash", "stall", "memory", "error"],
)
def test_a_page_that_kills_its_worker_is_a_gap(
    monkeypatch: pytest.MonkeyPatch, twelve_pages: Path, fault: str
) -> None:
    faulty(monkeypatch, fault)
    seen: list[tuple[int, int]] = []
    limits = Limits(page=2.5)
    document = read_document(twelve_pages, progress=lambda *step: seen.append(step), limits=limits)
    assert failed_pages(document) == [3, 8]
    assert [page.page_index for page in document.pages] == [i for i in range(12) if i not in (3, 8)]
    assert document.pages[-1].text == "Words of page 11."
    assert seen == [(i, 12) for i in range(1, 13)]
    check_document(document)


def test_a_page_that_fails_once_is_read_when_tried_alone(
    monkeypatch: pytest.MonkeyPatch, twelve_pages: Path, tmp_path: Path
) -> None:
    mark = tmp_path / "crashed"
    mark.mkdir()
    faulty(monkeypatch, f"i == 5 and os.path.isdir({str(mark)!r}) and (os.rmdir({str(mark)!r}), os.abort())")
    document = read_document(twelve_pages)
    assert document.gaps == ()
    assert len(document.pages) == 12
    assert not mark.exists()


def test_many_failing_pages_end_the_attempt_with_all_of_them_named(
    monkeypatch: pytest.MonkeyPatch, twelve_pages: Path
) -> None:
    faulty(monkeypatch, "i > 2 and os.abort()")
    monkeypatch.setattr(pool, "_MAX_FAILURES", 3)
    document = read_document(twelve_pages)
    assert failed_pages(document) == list(range(3, 12))
    assert "not tried" in document.gaps[-1].detail


@pytest.mark.parametrize("junk", ["b'\\\\xff' * 64", "b'\\\\x02\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0[]'"])
def test_a_worker_that_answers_nonsense_is_replaced(
    monkeypatch: pytest.MonkeyPatch, twelve_pages: Path, junk: str
) -> None:
    faulty(
        monkeypatch,
        f"i == 4 and [os.write(fd, {junk.encode().decode('unicode_escape')}) for fd in answers()]",
    )
    document = read_document(twelve_pages)
    assert len(document.pages) + len(document.gaps) == 12
    assert set(failed_pages(document)) <= {4}


def test_a_worker_that_cannot_start_is_an_error(monkeypatch: pytest.MonkeyPatch, twelve_pages: Path) -> None:
    monkeypatch.setattr(processes, "fork_server_code", lambda: "import os; os._exit(3)")
    with pytest.raises(IngestError, match="no worker process can be started"):
        read_document(twelve_pages)


def test_a_worker_that_ends_at_once_is_an_error(monkeypatch: pytest.MonkeyPatch, twelve_pages: Path) -> None:
    code = processes.fork_server_code().split("; from longleaf")[0]
    code += (
        "; from longleaf.ingest.worker import fork_server, process; process.run = exit; fork_server.main()"
    )
    monkeypatch.setattr(processes, "fork_server_code", lambda: code)
    with pytest.raises(IngestError, match="opening"):
        read_document(twelve_pages)


def test_a_fork_server_that_is_killed_is_replaced(twelve_pages: Path) -> None:
    read_document(twelve_pages)
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        server = processes.fork_server_pid()
        if done == 1 and server is not None:
            os.kill(server, signal.SIGKILL)
            killed.append(server)

    document = read_document(twelve_pages, progress=kill)
    assert killed and processes.fork_server_pid() not in killed
    assert [page.page_index for page in document.pages] == list(range(12))
    assert document.gaps == () or [gap.kind for gap in document.gaps] == ["truncated"]  # its outline


def test_workers_end_with_the_process_that_reads(twelve_pages: Path) -> None:
    code = (
        f"import sys; sys.path[:] = {sys.path!r}\n"
        "import os, signal\n"
        "from longleaf.ingest.worker import processes\n"
        f"descriptor = os.open({str(twelve_pages)!r}, os.O_RDONLY)\n"
        "worker = processes.start('pages', descriptor)\n"
        "os.read(worker.answers, 8)\n"
        "print(processes.fork_server_pid(), flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    server = int(done.stdout)
    until = time.monotonic() + 20
    while any(stat.split()[1] == str(server) for stat in _parents()) or Path(f"/proc/{server}").exists():
        assert time.monotonic() < until
        time.sleep(0.05)


def _parents() -> list[str]:
    """What follows the name in each process's stat: state, parent."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            found.append(path.read_text().rsplit(")", 1)[1])
        except OSError:
            continue
    return found


def test_many_threads_may_read_at_once(twelve_pages: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        documents = list(threads.map(lambda _: read_document(twelve_pages), range(4)))
    assert len({tuple(page.text for page in document.pages) for document in documents}) == 1


def test_a_script_without_a_main_guard_can_read(twelve_pages: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        f"import sys; sys.path[:] = {sys.path!r}\n"
        "from longleaf.ingest import read_document\n"
        f"print(len(read_document({str(twelve_pages)!r}).pages))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout == "12\n"


def test_a_confined_process_opens_nothing_and_stays_small() -> None:
    code = (
        f"import sys; sys.path[:] = {sys.path!r}\n"
        "import socket\n"
        "from longleaf.ingest.process_limits import confine\n"
        "confine(64 << 20)\n"
        "for attempt in (lambda: open('/etc/hostname'), socket.socket, lambda: bytearray(200 << 20)):\n"
        "    try:\n"
        "        attempt()\n"
        "    except (OSError, MemoryError) as error:\n"
        "        print(type(error).__name__)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["OSError", "OSError", "MemoryError"]


def test_an_error_while_reading_leaves_no_process_behind(twelve_pages: Path) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        read_document(twelve_pages, progress=stop)
    assert threading.active_count() == before
    server = str(processes.fork_server_pid())
    until = time.monotonic() + 20
    while any(stat.split()[1] == server for stat in _parents()):
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_thousand_pages_take_bounded_memory(tmp_path: Path) -> None:
    text = [f"Line {line} of a page in a long file, which holds some sixty characters." for line in range(12)]
    path = make_pdf(tmp_path / "long.pdf", [lambda c, i: lines(c, [*text, f"Page {i}."], top=40)] * 1000)
    code = (
        f"import sys; sys.path[:] = {sys.path!r}\n"
        "import re, resource\n"
        "from longleaf.ingest import read_document\n"
        "from longleaf.ingest.worker import processes\n"
        f"document = read_document({str(path)!r})\n"
        "processes.stop()\n"  # its children count as ours once it is waited for
        "print(len(document.pages), len(document.gaps), document.pages[999].text[-9:])\n"
        # Not ru_maxrss: through exec it keeps the peak of the process that forked, here pytest with models.
        "print(int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1]) >> 10)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    read, parent, worker = done.stdout.splitlines()
    assert read == "1000 0 Page 999."
    assert int(parent) < 300  # MiB
    assert int(worker) < 300
