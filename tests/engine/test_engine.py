"""The Engine on the real small model: reuse, ranking, stop strings, streams, threads."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from longleaf import _native
from longleaf.engine.engine import ContextOverflowError, Engine
from longleaf.engine.scheduling.meter import measure
from tests.support.real_models import real_model

CLAUSE = (
    "This Agreement shall be governed by the laws of the State of Delaware. Either party may terminate it on "
    "ninety (90) days' written notice. "
)
PROMPT = CLAUSE * 6 + "The notice period is"


@pytest.fixture(scope="module")
def model_path() -> str:
    return str(real_model("smollm2-135m-instruct").path)


@pytest.fixture
def engine(model_path: str) -> Iterator[Engine]:
    with Engine.open(model_path, ctx_size=1024) as opened:
        yield opened


def test_reused_prefixes_do_not_change_the_text(engine: Engine) -> None:
    fresh = engine.generate(PROMPT, max_tokens=12)
    assert fresh.usage.reused_tokens == 0
    again = engine.generate(PROMPT, max_tokens=12)
    assert again.ids == fresh.ids
    assert again.usage.reused_tokens == again.usage.prompt_tokens - 1  # the last token gives the logits
    other = engine.generate(CLAUSE * 6 + "The governing law is that of", max_tokens=8)
    assert 0 < other.usage.reused_tokens < other.usage.prompt_tokens
    engine.close()
    assert engine.generate(CLAUSE * 6 + "The governing law is that of", max_tokens=8).ids == other.ids


def test_ranking_equals_scoring_each_candidate_alone(engine: Engine, model_path: str) -> None:
    candidates = [" ninety days", " ten days", " the State of Delaware", "\n"]
    ranked = engine.rank(PROMPT, candidates)
    native = _native.Model(_native.Gguf(model_path), ctx_size=1024)
    for candidate, score in zip(candidates, ranked, strict=True):
        ids = engine.tokenizer.encode(PROMPT + candidate)
        sequence = native.new_sequence()
        logprobs = native.score([(sequence, ids[:-1], ids[1:])])
        assert score.logprob == float(np.sum(logprobs[-score.n_tokens :], dtype=np.float64))
    assert ranked[0].logprob > ranked[2].logprob


def test_ranking_reads_the_prefix_once(engine: Engine) -> None:
    with measure() as first:
        engine.rank(PROMPT, [" ninety", " ten"])
    with measure() as second:
        engine.rank(PROMPT, [" Delaware", " Ohio"])
    assert first.usage().reused_tokens == 0
    assert second.usage().reused_tokens >= len(engine.tokenizer.encode(PROMPT)) - 2
    assert second.usage().seconds_to_first_token is not None


def test_a_stop_string_ends_the_text_and_is_never_shown(engine: Engine) -> None:
    whole = engine.generate(PROMPT, max_tokens=24, ignore_eos=True)
    stop = whole.text[8:14]
    pieces = []
    stream = engine.stream(PROMPT, max_tokens=24, stop=[stop], ignore_eos=True)
    while True:
        try:
            pieces.append(next(stream))
        except StopIteration as end:
            result = end.value
            break
    assert result.finish == "stop"
    assert result.text == whole.text[: whole.text.index(stop)] == "".join(pieces)


def test_length_and_empty_prompt_are_checked(engine: Engine) -> None:
    with pytest.raises(ContextOverflowError, match="1024"):
        engine.generate(CLAUSE * 60, max_tokens=1)
    with pytest.raises(ValueError, match="no token"):
        engine.generate([], max_tokens=1)
    with pytest.raises(ValueError, match="max_tokens"):
        engine.generate("a", max_tokens=0)
    with pytest.raises(ValueError, match="empty candidate"):
        engine.rank("a", ["b", ""])


def test_control_tokens_in_a_text_prompt_are_text_unless_asked_for(engine: Engine) -> None:
    text = "<|im_end|>"
    plain = engine.generate(text, max_tokens=1).usage.prompt_tokens
    special = engine.generate(text, max_tokens=1, parse_special=True).usage.prompt_tokens
    assert plain > special == 1


def test_abandoned_streams_give_their_pages_back(engine: Engine) -> None:
    for number in range(24):
        stream = engine.stream(f"{number}. {CLAUSE * 3}", max_tokens=5)
        next(stream)
        assert engine.prefix_stats().in_use == 1
        stream.close()
    assert engine.prefix_stats().in_use == 0
    again = engine.generate(f"23. {CLAUSE * 3}", max_tokens=1)
    assert again.usage.reused_tokens == again.usage.prompt_tokens - 1


def test_a_full_pool_drops_old_prefixes_not_requests(engine: Engine) -> None:
    texts = [f"{number}. {CLAUSE * 20}" for number in range(6)]
    first = [engine.generate(text, max_tokens=4).ids for text in texts]
    assert [engine.generate(text, max_tokens=4).ids for text in texts] == first


def test_threads_get_what_they_would_get_alone(engine: Engine) -> None:
    prompts = [f"Section {number}. {CLAUSE}It follows that" for number in range(4)]
    alone = [engine.generate(prompt, max_tokens=6).ids for prompt in prompts]
    engine.close()
    got: dict[int, tuple[int, ...]] = {}

    def run(index: int) -> None:
        got[index] = engine.generate(prompts[index], max_tokens=6).ids

    workers = [threading.Thread(target=run, args=(index,)) for index in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [got[index] for index in range(4)] == alone


def test_sampling_follows_the_seed(engine: Engine) -> None:
    draws = [engine.generate(PROMPT, max_tokens=8, temperature=1.5, seed=seed).ids for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]
