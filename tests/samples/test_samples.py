"""The built samples say what truth.json says, where it says it, and come out the same every time."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pypdf
import pypdfium2
import pytest

from sample_docs import agreement, figures, make

TRUTH: dict[str, Any] = json.loads((make.HERE / "truth.json").read_text(encoding="utf-8"))
AGREEMENTS = ("supply_agreement_v1.pdf", "supply_agreement_v2.pdf")


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    make.make(folder)
    return folder


def pages(path: Path) -> dict[str, str]:
    """Printed page label to the page's text, white space evened out."""
    document = pypdfium2.PdfDocument(path)
    texts = [re.sub(r"\s+", " ", page.get_textpage().get_text_bounded()) for page in document]
    return dict(zip(pypdf.PdfReader(path).page_labels, texts, strict=True))


def test_builds_the_same_bytes_again(samples: Path, tmp_path: Path) -> None:
    for path in make.make(tmp_path):
        assert path.read_bytes() == (samples / path.name).read_bytes()


@pytest.mark.parametrize("name", AGREEMENTS)
def test_agreement_facts_stand_on_their_page(samples: Path, name: str) -> None:
    truth, texts = TRUTH[name], pages(samples / name)
    assert list(texts) == truth["page_labels"]
    for fact in truth["facts"].values():
        assert fact["quote"] in texts[fact["page_label"]]
        assert all(re.search(re.escape(value), texts[fact["page_label"]], re.I) for value in fact["values"])
        assert sum(fact["quote"] in text for text in texts.values()) == 1


def test_the_versions_differ_in_exactly_the_ten_terms(samples: Path) -> None:
    first, second = (agreement.VERSIONS[Path(name).stem] for name in AGREEMENTS)
    assert [term for term in first if first[term] != second[term]] == TRUTH["differing_terms"]
    texts = ["\n".join(pages(samples / name).values()) for name in AGREEMENTS]
    for text, terms in zip(texts, (first, second), strict=True):
        assert all(words in text for words in terms.values())
    merged = [
        re.sub("|".join(map(re.escape, v.values())), "*", t)
        for t, v in zip(texts, (first, second), strict=True)
    ]
    assert merged[0] == merged[1]


def test_report_facts_stand_on_their_pages(samples: Path) -> None:
    truth, texts = TRUTH["annual_report.pdf"], pages(samples / "annual_report.pdf")
    for name, fact in truth["facts"].items():
        for label in fact["page_labels"]:
            assert any(value in texts[label] for value in fact["values"]), (name, label)


def test_report_labels_outline_and_columns(samples: Path) -> None:
    reader = pypdf.PdfReader(samples / "annual_report.pdf")
    truth = TRUTH["annual_report.pdf"]
    assert len(reader.pages) == truth["page_count"] >= 60
    assert reader.page_labels[:9] == ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "1"]
    assert len(reader.outline) > 30
    document = pypdfium2.PdfDocument(samples / "annual_report.pdf")
    for index, label in enumerate(reader.page_labels):
        text = document[index].get_textpage()
        if index:  # the cover has no footer
            assert text.get_text_bounded(bottom=30, top=55).strip() == label
    letter = document[reader.page_labels.index("vi")].get_textpage()
    assert letter.get_text_bounded(left=72, right=297).strip() and letter.get_text_bounded(left=315).strip()


def test_contents_name_the_printed_pages(samples: Path) -> None:
    texts = pages(samples / "annual_report.pdf")
    contents = " ".join(texts[label] for label in ("ii", "iii", "iv", "v"))
    for title in ("Risk Factors", "Outlook for 2026", "Consolidated Balance Sheets", "Note 15. Debt"):
        named = re.search(re.escape(title) + r"[ .]+([ivx]+|\d+)\b", contents)
        assert named and title in texts[named[1]]


def test_accounts_tie() -> None:
    books = figures.accounts()
    figures.check(books)
    for later, earlier in ((2025, 2024), (2024, 2023)):
        assert books[later].flow["opening_cash"] == books[earlier].sheet["cash"]
