from __future__ import annotations

import re

import pytest

from longleaf.app.briefs.condense import condensed, set_down, terms_of

TERMS = {"licensor": "Licensor", "licensee": "Licensee", "software": "Software"}


@pytest.mark.parametrize(
    ("sentence", "short"),
    [
        (
            "4.2 Royalty. Licensee shall pay to Licensor a royalty of ten percent (10%) of Net Sales "
            "(the “Royalty”).",
            "Licensee must pay to Licensor a royalty of ten percent (10%) of Net Sales.",
        ),
        (
            "Each party shall indemnify, defend and hold harmless the other from any and all claims.",
            "Each party must indemnify the other from all claims.",
        ),
        (
            "This Agreement shall be governed by and construed in accordance with the laws of Ohio, "
            "without regard to its conflict of laws rules.",
            "The Agreement is governed by the laws of Ohio.",
        ),
        (
            "LICENSOR SHALL NOT BE LIABLE FOR LOST PROFITS OF LICENSEE.",
            "Licensor is not liable for lost profits of Licensee.",
        ),
    ],
)
def test_a_sentence_is_said_shortly_and_plainly(sentence: str, short: str) -> None:
    assert condensed(sentence, TERMS) == short


@pytest.mark.parametrize(
    "decisive",
    ["unless Licensee is in default", "only with Licensor's consent", "within thirty days", "except in Ohio"],
)
def test_what_decides_is_never_cut(decisive: str) -> None:
    sentence = f"Licensee shall (as defined above) deliver the Software to Licensor, {decisive}, for its use."
    assert decisive in condensed(sentence, TERMS, re.compile("deliver"))


def test_capitals_are_set_down_but_for_names() -> None:
    assert set_down("THE SOFTWARE IS SOLD AS IS.", TERMS) == "The Software is sold as is."
    assert set_down("The Software is IBM's.", TERMS) == "The Software is IBM's."
    assert terms_of(["The Buyer pays. If the Buyer pays, the seller ships.", "The Seller ships"]) == {
        "buyer": "Buyer"
    }
