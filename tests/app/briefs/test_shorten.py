from __future__ import annotations

import pytest

from longleaf.app.briefs.shorten import LONG, cuts, shorten
from longleaf.app.proof.citations import cite
from longleaf.app.schema import Statement
from longleaf.engine.engine import Engine
from longleaf.ingest.document import Span
from tests.support.plain_documents import plain_document
from tests.support.real_models import real_model

LICENCE = (
    "Licensor (acting on behalf of itself and its Affiliates worldwide) grants to Licensee a non-exclusive "
    "license to use the Software (the “Licensed Software”), including all manuals and training material of "
    "every kind, for thirty (30) days."
)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(real_model("smollm2-135m-instruct"))


def quotation(text: str) -> Statement:
    return Statement(
        text=text, status="quoted", citations=cite(plain_document([text]), [Span(0, 0, len(text))])
    )


def test_brackets_and_elaborations_are_cut_and_the_model_picks_one(engine: Engine) -> None:
    shown = shorten(quotation(LICENCE), engine)
    assert shown.status == "generated"
    assert shown.text in cuts(LICENCE)
    assert len(shown.text) < 0.9 * len(LICENCE) and "non-exclusive license" in shown.text
    assert shown.citations == quotation(LICENCE).citations


@pytest.mark.parametrize(
    "kept",
    [
        "(except as stated in this Agreement)",
        "(other than Excluded Goods, if any)",
        "(not Buyer)",
        "($5,000,000)",
        "(provided that notice is given)",
        "[***]",
        ", including up to 3 copies,",
        ", including none of the manuals,",
    ],
)
def test_what_may_change_the_sense_is_never_cut(kept: str, engine: Engine) -> None:
    text = f"Seller shall deliver to Buyer all of the Goods {kept} at the place that Buyer names. ".replace(
        " ,", ","
    )
    text = (text * 3).strip()
    assert len(text) > LONG
    assert all(kept.strip(", ") in cut for cut in cuts(text))
    assert kept.strip(", ") in shorten(quotation(text), engine).text


def test_short_sentences_and_several_places_stay_as_they_are(engine: Engine) -> None:
    short = quotation("Buyer (the “Customer”) shall pay.")
    assert shorten(short, engine) is short
    places = quotation(LICENCE).model_copy(update={"text": f"{LICENCE} … {LICENCE}"})
    assert shorten(places, engine) is places
