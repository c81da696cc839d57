"""The review page: a brief on the left, the pages on the right, each citation a way from one to the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from longleaf import LongleafError
from longleaf.app import defaults
from longleaf.app.export import phrases
from longleaf.app.export.markdown_docx import escape_markdown, to_docx, to_markdown
from longleaf.app.inputs.folders import SUFFIXES
from longleaf.app.review.background_jobs import Job
from longleaf.app.review.page_images import PageImage, marks
from longleaf.app.review.review_service import OpenDocument, ReviewService, by_page
from longleaf.app.schema import Answer, Brief, Citation, KeyFact, Statement
from longleaf.app.workspace import Workspace
from longleaf.ui import markup

POLL_SECONDS = 0.8
PAGE_PIXELS = 1400

state: Any = st.session_state


@dataclass(frozen=True)
class Settings:
    library: Path | None
    model: str | None
    offline: bool


@st.cache_resource(show_spinner="Opening the Library")
def open_service(settings: Settings) -> ReviewService:
    model = settings.model or defaults.LANGUAGE_MODEL
    return ReviewService(Workspace(settings.library, model=model, offline=settings.offline))


@st.cache_data(max_entries=64, show_spinner="Drawing the page")
def page_picture(_service: ReviewService, sha256: str, page_index: int) -> PageImage:
    return _service.page_image(sha256, page_index, width=PAGE_PIXELS)


def show(settings: Settings, file: Path | None = None) -> None:
    st.set_page_config(page_title="Longleaf", page_icon="🍃", layout="wide")
    st.html(Path(__file__).with_name("style.css"))
    state.moved = False
    try:
        service = open_service(settings)
        if file is not None and "first_file" not in state:
            state.first_file = True
            choose(*service.keep(file, file.name)[0])
        sidebar(service)
        if "sha256" in state:
            review(service, state.sha256, state.name)
        else:
            st.html(
                markup.title(
                    "Longleaf", "Reads contracts and reports, and shows where each statement stands."
                )
            )
            st.html(markup.waiting("Upload a document on the left, or pick one that was read before."))
    except LongleafError as error:
        st.error(escape_markdown(str(error)), icon=":material/error:")
    except OSError as error:
        st.error(escape_markdown(f"A file cannot be used: {error}"), icon=":material/error:")


def choose(sha256: str, name: str) -> None:
    """Opens a document of the Library at its first page."""
    state.update(sha256=sha256, name=name, page_index=0, cited=(), job=None, question_job=None, answers=[])


# --- the documents ---


def sidebar(service: ReviewService) -> None:
    with st.sidebar:
        st.html(markup.title("Longleaf", "Everything stays on this machine."))
        turn = state.setdefault("upload_turn", 0)
        upload = st.file_uploader(
            "Upload a document", type=[suffix[1:] for suffix in SUFFIXES], key=f"upload_{turn}"
        )
        if upload is not None:
            kept = service.keep(upload.getvalue(), upload.name)
            choose(*kept[0])
            state.siblings = kept if len(kept) > 1 else []
            forget(upload)
            state.upload_turn = turn + 1  # a new key: an empty widget in place of this one
            st.rerun()
        siblings(state.get("siblings", []))
        documents = service.documents()
        if documents:
            st.html(markup.heading("Library", f"{len(documents)}"))
        for document in documents:
            chosen = state.get("sha256") == document.sha256
            st.button(
                escape_markdown(Path(document.name).name),
                key=f"open_{document.sha256}",
                help=f"{document.page_count} pages, added {document.added_at[:10]}",
                type="primary" if chosen else "tertiary",
                on_click=choose,
                args=(document.sha256, document.name),
            )


def siblings(kept: Sequence[tuple[str, str]]) -> None:
    """The documents of the folder or message that was uploaded last."""
    if kept:
        st.html(markup.heading("In this upload", f"{len(kept)} documents"))
    for number, (sha256, name) in enumerate(kept):
        st.button(
            escape_markdown(name.split("/", 1)[-1]),
            key=f"sibling_{number}_{sha256}",
            type="primary" if state.get("sha256") == sha256 else "tertiary",
            on_click=choose,
            args=(sha256, name),
        )


def forget(upload: Any) -> None:
    """Frees Streamlit's copy, which it would keep for the whole session: streamlit/streamlit issue 9218."""
    context = get_script_run_ctx()
    if context is not None and hasattr(context.uploaded_file_mgr, "remove_file"):
        context.uploaded_file_mgr.remove_file(session_id=context.session_id, file_id=upload.file_id)


def review(service: ReviewService, sha256: str, name: str) -> None:
    opened = service.opened(sha256)
    if (opened is None or opened.brief is None) and state.job is None:
        state.job = service.start_brief(sha256, name)
    left, right = st.columns([10, 11], gap="medium")
    with right, st.container(key="page_pane"):
        page_pane(service, sha256)
    with left, st.container(key="brief"):
        if opened is not None and opened.brief is not None:
            whole_brief(service, opened, opened.brief)
        else:
            st.html(markup.title(Path(name).name, meta(opened)))
            if opened is not None and opened.gaps:
                st.html(markup.gaps([phrases.gap_words(gap, name_file=False) for gap in opened.gaps]))
            brief_under_way(service, state.job, sha256, opened is not None)


def meta(opened: OpenDocument | None) -> str:
    if opened is None:
        return "not read yet"
    return "1 page" if len(opened.pages) == 1 else f"{len(opened.pages)} pages"


# --- work under way ---


@st.fragment(run_every=POLL_SECONDS)
def brief_under_way(service: ReviewService, job: Job[Brief], sha256: str, was_read: bool) -> None:
    """Progress, and the facts as they are found. The whole page is drawn anew when there is more to show."""
    just_read = not was_read and service.opened(sha256) is not None
    if state.moved or just_read or job.result is not None:
        st.rerun()
    if job.error or job.cancelled:
        if job.error:
            st.error(escape_markdown(job.error), icon=":material/error:")
        else:
            st.info("Stopped. What was read is kept; the rest is done when you go on.")
        if st.button("Try again" if job.error else "Go on", key="again"):
            state.job = None
            st.rerun()
        return
    progress(job)
    if st.button("Stop", key="stop"):
        job.cancel()
    if job.partial:
        st.html(markup.heading("Key facts", f"{len(job.partial)} so far"))
        facts(list(job.partial))


def progress(job: Job[Any]) -> None:
    stage = escape_markdown(job.stage[:1].upper() + job.stage[1:])
    if job.total > 0:
        counted = (
            f"{job.done:,} of {job.total:,}"
            if job.total < 1_000_000
            else f"{job.done >> 20:,} of {job.total >> 20:,} MiB"
        )
        st.progress(min(job.done / job.total, 1.0), text=f"{stage}: {counted}")
    else:
        st.html(markup.busy(job.stage, job.seconds))


# --- the brief ---


def whole_brief(service: ReviewService, opened: OpenDocument, brief: Brief) -> None:
    st.html(
        markup.title(
            Path(opened.name).name, f"{brief.kind.capitalize()} · {meta(opened)} · {brief.usage.model}"
        )
    )
    if brief.gaps:
        st.html(markup.gaps([phrases.gap_words(gap, name_file=False) for gap in brief.gaps]))
    exports(brief, Path(opened.name).stem)
    ask_box(service, opened)
    found = sum(fact.status != "not_found" for fact in brief.key_facts)
    st.html(markup.heading("Key facts", f"{found} of {len(brief.key_facts)} found"))
    facts(brief.key_facts)
    for topic, said in phrases.by_topic(brief.overview):
        st.html(markup.heading(topic or "Overview"))
        statements(said, f"overview_{topic}")
    if brief.sections:
        st.html(markup.heading("Section by section", f"{len(brief.sections)} sections"))
    for number, section in enumerate(brief.sections):
        with st.expander(escape_markdown(markup.section_title(section)), expanded=number == 0):
            statements(section.statements, f"section_{number}")
    st.caption(escape_markdown(phrases.verification_words(brief.verification)))
    st.caption(escape_markdown(phrases.usage_words(brief.usage)))


def facts(key_facts: Sequence[KeyFact]) -> None:
    for fact in key_facts:
        name, value, pages = st.columns([5, 14, 5])
        name.html(markup.fact_name(fact))
        value.html(markup.fact_value(fact))
        with pages:
            citation_buttons(fact.citations, f"fact_{fact.name}")


def statements(said: Sequence[Statement], place: str) -> None:
    for number, statement in enumerate(said):
        words, pages = st.columns([16, 5])
        words.html(markup.statement(statement))
        with pages:
            citation_buttons(statement.citations, f"{place}_{number}")


def citation_buttons(citations: Sequence[Citation], place: str) -> None:
    """One button a page: it shows all that the statement rests on there."""
    with st.container(horizontal=True, gap="small"):
        for number, on_page in enumerate(by_page(citations)):
            st.button(
                f"p. {escape_markdown(on_page[0].page_label)}",
                key=f"cite_{place}_{number}",
                type="primary" if on_page == state.get("cited") else "secondary",
                on_click=go_to,
                args=(on_page,),
            )


def go_to(on_page: Sequence[Citation]) -> None:
    state.update(page_index=on_page[0].page_index, cited=on_page, moved=True)


def exports(brief: Brief | Answer, stem: str, place: str = "brief") -> None:
    word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    kinds = (
        ("Markdown", "md", "text/markdown", lambda: to_markdown(brief)),
        ("JSON", "json", "application/json", lambda: brief.model_dump_json(indent=1)),
        ("Word", "docx", word, lambda: to_docx(brief)),
    )
    with st.container(
        horizontal=True, gap="small", key="exports" if place == "brief" else f"exports_{place}"
    ):
        for label, suffix, mime, data in kinds:
            st.download_button(
                label,
                data,
                f"{stem}.{place}.{suffix}",
                mime,
                key=f"export_{place}_{suffix}",
                on_click="ignore",
                icon=":material/download:",
            )


# --- questions ---


def ask_box(service: ReviewService, opened: OpenDocument) -> None:
    with st.form("ask", clear_on_submit=True, border=False):
        box, button = st.columns([6, 1], vertical_alignment="bottom")
        question = box.text_input(
            "Ask this document", placeholder="Ask this document a question", label_visibility="collapsed"
        )
        asked = button.form_submit_button("Ask", width="stretch")
    if asked and question.strip():
        state.question_job = service.start_answer(opened.sha256, opened.name, question.strip())
    if state.question_job is not None:
        answer_under_way(state.question_job)
    for number, answer in enumerate(state.answers):
        st.html(markup.heading(answer.question))
        statements([answer.answer], f"answer_{len(state.answers) - number}")


@st.fragment(run_every=POLL_SECONDS)
def answer_under_way(job: Job[Answer]) -> None:
    if state.moved:
        st.rerun()
    if job.result is not None:
        state.answers = [job.result, *state.answers]
        state.question_job = None
        st.rerun()
    if job.error:
        st.error(escape_markdown(job.error), icon=":material/error:")
    else:
        progress(job)


# --- the pages ---


@st.fragment
def page_pane(service: ReviewService, sha256: str) -> None:
    opened = service.opened(sha256)
    if opened is None or not opened.pages:
        st.html(markup.waiting("The pages appear here as soon as they are read."))
        return
    count = len(opened.pages)
    page_index = state.page_index = min(max(state.page_index, 0), count - 1)
    page = opened.pages[page_index]
    with st.container(key="toolbar"):
        back, where, forward, jump, zoom = st.columns([1, 4, 1, 2, 3], vertical_alignment="center")
        turn_button(back, "previous", "left", page_index - 1, count)
        where.html(markup.position(page.label, page_index, count))
        turn_button(forward, "next", "right", page_index + 1, count)
        jump.number_input(
            "Position in the file",
            1,
            count,
            page_index + 1,
            key=f"jump_{page_index}",
            label_visibility="collapsed",
            on_change=lambda: turn_to(state[f"jump_{page_index}"] - 1),
        )
        whole = zoom.toggle("Whole page", True, key="whole_page")
    cited: Sequence[Citation] = [each for each in state.cited if each.page_index == page_index]
    if cited:
        st.html(markup.quote(" … ".join(each.quote for each in cited)))
    boxes = [box for each in cited for box in each.boxes]
    found = marks(boxes, page.width, page.height)
    lines = "1 line" if len(found) == 1 else f"{len(found)} lines"
    description = f"{phrases.page_name(page.label, page_index)} of {opened.name}, {lines} highlighted"
    try:
        st.html(markup.sheet(page_picture(service, sha256, page_index), found, description, whole=whole))
    except LongleafError as error:
        st.error(escape_markdown(str(error)), icon=":material/error:")


def turn_button(place: Any, name: str, side: str, target: int, count: int) -> None:
    place.button(
        "",
        key=name,
        icon=f":material/chevron_{side}:",
        help=f"{name.capitalize()} page",
        disabled=not 0 <= target < count,
        on_click=turn_to,
        args=(target,),
    )


def turn_to(page_index: int) -> None:
    state.page_index = page_index
