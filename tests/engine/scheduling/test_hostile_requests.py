"""What callers do wrong, and what the system does to them: errors in words for the one at fault, no hang."""

from __future__ import annotations

import gc
import math
import os
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from longleaf import LongleafError, _native
from longleaf.engine.constraint.grammar import choice
from longleaf.engine.constraint.token_bytes import token_bytes
from longleaf.engine.engine import Engine
from longleaf.engine.errors import DeadlineError, EngineClosedError, PromptError, SamplingError
from longleaf.engine.prompt.tokenizer import load_tokenizer
from longleaf.engine.scheduling.scheduler import Limits
from longleaf.engine.speculation.prompt_lookup import PromptLookup

PROMPT = [5, 80, 17, 200, 33, 91]


@pytest.mark.parametrize(
    ("prompt", "options", "error", "said"),
    [
        ([5, 2.5], {}, TypeError, "'float' object cannot be interpreted as an integer"),
        ([5, None], {}, TypeError, "'NoneType' object"),
        (b"law", {}, TypeError, "not bytes"),
        ([5, -1], {}, PromptError, "the prompt has token -1, but those of the model are 0 to 406"),
        ([5, 2**40], {}, PromptError, "has token 1099511627776"),
        ([], {}, PromptError, "no token"),
        (PROMPT, {"max_token": 3}, TypeError, "no option 'max_token'; is it 'max_tokens'"),
        (PROMPT, {"zzz": 3}, TypeError, "no option 'zzz'$"),
        (PROMPT, {"top_k": 1.5, "temperature": 1.0}, SamplingError, "top_k must be a whole number"),
        (PROMPT, {"timeout": math.nan}, SamplingError, "timeout must be a number of seconds"),
        (PROMPT, {"timeout": 0}, DeadlineError, "the 0 s of the request are over"),
        (PROMPT, {"max_tokens": 2043}, LongleafError, "do not fit the context"),
    ],
)
def test_a_request_that_makes_no_sense_is_refused_and_hurts_no_other(
    engine: Engine, prompt: Any, options: dict[str, Any], error: type[Exception], said: str
) -> None:
    alone = engine.generate(PROMPT, max_tokens=60, ignore_eos=True).ids
    stream = engine.stream(PROMPT, max_tokens=60, ignore_eos=True)
    next(stream)
    with pytest.raises(error, match=said):
        engine.generate(prompt, **{"max_tokens": 3, **options})
    while True:
        try:
            next(stream)
        except StopIteration as end:
            assert end.value.ids == alone
            break


def test_a_prompt_and_its_answer_may_fill_the_context_to_the_last_token(engine: Engine) -> None:
    whole = engine.generate([5] * 2000, max_tokens=48, ignore_eos=True)
    assert len(whole.ids) == 48
    assert engine.generate([5] * 2047, max_tokens=1, ignore_eos=True).finish == "length"
    text = "the laws of the State of Delaware and no other"
    forced = choice(engine.tokenizer, [text])
    cut = engine.generate([5] * 2044, max_tokens=4, logprobs=1, constraint=forced.constraint())
    assert (len(cut.ids), cut.finish) == (4, "length")
    assert cut.logprobs is not None and [each.token for each in cut.logprobs] == list(cut.ids)


def test_end_tokens_are_not_chosen_when_they_are_to_be_ignored(engine: Engine) -> None:
    (end, *_) = engine.tokenizer.eog_ids
    likely = {end: 100.0}
    assert engine.generate(PROMPT, max_tokens=8, logit_bias=likely).ids == ()
    for options in ({"logit_bias": likely}, {"temperature": 1.0}, {"temperature": 1.0, "top_k": 3}, {}):
        ids = engine.generate(PROMPT, max_tokens=40, ignore_eos=True, **options).ids
        assert len(ids) == 40 and not engine.tokenizer.eog_ids & set(ids)
    everything = dict.fromkeys(range(engine.tokenizer.n_vocab), -math.inf) | {end: 0.0}
    with pytest.raises(SamplingError, match="no token is left"):
        engine.generate(PROMPT, max_tokens=8, ignore_eos=True, logit_bias=everything)


@pytest.mark.parametrize("drafted", [False, True])
def test_a_row_whose_best_are_barred_is_asked_for_again(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, drafted: bool
) -> None:
    """Only the best is asked for; what comes next is as if all logits had been."""
    plain = engine.generate(PROMPT, max_tokens=60).ids
    monkeypatch.setattr(engine.tokenizer, "eog_ids", frozenset([plain[0], *sorted(set(plain))[::2]]))
    options: dict[str, Any] = {"max_tokens": 60, "ignore_eos": True}
    expected = engine.generate(PROMPT, logprobs=0, **options).ids
    assert expected != plain and not engine.tokenizer.eog_ids & set(expected)
    drafter = PromptLookup() if drafted else None
    result = engine.generate(PROMPT, drafter=drafter, **options)
    assert result.ids == expected
    assert result.usage.generated_tokens == 60


def test_batches_fit_whatever_queue_there_is(model_path: Path) -> None:
    with Engine.open(model_path, threads=2, limits=Limits(running=2, waiting=0)) as narrow:
        results = narrow.batch([[*PROMPT, each] for each in range(9)], max_tokens=4, ignore_eos=True)
        assert [len(each.ids) for each in results] == [4] * 9


@pytest.mark.parametrize("limits", [(0, 5), (-1, 0), (513, 0), (4, -1)])
def test_limits_with_which_nothing_could_run_are_refused(limits: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="running must be between 1 and 512"):
        Limits(*limits)


def test_a_batch_that_fails_cancels_all_at_once(engine: Engine) -> None:
    """Not one after the other, each with a step of all that are left."""
    steps: list[int] = []
    forward = engine._native.forward_both

    class Counting:
        def __getattr__(self, name: str) -> Any:
            return getattr(engine._native, name)

        def forward_both(self, whole: list[Any], best: list[Any], k: int) -> Any:
            steps.append(len(whole) + len(best))
            return forward(whole, best, k)

    engine._scheduler._native = Counting()  # type: ignore[assignment]
    after: list[int] = []

    def fail(done: int, total: int) -> None:
        after.append(len(steps))
        raise ZeroDivisionError

    prompts = [[*PROMPT, each] for each in range(8)]
    with pytest.raises(ZeroDivisionError):
        engine.batch(prompts, max_tokens=400, ignore_eos=True, progress=fail, logit_bias={7: 1.0})
    assert len(steps) - after[0] <= 3
    assert engine.prefix_stats().in_use == 0


def test_a_constraint_serves_one_request(engine: Engine) -> None:
    constraint = choice(engine.tokenizer, ["yes", "no"]).constraint()
    assert engine.generate(PROMPT, max_tokens=9, constraint=constraint).text in ("yes", "no")
    with pytest.raises(SamplingError, match="served another request"):
        engine.generate(PROMPT, max_tokens=9, constraint=constraint)


def test_a_perplexity_of_no_tokens_is_refused(engine: Engine) -> None:
    for ctx in (-5, 0, 3):
        with pytest.raises(LongleafError, match=f"one chunk of {ctx} tokens"):
            engine.perplexity("law " * 50, ctx=ctx)


def test_no_thread_to_be_had_is_an_error_and_not_the_end(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError, match="can't start new thread"):
            engine.generate(PROMPT, max_tokens=2)
    assert len(engine.generate(PROMPT, max_tokens=2, ignore_eos=True, timeout=30).ids) == 2


def within(seconds: float, action: Callable[[], object]) -> None:
    thread = threading.Thread(target=action, daemon=True)
    thread.start()
    thread.join(seconds)
    assert not thread.is_alive(), "it hangs"


def test_the_collector_may_end_a_stream_where_the_cache_is_locked(engine: Engine) -> None:
    def collect() -> None:
        stream = engine.stream(PROMPT, max_tokens=1500, ignore_eos=True)
        next(stream)
        circle: list[object] = [stream]
        circle.append(circle)
        del stream, circle
        with engine._prefixes._lock:  # as in any of its methods, all of which allocate
            gc.collect()

    within(30, collect)
    for _ in range(3000):
        if engine.prefix_stats().in_use == 0:
            return
        time.sleep(0.01)
    raise AssertionError("the request was not cancelled")


def test_tokenizers_are_collected_with_all_that_was_made_of_them(model_path: Path) -> None:
    tokenizer = load_tokenizer(_native.Gguf(str(model_path)))
    known = weakref.ref(token_bytes(tokenizer))
    choice(tokenizer, ["yes"])
    del tokenizer
    gc.collect()
    assert known() is None


def in_child(action: Callable[[], bool], seconds: float = 60) -> bool:
    """What the action returns in a forked process; AssertionError if it does not end."""
    child = os.fork()
    if child == 0:
        code = 2
        try:
            code = 0 if action() else 1
        finally:
            os._exit(code)
    for _ in range(int(seconds * 100)):
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            code = os.waitstatus_to_exitcode(status)
            assert code in (0, 1), f"it failed with {code}"
            return code == 0
        time.sleep(0.01)
    os.kill(child, 9)
    os.waitpid(child, 0)
    raise AssertionError("the forked process hangs")


def test_a_forked_process_can_leave_what_it_inherits(engine: Engine) -> None:
    stream = engine.stream(PROMPT, max_tokens=1500, ignore_eos=True)
    next(stream)

    def go_on() -> bool:
        try:
            list(stream)
        except EngineClosedError:
            return True
        return False

    def leave() -> bool:
        engine._prefixes._lock.acquire()  # as a thread of the parent may have held it when it forked
        threading.Thread(target=engine.close).start()
        stream.close()
        return threading.active_count() == 1 or (time.sleep(0.5), threading.active_count() == 1)[1]

    assert in_child(go_on)
    assert in_child(leave)
    stream.close()


def test_a_forked_process_has_its_own_engine_and_constraints(engine: Engine, model_path: Path) -> None:
    def constrained(opened: Engine) -> str:
        grammar = choice(opened.tokenizer, ["yes", "no"])
        return opened.generate(PROMPT, max_tokens=9, timeout=20, constraint=grammar.constraint()).text

    text = constrained(engine)  # the parent has threads that make masks
    assert in_child(lambda: constrained(Engine.open(model_path, threads=2)) == text)
