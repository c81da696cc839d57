"""What `longleaf` itself offers: imported late, typed, and as docs/python.md shows it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import longleaf
from tests.support.pdf_maker import make_pdf, paragraph
from tests.support.real_models import real_model

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
CLAUSES = [
    "SUPPLY AGREEMENT. This Supply Agreement is made as of March 3, 2025 by and between Aster Mills Ltd. and "
    "Birch Foods Inc.",
    "2. Termination. Either party may terminate this Agreement for convenience on sixty (60) days' notice.",
    "3. Governing Law. This Agreement is governed by the laws of the State of Ohio.",
]


def test_importing_it_imports_nothing_else() -> None:
    heavy = ("longleaf.", "numpy", "pydantic")
    code = f"import longleaf, sys; print(*[m for m in sys.modules if m.startswith({heavy})])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_every_name_it_offers_is_there() -> None:
    assert (
        set(longleaf._HOMES) | {"LongleafError", "__version__"} == set(longleaf.__all__) == set(dir(longleaf))
    )
    assert all(getattr(longleaf, name) for name in longleaf.__all__)
    with pytest.raises(AttributeError, match="'Workspaces'"):
        _ = longleaf.Workspaces  # type: ignore[attr-defined]


def test_the_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("gemma-3-270m", "minilm-l6-v2-int8"):
        real_model(name)
    make_pdf(tmp_path / "contract.pdf", [lambda canvas, index: paragraph(canvas, " ".join(CLAUSES))])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LONGLEAF_LIBRARY", str(tmp_path / "library.db"))
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    scope: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, PAGE.name, "exec"), scope)
    assert "quoted" in capsys.readouterr().out
    assert scope["again"] == scope["brief"] and (tmp_path / "contract.brief.docx").stat().st_size > 0
    assert len(blocks) == 6
