"""Jobs run one at a time, are joined by key, can be stopped and tell what went wrong."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from longleaf import LongleafError
from longleaf.app.review.background_jobs import Job, JobQueue

SECONDS = 20


@pytest.fixture
def queue() -> Iterator[JobQueue]:
    queue = JobQueue()
    yield queue
    queue.close()


def test_a_job_reports_and_returns(queue: JobQueue) -> None:
    def work(job: Job[int]) -> int:
        job.report("counting", 2, 3)
        job.partial.append("half")
        return 0  # a result that is not truthy is a result

    job = queue.submit(("count",), work)
    assert job.wait(SECONDS) and job.result == 0 and not job.error
    assert (job.stage, job.done, job.total, job.partial) == ("counting", 2, 3, ["half"])


def test_the_same_key_joins_and_another_waits_its_turn(queue: JobQueue) -> None:
    gate, running = threading.Event(), threading.Event()
    order: list[str] = []

    def first(job: Job[str]) -> str:
        running.set()
        gate.wait(SECONDS)
        order.append("first")
        return "first"

    def second(job: Job[str]) -> str:
        order.append("second")
        return "second"

    job = queue.submit(("a",), first)
    assert running.wait(SECONDS)
    assert queue.submit(("a",), second) is job
    other = queue.submit(("b",), second)
    assert other.stage == "waiting for its turn" and not other.finished
    gate.set()
    assert other.wait(SECONDS) and order == ["first", "second"]
    again = queue.submit(("a",), second)
    assert again is not job and again.wait(SECONDS) and again.result == "second"


def test_a_stopped_job_ends_at_its_next_report(queue: JobQueue) -> None:
    running = threading.Event()

    def endless(job: Job[None]) -> None:
        while True:
            job.report("going on")
            running.set()

    job = queue.submit(("a",), endless)
    assert running.wait(SECONDS)
    job.cancel()
    following = queue.submit(("a",), lambda job: "done")
    assert job.wait(SECONDS) and job.cancelled and job.result is None and not job.error
    assert following is not job and following.wait(SECONDS) and following.result == "done"


@pytest.mark.parametrize(
    ("error", "words"),
    [(LongleafError("a.pdf: empty"), "a.pdf: empty"), (ValueError("x"), "please report it: ValueError: x")],
)
def test_errors_are_kept_and_the_next_job_runs(queue: JobQueue, error: Exception, words: str) -> None:
    def failing(job: Job[None]) -> None:
        raise error

    job = queue.submit(("a",), failing)
    assert job.wait(SECONDS) and words in job.error and job.result is None
    after = queue.submit(("a",), lambda job: 1)
    assert after.wait(SECONDS) and after.result == 1
