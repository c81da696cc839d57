"""Text in capitals is set down; what stands in small letters already stays as it is."""

from __future__ import annotations

import pytest

from longleaf.app.briefs.condense import set_down


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("THIS LEASE AGREEMENT is made on 3 April 2025", "This lease agreement is made on 3 April 2025"),
        ("TENANT SHALL PAY BY MAY 3, 2024.", "Tenant shall pay by May 3, 2024."),
        ("The Tenant pays the RENT.", "The Tenant pays the RENT."),
    ],
)
def test_capitals_are_set_down(text: str, expected: str) -> None:
    assert set_down(text, {}) == expected
