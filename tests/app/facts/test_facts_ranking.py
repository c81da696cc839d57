"""What the text adds to a candidate's likelihood decides between close ones, not where one is far ahead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from longleaf.app.facts.contracts.dates import DateCandidate, agreement_dates
from longleaf.app.facts.contracts.law import LawCandidate
from longleaf.app.facts.document_text import passages
from longleaf.app.facts.ranking import QUESTIONS, Ranker, likelihood_gains, likelihoods
from longleaf.app.text.entities import find_dates, find_places
from longleaf.engine.engine import Engine
from tests.support.plain_documents import plain_document
from tests.support.real_models import real_model


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(real_model("gemma-3-270m"), ctx_size=1024) as opened:
        yield opened


def test_the_text_decides_between_places(engine: Engine) -> None:
    context = "This Agreement shall be governed by and construed under the laws of the State of {}."
    names = ["Ohio", "New York", "Texas"]
    for name in names:
        gains = likelihood_gains(engine, context.format(name), QUESTIONS["governing_law"], names)
        assert names[gains.index(max(gains))] == name


def test_likelihood_moves_close_dates_and_not_clear_ones(engine: Engine) -> None:
    text = passages(
        plain_document(["This Agreement is made on May 4, 2010. The first delivery was on June 5, 2009."])
    )
    found = agreement_dates(text, (0, len(text.text)))
    made = next(c.mention for c in found if c.mention.iso == "2010-05-04")
    other = next(m for m in find_dates(text.text) if m.iso == "2009-06-05")
    close = [DateCandidate(other, 2.0), DateCandidate(made, 1.99)]
    assert Ranker(engine).order_dates(text, "agreement_date", close)[0].mention == made
    clear = [DateCandidate(other, 9.0), DateCandidate(made, 2.0)]
    assert Ranker(engine).order_dates(text, "agreement_date", clear) == clear
    assert Ranker().order_dates(text, "agreement_date", close) == close


LAW = (
    "Acme, a Texas corporation, sells in Ohio. This Agreement is governed by the laws of the State of {}. "
    "Disputes between the parties go to the courts of Illinois."
)


@pytest.mark.parametrize("name", ["New York", "Nevada", "England", "China"])
def test_the_place_whose_law_governs_is_likelier_than_others_that_are_named(
    engine: Engine, name: str
) -> None:
    names = ["Texas", "Ohio", name, "Illinois"]
    likely = likelihoods(engine, f"{LAW.format(name)}\n\n{QUESTIONS['governing_law']}", names)
    assert names[likely.index(max(likely))] == name


def test_likelihood_moves_close_laws_and_not_clear_ones(engine: Engine) -> None:
    text = passages(
        plain_document(
            [
                "This Agreement is governed by the laws of the State of Nevada.",
                "The parties comply with the laws of Texas that govern the sale of goods.",
            ]
        )
    )
    nevada, texas = (
        LawCandidate(s, next(p for p in find_places(text.text) if s.start <= p.start < s.end), score)
        for s, score in zip(text.sentences, (3.0, 3.1), strict=True)
    )
    assert Ranker(engine).order_laws(text, [texas, nevada]) == [nevada, texas]
    clear = [replace(texas, score=9.0), nevada]
    assert Ranker(engine).order_laws(text, clear) == clear
    assert Ranker().order_laws(text, [texas, nevada]) == [texas, nevada]
