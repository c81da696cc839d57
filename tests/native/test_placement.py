"""Topology and placement, from sysfs trees of machines that are not here."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from longleaf import _native
from tests.support.gguf_maker import tiny_model, write_model

INTERLEAVE, BIND = 3, 2


def machine(
    root: Path,
    cpus: dict[int, tuple[int, int]],
    nodes: dict[int, tuple[str, int]],
    *,
    online: str | None = None,
) -> Path:
    """`cpus` have a package and a core, `nodes` a list of CPUs and GiB of memory."""
    cpu_root, node_root = root / "devices/system/cpu", root / "devices/system/node"
    for cpu, (package, core) in cpus.items():
        folder = cpu_root / f"cpu{cpu}/topology"
        folder.mkdir(parents=True)
        (folder / "physical_package_id").write_text(f"{package}\n")
        (folder / "core_id").write_text(f"{core}\n")
    cpu_root.mkdir(parents=True, exist_ok=True)
    (cpu_root / "online").write_text((online or ",".join(map(str, cpus))) + "\n")
    for node, (listed, gib) in nodes.items():
        folder = node_root / f"node{node}"
        folder.mkdir(parents=True)
        (folder / "cpulist").write_text(listed + "\n")
        (folder / "meminfo").write_text(
            f"Node {node} MemTotal:       {gib << 20} kB\nNode {node} MemFree: 5 kB\n"
        )
    if nodes:
        (node_root / "online").write_text(",".join(map(str, nodes)) + "\n")
    return root


def placed(root: Path, numa: str = "none", **options: Any) -> dict[str, Any]:
    return _native.placement_test(
        str(root), **{"allowed": None, "numa": numa, "threads": 0, "quota": 0, **options}
    )


def interleaved(root: Path) -> Path:
    """Two nodes whose CPUs are numbered in turn, each of 2 cores with 2 threads, siblings 4 apart."""
    cpus = {cpu: (cpu % 2, cpu % 4 // 2) for cpu in range(8)}
    return machine(root, cpus, {0: ("0,2,4,6", 64), 1: ("1,3,5,7", 64)})


def test_cores_are_siblings_on_their_node_however_cpus_are_numbered(tmp_path: Path) -> None:
    got = placed(interleaved(tmp_path))
    assert got["cores"] == [([0, 4], 0), ([1, 5], 1), ([2, 6], 0), ([3, 7], 1)]
    assert got["nodes"] == [(0, 64 << 30), (1, 64 << 30)]
    assert got["threads"] == 4
    assert got["cpus"] == [[0, 4], [1, 5], [2, 6], [3, 7]]
    assert got["placed_on"] == [] and got["mbind"] == [] and got["trouble"] == ""


def test_distribute_takes_nodes_in_turn_and_interleaves_memory(tmp_path: Path) -> None:
    cpus = {cpu: (cpu // 3, cpu) for cpu in range(6)}
    root = machine(tmp_path, cpus, {0: ("0-2", 8), 1: ("3-5", 8)})
    got = placed(root, "distribute")
    assert got["cpus"] == [[0], [3], [1], [4], [2], [5]]
    assert got["placed_on"] == [0, 1]
    assert got["mbind"] == [(INTERLEAVE, [0, 1], 1 << 20)]
    assert sum(got["pages"]) > 0 and abs(got["pages"][0] - got["pages"][1]) <= 1
    fewer = placed(root, "distribute", threads=3)  # no core of their own, but nodes in turn
    assert fewer["cpus"] == [[0, 1, 2], [3, 4, 5], [0, 1, 2]]


def test_isolate_stays_on_the_node_with_the_most_cores_left(tmp_path: Path) -> None:
    got = placed(interleaved(tmp_path), "isolate", allowed=[0, 1, 3, 5])
    assert got["threads"] == 2
    assert got["cpus"] == [[1, 5], [3]]
    assert got["placed_on"] == [1]
    assert got["mbind"] == [(BIND, [1], 1 << 20)]
    assert got["pages"] == [sum(got["pages"])]
    assert placed(tmp_path, "isolate", threads=1)["cpus"] == [[0, 4, 2, 6]]


def test_nodes_of_memory_alone_share_what_is_distributed(tmp_path: Path) -> None:
    root = machine(tmp_path, {0: (0, 0), 1: (0, 1)}, {0: ("0-1", 16), 2: ("", 32)})
    got = placed(root, "distribute")
    assert got["cores"] == [([0], 0), ([1], 0)]
    assert got["placed_on"] == [0, 2]
    assert placed(root, "isolate")["placed_on"] == [0]
    bare = machine(tmp_path / "bare", {0: (0, 0)}, {0: ("0", 0), 1: ("", 8), 2: ("", 8)})
    got = placed(bare, "isolate")
    assert got["placed_on"] == [] and "no memory of its own" in got["trouble"]


def test_offline_and_forbidden_cpus_do_not_exist(tmp_path: Path) -> None:
    cpus = {cpu: (0, cpu) for cpu in range(6)}
    root = machine(tmp_path, cpus, {0: ("0-5", 16)}, online="0-2,5")
    assert [core for core, _ in placed(root)["cores"]] == [[0], [1], [2], [5]]
    got = placed(root, allowed=[1, 3, 5])
    assert got["cpus"] == [[1], [5]]


def test_one_node_costs_nothing(tmp_path: Path) -> None:
    root = machine(tmp_path, {0: (0, 0), 1: (0, 1)}, {0: ("0-1", 16)})
    for numa in ("distribute", "isolate"):
        got = placed(root, numa)
        assert got["placed_on"] == [] and got["mbind"] == [] and got["pages"] == []


@pytest.mark.parametrize(("threads", "quota"), [(1, 0), (3, 0), (0, 1), (2, 1)])
def test_threads_that_do_not_take_all_cores_are_not_pinned(tmp_path: Path, threads: int, quota: int) -> None:
    root = machine(tmp_path, {0: (0, 0), 1: (0, 1)}, {0: ("0-1", 16)})
    got = placed(root, threads=threads, quota=quota)
    assert got["cpus"] == []
    assert got["threads"] == (threads or quota)


def test_a_system_that_says_nothing_has_cores_on_node_0(tmp_path: Path) -> None:
    got = placed(tmp_path, "distribute")
    assert got["nodes"] == [] and got["placed_on"] == []
    assert all(node == 0 and len(cpus) == 1 for cpus, node in got["cores"])
    odd = machine(tmp_path / "odd", {}, {0: ("x,3-1,-4", 1)}, online="0-1,zzz,9999999999999")
    assert [core for core, _ in placed(odd)["cores"]][:2] == [[0], [1]]


@pytest.mark.parametrize("code", [errno.EPERM, errno.ENOSYS, errno.ENOMEM])
def test_what_the_system_refuses_is_said_and_survived(tmp_path: Path, code: int) -> None:
    got = placed(interleaved(tmp_path), "distribute", refusal=code)
    assert got["pages"] == []
    for words in ("refused to place memory", "cannot be verified", "be locked in memory", "ulimit -l"):
        assert words in got["trouble"]


def test_a_model_says_how_it_is_placed(tmp_path: Path) -> None:
    gguf = _native.Gguf(write_model(tmp_path / "m.gguf", tiny_model("llama")))
    for numa in ("none", "distribute", "isolate"):
        model = _native.Model(gguf, numa=numa, mlock=True)
        assert model.forward([(model.new_sequence(), [1, 2], 1)]).shape == (1, model.n_vocab)
        assert model.threads >= 1
        assert model.placement_trouble == "" or "lock" in model.placement_trouble
    with pytest.raises(_native.NativeError, match="none, distribute or isolate"):
        _native.Model(gguf, numa="spread")
