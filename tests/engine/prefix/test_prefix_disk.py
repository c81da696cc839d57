"""Prefixes on disk: whatever happens to the files, what comes back is what was written, or nothing."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from longleaf.engine.atomic_files import read_json, write_whole
from longleaf.engine.prefix import file as prefix_file
from longleaf.engine.prefix import folder as prefix_folder
from longleaf.engine.prefix.cache import PrefixCache
from longleaf.engine.prefix.counters import read_counters
from longleaf.engine.prefix.disk import Identity, PrefixStore
from longleaf.engine.prefix.file import DamagedError, file_name, read_segment, segment_key
from longleaf.engine.prefix.folder import DiskCacheError, locked
from longleaf.engine.prefix.tree import as_ids
from tests.engine.prefix.test_prefix import PrefixMachine, read
from tests.support.fake_kv import PAGE, FakeKv

pytestmark = pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
DOCUMENT = [index % 11 for index in range(400)]
IDENTITY = Identity({"model": "fake", "build": "1"}, {"name": "fake", "windows": [0, 32]})


def open_store(
    root: Path, *, window: int = 0, identity: Identity = IDENTITY, limit: int = 1 << 30, least: int = 256
) -> PrefixStore:
    return PrefixStore(root, identity, page_tokens=PAGE, windowed=window > 0, limit=limit, least=least)


def read_once(root: Path, ids: list[int], *, window: int = 0, shared: int = 0, **options: object) -> int:
    """What a fresh process reuses of `ids`; it leaves on disk what it read."""
    native = FakeKv(10_000, window=window)
    cache = PrefixCache(native, store=open_store(root, window=window, **options))  # type: ignore[arg-type]
    sequence = read(cache, native, ids, shared=shared)
    assert native.held(sequence.handle) == sequence.tokens == ids
    reused = sequence.reused
    cache.release(sequence)
    cache.flush()
    return reused


def files(root: Path) -> list[Path]:
    return sorted(root.glob("*/*.kv"))


@pytest.mark.parametrize("window", [0, 32])
def test_another_process_reads_only_the_question(tmp_path: Path, window: int) -> None:
    assert read_once(tmp_path, [*DOCUMENT, 20, 21], shared=400, window=window) == 0
    assert read_once(tmp_path, [*DOCUMENT, 30, 31, 32], shared=400, window=window) == 400


@pytest.mark.parametrize("window", [0, 32])
def test_a_longer_prefix_adds_only_what_is_new(tmp_path: Path, window: int) -> None:
    read_once(tmp_path, DOCUMENT, shared=400, window=window)
    (first,) = files(tmp_path)
    longer = DOCUMENT + [12] * 399
    assert read_once(tmp_path, longer, shared=799, window=window) == 400
    assert len(files(tmp_path)) == 2
    (second,) = set(files(tmp_path)) - {first}
    assert second.stat().st_size < 1.1 * first.stat().st_size
    assert read_once(tmp_path, [*longer, 13], shared=799, window=window) == 799
    assert len(files(tmp_path)) == 2


def test_a_prompt_that_parts_within_a_segment_takes_the_part_it_shares(tmp_path: Path) -> None:
    read_once(tmp_path, DOCUMENT)
    parted = DOCUMENT[:301] + [50] * 300
    assert read_once(tmp_path, parted) == 301
    assert read_once(tmp_path, parted) == 601
    assert read_once(tmp_path, DOCUMENT) == 400


def test_a_windowed_model_cannot_part_within_a_segment_and_leaves_it_alone(tmp_path: Path) -> None:
    read_once(tmp_path, DOCUMENT, window=32, shared=400)
    assert read_once(tmp_path, DOCUMENT[:301] + [50] * 300, window=32) == 0
    assert read_counters(tmp_path).damaged == 0
    assert read_once(tmp_path, [*DOCUMENT, 1], window=32) == 400


def test_files_are_for_their_owner_only(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "prefixes"
    read_once(root, DOCUMENT)
    for path in [root, *root.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)
    assert not list(root.rglob("*.partial"))


def test_nothing_of_another_model_build_or_type_is_used(tmp_path: Path) -> None:
    read_once(tmp_path, DOCUMENT)
    other = Identity({"model": "fake", "build": "2"})
    assert read_once(tmp_path, DOCUMENT, identity=other) == 0
    # And not when its file lies in our folder, under its own name or ours.
    (mine,) = (tmp_path / IDENTITY.key).glob("*.kv")
    (foreign,) = (tmp_path / other.key).glob("*.kv")
    foreign.replace(mine)
    assert read_once(tmp_path, DOCUMENT) == 0
    assert read_once(tmp_path, DOCUMENT) == 400  # the foreign file was removed and ours written again


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes]:
    root = tmp_path_factory.mktemp("whole")
    read_once(root, DOCUMENT, window=32)
    (path,) = files(root)
    return str(path.relative_to(root)), path.read_bytes()


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_cut_or_changed_file_is_a_miss_and_is_removed(
    whole: tuple[str, bytes], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    name, good = whole
    bad = bytearray(good)
    how = data.draw(st.sampled_from(["flip", "cut", "grow", "zero"]))
    at = data.draw(st.integers(0, len(good) - 1))
    if how == "flip":
        bad[at] ^= 1 << data.draw(st.integers(0, 7))
    elif how == "cut":
        del bad[at:]
    elif how == "grow":
        bad += good[: at + 1]
    else:
        bad[at:] = bytes(len(bad) - at)
    root = tmp_path_factory.mktemp("cache")
    path = root / name
    path.parent.mkdir(parents=True)
    path.write_bytes(bad)
    table_at = int.from_bytes(good[8:16], "little")
    unread = 40 <= at < 4096 and how == "flip"  # the gap before the first page
    assert table_at > 4096
    assert read_once(root, DOCUMENT, window=32) == (400 if unread or bad == good else 0)
    assert path.read_bytes() == (bytes(bad) if unread else good)  # written anew
    assert read_once(root, DOCUMENT, window=32) == 400


def test_a_damaged_middle_leaves_the_beginning(tmp_path: Path) -> None:
    read_once(tmp_path, DOCUMENT, shared=400)
    first = files(tmp_path)
    read_once(tmp_path, DOCUMENT + [12] * 400, shared=800)
    (second,) = set(files(tmp_path)) - set(first)
    data = bytearray(second.read_bytes())
    data[4096 + 100] ^= 1
    second.write_bytes(data)
    assert read_once(tmp_path, DOCUMENT + [12] * 400 + [13], shared=800) == 400
    first[0].write_bytes(b"")
    assert read_once(tmp_path, DOCUMENT + [12] * 400 + [13], shared=800) == 0


@pytest.mark.parametrize("kind", ["empty", "folder", "link", "pipe", "text"])
def test_other_things_under_a_segment_s_name_are_misses(tmp_path: Path, kind: str) -> None:
    read_once(tmp_path, DOCUMENT)
    (path,) = files(tmp_path)
    path.unlink()
    if kind == "empty":
        path.touch()
    elif kind == "folder":
        path.mkdir()
    elif kind == "link":
        path.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.write_text("not a segment " * 1000)
    assert read_once(tmp_path, DOCUMENT) == 0


def test_a_missing_entry_leaves_what_is_in_use_alone(tmp_path: Path) -> None:
    read_once(tmp_path, DOCUMENT, shared=400)
    native = FakeKv(10_000)
    cache = PrefixCache(native, store=open_store(tmp_path))
    live = read(cache, native, [*DOCUMENT, 5], shared=400)
    for path in files(tmp_path):
        path.write_bytes(b"")
    other = read(cache, native, [9] * 300)
    again = read(cache, native, [*DOCUMENT, 6])
    assert again.reused == 400
    for sequence in (live, other, again):
        assert native.held(sequence.handle) == sequence.tokens


def test_the_limit_keeps_what_was_used_last(tmp_path: Path) -> None:
    read_once(tmp_path, [0] * 400)
    (path,) = files(tmp_path)
    limit = int(3.5 * path.stat().st_size)
    for number in range(1, 3):
        read_once(tmp_path, [number] * 400, limit=limit)
        time.sleep(0.02)  # the order of use is that of the files' times
    assert read_once(tmp_path, [0] * 400, limit=limit) == 400
    time.sleep(0.02)
    read_once(tmp_path, [3] * 400, limit=limit)
    assert sum(each.stat().st_size for each in files(tmp_path)) <= limit
    assert read_once(tmp_path, [0] * 400, limit=limit) == 400
    assert read_once(tmp_path, [1] * 400, limit=0) == 0
    assert read_counters(tmp_path).pruned == 1
    assert read_counters(tmp_path).failed_spills == 1


def test_a_child_goes_before_its_parent_and_an_orphan_first(tmp_path: Path) -> None:
    read_once(tmp_path, DOCUMENT, shared=400)
    (parent,) = files(tmp_path)
    read_once(tmp_path, DOCUMENT + [12] * 400, shared=800)
    os.utime(parent, (0, 0))
    size = sum(path.stat().st_size for path in files(tmp_path))
    assert prefix_folder.prune_folder(tmp_path, size - 1)[0] == 1
    assert files(tmp_path) == [parent]
    read_once(tmp_path, DOCUMENT + [12] * 400, shared=800)
    parent.unlink()
    assert prefix_folder.prune_folder(tmp_path, 1 << 30)[0] == 1
    assert files(tmp_path) == []


def test_a_forged_circle_of_parents_is_pruned(tmp_path: Path) -> None:
    folder = tmp_path / ("c" * 32)
    folder.mkdir()
    (folder / f"{'a' * 32}-{'b' * 32}.kv").touch()
    (folder / f"{'b' * 32}-{'a' * 32}.kv").write_bytes(b"12345")
    assert prefix_folder.prune_folder(tmp_path, 4) == (2, 5)


def test_a_full_disk_costs_no_answer(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, before[1]))
    try:
        assert read_once(tmp_path, DOCUMENT, window=32) == 0
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "was not kept on disk" in caplog.text
    assert not list(tmp_path.glob("*/*.kv")) and not list(tmp_path.glob("*/*.partial"))
    assert read_counters(tmp_path).failed_spills > 0


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DiskCacheError, match="--slot-save-path"):
        open_store(tmp_path / "file" / "prefixes")


@pytest.mark.parametrize(
    "head",
    [
        {"parent": "\ud800"},
        {"start": 2**70},
        {"start": float("inf")},
        {"start": [1]},
        {"tokens": 2**62},
        {"tokens": float("nan")},
        "[" * 100_000,
        "\udcff",
    ],
)
def test_a_forged_table_with_the_right_digest_is_a_miss(
    tmp_path: Path, head: dict[str, object] | str
) -> None:
    tokens = as_ids(range(300))
    name = file_name(IDENTITY.key, segment_key(IDENTITY.key, 0, tokens))
    right = {"identity": IDENTITY.key, "parent": IDENTITY.key, "start": 0, "tokens": len(tokens)}
    text = head if isinstance(head, str) else json.dumps({**right, **head})
    plain = text.encode("utf-8", "surrogateescape")
    table = prefix_file._COUNTS.pack(len(plain), 0) + plain + tokens.astype("<i4").tobytes()
    preamble = prefix_file._PREAMBLE.pack(prefix_file._MAGIC, 4096, len(table), prefix_file._digest(table))
    path = tmp_path / IDENTITY.key / name
    path.parent.mkdir()
    path.write_bytes(preamble.ljust(4096, b"\0") + table)
    with pytest.raises(DamagedError):
        read_segment(path, IDENTITY.key)
    assert read_once(tmp_path, list(range(300))) == 0


@pytest.mark.parametrize(
    "text", ['{"requests": Infinity}', "[" * 100_000, "\udcff", "[]", '{"requests": "5"}', ""]
)
def test_small_files_that_make_no_sense_are_as_if_they_were_not_there(tmp_path: Path, text: str) -> None:
    (tmp_path / "counters.json").write_text(text, errors="surrogateescape")
    (tmp_path / IDENTITY.key).mkdir()
    (tmp_path / IDENTITY.key / "about.json").write_text(text, errors="surrogateescape")
    assert read_once(tmp_path, DOCUMENT) == 0
    assert read_once(tmp_path, DOCUMENT) == 400
    assert read_counters(tmp_path).requests == 2
    assert prefix_folder.totals(tmp_path).segments == 1


def test_a_stopped_process_with_the_lock_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(prefix_folder, "_PATIENCE", 0.05)
    open_store(tmp_path)
    with locked(tmp_path):
        assert read_once(tmp_path, DOCUMENT) == 0
        with pytest.raises(DiskCacheError, match="another process has held it"):
            prefix_folder.prune_folder(tmp_path, 0)
    assert "was not kept on disk" in caplog.text and "another process has held it" in caplog.text
    assert not list(tmp_path.rglob("*.partial"))
    assert read_once(tmp_path, DOCUMENT) == 0
    assert read_once(tmp_path, DOCUMENT) == 400


def test_a_full_disk_leaves_no_half_file_of_any_kind(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, before[1]))
    try:
        with pytest.raises(DiskCacheError):
            open_store(tmp_path)
        with pytest.raises(OSError, match="large"):
            write_whole(tmp_path / "counters.json", "x" * 100)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    write_whole(tmp_path / "counters.json", "[1]")
    assert read_json(tmp_path / "counters.json") == [1]
    (tmp_path / ".counters.json.1234.partial").touch()  # of a process that was killed
    prefix_folder.prune_folder(tmp_path, 1 << 30)
    assert not list(tmp_path.glob("*.partial"))


KILLED = """
import sys
from pathlib import Path
from tests.engine.prefix.test_prefix_disk import DOCUMENT, read_once
root = Path(sys.argv[1])
print("ready", flush=True)
for number in range(10_000):
    read_once(root, [number % 500 + 100] + DOCUMENT, window=32)
"""


def test_a_writer_killed_at_any_moment_leaves_whole_files_or_none(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    for _ in range(6):
        writer = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE)
        assert writer.stdout is not None and writer.stdout.readline() == b"ready\n"
        time.sleep(float(rng.uniform(0.001, 0.15)))
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
    assert files(tmp_path)
    assert [prefix_folder.check(entry) for entry in prefix_folder.entries(tmp_path)] == [None] * len(
        files(tmp_path)
    )
    prefix_folder.prune_folder(tmp_path, 1 << 30)  # does not wait for the dead
    assert not list(tmp_path.glob("*/*.partial"))
    assert read_once(tmp_path, [100, *DOCUMENT], window=32) == 401


PRUNED = """
import sys
from pathlib import Path
from longleaf.engine.prefix.folder import prune_folder
for _ in range(200):
    prune_folder(Path(sys.argv[1]), 4000)
"""


def test_two_processes_prune_while_others_read_and_write(tmp_path: Path) -> None:
    pruners = [subprocess.Popen([sys.executable, "-c", PRUNED, str(tmp_path)]) for _ in range(2)]
    reused = 0
    try:
        number = 0
        while any(pruner.poll() is None for pruner in pruners):
            number += 1
            for _ in range(2):  # `read_once` checks what comes back
                reused += read_once(tmp_path, [number % 3] * 300, window=32)
    finally:
        for pruner in pruners:
            pruner.kill()
            pruner.wait()
    assert reused > 0


class DiskMachine(PrefixMachine):
    """The machine of the tree, with a store under it, processes that end, and files that are damaged."""

    def open_cache(self) -> None:
        if not hasattr(self, "root"):
            self.root = Path(tempfile.mkdtemp())
        self.native = FakeKv(budget_pages=60, window=self.window)
        store = open_store(self.root, window=self.window, limit=300_000, least=4)
        self.cache = PrefixCache(self.native, store=store)

    @invariant()
    def nothing_is_lost(self) -> None:
        self.cache.flush()
        super().nothing_is_lost()

    def teardown(self) -> None:
        self.cache.flush()
        super().teardown()
        shutil.rmtree(self.root)

    @precondition(lambda self: not self.active)
    @rule()
    def restart(self) -> None:
        self.cache.flush()
        self.cache.clear()
        self.pinned.clear()
        self.open_cache()

    @rule(data=st.data())
    def damage(self, data: st.DataObject) -> None:
        self.cache.flush()
        found = files(self.root)
        if found:
            path = data.draw(st.sampled_from(found))
            content = bytearray(path.read_bytes())
            at = data.draw(st.integers(0, len(content)))
            if data.draw(st.booleans()):
                del content[at:]
            elif at < len(content):
                content[at] ^= 255
            path.write_bytes(content)

    @rule(data=st.data())
    def lose(self, data: st.DataObject) -> None:
        self.cache.flush()
        found = files(self.root)
        if found:
            data.draw(st.sampled_from(found)).unlink()


class WindowedDiskMachine(DiskMachine):
    window = 6


TestDiskMachine = DiskMachine.TestCase
TestWindowedDiskMachine = WindowedDiskMachine.TestCase
TestDiskMachine.settings = TestWindowedDiskMachine.settings = settings(
    max_examples=30, stateful_step_count=30, deadline=None
)
