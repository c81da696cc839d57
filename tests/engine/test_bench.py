"""What a point is counted to cost, and that it is measured where it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from longleaf._native import Gguf, Model
from longleaf.engine.bench import Bench, instruction_sets, measure
from longleaf.engine.models.load_options import LoadOptions, RopeScaling
from tests.support.gguf_maker import tiny_model, write_model

WINDOW = 64


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shape = tiny_model("gemma3", "Q8_0", sliding_window=WINDOW)
    return write_model(tmp_path_factory.mktemp("bench") / "m.gguf", shape)


@pytest.mark.parametrize(
    ("depth", "tokens"), [(0, 1), (0, 50), (0, 200), (30, 60), (63, 1), (64, 9), (150, 7)]
)
def test_costs_are_those_counted_one_by_one(path: Path, depth: int, tokens: int) -> None:
    file = Gguf(str(path))
    shape = tiny_model("gemma3", "Q8_0")
    layers = sum(t[2][0] * t[2][1] for t in file.tensors() if t[0].startswith("blk.") and len(t[2]) == 2)
    vocabulary = next(t[2][1] for t in file.tensors() if t[0] == "token_embd.weight")
    cost = Model(file, ctx_size=512).cost(depth, tokens, 2)
    assert cost["matmul_macs"] == tokens * layers + 2 * vocabulary * shape.n_embd
    keys = sum(
        min(position + 1, position + 1 if layer % 6 == 5 else WINDOW)  # every sixth layer sees all
        for layer in range(shape.n_layer)
        for position in range(depth, depth + tokens)
    )
    assert cost["attention_macs"] == keys * 2 * shape.n_head * shape.head_dim


def test_points_stand_at_their_depth_and_leave_nothing_behind(path: Path) -> None:
    bench = Bench(path, ctx_size=300, threads=2)
    before = bench._native.kv_stats()
    rows = list(measure(bench, prompts=[40, 130], generations=[3], depths=[0, 170], runs=2))
    assert [(r.depth, r.prompt_tokens, r.generated_tokens) for r in rows] == [
        (depth, *point) for depth in (0, 170) for point in ((40, 0), (130, 0), (0, 3))
    ]
    assert all(row.runs == 2 and row.seconds_min <= row.seconds <= row.seconds_max for row in rows)
    assert bench._native.kv_stats() == before


def test_a_point_may_be_shorter_than_what_touches_memory_first(path: Path) -> None:
    (row,) = measure(Bench(path, ctx_size=4), prompts=[], generations=[4], depths=[0], runs=1)
    assert row.generated_tokens == 4


def test_points_may_lie_beyond_the_trained_context(path: Path) -> None:
    trained = tiny_model("gemma3", "Q8_0").n_ctx
    assert not Bench(path, ctx_size=trained).stretched
    bench = Bench(path, ctx_size=trained + 40, type_k="q8", type_v="q4")
    assert bench.stretched
    (row,) = measure(bench, prompts=[], generations=[20], depths=[trained + 20], runs=1)
    assert row.depth == trained + 20
    asked = LoadOptions(rope=RopeScaling("yarn"))
    assert not Bench(path, ctx_size=trained + 40, load=asked).stretched


def test_what_binds_is_named_by_the_rates_of_the_machine(path: Path) -> None:
    bench = Bench(path, ctx_size=300)
    rates = {"float_macs": 1e9, "integer_macs": 2e9, "tile_macs": 0.0, "read_bytes": 1e20}
    cost = bench._native.cost(0, 100, 1)
    macs = cost["matmul_macs"] + cost["attention_macs"]
    ideal = bench.ideal(rates, 0, 100, 0)
    assert (ideal.seconds, ideal.limit) == (pytest.approx(macs / 2e9), "integer units")
    assert bench.ideal(rates | {"tile_macs": 3e9}, 0, 100, 0).limit == "tiles"
    assert bench.ideal(rates | {"integer_macs": 0.0}, 0, 100, 0).limit == "float units"
    slow = bench.ideal(rates | {"read_bytes": 1.0}, 5, 0, 3)
    read = sum(c["weight_bytes"] + c["kv_bytes"] for c in (bench._native.cost(5 + i, 1, 1) for i in range(3)))
    assert (slow.seconds, slow.limit) == (pytest.approx(read), "memory")


def test_sets_of_this_machine_are_timed_by_name(path: Path) -> None:
    for isa in instruction_sets():
        bench = Bench(path, ctx_size=64, load=LoadOptions(isa=isa))
        (row,) = measure(bench, prompts=[8], generations=[], depths=[0], runs=1)
        assert row.isa == isa
