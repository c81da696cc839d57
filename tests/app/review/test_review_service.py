"""The service keeps files by content, keeps every page in its place, and groups citations by page."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from longleaf.app.review.page_images import RenderError
from longleaf.app.review.review_service import PageInfo, ReviewService, by_page
from longleaf.ingest import Gap
from tests.support import briefs
from tests.support.fake_workspace import FakeReading, FakeWorkspace

SECONDS = 60


class LosingWorkspace(FakeWorkspace):
    """Cannot read the first page of any file."""

    def read(self, path: Path, *, name: str, progress: Any = None) -> FakeReading:
        document = super().read(path, name=name, progress=progress).document
        gap = Gap("page_failed", "the page cannot be loaded", 0)
        return FakeReading(replace(document, pages=document.pages[1:], sections=(), gaps=(gap,)))


@pytest.fixture
def data(tmp_path: Path) -> bytes:
    canvas = Canvas(str(tmp_path / "a.pdf"), pagesize=(300, 400), invariant=1)
    for words in ("first page", "second page"):
        canvas.drawString(72, 300, words)
        canvas.showPage()
    canvas.save()
    return (tmp_path / "a.pdf").read_bytes()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ReviewService]:
    service = ReviewService(LosingWorkspace(tmp_path, {"where": "second page"}))  # type: ignore[arg-type]
    yield service
    service.jobs.close()


def test_a_page_that_failed_keeps_its_place(service: ReviewService, data: bytes) -> None:
    ((sha256, _),) = service.keep(data, "a.pdf")
    assert sha256 == hashlib.sha256(data).hexdigest() and service.opened(sha256) is None
    job = service.start_brief(sha256, "a.pdf")
    assert job.wait(SECONDS) and not job.error and job.result is not None
    opened = service.opened(sha256)
    assert opened is not None and opened.brief is job.result
    assert opened.pages == (PageInfo("1", 0.0, 0.0), PageInfo("2", 300.0, 400.0))
    assert job.result.key_facts[0].citations[0].page_index == 1
    assert [gap.page_index for gap in opened.gaps] == [0]
    assert service.page_image(sha256, 0, width=200).width == 200


def test_answers_read_the_document_when_they_must(service: ReviewService, data: bytes) -> None:
    ((sha256, _),) = service.keep(data, "a.pdf")
    job = service.start_answer(sha256, "a.pdf", "Where?")
    assert job.wait(SECONDS) and job.result is not None
    assert job.result.answer.citations[0].quote == "second page" and service.opened(sha256) is not None


def test_a_file_that_was_not_kept_has_no_picture(service: ReviewService) -> None:
    with pytest.raises(RenderError, match="Upload it"):
        service.page_image("0" * 64, 0, width=100)


def test_citations_by_page() -> None:
    first, second = briefs.citation("a", page_index=0), briefs.citation("b", page_index=3)
    third = briefs.citation("c", page_index=0, start=50)
    assert by_page([second, first, third]) == [(second,), (first, third)]
    assert by_page([]) == []
