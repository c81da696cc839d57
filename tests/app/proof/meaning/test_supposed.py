"""What the source only supposes is never told as so, and a condition is never left out."""

from __future__ import annotations

import pytest

from longleaf.app.briefs.condense import condensed
from longleaf.app.proof.meaning import entails

SOURCES = (
    "If any Tenant leaves before May, the Landlord may keep the deposit.",
    "If Tenant leaves before May, the Landlord may keep the deposit.",
    "Unless Tenant objects in writing within ten days, the Landlord may paint the hall.",
)


@pytest.mark.parametrize(
    ("source", "statement", "accepted"),
    [
        (SOURCES[0], "Tenant leaves before May, the Landlord may keep the deposit.", False),
        (SOURCES[0], "The Landlord may keep the deposit.", False),
        (SOURCES[0], "If a tenant leaves before May, the Landlord may keep the deposit.", True),
        (SOURCES[1], "Tenant leaves before May.", False),
        (SOURCES[2], "Tenant objects in writing within ten days.", False),
        (SOURCES[2], "Tenant objects in writing within ten days, the Landlord may paint the hall.", False),
    ],
)
def test_suppositions(source: str, statement: str, accepted: bool) -> None:
    assert entails(statement, [source]).accepted is accepted


@pytest.mark.parametrize("source", SOURCES)
def test_a_sentence_said_shortly_keeps_its_condition(source: str) -> None:
    assert condensed(source, {}).lower().startswith(source.split()[0].lower())
