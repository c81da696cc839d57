"""Prefixes of a real windowed model: reused, forked, saved, restored, dropped, they change no token."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from longleaf.engine.engine import Engine
from longleaf.engine.errors import ContextOverflowError
from longleaf.engine.models.content_hash import content_hash
from longleaf.engine.prefix.kv_options import KvOptions
from tests.support.real_models import real_model

CLAUSES = (
    "{n}. The Supplier shall deliver the goods within {n} days of each order, free of defects and of liens. ",
    "{n}. Either party may terminate this Agreement on {n} days' written notice to the other. ",
    "{n}. Fees of ${n},000 fall due on the first day of each month and bear interest when late. ",
)
QUESTIONS = ("\nThe notice period is", "\nThe goods are to be delivered within")


def document(seed: int, clauses: int = 26) -> str:
    rng = random.Random(seed)
    return "".join(rng.choice(CLAUSES).format(n=rng.randint(2, 99)) for _ in range(clauses))


@pytest.fixture(scope="module")
def model() -> str:
    return str(real_model("gemma-3-270m").path)


def open_engine(model: str, root: Path | None = None, budget: int = 0) -> Engine:
    engine = Engine.open(model, ctx_size=2048, kv=KvOptions(budget_bytes=budget, save_path=root))
    if engine._prefixes._store is not None:
        engine._prefixes._store.least = 256  # these documents are short
    return engine


def test_no_way_of_keeping_a_prefix_changes_the_greedy_tokens(model: str, tmp_path: Path) -> None:
    documents = [document(seed) for seed in (1, 2)]
    asked = [(text, question) for text in documents for question in QUESTIONS]
    with open_engine(model) as fresh:
        expected = {}
        for text, question in asked:
            expected[text, question] = fresh.generate(text + question, max_tokens=6).ids
            fresh.close()
        budget = int(1.6 * fresh._native.kv_bytes_needed(900))
    rng = random.Random(0)
    engine = open_engine(model, tmp_path, budget)
    reused = 0
    for _ in range(11):
        text, question = rng.choice(asked)
        match rng.choice(["ask", "ask", "share", "restart", "evict", "damage"]):
            case "share":
                result = engine.generate(text + question, max_tokens=6, shared=text)
                assert result.ids == expected[text, question]
            case "restart":
                engine.close()
                engine = open_engine(model, tmp_path, budget)
            case "evict":
                engine._prefixes.make_room()
            case "damage":
                engine._prefixes.flush()
                for path in rng.sample(
                    sorted(tmp_path.glob("*/*.kv")), k=min(1, len(list(tmp_path.glob("*/*.kv"))))
                ):
                    data = bytearray(path.read_bytes())
                    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
                    path.write_bytes(data)
        result = engine.generate(text + question, max_tokens=6)
        assert result.ids == expected[text, question]
        reused += result.usage.reused_tokens
    done = engine.prefix_stats().done
    engine.close()
    assert reused > 1000
    assert done.restores + done.spills > 0


def test_a_prompt_that_cannot_fit_the_budget_is_refused_with_the_arithmetic(model: str) -> None:
    with (
        Engine.open(model, ctx_size=8192, kv=KvOptions(budget_bytes=24 << 20)) as engine,
        pytest.raises(ContextOverflowError, match=r"8,?000 tokens of prompt and 10 .* 3,0\d\d a token in 3"),
    ):
        engine.generate([5] * 8000, max_tokens=10)


def test_the_content_hash_is_of_all_content_and_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LONGLEAF_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "model.gguf"
    content = bytearray(random.Random(0).randbytes(20 << 20))
    file.write_bytes(content)
    first = content_hash(file)
    assert content_hash(file) == first
    content[17 << 20] ^= 1
    file.write_bytes(content)
    assert content_hash(file) != first
    (tmp_path / "cache" / "content_hashes.json").write_text("[not json")
    content[17 << 20] ^= 1
    file.write_bytes(content)
    assert content_hash(file) == first
