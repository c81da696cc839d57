"""What the terminal shows of a statement, whatever its status."""

from __future__ import annotations

from typing import get_args

import pytest

from longleaf.app.cli import show
from longleaf.app.export.phrases import STATUS_WORDS
from longleaf.app.schema import Statement, Status


@pytest.mark.parametrize("status", get_args(Status))
def test_a_statement_of_any_status_is_shown(status: Status, capsys: pytest.CaptureFixture[str]) -> None:
    show._statement(Statement(text="Rent is due.", status=status))
    assert capsys.readouterr().out == f"  Rent is due.  [{STATUS_WORDS[status]}]\n"
