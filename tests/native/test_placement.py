"""Topology and placement, from sysfs trees of machines that are not here."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from longleaf import _native
from tests.support.fake_machine import machine, two_nodes_here
from tests.support.gguf_maker import tiny_model, write_model
from tests.support.real_models import real_model

PREFER, BIND, INTERLEAVE = 1, 2, 3
GIB = 1 << 30


def placed(root: Path, numa: str = "none", **options: Any) -> dict[str, Any]:
    defaults = {
        "allowed_cpus": None,
        "allowed_nodes": None,
        "numa": numa,
        "threads": 0,
        "quota": 0,
        "bytes": 1 << 20,
    }
    return _native.placement_test(str(root), **{**defaults, **options})


def interleaved(root: Path) -> Path:
    """Two nodes whose CPUs are numbered in turn, each of 2 cores with 2 threads, siblings 4 apart."""
    cpus = {cpu: (cpu % 2, cpu % 4 // 2) for cpu in range(8)}
    return machine(root, cpus, {0: ("0,2,4,6", 64), 1: ("1,3,5,7", 64)})


def test_cores_are_siblings_on_their_node_however_cpus_are_numbered(tmp_path: Path) -> None:
    got = placed(interleaved(tmp_path))
    assert got["cores"] == [([0, 4], 0), ([1, 5], 1), ([2, 6], 0), ([3, 7], 1)]
    assert got["nodes"] == [(0, 64 * GIB, 28 * GIB), (1, 64 * GIB, 28 * GIB)]
    assert got["threads"] == 4
    assert got["cpus"] == [[0, 4], [1, 5], [2, 6], [3, 7]]
    assert got["placed_on"] == [] and got["mbind"] == [] and got["trouble"] == ""
    assert got["homes"] == [] and got["thread_homes"] == [] and got["copies"] == 1


def test_distribute_takes_nodes_in_turn_and_interleaves_memory(tmp_path: Path) -> None:
    cpus = {cpu: (cpu // 3, cpu) for cpu in range(6)}
    root = machine(tmp_path, cpus, {0: ("0-2", 8), 1: ("3-5", 8)})
    got = placed(root, "distribute")
    assert got["cpus"] == [[0], [3], [1], [4], [2], [5]]
    assert got["placed_on"] == [0, 1]
    assert got["mbind"] == [(INTERLEAVE, [0, 1], 1 << 20)]
    assert got["homes"] == [0, 1] and got["thread_homes"] == [0, 1, 0, 1, 0, 1]
    fewer = placed(root, "distribute", threads=3)  # no core of their own, but nodes in turn
    assert fewer["cpus"] == [[0, 1, 2], [3, 4, 5], [0, 1, 2]]
    assert fewer["thread_homes"] == [0, 1, 0]
    alone = placed(root, "distribute", threads=1)  # on no home is there another thread
    assert alone["placed_on"] == [0, 1] and alone["homes"] == []


def test_homes_are_numbered_by_node_however_cpus_are(tmp_path: Path) -> None:
    got = placed(interleaved(tmp_path), "distribute")
    assert got["cpus"] == [[0, 4], [1, 5], [2, 6], [3, 7]]
    assert got["homes"] == [0, 1] and got["thread_homes"] == [0, 1, 0, 1]
    far = {cpu: (0, cpu) for cpu in range(4)}
    root = machine(tmp_path / "far", far, {3: ("0,2", 8), 9: ("1,3", 8)})
    got = placed(root, "distribute")
    assert got["homes"] == [3, 9] and got["mbind"] == [(INTERLEAVE, [3, 9], 1 << 20)]
    assert got["thread_homes"] == [0, 1, 0, 1]


def test_isolate_stays_on_the_node_with_the_most_cores_left(tmp_path: Path) -> None:
    got = placed(interleaved(tmp_path), "isolate", allowed_cpus=[0, 1, 3, 5])
    assert got["threads"] == 2
    assert got["cpus"] == [[1, 5], [3]]
    assert got["placed_on"] == [1]
    assert got["mbind"] == [(BIND, [1], 1 << 20)]
    assert got["homes"] == []
    assert placed(tmp_path, "isolate", threads=1)["cpus"] == [[0, 4, 2, 6]]


def test_nodes_of_memory_alone_share_what_is_distributed(tmp_path: Path) -> None:
    root = machine(tmp_path, {0: (0, 0), 1: (0, 1)}, {0: ("0-1", 16), 2: ("", 32)})
    got = placed(root, "distribute")
    assert got["cores"] == [([0], 0), ([1], 0)]
    assert got["placed_on"] == [0, 2]
    assert got["homes"] == []  # no thread is near node 2
    assert placed(root, "isolate")["placed_on"] == [0]


def test_cpus_without_memory_are_with_the_nearest_that_has_some(tmp_path: Path) -> None:
    cpus = {cpu: (0, cpu) for cpu in range(4)}
    nodes = {0: ("0-1", 0), 1: ("2", 8), 2: ("3", 8)}
    far = {0: "10 40 20", 1: "40 10 30", 2: "20 30 10"}
    root = machine(tmp_path, cpus, nodes, distances=far)
    got = placed(root, "isolate")
    assert [node for _, node in got["cores"]] == [2, 2, 1, 2]
    assert got["placed_on"] == [2] and got["threads"] == 3
    assert placed(root, "distribute")["homes"] == [1, 2]
    unsaid = placed(machine(tmp_path / "unsaid", cpus, nodes))
    assert [node for _, node in unsaid["cores"]] == [1, 1, 1, 2]


def test_memory_that_a_cpuset_forbids_is_not_placed_on(tmp_path: Path) -> None:
    got = placed(interleaved(tmp_path), "distribute", allowed_nodes=[1])
    assert got["nodes"] == [(1, 64 * GIB, 28 * GIB)]
    assert got["placed_on"] == [] and got["homes"] == [] and got["threads"] == 4
    three = machine(
        tmp_path / "three",
        {cpu: (0, cpu) for cpu in range(3)},
        {0: ("0", 8), 1: ("1", 8), 2: ("2", 8)},
        distances={0: "10 20 30", 1: "20 10 20", 2: "30 20 10"},
    )
    got = placed(three, "distribute", allowed_nodes=[0, 1], allowed_cpus=[0, 1, 2])
    assert got["homes"] == [0, 1]
    assert [node for _, node in got["cores"]] == [0, 1, 1]


def test_weights_are_copied_when_they_are_small_for_every_home(tmp_path: Path) -> None:
    root = interleaved(tmp_path)
    assert placed(root, "distribute", bytes=GIB)["copies"] == 2
    assert placed(root, "distribute", bytes=5 * GIB)["copies"] == 1
    assert placed(root, "isolate", bytes=GIB)["copies"] == 1
    uneven = machine(tmp_path / "u", {0: (0, 0), 1: (1, 0)}, {0: ("0", 64), 1: ("1", 8)})
    assert placed(uneven, "distribute", bytes=GIB)["copies"] == 1


def test_a_node_too_small_for_its_memory_is_preferred_not_bound_to(tmp_path: Path) -> None:
    root = machine(tmp_path, {0: (0, 0), 1: (1, 0)}, {0: ("0", 2), 1: ("1", 2)})
    room = GIB * 7 // 8  # half of the node, less the sixteenth that the system may keep back
    fits = placed(root, "isolate", bytes=room)
    assert fits["mbind"] == [(BIND, [0], room)] and fits["trouble"] == ""
    got = placed(root, "isolate", bytes=room + 4096)
    assert got["mbind"] == [(PREFER, [0], room + 4096)]
    assert "node 0 has less memory available" in got["trouble"]


def test_offline_and_forbidden_cpus_do_not_exist(tmp_path: Path) -> None:
    cpus = {cpu: (0, cpu) for cpu in range(6)}
    root = machine(tmp_path, cpus, {0: ("0-5", 16)}, online="0-2,5")
    assert [core for core, _ in placed(root)["cores"]] == [[0], [1], [2], [5]]
    got = placed(root, allowed_cpus=[1, 3, 5])
    assert got["cpus"] == [[1], [5]]


def test_one_node_costs_nothing(tmp_path: Path) -> None:
    root = machine(tmp_path, {0: (0, 0), 1: (0, 1)}, {0: ("0-1", 16)})
    for numa in ("distribute", "isolate"):
        got = placed(root, numa)
        assert got["placed_on"] == [] and got["mbind"] == [] and got["homes"] == []
        assert got["thread_homes"] == [] and got["copies"] == 1


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


def run_batches(model: _native.Model) -> list[bytes]:
    """Long and short rows, forks and truncations; the logits."""
    rng = np.random.default_rng(3)
    tokens = [int(token) for token in rng.integers(5, 280, 2300)]
    long, short = model.new_sequence(), model.new_sequence()
    out = [model.forward([(long, tokens, 40), (short, tokens[700:760], 60)])]
    fork = model.fork(long)
    for token in tokens[:3]:
        out.append(model.forward([(s, [token], 1) for s in (long, fork, short)]))
    pages = model.export_pages(fork)
    again = model.import_sequence(model.length(fork), pages)
    model.truncate(fork, 2250)
    model.free(long)
    out.append(model.forward([(fork, tokens[:90], 9), (again, tokens[5:6], 1)]))
    ids, best = model.forward_top([(again, tokens[6:7], 1)], 5)
    return [array.tobytes() for array in (*out, ids, best)]


@pytest.mark.parametrize("threads", [2, 5])
@pytest.mark.parametrize(
    ("architecture", "options"),
    [("llama", {}), ("gemma3", {"n_head_kv": 1}), ("qwen3", {"n_head": 6, "n_head_kv": 3})],
)
def test_results_do_not_depend_on_where_memory_lies(
    tmp_path: Path, architecture: str, options: dict[str, int], threads: int
) -> None:
    """The second node is made up, so the system refuses it, but all is divided as if it were there."""
    model = tiny_model(architecture, "Q8_0", n_ctx=4096, **options)
    gguf = _native.Gguf(write_model(tmp_path / "m.gguf", model))
    expected = run_batches(_native.Model(gguf, threads=threads))
    sysfs = str(two_nodes_here(tmp_path / "sys"))
    for numa in ("none", "distribute", "isolate"):
        placed_model = _native.Model(gguf, threads=threads, numa=numa, sysfs=sysfs)
        assert run_batches(placed_model) == expected
        use = placed_model.numa_use()
        if numa == "distribute" and len(os.sched_getaffinity(0)) > 1:
            assert use["homes"] == [0, 1] and use["weight_copies"] == 2
            assert use["kv_pages"] > 0 and use["weight_pages"] > 0
        else:
            assert use["homes"] == [] and use["weight_copies"] == 1


@pytest.mark.parametrize("name", ["gemma-3-270m", "smollm2-135m-instruct"])
def test_real_models_are_the_same_over_homes(tmp_path: Path, name: str) -> None:
    """Both have KV heads that do not go evenly into two homes, so segments take them in turn."""
    gguf = _native.Gguf(real_model(name).path)
    sysfs = str(two_nodes_here(tmp_path))
    tokens = [int(token) for token in np.random.default_rng(1).integers(5, 40000, 1100)]
    results = []
    for numa in ("none", "distribute"):
        model = _native.Model(gguf, threads=2, ctx_size=2048, numa=numa, sysfs=sysfs)
        sequence = model.new_sequence()
        read = model.forward([(sequence, tokens, 2)])
        ids, best = model.forward_top([(sequence, tokens[:1], 1)], 8)
        results.append((read.tobytes(), ids.tobytes(), best.tobytes()))
    assert results[0] == results[1]
