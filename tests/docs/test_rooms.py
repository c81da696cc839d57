"""The picture and the list of rooms in docs/architecture.md are those of the code."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
STALE = "run `python docs/make_rooms.py`"


@pytest.fixture(scope="module")
def rooms() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "make_rooms.py"))


def test_the_picture_is_of_these_imports(rooms: dict[str, Any]) -> None:
    assert rooms["rooms_svg"]() == (DOCS / "rooms.svg").read_text(encoding="utf-8"), STALE


def test_the_list_is_of_these_docstrings(rooms: dict[str, Any]) -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    assert rooms["with_list"](page) == page, STALE


def test_an_arrow_that_a_longer_way_says_is_left_out(rooms: dict[str, Any]) -> None:
    edges = {"c": {"a", "b"}, "b": {"a"}, "a": set()}
    assert rooms["reduced"](edges) == {"c": {"b"}, "b": {"a"}, "a": set()}
    assert rooms["in_order"](edges) == [["a"], ["b"], ["c"]]


def test_every_place_that_a_page_names_is_there() -> None:
    """Paths in code marks that begin with a folder of ours, on every page of the docs."""
    known = re.compile(r"`((?:app|engine|ingest|native|ui|tests|bench|docs)/[\w./-]*)`")
    pages = [*DOCS.glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    named = {(page.name, path) for page in pages for path in known.findall(page.read_text(encoding="utf-8"))}
    assert len(named) > 50
    assert [each for each in sorted(named) if not (ROOT / each[1]).exists()] == []


def test_every_link_of_a_page_leads_somewhere() -> None:
    link = re.compile(r"\]\((?!https?:)([\w./-]+)")
    missing = [
        (page.name, target)
        for page in [*DOCS.glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
        for target in link.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert missing == []


def test_the_index_names_every_page() -> None:
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    assert [
        page.name for page in DOCS.glob("*.md") if page.name != "README.md" and page.name not in index
    ] == []
