"""The review page, driven without a browser, over a Workspace that needs no models."""

from __future__ import annotations

import base64
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from reportlab.pdfgen.canvas import Canvas
from streamlit.testing.v1 import AppTest

from longleaf.ui import review
from sample_docs import other_formats
from sample_docs.other_formats import packed
from tests.support.fake_workspace import FakeWorkspace

SECONDS = 40
FACTS = {
    "payment": "Payment is due in thirty days.",
    "law": "The laws of <b>Delaware</b> govern.",
    "rent": "no such words",
}


def lease(path: Path) -> Path:
    """Two pages labelled "i" and "A-1"; the second holds one fact, the first another."""
    canvas = Canvas(str(path), invariant=1)
    pages = (("ROMAN_LOWER", None, FACTS["law"]), ("ARABIC", "A-", FACTS["payment"]))
    for number, (style, prefix, words) in enumerate(pages):
        canvas.addPageLabel(number, style, 1, prefix)
        canvas.drawString(72, 700, "A lease between two people of the same town.")
        canvas.drawString(72, 680, words)
        canvas.showPage()
    canvas.save()
    return path


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeWorkspace]:
    (tmp_path / "files").mkdir()
    fake = FakeWorkspace(tmp_path / "files", FACTS)
    monkeypatch.setattr(review, "Workspace", lambda *args, **options: fake)
    monkeypatch.setattr(sys, "argv", ["page.py"])
    st.cache_resource.clear()
    st.cache_data.clear()
    yield fake


def app() -> AppTest:
    return AppTest.from_file(str(Path(review.__file__).with_name("page.py")), default_timeout=SECONDS)


def html(at: AppTest) -> str:
    return "\n".join(element.proto.body for element in at.get("html"))


def run_until(at: AppTest, found: Callable[[AppTest], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not found(at):
        assert time.monotonic() < deadline, html(at)[-2000:]
        time.sleep(0.05)
        at.run()
        assert not at.exception


def button(at: AppTest, key: str) -> Any:
    [found] = [button for button in at.button if button.key == key]
    return found


def upload(at: AppTest, path: Path, media: str = "application/pdf") -> None:
    at.file_uploader[0].set_value((path.name, path.read_bytes(), media)).run()
    assert not at.exception


def briefed(at: AppTest) -> bool:
    return "of 3 found" in html(at)


def begun(at: AppTest) -> bool:
    return "1 so far" in html(at)


def test_upload_brief_and_citation(fake: FakeWorkspace, tmp_path: Path) -> None:
    at = app().run()
    assert "Upload a document on the left" in html(at) and not at.exception
    path = lease(tmp_path / "lease.pdf")
    upload(at, path)
    run_until(at, briefed)
    shown = html(at)
    assert "2 of 3 found" in shown and "Contract · 2 pages · a-model" in shown
    assert "searched pages 1–2 of the file" in shown
    assert "&lt;b&gt;Delaware&lt;/b&gt;" in shown and "<b>Delaware" not in shown
    assert 'data-page-index="0" data-page-label="i"' in shown and 'class="ll-mark"' not in shown
    button(at, "cite_fact_payment_0").click().run()
    shown = html(at)
    assert "Page <b>A-1</b> <span>(2 of 2)</span>" in shown
    assert shown.count('class="ll-mark"') == 1
    assert "page A-1 (page 2 of the file) of lease.pdf, 1 line highlighted" in shown
    button(at, "cite_fact_law_0").click().run()
    assert 'data-page-index="0" data-page-label="i"' in html(at) and 'class="ll-mark"' in html(at)
    assert fake.kept_file(next(iter(fake.stored))).read_bytes() == path.read_bytes()
    assert fake.summarized == 1


def test_turning_pages_stops_at_both_ends(fake: FakeWorkspace, tmp_path: Path) -> None:
    at = app().run()
    upload(at, lease(tmp_path / "lease.pdf"))
    run_until(at, briefed)
    assert button(at, "previous").disabled and not button(at, "next").disabled
    button(at, "next").click().run()
    assert 'data-page-index="1"' in html(at) and button(at, "next").disabled
    at.number_input[0].set_value(1).run()
    assert 'data-page-index="0"' in html(at)


def test_a_brief_goes_on_while_pages_are_turned_and_can_be_stopped(
    fake: FakeWorkspace, tmp_path: Path
) -> None:
    fake.hold = threading.Event()
    at = app().run()
    upload(at, lease(tmp_path / "lease.pdf"))
    run_until(at, begun)
    button(at, "next").click().run()
    assert 'data-page-index="1"' in html(at) and begun(at)
    button(at, "previous").click().run()
    button(at, "cite_fact_payment_0").click().run()
    assert 'data-page-index="1"' in html(at) and 'class="ll-mark"' in html(at)
    button(at, "stop").click().run()
    run_until(at, lambda at: any("Stopped" in info.value for info in at.info))
    fake.hold.set()
    button(at, "again").click().run()
    run_until(at, briefed)
    assert fake.summarized == 2


def test_two_sessions_share_one_brief(fake: FakeWorkspace, tmp_path: Path) -> None:
    fake.hold = threading.Event()
    sessions = app().run(), app().run()
    for at in sessions:
        upload(at, lease(tmp_path / "lease.pdf"))
        run_until(at, begun)
    fake.hold.set()
    for at in sessions:
        run_until(at, briefed)
    assert fake.summarized == 1


def test_questions(fake: FakeWorkspace, tmp_path: Path) -> None:
    at = app().run()
    upload(at, lease(tmp_path / "lease.pdf"))
    run_until(at, briefed)
    at.text_input[0].set_value("When is payment due?")
    [ask] = [found for found in at.button if found.label == "Ask"]
    ask.click().run()
    run_until(at, lambda at: "When is payment due?" in html(at))
    button(at, "cite_answer_1_0_0").click().run()
    assert 'data-page-label="A-1"' in html(at)


def test_errors_are_shown_and_can_be_tried_again(fake: FakeWorkspace, tmp_path: Path) -> None:
    at = app().run()
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"not a PDF")
    upload(at, broken)
    run_until(at, lambda at: bool(at.error))
    assert "not a PDF file" in at.error[0].value
    fake.error = "the model gave up"
    upload(at, lease(tmp_path / "lease.pdf"))
    run_until(at, lambda at: any("gave up" in error.value for error in at.error))
    fake.error = ""
    button(at, "again").click().run()
    run_until(at, briefed)


def test_documents_of_the_library_open_again_in_a_new_session(fake: FakeWorkspace, tmp_path: Path) -> None:
    at = app().run()
    upload(at, lease(tmp_path / "lease.pdf"))
    run_until(at, briefed)
    sha256 = next(iter(fake.stored))
    st.cache_resource.clear()
    again = app().run()
    button(again, f"open_{sha256}").click().run()
    run_until(again, briefed)
    assert fake.summarized == 1


def test_a_document_whose_file_was_not_kept_has_a_brief_but_no_pictures(
    fake: FakeWorkspace, tmp_path: Path
) -> None:
    sha256 = fake.read(lease(tmp_path / "lease.pdf"), name="lease.pdf").document.sha256
    at = app().run()
    button(at, f"open_{sha256}").click().run()
    run_until(at, briefed)
    assert "Upload it to see its pages" in at.error[0].value
    assert 'data-page-label="i"' in html(at)


def test_a_file_given_at_the_start_is_opened(
    fake: FakeWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["page.py", "--", str(lease(tmp_path / "lease.pdf"))])
    at = app().run()
    run_until(at, briefed)
    assert "lease.pdf" in html(at)


def test_exports_are_offered(fake: FakeWorkspace, tmp_path: Path) -> None:
    at = app().run()
    upload(at, lease(tmp_path / "lease.pdf"))
    run_until(at, briefed)
    assert [found.label for found in at.get("download_button")] == ["Markdown", "JSON", "Word"]


def test_a_word_file_is_shown_as_text_with_the_cited_words_marked(
    fake: FakeWorkspace, tmp_path: Path
) -> None:
    fake.facts = {"law": "the State of Oregon", "rent": "the first day of each month", "tax": "no such words"}
    path = tmp_path / "deal.zip"
    path.write_bytes(packed({"a/lease.docx": other_formats.lease(), "minutes.html": other_formats.MINUTES}))
    at = app().run()
    upload(at, path, "application/zip")
    run_until(at, briefed)
    assert [b.label for b in at.button if b.key.startswith("sibling_")] == ["a/lease.docx", "minutes.html"]
    button(at, "cite_fact_law_0").click().run()
    assert "data:image/svg+xml;base64," in html(at)
    assert html(at).count('class="ll-mark"') == 1
    picture = base64.b64decode(re.search(r"svg\+xml;base64,([^\"]+)", html(at))[1]).decode()
    assert "the State of Oregon." in picture
